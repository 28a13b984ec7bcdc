//! Entities that can have equal primary keys.

use super::templates::last_part;
use super::{place, unexplained_key};
use crate::engine::overlap;
use crate::lint::entity_facts::{Compiled, EntityFacts, EntryFacts, Part, is_text};
use crate::lint::rule::TOO_LARGE;
use crate::lint::{Check, Context, Found, NewFinding, Rule, Severity};
use crate::model::{KeyPart, short};
use crate::template::{ParseBackError, TooLarge};

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
    // `unexplained-key` reports what can equal any other key.
    if unexplained_key::is_unknown(first, a) || unexplained_key::is_unknown(second, b) {
        return;
    }
    let text = |entry: &EntryFacts| {
        let texts = entry.keys.iter().filter_map(|key| key.value.as_ref());
        let texts: Vec<String> = (texts.map(|value| format!("`{}`", short(&value.text)))).collect();
        texts.join(" / ")
    };
    let mut known = Ok(());
    for (left, right) in a.keys.iter().zip(&b.keys) {
        let (Some(one), Some(other)) = (&left.value, &right.value) else {
            return;
        };
        if is_text(left) {
            match overlap::meet(one, other) {
                Ok(true) => {}
                Ok(false) => return,
                Err(TooLarge) => known = Err(TooLarge),
            }
        }
    }
    let part = last_part(b);
    let both = match (text(a), text(b)) {
        (one, other) if one == other => one,
        (one, other) => format!("{one} and {other}"),
    };
    if known.is_err() {
        let message = format!(
            "{} and {} may have the same primary key, {both}: {TOO_LARGE}",
            first.name(),
            second.name(),
        );
        found.add(NewFinding::at(place(second, b, part), message).severity(Severity::Warning));
        return;
    }
    let keys = example(a, b);
    let values = [a, b].map(|entry| values(entry, &keys));
    let same = format!("have the same primary key, {both}");
    let (names, replaces) = (
        format!("{} and {}", first.name(), second.name()),
        "the last write replaces the other item",
    );
    let why = match (&values, same_structure(a, b)) {
        ([Some(_), Some(_)], true) => None,
        ([Some(_), Some(_)], false) => Some("a value can equal the other template's literal"),
        _ => Some(
            "an attribute occurs twice in the key, and the analysis checks each occurrence on its own",
        ),
    };
    let (severity, what) = match why {
        None => (
            Severity::Error,
            format!("{names} can {same}, and {replaces}"),
        ),
        Some(why) => (
            Severity::Warning,
            format!("{names} may {same} ({why}), and {replaces}"),
        ),
    };
    let message = format!(
        "{what}. Give one of them a {} with its own literal.",
        match part {
            KeyPart::Sort => "sort key",
            KeyPart::Partition => "partition key",
        }
    );
    let mut examples: Vec<String> = keys.into_iter().flatten().collect();
    for (facts, values) in [first, second].into_iter().zip(values) {
        if let Some(values) = values.filter(|values| !values.is_empty()) {
            examples.push(format!("{}: {}", facts.name(), super::assigned(&values)));
        }
    }
    let finding = NewFinding::at(place(second, b, part), message);
    found.add(finding.examples(examples).severity(severity));
}

/// Returns a key that both can render, partition key first; `None` for an attribute of type N or B.
fn example(a: &EntryFacts, b: &EntryFacts) -> Vec<Option<String>> {
    let mut keys = Vec::new();
    for (left, right) in a.keys.iter().zip(&b.keys) {
        keys.push(match (&left.value, &right.value) {
            (Some(one), Some(other)) if is_text(left) => {
                one.language().collides(other.language()).ok().flatten()
            }
            _ => None,
        });
    }
    keys
}

/// Returns values of an entity's attributes that render these keys. `None` if an attribute occurs twice and would need
/// two values, or if the values cannot be determined.
fn values(entry: &EntryFacts, keys: &[Option<String>]) -> Option<Vec<(String, String)>> {
    let mut values: Vec<(String, String)> = Vec::new();
    let mut exact = true;
    let mut again = false;
    for (key, text) in entry.keys.iter().zip(keys) {
        let compiled = key.value.as_ref()?;
        let Some(text) = text else {
            // Any number fits, unless a text key uses the same attribute.
            let others = || entry.keys.iter().filter(|other| !std::ptr::eq(*other, key));
            let twice = |name| {
                let mut keys = others().filter_map(|other| other.value.as_ref());
                keys.any(|other| other.template.uses(name))
            };
            if compiled.template.attributes().any(twice) {
                return None;
            }
            continue;
        };
        let mut own: Vec<(String, String)> = Vec::new();
        match compiled.language().parse_back(text) {
            Ok(read) => {
                for (name, recovered) in read {
                    exact &= recovered.exact;
                    own.push((name, recovered.text));
                }
            }
            // Any reading renders the key, unless an attribute needs two values.
            Err(ParseBackError::Ambiguous) => {
                exact = false;
                for (name, text) in compiled.language().reading(text, false) {
                    again |= known(&own, &name).is_some();
                    own.push((name, text));
                }
            }
            Err(_) => return None,
        }
        for (name, text) in own {
            match known(&values, &name) {
                Some(before) if *before != text => return None,
                Some(_) => again = true,
                None => values.push((name, text)),
            }
        }
    }
    (exact || !again).then_some(values)
}

fn known<'a>(values: &'a [(String, String)], name: &str) -> Option<&'a String> {
    let found = values.iter().find(|(other, _)| other == name);
    found.map(|(_, value)| value)
}

/// Whether the keys can be equal because of their structure, not because a value happens to equal a literal.
fn same_structure(a: &EntryFacts, b: &EntryFacts) -> bool {
    let built = |left: &Compiled, right: &Compiled| match (&left.parts, &right.parts) {
        (Some(left), Some(right)) => (left.iter().zip(right)).all(|pair| {
            !matches!(
                pair,
                (Part::Text(_), Part::Value { .. }) | (Part::Value { .. }, Part::Text(_))
            )
        }),
        _ => left.template.is_static() == right.template.is_static(),
    };
    (a.keys.iter().zip(&b.keys)).all(|(left, right)| match (&left.value, &right.value) {
        (Some(left), Some(right)) => built(left, right),
        _ => false,
    })
}
