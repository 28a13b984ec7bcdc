//! The rendered keys of the library's designs, spelled out.

mod contents;
mod keys;

use keyfold_core::engine::{Items, ValueRef, materialize_all, view};
use keyfold_core::library::{find, patterns, search};
use keyfold_core::model::{Design, IndexId, SortedSet, validate_invariants};
use keyfold_core::persist::to_json;
use std::sync::Arc;

fn design(name: &str) -> Design {
    let pattern = find(name).unwrap_or_else(|| panic!("no pattern {name}"));
    (pattern.design()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn items_of(design: &Design) -> Vec<Arc<Items>> {
    materialize_all(design).into_values().collect()
}

/// Checks the key attributes of the table or an index, one row per line, in view order.
fn check_keys(pattern: &str, index: &str, expected: &[&str]) {
    let design = design(pattern);
    let id = match index {
        "Table" => IndexId::PRIMARY,
        name => (design.index_named(name)).unwrap_or_else(|| panic!("{pattern}: no index {name}")),
    };
    let view = view(&design, id, &items_of(&design));
    assert_eq!(view.failed, [], "{pattern} {index}");
    let keys = view
        .content
        .as_ref()
        .expect("the index is there")
        .key()
        .clone();
    let rows: Vec<String> = (view.rows.iter())
        .map(|row| {
            let values = keys.attributes().map(|key| {
                match row.item.get(&key.name).and_then(ValueRef::text) {
                    Some(text) => text,
                    other => panic!("{pattern} {index}: {} is {other:?}", key.name),
                }
            });
            values.collect::<Vec<_>>().join(" | ")
        })
        .collect();
    assert_eq!(rows, expected, "{pattern} {index}");
}

fn check_key_names(pattern: &str, expected: &[(&str, &[&str])]) {
    let design = design(pattern);
    let names: Vec<(&str, Vec<&str>)> = (design.index_ids())
        .map(|id| {
            let key = design.key(id).expect("listed");
            let names = key.attributes().map(|key| key.name.as_str()).collect();
            (design.index_name(id), names)
        })
        .collect();
    let expected: Vec<(&str, Vec<&str>)> = expected
        .iter()
        .map(|(name, keys)| (*name, keys.to_vec()))
        .collect();
    assert_eq!(names, expected, "{pattern}");
}

const SAAS_TABLE: &[&str] = &[
    "TENANT#t_01 | #METADATA",
    "TENANT#t_01 | #SUBSCRIPTION",
    "TENANT#t_01 | PROJECT#2026-02-01#p_01",
    "TENANT#t_01 | PROJECT#2026-02-10#p_02",
    "TENANT#t_01 | USER#u_01",
    "TENANT#t_01 | USER#u_02",
    "TENANT#t_02 | #METADATA",
];

#[test]
fn saas_with_dedicated_indexes() {
    let name = "saas-multi-tenant";
    check_key_names(
        name,
        &[
            ("Table", &["pk", "sk"]),
            ("GSI1", &["gsi1pk", "gsi1sk"]),
            ("GSI2", &["gsi2pk", "gsi2sk"]),
            ("GSI3", &["gsi3pk", "gsi3sk"]),
        ],
    );
    check_keys(name, "Table", SAAS_TABLE);
    check_keys(
        name,
        "GSI1",
        &[
            "USER_EMAIL#alice@acme.com | USER#u_01",
            "USER_EMAIL#bob@acme.com | USER#u_02",
        ],
    );
    check_keys(
        name,
        "GSI2",
        &[
            "USER#u_01 | PROJECT#2026-02-01#p_01",
            "USER#u_02 | PROJECT#2026-02-10#p_02",
        ],
    );
    check_keys(
        name,
        "GSI3",
        &[
            "TENANT_LIST | Acme Corp#t_01",
            "TENANT_LIST | Globex Inc#t_02",
        ],
    );
}

#[test]
fn saas_with_one_overloaded_index() {
    let name = "saas-multi-tenant-overloaded";
    check_key_names(
        name,
        &[("Table", &["pk", "sk"]), ("GSI1", &["gsi1pk", "gsi1sk"])],
    );
    check_keys(name, "Table", SAAS_TABLE);
    check_keys(
        name,
        "GSI1",
        &[
            "TENANT_LIST | Acme Corp#t_01",
            "TENANT_LIST | Globex Inc#t_02",
            "USER#u_01 | PROJECT#2026-02-01#p_01",
            "USER#u_02 | PROJECT#2026-02-10#p_02",
            "USER_EMAIL#alice@acme.com | USER#u_01",
            "USER_EMAIL#bob@acme.com | USER#u_02",
        ],
    );
}

#[test]
fn saas_with_ulids() {
    let name = "saas-multi-tenant-ulid";
    check_key_names(
        name,
        &[("Table", &["pk", "sk"]), ("GSI1", &["gsi1pk", "gsi1sk"])],
    );
    check_keys(
        name,
        "Table",
        &[
            "TENANT#t_01 | #METADATA",
            "TENANT#t_01 | #SUBSCRIPTION",
            "TENANT#t_01 | PROJECT#01KGC6WBM07ZK3N0QAWX4T5RMB",
            "TENANT#t_01 | PROJECT#01KH3XM4R02HD8VYCE6PJ1G9SF",
            "TENANT#t_01 | USER#u_01",
            "TENANT#t_01 | USER#u_02",
            "TENANT#t_02 | #METADATA",
        ],
    );
    check_keys(
        name,
        "GSI1",
        &[
            "TENANT_LIST | Acme Corp#t_01",
            "TENANT_LIST | Globex Inc#t_02",
            "USER#u_01 | PROJECT#01KGC6WBM07ZK3N0QAWX4T5RMB",
            "USER#u_02 | PROJECT#01KH3XM4R02HD8VYCE6PJ1G9SF",
            "USER_EMAIL#alice@acme.com | USER#u_01",
            "USER_EMAIL#bob@acme.com | USER#u_02",
        ],
    );
}

#[test]
fn multi_branch_finance() {
    let name = "multi-branch-finance";
    check_key_names(
        name,
        &[
            ("Table", &["PK", "SK"]),
            ("GSI1", &["GSI1PK", "GSI1SK"]),
            ("GSI2", &["GSI2PK"]),
        ],
    );
    check_keys(
        name,
        "Table",
        &[
            "TENANT#abc123 | METADATA",
            "TENANT#abc123#ACCOUNT | acc-001",
            "TENANT#abc123#BRANCH | branch-001",
            "TENANT#abc123#BRANCH | branch-002",
            "TENANT#abc123#BRANCH#branch-001#REPORTING | MONTHLY#2026-01",
            "TENANT#abc123#BRANCH#branch-001#TRANSACTION | 2026-01-15#txn-001",
            "TENANT#abc123#BRANCH#branch-001#TRANSACTION | 2026-01-16#txn-002",
        ],
    );
    check_keys(
        name,
        "GSI1",
        &["ACCOUNT#maria@northwind.example | TENANT#abc123"],
    );
    check_keys(name, "GSI2", &["BRANCH#REG-000001", "BRANCH#REG-000002"]);

    let table = design(name).table;
    assert!(table.deletion_protection && table.recovery.is_some());
}

#[test]
fn every_file_is_in_keyfolds_format() {
    for pattern in patterns() {
        let written = to_json(&design(pattern.name));
        if std::env::var_os("KEYFOLD_REWRITE_LIBRARY").is_some() {
            let root = env!("CARGO_MANIFEST_DIR");
            let path = format!("{root}/src/library/patterns/{}.json", pattern.name);
            std::fs::write(path, &written).expect("the library can be written");
        }
        assert_eq!(
            pattern.json, written,
            "{}: set KEYFOLD_REWRITE_LIBRARY=1 to rewrite it",
            pattern.name
        );
    }
}

#[test]
fn every_design_has_runnable_access_patterns() {
    for pattern in patterns() {
        let design = design(pattern.name);
        assert_eq!(find(pattern.name), Some(pattern));
        assert_eq!(validate_invariants(&design), [], "{}", pattern.name);
        assert_eq!(design.name, pattern.title);
        assert!(!design.description.is_empty(), "{}", pattern.name);
        assert!(
            design.cards().all(|card| design.layout.contains_key(&card)),
            "{}: layout",
            pattern.name
        );
        for (id, entity) in &design.entities {
            assert!(
                !entity.description.is_empty(),
                "{}: {}",
                pattern.name,
                entity.name
            );
            assert!(
                !design.samples_of(*id).is_empty(),
                "{}: {}",
                pattern.name,
                entity.name
            );
            for sample in design.samples_of(*id) {
                let declared = |name: &&String| entity.attribute(name).is_none();
                assert_eq!(
                    sample.values.keys().find(declared),
                    None,
                    "{}: {}",
                    pattern.name,
                    entity.name
                );
            }
            for attribute in &entity.attributes {
                let place = format!("{}: {}.{}", pattern.name, entity.name, attribute.name);
                assert!(
                    attribute.format.is_some() && !attribute.description.is_empty(),
                    "{place}"
                );
            }
        }
        for access in design.access_patterns.values() {
            let place = format!("{}: {}", pattern.name, access.name);
            assert!(
                access.sample.is_some() && !access.entities.is_empty(),
                "{place}"
            );
        }
    }
}

#[test]
fn every_pattern_has_texts_and_tags() {
    let mut names = SortedSet::new();
    let mut groups = SortedSet::new();
    let mut before: Option<&keyfold_core::library::Pattern> = None;
    for pattern in patterns() {
        let name = pattern.name;
        assert!(names.insert(name), "{name}: twice");
        assert!(
            !pattern.summary.ends_with('.') && pattern.summary.len() < 120,
            "{name}"
        );
        for text in [pattern.teaches, pattern.trade_offs] {
            let sentences = text.matches(". ").count() + 1;
            assert!(
                text.ends_with('.') && (2..=5).contains(&sentences),
                "{name}: {text}"
            );
        }
        assert!(pattern.tags.len() >= 3, "{name}");
        for tag in pattern.tags {
            assert_eq!(*tag, tag.to_lowercase(), "{name}");
        }
        // Patterns of a group are adjacent, and so are variants of one pattern.
        if before.is_none_or(|before| before.group != pattern.group) {
            assert!(groups.insert(pattern.group), "{name}: {}", pattern.group);
        }
        if let Some(first) = pattern.variant_of {
            let before = before.expect("a variant must not come first");
            assert!(
                before.name == first || before.variant_of == Some(first),
                "{name}"
            );
        }
        before = Some(pattern);
    }
}

#[test]
fn search_needs_every_word_and_ranks_the_best_first() {
    let names = |text: &str| search(text).iter().map(|p| p.name).collect::<Vec<_>>();
    assert_eq!(
        names(""),
        patterns().iter().map(|p| p.name).collect::<Vec<_>>()
    );
    assert_eq!(names("  LEADERBOARD "), ["leaderboard"]);
    assert_eq!(names("optimistic"), ["optimistic-locking"]);
    assert_eq!(names("iot lsi"), ["iot-device-log"]);
    // Tags first, then texts.
    let sharding = names("sharding");
    assert_eq!(sharding[..2], ["e-commerce-sharded", "leaderboard"]);
    assert!(names("leadingkeys").contains(&"tenant-table-iam"));
    assert_eq!(names("no such word"), [""; 0]);
    let ttl = names("ttl");
    let place = |name| ttl.iter().position(|other| *other == name).expect("found");
    assert!(
        place("session-store") < place("optimistic-locking"),
        "{ttl:?}"
    );
}
