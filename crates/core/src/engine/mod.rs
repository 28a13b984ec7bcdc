//! From samples to what DynamoDB stores and shows: an [`EntityPlan`] turns samples into [`Item`]s
//! ([`materialise`]), a [`View`] puts the items of the table or an index into DynamoDB's order ([`view`]).
//!
//! Everything here is a pure function, cut so that an edit redoes little: a plan depends on one entity and the
//! keys of the table, items on one plan and its samples, a view on all items. [`Work`] does all of it in small steps
//! and takes over what an edit left alone. Nothing here fails: what DynamoDB would refuse is a [`Problem`] of the
//! item.
//! Samples themselves come from [`generate`], answers to reads and writes from [`query`]; what keys an entity can have
//! without any sample is in [`languages`]. Not in here: findings of the linter.

mod chunk;
mod columns;
mod content;
pub mod generate;
mod item;
mod items;
mod keys;
pub mod languages;
mod materialise;
mod order;
mod plan;
pub mod query;
pub mod tenancy;
mod view;
mod work;
mod written;

pub use columns::{Column, ColumnRole};
pub use content::IndexContent;
pub use item::{Item, KeyPart, Problem, ProblemKind};
pub use items::Items;
pub use keys::with_one_key;
pub use materialise::{materialise, materialise_all};
pub use plan::{EntityPlan, TemplateError};
pub use view::{Group, Row, Rows, View, view};
pub use work::{Computed, Work};
pub use written::ValueRef;
