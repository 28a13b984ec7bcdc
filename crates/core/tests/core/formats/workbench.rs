//! The NoSQL Workbench model: an independent reader reads the table, indexes and items back, and it has the members of
//! Workbench's models.

use super::designs;
use keyfold_core::engine::materialize_all;
use keyfold_core::export::workbench::workbench;
use keyfold_core::model::{Design, IndexKind, KeySchema, SortedMap};
use keyfold_core::slices::finish;
use serde_json::{Value, json};

/// Returns the items of a table or facet by their primary key; the last one of equal keys, as in the table.
fn items(data: &Value, key: &[&str]) -> SortedMap<String, Value> {
    let key_of = |item: &Value| {
        key.iter()
            .map(|name| item[*name].to_string())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let items = data.as_array().expect("TableData").iter();
    items.map(|item| (key_of(item), item.clone())).collect()
}

fn key_attributes(key: &KeySchema) -> Value {
    let of = |at: &keyfold_core::model::KeyAttribute| json!({ "AttributeName": at.name, "AttributeType": at.kind.letter() });
    let mut object = json!({ "PartitionKey": of(&key.partition[0]) });
    if let Some(sort) = key.sort.first() {
        object["SortKey"] = of(sort);
    }
    object
}

fn check(design: &Design, model: &Value) {
    assert_eq!(model["ModelName"], *design.name);
    assert_eq!(model["ModelMetadata"]["Version"], "3.0");
    let table = &model["DataModel"][0];
    assert_eq!(table["TableName"], *design.table.name);
    assert_eq!(table["KeyAttributes"], key_attributes(&design.table.key));
    for (member, kind) in [
        ("GlobalSecondaryIndexes", IndexKind::Gsi),
        ("LocalSecondaryIndexes", IndexKind::Lsi),
    ] {
        let wanted = design
            .indexes
            .values()
            .filter(|index| index.kind == kind && !index.key.is_multi_attribute());
        let none = Vec::new();
        let found = table[member].as_array().unwrap_or(&none);
        assert_eq!(found.len(), wanted.clone().count());
        for (index, found) in wanted.zip(found) {
            assert_eq!(found["IndexName"], *index.name);
            assert_eq!(found["KeyAttributes"], key_attributes(&index.key));
        }
    }
    let key: Vec<&str> = design
        .table
        .key
        .attributes()
        .map(|key| key.name.as_str())
        .collect();
    let mut expected = Vec::new();
    for (id, items) in materialize_all(design) {
        let stored = items.iter().filter(|item| item.is_stored());
        let stored: Vec<Value> = stored
            .map(|item| {
                let attributes = item
                    .to_map()
                    .into_iter()
                    .map(|(name, value)| (name, value.to_dynamodb_json()));
                Value::Object(attributes.collect())
            })
            .collect();
        let name = &design.entities[&id].name;
        let mut facets = table["TableFacets"].as_array().expect("facets").iter();
        let facet = facets
            .find(|facet| facet["FacetName"] == **name)
            .expect("a facet");
        assert_eq!(
            self::items(&facet["TableData"], &key),
            self::items(&json!(stored), &key),
            "{name}"
        );
        // A facet lists the attributes of its items besides the key.
        let listed: Vec<&str> = facet["NonKeyAttributes"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(Value::as_str)
            .collect();
        for item in &stored {
            for attribute in item.as_object().unwrap().keys() {
                assert!(
                    key.contains(&attribute.as_str()) || listed.contains(&attribute.as_str()),
                    "{attribute}"
                );
            }
        }
        expected.extend(stored);
    }
    // Each item once: in its facet.
    assert_eq!(table["TableData"], json!([]));
    // Every attribute of an item has the type of its value.
    let kinds: SortedMap<&str, &str> = (table["NonKeyAttributes"].as_array().unwrap().iter())
        .map(|a| {
            (
                a["AttributeName"].as_str().unwrap(),
                a["AttributeType"].as_str().unwrap(),
            )
        })
        .collect();
    for item in &expected {
        for attribute in item
            .as_object()
            .unwrap()
            .keys()
            .filter(|name| !key.contains(&name.as_str()))
        {
            assert!(kinds.contains_key(attribute.as_str()), "{attribute}");
        }
    }
}

/// Returns the members of a JSON object, nested ones too, as paths: `DataModel[].KeyAttributes.PartitionKey`.
fn paths(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = if at.is_empty() {
                    name.clone()
                } else {
                    format!("{at}.{name}")
                };
                found.push(path.clone());
                // The content of items is arbitrary.
                if name != "TableData" {
                    paths(value, &path, found);
                }
            }
        }
        Value::Array(items) => items
            .iter()
            .for_each(|item| paths(item, &format!("{at}[]"), found)),
        _ => {}
    }
}

#[test]
fn the_model_reads_back_to_the_same_items() {
    for (_, design) in designs::all() {
        let model: Value = serde_json::from_str(&finish(workbench(&design)).text).expect("JSON");
        check(&design, &model);
    }
}

#[test]
fn the_model_has_the_members_of_workbench_models() {
    let own: Value =
        serde_json::from_str(include_str!("../../fixtures/workbench_members.json")).unwrap();
    let own: Vec<&str> = own["members"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    for (name, design) in designs::all() {
        let model: Value = serde_json::from_str(&finish(workbench(&design)).text).expect("JSON");
        let mut found = Vec::new();
        paths(&model, "", &mut found);
        for path in &found {
            assert!(own.contains(&path.as_str()), "{name}: {path}");
        }
        for path in [
            "ModelMetadata.Author",
            "ModelMetadata.AWSService",
            "DataModel[].DataAccess.MySql",
            "DataModel[].NonKeyAttributes",
            "DataModel[].BillingMode",
            "DataModel[].TableData",
        ] {
            assert!(found.iter().any(|other| other == path), "{name}: {path}");
        }
    }
}
