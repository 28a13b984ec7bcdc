//! Updates that leave an index key as it was.

use crate::lint::expression;
use crate::lint::facts::EntityFacts;
use crate::lint::{Check, Context, Found, PatternFacts, Place, Rule, Said, Severity};
use crate::model::WriteAction;

/// An update changes an attribute that stands in a key template, but not the key.
pub const RULE: Rule = Rule {
    code: "A005",
    name: "stale-index-key",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let with_key = facts
            .pattern
            .operation
            .actions()
            .iter()
            .filter(|action| action.key().is_some());
        for (action, asked) in with_key.zip(&facts.asked) {
            let WriteAction::UpdateItem { update, .. } = action else {
                continue;
            };
            let updated = expression::updated(update);
            for id in &asked.finds {
                // What it is for, if it says so.
                let meant = facts.meant.is_empty() || facts.meant.contains(id);
                if let Some(entity) = context.entities.get(id).filter(|_| meant) {
                    stale(context, facts, entity, &updated, found);
                }
            }
        }
    }
}

fn stale(
    context: &Context,
    facts: &PatternFacts,
    entity: &EntityFacts,
    updated: &[String],
    found: &mut Found,
) {
    let mut seen: Vec<&str> = Vec::new();
    for entry in &entity.entries {
        for (key, compiled) in entry.own() {
            let name = key.attribute.name.as_str();
            let changed = updated.iter().find(|name| compiled.template.uses(name));
            let Some(changed) = changed.filter(|_| !seen.contains(&name)) else {
                continue;
            };
            if updated.iter().any(|other| other == name) {
                continue;
            }
            seen.push(name);
            let message = match entry.index.is_primary() {
                true => format!(
                    "`{}` sets `{changed}`, which stands in the primary key of {} (`{}`): an update cannot change a key; delete the item and put it anew in one transaction",
                    facts.pattern.name,
                    entity.name(),
                    compiled.text,
                ),
                false => format!(
                    "`{}` sets `{changed}` but not `{name}`, so {} keeps {} under its old key (`{}`): set `{name}` in the same update",
                    facts.pattern.name,
                    context.design.index_name(entry.index),
                    entity.name(),
                    compiled.text,
                ),
            };
            found.say(Said::at(Place::Pattern(facts.id), message));
        }
    }
    conditions(context, facts, entity, updated, found);
}

/// Conditions that the update may make true or false while it leaves the index's keys alone.
fn conditions(
    context: &Context,
    facts: &PatternFacts,
    entity: &EntityFacts,
    updated: &[String],
    found: &mut Found,
) {
    for (index, entry) in &entity.entity.keys {
        let condition =
            (entry.when.iter()).find(|condition| updated.contains(&condition.attribute));
        let (Some(condition), Some(key)) = (condition, context.design.key(*index)) else {
            continue;
        };
        let kept = key.attributes().all(|key| !updated.contains(&key.name));
        let said = entity.entry(*index).is_some_and(|entry| {
            entry
                .own()
                .any(|(_, compiled)| compiled.template.uses(&condition.attribute))
        });
        if !kept || said {
            continue;
        }
        let names: Vec<&str> = key.attributes().map(|key| key.name.as_str()).collect();
        let message = format!(
            "`{}` sets `{}`, which decides whether {} is in {}, but leaves {} as they are: set or remove them in the same update",
            facts.pattern.name,
            condition.attribute,
            entity.name(),
            context.design.index_name(*index),
            super::list(&names),
        );
        found.say(Said::at(Place::Pattern(facts.id), message));
    }
}
