//! Times in sort keys that are not in the order of time.

use super::{key_name, templates};
use crate::domain::engine::Items;
use crate::domain::engine::generate::names::is_time;
use crate::domain::lint::facts::{EntityFacts, is_text};
use crate::domain::lint::{Check, Context, Found, Place, Rule, Said, Severity};
use crate::domain::model::{AttributeType, Format, KeyPart, Sample, Value};
use crate::domain::template::check_iso;
use std::sync::Arc;

/// The times of samples are not all ISO 8601 in UTC with the same precision.
pub const RULE: Rule = Rule {
    code: "K011",
    name: "time-order",
    severity: Severity::Warning,
    check: Check::Samples(check),
};

/// So many samples are looked at.
pub const MOST_SAMPLES: usize = 1000;

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
                None => is_time(name),
                Some(_) => false,
            };
            let plain = placeholder.modifiers.is_empty() && attribute.kind == AttributeType::S;
            if !timely || !plain || seen.contains(&name) {
                continue;
            }
            let Some((sample, what, pair)) = disorder(samples, name) else {
                continue;
            };
            seen.push(name);
            let message = format!(
                "{}: `{name}` in the {} {what}: store ISO 8601 in UTC, always with the same digits, such as 2026-03-01T09:30:00Z",
                facts.name(),
                key_name(context.design, entry, KeyPart::Sort),
            );
            let place = Place::Sample(facts.id, sample);
            found.say(Said::at(place, message).attribute(name).examples(pair));
        }
    }
}

/// The first sample whose time does not sort rightly, why, and a pair that shows it.
fn disorder(
    samples: &[Arc<Sample>],
    name: &str,
) -> Option<(crate::domain::model::SampleId, String, Vec<String>)> {
    let mut first: Option<&str> = None;
    for sample in samples.iter().take(MOST_SAMPLES) {
        let Some(Value::S(text)) = sample.values.get(name) else {
            continue;
        };
        if check_iso(text).is_err() {
            let what = format!("is `{text}`, which does not sort by time");
            return Some((sample.id, what, vec![text.clone()]));
        }
        if text.len() > 10 && !text.ends_with('Z') {
            let what = format!("is `{text}`, not in UTC, and so sorts by local time");
            return Some((sample.id, what, vec![text.clone()]));
        }
        match first {
            None => first = Some(text),
            Some(first) if first.len() != text.len() => {
                let what = format!("has times of different precision, `{first}` and `{text}`");
                return Some((sample.id, what, vec![first.to_owned(), text.clone()]));
            }
            Some(_) => {}
        }
    }
    None
}
