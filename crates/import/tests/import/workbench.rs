//! NoSQL Workbench: real models, and the liberties that its files take.

use super::{import, left_out};
use keyfold_core::model::Value;
use keyfold_import::{FoundTable, Import};
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
