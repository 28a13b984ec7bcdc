//! Writes one function per access pattern.

use super::function_inputs::{Input, Scope};
use super::names::{self, Namespace};
use super::plan::{Plan, parsed};
use super::source::{Source, code, one_line, prose};
use super::values::{signature, write_fields, write_length, write_value};
use crate::engine::always_rejected::always_rejected;
use crate::engine::query::Rejection;
use crate::model::{
    AccessPattern, AttributeType, EntityId, IndexId, ItemKey, KeyAttribute, KeyType, Operation,
    SortCondition, SortOperator, WriteAction, limits,
};
use crate::proof::parameter_type;
use crate::slices::pause;

/// A function for an access pattern.
#[derive(Debug)]
pub(super) struct PatternPlan<'a> {
    pub pattern: &'a AccessPattern,
    pub name: String,
    pub scope: Scope,
    pub inputs: Vec<Input>,
    pub kind: Kind<'a>,
}

/// The result of the function.
#[derive(Debug)]
pub(super) enum Kind<'a> {
    /// A key condition.
    Query {
        index: IndexId,
        partition: usize,
        sort: &'a [SortCondition],
    },
    /// This number of primary keys; `single`: one key, not in an array.
    Keys { count: usize, single: bool },
}

/// Plans the functions. Adds access patterns without a function, and the reason, to `left_out`.
pub(super) async fn plan_patterns<'a>(
    plan: &Plan<'a>,
    left_out: &mut Vec<String>,
) -> Vec<PatternPlan<'a>> {
    let mut names = Namespace::default();
    let mut planned = Vec::new();
    for pattern in plan.design.access_patterns.values() {
        pause().await;
        let name = names.take(names::function(&pattern.name, "pattern"));
        match plan_pattern(plan, pattern, name) {
            Ok(pattern) => planned.push(pattern),
            Err(reason) => left_out.push(format!("{}: {reason}.", code(&pattern.name))),
        }
    }
    planned
}

fn plan_pattern<'a>(
    plan: &Plan<'a>,
    pattern: &'a AccessPattern,
    name: String,
) -> Result<PatternPlan<'a>, String> {
    let operation = &pattern.operation;
    let rejected = always_rejected(plan.design, operation).or_else(|| {
        let (index, read) = (operation.index()?, operation.read()?);
        let rejection = Rejection::of_consistency(plan.design, index, read.consistent)?;
        Some(rejection.to_string())
    });
    if let Some(reason) = rejected {
        return Err(format!("DynamoDB rejects the request: {reason}"));
    }
    let (kind, inputs) = match operation {
        Operation::Query {
            index,
            partition,
            sort,
            ..
        } => {
            let kind = Kind::Query {
                index: *index,
                partition: partition.len(),
                sort,
            };
            (kind, query_inputs(plan, *index, partition, sort)?)
        }
        Operation::GetItem { key, .. } => (
            Kind::Keys {
                count: 1,
                single: true,
            },
            key_inputs(plan, &[key])?,
        ),
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            let keys: Vec<_> = keys.iter().collect();
            (
                Kind::Keys {
                    count: keys.len(),
                    single: false,
                },
                key_inputs(plan, &keys)?,
            )
        }
        Operation::Scan { .. } => return Err("a Scan has no key".to_owned()),
        Operation::Write(action) => match action.key() {
            Some(key) => (
                Kind::Keys {
                    count: 1,
                    single: true,
                },
                key_inputs(plan, &[key])?,
            ),
            None => return Err("PutItem takes its keys from the entity's key structs".to_owned()),
        },
        Operation::TransactWriteItems { actions } => {
            let keys: Vec<_> = actions.iter().filter_map(WriteAction::key).collect();
            if keys.is_empty() && !actions.is_empty() {
                return Err(
                    "it only puts items; their keys come from the entities' key structs".to_owned(),
                );
            }
            (
                Kind::Keys {
                    count: keys.len(),
                    single: false,
                },
                key_inputs(plan, &keys)?,
            )
        }
    };
    let kinds = |name: &str| kind_of(plan, pattern, name);
    // Names of variables in the function's body.
    let mut names = Namespace::without(&["pk", "sk", "upper", "sort", "key", "keys"]);
    for number in 1..=inputs.len() {
        for name in ["pk", "sk", "key"] {
            names.take(format!("{name}_{number}"));
        }
    }
    let scope = Scope::new(&inputs, &plan.design.delimiter, &kinds, &mut names)?;
    Ok(PatternPlan {
        pattern,
        name,
        scope,
        inputs,
        kind,
    })
}

/// Returns the type of a parameter; text if nothing says it.
fn kind_of(plan: &Plan, pattern: &AccessPattern, name: &str) -> AttributeType {
    parameter_type(plan.design, pattern, name)
        .or_else(|| pattern.parameters.get(name).map(|value| value.kind()))
        .unwrap_or_default()
}

fn query_inputs(
    plan: &Plan,
    index: IndexId,
    partition: &[String],
    sort: &[SortCondition],
) -> Result<Vec<Input>, String> {
    let key = plan.design.key(index).ok_or("there is no such index")?;
    if partition.len() != key.partition.len() {
        return Err("a partition key attribute has no value".to_owned());
    }
    if sort.len() > key.sort.len() {
        return Err(
            "it has a condition on a sort key attribute that the index does not have".to_owned(),
        );
    }
    let mut inputs = Vec::new();
    for (attribute, text) in key.partition.iter().zip(partition) {
        inputs.push(plan.input(attribute, limits::PARTITION_KEY_BYTES, parsed(text)?));
    }
    for (place, (attribute, condition)) in key.sort.iter().zip(sort).enumerate() {
        if place + 1 < sort.len() && condition.operator != SortOperator::Equal {
            return Err("only the last condition on the sort key can be a range".to_owned());
        }
        if condition.operator == SortOperator::BeginsWith && attribute.kind == KeyType::N {
            return Err("`begins_with` does not work on a number".to_owned());
        }
        inputs.push(sort_input(plan, attribute, &condition.value)?);
        if condition.operator == SortOperator::Between {
            let upper = condition
                .upper
                .as_deref()
                .ok_or("`between` has no upper bound")?;
            inputs.push(sort_input(plan, attribute, upper)?);
        }
    }
    Ok(inputs)
}

fn sort_input(plan: &Plan, attribute: &KeyAttribute, text: &str) -> Result<Input, String> {
    Ok(plan.input(attribute, limits::SORT_KEY_BYTES, parsed(text)?))
}

fn key_inputs(plan: &Plan, keys: &[&ItemKey]) -> Result<Vec<Input>, String> {
    if keys.is_empty() {
        return Err("it has no key".to_owned());
    }
    let schema = &plan.design.table.key;
    let mut inputs = Vec::new();
    for key in keys {
        for attribute in &schema.partition {
            inputs.push(plan.input(
                attribute,
                limits::PARTITION_KEY_BYTES,
                parsed(&key.partition)?,
            ));
        }
        match (schema.sort.first(), key.sort.as_deref()) {
            (Some(attribute), Some(text)) => inputs.push(sort_input(plan, attribute, text)?),
            (None, None) => {}
            (Some(_), None) => return Err("its key lacks the sort key".to_owned()),
            (None, Some(_)) => {
                return Err("its key has a sort key, but the table has none".to_owned());
            }
        }
    }
    Ok(inputs)
}

impl PatternPlan<'_> {
    /// Returns the return type of the function.
    fn returns(&self) -> String {
        let made = match &self.kind {
            Kind::Query { .. } => "KeyCondition".to_owned(),
            Kind::Keys { single: true, .. } => "PrimaryKey".to_owned(),
            Kind::Keys { count, .. } => format!("[PrimaryKey; {count}]"),
        };
        match self.scope.fields.is_empty() {
            true => made,
            false => format!("Result<{made}, KeyError>"),
        }
    }

    /// Returns the function's signature: `get_user(user_id: &str) -> Result<PrimaryKey, KeyError>`.
    pub fn declaration(&self) -> String {
        let params = signature(&self.scope, false).join(", ");
        format!("{}({params}) -> {}", self.name, self.returns())
    }

    /// Returns a call with the parameters as arguments, if it is a query.
    pub fn query_call(&self) -> Option<String> {
        matches!(self.kind, Kind::Query { .. }).then(|| {
            let mut names = Vec::new();
            for param in &self.scope.params {
                names.push(param.name.as_str());
            }
            let end = if self.scope.fields.is_empty() {
                ""
            } else {
                "?"
            };
            format!("{}({}){end}", self.name, names.join(", "))
        })
    }
}

/// Writes the function of one access pattern.
pub(super) fn write_pattern(src: &mut Source, plan: &Plan, planned: &PatternPlan) {
    let PatternPlan { pattern, scope, .. } = planned;
    src.doc(&format!("{}.", prose(pattern.name.trim_end_matches('.'))));
    if !pattern.description.trim().is_empty() {
        src.line("///");
        src.doc(&prose(&pattern.description));
    }
    src.line("///");
    src.doc(&summary(plan, planned));
    src.allow_many_arguments(scope.params.len());
    let checked = !scope.fields.is_empty();
    src.signature(
        &format!("pub fn {}(", planned.name),
        &signature(scope, false),
        &format!(") -> {} {{", planned.returns()),
    );
    write_fields(src, scope);
    let (open, close) = if checked { ("Ok(", ")") } else { ("", "") };
    match &planned.kind {
        Kind::Query {
            index,
            partition,
            sort,
        } => write_query(src, plan, planned, *index, *partition, sort, (open, close)),
        Kind::Keys { count, single } => {
            let per_key = scope.values.len() / count;
            let suffix = |key: usize| {
                if *single {
                    String::new()
                } else {
                    format!("_{}", key + 1)
                }
            };
            for key in 0..*count {
                let names = ["pk", "sk"].map(|name| format!("{name}{}", suffix(key)));
                for (place, name) in names.iter().enumerate().take(per_key) {
                    write_variable(src, scope, key * per_key + place, name);
                }
                let pair = |place: usize| pair(scope, key * per_key + place, &names[place]);
                let pairs: Vec<_> = (0..per_key).map(pair).collect();
                match (single, checked) {
                    (true, true) => src.nested_call("Ok([", &pairs, "])"),
                    (true, false) => src.call("[", &pairs, "]"),
                    _ => src.call(&format!("let key{} = [", suffix(key)), &pairs, "];"),
                }
            }
            let keys: Vec<_> = (0..*count)
                .map(|key| format!("key{}", suffix(key)))
                .collect();
            match (single, checked) {
                (true, _) => {}
                (false, true) => src.nested_call("Ok([", &keys, "])"),
                (false, false) => src.call("[", &keys, "]"),
            }
        }
    }
    src.close("}");
}

/// Writes the variable with the text or the bytes of a value, and the check of its length.
fn write_variable(src: &mut Source, scope: &Scope, place: usize, name: &str) {
    let value = &scope.values[place];
    write_value(src, scope, value, "", &format!("let {name} = "), ";");
    write_length(src, value, &format!("{name}.len()"));
}

fn pair(scope: &Scope, place: usize, name: &str) -> String {
    let value = &scope.values[place];
    format!(
        "({}, KeyValue::{}({name}))",
        value.constant,
        value.kind.letter()
    )
}

fn write_query(
    src: &mut Source,
    plan: &Plan,
    planned: &PatternPlan,
    index: IndexId,
    partition: usize,
    sort: &[SortCondition],
    (open, close): (&str, &str),
) {
    let scope = &planned.scope;
    let numbered = |name: &str, place: usize, of: usize| {
        if of > 1 {
            format!("{name}_{}", place + 1)
        } else {
            name.to_owned()
        }
    };
    // All equality conditions: the first is on the partition key; the last sort condition is separate.
    let mut equal = Vec::new();
    for place in 0..partition {
        let name = numbered("pk", place, partition);
        write_variable(src, scope, place, &name);
        equal.push(pair(scope, place, &name));
    }
    let mut condition = "None".to_owned();
    for (place, one) in sort.iter().enumerate() {
        let at = partition + place;
        let name = numbered("sk", place, sort.len());
        write_variable(src, scope, at, &name);
        if place + 1 < sort.len() {
            equal.push(pair(scope, at, &name));
            continue;
        }
        let value = format!("KeyValue::{}({name})", scope.values[at].kind.letter());
        let variant = match one.operator {
            SortOperator::Equal => "Equal",
            SortOperator::Less => "Less",
            SortOperator::LessOrEqual => "LessOrEqual",
            SortOperator::Greater => "Greater",
            SortOperator::GreaterOrEqual => "GreaterOrEqual",
            SortOperator::BeginsWith => "BeginsWith",
            SortOperator::Between => "Between",
        };
        let mut args = vec![value];
        if one.operator == SortOperator::Between {
            write_variable(src, scope, at + 1, "upper");
            args.push(format!(
                "KeyValue::{}(upper)",
                scope.values[at + 1].kind.letter()
            ));
        }
        src.call(
            &format!("let sort = SortCondition::{variant}("),
            &args,
            ");",
        );
        condition = format!("Some(({}, sort))", scope.values[at].constant);
    }
    let (descending, limit, consistent) = match &planned.pattern.operation {
        Operation::Query {
            descending,
            limit,
            read,
            ..
        } => (*descending, *limit, read.consistent),
        _ => (false, None, false),
    };
    src.open(&format!("{open}KeyCondition {{"));
    match plan.indexes.get(&index) {
        Some(constant) => src.line(&format!("index: Some({constant}),")),
        None => src.line("index: None,"),
    }
    src.line(&format!("partition: {},", equal[0]));
    if has_multi_attribute_queries(plan) {
        src.call("and: vec![", &equal[1..], "],");
    }
    src.line(&format!("sort: {condition},"));
    src.line(&format!("descending: {descending},"));
    src.line(&format!(
        "limit: {},",
        limit.map_or("None".to_owned(), |limit| format!("Some({limit})"))
    ));
    src.line(&format!("consistent: {consistent},"));
    src.close(&format!("}}{close}"));
}

/// Whether a key condition can have more than two parts.
pub(super) fn has_multi_attribute_queries(plan: &Plan) -> bool {
    plan.design
        .indexes
        .values()
        .any(|index| index.key.is_multi_attribute())
}

/// Returns the request on one line: `Query on GSI1: pk = …, sk begins_with …, newest first.`
fn summary(plan: &Plan, planned: &PatternPlan) -> String {
    let pattern = planned.pattern;
    let name = |place: usize| {
        let constant = &planned.scope.values[place].constant;
        let found = plan.attributes.iter().find(|(_, other)| other == constant);
        found.map_or("", |(name, _)| name.as_str())
    };
    let template = |place: usize| planned.scope.values[place].template.as_str();
    let mut parts = Vec::new();
    let place = match &planned.kind {
        Kind::Query {
            index,
            partition,
            sort,
        } => {
            for place in 0..*partition {
                parts.push(code(&format!("{} = {}", name(place), template(place))));
            }
            for (place, condition) in sort
                .iter()
                .enumerate()
                .map(|(place, one)| (place + partition, one))
            {
                let mut text = format!(
                    "{} {} {}",
                    name(place),
                    condition.operator.symbol(),
                    template(place)
                );
                if condition.operator == SortOperator::Between {
                    text.push_str(&format!(" and {}", template(place + 1)));
                }
                parts.push(code(&text));
            }
            match index.is_primary() {
                true => " on the table".to_owned(),
                false => format!(" on {}", code(plan.design.index_name(*index))),
            }
        }
        Kind::Keys { .. } => {
            parts.extend(
                (0..planned.scope.values.len())
                    .map(|place| code(&format!("{} = {}", name(place), template(place)))),
            );
            String::new()
        }
    };
    if let Operation::Query {
        descending: true, ..
    } = pattern.operation
    {
        parts.push("descending".to_owned());
    }
    let mut text = format!("{}{place}: {}.", pattern.operation.name(), parts.join(", "));
    if let Operation::TransactWriteItems { actions } = &pattern.operation {
        let of = |entity: EntityId| {
            let mut keys = plan.keys.iter();
            let key = keys.find(|key| key.entity == entity && key.index.is_primary())?;
            Some(code(&key.name))
        };
        let mut puts: Vec<String> = Vec::new();
        for key in actions.iter().filter_map(WriteAction::put).filter_map(of) {
            if !puts.contains(&key) {
                puts.push(key);
            }
        }
        if !puts.is_empty() {
            text.push_str(&format!(
                " It also puts items, whose keys come from {}.",
                puts.join(", ")
            ));
        }
    }
    if let Operation::Query { read, .. }
    | Operation::GetItem { read, .. }
    | Operation::BatchGetItem { read, .. } = &pattern.operation
        && let Some(filter) = &read.filter
    {
        text.push_str(&format!(
            " Filter expression, applied after the read: {}.",
            code(&one_line(filter))
        ));
    }
    text
}
