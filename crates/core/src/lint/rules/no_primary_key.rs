//! Entities whose items have no primary key.

use crate::lint::entity_facts::EntityFacts;
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexId, KeyPart};

/// An entity has no template for part of the primary key.
pub const RULE: Rule = Rule {
    code: "K004",
    name: "no-primary-key",
    severity: Severity::Error,
    check: Check::Entity(check),
};

fn check(_: &Context, facts: &EntityFacts, found: &mut Found) {
    let Some(primary) = facts.primary() else {
        return;
    };
    for key in &primary.keys {
        let empty = |text: &str| text.is_empty();
        let missing = key.value.as_ref().is_none_or(|value| empty(&value.text));
        if !missing {
            continue;
        }
        let part = match key.part {
            KeyPart::Partition => "partition",
            KeyPart::Sort => "sort",
        };
        let message = format!(
            "{}: no {part} key template, so no item can be stored. Add a template for `{}`.",
            facts.name(),
            key.attribute.name
        );
        let place = Place::Template(facts.id, IndexId::PRIMARY, key.part);
        found.add(NewFinding::at(place, message));
    }
}
