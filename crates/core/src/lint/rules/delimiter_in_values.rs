//! Formats whose values can contain the delimiter.

use super::templates;
use crate::lint::entity_facts::{EntityFacts, format_of};
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Format, OnDelimiter, Value, short};

/// An attribute of a key can contain the delimiter, and the design rejects such values.
pub const RULE: Rule = Rule {
    code: "K009",
    name: "delimiter-in-values",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let policy = &context.design.delimiter;
    if policy.delimiter.is_empty() || policy.on_conflict != OnDelimiter::Reject {
        return;
    }
    let mut seen: Vec<&str> = Vec::new();
    for (_, _, compiled) in templates(facts) {
        if compiled.template.is_single_placeholder() {
            continue;
        }
        for placeholder in compiled.template.placeholders() {
            let name = placeholder.attribute.as_str();
            let Some(attribute) = facts.entity.attribute(name) else {
                continue;
            };
            if !placeholder.modifiers.is_empty() || seen.contains(&name) {
                continue;
            }
            let format = format_of(context.design, attribute);
            let Some(value) = format.and_then(|format| value_with(format, &policy.delimiter))
            else {
                continue;
            };
            seen.push(name);
            let message = format!(
                "{}.{name} can be `{value}`, which contains the delimiter `{}`, in `{}`: such an item gets no key. Choose other values, or percent-encode them.",
                facts.name(),
                policy.delimiter,
                short(&compiled.text),
            );
            let place = Place::Attribute(facts.id, attribute.id);
            found.add(NewFinding::at(place, message).examples(vec![value]));
        }
    }
}

/// Returns a value of the format that contains the delimiter.
fn value_with(format: &Format, delimiter: &str) -> Option<String> {
    let text = |value: &Value| match value {
        Value::S(text) if text.contains(delimiter) => Some(text.clone()),
        _ => None,
    };
    let holds = |text: String| text.contains(delimiter).then_some(text);
    match format {
        Format::OneOf(choices) => choices.iter().find_map(|choice| text(&choice.value)),
        Format::Constant(value) => text(value),
        Format::Sequence {
            prefix,
            start,
            digits,
        } => holds(format!(
            "{prefix}{start:0width$}",
            width = usize::from(*digits)
        )),
        Format::Date { from, .. } | Format::Timestamp { from, .. } => holds(from.clone()),
        Format::Uuid => holds("00000000-0000-4000-8000-000000000000".to_owned()),
        Format::Email => holds("ada@example.com".to_owned()),
        Format::PersonName | Format::Company | Format::Sentence => holds("Ada Lovelace".to_owned()),
        _ => None,
    }
}
