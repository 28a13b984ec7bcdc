//! ElectroDB: entities and a service in TypeScript, whose keys have the same bytes as the app's.
//!
//! Every key has its template and `casing: "none"`. The result of modifiers is a separate attribute, which ElectroDB
//! computes from the original (`watch` and `set`), stores and accepts in queries; leading zeros alone use its
//! `padding`. The export omits unsupported indexes and entities, with a comment that says why.

mod entities;
mod indexes;

pub use entities::electrodb;
