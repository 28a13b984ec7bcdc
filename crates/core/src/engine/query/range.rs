//! A key condition as two edges in the order of an index.

use super::key::KeyCondition;
use crate::engine::ValueRef;
use crate::engine::keys::{encode, encode_beginning};
use crate::model::{SortOperator, Value};

/// A place between keys: before all that begin with these bytes, or behind them.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    bytes: Vec<u8>,
    behind: bool,
}

impl Edge {
    /// Before the keys that begin with these bytes.
    pub fn before(bytes: Vec<u8>) -> Edge {
        Edge {
            bytes,
            behind: false,
        }
    }

    /// Behind the keys that begin with these bytes.
    pub fn behind(bytes: Vec<u8>) -> Edge {
        Edge {
            bytes,
            behind: true,
        }
    }

    /// Whether a key comes before this place.
    pub fn is_past(&self, key: &[u8]) -> bool {
        key < self.bytes.as_slice() || self.behind && key.starts_with(&self.bytes)
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
            end: Edge::behind(Vec::new()),
        }
    }

    /// The keys of which a condition holds.
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
            end: Edge::behind(bytes.clone()),
        };
        let Some(test) = last else {
            return whole();
        };
        let mut range = whole();
        match test.operator {
            SortOperator::Equal => {}
            SortOperator::Less => range.end = Edge::before(with(&test.value)),
            SortOperator::LessOrEqual => range.end = Edge::behind(with(&test.value)),
            SortOperator::Greater => range.start = Edge::behind(with(&test.value)),
            SortOperator::GreaterOrEqual => range.start = Edge::before(with(&test.value)),
            SortOperator::Between => {
                range.start = Edge::before(with(&test.value));
                range.end = Edge::behind(with(test.upper.as_ref().unwrap_or(&test.value)));
            }
            SortOperator::BeginsWith => {
                let mut key = bytes.clone();
                encode_beginning(ValueRef::Value(&test.value), &mut key);
                range.start = Edge::before(key.clone());
                range.end = Edge::behind(key);
            }
        }
        range
    }

    /// Whether a key lies in it.
    pub fn contains(&self, key: &[u8]) -> bool {
        !self.start.is_past(key) && self.end.is_past(key)
    }
}

/// The bytes of some key values, one after the other.
pub(super) fn encoded<'a>(values: impl IntoIterator<Item = &'a Value>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        encode(ValueRef::Value(value), &mut bytes);
    }
    bytes
}
