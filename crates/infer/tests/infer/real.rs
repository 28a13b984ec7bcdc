//! Tables like those that people publish.

use super::support::*;
use keyfold_core::engine::key_reader::key_only_values;
use keyfold_core::engine::materialize_all;
use keyfold_core::model::{Design, EntityId, Format, KeySchema, Sample, Value};
use keyfold_infer::{Item, Schema};

fn item(pairs: &[(&str, &str)]) -> Item {
    pairs
        .iter()
        .map(|(name, text)| ((*name).to_owned(), Value::from(*text)))
        .collect()
}

fn item_of(design: &Design, entity: EntityId, sample: &Sample) -> Item {
    let items = materialize_all(design);
    let mut items = items[&entity].iter();
    let item = items.find(|item| item.id() == sample.id);
    item.expect("an item").to_map()
}

fn table(partition: &str, sort: &str) -> Schema {
    Schema {
        table: "table".into(),
        key: KeySchema::pair(partition, sort),
        indexes: Vec::new(),
    }
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
