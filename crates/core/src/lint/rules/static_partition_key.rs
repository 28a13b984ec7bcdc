//! Partition keys that are equal for every item.

use super::{key_name, place, templates};
use crate::engine::generate::name_meanings::identity;
use crate::lint::entity_facts::{EntityFacts, EntryFacts};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Rule, Severity};
use crate::model::{AttributeType, KeyPart, short};

/// All items of an entity have the same partition key.
pub const RULE: Rule = Rule {
    code: "K013",
    name: "static-partition-key",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

/// The number of shards that the fix uses: ten times the throughput of one partition.
pub const SHARDS: u32 = 10;

fn check(context: &Context, facts: &EntityFacts, found: &mut Found) {
    for (entry, key, compiled) in templates(facts) {
        if key.part != KeyPart::Partition || !compiled.template.is_static() {
            continue;
        }
        if is_single(entry) {
            continue;
        }
        let message = format!(
            "{}: the {} is always `{}`, so one partition takes all writes and reads (at most 1,000 write and 3,000 read units per second). Spread it with {}.",
            facts.name(),
            key_name(context.design, entry, KeyPart::Partition),
            short(&compiled.text),
            shard(facts),
        );
        let finding = NewFinding::at(place(facts, entry, KeyPart::Partition), message);
        found.add(with_shards(finding, facts, entry));
    }
}

/// Whether the entity has at most one item: its sort key is constant too.
fn is_single(entry: &EntryFacts) -> bool {
    entry.index.is_primary()
        && (entry.side(KeyPart::Sort))
            .all(|key| (key.value.as_ref()).is_some_and(|value| value.template.is_static()))
}

/// Returns the placeholder that spreads the entity's items over shards.
pub fn shard(facts: &EntityFacts) -> String {
    let attribute = hashed(facts).unwrap_or_else(|| "attribute".to_owned());
    format!("`{{{attribute}:shard({SHARDS})}}`")
}

/// Returns the attribute that identifies the entity's items, if it can be hashed.
fn hashed(facts: &EntityFacts) -> Option<String> {
    let keys = facts.primary().map_or(&[][..], |entry| &entry.keys);
    let values = keys.iter().filter_map(|key| key.value.as_ref());
    let primary: Vec<String> = values
        .flat_map(|value| value.template.attributes())
        .map(str::to_owned)
        .collect();
    identity(facts.name(), &primary).filter(|name| {
        let attribute = facts.entity.attribute(name);
        attribute.is_some_and(|a| matches!(a.kind, AttributeType::S | AttributeType::N))
    })
}

/// Adds write sharding as the fix.
pub fn with_shards(finding: NewFinding, facts: &EntityFacts, entry: &EntryFacts) -> NewFinding {
    match hashed(facts) {
        Some(attribute) => finding.fix(Fix::Shard {
            entity: facts.id,
            index: entry.index,
            attribute,
            count: SHARDS,
        }),
        None => finding,
    }
}
