//! Runs the exported AWS CLI requests in the engine: `create-table` creates the designed table, and the
//! BatchWriteItem files fill it with the items that the app shows.

use crate::dynamo::{Db, create_table_by};
use crate::ours::wire;
use crate::templates::check_description;
use keyfold_core::engine::materialize_all;
use keyfold_core::export::File;
use keyfold_core::export::batch_write::batch_write;
use keyfold_core::export::create_table::create_table;
use keyfold_core::library;
use keyfold_core::model::{
    Design, EntityId, Sample, SampleId, SortedMap, Value as ItemValue, limits,
};
use keyfold_core::slices::finish;
use keyfold_test_support::template_designs;
use serde_json::Value;
use std::sync::Arc;

fn file(files: &[File], name: &str) -> Option<Value> {
    let file = files.iter().find(|file| file.name == name)?;
    Some(serde_json::from_str(&file.code.text).expect("JSON"))
}

/// The table created from the exported requests.
fn created(design: &Design) -> Db {
    let files = create_table(design);
    let request = file(&files, "create-table.json").expect("the request");
    let ttl = file(&files, "update-time-to-live.json");
    let ttl = ttl.map(|ttl| {
        assert_eq!(ttl["TableName"], *design.table.name);
        ttl["TimeToLiveSpecification"].clone()
    });
    create_table_by(request, ttl).unwrap_or_else(|error| panic!("{}: {error}", design.name))
}

/// The items that the table holds: the last one of each key.
fn expected(design: &Design) -> Vec<String> {
    let mut items = SortedMap::new();
    let table = keyfold_core::engine::view(
        design,
        keyfold_core::model::IndexId::PRIMARY,
        &materialize_all(design).into_values().collect::<Vec<_>>(),
    );
    for row in table.rows.iter() {
        let item = wire(&row.item.to_map());
        let keys = design.table.key.attributes();
        let key: Vec<String> = keys.map(|key| item[&key.name].to_string()).collect();
        items.insert(key, item.to_string());
    }
    let mut items: Vec<String> = items.into_values().collect();
    items.sort();
    items
}

fn filled(name: &str, design: &Design) -> usize {
    let db = created(design);
    check_description(name, design, &db);
    let files = finish(batch_write(design));
    for file in &files {
        // Without items there is no request.
        if file.code.text.is_empty() {
            continue;
        }
        let requests: Value = serde_json::from_str(&file.code.text).expect("JSON");
        let puts = requests[&design.table.name].as_array().map_or(0, Vec::len);
        let is_allowed = (1..=limits::BATCH_WRITE_ITEMS).contains(&puts);
        assert!(is_allowed, "{name}: {}", file.name);
        db.batch_write(&requests);
    }
    let mut found: Vec<String> = db.scan(None).iter().map(Value::to_string).collect();
    found.sort();
    assert_eq!(found, expected(design), "{name}");
    files.len()
}

#[test]
fn the_requests_create_and_fill_the_designed_table() {
    for pattern in library::patterns() {
        filled(pattern.name, &pattern.design().unwrap());
    }
    for (name, design) in template_designs::all() {
        filled(name, &design);
    }
}

/// 60 items, two of them with the same key, and one of the maximum size.
#[test]
fn many_items_need_several_requests() {
    let mut design = library::find("saas-hierarchy").unwrap().design().unwrap();
    let id: EntityId = design.entity_named("Project").unwrap();
    design.samples.clear();
    let sample = |number: u32, title: &str| {
        let project = format!("proj-{:03}", if number == 60 { 59 } else { number });
        let values = [
            ("tenantId", "acme"),
            ("projectId", &project),
            ("title", title),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), ItemValue::S(value.to_owned())));
        Arc::new(Sample {
            id: SampleId(1000 + number),
            values: values.into(),
        })
    };
    let large = "x".repeat(limits::ITEM_BYTES - 200);
    let samples = (1..=60).map(|number| sample(number, if number == 7 { &large } else { "Title" }));
    design.samples.insert(id, Arc::new(samples.collect()));
    assert_eq!(filled("many", &design), 3);
    let names: Vec<String> = finish(batch_write(&design))
        .into_iter()
        .map(|file| file.name)
        .collect();
    assert_eq!(
        names,
        [
            "batch-write-1.json",
            "batch-write-2.json",
            "batch-write-3.json"
        ]
    );
}

/// Small numbers take several times their size in a request: 16 MB are full before 25 items.
#[test]
fn large_items_need_more_requests() {
    let mut design = library::find("saas-hierarchy").unwrap().design().unwrap();
    let id: EntityId = design.entity_named("Project").unwrap();
    design.samples.clear();
    let numbers = ItemValue::L(vec![ItemValue::from(1); 130_000]);
    let sample = |number: u32| {
        let text = |text: &str| ItemValue::S(text.to_owned());
        let values = [
            ("tenantId", text("acme")),
            ("projectId", text(&number.to_string())),
            ("numbers", numbers.clone()),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value));
        Arc::new(Sample {
            id: SampleId(1000 + number),
            values: values.into(),
        })
    };
    design
        .samples
        .insert(id, Arc::new((1..=16).map(sample).collect()));
    let files = finish(batch_write(&design));
    let puts = files.iter().map(|file| {
        let requests: Value = serde_json::from_str(&file.code.text).expect("JSON");
        assert!(requests.to_string().len() <= limits::BATCH_WRITE_BYTES);
        requests[&design.table.name].as_array().expect("puts").len()
    });
    assert_eq!(puts.collect::<Vec<_>>(), [12, 4]);
}

#[test]
fn a_design_without_items_has_no_request() {
    // DynamoDB refuses `{}`.
    let files = finish(batch_write(&Design::new("Empty")));
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].code.text, "");
}

/// The calls after `create-table`, and the script that runs them in order.
#[test]
fn each_request_has_a_call_in_the_script() {
    for (name, design) in template_designs::all() {
        let files = create_table(&design);
        let script = &files
            .iter()
            .find(|file| file.name == "create.sh")
            .expect("the script")
            .code
            .text;
        let calls: Vec<&str> = script
            .lines()
            .filter(|line| line.contains("--cli-input-json"))
            .collect();
        let requests = files.iter().filter(|file| file.name.ends_with(".json"));
        let in_order: Vec<String> = requests
            .map(|file| format!("file://{}", file.name))
            .collect();
        assert_eq!(calls.len(), in_order.len(), "{name}");
        for (call, request) in calls.iter().zip(&in_order) {
            assert!(
                call.ends_with(request.as_str()),
                "{name}: {call}, {request}"
            );
        }
        assert!(calls[0].starts_with("aws dynamodb create-table "), "{name}");
        let checked = std::process::Command::new("sh")
            .arg("-n")
            .arg("-c")
            .arg(script)
            .status();
        assert!(checked.expect("a shell").success(), "{name}\n{script}");
    }
}
