//! Finds the design of a DynamoDB table from its items: the entities, their key templates for the table and every
//! index, conditions of sparse indexes, types and formats of attributes.
//!
//! What is imported never changes: each item becomes a sample of one entity, which gives the item back, attribute for
//! attribute ([`Inferred::items`]). An item that no template explains is kept in an entity without templates.
//!
//! [`add_to`] makes a design of it. [`infer`] works on items in memory. A table that does not fit into memory has a
//! [`Profile`], which is small and can be merged from profiles of its parts in any order. In a [`Draft`] a person
//! changes the entities before they become a design.

mod aliases;
mod analysis;
mod chance;
mod clusters;
mod columns;
mod delimiter;
mod design;
mod draft;
mod entities;
mod entity_name;
mod infer;
mod key_only;
mod model;
mod modifiers;
mod pieces;
mod plan;
mod population;
mod profile;
mod rebuild;
mod rules;
mod schema;
mod skeleton;
mod sparse;
mod statistics;
mod type_attribute;
mod usual;
mod within;
mod words;

pub use design::add_to;
pub use draft::{Draft, State};
pub use infer::{infer, infer_profile};
pub use model::{Attribute, Entity, Entry, Hint, Inferred, Rule};
pub use profile::{EXAMPLES, OtherTable, Profile};
pub use schema::{Item, Schema};
pub use statistics::Statistics;
