//! Changes that existing items need: missing key attributes, and key attributes with a new template.

use super::renamed::{canonical, conditions, earlier, earlier_attribute, renamed};
use crate::engine::key_sources::{copies_own_attribute, is_in_index, stored_template};
use crate::model::{
    Attribute, AttributeType, Condition, DelimiterPolicy, Design, Entity, IndexId, IndexKind,
    KeyType, OnDelimiter, Table,
};
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
    /// The condition of the index entry: only items that it fits get the attributes. `None`: all.
    pub when: Option<String>,
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
    /// Put each item under its new primary key, and delete the item under the old one.
    Move,
    /// Copy values to new names, because attributes were renamed.
    Rename,
    /// Write attributes with another type.
    Retype,
    /// Write the keys again whose values contain the delimiter, because the delimiter or its policy changed.
    Delimiter,
    /// Remove attributes that nothing writes anymore; otherwise the items stay in the index.
    Remove,
    /// Write or remove attributes, because the condition of the index entry changed.
    Condition,
    /// Write attributes that were key-only.
    Store,
    /// Remove attributes that are key-only now.
    KeyOnly,
    /// Remove attributes that nothing writes anymore: the old type attribute, the keys of deleted indexes.
    Unused,
    /// Items of an entity that the design no longer has.
    Orphaned,
    /// Copy all items to the new table.
    Copy,
}

impl DataKind {
    /// Whether a change of this kind names attributes without values.
    pub(super) fn lists_names(self) -> bool {
        matches!(
            self,
            DataKind::Store | DataKind::KeyOnly | DataKind::Unused | DataKind::Remove
        )
    }
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
            when: None,
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

    /// Whether it writes an attribute of this name.
    pub(super) fn writes(&self, name: &str) -> bool {
        self.attributes.iter().any(|written| {
            let new_name = written.after.as_deref();
            written.attribute == name || self.kind == DataKind::Rename && new_name == Some(name)
        })
    }

    /// Whether it takes something away, which waits until nothing reads it anymore.
    pub fn is_cleanup(&self) -> bool {
        matches!(
            self.kind,
            DataKind::Remove | DataKind::KeyOnly | DataKind::Unused | DataKind::Orphaned
        )
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
                when: None,
                attributes: Vec::new(),
            });
        }
    }
    changes.extend(delimiter(old, new));
    changes
}

/// Returns what another delimiter, or another policy for it, needs.
fn delimiter(old: &Design, new: &Design) -> Option<DataChange> {
    let text = |design: &Design| {
        let DelimiterPolicy {
            delimiter,
            on_conflict,
        } = &*design.delimiter;
        match on_conflict {
            OnDelimiter::Reject => format!("`{delimiter}`, which no value contains"),
            OnDelimiter::PercentEncode => format!("`{delimiter}`, percent-encoded in values"),
        }
    };
    let has_values = |design: &Design| {
        let mut entries = design
            .entities
            .values()
            .flat_map(|entity| entity.keys.values());
        entries.any(|entry| {
            let mut parts = entry.partition.iter().chain(&entry.sort);
            parts.any(|part| parse(part).template.attributes().next().is_some())
        })
    };
    (old.delimiter != new.delimiter && has_values(old) && has_values(new)).then(|| DataChange {
        kind: DataKind::Delimiter,
        entity: None,
        index: None,
        when: None,
        attributes: vec![Written {
            attribute: "delimiter".to_owned(),
            before: Some(text(old)),
            after: Some(text(new)),
        }],
    })
}

/// Formats the conditions of an index entry; `None` if it has none.
fn condition_text(conditions: &[Condition]) -> Option<String> {
    let all: Vec<String> = conditions.iter().map(Condition::to_string).collect();
    (!all.is_empty()).then(|| all.join(" and "))
}

/// Returns what new indexes need if nothing is known about the existing items.
pub(super) fn unknown(old: &Design, new: &Design) -> Vec<DataChange> {
    let mut changes = Vec::new();
    for (id, index) in &new.indexes {
        if index.kind == IndexKind::Lsi || old.index_named(&index.name).is_some() {
            continue;
        }
        for entity in new.entities.values() {
            let Some(entry) = entity.keys.get(id) else {
                continue;
            };
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
                when: condition_text(&entry.when),
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
    let names = renamed(before, after);
    of_attributes(before, after, changes);
    let mut seen: Vec<&str> = Vec::new();
    for id in new.index_ids() {
        let Some(key) = new.key(id) else { continue };
        let entry = after.keys.get(&id);
        let index = (!id.is_primary()).then(|| new.index_name(id).to_owned());
        let (mut add, mut rewrite, mut remove) = (Vec::new(), Vec::new(), Vec::new());
        let mut retype = Vec::new();
        let known = old_index(old, new, id);
        let had = |name: &str| {
            let of_index = known.filter(|known| before.keys.contains_key(known));
            let key = of_index.and_then(|known| old.key(known));
            before.stored_attribute(name).is_some()
                || key.is_some_and(|key| key.attributes().any(|key| key.name == name))
        };
        // A natural key that the entity no longer has: its items have it still, and are in the index through it.
        let was_in = known.is_some_and(|known| is_in_index(old, before, known));
        let leaves = |name: &str| {
            was_in
                && before.stored_attribute(name).is_some()
                && after.attribute(name).is_none()
                && !names.iter().any(|(was, _)| *was == name)
                && !is_written_anyway(new, name)
        };
        for attribute in key.attributes() {
            let name = attribute.name.as_str();
            if seen.contains(&name) {
                continue;
            }
            let (was, is) = (
                other_value(old, before, name),
                other_value(new, after, name),
            );
            let written = |before: Option<&str>, after: Option<&str>| Written {
                attribute: name.to_owned(),
                before: before.map(str::to_owned),
                after: after.map(str::to_owned),
            };
            let kind = AttributeType::from(attribute.kind);
            let retyped = old_type(old, before, name).filter(|was| *was != kind);
            match (was.as_deref(), is.as_deref()) {
                (Some(was), Some(is)) if canonical(was, &names) == canonical(is, &[]) => {
                    let Some(was) = retyped else { continue };
                    retype.push(written(Some(was.word()), Some(kind.word())));
                }
                (was, Some(is)) if was.is_some() || before.stored_attribute(name).is_some() => {
                    match retyped.filter(|_| !id.is_primary()) {
                        Some(other) => retype.push(written(
                            Some(&typed(was, other)),
                            Some(&typed(Some(is), kind)),
                        )),
                        None => rewrite.push(written(was, Some(is))),
                    }
                }
                (_, Some(is)) => add.push(written(None, Some(is))),
                // A plain attribute as key: items have it if the entity had it, or was in the index through it. One that was
                // renamed is copied.
                (None, None) if entry.is_some() && !had(name) && !is_copied(&names, name) => {
                    add.push(written(None, None));
                }
                (None, None) if !id.is_primary() && leaves(name) => {
                    remove.push(written(None, None));
                }
                (Some(was), None) if after.stored_attribute(name).is_none() => {
                    remove.push(written(Some(was), None));
                }
                // The item's own value, which the template replaced.
                (Some(was), None) => rewrite.push(written(Some(was), Some(&format!("{{{name}}}")))),
                _ => continue,
            }
            seen.push(name);
        }
        let when = entry.and_then(|entry| condition_text(&entry.when));
        let mut push = |kind, attributes: Vec<Written>, when: Option<&String>| {
            if !attributes.is_empty() {
                changes.push(DataChange {
                    kind,
                    entity: Some(after.name.clone()),
                    index: index.clone(),
                    when: when.cloned(),
                    attributes,
                });
            }
        };
        let changed = match id.is_primary() {
            true => DataKind::Move,
            false => DataKind::Rewrite,
        };
        push(changed, rewrite, when.as_ref());
        push(DataKind::Retype, retype, when.as_ref());
        push(DataKind::Add, add, when.as_ref());
        push(DataKind::Remove, remove, None);
        let known_entry = known.and_then(|known| before.keys.get(&known));
        if let (Some(was), Some(is)) = (known_entry, entry)
            && conditions(was, &names) != is.when
        {
            // A condition decides on the templates of the entry, not on an attribute that items have anyway.
            let mut attributes = Vec::new();
            for attribute in key.attributes() {
                let name = &attribute.name;
                let is_kept = after.stored_attribute(name).is_some()
                    || new.table.key.attributes().any(|key| key.name == *name);
                if !is_kept {
                    attributes.push(Written {
                        attribute: name.clone(),
                        before: template(old, before, name),
                        after: template(new, after, name),
                    });
                }
            }
            push(DataKind::Condition, attributes, when.as_ref());
        }
    }
    let unused = unused(old, before, new, after);
    if !unused.is_empty() {
        changes.push(DataChange {
            kind: DataKind::Unused,
            entity: Some(after.name.clone()),
            index: None,
            when: None,
            attributes: unused,
        });
    }
    let value = |design: &Design, entity: &Entity| {
        let name = design.table.type_attribute.clone()?;
        Some((name, entity.name.clone()))
    };
    let (was, is) = (value(old, before), value(new, after));
    if let Some((attribute, _)) = &was
        && is.as_ref().is_none_or(|(other, _)| other != attribute)
        && after.attribute(attribute).is_none()
        && template(new, after, attribute).is_none()
    {
        changes.push(DataChange {
            kind: DataKind::Unused,
            entity: Some(after.name.clone()),
            index: None,
            when: None,
            attributes: vec![Written {
                attribute: attribute.clone(),
                before: None,
                after: None,
            }],
        });
    }
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
            when: None,
            attributes: vec![Written {
                attribute,
                before: before.map(|(_, value)| value),
                after: Some(value),
            }],
        });
    }
}

/// Adds the changes of an entity's own attributes: renamed, of another type, key-only or no longer.
fn of_attributes(before: &Entity, after: &Entity, changes: &mut Vec<DataChange>) {
    let mut push = |kind, attributes: Vec<Written>| {
        if !attributes.is_empty() {
            changes.push(DataChange {
                kind,
                entity: Some(after.name.clone()),
                index: None,
                when: None,
                attributes,
            });
        }
    };
    let (mut copied, mut retyped) = (Vec::new(), Vec::new());
    let (mut store, mut key_only) = (Vec::new(), Vec::new());
    for attribute in &after.attributes {
        let Some(was) = earlier_attribute(before, after, attribute) else {
            continue;
        };
        let written = |before: Option<&str>, after: Option<&str>| Written {
            attribute: attribute.name.clone(),
            before: before.map(str::to_owned),
            after: after.map(str::to_owned),
        };
        match (was.key_only, attribute.key_only) {
            (true, true) => {}
            (true, false) => store.push(written(None, None)),
            (false, true) => key_only.push(Written {
                attribute: was.name.clone(),
                ..written(None, None)
            }),
            (false, false) => {
                if was.name != attribute.name {
                    copied.push(Written {
                        attribute: was.name.clone(),
                        ..written(None, Some(&attribute.name))
                    });
                }
                if was.kind != attribute.kind {
                    retyped.push(written(Some(was.kind.word()), Some(attribute.kind.word())));
                }
            }
        }
    }
    push(DataKind::Rename, copied);
    push(DataKind::Retype, retyped);
    push(DataKind::Store, store);
    push(DataKind::KeyOnly, key_only);
}

/// Returns the attributes that templates wrote for indexes of `old`, and that nothing in `new` writes or has as a key.
fn unused(old: &Design, before: &Entity, new: &Design, after: &Entity) -> Vec<Written> {
    let is_key = |name: &str| key_type(new, name).is_some();
    let mut unused: Vec<Written> = Vec::new();
    for key in old
        .indexes
        .values()
        .flat_map(|index| index.key.attributes())
    {
        let name = &key.name;
        let is_known = unused.iter().any(|other| other.attribute == *name);
        let is_kept = is_key(name)
            || after.attribute(name).is_some()
            || is_written_anyway(old, name)
            || is_written_anyway(new, name);
        if !is_known && !is_kept && template(old, before, name).is_some() {
            unused.push(Written {
                attribute: name.clone(),
                before: None,
                after: None,
            });
        }
    }
    unused
}

/// Whether all items have an attribute: it is part of the primary key, or the type attribute.
fn is_written_anyway(design: &Design, name: &str) -> bool {
    let table = &design.table;
    table.key.attributes().any(|key| key.name == name) || table.is_type_attribute(name)
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

/// Returns the template that writes a key attribute, unless it writes the value that the item has there without it.
fn other_value(design: &Design, entity: &Entity, attribute: &str) -> Option<String> {
    let found = stored_template(design, entity, attribute)?;
    (!copies_own_attribute(entity, &found)).then(|| found.text.to_owned())
}

/// Returns the type of the values that an entity's items have in an attribute, as far as the design says.
fn old_type(design: &Design, entity: &Entity, name: &str) -> Option<AttributeType> {
    let own = || Some(entity.stored_attribute(name)?.kind);
    key_type(design, name).map(AttributeType::from).or_else(own)
}

/// Formats a template and the type of its values; only the type without a template.
fn typed(template: Option<&str>, kind: AttributeType) -> String {
    match template {
        Some(template) => format!("{template} ({})", kind.word()),
        None => kind.word().to_owned(),
    }
}

/// Returns the type of the key attribute of this name, of the table or of an index.
pub(super) fn key_type(design: &Design, name: &str) -> Option<KeyType> {
    (design.index_ids())
        .filter_map(|id| design.key(id))
        .find_map(|key| key.attributes().find(|key| key.name == name))
        .map(|key| key.kind)
}

/// Whether the values of an attribute that was renamed are copied to this name.
fn is_copied(names: &[(&str, &Attribute)], name: &str) -> bool {
    (names.iter()).any(|(_, now)| now.name == name && !now.key_only)
}
