//! dynamodb-toolbox: tables and entities as literals in TypeScript or JavaScript. Version 1 and 2 build the attributes of an
//! entity (`string().key()`), version 0 has them as objects. Source: "Table", "Entity" and "Schema", documentation of
//! dynamodb-toolbox 2, and its README of 0.9.

mod attributes;

use crate::cursor::{Members, shorten};
use crate::entity_keys::{Made, entity_keys};
use crate::form::{FoundEntity, FoundTable, Import, Note, Notes, UNNAMED};
use crate::script::{Script, call_of, function, returned_object};
use attributes::Field;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Index, IndexKind, KeyAttribute, KeySchema, KeyType,
    Table,
};
use keyfold_core::template::{Segment, Template};

/// The attribute in which dynamodb-toolbox stores the name of the entity, unless the table names another.
const ENTITY_ATTRIBUTE: &str = "_et";
/// The attributes in which it stores when an item was made and changed, with their names in the entity's options.
const TIMES: [(&str, &str); 2] = [("created", "_ct"), ("modified", "_md")];

/// Whether a script uses dynamodb-toolbox.
pub fn is_script(script: &Script) -> bool {
    let is_entity = |options: &Node| match options {
        Node::Map(map) => {
            let has = |name: &str| map.get(name).is_some();
            has("table") && (has("schema") || has("attributes"))
        }
        _ => false,
    };
    let mut entities = script.created(&["Entity"]).into_iter();
    script.mentions("dynamodb-toolbox")
        || entities.any(|call| call.arguments.first().is_some_and(is_entity))
}

/// Reads the tables and entities of a script.
///
/// # Errors
///
/// That there is none, or why none can be read.
pub fn read_script(script: &Script, notes: &mut Notes) -> Result<Import, String> {
    let mut tables: Vec<(Node, FoundTable)> = Vec::new();
    let mut problem = None;
    for call in script.created(&["Table"]) {
        let place = format!("line {}", call.line);
        let options = call.arguments.into_iter().next().unwrap_or(Node::Null);
        match table(&options, &place, notes) {
            Ok(mut found) => {
                found.make_unique(tables.iter().map(|(_, other)| other));
                tables.push((options, found));
            }
            Err(why) => {
                notes.add(&place, format!("the table is left out: {why}"));
                problem = problem.or(Some(format!("{place}: {why}")));
            }
        }
    }
    let mut assumed = Vec::new();
    for call in script.created(&["Entity"]) {
        let place = format!("line {}", call.line);
        let mut read = || {
            let Some(Node::Map(options)) = call.arguments.first() else {
                return Err("its options are not a literal".to_owned());
            };
            let entity = Source::read(options, &place, notes)?;
            let at = entity.table(&mut tables, &mut assumed)?;
            let (_, table) = &mut tables[at];
            let found = entity.found(table, notes);
            table.entities.push(found);
            Ok(())
        };
        if let Err(why) = read() {
            notes.add(&place, format!("the entity is left out: {why}"));
            problem = problem.or(Some(format!("{place}: {why}")));
        }
    }
    if tables.is_empty() {
        return Err(
            problem.unwrap_or_else(|| "expected new Table({ name, partitionKey })".to_owned())
        );
    }
    Ok(Import {
        tables: tables.into_iter().map(|(_, table)| table).collect(),
        assumed,
        ..Import::default()
    })
}

/// Reads the options of a table.
fn table(options: &Node, place: &str, notes: &mut Notes) -> Result<FoundTable, String> {
    let start = notes.0.len();
    let from = Members::of(options, "")?;
    let name = from.get("name");
    if let Some(other) = name.filter(|name| !matches!(name, Node::Text(_))) {
        let why = format!("the name is left out: {} is not a literal", shorten(other));
        notes.add(from.path_of("name"), why);
    }
    let mut table = Table::new(UNNAMED);
    table.key = KeySchema {
        partition: vec![key(&from, "partitionKey").ok_or("partitionKey: expected a name")?],
        sort: key(&from, "sortKey").into_iter().collect(),
    };
    let named = match from.map.get("entityAttributeSavedAs") {
        Some(_) => "entityAttributeSavedAs",
        None => "entityField",
    };
    table.type_attribute = match from.get(named) {
        Some(Node::Text(name)) => Some(name.clone()),
        Some(Node::Bool(false)) => None,
        _ => Some(ENTITY_ATTRIBUTE.to_owned()),
    };
    let mut indexes = Vec::new();
    if let Some(all) = from.under("indexes", notes) {
        for (name, node) in all.map.pairs() {
            let of = Members::of(node, all.path_of(name))?;
            indexes.push(index(name, &of, &table.key, notes)?);
        }
    }
    from.skip(&[
        "documentClient",
        "DocumentClient",
        "attributes",
        "meta",
        "alias",
    ]);
    from.skip(&["autoExecute", "autoParse", "removeNullAttributes", "_et"]);
    from.finish(notes);
    notes.within(start, place);
    let mut found = FoundTable::new(place, table, indexes);
    found.call_by(name);
    Ok(found)
}

/// A key attribute: `{ name: "pk", type: "string" }`, or its name.
fn key(from: &Members, name: &str) -> Option<KeyAttribute> {
    let (name, kind) = match from.get(name)? {
        Node::Text(name) => (name.clone(), None),
        Node::Map(map) => match map.get("name")? {
            Node::Text(name) => (name.clone(), map.get("type")),
            _ => return None,
        },
        _ => return None,
    };
    let kind = match kind {
        Some(Node::Text(word)) if word == "number" => KeyType::N,
        Some(Node::Text(word)) if word == "binary" => KeyType::B,
        _ => KeyType::S,
    };
    Some(KeyAttribute { name, kind })
}

fn index(name: &str, from: &Members, own: &KeySchema, notes: &mut Notes) -> Result<Index, String> {
    let partition = key(from, "partitionKey");
    let sort = key(from, "sortKey");
    let word = from.text("type", notes);
    let is_local = match word.as_deref() {
        Some(word) => word == "local",
        None => partition.is_none(),
    };
    let partition = match (is_local, partition) {
        (true, _) => own.partition.clone(),
        (false, Some(partition)) => vec![partition],
        (false, None) => return Err(format!("{}: expected a name", from.path_of("partitionKey"))),
    };
    from.finish(notes);
    let kind = match is_local {
        true => IndexKind::Lsi,
        false => IndexKind::Gsi,
    };
    let sort = sort.into_iter().collect();
    Ok(Index::new(name, kind, KeySchema { partition, sort }))
}

/// An entity of a script.
struct Source {
    place: String,
    name: String,
    /// What stands for the table.
    table: Node,
    fields: Vec<Field>,
    /// The primary key that a function computes: templates over the fields, by key attribute.
    computed: Vec<(String, Template)>,
    /// The attributes for times.
    times: Vec<String>,
}

impl Source {
    fn read(options: &Map, place: &str, notes: &mut Notes) -> Result<Source, String> {
        let start = notes.0.len();
        let from = Members::new(options, "");
        let name = from.needed("name")?;
        let table = from.get("table").cloned().unwrap_or(Node::Null);
        let fields = match from.get("schema").or_else(|| from.get("attributes")) {
            Some(node) => attributes::read(node, notes)?,
            None => return Err("schema: expected attributes".to_owned()),
        };
        let mut computed = Vec::new();
        if let Some(node) = from.get("computeKey") {
            let function = match node {
                Node::Code(code) => code.as_str(),
                _ => "",
            };
            let Some(Node::Map(object)) = returned_object(function) else {
                return Err("computeKey: expected a function that returns the key".to_owned());
            };
            for (key, value) in object.pairs() {
                match template(value, function) {
                    Some(template) => computed.push((key.to_owned(), template)),
                    None => {
                        let why = format!("{} is not a template", shorten(value));
                        return Err(format!("computeKey.{key}: {why}"));
                    }
                }
            }
        }
        let times = times(&from);
        from.skip(&[
            "entityAttribute",
            "entityAttributeName",
            "entityAttributeHidden",
        ]);
        from.skip(&[
            "autoExecute",
            "autoParse",
            "typeHidden",
            "typeAlias",
            "meta",
        ]);
        from.skip(&["createdAlias", "modifiedAlias", "accessPattern"]);
        from.finish(notes);
        notes.within(start, place);
        Ok(Source {
            place: place.to_owned(),
            name,
            table,
            fields,
            computed,
            times,
        })
    }

    /// The position of the entity's table.
    fn table(
        &self,
        tables: &mut Vec<(Node, FoundTable)>,
        assumed: &mut Vec<Note>,
    ) -> Result<usize, String> {
        let options = call_of(&self.table).and_then(|call| call.arguments.first());
        if let Some(at) = tables.iter().position(|(other, _)| Some(other) == options) {
            return Ok(at);
        }
        if tables.len() == 1 {
            return Ok(0);
        }
        if !tables.is_empty() {
            return Err("its table is not in the file".to_owned());
        }
        // Tables often have a file of their own. The entity names the attributes of the primary key.
        let computed = self.computed.iter().map(|(name, _)| name);
        let keys = self.fields.iter().filter(|field| field.is_key);
        let mut names: Vec<&String> = computed.collect();
        if names.is_empty() {
            names = keys.map(|field| &field.stored).collect();
        }
        let mut names = names.into_iter().map(|name| KeyAttribute {
            name: name.clone(),
            kind: KeyType::S,
        });
        let Some(partition) = names.next() else {
            return Err("its table is not in the file, and it has no key".to_owned());
        };
        let mut table = Table::new(UNNAMED);
        table.key = KeySchema {
            partition: vec![partition],
            sort: names.next().into_iter().collect(),
        };
        table.type_attribute = Some(ENTITY_ATTRIBUTE.to_owned());
        let attributes: Vec<&str> = table
            .key
            .attributes()
            .map(|key| key.name.as_str())
            .collect();
        assumed.push(Note {
            place: self.place.clone(),
            message: format!(
                "the table is not in the file: its primary key is taken to be {}. Put `new Table` into the same file to import its indexes",
                attributes.join(" and ")
            ),
        });
        let mut found = FoundTable::new(&self.place, table, Vec::new());
        found.call_by(None);
        tables.push((Node::Null, found));
        Ok(0)
    }

    fn found(&self, table: &FoundTable, notes: &mut Notes) -> FoundEntity {
        let mut attributes = Vec::new();
        let mut templates: Vec<(String, Made)> = Vec::new();
        for field in &self.fields {
            let stored = field.stored_in(table);
            let is_key = table.has_key(&stored);
            let computed = self.computed.iter().any(|(name, _)| *name == stored);
            let template = field
                .template(is_key, &stored)
                .filter(|_| is_key && !computed);
            if let Some(template) = &template {
                let made = Made {
                    template: self.named(template, table).to_string(),
                    when: field.when.clone(),
                };
                templates.push((stored.clone(), made));
            }
            let uses = |template: &Template| template.uses(&field.value_name(&stored));
            let is_own =
                !is_key || template.is_none() && !computed || template.as_ref().is_some_and(uses);
            if !is_key && let Some(why) = field.not_stored() {
                notes.add(format!("{}: {}", self.place, field.name), why);
            }
            if is_own && !table.table.is_type_attribute(&stored) {
                let mut attribute = field.attribute(stored.clone());
                if template.is_some() {
                    attribute.name = field.value_name(&stored);
                    attribute.key_only = true;
                }
                attributes.push(attribute);
            }
        }
        for (name, template) in &self.computed {
            let made = Made {
                template: self.named(template, table).to_string(),
                when: Vec::new(),
            };
            templates.push((name.clone(), made));
        }
        for name in &self.times {
            if attributes
                .iter()
                .all(|attribute: &Attribute| attribute.name != *name)
            {
                attributes.push(Attribute::new(AttributeId(0), name, AttributeType::S));
            }
        }
        FoundEntity {
            place: self.place.clone(),
            name: self.name.clone(),
            description: String::new(),
            keys: entity_keys(table, &attributes, &templates),
            attributes,
        }
    }

    /// A template over fields as one over attributes.
    fn named(&self, template: &Template, table: &FoundTable) -> Template {
        let mut template = template.clone();
        for segment in &mut template.segments {
            if let Segment::Placeholder(placeholder) = segment
                && let Some(field) = (self.fields.iter()).find(|f| f.name == placeholder.attribute)
            {
                let stored = field.stored_in(table);
                if !table.has_key(&stored) {
                    placeholder.attribute = stored;
                }
            }
        }
        template
    }
}

/// A template over fields, or a constant, in what a function returns.
fn template(node: &Node, function: &str) -> Option<Template> {
    match node {
        Node::Text(text) => Some(Template {
            segments: vec![function::literal(text.clone())],
        }),
        Node::Code(code) => Some(function::expression(code, function)?.template),
        _ => None,
    }
}

/// The attributes in which times are stored.
fn times(from: &Members) -> Vec<String> {
    let given = from.get("timestamps");
    if given == Some(&Node::Bool(false)) {
        from.skip(&["created", "modified"]);
        return Vec::new();
    }
    let stored = |(name, usual): (&str, &str)| {
        let of = match given {
            Some(Node::Map(map)) => map.get(name),
            _ => from.get(name),
        };
        match of {
            Some(Node::Bool(false)) => None,
            Some(Node::Text(name)) => Some(name.clone()),
            Some(Node::Map(map)) => match map.get("savedAs") {
                Some(Node::Text(name)) => Some(name.clone()),
                _ => Some(usual.to_owned()),
            },
            _ => Some(usual.to_owned()),
        }
    };
    TIMES.into_iter().filter_map(stored).collect()
}
