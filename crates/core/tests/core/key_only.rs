//! Key-only attributes and natural keys: what items store, how keys are read back, what the linter and proofs say.

use keyfold_core::engine::key_reader::key_only_values;
use keyfold_core::engine::key_sources::{indexes_of, is_in_index, primary_attributes};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{Computed, Item, Work, generate, materialize_all, view};
use keyfold_core::import::samples;
use keyfold_core::lint::lint;
use keyfold_core::model::{Design, EntityId, IndexId, Value};
use keyfold_core::proof::{Outcome, Verdict, prove};
use keyfold_core::text::{lower, parse};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use keyfold_test_support::key_designs::{key_only, natural_keys};
use proptest::prelude::*;
use std::sync::Arc;

fn read(text: &str) -> Design {
    let lowered = lower(&parse(text), None);
    assert!(lowered.problems.is_empty(), "{:?}", lowered.problems);
    lowered.design
}

fn items(design: &Design, entity: &str) -> Vec<Item> {
    let id = design.entity_named(entity).expect("an entity");
    materialize_all(design)[&id].iter().collect()
}

/// The attributes of an item, `name=value`, sorted.
fn shown(item: &Item) -> String {
    let attribute = |(name, value): (&str, keyfold_core::engine::ValueRef)| {
        format!("{name}={}", value.to_text())
    };
    let all: Vec<String> = item.attributes().into_iter().map(attribute).collect();
    all.join(" ")
}

#[test]
fn items_lack_key_only_attributes_and_their_keys_have_the_values() {
    let design = key_only();
    let messages = items(&design, "Message");
    assert_eq!(
        shown(&messages[0]),
        "GSI1PK=AUTHOR#ada GSI1SK=2026-02-01T10:00:00Z#ada@test.test \
         PK=ROOM#r-01 SK=MSG#2026-02-01T10:00:00Z#0007#true author=ada text=Hi type=Message"
    );
    let first = &messages[0];
    assert_eq!(first.get("roomId"), None);
    assert!(!first.any(&|name, _| name == "roomId"));
    assert!(first.is_key_only("roomId") && !first.is_key_only("author"));
    assert_eq!(first.sample().values["roomId"], Value::from("r-01"));
    assert!(first.problems().is_empty());
    let size: usize = (first.attributes().iter())
        .map(|(name, value)| name.len() + value.size())
        .sum();
    assert_eq!(first.size(), size);
}

#[test]
fn key_only_values_are_parsed_back_from_the_keys() {
    let design = key_only();
    let message = design.entity_named("Message").expect("an entity");
    for item in items(&design, "Message") {
        let get = |name: &str| item.get(name).map(|value| value.to_value());
        let found = key_only_values(&design, &design.entities[&message], &get);
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        // `{email:lower}` is not the whole value.
        assert_eq!(names, ["number", "pinned", "roomId", "sentAt"]);
        for (name, value) in &found {
            assert_eq!(item.sample().values.get(name), Some(value), "{name}");
        }
    }
}

#[test]
fn conditions_see_what_is_stored() {
    let conditions = [
        ("= a", 0),
        ("!= b", 0),
        ("in (a, b)", 0),
        ("exists", 0),
        ("missing", 2),
    ];
    for (condition, expected) in conditions {
        let design = read(&format!(
            "design D\ntable table1 (PK)\ngsi GSI1 (GSI1PK)\nentity E\n  id string key-only\n  n string\n  \
             key {{id}}\n  index GSI1 X#{{n}} when id {condition}\n  | id | n |\n  | a | 1 |\n  | b | 2 |\n"
        ));
        let all: Vec<_> = materialize_all(&design).into_values().collect();
        let index = *design.indexes.keys().next().expect("an index");
        assert_eq!(
            view(&design, index, &all).rows.len(),
            expected,
            "{condition}"
        );
    }
}

#[test]
fn a_key_only_attribute_is_no_natural_key() {
    let design = read(
        "design D\ntable table1 (id)\ngsi ByMail (mail)\nentity E\n  id string key-only\n  mail string key-only\n  \
         | id | mail |\n  | a | m |\n",
    );
    let entity = design.entities.values().next().expect("an entity");
    assert_eq!(indexes_of(&design, entity).count(), 0);
    let index = *design.indexes.keys().next().expect("an index");
    assert!(!is_in_index(&design, entity, index));
    let item = &items(&design, "E")[0];
    assert!(!item.is_stored());
    assert_eq!(shown(item), "type=E");
    // Its name may be that of a key attribute which a template writes.
    let design = read(
        "design D\ntable table1 (id)\nentity E\n  id string key-only\n  key E#{id}\n  | id |\n  | a |\n",
    );
    let item = &items(&design, "E")[0];
    assert_eq!(
        (shown(item), item.problems()),
        ("id=E#a type=E".to_owned(), &[][..])
    );
}

#[test]
fn an_own_attribute_puts_an_entity_into_an_index() {
    let design = read(
        "design D\ntable table1 (id)\ngsi ByMail (mail)\nentity E\n  id string\n  mail string\n  \
         | id | mail |\n  | a | m |\nentity F\n  id string\n",
    );
    let index = *design.indexes.keys().next().expect("an index");
    let is_in = |name: &str| {
        let entity = design.entity_named(name).expect("an entity");
        is_in_index(&design, &design.entities[&entity], index)
    };
    assert!(is_in("E") && !is_in("F"));
}

#[test]
fn the_columns_of_a_view_have_key_only_attributes_where_all_is_projected() {
    let design = key_only();
    let all: Vec<_> = materialize_all(&design).into_values().collect();
    let columns = |index| -> Vec<String> {
        let view = view(&design, index, &all);
        view.columns
            .iter()
            .map(|column| column.name.clone())
            .collect()
    };
    let expected = "PK SK type GSI1PK GSI1SK topic roomId sentAt number pinned author email text level badgeId";
    let mut found = columns(IndexId::PRIMARY);
    let mut wanted: Vec<&str> = expected.split(' ').collect();
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}

#[test]
fn an_edit_between_stored_and_key_only_recomputes_the_items() {
    let mut design = key_only();
    let mut before = Arc::new(Computed::nothing());
    let message = design.entity_named("Message").expect("an entity");
    for key_only in [false, true, false] {
        let entity = Arc::make_mut(design.entities.get_mut(&message).expect("an entity"));
        for attribute in &mut entity.attributes {
            attribute.key_only = key_only && attribute.name == "sentAt";
        }
        let mut work = Work::new(before.clone(), design.clone(), Some(IndexId::PRIMARY));
        let after = loop {
            if let Some(done) = work.step() {
                break Arc::new(done);
            }
        };
        for item in after.items()[&message].iter() {
            assert_eq!(item.get("sentAt").is_none(), key_only);
        }
        before = after;
    }
}

#[test]
fn a_natural_key_needs_no_template() {
    let design = natural_keys();
    let payment = &design.entities[&design.entity_named("Payment").expect("an entity")];
    assert!(payment.keys.is_empty());
    assert_eq!(primary_attributes(&design, payment), ["AccountID", "SK"]);
    let indexes: Vec<&str> = indexes_of(&design, payment)
        .map(|(index, _)| design.index_name(index))
        .collect();
    assert_eq!(
        indexes,
        [
            design.index_name(IndexId::PRIMARY),
            "ByStatus",
            "ByAmount",
            "ByDueDate"
        ]
    );
    let payments = items(&design, "Payment");
    assert!(payments.iter().all(Item::is_stored));
    let all: Vec<_> = materialize_all(&design).into_values().collect();
    let rows = |name: &str| {
        let index = design.index_named(name).expect("an index");
        view(&design, index, &all).rows.len()
    };
    // A payment without a due date is not in these.
    assert_eq!(
        (rows("ByStatus"), rows("ByDueDate"), rows("ByAmount")),
        (2, 2, 3)
    );
}

#[test]
fn proofs_serve_natural_keys_and_key_only_attributes() {
    for (design, items) in [(natural_keys(), [3, 1]), (key_only(), [2, 0])] {
        let stored = TableSnapshot::of(&design);
        for ((id, pattern), expected) in design.access_patterns.iter().zip(items) {
            let proof = prove(&stored, *id).expect("a pattern");
            assert_eq!(
                proof.verdict,
                Verdict::Served,
                "{}: {:?}",
                pattern.name,
                proof.reasons
            );
            match proof.outcome {
                Outcome::Read(read) => assert_eq!(read.items.len(), expected, "{}", pattern.name),
                Outcome::Written(preview) => {
                    let after = preview.changes[0].after.as_ref().expect("an item");
                    assert!(!after.contains_key("roomId") && after.contains_key("text"));
                }
                Outcome::Nothing => panic!("{}", pattern.name),
            }
        }
    }
}

#[test]
fn an_update_leaves_a_key_stale_although_items_lack_what_it_is_made_of() {
    let mut design = key_only();
    let text = "design D\ntable chat (PK, SK)\npattern Rename\n  \
                UpdateItem ROOM#{roomId} / MSG#{sentAt}#{number:pad(4)}#{pinned}\n    update SET author = :to\n  \
                sample Message 1\n  parameter to = eve\n";
    let pattern = lower(&parse(text), None).design.access_patterns;
    design.access_patterns = pattern;
    let sample = design.samples_of(design.entity_named("Message").expect("one"))[0].id;
    let (id, pattern) = design.access_patterns.iter_mut().next().expect("one");
    Arc::make_mut(pattern).sample = Some(sample);
    let id = *id;
    let proof = prove(&TableSnapshot::of(&design), id).expect("a pattern");
    let Outcome::Written(preview) = proof.outcome else {
        panic!("{:?}", proof.reasons);
    };
    let stale = &preview.changes[0].stale;
    assert_eq!(stale.len(), 1, "{stale:?}");
    assert_eq!(stale[0].should_be, Some(Value::from("AUTHOR#eve")));
}

#[test]
fn imported_items_get_their_key_only_values_back() {
    for design in [key_only(), natural_keys()] {
        let mut empty = design.clone();
        empty.samples.clear();
        let mut number = 0;
        for (id, items) in materialize_all(&design) {
            for item in items.iter().filter(|item| {
                item.get("GSI1SK")
                    .is_none_or(|v| !v.to_text().contains('@'))
            }) {
                let json: serde_json::Map<_, _> = (item.attributes().into_iter())
                    .map(|(name, value)| (name.to_owned(), value.value().to_dynamodb_json()))
                    .collect();
                let text = serde_json::Value::Object(json).to_string();
                let imported = samples::read(&empty, &text, None).expect("an item");
                assert_eq!(
                    (imported.refused, imported.remarks),
                    (vec![], vec![]),
                    "{text}"
                );
                let [(entity, values)] = &imported.added[..] else {
                    panic!("{text}");
                };
                assert_eq!((*entity, values), (id, &item.sample().values));
                number += 1;
            }
        }
        assert!(number > 2);
    }
}

#[test]
fn generated_rows_have_values_of_key_only_attributes() {
    let mut design = key_only();
    design.samples.clear();
    let amount = |entity: &EntityId| generate::Amount {
        entity: *entity,
        count: 5,
        per: None,
    };
    let request = generate::Request {
        amounts: design.entities.keys().map(amount).collect(),
        ..generate::Request::default()
    };
    let rows = generate::generate(&design, &request).expect("rows").added;
    let message: EntityId = design.entity_named("Message").expect("an entity");
    let values = |name: &str| -> usize {
        let of = rows.iter().filter(|(id, _)| *id == message);
        of.filter(|(_, values)| values.contains_key(name)).count()
    };
    assert_eq!((values("roomId"), values("number")), (5, 5));
}

#[test]
fn the_fixtures_have_no_unexpected_findings() {
    let messages = |design: &Design| -> String {
        let findings = lint(design).findings;
        let lines = findings.iter().map(|f| format!("{} {}", f.code, f.message));
        lines.collect::<Vec<String>>().join("\n")
    };
    insta::assert_snapshot!([messages(&natural_keys()), messages(&key_only())].join("\n\n"));
}

proptest! {
    #![proptest_config(cases(200))]

    /// Each item is its sample with what the plan writes, without the key-only attributes.
    #[test]
    fn items_are_what_their_samples_store(design in any_design()) {
        for (id, items) in materialize_all(&design) {
            let entity = &design.entities[&id];
            for item in items.iter() {
                let all = item.to_map();
                for (name, value) in &all {
                    let found = item.get(name).map(|value| value.to_value());
                    prop_assert_eq!(found.as_ref(), Some(value));
                    prop_assert!(item.is_written(name) || !entity.is_key_only(name), "{}", name);
                }
                for name in item.sample().values.keys() {
                    let is_there = all.contains_key(name);
                    prop_assert_eq!(is_there, item.is_written(name) || !entity.is_key_only(name));
                }
                let size: usize = all.iter().map(|(name, value)| name.len() + value.size()).sum();
                prop_assert_eq!(item.size(), size);
            }
        }
    }
}
