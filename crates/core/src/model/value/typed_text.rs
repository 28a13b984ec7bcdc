//! The text of a value in a cell: what a user types, with its messages, and what a cell shows.

use super::Value;
use super::attribute_type::AttributeType;
use super::dynamodb_json::{
    at, decode, encode, example, fields, json_number, number, object, read_typed, safe_integer,
    shorten,
};
use super::json_numbers::{refusal_of_rounded, rounded_number};
use crate::model::json_fault::json_fault_at;
use crate::model::number::Number;
use crate::model::ordered::SortedSet;
use serde_json::Value as Json;

impl Value {
    /// Parses what a user typed into a cell of the given type.
    ///
    /// S is taken verbatim. N is a number. BOOL is `true` or `false`. NULL is `null` or empty. B is base64. L, M and
    /// sets are JSON: plain (`["a", 1]`) or DynamoDB JSON (`{"L": [{"S": "a"}, {"N": "1"}]}`). In plain JSON, an object
    /// whose only name is a type descriptor is read as DynamoDB JSON if possible. The error says what to do.
    pub fn from_text(kind: AttributeType, text: &str) -> Result<Self, String> {
        let trimmed = text.trim();
        match kind {
            AttributeType::S => Ok(Self::S(text.to_owned())),
            AttributeType::N => number(trimmed).map(Self::N),
            AttributeType::B => decode(trimmed).map(Self::B),
            AttributeType::Bool if trimmed.eq_ignore_ascii_case("true") => Ok(Self::Bool(true)),
            AttributeType::Bool if trimmed.eq_ignore_ascii_case("false") => Ok(Self::Bool(false)),
            AttributeType::Bool => Err(format!("`{trimmed}` is not a boolean: type true or false")),
            AttributeType::Null if trimmed.is_empty() || trimmed.eq_ignore_ascii_case("null") => {
                Ok(Self::Null)
            }
            AttributeType::Null => Err(format!(
                "`{trimmed}` is not null: type null or leave it empty"
            )),
            _ => {
                let json = serde_json::from_str(trimmed).map_err(|error| {
                    format!("{}: type {}", json_fault_at(&error), example(kind))
                })?;
                if let Some(token) = rounded_number(trimmed) {
                    return Err(refusal_of_rounded(&trimmed[token]));
                }
                read_container(kind, &json)?.check_depth()
            }
        }
    }

    /// The text that a cell shows. [`Value::from_text`] reads it back to the same value, except for an empty set.
    pub fn to_text(&self) -> String {
        match self {
            Self::S(text) => text.clone(),
            Self::N(number) => number.to_string(),
            Self::B(bytes) => encode(bytes),
            Self::Bool(flag) => flag.to_string(),
            Self::Null => "null".to_owned(),
            Self::L(_) | Self::M(_) => {
                let plain = self.to_plain_json();
                // A map that looks like DynamoDB JSON must be written as DynamoDB JSON.
                let survives = read_container(self.kind(), &plain).is_ok_and(|read| read == *self);
                if survives {
                    plain.to_string()
                } else {
                    self.to_dynamodb_json().to_string()
                }
            }
            Self::Ss(set) => set.iter().map(String::as_str).collect::<Json>().to_string(),
            Self::Ns(set) => set
                .iter()
                .map(|n| plain_number(n).unwrap_or_else(|| n.to_string().into()))
                .collect::<Json>()
                .to_string(),
            Self::Bs(set) => set
                .iter()
                .map(|bytes| encode(bytes))
                .collect::<Json>()
                .to_string(),
        }
    }

    /// The value as plain JSON where possible, else as DynamoDB JSON.
    fn to_plain_json(&self) -> Json {
        match self {
            Self::S(text) => Json::from(text.as_str()),
            Self::Bool(flag) => Json::from(*flag),
            Self::Null => Json::Null,
            Self::N(number) => plain_number(number).unwrap_or_else(|| self.to_dynamodb_json()),
            Self::L(list) => list.iter().map(Self::to_plain_json).collect(),
            Self::M(map) => object(map, Self::to_plain_json),
            _ => self.to_dynamodb_json(),
        }
    }
}

/// Reads the JSON that a user typed for a list, a map or a set, plain or DynamoDB JSON.
fn read_container(kind: AttributeType, json: &Json) -> Result<Value, String> {
    let only_name = json
        .as_object()
        .filter(|o| o.len() == 1)
        .and_then(|o| o.keys().next());
    let typed = match only_name {
        Some(word) if word == kind.word() => Some(read_typed(json)),
        _ => None,
    };
    let value = match (kind, typed, json) {
        (_, Some(Ok(value)), _) => value,
        (AttributeType::M, _, Json::Object(map)) => Value::M(fields(map, read_plain)?),
        (_, Some(Err(message)), _) => return Err(message),
        (AttributeType::L, _, Json::Array(_)) => read_plain(json)?,
        (AttributeType::Ss, _, Json::Array(list)) => {
            Value::Ss(SortedSet::from_iter(elements(list, |v| {
                v.as_str().map(|s| Ok(s.to_owned()))
            })?))
        }
        (AttributeType::Ns, _, Json::Array(list)) => {
            Value::Ns(SortedSet::from_iter(elements(list, |v| match v {
                Json::Number(n) => Some(json_number(n)),
                Json::String(text) => Some(number(text)),
                other => match read_typed(other) {
                    Ok(Value::N(number)) => Some(Ok(number)),
                    Err(error) if other.get("N").is_some() => Some(Err(error)),
                    _ => None,
                },
            })?))
        }
        (AttributeType::Bs, _, Json::Array(list)) => {
            Value::Bs(SortedSet::from_iter(elements(list, |v| {
                v.as_str().map(decode)
            })?))
        }
        _ => {
            return Err(format!(
                "{} is not a {}: type {}",
                shorten(json),
                kind.label().to_lowercase(),
                example(kind)
            ));
        }
    };
    let empty = match &value {
        Value::Ss(set) => set.is_empty(),
        Value::Ns(set) => set.is_empty(),
        Value::Bs(set) => set.is_empty(),
        _ => false,
    };
    if empty {
        return Err(format!(
            "DynamoDB rejects an empty set: type {}, or remove the value",
            example(kind)
        ));
    }
    Ok(value)
}

/// Reads the elements of a set. `read` returns `None` for an element of the wrong type.
fn elements<T>(
    list: &[Json],
    read: impl Fn(&Json) -> Option<Result<T, String>>,
) -> Result<Vec<T>, String> {
    let element = |(i, json)| {
        let wrong = || {
            Err(format!(
                "{} does not fit this set: type elements of one type",
                shorten(json)
            ))
        };
        at(format!("[{i}]"), read(json).unwrap_or_else(wrong))
    };
    list.iter().enumerate().map(element).collect()
}

/// Reads plain JSON with embedded DynamoDB JSON.
fn read_plain(json: &Json) -> Result<Value, String> {
    match json {
        Json::String(text) => Ok(Value::S(text.clone())),
        Json::Bool(flag) => Ok(Value::Bool(*flag)),
        Json::Null => Ok(Value::Null),
        Json::Number(number) => json_number(number).map(Value::N),
        Json::Array(list) => {
            let elements = list
                .iter()
                .enumerate()
                .map(|(i, v)| at(format!("[{i}]"), read_plain(v)));
            elements.collect::<Result<_, _>>().map(Value::L)
        }
        Json::Object(map) => read_typed(json).or_else(|_| fields(map, read_plain).map(Value::M)),
    }
}

/// The number as a JSON number, if it reads back as the same number.
fn plain_number(number: &Number) -> Option<Json> {
    if let Some(integer) = safe_integer(number) {
        return Some(integer.into());
    }
    let json = serde_json::Number::from_f64(number.to_f64()?)?;
    json_number(&json)
        .is_ok_and(|read| read == *number)
        .then_some(Json::Number(json))
}
