//! Whether a condition holds of an item, and what a projection takes from it.

use super::ast::{Bound, Comparator, Condition, Operand, Path, Step};
use crate::domain::engine::query::Attributes;
use crate::domain::model::{Value, map_of};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Whether a condition holds of an item; `item` gives its attributes.
pub fn holds<'a>(condition: &Bound<Condition>, item: &dyn Fn(&str) -> Option<&'a Value>) -> bool {
    test(&condition.0, item)
}

fn test<'a>(condition: &Condition, item: &dyn Fn(&str) -> Option<&'a Value>) -> bool {
    match condition {
        Condition::Compare(left, comparator, right) => {
            match (value(left, item), value(right, item)) {
                (Some(left), Some(right)) => compare(&left, *comparator, &right),
                // What is not there equals nothing and has no place in any order.
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
        Condition::Type(path, kind) => match (value_at(path, item), value(kind, item).as_deref()) {
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

/// Compares two values. Those of different types are not equal and have no order; documents, sets, booleans and null
/// have none either.
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

fn value<'a, 'b>(
    operand: &'b Operand,
    item: &dyn Fn(&str) -> Option<&'a Value>,
) -> Option<Cow<'b, Value>>
where
    'a: 'b,
{
    match operand {
        Operand::Literal(value) => Some(Cow::Borrowed(value)),
        Operand::Path(path) => value_at(path, item).map(Cow::Borrowed),
        Operand::Size(path) => {
            let size = size(value_at(path, item)?)?;
            Some(Cow::Owned(Value::from(size as i64)))
        }
        // Not in what is bound.
        Operand::Value(_) => None,
    }
}

/// What `size` gives; `None` for a number, a boolean and null. Of text DynamoDB counts UTF-16 code units.
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

/// The value at a place of an item.
pub fn value_at<'a>(path: &Path, item: &dyn Fn(&str) -> Option<&'a Value>) -> Option<&'a Value> {
    let mut value = item(&path.attribute.text)?;
    for step in &path.steps {
        value = match (step, value) {
            (Step::Field(name), Value::M(map)) => map.get(&name.text)?,
            (Step::Element(number), Value::L(list)) => list.get(*number)?,
            _ => return None,
        };
    }
    Some(value)
}

/// What paths without aliases take from an item: elements of a list close up, in their order.
pub fn project<'a>(paths: &[Path], item: &dyn Fn(&str) -> Option<&'a Value>) -> Attributes {
    let mut taken = Taken::default();
    for path in paths {
        if let Some(value) = value_at(path, item) {
            let mut at = (taken.fields)
                .entry(path.attribute.text.clone())
                .or_default();
            for step in &path.steps {
                at = match step {
                    Step::Field(name) => at.fields.entry(name.text.clone()).or_default(),
                    Step::Element(number) => at.elements.entry(*number).or_default(),
                };
            }
            at.whole = Some(value.clone());
        }
    }
    map_of(
        taken
            .fields
            .into_iter()
            .map(|(name, taken)| (name, taken.value())),
    )
}

/// What is taken of a value.
#[derive(Default)]
struct Taken {
    whole: Option<Value>,
    fields: BTreeMap<String, Taken>,
    elements: BTreeMap<usize, Taken>,
}

impl Taken {
    fn value(self) -> Value {
        if let Some(value) = self.whole {
            return value;
        }
        if !self.elements.is_empty() {
            let mut list = Vec::new();
            for taken in self.elements.into_values() {
                list.push(taken.value());
            }
            return Value::L(list);
        }
        let fields = self.fields.into_iter();
        Value::M(map_of(fields.map(|(name, taken)| (name, taken.value()))))
    }
}
