//! PartiQL for reads by key: an alternative notation of a read operation.
//!
//! `SELECT * FROM "table"."index" WHERE "PK" = 'ORDER#{orderId}' AND begins_with("SK", 'ITEM#') ORDER BY "SK" DESC`
//!
//! In a design, a string is a template: `'{x}'` is the parameter `x`. A number in a key of type N has no quotes. [`write_statement`] writes the operation of an
//! access pattern as a statement, [`read_statement`] parses one; a statement has no limit and no consistency.
//! [`filled_statement`] fills in the values for DynamoDB.
//! Source of the grammar: "PartiQL select statements for DynamoDB", Amazon DynamoDB Developer Guide.

use crate::model::{KeySchema, Number};

mod lex;
mod parse;
mod to_operation;
mod write;

pub use to_operation::{StatementError, read_statement};
pub use write::{filled_statement, write_statement};

/// The number that a template of a key of type N is, if it is one.
fn number(text: &str) -> Option<Number> {
    text.parse().ok()
}

/// Returns why PartiQL cannot read an index, if its key prevents it. Source: DynamoDB's answer to such a statement.
fn refusal(key: &KeySchema) -> Option<&'static str> {
    (key.is_multi_attribute()).then_some(
        "PartiQL cannot read an index with several partition or sort key attributes. Use a Query",
    )
}
