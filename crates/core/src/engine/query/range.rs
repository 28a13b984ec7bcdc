//! A key condition as two edges in the order of an index.

use super::key::KeyCondition;
use crate::engine::ValueRef;
use crate::engine::keys::{encode, encode_prefix};
use crate::model::{SortOperator, Value};

/// A position between keys: before all keys that start with these bytes, or after them.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    bytes: Vec<u8>,
    after: bool,
}

impl Edge {
    /// The edge before the keys that start with these bytes.
    pub fn before(bytes: Vec<u8>) -> Edge {
        Edge {
            bytes,
            after: false,
        }
    }

    /// The edge after the keys that start with these bytes.
    pub fn after(bytes: Vec<u8>) -> Edge {
        Edge { bytes, after: true }
    }

    /// Whether a key comes before this edge.
    pub fn is_past(&self, key: &[u8]) -> bool {
        key < self.bytes.as_slice() || self.after && key.starts_with(&self.bytes)
    }
}

/// The keys between two edges.
#[derive(Debug, Clone)]
pub(super) struct Range {
    pub start: Edge,
    pub end: Edge,
}

impl Range {
    /// All keys.
    pub fn all() -> Range {
        Range {
            start: Edge::before(Vec::new()),
            end: Edge::after(Vec::new()),
        }
    }

    /// The keys that meet a condition.
    pub fn of(condition: &KeyCondition) -> Range {
        let mut bytes = encoded(&condition.partition);
        let mut last = None;
        for test in &condition.sort {
            match test.operator {
                SortOperator::Equal => encode(ValueRef::Value(&test.value), &mut bytes),
                _ => last = Some(test),
            }
        }
        let with = |value: &Value| {
            let mut key = bytes.clone();
            encode(ValueRef::Value(value), &mut key);
            key
        };
        let whole = || Range {
            start: Edge::before(bytes.clone()),
            end: Edge::after(bytes.clone()),
        };
        let Some(test) = last else {
            return whole();
        };
        let mut range = whole();
        match test.operator {
            SortOperator::Equal => {}
            SortOperator::Less => range.end = Edge::before(with(&test.value)),
            SortOperator::LessOrEqual => range.end = Edge::after(with(&test.value)),
            SortOperator::Greater => range.start = Edge::after(with(&test.value)),
            SortOperator::GreaterOrEqual => range.start = Edge::before(with(&test.value)),
            SortOperator::Between => {
                range.start = Edge::before(with(&test.value));
                range.end = Edge::after(with(test.upper.as_ref().unwrap_or(&test.value)));
            }
            SortOperator::BeginsWith => {
                let mut key = bytes.clone();
                encode_prefix(ValueRef::Value(&test.value), &mut key);
                range.start = Edge::before(key.clone());
                range.end = Edge::after(key);
            }
        }
        range
    }

    /// Whether the range contains a key.
    pub fn contains(&self, key: &[u8]) -> bool {
        !self.start.is_past(key) && self.end.is_past(key)
    }
}

/// The encoded key values, concatenated.
pub(super) fn encoded<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        encode(ValueRef::Value(value), &mut bytes);
    }
    bytes
}
