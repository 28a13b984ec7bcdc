//! DynamoDB JSON, and the form of a value in Keyfold's file.

use super::Value;
use super::attribute_type::AttributeType;
use super::json_numbers::refusal_of_rounded;
use crate::model::SortedMap;
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
}

pub(super) fn object(map: &SortedMap<String, Value>, write: fn(&Value) -> Json) -> Json {
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
pub(super) fn read_typed(json: &Json) -> Result<Value, String> {
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

/// Reads the fields of an object with `read`.
pub(super) fn fields(
    map: &serde_json::Map<String, Json>,
    read: fn(&Json) -> Result<Value, String>,
) -> Result<SortedMap<String, Value>, String> {
    let mut fields = SortedMap::new();
    for (name, json) in map {
        fields.insert(name.clone(), at(format!(".{name}"), read(json))?);
    }
    Ok(fields)
}

/// Adds a path segment before an error message.
pub(super) fn at<T>(step: String, result: Result<T, String>) -> Result<T, String> {
    result.map_err(|message| match message.starts_with(['.', '[']) {
        true => format!("{step}{message}"),
        false => format!("{step}: {message}"),
    })
}

pub(super) fn number(text: &str) -> Result<Number, String> {
    text.parse().map_err(|error| format!("`{text}`: {error}"))
}

/// Reads a JSON number; an error if JSON readers would round it.
pub(super) fn json_number(json: &serde_json::Number) -> Result<Number, String> {
    match json.as_f64() {
        Some(float) if json.is_f64() && float.abs() >= SAFE_INTEGER as f64 => {
            Err(refusal_of_rounded(&json.to_string()))
        }
        _ => number(&json.to_string()),
    }
}

pub(super) fn safe_integer(number: &Number) -> Option<i64> {
    number
        .as_i64()
        .filter(|integer| integer.unsigned_abs() <= SAFE_INTEGER)
}

pub(super) fn encode(bytes: &[u8]) -> String {
    general_purpose::STANDARD.encode(bytes)
}

pub(super) fn decode(text: &str) -> Result<Vec<u8>, String> {
    BASE64
        .decode(text)
        .map_err(|error| format!("`{text}` is not base64 ({error}): type base64 such as aGVsbG8="))
}

/// An example value of the type, for messages.
pub(super) fn example(kind: AttributeType) -> &'static str {
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
pub(super) fn shorten(json: &Json) -> String {
    const CHARS: usize = 40;
    let text = json.to_string();
    match text.char_indices().nth(CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
