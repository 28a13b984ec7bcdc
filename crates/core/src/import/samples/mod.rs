//! Imports samples from CSV and from DynamoDB JSON in every form that DynamoDB and the AWS CLI write.
//!
//! The table's type attribute names an item's entity; without it, the entity is the one whose templates fit the item's
//! keys. Key attributes that templates write are dropped, because they are rendered again. Attributes that occur only
//! in a key are recovered from it. Everything that could not be imported is listed with its place and the reason.

mod entity_of_item;
pub mod parts;

use super::Note;
use super::items::{FoundItem, ItemValues, Items, csv, json};
use crate::delimited::Row;
use crate::model::{AttributeType, Design, EntityId, Value, Values, name};
pub use entity_of_item::Placer;

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

/// Reads CSV or DynamoDB JSON (detected) into samples of `into`, or of the entities that the items belong to. The only
/// entity of a design takes all items.
///
/// # Errors
///
/// Why and where the file as a whole cannot be read. Problems of single items are in [`Imported`].
pub fn read(design: &Design, text: &str, into: Option<EntityId>) -> Result<Imported, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let placer = Placer::or_only(design, into);
    let first = text.trim_start().chars().next();
    let items = match first {
        None => return Err("the file is empty".into()),
        Some('{' | '[') => json::read(text)?,
        Some(_) => rows(design, text, &placer)?,
    };
    let mut imported = Imported {
        added: Vec::new(),
        refused: items.left_out,
        remarks: items.remarks,
    };
    for item in items.groups.into_iter().flat_map(|group| group.items) {
        let check = |name: &String| name::check_attribute(name).err();
        let wrong = item.values.keys().find_map(check);
        match wrong {
            Some(error) => imported.refuse(item.place, error.to_string()),
            None => placer.place(item, &mut imported),
        }
    }
    Ok(imported)
}

/// Reads the items of rows: each column has the type that the entity of its row declares.
fn rows(design: &Design, text: &str, placer: &Placer) -> Result<Items, String> {
    let sheet = csv::sheet(text)?;
    for (name, number) in sheet.names.iter().zip(1..) {
        if !name.is_empty() {
            let place = |why| format!("line {}, column {number}: {why}", sheet.line);
            name::check_attribute(name).map_err(place)?;
        }
    }
    let mut entities: Vec<Option<EntityId>> = Vec::new();
    let mut number = |row: &Row| {
        let look = |wanted: &str| {
            let (_, text) = sheet.cells(row).find(|(name, _)| *name == wanted)?;
            let kind = placer.key_type(wanted).unwrap_or(AttributeType::S);
            Value::from_cell(kind, text).ok()?
        };
        let used: Vec<&str> = sheet.cells(row).map(|(name, _)| name).collect();
        let entity = placer.entity(&look, &used).ok();
        let known = entities.iter().position(|other| *other == entity);
        known.unwrap_or_else(|| {
            entities.push(entity);
            entities.len() - 1
        })
    };
    let kinds: Vec<usize> = sheet.rows.iter().map(&mut number).collect();
    Ok(sheet.items(&kinds, &|kind, name| {
        let entity = *entities.get(kind)?;
        entity.and_then(|id| design.type_of(id, name))
    }))
}

/// Makes samples of items, each with its place in its file, as [`read`] does.
pub fn place_items(
    design: &Design,
    items: impl IntoIterator<Item = (String, ItemValues)>,
) -> Imported {
    let mut imported = Imported::default();
    let placer = Placer::new(design, None);
    for (place, values) in items {
        placer.place(FoundItem { place, values }, &mut imported);
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
