//! Changes that existing items need: missing key attributes, and key attributes with a new template.

use crate::engine::key_sources::stored_template;
use crate::model::{Condition, Design, Entity, EntityId, IndexId, IndexKind, Table};
use crate::template::parse;

/// A change to the items of one entity.
#[derive(Debug, Clone, PartialEq)]
pub struct DataChange {
    /// The kind of change.
    pub kind: DataKind,
    /// The entity; `None` for all items.
    pub entity: Option<String>,
    /// The index of the key; `None` for the table's key, or no key.
    pub index: Option<String>,
    /// The attributes, with their values before and after.
    pub attributes: Vec<Written>,
}

/// A kind of change to items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// Write key attributes that the items lack.
    Add,
    /// Like [`DataKind::Add`], if it is unknown whether the items have them.
    AddUnlessThere,
    /// Write attributes again, because their template changed.
    Rewrite,
    /// Put each item under its new primary key, and delete the old item.
    Move,
    /// Remove attributes that no template writes anymore; otherwise the items stay in the index.
    Remove,
    /// Write or remove attributes, because the condition of the index entry changed.
    Condition,
    /// Write attributes that were key-only.
    Store,
    /// Remove attributes that are key-only now.
    KeyOnly,
    /// Items of an entity that the design no longer has.
    Orphaned,
    /// Copy all items to the new table.
    Copy,
}

/// A key attribute and its templates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The attribute.
    pub attribute: String,
    /// The template before; `None` if nothing wrote it.
    pub before: Option<String>,
    /// The template now; `None` for the item's own value, or no value.
    pub after: Option<String>,
}

impl DataChange {
    /// Copies all items of a table to another.
    pub(super) fn copy(old: &Table, new: &Table) -> Self {
        let of = |table: &Table| Some(table.name.clone());
        DataChange {
            kind: DataKind::Copy,
            entity: None,
            index: None,
            attributes: vec![Written {
                attribute: "table".to_owned(),
                before: of(old),
                after: of(new),
            }],
        }
    }

    /// Whether the change belongs to the creation of its index.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.kind, DataKind::Add | DataKind::AddUnlessThere)
    }
}

/// Returns the changes between two designs whose entities are both known.
pub(super) fn changes(old: &Design, new: &Design) -> Vec<DataChange> {
    let mut changes = Vec::new();
    for (id, entity) in &new.entities {
        if let Some(before) = earlier(old, new, *id, entity) {
            of_entity(old, before, new, entity, &mut changes);
        }
    }
    for (id, entity) in &old.entities {
        if earlier(new, old, *id, entity).is_none() {
            changes.push(DataChange {
                kind: DataKind::Orphaned,
                entity: Some(entity.name.clone()),
                index: None,
                attributes: Vec::new(),
            });
        }
    }
    changes
}

/// Returns the same entity in the other design: by its name, or, if renamed, by its id. A renamed entity needs an
/// attribute in common, and neither name may be in the other design.
fn earlier<'d>(
    other: &'d Design,
    own: &Design,
    id: EntityId,
    entity: &Entity,
) -> Option<&'d Entity> {
    if let Some(found) = other.entity_named(&entity.name) {
        return other.entities.get(&found).map(|entity| &**entity);
    }
    let found = other.entities.get(&id)?;
    let shared = found.attributes.iter().any(|attribute| {
        let same = entity.attribute(&attribute.name);
        same.is_some_and(|same| same.id == attribute.id)
    });
    (shared && own.entity_named(&found.name).is_none()).then_some(found)
}

/// Returns what new indexes need if nothing is known about the existing items.
pub(super) fn unknown(old: &Design, new: &Design) -> Vec<DataChange> {
    let mut changes = Vec::new();
    for (id, index) in &new.indexes {
        if index.kind == IndexKind::Lsi || old.index_named(&index.name).is_some() {
            continue;
        }
        for entity in new.entities.values() {
            if !entity.keys.contains_key(id) {
                continue;
            }
            let mut attributes = Vec::new();
            for key in index.key.attributes() {
                attributes.push(Written {
                    attribute: key.name.clone(),
                    before: None,
                    after: template(new, entity, &key.name),
                });
            }
            changes.push(DataChange {
                kind: DataKind::AddUnlessThere,
                entity: Some(entity.name.clone()),
                index: Some(index.name.clone()),
                attributes,
            });
        }
    }
    changes
}

fn of_entity(
    old: &Design,
    before: &Entity,
    new: &Design,
    after: &Entity,
    changes: &mut Vec<DataChange>,
) {
    let mut seen: Vec<&str> = Vec::new();
    for id in new.index_ids() {
        let Some(key) = new.key(id) else { continue };
        let entry = after.keys.get(&id);
        let index = (!id.is_primary()).then(|| new.index_name(id).to_owned());
        let (mut add, mut rewrite, mut remove) = (Vec::new(), Vec::new(), Vec::new());
        let known = old_index(old, new, id);
        let had = |name: &str| {
            let of_index = known.filter(|known| before.keys.contains_key(known));
            let key = of_index.and_then(|known| old.key(known));
            before.stored_attribute(name).is_some()
                || key.is_some_and(|key| key.attributes().any(|key| key.name == name))
        };
        for attribute in key.attributes() {
            let name = attribute.name.as_str();
            if seen.contains(&name) {
                continue;
            }
            let (was, is) = (template(old, before, name), template(new, after, name));
            let written = Written {
                attribute: name.to_owned(),
                before: was.clone(),
                after: is.clone(),
            };
            match (&was, &is) {
                (Some(was), Some(is)) if canonical(was) == canonical(is) => {}
                (Some(_), Some(_)) => rewrite.push(written),
                (None, Some(_)) if before.stored_attribute(name).is_some() => rewrite.push(written),
                (None, Some(_)) => add.push(written),
                // A plain attribute as key: items have it if the entity had it, or was in the index through it.
                (None, None) if entry.is_some() && !had(name) => {
                    add.push(written);
                }
                (Some(_), None) if after.stored_attribute(name).is_none() => remove.push(written),
                _ => continue,
            }
            seen.push(name);
        }
        let mut push = |kind, attributes: Vec<Written>| {
            if !attributes.is_empty() {
                changes.push(DataChange {
                    kind,
                    entity: Some(after.name.clone()),
                    index: index.clone(),
                    attributes,
                });
            }
        };
        let changed = match id.is_primary() {
            true => DataKind::Move,
            false => DataKind::Rewrite,
        };
        push(changed, rewrite);
        push(DataKind::Add, add);
        push(DataKind::Remove, remove);
        let conditions = |entity: &Entity, id: Option<IndexId>| -> Vec<Condition> {
            let entry = id.and_then(|id| entity.keys.get(&id));
            entry.map_or(Vec::new(), |entry| entry.when.clone())
        };
        let (was, is) = (conditions(before, known), conditions(after, Some(id)));
        let stayed = known.is_some_and(|known| before.keys.contains_key(&known)) && entry.is_some();
        if stayed && was != is {
            let mut attributes = Vec::new();
            for attribute in key.attributes() {
                attributes.push(Written {
                    attribute: attribute.name.clone(),
                    before: template(old, before, &attribute.name),
                    after: template(new, after, &attribute.name),
                });
            }
            push(DataKind::Condition, attributes);
        }
    }
    for (kind, key_only) in [(DataKind::Store, false), (DataKind::KeyOnly, true)] {
        let switched = after.attributes.iter().filter(|attribute| {
            let was = before.attribute(&attribute.name).map(|was| was.key_only);
            was == Some(!key_only) && attribute.key_only == key_only
        });
        let attributes: Vec<Written> = switched
            .map(|attribute| Written {
                attribute: attribute.name.clone(),
                before: None,
                after: None,
            })
            .collect();
        if !attributes.is_empty() {
            changes.push(DataChange {
                kind,
                entity: Some(after.name.clone()),
                index: None,
                attributes,
            });
        }
    }
    let value = |design: &Design, entity: &Entity| {
        let name = design.table.type_attribute.clone()?;
        Some((name, entity.name.clone()))
    };
    let (was, is) = (value(old, before), value(new, after));
    if was != is
        && let Some((attribute, value)) = is
    {
        let before = was.filter(|(other, _)| *other == attribute);
        changes.push(DataChange {
            kind: match before {
                Some(_) => DataKind::Rewrite,
                None => DataKind::Add,
            },
            entity: Some(after.name.clone()),
            index: None,
            attributes: vec![Written {
                attribute,
                before: before.map(|(_, value)| value),
                after: Some(value),
            }],
        });
    }
}

/// Returns the old index of the same name.
fn old_index(old: &Design, new: &Design, id: IndexId) -> Option<IndexId> {
    match id.is_primary() {
        true => Some(IndexId::PRIMARY),
        false => old.index_named(new.index_name(id)),
    }
}

/// Returns the template that writes a key attribute of an entity's items.
fn template(design: &Design, entity: &Entity, attribute: &str) -> Option<String> {
    let found = stored_template(design, entity, attribute)?;
    Some(found.text.to_owned())
}

/// Returns a template in canonical form, so that another notation is no change.
fn canonical(text: &str) -> String {
    let parsed = parse(text);
    match parsed.errors.is_empty() {
        true => parsed.template.to_string(),
        false => text.to_owned(),
    }
}
