//! The size of values and items in bytes, and how deep values are nested.

use super::Value;
use crate::model::number::Number;
use crate::model::{SortedMap, limits};

/// Overhead of a list or a map in bytes, besides its elements. Source: "Item sizes and formats", Amazon DynamoDB
/// Developer Guide.
const CONTAINER_BYTES: usize = 3;

/// Overhead of each element of a list or a map in bytes. Same source.
const ELEMENT_BYTES: usize = 1;

impl Value {
    /// The value's share of an item's size in bytes, without its attribute's name. Source: "Item sizes and formats",
    /// Amazon DynamoDB Developer Guide, where a number's size is approximate.
    pub fn size(&self) -> usize {
        match self {
            Self::S(text) => text.len(),
            Self::N(number) => number.size(),
            Self::B(bytes) => bytes.len(),
            Self::Bool(_) | Self::Null => 1,
            Self::L(list) => {
                CONTAINER_BYTES + list.iter().map(|v| v.size() + ELEMENT_BYTES).sum::<usize>()
            }
            Self::M(map) => CONTAINER_BYTES + item_size(map) + map.len() * ELEMENT_BYTES,
            Self::Ss(set) => set.iter().map(String::len).sum(),
            Self::Ns(set) => set.iter().map(Number::size).sum(),
            Self::Bs(set) => set.iter().map(Vec::len).sum(),
        }
    }

    /// Nesting depth of lists and maps: 0 for a scalar or a set.
    fn depth(&self) -> usize {
        match self {
            Self::L(list) => 1 + list.iter().map(Self::depth).max().unwrap_or(0),
            Self::M(map) => 1 + map.values().map(Self::depth).max().unwrap_or(0),
            _ => 0,
        }
    }

    /// Returns the value, or a message if it is nested deeper than DynamoDB allows.
    pub(super) fn check_depth(self) -> Result<Self, String> {
        match self.depth() {
            depth if depth > limits::NESTING_LEVELS => Err(format!(
                "lists and maps are nested {depth} levels deep; DynamoDB allows {}",
                limits::NESTING_LEVELS
            )),
            _ => Ok(self),
        }
    }
}

/// The size of an item in bytes: the UTF-8 bytes of its attribute names plus the sizes of its values.
pub fn item_size(item: &SortedMap<String, Value>) -> usize {
    item.iter()
        .map(|(name, value)| name.len() + value.size())
        .sum()
}
