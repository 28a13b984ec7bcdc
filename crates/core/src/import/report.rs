//! What was found in imported files, for a reader who decides whether to use it. The page gets it from the worker that reads
//! the files.

use serde::{Deserialize, Serialize};

/// The content of imported files.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The formats of the files, for people.
    pub formats: Vec<String>,
    /// The tables: each becomes a design.
    pub tables: Vec<TableReport>,
    /// What the files do not say and the values suggest.
    pub assumed: Vec<String>,
    /// What was not understood, and what is not imported as it is in the file.
    pub left_out: Vec<String>,
}

/// A table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// An entity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntityReport {
    /// The name.
    pub name: String,
    /// Number of its items.
    pub items: usize,
    /// Number of its items whose primary key its templates write; `None` if the file has the templates.
    pub explained: Option<usize>,
    /// Its key templates.
    pub templates: Vec<TemplateReport>,
}

/// A key template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TemplateReport {
    /// The key attribute.
    pub key: String,
    /// The template.
    pub template: String,
    /// Keys of items that it does not write: some of them.
    pub unexplained: Vec<String>,
}
