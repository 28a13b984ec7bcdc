//! Computes what DynamoDB stores and shows: an [`EntityPlan`] turns samples into [`Item`]s ([`materialize`]), a
//! [`View`] puts the items of the table or an index into DynamoDB's order ([`view()`]).
//!
//! Everything here is a pure function, divided so that an edit recomputes little: a plan depends on one entity and the
//! keys of the table, items on one plan and its samples, a view on all items. [`Work`] does all of it in small steps
//! and reuses what an edit did not touch. Nothing here fails: what DynamoDB would refuse is a [`Problem`] of the item.
//! [`generate`] generates samples, [`query`] answers reads and writes, [`key_sources`] tells
//! what writes a key attribute, and [`languages`] knows the possible keys of an
//! entity without samples. The linter's findings are not here.

pub mod always_rejected;
mod chunk;
mod columns;
pub mod compiled;
pub mod generate;
mod index_content;
mod item;
mod items;
pub mod key_condition;
pub mod key_reader;
pub mod key_sources;
mod keys;
pub mod languages;
mod materialize;
pub mod operation_parts;
mod order;
pub mod overlap;
pub mod padding;
mod plan;
mod problem;
pub mod query;
mod recompute;
pub mod tenancy;
mod view;
mod written;

pub use columns::{Column, ColumnRole};
pub use index_content::IndexContent;
pub use item::Item;
pub use items::{Items, materialize, materialize_all};
pub use keys::find_duplicate_key;
pub use plan::{EntityPlan, TemplateError};
pub use problem::{Problem, ProblemKind};
pub use recompute::{Computed, Work};
pub use view::{Group, Row, Rows, View, view};
pub use written::ValueRef;
