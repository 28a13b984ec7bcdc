//! Imports samples from CSV and from DynamoDB JSON in every form that DynamoDB and the AWS CLI write.
//!
//! The table's type attribute names an item's entity; without it, the entity is the one whose templates fit the item's
//! keys. Key attributes that templates write are dropped, because they are rendered again. Attributes that occur only
//! in a key are recovered from it. Everything that could not be imported is listed with its place and the reason.

mod csv;
mod json;
mod place;

use crate::model::{Design, EntityId, SortedMap, Value, Values};
use place::Placer;

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// New samples, in file order.
    pub added: Vec<(EntityId, Values)>,
    /// Items that could not become samples.
    pub refused: Vec<Note>,
    /// Items that became samples with changes.
    pub remarks: Vec<Note>,
}

/// A message about a place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The place: `line 5`, `Items[3]`.
    pub place: String,
    /// The message, without the place.
    pub message: String,
}

/// One item as found in a file.
struct Raw {
    place: String,
    values: SortedMap<String, Value>,
    /// The entity, if known.
    entity: Option<EntityId>,
}

/// Reads CSV or DynamoDB JSON (detected) into samples of `into`, or of the entities that the items belong to.
///
/// # Errors
///
/// Why and where the file as a whole cannot be read. Problems of single items are in [`Imported`].
pub fn read(design: &Design, text: &str, into: Option<EntityId>) -> Result<Imported, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut imported = Imported::default();
    let placer = Placer::new(design, into);
    let first = text.trim_start().chars().next();
    match first {
        None => return Err("the file is empty".into()),
        Some('{' | '[') => json::read(text, &placer, &mut imported)?,
        Some(_) => csv::read(design, text, &placer, &mut imported)?,
    }
    Ok(imported)
}

/// Makes samples of items, each with its place in its file, as [`read`] does.
pub fn place_items(
    design: &Design,
    items: impl IntoIterator<Item = (String, SortedMap<String, Value>)>,
) -> Imported {
    let mut imported = Imported::default();
    let placer = Placer::new(design, None);
    for (place, values) in items {
        let raw = Raw {
            place,
            values,
            entity: None,
        };
        placer.place(raw, &mut imported);
    }
    imported
}

impl Imported {
    fn refuse(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.refused.push(Note {
            place: place.into(),
            message: message.into(),
        });
    }

    fn remark(&mut self, place: impl Into<String>, message: impl Into<String>) {
        self.remarks.push(Note {
            place: place.into(),
            message: message.into(),
        });
    }
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.place)?;
        f.write_str(": ")?;
        f.write_str(&self.message)
    }
}
