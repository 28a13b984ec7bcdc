//! Writes expressions as text, which parses to the same expression.

use super::ast::{Assigned, Condition, Name, Operand, Path, PathStep, Term, Update};
use super::lex::is_word_text;
use std::fmt;

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Compare(left, comparator, right) => {
                write!(f, "{left} {} {right}", comparator.symbol())
            }
            Condition::Between(value, low, high) => write!(f, "{value} BETWEEN {low} AND {high}"),
            Condition::In(value, list) => {
                write!(f, "{value} IN (")?;
                for (at, other) in list.iter().enumerate() {
                    f.write_str(if at == 0 { "" } else { ", " })?;
                    other.fmt(f)?;
                }
                f.write_str(")")
            }
            Condition::Exists(path) => write!(f, "attribute_exists({path})"),
            Condition::NotExists(path) => write!(f, "attribute_not_exists({path})"),
            Condition::Type(of, kind) => write!(f, "attribute_type({of}, {kind})"),
            Condition::BeginsWith(value, beginning) => {
                write!(f, "begins_with({value}, {beginning})")
            }
            Condition::Contains(value, part) => write!(f, "contains({value}, {part})"),
            Condition::And(left, right) => {
                side(left, f, left.precedence() < 2)?;
                f.write_str(" AND ")?;
                side(right, f, right.precedence() <= 2)
            }
            Condition::Or(left, right) => {
                side(left, f, false)?;
                f.write_str(" OR ")?;
                side(right, f, right.precedence() <= 1)
            }
            Condition::Not(inner) => {
                f.write_str("NOT ")?;
                side(inner, f, inner.precedence() < 3)
            }
        }
    }
}

impl Condition {
    /// Operator precedence; OR is the lowest.
    fn precedence(&self) -> u8 {
        match self {
            Condition::Or(..) => 1,
            Condition::And(..) => 2,
            _ => 3,
        }
    }
}

fn side(condition: &Condition, f: &mut fmt::Formatter<'_>, parentheses: bool) -> fmt::Result {
    match parentheses {
        true => write!(f, "({condition})"),
        false => write!(f, "{condition}"),
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operand::Path(path) => path.fmt(f),
            Operand::Value(name) => write!(f, ":{name}"),
            Operand::Literal(value) => write!(f, "{}", value.to_dynamodb_json()),
            Operand::Size(path) => write!(f, "size({path})"),
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.attribute.fmt(f)?;
        for step in &self.steps {
            match step {
                PathStep::Field(name) => write!(f, ".{name}")?,
                PathStep::Element(number) => write!(f, "[{number}]")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.alias, is_word_text(&self.text)) {
            (true, true) => write!(f, "#{}", self.text),
            (true, false) => write!(f, "\"{}\"", self.text),
            (false, _) => f.write_str(&self.text),
        }
    }
}

impl fmt::Display for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut before = "";
        for (at, (path, value)) in self.set.iter().enumerate() {
            write!(f, "{}{path} = {value}", if at == 0 { "SET " } else { ", " })?;
            before = " ";
        }
        for (at, path) in self.remove.iter().enumerate() {
            match at {
                0 => write!(f, "{before}REMOVE {path}")?,
                _ => write!(f, ", {path}")?,
            }
            before = " ";
        }
        for (word, list) in [("ADD", &self.add), ("DELETE", &self.delete)] {
            for (at, (path, value)) in list.iter().enumerate() {
                match at {
                    0 => write!(f, "{before}{word} {path} {value}")?,
                    _ => write!(f, ", {path} {value}")?,
                }
                before = " ";
            }
        }
        Ok(())
    }
}

impl Update {
    /// All paths that the update writes.
    pub fn targets(&self) -> impl Iterator<Item = &Path> {
        (self.set.iter().map(|(path, _)| path))
            .chain(&self.remove)
            .chain(self.add.iter().map(|(path, _)| path))
            .chain(self.delete.iter().map(|(path, _)| path))
    }
}

impl fmt::Display for Assigned {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Assigned::Term(value) => value.fmt(f),
            Assigned::Sum(left, right) => write!(f, "{left} + {right}"),
            Assigned::Difference(left, right) => write!(f, "{left} - {right}"),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Operand(operand) => operand.fmt(f),
            Term::IfNotExists(path, value) => write!(f, "if_not_exists({path}, {value})"),
            Term::ListAppend(first, second) => write!(f, "list_append({first}, {second})"),
            Term::Group(inner) => write!(f, "({inner})"),
        }
    }
}
