//! Sort key prefixes that also match another entity's sort keys.

use super::{key_name, place};
use crate::engine::overlap;
use crate::lint::entity_facts::{Compiled, EntityFacts, EntryFacts, is_text};
use crate::lint::rule::TOO_LARGE;
use crate::lint::{Check, Context, Finding, Found, NewFinding, Rule, Severity};
use crate::model::{KeyPart, Operation, short};
use crate::template::Segment;

/// No query can list an entity alone: its prefix also finds items of another entity.
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
    // A cheap check that decides most pairs: every key begins with the head of its template.
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
        overlap::begins(&prefix, their_sort),
        overlap::meet(partition, theirs),
    );
    if begins == Ok(false) || meets == Ok(false) {
        return;
    }
    let place = place(facts, entry, KeyPart::Sort);
    if begins.is_err() || meets.is_err() {
        let message = format!(
            "Cannot determine whether a query can list {} without {} (`{}`): {TOO_LARGE}",
            facts.name(),
            other.name(),
            short(&their_sort.text),
        );
        found.add(NewFinding::at(place, message));
        return;
    }
    let message = format!(
        "{}: no query can list it alone, because its prefix `{}` in the {} also finds {} (`{}`). End the prefix with a literal that only {0} has.",
        facts.name(),
        short(&prefix.text),
        key_name(context.design, entry, KeyPart::Sort),
        other.name(),
        short(&their_sort.text),
    );
    let finding = NewFinding::at(place, message);
    let example = prefix.language().is_prefix_in(their_sort.language());
    found.add(finding.examples(example.into_iter().flatten().collect()));
}

/// Returns the template up to its last literal that is more than a delimiter: `PROJECT#{id}#TASK#` of
/// `PROJECT#{id}#TASK#{taskId}`; `None` if that is the whole template.
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

/// Whether to keep the finding. Once a query lists the entity, `reads-too-much` checks that query instead.
fn is_wanted(context: &Context, finding: &Finding) -> bool {
    let (Some(entity), Some(index)) = (finding.place.entity(), finding.place.index()) else {
        return true;
    };
    !(context.patterns.values()).any(|facts| {
        let queries = matches!(&facts.pattern.operation, Operation::Query { index: other, .. } if *other == index);
        queries && facts.finds(entity)
    })
}
