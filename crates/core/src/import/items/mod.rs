//! Items: DynamoDB JSON in every form that DynamoDB and the AWS CLI write, plain JSON, and CSV.
//!
//! The only reader of items: imports and samples use it.

pub mod csv;
pub(super) mod exact_numbers;
pub mod json;
pub mod lines;
pub mod value;

pub use exact_numbers::exact;

use super::{Note, Notes};
use crate::export::tree::Map;
use crate::model::{SortedMap, Value};
use rustc_hash::FxHashMap;

/// The attributes of an item.
pub type ItemValues = SortedMap<String, Value>;

/// An item.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundItem {
    /// Where it is in the file.
    pub place: String,
    /// Its attributes.
    pub values: ItemValues,
}

/// Items of a table that is not described.
#[derive(Debug, Clone, PartialEq)]
pub struct LooseItems {
    /// The table's name, if the file has it, as a batch request does.
    pub table: Option<String>,
    /// Whether the file has the types of all values. CSV does not.
    pub is_typed: bool,
    /// The items.
    pub items: Vec<FoundItem>,
}

/// What was read.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Items {
    /// Items by the table that their file names.
    pub groups: Vec<LooseItems>,
    /// What could not be read as an item.
    pub left_out: Vec<Note>,
    /// What else is to know of the items.
    pub remarks: Vec<Note>,
}

impl Items {
    /// Notes what could not be read, and returns the items.
    pub fn noted(self, notes: &mut Notes) -> Vec<LooseItems> {
        for note in self.left_out {
            let why = format!("the item is left out: {}", note.message);
            notes.add(note.place, why);
        }
        notes.0.extend(self.remarks);
        self.groups
    }
}

/// The items of a document while it is read.
#[derive(Debug, Default)]
struct Groups {
    groups: Vec<LooseItems>,
    places: FxHashMap<Option<String>, usize>,
    left_out: Notes,
    remarks: Notes,
}

impl Groups {
    /// Adds an item, or says why it cannot be read.
    fn add(&mut self, table: Option<&str>, place: String, map: &Map) {
        match value::item(map.pairs()) {
            Ok(values) if values.is_empty() => self.left_out.add(place, "it has no attributes"),
            Ok(values) => self.push(table, FoundItem { place, values }),
            Err(why) => self.left_out.add(place, why),
        }
    }

    fn push(&mut self, table: Option<&str>, item: FoundItem) {
        let table = table.map(str::to_owned);
        let next = self.groups.len();
        let at = *self.places.entry(table.clone()).or_insert(next);
        match self.groups.get_mut(at) {
            Some(group) => group.items.push(item),
            None => self.groups.push(LooseItems {
                table,
                is_typed: true,
                items: vec![item],
            }),
        }
    }

    fn finish(self) -> Items {
        Items {
            groups: self.groups,
            left_out: self.left_out.0,
            remarks: self.remarks.0,
        }
    }
}
