//! Keys that cannot be parsed back.

use super::{key_name, place, templates};
use crate::lint::entity_facts::{Compiled, EntityFacts, is_text};
use crate::lint::rule::TOO_LARGE;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{DelimiterPolicy, short};
use crate::template::{Segment, TooLarge};

/// A rendered key has two readings: two different items may get the same key.
pub const RULE: Rule = Rule {
    code: "K008",
    name: "ambiguous-key",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let delimiter = context.design.delimiter.delimiter.as_str();
    for (entry, key, compiled) in templates(facts) {
        if compiled.is_broken() || !is_text(key) || is_apart(compiled, delimiter) {
            continue;
        }
        let place = place(facts, entry, key.part);
        let ambiguity = match compiled.language().ambiguity() {
            Ok(Some(ambiguity)) => ambiguity,
            Ok(None) => continue,
            Err(TooLarge) => {
                let message = format!(
                    "{}: cannot determine whether the {} rendered by `{}` is ambiguous: {TOO_LARGE}",
                    facts.name(),
                    key_name(context.design, entry, key.part),
                    short(&compiled.text),
                );
                found.add(NewFinding::at(place, message));
                continue;
            }
        };
        let message = format!(
            "{}: the {} rendered by `{}` is ambiguous, so two items can get the same key: {}.",
            facts.name(),
            key_name(context.design, entry, key.part),
            short(&compiled.text),
            ambiguity.message,
        );
        let mut finding = NewFinding::at(place, message);
        let mut examples = vec![ambiguity.example];
        examples.extend(
            ambiguity
                .readings
                .iter()
                .map(|values| super::assigned(values)),
        );
        finding = finding.examples(examples);
        if let Some(text) = separated(compiled, &context.design.delimiter) {
            finding = finding.fix(Fix::SetTemplate {
                entity: facts.id,
                index: entry.index,
                part: key.part,
                text,
            });
        }
        found.add(finding);
    }
}

/// Whether the delimiter, which no value can contain, follows each placeholder.
fn is_apart(compiled: &Compiled, delimiter: &str) -> bool {
    let segments = &compiled.template.segments;
    compiled.parts.is_some()
        && segments.windows(2).all(|pair| match pair {
            [Segment::Placeholder(_), Segment::Literal { text, .. }] => text.starts_with(delimiter),
            [Segment::Placeholder(_), _] => false,
            _ => true,
        })
        || segments.len() == 1
}

/// Inserts the delimiter after every placeholder that needs one; `None` if none needs one, or if it cannot be inserted.
fn separated(compiled: &Compiled, policy: &DelimiterPolicy) -> Option<String> {
    let delimiter = policy.delimiter.as_str();
    let mut text = String::new();
    let mut segments = compiled.template.segments.iter().peekable();
    while let Some(segment) = segments.next() {
        text.push_str(compiled.text.get(segment.span())?);
        let needs = match (segment, segments.peek()) {
            (Segment::Placeholder(_), Some(Segment::Literal { text, .. })) => {
                !text.starts_with(delimiter)
            }
            (Segment::Placeholder(_), Some(_)) => true,
            _ => false,
        };
        if needs {
            let after = compiled.text.get(segment.span().end..)?;
            text.push_str(&policy.literal(after)?);
        }
    }
    (text != compiled.text).then_some(text)
}
