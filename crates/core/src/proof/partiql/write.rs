//! Writes statements.

use super::{number, refusal};
use crate::engine::query::Rejection;
use crate::engine::query::expression::{
    Condition, Operand, Path, PathStep, parse_condition, parse_projection,
};
use crate::model::{
    Design, IndexId, ItemKey, KeyAttribute, KeyType, Operation, Read, SortCondition, SortOperator,
    Value, is_hidden,
};
use crate::proof::request::rendered;
use crate::proof::{Binding, NoRequest};

/// Writes the read of an access pattern as a statement with templates; for a batch, one statement per key, one per
/// line. Fails for a write, for an operation without a key, for an index with several partition or sort key attributes,
/// and for an expression that cannot be parsed.
pub fn write_statement(design: &Design, operation: &Operation) -> Result<String, NoRequest> {
    let template = |attribute: &KeyAttribute, text: &str| {
        let number = number(text).filter(|_| attribute.kind == KeyType::N);
        Ok(number.map_or_else(|| string(text), |number| number.to_string()))
    };
    let parameter = |name: &str| Ok(string(&format!("{{{name}}}")));
    statement(design, operation, &template, &parameter)
}

/// Writes the statement for DynamoDB, with these values. Fails as [`write_statement`] does, and for invisible characters,
/// which PartiQL cannot escape.
pub fn filled_statement(
    design: &Design,
    operation: &Operation,
    binding: &Binding,
) -> Result<String, NoRequest> {
    let value = |attribute: &KeyAttribute, text: &str| {
        literal(&rendered(design, binding, attribute, text)?)
    };
    let parameter = |name: &str| match binding.value(name) {
        Some(value) => literal(value),
        None => Err(NoRequest::Unbound(vec![name.to_owned()])),
    };
    let text = statement(design, operation, &value, &parameter)?;
    let is_unseen = |c: &char| is_hidden(*c) && !matches!(c, '\n' | '\r' | '\t');
    match text.chars().find(is_unseen) {
        Some(c) => Err(NoRequest::Value(format!(
            "PartiQL has no escape for the invisible character U+{:04X} of a name or a value",
            u32::from(c)
        ))),
        None => Ok(text),
    }
}

/// Writes a template of a key attribute.
type OfKey<'a> = &'a dyn Fn(&KeyAttribute, &str) -> Result<String, NoRequest>;
/// Writes a parameter of an expression.
type OfParameter<'a> = &'a dyn Fn(&str) -> Result<String, NoRequest>;

fn statement(
    design: &Design,
    operation: &Operation,
    of_key: OfKey,
    of_parameter: OfParameter,
) -> Result<String, NoRequest> {
    let writer = StatementWriter {
        design,
        of_key,
        of_parameter,
    };
    match operation {
        Operation::GetItem { key, read } => writer.key(key, read),
        Operation::BatchGetItem { keys, read } => writer.keys(keys, read),
        Operation::TransactGetItems { keys } => writer.keys(keys, &Read::default()),
        Operation::Query {
            index,
            partition,
            sort,
            descending,
            read,
            ..
        } => writer.query(*index, partition, sort, *descending, read),
        Operation::Scan { index, read, .. } => {
            let mut terms = Vec::new();
            terms.extend(writer.filter(read)?);
            writer.select(*index, read, &terms, "")
        }
        Operation::Write(_) | Operation::TransactWriteItems { .. } => {
            let name = operation.name();
            Err(NoRequest::Value(format!("{name} has no SELECT statement")))
        }
    }
}

struct StatementWriter<'a> {
    design: &'a Design,
    of_key: OfKey<'a>,
    of_parameter: OfParameter<'a>,
}

impl StatementWriter<'_> {
    fn keys(&self, keys: &[ItemKey], read: &Read) -> Result<String, NoRequest> {
        let mut lines = Vec::new();
        for key in keys {
            lines.push(self.key(key, read)?);
        }
        Ok(lines.join("\n"))
    }

    fn key(&self, key: &ItemKey, read: &Read) -> Result<String, NoRequest> {
        let texts = std::iter::once(&key.partition).chain(&key.sort);
        let mut terms = Vec::new();
        for (attribute, text) in self.design.table.key.attributes().zip(texts) {
            terms.push(self.term(attribute, "=", text)?);
        }
        self.select(IndexId::PRIMARY, read, &terms, "")
    }

    fn query(
        &self,
        index: IndexId,
        partition: &[String],
        sort: &[SortCondition],
        descending: bool,
        read: &Read,
    ) -> Result<String, NoRequest> {
        let key = self.design.key(index).ok_or(Rejection::NoIndex)?;
        if partition.iter().all(|text| text.is_empty()) {
            return Err(NoRequest::NoKey);
        }
        let mut terms = Vec::new();
        for (attribute, text) in key.partition.iter().zip(partition) {
            terms.push(self.term(attribute, "=", text)?);
        }
        for (attribute, condition) in key.sort.iter().zip(sort) {
            let name = identifier(&attribute.name);
            let value = (self.of_key)(attribute, &condition.value)?;
            terms.push(match (condition.operator, &condition.upper) {
                (SortOperator::BeginsWith, _) => format!("begins_with({name}, {value})"),
                (SortOperator::Between, Some(upper)) => {
                    let upper = (self.of_key)(attribute, upper)?;
                    format!("{name} BETWEEN {value} AND {upper}")
                }
                (operator, _) => format!("{name} {} {value}", operator.symbol()),
            });
        }
        terms.extend(self.filter(read)?);
        let order = match key.sort.first() {
            Some(sort) if descending => format!(" ORDER BY {} DESC", identifier(&sort.name)),
            _ => String::new(),
        };
        self.select(index, read, &terms, &order)
    }

    fn term(
        &self,
        attribute: &KeyAttribute,
        operator: &str,
        text: &str,
    ) -> Result<String, NoRequest> {
        let value = (self.of_key)(attribute, text)?;
        Ok(format!(
            "{} {operator} {value}",
            identifier(&attribute.name)
        ))
    }

    fn select(
        &self,
        index: IndexId,
        read: &Read,
        terms: &[String],
        order: &str,
    ) -> Result<String, NoRequest> {
        if let Some(refusal) = self.design.key(index).and_then(refusal) {
            return Err(NoRequest::Value(refusal.to_owned()));
        }
        let mut names = "*".to_owned();
        if !read.projection.is_empty() {
            let paths = parse_projection(&read.projection.join(", "));
            let paths = paths.map_err(Rejection::Expression)?;
            let paths: Vec<String> = paths.iter().map(path).collect();
            names = paths.join(", ");
        }
        let mut text = format!(
            "SELECT {names} FROM {}",
            identifier(&self.design.table.name)
        );
        if !index.is_primary() {
            text.push('.');
            text.push_str(&identifier(self.design.index_name(index)));
        }
        if !terms.is_empty() {
            text.push_str(" WHERE ");
            text.push_str(&terms.join(" AND "));
        }
        text.push_str(order);
        Ok(text)
    }

    fn filter(&self, read: &Read) -> Result<Option<String>, NoRequest> {
        let Some(text) = &read.filter else {
            return Ok(None);
        };
        let condition = parse_condition(text).map_err(Rejection::Expression)?;
        let text = self.condition(&condition)?;
        Ok(Some(match condition {
            Condition::Or(..) => format!("({text})"),
            _ => text,
        }))
    }

    fn condition(&self, condition: &Condition) -> Result<String, NoRequest> {
        let operand = |from: &Operand| self.operand(from);
        Ok(match condition {
            Condition::Compare(left, comparator, right) => {
                let (left, right) = (operand(left)?, operand(right)?);
                format!("{left} {} {right}", comparator.symbol())
            }
            Condition::Between(value, low, high) => {
                let (value, low, high) = (operand(value)?, operand(low)?, operand(high)?);
                format!("{value} BETWEEN {low} AND {high}")
            }
            Condition::In(value, list) => {
                let mut all = Vec::new();
                for other in list {
                    all.push(operand(other)?);
                }
                format!("{} IN [{}]", operand(value)?, all.join(", "))
            }
            Condition::Exists(place) => format!("{} IS NOT MISSING", path(place)),
            Condition::NotExists(place) => format!("{} IS MISSING", path(place)),
            Condition::Type(of, kind) => {
                format!("attribute_type({}, {})", operand(of)?, operand(kind)?)
            }
            Condition::BeginsWith(value, beginning) => {
                format!("begins_with({}, {})", operand(value)?, operand(beginning)?)
            }
            Condition::Contains(value, part) => {
                format!("contains({}, {})", operand(value)?, operand(part)?)
            }
            Condition::And(left, right) => {
                format!("{} AND {}", self.within_and(left)?, self.within_and(right)?)
            }
            Condition::Or(left, right) => {
                format!("{} OR {}", self.condition(left)?, self.condition(right)?)
            }
            Condition::Not(inner) => match **inner {
                Condition::And(..) | Condition::Or(..) => {
                    format!("NOT ({})", self.condition(inner)?)
                }
                _ => format!("NOT {}", self.condition(inner)?),
            },
        })
    }

    fn within_and(&self, condition: &Condition) -> Result<String, NoRequest> {
        let text = self.condition(condition)?;
        Ok(match condition {
            Condition::Or(..) => format!("({text})"),
            _ => text,
        })
    }

    fn operand(&self, operand: &Operand) -> Result<String, NoRequest> {
        match operand {
            Operand::Path(place) => Ok(path(place)),
            Operand::Value(name) => (self.of_parameter)(name),
            Operand::Literal(value) => literal(value),
            Operand::Size(place) => Ok(format!("size({})", path(place))),
        }
    }
}

/// Writes a path with each name in double quotes.
fn path(path: &Path) -> String {
    let mut text = identifier(&path.attribute.text);
    for step in &path.steps {
        match step {
            PathStep::Field(name) => {
                text.push('.');
                text.push_str(&identifier(&name.text));
            }
            PathStep::Element(number) => text.push_str(&format!("[{number}]")),
        }
    }
    text
}

/// Writes a name in double quotes.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// Writes text in single quotes.
fn string(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Writes a value in PartiQL.
fn literal(value: &Value) -> Result<String, NoRequest> {
    let all =
        |texts: Vec<String>, open: &str, close: &str| format!("{open}{}{close}", texts.join(", "));
    Ok(match value {
        Value::S(text) => string(text),
        Value::N(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Null => "NULL".to_owned(),
        Value::B(_) | Value::Bs(_) => {
            let text = "PartiQL cannot write binary values; a statement takes them as parameters";
            return Err(NoRequest::Value(text.to_owned()));
        }
        Value::L(list) => {
            let mut texts = Vec::new();
            for one in list {
                texts.push(literal(one)?);
            }
            all(texts, "[", "]")
        }
        Value::M(map) => {
            let mut texts = Vec::new();
            for (name, one) in map {
                texts.push(format!("{}: {}", string(name), literal(one)?));
            }
            all(texts, "{", "}")
        }
        Value::Ss(set) => all(set.iter().map(|text| string(text)).collect(), "<<", ">>"),
        Value::Ns(set) => all(set.iter().map(ToString::to_string).collect(), "<<", ">>"),
    })
}
