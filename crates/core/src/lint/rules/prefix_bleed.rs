//! The prefix of an entity's sort keys that is also the beginning of another entity's.

use super::{TOO_LARGE, key_name, place};
use crate::lint::facts::{Compiled, EntityFacts, EntryFacts, is_text};
use crate::lint::{Check, Context, Finding, Found, Rule, Said, Severity, reach};
use crate::model::{KeyPart, Operation, short};
use crate::template::Segment;

/// An entity cannot be listed alone: its prefix also finds items of another one.
pub const RULE: Rule = Rule {
    code: "K007",
    name: "prefix-bleed",
    severity: Severity::Info,
    check: Check::Pair(check, is_wanted),
};

fn check(context: &Context, first: &EntityFacts, second: &EntityFacts, found: &mut Found) {
    for a in &first.entries {
        let Some(b) = second.entry(a.index) else {
            continue;
        };
        bleeds(context, (first, a), (second, b), found);
        bleeds(context, (second, b), (first, a), found);
    }
}

type Entry<'a> = (&'a EntityFacts, &'a EntryFacts);

fn bleeds(context: &Context, (facts, entry): Entry, (other, others): Entry, found: &mut Found) {
    let (Some(sort), Some(their_sort)) = (entry.sort(), others.sort()) else {
        return;
    };
    let Some((key, true)) = (entry.side(KeyPart::Sort).next()).map(|key| (key, is_text(key)))
    else {
        return;
    };
    // Cheap, and mostly enough: every key begins with the head.
    if !key.own || sort.head.is_empty() || !their_sort.head.starts_with(&sort.head) {
        return;
    }
    if sort.text == their_sort.text {
        return;
    }
    let Some(prefix) = prefix(context, sort) else {
        return;
    };
    let (Some(partition), Some(theirs)) = (entry.partition(), others.partition()) else {
        return;
    };
    let (begins, meets) = (
        reach::begins(&prefix, their_sort),
        reach::meet(partition, theirs),
    );
    if begins == Ok(false) || meets == Ok(false) {
        return;
    }
    let place = place(facts, entry, KeyPart::Sort);
    if begins.is_err() || meets.is_err() {
        let message = format!(
            "It cannot be told whether {} can be listed alone, without {} (`{}`): {TOO_LARGE}",
            facts.name(),
            other.name(),
            short(&their_sort.text),
        );
        found.say(Said::at(place, message));
        return;
    }
    let message = format!(
        "{} cannot be listed alone: `{}`, the beginning of the {}, also finds {} (`{}`); end it with a literal that only {0} has",
        facts.name(),
        short(&prefix.text),
        key_name(context.design, entry, KeyPart::Sort),
        other.name(),
        short(&their_sort.text),
    );
    let said = Said::at(place, message);
    let example = prefix.language().is_prefix_in(their_sort.language());
    found.say(said.examples(example.into_iter().flatten().collect()));
}

/// The template up to its last literal that says more than the delimiter: `PROJECT#{id}#TASK#` of
/// `PROJECT#{id}#TASK#{taskId}`; none if that is all of it.
fn prefix(context: &Context, sort: &Compiled) -> Option<Compiled> {
    let policy = &context.design.delimiter;
    let names = |segment: &Segment| match segment {
        Segment::Literal { text, .. } => !text.replace(&policy.delimiter, "").is_empty(),
        _ => false,
    };
    let segments = &sort.template.segments;
    let at = segments.iter().rposition(names)?;
    let end = segments.get(at + 1)?.span().start;
    let shape = |name: &str| sort.shapes.get(name).cloned();
    Some(Compiled::new(sort.text.get(..end)?, policy, &shape))
}

/// Whether the finding is still to be said: not once a query lists the entity, for then the query is looked at
/// (`reads-too-much`).
fn is_wanted(context: &Context, finding: &Finding) -> bool {
    let (Some(entity), Some(index)) = (finding.place.entity(), finding.place.index()) else {
        return true;
    };
    !(context.patterns.values()).any(|facts| {
        let asks = matches!(&facts.pattern.operation, Operation::Query { index: other, .. } if *other == index);
        asks && facts.finds(entity)
    })
}
