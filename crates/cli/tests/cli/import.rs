//! Runs `keyfold import` as a user does.

use super::process::{file, folder, names, output, refused, run};

const TABLE: &str = r#"{
  "TableName": "music",
  "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
  "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
  "BillingMode": "PAY_PER_REQUEST"
}"#;

#[test]
fn a_table_becomes_a_design() {
    let design = output(&["import", "-"], TABLE);
    assert_eq!(output(&["check", "-"], &design), "");
    let again = output(&["import", "-"], &design);
    assert_eq!(again, design, "a design stays as it is");
    // The cards have positions.
    let design: serde_json::Value = serde_json::from_str(&design).expect("JSON");
    assert!(design["layout"]["primary"].is_object() || design["layout"]["primary"].is_array());
}

#[test]
fn an_export_comes_back() {
    let pattern = "pattern:saas-multi-tenant";
    for format in ["cloudformation", "cloudformation-json", "terraform"] {
        let text = output(&["export", pattern, "--to", format], "");
        let report = output(&["import", "-", "--report", "text"], &text);
        assert!(
            report.contains(": 3 indexes, 0 entities"),
            "{format}: {report}"
        );
    }
}

#[test]
fn items_without_templates_show_entities() {
    let items = r#"{"Items": [{"PK": {"S": "USER#u1"}}, {"PK": {"S": "USER#u2"}}, {"PK": {"S": "ROOM#r1"}, "size": {"N": "4"}}]}"#;
    let table = file("import-table.json", TABLE);
    let items = file("import-items.json", items);
    let design = output(&["import", &table, &items], "");
    assert_eq!(output(&["check", "-"], &design), "");
    let report = output(&["import", &table, &items, "--report", "text"], "");
    insta::assert_snapshot!(report);
    // The key of a table is an assumption if no file has it; nothing is lost.
    let (code, _, err) = run(&["import", &items], "");
    assert_eq!(code, 0);
    assert!(err.contains("Keyfold assumes `PK`"), "{err}");
}

#[test]
fn what_is_left_out_is_a_finding() {
    let items = r#"{"Items": [{"PK": {"S": "a"}}, {"PK": {"N": "b"}}]}"#;
    let table = file("import-left-out-table.json", TABLE);
    let items = file("import-left-out-items.json", items);
    let (code, design, err) = run(&["import", &table, &items], "");
    assert_eq!(code, 1);
    assert!(
        err.contains("Items[1]: the item is left out: `PK`"),
        "{err}"
    );
    assert_eq!(output(&["check", "-"], &design), "");
    let (code, report, err) = run(&["import", &table, &items, "--report", "json"], "");
    assert_eq!((code, err.as_str()), (1, ""));
    let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["formats"], serde_json::json!(["aws-cli", "items"]));
    assert_eq!(report["tables"][0]["table"], "music");
    assert_eq!(report["tables"][0]["inferred"][0]["items"], 1);
    assert_eq!(report["leftOut"].as_array().expect("a list").len(), 1);
}

#[test]
fn several_tables_go_to_a_folder() {
    let tables = format!("[{TABLE}, {}]", TABLE.replace("music", "books"));
    let why = refused(&["import", "-"], &tables);
    assert!(
        why.contains("the files have 2 tables: name a folder"),
        "{why}"
    );
    let folder = folder("import");
    let path = folder.join("designs");
    let out = path.to_str().expect("UTF-8");
    assert_eq!(output(&["import", "-", "--out", out], &tables), "");
    assert_eq!(names(&path), ["books.json", "music.json"]);
    std::fs::remove_dir_all(folder).expect("the folder is removed");
}

#[test]
fn the_ending_of_the_output_chooses_its_form() {
    let path = file("import-out.keyfold", "");
    assert_eq!(output(&["import", "-", "--out", &path], TABLE), "");
    let text = std::fs::read_to_string(path).expect("the file");
    assert_eq!(output(&["check", "-"], &text), "");
    assert!(!text.starts_with('{'), "{text}");
}

#[test]
fn a_file_that_is_too_large_is_refused() {
    let path = file("import-too-large.json", "");
    let large = std::fs::OpenOptions::new().write(true).open(&path);
    // A sparse file.
    large.expect("the file").set_len(200 << 20).expect("a size");
    let said = refused(&["import", &path], "");
    assert!(
        said.ends_with("the file has more than 64 MB, the most that an import reads\n"),
        "{said}"
    );
    std::fs::remove_file(path).expect("the file is removed");
}

#[test]
fn unusable_files_are_refused() {
    for (arguments, input, wanted) in [
        (&["import"][..], "", "<FILE>"),
        (&["import", "-"], "", "standard input: the file is empty"),
        (
            &["import", "-"],
            "{",
            "standard input: line 1, column 1: this is not JSON",
        ),
        (
            &["import", "-"],
            "hello",
            "unknown format: expected one of these",
        ),
        (
            &["import", "-", "--format", "workbench"],
            TABLE,
            "DataModel: expected a list of tables",
        ),
        (
            &["import", "-", "--format", "teraform"],
            TABLE,
            "'terraform'",
        ),
        (&["import", "no-such-file"], "", "no-such-file: cannot read"),
    ] {
        let said = refused(arguments, input);
        assert!(said.contains(wanted), "{arguments:?}: {said}");
    }
}
