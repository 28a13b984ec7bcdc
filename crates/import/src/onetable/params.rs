//! The parameters of a schema.

use crate::cursor::Members;
use crate::form::Notes;
use keyfold_core::export::tree::Node;

/// The parameters of a schema. Before version 2 they were options of the table.
pub struct Params {
    /// The attribute with the name of the model.
    pub type_field: String,
    /// What separates the parts of keys.
    pub separator: String,
    /// The attribute with the time at which an item was made, if OneTable writes it.
    pub created: Option<String>,
    /// The attribute with the time of the last change, if OneTable writes it.
    pub updated: Option<String>,
    /// Whether times are text, otherwise milliseconds.
    pub is_iso: bool,
}

impl Params {
    /// Reads the parameters.
    pub fn of(from: Option<&Members>, notes: &mut Notes) -> Params {
        let mut params = Params {
            type_field: "_type".to_owned(),
            separator: "#".to_owned(),
            created: None,
            updated: None,
            is_iso: false,
        };
        let Some(from) = from else { return params };
        let mut text = |name: &str| from.text(name, notes);
        let (created, updated) = (text("createdField"), text("updatedField"));
        params.type_field = text("typeField").unwrap_or(params.type_field);
        params.separator = text("separator").unwrap_or(params.separator);
        let (is_created, is_updated) = match from.get("timestamps") {
            Some(Node::Bool(flag)) => (*flag, *flag),
            Some(Node::Text(word)) => (word == "create", word == "update"),
            _ => (false, false),
        };
        params.created = is_created.then(|| created.unwrap_or_else(|| "created".to_owned()));
        params.updated = is_updated.then(|| updated.unwrap_or_else(|| "updated".to_owned()));
        params.is_iso = from.flag("isoDates", notes).unwrap_or(false);
        if from.flag("nulls", notes) == Some(true) {
            let why = "left out: a design does not store NULL for a missing value";
            notes.add(from.path_of("nulls"), why);
        }
        from.skip(&["warn", "hidden", "partial"]);
        // The options of a table have others.
        if !from.path.is_empty() {
            from.finish(notes);
        }
        params
    }
}
