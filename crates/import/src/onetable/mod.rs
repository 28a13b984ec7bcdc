//! OneTable: schemas as JSON, and as literals in TypeScript or JavaScript. Sources: "Schema" and "Table", documentation of
//! OneTable 2.

mod model;
mod params;

use crate::cursor::{Members, expected, found, shorten};
use crate::form::{FoundTable, Import, Notes, UNNAMED};
use crate::script::{Script, is_unknown_member};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{Index, IndexKind, KeyAttribute, KeySchema, KeyType, Projection, Table};
use model::Model;
use params::Params;

/// OneTable's name for the primary key.
const PRIMARY: &str = "primary";

/// Whether this is a schema.
pub fn is_schema(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let is_map = |name: &str| matches!(map.get(name), Some(Node::Map(_)));
    is_map("indexes") && is_map("models")
}

/// Whether a script contains a schema.
pub fn is_script(script: &Script) -> bool {
    script.mentions("dynamodb-onetable") || script.constants().any(|(_, node)| is_schema(&node))
}

/// Reads the schemas of a script.
///
/// # Errors
///
/// That there is none, or why it cannot be read.
pub fn read_script(script: &Script, notes: &mut Notes) -> Result<Import, String> {
    let mut import = Import::default();
    let functions = functions(script);
    let tables = script.created(&["Table"]);
    for call in &tables {
        let Some(Node::Map(options)) = call.arguments.first() else {
            continue;
        };
        let Some(schema) = options.get("schema").filter(|node| is_schema(node)) else {
            continue;
        };
        let place = format!("line {}", call.line);
        let options = Members::new(options, "");
        let name = options.get("name");
        if let Some(other) = name.filter(|name| !matches!(name, Node::Text(_))) {
            let why = format!(
                "the name of the table is left out: {} is not a literal",
                shorten(other)
            );
            notes.add(&place, why);
        }
        let mut table = read_named(schema, name, Some(&options), &place, &functions, notes)?;
        table.make_unique(import.tables.iter());
        import.tables.push(table);
    }
    if import.tables.is_empty() {
        for (name, node) in script.constants() {
            if is_schema(&node) {
                let mut table = read_named(&node, None, None, name, &functions, notes)?;
                table.make_unique(import.tables.iter());
                import.tables.push(table);
            }
        }
    }
    match import.tables.is_empty() {
        true => Err("expected a schema with indexes and models".to_owned()),
        false => Ok(import),
    }
}

/// The functions that compute values: model, field, code. They are in a constant of our exports.
fn functions(script: &Script) -> Vec<(String, String, String)> {
    let mut functions = Vec::new();
    for (name, node) in script.constants() {
        let Node::Map(models) = node else { continue };
        if name != "keys" {
            continue;
        }
        for (model, fields) in models.pairs() {
            let Node::Map(fields) = fields else { continue };
            for (field, code) in fields.pairs() {
                if let Node::Code(code) = code {
                    functions.push((model.to_owned(), field.to_owned(), code.clone()));
                }
            }
        }
    }
    functions
}

/// Reads a schema in JSON.
///
/// # Errors
///
/// Why it cannot be read, and where.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    Ok(Import {
        tables: vec![read_named(node, None, None, "", &[], notes)?],
        ..Import::default()
    })
}

fn read_named(
    node: &Node,
    name: Option<&Node>,
    options: Option<&Members>,
    place: &str,
    functions: &[(String, String, String)],
    notes: &mut Notes,
) -> Result<FoundTable, String> {
    let root = Members::of(node, "")?;
    root.skip(&["format", "version", "name", "queries", "process"]);
    let own = root.under("params", notes);
    let params = Params::of(own.as_ref().or(options), notes);
    let models = match root.get("models") {
        Some(Node::Map(models)) => models,
        Some(other) => return Err(expected("models", "an object", other)),
        None => return Err("models: expected an object".to_owned()),
    };
    let key_type = |name: &str| key_type(models, name, params.is_iso);
    let indexes = match root.get("indexes") {
        Some(Node::Map(indexes)) => indexes,
        _ => return Err("indexes: expected an object with the primary index".to_owned()),
    };
    let mut table = Table::new(UNNAMED);
    table.type_attribute = Some(params.type_field.clone());
    let all = Members::new(indexes, "indexes");
    let primary = all
        .get(PRIMARY)
        .ok_or("indexes.primary: expected an object with hash")?;
    let primary = Members::of(primary, "indexes.primary")?;
    table.key = key(&primary, &key_type, None, notes)?;
    primary.finish(notes);
    let mut found_indexes = Vec::new();
    let is_secondary = |name: &str| name != PRIMARY && !is_unknown_member(name);
    for (name, _) in indexes.pairs().filter(|(name, _)| is_secondary(name)) {
        let Some(from) = all.under(name, notes) else {
            continue;
        };
        let is_local = from.text("type", notes).as_deref() == Some("local");
        let kind = if is_local {
            IndexKind::Lsi
        } else {
            IndexKind::Gsi
        };
        let own = is_local.then(|| table.key.partition.clone());
        let mut index = Index::new(name, kind, key(&from, &key_type, own, notes)?);
        index.projection = match from.get("project") {
            None => Projection::All,
            Some(Node::Text(word)) if word == "all" => Projection::All,
            Some(Node::Text(word)) if word == "keys" => Projection::KeysOnly,
            Some(Node::List(_)) => Projection::Include(from.texts("project", notes)),
            Some(other) => {
                notes.add(from.path_of("project"), found("all, keys or a list", other));
                Projection::All
            }
        };
        from.skip(&["follow"]);
        from.finish(notes);
        found_indexes.push(index);
    }
    all.finish(notes);
    let place = if place.is_empty() {
        "the schema"
    } else {
        place
    };
    let mut table = FoundTable::new(place, table, found_indexes);
    table.delimiter = Some(params.separator.clone());
    table.call_by(name);
    let all = Members::new(models, "models");
    for (name, _) in models.pairs().filter(|(name, _)| !is_unknown_member(name)) {
        let Some(from) = all.under(name, notes) else {
            continue;
        };
        let mut model = Model::new(name, &table, functions, &params, &from);
        let entity = model.entity(&from, notes);
        if let Some((name, place)) = model.ttl {
            match &table.table.ttl_attribute {
                Some(other) if *other != name => {
                    let why = format!("left out: the TTL attribute of the table is `{other}`");
                    notes.add(place, why);
                }
                _ => table.table.ttl_attribute = Some(name),
            }
        }
        table.entities.push(entity);
    }
    all.finish(notes);
    root.finish(notes);
    Ok(table)
}

fn key(
    from: &Members,
    key_type: &dyn Fn(&str) -> KeyType,
    partition: Option<Vec<KeyAttribute>>,
    notes: &mut Notes,
) -> Result<KeySchema, String> {
    let of = |name: String| KeyAttribute {
        kind: key_type(&name),
        name,
    };
    let partition = match (from.text("hash", notes), partition) {
        (_, Some(own)) => own,
        (Some(name), None) => vec![of(name)],
        (None, None) => return Err(format!("{}: expected a string", from.path_of("hash"))),
    };
    let sort = from.text("sort", notes).map(of);
    Ok(KeySchema {
        partition,
        sort: sort.into_iter().collect(),
    })
}

/// The type of a key attribute, by the first model that declares it.
fn key_type(models: &Map, name: &str, is_iso: bool) -> KeyType {
    let declared = models.pairs().find_map(|(_, model)| match model {
        Node::Map(fields) => match fields.get(name)? {
            Node::Map(field) => type_word(field.get("type")?),
            other => type_word(other),
        },
        _ => None,
    });
    match declared.as_deref() {
        Some("number") => KeyType::N,
        Some("date") if !is_iso => KeyType::N,
        Some("binary" | "buffer" | "arraybuffer") => KeyType::B,
        _ => KeyType::S,
    }
}

/// The name of a type in lower case: `String` or `"string"`.
fn type_word(node: &Node) -> Option<String> {
    match node {
        Node::Text(word) | Node::Code(word) => Some(word.trim().to_lowercase()),
        _ => None,
    }
}
