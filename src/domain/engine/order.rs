//! DynamoDB's order of the items in an index.
//!
//! Sorting a hundred thousand items by their keys is mostly waiting for memory: each comparison follows a pointer
//! to the item and one to the key's text. So the first bytes of each key, after what all keys have in common, are
//! copied into one list, and only where those are equal are the keys themselves looked at.

use super::item::Item;
use crate::domain::model::{KeySchema, Value, compare_keys};
use std::cmp::Ordering;
use std::sync::Arc;

/// Items in the order of an index. What has equal keys in the index is ordered by the table's key, and what has
/// the same there too stays in the order in which it came.
pub(super) struct Sorted<'a> {
    /// For each item its key values: the index's, then the table's.
    values: Vec<&'a Value>,
    /// Number of key values of one item.
    width: usize,
    /// Number of partition key values among them.
    partition: usize,
    /// Number of key values of the index.
    own: usize,
    entries: Vec<Entry>,
}

/// One item in a list that is sorted.
struct Entry {
    partition: Start,
    sort: Start,
    /// Its place in the list of items as it came.
    at: u32,
}

impl<'a> Sorted<'a> {
    /// Sorts items of an index with the key `own` on a table with the key `table`. Every item has all these keys.
    pub fn new(own: &KeySchema, table: &KeySchema, items: &[&'a Arc<Item>]) -> Self {
        let others = table
            .attributes()
            .filter(|key| !own.attributes().any(|o| o.name == key.name));
        let names: Vec<&str> = own
            .attributes()
            .chain(others)
            .map(|key| key.name.as_str())
            .collect();
        let mut sorted = Sorted {
            values: values(&names, items),
            width: names.len(),
            partition: own.partition.len(),
            own: own.partition.len() + own.sort.len(),
            entries: Vec::new(),
        };
        let partitions = sorted.starts(0, sorted.partition);
        let sorts = sorted.starts(sorted.partition, sorted.own);
        sorted.entries = (partitions.into_iter().zip(sorts).zip(0..))
            .map(|((partition, sort), at)| Entry {
                partition,
                sort,
                at,
            })
            .collect();
        let mut entries = std::mem::take(&mut sorted.entries);
        entries.sort_unstable_by(|left, right| sorted.compare(left, right));
        sorted.entries = entries;
        sorted
    }

    /// The places of the items as they came, in their new order.
    pub fn places(&self) -> impl ExactSizeIterator<Item = usize> {
        self.entries.iter().map(|entry| entry.at as usize)
    }

    /// The partition key values of a row.
    pub fn partition(&self, row: usize) -> &[&'a Value] {
        &self.keys(&self.entries[row])[..self.partition]
    }

    /// Whether two rows are in one item collection.
    pub fn same_partition(&self, left: usize, right: usize) -> bool {
        let (left, right) = (&self.entries[left], &self.entries[right]);
        self.compare_partition(left, right).is_eq()
    }

    /// Whether two rows have the same key in the index.
    pub fn same_key(&self, left: usize, right: usize) -> bool {
        let (left, right) = (&self.entries[left], &self.entries[right]);
        self.compare_partition(left, right).is_eq() && self.compare_sort(left, right).is_eq()
    }

    fn compare(&self, left: &Entry, right: &Entry) -> Ordering {
        self.compare_partition(left, right)
            .then_with(|| self.compare_sort(left, right))
            .then_with(|| compare_all(&self.keys(left)[self.own..], &self.keys(right)[self.own..]))
            .then_with(|| left.at.cmp(&right.at))
    }

    fn compare_partition(&self, left: &Entry, right: &Entry) -> Ordering {
        let rest = |entry| &self.keys(entry)[..self.partition];
        (left.partition).compare(right.partition, || compare_all(rest(left), rest(right)))
    }

    fn compare_sort(&self, left: &Entry, right: &Entry) -> Ordering {
        let rest = |entry| &self.keys(entry)[self.partition..self.own];
        (left.sort).compare(right.sort, || compare_all(rest(left), rest(right)))
    }

    fn keys(&self, entry: &Entry) -> &[&'a Value] {
        let start = entry.at as usize * self.width;
        &self.values[start..start + self.width]
    }

    /// The starts of one side of the key, whose attributes are `from..to`, for each item.
    fn starts(&self, from: usize, to: usize) -> Vec<Start> {
        let items = self.values.chunks(self.width);
        if from == to {
            return items.map(|_| Start::WHOLE).collect();
        }
        let firsts = || self.values.iter().skip(from).step_by(self.width);
        let skip = common_start(firsts().map(|value| bytes(value)));
        let whole = to - from == 1;
        firsts()
            .map(|value| Start::new(value, skip, whole))
            .collect()
    }
}

/// The values of these attributes of all items, one item after the other.
fn values<'a>(names: &[&str], items: &[&'a Arc<Item>]) -> Vec<&'a Value> {
    let mut values = Vec::with_capacity(items.len() * names.len());
    let mut slots: Vec<Option<usize>> = Vec::new();
    let mut last: Option<&Arc<[String]>> = None;
    for item in items {
        // Items of one plan write the same attributes at the same places.
        if !last.is_some_and(|last| Arc::ptr_eq(last, &item.names)) {
            slots = names.iter().map(|name| item.slot(name)).collect();
            last = Some(&item.names);
        }
        for (name, slot) in names.iter().zip(&slots) {
            let written = slot.and_then(|slot| item.written[slot].as_ref());
            let value = written.or_else(|| item.sample.values.get(*name));
            values.push(value.unwrap_or(&Value::Null));
        }
    }
    values
}

/// Orders two lists of key values attribute by attribute.
fn compare_all(left: &[&Value], right: &[&Value]) -> Ordering {
    let pairs = left.iter().zip(right);
    let mut orders = pairs.map(|(left, right)| compare_keys(left, right));
    orders
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// The first bytes of a key value and how many of them count, in one number that sorts as the value does:
/// fifteen bytes, filled up with zeros, then how many of them there are.
#[derive(Clone, Copy)]
struct Start(u128);

impl Start {
    const BYTES: usize = 15;
    /// Stands for the last byte of a start that is not the whole key.
    const MORE: u8 = u8::MAX;
    /// The start of a key side without attributes: they are all equal.
    const WHOLE: Start = Start(0);

    /// The start of a value after its first `skip` bytes, which all values have in common; `whole`: nothing of
    /// the key follows the value.
    fn new(value: &Value, skip: usize, whole: bool) -> Start {
        let rest = bytes(value).map(|bytes| &bytes[skip..]);
        let Some(rest) = rest else {
            // A number: compared by its value.
            return Start(u128::from(Self::MORE));
        };
        let mut start = [0; Self::BYTES + 1];
        let count = rest.len().min(Self::BYTES);
        start[..count].copy_from_slice(&rest[..count]);
        start[Self::BYTES] = match whole && rest.len() <= Self::BYTES {
            true => count as u8,
            false => Self::MORE,
        };
        Start(u128::from_be_bytes(start))
    }

    /// The order of two keys; `rest` compares the keys themselves, where their starts do not tell.
    fn compare(self, other: Start, rest: impl Fn() -> Ordering) -> Ordering {
        let [left, right] = [self, other].map(|start| (start.0 >> 8, start.0 as u8));
        match left.0.cmp(&right.0) {
            Ordering::Equal if left.1 == Self::MORE || right.1 == Self::MORE => rest(),
            Ordering::Equal => left.1.cmp(&right.1),
            order => order,
        }
    }
}

/// The bytes by which a text or binary value is ordered; none for a number.
fn bytes(value: &Value) -> Option<&[u8]> {
    match value {
        Value::S(text) => Some(text.as_bytes()),
        Value::B(bytes) => Some(bytes),
        _ => None,
    }
}

/// With how many equal bytes all values begin.
fn common_start<'a>(mut values: impl Iterator<Item = Option<&'a [u8]>>) -> usize {
    let Some(first) = values.next().flatten() else {
        return 0;
    };
    values.fold(first.len(), |common, value| {
        let value = value.unwrap_or_default();
        let most = common.min(value.len());
        match value[..most] == first[..most] {
            true => most,
            false => first.iter().zip(value).take_while(|(a, b)| a == b).count(),
        }
    })
}
