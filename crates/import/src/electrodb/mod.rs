//! ElectroDB: entities and services as literals in TypeScript or JavaScript, and entities as JSON. Sources: "Entities",
//! "Schema" and "Services", ElectroDB documentation; the old forms (`facets`, the model's names beside the attributes) by
//! ElectroDB 3, which still reads them.

mod attributes;
mod keys;
mod names;

use crate::cursor::{Members, shorten};
use crate::form::{FoundEntity, FoundTable, Import, Naming, Note, Notes, UNNAMED};
use crate::script::{Call, Script, call_of, is_unknown_member};
use attributes::Attributes;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{IndexKind, Table};
use names::Names;

/// Whether this is the schema of an entity.
pub fn is_schema(node: &Node) -> bool {
    schema_of(node).is_some_and(|map| matches!(map.get("attributes"), Some(Node::Map(_))))
}

/// The schema of an entity: a literal, or the argument of `createSchema`. Its attributes may be an expression.
fn schema_of(node: &Node) -> Option<&Map> {
    if let Some(call) = call_of(node) {
        let schema = call
            .arguments
            .first()
            .filter(|_| call.name == "createSchema");
        return schema
            .filter(|node| call_of(node).is_none())
            .and_then(schema_of);
    }
    let Node::Map(map) = node else { return None };
    let is_map = |name: &str| matches!(map.get(name), Some(Node::Map(_)));
    let has = |name: &str| map.get(name).is_some();
    let is_named = is_map("model") || has("entity") && has("service");
    (is_named && has("attributes") && is_map("indexes")).then_some(map)
}

/// Whether a script uses ElectroDB.
pub fn is_script(script: &Script) -> bool {
    let is_entity = |call: &Call| call.arguments.first().is_some_and(is_schema);
    script.mentions("electrodb") || script.created(&["Entity"]).iter().any(is_entity)
}

/// Reads the entities of a script.
///
/// # Errors
///
/// That there is none, or why none can be read.
pub fn read_script(script: &Script, notes: &mut Notes) -> Result<Import, String> {
    let service = script.created(&["Service"]).into_iter();
    let options_of_service = service
        .filter_map(|call| call.arguments.into_iter().nth(1))
        .next();
    let mut entities = Vec::new();
    for call in script.created(&["Entity"]) {
        let [schema, rest @ ..] = call.arguments.as_slice() else {
            continue;
        };
        let Some(schema) = schema_of(schema) else {
            let why = format!(
                "the entity is left out: {} is not a literal schema",
                shorten(schema)
            );
            notes.add(format!("line {}", call.line), why);
            continue;
        };
        let given = call.constant.as_deref().and_then(|constant| {
            // Our exports compute the values that callers must pass in a function beside the entity.
            let mut letters = constant.chars();
            let first = letters.next()?.to_ascii_lowercase();
            script.returned(&format!("{first}{}Keys", letters.as_str()))
        });
        entities.push(Source {
            place: format!("line {}", call.line),
            schema: schema.clone(),
            options: rest.first().cloned(),
            given,
        });
    }
    if entities.is_empty() {
        for (name, node) in script.constants() {
            if let Some(schema) = schema_of(&node) {
                entities.push(Source {
                    place: name.to_owned(),
                    schema: schema.clone(),
                    options: None,
                    given: None,
                });
            }
        }
    }
    import(&entities, options_of_service.as_ref(), notes)
}

/// Reads an entity in JSON.
///
/// # Errors
///
/// Why it cannot be read, and where.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let Some(schema) = schema_of(node) else {
        return Err("expected an object with model, attributes and indexes".to_owned());
    };
    let source = Source {
        place: String::new(),
        schema: schema.clone(),
        options: None,
        given: None,
    };
    import(&[source], None, notes)
}

/// An entity of a file.
struct Source {
    place: String,
    schema: Map,
    options: Option<Node>,
    given: Option<Node>,
}

/// What says how the table of an entity is called: its options, its schema, or the options of its service.
struct TableName<'s> {
    node: &'s Node,
    /// Whether this is the name. Otherwise, it is the code of all options.
    is_name: bool,
}

impl TableName<'_> {
    fn is_literal(&self) -> bool {
        matches!(self.node, Node::Text(_))
    }
}

/// What names the table of an entity; those of its expressions that have no value are noted.
fn table_name<'s>(
    source: &'s Source,
    service: Option<&'s Node>,
    notes: &mut Notes,
) -> Option<TableName<'s>> {
    let of = |options: &'s Node| match options {
        Node::Map(map) => Some((map.get("table")?, true)),
        other => Some((other, false)),
    };
    let own = source.schema.get("table").map(|node| (node, true));
    let options = source.options.as_ref().and_then(of).into_iter();
    let all = options.chain(own).chain(service.and_then(of));
    let mut unknown: Vec<TableName> = Vec::new();
    for (node, is_name) in all.filter(|(node, _)| **node != Node::Null) {
        let name = TableName { node, is_name };
        if name.is_literal() {
            return Some(name);
        }
        note_unknown_name(node, &source.place, notes);
        unknown.push(name);
    }
    let at = unknown.iter().position(|name| name.is_name);
    (!unknown.is_empty()).then(|| unknown.swap_remove(at.unwrap_or(0)))
}

/// Notes that the name of a table is not known, each expression once.
fn note_unknown_name(name: &Node, place: &str, notes: &mut Notes) {
    let why = format!(
        "the name of the table is left out: {} is not a literal",
        shorten(name)
    );
    if !notes.0.iter().any(|note| note.message == why) {
        notes.add(place, why);
    }
}

fn import(
    entities: &[Source],
    service: Option<&Node>,
    notes: &mut Notes,
) -> Result<Import, String> {
    let mut import = Import::default();
    let mut problem = None;
    let names: Vec<Option<TableName>> = (entities.iter())
        .map(|source| table_name(source, service, notes))
        .collect();
    // An entity that does not name its table is of the only one that an expression names.
    let given = names.iter().flatten();
    let mut given = given.filter(|name| name.is_name && !name.is_literal());
    let only = given.next().map(|name| name.node);
    let only = only.filter(|only| given.all(|name| name.node == *only));
    for (source, name) in entities.iter().zip(&names) {
        let name = match name {
            Some(name) if name.is_name || name.is_literal() => Some(name.node),
            name => only.or(name.as_ref().map(|name| name.node)),
        };
        match entity(source, name, notes) {
            Ok(found) => join(&mut import.tables, found, notes),
            Err(why) => {
                problem = problem.or(Some(format!("{}: {why}", source.place)));
                notes.add(&source.place, format!("the entity is left out: {why}"));
            }
        }
    }
    for table in &import.tables {
        for index in table
            .indexes
            .iter()
            .filter(|one| one.kind == IndexKind::Lsi)
        {
            let name = &index.name;
            let message = format!(
                "the index {name} has the partition key of the table and is taken to be an LSI, but may be a GSI: a template or DescribeTable says which"
            );
            let place = match table.place.as_str() {
                "" => "indexes".to_owned(),
                place => place.to_owned(),
            };
            import.assumed.push(Note { place, message });
        }
    }
    match import.tables.is_empty() {
        true => Err(problem
            .unwrap_or_else(|| "expected new Entity({ model, attributes, indexes })".to_owned())),
        false => Ok(import),
    }
}

/// Joins the table of an entity with that of others, which has the same name or is named by the same expression.
fn join(tables: &mut Vec<FoundTable>, mut found: FoundTable, notes: &mut Notes) {
    let is_same = |other: &&mut FoundTable| {
        let is_known = found.naming == Naming::Known;
        other.naming == found.naming && (!is_known || other.table.name == found.table.name)
    };
    let Some(known) = tables.iter_mut().find(is_same) else {
        found.make_unique(tables.iter());
        return tables.push(found);
    };
    if known.table.key != found.table.key {
        let why = "the entity is left out: its primary key differs from that of the other entities of the table";
        return notes.add(found.place, why);
    }
    for index in found.indexes {
        match known
            .indexes
            .iter_mut()
            .find(|other| other.name == index.name)
        {
            None => known.indexes.push(index),
            Some(other) => keys::join_projections(other, &index),
        }
    }
    known.entities.extend(found.entities);
}

/// Reads an entity as a table with this entity only.
fn entity(source: &Source, name: Option<&Node>, notes: &mut Notes) -> Result<FoundTable, String> {
    let start = notes.0.len();
    let root = Members::new(&source.schema, "");
    let names = match root.under("model", notes) {
        Some(model) => {
            let names = Names::of(&model, false, notes)?;
            model.finish(notes);
            names
        }
        None => Names::of(&root, true, notes)?,
    };
    let empty = Map::new();
    let attributes = root.under("attributes", notes);
    let attributes = attributes.unwrap_or_else(|| Members::new(&empty, "attributes"));
    let mut read = Attributes::read(&attributes, source.given.as_ref(), notes);
    let indexes = root
        .under("indexes", notes)
        .ok_or("indexes: expected an object")?;
    let mut keys = keys::Keys::new(&names, &mut read);
    for (name, _) in indexes
        .map
        .pairs()
        .filter(|(name, _)| !is_unknown_member(name))
    {
        if let Some(index) = indexes.under(name, notes) {
            keys.add(name, &index, notes)?;
        }
    }
    keys.assume_local();
    indexes.finish(notes);
    root.skip(&["filters", "table"]);
    root.finish(notes);
    let keys::Keys {
        primary,
        indexes,
        keys,
        templates,
        ..
    } = keys;
    let key = primary.ok_or("indexes: expected an index of the table, without `index`")?;
    let mut result = Table::new(UNNAMED);
    result.key = key;
    result.type_attribute = Some(identifier(source.options.as_ref()));
    let mut table_found = FoundTable::new(source.place.clone(), result, indexes);
    table_found.call_by(name);
    read.list
        .retain(|attribute| !templates.iter().any(|(field, _)| *field == attribute.name));
    table_found.entities.push(FoundEntity {
        place: source.place.clone(),
        name: names.entity,
        description: String::new(),
        attributes: read.list,
        keys,
    });
    notes.within(start, &source.place);
    Ok(table_found)
}

/// The attribute in which ElectroDB stores the name of the entity.
fn identifier(options: Option<&Node>) -> String {
    let name = options.and_then(|options| match options {
        Node::Map(map) => match map.get("identifiers")? {
            Node::Map(map) => match map.get("entity")? {
                Node::Text(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        },
        _ => None,
    });
    name.unwrap_or_else(|| "__edb_e__".to_owned())
}
