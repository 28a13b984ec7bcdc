//! The text forms of a value: DynamoDB JSON, Keyfold's file form, and the text of a cell.

use super::{AttributeType, Value};
use crate::model::SortedMap;
use crate::model::json_fault::json_fault_at;
use crate::model::number::Number;
use crate::model::ordered::SortedSet;
use base64::Engine as _;
use base64::alphabet;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use base64::engine::{DecodePaddingMode, general_purpose};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use std::fmt;

/// Integers up to this magnitude (2^53) are exact in every JSON reader, including JavaScript's.
const SAFE_INTEGER: u64 = 1 << 53;

/// Writes standard base64 with padding; reads it with or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

impl Value {
    /// The value as DynamoDB JSON: `{"S": "x"}`, bytes as base64, numbers as canonical text.
    pub fn to_dynamodb_json(&self) -> Json {
        let content = match self {
            Self::S(text) => Json::from(text.as_str()),
            Self::N(number) => Json::from(number.to_string()),
            Self::B(bytes) => Json::from(encode(bytes)),
            Self::Bool(flag) => Json::from(*flag),
            Self::Null => Json::from(true),
            Self::L(list) => list.iter().map(Self::to_dynamodb_json).collect(),
            Self::M(map) => object(map, Self::to_dynamodb_json),
            Self::Ss(set) => set.iter().map(String::as_str).collect(),
            Self::Ns(set) => set.iter().map(Number::to_string).collect(),
            Self::Bs(set) => set.iter().map(|bytes| encode(bytes)).collect(),
        };
        let mut typed = serde_json::Map::new();
        typed.insert(self.kind().word().to_owned(), content);
        Json::Object(typed)
    }

    /// Reads DynamoDB JSON, including empty sets, which DynamoDB refuses. The error says what is wrong and where in
    /// lists and maps.
    pub fn from_dynamodb_json(json: &Json) -> Result<Self, String> {
        read_typed(json)?.check_depth()
    }

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

fn object(map: &SortedMap<String, Value>, write: fn(&Value) -> Json) -> Json {
    let mut object = serde_json::Map::new();
    for (name, value) in map {
        object.insert(name.clone(), write(value));
    }
    Json::Object(object)
}

/// The file form: strings, booleans, null and integers up to 2^53 are plain JSON; all else is DynamoDB JSON.
impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::S(text) => serializer.serialize_str(text),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Null => serializer.serialize_unit(),
            Self::N(number) => match safe_integer(number) {
                Some(integer) => serializer.serialize_i64(integer),
                None => self.to_dynamodb_json().serialize(serializer),
            },
            _ => self.to_dynamodb_json().serialize(serializer),
        }
    }
}

/// Reads the file form. Any value may also be DynamoDB JSON.
impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FileForm)
    }
}

/// A visitor, so that the file reader can report the position of an invalid value.
struct FileForm;

impl<'de> Visitor<'de> for FileForm {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(Value::S(text.to_owned()))
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        json_number(&number.into()).map(Value::N).map_err(E::custom)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        json_number(&number.into()).map(Value::N).map_err(E::custom)
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        let number =
            serde_json::Number::from_f64(number).ok_or_else(|| E::custom("not a number"))?;
        json_number(&number).map(Value::N).map_err(E::custom)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Err(de::Error::custom(r#"write a list as {"L": [...]}"#))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        let object = Json::deserialize(MapAccessDeserializer::new(map))?;
        Value::from_dynamodb_json(&object).map_err(de::Error::custom)
    }
}

/// Reads DynamoDB JSON without checking its depth.
fn read_typed(json: &Json) -> Result<Value, String> {
    let Some((word, content)) = json
        .as_object()
        .filter(|o| o.len() == 1)
        .and_then(|o| o.iter().next())
    else {
        return Err(format!(
            "expected DynamoDB JSON such as {{\"S\": \"text\"}}, found {}",
            shorten(json)
        ));
    };
    let kind = AttributeType::from_word(word).ok_or_else(|| {
        let words: Vec<_> = AttributeType::ALL.iter().map(|kind| kind.word()).collect();
        format!(
            "`{word}` is not a DynamoDB type: use one of {}",
            words.join(", ")
        )
    })?;
    let wrong = || {
        format!(
            "`{}` does not fit type {kind}: write {}",
            shorten(content),
            example(kind)
        )
    };
    let text = |json: &Json| json.as_str().map(str::to_owned).ok_or_else(wrong);
    let list = || content.as_array().ok_or_else(wrong);
    Ok(match kind {
        AttributeType::S => Value::S(text(content)?),
        AttributeType::N => Value::N(number(&text(content)?)?),
        AttributeType::B => Value::B(decode(&text(content)?)?),
        AttributeType::Bool => Value::Bool(content.as_bool().ok_or_else(wrong)?),
        AttributeType::Null if content.as_bool() == Some(true) => Value::Null,
        AttributeType::Null => return Err(wrong()),
        AttributeType::L => Value::L(
            list()?
                .iter()
                .enumerate()
                .map(|(i, v)| at(format!("[{i}]"), read_typed(v)))
                .collect::<Result<_, _>>()?,
        ),
        AttributeType::M => Value::M(fields(content.as_object().ok_or_else(wrong)?, read_typed)?),
        AttributeType::Ss => {
            let texts: Result<Vec<_>, String> = list()?.iter().map(text).collect();
            Value::Ss(SortedSet::from_iter(texts?))
        }
        AttributeType::Ns => {
            let read = |v| number(&text(v)?);
            let numbers: Result<Vec<_>, String> = list()?.iter().map(read).collect();
            Value::Ns(SortedSet::from_iter(numbers?))
        }
        AttributeType::Bs => {
            let read = |v| decode(&text(v)?);
            let all: Result<Vec<_>, String> = list()?.iter().map(read).collect();
            Value::Bs(SortedSet::from_iter(all?))
        }
    })
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
                other => other.as_str().map(number),
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

/// Reads the fields of an object with `read`.
fn fields(
    map: &serde_json::Map<String, Json>,
    read: fn(&Json) -> Result<Value, String>,
) -> Result<SortedMap<String, Value>, String> {
    let mut fields = SortedMap::new();
    for (name, json) in map {
        fields.insert(name.clone(), at(format!(".{name}"), read(json))?);
    }
    Ok(fields)
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

/// Adds a path segment before an error message.
fn at<T>(step: String, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|message| match message.starts_with(['.', '[']) {
        true => format!("{step}{message}"),
        false => format!("{step}: {message}"),
    })
}

fn number(text: &str) -> Result<Number, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

/// Reads a JSON number; an error if JSON readers would round it.
fn json_number(json: &serde_json::Number) -> Result<Number, String> {
    match json.as_f64() {
        Some(float) if json.is_f64() && float.abs() >= SAFE_INTEGER as f64 => Err(format!(
            "JSON numbers cannot represent {json} exactly: write it as {{\"N\": \"...\"}}"
        )),
        _ => number(&json.to_string()),
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

fn safe_integer(number: &Number) -> Option<i64> {
    number
        .as_i64()
        .filter(|integer| integer.unsigned_abs() <= SAFE_INTEGER)
}

fn encode(bytes: &[u8]) -> String {
    general_purpose::STANDARD.encode(bytes)
}

fn decode(text: &str) -> Result<Vec<u8>, String> {
    BASE64
        .decode(text)
        .map_err(|error| format!("`{text}` is not base64 ({error}): type base64 such as aGVsbG8="))
}

/// An example value of the type, for messages.
fn example(kind: AttributeType) -> &'static str {
    match kind {
        AttributeType::S => r#""text""#,
        AttributeType::N => r#""42""#,
        AttributeType::B => r#""aGVsbG8=""#,
        AttributeType::Bool | AttributeType::Null => "true",
        AttributeType::L => r#"["a", 1]"#,
        AttributeType::M => r#"{"name": "value"}"#,
        AttributeType::Ss => r#"["a", "b"]"#,
        AttributeType::Ns => "[1, 2.5]",
        AttributeType::Bs => r#"["aGVsbG8="]"#,
    }
}

/// The start of a JSON text, for messages.
fn shorten(json: &Json) -> String {
    const CHARS: usize = 40;
    let text = json.to_string();
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
