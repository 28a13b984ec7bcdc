//! The rules. Each file holds one rule or a few related ones. A rule is a constant in the table [`super::RULES`] and a
//! function that receives the part of the design that its [`Check`](super::Check) names.

pub mod ambiguous_key;
pub mod counts;
pub mod delimiter_in_values;
pub mod equal_keys;
pub mod ever_growing_partition;
pub mod impossible;
pub mod index_entries;
pub mod index_repeats_primary_key;
pub mod key_only;
pub mod key_too_long;
pub mod local_secondary_index;
pub mod low_cardinality_partition_key;
pub mod mergeable_indexes;
pub mod mixed_case;
pub mod no_auto_scaling;
pub mod no_primary_key;
pub mod open_prefix;
pub mod parameter_values;
pub mod prefix_bleed;
pub mod projection;
pub mod reads_too_much;
pub mod reserved_word;
pub mod samples;
pub mod settings;
pub mod stale_index_key;
pub mod static_partition_key;
pub mod strong_consistency;
pub mod templates;
pub mod tenancy;
pub mod throughput;
pub mod time_before_id;
pub mod time_order;
pub mod ttl;
pub mod unexplained_key;
pub mod unknown_attribute_in_expression;
pub mod unpadded_number;
pub mod unserved_access_pattern;
pub mod unused_index;
pub mod workload;

use super::entity_facts::{Compiled, EntityFacts, EntryFacts, KeyFacts};
use super::finding::Place;
use crate::model::name::closest;
use crate::model::{Design, EntityId, KeyPart};

/// Joins names: `A, B and C`.
pub(super) fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => first.join(", ") + " and " + last,
    }
}

/// Joins names of attributes: `` `A`, `B` and `C` ``.
pub(super) fn attributes(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    list(&names.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Returns a question for the known name that an unknown one is close to; empty if none is.
pub(super) fn did_you_mean<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> String {
    match closest(unknown, known) {
        Some(meant) => format!(" Did you mean `{meant}`?"),
        None => String::new(),
    }
}

/// Formats the values of attributes: `a = x, b = y`.
pub(super) fn assigned(values: &[(String, String)]) -> String {
    let mut text = String::new();
    for (name, value) in values {
        let separator = if text.is_empty() { "" } else { ", " };
        for part in [separator, name, " = ", value] {
            text.push_str(part);
        }
    }
    text
}

/// Returns the place of an entity's key template, or of the entry if the template is not the entry's own.
pub(super) fn place(facts: &EntityFacts, entry: &EntryFacts, part: KeyPart) -> Place {
    match entry.side(part).next() {
        Some(key) if key.own => Place::Template(facts.id, entry.index, part),
        _ => Place::Entry(facts.id, entry.index),
    }
}

/// Returns the entity's own templates, each with its entry and the key attribute that it writes.
pub(super) fn templates(
    facts: &EntityFacts,
) -> impl Iterator<Item = (&EntryFacts, &KeyFacts, &Compiled)> {
    let of = |entry| {
        let own = EntryFacts::own(entry);
        own.map(move |(key, compiled)| (entry, key, compiled.as_ref()))
    };
    facts.entries.iter().flat_map(of)
}

/// Returns `partition key of GSI1`.
pub(super) fn key_name(design: &Design, entry: &EntryFacts, part: KeyPart) -> String {
    let part = match part {
        KeyPart::Partition => "partition key of ",
        KeyPart::Sort => "sort key of ",
    };
    let name = match entry.index.is_primary() {
        true => "the table",
        false => design.index_name(entry.index),
    };
    part.to_owned() + name
}

/// Returns the name of an entity.
pub(super) fn name(design: &Design, id: EntityId) -> &str {
    design.entities.get(&id).map_or("", |entity| &entity.name)
}
