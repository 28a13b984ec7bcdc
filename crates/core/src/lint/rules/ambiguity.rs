//! Keys that cannot be taken apart.

use super::{TOO_LARGE, key_name, place, templates};
use crate::lint::facts::{Compiled, EntityFacts, is_text};
use crate::lint::{Check, Context, Fix, Found, Rule, Said, Severity};
use crate::model::{DelimiterPolicy, short};
use crate::template::{Segment, TooLarge};

/// A rendered key can be read in two ways: two different items may get the same key.
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
                    "{}: it cannot be told whether a {} made by `{}` can be taken apart: {TOO_LARGE}",
                    facts.name(),
                    key_name(context.design, entry, key.part),
                    short(&compiled.text),
                );
                found.say(Said::at(place, message));
                continue;
            }
        };
        let message = format!(
            "{}: a {} made by `{}` cannot be taken apart, and two items can get the same: {}",
            facts.name(),
            key_name(context.design, entry, key.part),
            short(&compiled.text),
            ambiguity.message,
        );
        let mut said = Said::at(place, message);
        let mut examples = vec![ambiguity.example];
        examples.extend(
            ambiguity
                .readings
                .iter()
                .map(|values| super::assigned(values)),
        );
        said = said.examples(examples);
        if let Some(text) = separated(compiled, &context.design.delimiter) {
            said = said.fix(Fix::SetTemplate {
                entity: facts.id,
                index: entry.index,
                part: key.part,
                text,
            });
        }
        found.say(said);
    }
}

/// Whether each placeholder is followed by the delimiter, which no value can contain.
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

/// The template with the delimiter after every placeholder that needs one; `None` if it has them, or cannot.
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
