//! Changes and costs of a write, and the index keys that it leaves stale.

use super::{condition, design, values};
use keyfold_core::engine::query::expression::{Binder, parse_update};
use keyfold_core::engine::query::{
    Attributes, Bound, EntryEffect, Preview, Rejection, TableSnapshot, Update, Write, stale_keys,
};
use keyfold_core::library::find;
use keyfold_core::model::{Design, IndexId, SortedMap, Value};

fn update(text: &str, parameters: &SortedMap<String, Value>) -> Bound<Update> {
    Binder::new(parameters)
        .update(&parse_update(text).unwrap())
        .unwrap()
}

/// For the table and each index: the name, the effect and the write units.
fn effects(design: &Design, preview: &Preview) -> Vec<(String, EntryEffect, f64)> {
    let entries = preview.changes.iter().flat_map(|change| &change.entries);
    let effect = |entry: &keyfold_core::engine::query::EntryChange| {
        (
            design.index_name(entry.index).to_owned(),
            entry.effect,
            entry.units,
        )
    };
    entries.map(effect).collect()
}

fn item(sort: &str, others: Attributes) -> Attributes {
    let mut item = values([("PK", "p".into()), ("SK", sort.into())]);
    item.extend(others);
    item
}

#[test]
fn an_index_costs_units_for_its_changes() {
    use EntryEffect::{Absent, Deleted, Moved, Put, Rewritten, Untouched};
    let stored = TableSnapshot::of(&design(vec![item(
        "s",
        values([
            ("LSK", "l".into()),
            ("GPK", "g".into()),
            ("GSK", "k".into()),
            ("small", 1.into()),
            ("big", Value::S("x".repeat(3000))),
        ]),
    )]));
    let given = values([("n", 2.into()), ("t", "t".into())]);
    let key = values([("PK", "p".into()), ("SK", "s".into())]);
    let run = |text: &str| {
        let write = Write::Update {
            key: key.clone(),
            update: update(text, &given),
            condition: None,
            entity: None,
        };
        let preview = stored.write(&write).unwrap();
        let effects = effects(stored.design(), &preview);
        let total: f64 = effects.iter().map(|(_, _, units)| units).sum();
        assert_eq!(total, preview.units);
        effects
            .into_iter()
            .map(|(_, effect, units)| (effect, units))
            .collect::<Vec<_>>()
    };
    // The table, the LSI with `small`, the GSI with keys only.
    assert_eq!(
        run("SET big = :t"),
        [(Rewritten, 3.0), (Untouched, 0.0), (Untouched, 0.0)]
    );
    assert_eq!(
        run("SET small = :n"),
        [(Rewritten, 3.0), (Rewritten, 1.0), (Untouched, 0.0)]
    );
    assert_eq!(
        run("SET GSK = :t"),
        [(Rewritten, 3.0), (Untouched, 0.0), (Moved, 2.0)]
    );
    assert_eq!(
        run("REMOVE LSK, GPK"),
        [(Rewritten, 3.0), (Deleted, 1.0), (Deleted, 1.0)]
    );
    let put = Write::Put {
        item: item("new", values([("LSK", "l".into())])),
        condition: None,
    };
    let preview = stored.write(&put).unwrap();
    let effects = effects(stored.design(), &preview);
    let effects: Vec<_> = effects
        .into_iter()
        .map(|(_, effect, units)| (effect, units))
        .collect();
    assert_eq!(effects, [(Put, 1.0), (Put, 1.0), (Absent, 0.0)]);
    assert_eq!(preview.changes[0].before, None);
    // A transaction doubles the table's units.
    assert_eq!(stored.transact_write(&[put]).unwrap().units, 3.0);
    let delete = Write::Delete {
        key: key.clone(),
        condition: None,
    };
    let preview = stored.write(&delete).unwrap();
    assert_eq!((preview.units, &preview.changes[0].after), (5.0, &None));
}

#[test]
fn a_condition_tests_the_existing_item() {
    let stored = TableSnapshot::of(&design(vec![item("s", values([("version", 1.into())]))]));
    let given = values([("one", 1.into()), ("two", 2.into())]);
    let write = |sort: &str, text: &str| Write::Update {
        key: values([("PK", "p".into()), ("SK", sort.into())]),
        update: update("SET version = :two", &given),
        condition: Some(condition(text, &given)),
        entity: None,
    };
    assert!(stored.write(&write("s", "version = :one")).is_ok());
    assert_eq!(
        stored.write(&write("s", "version = :two")),
        Err(Rejection::ConditionFailed)
    );
    // For a missing item only the condition of its absence holds.
    assert!(
        stored
            .write(&write("none", "attribute_not_exists(PK)"))
            .is_ok()
    );
    assert_eq!(
        stored.write(&write("none", "version = :one")),
        Err(Rejection::ConditionFailed)
    );
    let made = stored
        .write(&write("none", "attribute_not_exists(PK)"))
        .unwrap();
    let after = made.changes[0].after.clone().unwrap();
    assert_eq!(after, item("none", values([("version", 2.into())])));
    let all = [
        write("s", "version = :two"),
        write("none", "attribute_not_exists(PK)"),
    ];
    assert_eq!(
        stored.transact_write(&all),
        Err(Rejection::Canceled(vec![
            Some(Rejection::ConditionFailed),
            None
        ]))
    );
}

/// The stale keys after an update of an entity of a library design, as index and key attribute.
fn stale(pattern: &str, entity: &str, text: &str) -> Vec<String> {
    let design = find(pattern).unwrap().design().unwrap();
    let entity = design.entity_named(entity).unwrap();
    let update = parse_update(text).unwrap();
    let stale = stale_keys(&design, entity, &update);
    let describe = |stale: &keyfold_core::engine::query::Stale| {
        let index = design.index_name(stale.index);
        format!(
            "{index} {}: {} by {}",
            stale.attribute,
            stale.template,
            stale.changed.join(", ")
        )
    };
    stale.iter().map(describe).collect()
}

#[test]
fn an_update_without_the_index_key_leaves_it_stale() {
    assert_eq!(
        stale("saas-orders", "Order", "SET #status = :shipped"),
        ["GSI1 GSI1PK: STATUS#{status} by status"]
    );
    assert_eq!(
        stale(
            "saas-orders",
            "Order",
            "SET #status = :shipped, GSI1PK = :key"
        ),
        [""; 0]
    );
    assert_eq!(stale("saas-orders", "Order", "SET total = :total"), [""; 0]);
    // Conditions count: with another status the order leaves the index.
    assert_eq!(
        stale("e-commerce", "Order", "SET #status = :shipped"),
        [
            "GSI1 GSI1PK: STATUS#{status} by status",
            "GSI1 GSI1SK: {createdAt} by status"
        ]
    );
    assert_eq!(
        stale(
            "e-commerce",
            "Order",
            "SET #status = :s REMOVE GSI1PK, GSI1SK"
        ),
        [""; 0]
    );
    // The primary key too, which no update can fix.
    assert_eq!(
        stale("e-commerce", "Order", "SET orderId = :id"),
        ["Table SK: ORDER#{orderId} by orderId"]
    );
}

#[test]
fn a_preview_shows_stale_keys_by_their_values() {
    let design = find("e-commerce").unwrap().design().unwrap();
    let stored = TableSnapshot::of(&design);
    let pending = stored
        .scan(&keyfold_core::engine::query::Scan::new(
            design.index_named("GSI1").unwrap(),
        ))
        .unwrap();
    let order = pending
        .items
        .iter()
        .find(|item| item.get("orderId").is_some())
        .unwrap();
    let run = |status: &str| {
        let write = Write::Update {
            key: stored.key_of(IndexId::PRIMARY, order),
            update: update("SET #status = :s", &values([("s", status.into())])),
            condition: None,
            entity: None,
        };
        stored.write(&write).unwrap().changes.remove(0).stale
    };
    let stale = run("SHIPPED");
    let found: Vec<_> = stale
        .iter()
        .map(|stale| {
            (
                stale.attribute.as_str(),
                stale.is.is_some(),
                &stale.should_be,
            )
        })
        .collect();
    assert_eq!(found, [("GSI1PK", true, &None), ("GSI1SK", true, &None)]);
    // Setting the same status again changes nothing.
    assert_eq!(run("PENDING"), []);
}
