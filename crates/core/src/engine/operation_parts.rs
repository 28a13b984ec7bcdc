//! The templates, expressions, keys and parameters of an operation of any kind.

use crate::model::{Design, EntityId, ItemKey, Operation, WriteAction};
use crate::template;

/// The components of an operation.
#[derive(Debug, Default)]
pub struct Parts<'a> {
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
        self.puts.extend(action.put());
        if let Some(key) = action.key() {
            self.key(key);
        }
        self.expressions.extend(action.update());
        self.expressions.extend(action.condition());
    }
}

/// Splits an operation into its components.
pub fn parts(operation: &Operation) -> Parts<'_> {
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

/// Returns the names of the values of a request, each once: the operation's parameters, then all other attributes of the items
/// that it puts.
pub fn value_names(design: &Design, operation: &Operation) -> Vec<String> {
    let mut names = parameter_names(design, operation);
    let put = operation.actions().iter().filter_map(WriteAction::put);
    let put = put.filter_map(|id| design.entities.get(&id));
    for attribute in put.flat_map(|entity| &entity.attributes) {
        if !names.contains(&attribute.name) {
            names.push(attribute.name.clone());
        }
    }
    names
}

/// Returns the names of an operation's parameters, each once, in the order in which it uses them: placeholders, `:name` in
/// expressions, and the required attributes of an item to put.
pub fn parameter_names(design: &Design, operation: &Operation) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: &str| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    };
    let Parts {
        templates,
        expressions,
        puts,
        ..
    } = parts(operation);
    for text in templates {
        template::parse(text)
            .template
            .attributes()
            .for_each(&mut add);
    }
    for id in puts {
        let attributes = design.entities.get(&id).map(|entity| &entity.attributes);
        for attribute in attributes.into_iter().flatten().filter(|a| a.required) {
            add(&attribute.name);
        }
    }
    for text in expressions {
        values_in(text).for_each(&mut add);
    }
    names
}

/// Returns the names after a colon in an expression.
pub(crate) fn values_in(text: &str) -> impl Iterator<Item = &str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    // A name in quotes may contain a colon.
    let outside = text.split('"').step_by(2);
    (outside.flat_map(|part| part.split(':').skip(1))).filter_map(move |rest| {
        let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        (end > 0).then_some(&rest[..end])
    })
}
