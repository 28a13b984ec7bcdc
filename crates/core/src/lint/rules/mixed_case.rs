//! Keys with text in mixed case.

use super::time_order::MAX_SAMPLES;
use super::{key_name, templates};
use crate::engine::Items;
use crate::engine::generate::name_meanings::{IDS, among, is_time, words};
use crate::lint::entity_facts::{EntityFacts, EntryFacts, KeyFacts, format_of, is_text};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{Attribute, AttributeType, Format, KeyPart, Value};
use crate::template::{Modifier, Placeholder};

/// Names sort all capitals before all small letters; lookups of email addresses depend on their case.
pub const RULE: Rule = Rule {
    code: "K012",
    name: "mixed-case",
    severity: Severity::Info,
    check: Check::Samples(check),
};

fn check(context: &Context, facts: &EntityFacts, _: &Items, found: &mut Found) {
    let mut seen: Vec<&str> = Vec::new();
    for (entry, key, compiled) in templates(facts) {
        if !is_text(key) {
            continue;
        }
        for placeholder in compiled.template.placeholders() {
            let cased = |m: &Modifier| !matches!(m, Modifier::First(_));
            let Some(attribute) = facts.entity.attribute(&placeholder.attribute) else {
                continue;
            };
            if attribute.kind != AttributeType::S
                || placeholder.modifiers.iter().any(cased)
                || seen.contains(&attribute.name.as_str())
            {
                continue;
            }
            let Some((what, pair)) = problem(context, facts, key, attribute) else {
                continue;
            };
            seen.push(&attribute.name);
            let message = format!(
                "{}: `{}` in the {} {what}. Write `{{{1}:lower}}`.",
                facts.name(),
                attribute.name,
                key_name(context.design, entry, key.part),
            );
            let finding = NewFinding::at(super::place(facts, entry, key.part), message);
            let finding = finding.span(placeholder.span.clone()).examples(pair);
            found.add(finding.fix(lowered(facts, entry, key, &compiled.text, placeholder)));
        }
    }
}

fn lowered(
    facts: &EntityFacts,
    entry: &EntryFacts,
    key: &KeyFacts,
    text: &str,
    placeholder: &Placeholder,
) -> Fix {
    let mut lower = placeholder.clone();
    lower.modifiers.insert(0, Modifier::Lower);
    let mut text = text.to_owned();
    text.replace_range(placeholder.span.clone(), &lower.to_string());
    Fix::SetTemplate {
        entity: facts.id,
        index: entry.index,
        part: key.part,
        text,
    }
}

/// Returns what is wrong with the case of an attribute's values, and values that demonstrate it.
fn problem(
    context: &Context,
    facts: &EntityFacts,
    key: &KeyFacts,
    attribute: &Attribute,
) -> Option<(String, Vec<String>)> {
    let words = words(&attribute.name);
    let last = words.last().map_or("", String::as_str);
    let format = format_of(context.design, attribute);
    let values = || {
        let samples = context.design.samples_of(facts.id).iter().take(MAX_SAMPLES);
        samples.filter_map(|sample| match sample.values.get(&attribute.name) {
            Some(Value::S(text)) => Some(text.as_str()),
            _ => None,
        })
    };
    if matches!(format, Some(Format::Email)) || among("email mail", last) {
        let mixed = values().find(|text| text.chars().any(char::is_uppercase))?;
        let what = format!(
            "has uppercase letters in `{mixed}`, so a lookup of `{}` does not find it",
            mixed.to_lowercase()
        );
        return Some((what, vec![mixed.to_owned()]));
    }
    let sorts = key.part == KeyPart::Sort && !among(IDS, last) && !is_time(&attribute.name);
    let free = !matches!(
        format,
        Some(Format::Ulid | Format::Ksuid | Format::Uuid | Format::Sequence { .. })
    );
    if !sorts || !free {
        return None;
    }
    let listed: Vec<&str> = match format {
        Some(Format::OneOf(choices)) => (choices.iter())
            .filter_map(|choice| match &choice.value {
                Value::S(text) => Some(text.as_str()),
                _ => None,
            })
            .collect(),
        _ => values().collect(),
    };
    let pair = disordered(&listed)?;
    let what = format!("sorts `{}` before `{}`", pair[0], pair[1]);
    Some((what, pair))
}

/// Returns two texts that sort differently by bytes than for a reader, the first by bytes first.
fn disordered(texts: &[&str]) -> Option<Vec<String>> {
    // Compare the greatest text with a capital with the least text without one: if any pair differs, these two do.
    let upper = |text: &&str| text.chars().next().is_some_and(char::is_uppercase);
    let lower = |text: &&str| text.chars().next().is_some_and(char::is_lowercase);
    let key = |text: &&str| text.to_lowercase();
    let last = texts.iter().copied().filter(upper).max_by_key(key)?;
    let first = texts.iter().copied().filter(lower).min_by_key(key)?;
    (key(&last) > key(&first)).then(|| vec![last.to_owned(), first.to_owned()])
}
