//! Items: DynamoDB JSON in every form that DynamoDB and the AWS CLI write, plain JSON, and CSV.

pub mod csv;
pub mod guess;
pub mod json;
pub mod lines;

use crate::form::{FoundItem, LooseItems, Notes};
use crate::values;
use keyfold_core::export::tree::Map;

/// Items by the table that their file names.
#[derive(Debug, Default)]
pub struct Groups(pub Vec<LooseItems>);

impl Groups {
    /// Adds an item, or notes why it cannot be read.
    pub fn add(&mut self, table: Option<&str>, place: String, map: &Map, notes: &mut Notes) {
        match values::item(map) {
            Ok(values) if values.is_empty() => {
                notes.add(place, "the item is left out: it has no attributes");
            }
            Ok(values) => self.push(table, FoundItem { place, values }),
            Err(why) => notes.add(place, format!("the item is left out: {why}")),
        }
    }

    fn push(&mut self, table: Option<&str>, item: FoundItem) {
        let known = (self.0.iter_mut()).find(|group| group.table.as_deref() == table);
        match known {
            Some(group) => group.items.push(item),
            None => self.0.push(LooseItems {
                table: table.map(str::to_owned),
                is_typed: true,
                items: vec![item],
            }),
        }
    }
}
