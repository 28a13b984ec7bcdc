//! What DynamoDB refuses in an expression before it reads any item.

use super::ast::{
    Assigned, Comparator, Condition, ExpressionError, Operand, Path, PathStep, Term, Update,
};
use crate::model::{AttributeType, Value};

type Checked = Result<(), ExpressionError>;

fn refuse(message: String) -> Checked {
    Err(ExpressionError::new(message))
}

/// Checks the operands of a bound condition.
pub(super) fn condition(of: &Condition) -> Checked {
    match of {
        Condition::Compare(left, comparator, right) => {
            distinct(comparator.symbol(), left, &[right])?;
            if matches!(comparator, Comparator::Equal | Comparator::NotEqual) {
                return Ok(());
            }
            ordered(comparator.symbol(), left)?;
            ordered(comparator.symbol(), right)
        }
        Condition::Between(value, low, high) => {
            for operand in [value, low, high] {
                ordered("BETWEEN", operand)?;
            }
            bounds(low, high)
        }
        Condition::In(value, list) => {
            let others: Vec<&Operand> = list.iter().collect();
            distinct("IN", value, &others)
        }
        Condition::Type(_, kind) => type_name(kind),
        Condition::BeginsWith(value, beginning) => {
            distinct("begins_with", value, &[beginning])?;
            for operand in [value, beginning] {
                if let Operand::Literal(literal) = operand
                    && !matches!(literal, Value::S(_) | Value::B(_))
                {
                    let kind = literal.kind();
                    return refuse(format!(
                        "`begins_with` needs a string or binary, not a value of type {kind}"
                    ));
                }
            }
            Ok(())
        }
        Condition::Contains(value, part) => distinct("contains", value, &[part]),
        Condition::And(left, right) | Condition::Or(left, right) => {
            condition(left)?;
            condition(right)
        }
        Condition::Not(inner) => condition(inner),
        Condition::Exists(_) | Condition::NotExists(_) => Ok(()),
    }
}

/// An attribute, or its size, cannot be compared with itself.
fn distinct(operator: &str, first: &Operand, others: &[&Operand]) -> Checked {
    let of_item = matches!(first, Operand::Path(_) | Operand::Size(_));
    match of_item && others.contains(&first) {
        true => refuse(format!("`{operator}` compares `{first}` with itself")),
        false => Ok(()),
    }
}

/// Only strings, numbers and binary have an order.
fn ordered(operator: &str, operand: &Operand) -> Checked {
    match operand {
        Operand::Literal(Value::S(_) | Value::N(_) | Value::B(_)) => Ok(()),
        Operand::Literal(other) => refuse(format!(
            "`{operator}` needs a string, number or binary, not a value of type {}",
            other.kind()
        )),
        _ => Ok(()),
    }
}

fn bounds(low: &Operand, high: &Operand) -> Checked {
    let (Operand::Literal(low), Operand::Literal(high)) = (low, high) else {
        return Ok(());
    };
    if low.kind() != high.kind() {
        let (low, high) = (low.kind(), high.kind());
        return refuse(format!(
            "the bounds of `BETWEEN` have the types {low} and {high}: use one type"
        ));
    }
    if low > high {
        let (low, high) = (low.to_text(), high.to_text());
        return refuse(format!(
            "the lower bound `{low}` of `BETWEEN` is greater than its upper bound `{high}`"
        ));
    }
    Ok(())
}

fn type_name(kind: &Operand) -> Checked {
    let Operand::Literal(literal) = kind else {
        return refuse("`attribute_type` needs the type as a value such as `:type`".to_owned());
    };
    let is_type = matches!(literal, Value::S(word) if AttributeType::from_word(word).is_some());
    match is_type {
        true => Ok(()),
        false => refuse(format!(
            "`{}` is not a type: `attribute_type` accepts S, N, B, BOOL, NULL, L, M, SS, NS or BS",
            literal.to_text()
        )),
    }
}

/// How a set is written where a list is.
fn set_hint(value: &Operand) -> &'static str {
    match value {
        Operand::Literal(Value::L(_)) => ", such as `{\"SS\": [\"a\"]}`, not a list",
        _ => "",
    }
}

/// Checks the operands and the targets of a bound update.
pub(super) fn update(of: &Update) -> Checked {
    for (_, value) in &of.set {
        assigned(value)?;
    }
    for (path, value) in &of.add {
        let fits = matches!(
            value,
            Operand::Literal(Value::N(_) | Value::Ss(_) | Value::Ns(_) | Value::Bs(_))
        );
        if !fits {
            let hint = set_hint(value);
            return refuse(format!("`ADD {path}` needs a number or a set{hint}"));
        }
    }
    for (path, value) in &of.delete {
        let is_set = matches!(
            value,
            Operand::Literal(Value::Ss(_) | Value::Ns(_) | Value::Bs(_))
        );
        if !is_set {
            let hint = match set_hint(value) {
                "" => "; to remove an attribute, use REMOVE",
                hint => hint,
            };
            return refuse(format!("`DELETE {path}` needs a set{hint}"));
        }
    }
    targets(of)
}

/// Checks the targets of an update: none of them is another one, or inside another one.
///
/// # Errors
///
/// The first two paths that overlap.
pub fn targets(of: &Update) -> Checked {
    let paths: Vec<Path> = of.targets().cloned().collect();
    overlaps(&paths)
}

fn assigned(of: &Assigned) -> Checked {
    match of {
        Assigned::Term(value) => term(value),
        Assigned::Sum(left, right) | Assigned::Difference(left, right) => {
            for side in [left, right] {
                term(side)?;
                if let Term::Operand(Operand::Literal(literal)) = side
                    && !matches!(literal, Value::N(_))
                {
                    let kind = literal.kind();
                    return refuse(format!(
                        "`+` and `-` need numbers, not a value of type {kind}"
                    ));
                }
            }
            Ok(())
        }
    }
}

fn term(of: &Term) -> Checked {
    match of {
        Term::Operand(_) => Ok(()),
        Term::IfNotExists(_, value) => term(value),
        Term::ListAppend(first, second) => {
            for side in [first, second] {
                term(side)?;
                if let Term::Operand(Operand::Literal(literal)) = &**side
                    && !matches!(literal, Value::L(_))
                {
                    let kind = literal.kind();
                    return refuse(format!(
                        "`list_append` needs lists, not a value of type {kind}"
                    ));
                }
            }
            Ok(())
        }
        Term::Group(inner) => assigned(inner),
    }
}

/// Refuses two paths if one of them is, or is inside, the other.
pub(super) fn overlaps(paths: &[Path]) -> Checked {
    for (at, first) in paths.iter().enumerate() {
        for second in &paths[at + 1..] {
            if first.attribute != second.attribute {
                continue;
            }
            let mut steps = first.steps.iter().zip(&second.steps);
            match steps.find(|(one, other)| one != other) {
                None => return refuse(format!("the paths `{first}` and `{second}` overlap")),
                // The same value would be a map and a list.
                Some((PathStep::Field(_), PathStep::Element(_)))
                | Some((PathStep::Element(_), PathStep::Field(_))) => {
                    return refuse(format!(
                        "the paths `{first}` and `{second}` conflict: one needs a map where the other needs a list"
                    ));
                }
                Some(_) => {}
            }
        }
    }
    Ok(())
}
