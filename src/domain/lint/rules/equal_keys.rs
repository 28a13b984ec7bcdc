//! Two entities whose primary keys can be equal.

use super::place;
use super::templates::last_part;
use crate::domain::lint::facts::{Compiled, EntityFacts, EntryFacts, Part, is_text};
use crate::domain::lint::{Check, Context, Found, Rule, Said, Severity, reach};
use crate::domain::model::KeyPart;

/// Items of two entities can have the same primary key; one overwrites the other.
pub const RULE: Rule = Rule {
    code: "K006",
    name: "equal-keys",
    severity: Severity::Error,
    check: Check::Pair(check, |_, _| true),
};

fn check(_: &Context, first: &EntityFacts, second: &EntityFacts, found: &mut Found) {
    let (Some(a), Some(b)) = (first.primary(), second.primary()) else {
        return;
    };
    if !a.is_whole() || !b.is_whole() {
        return;
    }
    for (left, right) in a.keys.iter().zip(&b.keys) {
        let (Some(one), Some(other)) = (&left.value, &right.value) else {
            return;
        };
        if is_text(left) && !reach::meet(one, other) {
            return;
        }
    }
    let part = last_part(b);
    let examples = example(a, b);
    let text = |entry: &EntryFacts| {
        let texts = entry.keys.iter().filter_map(|key| key.value.as_ref());
        let texts: Vec<String> = texts.map(|value| format!("`{}`", value.text)).collect();
        texts.join(" / ")
    };
    let (severity, what) = match sure(a, b) {
        true => (Severity::Error, "can have the same key"),
        false => (
            Severity::Warning,
            "may have the same key, unless no value is ever what the other's literal is",
        ),
    };
    let message = format!(
        "{} and {} {what}, {} and {}, and the one written last replaces the other: give one of them a {} with a literal of its own",
        first.name(),
        second.name(),
        text(a),
        text(b),
        match part {
            KeyPart::Sort => "sort key",
            KeyPart::Partition => "partition key",
        }
    );
    let said = Said::at(place(second, b, part), message);
    found.say(said.examples(examples).severity(severity));
}

/// Keys that both can render, partition first.
fn example(a: &EntryFacts, b: &EntryFacts) -> Vec<String> {
    let mut examples = Vec::new();
    for (left, right) in a.keys.iter().zip(&b.keys) {
        if let (Some(left), Some(right)) = (&left.value, &right.value) {
            examples.extend(left.language().collides(right.language()));
        }
    }
    examples
}

/// Whether the keys meet because they are built alike, not because a value happens to be another one's literal.
fn sure(a: &EntryFacts, b: &EntryFacts) -> bool {
    let alike = |left: &Compiled, right: &Compiled| match (&left.parts, &right.parts) {
        (Some(left), Some(right)) => (left.iter().zip(right)).all(|pair| {
            !matches!(
                pair,
                (Part::Text(_), Part::Value { .. }) | (Part::Value { .. }, Part::Text(_))
            )
        }),
        _ => left.template.is_static() == right.template.is_static(),
    };
    (a.keys.iter().zip(&b.keys)).all(|(left, right)| match (&left.value, &right.value) {
        (Some(left), Some(right)) => alike(left, right),
        _ => false,
    })
}
