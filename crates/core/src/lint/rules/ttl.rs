//! The TTL attribute.

use super::time_order::MAX_SAMPLES;
use crate::engine::Items;
use crate::lint::entity_facts::{EntityFacts, format_of};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{AttributeType, Format, Value};

/// The TTL attribute is not a number, or no entity has it.
pub const TYPE: Rule = Rule {
    code: "L009",
    name: "ttl-attribute",
    severity: Severity::Error,
    check: Check::Design(kind),
};

fn kind(context: &Context, found: &mut Found) {
    let Some(name) = &context.design.table.ttl_attribute else {
        return;
    };
    let mut any = false;
    for facts in context.entities.values() {
        let Some(attribute) = facts.entity.attribute(name) else {
            continue;
        };
        any = true;
        if attribute.key_only {
            let message = format!(
                "{}: the TTL attribute `{name}` is key-only, so items do not store it and none expires. Store it.",
                facts.name(),
            );
            let finding = NewFinding::at(Place::Attribute(facts.id, attribute.id), message);
            found.add(finding.fix(Fix::Store(facts.id, attribute.id)));
            continue;
        }
        if attribute.kind == AttributeType::N {
            continue;
        }
        let message = format!(
            "{}: the TTL attribute `{name}` is of type {}, so no item expires. Make it a number: seconds since 1970.",
            facts.name(),
            attribute.kind,
        );
        let finding = NewFinding::at(Place::Attribute(facts.id, attribute.id), message);
        found.add(finding.fix(Fix::Retype(facts.id, attribute.id, AttributeType::N)));
    }
    if !any && !context.entities.is_empty() {
        let message = format!(
            "The TTL attribute is `{name}`, which no entity has. Add it to the entities that expire, or turn TTL off."
        );
        found.add(NewFinding::at(Place::Table, message).severity(Severity::Warning));
    }
}

/// A TTL value is not a time to expire at, in seconds since 1970.
pub const UNIT: Rule = Rule {
    code: "S007",
    name: "ttl-unit",
    severity: Severity::Warning,
    check: Check::Samples(unit),
};

/// Seconds from 1970 to the year 5138; greater values are taken for milliseconds.
const MAX_SECONDS: f64 = 1e11;

/// Seconds from 1970 to the year 2001, before DynamoDB was. A zero means that an item never expires.
const MIN_SECONDS: f64 = 1e9;

/// What DynamoDB makes of a TTL value that is no time to expire at. It deletes no item whose time is more than five years
/// past. Source: "Using time to live (TTL) in DynamoDB", Developer Guide.
fn effect_of(seconds: f64) -> Option<&'static str> {
    match seconds {
        seconds if seconds > MAX_SECONDS => Some(
            "thousands of years ahead, so the item never expires. Divide milliseconds by 1000.",
        ),
        seconds if seconds != 0.0 && seconds < MIN_SECONDS => Some(
            "more than five years past, so DynamoDB does not delete the item. Add a duration to the current time.",
        ),
        _ => None,
    }
}

fn unit(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let Some(name) = &context.design.table.ttl_attribute else {
        return;
    };
    let Some(attribute) = facts.entity.stored_attribute(name) else {
        return;
    };
    let samples = context.design.samples_of(facts.id).iter().take(MAX_SAMPLES);
    let sample = { samples }.find_map(|sample| match sample.values.get(name) {
        Some(Value::N(number)) => {
            let effect = effect_of(number.to_f64()?)?;
            Some((
                Place::Sample(facts.id, sample.id),
                number.to_string(),
                effect,
            ))
        }
        _ => None,
    });
    let of_format = || match format_of(context.design, attribute) {
        Some(Format::Integer { min, .. }) if *min as f64 > MAX_SECONDS => {
            let place = Place::Attribute(facts.id, attribute.id);
            Some((place, min.to_string(), effect_of(*min as f64)?))
        }
        _ => None,
    };
    let Some((place, text, effect)) = sample.or_else(of_format) else {
        return;
    };
    let message = format!(
        "{}: the TTL attribute `{name}` is {text}; in seconds since 1970 that is {effect}",
        facts.name(),
    );
    found.add(NewFinding::at(place, message).attribute(name));
}
