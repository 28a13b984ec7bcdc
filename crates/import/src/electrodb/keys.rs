//! The keys of an entity: with their templates, or with those that ElectroDB composes of the names of the service, the
//! entity and the attributes. Source: "Indexes", ElectroDB documentation.

use super::Attributes;
use super::names::{Literals, Names, word};
use crate::cursor::{Members, found, shorten};
use crate::form::Notes;
use crate::script::function::{conditions, literal};
use keyfold_core::export::tree::Node;
use keyfold_core::model::name::check_resource;
use keyfold_core::model::{
    AttributeType, Index, IndexEntry, IndexKind, KeyAttribute, KeySchema, KeyType, Projection,
};
use keyfold_core::template::{Modifier, Placeholder, Segment, Template};

/// The keys that were read so far.
pub struct Keys<'a> {
    names: &'a Names,
    attributes: &'a mut Attributes,
    /// The key of the table.
    pub primary: Option<KeySchema>,
    /// The indexes.
    pub indexes: Vec<Index>,
    /// The templates, by index.
    pub keys: Vec<(Option<String>, IndexEntry)>,
    /// The key attributes that templates write, and the first template of each.
    pub templates: Vec<(String, Template)>,
}

/// How ElectroDB changes the letters of a key.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Casing {
    None,
    Lower,
    Upper,
}

impl<'a> Keys<'a> {
    /// No keys yet.
    pub fn new(names: &'a Names, attributes: &'a mut Attributes) -> Self {
        Keys {
            names,
            attributes,
            primary: None,
            indexes: Vec::new(),
            keys: Vec::new(),
            templates: Vec::new(),
        }
    }

    /// Reads one index: the name that the schema has for it, and its members.
    ///
    /// # Errors
    ///
    /// The place of what is missing.
    pub fn add(&mut self, name: &str, from: &Members, notes: &mut Notes) -> Result<(), String> {
        let index = match from.get("index") {
            Some(Node::Text(name)) => Some(name.clone()),
            Some(other) => {
                let own = match check_resource(name) {
                    Ok(()) => name.to_owned(),
                    Err(_) => format!("{name}-index"),
                };
                let why = format!("{}. The index is called `{own}`", found("a string", other));
                notes.add(from.path_of("index"), why);
                Some(own)
            }
            None => None,
        };
        let kind = from.text("type", notes);
        let is_composite = kind.as_deref() == Some("composite");
        let collection = match from.get("collection") {
            Some(Node::List(_)) => from.texts("collection", notes).join("#"),
            Some(Node::Text(name)) => name.clone(),
            _ => String::new(),
        };
        let literals = Literals {
            collection: &collection,
            is_clustered: kind.as_deref() == Some("clustered"),
            scope: word(from, "scope", notes),
            has_sort: from.map.get("sk").is_some_and(|node| *node != Node::Null),
        };
        let mut key = KeySchema {
            partition: Vec::new(),
            sort: Vec::new(),
        };
        let mut entry = IndexEntry::default();
        for (name, is_partition) in [("pk", true), ("sk", false)] {
            let Some(side) = from.under(name, notes) else {
                continue;
            };
            let (attributes, template) = match is_composite {
                true => (self.plain(&side, notes), None),
                false => self.side(&side, is_partition, &literals, index.is_none(), notes)?,
            };
            match is_partition {
                true => (key.partition, entry.partition) = (attributes, template),
                false => (key.sort, entry.sort) = (attributes, template),
            }
            side.finish(notes);
        }
        if key.partition.is_empty() {
            return Err(format!("{}: expected an object", from.path_of("pk")));
        }
        if let Some(node) = from.get("condition") {
            let read = match node {
                Node::Code(code) => conditions(code, &|name| self.is_required(name)),
                _ => None,
            };
            match read {
                Some(mut read) => {
                    for condition in &mut read {
                        condition.attribute = self.stored(&condition.attribute);
                    }
                    entry.when = read;
                }
                None => notes.add(
                    from.path_of("condition"),
                    "this condition is left out: a design has only comparisons, and `!==` only of an attribute that exists",
                ),
            }
        }
        let mut projection = projection(from, notes);
        if let Projection::Include(names) = &mut projection {
            for name in names {
                *name = self.stored(name);
            }
        }
        from.finish(notes);
        match index {
            None => {
                entry.when.clear();
                self.primary = Some(key);
                self.keys.push((None, entry));
            }
            Some(name) => {
                let mut index = Index::new(&name, IndexKind::Gsi, key);
                index.projection = projection;
                self.indexes.push(index);
                self.keys.push((Some(name), entry));
            }
        }
        Ok(())
    }

    /// Takes indexes with the partition key of the table for LSIs: ElectroDB does not say what they are.
    pub fn assume_local(&mut self) {
        for index in &mut self.indexes {
            let is_local = self.primary.as_ref().is_some_and(|primary| {
                primary.partition == index.key.partition && !index.key.sort.is_empty()
            });
            if is_local {
                index.kind = IndexKind::Lsi;
            }
        }
    }

    /// A key of plain attributes.
    fn plain(&mut self, side: &Members, notes: &mut Notes) -> Vec<KeyAttribute> {
        side.skip(&["field", "casing"]);
        let mut key = Vec::new();
        for name in side.texts("composite", notes) {
            self.attributes.declare(&name, false);
            let stored = self.stored(&name);
            key.push(KeyAttribute {
                kind: self.key_type(&stored),
                name: stored,
            });
        }
        key
    }

    fn stored(&self, name: &str) -> String {
        let fields = &self.attributes.fields;
        let found = fields.iter().find(|(other, _)| other == name);
        found.map_or_else(|| name.to_owned(), |(_, stored)| stored.clone())
    }

    fn is_required(&self, name: &str) -> bool {
        let stored = self.stored(name);
        let mut attributes = self.attributes.list.iter();
        attributes.any(|attribute| attribute.name == stored && attribute.required)
    }

    fn key_type(&self, stored: &str) -> KeyType {
        let attribute = self.attributes.list.iter().find(|a| a.name == stored);
        match attribute.map(|attribute| attribute.kind) {
            Some(AttributeType::N) => KeyType::N,
            _ => KeyType::S,
        }
    }

    /// One side of a key: its attribute and its template.
    fn side(
        &mut self,
        side: &Members,
        is_partition: bool,
        literals: &Literals,
        is_primary: bool,
        notes: &mut Notes,
    ) -> Result<(Vec<KeyAttribute>, Option<String>), String> {
        let field = side.needed("field")?;
        let (composite, given) = parts(side, notes);
        let casing = match side.text("casing", notes).as_deref() {
            Some("none") => Casing::None,
            Some("upper") => Casing::Upper,
            _ => Casing::Lower,
        };
        let cast = side.text("cast", notes);
        for name in &composite {
            self.attributes.declare(name, is_primary);
        }
        let mut is_number = false;
        let template = match (&given, composite.as_slice()) {
            (Some(text), _) => {
                let template = self.given(text, casing);
                is_number = match template.segments.as_slice() {
                    [Segment::Placeholder(only)] => {
                        only.modifiers.is_empty() && self.key_type(&only.attribute) == KeyType::N
                    }
                    _ => false,
                };
                is_number &= cast.as_deref() != Some("string");
                template
            }
            // An attribute that is stored under the name of the key is the key.
            (None, [only]) if self.stored(only) == field => {
                let kind = self.key_type(&field);
                if kind == KeyType::S && casing != Casing::None {
                    let why = format!(
                        "ElectroDB writes `{field}` in {} case; here it stays as it is",
                        if casing == Casing::Upper {
                            "upper"
                        } else {
                            "lower"
                        }
                    );
                    notes.add(side.path_of("casing"), why);
                }
                return Ok((vec![KeyAttribute { name: field, kind }], None));
            }
            (None, [only]) if cast.as_deref() == Some("number") => {
                is_number = true;
                Template {
                    segments: vec![self.placeholder(only, Casing::None)],
                }
            }
            (None, _) => self.composed(&composite, is_partition, literals, casing),
        };
        let kind = match is_number {
            true => KeyType::N,
            false => KeyType::S,
        };
        // All indexes with this key attribute have the key of the first one.
        let written = self.templates.iter().find(|(other, _)| *other == field);
        let text = match written {
            Some((_, first)) => first.to_string(),
            None => template.to_string(),
        };
        self.templates.push((field.clone(), template));
        Ok((vec![KeyAttribute { name: field, kind }], Some(text)))
    }

    /// A template of the schema: `USER#${userId}`.
    fn given(&self, text: &str, casing: Casing) -> Template {
        let mut template = Template::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((name, behind)) = after.split_once('}') else {
                break;
            };
            push(&mut template, before, casing);
            template.segments.push(self.placeholder(name, casing));
            rest = behind;
        }
        push(&mut template, rest, casing);
        template
    }

    /// The key that ElectroDB composes: `$service#label_value` and `$entity_version#label_value`.
    fn composed(
        &self,
        composite: &[String],
        is_partition: bool,
        literals: &Literals,
        casing: Casing,
    ) -> Template {
        let own = self.names.own();
        let (start, end) = match (is_partition, literals.collection) {
            (true, _) => (self.names.partition_start(literals), String::new()),
            (false, "") => (format!("${own}"), String::new()),
            (false, collection) if literals.is_clustered => {
                (format!("${collection}"), format!("#{own}"))
            }
            (false, collection) => (format!("${collection}#{own}"), String::new()),
        };
        let mut template = Template::default();
        push(&mut template, &start, casing);
        for name in composite {
            let labels = &self.attributes.labels;
            let label = labels.iter().find(|(other, _)| other == name);
            let label = label.map_or(name, |(_, label)| label);
            push(&mut template, &format!("#{label}_"), casing);
            template.segments.push(self.placeholder(name, casing));
        }
        push(&mut template, &end, casing);
        template
    }

    fn placeholder(&self, name: &str, casing: Casing) -> Segment {
        let computed = self.attributes.computed.iter();
        let known = computed.clone().find(|(other, _)| other == name);
        let mut placeholder = match known {
            Some((_, Segment::Placeholder(known))) => known.clone(),
            _ => Placeholder {
                attribute: self.stored(name),
                modifiers: Vec::new(),
                span: 0..0,
            },
        };
        if let Some((_, digits)) = (self.attributes.padding.iter()).find(|(other, _)| other == name)
        {
            placeholder.modifiers.push(Modifier::Pad(*digits));
        }
        let attribute = (self.attributes.list.iter()).find(|a| a.name == placeholder.attribute);
        let is_text = attribute.is_none_or(|attribute| attribute.kind == AttributeType::S);
        match casing {
            Casing::Lower if is_text => placeholder.modifiers.push(Modifier::Lower),
            Casing::Upper if is_text => placeholder.modifiers.push(Modifier::Upper),
            _ => {}
        }
        Segment::Placeholder(placeholder)
    }
}

/// The attributes of one side of a key, and its template if the schema has one. `facets` is the old name of both.
fn parts(side: &Members, notes: &mut Notes) -> (Vec<String>, Option<String>) {
    let mut composite = side.texts("composite", notes);
    let mut given = side.text("template", notes);
    match side.get("facets") {
        Some(Node::Text(text)) if !text.is_empty() => given = given.or(Some(text.clone())),
        Some(Node::List(_)) if composite.is_empty() => composite = side.texts("facets", notes),
        Some(Node::Code(code)) => {
            let why = format!("left out: {} is not a literal", shorten(&Node::code(code)));
            notes.add(side.path_of("facets"), why);
        }
        _ => {}
    }
    (composite, given)
}

/// Adds literal text, and joins it with literal text before.
fn push(template: &mut Template, text: &str, casing: Casing) {
    let text = match casing {
        Casing::None => text.to_owned(),
        Casing::Lower => text.to_lowercase(),
        Casing::Upper => text.to_uppercase(),
    };
    match template.segments.last_mut() {
        _ if text.is_empty() => {}
        Some(Segment::Literal { text: before, .. }) => before.push_str(&text),
        _ => template.segments.push(literal(text)),
    }
}

fn projection(from: &Members, notes: &mut Notes) -> Projection {
    let name = match from.map.get("projection") {
        Some(_) => "projection",
        None => "project",
    };
    match from.get(name) {
        Some(Node::Text(word)) if word == "keys_only" => Projection::KeysOnly,
        Some(Node::List(_)) => Projection::Include(from.texts(name, notes)),
        _ => Projection::All,
    }
}

/// An index projects what any entity needs.
pub fn join_projections(index: &mut Index, other: &Index) {
    match (&mut index.projection, &other.projection) {
        (Projection::Include(names), Projection::Include(more)) => {
            for name in more {
                if !names.contains(name) {
                    names.push(name.clone());
                }
            }
        }
        (Projection::KeysOnly, projection)
        | (Projection::Include(_), projection @ Projection::All) => {
            index.projection = projection.clone();
        }
        _ => {}
    }
}
