//! The change plan: when items are written again, what is taken from them, and what cannot be lowered.

use super::change_plan::{ORDERS, check, edit_table, items, plan, template, written};
use keyfold_core::export::change_plan::{
    ChangePlan, DataKind, StepKind, Version, change_plan, text,
};
use keyfold_core::model::*;
use std::sync::Arc;

/// The kinds of changes outside the steps, each with its attributes.
fn changes(plan: &ChangePlan) -> Vec<(DataKind, Vec<&str>)> {
    let all = plan.data.iter().map(|change| {
        let names = change.attributes.iter();
        (
            change.kind,
            names.map(|one| one.attribute.as_str()).collect(),
        )
    });
    all.collect()
}

/// DynamoDB refuses values of another type than that of an index: the items are written when the old index is gone and before
/// the new one is there.
#[test]
fn items_get_their_new_type_while_no_index_has_the_attribute() {
    let old = written(ORDERS);
    let natural = ORDERS
        .replace("score N", "score")
        .replace("score number", "score string");
    let by_template = ORDERS
        .replace("(GSI1PK, GSI1SK)", "(GSI1PK, GSI1SK N)")
        .replace("/ {orderId} when", "/ {score} when");
    for (new, attribute) in [(natural, "score"), (by_template, "GSI1SK")] {
        let new = written(&new);
        for old in [Version::of_design(old.clone()), template(&old, false)] {
            let plan = change_plan(&old, &Version::of_design(new.clone()));
            check(&old.design, &new, &plan);
            let kinds: Vec<_> = plan.steps.iter().map(|step| &step.kind).collect();
            let [StepKind::DeleteIndex(gone), StepKind::CreateIndex(new)] = kinds[..] else {
                panic!("{kinds:?}");
            };
            assert_eq!(gone, new);
            assert!(plan.steps[0].first.is_empty());
            let first = &plan.steps[1].first;
            assert_eq!(first.len(), 1, "{first:?}");
            assert_eq!(first[0].kind, DataKind::Retype);
            assert_eq!(first[0].attributes[0].attribute, attribute);
            assert!(plan.data.is_empty(), "{:?}", plan.data);
        }
    }
}

/// An index that reads the attribute under another name waits for the items, too, and says so once.
#[test]
fn a_new_index_on_a_new_type_waits_for_the_items() {
    let old = written(ORDERS);
    let new = ORDERS
        .replace(
            "gsi byScore (customerId, score N)",
            "gsi byPoints (score, orderId)\ngsi byRank (status, score)",
        )
        .replace("score number", "score string")
        .replace("  index byScore\n", "");
    insta::assert_snapshot!(items(&old, &written(&new)));
}

/// The keys of an index that is deleted stay on the items, until they are removed.
#[test]
fn keys_of_a_deleted_index_are_cleaned_up() {
    let old = written(ORDERS);
    let entry = "  index GSI1 STATUS#{status} / {orderId} when status = OPEN\n";
    let gone = ORDERS
        .replace("gsi GSI1 (GSI1PK, GSI1SK)\n", "")
        .replace(entry, "");
    let without = plan(&old, &written(&gone));
    assert_eq!(
        changes(&without),
        [(DataKind::Unused, vec!["GSI1PK", "GSI1SK"])]
    );
    let said = text(&without).text;
    let wanted = "Order: remove these attributes, which nothing writes anymore:";
    assert!(said.contains(wanted), "{said}");
    // Another index writes one of them: it stays.
    let other = ORDERS.replace(
        "gsi GSI1 (GSI1PK, GSI1SK)\n",
        "gsi GSI2 (GSI1PK, orderId)\n",
    );
    let other = other.replace(entry, "  index GSI2 STATUS#{status} when status = OPEN\n");
    assert_eq!(
        changes(&plan(&old, &written(&other))),
        [(DataKind::Unused, vec!["GSI1SK"])]
    );
}

/// Items stay in an index through the value of an attribute that their entity no longer has.
#[test]
fn a_natural_key_that_an_entity_loses_is_removed_from_its_items() {
    let old = written(ORDERS);
    let mut new = old.clone();
    for entity in new.entities.values_mut() {
        let entity = Arc::make_mut(entity);
        entity
            .attributes
            .retain(|attribute| attribute.name != "score");
    }
    let without = plan(&old, &new);
    assert_eq!(changes(&without), [(DataKind::Remove, vec!["score"])]);
    let said = text(&without).text;
    assert!(
        said.contains("or the items stay in the index (byScore):\n      score\n"),
        "{said}"
    );
    // Items without the other key attribute were never in the index.
    let not_in = old.clone();
    let lacks = |design: &Design| {
        let mut design = design.clone();
        for entity in design.entities.values_mut() {
            let entity = Arc::make_mut(entity);
            entity
                .attributes
                .retain(|attribute| attribute.name != "status");
            for (_, entry) in entity.keys.iter_mut() {
                entry.when.clear();
                entry.partition = entry
                    .partition
                    .take()
                    .map(|text| text.replace("#{status}", ""));
            }
        }
        let index = Index::new(
            "byStatus",
            IndexKind::Gsi,
            KeySchema::pair("status", "score"),
        );
        let id = IndexId(design.take_id());
        design.indexes.insert(id, Arc::new(index));
        design
    };
    let (was, is) = (lacks(&not_in), lacks(&new));
    let indexes: Vec<_> = (plan(&was, &is).data.into_iter())
        .map(|change| change.index)
        .collect();
    assert_eq!(indexes, [Some("byScore".to_owned())]);
}

/// `{id}` in the key attribute `id` is what items have there anyway.
#[test]
fn a_natural_key_that_is_written_out_is_no_change() {
    let natural = "design Users

table users (id)

entity User
  id string
  name string
";
    let out = format!("{natural}  key {{id}}\n");
    let (natural, out) = (written(natural), written(&out));
    for (old, new) in [(&natural, &out), (&out, &natural)] {
        assert_eq!(items(old, new), "No changes.\n");
    }
    // Another value than the item's own one moves the item, in both directions.
    let mut other = out.clone();
    for entity in other.entities.values_mut() {
        let (_, entry) = Arc::make_mut(entity).keys.iter_mut().next().unwrap();
        entry.partition = Some("USER#{id}".into());
    }
    for (old, new) in [(&natural, &other), (&other, &natural), (&other, &out)] {
        assert_eq!(changes(&plan(old, new)), [(DataKind::Move, vec!["id"])]);
    }
}

/// Warm throughput only grows: the steps keep what there is.
#[test]
fn warm_throughput_is_never_lowered() {
    let warm = |read, write| Some(WarmThroughput { read, write });
    let with = |table, index| {
        let mut design = written(ORDERS);
        edit_table(&mut design).warm_throughput = table;
        let (_, first) = design.indexes.iter_mut().next().unwrap();
        Arc::make_mut(first).warm_throughput = index;
        design
    };
    let old = with(warm(Some(20_000), Some(8_000)), warm(Some(15_000), None));
    let removed = with(None, None);
    let none = plan(&old, &removed);
    check(&old, &removed, &none);
    assert!(none.is_empty(), "{none:?}");
    // One value grows, the other is lower.
    let mixed = with(warm(Some(30_000), Some(5_000)), warm(Some(15_000), None));
    let some = plan(&old, &mixed);
    check(&old, &mixed, &some);
    let [step] = &some.steps[..] else {
        panic!("{some:?}");
    };
    let kept = step.design.table.warm_throughput;
    assert_eq!(kept, warm(Some(30_000), Some(8_000)));
    insta::assert_snapshot!([text(&none).text, text(&some).text].join("\n"));
}
