//! Updates that do not update an index key.

use crate::lint::entity_facts::EntityFacts;
use crate::lint::expression;
use crate::lint::{Check, Context, Found, NewFinding, PatternFacts, Place, Rule, Severity};
use crate::model::{WriteAction, short};

/// An update changes an attribute of a key template, but not the key.
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
        for (action, condition) in with_key.zip(&facts.conditions) {
            let WriteAction::UpdateItem { key, update, .. } = action else {
                continue;
            };
            let updated = expression::changed(update, key);
            for id in &condition.finds {
                // Only the entities that the pattern is for, if it names any.
                let is_intended = facts.intended.is_empty() || facts.intended.contains(id);
                if let Some(entity) = context.entities.get(id).filter(|_| is_intended) {
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
            // `key-only-in-expression` reports attributes that items do not store.
            let is_stored = |name: &&String| !entity.entity.is_key_only(name);
            let mut updated_names = updated.iter().filter(is_stored);
            let changed = updated_names.find(|name| compiled.template.uses(name));
            let Some(changed) = changed.filter(|_| !seen.contains(&name)) else {
                continue;
            };
            if updated.iter().any(|other| other == name) {
                continue;
            }
            seen.push(name);
            let message = match entry.index.is_primary() {
                true => format!(
                    "`{}` sets `{changed}`, which is part of the primary key of {} (`{}`), and an update cannot change a key. Delete the item and put a new one in one transaction.",
                    facts.pattern.name,
                    entity.name(),
                    short(&compiled.text),
                ),
                false => format!(
                    "`{}` sets `{changed}` but not `{name}`, so {} keeps {} under its old key (`{}`). Set `{name}` in the same update.",
                    facts.pattern.name,
                    context.design.index_name(entry.index),
                    entity.name(),
                    short(&compiled.text),
                ),
            };
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
    conditions(context, facts, entity, updated, found);
}

/// Reports conditions of sparse indexes that the update may change without updating the index's keys.
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
        let finding = entity.entry(*index).is_some_and(|entry| {
            entry
                .own()
                .any(|(_, compiled)| compiled.template.uses(&condition.attribute))
        });
        if !kept || finding {
            continue;
        }
        let names: Vec<&str> = key.attributes().map(|key| key.name.as_str()).collect();
        let message = format!(
            "`{}` sets `{}`, which decides whether {} is in {}, but leaves {} unchanged. Set or remove the keys in the same update.",
            facts.pattern.name,
            condition.attribute,
            entity.name(),
            context.design.index_name(*index),
            super::attributes(&names),
        );
        found.add(NewFinding::at(Place::Pattern(facts.id), message));
    }
}
