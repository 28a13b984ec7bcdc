//! Reads of more items than an access pattern returns.

use super::{list, name};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{EntityId, Operation};

/// A query also finds entities that it is not for.
pub const TOO_MUCH: Rule = Rule {
    code: "A002",
    name: "reads-too-much",
    severity: Severity::Warning,
    check: Check::Design(too_much),
};

fn too_much(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let Operation::Query { sort, .. } = &facts.pattern.operation else {
            continue;
        };
        let Some(key_condition) = facts
            .conditions
            .first()
            .filter(|_| !facts.intended.is_empty())
        else {
            continue;
        };
        let is_other =
            |id: &&EntityId| !facts.intended.contains(id) && !key_condition.unsure.contains(id);
        let others: Vec<&str> = (key_condition.finds.iter().filter(is_other))
            .map(|id| name(context.design, *id))
            .collect();
        // `unserved-access-pattern` reports a query that finds none of its entities.
        if others.is_empty() || !facts.intended.iter().any(|id| facts.finds(*id)) {
            continue;
        }
        let condition = match sort.last() {
            Some(condition) => format!("{} `{}`", condition.operator.symbol(), condition.value),
            None => "a query without a sort condition".to_owned(),
        };
        let intended: Vec<&str> = facts
            .intended
            .iter()
            .map(|id| name(context.design, *id))
            .collect();
        let message = format!(
            "`{}` is for {} but also reads {}: {condition} matches their keys too. Give {} a separate prefix or partition, or add the other entities to the access pattern.",
            facts.pattern.name,
            list(&intended),
            list(&others),
            list(&intended),
        );
        let mut examples = Vec::new();
        for id in key_condition.finds.iter().filter(is_other) {
            let sort = context
                .entities
                .get(id)
                .and_then(|facts| facts.entry(key_condition.key.index)?.sort());
            examples.extend(sort.map(|sort| sort.text.clone()));
        }
        let finding = NewFinding::at(Place::Pattern(facts.id), message);
        found.add(finding.examples(examples));
    }
}

/// A Scan reads the whole table.
pub const SCAN: Rule = Rule {
    code: "A008",
    name: "scan",
    severity: Severity::Info,
    check: Check::Design(scan),
};

fn scan(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let Operation::Scan { index, .. } = &facts.pattern.operation else {
            continue;
        };
        let name = match index.is_primary() {
            true => "the table",
            false => context.design.index_name(*index),
        };
        let message = format!(
            "`{}` reads, and is billed for, every item of {name}. Use Scan only for exports, and a key for other reads.",
            facts.pattern.name
        );
        found.add(NewFinding::at(Place::Pattern(facts.id), message));
    }
}
