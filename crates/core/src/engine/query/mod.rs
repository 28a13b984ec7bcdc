//! Answers requests as DynamoDB does: reads and writes on the items of a design, with pages, capacity and rejections.
//!
//! - [`TableSnapshot`] is the table with its indexes, in DynamoDB's order. It answers [`Query`], [`Scan`], [`Get`],
//!   [`BatchGet`] and [`TransactGet`]. A read sorts nothing: a key condition is two edges in the order of an index,
//!   found by binary search on the keys' bytes.
//! - A [`Write`] returns a [`Preview`]: what would change in the table and in each index, and what it costs.
//! - [`expression`] parses, binds, applies and writes DynamoDB's expressions.
//! - A [`Rejection`] says why DynamoDB would refuse a request.
//!
//! Where a request's values come from, and whether a design serves an access pattern, is not decided here (see
//! `proof`).
//!
//! # Example
//!
//! ```
//! use keyfold_core::engine::query::{KeyCondition, Query, SortTest, TableSnapshot};
//! use keyfold_core::library;
//! use keyfold_core::model::{IndexId, SortOperator, Value};
//!
//! let design = library::find("saas-multi-tenant").unwrap().design()?;
//! let table = TableSnapshot::of(&design);
//! let key = KeyCondition {
//!     partition: vec![Value::from("TENANT#t_01")],
//!     sort: vec![SortTest::new(SortOperator::BeginsWith, Value::from("USER#"))],
//! };
//! let page = table.query(&Query::new(IndexId::PRIMARY, key)).unwrap();
//! assert!(!page.items.is_empty());
//! assert!(page.items.iter().all(|item| item.get("sk").unwrap().to_text().starts_with("USER#")));
//! assert_eq!(page.scanned, page.items.len());
//! # Ok::<(), keyfold_core::persist::FileError>(())
//! ```

mod capacity;
pub mod expression;
mod get;
mod key;
mod projection;
mod range;
mod read;
mod rejection;
mod snapshot;
mod stale_keys;
mod write;

pub use capacity::{TRANSACTION_FACTOR, read_units, write_units};
pub use expression::{Bound, Condition, ExpressionError, Path, Update};
pub use get::{BatchGet, BatchPage, Get, GetResult, TransactGet};
pub use key::{KeyCondition, KeyTest, SortTest};
pub use projection::Unprojected;
pub use read::{Page, Query, Scan};
pub use rejection::Rejection;
pub use snapshot::{TableBuilder, TableSnapshot};
pub use stale_keys::{Stale, stale_keys};
pub(crate) use write::creates;
pub use write::{Change, EntryChange, EntryEffect, Preview, Write};

use crate::model::{SortedMap, Value};

/// Attribute values by name.
pub type Attributes = SortedMap<String, Value>;

/// The key of an item or of an index entry: a value for each key attribute.
pub type Key = Attributes;
