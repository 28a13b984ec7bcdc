//! The library's designs in the engine: it accepts the item of every sample, and each item collection of the table and of
//! every index has the items, attributes and order that our view shows.

use crate::dynamo::{Db, create_table};
use crate::ours::wire;
use crate::templates::check_description;
use keyfold_app::stress;
use keyfold_core::engine::{IndexContent, Item, View, materialize_all, view};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::library;
use keyfold_core::model::{Design, IndexId};
use keyfold_test_support::key_designs::{key_only, natural_keys};
use serde_json::Value;

fn views(design: &Design) -> Vec<View> {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    (design.index_ids())
        .map(|index| view(design, index, &items))
        .collect()
}

/// An item as the engine returns it, with the attributes in the index.
fn shown(content: &IndexContent, item: &Item) -> Value {
    let mut shown = item.to_map();
    shown.retain(|name, _| content.shows(name));
    wire(&shown)
}

/// Creates the design's table in the engine, puts all items, and compares every item collection with our view.
pub fn check(name: &str, design: &Design) {
    let db = create_table(&cloudformation(design).text);
    check_description(name, design, &db);
    let views = views(design);
    let table = &views[0];
    assert!(table.failed.is_empty(), "{name}: {:#?}", table.failed);
    let whole = table.content.as_ref().unwrap();
    for row in table.rows.iter() {
        assert!(!row.collides, "{name}: {:?}", shown(whole, &row.item));
        db.put(&shown(whole, &row.item));
    }
    for view in &views {
        check_view(name, design, &db, view);
    }
}

fn check_view(name: &str, design: &Design, db: &Db, view: &View) {
    let index = (view.index != IndexId::PRIMARY).then(|| design.index_name(view.index));
    let content = view.content.as_ref().unwrap();
    let partition = &content.key().partition;
    assert_eq!(
        db.scan(index).len(),
        view.rows.len(),
        "{name}, {index:?}: items"
    );
    for group in &view.groups {
        let values: Vec<(&str, Value)> = (partition.iter().zip(view.partition(group)))
            .map(|(key, value)| (key.name.as_str(), value.to_dynamodb_json()))
            .collect();
        let found = db.query_all(index, &values);
        let ours: Vec<Value> = (group.rows.clone().filter_map(|at| view.rows.get(at)))
            .map(|row| shown(content, &row.item))
            .collect();
        // Equal index keys have no defined order: adjacent ones are compared as a set.
        let sort_key = |item: &Value| {
            let names = content.key().sort.iter();
            names
                .map(|key| item[&key.name].to_string())
                .collect::<Vec<_>>()
        };
        let keys = |items: &[Value]| items.iter().map(sort_key).collect::<Vec<_>>();
        assert_eq!(
            keys(&found),
            keys(&ours),
            "{name}, {index:?}, {values:?}: order"
        );
        let sorted = |items: Vec<Value>| {
            let mut texts: Vec<String> = items.iter().map(Value::to_string).collect();
            texts.sort();
            texts
        };
        assert_eq!(
            sorted(found),
            sorted(ours),
            "{name}, {index:?}, {values:?}: items"
        );
    }
}

#[test]
fn natural_keys_and_key_only_attributes_are_stored_as_we_show_them() {
    check("natural keys", &natural_keys());
    check("key-only", &key_only());
}

#[test]
fn library_items_are_accepted_and_return_in_our_order() {
    for pattern in library::patterns() {
        check(pattern.name, &pattern.design().unwrap());
    }
}

#[test]
fn benchmark_items_are_accepted_and_return_in_our_order() {
    check("stress", &stress::design(30));
}
