//! Access patterns that follow a changed template.

use crate::parameter_owner::concerned;
use keyfold_core::engine::query::expression::{
    Name, parse_condition, parse_update, uses_of_condition, uses_of_update, with_alias,
};
use keyfold_core::model::{
    AccessPattern, Design, EntityId, IndexId, ItemKey, KeyPart, Operation, WriteAction,
};
use std::sync::Arc;

/// Applies `change` to the templates of the access patterns whose only entity is this one, also if they name none but have
/// its key: the partition and sort conditions of queries on the index, and the keys of items if it is the primary key.
/// `change` returns the new text of a template, or `None` to keep it.
pub(super) fn rewrite(
    design: &mut Design,
    entity: EntityId,
    index: IndexId,
    change: &mut dyn FnMut(KeyPart, &str, &mut AccessPattern, bool) -> Option<String>,
) {
    let before = design.clone();
    for pattern in design.access_patterns.values_mut() {
        let about = match pattern.entities.as_slice() {
            [only] => *only == entity,
            [] => concerned(&before, pattern) == [entity],
            _ => false,
        };
        let mut next = AccessPattern::clone(pattern);
        let mut operation = next.operation.clone();
        match &mut operation {
            Operation::Query {
                index: queried,
                partition,
                sort,
                ..
            } if *queried == index && about => {
                for text in partition {
                    if let Some(new) = change(KeyPart::Partition, text, &mut next, true) {
                        *text = new;
                    }
                }
                for condition in sort {
                    for text in [Some(&mut condition.value), condition.upper.as_mut()] {
                        let Some(text) = text else {
                            continue;
                        };
                        if let Some(new) = change(KeyPart::Sort, text, &mut next, true) {
                            *text = new;
                        }
                    }
                }
            }
            Operation::Query { .. } | Operation::Scan { .. } => {}
            operation if index.is_primary() => {
                for key in operation.keys_mut() {
                    // In a request for several items, change only the keys of this entity.
                    if about || has_key(&before, entity, key) {
                        item_key(key, &mut next, change);
                    }
                }
            }
            _ => {}
        }
        next.operation = operation;
        if next != **pattern {
            *pattern = Arc::new(next);
        }
    }
}

fn item_key(
    key: &mut ItemKey,
    pattern: &mut AccessPattern,
    change: &mut dyn FnMut(KeyPart, &str, &mut AccessPattern, bool) -> Option<String>,
) {
    if let Some(new) = change(KeyPart::Partition, &key.partition, pattern, false) {
        key.partition = new;
    }
    if let Some(sort) = &mut key.sort
        && let Some(new) = change(KeyPart::Sort, sort, pattern, false)
    {
        *sort = new;
    }
}

/// Whether the key has the entity's own templates, of which one may have been changed already.
fn has_key(design: &Design, entity: EntityId, key: &ItemKey) -> bool {
    let entry = (design.entities.get(&entity)).and_then(|e| e.keys.get(&IndexId::PRIMARY));
    entry.is_some_and(|entry| {
        entry.partition.as_ref() == Some(&key.partition) && entry.sort == key.sort
    })
}

/// Writes `word`, where it is an attribute in one of the pattern's expressions, as `#word`.
pub(super) fn alias(pattern: &mut AccessPattern, word: &str) {
    let operation = &mut pattern.operation;
    if let Some(filter) = operation.read_mut().and_then(|read| read.filter.as_mut()) {
        condition(filter, word);
    }
    for action in operation.actions_mut() {
        let text = match action {
            WriteAction::UpdateItem {
                update, condition, ..
            } => {
                let names = parse_update(update).map(|update| uses_of_update(&update).paths);
                let names = names.unwrap_or_default().into_iter();
                replace(update, word, names.map(|path| path.attribute));
                condition.as_mut()
            }
            WriteAction::PutItem { condition, .. } | WriteAction::DeleteItem { condition, .. } => {
                condition.as_mut()
            }
            WriteAction::ConditionCheck { condition, .. } => Some(condition),
        };
        if let Some(text) = text {
            condition(text, word);
        }
    }
}

fn condition(text: &mut String, word: &str) {
    let names = parse_condition(text).map(|condition| uses_of_condition(&condition).paths);
    let names = names.unwrap_or_default().into_iter();
    replace(text, word, names.map(|path| path.attribute));
}

/// Writes the word with `#` if the expression names it without.
fn replace(text: &mut String, word: &str, mut names: impl Iterator<Item = Name>) {
    if names.any(|name| name.text == word && !name.alias) {
        *text = with_alias(text, word);
    }
}
