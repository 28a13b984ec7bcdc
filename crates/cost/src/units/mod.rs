//! Read and write units by table and index: of a request on a snapshot ([`of_request`], [`of_failed`]), and on average of
//! a request of an access pattern ([`of_pattern`]). The engine of the core computes every figure; this module only
//! assigns and averages.
//!
//! A global table pays for the changes that it replicates in each replica Region: those are the `replicated` units.
//! Source: "Understanding Amazon DynamoDB billing for global tables", Developer Guide.

mod average;
mod reads;

pub use average::{ActionUnits, PatternUnits, of_pattern};

use crate::model::Load;
use keyfold_core::engine::query::{
    Change, EntryEffect, Page, Preview, Query, Rejection, Scan, TRANSACTION_FACTOR, TableSnapshot,
    Write,
};
use keyfold_core::model::{IndexId, SortedMap};
use keyfold_core::proof::Request;
use serde::Serialize;

/// Units by table ([`IndexId::PRIMARY`]) and index.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Units {
    /// Read units.
    pub read: SortedMap<IndexId, f64>,
    /// Write units in the Region of the request.
    pub write: SortedMap<IndexId, f64>,
    /// Write units in each replica Region of a global table.
    pub replicated: SortedMap<IndexId, f64>,
}

impl Units {
    /// All read units.
    pub fn reads(&self) -> f64 {
        self.read.values().fold(0.0, |sum, units| sum + units)
    }

    /// All write units in the Region of the request.
    pub fn writes(&self) -> f64 {
        self.write.values().fold(0.0, |sum, units| sum + units)
    }

    /// Write units in all for each write unit of the table alone; `None` without writes to the table.
    pub fn amplification(&self) -> Option<f64> {
        let table = self.write.get(&IndexId::PRIMARY).copied()?;
        (table > 0.0).then(|| self.writes() / table)
    }

    /// The load of the table and each index at these rates, in requests per second.
    pub(crate) fn loads(&self, average: f64, peak: f64) -> SortedMap<IndexId, Load> {
        let mut loads: SortedMap<IndexId, Load> = SortedMap::new();
        for (index, units) in &self.read {
            let load = loads.entry(*index).or_default();
            load.read += units * average;
            load.peak_read += units * peak;
        }
        for (index, units) in &self.write {
            let load = loads.entry(*index).or_default();
            load.write += units * average;
            load.peak_write += units * peak;
        }
        for (index, units) in &self.replicated {
            loads.entry(*index).or_default().replicated += units * average;
        }
        loads
    }

    /// Adds other units, `times` each.
    pub fn add(&mut self, other: &Units, times: f64) {
        let sides = [
            (&mut self.read, &other.read),
            (&mut self.write, &other.write),
            (&mut self.replicated, &other.replicated),
        ];
        for (own, other) in sides {
            for (index, units) in other {
                add(own, *index, units * times);
            }
        }
    }
}

fn add(units: &mut SortedMap<IndexId, f64>, index: IndexId, more: f64) {
    if more > 0.0 {
        *units.entry(index).or_insert(0.0) += more;
    }
}

/// The units of a request. A Query or Scan without a limit reads all its pages, one request for each.
///
/// # Errors
///
/// DynamoDB's rejection. A write whose condition fails is one: see [`of_failed`].
pub fn of_request(stored: &TableSnapshot, request: &Request) -> Result<Units, Rejection> {
    let mut units = Units::default();
    let table = IndexId::PRIMARY;
    match request {
        Request::Get(get) => add(&mut units.read, table, stored.get(get)?.units),
        Request::BatchGet(batch) => add(&mut units.read, table, stored.batch_get(batch)?.units),
        Request::TransactGet(get) => {
            let all = stored.transact_get(get)?;
            add(
                &mut units.read,
                table,
                all.iter().map(|got| got.units).sum(),
            );
        }
        Request::Query(query) => pages(&mut units, query.index, &query_pages(stored, query)?),
        Request::Scan(scan) => pages(&mut units, scan.index, &scan_pages(stored, scan)?),
        Request::Write(write) => written(&mut units, &stored.write(write)?, 1.0),
        Request::TransactWrite(writes) => {
            let preview = stored.transact_write(writes)?;
            written(&mut units, &preview, TRANSACTION_FACTOR);
        }
    }
    Ok(units)
}

/// The units of a write or transaction whose condition fails: those of the table. Source: "Condition expressions:
/// conditional write operations" and "Amazon DynamoDB Transactions: How it works", Developer Guide.
///
/// # Errors
///
/// DynamoDB's rejection of the write without its condition.
pub fn of_failed(stored: &TableSnapshot, request: &Request) -> Result<Units, Rejection> {
    let (writes, factor) = match request {
        Request::Write(write) => (std::slice::from_ref(write), 1.0),
        Request::TransactWrite(writes) => (&writes[..], TRANSACTION_FACTOR),
        _ => (&[][..], 1.0),
    };
    let mut units = Units::default();
    for write in writes {
        let change = single(stored, write)?;
        add(
            &mut units.write,
            IndexId::PRIMARY,
            factor * of_table(&change),
        );
    }
    Ok(units)
}

fn query_pages(stored: &TableSnapshot, query: &Query) -> Result<Vec<Page>, Rejection> {
    match query.limit {
        // With a limit, the caller reads one page at a time.
        Some(_) => Ok(vec![stored.query(query)?]),
        None => stored.query_all(query),
    }
}

fn scan_pages(stored: &TableSnapshot, scan: &Scan) -> Result<Vec<Page>, Rejection> {
    match scan.limit {
        Some(_) => Ok(vec![stored.scan(scan)?]),
        None => stored.scan_all(scan),
    }
}

/// The read units of pages. Attributes that an LSI lacks come from the table.
fn pages(units: &mut Units, index: IndexId, pages: &[Page]) {
    for page in pages {
        add(&mut units.read, index, page.units - page.fetched);
        add(&mut units.read, IndexId::PRIMARY, page.fetched);
    }
}

/// The write units of a preview; `factor` is what a transaction multiplies the units of the table with.
fn written(units: &mut Units, preview: &Preview, factor: f64) {
    for entry in preview.changes.iter().flat_map(|change| &change.entries) {
        add(&mut units.write, entry.index, entry.units);
        let (factor, changes) = match entry.index.is_primary() {
            true => (factor, is_change(entry.effect)),
            false => (1.0, true),
        };
        if changes {
            add(&mut units.replicated, entry.index, entry.units / factor);
        }
    }
}

fn is_change(effect: EntryEffect) -> bool {
    !matches!(effect, EntryEffect::Untouched | EntryEffect::Absent)
}

/// The change of one write without its condition. A condition check changes nothing.
fn single(stored: &TableSnapshot, write: &Write) -> Result<Change, Rejection> {
    let mut write = write.clone();
    match &mut write {
        Write::Put { condition, .. }
        | Write::Update { condition, .. }
        | Write::Delete { condition, .. } => *condition = None,
        Write::Check { key, .. } => {
            let key = key.clone();
            // A check costs what a delete costs in the table.
            let condition = None;
            write = Write::Delete { key, condition };
        }
    }
    let mut changes = stored.write(&write)?.changes;
    Ok(changes.remove(0))
}

fn of_table(change: &Change) -> f64 {
    let mut entries = change.entries.iter();
    let table = entries.find(|entry| entry.index.is_primary());
    table.map_or(0.0, |entry| entry.units)
}
