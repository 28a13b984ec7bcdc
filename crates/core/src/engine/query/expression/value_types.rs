//! The type that an expression asks of a value: that of the attribute it is compared with or assigned to.

use super::ast::{Assigned, Condition, Operand, Path, Term, Update};
use crate::model::AttributeType;

/// The type that an expression asks of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ValueType {
    /// The type of this attribute: `quantity >= :value`.
    OfAttribute(String),
    /// The type of an element of this attribute: `contains(tags, :value)`.
    OfElement(String),
    /// This type: a number in `quantity + :value`.
    Fixed(AttributeType),
}

/// Returns the type that a condition asks of the value with this name.
pub fn type_in_condition(from: &Condition, name: &str) -> Option<ValueType> {
    let any = |all: &[&Condition]| all.iter().find_map(|part| type_in_condition(part, name));
    match from {
        Condition::Compare(left, _, right) => among(&[left, right], name),
        Condition::Between(value, low, high) => among(&[value, low, high], name),
        Condition::In(value, all) => {
            let mut operands = vec![value];
            operands.extend(all);
            among(&operands, name)
        }
        Condition::Exists(_) | Condition::NotExists(_) => None,
        Condition::Type(_, value) => is(value, name).then_some(ValueType::Fixed(AttributeType::S)),
        Condition::BeginsWith(left, right) => among(&[left, right], name),
        Condition::Contains(whole, part) => match of(whole)? {
            ValueType::OfAttribute(attribute) if is(part, name) => {
                Some(ValueType::OfElement(attribute))
            }
            _ => None,
        },
        Condition::And(left, right) | Condition::Or(left, right) => any(&[left, right]),
        Condition::Not(inner) => any(&[inner]),
    }
}

/// Returns the type that an update asks of the value with this name.
pub fn type_in_update(from: &Update, name: &str) -> Option<ValueType> {
    let assigned = |(path, to): &(Path, Assigned)| in_assigned(to, name, of_path(path));
    let changed = |(path, value): &(Path, Operand)| is(value, name).then(|| of_path(path))?;
    (from.set.iter().find_map(assigned))
        .or_else(|| from.add.iter().chain(&from.delete).find_map(changed))
}

/// `target`: the type of the attribute that gets the result.
fn in_assigned(from: &Assigned, name: &str, target: Option<ValueType>) -> Option<ValueType> {
    match from {
        Assigned::Term(term) => in_term(term, name, target),
        Assigned::Sum(left, right) | Assigned::Difference(left, right) => {
            let number = || Some(ValueType::Fixed(AttributeType::N));
            in_term(left, name, number()).or_else(|| in_term(right, name, number()))
        }
    }
}

fn in_term(from: &Term, name: &str, target: Option<ValueType>) -> Option<ValueType> {
    match from {
        Term::Operand(operand) => is(operand, name).then_some(target)?,
        Term::IfNotExists(path, other) => in_term(other, name, target.or_else(|| of_path(path))),
        Term::ListAppend(left, right) => {
            let list = || Some(ValueType::Fixed(AttributeType::L));
            in_term(left, name, list()).or_else(|| in_term(right, name, list()))
        }
        Term::Group(inner) => in_assigned(inner, name, target),
    }
}

/// The type of the first operand that has one, if another one is the value.
fn among(operands: &[&Operand], name: &str) -> Option<ValueType> {
    let is_there = operands.iter().any(|operand| is(operand, name));
    is_there.then(|| operands.iter().find_map(|operand| of(operand)))?
}

fn is(operand: &Operand, name: &str) -> bool {
    matches!(operand, Operand::Value(value) if value == name)
}

fn of(operand: &Operand) -> Option<ValueType> {
    match operand {
        Operand::Path(path) => of_path(path),
        Operand::Size(_) => Some(ValueType::Fixed(AttributeType::N)),
        Operand::Literal(value) => Some(ValueType::Fixed(value.kind())),
        Operand::Value(_) => None,
    }
}

/// What is inside an attribute has no type that a design says.
fn of_path(path: &Path) -> Option<ValueType> {
    let is_whole = path.steps.is_empty();
    is_whole.then(|| ValueType::OfAttribute(path.attribute.text.clone()))
}
