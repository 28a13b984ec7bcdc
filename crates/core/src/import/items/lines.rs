//! Items in JSON, one in each line: the form of table exports, read as a stream.

use super::{ItemValues, json};
use crate::import::Notes;
use crate::model::{AttributeType, Number, SortedMap, SortedSet, Value, limits};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Reads the items of a line: usually one. What cannot be read is noted with the number of the line.
pub fn line(bytes: &[u8], number: usize, notes: &mut Notes) -> Vec<ItemValues> {
    let bytes = bytes.trim_ascii();
    if bytes.is_empty() {
        return Vec::new();
    }
    if let Ok(Exported { item: Item(item) }) = serde_json::from_slice(bytes)
        && !item.is_empty()
        && !item.contains_key("")
    {
        return vec![item];
    }
    // Any other form, or an item with a mistake.
    let read = match std::str::from_utf8(bytes) {
        Ok(text) => json::read(text),
        Err(_) => Err("not UTF-8 text".to_owned()),
    };
    let here = format!("line {number}");
    match read {
        Ok(read) => {
            let mut own = Notes::default();
            let groups = read.noted(&mut own);
            for note in own.0 {
                notes.add(note.place.replacen("line 1", &here, 1), note.message);
            }
            let items = groups.into_iter().flat_map(|group| group.items);
            items.map(|item| item.values).collect()
        }
        Err(why) => {
            notes.add(here, why.trim_start_matches("line 1, "));
            Vec::new()
        }
    }
}

/// Whether a line is an item of a table export.
pub fn is_exported(bytes: &[u8]) -> bool {
    serde_json::from_slice::<Exported>(bytes.trim_ascii()).is_ok()
}

/// A line of a table export.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Exported {
    #[serde(rename = "Item")]
    item: Item,
}

struct Item(ItemValues);

impl<'de> Deserialize<'de> for Item {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Fields { depth: 0 }.deserialize(deserializer).map(Item)
    }
}

/// The types of DynamoDB JSON.
#[derive(Deserialize)]
#[serde(rename_all = "UPPERCASE")]
enum Word {
    S,
    N,
    B,
    Bool,
    Null,
    L,
    M,
    Ss,
    Ns,
    Bs,
}

/// A value in DynamoDB JSON and nothing else.
#[derive(Clone, Copy)]
struct Typed {
    depth: usize,
}

/// The values of an item or a map.
#[derive(Clone, Copy)]
struct Fields {
    depth: usize,
}

/// The values of a list.
#[derive(Clone, Copy)]
struct Elements {
    depth: usize,
}

impl<'de> DeserializeSeed<'de> for Typed {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Typed {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value in DynamoDB JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let word = map.next_key()?.ok_or_else(|| A::Error::custom("no type"))?;
        let depth = self.depth + 1;
        if depth > limits::NESTING_LEVELS && matches!(word, Word::L | Word::M) {
            return Err(A::Error::custom("nested too deep"));
        }
        let value = match word {
            Word::S => Value::S(map.next_value()?),
            Word::N => Value::N(number(map.next_value()?)?),
            Word::B => binary(map.next_value()?)?,
            Word::Bool => Value::Bool(map.next_value()?),
            Word::Null => match map.next_value()? {
                true => Value::Null,
                false => return Err(A::Error::custom("expected true")),
            },
            Word::L => Value::L(map.next_value_seed(Elements { depth })?),
            Word::M => Value::M(map.next_value_seed(Fields { depth })?),
            Word::Ss => Value::Ss(set(map.next_value::<Vec<String>>()?)),
            Word::Ns => {
                let texts = map.next_value::<Vec<&str>>()?.into_iter();
                let numbers: Result<Vec<Number>, A::Error> = texts.map(number).collect();
                Value::Ns(set(numbers?))
            }
            Word::Bs => {
                let mut all = Vec::new();
                for text in map.next_value::<Vec<&str>>()? {
                    if let Value::B(bytes) = binary(text)? {
                        all.push(bytes);
                    }
                }
                Value::Bs(set(all))
            }
        };
        match map.next_key::<Word>()? {
            None => Ok(value),
            Some(_) => Err(A::Error::custom("more than one type")),
        }
    }
}

fn set<T: Ord>(mut values: Vec<T>) -> SortedSet<T> {
    // In this order, each is cheap to insert.
    values.sort_unstable();
    values.into_iter().collect()
}

fn number<E: Error>(text: &str) -> Result<Number, E> {
    text.parse().map_err(E::custom)
}

fn binary<E: Error>(text: &str) -> Result<Value, E> {
    Value::from_text(AttributeType::B, text).map_err(E::custom)
}

impl<'de> DeserializeSeed<'de> for Fields {
    type Value = SortedMap<String, Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Fields {
    type Value = SortedMap<String, Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("values by name")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut fields: Vec<(String, Value)> = Vec::new();
        while let Some(name) = map.next_key()? {
            let value = map.next_value_seed(Typed { depth: self.depth })?;
            fields.push((name, value));
        }
        // In this order, each is cheap to insert.
        fields.sort_by(|(left, _), (right, _)| left.cmp(right));
        if fields.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return Err(A::Error::custom("a repeated name"));
        }
        Ok(fields.into_iter().collect())
    }
}

impl<'de> DeserializeSeed<'de> for Elements {
    type Value = Vec<Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Elements {
    type Value = Vec<Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of values")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = list.next_element_seed(Typed { depth: self.depth })? {
            values.push(value);
        }
        Ok(values)
    }
}
