//! Indexes that repeat the table's primary key.

use super::index_entries::duplicate_place;
use crate::engine::overlap;
use crate::lint::entity_facts::{EntityFacts, EntryFacts};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{IndexKind, KeyPart, Projection};

/// An entity has the same keys in a GSI as in the table, with all its items and attributes, and no other entity shares its
/// item collections only there.
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
        // An index of some items, or of some attributes, takes less to read than the table.
        let is_copy = (context.design.indexes.get(&entry.index)).is_some_and(|index| {
            index.kind == IndexKind::Gsi && index.projection == Projection::All
        });
        if !is_copy || is_sparse(facts, entry) || entry.side(KeyPart::Partition).count() > 1 {
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
        let readers = (context.readers(entry.index))
            .filter(|pattern| pattern.finds(facts.id) || pattern.intended.contains(&facts.id));
        let readers = readers.count();
        let what_to_do = match readers {
            0 => "Remove the entity from the index.".to_owned(),
            1 => "Let the access pattern that reads it there read the table, then remove the entity from the index.".to_owned(),
            count => format!("Let the {count} access patterns that read it there read the table, then remove the entity from the index."),
        };
        let message = format!(
            "{}: {} has the same keys as the table, so it serves no other reads, and each write is billed twice. {what_to_do}",
            facts.name(),
            context.design.index_name(entry.index),
        );
        let mut finding = NewFinding::at(duplicate_place(facts, entry), message);
        if readers == 0 {
            finding = finding.fix(Fix::LeaveIndex(facts.id, entry.index));
        }
        found.add(finding);
    }
}

/// Whether items can be missing in the index: by a condition, or without an optional attribute of its key.
fn is_sparse(facts: &EntityFacts, entry: &EntryFacts) -> bool {
    let own = facts.entity.keys.get(&entry.index);
    let has_condition = own.is_some_and(|own| !own.when.is_empty());
    let values = entry.keys.iter().filter_map(|key| key.value.as_ref());
    let mut names = values.flat_map(|value| value.template.attributes());
    let optional = |name: &str| {
        let attribute = facts.entity.attribute(name);
        attribute.is_some_and(|attribute| !attribute.required)
    };
    has_condition || names.any(optional)
}
