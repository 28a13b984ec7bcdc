//! Keys that exceed the length limits.

use super::{key_name, place, templates};
use crate::lint::entity_facts::{Compiled, EntityFacts, is_text};
use crate::lint::{Check, Context, Found, NewFinding, Rule, Severity};
use crate::model::{KeyPart, limits, short};
use crate::template::{Form, Segment};

/// The longest key of a template exceeds DynamoDB's limit.
pub const RULE: Rule = Rule {
    code: "L001",
    name: "key-too-long",
    severity: Severity::Error,
    check: Check::Entity(check),
};

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        if compiled.is_broken() || !is_text(key) || is_short(compiled) {
            continue;
        }
        let most = match key.part {
            KeyPart::Partition => limits::PARTITION_KEY_BYTES,
            KeyPart::Sort => limits::SORT_KEY_BYTES,
        };
        let Some(longest) = compiled
            .language()
            .max_length()
            .filter(|bytes| *bytes > most)
        else {
            continue;
        };
        let message = format!(
            "{}: the {} rendered by `{}` can be {longest} bytes long, but the limit is {most}. Shorten it with first(n).",
            facts.name(),
            key_name(context.design, entry, key.part),
            short(&compiled.text),
        );
        found.add(NewFinding::at(place(facts, entry, key.part), message));
    }
}

/// Whether the key is certainly short, or has a part of unlimited length, which this rule ignores.
fn is_short(compiled: &Compiled) -> bool {
    let mut bytes = 0;
    for segment in &compiled.template.segments {
        bytes += match segment {
            Segment::Literal { text, .. } => text.len(),
            Segment::Broken { .. } => 0,
            Segment::Placeholder(placeholder) => {
                match compiled.shape(placeholder).map(|shape| &shape.form) {
                    None | Some(Form::Any) => match placeholder.modifiers.is_empty() {
                        true => return true,
                        false => return false,
                    },
                    Some(Form::OneOf(texts)) => {
                        texts.iter().map(|text| text.len()).max().unwrap_or(0) * 3
                    }
                    Some(Form::Chars { .. }) => return false,
                    // The other forms have at most 64 characters.
                    Some(_) => 64,
                }
            }
        };
    }
    bytes <= limits::SORT_KEY_BYTES
}
