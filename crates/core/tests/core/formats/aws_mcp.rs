//! The schema for AWS's DynamoDB MCP server: its validator accepts it, and the Python that its generator makes of it
//! loads, has a method for each access pattern, and builds the same keys as the app.

use super::designs;
use crate::cfn_lint::program;
use crate::rust_export::designs::obstacle_course;
use keyfold_core::export::Format;
use keyfold_core::export::writer::one_line;
use keyfold_core::model::{
    Design, IndexEntry, IndexId, ItemKey, OnDelimiter, Operation, Read, validate_invariants,
};
use keyfold_test_support::texts;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The designs for the tests of exports, and what this format has of its own.
fn judged() -> Vec<(String, Design)> {
    let mut all = designs::hard();
    all.push(("schema".to_owned(), texts::aws_mcp()));
    all.push(("quotable".to_owned(), quotable()));
    all
}

/// Names that are hard to write, with templates that Python can quote and access patterns that have their keys.
fn quotable() -> Design {
    let mut design = obstacle_course();
    let mut keys = Vec::new();
    for entity in design.entities.values_mut() {
        let entity = Arc::make_mut(entity);
        for entry in entity.keys.values_mut() {
            for text in entry.partition.iter_mut().chain(&mut entry.sort) {
                *text = text.replace("\"\\{{", "").replace(":lower", "");
            }
        }
        if let Some(IndexEntry {
            partition: Some(partition),
            sort,
            ..
        }) = entity.keys.get(&IndexId::PRIMARY)
        {
            keys.push(ItemKey {
                partition: partition.clone(),
                sort: sort.clone(),
            });
        }
    }
    for (pattern, key) in design.access_patterns.values_mut().zip(keys) {
        let read = Read::default();
        Arc::make_mut(pattern).operation = Operation::GetItem { key, read };
    }
    assert_eq!(validate_invariants(&design), []);
    design
}

fn schema(design: &Design) -> String {
    let files = Format::named("aws-mcp").expect("a format").files(design);
    files.into_iter().next().expect("a file").code.text
}

fn notes(schema: &Value) -> Vec<String> {
    let notes = schema["notes"].as_array().into_iter().flatten();
    notes
        .map(|note| note.as_str().expect("a text").to_owned())
        .collect()
}

/// For each class of the schema, in its order, the samples of its entity.
fn expected(design: &Design, schema: &Value) -> Value {
    let notes = notes(schema);
    let is_shown = |item: &&Value| {
        let start = format!(
            "The entity {} is omitted: ",
            one_line(item["entity"].as_str().expect("a name"))
        );
        !notes.iter().any(|note| note.starts_with(&start))
    };
    let items = designs::items(design);
    let shown = items.as_array().expect("a list").iter().filter(is_shown);
    let classes = schema["tables"][0]["entities"].as_object();
    assert_eq!(
        Some(shown.clone().count()),
        classes.map(serde_json::Map::len),
        "{notes:?}"
    );
    let mut all = Vec::new();
    for item in shown {
        let entity = item["entity"].as_str().expect("a name");
        let own = notes
            .iter()
            .filter(|note| note.starts_with(&one_line(entity)));
        let own: Vec<&str> = own.map(String::as_str).collect();
        all.push(json!({ "samples": item["samples"], "notes": own.join(" ") }));
    }
    let policy = &design.delimiter;
    let is_encoded =
        policy.on_conflict == OnDelimiter::PercentEncode && !policy.delimiter.is_empty();
    let encoded = policy.delimiter.chars().chain(['%']).filter(|_| is_encoded);
    json!({ "classes": all, "encoded": encoded.map(String::from).collect::<Vec<_>>() })
}

/// The Python that has the server.
fn python() -> PathBuf {
    program("AWS_MCP_PYTHON", "aws-mcp-python").expect(
        "AWS_MCP_PYTHON is not set: run `source scripts/setup test`, or set it to a Python with the package \
         awslabs.dynamodb-mcp-server",
    )
}

fn judge(folder: &Path, expected: &Value) -> (Vec<String>, Value) {
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/export_tools");
    std::fs::write(folder.join("expected.json"), expected.to_string()).expect("written");
    let output = Command::new(python())
        .arg(tools.join("aws_mcp.py"))
        .arg(folder)
        .output()
        .expect("Python starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{text}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // The generator says what it writes.
    let is_finding = |line: &&str| {
        expected
            .as_object()
            .expect("designs")
            .keys()
            .any(|name| line.starts_with(&format!("{name}: ")))
    };
    let lines = text.lines().filter(is_finding).map(str::to_owned).collect();
    let judged = std::fs::read_to_string(folder.join("judged.json")).expect("written");
    (lines, serde_json::from_str(&judged).expect("JSON"))
}

#[test]
fn the_server_accepts_our_schema_and_builds_our_keys() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("formats_aws_mcp");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut all = serde_json::Map::new();
    let mut said = String::new();
    for (name, design) in judged() {
        let text = schema(&design);
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        if !name.starts_with("random") {
            for note in notes(&schema) {
                said.push_str(&format!("{name}: {note}\n"));
            }
        }
        all.insert(name.clone(), expected(&design, &schema));
        std::fs::write(folder.join(format!("{name}.json")), text).expect("written");
    }
    // Include a schema that is wrong, and one with wrong keys: if they are not reported, the check does not work.
    let (_, design) = designs::hard().remove(0);
    for (name, from, to) in [
        ("wrong", "\"pk_template\"", "\"template\""),
        ("wrong-keys", "TENANT#", "TENENT#"),
    ] {
        let text = schema(&design);
        all.insert(
            name.to_owned(),
            expected(&design, &serde_json::from_str(&text).expect("JSON")),
        );
        assert!(text.contains(from), "{text}");
        std::fs::write(folder.join(format!("{name}.json")), text.replace(from, to))
            .expect("written");
    }
    let (lines, count) = judge(&folder, &all.into());
    let (wrong, unwanted): (Vec<String>, Vec<String>) = lines
        .into_iter()
        .partition(|line| line.starts_with("wrong"));
    assert!(unwanted.is_empty(), "{count} {}", unwanted.join("\n"));
    for name in ["wrong: ", "wrong-keys: "] {
        assert!(wrong.iter().any(|line| line.starts_with(name)), "{wrong:?}");
    }
    assert!(count["keys"].as_u64() > Some(500), "{count}");
    assert!(count["methods"].as_u64() > Some(100), "{count}");
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("formats__aws_mcp_notes", said);
    });
}

#[test]
fn schemas_match_their_snapshots() {
    let mut all = designs::library();
    all.push(("schema".to_owned(), texts::aws_mcp()));
    for (name, design) in all {
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!(format!("formats__aws_mcp__{name}"), schema(&design));
        });
    }
}
