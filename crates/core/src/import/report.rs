//! What was found in imported files, for a reader who changes it and decides whether to use it. The page gets it from the
//! worker that reads the files, and sends it [`Edit`]s.

use super::Note;
use serde::{Deserialize, Serialize};

/// The content of imported files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The formats of the files, for people.
    pub formats: Vec<String>,
    /// What the files, or their names, call all tables together.
    pub name: String,
    /// The tables: each becomes a design.
    pub tables: Vec<TableReport>,
    /// What the files do not say and the values suggest.
    pub assumed: Vec<String>,
    /// What was not understood, and what is not imported as it is in the file.
    pub left_out: Vec<String>,
    /// Whether an edit can be taken back.
    pub can_undo: bool,
}

/// Items that are ready to become samples, without the samples themselves.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Placed {
    /// Items that cannot become samples.
    pub refused: Noted,
    /// Items that become samples with changes.
    pub remarks: Noted,
}

/// Messages, of which the first are enough for a reader.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Noted {
    /// Number of all messages.
    pub count: usize,
    /// The first ones.
    pub first: Vec<String>,
}

impl Noted {
    /// Maximum number of messages that are kept.
    const FIRST: usize = 100;

    /// Keeps the first messages.
    pub fn new(notes: &[Note]) -> Noted {
        Noted {
            count: notes.len(),
            first: (notes.iter().take(Noted::FIRST).map(Note::to_string)).collect(),
        }
    }
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TableReport {
    /// The name of its design.
    pub name: String,
    /// Number of secondary indexes.
    pub indexes: usize,
    /// Number of access patterns.
    pub patterns: usize,
    /// Number of samples.
    pub samples: usize,
    /// Its entities.
    pub entities: Vec<EntityReport>,
    /// What edits have changed beside the entities.
    pub notes: Vec<String>,
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EntityReport {
    /// What edits call it. It keeps its meaning whatever is edited.
    pub id: u32,
    /// The name.
    pub name: String,
    /// Number of its items.
    pub items: usize,
    /// Number of its items whose primary key its templates write; `None` if the file has the templates.
    pub explained: Option<usize>,
    /// Number of items of its kind that other entities keep, because its templates do not explain them.
    pub outside: usize,
    /// Whether it only keeps items that no template explains.
    pub is_rest: bool,
    /// Its key templates.
    pub templates: Vec<TemplateReport>,
    /// The key attributes without a template that can get one.
    pub free_keys: Vec<KeyReport>,
    /// The attributes that only keys have: their values are parsed back.
    pub key_only: Vec<String>,
    /// The primary keys of some of its items.
    pub examples: Vec<String>,
    /// Whether it can be merged with other entities of the table that can be merged.
    pub can_merge: bool,
    /// Whether it has items enough to be split.
    pub can_split: bool,
    /// Attributes by whose values it can be split.
    pub split_by: Vec<String>,
}

/// A key attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyReport {
    /// The name.
    pub key: String,
    /// The index; `None` for the table's primary key.
    pub index: Option<String>,
}

/// A key template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TemplateReport {
    /// The key attribute.
    pub key: String,
    /// The index; `None` for the table's primary key.
    pub index: Option<String>,
    /// The template.
    pub template: String,
    /// Number of items whose value it writes.
    pub explained: usize,
    /// Number of items of the entity's kind whose value it does not write.
    pub misfits: usize,
    /// Keys of items that it does not write: some of them.
    pub unexplained: Vec<String>,
}

/// A change of what was found in a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Edit {
    /// The position of the table in the report.
    pub table: usize,
    /// What changes.
    pub change: Change,
}

/// What an [`Edit`] changes. Entities have their ids.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
pub enum Change {
    /// Another name for an entity.
    Rename {
        /// The entity.
        entity: u32,
        /// The name.
        name: String,
    },
    /// One entity of several, with the name of the first.
    Merge {
        /// The entities: two or more.
        entities: Vec<u32>,
    },
    /// Several entities of one.
    Split {
        /// The entity.
        entity: u32,
        /// The attribute whose values tell the items apart. `None`: the items that the templates do not explain, or else
        /// the forms of the keys.
        by: Option<String>,
    },
    /// Another template for a key attribute.
    SetTemplate {
        /// The entity.
        entity: u32,
        /// The key attribute.
        key: String,
        /// The template; `None` or a blank text removes it.
        template: Option<String>,
    },
}
