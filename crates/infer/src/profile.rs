//! A small, mergeable profile of the items of a table: groups of items with similar keys, each with its number of items,
//! statistics of its attributes and a few whole items as examples.
//!
//! Merging is associative and independent of the order, so the profile of a table is the same however its items are
//! divided. Two means make it so:
//!
//! - The examples of a group are the items with the smallest hashes: the smallest of a union are among the smallest of
//!   each part.
//! - Too many groups are made fewer by [`skeleton`] with a higher level, which is a function of the lower level's
//!   result. The number of groups at a level never decreases with more items, so the level depends on all items alone.

use super::schema::{Item, Schema};
use super::skeleton::{LAST_LEVEL, skeleton};
use super::statistics::Statistics;
use super::type_attribute::may_hold_types;
use keyfold_core::model::{SortedMap, Value};
use keyfold_core::template::fnv1a_64;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum number of groups.
const GROUPS: usize = 512;
/// Maximum number of attributes of a group with statistics: those with the smallest hashes of their names.
const ATTRIBUTES: usize = 256;
/// Maximum length of a text in an example, in bytes; the rest is cut off.
const TEXT_BYTES: usize = 1024;
/// Maximum size of a list, a map or a set that an example keeps whole, in bytes.
const COLLECTION_BYTES: usize = 256;
/// Maximum size of an example in bytes, beside keys and types.
const ITEM_BYTES: usize = 8192;
/// Number of examples of a group that suffice to find its templates, for tables that do not fit into memory.
pub const EXAMPLES: usize = 32;

/// The profile of a table's items.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Profile {
    schema: Schema,
    /// Maximum number of examples of a group.
    examples: usize,
    /// How coarse the groups are.
    level: u8,
    groups: BTreeMap<String, Group>,
}

/// Items with similar keys.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Group {
    /// Number of items.
    pub items: u64,
    /// Statistics of the attributes, by the hash of the name and the name.
    attributes: BTreeMap<u64, (String, Statistics)>,
    /// The items with the smallest hashes, by hash.
    pub examples: BTreeMap<u64, Item>,
}

/// Two profiles of different tables, or with different numbers of examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OtherTable;

impl std::fmt::Display for OtherTable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the profiles are of different tables")
    }
}

impl std::error::Error for OtherTable {}

impl Profile {
    /// The profile of no items, with at most this many examples per group.
    pub fn new(schema: Schema, examples: usize) -> Profile {
        Profile {
            schema,
            examples,
            level: 0,
            groups: BTreeMap::new(),
        }
    }

    /// The table.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Number of items.
    pub fn items(&self) -> u64 {
        self.groups.values().map(|group| group.items).sum()
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = &Group> {
        self.groups.values()
    }

    /// The examples of all groups.
    pub(crate) fn examples(&self) -> Vec<&Item> {
        let groups = self.groups.values();
        groups.flat_map(|group| group.examples.values()).collect()
    }

    /// Adds an item.
    pub fn add(&mut self, item: &Item) {
        let skeleton = skeleton(&self.schema, item, self.level);
        // Most groups exist, so no name is copied.
        let group = match self.groups.get_mut(&skeleton) {
            Some(group) => group,
            None => self.groups.entry(skeleton).or_default(),
        };
        group.items += 1;
        for (name, value) in item {
            let hash = spread(fnv1a_64(name.as_bytes()));
            match group.attributes.get_mut(&hash) {
                Some((_, known)) => known.add(value),
                None => {
                    (group.attributes).insert(hash, (name.clone(), Statistics::of(value)));
                    keep_smallest(&mut group.attributes, ATTRIBUTES);
                }
            }
        }
        let hash = self.schema.hash(item);
        if group.examples.len() < self.examples
            || (group.examples.last_key_value()).is_some_and(|(last, _)| hash <= *last)
        {
            add_example(&mut group.examples, hash, shortened(&self.schema, item));
            keep_smallest(&mut group.examples, self.examples);
        }
        self.limit_groups();
    }

    /// Adds the items of another profile of the same table.
    ///
    /// # Errors
    ///
    /// If the profiles are of different tables.
    pub fn merge(&mut self, mut other: Profile) -> Result<(), OtherTable> {
        if self.schema != other.schema || self.examples != other.examples {
            return Err(OtherTable);
        }
        let level = self.level.max(other.level);
        self.coarsen(level);
        other.coarsen(level);
        for (skeleton, group) in other.groups {
            let own = self.groups.entry(skeleton).or_default();
            own.merge(group, self.examples);
        }
        self.limit_groups();
        Ok(())
    }

    fn limit_groups(&mut self) {
        while self.groups.len() > GROUPS && self.level < LAST_LEVEL {
            self.coarsen(self.level + 1);
        }
    }

    /// Makes the groups as coarse as this level's.
    fn coarsen(&mut self, level: u8) {
        if level <= self.level {
            return;
        }
        self.level = level;
        for (_, group) in std::mem::take(&mut self.groups) {
            // All items of a group have the same skeleton at a higher level.
            let Some(example) = group.examples.values().next() else {
                continue;
            };
            let skeleton = skeleton(&self.schema, example, level);
            let own = self.groups.entry(skeleton).or_default();
            own.merge(group, self.examples);
        }
    }
}

impl Group {
    /// The statistics of the attributes, by name.
    pub fn statistics(&self) -> impl Iterator<Item = (&str, &Statistics)> {
        (self.attributes.values()).map(|(name, statistics)| (name.as_str(), statistics))
    }

    fn merge(&mut self, other: Group, examples: usize) {
        self.items += other.items;
        for (hash, (name, statistics)) in other.attributes {
            match self.attributes.get_mut(&hash) {
                Some((_, own)) => own.merge(&statistics),
                None => {
                    self.attributes.insert(hash, (name, statistics));
                }
            }
        }
        keep_smallest(&mut self.attributes, ATTRIBUTES);
        for (hash, item) in other.examples {
            add_example(&mut self.examples, hash, item);
        }
        keep_smallest(&mut self.examples, examples);
    }
}

impl Schema {
    /// A hash of the item's primary key; of the whole item if it has none.
    fn hash(&self, item: &Item) -> u64 {
        let mut text = String::new();
        for key in self.key.attributes() {
            match item.get(&key.name) {
                Some(value) => {
                    text.push_str(value.kind().word());
                    text.push_str(&value.to_text());
                    text.push('\0');
                }
                None => text.push_str(&format!("{item:?}")),
            }
        }
        spread(fnv1a_64(text.as_bytes()))
    }
}

/// Spreads a hash over all bits: similar texts have similar FNV hashes. Source: the finalizer of SplitMix64 by Sebastiano
/// Vigna.
fn spread(hash: u64) -> u64 {
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

/// Of two items with the same hash the lesser one is kept.
fn add_example(examples: &mut BTreeMap<u64, Item>, hash: u64, item: Item) {
    match examples.get_mut(&hash) {
        Some(own) if *own <= item => {}
        Some(own) => *own = item,
        None => {
            examples.insert(hash, item);
        }
    }
}

fn keep_smallest<T>(map: &mut BTreeMap<u64, T>, most: usize) {
    while map.len() > most {
        map.pop_last();
    }
}

/// The item with long texts cut off, without the contents of large lists and maps, with one element of large sets, and
/// without the largest attributes of a large item.
fn shortened(schema: &Schema, item: &Item) -> Item {
    let is_large = |value: &Value| value.size() > COLLECTION_BYTES;
    let short = |value: &Value| match value {
        Value::S(text) => Value::S(cut_text(text)),
        Value::B(bytes) => Value::B(cut_bytes(bytes)),
        Value::L(_) if is_large(value) => Value::L(Vec::new()),
        Value::M(_) if is_large(value) => Value::M(SortedMap::new()),
        // A set without elements is none that DynamoDB stores.
        Value::Ss(set) if is_large(value) => {
            Value::Ss(set.iter().take(1).map(|text| cut_text(text)).collect())
        }
        Value::Ns(set) if is_large(value) => Value::Ns(set.iter().take(1).cloned().collect()),
        Value::Bs(set) if is_large(value) => {
            Value::Bs(set.iter().take(1).map(|bytes| cut_bytes(bytes)).collect())
        }
        other => other.clone(),
    };
    let mut pairs: Vec<(&String, Value)> = (item.iter())
        .map(|(name, value)| (name, short(value)))
        .collect();
    let size = |(name, value): &(&String, Value)| name.len() + value.size();
    if pairs.iter().map(size).sum::<usize>() > ITEM_BYTES {
        // The skeleton needs keys and types.
        let is_needed = |name: &str| may_hold_types(name) || schema.has_key_attribute(name);
        pairs.sort_by_key(|pair| (!is_needed(pair.0), size(pair)));
        let mut bytes = 0;
        pairs.retain(|pair| {
            bytes += size(pair);
            bytes <= ITEM_BYTES || is_needed(pair.0)
        });
    }
    pairs
        .into_iter()
        .map(|(name, value)| (name.clone(), value))
        .collect()
}

fn cut_text(text: &str) -> String {
    text[..text.floor_char_boundary(TEXT_BYTES)].to_owned()
}

fn cut_bytes(bytes: &[u8]) -> Vec<u8> {
    bytes[..bytes.len().min(TEXT_BYTES)].to_vec()
}
