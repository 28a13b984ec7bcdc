//! Reads a design from a file's text.

use super::error::{FileError, FilePosition};
use super::migrate::{FORMAT, migrate};
use super::objects::Objects;
use super::path::{duplicated_name, spot_at};
use crate::model::{Design, json_fault, validate_invariants};
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde_json::Value as Json;
use std::fmt;

/// The field that marks a Keyfold design. Its value is the format version.
pub(super) const VERSION_FIELD: &str = "keyfold";

/// Bytes at the start of a text in which a design file names its format.
pub const HEAD: usize = 200;

/// Returns whether a text is a design file, as its start tells without reading it.
pub fn is_design_file(text: &str) -> bool {
    let head = &text[..text.floor_char_boundary(HEAD)];
    head.contains("\"keyfold\":")
}

/// Reads a design file of this or an older format version. The design is valid: [`validate_invariants`] finds nothing.
///
/// # Errors
///
/// What is wrong with the file and where.
///
/// # Example
///
/// ```
/// use keyfold_core::model::Design;
/// use keyfold_core::persist::{from_json, to_json};
///
/// let design = Design::new("Shop");
/// let text = to_json(&design);
/// assert!(text.starts_with("{\n  \"keyfold\": 1,\n  \"name\": \"Shop\","));
/// assert_eq!(from_json(&text), Ok(design));
///
/// let error = from_json("{\"keyfold\": 1, \"nam\": \"Shop\"}").unwrap_err();
/// assert!(error.to_string().starts_with("line 1, column "));
/// ```
pub fn from_json(text: &str) -> Result<Design, FileError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(FileError::Empty);
    }
    let mut json: Json = read(text, false).map_err(|error| match error {
        FileError::NotJson { .. } if looks_like_cloudformation_yaml(text) => FileError::Foreign {
            looks_like: Some("a CloudFormation template in YAML"),
        },
        error => error,
    })?;
    if let Some((name, spot, place)) = duplicated_name(text) {
        return Err(FileError::Invalid {
            path: spot.path(),
            place: Some(place),
            message: format!("`{name}` occurs twice in one object"),
        });
    }
    let version = version(&json)?;
    let file = json.as_object_mut();
    let file = file.ok_or(FileError::Foreign { looks_like: None })?;
    let migrated = migrate(version, file);
    let File(design) = if migrated {
        read(&json.to_string(), true).map_err(FileError::without_place)?
    } else {
        read(text, true)?
    };
    match validate_invariants(&design) {
        violations if violations.is_empty() => Ok(design),
        violations => Err(FileError::Unsound(violations)),
    }
}

/// Parses a whole text. `is_json`: the text is known to be JSON, so an error must be about a field.
fn read<'de, T: Deserialize<'de>>(text: &'de str, is_json: bool) -> Result<T, FileError> {
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(Objects(&mut reader));
    (value.and_then(|value| reader.end().map(|()| value)))
        .map_err(|error| file_error(text, &error, is_json))
}

fn file_error(text: &str, error: &serde_json::Error, is_json: bool) -> FileError {
    let place = FilePosition {
        line: error.line(),
        column: error.column().max(1),
    };
    if !is_json {
        let message = json_fault(error);
        return FileError::NotJson { place, message };
    }
    let serde_message = error.to_string();
    let mut message = serde_message
        .rfind(" at line ")
        .map_or(&*serde_message, |end| &serde_message[..end]);
    let mut spot = spot_at(text, place);
    if message == "trailing characters" {
        // The reader is at the first surplus element.
        spot = spot.parent();
        message = "the list has too many elements";
    } else if spot.is_name && message.starts_with("unknown variant") {
        // The name is the kind of the value, not one of its fields.
        spot = spot.parent();
    }
    FileError::Invalid {
        path: spot.path(),
        place: Some(place),
        message: message.to_owned(),
    }
}

impl FileError {
    fn without_place(self) -> FileError {
        match self {
            FileError::Invalid { path, message, .. } => FileError::Invalid {
                path,
                place: None,
                message,
            },
            other => other,
        }
    }
}

fn version(json: &Json) -> Result<u64, FileError> {
    let Some(found) = json.get(VERSION_FIELD) else {
        return Err(FileError::Foreign {
            looks_like: looks_like(json),
        });
    };
    match found.as_u64() {
        Some(version @ 1..=FORMAT) => Ok(version),
        Some(version) if version > FORMAT => Err(FileError::Newer { version }),
        _ => Err(FileError::BadVersion {
            found: found.to_string(),
        }),
    }
}

/// Which program wrote the file, judged by its fields.
fn looks_like(json: &Json) -> Option<&'static str> {
    const SIGNS: &[(&str, &str)] = &[
        ("DataModel", "a NoSQL Workbench model"),
        ("ModelSchema", "a NoSQL Workbench model"),
        ("ModelName", "a NoSQL Workbench model"),
        ("AWSTemplateFormatVersion", "a CloudFormation template"),
        ("Resources", "a CloudFormation template"),
        ("KeySchema", "a DynamoDB table description"),
        ("Table", "a DynamoDB table description"),
        ("models", "a OneTable schema"),
        ("Items", "a list of DynamoDB items"),
        ("Item", "a DynamoDB item"),
        ("entities", "a Keyfold design without its field `keyfold`"),
    ];
    if json.is_array() {
        return Some("a list, possibly of items");
    }
    let sign = SIGNS.iter().find(|(field, _)| json.get(field).is_some());
    sign.map(|(_, what)| *what)
}

fn looks_like_cloudformation_yaml(text: &str) -> bool {
    text.lines()
        .any(|line| line.starts_with("AWSTemplateFormatVersion:") || line.starts_with("Resources:"))
}

/// The envelope: a design with the version field next to its own.
struct File(Design);

impl<'de> Deserialize<'de> for File {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(FileVisitor)
    }
}

struct FileVisitor;

impl<'de> Visitor<'de> for FileVisitor {
    type Value = File;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a design")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<File, A::Error> {
        let design = MapAccessDeserializer::new(WithoutVersion(map));
        Design::deserialize(design).map(File)
    }
}

/// The fields of a file without the version, so that a design can refuse unknown fields.
struct WithoutVersion<A>(A);

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutVersion<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(field) = self.0.next_key::<String>()? {
            if field != VERSION_FIELD {
                return seed.deserialize(field.into_deserializer()).map(Some);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}
