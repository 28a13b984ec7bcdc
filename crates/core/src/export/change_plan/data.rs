//! What existing items need: key attributes that they lack, or that another template writes now.

use crate::model::{Condition, Design, Entity, EntityId, IndexId, IndexKind, Table};
use crate::template::parse;

/// What has to be written to the items of one entity.
#[derive(Debug, Clone, PartialEq)]
pub struct DataChange {
    /// What is to be done.
    pub kind: DataKind,
    /// The entity; `None`: all items.
    pub entity: Option<String>,
    /// The index whose key it is; `None`: the table's, or no key.
    pub index: Option<String>,
    /// The attributes, before and after.
    pub attributes: Vec<Written>,
}

/// What is to be done with the items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// Key attributes that the items lack: write them.
    Add,
    /// As [`DataKind::Add`], where it is not known whether the items have them.
    AddUnlessThere,
    /// Attributes whose template changed: write them anew.
    Rewrite,
    /// Attributes of the primary key: put each item under its new key and delete the old one.
    Move,
    /// Attributes that no template writes any more: remove them, or the items stay in the index.
    Remove,
    /// The condition changed under which an item is in the index: write or remove the attributes accordingly.
    Condition,
    /// The items of an entity that is gone from the design.
    Orphaned,
    /// All items, into the new table.
    Copy,
}

/// A key attribute and what writes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The attribute.
    pub attribute: String,
    /// The template before; `None`: nothing wrote it.
    pub before: Option<String>,
    /// The template now; `None`: the author's own value, or nothing.
    pub after: Option<String>,
}

impl DataChange {
    /// All items of a table into another.
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

    /// Whether it belongs to the making of its index.
    pub(super) fn is_new(&self) -> bool {
        matches!(self.kind, DataKind::Add | DataKind::AddUnlessThere)
    }
}

/// What changes between two designs whose entities are both known.
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

/// The same entity in the other design: of its name, or renamed: of its id, with an attribute in common, if neither
/// name is in the other design.
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

/// What the new indexes need where nothing is known of the items before.
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
            before.attribute(name).is_some()
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
                (None, Some(_)) if before.attribute(name).is_some() => rewrite.push(written),
                (None, Some(_)) => add.push(written),
                // A plain attribute as key: items have it if the entity had it, or was in the index by it.
                (None, None) if entry.is_some() && !had(name) => {
                    add.push(written);
                }
                (Some(_), None) if after.attribute(name).is_none() => remove.push(written),
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

/// The index of the same name before.
fn old_index(old: &Design, new: &Design, id: IndexId) -> Option<IndexId> {
    match id.is_primary() {
        true => Some(IndexId::PRIMARY),
        false => old.index_named(new.index_name(id)),
    }
}

/// The template that writes a key attribute of an entity's items.
fn template(design: &Design, entity: &Entity, attribute: &str) -> Option<String> {
    for (id, entry) in &entity.keys {
        let Some(key) = design.key(*id).filter(|key| !key.is_multi_attribute()) else {
            continue;
        };
        let sort = key.sort.first().map(|sort| sort.name.as_str());
        if key.partition[0].name == attribute && entry.partition.is_some() {
            return entry.partition.clone();
        }
        if sort == Some(attribute) && entry.sort.is_some() {
            return entry.sort.clone();
        }
    }
    None
}

/// A template as it is understood, so that another way of writing it is no change.
fn canonical(text: &str) -> String {
    let parsed = parse(text);
    match parsed.errors.is_empty() {
        true => parsed.template.to_string(),
        false => text.to_owned(),
    }
}
