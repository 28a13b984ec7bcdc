//! Items by their primary keys: GetItem, BatchGetItem, TransactGetItems.

use super::Key;
use super::capacity::read_units;
use super::expression::Path;
use super::key::check_key;
use super::range::{Edge, Range, encoded};
use super::rejection::Rejection;
use super::stored::Stored;
use crate::engine::item::Item;
use crate::model::IndexId;
use crate::model::limits::{BATCH_GET_BYTES, BATCH_GET_KEYS, TRANSACTION_BYTES, TRANSACTION_ITEMS};

/// Reads one item.
#[derive(Debug, Clone, PartialEq)]
pub struct Get {
    /// Its primary key.
    pub key: Key,
    /// What is returned of it, without aliases; empty: everything.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// What a GetItem request returns.
#[derive(Debug, Clone, PartialEq)]
pub struct Got {
    /// The item; `None`: there is none with this key. What is returned of it: [`Stored::shown`].
    pub item: Option<Item>,
    /// Read units. An item that is not there costs the least.
    pub units: f64,
    /// Its bytes.
    pub bytes: usize,
}

/// Reads several items.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchGet {
    /// Their primary keys.
    pub keys: Vec<Key>,
    /// What is returned of each, without aliases; empty: everything.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

/// What one BatchGetItem request returns.
#[derive(Debug, Clone, PartialEq)]
pub struct BatchPage {
    /// The items that are there, in the order of their keys in the request. DynamoDB gives them in no certain order.
    pub items: Vec<Item>,
    /// Keys beyond 16 MB, for another request.
    pub unprocessed: Vec<Key>,
    /// Read units: each item is rounded up on its own.
    pub units: f64,
    /// Bytes of the items.
    pub bytes: usize,
}

/// Reads several items as of one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct TransactGet {
    /// Their primary keys.
    pub keys: Vec<Key>,
}

impl Stored {
    /// What a GetItem returns.
    pub fn get(&self, get: &Get) -> Result<Got, Rejection> {
        let item = self.item(&get.key)?;
        let bytes = item.as_ref().map_or(0, Item::size);
        Ok(Got {
            units: read_units(bytes, get.consistent),
            bytes,
            item,
        })
    }

    /// What a BatchGetItem returns. Source of the 16 MB, and of what is left over: "BatchGetItem", API reference.
    pub fn batch_get(&self, batch: &BatchGet) -> Result<BatchPage, Rejection> {
        check_count("keys in a BatchGetItem", batch.keys.len(), BATCH_GET_KEYS)?;
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

    /// What a TransactGetItems returns, for each key. Each read costs twice as much as a strongly consistent one. Source,
    /// of the 4 MB too: "Amazon DynamoDB Transactions: How it works", Developer Guide.
    pub fn transact_get(&self, get: &TransactGet) -> Result<Vec<Got>, Rejection> {
        check_count(
            "keys in a TransactGetItems",
            get.keys.len(),
            TRANSACTION_ITEMS,
        )?;
        let mut all = Vec::new();
        let mut total = 0;
        for (at, key) in get.keys.iter().enumerate() {
            let item = self.item(key)?;
            if get.keys[..at].contains(key) {
                return Err(Rejection::TwoActions { key: key.clone() });
            }
            let bytes = item.as_ref().map_or(0, Item::size);
            total += bytes;
            all.push(Got {
                units: 2.0 * read_units(bytes, true),
                bytes,
                item,
            });
        }
        if total > TRANSACTION_BYTES {
            return Err(Rejection::TransactionTooLarge { bytes: total });
        }
        Ok(all)
    }

    /// The item with this primary key. A key that is none is refused.
    pub fn item(&self, key: &Key) -> Result<Option<Item>, Rejection> {
        let schema = &self.design.table.key;
        check_key(schema, key)?;
        let sorted = self.index(IndexId::PRIMARY).ok_or(Rejection::NoIndex)?;
        let bytes = encoded(schema.attributes().filter_map(|a| key.get(&a.name)));
        let found = sorted.find(&Range {
            start: Edge::before(bytes.clone()),
            end: Edge::behind(bytes),
        });
        Ok((!found.is_empty()).then(|| sorted.item(found.start)))
    }
}

/// Refuses none, or more than DynamoDB takes in one request.
pub(super) fn check_count(what: &'static str, count: usize, most: usize) -> Result<(), Rejection> {
    match (1..=most).contains(&count) {
        true => Ok(()),
        false => Err(Rejection::Count { what, count, most }),
    }
}
