//! Reads items by their primary keys: GetItem, BatchGetItem, TransactGetItems.

use super::Key;
use super::capacity::{TRANSACTION_FACTOR, read_units};
use super::expression::Path;
use super::key::check_key;
use super::range::{Edge, Range, encoded};
use super::rejection::Rejection;
use super::snapshot::TableSnapshot;
use crate::engine::item::Item;
use crate::model::IndexId;
use crate::model::limits::{BATCH_GET_BYTES, BATCH_GET_KEYS, TRANSACTION_BYTES, TRANSACTION_ITEMS};

/// A GetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct Get {
    /// The primary key.
    pub key: Key,
    /// Paths to return, without aliases; empty for all attributes.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// The result of a GetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct GetResult {
    /// The item; `None` if there is none with this key. [`TableSnapshot::shown`] returns its attributes.
    pub item: Option<Item>,
    /// Read units. A missing item costs the minimum.
    pub units: f64,
    /// Bytes read.
    pub bytes: usize,
}

/// A BatchGetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGet {
    /// The primary keys.
    pub keys: Vec<Key>,
    /// Paths to return for each item, without aliases; empty for all attributes.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// The result of one BatchGetItem request.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchPage {
    /// The items that exist, in the order of the keys in the request. DynamoDB's own order is unspecified.
    pub items: Vec<Item>,
    /// Keys beyond the 16 MB limit, for another request.
    pub unprocessed: Vec<Key>,
    /// Read units; each item is rounded up separately.
    pub units: f64,
    /// Bytes read.
    pub bytes: usize,
}

/// A TransactGetItems request.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGet {
    /// The primary keys.
    pub keys: Vec<Key>,
}

impl TableSnapshot {
    /// Runs a GetItem.
    pub fn get(&self, get: &Get) -> Result<GetResult, Rejection> {
        let item = self.item(&get.key)?;
        let bytes = item.as_ref().map_or(0, Item::size);
        Ok(GetResult {
            units: read_units(bytes, get.consistent),
            bytes,
            item,
        })
    }

    /// Runs a BatchGetItem. Source of the 16 MB limit and of unprocessed keys: "BatchGetItem", API reference.
    pub fn batch_get(&self, batch: &BatchGet) -> Result<BatchPage, Rejection> {
        check_batch(batch.keys.len())?;
        let mut page = BatchPage {
            items: Vec::new(),
            unprocessed: Vec::new(),
            units: 0.0,
            bytes: 0,
        };
        for (at, key) in batch.keys.iter().enumerate() {
            let item = self.item(key)?;
            if batch.keys[..at].contains(key) {
                return Err(Rejection::DuplicateKey { key: key.clone() });
            }
            let bytes = item.as_ref().map_or(0, Item::size);
            if page.bytes + bytes > BATCH_GET_BYTES {
                page.unprocessed.push(key.clone());
                continue;
            }
            page.bytes += bytes;
            page.units += read_units(bytes, batch.consistent);
            page.items.extend(item);
        }
        Ok(page)
    }

    /// Runs a TransactGetItems, with one result per key. Each read costs twice as much as a strongly consistent one.
    /// Source, also of the 4 MB limit: "Amazon DynamoDB Transactions: How it works", Developer Guide.
    pub fn transact_get(&self, get: &TransactGet) -> Result<Vec<GetResult>, Rejection> {
        check_gets(get.keys.len())?;
        let mut all = Vec::new();
        let mut total = 0;
        for (at, key) in get.keys.iter().enumerate() {
            let item = self.item(key)?;
            if get.keys[..at].contains(key) {
                return Err(Rejection::TwoActions { key: key.clone() });
            }
            let bytes = item.as_ref().map_or(0, Item::size);
            total += bytes;
            all.push(GetResult {
                units: TRANSACTION_FACTOR * read_units(bytes, true),
                bytes,
                item,
            });
        }
        if total > TRANSACTION_BYTES {
            return Err(Rejection::TransactionTooLarge { bytes: total });
        }
        Ok(all)
    }

    /// The item with this primary key. Refuses an invalid key.
    pub fn item(&self, key: &Key) -> Result<Option<Item>, Rejection> {
        let schema = &self.design.table.key;
        check_key(schema, key)?;
        let sorted = self.index(IndexId::PRIMARY).ok_or(Rejection::NoIndex)?;
        let bytes = encoded(schema.attributes().filter_map(|a| key.get(&a.name)));
        let found = sorted.find(&Range {
            start: Edge::before(bytes.clone()),
            end: Edge::after(bytes),
        });
        Ok((!found.is_empty()).then(|| sorted.item(found.start)))
    }
}

/// Refuses a BatchGetItem with no or too many keys.
pub(super) fn check_batch(count: usize) -> Result<(), Rejection> {
    check_count("keys in a BatchGetItem", count, BATCH_GET_KEYS)
}

/// Refuses a TransactGetItems with no or too many keys.
pub(super) fn check_gets(count: usize) -> Result<(), Rejection> {
    check_count("keys in a TransactGetItems", count, TRANSACTION_ITEMS)
}

/// Refuses a TransactWriteItems with no or too many actions.
pub(super) fn check_actions(count: usize) -> Result<(), Rejection> {
    check_count("actions in a TransactWriteItems", count, TRANSACTION_ITEMS)
}

/// Refuses an empty request, or one with more than DynamoDB allows.
fn check_count(what: &'static str, count: usize, most: usize) -> Result<(), Rejection> {
    match (1..=most).contains(&count) {
        true => Ok(()),
        false => Err(Rejection::Count { what, count, most }),
    }
}
