//! Files with items and without templates: the design has the entities and templates that the items show, and its
//! engine gives back every item.

use super::{import, left_out};
use keyfold_core::engine::materialize_all;
use keyfold_core::export::{Format, samples};
use keyfold_core::library;
use keyfold_core::model::{Design, Entity, Value, validate_invariants};
use keyfold_import::form::Notes;
use keyfold_import::{Import, ItemValues, combine, design, items_of_line, read};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::path::Path;

/// The designs of all tables, after the check that they give back every item.
fn designs(import: &Import) -> Vec<Design> {
    let mut designs = Vec::new();
    for table in &import.tables {
        let made = design(table).expect("a design");
        assert_eq!(validate_invariants(&made.design), []);
        assert_eq!(made.left_out, [], "nothing is left out");
        let mut wanted: Vec<ItemValues> =
            (table.items.iter().map(|item| item.values.clone())).collect();
        let mut back = items(&made.design);
        wanted.sort();
        back.sort();
        assert_eq!(back, wanted);
        designs.push(made.design);
    }
    designs
}

/// All items of a design, also those that DynamoDB would refuse.
pub fn items(design: &Design) -> Vec<ItemValues> {
    let items = materialize_all(design);
    let all = items.values().flat_map(|items| items.iter());
    all.map(|item| item.to_map()).collect()
}

/// The entities with their attributes, keys and numbers of samples.
pub fn described(design: &Design) -> String {
    let mut text = String::new();
    for (id, entity) in &design.entities {
        let attributes: Vec<String> = (entity.attributes.iter())
            .map(|attribute| {
                let mark = if attribute.required { "" } else { "?" };
                let place = if attribute.key_only { " key-only" } else { "" };
                format!("{}{mark} {}{place}", attribute.name, attribute.kind)
            })
            .collect();
        let samples = design.samples_of(*id).len();
        text += &format!(
            "{} ({samples} items): {}\n",
            entity.name,
            attributes.join(", ")
        );
        for (index, entry) in &entity.keys {
            let side = |template: &Option<String>| template.clone().unwrap_or("-".to_owned());
            text += &format!(
                "  {}: {} / {}\n",
                design.index_name(*index),
                side(&entry.partition),
                side(&entry.sort)
            );
            for condition in &entry.when {
                text += &format!("    when {} {:?}\n", condition.attribute, condition.test);
            }
        }
    }
    text
}

#[test]
fn real_models_have_entities_and_templates() {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/import/fixtures/nosql-workbench");
    for name in [
        "anonlineshop-5",
        "chatsystemschema",
        "connectedvehiclesschema",
        "devicestatelog-3",
        "socialnetworkschema",
    ] {
        let file = format!("aws-samples--{name}.json");
        let text = std::fs::read_to_string(folder.join(&file)).expect("the fixture");
        let import = import(&file, &text);
        assert_eq!(left_out(&import), Vec::<String>::new(), "{name}");
        let texts: Vec<String> = designs(&import).iter().map(described).collect();
        insta::assert_snapshot!(name, texts.concat());
    }
}

#[test]
fn workbench_models_give_back_the_items_of_the_library() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        let file = &Format::named("workbench").expect("a format").files(&design)[0];
        designs(&import(&file.name, &file.code.text));
    }
}

#[test]
fn scan_output_and_csv_give_back_the_items_of_the_library() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        designs(&import(
            "items.json",
            &samples::dynamodb_json(&design, None),
        ));
        for entity in design.entities.keys() {
            let text = samples::csv(&design, Some(*entity));
            if text.lines().count() > 1 {
                designs(&import("items.csv", &text));
            }
        }
    }
}

/// The templates of each entity by the key attributes that they write, with sparse conditions. The names of entities,
/// indexes and key-only attributes do not count.
fn templates(design: &Design) -> Vec<Vec<String>> {
    let of_entity = |entity: &Entity| {
        let mut lines = Vec::new();
        for (index, entry) in &entity.keys {
            let key = design.key(*index).expect("a key");
            let mut written = Vec::new();
            for (side, template) in [(&key.partition, &entry.partition), (&key.sort, &entry.sort)] {
                if let (Some(key), Some(template)) = (side.first(), template) {
                    let mut template = template.clone();
                    let hidden = entity.attributes.iter().filter(|a| a.key_only);
                    for (attribute, number) in hidden.zip(1..) {
                        for end in ["}", ":"] {
                            let name = format!("{{{}{end}", attribute.name);
                            template = template.replace(&name, &format!("{{#{number}{end}"));
                        }
                    }
                    written.push(format!("{} = {template}", key.name));
                }
            }
            if !written.is_empty() {
                let when = entry.when.iter();
                written.extend(when.map(|when| format!("{} {:?}", when.attribute, when.test)));
                lines.push(written.join(", "));
            }
        }
        lines.sort();
        lines
    };
    let mut all: Vec<_> = design.entities.values().map(|e| of_entity(e)).collect();
    all.sort();
    all
}

#[test]
fn items_alone_give_the_templates_of_the_library() {
    let mut equal = 0;
    let mut report = String::new();
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        let text = samples::dynamodb_json(&design, None);
        let found = designs(&import("items.json", &text));
        let [found] = found.as_slice() else {
            panic!("{}: {} tables", pattern.name, found.len());
        };
        let (wanted, found) = (templates(&design), templates(found));
        if wanted == found {
            equal += 1;
            continue;
        }
        report += &format!("{}:\n", pattern.name);
        let missing = wanted.iter().filter(|entity| !found.contains(entity));
        let more = found.iter().filter(|entity| !wanted.contains(entity));
        for (mark, entity) in (missing.map(|e| ("-", e))).chain(more.map(|e| ("+", e))) {
            report += &format!("  {mark} {}\n", entity.join("\n    "));
        }
    }
    println!("{equal} are equal\n{report}");
    assert!(equal >= 20, "{equal} are equal\n{report}");
}

#[test]
fn a_template_and_items_make_a_design_with_entities() {
    let pattern = library::patterns()
        .iter()
        .find(|pattern| pattern.name == "saas-multi-tenant");
    let design = pattern.expect("a pattern").design().expect("a design");
    let template = &Format::named("cloudformation")
        .expect("a format")
        .files(&design)[0];
    let items = samples::dynamodb_json(&design, None);
    let read = |name: &str, text: &str| {
        let import = read(name, text.as_bytes(), None).expect("readable");
        (name.to_owned(), import)
    };
    let import = combine(vec![
        read("table.yaml", &template.code.text),
        read("items.json", &items),
    ]);
    assert_eq!(left_out(&import), Vec::<String>::new());
    let texts: Vec<String> = designs(&import).iter().map(described).collect();
    insta::assert_snapshot!(texts.concat());
}

#[test]
fn plain_json_makes_a_design_with_entities() {
    let text = r#"[
      { "pk": "USER#u1", "sk": "PROFILE", "name": "Ada" },
      { "pk": "USER#u2", "sk": "PROFILE", "name": "Bob" },
      { "pk": "USER#u1", "sk": "ORDER#2026-03-01#o1", "total": 12, "gsi1pk": "STATUS#open", "status": "open" },
      { "pk": "USER#u1", "sk": "ORDER#2026-03-04#o2", "total": 7.5, "gsi1pk": "STATUS#paid", "status": "paid" },
      { "pk": "USER#u2", "sk": "ORDER#2026-03-09#o3", "total": 3, "gsi1pk": "STATUS#open", "status": "open" }
    ]"#;
    let texts: Vec<String> = designs(&import("items.json", text))
        .iter()
        .map(described)
        .collect();
    insta::assert_snapshot!(texts.concat());
}

/// Texts as keys and values have them, and what could be mistaken for a part of a key or of a template.
fn text() -> impl Strategy<Value = String> {
    let parts = [
        "",
        "#",
        ":",
        "USER",
        "user",
        "u1",
        "1",
        "007",
        "{id}",
        "<id>",
        "$",
        "\"",
        "2026-03-01",
        "2026-03-01T09:30:00Z",
        "é",
        "\u{1}",
        "ORDER",
        "a b",
        "true",
        "\\",
    ];
    let part = prop::sample::select(parts.to_vec());
    prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat())
}

fn value() -> impl Strategy<Value = Value> {
    let plain = prop_oneof![
        6 => text().prop_map(Value::S),
        2 => (-2000i64..2000).prop_map(|n| Value::N(format!("{n}e-2").parse().expect("a number"))),
        1 => prop::collection::vec(any::<u8>(), 0..4).prop_map(Value::B),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => prop::collection::btree_set(text(), 1..3).prop_map(|set| Value::Ss(set.into_iter().collect())),
    ];
    plain.prop_recursive(2, 6, 3, |inner| {
        let map = prop::collection::vec((text(), inner.clone()), 0..3);
        prop_oneof![
            prop::collection::vec(inner, 0..3).prop_map(Value::L),
            map.prop_map(|pairs| Value::M(pairs.into_iter().collect())),
        ]
    })
}

pub fn item() -> impl Strategy<Value = ItemValues> {
    let names = [
        "GSI1PK",
        "GSI1SK",
        "type",
        "id",
        "status",
        "createdAt",
        "userId",
        "a:b",
        "{x}",
        "Item",
        "S",
    ];
    let name = prop::sample::select(names.to_vec()).prop_map(str::to_owned);
    let pairs = prop::collection::vec((name, value()), 0..7);
    (pairs, text(), text()).prop_map(|(pairs, pk, sk)| {
        let keys = [("PK", pk), ("SK", sk)];
        let keys = keys.map(|(name, text)| (name.to_owned(), Value::S(text)));
        pairs.into_iter().chain(keys).collect()
    })
}

/// A line of a table export.
pub fn line(item: &ItemValues) -> String {
    let json = Value::M(item.clone()).to_dynamodb_json();
    format!("{}\n", serde_json::json!({ "Item": json["M"] }))
}

pub const TABLE: &str = r#"{
  "TableName": "any",
  "AttributeDefinitions": [
    { "AttributeName": "PK", "AttributeType": "S" }, { "AttributeName": "SK", "AttributeType": "S" },
    { "AttributeName": "GSI1PK", "AttributeType": "S" }, { "AttributeName": "GSI1SK", "AttributeType": "N" }
  ],
  "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }, { "AttributeName": "SK", "KeyType": "RANGE" }],
  "GlobalSecondaryIndexes": [{
    "IndexName": "GSI1",
    "KeySchema": [{ "AttributeName": "GSI1PK", "KeyType": "HASH" }, { "AttributeName": "GSI1SK", "KeyType": "RANGE" }],
    "Projection": { "ProjectionType": "ALL" }
  }],
  "BillingMode": "PAY_PER_REQUEST"
}"#;

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn every_item_comes_back(items in prop::collection::vec(item(), 1..20)) {
        let lines: String = items.iter().map(line).collect();
        let table = read("table.json", TABLE.as_bytes(), None).expect("a table");
        let read = read("items.json", lines.as_bytes(), None).expect("items");
        let import = combine(vec![("table.json".into(), table), ("items.json".into(), read)]);
        prop_assert_eq!(left_out(&import), Vec::<String>::new());
        let found: Vec<&ItemValues> = import.tables[0].items.iter().map(|item| &item.values).collect();
        prop_assert_eq!(found, items.iter().collect::<Vec<_>>());
        designs(&import);
    }

    #[test]
    fn a_line_of_an_export_gives_its_item(item in item()) {
        let mut notes = Notes::default();
        prop_assert_eq!(items_of_line(line(&item).as_bytes(), 1, &mut notes), [item]);
        prop_assert!(notes.0.is_empty());
    }
}
