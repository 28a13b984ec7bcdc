//! What DynamoDB answers: reads and writes on the items of a design, with its pages, its capacity and its refusals.
//!
//! - [`Stored`] is the table with its indexes, in DynamoDB's order. It answers [`Query`], [`Scan`], [`Get`],
//!   [`BatchGet`] and [`TransactGet`]. Nothing is sorted for a read: a key condition is two edges in the order of an
//!   index, found by binary search on the keys' bytes.
//! - [`Write`] is carried out as a [`Preview`]: what would change in the table and in each index, at which cost.
//! - [`expression`] reads, binds, applies and writes DynamoDB's expressions.
//! - A [`Rejection`] says why DynamoDB would refuse a request.
//!
//! Not in here: where a request's values come from, and whether a design serves an access pattern (`proof`).

mod capacity;
pub mod expression;
mod get;
mod key;
mod range;
mod read;
mod rejection;
mod stale;
mod stored;
mod write;

pub use capacity::{read_units, write_units};
pub use expression::{Bound, Condition, ExpressionError, Path, Update};
pub use get::{BatchGet, BatchPage, Get, Got, TransactGet};
pub use key::{KeyCondition, KeyTest, SortTest};
pub use read::{Page, Query, Scan};
pub use rejection::Rejection;
pub use stale::{Stale, stale_keys};
pub use stored::{Stored, Storing};
pub use write::{Change, EntryChange, EntryEffect, Preview, Write};

use crate::model::{SortedMap, Value};

/// Attribute values by name.
pub type Attributes = SortedMap<String, Value>;

/// The key of an item, or of an entry of an index: a value for each key attribute.
pub type Key = Attributes;
