//! OneTable: schemas as JSON, and as literals in TypeScript or JavaScript.

use crate::cursor::{Members, expected, found, shorten};
use crate::entity_keys::{Made, entity_keys};
use crate::form::{FoundEntity, FoundTable, Import, Notes};
use crate::script::{Script, function};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::design::table_name_for;
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Format, Index, IndexEntry, IndexKind,
    KeyAttribute, KeySchema, KeyType, Projection, Table, Value,
};
use keyfold_core::template::{Modifier, Placeholder, Segment, Template};

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
        let name = match options.get("name") {
            Some(Node::Text(name)) => Some(name.as_str()),
            _ => None,
        };
        let place = format!("line {}", call.line);
        import
            .tables
            .push(read_named(schema, name, &place, &functions, notes)?);
    }
    if import.tables.is_empty() {
        for (name, node) in script.constants() {
            if is_schema(&node) {
                import
                    .tables
                    .push(read_named(&node, None, name, &functions, notes)?);
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
        tables: vec![read_named(node, None, "", &[], notes)?],
        ..Import::default()
    })
}

fn read_named(
    node: &Node,
    name: Option<&str>,
    place: &str,
    functions: &[(String, String, String)],
    notes: &mut Notes,
) -> Result<FoundTable, String> {
    let root = Members::of(node, "")?;
    root.skip(&["format", "version", "name", "queries"]);
    let mut type_field = Some("_type".to_owned());
    let mut delimiter = "#".to_owned();
    let (mut has_times, mut is_iso) = (false, false);
    if let Some(params) = root.under("params", notes) {
        if let Some(name) = params.text("typeField", notes) {
            type_field = Some(name);
        }
        delimiter = params.text("separator", notes).unwrap_or(delimiter);
        has_times = matches!(params.get("timestamps"), Some(node) if *node != Node::Bool(false));
        is_iso = params.flag("isoDates", notes).unwrap_or(false);
        params.skip(&[
            "nulls",
            "warn",
            "hidden",
            "partial",
            "createdField",
            "updatedField",
        ]);
        params.finish(notes);
    }
    let models = match root.get("models") {
        Some(Node::Map(models)) => models,
        Some(other) => return Err(expected("models", "an object", other)),
        None => return Err("models: expected an object".to_owned()),
    };
    let key_type = |name: &str| key_type(models, name);
    let indexes = match root.get("indexes") {
        Some(Node::Map(indexes)) => indexes,
        _ => return Err("indexes: expected an object with the primary index".to_owned()),
    };
    let mut table = Table::new(table_name_for(name.unwrap_or("Imported table")));
    table.type_attribute.clone_from(&type_field);
    let primary = indexes
        .get(PRIMARY)
        .ok_or("indexes.primary: expected an object with hash")?;
    let primary = Members::of(primary, "indexes.primary")?;
    table.key = key(&primary, &key_type, None, notes)?;
    primary.finish(notes);
    let mut found_indexes = Vec::new();
    for (name, node) in indexes.pairs().filter(|(name, _)| *name != PRIMARY) {
        let from = Members::of(node, format!("indexes.{name}"))?;
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
    let place = if place.is_empty() {
        "the schema"
    } else {
        place
    };
    let mut table = FoundTable::new(place, table, found_indexes);
    table.delimiter = Some(delimiter);
    if name.is_none() {
        "Imported table".clone_into(&mut table.name);
    }
    for (name, node) in models.pairs() {
        let from = Members::of(node, format!("models.{name}"))?;
        let model = Model {
            name,
            table: &table,
            functions,
            is_iso,
        };
        let mut entity = model.entity(&from, notes);
        if has_times {
            let kind = if is_iso {
                AttributeType::S
            } else {
                AttributeType::N
            };
            for name in ["created", "updated"] {
                entity
                    .attributes
                    .push(Attribute::new(AttributeId(0), name, kind));
            }
        }
        table.entities.push(entity);
    }
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
fn key_type(models: &Map, name: &str) -> KeyType {
    let declared = models.pairs().find_map(|(_, model)| match model {
        Node::Map(fields) => match fields.get(name)? {
            Node::Map(field) => type_word(field.get("type")?),
            other => type_word(other),
        },
        _ => None,
    });
    match declared.as_deref() {
        Some("number" | "date") => KeyType::N,
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

struct Model<'a> {
    name: &'a str,
    table: &'a FoundTable,
    functions: &'a [(String, String, String)],
    is_iso: bool,
}

impl Model<'_> {
    fn entity(&self, from: &Members, notes: &mut Notes) -> FoundEntity {
        let mut entity = FoundEntity {
            place: from.path.clone(),
            name: self.name.to_owned(),
            description: String::new(),
            attributes: Vec::new(),
            keys: vec![(None, IndexEntry::default())],
        };
        let mut templates: Vec<(String, Made)> = Vec::new();
        for (name, node) in from.map.pairs() {
            let field = match node {
                Node::Map(map) => Members::new(map, from.path_of(name)),
                other => {
                    // `name: String`
                    match type_word(other).and_then(|word| self.attribute_type(&word)) {
                        Some(kind) => {
                            let attribute = Attribute::new(AttributeId(0), name, kind);
                            entity.attributes.push(attribute);
                        }
                        None => notes.add(from.path_of(name), found("a field", other)),
                    }
                    continue;
                }
            };
            match (self.template(name, &field, notes), self.is_key(name)) {
                (Some(made), true) => {
                    templates.push((name.to_owned(), made));
                    field.skip(&["type", "hidden", "required", "scope"]);
                    field.finish(notes);
                    continue;
                }
                (Some(_), false) => notes.add(
                    field.path_of("value"),
                    "the value of an attribute that is no key is not computed here and left out",
                ),
                (None, _) => {}
            }
            if self.table.table.type_attribute.as_deref() != Some(name) {
                entity
                    .attributes
                    .extend(self.attribute(name, &field, notes));
            }
        }
        entity.keys = entity_keys(self.table, &entity.attributes, &templates);
        entity
    }

    fn is_key(&self, name: &str) -> bool {
        self.table.has_key(name)
    }

    /// The template of a field with a value; a function that cannot be read is noted.
    fn template(&self, name: &str, field: &Members, notes: &mut Notes) -> Option<Made> {
        let value = field.get("value")?;
        let code = match value {
            Node::Text(text) => {
                return Some(Made {
                    template: self
                        .of_value(text, field.path_of("value"), notes)
                        .to_string(),
                    when: Vec::new(),
                });
            }
            Node::Bool(true) => {
                let mut own = self.functions.iter();
                let own = own.find(|(model, field, _)| model == self.name && field == name);
                own.map(|(_, _, code)| code.as_str())
            }
            Node::Code(code) => Some(code.as_str()),
            _ => None,
        };
        let computed = code.and_then(function::computed);
        if computed.is_none() {
            let why = format!(
                "the value is left out: {} is not a template",
                shorten(value)
            );
            notes.add(field.path_of("value"), why);
        }
        let computed = computed?;
        Some(Made {
            template: computed.template.to_string(),
            when: computed.when,
        })
    }

    /// A value template: `account#${id}`, `${_type}#${number:6:0}`.
    fn of_value(&self, text: &str, place: String, notes: &mut Notes) -> Template {
        let mut template = Template::default();
        let mut literal = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, behind)) = after.split_once('}') else {
                break;
            };
            literal.push_str(before);
            rest = behind;
            let mut parts = inside.split(':');
            let name = parts.next().unwrap_or_default();
            if self.table.table.type_attribute.as_deref() == Some(name) {
                literal.push_str(self.name);
                continue;
            }
            let mut modifiers = Vec::new();
            match (parts.next().map(str::parse::<u8>), parts.next()) {
                (None, None) => {}
                (Some(Ok(digits)), Some("0")) => modifiers.push(Modifier::Pad(digits)),
                _ => notes.add(&place, format!("the format of ${{{inside}}} is left out")),
            }
            if !literal.is_empty() {
                template
                    .segments
                    .push(function::literal(std::mem::take(&mut literal)));
            }
            template.segments.push(Segment::Placeholder(Placeholder {
                attribute: name.to_owned(),
                modifiers,
                span: 0..0,
            }));
        }
        literal.push_str(rest);
        if !literal.is_empty() {
            template.segments.push(function::literal(literal));
        }
        template
    }

    fn attribute_type(&self, word: &str) -> Option<AttributeType> {
        Some(match word {
            "string" => AttributeType::S,
            "number" => AttributeType::N,
            "boolean" => AttributeType::Bool,
            "date" if self.is_iso => AttributeType::S,
            "date" => AttributeType::N,
            "object" => AttributeType::M,
            "array" => AttributeType::L,
            "set" => AttributeType::Ss,
            "binary" | "buffer" | "arraybuffer" => AttributeType::B,
            _ => return None,
        })
    }

    fn attribute(&self, name: &str, field: &Members, notes: &mut Notes) -> Option<Attribute> {
        let word = field.get("type").and_then(type_word).unwrap_or_default();
        let Some(kind) = self.attribute_type(&word) else {
            notes.add(
                field.path_of("type"),
                format!("not a type of a field: `{word}`"),
            );
            return None;
        };
        let is_null = field.flag("nulls", notes).unwrap_or(false);
        let kind = match (kind, is_null) {
            (AttributeType::S, true) => AttributeType::Null,
            (kind, _) => kind,
        };
        let mut attribute = Attribute::new(AttributeId(0), name, kind);
        attribute.required = field.flag("required", notes).unwrap_or(false);
        if let Some(node) = field.get("encode") {
            // OneTable reads the value from a part of a key and does not store it.
            let is_of_key =
                |parts: &[Node]| matches!(parts.first(), Some(Node::Text(key)) if self.is_key(key));
            attribute.key_only = matches!(node, Node::List(parts) if is_of_key(parts));
            if !attribute.key_only {
                notes.add(field.path_of("encode"), found("a part of a key", node));
            }
        }
        attribute.description = field.text("description", notes).unwrap_or_default();
        attribute.format = match field.get("generate") {
            Some(Node::Text(word)) if word == "ulid" => Some(Format::Ulid),
            Some(Node::Text(word)) if word == "uuid" => Some(Format::Uuid),
            _ => None,
        };
        let choices = field.texts("enum", notes).into_iter();
        let choices: Vec<Choice> = choices
            .map(|text| Choice {
                value: Value::S(text),
                weight: 1,
            })
            .collect();
        if !choices.is_empty() {
            attribute.format = Some(Format::OneOf(choices));
        }
        // How OneTable behaves, not what is stored.
        field.skip(&[
            "validate", "default", "hidden", "unique", "scope", "filter", "schema", "items",
        ]);
        field.finish(notes);
        Some(attribute)
    }
}
