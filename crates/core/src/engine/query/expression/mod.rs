//! DynamoDB's expressions: key conditions, filters, conditions, projections and updates.
//!
//! [`parse_condition`], [`parse_update`] and [`parse_projection`] parse a text, or report what is wrong and where. A
//! [`Binder`] resolves `#name` and `:value`; the result is applied to items ([`holds`], [`project`], [`apply`]).
//! [`Aliases`] creates aliases for names that a request's expression cannot contain. `Display` writes an expression.
//!
//! In a design's access patterns `:x` is the parameter `x`; `x`, `#x` and `"x"`, as in PartiQL, are the attribute `x`: see
//! [`Binder::new`]. In a request, ExpressionAttributeNames define `#x`: see [`Binder::request`]. Source of the grammar:
//! "Using expressions in DynamoDB", Developer Guide.

mod alias;
mod apply;
mod ast;
mod bind;
mod check;
mod evaluate;
mod key_tests;
mod lex;
mod parse;
mod parse_update;
mod rewrite;
mod value_types;
mod write;

pub use alias::{Aliases, is_plain, with_alias};
pub use apply::apply;
pub use ast::{
    Assigned, Bound, Comparator, Condition, ExpressionError, Name, Operand, Path, PathStep, Term,
    Update,
};
pub use bind::Binder;
pub use check::targets as check_targets;
pub use evaluate::{holds, project};
pub use key_tests::key_tests;
pub use parse::{is_keyword, is_parameter_name, parse_condition, parse_projection};
pub use parse_update::parse_update;
pub use rewrite::{Uses, attributes_of, uses_of_condition, uses_of_paths, uses_of_update};
pub use value_types::{ValueType, type_in_condition, type_in_update};
