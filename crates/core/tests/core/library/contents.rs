//! The content of the library's designs besides keys: conditions, sparse entries, shards, settings, access patterns.

use super::{design, items_of};
use keyfold_core::engine::view;
use keyfold_core::library::patterns;
use keyfold_core::model::{
    Condition, Design, Operation, SortOperator, StreamView, Test, Value, WriteAction,
};

fn conditions(design: &Design) -> Vec<(&str, &str, &Condition)> {
    let entities = design.entities.values();
    entities
        .flat_map(|entity| {
            entity
                .keys
                .iter()
                .map(move |(id, entry)| (entity, id, entry))
        })
        .flat_map(|(entity, id, entry)| {
            let when = entry.when.iter();
            when.map(|when| (entity.name.as_str(), design.index_name(*id), when))
        })
        .collect()
}

#[test]
fn sparse_entries_have_these_conditions() {
    let equals = |attribute: &str, value: Value| Condition {
        attribute: attribute.to_owned(),
        test: Test::Equals(value),
    };
    let featured = equals("featured", Value::Bool(true));
    let pending = equals("status", "PENDING".into());
    let mut found = Vec::new();
    for pattern in patterns() {
        for (entity, index, when) in conditions(&design(pattern.name)) {
            found.push(format!("{} {entity} {index}", pattern.name));
            let expected = if entity == "Show" {
                &featured
            } else {
                &pending
            };
            assert_eq!(when, expected, "{}", pattern.name);
        }
    }
    assert_eq!(
        found,
        [
            "e-commerce Order GSI1",
            "e-commerce-sharded Order GSI1",
            "theatre-catalogue Show GSI2",
            "theatre-catalogue-plain Show GSI2",
        ]
    );
}

/// The items that are missing from an index although their entity is in it, as entity and identity.
fn absent(pattern: &str, index: &str, identity: &str) -> Vec<String> {
    let design = design(pattern);
    let id = design.index_named(index).expect("there is this index");
    let items = items_of(&design);
    let view = view(&design, id, &items);
    let mut absent = Vec::new();
    for item in items.iter().flat_map(|items| items.iter()) {
        let entity = &design.entities[&item.entity];
        let there = view.rows.iter().any(|row| row.item.id() == item.id());
        if entity.keys.contains_key(&id) && !there {
            let identity = item
                .get(identity)
                .map(|value| value.to_text())
                .unwrap_or_default();
            absent.push(format!("{} {identity}", entity.name));
        }
    }
    absent
}

#[test]
fn items_without_a_value_or_condition_are_not_in_the_index() {
    assert_eq!(absent("e-commerce", "GSI1", "orderId"), ["Order 457"]);
    assert_eq!(
        absent("e-commerce-sharded", "GSI1", "orderId"),
        ["Order 457"]
    );
    assert_eq!(
        absent("theatre-catalogue", "GSI2", "showId"),
        ["Show small-show"]
    );
    let escalated = absent("iot-device-log", "GSI2", "recordedAt");
    assert_eq!(
        escalated,
        [
            "StateChange 2026-04-24T14:30:00Z",
            "StateChange 2026-04-24T14:40:00Z",
            "StateChange 2026-04-24T15:10:00Z",
        ]
    );
}

/// FNV-1a, 64 bits, an independent implementation: RFC 9923.
fn fnv1a(text: &str) -> u64 {
    let mut hash = 14_695_981_039_346_656_037_u64;
    for byte in text.bytes() {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(1_099_511_628_211);
    }
    hash
}

#[test]
fn shards_are_fnv_1a_modulo_the_shard_count() {
    // The test vectors of RFC 9923 and of the FNV page.
    assert_eq!(fnv1a(""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv1a("a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv1a("foobar"), 0x8594_4171_f739_67e8);
    for (pattern, index, id, count) in [
        ("e-commerce-sharded", "GSI1", "orderId", 10),
        ("leaderboard", "GSI1", "playerId", 4),
    ] {
        let design = design(pattern);
        let index = design.index_named(index).expect("there is this index");
        let key = design.key(index).expect("it has a key").partition[0]
            .name
            .clone();
        let mut sharded = 0;
        for row in view(&design, index, &items_of(&design)).rows.iter() {
            if let Some(id) = row
                .item
                .get(id)
                .filter(|_| row.item.get("category").is_none())
            {
                let shard = fnv1a(&id.to_text()) % count;
                let key = row.item.get(&key).expect("a key").to_text();
                assert!(key.ends_with(&format!("#{shard}")), "{pattern}: {key}");
                sharded += 1;
            }
        }
        assert!(sharded >= 2, "{pattern}");
    }
}

#[test]
fn tables_have_the_settings_of_their_pattern() {
    let mut settings = String::new();
    for pattern in patterns() {
        let table = design(pattern.name).table;
        let mut said = Vec::new();
        if let Some(attribute) = &table.ttl_attribute {
            said.push(format!("TTL {attribute}"));
        }
        if table.recovery.is_some() {
            said.push("PITR".to_owned());
        }
        if table.deletion_protection {
            said.push("deletion protection".to_owned());
        }
        if table.stream == Some(StreamView::NewAndOldImages) {
            said.push("stream".to_owned());
        }
        if !said.is_empty() {
            settings.push_str(&format!("{}: {}\n", pattern.name, said.join(", ")));
        }
    }
    assert_eq!(
        settings,
        "\
saas-multi-tenant-production: TTL expiresAt, PITR, deletion protection, stream
saas-orders: PITR, deletion protection
saas-orders-scoped: PITR, deletion protection
tenant-table-iam: PITR, deletion protection
e-commerce: PITR, deletion protection
e-commerce-sharded: PITR, deletion protection
shopping-cart: TTL expiresAt
theatre-catalogue: PITR
theatre-catalogue-plain: PITR
blog: PITR, stream
social-network: stream
activity-log: TTL expiresAt, PITR
iot-device-log: TTL expiresAt
multi-branch-finance: PITR, deletion protection
session-store: TTL expiresAt
optimistic-locking: PITR
"
    );
}

#[test]
fn every_query_has_complete_conditions() {
    // The model only allows `=` on partition keys. What can go wrong is an incomplete sort key condition.
    for pattern in patterns() {
        for access in design(pattern.name).access_patterns.values() {
            if let Operation::Query { sort, .. } = &access.operation {
                for condition in sort {
                    let between = condition.operator == SortOperator::Between;
                    assert_eq!(condition.upper.is_some(), between, "{}", access.name);
                }
            }
        }
    }
}

#[test]
fn publishing_is_one_transaction_of_two_puts() {
    let design = design("blog");
    let publish = design
        .access_patterns
        .values()
        .find(|p| p.name == "Publish a post");
    let Some(Operation::TransactWriteItems { actions }) = publish.map(|p| &p.operation) else {
        panic!("{publish:?}");
    };
    let puts = actions.iter().map(|action| match action {
        WriteAction::PutItem { entity, .. } => design.entities[entity].name.as_str(),
        other => other.name(),
    });
    assert_eq!(puts.collect::<Vec<_>>(), ["Post", "AuthorPost"]);
}
