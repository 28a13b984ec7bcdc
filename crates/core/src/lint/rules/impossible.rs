//! Requests that DynamoDB rejects, and a partition key that is only the beginning of one.

use crate::engine::key_condition::wrong_type;
use crate::engine::overlap;
use crate::engine::query::Rejection;
use crate::lint::entity_facts::{Compiled, is_text};
use crate::lint::expression;
use crate::lint::{
    Check, ConditionFacts, Context, Fix, Found, NewFinding, PatternFacts, Place, Rule, Severity,
};
use crate::model::{KeyPart, KeyType, Operation, SortOperator};
use crate::template::render_condition_value;

/// DynamoDB rejects the request, or its partition key can have no item.
pub const CONDITION: Rule = Rule {
    code: "A009",
    name: "impossible-condition",
    severity: Severity::Error,
    check: Check::Design(condition),
};

fn condition(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        if let Some(reason) = reason(context, facts) {
            let message = format!("`{}`: {reason}", facts.pattern.name);
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}

fn index_name<'a>(context: &'a Context, condition: &ConditionFacts) -> &'a str {
    match condition.key.index.is_primary() {
        true => "the table",
        false => context.design.index_name(condition.key.index),
    }
}

/// Whether a Query has no partition key value yet, only the entities that it is for.
pub(super) fn has_no_key(operation: &Operation) -> bool {
    let is_empty = |partition: &[String]| partition.iter().all(String::is_empty);
    matches!(operation, Operation::Query { partition, .. } if is_empty(partition))
}

/// Returns why DynamoDB would reject a pattern's request, or why its partition key is only the beginning of one.
pub(super) fn reason(context: &Context, facts: &PatternFacts) -> Option<String> {
    if has_no_key(&facts.pattern.operation) {
        return None;
    }
    let rejected = rejection(context, facts);
    let rejected = rejected.map(|reason| format!("DynamoDB rejects the request: {reason}"));
    rejected.or_else(|| {
        let is_query = matches!(facts.pattern.operation, Operation::Query { .. });
        let mut conditions = facts.conditions.iter().filter(|_| is_query);
        conditions.find_map(|condition| begins(context, facts, condition))
    })
}

/// Returns why DynamoDB would reject a pattern's key condition, limit or expressions.
fn rejection(context: &Context, facts: &PatternFacts) -> Option<String> {
    for condition in &facts.conditions {
        let key = context.design.key(condition.key.index)?;
        let name = index_name(context, condition);
        let is_query = matches!(facts.pattern.operation, Operation::Query { .. });
        if condition.key.partition.len() != key.partition.len() {
            let names: Vec<&str> = key.partition.iter().map(|a| a.name.as_str()).collect();
            return Some(format!(
                "{name} needs its whole partition key, {}, each with =",
                super::attributes(&names)
            ));
        }
        for compiled in &condition.key.partition {
            if compiled.text.is_empty() {
                return Some(format!(
                    "the partition key of {name} has no value. Write a template."
                ));
            }
        }
        let broken = (condition.key.partition.iter())
            .chain(condition.key.sort.iter().map(|(_, value, _)| value))
            .chain(
                condition
                    .key
                    .sort
                    .iter()
                    .filter_map(|(.., upper)| upper.as_ref()),
            )
            .find_map(|compiled| Some((compiled, compiled.errors.first()?)));
        if let Some((compiled, error)) = broken {
            return Some(format!(
                "`{}` cannot be parsed: {}.",
                compiled.text, error.message
            ));
        }
        if condition.key.sort.len() > key.sort.len() {
            return Some(format!(
                "{name} has fewer sort key attributes than the request has sort conditions. Remove a condition."
            ));
        }
        if !is_query && condition.key.sort.len() != key.sort.len() {
            return Some(format!(
                "reading one item of {name} needs the whole primary key. Add the sort key, or use a Query."
            ));
        }
        if let Some(rejection) = wrong_type(context.design, &facts.pattern, &condition.key) {
            return Some(format!("{rejection}."));
        }
        for (at, (operator, value, upper)) in condition.key.sort.iter().enumerate() {
            let last = at + 1 == condition.key.sort.len();
            let attribute = &key.sort[at];
            if value.text.is_empty() || upper.as_ref().is_some_and(|upper| upper.text.is_empty()) {
                return Some(format!(
                    "the condition on `{}` has no value. Write a template.",
                    attribute.name
                ));
            }
            if !last && *operator != SortOperator::Equal {
                return Some(format!(
                    "only the last sort condition can be a range, but `{}` comes before another condition. Use = there.",
                    attribute.name
                ));
            }
            if *operator == SortOperator::Between && upper.is_none() {
                return Some(format!(
                    "between on `{}` has no upper bound. Add one.",
                    attribute.name
                ));
            }
            if *operator != SortOperator::Between && upper.is_some() {
                return Some(format!(
                    "the condition on `{}` has an upper bound, which only between supports. Remove it.",
                    attribute.name
                ));
            }
            if *operator == SortOperator::BeginsWith && attribute.kind == KeyType::N {
                return Some(format!(
                    "begins_with needs text, but `{}` is a number. Use a range.",
                    attribute.name
                ));
            }
            // Parameters without a typed value take it from samples, which have no say here.
            let typed = |compiled: &Compiled| {
                let kind = attribute.kind.into();
                let look = |name: &str| facts.pattern.parameters.get(name);
                let delimiter = &context.design.delimiter;
                render_condition_value(&compiled.template, kind, delimiter, &look, usize::MAX).ok()
            };
            if let Some(upper) = upper
                && let (Some(low), Some(high)) = (typed(value), typed(upper))
                && low > high
            {
                return Some(format!(
                    "between on `{}` has reversed bounds, `{}` and `{}`. Exchange them.",
                    attribute.name,
                    low.to_text(),
                    high.to_text()
                ));
            }
        }
    }
    let operation = &facts.pattern.operation;
    let limit = Rejection::of_limit(operation.limit());
    limit
        .map(|rejection| format!("{rejection}."))
        .or_else(|| expression::error(context.design, &facts.pattern))
}

/// Returns a reason if a Query has only a prefix of the partition keys of an intended entity.
fn begins(context: &Context, facts: &PatternFacts, condition: &ConditionFacts) -> Option<String> {
    let name = index_name(context, condition);
    for id in facts
        .intended
        .iter()
        .filter(|id| !condition.finds.contains(id))
    {
        let entity = context.entities.get(id);
        let entry = entity.and_then(|entity| entity.entry(condition.key.index));
        let Some(entry) = entry.filter(|entry| entry.is_whole()) else {
            continue;
        };
        for (key, wanted) in entry.side(KeyPart::Partition).zip(&condition.key.partition) {
            let Some(own) = key.value.as_ref().filter(|_| is_text(key)) else {
                continue;
            };
            if overlap::meet(own, wanted) != Ok(false) {
                continue;
            }
            if overlap::begins(wanted, own) != Ok(true) {
                break;
            }
            let example = wanted.language().is_prefix_in(own.language()).ok()?;
            return Some(format!(
                "no item has this partition key: partition keys of {} in {name} only begin with `{}`, such as `{}`, and begins_with does not apply to partition keys. Test the whole key with =, or move the variable part into the sort key.",
                super::name(context.design, *id),
                wanted.text,
                example.unwrap_or_default(),
            ));
        }
    }
    None
}

/// A strongly consistent read of a global secondary index.
pub const STRONG: Rule = Rule {
    code: "A007",
    name: "strong-read-of-gsi",
    severity: Severity::Error,
    check: Check::Design(strong),
};

fn strong(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let (Some(index), Some(read)) = (
            facts.pattern.operation.index(),
            facts.pattern.operation.read(),
        ) else {
            continue;
        };
        let Some(Rejection::StrongGsi { index }) =
            Rejection::of_consistency(context.design, index, read.consistent)
        else {
            continue;
        };
        let message = format!(
            "`{}` uses a strongly consistent read on {}, but a GSI supports only eventually consistent reads. Make the read eventually consistent, or read the table.",
            facts.pattern.name, index
        );
        let finding = NewFinding::at(Place::Pattern(facts.id), message);
        found.add(finding.fix(Fix::Eventual(facts.id)));
    }
}
