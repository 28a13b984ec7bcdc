//! Converts a key condition expression to tests of key attributes.

use super::ast::{Bound, Comparator, Condition, Operand, Path};
use crate::engine::query::{KeyTest, Rejection, SortTest};
use crate::model::{SortOperator, Value};

/// The tests of a bound key condition, in text order. Refuses what a key condition cannot contain.
/// [`crate::engine::query::KeyCondition::of`] checks whether the tests fit a key.
pub fn key_tests(condition: &Bound<Condition>) -> Result<Vec<KeyTest>, Rejection> {
    let mut tests = Vec::new();
    add(&condition.0, &mut tests)?;
    Ok(tests)
}

fn add(condition: &Condition, tests: &mut Vec<KeyTest>) -> Result<(), Rejection> {
    let test = match condition {
        Condition::And(left, right) => {
            add(left, tests)?;
            return add(right, tests);
        }
        Condition::Compare(Operand::Path(path), comparator, Operand::Literal(value)) => {
            compare(path, *comparator, value)?
        }
        Condition::Compare(Operand::Literal(value), comparator, Operand::Path(path)) => {
            compare(path, comparator.flipped(), value)?
        }
        Condition::Between(Operand::Path(path), Operand::Literal(low), Operand::Literal(high)) => {
            named(path, SortTest::between(low.clone(), high.clone()))?
        }
        Condition::BeginsWith(Operand::Path(path), Operand::Literal(value)) => {
            named(path, SortTest::new(SortOperator::BeginsWith, value.clone()))?
        }
        Condition::Or(..) => return refuse("`OR`"),
        Condition::Not(_) => return refuse("`NOT`"),
        Condition::In(..) => return refuse("`IN`"),
        Condition::Exists(_) => return refuse("`attribute_exists`"),
        Condition::NotExists(_) => return refuse("`attribute_not_exists`"),
        Condition::Type(..) => return refuse("`attribute_type`"),
        Condition::Contains(..) => return refuse("`contains`"),
        Condition::Compare(..) | Condition::Between(..) | Condition::BeginsWith(..) => {
            return refuse("a comparison that is not between an attribute and a value");
        }
    };
    tests.push(test);
    Ok(())
}

fn compare(path: &Path, comparator: Comparator, value: &Value) -> Result<KeyTest, Rejection> {
    match comparator.sort_operator() {
        Some(operator) => named(path, SortTest::new(operator, value.clone())),
        None => refuse("`<>`"),
    }
}

fn named(path: &Path, test: SortTest) -> Result<KeyTest, Rejection> {
    match path.steps.is_empty() {
        true => Ok(KeyTest {
            attribute: path.attribute.text.clone(),
            test,
        }),
        false => refuse("a part of an attribute"),
    }
}

fn refuse<T>(what: &str) -> Result<T, Rejection> {
    Err(Rejection::NotAKeyCondition {
        what: what.to_owned(),
    })
}
