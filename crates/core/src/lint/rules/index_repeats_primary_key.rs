//! Indexes that repeat the table's primary key.

use super::index_entries::duplicate_place;
use crate::engine::overlap;
use crate::lint::entity_facts::{EntityFacts, EntryFacts};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::KeyPart;

/// An entity has the same keys in a GSI as in the table, and no other entity shares its item collections only there.
pub const RULE: Rule = Rule {
    code: "I004",
    name: "index-repeats-primary-key",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.entities.values() {
        check_entity(context, facts, found);
    }
}

/// Whether an item collection of an entry can have items of another entity that it does not have in the table.
fn is_shared(context: &Context, facts: &EntityFacts, entry: &EntryFacts) -> bool {
    let meet = |one: Option<&EntryFacts>, other: Option<&EntryFacts>| {
        let (Some(one), Some(other)) = (one, other) else {
            return false;
        };
        let (Some(one), Some(other)) = (one.partition(), other.partition()) else {
            return false;
        };
        overlap::meet(one, other).unwrap_or(true)
    };
    let mut others = context
        .entities
        .values()
        .filter(|other| other.id != facts.id);
    others.any(|other| {
        meet(Some(entry), other.entry(entry.index)) && !meet(facts.primary(), other.primary())
    })
}

fn check_entity(context: &Context, facts: &EntityFacts, found: &mut Found) {
    let Some(primary) = facts.primary() else {
        return;
    };
    for entry in facts.entries.iter().filter(|entry| entry.declared) {
        let gsi = (context.design.indexes.get(&entry.index))
            .is_some_and(|index| index.kind == crate::model::IndexKind::Gsi);
        if !gsi || entry.side(KeyPart::Partition).count() > 1 {
            continue;
        }
        let text = |value: Option<&std::sync::Arc<crate::lint::entity_facts::Compiled>>| {
            value.map(|compiled| compiled.template.to_string())
        };
        let (partition, sort) = (text(entry.partition()), text(entry.sort()));
        let same = partition.is_some()
            && partition == text(primary.partition())
            && (sort.is_none() || sort == text(primary.sort()));
        if !same || is_shared(context, facts, entry) {
            continue;
        }
        let message = format!(
            "{}: {} has the same keys as the table, so it serves no other reads, and each write is billed twice. Remove the entity from the index.",
            facts.name(),
            context.design.index_name(entry.index),
        );
        let finding = NewFinding::at(duplicate_place(facts, entry), message);
        found.add(finding.fix(Fix::LeaveIndex(facts.id, entry.index)));
    }
}
