//! Builds the request of the query engine for an access pattern.

use super::parameters::Binding;
use super::reach::{Match, item_condition, matches};
use super::read_requirement::is_read_requirement;
use crate::engine::query::expression::{
    Binder, Condition, Path, parse_condition, parse_projection, parse_update,
};
use crate::engine::query::{
    Attributes, BatchGet, Bound, Get, Key, KeyCondition, Query, Rejection, Scan, SortTest,
    TransactGet, Write,
};
use crate::engine::{EntityPlan, Problem, ProblemKind};
use crate::model::{
    AccessPattern, AttributeType, Design, EntityId, ItemKey, KeyAttribute, Operation, Read, Sample,
    SampleId, Value, Values, WriteAction, entities_of,
};
use crate::template::{self, RenderError, render_condition_value};
use std::sync::Arc;

/// A request with values for its parameters.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    /// GetItem.
    Get(Get),
    /// Query.
    Query(Query),
    /// Scan.
    Scan(Scan),
    /// BatchGetItem.
    BatchGet(BatchGet),
    /// TransactGetItems.
    TransactGet(TransactGet),
    /// PutItem, UpdateItem or DeleteItem.
    Write(Write),
    /// TransactWriteItems.
    TransactWrite(Vec<Write>),
}

/// Why a request cannot be built.
#[derive(Debug, Clone, PartialEq)]
pub enum NoRequest {
    /// The operation states only a requirement: no key is chosen.
    NoKey,
    /// Parameters without a value.
    Unbound(Vec<String>),
    /// A template does not accept the values; the text says which and why.
    Value(String),
    /// DynamoDB would reject it.
    Refused(Rejection),
}

impl From<Rejection> for NoRequest {
    fn from(rejection: Rejection) -> NoRequest {
        NoRequest::Refused(rejection)
    }
}

impl std::fmt::Display for NoRequest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoRequest::NoKey => f.write_str("no key is chosen yet"),
            NoRequest::Unbound(names) => {
                let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                let verb = if names.len() == 1 { "has" } else { "have" };
                let names = super::analyze::listed(&names);
                write!(
                    f,
                    "{names} {verb} no value: type one, or choose a sample that has it"
                )
            }
            NoRequest::Value(text) => f.write_str(text),
            NoRequest::Refused(rejection) => rejection.fmt(f),
        }
    }
}

/// Builds the request of an access pattern with these values.
pub fn request(
    design: &Design,
    pattern: &AccessPattern,
    binding: &Binding,
) -> Result<Request, NoRequest> {
    if is_read_requirement(&pattern.operation) {
        return Err(NoRequest::NoKey);
    }
    let unbound: Vec<String> = binding.unbound().into_iter().map(str::to_owned).collect();
    if !unbound.is_empty() {
        return Err(NoRequest::Unbound(unbound));
    }
    let builder = RequestBuilder {
        design,
        pattern,
        binding,
    };
    Ok(match &pattern.operation {
        Operation::GetItem { key, read } => Request::Get(Get {
            key: builder.key(key)?,
            projection: builder.projection(read)?,
            consistent: read.consistent,
        }),
        Operation::BatchGetItem { keys, read } => Request::BatchGet(BatchGet {
            keys: builder.keys(keys)?,
            projection: builder.projection(read)?,
            consistent: read.consistent,
        }),
        Operation::TransactGetItems { keys } => Request::TransactGet(TransactGet {
            keys: builder.keys(keys)?,
        }),
        Operation::Query { .. } => Request::Query(builder.query()?),
        Operation::Scan { index, limit, read } => Request::Scan(Scan {
            limit: *limit,
            filter: builder.condition(read.filter.as_deref())?,
            projection: builder.projection(read)?,
            consistent: read.consistent,
            ..Scan::new(*index)
        }),
        Operation::Write(action) => Request::Write(builder.write(action)?),
        Operation::TransactWriteItems { actions } => {
            let mut writes = Vec::new();
            for action in actions {
                writes.push(builder.write(action)?);
            }
            Request::TransactWrite(writes)
        }
    })
}

/// Returns the value of a key attribute that a template renders from these values. Does not check its length.
pub fn rendered(
    design: &Design,
    binding: &Binding,
    attribute: &KeyAttribute,
    text: &str,
) -> Result<Value, NoRequest> {
    let parsed = template::parse(text);
    let kind = attribute.kind.into();
    let look = |name: &str| binding.value(name);
    render_condition_value(&parsed.template, kind, &design.delimiter, &look, usize::MAX).map_err(
        |error| match error {
            RenderError::EmptyKey => NoRequest::Refused(Rejection::Empty {
                attribute: attribute.name.clone(),
            }),
            // A single parameter may have a value of the right type.
            RenderError::WrongType { expected, .. } if !parsed.template.is_single_placeholder() => {
                NoRequest::Refused(Rejection::WrongType {
                    attribute: attribute.name.clone(),
                    wanted: expected,
                    found: AttributeType::S,
                })
            }
            error => NoRequest::Value(format!("`{text}`: {error}")),
        },
    )
}

struct RequestBuilder<'a> {
    design: &'a Design,
    pattern: &'a AccessPattern,
    binding: &'a Binding,
}

impl RequestBuilder<'_> {
    fn value(&self, attribute: &KeyAttribute, text: &str) -> Result<Value, NoRequest> {
        rendered(self.design, self.binding, attribute, text)
    }

    fn key(&self, key: &ItemKey) -> Result<Key, NoRequest> {
        let schema = &self.design.table.key;
        let mut values = Key::new();
        let texts = std::iter::once(&key.partition).chain(&key.sort);
        for (attribute, text) in schema.attributes().zip(texts) {
            values.insert(attribute.name.clone(), self.value(attribute, text)?);
        }
        if schema.sort.is_empty() && key.sort.is_some() {
            let attribute = "sort key".to_owned();
            return Err(Rejection::ExtraKey { attribute }.into());
        }
        Ok(values)
    }

    fn keys(&self, keys: &[ItemKey]) -> Result<Vec<Key>, NoRequest> {
        let mut all = Vec::new();
        for key in keys {
            all.push(self.key(key)?);
        }
        Ok(all)
    }

    fn query(&self) -> Result<Query, NoRequest> {
        let Operation::Query {
            index,
            partition,
            sort,
            descending,
            limit,
            read,
        } = &self.pattern.operation
        else {
            return Err(NoRequest::NoKey);
        };
        let key = self.design.key(*index).ok_or(Rejection::NoIndex)?;
        let mut condition = KeyCondition {
            partition: Vec::new(),
            sort: Vec::new(),
        };
        for (attribute, text) in key.partition.iter().zip(partition) {
            condition.partition.push(self.value(attribute, text)?);
        }
        if sort.len() > key.sort.len() || partition.len() > key.partition.len() {
            let key = key.attributes().map(|a| a.name.clone()).collect();
            let attribute = String::new();
            return Err(Rejection::NotAKey { attribute, key }.into());
        }
        for (attribute, test) in key.sort.iter().zip(sort) {
            let upper = match &test.upper {
                Some(text) => Some(self.value(attribute, text)?),
                None => None,
            };
            condition.sort.push(SortTest {
                operator: test.operator,
                value: self.value(attribute, &test.value)?,
                upper,
            });
        }
        Ok(Query {
            descending: *descending,
            limit: *limit,
            filter: self.condition(read.filter.as_deref())?,
            projection: self.projection(read)?,
            consistent: read.consistent,
            ..Query::new(*index, condition)
        })
    }

    fn condition(&self, text: Option<&str>) -> Result<Option<Bound<Condition>>, NoRequest> {
        let Some(text) = text else {
            return Ok(None);
        };
        let condition = parse_condition(text).map_err(Rejection::Expression)?;
        let bound = Binder::new(&self.binding.values).condition(&condition);
        Ok(Some(bound.map_err(Rejection::Expression)?))
    }

    fn projection(&self, read: &Read) -> Result<Vec<Path>, NoRequest> {
        if read.projection.is_empty() {
            return Ok(Vec::new());
        }
        let paths = parse_projection(&read.projection.join(", ")).map_err(Rejection::Expression)?;
        let bound = Binder::new(&self.binding.values).projection(&paths);
        Ok(bound.map_err(Rejection::Expression)?)
    }

    fn write(&self, action: &WriteAction) -> Result<Write, NoRequest> {
        Ok(match action {
            WriteAction::PutItem { entity, condition } => Write::Put {
                item: put(self.design, self.binding, *entity)?,
                condition: self.condition(condition.as_deref())?,
            },
            WriteAction::UpdateItem {
                key,
                update,
                condition,
            } => {
                let parsed = parse_update(update).map_err(Rejection::Expression)?;
                let bound = Binder::new(&self.binding.values).update(&parsed);
                Write::Update {
                    key: self.key(key)?,
                    update: bound.map_err(Rejection::Expression)?,
                    condition: self.condition(condition.as_deref())?,
                    entity: self.entity(key),
                }
            }
            WriteAction::DeleteItem { key, condition } => Write::Delete {
                key: self.key(key)?,
                condition: self.condition(condition.as_deref())?,
            },
            WriteAction::ConditionCheck { key, condition } => {
                let parsed = parse_condition(condition).map_err(Rejection::Expression)?;
                let bound = Binder::new(&self.binding.values).condition(&parsed);
                Write::Check {
                    key: self.key(key)?,
                    condition: bound.map_err(Rejection::Expression)?,
                }
            }
        })
    }

    /// Returns the entity of the key: an intended one, or else any.
    fn entity(&self, key: &ItemKey) -> Option<EntityId> {
        let condition = item_condition(self.design, self.pattern, key);
        let all = self.design.entities.keys().copied();
        let mut ids = entities_of(self.pattern).chain(all);
        ids.find(|id| matches!(matches(self.design, &condition, *id), Match::Found(_)))
    }
}

/// Returns the item that a put writes: the entity's attributes from the values, and its keys.
pub fn put(design: &Design, binding: &Binding, entity: EntityId) -> Result<Attributes, NoRequest> {
    let mut values = Values::new();
    let attributes = design
        .entities
        .get(&entity)
        .map(|entity| &entity.attributes);
    for attribute in attributes.into_iter().flatten() {
        if let Some(value) = binding.value(&attribute.name) {
            values.insert(attribute.name.clone(), value.clone());
        }
    }
    let sample = Sample {
        id: SampleId(0),
        values,
    };
    let item = EntityPlan::new(design, entity).item(&Arc::new(sample));
    // The write itself tells the size, with what the indexes hold.
    let stops = |problem: &&Problem| problem.stops() && problem.kind != ProblemKind::ItemTooLarge;
    if let Some(problem) = item.problems().iter().find(stops) {
        let index = design.index_name(problem.index);
        return Err(match problem.kind {
            ProblemKind::Template | ProblemKind::Missing | ProblemKind::Render => {
                NoRequest::Value(problem.describe(index))
            }
            _ => Rejection::BadValue {
                attribute: problem.attribute.clone(),
                reason: match problem.part {
                    Some(part) => format!("{index} {}: {}", part.label(), problem.message),
                    None => problem.message.clone(),
                },
            }
            .into(),
        });
    }
    Ok(item.to_map())
}
