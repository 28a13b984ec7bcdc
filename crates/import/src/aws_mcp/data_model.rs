//! `dynamodb_data_model.json`: CreateTable requests, put requests by table, and access patterns as calls of the AWS CLI.

use crate::cursor::Members;
use crate::form::{Import, Notes};
use crate::requests;
use keyfold_core::export::tree::Node;
use keyfold_core::import::items::json;

/// Whether a document is a data model.
pub fn is_data_model(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let is_table = |node: &Node| matches!(node, Node::Map(map) if map.get("KeySchema").is_some());
    let has = |name: &str| map.get(name).is_some();
    matches!(map.get("tables"), Some(Node::List(tables)) if tables.iter().any(is_table))
        && (has("items") || has("access_patterns"))
}

/// Reads a data model.
///
/// # Errors
///
/// The table that cannot be read, and why.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let root = Members::of(node, "")?;
    let mut import = Import::default();
    for table in root.maps("tables", notes) {
        let read = requests::table(table.map, &table.path, notes)?;
        import.tables.push(read);
    }
    if let Some(items) = root.under("items", notes) {
        import.loose = json::of_tables(items.map, "items").noted(notes);
    }
    for pattern in root.maps("access_patterns", notes) {
        let name = pattern.text("pattern", notes).unwrap_or_default();
        let what = pattern.text("description", notes).unwrap_or_default();
        let why = format!(
            "the access pattern {name} ({what}) is left out: it is a call of the AWS CLI, without templates"
        );
        notes.add(pattern.path, why);
    }
    root.finish(notes);
    Ok(import)
}
