//! The attributes that the expressions of an access pattern name.

use crate::engine::always_rejected::{always_rejected, located};
use crate::engine::query::expression::{
    Assigned, Binder, Name, Operand, Path, Term, Uses, parse_condition, parse_update,
    uses_of_condition, uses_of_update,
};
use crate::model::{AccessPattern, Design, ItemKey, Operation, limits};
use crate::template;

/// Returns an operation's condition and filter expressions, and its update expressions.
pub fn texts(operation: &Operation) -> (Vec<&str>, Vec<&str>) {
    let (mut conditions, mut updates) = (Vec::new(), Vec::new());
    conditions.extend(operation.read().and_then(|read| read.filter.as_deref()));
    for action in operation.actions() {
        updates.extend(action.update());
        conditions.extend(action.condition());
    }
    (conditions, updates)
}

/// Returns the first attribute of each path in an operation's expressions, with repetitions. Expressions with errors
/// yield none.
pub fn names(operation: &Operation) -> Vec<Name> {
    let (conditions, updates) = texts(operation);
    let mut names = Vec::new();
    for text in conditions {
        names.extend(condition_names(text));
    }
    for text in updates {
        if let Ok(update) = parse_update(text) {
            let paths = uses_of_update(&update).paths;
            names.extend(paths.into_iter().map(|path| path.attribute));
        }
    }
    names
}

/// Returns the attributes that a condition names.
pub fn condition_names(text: &str) -> Vec<Name> {
    let Ok(condition) = parse_condition(text) else {
        return Vec::new();
    };
    let paths = uses_of_condition(&condition).paths;
    paths.into_iter().map(|path| path.attribute).collect()
}

/// Returns the attributes that an update expression names as targets.
pub fn updated(text: &str) -> Vec<String> {
    let Ok(update) = parse_update(text) else {
        return Vec::new();
    };
    let targets = update.targets();
    targets.map(|path| path.attribute.text.clone()).collect()
}

/// Returns the attributes that an update of the item with this key changes, whole or in part: not those that it sets to
/// the value that the key contains (`SET userId = :userId` of the item `USER#{userId}`).
pub fn changed(text: &str, key: &ItemKey) -> Vec<String> {
    let Ok(update) = parse_update(text) else {
        return Vec::new();
    };
    let mut in_key: Vec<String> = Vec::new();
    for template in std::iter::once(&key.partition).chain(&key.sort) {
        let template = template::parse(template).template;
        let whole = template.placeholders().filter(|it| it.modifiers.is_empty());
        in_key.extend(whole.map(|placeholder| placeholder.attribute.clone()));
    }
    let is_set_as_in_key = |path: &Path| {
        let name = &path.attribute.text;
        let set = update.set.iter().find(|(other, _)| other == path);
        let is_own = |value: &Assigned| matches!(value, Assigned::Term(Term::Operand(Operand::Value(it))) if it == name);
        path.steps.is_empty()
            && in_key.contains(name)
            && set.is_some_and(|(_, value)| is_own(value))
    };
    let targets = update.targets().filter(|path| !is_set_as_in_key(path));
    targets.map(|path| path.attribute.text.clone()).collect()
}

/// Returns why DynamoDB rejects an access pattern's expressions or keys for all values of its parameters, or its
/// expressions for the values that it sets. `expression-too-long` reports lengths.
pub fn error(design: &Design, pattern: &AccessPattern) -> Option<String> {
    let operation = &pattern.operation;
    let (conditions, updates) = texts(operation);
    let mut all = conditions.iter().chain(&updates);
    if all.any(|text| text.len() > limits::EXPRESSION_BYTES) {
        return None;
    }
    let rejected = always_rejected(design, operation);
    let rejected = rejected.or_else(|| rejected_values(pattern));
    Some(format!("{}.", rejected?))
}

/// Parameters without a set value take it from samples, which have no say here.
fn rejected_values(pattern: &AccessPattern) -> Option<String> {
    let set = &pattern.parameters;
    let are_set = |uses: Uses| uses.values.iter().all(|name| set.contains_key(name));
    let of_condition = |text: &str| {
        let parsed = parse_condition(text).ok()?;
        let bound =
            are_set(uses_of_condition(&parsed)).then(|| Binder::new(set).condition(&parsed));
        bound?.err()
    };
    let of_update = |text: &str| {
        let parsed = parse_update(text).ok()?;
        let bound = are_set(uses_of_update(&parsed)).then(|| Binder::new(set).update(&parsed));
        bound?.err()
    };
    let filter = pattern
        .operation
        .read()
        .and_then(|read| read.filter.as_deref());
    if let Some(error) = filter.and_then(of_condition) {
        return Some(located("filter", &error));
    }
    pattern.operation.actions().iter().find_map(|action| {
        let update = action.update().and_then(of_update);
        let update = update.map(|error| located("update", &error));
        let condition = || {
            Some(located(
                "condition",
                &action.condition().and_then(of_condition)?,
            ))
        };
        update.or_else(condition)
    })
}
