//! Key-only attributes: values that keys do not hold, and expressions that name what items do not store.

use super::projection::returned;
use super::{attributes, key_name, templates};
use crate::lint::entity_facts::{Compiled, EntityFacts, KeyFacts, is_text};
use crate::lint::expression::{condition_names, texts, updated};
use crate::lint::{Check, Context, Fix, Found, NewFinding, PatternFacts, Place, Rule, Severity};
use crate::model::{Attribute, IndexId, short};
use crate::template::{Modifier, Placeholder};

/// The table's primary key does not hold the value of a key-only attribute.
pub const LOST: Rule = Rule {
    code: "K018",
    name: "key-only-value-lost",
    severity: Severity::Warning,
    check: Check::Entity(lost),
};

fn lost(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for attribute in facts.entity.attributes.iter().filter(|a| a.key_only) {
        let Some(reason) = reason(context, facts, attribute) else {
            continue;
        };
        let message = format!(
            "{}: `{}` is key-only, but {reason}. Store it, or put `{{{}}}` into the primary key.",
            facts.name(),
            attribute.name,
            attribute.name,
        );
        let place = Place::Attribute(facts.id, attribute.id);
        found.add(NewFinding::at(place, message).fix(Fix::Store(facts.id, attribute.id)));
    }
}

/// Returns why the value cannot be parsed back from the table's primary key.
fn reason(context: &Context, facts: &EntityFacts, attribute: &Attribute) -> Option<String> {
    let mut reason = None;
    for (entry, key, compiled) in templates(facts) {
        let named = |placeholder: &&Placeholder| placeholder.attribute == attribute.name;
        for placeholder in compiled.template.placeholders().filter(named) {
            let name = || key_name(context.design, entry, key.part);
            let problem = match unreadable(key, compiled, placeholder) {
                None if entry.index == IndexId::PRIMARY => return None,
                None => format!(
                    "only the {} has it: a read that does not return `{}` loses its value",
                    name(),
                    key.attribute.name,
                ),
                Some(problem) => format!("the {} {problem}, so its value is lost", name()),
            };
            reason.get_or_insert(problem);
        }
    }
    Some(reason.unwrap_or_else(|| "no key template uses it, so its value is lost".to_owned()))
}

/// Returns why the value of a placeholder cannot be parsed back from its key.
fn unreadable(key: &KeyFacts, compiled: &Compiled, placeholder: &Placeholder) -> Option<String> {
    let is_kept = match is_text(key) {
        true => placeholder.modifiers.iter().all(Modifier::is_reversible),
        false => placeholder.modifiers.is_empty(),
    };
    if !is_kept {
        return Some(format!("has only `{placeholder}` of it"));
    }
    if compiled.is_broken() {
        return Some("has a template with an error".to_owned());
    }
    let is_ambiguous = is_text(key) && matches!(compiled.language().ambiguity(), Ok(Some(_)));
    is_ambiguous.then(|| format!("rendered by `{}` is ambiguous", short(&compiled.text)))
}

/// An expression names an attribute that is key-only in the entities that it is for.
pub const EXPRESSION: Rule = Rule {
    code: "A011",
    name: "key-only-in-expression",
    severity: Severity::Error,
    check: Check::Design(expression),
};

fn expression(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let (conditions, updates) = texts(&facts.pattern.operation);
        let conditions = conditions.into_iter().flat_map(condition_names);
        let tested: Vec<String> = conditions.map(|name| name.text).collect();
        let returned: Vec<String> = returned(&facts.pattern.operation).collect();
        let set: Vec<String> = updates.into_iter().flat_map(updated).collect();
        for (names, what) in [
            (
                set,
                "The update does not change the keys. Change the keys, or store the attribute",
            ),
            (
                tested,
                "The condition sees no value. Test the keys, or store the attribute",
            ),
            (
                returned,
                "The projection returns no value. Return the keys, or store the attribute",
            ),
        ] {
            let mut key_only: Vec<&str> = Vec::new();
            for name in &names {
                if is_key_only(context, facts, name) && !key_only.contains(&name.as_str()) {
                    key_only.push(name);
                }
            }
            if key_only.is_empty() {
                continue;
            }
            let (verb, them) = match key_only.len() {
                1 => ("is", "it"),
                _ => ("are", "them"),
            };
            let message = format!(
                "`{}`: {} {verb} key-only, so items do not store {them}. {what}.",
                facts.pattern.name,
                attributes(&key_only),
            );
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}

/// Whether an attribute is key-only in an entity that a pattern is for, or finds if it is for none, and no such entity
/// stores it.
pub(super) fn is_key_only(context: &Context, facts: &PatternFacts, name: &str) -> bool {
    let entities = context.entities.values();
    let owners = entities.filter(|entity| match facts.intended.is_empty() {
        true => facts.conditions.is_empty() || facts.finds(entity.id),
        false => facts.intended.contains(&entity.id),
    });
    let own = |entity: &EntityFacts| entity.entity.attribute(name).map(|own| own.key_only);
    let mut found = owners.filter_map(|entity| own(entity)).peekable();
    context.design.key_attribute(name).is_none()
        && found.peek().is_some()
        && found.all(|key_only| key_only)
}
