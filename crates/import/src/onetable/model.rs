//! The models of a schema as entities.

use super::params::Params;
use super::type_word;
use crate::cursor::{Members, found, shorten};
use crate::entity_keys::{Made, entity_keys};
use crate::form::{FoundEntity, FoundTable, Notes};
use crate::script::{call_of, function, is_unknown_member};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Format, IndexEntry, Value,
};
use keyfold_core::template::{Modifier, Placeholder, Segment, Template};

/// A model that is being read.
pub struct Model<'a> {
    name: &'a str,
    table: &'a FoundTable,
    functions: &'a [(String, String, String)],
    params: &'a Params,
    /// Where fields are stored under another name: attribute, and member of it.
    mapped: Vec<(String, String, Option<String>)>,
    /// The attribute with the time after which DynamoDB deletes an item, and where the schema says so.
    pub ttl: Option<(String, String)>,
    /// The members of fields that are left out: `email.validate`.
    lost: Vec<String>,
}

impl<'a> Model<'a> {
    /// A model of a table.
    pub fn new(
        name: &'a str,
        table: &'a FoundTable,
        functions: &'a [(String, String, String)],
        params: &'a Params,
        from: &Members,
    ) -> Self {
        let mut mapped = Vec::new();
        for (field, node) in from.map.pairs() {
            let Node::Map(map) = node else { continue };
            if let Some(Node::Text(to)) = map.get("map") {
                mapped.push(match to.split_once('.') {
                    Some((to, member)) => {
                        (field.to_owned(), to.to_owned(), Some(member.to_owned()))
                    }
                    None => (field.to_owned(), to.clone(), None),
                });
            }
        }
        Model {
            name,
            table,
            functions,
            params,
            mapped,
            ttl: None,
            lost: Vec::new(),
        }
    }

    /// Reads the model as an entity.
    pub fn entity(&mut self, from: &Members, notes: &mut Notes) -> FoundEntity {
        let mut entity = FoundEntity {
            place: from.path.clone(),
            name: self.name.to_owned(),
            description: String::new(),
            attributes: Vec::new(),
            keys: vec![(None, IndexEntry::default())],
        };
        let mut templates: Vec<(String, Made)> = Vec::new();
        for (name, node) in from
            .map
            .pairs()
            .filter(|(name, _)| !is_unknown_member(name))
        {
            from.skip(&[name]);
            let shorthand;
            let map = match node {
                Node::Map(map) if call_of(node).is_none() => map,
                // `name: String`
                other => {
                    shorthand = Map::new().with("type", other.clone());
                    &shorthand
                }
            };
            let field = Members::new(map, from.path_of(name));
            field.skip(&["map"]);
            if let Some((_, to, Some(member))) = self.mapped(name) {
                let why = format!(
                    "left out: OneTable stores it as `{member}` of `{to}`, and a design has no types in maps"
                );
                notes.add(field.path_of("map"), why);
                let attribute = Attribute::new(AttributeId(0), to.clone(), AttributeType::M);
                entity.attributes.push(attribute);
                continue;
            }
            let stored = self.stored(name).to_owned();
            match (
                self.template(name, &field, notes),
                self.table.has_key(&stored),
            ) {
                (Some(made), true) => {
                    templates.push((stored, made));
                    field.skip(&["type", "hidden", "required", "scope"]);
                    field.finish(notes);
                    continue;
                }
                (Some(_), false) => notes.add(
                    field.path_of("value"),
                    "the value of a non-key attribute is not computed here and left out",
                ),
                (None, _) => {}
            }
            if !self.table.table.is_type_attribute(&stored) {
                let attribute = self.attribute(name, stored, &field, from.map, notes);
                entity.attributes.extend(attribute);
            }
        }
        from.finish(notes);
        if !self.lost.is_empty() {
            let why = format!(
                "left out, because a design has no place for them: {}",
                self.lost.join(", ")
            );
            notes.add(&from.path, why);
        }
        let times = self.params.created.iter().chain(&self.params.updated);
        for name in times.filter(|name| from.map.get(name).is_none()) {
            let kind = self.date(self.params.is_iso);
            entity
                .attributes
                .push(Attribute::new(AttributeId(0), name.clone(), kind));
        }
        entity.keys = entity_keys(self.table, &entity.attributes, &templates);
        entity
    }

    fn mapped(&self, name: &str) -> Option<&(String, String, Option<String>)> {
        self.mapped.iter().find(|(field, ..)| field == name)
    }

    /// The attribute in which a field is stored. Of a part of an attribute, the field.
    fn stored<'n>(&'n self, name: &'n str) -> &'n str {
        match self.mapped(name) {
            Some((_, to, None)) => to,
            _ => name,
        }
    }

    fn date(&self, is_iso: bool) -> AttributeType {
        match is_iso {
            true => AttributeType::S,
            false => AttributeType::N,
        }
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
        let mut computed = computed?;
        for segment in &mut computed.template.segments {
            if let Segment::Placeholder(placeholder) = segment {
                placeholder.attribute = self.stored(&placeholder.attribute).to_owned();
            }
        }
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
            if self.table.table.is_type_attribute(name) {
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
                attribute: self.stored(name).to_owned(),
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

    fn attribute_type(&self, word: &str, is_iso: bool) -> Option<AttributeType> {
        Some(match word {
            "string" => AttributeType::S,
            "number" => AttributeType::N,
            "boolean" => AttributeType::Bool,
            "date" => self.date(is_iso),
            "object" => AttributeType::M,
            "array" => AttributeType::L,
            "set" => AttributeType::Ss,
            "binary" | "buffer" | "arraybuffer" => AttributeType::B,
            _ => return None,
        })
    }

    /// Reads a field that is stored under this name.
    fn attribute(
        &mut self,
        name: &str,
        stored: String,
        field: &Members,
        fields: &Map,
        notes: &mut Notes,
    ) -> Option<Attribute> {
        let is_ttl = field.flag("ttl", notes).unwrap_or(false);
        // OneTable takes either.
        let is_iso = field.flag("isoDates", notes).unwrap_or(false) || self.params.is_iso;
        let node = field.get("type");
        let word = node.and_then(type_word).unwrap_or_default();
        let Some(kind) = self.attribute_type(&word, is_iso && !is_ttl) else {
            let why = match node {
                Some(Node::Text(_) | Node::Code(_)) => format!("not a type of a field: `{word}`"),
                node => found("a type", node.unwrap_or(&Node::Null)),
            };
            notes.add(field.path_of("type"), why);
            return None;
        };
        if is_ttl {
            self.ttl = Some((stored.clone(), field.path_of("ttl")));
        }
        let mut attribute = Attribute::new(AttributeId(0), stored, kind);
        attribute.required = field.flag("required", notes).unwrap_or(false);
        if let Some(node) = field.get("encode") {
            attribute.key_only = self.is_encoded(name, node, fields);
            if !attribute.key_only {
                notes.add(field.path_of("encode"), found("a part of a key", node));
            }
        }
        attribute.description = field.text("description", notes).unwrap_or_default();
        let generate = field.get("generate").or_else(|| field.get("uuid"));
        attribute.format = match generate {
            Some(Node::Text(word)) if word == "ulid" => Some(Format::Ulid),
            Some(Node::Text(word)) if word == "uuid" => Some(Format::Uuid),
            Some(Node::Bool(false)) | None => None,
            Some(_) => {
                self.lost.push(format!("{name}.generate"));
                None
            }
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
        if field.flag("unique", notes) == Some(true) {
            let why = "left out: OneTable keeps an item of its own for each value";
            notes.add(field.path_of("unique"), why);
        }
        for member in ["schema", "items", "crypt", "reference", "nulls"] {
            if field
                .get(member)
                .is_some_and(|node| *node != Node::Bool(false))
            {
                self.lost.push(format!("{name}.{member}"));
            }
        }
        for member in ["default", "validate"] {
            let is_lost = field.get(member).is_some_and(|node| match node {
                Node::Code(code) => !code.starts_with('/'),
                node => call_of(node).is_some(),
            });
            if is_lost {
                self.lost.push(format!("{name}.{member}"));
            }
        }
        // How OneTable behaves, not what is stored.
        field.skip(&["hidden", "scope", "filter", "partial", "timestamp"]);
        field.finish(notes);
        Some(attribute)
    }

    /// Whether OneTable reads a field from a part of a key and does not store it: `["pk", "#", 1]`, or the name of a key
    /// with the field in its template.
    fn is_encoded(&self, name: &str, encode: &Node, fields: &Map) -> bool {
        match encode {
            Node::List(parts) => match parts.first() {
                Some(Node::Text(key)) => self.table.has_key(self.stored(key)),
                _ => false,
            },
            Node::Text(key) => {
                let value = match fields.get(key) {
                    Some(Node::Map(field)) => field.get("value"),
                    _ => None,
                };
                let has_it = matches!(value, Some(Node::Text(text)) if text.contains(&format!("${{{name}}}")));
                has_it && self.table.has_key(self.stored(key))
            }
            _ => false,
        }
    }
}
