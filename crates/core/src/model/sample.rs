//! Samples: the attribute values of one item of an entity, before its keys are rendered.

use super::{SampleId, Value};
use crate::model::SortedMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::cell::RefCell;
use std::fmt;
use std::ops::Index;
use std::sync::Arc;

/// The attribute values of one item.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Sample {
    /// The identity.
    pub id: SampleId,
    /// Attribute name to value. An attribute without an entry is missing from the item.
    #[serde(default)]
    pub values: Values,
}

/// A map from attribute names to values, sorted by name. Samples with the same attributes share the list of names, so
/// that 100,000 of them need little more memory than their values.
#[derive(Clone, PartialEq)]
pub struct Values {
    /// Sorted, without duplicates.
    names: Arc<[String]>,
    /// The value of each name.
    values: Box<[Value]>,
}

/// Number of recent name lists kept for sharing.
const RECENT_LISTS: usize = 64;

thread_local! {
    /// The most recently used name lists, latest first.
    static NAMES: RefCell<Vec<Arc<[String]>>> = const { RefCell::new(Vec::new()) };
}

/// The list of these names, shared if it was used recently.
fn shared(names: &mut dyn ExactSizeIterator<Item = &String>) -> Arc<[String]> {
    let names: Vec<&String> = names.collect();
    NAMES.with_borrow_mut(|known| {
        let at = known
            .iter()
            .position(|other| other.iter().eq(names.iter().copied()));
        let list = match at {
            Some(0) => return known[0].clone(),
            Some(at) => known.remove(at),
            None => names.into_iter().cloned().collect(),
        };
        known.truncate(RECENT_LISTS - 1);
        known.insert(0, list.clone());
        list
    })
}

impl Values {
    /// An empty map.
    pub fn new() -> Values {
        Values {
            names: Arc::new([]),
            values: Box::new([]),
        }
    }

    fn place(&self, name: &str) -> Result<usize, usize> {
        self.names
            .binary_search_by(|other| other.as_str().cmp(name))
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        Some(&self.values[self.place(name).ok()?])
    }

    /// The mutable value of an attribute.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Value> {
        let place = self.place(name).ok()?;
        Some(&mut self.values[place])
    }

    /// Whether the attribute has a value.
    pub fn contains_key(&self, name: &str) -> bool {
        self.place(name).is_ok()
    }

    /// Sets a value and returns the previous value.
    pub fn insert(&mut self, name: String, value: Value) -> Option<Value> {
        match self.place(&name) {
            Ok(place) => Some(std::mem::replace(&mut self.values[place], value)),
            Err(place) => {
                let mut names: Vec<&String> = self.names.iter().collect();
                names.insert(place, &name);
                self.names = shared(&mut names.into_iter());
                let mut values = std::mem::take(&mut self.values).into_vec();
                values.reserve_exact(1);
                values.insert(place, value);
                self.values = values.into();
                None
            }
        }
    }

    /// Removes an attribute and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<Value> {
        let place = self.place(name).ok()?;
        let mut names: Vec<&String> = self.names.iter().collect();
        names.remove(place);
        self.names = shared(&mut names.into_iter());
        let mut values = std::mem::take(&mut self.values).into_vec();
        let value = values.remove(place);
        self.values = values.into();
        Some(value)
    }

    /// The value at this position in name order.
    pub fn nth(&self, place: usize) -> Option<&Value> {
        self.values.get(place)
    }

    /// The names, sorted. Maps with the same names usually share one list.
    pub fn names(&self) -> &Arc<[String]> {
        &self.names
    }

    /// The names, in order.
    pub fn keys(&self) -> std::slice::Iter<'_, String> {
        self.names.iter()
    }

    /// The values, in the order of their names.
    pub fn values(&self) -> std::slice::Iter<'_, Value> {
        self.values.iter()
    }

    /// Names and values, in order.
    pub fn iter(
        &self,
    ) -> std::iter::Zip<std::slice::Iter<'_, String>, std::slice::Iter<'_, Value>> {
        self.names.iter().zip(&self.values)
    }

    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The size in bytes of an item with these values: the UTF-8 bytes of the names plus the sizes of the values.
    pub fn size(&self) -> usize {
        let size = |(name, value): (&String, &Value)| name.len() + value.size();
        self.iter().map(size).sum()
    }

    /// The same entries as a [`SortedMap`].
    pub fn to_map(&self) -> SortedMap<String, Value> {
        super::SortedMap::from_iter(
            self.iter()
                .map(|(name, value)| (name.clone(), value.clone())),
        )
    }
}

impl Default for Values {
    fn default() -> Values {
        Values::new()
    }
}

impl From<SortedMap<String, Value>> for Values {
    fn from(map: SortedMap<String, Value>) -> Values {
        let names = shared(&mut map.keys());
        let mut values: Box<[Value]> = map.into_values().collect();
        // Samples can be many, and a string built piece by piece keeps up to half its size as spare capacity.
        for value in &mut values {
            if let Value::S(text) = value {
                text.shrink_to_fit();
            }
        }
        Values { names, values }
    }
}

impl FromIterator<(String, Value)> for Values {
    fn from_iter<I: IntoIterator<Item = (String, Value)>>(pairs: I) -> Values {
        SortedMap::from_iter(pairs).into()
    }
}

impl<const N: usize> From<[(String, Value); N]> for Values {
    fn from(pairs: [(String, Value); N]) -> Values {
        Values::from_iter(pairs)
    }
}

impl Index<&str> for Values {
    type Output = Value;

    /// Panics if there is no value with this name.
    fn index(&self, name: &str) -> &Value {
        &self.values[self.place(name).expect("there is a value of this name")]
    }
}

impl<'a> IntoIterator for &'a Values {
    type Item = (&'a String, &'a Value);
    type IntoIter = std::iter::Zip<std::slice::Iter<'a, String>, std::slice::Iter<'a, Value>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl PartialEq<SortedMap<String, Value>> for Values {
    fn eq(&self, other: &SortedMap<String, Value>) -> bool {
        self.iter().eq(other)
    }
}

impl fmt::Debug for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self)
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        Ok(SortedMap::deserialize(deserializer)?.into())
    }
}
