//! PartiQL, as far as it reads items by their keys: another way to write a read.
//!
//! `SELECT * FROM "table"."index" WHERE "PK" = 'ORDER#{orderId}' AND begins_with("SK", 'ITEM#') ORDER BY "SK" DESC`
//!
//! In a design a string is a template: `'{x}'` is the parameter `x`. [`write_statement`] writes an access pattern's
//! operation so, [`read_statement`] reads it; limit and consistency are no part of a statement. For DynamoDB the
//! values are filled in ([`filled_statement`]).
//! Source of the grammar: "PartiQL select statements for DynamoDB", Developer Guide.

use crate::model::KeySchema;

mod lex;
mod parse;
mod read;
mod write;

pub use read::{StatementError, read_statement};
pub use write::{filled_statement, write_statement};

/// Why an index cannot be read with PartiQL, if its key forbids it. Source: DynamoDB's answer to such a statement.
fn refusal(key: &KeySchema) -> Option<&'static str> {
    (key.is_multi_attribute()).then_some(
        "PartiQL does not read an index with several partition or sort key attributes: use a Query",
    )
}
