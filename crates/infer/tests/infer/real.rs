//! Tables like those that people publish.

use super::support::*;
use keyfold_core::engine::key_reader::key_only_values;
use keyfold_core::engine::materialize_all;
use keyfold_core::model::{Design, EntityId, Format, Index, IndexKind, KeySchema, Sample};
use keyfold_infer::Item;

fn item_of(design: &Design, entity: EntityId, sample: &Sample) -> Item {
    let items = materialize_all(design);
    let mut items = items[&entity].iter();
    let item = items.find(|item| item.id() == sample.id);
    item.expect("an item").to_map()
}

#[test]
fn ids_that_only_keys_have_are_named_after_the_literal_before_them() {
    let items = [
        item(&[("PK", "USER#u1"), ("SK", "PROFILE"), ("name", "Ada")]),
        item(&[("PK", "USER#u2"), ("SK", "PROFILE"), ("name", "Bob")]),
        item(&[
            ("PK", "USER#u1"),
            ("SK", "ORDER#2026-03-01#o1"),
            ("total", "5"),
        ]),
        item(&[
            ("PK", "USER#u2"),
            ("SK", "ORDER#2026-03-02#o2"),
            ("total", "7"),
        ]),
    ];
    let schema = table("PK", "SK");
    let found = infer_all(&schema, &items);
    assert_eq!(
        lines_found(&found),
        [
            "Order 0: USER#{userId} | ORDER#{orderDate}#{orderId}",
            "Profile 0: USER#{userId} | PROFILE",
        ]
    );
    let user = &found.entities[0].attributes[0];
    assert!(user.key_only && user.name == "userId");
    let design = design_of(&schema, &found);
    for (id, entity) in &design.entities {
        for sample in design.samples_of(*id) {
            // The keys hold what items do not store.
            let key_only = entity
                .attributes
                .iter()
                .filter(|attribute| attribute.key_only);
            let get = |name: &str| item_of(&design, *id, sample).remove(name);
            let read = key_only_values(&design, entity, &get);
            for attribute in key_only {
                assert_eq!(
                    read.get(&attribute.name),
                    sample.values.get(&attribute.name)
                );
            }
        }
    }
    let reference = |entity: &str| {
        let id = design.entity_named(entity).expect("an entity");
        design.entities[&id]
            .attribute("userId")
            .expect("an attribute")
            .format
            .clone()
    };
    let profile = design.entity_named("Profile").expect("an entity");
    assert!(
        matches!(reference("Order"), Some(Format::Reference { entity, attribute, .. }) if entity == profile && attribute == "userId")
    );
    assert!(!matches!(
        reference("Profile"),
        Some(Format::Reference { .. })
    ));
}

#[test]
fn a_key_attribute_that_is_data_needs_no_template() {
    let items = [
        item(&[
            ("AccountID", "a1"),
            ("OriginCountry", "Sweden"),
            ("State", "paid"),
        ]),
        item(&[
            ("AccountID", "a2"),
            ("OriginCountry", "Norway"),
            ("State", "open"),
        ]),
    ];
    let found = infer_all(&table("AccountID", "OriginCountry"), &items);
    assert_eq!(lines_found(&found), ["Account 0: - | -"]);
}

#[test]
fn a_key_composed_of_attributes_has_a_template_whatever_its_name() {
    let items = [
        item(&[
            ("DeviceID", "d#1"),
            ("State#Date", "WARNING1#2020-04-24T14:40:00"),
            ("State", "WARNING1"),
            ("Date", "2020-04-24T14:40:00"),
        ]),
        item(&[
            ("DeviceID", "d#2"),
            ("State#Date", "NORMAL#2020-04-24T14:55:00"),
            ("State", "NORMAL"),
            ("Date", "2020-04-24T14:55:00"),
        ]),
    ];
    let found = infer_all(&table("DeviceID", "State#Date"), &items);
    assert_eq!(lines_found(&found), ["Device 0: - | {State}#{Date}"]);
}

#[test]
fn items_of_a_social_network_without_attributes_are_told_apart_by_their_words() {
    let mut items = Vec::new();
    for (user, other) in [("1", "2"), ("1", "3"), ("2", "1")] {
        for kind in ["follower", "following"] {
            items.push(item(&[
                ("PK", &format!("u#{user}#{kind}")),
                ("SK", &format!("u#{other}")),
            ]));
        }
    }
    let found = infer_all(&table("PK", "SK"), &items);
    assert_eq!(
        lines_found(&found),
        [
            "Follower 0: u#{uId}#follower | u#{uId2}",
            "Following 0: u#{uId}#following | u#{uId2}",
        ]
    );
}

#[test]
fn an_item_that_no_template_explains_is_kept_and_reported() {
    let mut items: Vec<Item> = (0..20)
        .map(|n| {
            item(&[
                ("PK", &format!("USER#u{n}")),
                ("SK", "PROFILE"),
                ("userId", &format!("u{n}")),
            ])
        })
        .collect();
    items.push(item(&[("PK", ""), ("SK", "")]));
    let found = infer_all(&table("PK", "SK"), &items);
    let rest: Vec<_> = found
        .entities
        .iter()
        .filter(|entity| entity.is_rest)
        .collect();
    assert_eq!(rest.len(), 1, "{:?}", lines_found(&found));
    assert_eq!(rest[0].items, [20]);
}

#[test]
fn two_ids_that_agree_with_a_shard_by_chance_are_ids() {
    let items = [("u3", "o1"), ("u2", "o2")].map(|(user, order)| {
        item(&[
            ("PK", &format!("USER#{user}")),
            ("SK", &format!("ORDER#{order}")),
            ("total", "5"),
        ])
    });
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        ["Order 0: USER#{userId} | ORDER#{orderId}"]
    );
}

#[test]
fn an_attribute_after_the_last_separator_of_a_part_is_found() {
    let items: Vec<Item> = (0..6)
        .map(|n| {
            let (employee, office) = (format!("e{n}"), format!("o{}", n % 2));
            item(&[
                ("PK", &format!("$taskapp#office_{office}")),
                (
                    "SK",
                    &format!("$workplaces#employees_1#employee_{employee}"),
                ),
                ("employee", &employee),
                ("office", &office),
                ("__edb_e__", "employees"),
            ])
        })
        .collect();
    assert_eq!(
        shown(&table("PK", "SK"), &items),
        ["employees 0: $taskapp#office_{office} | $workplaces#employees_1#employee_{employee}"]
    );
}

#[test]
fn a_rest_of_several_forms_is_one_entity() {
    let mut items: Vec<Item> = (0..9)
        .map(|n| {
            item(&[
                ("PK", &format!("USER#u{n}")),
                ("SK", "PROFILE"),
                ("name", "x"),
            ])
        })
        .collect();
    for (pk, sk) in [("4$%", "*"), ("", "PROFILE"), ("", ""), ("{<x>", "?")] {
        items.push(item(&[("PK", pk), ("SK", sk), ("note", "x")]));
    }
    let found = infer_all(&table("PK", "SK"), &items);
    let rest: Vec<(&str, usize)> = (found.entities.iter())
        .filter(|entity| entity.is_rest)
        .map(|entity| (entity.name.as_str(), entity.samples.len()))
        .collect();
    assert_eq!(rest.len(), 1, "{:?}", lines_found(&found));
    assert_eq!(rest[0].0, "Other");
}

#[test]
fn items_with_an_odd_index_key_keep_the_templates_of_their_primary_key() {
    let mut schema = table("PK", "SK");
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "SK"));
    schema.indexes.push(index);
    let mut items: Vec<Item> = (0..30)
        .map(|n| {
            let key = format!("TOPIC#t{n}");
            let of_index = if n < 24 { key.clone() } else { format!("?{n}") };
            item(&[
                ("PK", &key),
                ("SK", "TOPIC"),
                ("topicId", &format!("t{n}")),
                ("GSI1PK", &of_index),
            ])
        })
        .collect();
    // What has no templates takes no other items.
    items.extend(["*", "4$%"].map(|pk| item(&[("PK", pk), ("SK", "?")])));
    let found = infer_all(&schema, &items);
    let counts: Vec<(&str, u64)> = (found.entities.iter())
        .map(|entity| (entity.name.as_str(), entity.count))
        .collect();
    assert_eq!(counts, [("Topic", 24), ("Topic 2", 6), ("Other", 2)]);
    let rule = |attribute: &str| {
        let mut rules = found.entities[0].rules.iter();
        rules
            .find(|rule| rule.attribute == attribute)
            .expect("a rule")
    };
    let of_index = rule("GSI1PK");
    assert_eq!((of_index.explained, of_index.unexplained), (24, 6));
    assert_eq!(of_index.examples, [24, 25, 26]);
    assert_eq!(found.item(&schema, 25).as_ref(), Some(&items[25]));
    assert_eq!(rule("PK").unexplained, 0);
}

/// A task for each number, in an index or not, with what `more` adds to those in the index and to the others.
fn tasks(inside: usize, more: [&[(&str, &str)]; 2]) -> Vec<Item> {
    let one = |n: usize| {
        let (pk, user) = (format!("TASK#t{n}"), format!("ann{}", n % 3));
        let of_index = format!("USER#{user}");
        let mut pairs = vec![("PK", pk.as_str()), ("SK", "TASK"), ("assignee", &user)];
        if n < inside {
            pairs.push(("GSI1PK", &of_index));
        }
        pairs.extend(more[usize::from(n >= inside)]);
        item(&pairs)
    };
    (0..12).map(one).collect()
}

#[test]
fn a_condition_is_an_attribute_that_others_lack_and_not_its_only_value() {
    let mut schema = table("PK", "SK");
    let mut key = KeySchema::pair("GSI1PK", "SK");
    key.sort.clear();
    schema.indexes.push(Index::new("GSI1", IndexKind::Gsi, key));
    for (inside, more, wanted) in [
        (2, [&[("openedAt", "2026-03-01")][..], &[]], "Exists"),
        (2, [&[("escalatedTo", "bob")], &[]], "Exists"),
        (4, [&[("state", "OPEN")], &[]], "Equals(S(\"OPEN\"))"),
        (
            2,
            [&[("state", "OPEN")], &[("state", "PAID")]],
            "Equals(S(\"OPEN\"))",
        ),
    ] {
        let lines = shown(&schema, &tasks(inside, more));
        assert!(
            lines[1].starts_with("Task 1: USER#{assignee} | - if ") && lines[1].ends_with(wanted),
            "{wanted}: {lines:?}"
        );
    }
    // The only number of two items explains nothing: the items keep their keys.
    let lines = shown(&schema, &tasks(2, [&[("size", "5")], &[("size", "7")]]));
    assert_eq!(lines[1], "Task 1: - | -");
}

#[test]
fn items_of_a_type_that_its_templates_do_not_explain_are_listed() {
    let mut items: Vec<Item> = (0..9)
        .map(|n| {
            item(&[
                ("PK", &format!("USER#u{n}")),
                ("SK", "PROFILE"),
                ("type", "User"),
            ])
        })
        .collect();
    items.push(item(&[("PK", "*"), ("SK", "?"), ("type", "User")]));
    let found = infer_all(&table("PK", "SK"), &items);
    let rule = &found.entities[0].rules[0];
    assert_eq!(
        (rule.explained, rule.unexplained),
        (9, 1),
        "{:?}",
        lines_found(&found)
    );
    assert_eq!(rule.examples, [9]);
}

#[test]
fn a_sort_key_that_is_an_id_is_found_again_in_an_index() {
    let mut schema = table("PK", "SK");
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    schema.indexes.push(index);
    let items: Vec<Item> = (0..4)
        .map(|n| {
            let (tenant, doc, folder) = (
                format!("TENANT#t{n}#DOC"),
                format!("d{n}"),
                format!("FOLDER#f{}", n % 2),
            );
            item(&[
                ("PK", &tenant),
                ("SK", &doc),
                ("GSI1PK", &folder),
                ("GSI1SK", &format!("A {n}#{doc}")),
                ("title", &format!("A {n}")),
            ])
        })
        .collect();
    assert_eq!(
        shown(&schema, &items),
        [
            "Doc 0: TENANT#{tenantId}#DOC | {docId}",
            "Doc 1: FOLDER#{folderId} | {title}#{docId}",
        ]
    );
}

#[test]
fn an_index_repeats_parts_of_the_primary_key_in_few_items_too() {
    let mut schema = table("PK", "SK");
    let index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
    schema.indexes.push(index);
    let items = [("ASSIGNED", "offer1"), ("REDEEMED", "offer2")].map(|(state, offer)| {
        item(&[
            ("PK", "ACCT#acct1"),
            ("SK", &format!("STATE#{state}#{offer}")),
            ("GSI1PK", &format!("OFFER#{offer}")),
            ("GSI1SK", &format!("{state}#acct1")),
            ("OfferId", offer),
        ])
    });
    assert_eq!(
        shown(&schema, &items),
        [
            "State 0: ACCT#{acctId} | STATE#{state}#{OfferId}",
            "State 1: OFFER#{OfferId} | {state}#{acctId}",
        ]
    );
}
