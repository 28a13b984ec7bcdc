//! ElectroDB: entities and services as literals in TypeScript or JavaScript, and entities as JSON.

mod keys;

use crate::cursor::{Members, shorten};
use crate::form::{FoundEntity, FoundTable, Import, Notes};
use crate::script::{Call, Script, function};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Format, KeySchema, Table, Value,
};
use keyfold_core::template::Segment;

/// Whether this is the schema of an entity.
pub fn is_schema(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let is_map = |name: &str| matches!(map.get(name), Some(Node::Map(_)));
    is_map("model") && is_map("attributes") && is_map("indexes")
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
    let options = service.filter_map(|call| call.arguments.into_iter().nth(1));
    let table_of_service = options.filter_map(|node| table_name(&node)).next();
    let mut entities = Vec::new();
    for call in script.created(&["Entity"]) {
        let [schema, rest @ ..] = call.arguments.as_slice() else {
            continue;
        };
        if !is_schema(schema) {
            let why = format!(
                "the entity is left out: {} is not a literal",
                shorten(schema)
            );
            notes.add(format!("line {}", call.line), why);
            continue;
        }
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
            if is_schema(&node) {
                entities.push(Source {
                    place: name.to_owned(),
                    schema: node,
                    options: None,
                    given: None,
                });
            }
        }
    }
    import(&entities, table_of_service, notes)
}

/// Reads an entity in JSON.
///
/// # Errors
///
/// Why it cannot be read, and where.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let source = Source {
        place: String::new(),
        schema: node.clone(),
        options: None,
        given: None,
    };
    import(&[source], None, notes)
}

/// An entity of a file.
struct Source {
    place: String,
    schema: Node,
    options: Option<Node>,
    given: Option<Node>,
}

/// The table in the options of an entity or a service.
fn table_name(options: &Node) -> Option<String> {
    match options {
        Node::Map(map) => match map.get("table")? {
            Node::Text(name) => Some(name.clone()),
            _ => None,
        },
        _ => None,
    }
}

fn import(
    entities: &[Source],
    table_of_service: Option<String>,
    notes: &mut Notes,
) -> Result<Import, String> {
    let mut import = Import::default();
    let mut problem = None;
    for source in entities {
        let name = source.options.as_ref().and_then(table_name);
        let name = name.or_else(|| table_of_service.clone());
        match entity(source, name.as_deref(), notes) {
            Ok(found) => join(&mut import.tables, found, notes),
            Err(why) => {
                problem = problem.or(Some(format!("{}: {why}", source.place)));
                notes.add(&source.place, format!("the entity is left out: {why}"));
            }
        }
    }
    match import.tables.is_empty() {
        true => Err(problem
            .unwrap_or_else(|| "expected new Entity({ model, attributes, indexes })".to_owned())),
        false => Ok(import),
    }
}

/// Joins the table of an entity with the others of the same name.
fn join(tables: &mut Vec<FoundTable>, found: FoundTable, notes: &mut Notes) {
    let known = tables
        .iter_mut()
        .find(|other| other.table.name == found.table.name);
    let Some(known) = known else {
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
fn entity(source: &Source, table: Option<&str>, notes: &mut Notes) -> Result<FoundTable, String> {
    let start = notes.0.len();
    let root = Members::of(&source.schema, "")?;
    let Some(model) = root.under("model", notes) else {
        return Err("model: expected an object".to_owned());
    };
    let names = keys::Names {
        entity: model.needed("entity")?,
        service: model.text("service", notes).unwrap_or_default(),
        version: model.text("version", notes).unwrap_or_default(),
    };
    model.finish(notes);
    let attributes = root
        .under("attributes", notes)
        .ok_or("attributes: expected an object")?;
    let mut read = Attributes::default();
    for (name, node) in attributes.map.pairs() {
        read.add(name, node, &attributes, source.given.as_ref(), notes);
    }
    let indexes = root
        .under("indexes", notes)
        .ok_or("indexes: expected an object")?;
    let mut found = keys::Keys::new(&names, &read);
    for (name, node) in indexes.map.pairs() {
        found.add(&Members::of(node, indexes.path_of(name))?, notes)?;
    }
    root.skip(&["filters"]);
    root.finish(notes);
    let keys::Keys {
        primary,
        indexes,
        keys,
        templates,
        ..
    } = found;
    let key: KeySchema =
        primary.ok_or("indexes: expected an index of the table, without `index`")?;
    let mut result = Table::new(table_name_for(table.unwrap_or("Imported table")));
    result.key = key;
    result.type_attribute = Some(identifier(source.options.as_ref()));
    let mut table_found = FoundTable::new(source.place.clone(), result, indexes);
    if table.is_none() {
        "Imported table".clone_into(&mut table_found.name);
    }
    read.list
        .retain(|attribute| !templates.contains(&attribute.name));
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

/// The attributes of an entity.
#[derive(Debug, Default)]
struct Attributes {
    /// Those that are stored.
    list: Vec<Attribute>,
    /// For each name in the schema: the stored name.
    fields: Vec<(String, String)>,
    /// Labels in composite keys, other than the name.
    labels: Vec<(String, String)>,
    /// Leading zeros in keys.
    padding: Vec<(String, u8)>,
    /// Those that only hold the result of modifiers on another: what they stand for.
    computed: Vec<(String, Segment)>,
}

impl Attributes {
    fn add(
        &mut self,
        name: &str,
        node: &Node,
        parent: &Members,
        given: Option<&Node>,
        notes: &mut Notes,
    ) {
        let shorthand;
        let map = match node {
            Node::Map(map) => map,
            // `name: "string"` and `status: ["a", "b"]`
            other => {
                shorthand = Map::new().with("type", other.clone());
                &shorthand
            }
        };
        let from = Members::new(map, parent.path_of(name));
        if let Some(segment) = computed(&from, name, given) {
            self.computed.push((name.to_owned(), segment));
            from.skip(&["type", "required", "watch", "set", "readOnly", "hidden"]);
            return from.finish(notes);
        }
        let stored = from.text("field", notes).unwrap_or_else(|| name.to_owned());
        self.fields.push((name.to_owned(), stored.clone()));
        if let Some(label) = from.text("label", notes) {
            self.labels.push((name.to_owned(), label));
        }
        if let Some(padding) = from.under("padding", notes) {
            let length = padding.number("length", notes);
            let is_zero = padding.text("char", notes).as_deref() == Some("0");
            match length
                .and_then(|length| u8::try_from(length).ok())
                .filter(|_| is_zero)
            {
                Some(length) => self.padding.push((name.to_owned(), length)),
                None => notes.add(
                    padding.path,
                    "this padding is left out: only zeros are known",
                ),
            }
        }
        let (kind, choices) = kind(&from, notes);
        let mut attribute = Attribute::new(AttributeId(0), stored, kind);
        attribute.required = from.flag("required", notes).unwrap_or(false);
        if !choices.is_empty() {
            attribute.format = Some(Format::OneOf(choices));
        }
        for name in ["watch", "set", "get"] {
            if from.get(name).is_some() {
                let why = "functions of an attribute are not imported";
                notes.add(from.path_of(name), why);
            }
        }
        from.skip(&[
            "validate",
            "default",
            "readOnly",
            "hidden",
            "items",
            "properties",
            "cast",
        ]);
        from.finish(notes);
        self.list.push(attribute);
    }
}

/// The value that an attribute stands for, if it only applies modifiers to another.
fn computed(from: &Members, name: &str, given: Option<&Node>) -> Option<Segment> {
    let found = match from.map.get("set") {
        Some(Node::Code(code)) if from.map.get("watch").is_some() => function::computed(code)?,
        _ => {
            let Some(Node::Map(given)) = given else {
                return None;
            };
            match given.get(name)? {
                Node::Code(code) => function::expression(code)?,
                _ => return None,
            }
        }
    };
    match found.template.segments.as_slice() {
        [only @ Segment::Placeholder(placeholder)] if placeholder.attribute != name => {
            Some(only.clone())
        }
        _ => None,
    }
}

/// The type of an attribute, and its choices.
fn kind(from: &Members, notes: &mut Notes) -> (AttributeType, Vec<Choice>) {
    let word = match from.get("type") {
        Some(Node::Text(word)) => word.clone(),
        Some(Node::List(values)) => {
            let texts = values.iter().filter_map(|value| match value {
                Node::Text(text) => Some(Choice {
                    value: Value::S(text.clone()),
                    weight: 1,
                }),
                _ => None,
            });
            return (AttributeType::S, texts.collect());
        }
        _ => "any".to_owned(),
    };
    let kind = match word.as_str() {
        "string" => AttributeType::S,
        "number" => AttributeType::N,
        "boolean" => AttributeType::Bool,
        "list" => AttributeType::L,
        "map" | "any" => AttributeType::M,
        "set" => match from.get("items") {
            Some(Node::Text(word)) if word == "number" => AttributeType::Ns,
            _ => AttributeType::Ss,
        },
        other => {
            notes.add(
                from.path_of("type"),
                format!("not a type: `{other}`. The attribute is a string"),
            );
            AttributeType::S
        }
    };
    (kind, Vec::new())
}
