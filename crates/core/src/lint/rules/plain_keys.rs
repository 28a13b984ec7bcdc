//! Primary keys that no template explains.

use super::attributes;
use crate::lint::facts::EntityFacts;
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
    // `no-primary-key` reports key attributes without a value.
    let keys = primary.keys.iter().filter(|key| key.value.is_some());
    let plain = keys.filter(|key| {
        !key.own
            && name::is_generic_key(&key.attribute.name)
            && facts.entity.stored_attribute(&key.attribute.name).is_some()
    });
    let names: Vec<&str> = plain.map(|key| key.attribute.name.as_str()).collect();
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
