//! Files with items and without templates: the design has the entities and templates that the items show, and its
//! engine gives back every item.

use super::{import, left_out};
use keyfold_core::engine::materialize_all;
use keyfold_core::export::{Format, samples};
use keyfold_core::library;
use keyfold_core::model::{Design, validate_invariants};
use keyfold_import::{Import, ItemValues, combine, design, read};
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
fn items(design: &Design) -> Vec<ItemValues> {
    let items = materialize_all(design);
    let all = items.values().flat_map(|items| items.iter());
    all.map(|item| item.to_map()).collect()
}

/// The entities with their attributes, keys and numbers of samples.
fn described(design: &Design) -> String {
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
