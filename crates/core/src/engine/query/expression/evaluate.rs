//! Evaluates conditions and projections on items.

use super::ast::{Bound, Comparator, Condition, Operand, Path, PathStep};
use crate::engine::ValueRef;
use crate::engine::query::Attributes;
use crate::model::Value;
use std::borrow::Cow;

/// Returns the value of an item's attribute.
type Lookup<'l, 'a> = &'l dyn Fn(&str) -> Option<ValueRef<'a>>;

/// Whether a condition holds for an item; `item` returns the item's attributes.
pub fn holds<'a>(condition: &Bound<Condition>, item: Lookup<'_, 'a>) -> bool {
    test(&condition.0, item)
}

fn test<'a>(condition: &Condition, item: Lookup<'_, 'a>) -> bool {
    match condition {
        Condition::Compare(left, comparator, right) => {
            match (value(left, item), value(right, item)) {
                (Some(left), Some(right)) => compare(&left, *comparator, &right),
                // A missing value equals nothing and has no order.
                _ => *comparator == Comparator::NotEqual,
            }
        }
        Condition::Between(of, low, high) => {
            match (value(of, item), value(low, item), value(high, item)) {
                (Some(of), Some(low), Some(high)) => {
                    compare(&of, Comparator::GreaterOrEqual, &low)
                        && compare(&of, Comparator::LessOrEqual, &high)
                }
                _ => false,
            }
        }
        Condition::In(of, list) => {
            let Some(of) = value(of, item) else {
                return false;
            };
            (list.iter()).any(|other| value(other, item).is_some_and(|other| *other == *of))
        }
        Condition::Exists(path) => value_at(path, item).is_some(),
        Condition::NotExists(path) => value_at(path, item).is_none(),
        Condition::Type(of, kind) => match (value(of, item), value(kind, item).as_deref()) {
            (Some(found), Some(Value::S(word))) => found.kind().word() == word,
            _ => false,
        },
        Condition::BeginsWith(of, beginning) => {
            match (
                value(of, item).as_deref(),
                value(beginning, item).as_deref(),
            ) {
                (Some(Value::S(text)), Some(Value::S(beginning))) => text.starts_with(beginning),
                (Some(Value::B(bytes)), Some(Value::B(beginning))) => bytes.starts_with(beginning),
                _ => false,
            }
        }
        Condition::Contains(of, part) => match (value(of, item), value(part, item)) {
            (Some(of), Some(part)) => contains(&of, &part),
            _ => false,
        },
        Condition::And(left, right) => test(left, item) && test(right, item),
        Condition::Or(left, right) => test(left, item) || test(right, item),
        Condition::Not(inner) => !test(inner, item),
    }
}

/// Compares two values. Values of different types are unequal and have no order; documents, sets, booleans and null
/// have no order either.
fn compare(left: &Value, comparator: Comparator, right: &Value) -> bool {
    match comparator {
        Comparator::Equal => return left == right,
        Comparator::NotEqual => return left != right,
        _ => {}
    }
    let is_ordered = matches!(
        (left, right),
        (Value::S(_), Value::S(_)) | (Value::N(_), Value::N(_)) | (Value::B(_), Value::B(_))
    );
    let order = left.cmp(right);
    is_ordered
        && match comparator {
            Comparator::Less => order.is_lt(),
            Comparator::LessOrEqual => order.is_le(),
            Comparator::Greater => order.is_gt(),
            _ => order.is_ge(),
        }
}

fn contains(of: &Value, part: &Value) -> bool {
    match (of, part) {
        (Value::S(text), Value::S(part)) => text.contains(part),
        (Value::B(bytes), Value::B(part)) => {
            part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
        }
        (Value::Ss(set), Value::S(element)) => set.contains(element),
        (Value::Ns(set), Value::N(element)) => set.contains(element),
        (Value::Bs(set), Value::B(element)) => set.contains(element),
        (Value::L(list), element) => list.contains(element),
        _ => false,
    }
}

fn value<'a, 'b>(operand: &'b Operand, item: Lookup<'_, 'a>) -> Option<Cow<'b, Value>>
where
    'a: 'b,
{
    match operand {
        Operand::Literal(value) => Some(Cow::Borrowed(value)),
        Operand::Path(path) => value_at(path, item).map(ValueRef::value),
        Operand::Size(path) => {
            let size = size(&value_at(path, item)?.value())?;
            Some(Cow::Owned(Value::from(size as i64)))
        }
        // Does not occur in a bound expression.
        Operand::Value(_) => None,
    }
}

/// The result of `size`; `None` for a number, a boolean and null. For a string DynamoDB counts UTF-16 code units.
fn size(value: &Value) -> Option<usize> {
    match value {
        Value::S(text) => Some(text.encode_utf16().count()),
        Value::B(bytes) => Some(bytes.len()),
        Value::L(list) => Some(list.len()),
        Value::M(map) => Some(map.len()),
        Value::Ss(set) => Some(set.len()),
        Value::Ns(set) => Some(set.len()),
        Value::Bs(set) => Some(set.len()),
        Value::N(_) | Value::Bool(_) | Value::Null => None,
    }
}

/// The value at a path of an item.
fn value_at<'a>(path: &Path, item: Lookup<'_, 'a>) -> Option<ValueRef<'a>> {
    match item(&path.attribute.text)? {
        ValueRef::Value(value) => inside(value, &path.steps).map(ValueRef::Value),
        // A string has no inner values.
        text => path.steps.is_empty().then_some(text),
    }
}

/// The value at a path inside a value.
pub fn inside<'a>(mut value: &'a Value, steps: &[PathStep]) -> Option<&'a Value> {
    for step in steps {
        value = match (step, value) {
            (PathStep::Field(name), Value::M(map)) => map.get(&name.text)?,
            (PathStep::Element(number), Value::L(list)) => list.get(*number)?,
            _ => return None,
        };
    }
    Some(value)
}

/// The attributes that paths without aliases select from an item. The selected elements of a list move together, in
/// order.
pub fn project(paths: &[Path], item: &Attributes) -> Attributes {
    let mut all = Attributes::new();
    for path in paths {
        let name = &path.attribute.text;
        if let Some(value) = item.get(name).filter(|_| !all.contains_key(name)) {
            let same = paths.iter().filter(|other| other.attribute.text == *name);
            let steps: Vec<&[PathStep]> = same.map(|path| path.steps.as_slice()).collect();
            if let Some(taken) = taken(value, &steps) {
                all.insert(name.clone(), taken);
            }
        }
    }
    all
}

/// The part of a value that these paths select; `None` if nothing.
fn taken(value: &Value, paths: &[&[PathStep]]) -> Option<Value> {
    if paths.iter().any(|steps| steps.is_empty()) {
        return Some(value.clone());
    }
    let rest_after = |wanted: &dyn Fn(&PathStep) -> bool| {
        let mut rests: Vec<&[PathStep]> = Vec::new();
        for steps in paths {
            if let Some((_, rest)) = steps.split_first().filter(|(first, _)| wanted(first)) {
                rests.push(rest);
            }
        }
        rests
    };
    match value {
        Value::M(map) => {
            let mut fields = Attributes::new();
            for (name, inner) in map {
                let paths = rest_after(
                    &|step| matches!(step, PathStep::Field(field) if field.text == *name),
                );
                if let Some(taken) = taken(inner, &paths) {
                    fields.insert(name.clone(), taken);
                }
            }
            (!fields.is_empty()).then_some(Value::M(fields))
        }
        Value::L(list) => {
            let mut elements = Vec::new();
            for (at, inner) in list.iter().enumerate() {
                let paths = rest_after(&|step| *step == PathStep::Element(at));
                elements.extend(taken(inner, &paths));
            }
            (!elements.is_empty()).then_some(Value::L(elements))
        }
        _ => None,
    }
}
