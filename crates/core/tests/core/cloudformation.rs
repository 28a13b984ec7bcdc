//! Snapshots of templates, and properties of every template.

use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::export::table_plan::plan;
use keyfold_core::model::{SortedSet, validate_invariants};
use keyfold_test_support::template_designs::all;
use keyfold_test_support::yaml_reader::read;
use serde_json::Value;

#[test]
fn templates_match_their_snapshots() {
    for (name, design) in all() {
        assert_eq!(validate_invariants(&design), [], "{name}");
        insta::assert_snapshot!(name, cloudformation(&design).text);
    }
}

#[test]
fn the_same_design_gives_the_same_bytes() {
    for (name, design) in all() {
        assert_eq!(
            cloudformation(&design),
            cloudformation(&design.clone()),
            "{name}"
        );
    }
}

/// Returns all `AttributeName`s under a value.
fn attribute_names<'a>(value: &'a Value, found: &mut SortedSet<&'a str>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| attribute_names(item, found)),
        Value::Object(map) => {
            found.extend(map.get("AttributeName").and_then(Value::as_str));
            map.values().for_each(|item| attribute_names(item, found));
        }
        _ => {}
    }
}

#[test]
fn attribute_definitions_are_exactly_the_key_attributes() {
    for (name, design) in all() {
        let template = read(&cloudformation(&design).text);
        let properties = &template["Resources"]["Table"]["Properties"];
        let (mut defined, mut used) = (SortedSet::new(), SortedSet::new());
        attribute_names(&properties["AttributeDefinitions"], &mut defined);
        for part in [
            "KeySchema",
            "GlobalSecondaryIndexes",
            "LocalSecondaryIndexes",
        ] {
            attribute_names(&properties[part], &mut used);
        }
        assert_eq!(defined, used, "{name}");
        let count = properties["AttributeDefinitions"].as_array().unwrap().len();
        assert_eq!(count, defined.len(), "{name}");
    }
}

#[test]
fn the_default_name_is_the_designs_table_name() {
    for (name, design) in all() {
        let template = read(&cloudformation(&design).text);
        let parameters = &template["Parameters"];
        assert_eq!(
            parameters["TableName"]["Default"], *design.table.name,
            "{name}"
        );
        // For all parameter values, DynamoDB accepts the name.
        let most = |name: &str| parameters[name]["MaxLength"].as_u64().unwrap_or(0);
        let room = if most("Stage") > 0 { 1 } else { 0 };
        assert!(most("TableName") + room + most("Stage") <= 255, "{name}");
        assert!(
            design.table.name.len() as u64 <= most("TableName"),
            "{name}"
        );
        let stage = (most("Stage") > 0).then_some("");
        assert_eq!(parameters["Stage"]["Default"].as_str(), stage, "{name}");
    }
}

#[test]
fn spans_are_ordered_and_disjoint() {
    for (name, design) in all() {
        let code = cloudformation(&design);
        let mut end = 0;
        for (range, _) in &code.spans {
            assert!(
                range.start >= end && code.text.get(range.clone()).is_some(),
                "{name}"
            );
            end = range.end;
        }
    }
}

#[test]
fn long_descriptions_are_cut_at_character_boundaries() {
    let (_, mut design) = all().swap_remove(0);
    for letters in 1015..1035 {
        for filler in ["x", "ü", "🙂"] {
            design.description = filler.repeat(letters / filler.len());
            let template = read(&cloudformation(&design).text);
            let description = template["Description"].as_str().unwrap();
            assert!(
                description.len() <= 1024 && description.len() > 1015,
                "{description}"
            );
        }
    }
}

#[test]
fn logical_ids_are_alphanumeric_and_unique() {
    for (name, design) in all() {
        let mut seen = SortedSet::new();
        for scaling in plan(&design).scaling {
            let id = scaling.logical_id;
            assert!(
                id.chars().all(|c| c.is_ascii_alphanumeric()),
                "{name}: {id}"
            );
            assert!(seen.insert(id.clone()), "{name}: repeated {id}");
        }
    }
}
