//! Times in sort keys that do not sort by time.

use super::{key_name, templates};
use crate::engine::Items;
use crate::engine::generate::name_meanings::is_time;
use crate::lint::entity_facts::{EntityFacts, is_text};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{AttributeType, Format, KeyPart, Value};
use crate::template::check_iso;

/// The times of samples are not all ISO 8601 in UTC with the same precision.
pub const RULE: Rule = Rule {
    code: "K011",
    name: "time-order",
    severity: Severity::Warning,
    check: Check::Samples(check),
};

/// The maximum number of samples that a rule checks.
pub const MAX_SAMPLES: usize = 1000;

fn check(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let samples = context.design.samples_of(facts.id);
    let mut seen: Vec<&str> = Vec::new();
    for (entry, key, compiled) in templates(facts) {
        if key.part != KeyPart::Sort || !is_text(key) {
            continue;
        }
        for placeholder in compiled.template.placeholders() {
            let name = placeholder.attribute.as_str();
            let Some(attribute) = facts.entity.attribute(name) else {
                continue;
            };
            let timely = match &attribute.format {
                Some(Format::Date { .. } | Format::Timestamp { .. }) => true,
                None | Some(Format::OneOf(_) | Format::Constant(_)) => is_time(name),
                Some(_) => false,
            };
            let plain = placeholder.modifiers.is_empty() && attribute.kind == AttributeType::S;
            if !timely || !plain || seen.contains(&name) {
                continue;
            }
            let own = samples.iter().take(MAX_SAMPLES);
            let own = own.filter_map(|sample| Some((sample.id, text(sample.values.get(name)?)?)));
            // A format's values need no sample.
            let place = Place::Attribute(facts.id, attribute.id);
            let allowed = values(attribute.format.as_ref()).filter_map(text);
            let allowed = disorder(&mut allowed.map(|text| (place, text)));
            let shown = || disorder(&mut own.map(|(id, text)| (Place::Sample(facts.id, id), text)));
            let Some((place, what, pair)) = allowed.or_else(shown) else {
                continue;
            };
            seen.push(name);
            let message = format!(
                "{}: `{name}` in the {} {what}. Store ISO 8601 in UTC, always with the same precision, such as 2026-03-01T09:30:00Z.",
                facts.name(),
                key_name(context.design, entry, KeyPart::Sort),
            );
            let finding = NewFinding::at(place, message).examples(pair);
            found.add(match place {
                Place::Sample(..) => finding.attribute(name),
                _ => finding,
            });
        }
    }
}

fn text(value: &Value) -> Option<&str> {
    match value {
        Value::S(text) => Some(text),
        _ => None,
    }
}

/// Returns the values that a format lists.
fn values(format: Option<&Format>) -> impl Iterator<Item = &Value> {
    let (choices, one) = match format {
        Some(Format::OneOf(choices)) => (&choices[..], None),
        Some(Format::Constant(value)) => (&[][..], Some(value)),
        _ => (&[][..], None),
    };
    choices.iter().map(|choice| &choice.value).chain(one)
}

/// Returns the place of the first time that sorts wrongly, the reason, and times that demonstrate it.
fn disorder<'a>(
    times: &mut dyn Iterator<Item = (Place, &'a str)>,
) -> Option<(Place, String, Vec<String>)> {
    let mut first: Option<&'a str> = None;
    for (place, text) in times {
        if check_iso(text).is_err() {
            let what = format!("is `{text}`, which does not sort by time");
            return Some((place, what, vec![text.to_owned()]));
        }
        if text.len() > 10 && !text.ends_with('Z') {
            let what = format!("is `{text}`, which is not UTC and sorts by local time");
            return Some((place, what, vec![text.to_owned()]));
        }
        match first {
            None => first = Some(text),
            Some(first) if first.len() != text.len() => {
                let what = format!("has times of different precision, `{first}` and `{text}`");
                return Some((place, what, vec![first.to_owned(), text.to_owned()]));
            }
            Some(_) => {}
        }
    }
    None
}
