//! Query and Scan, page by page.

use super::capacity::read_units;
use super::expression::{Bound, Condition, Path, attributes_of, holds, project};
use super::key::{KeyCondition, check_value};
use super::projection;
use super::range::{Edge, Range, encoded};
use super::rejection::Rejection;
use super::snapshot::{Sorted, TableSnapshot};
use super::{Attributes, Key};
use crate::engine::index_content::IndexContent;
use crate::engine::item::Item;
use crate::model::limits::{PAGE_BYTES, PARTITION_KEY_BYTES, READ_UNIT_BYTES};
use crate::model::{Design, IndexId};

/// A Query request: reads one item collection, or a part of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Query {
    /// The table or the index to query.
    pub index: IndexId,
    /// The key condition.
    pub key: KeyCondition,
    /// Whether to read the sort keys in descending order.
    pub descending: bool,
    /// Maximum number of items to read per page, before the filter.
    pub limit: Option<u32>,
    /// ExclusiveStartKey: the last key of the previous page.
    pub start: Option<Key>,
    /// Filter expression.
    pub filter: Option<Bound<Condition>>,
    /// Paths to return, without aliases; empty for all attributes.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

impl Query {
    /// An eventually consistent Query in ascending order, without limit and filter.
    pub fn new(index: IndexId, key: KeyCondition) -> Query {
        Query {
            index,
            key,
            descending: false,
            limit: None,
            start: None,
            filter: None,
            projection: Vec::new(),
            consistent: false,
        }
    }
}

/// A Scan request: reads all items of the table or an index. Items come in key order; DynamoDB's own order of item
/// collections is unspecified.
#[derive(Debug, Clone, PartialEq)]
pub struct Scan {
    /// The table or the index to scan.
    pub index: IndexId,
    /// Maximum number of items to read per page, before the filter.
    pub limit: Option<u32>,
    /// ExclusiveStartKey: the last key of the previous page.
    pub start: Option<Key>,
    /// Filter expression.
    pub filter: Option<Bound<Condition>>,
    /// Paths to return, without aliases; empty for all attributes.
    pub projection: Vec<Path>,
    /// Whether the read is strongly consistent.
    pub consistent: bool,
}

impl Scan {
    /// An eventually consistent Scan without limit and filter.
    pub fn new(index: IndexId) -> Scan {
        Scan {
            index,
            limit: None,
            start: None,
            filter: None,
            projection: Vec::new(),
            consistent: false,
        }
    }
}

/// The result of one Query or Scan request.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The items that pass the filter, in order; their number is DynamoDB's Count. [`TableSnapshot::shown`] returns their
    /// attributes.
    pub items: Vec<Item>,
    /// ScannedCount: number of items read, before the filter.
    pub scanned: usize,
    /// LastEvaluatedKey: the key of the last item read, if there may be more.
    pub last_key: Option<Key>,
    /// Read units of this page.
    pub units: f64,
    /// The part of the read units that fetches unprojected attributes from the table, for an LSI.
    pub fetched: f64,
    /// Bytes read, from which the read units are computed. For an index: its entries, plus the items fetched from the
    /// table, each rounded up to 4 KB.
    pub bytes: usize,
}

impl TableSnapshot {
    /// Returns one page of a Query.
    pub fn query(&self, query: &Query) -> Result<Page, Rejection> {
        let read = Reading::of_query(self, query)?;
        let start = read.start(query.start.as_ref())?;
        Ok(read.page(start))
    }

    /// Returns all pages of a Query, one request after the other.
    pub fn query_all(&self, query: &Query) -> Result<Vec<Page>, Rejection> {
        let read = Reading::of_query(self, query)?;
        let start = read.start(query.start.as_ref())?;
        Ok(read.pages(start))
    }

    /// Returns one page of a Scan.
    pub fn scan(&self, scan: &Scan) -> Result<Page, Rejection> {
        let read = Reading::of_scan(self, scan)?;
        let start = read.start(scan.start.as_ref())?;
        Ok(read.page(start))
    }

    /// Returns all pages of a Scan, one request after the other.
    pub fn scan_all(&self, scan: &Scan) -> Result<Vec<Page>, Rejection> {
        let read = Reading::of_scan(self, scan)?;
        let start = read.start(scan.start.as_ref())?;
        Ok(read.pages(start))
    }

    /// The key of an item's index entry: the index's own key attributes and the table's. For the table, the primary
    /// key.
    pub fn key_of(&self, index: IndexId, item: &Item) -> Key {
        (self.content(index)).map_or_else(Key::new, |content| key_of_entry(content, item))
    }

    /// The attributes of an item that a read of the table or an index returns with this projection (paths without
    /// aliases; empty for all).
    pub fn shown(&self, index: IndexId, projection: &[Path], item: &Item) -> Attributes {
        let mut all = Attributes::new();
        let content = self.content(index);
        for (name, value) in item.attributes() {
            let wanted = match projection {
                [] => content.is_none_or(|content| content.shows(name)),
                paths => paths.iter().any(|path| path.attribute.text == name),
            };
            if wanted {
                all.insert(name.to_owned(), value.to_value());
            }
        }
        match projection {
            [] => all,
            paths => project(paths, &all),
        }
    }
}

/// A read of a range of an index.
struct Reading<'a> {
    design: &'a Design,
    sorted: &'a Sorted,
    range: Range,
    /// Positions of the entries in the range.
    found: std::ops::Range<usize>,
    condition: Option<&'a KeyCondition>,
    descending: bool,
    limit: Option<u32>,
    filter: Option<&'a Bound<Condition>>,
    consistent: bool,
    /// Whether items are fetched from the table, because an LSI lacks projected attributes.
    fetches: bool,
}

impl<'a> Reading<'a> {
    fn of_query(stored: &'a TableSnapshot, query: &'a Query) -> Result<Reading<'a>, Rejection> {
        let sorted = stored.index(query.index).ok_or(Rejection::NoIndex)?;
        let key = sorted.content.key();
        if let Some(filter) = &query.filter {
            let mut tested = attributes_of(filter).into_iter();
            let is_key = |name: &String| key.attributes().any(|key| key.name == *name);
            if let Some(attribute) = tested.find(is_key) {
                return Err(Rejection::KeyInFilter { attribute });
            }
        }
        query.key.check(key)?;
        let range = Range::of(&query.key);
        let reading = Reading {
            design: &stored.design,
            sorted,
            found: sorted.find(&range),
            range,
            condition: Some(&query.key),
            descending: query.descending,
            limit: query.limit,
            filter: query.filter.as_ref(),
            consistent: query.consistent,
            fetches: false,
        };
        reading.checked(query.index, &query.projection)
    }

    fn of_scan(stored: &'a TableSnapshot, scan: &'a Scan) -> Result<Reading<'a>, Rejection> {
        let sorted = stored.index(scan.index).ok_or(Rejection::NoIndex)?;
        let reading = Reading {
            design: &stored.design,
            sorted,
            range: Range::all(),
            found: 0..stored.len(scan.index),
            condition: None,
            descending: false,
            limit: scan.limit,
            filter: scan.filter.as_ref(),
            consistent: scan.consistent,
            fetches: false,
        };
        reading.checked(scan.index, &scan.projection)
    }

    /// Checks what Query and Scan have in common: consistency, limit and projection.
    fn checked(mut self, index: IndexId, projection: &[Path]) -> Result<Reading<'a>, Rejection> {
        if let Some(rejection) = Rejection::of_limit(self.limit) {
            return Err(rejection);
        }
        let Some(secondary) = self.design.indexes.get(&index) else {
            return Ok(self);
        };
        if let Some(rejection) = Rejection::of_consistency(self.design, index, self.consistent) {
            return Err(rejection);
        }
        let lacking = projection::returned(&self.sorted.content, projection);
        self.fetches = !lacking.is_empty();
        match projection::rejection(secondary, lacking) {
            Some(rejection) => Err(rejection),
            None => Ok(self),
        }
    }

    /// The position where the read starts: of the next entry, or in descending order the position after it.
    fn start(&self, start: Option<&Key>) -> Result<usize, Rejection> {
        let found = &self.found;
        let Some(start) = start else {
            return Ok(if self.descending {
                found.end
            } else {
                found.start
            });
        };
        let bytes = self.check_start(start)?;
        Ok(match self.descending {
            true => self.sorted.place(&Edge::before(bytes)).min(found.end),
            false => self.sorted.place(&Edge::after(bytes)).max(found.start),
        })
    }

    /// The encoded exclusive start key; an error if it is not valid for this read.
    fn check_start(&self, start: &Key) -> Result<Vec<u8>, Rejection> {
        let refuse = |reason: String| Rejection::StartKey { reason };
        let (own, table) = (self.sorted.content.key(), &self.design.table.key);
        let names = self.sorted.content.keys();
        if let Some(name) = start.keys().find(|name| !names.contains(name)) {
            return Err(refuse(format!(
                "has `{name}`, which is neither in the index's key nor in the table's key"
            )));
        }
        for key in own.attributes().chain(table.attributes()) {
            let Some(value) = start.get(&key.name) else {
                let name = &key.name;
                return Err(refuse(format!("lacks `{name}`")));
            };
            check_value(key, value, PARTITION_KEY_BYTES)
                .map_err(|reason| refuse(format!("is invalid: {reason}")))?;
        }
        let values = names.iter().filter_map(|name| start.get(name));
        let bytes = encoded(values);
        match self.condition.is_some() && !self.range.contains(&bytes) {
            true => Err(refuse(
                "is outside the range of the key condition".to_owned(),
            )),
            false => Ok(bytes),
        }
    }

    fn pages(&self, mut place: usize) -> Vec<Page> {
        let mut pages = Vec::new();
        loop {
            let page = self.page(place);
            place = match self.descending {
                true => place - page.scanned,
                false => place + page.scanned,
            };
            let more = page.last_key.is_some();
            pages.push(page);
            if !more {
                return pages;
            }
        }
    }

    /// The page that starts at a position.
    fn page(&self, mut place: usize) -> Page {
        let found = &self.found;
        let most = self.limit.map_or(usize::MAX, |limit| limit as usize);
        let (mut items, mut scanned) = (Vec::new(), 0);
        let mut read = Bytes::default();
        // Position of the last entry read.
        let mut last = None;
        let mut full = false;
        loop {
            let at_end = match self.descending {
                true => place <= found.start,
                false => place >= found.end,
            };
            if at_end {
                break;
            }
            if scanned == most {
                full = true;
                break;
            }
            let here = if self.descending { place - 1 } else { place };
            let item = self.sorted.item(here);
            let more = read.with(&self.sorted.content, &item, self.fetches);
            if more.total() > PAGE_BYTES && scanned > 0 {
                full = true;
                break;
            }
            read = more;
            scanned += 1;
            match self.descending {
                true => place -= 1,
                false => place += 1,
            }
            last = Some(here);
            if self.passes(&item) {
                items.push(item);
            }
        }
        // DynamoDB does not look past a limit that the last item reaches.
        let may_go_on = full || scanned == most;
        let last = (last.filter(|_| may_go_on)).map(|place| self.sorted.item(place));
        Page {
            items,
            scanned,
            last_key: last.map(|item| key_of_entry(&self.sorted.content, &item)),
            units: read.units(self.consistent),
            fetched: read.fetched_units(self.consistent),
            bytes: read.total(),
        }
    }

    fn passes(&self, item: &Item) -> bool {
        let content = &self.sorted.content;
        let value = |name: &str| match self.fetches || content.shows(name) {
            true => item.get(name),
            false => None,
        };
        self.filter.is_none_or(|filter| holds(filter, &value))
    }
}

/// Bytes read.
#[derive(Debug, Clone, Copy, Default)]
struct Bytes {
    /// From the index.
    entries: usize,
    /// From the table, each item rounded up to 4 KB.
    fetched: usize,
}

impl Bytes {
    fn with(self, content: &IndexContent, item: &Item, fetches: bool) -> Bytes {
        let entry = content.size(item);
        let fetched = match fetches {
            true => item.size().next_multiple_of(READ_UNIT_BYTES),
            false => 0,
        };
        Bytes {
            entries: self.entries + entry,
            fetched: self.fetched + fetched,
        }
    }

    /// The bytes that count toward the 1 MB page limit. Source for fetched items: "Local Secondary Indexes: Provisioned
    /// throughput considerations", Developer Guide.
    fn total(self) -> usize {
        match self.fetched {
            0 => self.entries,
            fetched => self.entries.next_multiple_of(READ_UNIT_BYTES) + fetched,
        }
    }

    fn units(self, consistent: bool) -> f64 {
        read_units(self.entries, consistent) + self.fetched_units(consistent)
    }

    fn fetched_units(self, consistent: bool) -> f64 {
        match self.fetched {
            0 => 0.0,
            bytes => read_units(bytes, consistent),
        }
    }
}

/// The key of an item's index entry: the index's own key attributes and the table's.
pub(super) fn key_of_entry(content: &IndexContent, item: &Item) -> Key {
    let mut key = Key::new();
    for name in content.keys() {
        if let Some(value) = item.get(name) {
            key.insert(name.clone(), value.to_value());
        }
    }
    key
}
