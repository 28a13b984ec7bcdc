//! Access patterns that do not find their entities.

use super::{list, name};
use crate::engine::key_condition::other_modifiers;
use crate::lint::entity_facts::Compiled;
use crate::lint::rule::TOO_LARGE;
use crate::lint::{
    Check, ConditionFacts, Context, Found, NewFinding, PatternFacts, Place, Rule, Severity,
};
use crate::model::{Operation, WriteAction, short};

/// The key condition matches no key of an entity that the pattern is for.
pub const RULE: Rule = Rule {
    code: "A001",
    name: "unserved-access-pattern",
    severity: Severity::Error,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        if super::impossible::reason(context, facts).is_some() {
            continue;
        }
        if let Some(message) = reason(context, facts) {
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        } else if let Some(message) = unsure(context, facts) {
            let finding = NewFinding::at(Place::Pattern(facts.id), message);
            found.add(finding.severity(Severity::Warning));
        }
    }
}

/// Returns a message if the analysis cannot decide what a pattern finds.
fn unsure(context: &Context, facts: &PatternFacts) -> Option<String> {
    let condition = (facts.conditions.iter()).find(|condition| !condition.unsure.is_empty())?;
    let names: Vec<&str> = (condition.unsure.iter())
        .map(|id| name(context.design, *id))
        .collect();
    let (pattern, names) = (&facts.pattern.name, list(&names));
    Some(format!(
        "Cannot determine whether `{pattern}` finds {names}: {TOO_LARGE}"
    ))
}

fn reason(context: &Context, facts: &PatternFacts) -> Option<String> {
    let pattern = &facts.pattern.name;
    let design = context.design;
    let index = facts.pattern.operation.index();
    if index.is_some_and(|index| !index.is_primary()) {
        let is_stored = |id: &&_| context.entities.get(id).is_none_or(|it| it.is_stored());
        if let Some(id) = facts.intended.iter().find(|id| !is_stored(id)) {
            let name = name(design, *id);
            return Some(format!(
                "`{pattern}` is unserved: {name} has no primary key, so its items are in no index. Add a primary key template."
            ));
        }
    }
    match &facts.pattern.operation {
        Operation::Scan { index, .. } => {
            let absent = |id: &&_| {
                let facts = context.entities.get(id);
                facts.is_none_or(|facts| facts.entry(*index).is_none())
            };
            let missing: Vec<&str> = (facts.intended.iter().filter(absent))
                .map(|id| name(design, *id))
                .collect();
            let index = design.index_name(*index);
            (!missing.is_empty()).then(|| {
                format!(
                    "`{pattern}` is for {}, which has no entry in {index}. Add one.",
                    list(&missing)
                )
            })
        }
        operation if index.is_some() => {
            let missing: Vec<&str> = (facts.intended.iter())
                .filter(|id| !facts.finds(**id))
                .map(|id| name(design, *id))
                .collect();
            let condition = facts.conditions.first()?;
            let index = match condition.key.index.is_primary() {
                true => "the table",
                false => design.index_name(condition.key.index),
            };
            if super::impossible::has_no_key(operation) {
                return Some(format!(
                    "`{pattern}` is unserved: it has no key condition. Choose an index and a partition key value."
                ));
            }
            if !missing.is_empty() {
                let key = shown(condition);
                let names = list(&missing);
                return Some(format!(
                    "`{pattern}` is unserved: {key} matches no key of {names} in {index}. Correct the condition, or give {names} a matching key."
                ));
            }
            if let Some(message) = modifiers(context, facts, condition) {
                return Some(message);
            }
            let empty = (facts.conditions.iter()).find(|condition| condition.finds.is_empty())?;
            let key = shown(empty);
            let what = operation.name();
            Some(format!(
                "`{pattern}` is unserved: no entity in {index} has the key {key} of this {what}. Correct the condition."
            ))
        }
        // A put needs an item that can be stored; an update or delete needs an item with its key.
        operation => {
            let puts = || {
                let actions = operation.actions().iter();
                actions.filter_map(|action| match action {
                    WriteAction::PutItem { entity, .. } => Some(*entity),
                    _ => None,
                })
            };
            for put in puts() {
                let facts = context.entities.get(&put);
                let primary = facts.and_then(|facts| facts.primary());
                if !primary.is_some_and(|entry| entry.is_whole()) {
                    let put = name(design, put);
                    return Some(format!(
                        "`{pattern}` puts an item of {put}, which has no primary key template. Add one."
                    ));
                }
            }
            if let Some(empty) = (facts.conditions.iter()).find(|it| it.finds.is_empty()) {
                let key = shown(empty);
                return Some(format!(
                    "`{pattern}` changes an item with the key {key}, which no entity has. Correct the key."
                ));
            }
            let missing: Vec<&str> = (facts.intended.iter())
                .filter(|id| !facts.finds(**id) && !puts().any(|put| put == **id))
                .map(|id| name(design, *id))
                .collect();
            let names = list(&missing);
            (!missing.is_empty() && !facts.conditions.is_empty()).then(|| {
                format!(
                    "`{pattern}` is unserved: no key of {names} is among those that it changes. Correct a key, or give {names} a matching key."
                )
            })
        }
    }
}

/// A message if a Query compares a value with one that has other modifiers in the key.
fn modifiers(
    context: &Context,
    facts: &PatternFacts,
    condition: &ConditionFacts,
) -> Option<String> {
    facts.intended.iter().find_map(|id| {
        let design = context.design;
        let entity = design.entities.get(id)?;
        let (asked, own) = other_modifiers(design, &facts.pattern, &condition.key, entity)?;
        let (pattern, entity) = (&facts.pattern.name, &entity.name);
        Some(format!(
            "`{pattern}` is unserved: it compares `{asked}` with `{own}` of {entity}. Use the same modifiers."
        ))
    })
}

/// Formats the key condition as written in the design.
fn shown(condition: &ConditionFacts) -> String {
    let mut texts: Vec<String> = Vec::new();
    let quoted = |compiled: &Compiled| format!("`{}`", short(&compiled.text));
    for partition in &condition.key.partition {
        texts.push(quoted(partition));
    }
    for (operator, value, upper) in &condition.key.sort {
        let upper = upper
            .as_ref()
            .map_or(String::new(), |upper| " and ".to_owned() + &quoted(upper));
        texts.push(format!("{} {}{upper}", operator.symbol(), quoted(value)));
    }
    texts.join(" / ")
}
