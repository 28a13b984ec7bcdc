//! Templates of hand-built designs: the created table is the designed one and accepts items.

use super::dynamo::{Db, create_table, create_table_with};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::export::table_plan::{Throughput, plan};
use keyfold_core::model::{
    Design, Encryption, Index, IndexKind, KeySchema, Projection, SortedMap, SortedSet, StreamView,
    TableClass,
};
use keyfold_test_support::template_designs;
use serde_json::{Value, json};

/// All designs whose templates are created in the engine, besides the library's.
fn designs() -> Vec<(&'static str, Design)> {
    template_designs::all()
}

fn design(name: &str) -> Design {
    let mut designs = designs().into_iter();
    designs.find(|(other, _)| *other == name).unwrap().1
}

fn key_schema(key: &KeySchema) -> Value {
    let of = |role: &'static str| move |name| json!({ "AttributeName": name, "KeyType": role });
    let partition = key.partition.iter().map(|attribute| &attribute.name);
    let sort = key.sort.iter().map(|attribute| &attribute.name);
    partition
        .map(of("HASH"))
        .chain(sort.map(of("RANGE")))
        .collect()
}

/// The projected attributes of an index, or its projection type.
fn projection(design: &Design, index: &Index) -> (&'static str, SortedSet<String>) {
    match &index.projection {
        Projection::All => ("ALL", SortedSet::new()),
        Projection::KeysOnly => ("KEYS_ONLY", SortedSet::new()),
        Projection::Include(names) => {
            let keys: Vec<_> = (design.table.key.attributes())
                .chain(index.key.attributes())
                .map(|attribute| &attribute.name)
                .collect();
            let rest: SortedSet<_> = (names.iter().filter(|name| !keys.contains(name)))
                .cloned()
                .collect();
            match rest.is_empty() {
                true => ("KEYS_ONLY", rest),
                false => ("INCLUDE", rest),
            }
        }
    }
}

/// Compares the engine's complete description of a table with the design.
pub fn check_description(name: &str, design: &Design, db: &Db) {
    let described = db.describe();
    let table = &design.table;
    assert_eq!(described["TableName"], *table.name, "{name}");
    assert_eq!(described["KeySchema"], key_schema(&table.key), "{name}");

    let mut expected = SortedMap::new();
    for key in std::iter::once(&table.key).chain(design.indexes.values().map(|index| &index.key)) {
        expected.extend(
            key.attributes()
                .map(|a| (a.name.clone(), a.kind.letter().to_owned())),
        );
    }
    let defined = described["AttributeDefinitions"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let defined: SortedMap<_, _> = defined
        .map(|a| (text(&a["AttributeName"]), text(&a["AttributeType"])))
        .collect();
    assert_eq!(defined, expected, "{name}");

    for (member, kind) in [
        ("GlobalSecondaryIndexes", IndexKind::Gsi),
        ("LocalSecondaryIndexes", IndexKind::Lsi),
    ] {
        let described: SortedMap<_, _> = (described[member].as_array().into_iter().flatten())
            .map(|index| (text(&index["IndexName"]), index))
            .collect();
        let designed = design.indexes.values().filter(|index| index.kind == kind);
        assert_eq!(described.len(), designed.clone().count(), "{name} {member}");
        for index in designed {
            let described = described[&index.name];
            let place = format!("{name} {}", index.name);
            assert_eq!(described["KeySchema"], key_schema(&index.key), "{place}");
            let (kind, names) = projection(design, index);
            let projected = &described["Projection"];
            assert_eq!(projected["ProjectionType"], kind, "{place}");
            let projected = projected["NonKeyAttributes"]
                .as_array()
                .into_iter()
                .flatten();
            assert_eq!(
                projected.map(text).collect::<SortedSet<_>>(),
                names,
                "{place}"
            );
        }
    }
    check_settings(name, design, db, &described);
}

fn check_settings(name: &str, design: &Design, db: &Db, described: &Value) {
    let table = &design.table;
    assert_eq!(db.ttl_attribute(), table.ttl_attribute, "{name}");
    // Replication needs a stream.
    let replicated = (!table.replicas.is_empty()).then_some(StreamView::NewAndOldImages);
    let view = table.stream.or(replicated).map(|view| match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    });
    assert_eq!(
        described["StreamSpecification"]["StreamViewType"].as_str(),
        view,
        "{name}"
    );
    let protected = described["DeletionProtectionEnabled"].as_bool();
    assert_eq!(
        protected.unwrap_or(false),
        table.deletion_protection,
        "{name}"
    );
    let class = match table.class {
        TableClass::Standard => "STANDARD",
        TableClass::StandardInfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
    };
    let described_class = described["TableClassSummary"]["TableClass"].as_str();
    assert_eq!(described_class.unwrap_or("STANDARD"), class, "{name}");
    let encrypted = described["SSEDescription"]["SSEType"].as_str();
    let managed = table.encryption != Encryption::AwsOwned;
    assert_eq!(encrypted, managed.then_some("KMS"), "{name}");
    match plan(design).throughput {
        Throughput::OnDemand(_) => {
            assert_eq!(
                described["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST",
                "{name}"
            );
        }
        Throughput::Provisioned(units) => {
            let described = &described["ProvisionedThroughput"];
            assert_eq!(described["ReadCapacityUnits"], units.read, "{name}");
            assert_eq!(described["WriteCapacityUnits"], units.write, "{name}");
        }
    }
}

#[test]
fn the_created_table_is_the_designed_one() {
    for (name, design) in designs() {
        check_description(name, &design, &create_table(&cloudformation(&design).text));
    }
}

#[test]
fn a_stage_is_added_to_the_name() {
    let template = cloudformation(&design("minimal")).text;
    let db = create_table_with(&template, &[("Stage", "dev")]).unwrap();
    assert_eq!(db.describe()["TableName"], "Orders-dev");
}

fn ids(items: &[Value]) -> Vec<&str> {
    items
        .iter()
        .map(|item| item["id"]["S"].as_str().unwrap())
        .collect()
}

#[test]
fn items_return_in_order_from_table_and_indexes() {
    let db = create_table(&cloudformation(&design("on_demand")).text);
    for (id, pk, sk, gsi1sk, created) in [
        ("b", "SHOP#1", "ORDER#2", "z", "2026-01-02"),
        ("a", "SHOP#1", "ORDER#1", "y", "2026-01-03"),
        ("c", "SHOP#1", "ORDER#10", "x", "2026-01-01"),
    ] {
        db.put(&json!({
            "PK": {"S": pk}, "SK": {"S": sk}, "GSI1PK": {"S": "ALL"}, "GSI1SK": {"S": gsi1sk},
            "createdAt": {"S": created}, "total": {"N": "5"}, "note": {"S": "n"}, "id": {"S": id},
        }));
    }
    // Not in GSI1, because it has no GSI1SK, nor in the LSI.
    db.put(&json!({"PK": {"S": "SHOP#1"}, "SK": {"S": "SHOP"}, "GSI1PK": {"S": "ALL"}, "id": {"S": "shop"}}));
    let shop = || [("PK", json!({"S": "SHOP#1"}))];
    assert_eq!(ids(&db.query_all(None, &shop())), ["a", "c", "b", "shop"]);
    let all = [("GSI1PK", json!({"S": "ALL"}))];
    assert_eq!(ids(&db.query_all(Some("GSI1"), &all)), ["c", "a", "b"]);
    let by_time = db.query_all(Some("by-time"), &shop());
    let created: Vec<_> = by_time
        .iter()
        .map(|item| item["createdAt"]["S"].clone())
        .collect();
    assert_eq!(created, ["2026-01-01", "2026-01-02", "2026-01-03"]);
    let projected: SortedSet<_> = by_time[0].as_object().unwrap().keys().collect();
    assert_eq!(
        projected.into_iter().collect::<Vec<_>>(),
        ["PK", "SK", "createdAt", "total"]
    );
    assert_eq!(db.scan(None).len(), 4);
    assert_eq!(db.scan(Some("GSI1")).len(), 3);
    let newest = db.query(json!({
        "IndexName": "by-time",
        "KeyConditionExpression": "PK = :pk AND createdAt > :from",
        "ExpressionAttributeValues": {":pk": {"S": "SHOP#1"}, ":from": {"S": "2026-01-01"}},
        "ScanIndexForward": false,
    }));
    let newest = newest.unwrap();
    assert_eq!(newest[0]["createdAt"]["S"], "2026-01-03");
    assert_eq!(newest.len(), 2);
}

#[test]
fn a_multi_attribute_index_orders_by_each_attribute() {
    let db = create_table(&cloudformation(&design("kitchen_sink")).text);
    for (sk, amount, order) in [
        ("1", "100", "b"),
        ("2", "9", "z"),
        ("3", "100", "a"),
        ("4", "-1", "q"),
    ] {
        db.put(&json!({
            "PK": {"S": "P"}, "SK": {"S": sk}, "region": {"S": "eu"}, "status": {"S": "OPEN"},
            "amount": {"N": amount}, "orderId": {"S": order}, "customer": {"S": "C"}, "other": {"S": "o"},
        }));
    }
    // With another status in another item collection; without a status in none.
    db.put(
        &json!({"PK": {"S": "P"}, "SK": {"S": "5"}, "region": {"S": "eu"}, "status": {"S": "DONE"},
        "amount": {"N": "1"}, "orderId": {"S": "a"}}),
    );
    db.put(
        &json!({"PK": {"S": "P"}, "SK": {"S": "6"}, "region": {"S": "eu"}, "amount": {"N": "1"},
        "orderId": {"S": "a"}}),
    );
    let open = [
        ("region", json!({"S": "eu"})),
        ("status", json!({"S": "OPEN"})),
    ];
    let found = db.query_all(Some("by-region.and-status"), &open);
    let order: Vec<_> = found
        .iter()
        .map(|item| item["SK"]["S"].as_str().unwrap())
        .collect();
    assert_eq!(order, ["4", "2", "3", "1"]);
    assert_eq!(found[0].get("other"), None);
    assert_eq!(found[0]["customer"]["S"], "C");
    assert_eq!(db.scan(Some("by-region.and-status")).len(), 5);
}

#[test]
fn keys_are_typed_as_designed() {
    let db = create_table(&cloudformation(&design("kitchen_sink")).text);
    let wrong_type = json!({"PK": {"S": "P"}, "SK": {"S": "1"}, "amount": {"S": "many"}});
    let error = db.try_put(&wrong_type).unwrap_err();
    assert!(error.contains("amount"), "{error}");
    let no_sort_key = json!({"PK": {"S": "P"}});
    assert!(db.try_put(&no_sort_key).is_err());
}
