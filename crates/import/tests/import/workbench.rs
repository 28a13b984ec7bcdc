//! NoSQL Workbench: real models, and the liberties that its files take.

use super::{import, left_out};
use keyfold_core::model::{
    AttributeType, Autoscaling, Billing, Projection, ProvisionedThroughput, Value,
};
use keyfold_import::{FoundTable, Import, design};
use std::path::Path;

fn real(name: &str) -> Import {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/fixtures/nosql-workbench");
    let text = std::fs::read_to_string(folder.join(name)).expect("the fixture");
    import(name, &text)
}

fn described(table: &FoundTable) -> String {
    let of = |key: &keyfold_core::model::KeySchema| {
        let names: Vec<String> = (key.attributes())
            .map(|key| format!("{}:{}", key.name, key.kind.letter()))
            .collect();
        names.join(" ")
    };
    let indexes: Vec<String> = (table.indexes.iter())
        .map(|index| format!(" {} ({})", index.name, of(&index.key)))
        .collect();
    let facets: Vec<String> = (table.facets.iter())
        .map(|facet| format!(" {}={}", facet.name, facet.items.len()))
        .collect();
    format!(
        "{} {} ({}){} items={}{}",
        table.name,
        table.table.name,
        of(&table.table.key),
        indexes.concat(),
        table.items.len(),
        facets.concat()
    )
}

#[test]
fn real_models_are_read_whole() {
    let mut said = String::new();
    for name in [
        "aws-samples--anonlineshop-5.json",
        "aws-samples--chatsystemschema.json",
        "aws-samples--connectedvehiclesschema.json",
        "aws-samples--devicestatelog-3.json",
        "aws-samples--socialnetworkschema.json",
    ] {
        let import = real(name);
        for table in &import.tables {
            said.push_str(&format!("{name}: {}\n", described(table)));
        }
        for line in left_out(&import) {
            said.push_str(&format!("  {line}\n"));
        }
    }
    insta::assert_snapshot!(said);
}

/// A model with all liberties at once.
const LIBERTIES: &str = r#"{
  "ModelSchema": {
    "ModelName": "Quirks",
    "DataModel": [
      {
        "TableName": "my table",
        "KeyAttributes": {
          "PartitionKey": { "AttributeName": "P#K", "AttributeType": "S" },
          "SortKey": { "AttributeName": "SK", "AttributeType": "N" }
        },
        "NonKeyAttributes": [
          { "AttributeName": "a", "AttributeType": "N" },
          { "AttributeName": "a", "AttributeType": "N" }
        ],
        "TableData": [
          { "P#K": { "S": "" }, "SK": { "N": 1.5 }, "a": {}, "m": { "M": { "on": true, "S": "x" } } },
          { "P#K": { "S": "x" }, "SK": { "N": "2" } },
          { "P#K": { "S": "x" }, "SK": { "N": "2" }, "a": { "N": 3 } },
          { "P#K": { "S": "x" }, "SK": { "N": "2" } },
          { "P#K": { "S": "y" }, "SK": { "N": "no" } }
        ],
        "TableFacets": [
          {
            "FacetName": "Thing",
            "KeyAttributeAlias": { "PartitionKeyAlias": "THING#<id>" },
            "TableData": [{ "P#K": { "S": "x" }, "SK": { "N": 2 } }, { "P#K": { "S": "z" }, "SK": { "N": "9" } }],
            "NonKeyAttributes": ["a", "a"]
          }
        ],
        "Surprise": 7
      }
    ]
  },
  "SavedQuery": [{ "name": "q" }]
}"#;

#[test]
fn liberties_are_understood() {
    let import = import("quirks.json", LIBERTIES);
    let [table] = import.tables.as_slice() else {
        panic!("{import:?}");
    };
    assert_eq!(table.table.name, "my-table");
    let item = &table.items[0].values;
    assert_eq!(item["P#K"], Value::from(""));
    assert_eq!(item["SK"].to_text(), "1.5");
    assert!(item.get("a").is_none());
    let Value::M(map) = &item["m"] else {
        panic!("{item:?}");
    };
    assert_eq!(map["on"], Value::Bool(true));
    assert_eq!(map["S"], Value::from("x"));
    assert_eq!(table.types.len(), 1);
    // The facet's first item is the table's second.
    assert_eq!(table.facets[0].items, [1, 3]);
    assert_eq!(
        table.facets[0].partition_alias.as_deref(),
        Some("THING#<id>")
    );
    assert_eq!(table.facets[0].attributes, ["a"]);
    assert_eq!(table.items.len(), 4);
    insta::assert_snapshot!(left_out(&import).join("\n"));
}

#[test]
fn capacity_and_time_to_live_are_read() {
    let scaling = |min: u32, max: u32, percent: u32| {
        format!(
            r#"{{ "ScalableTargetRequest": {{ "MinCapacity": {min}, "MaxCapacity": {max}, "ServiceRole": "role" }},
                 "ScalingPolicyConfiguration": {{ "TargetValue": {percent} }} }}"#
        )
    };
    let model = format!(
        r#"{{ "ModelName": "Shop", "DataModel": [{{
          "TableName": "shop",
          "KeyAttributes": {{ "PartitionKey": {{ "AttributeName": "PK", "AttributeType": "S" }} }},
          "BillingMode": "PROVISIONED",
          "ProvisionedCapacitySettings": {{
            "ProvisionedThroughput": {{ "ReadCapacityUnits": 7, "WriteCapacityUnits": 3 }},
            "AutoScalingRead": {},
            "AutoScalingWrite": {}
          }},
          "TimeToLiveSpecification": {{ "AttributeName": "expiresAt", "Enabled": true }},
          "GlobalSecondaryIndexes": [{{
            "IndexName": "GSI1",
            "KeyAttributes": {{ "PartitionKey": {{ "AttributeName": "GSI1PK", "AttributeType": "S" }} }},
            "Projection": {{ "ProjectionType": "INCLUDE", "NonKeyAttributes": ["a", "a", "b"] }},
            "ProvisionedCapacitySettings": {{
              "ProvisionedThroughput": {{ "ReadCapacityUnits": 2, "WriteCapacityUnits": 1 }}
            }}
          }}]
        }}] }}"#,
        scaling(1, 40, 70),
        scaling(2, 20, 60),
    );
    let import = import("shop.json", &model);
    assert_eq!(left_out(&import), Vec::<String>::new());
    let table = &import.tables[0];
    let auto = |min, max, target_percent| {
        Some(Autoscaling {
            min,
            max,
            target_percent,
        })
    };
    let units = ProvisionedThroughput {
        read: 7,
        write: 3,
        read_scaling: auto(1, 40, 70),
        write_scaling: auto(2, 20, 60),
    };
    assert_eq!(table.table.billing, Billing::Provisioned(units));
    assert_eq!(table.table.ttl_attribute.as_deref(), Some("expiresAt"));
    let index = &table.indexes[0];
    let included = ["a", "b"].map(str::to_owned).to_vec();
    assert_eq!(index.projection, Projection::Include(included));
    let units = index.provisioned.as_ref().expect("units");
    assert_eq!((units.read, units.write), (2, 1));
    assert_eq!((&units.read_scaling, &units.write_scaling), (&None, &None));
    let off = model.replace(r#""Enabled": true"#, r#""Enabled": false"#);
    let import = self::import("shop.json", &off);
    assert_eq!(import.tables[0].table.ttl_attribute, None);
}

/// A model with a table of this key and these facets.
fn with_facets(facets: &str) -> Import {
    let model = format!(
        r#"{{ "ModelName": "Shop", "DataModel": [{{
          "TableName": "shop",
          "KeyAttributes": {{
            "PartitionKey": {{ "AttributeName": "PK", "AttributeType": "S" }},
            "SortKey": {{ "AttributeName": "SK", "AttributeType": "S" }}
          }},
          "NonKeyAttributes": [{{ "AttributeName": "total", "AttributeType": "N" }}],
          "TableFacets": [{facets}]
        }}] }}"#
    );
    import("shop.json", &model)
}

#[test]
fn facets_name_the_values_of_keys() {
    let import = with_facets(
        r##"{
          "FacetName": "Order",
          "KeyAttributeAlias": { "PartitionKeyAlias": "customer", "SortKeyAlias": "ORDER#<number>" },
          "TableData": [
            { "PK": { "S": "C#1" }, "SK": { "S": "O#1" }, "total": { "N": "19" } },
            { "PK": { "S": "C#1" }, "SK": { "S": "O#2" }, "total": { "N": "29" } },
            { "PK": { "S": "C#2" }, "SK": { "S": "O#3" }, "total": { "N": "39" } }
          ],
          "NonKeyAttributes": ["total"]
        }, {
          "FacetName": "Refund",
          "KeyAttributeAlias": { "PartitionKeyAlias": "customer", "SortKeyAlias": "SK" },
          "NonKeyAttributes": ["reason", "sum"]
        }"##,
    );
    assert_eq!(left_out(&import), Vec::<String>::new());
    let made = design(&import.tables[0]).expect("a design");
    let order = made.design.entities.values().next().expect("an entity");
    let entry = order.keys.values().next().expect("a key");
    assert_eq!(order.name, "Order");
    assert_eq!(entry.partition.as_deref(), Some("C#{customer}"));
    assert_eq!(entry.sort.as_deref(), Some("O#{number}"));
    let notes: Vec<String> = made.left_out.iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "DataModel[0]: the facet Refund calls its keys `customer`, but no entity with its attributes was found"
        ]
    );
}

#[test]
fn facets_without_items_are_entities_if_they_name_their_keys() {
    let import = with_facets(
        r##"{
          "FacetName": "Order",
          "KeyAttributeAlias": { "PartitionKeyAlias": "customer", "SortKeyAlias": "ORDER#<number>" },
          "NonKeyAttributes": ["total"]
        }, {
          "FacetName": "Broken",
          "KeyAttributeAlias": { "PartitionKeyAlias": "PK", "SortKeyAlias": "X#{" }
        }, {
          "FacetName": "Plain",
          "KeyAttributeAlias": { "PartitionKeyAlias": "PK", "SortKeyAlias": "SK" },
          "NonKeyAttributes": ["total"]
        }"##,
    );
    assert_eq!(
        left_out(&import),
        ["DataModel[0]: `X#{`, the alias of SK, is not a valid template"]
    );
    let design = design(&import.tables[0]).expect("a design").design;
    let names: Vec<&str> = design
        .entities
        .values()
        .map(|one| one.name.as_str())
        .collect();
    assert_eq!(names, ["Order", "Broken"]);
    let order = design.entities.values().next().expect("an entity");
    let entry = order.keys.values().next().expect("a key");
    assert_eq!(entry.partition.as_deref(), Some("{customer}"));
    assert_eq!(entry.sort.as_deref(), Some("ORDER#<number>"));
    let total = order.attribute("total").expect("an attribute");
    assert_eq!(total.kind, AttributeType::N);
    assert!(order.attribute("number").expect("an attribute").key_only);
}
