//! Partition keys that are the same for every item.

use super::{key_name, place, templates};
use crate::engine::generate::names::identity;
use crate::lint::facts::{EntityFacts, EntryFacts};
use crate::lint::{Check, Context, Fix, Found, Rule, Said, Severity};
use crate::model::{AttributeType, KeyPart};

/// All items of an entity have one partition key.
pub const RULE: Rule = Rule {
    code: "K013",
    name: "static-partition-key",
    severity: Severity::Warning,
    check: Check::Entity(check),
};

/// Number of shards that a fix takes: ten times what one partition takes.
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
            "{}: the {} is always `{}`, so one partition takes every write and read of it (1000 write and 3000 read units a second): spread it with {}",
            facts.name(),
            key_name(context.design, entry, KeyPart::Partition),
            compiled.text,
            shard(facts),
        );
        let said = Said::at(place(facts, entry, KeyPart::Partition), message);
        found.say(with_shards(said, facts, entry));
    }
}

/// Whether at most one item of the entity is there: its sort key is fixed too.
fn is_single(entry: &EntryFacts) -> bool {
    entry.index.is_primary()
        && (entry.side(KeyPart::Sort))
            .all(|key| (key.value.as_ref()).is_some_and(|value| value.template.is_static()))
}

/// The placeholder that spreads the entity's items.
pub fn shard(facts: &EntityFacts) -> String {
    let attribute = hashed(facts).unwrap_or_else(|| "attribute".to_owned());
    format!("`{{{attribute}:shard({SHARDS})}}`")
}

/// The attribute that tells the entity's items apart, if it can be hashed.
fn hashed(facts: &EntityFacts) -> Option<String> {
    identity(&facts.entity).filter(|name| {
        let attribute = facts.entity.attribute(name);
        attribute.is_some_and(|a| matches!(a.kind, AttributeType::S | AttributeType::N))
    })
}

/// The finding with write sharding as its fix.
pub fn with_shards(said: Said, facts: &EntityFacts, entry: &EntryFacts) -> Said {
    match hashed(facts) {
        Some(attribute) => said.fix(Fix::Shard {
            entity: facts.id,
            index: entry.index,
            attribute,
            count: SHARDS,
        }),
        None => said,
    }
}
