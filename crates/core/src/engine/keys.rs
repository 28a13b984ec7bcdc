//! The keys of a chunk's items in an index, as bytes whose order is DynamoDB's order.

use super::chunk::{self, Chunk};
use super::index_content::IndexContent;
use super::item::Item;
use super::items::Items;
use super::written::ValueRef;
use crate::bytes;
use crate::model::{AttributeType, KeySchema, KeyType, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// The attributes that determine the order of an index.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyNames {
    /// The index's own key attributes, then the table's other key attributes.
    names: Vec<(String, KeyType)>,
    /// Number of partition key attributes among them.
    partition: usize,
    /// Number of the index's own key attributes among them.
    own: usize,
}

impl KeyNames {
    pub fn new(own: &KeySchema, table: &KeySchema) -> KeyNames {
        let others =
            (table.attributes()).filter(|key| !own.attributes().any(|o| o.name == key.name));
        let names = own.attributes().chain(others);
        KeyNames {
            names: names.map(|key| (key.name.clone(), key.kind)).collect(),
            partition: own.partition.len(),
            own: own.partition.len() + own.sort.len(),
        }
    }
}

/// The keys of one chunk's items in an index.
#[derive(Debug)]
pub(super) struct Keys {
    bytes: Vec<u8>,
    /// For each item the start of its key; at the end, the end of the last key.
    starts: Vec<u32>,
    /// For each item the length of the partition key part, and of the index's own key part. At most eight attributes of
    /// 2 KB, each byte encoded as up to two bytes.
    parts: Vec<[u16; 2]>,
}

impl Keys {
    /// The keys of the items that the index contains.
    pub fn new(content: &IndexContent, names: &KeyNames, chunk: &Arc<Chunk>) -> Keys {
        let sources = sources(names, chunk);
        let mut keys = Keys {
            bytes: Vec::with_capacity(64 * chunk.len()),
            starts: Vec::with_capacity(chunk.len() + 1),
            parts: Vec::with_capacity(chunk.len()),
        };
        debug_assert_eq!(content.key().attributes().count(), names.own);
        for at in 0..chunk.len() {
            let start = keys.bytes.len();
            keys.starts.push(start as u32);
            let mut parts = [0, 0];
            let stored = chunk.is_stored(at);
            for (number, source) in sources.iter().enumerate() {
                let Some(value) = source.key_value(chunk, at).filter(|_| stored) else {
                    // The item is not in the index and has no key.
                    keys.bytes.truncate(start);
                    parts = [0, 0];
                    break;
                };
                encode(value, &mut keys.bytes);
                let length = (keys.bytes.len() - start) as u16;
                if number + 1 == names.partition {
                    parts[0] = length;
                }
                if number + 1 == names.own {
                    parts[1] = length;
                }
            }
            keys.parts.push(parts);
        }
        keys.starts.push(keys.bytes.len() as u32);
        keys.bytes.shrink_to_fit();
        keys
    }

    /// Whether the items of two chunks certainly have the same keys: they are of the same samples, and no key attribute
    /// was rendered again.
    pub fn same_keys(names: &KeyNames, before: &Chunk, now: &Chunk) -> bool {
        Arc::ptr_eq(&before.facts, &now.facts)
            && before.problems.is_empty()
            && now.problems.is_empty()
            && names
                .names
                .iter()
                .all(|(name, _)| match (before.slot(name), now.slot(name)) {
                    (None, None) => true,
                    (Some(before_at), Some(at)) => {
                        Arc::ptr_eq(&before.columns[before_at], &now.columns[at])
                    }
                    _ => false,
                })
    }

    /// The key of an item; empty if the index does not contain it.
    #[inline(always)]
    pub fn of(&self, at: usize) -> &[u8] {
        &self.bytes[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Whether the index contains the item.
    #[inline(always)]
    pub fn has(&self, at: usize) -> bool {
        self.starts[at] < self.starts[at + 1]
    }

    /// The length of the partition key part, and of the index's own key part.
    pub fn parts(&self, at: usize) -> [u32; 2] {
        self.parts[at].map(u32::from)
    }
}

/// The first item, in the order of the samples, with the same primary key as an earlier item. Returns the earlier item,
/// then this one. `key` is the table's key schema.
pub fn find_duplicate_key(items: &Items, key: &KeySchema) -> Option<[Item; 2]> {
    let names = KeyNames::new(key, key);
    let sources: Vec<Vec<Source>> = (items.chunks().iter())
        .map(|chunk| sources(&names, chunk))
        .collect();
    let mut hashes = Vec::with_capacity(items.len());
    for (sources, chunk) in sources.iter().zip(items.chunks()) {
        hashes.extend((0..chunk.len()).map(|at| hash_of_key(sources, chunk, at)));
    }
    let again = possible_duplicates(&hashes);
    // Last position of a key with this hash.
    let mut last_position: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    let mut rest = hashes.iter();
    for (number, chunk) in items.chunks().iter().enumerate() {
        for (at, hash) in rest.by_ref().take(chunk.len()).enumerate() {
            let Some(hash) = hash.filter(|hash| again.contains(hash)) else {
                continue;
            };
            let Some((other, before)) = last_position.insert(hash, (number, at)) else {
                continue;
            };
            let others = &items.chunks()[other];
            let same = |(own, theirs): (&Source, &Source)| {
                own.key_value(chunk, at) == theirs.key_value(others, before)
            };
            if sources[number].iter().zip(&sources[other]).all(same) {
                return Some([chunk::item(others, before), chunk::item(chunk, at)]);
            }
        }
    }
    None
}

/// The hashes that occur more than once, plus a few false positives: each hash sets one of many bits, and one that
/// finds its bit set is included. A hash map of all would take several times the memory.
fn possible_duplicates(hashes: &[Option<u64>]) -> FxHashSet<u64> {
    const BITS_EACH: usize = 32;
    let bits = (hashes.len() * BITS_EACH).next_power_of_two();
    let mut seen = vec![0u64; bits.div_ceil(64)];
    let mut again = FxHashSet::default();
    for hash in hashes.iter().flatten() {
        let bit = *hash as usize & (bits - 1);
        let mask = 1 << (bit % 64);
        let word = &mut seen[bit / 64];
        if *word & mask != 0 {
            again.insert(*hash);
        }
        *word |= mask;
    }
    again
}

/// The hash of an item's key; `None` if the index does not contain the item.
fn hash_of_key(sources: &[Source], chunk: &Chunk, at: usize) -> Option<u64> {
    let mut hasher = FxHasher::default();
    for source in sources {
        match source.key_value(chunk, at)? {
            ValueRef::Text(text) => hasher.write(text.as_bytes()),
            ValueRef::Value(Value::S(text)) => hasher.write(text.as_bytes()),
            ValueRef::Value(Value::B(bytes)) => hasher.write(bytes),
            ValueRef::Value(Value::N(number)) => hasher.write(&number.order_bytes()),
            // Other types cannot be keys.
            _ => {}
        }
    }
    chunk.is_stored(at).then(|| hasher.finish())
}

fn sources(names: &KeyNames, chunk: &Chunk) -> Vec<Source> {
    let names = names.names.iter();
    names
        .map(|(name, kind)| Source::new(chunk, name, *kind))
        .collect()
}

/// Where a chunk's items have a key attribute.
struct Source {
    kind: KeyType,
    slot: Option<usize>,
    /// For each attribute list of samples, the attribute's position.
    ranks: Vec<Option<usize>>,
}

impl Source {
    fn new(chunk: &Chunk, name: &str, kind: KeyType) -> Source {
        let is_stored = !chunk.is_key_only(name);
        let rank = |shape: &[String]| {
            let at = shape.iter().position(|other| other == name);
            at.filter(|_| is_stored)
        };
        Source {
            kind,
            slot: chunk.slot(name),
            ranks: chunk.facts.shapes.iter().map(|shape| rank(shape)).collect(),
        }
    }

    /// The value of an item, if it can be part of a key.
    #[inline(always)]
    fn key_value<'a>(&self, chunk: &'a Chunk, at: usize) -> Option<ValueRef<'a>> {
        let written = self.slot.and_then(|slot| chunk.columns[slot].get(at));
        let value = written.or_else(|| {
            let rank = self.ranks[usize::from(chunk.facts.shape[at])]?;
            chunk.facts.value(at, rank).map(ValueRef::Value)
        });
        value.filter(|value| value.kind() == AttributeType::from(self.kind) && value.size() > 0)
    }
}

/// Appends a key value so that byte order is value order and no encoded value is a prefix of another.
pub(super) fn encode(value: ValueRef, out: &mut Vec<u8>) {
    encode_prefix(value, out);
    if let AttributeType::S | AttributeType::B = value.kind() {
        out.extend_from_slice(&[0, 0]);
    }
}

/// Like [`encode`], but for a string or binary it appends the common prefix of all keys whose value starts with
/// `value`.
pub(super) fn encode_prefix(value: ValueRef, out: &mut Vec<u8>) {
    match value {
        ValueRef::Text(text) => encode_bytes(text.as_bytes(), out),
        ValueRef::Value(Value::S(text)) => encode_bytes(text.as_bytes(), out),
        ValueRef::Value(Value::B(bytes)) => encode_bytes(bytes, out),
        ValueRef::Value(Value::N(number)) => out.extend_from_slice(&number.order_bytes()),
        // Other types cannot be keys.
        _ => {}
    }
}

/// A zero byte is followed by a one; two zero bytes mark the end.
fn encode_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    if !bytes::contains(bytes, 0) {
        out.extend_from_slice(bytes);
        return;
    }
    for part in bytes.split_inclusive(|byte| *byte == 0) {
        out.extend_from_slice(part);
        if part.last() == Some(&0) {
            out.push(1);
        }
    }
}
