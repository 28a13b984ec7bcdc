//! Entities: their fields, and which keys the format expresses.

use super::python::{class, is_field, is_quotable};
use crate::engine::key_sources::{is_replaced, templates};
use crate::export::entity_keys::{EntityKey, Source, entity_keys, stored_as_key};
use crate::model::{
    Attribute, AttributeType, Design, Entity, EntityId, Format, IndexId, KeyAttribute, KeyPart,
    KeyType,
};
use crate::template::{Modifier, Placeholder, Segment, Template, parse};

/// The field in which the generated code counts the changes of an item.
const VERSION: &str = "version";

/// An entity of the schema.
pub struct Shown<'d> {
    /// The entity.
    pub id: EntityId,
    /// Its attributes and its templates.
    pub entity: &'d Entity,
    /// Its name in the schema.
    pub name: String,
    /// The attributes that the format has a type for, in the authors' order, with the type.
    pub fields: Vec<(&'d Attribute, &'static str)>,
    /// Its keys, the primary key first.
    pub keys: Vec<ShownKey>,
}

/// A key of an entity.
pub struct ShownKey {
    /// The table or the index.
    pub index: IndexId,
    /// The templates of the partition key.
    pub partition: Vec<Template>,
    /// The templates of the sort key.
    pub sort: Vec<Template>,
    /// The templates of the partition key as the format writes them.
    pub partition_texts: Vec<String>,
    /// The templates of the sort key as the format writes them.
    pub sort_texts: Vec<String>,
}

impl ShownKey {
    /// Whether a template makes an attribute of the key, which the item would not have without it.
    pub fn is_made(&self, design: &Design) -> bool {
        let key = design.key(self.index);
        let names = key.iter().flat_map(|key| key.attributes());
        let texts = self.partition_texts.iter().chain(&self.sort_texts);
        names
            .zip(texts)
            .any(|(key, text)| *text != format!("{{{}}}", key.name))
    }
}

impl Shown<'_> {
    /// The type of a field.
    pub fn kind(&self, name: &str) -> Option<&'static str> {
        let mut fields = self.fields.iter();
        fields
            .find(|(field, _)| field.name == name)
            .map(|(_, kind)| *kind)
    }

    /// The key of an index, if the schema has it.
    pub fn key(&self, index: IndexId) -> Option<&ShownKey> {
        self.keys.iter().find(|key| key.index == index)
    }
}

/// The entities that the format can express. `indexes` are those of the schema. What is left out goes to `notes`.
pub fn entities<'d>(
    design: &'d Design,
    indexes: &[IndexId],
    notes: &mut Vec<String>,
) -> Vec<Shown<'d>> {
    let mut shown = Vec::new();
    let mut taken = Vec::new();
    for (id, entity) in &design.entities {
        let mut own = Vec::new();
        match self::entity(design, entity, indexes, &mut own) {
            Err(why) => notes.push(format!("The entity {} is omitted: {why}.", entity.name)),
            Ok((fields, keys)) => {
                let name = class(&entity.name, &mut taken);
                if name != entity.name {
                    notes.push(format!("The entity {} is called {name}.", entity.name));
                }
                notes.extend(own);
                shown.push(Shown {
                    id: *id,
                    entity,
                    name,
                    fields,
                    keys,
                });
            }
        }
    }
    shown
}

type Parts<'d> = (Vec<(&'d Attribute, &'static str)>, Vec<ShownKey>);

fn entity<'d>(
    design: &'d Design,
    entity: &'d Entity,
    indexes: &[IndexId],
    notes: &mut Vec<String>,
) -> Result<Parts<'d>, String> {
    if let Some(why) = stored_as_key(design, entity) {
        return Err(why);
    }
    let name = &entity.name;
    let mut fields = Vec::new();
    for attribute in &entity.attributes {
        match field_type(design, entity, attribute) {
            Ok(kind) => fields.push((attribute, kind)),
            Err(why) => notes.push(format!("{name} is without {}: {why}.", attribute.name)),
        }
        if attribute.name == VERSION {
            notes.push(format!(
                "{name}: the generated code counts the changes of an item in version."
            ));
        }
        if attribute.key_only {
            let attribute = &attribute.name;
            notes.push(format!(
                "{name}: {attribute} is key-only, but the generated code stores it."
            ));
        }
    }
    if fields.is_empty() {
        return Err("it has no attribute that can be a field".to_owned());
    }
    let mut keys = Vec::new();
    for key in entity_keys(design, entity) {
        let is_primary = key.index.is_primary();
        if !is_primary && !indexes.contains(&key.index) {
            continue;
        }
        let index = design.index_name(key.index);
        match self::key(design, entity, &fields, &key) {
            Err(why) if is_primary => return Err(why),
            Err(why) => notes.push(format!("{name} is not in {index}: {why}.")),
            Ok(made) => {
                remarks(entity, index, &key, &made, notes);
                keys.push(made);
            }
        }
    }
    match keys.first().is_some_and(|key| key.index.is_primary()) {
        true => Ok((fields, keys)),
        false => Err("it has no primary key".to_owned()),
    }
}

/// Says what of a key the format does not hold.
fn remarks(
    entity: &Entity,
    index: &str,
    key: &EntityKey,
    made: &ShownKey,
    notes: &mut Vec<String>,
) {
    let name = &entity.name;
    let place = match key.index.is_primary() {
        true => "the table",
        false => index,
    };
    if !key.when.is_empty() {
        let tested: Vec<&str> = key
            .when
            .iter()
            .map(|test| test.attribute.as_str())
            .collect();
        let tested = tested.join(", ");
        notes.push(format!(
            "{name} in {place} is without its condition on {tested}."
        ));
    }
    for optional in key.optional(entity) {
        let optional = &optional.name;
        notes.push(format!(
            "{name} in {place}: an item without {optional} has no key there, but the generated code writes None."
        ));
    }
    let is_repeated = |name: &&str| made.partition.iter().any(|template| template.uses(name));
    let sort = made.sort.first().filter(|_| key.index.is_primary());
    if let Some(repeated) = sort.and_then(|sort| sort.attributes().find(is_repeated)) {
        notes.push(format!(
            "{name}: {repeated} is in both keys, of which the generated code of version 2.1.8 builds only one."
        ));
    }
    let is_several = made.partition.len() > 1 || made.sort.len() > 1;
    let numbers: Vec<&str> = (key.fields.iter())
        .filter(|field| is_several && field.attribute.kind == KeyType::N)
        .map(|field| field.attribute.name.as_str())
        .collect();
    if !numbers.is_empty() {
        let numbers = numbers.join(", ");
        notes.push(format!(
            "{name} in {place}: the generated code writes {numbers} as text."
        ));
    }
}

/// The type of a field, or why the attribute cannot be one.
fn field_type(
    design: &Design,
    entity: &Entity,
    attribute: &Attribute,
) -> Result<&'static str, &'static str> {
    if !is_field(&attribute.name) {
        return Err("the generated code cannot have this name");
    }
    Ok(match attribute.kind {
        AttributeType::S if attribute.format == Some(Format::Uuid) => "uuid",
        AttributeType::S => "string",
        AttributeType::N if is_whole(design, entity, attribute) => "integer",
        AttributeType::N => "decimal",
        AttributeType::Bool => "boolean",
        AttributeType::L => "array",
        AttributeType::M => "object",
        AttributeType::Ss | AttributeType::Ns | AttributeType::Bs => {
            return Err("the format has no sets");
        }
        AttributeType::B => return Err("the format has no binary values"),
        AttributeType::Null => return Err("the format has no null"),
    })
}

/// Whether all values of a number are whole: it says so, it is a time to live, or a key pads it.
fn is_whole(design: &Design, entity: &Entity, attribute: &Attribute) -> bool {
    let is_padded = |text: &String| {
        let template = parse(text).template;
        let mut used = template
            .placeholders()
            .filter(|p| p.attribute == attribute.name);
        used.any(|placeholder| matches!(placeholder.modifiers.first(), Some(Modifier::Pad(_))))
    };
    let texts = entity
        .keys
        .values()
        .flat_map(|entry| entry.partition.iter().chain(&entry.sort));
    matches!(attribute.format, Some(Format::Integer { .. }))
        || design.table.ttl_attribute.as_ref() == Some(&attribute.name)
        || texts.into_iter().any(is_padded)
}

/// A key of the entity, or why the format cannot express it.
fn key(
    design: &Design,
    entity: &Entity,
    fields: &[(&Attribute, &'static str)],
    key: &EntityKey,
) -> Result<ShownKey, String> {
    if let Some(why) = key.empty {
        return Err(why.to_owned());
    }
    let mut made = ShownKey {
        index: key.index,
        partition: Vec::new(),
        sort: Vec::new(),
        partition_texts: Vec::new(),
        sort_texts: Vec::new(),
    };
    let is_several = design
        .key(key.index)
        .is_some_and(|key| key.is_multi_attribute());
    for field in &key.fields {
        let attribute = field.attribute;
        if !is_quotable(&attribute.name) {
            return Err("its key has a name that the generated code cannot quote".to_owned());
        }
        let template = match &field.source {
            Source::None(why) => return Err((*why).to_owned()),
            Source::Own => parse(&format!("{{{}}}", attribute.name)).template,
            Source::Template(template) => template.clone(),
        };
        let written =
            templates(design, entity).find(|other| other.attribute.name == attribute.name);
        if written
            .is_some_and(|written| parse(written.text).template.to_string() != template.to_string())
        {
            let name = &attribute.name;
            return Err(format!("another template of the entity writes {name}"));
        }
        if matches!(field.source, Source::Template(_))
            && let Some(name) = template
                .attributes()
                .find(|name| is_replaced(design, entity, name))
        {
            return Err(format!(
                "its template has {name}, which a template writes itself"
            ));
        }
        let text = self::text(&template, attribute, fields, key.index.is_primary())?;
        if is_several && text.contains('\'') {
            return Err("its template has a quote that the generated code cannot quote".into());
        }
        let (templates, texts) = match field.part {
            KeyPart::Partition => (&mut made.partition, &mut made.partition_texts),
            KeyPart::Sort => (&mut made.sort, &mut made.sort_texts),
        };
        templates.push(template);
        texts.push(text);
    }
    Ok(made)
}

/// A template as the format writes it, or why it cannot: the package's validator takes formats only in the primary key.
fn text(
    template: &Template,
    key: &KeyAttribute,
    fields: &[(&Attribute, &'static str)],
    is_primary: bool,
) -> Result<String, String> {
    let mut text = String::new();
    for segment in &template.segments {
        match segment {
            Segment::Literal { text: literal, .. } => {
                if !is_quotable(literal) || literal.contains(['{', '}']) {
                    return Err("its template has text that the generated code cannot quote".into());
                }
                text.push_str(literal);
            }
            Segment::Placeholder(placeholder) => {
                let name = &placeholder.attribute;
                let field = fields.iter().find(|(field, _)| field.name == *name);
                let (field, kind) = field.ok_or_else(|| {
                    format!("its template has {name}, which is not a field of the entity")
                })?;
                let is_single = template.is_single_placeholder();
                let format = self::format(placeholder, field, kind, key.kind, is_single)?;
                if !is_primary && !format.is_empty() {
                    return Err(format!(
                        "its template has {placeholder}, and keys of indexes have no formats"
                    ));
                }
                text.extend(["{", name, &format, "}"]);
            }
            Segment::Broken { .. } => return Err("its template has an error".into()),
        }
    }
    match text.trim().is_empty() {
        true => Err("its template is empty".into()),
        false => Ok(text),
    }
}

/// Python's format of a placeholder: empty, or a colon and what comes after it.
fn format(
    placeholder: &Placeholder,
    field: &Attribute,
    kind: &str,
    key: KeyType,
    is_single: bool,
) -> Result<String, String> {
    let name = &field.name;
    Ok(match (field.kind, placeholder.modifiers.as_slice()) {
        (AttributeType::N, []) if key == KeyType::N => String::new(),
        _ if key == KeyType::N => {
            return Err(format!("its key is a number, and {placeholder} is text"));
        }
        // Without a format, a number alone would be a key of type N.
        (AttributeType::N, []) if is_single && kind == "integer" => ":d".to_owned(),
        (AttributeType::N, []) if is_single => ":f".to_owned(),
        (AttributeType::S | AttributeType::N, []) => String::new(),
        (AttributeType::N, [Modifier::Pad(digits)]) => format!(":0{digits}d"),
        (AttributeType::S, [Modifier::Pad(digits)]) => format!(":0>{digits}"),
        (AttributeType::N, [Modifier::PadDecimal { digits, decimals }]) => {
            let width = u16::from(*digits) + u16::from(*decimals) + 1;
            format!(":0{width}.{decimals}f")
        }
        (AttributeType::S, [Modifier::First(count)]) => format!(":.{count}"),
        (AttributeType::S | AttributeType::N, _) => {
            return Err(format!(
                "its template has {placeholder}, which no format of Python writes"
            ));
        }
        _ => {
            return Err(format!(
                "its template has {name}, which is neither text nor a number"
            ));
        }
    })
}
