//! Primary keys that no template explains.

use super::attributes;
use crate::lint::entity_facts::{EntityFacts, EntryFacts, KeyFacts, is_text};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexId, name};

/// The items themselves supply a key attribute whose name says nothing about its values, such as `PK`.
pub const RULE: Rule = Rule {
    code: "K019",
    name: "unexplained-key",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

fn check(_: &Context, facts: &EntityFacts, found: &mut Found) {
    let Some(primary) = facts.primary() else {
        return;
    };
    let keys = primary.keys.iter().filter(|key| is_unexplained(facts, key));
    let names: Vec<&str> = keys.map(|key| key.attribute.name.as_str()).collect();
    if names.is_empty() {
        return;
    }
    let message = format!(
        "{}: no template explains {}, so each item keeps its own value. Add a template, or move the samples to the entity that they belong to.",
        facts.name(),
        attributes(&names),
    );
    let place = Place::Entry(facts.id, IndexId::PRIMARY);
    found.add(NewFinding::at(place, message));
}

/// Whether nothing is known of an entity's primary key.
pub(super) fn is_unknown(facts: &EntityFacts, primary: &EntryFacts) -> bool {
    let mut keys = primary.keys.iter();
    keys.all(|key| is_unexplained(facts, key) || !is_text(key) && !key.own)
}

/// Whether the items supply a text in a key attribute with a general name. A number has no parts. `no-primary-key` reports
/// key attributes without a value.
fn is_unexplained(facts: &EntityFacts, key: &KeyFacts) -> bool {
    let name = &key.attribute.name;
    key.value.is_some()
        && is_text(key)
        && !key.own
        && name::is_generic_key(name)
        && facts.entity.stored_attribute(name).is_some()
}
