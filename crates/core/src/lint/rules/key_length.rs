//! Keys that get too long.

use super::{key_name, place, templates};
use crate::lint::facts::{Compiled, EntityFacts, is_text};
use crate::lint::{Check, Context, Found, Rule, Said, Severity};
use crate::model::{KeyPart, limits};
use crate::template::{Form, Segment};

/// The longest key of a template is longer than DynamoDB takes.
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
            "{}: the {} made by `{}` can be {longest} bytes long, and DynamoDB allows {most}: shorten it with first(n)",
            facts.name(),
            key_name(context.design, entry, key.part),
            compiled.text,
        );
        found.say(Said::at(place(facts, entry, key.part), message));
    }
}

/// Whether nothing of it can be long, or some of it can be of any length, which nobody means.
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
                    // None of the others has more than 64 characters.
                    Some(_) => 64,
                }
            }
        };
    }
    bytes <= limits::SORT_KEY_BYTES
}
