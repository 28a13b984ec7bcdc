//! The attributes of an entity: `string().key().savedAs("PK")`, or `{ type: "string", partitionKey: true }`.

use crate::cursor::{Members, found, shorten};
use crate::form::{FoundTable, Notes};
use crate::script::{call_of, function, returned_object};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Condition, Format, Value,
};
use keyfold_core::template::{Placeholder, Segment, Template};

/// An attribute as the entity declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name in the entity.
    pub name: String,
    /// The name in the item.
    pub stored: String,
    kind: AttributeType,
    required: bool,
    /// Whether it is in the primary key.
    pub is_key: bool,
    /// Version 0: it is the partition key (`true`) or the sort key of the table (`None`) or of indexes, whatever its name.
    key_parts: Vec<(Option<String>, bool)>,
    choices: Vec<String>,
    /// Its only value.
    constant: Option<String>,
    /// Literals around the value.
    prefix: String,
    suffix: String,
    /// The function that computes its value.
    link: Option<Template>,
    /// Whether that only computes it where none is given.
    is_default: bool,
    /// The conditions under which that has a value.
    pub when: Vec<Condition>,
    /// Parts of a key that are attributes of their own, in order.
    parts: Vec<(u64, String)>,
    /// What is between them.
    delimiter: String,
}

impl Field {
    fn new(name: &str) -> Field {
        Field {
            name: name.to_owned(),
            stored: name.to_owned(),
            kind: AttributeType::S,
            required: false,
            is_key: false,
            key_parts: Vec::new(),
            choices: Vec::new(),
            constant: None,
            prefix: String::new(),
            suffix: String::new(),
            link: None,
            is_default: false,
            when: Vec::new(),
            parts: Vec::new(),
            delimiter: "#".to_owned(),
        }
    }

    /// The name in the item of a table: a field is stored in one key attribute.
    pub fn stored_in(&self, table: &FoundTable) -> String {
        let own = self.key_parts.iter().find_map(|(index, is_partition)| {
            let key = match index {
                None => &table.table.key,
                Some(name) => {
                    let mut indexes = table.indexes.iter();
                    &indexes.find(|index| index.name == *name)?.key
                }
            };
            match is_partition {
                true => key.partition.first(),
                false => key.sort.first(),
            }
        });
        own.map_or_else(|| self.stored.clone(), |own| own.name.clone())
    }

    /// The name of the value from which a key attribute is written: that of the field, if the key has another.
    pub fn value_name(&self, stored: &str) -> String {
        match self.name == stored {
            true => format!("{stored}Value"),
            false => self.name.clone(),
        }
    }

    /// What writes the attribute; `None` if it is stored as it is.
    pub fn template(&self, is_key: bool, stored: &str) -> Option<Template> {
        if let Some(constant) = &self.constant {
            return Some(Template {
                segments: vec![function::literal(constant.clone())],
            });
        }
        if let Some(link) = &self.link {
            return Some(link.clone());
        }
        let mut template = Template::default();
        let value = |attribute: String| {
            Segment::Placeholder(Placeholder {
                attribute,
                modifiers: Vec::new(),
                span: 0..0,
            })
        };
        if !self.prefix.is_empty() {
            template
                .segments
                .push(function::literal(self.prefix.clone()));
        }
        if self.parts.is_empty() {
            let has_other_name = is_key && self.name != stored;
            if self.prefix.is_empty() && self.suffix.is_empty() && !has_other_name {
                return None;
            }
            template.segments.push(value(self.value_name(stored)));
        }
        for (at, (_, part)) in self.parts.iter().enumerate() {
            if at > 0 {
                template
                    .segments
                    .push(function::literal(self.delimiter.clone()));
            }
            template.segments.push(value(part.clone()));
        }
        if !self.suffix.is_empty() {
            template
                .segments
                .push(function::literal(self.suffix.clone()));
        }
        Some(template)
    }

    /// Why an attribute that is no key is not stored as the entity says.
    pub fn not_stored(&self) -> Option<&'static str> {
        if self.link.is_some() && !self.is_default {
            Some("the value of a non-key attribute is not computed here: the function is left out")
        } else if !self.prefix.is_empty() || !self.suffix.is_empty() {
            Some("the text around the value of a non-key attribute is left out")
        } else {
            None
        }
    }

    /// The attribute, under this name.
    pub fn attribute(&self, name: String) -> Attribute {
        let mut attribute = Attribute::new(AttributeId(0), name, self.kind);
        attribute.required = self.required;
        let choices = self
            .choices
            .iter()
            .chain(&self.constant)
            .map(|text| Choice {
                value: Value::S(text.clone()),
                weight: 1,
            });
        let choices: Vec<Choice> = choices.collect();
        if !choices.is_empty() && self.kind == AttributeType::S {
            attribute.format = Some(Format::OneOf(choices));
        }
        attribute
    }
}

/// Reads a schema, or attributes as objects.
///
/// # Errors
///
/// That it is neither.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Vec<Field>, String> {
    let mut fields = Vec::new();
    match call_of(node) {
        Some(call) => {
            let Some(Node::Map(map)) = call.arguments.first() else {
                return Err(format!("schema: {} has no attributes", shorten(node)));
            };
            built_all(map, &mut fields, notes);
            // `.and((schema) => ({ ... }))`
            for more in call.chain.iter().filter_map(call_of) {
                let object = match more.arguments.first() {
                    Some(Node::Code(code)) if more.name == "and" => returned_object(code),
                    Some(map @ Node::Map(_)) if more.name == "and" => Some(map.clone()),
                    _ => None,
                };
                match object {
                    Some(Node::Map(map)) => built_all(&map, &mut fields, notes),
                    _ => notes.add(
                        format!("schema.{}", more.name),
                        "not understood and left out",
                    ),
                }
            }
        }
        None => match node {
            Node::Map(map) => objects(map, &mut fields, notes),
            other => {
                return Err(format!(
                    "schema: {}",
                    found("an object with attributes", other)
                ));
            }
        },
    }
    Ok(fields)
}

fn built_all(map: &Map, fields: &mut Vec<Field>, notes: &mut Notes) {
    for (name, node) in map.pairs() {
        let path = format!("schema.{name}");
        match call_of(node) {
            Some(_) => {
                let field = built(name, node, &path, notes);
                fields.retain(|other| other.name != name);
                fields.push(field);
            }
            None => {
                let why = format!(
                    "the attribute is left out: {} is not a literal",
                    shorten(node)
                );
                notes.add(path, why);
            }
        }
    }
}

/// `string({ required: "always" }).key().transform(prefix("USER"))`
fn built(name: &str, node: &Node, path: &str, notes: &mut Notes) -> Field {
    let mut field = Field::new(name);
    field.required = true;
    let Some(call) = call_of(node) else {
        return field;
    };
    let elements = call
        .arguments
        .first()
        .and_then(call_of)
        .map(|call| call.name.to_owned());
    match kind(call.name, elements.as_deref()) {
        Some(kind) => field.kind = kind,
        None => notes.add(
            path,
            format!("not a type: `{}`. The attribute is a string", call.name),
        ),
    }
    let has_elements = matches!(call.name, "set" | "list" | "map" | "record" | "anyOf");
    if let (false, Some(Node::Map(options))) = (has_elements, call.arguments.first()) {
        for (option, value) in options.pairs() {
            property(&mut field, option, std::slice::from_ref(value), path, notes);
        }
    }
    for step in call.chain.iter().filter_map(call_of) {
        property(&mut field, step.name, step.arguments, path, notes);
    }
    field
}

fn kind(word: &str, elements: Option<&str>) -> Option<AttributeType> {
    Some(match word {
        "string" => AttributeType::S,
        "number" => AttributeType::N,
        "boolean" => AttributeType::Bool,
        "binary" => AttributeType::B,
        "nul" | "null" => AttributeType::Null,
        "set" => match elements {
            Some("number") => AttributeType::Ns,
            Some("binary") => AttributeType::Bs,
            _ => AttributeType::Ss,
        },
        "list" => AttributeType::L,
        "map" | "record" | "any" | "anyOf" => AttributeType::M,
        _ => return None,
    })
}

/// A step of a builder, or an option.
fn property(field: &mut Field, name: &str, arguments: &[Node], path: &str, notes: &mut Notes) {
    let first = arguments.first();
    let is_on = first != Some(&Node::Bool(false));
    let place = || format!("{path}.{name}");
    match (name, first) {
        ("key", _) => field.is_key = is_on,
        ("optional", _) => field.required = false,
        ("required", Some(Node::Text(word))) => field.required = word != "never",
        ("required", _) => field.required = is_on,
        ("savedAs" | "map", Some(Node::Text(stored))) => field.stored.clone_from(stored),
        ("enum", _) => {
            let listed = match first {
                Some(Node::List(values)) => values.as_slice(),
                _ => arguments,
            };
            field.choices = listed.iter().filter_map(text_of).collect();
        }
        ("const", Some(value)) => field.constant = text_of(value),
        ("prefix" | "suffix", Some(Node::Text(text))) => match name {
            "prefix" => field.prefix.clone_from(text),
            _ => field.suffix.clone_from(text),
        },
        ("transform", Some(value)) => {
            let around = call_of(value).filter(|call| matches!(call.name, "prefix" | "suffix"));
            let Some((around, Some(Node::Text(text)))) =
                around.map(|call| (call.name.to_owned(), call.arguments.first().cloned()))
            else {
                let why = format!("the transformation {} is left out", shorten(value));
                return notes.add(place(), why);
            };
            let options = call_of(value).and_then(|call| call.arguments.get(1));
            let delimiter = match options {
                Some(Node::Map(map)) => map.get("delimiter").and_then(text_of),
                _ => None,
            };
            let delimiter = delimiter.unwrap_or_else(|| "#".to_owned());
            match around.as_str() {
                "prefix" => field.prefix = format!("{text}{delimiter}"),
                _ => field.suffix = format!("{delimiter}{text}"),
            }
        }
        // A default that is computed from others is what an index key is written from.
        (
            "link" | "putLink" | "keyLink" | "default" | "putDefault" | "keyDefault",
            Some(Node::Code(code)),
        ) => match function::computed(code) {
            Some(computed) => {
                field.is_default = !name.ends_with("ink");
                field.link = Some(computed.template);
                field.when = computed.when;
            }
            None if name.ends_with("ink") => {
                let why = format!(
                    "the function is left out: {} is not a template",
                    shorten(&Node::code(code))
                );
                notes.add(place(), why);
            }
            None => {}
        },
        ("default" | "putDefault" | "keyDefault", Some(Node::Text(text))) => {
            field.is_default = true;
            field.link = Some(Template {
                segments: vec![function::literal(text.clone())],
            });
        }
        (
            "hidden" | "default" | "putDefault" | "keyDefault" | "updateDefault" | "updateLink",
            _,
        )
        | ("validate" | "keyValidate" | "putValidate" | "updateValidate" | "castAs" | "big", _)
        | ("clone" | "coerce" | "alias" | "save" | "onUpdate" | "type" | "meta" | "format", _) => {}
        (_, first) => {
            let what = first.map_or_else(String::new, |node| format!(": {}", shorten(node)));
            notes.add(place(), format!("not understood and left out{what}"));
        }
    }
}

fn text_of(node: &Node) -> Option<String> {
    match node {
        Node::Text(text) | Node::Number(text) => Some(text.clone()),
        Node::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

/// Attributes of version 0: `id: { partitionKey: true }`, `status: "string"`, `date: ["sk", 1]`.
fn objects(map: &Map, fields: &mut Vec<Field>, notes: &mut Notes) {
    let mut parts: Vec<(String, u64, String)> = Vec::new();
    for (name, node) in map.pairs() {
        let path = format!("attributes.{name}");
        let mut field = Field::new(name);
        match node {
            Node::Text(word) => match kind(word, None) {
                Some(kind) => field.kind = kind,
                None => notes.add(
                    &path,
                    format!("not a type: `{word}`. The attribute is a string"),
                ),
            },
            Node::Map(map) => object(&mut field, &Members::new(map, &path), notes),
            // A part of a key: the attribute of the key, the position, and options.
            Node::List(list) => match list.as_slice() {
                [Node::Text(key), Node::Number(at), rest @ ..] if at.parse::<u64>().is_ok() => {
                    parts.push((key.clone(), at.parse().unwrap_or_default(), name.to_owned()));
                    if let Some(Node::Map(map)) = rest.first() {
                        object(&mut field, &Members::new(map, &path), notes);
                    }
                }
                _ => notes.add(&path, found("a type", node)),
            },
            other => {
                let why = format!(
                    "the attribute is left out: {} is not a literal",
                    shorten(other)
                );
                notes.add(&path, why);
                continue;
            }
        }
        fields.push(field);
    }
    for (key, at, name) in parts {
        if let Some(field) = fields.iter_mut().find(|field| field.name == key) {
            field.parts.push((at, name));
            field.parts.sort();
        }
    }
}

fn object(field: &mut Field, from: &Members, notes: &mut Notes) {
    for (part, is_partition) in [("partitionKey", true), ("sortKey", false)] {
        // `true` for the key of the table, and names of indexes.
        let given = match from.get(part) {
            Some(Node::List(items)) => items.as_slice(),
            Some(node) => std::slice::from_ref(node),
            None => &[],
        };
        for node in given {
            match node {
                Node::Bool(true) => {
                    field.key_parts.push((None, is_partition));
                    field.is_key = true;
                }
                Node::Text(index) => field.key_parts.push((Some(index.clone()), is_partition)),
                _ => {}
            }
        }
    }
    // The value is stored in the key of the table, if it is a part of that.
    field.key_parts.sort_by_key(|(index, _)| index.is_some());
    if let Some(delimiter) = from.text("delimiter", notes) {
        field.delimiter = delimiter;
    }
    let elements = from.text("setType", notes);
    if let Some(word) = from.text("type", notes) {
        match kind(&word, elements.as_deref()) {
            Some(kind) => field.kind = kind,
            None => notes.add(
                from.path_of("type"),
                format!("not a type: `{word}`. The attribute is a string"),
            ),
        }
    }
    field.required |= field.is_key;
    for (name, value) in from.map.pairs() {
        if !matches!(
            name,
            "partitionKey" | "sortKey" | "setType" | "type" | "delimiter" | "dependsOn"
        ) {
            property(field, name, std::slice::from_ref(value), &from.path, notes);
        }
    }
}
