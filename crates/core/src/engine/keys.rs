//! The keys of a chunk's items in an index, as bytes whose order is DynamoDB's.

use super::chunk::{self, Chunk};
use super::content::IndexContent;
use super::item::Item;
use super::items::Items;
use super::written::ValueRef;
use crate::bytes;
use crate::model::{AttributeType, KeySchema, KeyType, Value};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// The attributes by which the items of an index are ordered.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyNames {
    /// The index's own key attributes, then those of the table's that are not among them.
    names: Vec<(String, KeyType)>,
    /// Number of partition key attributes among them.
    partition: usize,
    /// Number of the index's own.
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

/// The keys of one chunk's items.
#[derive(Debug)]
pub(super) struct Keys {
    bytes: Vec<u8>,
    /// For each item where its key begins; then where the last one ends.
    starts: Vec<u32>,
    /// For each item how many bytes of its key are the partition's, and how many are the index's own: eight attributes of
    /// at most 2 KB, each byte of which may become two.
    parts: Vec<[u16; 2]>,
}

impl Keys {
    /// The keys of those items that the index holds.
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
                    // It is not in the index: no key.
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

    /// Whether the items of another chunk surely have the same keys: those of the same samples, of which nothing that
    /// is in a key was written anew.
    pub fn are_those_of(names: &KeyNames, before: &Chunk, now: &Chunk) -> bool {
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

    /// The key of an item; empty if the index does not hold it.
    #[inline(always)]
    pub fn of(&self, at: usize) -> &[u8] {
        &self.bytes[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Whether the index holds the item.
    #[inline(always)]
    pub fn has(&self, at: usize) -> bool {
        self.starts[at] < self.starts[at + 1]
    }

    /// How many bytes of its key are the partition's, and how many are the index's own.
    pub fn parts(&self, at: usize) -> [u32; 2] {
        self.parts[at].map(u32::from)
    }
}

/// The first item, in the order of the samples, that has the primary key of one before it, after that one. `key` is the
/// table's.
pub fn with_one_key(items: &Items, key: &KeySchema) -> Option<[Item; 2]> {
    let names = KeyNames::new(key, key);
    let sources: Vec<Vec<Source>> = (items.chunks().iter())
        .map(|chunk| sources(&names, chunk))
        .collect();
    let mut hashes = Vec::with_capacity(items.len());
    for (sources, chunk) in sources.iter().zip(items.chunks()) {
        hashes.extend((0..chunk.len()).map(|at| hash_of_key(sources, chunk, at)));
    }
    let again = met_again(&hashes);
    // Where a key was met last that has this number.
    let mut met: FxHashMap<u64, (usize, usize)> = FxHashMap::default();
    let mut rest = hashes.iter();
    for (number, chunk) in items.chunks().iter().enumerate() {
        for (at, hash) in rest.by_ref().take(chunk.len()).enumerate() {
            let Some(hash) = hash.filter(|hash| again.contains(hash)) else {
                continue;
            };
            let Some((other, before)) = met.insert(hash, (number, at)) else {
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

/// Those that are there more than once, and a few others: each sets one of many bits, and what finds its bit set is
/// taken for one of them. A hash map of all would be several times the memory, and of no order.
fn met_again(hashes: &[Option<u64>]) -> FxHashSet<u64> {
    const BITS_EACH: usize = 32;
    let bits = (hashes.len() * BITS_EACH).next_power_of_two();
    let mut met = vec![0u64; bits.div_ceil(64)];
    let mut again = FxHashSet::default();
    for hash in hashes.iter().flatten() {
        let bit = *hash as usize & (bits - 1);
        let mask = 1 << (bit % 64);
        let word = &mut met[bit / 64];
        if *word & mask != 0 {
            again.insert(*hash);
        }
        *word |= mask;
    }
    again
}

/// A number that stands for the key of a chunk's item, if the index holds it.
fn hash_of_key(sources: &[Source], chunk: &Chunk, at: usize) -> Option<u64> {
    let mut hasher = FxHasher::default();
    for source in sources {
        match source.key_value(chunk, at)? {
            ValueRef::Text(text) => hasher.write(text.as_bytes()),
            ValueRef::Value(Value::S(text)) => hasher.write(text.as_bytes()),
            ValueRef::Value(Value::B(bytes)) => hasher.write(bytes),
            ValueRef::Value(Value::N(number)) => hasher.write(&number.ordered()),
            // No other type is a key.
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
    /// For each list of attributes its place in the sample.
    ranks: Vec<Option<usize>>,
}

impl Source {
    fn new(chunk: &Chunk, name: &str, kind: KeyType) -> Source {
        let rank = |shape: &[String]| shape.iter().position(|other| other == name);
        Source {
            kind,
            slot: chunk.slot(name),
            ranks: chunk.facts.shapes.iter().map(|shape| rank(shape)).collect(),
        }
    }

    /// The value of an item, if it can be in a key.
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

/// Appends a key value so that the order of the bytes is the order of the values, and none begins another.
pub(super) fn encode(value: ValueRef, out: &mut Vec<u8>) {
    encode_beginning(value, out);
    if let AttributeType::S | AttributeType::B = value.kind() {
        out.extend_from_slice(&[0, 0]);
    }
}

/// As [`encode`], but of a text or bytes what all keys begin with whose value begins with it.
pub(super) fn encode_beginning(value: ValueRef, out: &mut Vec<u8>) {
    match value {
        ValueRef::Text(text) => encode_bytes(text.as_bytes(), out),
        ValueRef::Value(Value::S(text)) => encode_bytes(text.as_bytes(), out),
        ValueRef::Value(Value::B(bytes)) => encode_bytes(bytes, out),
        ValueRef::Value(Value::N(number)) => out.extend_from_slice(&number.ordered()),
        // No other type is a key.
        _ => {}
    }
}

/// A zero byte is followed by a one, and two zero bytes are the end.
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
