//! Converts a parsed statement to an operation.

use super::parse::{Statement, parse};
use super::{number, refusal};
use crate::engine::query::Rejection;
use crate::engine::query::expression::{
    Comparator, Condition, Name, Operand, Path, PathStep, is_plain,
};
use crate::model::{
    Design, IndexId, ItemKey, KeyAttribute, KeyType, Operation, Read, SortCondition, SortOperator,
    Value,
};
use crate::proof::read_requirement::conjuncts;
use crate::template;
use std::fmt;
use std::ops::Range;

/// An error in a statement, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementError {
    /// The bytes of the statement's text.
    pub span: Range<usize>,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl fmt::Display for StatementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for StatementError {}

/// Parses a statement with templates as an operation: a GetItem with the table's whole key, a Query with each partition
/// key attribute, otherwise a Scan. Conditions on other attributes become the filter. The operation has no limit and is
/// eventually consistent. Several values of the partition key are an error: they need several operations.
pub fn read_statement(design: &Design, text: &str) -> Result<Operation, StatementError> {
    let Statement {
        names,
        table,
        index,
        terms,
        order,
    } = parse(text)?;
    let fail = |span: &Range<usize>, message: String| StatementError {
        span: span.clone(),
        message,
    };
    if table.0 != design.table.name {
        let message = format!("the design's table is `{}`", design.table.name);
        return Err(fail(&table.1, message));
    }
    let named_index = index.as_ref();
    let index = match named_index {
        None => IndexId::PRIMARY,
        Some((name, span)) => (design.index_named(name))
            .ok_or_else(|| fail(span, format!("the design has no index `{name}`")))?,
    };
    let Some(key) = design.key(index) else {
        return Err(fail(&table.1, Rejection::NoIndex.to_string()));
    };
    if let Some(refusal) = refusal(key) {
        let place = named_index.map_or(&table.1, |(_, span)| span);
        return Err(fail(place, refusal.to_owned()));
    }
    let mut tests: Vec<(usize, SortCondition)> = Vec::new();
    let mut rest: Vec<Term> = Vec::new();
    let attributes: Vec<&KeyAttribute> = key.attributes().collect();
    let is_asked =
        |at: usize, tests: &[(usize, SortCondition)]| tests.iter().any(|(other, _)| *other == at);
    let terms: Vec<Term> = (terms.iter())
        .flat_map(|(term, span)| conjuncts(term).into_iter().map(move |part| (part, span)))
        .collect();
    for term in &terms {
        match key_test(&attributes, term.0) {
            Some(test) if !is_asked(test.at, &tests) => {
                let at = test.at;
                let is_partition = at < key.partition.len();
                if is_partition && test.operator != SortOperator::Equal {
                    let rejection = Rejection::PartitionOperator {
                        attribute: attributes[at].name.clone(),
                        operator: test.operator.symbol().to_owned(),
                    };
                    return Err(fail(term.1, rejection.to_string()));
                }
                let condition = test.condition(attributes[at]);
                tests.push((at, condition.map_err(|message| fail(term.1, message))?));
            }
            Some(test) => {
                let attribute = attributes[test.at].name.clone();
                return Err(fail(term.1, Rejection::Twice { attribute }.to_string()));
            }
            None => rest.push(*term),
        }
    }
    let of = |at: usize| {
        tests
            .iter()
            .find(|(other, _)| *other == at)
            .map(|(_, test)| test)
    };
    let partition: Option<Vec<String>> = (0..key.partition.len())
        .map(|at| of(at).map(|test| test.value.clone()))
        .collect();
    let mut read = Read::default();
    for path in &names {
        let path = returned(path).map_err(|message| fail(&(0..text.len()), message))?;
        read.projection.push(path.to_string());
    }
    let Some(partition) = partition else {
        for attribute in &key.partition {
            let mut several = rest.iter();
            if let Some((_, span)) = several.find(|term| asks_values(&attribute.name, term.0)) {
                let message = format!(
                    "a Query has one value of the partition key `{}`. Write `=` and send one Query per value. For whole keys of the table, use BatchGetItem",
                    attribute.name
                );
                return Err(fail(span, message));
            }
        }
        // Without the whole partition key, DynamoDB reads all items, whatever the other conditions.
        if let Some((_, span, _)) = &order {
            return Err(fail(
                span,
                "ORDER BY needs `=` for each partition key attribute".to_owned(),
            ));
        }
        read.filter = filter(&terms)?;
        let limit = None;
        return Ok(Operation::Scan { index, limit, read });
    };
    // At most one: see `refusal`.
    let mut sort: Vec<SortCondition> = of(key.partition.len()).cloned().into_iter().collect();
    read.filter = filter(&rest)?;
    let mut descending = false;
    if let Some((name, span, is_descending)) = &order {
        let is_partition = key.partition.iter().any(|key| key.name == *name);
        if is_partition && *is_descending {
            let message = format!(
                "all items of the Query have the same `{name}`. Order them by the sort key"
            );
            return Err(fail(span, message));
        }
        if !is_partition && key.sort.first().is_none_or(|sort| sort.name != *name) {
            let message = "ORDER BY accepts only the sort key".to_owned();
            return Err(fail(span, message));
        }
        descending = *is_descending;
    }
    let is_whole = sort.len() == key.sort.len()
        && sort.iter().all(|test| test.operator == SortOperator::Equal);
    if index.is_primary() && is_whole && read.filter.is_none() && !descending {
        return Ok(Operation::GetItem {
            key: ItemKey {
                partition: partition.concat(),
                sort: sort.pop().map(|test| test.value),
            },
            read,
        });
    }
    Ok(Operation::Query {
        index,
        partition,
        sort,
        descending,
        limit: None,
        read,
    })
}

/// A condition and its position.
type Term<'a> = (&'a Condition, &'a Range<usize>);

/// Whether a condition is true only for one of several values of an attribute, with IN, or OR of `=`. DynamoDB reads the
/// items with these partition keys, and scans nothing. Source: "PartiQL select statements for DynamoDB", Amazon DynamoDB
/// Developer Guide.
fn asks_values(attribute: &str, condition: &Condition) -> bool {
    let is_it = |path: &Path| path.steps.is_empty() && path.attribute.text == attribute;
    let is_literal = |operand: &Operand| matches!(operand, Operand::Literal(_));
    match condition {
        Condition::Compare(Operand::Path(path), Comparator::Equal, value) => {
            is_it(path) && is_literal(value)
        }
        Condition::In(Operand::Path(path), list) => is_it(path) && list.iter().all(is_literal),
        Condition::Or(left, right) => asks_values(attribute, left) && asks_values(attribute, right),
        Condition::And(left, right) => {
            asks_values(attribute, left) || asks_values(attribute, right)
        }
        _ => false,
    }
}

/// A condition that tests a key attribute.
struct KeyTest<'a> {
    /// The position of the attribute in the key.
    at: usize,
    operator: SortOperator,
    value: &'a Value,
    upper: Option<&'a Value>,
}

impl KeyTest<'_> {
    /// The test with templates, if they fit the attribute.
    fn condition(&self, attribute: &KeyAttribute) -> Result<SortCondition, String> {
        let upper = self.upper.map(|upper| key_text(attribute, upper));
        Ok(SortCondition {
            operator: self.operator,
            value: key_text(attribute, self.value)?,
            upper: upper.transpose()?,
        })
    }
}

/// Returns the test on a key attribute, if the condition is one.
fn key_test<'a>(attributes: &[&KeyAttribute], condition: &'a Condition) -> Option<KeyTest<'a>> {
    let test = |path: &Path, operator, value, upper| {
        let name = path.steps.is_empty().then_some(&path.attribute.text)?;
        let at = (attributes.iter()).position(|attribute| attribute.name == *name)?;
        Some(KeyTest {
            at,
            operator,
            value,
            upper,
        })
    };
    match condition {
        Condition::Compare(Operand::Path(path), comparator, Operand::Literal(value)) => {
            test(path, comparator.sort_operator()?, value, None)
        }
        Condition::Between(Operand::Path(path), Operand::Literal(low), Operand::Literal(high)) => {
            test(path, SortOperator::Between, low, Some(high))
        }
        Condition::BeginsWith(Operand::Path(path), Operand::Literal(value)) => {
            test(path, SortOperator::BeginsWith, value, None)
        }
        _ => None,
    }
}

/// The text of a literal as the template of a key attribute. Fails if it does not fit the attribute.
fn key_text(attribute: &KeyAttribute, value: &Value) -> Result<String, String> {
    let KeyAttribute { name, kind } = attribute;
    let fits = match value {
        Value::S(text) => {
            let parsed = template::parse(text);
            if let Some(error) = parsed.errors.first() {
                return Err(error.message.clone());
            }
            *kind == KeyType::S
                || parsed.template.is_single_placeholder()
                || *kind == KeyType::N && number(text).is_some()
        }
        Value::N(_) => *kind == KeyType::N,
        _ => false,
    };
    if fits {
        return Ok(value.to_text());
    }
    let what = match kind {
        KeyType::S => "text in single quotes",
        KeyType::N => "a number or a parameter",
        KeyType::B => "a parameter",
    };
    let kind = kind.letter();
    Err(format!(
        "`{name}` is of type {kind}. Write {what}, such as '{{{name}}}'"
    ))
}

/// Returns the conditions as a filter expression, with `:x` for `'{x}'`.
fn filter(terms: &[Term]) -> Result<Option<String>, StatementError> {
    let mut texts = Vec::new();
    for (condition, span) in terms {
        let with_parameters = parameters(condition).map_err(|message| StatementError {
            span: (*span).clone(),
            message,
        })?;
        texts.push(match with_parameters {
            Condition::Or(..) => format!("({with_parameters})"),
            other => other.to_string(),
        });
    }
    Ok((!texts.is_empty()).then(|| texts.join(" AND ")))
}

fn parameters(condition: &Condition) -> Result<Condition, String> {
    let both = |left: &Condition, right: &Condition| {
        Ok::<_, String>((Box::new(parameters(left)?), Box::new(parameters(right)?)))
    };
    Ok(match condition {
        Condition::Compare(left, comparator, right) => {
            Condition::Compare(operand(left)?, *comparator, operand(right)?)
        }
        Condition::Between(value, low, high) => {
            Condition::Between(operand(value)?, operand(low)?, operand(high)?)
        }
        Condition::In(value, list) => {
            let mut all = Vec::new();
            for other in list {
                all.push(operand(other)?);
            }
            Condition::In(operand(value)?, all)
        }
        Condition::Exists(path) => Condition::Exists(named(path)?),
        Condition::NotExists(path) => Condition::NotExists(named(path)?),
        Condition::Type(of, kind) => Condition::Type(operand(of)?, operand(kind)?),
        Condition::BeginsWith(value, beginning) => {
            Condition::BeginsWith(operand(value)?, operand(beginning)?)
        }
        Condition::Contains(value, part) => Condition::Contains(operand(value)?, operand(part)?),
        Condition::And(left, right) => {
            let (left, right) = both(left, right)?;
            Condition::And(left, right)
        }
        Condition::Or(left, right) => {
            let (left, right) = both(left, right)?;
            Condition::Or(left, right)
        }
        Condition::Not(inner) => Condition::Not(Box::new(parameters(inner)?)),
    })
}

fn operand(from: &Operand) -> Result<Operand, String> {
    match from {
        Operand::Literal(Value::S(text)) => {
            let parsed = template::parse(text);
            let mut names = parsed.template.placeholders();
            match (names.next(), parsed.template.is_single_placeholder()) {
                (Some(only), true) if only.modifiers.is_empty() => {
                    Ok(Operand::Value(only.attribute.clone()))
                }
                _ => Err(format!(
                    "a filter needs parameters. Write '{{name}}' instead of '{text}', and give `name` a value"
                )),
            }
        }
        Operand::Literal(value) => Err(format!(
            "a filter needs parameters. Write '{{name}}' instead of {}, and give `name` a value",
            value.to_text()
        )),
        Operand::Path(path) => Ok(Operand::Path(named(path)?)),
        Operand::Size(path) => Ok(Operand::Size(named(path)?)),
        Operand::Value(name) => Ok(Operand::Value(name.clone())),
    }
}

/// Returns a path of a filter, with `#` before names that a request cannot contain, or quotes around them.
fn named(path: &Path) -> Result<Path, String> {
    with_names(path, |name| Name {
        text: name.to_owned(),
        alias: !is_plain(name),
    })
}

/// Returns a path of the attributes that a read returns, as a design writes it.
fn returned(path: &Path) -> Result<Path, String> {
    with_names(path, Name::of)
}

/// Returns a path whose names are valid in an expression: as `write` returns them.
fn with_names(path: &Path, write: fn(&str) -> Name) -> Result<Path, String> {
    let mut path = path.clone();
    let mut names = vec![&mut path.attribute];
    for step in &mut path.steps {
        if let PathStep::Field(name) = step {
            names.push(name);
        }
    }
    for name in names {
        if name.text.contains('"') {
            return Err(format!(
                "`{}` cannot be part of an expression: it contains a quote",
                name.text
            ));
        }
        *name = write(&name.text);
    }
    Ok(path)
}
