//! Prefixes that end inside a value.

use crate::engine::overlap;
use crate::lint::entity_facts::{Compiled, EntryFacts};
use crate::lint::{
    Check, ConditionFacts, Context, Fix, Found, NewFinding, PatternFacts, Place, Rule, Severity,
};
use crate::model::{EntityId, KeyPart, KeyType, SortOperator};
use crate::template::Segment;

/// A `begins_with` ends inside a value, so it also finds longer values.
pub const RULE: Rule = Rule {
    code: "A003",
    name: "open-prefix",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    let delimiter = context.design.delimiter.delimiter.as_str();
    if delimiter.is_empty() {
        return;
    }
    for facts in context.patterns.values() {
        let Some(condition) = facts.conditions.first() else {
            continue;
        };
        let last = condition.key.sort.len().wrapping_sub(1);
        let Some((SortOperator::BeginsWith, prefix, _)) = condition.key.sort.last() else {
            continue;
        };
        if prefix.text.ends_with(delimiter) {
            continue;
        }
        let key = context.design.key(condition.key.index);
        let key = key.and_then(|key| key.sort.get(last));
        if key.is_none_or(|key| key.kind != KeyType::S) {
            continue;
        }
        let (what, examples) = match prefix.template.segments.last() {
            Some(Segment::Placeholder(placeholder)) => {
                let known = |entry: &EntryFacts| {
                    let sort = entry.side(KeyPart::Sort).nth(last);
                    let sort = sort.and_then(|key| key.value.as_ref());
                    sort.is_some_and(|sort| sort.template.uses(&placeholder.attribute))
                };
                // The value of a parameter that no key has may be the beginning of a value.
                if !entries(context, facts, condition)
                    .iter()
                    .any(|(_, entry)| known(entry))
                {
                    continue;
                }
                let Ok(Some((short, long))) = prefix.language().open_prefix() else {
                    continue;
                };
                let what = format!("also finds every longer `{}`", placeholder.attribute);
                (what, vec![short, long])
            }
            Some(Segment::Literal { .. }) => {
                // With `USER` for `USER#{id}`, a later `USERGROUP#` would also match.
                let cut =
                    |sort: &Compiled| sort.head.starts_with(&(prefix.text.clone() + delimiter));
                let all = entries(context, facts, condition);
                let sorts = all
                    .iter()
                    .filter_map(|(_, entry)| entry.side(KeyPart::Sort).nth(last)?.value.as_ref());
                let sorts: Vec<_> = sorts.collect();
                if sorts.is_empty() || !sorts.iter().all(|sort| cut(sort)) {
                    continue;
                }
                let what = "also finds other keys with that prefix".to_owned();
                let text = &prefix.text;
                (
                    what,
                    vec![
                        format!("{text}{delimiter}1"),
                        format!("{text}S{delimiter}1"),
                    ],
                )
            }
            _ => continue,
        };
        let Some(written) = context.design.delimiter.literal("") else {
            continue;
        };
        let closed = format!("{}{written}", prefix.text);
        let loses = lost(context, facts, condition, prefix, &closed);
        let advice = match loses.is_empty() {
            true => format!("End it with the delimiter, `{closed}`."),
            false => format!(
                "Query `{closed}`, and read {}, whose key ends there, separately.",
                super::list(&loses)
            ),
        };
        let message = format!(
            "`{}`: begins_with `{}` {what}. {advice}",
            facts.pattern.name, prefix.text
        );
        let mut finding = NewFinding::at(Place::Pattern(facts.id), message).examples(examples);
        if loses.is_empty() {
            finding = finding.fix(Fix::SortCondition {
                pattern: facts.id,
                at: last,
                text: closed,
            });
        }
        found.add(finding);
    }
}

/// Returns the entries of the entities that a pattern is for and finds.
fn entries<'a>(
    context: &'a Context,
    facts: &'a PatternFacts,
    condition: &'a ConditionFacts,
) -> Vec<(EntityId, &'a EntryFacts)> {
    let is_intended = |id: &&EntityId| facts.intended.is_empty() || facts.intended.contains(id);
    (condition.finds.iter().filter(is_intended))
        .filter_map(|id| Some((*id, context.entities.get(id)?.entry(condition.key.index)?)))
        .collect()
}

/// Returns the entities that the prefix with a delimiter would no longer find.
fn lost<'a>(
    context: &'a Context,
    facts: &PatternFacts,
    condition: &ConditionFacts,
    prefix: &Compiled,
    closed: &str,
) -> Vec<&'a str> {
    let last = condition.key.sort.len() - 1;
    let policy = &context.design.delimiter;
    let shape = |name: &str| prefix.shapes.get(name).cloned();
    let closed = Compiled::new(closed, policy, &shape);
    let mut lost = Vec::new();
    for (id, entry) in entries(context, facts, condition) {
        let sort = entry
            .side(KeyPart::Sort)
            .nth(last)
            .and_then(|key| key.value.as_ref());
        if !sort.is_some_and(|sort| overlap::begins(&closed, sort) == Ok(true)) {
            lost.push(super::name(context.design, id));
        }
    }
    lost
}
