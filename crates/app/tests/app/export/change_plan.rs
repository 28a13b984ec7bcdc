//! The change plan from a text to the current design.

use keyfold_app::export::{plan_files, read_version, version_text};
use keyfold_core::export::cloudformation::{cloudformation, cloudformation_json};
use keyfold_core::library::find;
use keyfold_core::model::{Design, validate_invariants};
use keyfold_core::persist::{from_json, to_json};
use keyfold_test_support::cases;
use proptest::prelude::*;

fn design(name: &str) -> Design {
    find(name).unwrap().design().unwrap()
}

fn plan(old: &str, new: &Design) -> Vec<(String, String)> {
    let old = read_version(old, None).unwrap();
    let files = plan_files(&old, new);
    files
        .into_iter()
        .map(|file| (file.name, file.code.text))
        .collect()
}

#[test]
fn an_earlier_version_can_be_a_template_or_a_design() {
    let (old, new) = (
        design("saas-multi-tenant"),
        design("saas-multi-tenant-overloaded"),
    );
    let by_yaml = plan(&cloudformation(&old).text, &new);
    let names: Vec<&str> = by_yaml.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["plan.txt", "update-1.yaml", "update-2.yaml"]);
    assert!(
        by_yaml[0]
            .1
            .contains("Update 2 of 2: delete the index GSI3"),
        "{}",
        by_yaml[0].1
    );
    assert_eq!(
        by_yaml[2].1,
        cloudformation(&new).text,
        "the last update gives the design"
    );
    assert_eq!(plan(&cloudformation_json(&old).text, &new), by_yaml);
    // A design has more information: which keys have to be rewritten.
    let by_design = plan(&to_json(&old), &new);
    assert!(
        by_design[0].1.contains("gsi1pk = USER#{createdBy}"),
        "{}",
        by_design[0].1
    );
    assert_eq!(plan(&version_text(&old), &new), by_design);
    assert_eq!(
        plan(&to_json(&new), &new),
        [("plan.txt".into(), "No changes.\n".into())]
    );
}

#[test]
fn the_remembered_version_is_a_valid_design() {
    for pattern in keyfold_core::library::patterns() {
        let design = pattern.design().unwrap();
        let text = version_text(&design);
        let read = from_json(&text).unwrap();
        assert_eq!(validate_invariants(&read), []);
        assert_eq!(read.entities, design.entities);
        assert_eq!(
            plan(&text, &design),
            [("plan.txt".into(), "No changes.\n".into())]
        );
    }
}

#[test]
fn invalid_input_is_refused_with_its_place() {
    let tables =
        "Resources:\n  A:\n    Type: AWS::DynamoDB::Table\n  B:\n    Type: AWS::DynamoDB::Table\n";
    for (text, table, wanted) in [
        (
            "a: [\n",
            None,
            "line 2, column 1: missing value or closing bracket",
        ),
        (
            "hello",
            None,
            "not a CloudFormation template: it has no Resources",
        ),
        ("{\"keyfold\": 1}", None, "missing field"),
        ("{", None, "line 1, column 1: this is not JSON"),
        ("{\"Resources\": {}}", None, "has no AWS::DynamoDB::Table"),
        (tables, None, "several tables. Choose one: A, B"),
        (tables, Some("C"), "has no table `C`. Its tables: A, B"),
        (tables, Some("B"), "Resources.B.Properties is missing"),
    ] {
        let said = read_version(text, table).unwrap_err();
        assert!(said.contains(wanted), "{text:?}: {said}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_text_panics(text in "\\PC{0,80}|([ {}\\[\\]:,\"#!&*-]|Resources|Type|\n){0,30}") {
        let _ = read_version(&text, None);
    }

    #[test]
    fn no_part_of_a_template_panics(at in 0_usize..4000, json: bool) {
        let old = design("blog");
        let code = if json { cloudformation_json(&old) } else { cloudformation(&old) };
        let text: String = code.text.chars().take(at).collect();
        if let Ok(version) = read_version(&text, None) {
            plan_files(&version, &old);
        }
    }
}
