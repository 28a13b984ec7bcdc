//! Sample data from files: CSV, and DynamoDB JSON in all the forms in which DynamoDB and its command line write it.
//!
//! An item's entity is the one that the table's type attribute names, else the one whose templates its keys fit. Keys
//! that templates write are left out, since they are rendered again, but attributes that are only in a key are taken
//! from there. What has no place is listed with where it stands and why; nothing is lost silently.

mod csv;
mod json;
mod place;

use crate::model::{Design, EntityId, SortedMap, Value, Values};
use place::Placer;

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// New samples, in the order of the file.
    pub added: Vec<(EntityId, Values)>,
    /// What could not become a sample.
    pub refused: Vec<Note>,
    /// What became one but not exactly as it stood in the file.
    pub remarks: Vec<Note>,
}

/// Something to say of a place in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// The place: `line 5`, `Items[3]`.
    pub place: String,
    /// What there is to say, without the place.
    pub message: String,
}

/// One item as it stands in a file.
struct Raw {
    place: String,
    values: SortedMap<String, Value>,
    /// Its entity, if that is known already.
    entity: Option<EntityId>,
}

/// Reads CSV or DynamoDB JSON, whichever it is, into samples of `into`, or of the entities that the items show. The
/// error says why the file as a whole cannot be read, and where.
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
