//! `dynamodb_data_model.json`: CreateTable requests, put requests by table, and access patterns as calls of the AWS CLI.

use crate::aws_cli_call::Call;
use crate::cursor::Members;
use crate::form::{FoundOperation, FoundPattern, Import, Notes};
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
        if let Some((table, read)) = self::pattern(&pattern, &import, notes) {
            import.tables[table].patterns.push(read);
        }
    }
    root.finish(notes);
    Ok(import)
}

/// Reads an access pattern, with the position of its table, or notes why it cannot be read.
fn pattern(from: &Members, import: &Import, notes: &mut Notes) -> Option<(usize, FoundPattern)> {
    // The call has the same index and operation.
    from.skip(&["index", "dynamodb_operation"]);
    let number = from.text("pattern", notes).unwrap_or_default();
    let what = from.text("description", notes).unwrap_or_default();
    let table = from.text("table", notes);
    let command = from.text("implementation", notes);
    let reason = from.text("reason", notes);
    from.finish(notes);
    let found = || {
        let command = command.ok_or_else(|| reason.unwrap_or("it has no call".to_owned()))?;
        let call = Call::read(&command)?;
        let name = table.as_deref().or(call.table()).unwrap_or_default();
        let mut tables = import.tables.iter();
        let at = tables.position(|table| table.name == name);
        Ok((at.ok_or_else(|| format!("there is no table {name}"))?, call))
    };
    let (at, call) = match found() {
        Ok(found) => found,
        Err(why) => {
            let why: String = why;
            let why = format!("the access pattern {number} ({what}) is left out: {why}");
            notes.add(&from.path, why);
            return None;
        }
    };
    let name = match what.is_empty() {
        true => format!("Pattern {number}"),
        false => what,
    };
    let pattern = FoundPattern {
        place: from.path.clone(),
        name,
        description: String::new(),
        operation: FoundOperation::Call(call),
        entities: Vec::new(),
    };
    Some((at, pattern))
}
