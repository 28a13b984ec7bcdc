//! What writes the key attributes of an entity's items. All other code gets the answer here.
//!
//! - A template in an index entry writes the first attribute of its side of that index's key. Multi-attribute keys have
//!   no templates: the design's invariants refuse them.
//! - An attribute that no template writes comes from the item's own attribute of the same name, if the entity has one: a
//!   natural key. A key-only attribute is none, because items do not store it.
//! - Every item has the table's type attribute, with the entity's name, whatever attribute of its own the entity has.
//! - Several indexes can share a key attribute. DynamoDB stores one value, so [`key_source`] takes one template:
//!   [`Preferred`] says whose. [`stored_source`] and [`stored_template`] are about that value, [`source_in`] about one
//!   index.
//!
//! Conditions of entries do not count here: [`KeyTemplate::when`] has them for callers that must know. What the
//! templates can render is in [`languages`](super::languages).

use crate::model::{
    Attribute, AttributeType, Condition, Design, Entity, IndexEntry, IndexId, KeyAttribute,
    KeyPart, KeySchema, KeyType,
};
use crate::template::{self, Template};
use std::borrow::Cow;

/// A template and the key attribute that it writes.
#[derive(Debug, Clone, Copy)]
pub struct KeyTemplate<'a> {
    /// The index whose entry has the template.
    pub index: IndexId,
    /// The side of the key.
    pub part: KeyPart,
    /// The key attribute.
    pub attribute: &'a KeyAttribute,
    /// The template as typed; it can be empty or have errors.
    pub text: &'a str,
    /// The conditions of the entry: without them the template writes nothing.
    pub when: &'a [Condition],
}

/// What writes one key attribute of an entity's items.
#[derive(Debug, Clone, Copy)]
pub enum KeySource<'a> {
    /// A template.
    Template(KeyTemplate<'a>),
    /// No template: the item supplies the value, in its own attribute of that name.
    Attribute(&'a Attribute),
    /// The entity's name: it is the table's type attribute.
    Type(&'a str),
    /// None of these: the items do not have the attribute.
    Nothing,
}

/// Which template writes an attribute that several entries have a template for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preferred {
    /// That of the lowest index id, the primary key first. It is the one whose value an item keeps.
    Lowest,
    /// That of this index; without one, that of the lowest index id.
    Index(IndexId),
}

/// Whether a template without any text is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EmptyText {
    /// It is: the attribute has a template, which renders nothing.
    Counts,
    /// It is not: the next entry, or the item's own attribute, writes the key attribute.
    Skipped,
}

/// Which of the entity's own attributes supply a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnAttribute {
    /// The one of the same name, whatever its type.
    OfAnyType,
    /// The one of the same name, if it has the type of the key.
    OfType(KeyType),
}

impl KeySource<'_> {
    /// The template's text; for an attribute of the item, one placeholder; for the type attribute, the name. `None` if nothing
    /// writes the key attribute.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        match self {
            KeySource::Template(template) => Some(Cow::Borrowed(template.text)),
            KeySource::Attribute(own) => Some(Cow::Owned(placeholder(own))),
            KeySource::Type(name) => Some(Cow::Owned(name.replace('{', "{{").replace('}', "}}"))),
            KeySource::Nothing => None,
        }
    }

    /// The template; for an attribute of the item, one placeholder. `None` if nothing writes the key attribute, or if
    /// the template is empty or has an error, and so renders no key.
    pub fn template(&self) -> Option<Template> {
        let text = self.text()?;
        let parsed = template::parse(&text);
        (parsed.errors.is_empty() && !text.is_empty()).then_some(parsed.template)
    }
}

/// The template of a plain attribute: one placeholder.
pub fn placeholder(own: &Attribute) -> String {
    format!("{{{}}}", own.name)
}

/// The templates of an entry, partition first, each with the attribute of the key that it writes.
pub fn entry_templates<'a>(
    index: IndexId,
    key: &'a KeySchema,
    entry: &'a IndexEntry,
) -> impl Iterator<Item = KeyTemplate<'a>> {
    let sides = [
        (KeyPart::Partition, &key.partition, &entry.partition),
        (KeyPart::Sort, &key.sort, &entry.sort),
    ];
    sides.into_iter().filter_map(move |(part, side, text)| {
        Some(KeyTemplate {
            index,
            part,
            attribute: side.first()?,
            text: text.as_deref()?,
            when: &entry.when,
        })
    })
}

/// An entity's templates for the table or an index, partition first.
pub fn templates_in<'a>(
    design: &'a Design,
    entity: &'a Entity,
    index: IndexId,
) -> impl Iterator<Item = KeyTemplate<'a>> {
    let entry = entity.keys.get(&index).zip(design.key(index));
    (entry.into_iter()).flat_map(move |(entry, key)| entry_templates(index, key, entry))
}

/// All templates of an entity, in the order of the indexes' ids, the primary key first. Of several that write the same
/// attribute the first is the one whose value an item keeps.
pub fn templates<'a>(
    design: &'a Design,
    entity: &'a Entity,
) -> impl Iterator<Item = KeyTemplate<'a>> {
    (entity.keys.keys()).flat_map(move |index| templates_in(design, entity, *index))
}

/// The template that writes the key attribute of this name, if one does.
pub fn key_template<'a>(
    design: &'a Design,
    entity: &'a Entity,
    name: &str,
    preferred: Preferred,
    empty: EmptyText,
) -> Option<KeyTemplate<'a>> {
    let writes = |template: &KeyTemplate| {
        template.attribute.name == name && (empty == EmptyText::Counts || !template.text.is_empty())
    };
    let own = match preferred {
        Preferred::Lowest => None,
        Preferred::Index(index) => templates_in(design, entity, index).find(writes),
    };
    own.or_else(|| templates(design, entity).find(writes))
}

/// Whether a template only copies the item's own attribute of the key attribute's name: a natural key, written out.
pub fn copies_own_attribute(entity: &Entity, template: &KeyTemplate) -> bool {
    let key = template.attribute;
    let plain = (template.text.strip_prefix('{')).and_then(|text| text.strip_suffix('}'));
    plain == Some(&*key.name)
        && template.when.is_empty()
        && own_attribute(entity, &key.name, OwnAttribute::OfType(key.kind)).is_some()
}

/// The template, even an empty one, whose value an item keeps in the attribute of this name.
pub fn stored_template<'a>(
    design: &'a Design,
    entity: &'a Entity,
    name: &str,
) -> Option<KeyTemplate<'a>> {
    key_template(design, entity, name, Preferred::Lowest, EmptyText::Counts)
}

/// Whether a template, even an empty one, writes the attribute of this name.
pub fn has_template(design: &Design, entity: &Entity, name: &str) -> bool {
    stored_template(design, entity, name).is_some()
}

/// Whether a template writes the attribute of this name with another value than the item's own: see [`has_template`] and
/// [`copies_own_attribute`].
pub fn is_replaced(design: &Design, entity: &Entity, name: &str) -> bool {
    let template = stored_template(design, entity, name);
    template.is_some_and(|template| !copies_own_attribute(entity, &template))
}

/// What writes the key attribute of this name in an entity's items.
pub fn key_source<'a>(
    design: &'a Design,
    entity: &'a Entity,
    name: &str,
    preferred: Preferred,
    empty: EmptyText,
    own: OwnAttribute,
) -> KeySource<'a> {
    // Items have the type whatever a template or an attribute of its own says.
    if design.table.is_type_attribute(name) {
        return match own {
            OwnAttribute::OfType(KeyType::N | KeyType::B) => KeySource::Nothing,
            OwnAttribute::OfType(KeyType::S) | OwnAttribute::OfAnyType => {
                KeySource::Type(&entity.name)
            }
        };
    }
    if let Some(template) = key_template(design, entity, name, preferred, empty) {
        return KeySource::Template(template);
    }
    own_attribute(entity, name, own).map_or(KeySource::Nothing, KeySource::Attribute)
}

/// What writes the value that items keep in the key attribute of this name: the type, else the template of the lowest
/// index id, even an empty one, else the item's own attribute, whatever its type.
pub fn stored_source<'a>(design: &'a Design, entity: &'a Entity, name: &str) -> KeySource<'a> {
    let (preferred, empty) = (Preferred::Lowest, EmptyText::Counts);
    let own = OwnAttribute::OfAnyType;
    key_source(design, entity, name, preferred, empty, own)
}

/// The table and the indexes that an entity is in, the table first: those that it has an entry for, and those that natural
/// keys and the type attribute put its items into, alone or with key attributes that templates for other indexes write.
pub fn indexes_of<'a>(
    design: &'a Design,
    entity: &'a Entity,
) -> impl Iterator<Item = (IndexId, Option<&'a IndexEntry>)> {
    let indexes = design.index_ids();
    let indexes = indexes.filter(|index| is_in_index(design, entity, *index));
    indexes.map(|index| (index, entity.keys.get(&index)))
}

/// Whether an entity has items in the table or an index, as far as keys say it: see [`indexes_of`].
pub fn is_in_index(design: &Design, entity: &Entity, index: IndexId) -> bool {
    if entity.keys.contains_key(&index) {
        return true;
    }
    let mut is_natural = false;
    let mut is_written = |key: &KeyAttribute| {
        let own = OwnAttribute::OfType(key.kind);
        let (preferred, empty) = (Preferred::Lowest, EmptyText::Counts);
        let source = key_source(design, entity, &key.name, preferred, empty, own);
        is_natural |= matches!(source, KeySource::Attribute(_) | KeySource::Type(_));
        !matches!(source, KeySource::Nothing)
    };
    let key = design.key(index);
    key.is_some_and(|key| key.attributes().all(&mut is_written)) && is_natural
}

/// The attributes that an entity's primary key is made of, partition key first: those in its templates, and natural
/// keys. An attribute can occur more than once.
pub fn primary_attributes(design: &Design, entity: &Entity) -> Vec<String> {
    let mut names = Vec::new();
    for key in design.table.key.attributes() {
        let source = stored_source(design, entity, &key.name);
        let text = source.text();
        let template = template::parse(text.as_deref().unwrap_or("")).template;
        names.extend(template.attributes().map(str::to_owned));
    }
    names
}

/// What writes the key attribute of this name for an index: like [`stored_source`], but the index's own template comes
/// first.
pub fn source_in<'a>(
    design: &'a Design,
    entity: &'a Entity,
    index: IndexId,
    name: &str,
) -> KeySource<'a> {
    let (preferred, empty) = (Preferred::Index(index), EmptyText::Counts);
    let own = OwnAttribute::OfAnyType;
    key_source(design, entity, name, preferred, empty, own)
}

/// The entity's own entry in an index, and the entries of other secondary indexes that write its key there. Each writes all
/// of its attributes or none: an item that does not meet the conditions of one of them, or lacks a value of its templates,
/// is not in the index.
pub fn entries_of_key<'a>(
    design: &'a Design,
    entity: &'a Entity,
    index: IndexId,
) -> Vec<(IndexId, &'a IndexEntry)> {
    let mut writing = vec![index];
    for attribute in design.key(index).iter().flat_map(|key| key.attributes()) {
        if let KeySource::Template(template) = source_in(design, entity, index, &attribute.name)
            && !writing.contains(&template.index)
        {
            writing.push(template.index);
        }
    }
    let secondary = writing.into_iter().filter(|index| !index.is_primary());
    let entries = secondary.filter_map(|index| Some((index, entity.keys.get(&index)?)));
    entries.collect()
}

/// The entity's own attribute that supplies the key attribute of this name where no template does.
fn own_attribute<'a>(entity: &'a Entity, name: &str, own: OwnAttribute) -> Option<&'a Attribute> {
    let attribute = entity.stored_attribute(name)?;
    match own {
        OwnAttribute::OfAnyType => Some(attribute),
        OwnAttribute::OfType(kind) => {
            (attribute.kind == AttributeType::from(kind)).then_some(attribute)
        }
    }
}
