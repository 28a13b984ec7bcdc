//! Walks an expression and replaces its names and values.

use super::ast::{Assigned, Bound, Condition, ExpressionError, Operand, Path, Term, Update};
use crate::model::SortedSet;

/// Replaces a path and a `:value`.
pub(super) trait Rewrite {
    fn path(&mut self, path: &Path) -> Result<Path, ExpressionError>;
    fn value(&mut self, name: &str) -> Result<Operand, ExpressionError>;
}

type Rewritten<T> = Result<T, ExpressionError>;

pub(super) fn condition(from: &Condition, to: &mut dyn Rewrite) -> Rewritten<Condition> {
    Ok(match from {
        Condition::Compare(left, comparator, right) => {
            Condition::Compare(operand(left, to)?, *comparator, operand(right, to)?)
        }
        Condition::Between(value, low, high) => {
            Condition::Between(operand(value, to)?, operand(low, to)?, operand(high, to)?)
        }
        Condition::In(value, list) => {
            let value = operand(value, to)?;
            let mut all = Vec::new();
            for other in list {
                all.push(operand(other, to)?);
            }
            Condition::In(value, all)
        }
        Condition::Exists(path) => Condition::Exists(to.path(path)?),
        Condition::NotExists(path) => Condition::NotExists(to.path(path)?),
        Condition::Type(of, kind) => Condition::Type(operand(of, to)?, operand(kind, to)?),
        Condition::BeginsWith(value, beginning) => {
            Condition::BeginsWith(operand(value, to)?, operand(beginning, to)?)
        }
        Condition::Contains(value, part) => {
            Condition::Contains(operand(value, to)?, operand(part, to)?)
        }
        Condition::And(left, right) => {
            let left = condition(left, to)?;
            Condition::And(Box::new(left), Box::new(condition(right, to)?))
        }
        Condition::Or(left, right) => {
            let left = condition(left, to)?;
            Condition::Or(Box::new(left), Box::new(condition(right, to)?))
        }
        Condition::Not(inner) => Condition::Not(Box::new(condition(inner, to)?)),
    })
}

pub(super) fn update(from: &Update, to: &mut dyn Rewrite) -> Rewritten<Update> {
    let mut result = Update::default();
    for (path, value) in &from.set {
        let path = to.path(path)?;
        result.set.push((path, assigned(value, to)?));
    }
    for path in &from.remove {
        result.remove.push(to.path(path)?);
    }
    for (path, value) in &from.add {
        let path = to.path(path)?;
        result.add.push((path, operand(value, to)?));
    }
    for (path, value) in &from.delete {
        let path = to.path(path)?;
        result.delete.push((path, operand(value, to)?));
    }
    Ok(result)
}

fn assigned(from: &Assigned, to: &mut dyn Rewrite) -> Rewritten<Assigned> {
    Ok(match from {
        Assigned::Term(value) => Assigned::Term(term(value, to)?),
        Assigned::Sum(left, right) => Assigned::Sum(term(left, to)?, term(right, to)?),
        Assigned::Difference(left, right) => {
            Assigned::Difference(term(left, to)?, term(right, to)?)
        }
    })
}

fn term(from: &Term, to: &mut dyn Rewrite) -> Rewritten<Term> {
    Ok(match from {
        Term::Operand(value) => Term::Operand(operand(value, to)?),
        Term::IfNotExists(path, value) => {
            let path = to.path(path)?;
            Term::IfNotExists(path, Box::new(term(value, to)?))
        }
        Term::ListAppend(first, second) => {
            let first = term(first, to)?;
            Term::ListAppend(Box::new(first), Box::new(term(second, to)?))
        }
        Term::Group(inner) => Term::Group(Box::new(assigned(inner, to)?)),
    })
}

fn operand(from: &Operand, to: &mut dyn Rewrite) -> Rewritten<Operand> {
    Ok(match from {
        Operand::Path(path) => Operand::Path(to.path(path)?),
        Operand::Size(path) => Operand::Size(to.path(path)?),
        Operand::Value(name) => to.value(name)?,
        Operand::Literal(value) => Operand::Literal(value.clone()),
    })
}

/// The names and values that an expression uses, in text order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Uses {
    /// The paths.
    pub paths: Vec<Path>,
    /// The distinct names of the values, without the colon.
    pub values: Vec<String>,
}

impl Uses {
    /// The attributes that the paths start with, sorted; for a design's own expressions, where `#x` is the attribute
    /// `x`.
    pub fn attributes(&self) -> Vec<String> {
        let names = self.paths.iter().map(|path| path.attribute.text.clone());
        SortedSet::from_iter(names).into_iter().collect()
    }
}

impl Rewrite for Uses {
    fn path(&mut self, path: &Path) -> Rewritten<Path> {
        self.paths.push(path.clone());
        Ok(path.clone())
    }

    fn value(&mut self, name: &str) -> Rewritten<Operand> {
        if !self.values.iter().any(|other| other == name) {
            self.values.push(name.to_owned());
        }
        Ok(Operand::Value(name.to_owned()))
    }
}

/// The names and values that a condition uses.
pub fn uses_of_condition(from: &Condition) -> Uses {
    let mut uses = Uses::default();
    // Collecting cannot fail.
    let _ = condition(from, &mut uses);
    uses
}

/// The names and values that an update uses, including its targets.
pub fn uses_of_update(from: &Update) -> Uses {
    let mut uses = Uses::default();
    let _ = update(from, &mut uses);
    uses
}

/// The names that a projection uses.
pub fn uses_of_paths(paths: &[Path]) -> Uses {
    Uses {
        paths: paths.to_vec(),
        values: Vec::new(),
    }
}

/// The attributes that a bound condition tests, sorted.
pub fn attributes_of(from: &Bound<Condition>) -> Vec<String> {
    uses_of_condition(&from.0).attributes()
}
