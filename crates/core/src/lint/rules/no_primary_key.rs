//! Entities whose items have no primary key.

use crate::engine::Items;
use crate::lint::entity_facts::EntityFacts;
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexId, KeyPart};

/// An entity has no template for part of the primary key, and no sample has the value.
pub const RULE: Rule = Rule {
    code: "K004",
    name: "no-primary-key",
    severity: Severity::Error,
    check: Check::Samples(check),
};

fn check(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let Some(primary) = facts.primary() else {
        return;
    };
    for key in &primary.keys {
        let empty = |text: &str| text.is_empty();
        let missing = key.value.as_ref().is_none_or(|value| empty(&value.text));
        let name = &key.attribute.name;
        let mut samples = context.design.samples_of(facts.id).iter();
        let is_key_only = (facts.entity.attribute(name)).is_some_and(|own| own.key_only);
        let is_sampled = !is_key_only
            && samples.any(|sample| {
                let value = sample.values.get(name);
                value.is_some_and(|value| value.kind() == key.attribute.kind.into())
            });
        // `sample-not-stored` reports the samples without it.
        if !missing || is_sampled {
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
