//! Key conditions: which items of an index a Query reads.

use super::rejection::Rejection;
use super::{Attributes, Key};
use crate::model::{AttributeType, KeyAttribute, KeySchema, KeyType, SortOperator, Value, limits};

/// A key condition: the values of all partition key attributes, and tests of sort key attributes from left to right.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyCondition {
    /// One value per partition key attribute, in key order.
    pub partition: Vec<Value>,
    /// Tests of the first sort key attributes; all but the last are `=`.
    pub sort: Vec<SortTest>,
}

/// A test of one sort key attribute.
#[derive(Debug, Clone, PartialEq)]
pub struct SortTest {
    /// The comparison operator.
    pub operator: SortOperator,
    /// The value to compare with, or the lower bound.
    pub value: Value,
    /// The upper bound of `between`.
    pub upper: Option<Value>,
}

/// A test of a key attribute by name. Tests may come in any order.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyTest {
    /// The attribute.
    pub attribute: String,
    /// The test.
    pub test: SortTest,
}

impl KeyCondition {
    /// Builds the key condition of an index with this key from tests. Refuses tests that skip a key attribute, test
    /// other attributes, or use an operator that the key does not support.
    pub fn of(key: &KeySchema, tests: Vec<KeyTest>) -> Result<KeyCondition, Rejection> {
        for (at, test) in tests.iter().enumerate() {
            let attribute = test.attribute.clone();
            if tests[..at].iter().any(|other| other.attribute == attribute) {
                return Err(Rejection::Twice { attribute });
            }
        }
        let mut tests: Vec<Option<KeyTest>> = tests.into_iter().map(Some).collect();
        let mut take = |name: &str| {
            let wanted = |test: &&mut Option<KeyTest>| {
                (test.as_ref()).is_some_and(|test| test.attribute == name)
            };
            tests.iter_mut().find(wanted)?.take()
        };
        let mut condition = KeyCondition {
            partition: Vec::new(),
            sort: Vec::new(),
        };
        for KeyAttribute { name, .. } in &key.partition {
            let attribute = name.clone();
            match take(name) {
                None => return Err(Rejection::MissingPartition { attribute }),
                Some(KeyTest { test, .. }) if test.operator != SortOperator::Equal => {
                    let operator = test.operator.symbol().to_owned();
                    return Err(Rejection::PartitionOperator {
                        attribute,
                        operator,
                    });
                }
                Some(KeyTest { test, .. }) => condition.partition.push(test.value),
            }
        }
        let mut missing: Option<&str> = None;
        for KeyAttribute { name, .. } in &key.sort {
            match (take(name), missing) {
                (None, _) => missing = missing.or(Some(name)),
                (Some(_), Some(missing)) => {
                    return Err(Rejection::Gap {
                        missing: missing.to_owned(),
                        attribute: name.clone(),
                    });
                }
                (Some(test), None) => condition.sort.push(test.test),
            }
        }
        if let Some(other) = tests.into_iter().flatten().next() {
            return Err(Rejection::NotAKey {
                attribute: other.attribute,
                key: names(key),
            });
        }
        condition.check(key)?;
        Ok(condition)
    }

    /// Checks that DynamoDB accepts the condition for an index with this key.
    pub fn check(&self, key: &KeySchema) -> Result<(), Rejection> {
        if let Some(lacking) = key.partition.get(self.partition.len()) {
            let attribute = lacking.name.clone();
            return Err(Rejection::MissingPartition { attribute });
        }
        if self.partition.len() > key.partition.len() || self.sort.len() > key.sort.len() {
            return Err(Rejection::NotAKey {
                attribute: String::new(),
                key: names(key),
            });
        }
        for (attribute, value) in key.partition.iter().zip(&self.partition) {
            check_value(attribute, value, limits::PARTITION_KEY_BYTES)?;
        }
        let last = self.sort.len().saturating_sub(1);
        for (at, (attribute, test)) in key.sort.iter().zip(&self.sort).enumerate() {
            if at < last && test.operator != SortOperator::Equal {
                return Err(Rejection::RangeNotLast {
                    attribute: attribute.name.clone(),
                    next: key.sort[at + 1].name.clone(),
                });
            }
            test.check(attribute)?;
        }
        Ok(())
    }
}

impl SortTest {
    /// A test with one value.
    pub fn new(operator: SortOperator, value: Value) -> SortTest {
        SortTest {
            operator,
            value,
            upper: None,
        }
    }

    /// The range from `lower` to `upper`, bounds included.
    pub fn between(lower: Value, upper: Value) -> SortTest {
        SortTest {
            operator: SortOperator::Between,
            value: lower,
            upper: Some(upper),
        }
    }

    fn check(&self, key: &KeyAttribute) -> Result<(), Rejection> {
        let attribute = key.name.clone();
        let is_between = self.operator == SortOperator::Between;
        if is_between != self.upper.is_some() {
            return Err(Rejection::Bounds {
                attribute,
                missing: is_between,
            });
        }
        if self.operator == SortOperator::BeginsWith && key.kind == KeyType::N {
            return Err(Rejection::BeginsWithNumber { attribute });
        }
        for value in std::iter::once(&self.value).chain(&self.upper) {
            check_value(key, value, limits::SORT_KEY_BYTES)?;
        }
        match &self.upper {
            Some(upper) if *upper < self.value => Err(Rejection::Reversed {
                attribute,
                lower: self.value.to_text(),
                upper: upper.to_text(),
            }),
            _ => Ok(()),
        }
    }
}

/// Checks that a value is valid for this key attribute: its type, not empty, not too long.
pub(super) fn check_value(key: &KeyAttribute, value: &Value, most: usize) -> Result<(), Rejection> {
    let attribute = key.name.clone();
    let wanted = AttributeType::from(key.kind);
    if value.kind() != wanted {
        return Err(Rejection::WrongType {
            attribute,
            wanted,
            found: value.kind(),
        });
    }
    match value.size() {
        0 => Err(Rejection::Empty { attribute }),
        bytes if bytes > most => Err(Rejection::TooLong {
            attribute,
            bytes,
            most,
        }),
        _ => Ok(()),
    }
}

/// Checks that this is the primary key of an item: every key attribute, and no others.
pub(super) fn check_key(schema: &KeySchema, key: &Key) -> Result<(), Rejection> {
    let sides = [
        (&schema.partition, limits::PARTITION_KEY_BYTES),
        (&schema.sort, limits::SORT_KEY_BYTES),
    ];
    for (side, most) in sides {
        for attribute in side {
            match key.get(&attribute.name) {
                Some(value) => check_value(attribute, value, most)?,
                None => {
                    let attribute = attribute.name.clone();
                    return Err(Rejection::MissingKey { attribute });
                }
            }
        }
    }
    let is_other = |name: &&String| !schema.attributes().any(|key| key.name == **name);
    match key.keys().find(is_other) {
        Some(name) => Err(Rejection::ExtraKey {
            attribute: name.clone(),
        }),
        None => Ok(()),
    }
}

/// Extracts the key attributes.
pub(super) fn key_of(schema: &KeySchema, attributes: &Attributes) -> Key {
    let mut key = Key::new();
    for KeyAttribute { name, .. } in schema.attributes() {
        if let Some(value) = attributes.get(name) {
            key.insert(name.clone(), value.clone());
        }
    }
    key
}

fn names(key: &KeySchema) -> Vec<String> {
    key.attributes().map(|key| key.name.clone()).collect()
}
