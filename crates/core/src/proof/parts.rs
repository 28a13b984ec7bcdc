//! The templates, expressions and keys of an operation of any kind.

use crate::model::{EntityId, ItemKey, Operation, WriteAction};

/// The components of an operation.
#[derive(Debug, Default)]
pub(super) struct Parts<'a> {
    /// Its key templates.
    pub templates: Vec<&'a str>,
    /// Its expressions.
    pub expressions: Vec<&'a str>,
    /// The primary keys that it reads or writes.
    pub keys: Vec<&'a ItemKey>,
    /// The entities that it puts.
    pub puts: Vec<EntityId>,
}

impl<'a> Parts<'a> {
    fn key(&mut self, key: &'a ItemKey) {
        self.keys.push(key);
        self.templates.push(&key.partition);
        self.templates.extend(key.sort.as_deref());
    }

    fn action(&mut self, action: &'a WriteAction) {
        match action {
            WriteAction::PutItem { entity, condition } => {
                self.puts.push(*entity);
                self.expressions.extend(condition.as_deref());
            }
            WriteAction::UpdateItem {
                key,
                update,
                condition,
            } => {
                self.key(key);
                self.expressions.push(update);
                self.expressions.extend(condition.as_deref());
            }
            WriteAction::DeleteItem { key, condition } => {
                self.key(key);
                self.expressions.extend(condition.as_deref());
            }
            WriteAction::ConditionCheck { key, condition } => {
                self.key(key);
                self.expressions.push(condition);
            }
        }
    }
}

/// Splits an operation into its components.
pub(super) fn parts(operation: &Operation) -> Parts<'_> {
    let mut parts = Parts::default();
    match operation {
        Operation::GetItem { key, read } => {
            parts.key(key);
            parts.expressions.extend(read.filter.as_deref());
        }
        Operation::BatchGetItem { keys, read } => {
            keys.iter().for_each(|key| parts.key(key));
            parts.expressions.extend(read.filter.as_deref());
        }
        Operation::TransactGetItems { keys } => keys.iter().for_each(|key| parts.key(key)),
        Operation::Query {
            partition,
            sort,
            read,
            ..
        } => {
            parts.templates.extend(partition.iter().map(String::as_str));
            for condition in sort {
                parts.templates.push(&condition.value);
                parts.templates.extend(condition.upper.as_deref());
            }
            parts.expressions.extend(read.filter.as_deref());
        }
        Operation::Scan { read, .. } => parts.expressions.extend(read.filter.as_deref()),
        Operation::Write(action) => parts.action(action),
        Operation::TransactWriteItems { actions } => {
            actions.iter().for_each(|action| parts.action(action));
        }
    }
    parts
}
