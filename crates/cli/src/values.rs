//! Values of arguments: names of patterns, and numbers of samples.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser, ValueParserFactory};
use keyfold_core::library;
use std::ffi::OsStr;

/// The name of a pattern, known or not. The completion scripts offer the known ones.
#[derive(Debug, Clone)]
pub struct PatternName(pub String);

impl ValueParserFactory for PatternName {
    type Parser = PatternNameParser;

    fn value_parser() -> Self::Parser {
        PatternNameParser
    }
}

/// Reads a [`PatternName`].
#[derive(Debug, Clone)]
pub struct PatternNameParser;

impl TypedValueParser for PatternNameParser {
    type Value = PatternName;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<PatternName, clap::Error> {
        let name = StringValueParser::new().parse_ref(command, arg, value)?;
        Ok(PatternName(name))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let patterns = library::patterns().iter();
        Some(Box::new(patterns.map(|pattern| {
            PossibleValue::new(pattern.name).help(pattern.title)
        })))
    }
}

/// `ENTITY=N`: a number of samples of an entity.
#[derive(Debug, Clone)]
pub struct EntityCount {
    /// The name of the entity.
    pub entity: String,
    /// The number of samples.
    pub count: u32,
}

impl std::str::FromStr for EntityCount {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (entity, count) = name_and_count(text).ok_or("write ENTITY=N")?;
        let entity = entity.to_owned();
        Ok(EntityCount { entity, count })
    }
}

/// `PARENT:ENTITY=N`: a number of samples of an entity for each sample of another.
#[derive(Debug, Clone)]
pub struct CountPerParent {
    /// The name of the entity that is referred to.
    pub parent: String,
    /// The name of the entity.
    pub entity: String,
    /// The number of samples for each parent.
    pub count: u32,
}

impl std::str::FromStr for CountPerParent {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            name_and_count(text).and_then(|(names, count)| Some((names.split_once(':')?, count)));
        let ((parent, entity), count) = parts.ok_or("write PARENT:ENTITY=N")?;
        Ok(CountPerParent {
            parent: parent.to_owned(),
            entity: entity.to_owned(),
            count,
        })
    }
}

/// Splits a text at its last `=`.
fn name_and_count(text: &str) -> Option<(&str, u32)> {
    let (name, count) = text.rsplit_once('=')?;
    Some((name, count.parse().ok()?))
}
