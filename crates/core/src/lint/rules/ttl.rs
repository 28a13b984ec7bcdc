//! The attribute by which items expire.

use super::time_format::MOST_SAMPLES;
use crate::engine::Items;
use crate::lint::facts::{EntityFacts, format_of};
use crate::lint::{Check, Context, Fix, Found, Place, Rule, Said, Severity};
use crate::model::{AttributeType, Format, Value};

/// The TTL attribute is no number, or no entity has it.
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
        if attribute.kind == AttributeType::N {
            continue;
        }
        let message = format!(
            "{}: `{name}` is the TTL attribute but of type {}, so no item ever expires: make it a number, seconds since 1970",
            facts.name(),
            attribute.kind,
        );
        let said = Said::at(Place::Attribute(facts.id, attribute.id), message);
        found.say(said.fix(Fix::Retype(facts.id, attribute.id, AttributeType::N)));
    }
    if !any && !context.entities.is_empty() {
        let message = format!(
            "TTL is by `{name}`, which no entity has: add it to those that expire, or turn TTL off"
        );
        found.say(Said::at(Place::Table, message).severity(Severity::Warning));
    }
}

/// TTL values that are no seconds since 1970.
pub const UNIT: Rule = Rule {
    code: "S007",
    name: "ttl-unit",
    severity: Severity::Warning,
    check: Check::Samples(unit),
};

/// Seconds since 1970 of the year 5138: what is greater is in milliseconds.
const MOST: f64 = 1e11;

fn unit(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let Some(name) = &context.design.table.ttl_attribute else {
        return;
    };
    let Some(attribute) = facts.entity.attribute(name) else {
        return;
    };
    let samples = context
        .design
        .samples_of(facts.id)
        .iter()
        .take(MOST_SAMPLES);
    let sample = { samples }.find_map(|sample| match sample.values.get(name) {
        Some(Value::N(number)) if number.to_f64().is_some_and(|value| value > MOST) => {
            Some((sample.id, number.to_string()))
        }
        _ => None,
    });
    let format = match format_of(context.design, attribute) {
        Some(Format::Integer { min, .. }) if *min as f64 > MOST => Some(min.to_string()),
        _ => None,
    };
    let (place, text) = match (sample, format) {
        (Some((id, text)), _) => (Place::Sample(facts.id, id), text),
        (None, Some(text)) => (Place::Attribute(facts.id, attribute.id), text),
        (None, None) => return,
    };
    let message = format!(
        "{}: the TTL attribute `{name}` is {text}, which as seconds since 1970 is thousands of years ahead, so the item never expires: divide milliseconds by 1000",
        facts.name(),
    );
    found.say(Said::at(place, message).attribute(name));
}
