//! Times in sort keys that do not sort by time.

use super::{key_name, templates};
use crate::engine::Items;
use crate::lint::entity_facts::{EntityFacts, is_text};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{AttributeType, Format, KeyPart, Value};

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
            let timely = matches!(
                &attribute.format,
                None | Some(
                    Format::Date { .. }
                        | Format::Timestamp { .. }
                        | Format::OneOf(_)
                        | Format::Constant(_)
                )
            );
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

/// Returns the place of the first time that sorts wrongly, the reason, and times that demonstrate it. `None` also if some
/// text is no time: whether texts are times, they say, and not the name of their attribute.
fn disorder<'a>(
    times: &mut dyn Iterator<Item = (Place, &'a str)>,
) -> Option<(Place, String, Vec<String>)> {
    let mut first: Option<&'a str> = None;
    let mut found: Option<(Place, String, Vec<String>)> = None;
    for (place, text) in times {
        let what = match form(text)? {
            Form::Other => format!("is `{text}`, which does not sort by time"),
            Form::Offset => format!("is `{text}`, which is not UTC and sorts by local time"),
            Form::Sorted => match first {
                Some(first) if !has_shape_of(first, text) => {
                    let what = format!("has times of different precision, `{first}` and `{text}`");
                    let pair = vec![first.to_owned(), text.to_owned()];
                    found = found.or(Some((place, what, pair)));
                    continue;
                }
                _ => {
                    first = Some(text);
                    continue;
                }
            },
        };
        found = found.or(Some((place, what, vec![text.to_owned()])));
    }
    found
}

/// How a time is written.
enum Form {
    /// From the year to the smallest unit, in digits: sorts by time beside others of the same shape.
    Sorted,
    /// The same, with an offset from UTC.
    Offset,
    /// Any other form with a year, a month and a day.
    Other,
}

/// The form of a time; `None` if the text is none.
fn form(text: &str) -> Option<Form> {
    let (date, time) = match text.find(['T', 't', ' ']) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let parts: Vec<&str> = date.split(['-', '/', '.']).collect();
    let is_year = |text: &str| text.len() == 4 && is_number(text);
    let is_two = |text: &str| text.len() == 2 && is_number(text);
    let is_sorted = match parts.as_slice() {
        [year, month] => is_year(year) && is_two(month),
        [year, month, day] => is_year(year) && is_two(month) && is_two(day),
        // `20190925`, with a time behind it; alone it can be any number.
        [compact] => compact.len() == 8 && is_number(compact) && time.is_some(),
        _ => false,
    };
    if !is_sorted {
        let is_short = |text: &&str| (1..=2).contains(&text.len()) && is_number(text);
        let is_date = match parts.as_slice() {
            [first, second, year] => is_short(first) && is_short(second) && is_year(year),
            _ => false,
        };
        return is_date.then_some(Form::Other);
    }
    let Some(time) = time else {
        return Some(Form::Sorted);
    };
    let end = time.find(['Z', 'z', '+', '-']).unwrap_or(time.len());
    let (clock, zone) = time.split_at(end);
    let is_clock = clock.starts_with(|c: char| c.is_ascii_digit())
        && clock
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b':' | b'.' | b','));
    match zone {
        _ if !is_clock => None,
        "" | "Z" | "z" => Some(Form::Sorted),
        _ if zone[1..].bytes().all(|b| b.is_ascii_digit() || b == b':') => Some(Form::Offset),
        _ => None,
    }
}

/// Whether two texts have digits at the same places, and else the same characters.
fn has_shape_of(one: &str, other: &str) -> bool {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    one.chars().map(shape).eq(other.chars().map(shape))
}
