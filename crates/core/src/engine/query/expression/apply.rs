//! Applies an update expression to the attributes of an item.

use super::ast::{Assigned, Bound, Operand, Path, PathStep, Term, Update};
use super::evaluate::inside;
use crate::engine::query::{Attributes, Rejection};
use crate::model::{Value, in_order};

/// Returns the attributes after an update. Every value is computed from the item before it; a write past the end of a
/// list appends; an empty set is removed.
pub fn apply(update: &Bound<Update>, before: &Attributes) -> Result<Attributes, Rejection> {
    let update = &update.0;
    for (path, value) in &update.add {
        let old = at(path, before);
        let fits = match (old, literal(value)) {
            (None, _) => true,
            (Some(old), new) => old.kind() == new.kind(),
        };
        if !fits {
            return refuse(path, "`ADD` cannot change a value of another type");
        }
    }
    for (path, value) in &update.delete {
        if at(path, before).is_some_and(|old| old.kind() != literal(value).kind()) {
            return refuse(path, "`DELETE` needs a set of the same type as the value");
        }
    }
    // Lists are written from the first element on, so that appended elements keep the order of the paths.
    let mut writes: Vec<(&Path, Option<Value>)> = Vec::new();
    for (path, value) in &update.set {
        writes.push((path, Some(assigned(value, path, before)?)));
    }
    for (path, value) in &update.add {
        writes.push((path, Some(added(at(path, before), literal(value), path)?)));
    }
    let mut removed: Vec<&Path> = Vec::new();
    for path in &update.remove {
        match at(path, before) {
            Some(_) => removed.push(path),
            // The path must exist, but nothing changes, even where something is appended.
            None => writes.push((path, None)),
        }
    }
    for (path, value) in &update.delete {
        let left = at(path, before).map(|old| without(old, literal(value)));
        match left {
            Some(Some(left)) => writes.push((path, Some(left))),
            Some(None) => removed.push(path),
            // There is nothing to delete from, but the path must exist.
            None => writes.push((path, None)),
        }
    }
    let mut after = before.clone();
    let numbered = (writes.iter().enumerate()).map(|(number, (path, _))| (*path, number));
    for (path, number) in in_order(numbered) {
        let parent = parent(path, &mut after)?;
        if let Some(value) = writes[number].1.take() {
            put(parent, path, value)?;
        }
    }
    // From the last element backward, so that none moves before it is removed.
    for path in in_order(removed).into_iter().rev() {
        remove(path, &mut after)?;
    }
    Ok(after)
}

fn refuse<T>(path: &Path, reason: &str) -> Result<T, Rejection> {
    Err(Rejection::Update {
        path: path.to_string(),
        reason: reason.to_owned(),
    })
}

fn at<'a>(path: &Path, attributes: &'a Attributes) -> Option<&'a Value> {
    inside(attributes.get(&path.attribute.text)?, &path.steps)
}

fn literal(operand: &Operand) -> &Value {
    match operand {
        Operand::Literal(value) => value,
        // A bound update has only literals here.
        _ => &Value::Null,
    }
}

fn assigned(of: &Assigned, path: &Path, before: &Attributes) -> Result<Value, Rejection> {
    let (left, right, is_sum) = match of {
        Assigned::Term(value) => return term(value, path, before),
        Assigned::Sum(left, right) => (left, right, true),
        Assigned::Difference(left, right) => (left, right, false),
    };
    match (term(left, path, before)?, term(right, path, before)?) {
        (Value::N(left), Value::N(right)) => {
            let result = match is_sum {
                true => left.plus(&right),
                false => left.minus(&right),
            };
            result
                .map(Value::N)
                .or_else(|error| refuse(path, &error.to_string()))
        }
        _ => refuse(path, "`+` and `-` need numbers"),
    }
}

fn term(of: &Term, path: &Path, before: &Attributes) -> Result<Value, Rejection> {
    match of {
        Term::Operand(Operand::Path(from)) => match at(from, before) {
            Some(value) => Ok(value.clone()),
            None => Err(Rejection::Missing {
                path: path.to_string(),
                missing: from.to_string(),
                attribute: from.attribute.text.clone(),
            }),
        },
        Term::Operand(operand) => Ok(literal(operand).clone()),
        Term::IfNotExists(from, otherwise) => match at(from, before) {
            Some(value) => Ok(value.clone()),
            None => term(otherwise, path, before),
        },
        Term::ListAppend(first, second) => {
            match (term(first, path, before)?, term(second, path, before)?) {
                (Value::L(mut list), Value::L(more)) => {
                    list.extend(more);
                    Ok(Value::L(list))
                }
                _ => refuse(path, "`list_append` needs lists"),
            }
        }
        Term::Group(inner) => assigned(inner, path, before),
    }
}

/// The value after ADD.
fn added(old: Option<&Value>, new: &Value, path: &Path) -> Result<Value, Rejection> {
    Ok(match (old, new) {
        (Some(Value::N(old)), Value::N(new)) => match old.plus(new) {
            Ok(sum) => Value::N(sum),
            Err(error) => return refuse(path, &error.to_string()),
        },
        (Some(Value::Ss(old)), Value::Ss(new)) => Value::Ss(old.union(new)),
        (Some(Value::Ns(old)), Value::Ns(new)) => Value::Ns(old.union(new)),
        (Some(Value::Bs(old)), Value::Bs(new)) => Value::Bs(old.union(new)),
        _ => new.clone(),
    })
}

/// The set after DELETE; `None` if it is empty.
fn without(old: &Value, removed: &Value) -> Option<Value> {
    match (old, removed) {
        (Value::Ss(old), Value::Ss(removed)) => {
            let remaining = old.without(removed);
            (!remaining.is_empty()).then_some(Value::Ss(remaining))
        }
        (Value::Ns(old), Value::Ns(removed)) => {
            let remaining = old.without(removed);
            (!remaining.is_empty()).then_some(Value::Ns(remaining))
        }
        (Value::Bs(old), Value::Bs(removed)) => {
            let remaining = old.without(removed);
            (!remaining.is_empty()).then_some(Value::Bs(remaining))
        }
        _ => Some(old.clone()),
    }
}

/// What contains the last step of a path.
enum Parent<'a> {
    Item(&'a mut Attributes),
    Value(&'a mut Value),
}

/// Finds what contains the last step of a path: a map for a name, a list for a number.
fn parent<'a>(path: &Path, attributes: &'a mut Attributes) -> Result<Parent<'a>, Rejection> {
    let Some((last, steps)) = path.steps.split_last() else {
        return Ok(Parent::Item(attributes));
    };
    let mut found = attributes.get_mut(&path.attribute.text);
    for step in steps {
        found = match (step, found) {
            (PathStep::Field(name), Some(Value::M(map))) => map.get_mut(&name.text),
            (PathStep::Element(number), Some(Value::L(list))) => list.get_mut(*number),
            _ => None,
        };
    }
    match (found, last) {
        (Some(value @ Value::M(_)), PathStep::Field(_))
        | (Some(value @ Value::L(_)), PathStep::Element(_)) => Ok(Parent::Value(value)),
        (None, _) => {
            let missing = Path {
                attribute: path.attribute.clone(),
                steps: steps.to_vec(),
            };
            Err(Rejection::Missing {
                path: path.to_string(),
                missing: missing.to_string(),
                attribute: missing.attribute.text,
            })
        }
        _ => refuse(path, "the item has no map or list at this path to write to"),
    }
}

fn put(parent: Parent<'_>, path: &Path, value: Value) -> Result<(), Rejection> {
    match (parent, path.steps.last()) {
        (Parent::Item(attributes), _) => {
            attributes.insert(path.attribute.text.clone(), value);
        }
        (Parent::Value(Value::M(map)), Some(PathStep::Field(name))) => {
            map.insert(name.text.clone(), value);
        }
        (Parent::Value(Value::L(list)), Some(PathStep::Element(number))) => {
            match list.get_mut(*number) {
                Some(element) => *element = value,
                None => list.push(value),
            }
        }
        _ => {
            return refuse(path, "the item has no map or list at this path to write to");
        }
    }
    Ok(())
}

fn remove(path: &Path, attributes: &mut Attributes) -> Result<(), Rejection> {
    match (parent(path, attributes)?, path.steps.last()) {
        (Parent::Item(attributes), _) => {
            attributes.remove(&path.attribute.text);
        }
        (Parent::Value(Value::M(map)), Some(PathStep::Field(name))) => {
            map.remove(&name.text);
        }
        (Parent::Value(Value::L(list)), Some(PathStep::Element(number)))
            if *number < list.len() =>
        {
            list.remove(*number);
        }
        _ => {}
    }
    Ok(())
}
