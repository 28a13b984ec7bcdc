//! The design file: every design round-trips byte for byte, and every invalid file is refused with its place.

use keyfold_core::library::find;
use keyfold_core::model::{
    Design, Entity, EntityId, Note, NoteId, Sample, SampleId, SortedMap, Value, validate_invariants,
};
use keyfold_core::persist::{from_json, to_json};
use keyfold_test_support::designs::{all_options, full_design};
use keyfold_test_support::key_designs::key_only;
use std::sync::Arc;

fn check_round_trip(design: &Design) -> String {
    assert_eq!(validate_invariants(design), []);
    let text = to_json(design);
    let read = from_json(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(&read, design, "{text}");
    assert_eq!(to_json(&read), text);
    // The oldest version that can hold the design.
    let mut attributes = design.entities.values().flat_map(|e| &e.attributes);
    let version = match attributes.any(|attribute| attribute.key_only) {
        _ if !design.workload.is_empty() => 3,
        true => 2,
        false => 1,
    };
    let start = format!("{{\n  \"keyfold\": {version},\n  \"name\": ");
    assert!(text.starts_with(&start), "{text}");
    assert!(text.ends_with("}\n") && !text.ends_with("\n\n"), "{text}");
    text
}

#[test]
fn an_empty_design() {
    insta::assert_snapshot!(check_round_trip(&Design::new("Orders")));
}

#[test]
fn a_design_with_everything_in_it() {
    let mut design = full_design();
    design.export_options = Arc::new(all_options());
    insta::assert_snapshot!(check_round_trip(&design));
}

#[test]
fn a_note_without_a_color_has_the_color_of_new_notes() {
    let mut design = Design::new("Shop");
    let id = NoteId(design.take_id());
    design.notes.insert(id, Arc::new(Note::new("Ask")));
    let text = check_round_trip(&design);
    assert!(text.contains("\"n1\": { \"text\": \"Ask\" }"), "{text}");
    let note = Note {
        hue: 0,
        ..Note::new("Ask")
    };
    design.notes.insert(id, Arc::new(note));
    let text = check_round_trip(&design);
    assert!(
        text.contains("\"n1\": { \"text\": \"Ask\", \"hue\": 0 }"),
        "{text}"
    );
}

#[test]
fn awkward_texts_survive() {
    let mut design = Design::new("Ünïcode \"quoted\" \\ 🦀 { [");
    let mut entity = Entity::new("名前 {", 11);
    entity.description = "line\nbreak, tab\t, ends with {".into();
    design.entities.insert(EntityId(1), Arc::new(entity));
    let values = [
        ("brace {", Value::from("text that ends with {")),
        ("[", Value::from("[")),
        ("}", Value::from("},")),
        ("empty list", Value::L(vec![])),
        ("empty map", Value::M(SortedMap::new())),
        ("long", Value::from("x".repeat(200).as_str())),
    ];
    let sample = Sample {
        id: SampleId(2),
        values: values.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    let empty = Sample {
        id: SampleId(3),
        values: keyfold_core::model::Values::new(),
    };
    let samples = vec![Arc::new(sample), Arc::new(empty)];
    design.samples.insert(EntityId(1), Arc::new(samples));
    design.next_id = 4;
    let text = check_round_trip(&design);
    let samples = text.lines().filter(|line| line.contains(r#"{ "id": "s"#));
    assert_eq!(samples.count(), 2, "a sample is one line:\n{text}");
}

/// The messages for invalid files, as one text.
#[derive(Default)]
struct Refusals(String);

impl Refusals {
    /// Adds the message for a whole file.
    fn file(mut self, what: &str, text: &str) -> Self {
        match from_json(text) {
            Err(error) => self.0 += &format!("{what}\n  => {error}\n\n"),
            Ok(_) => panic!("{what}: the file was read:\n{text}"),
        }
        self
    }

    /// Adds the message for a library design in which one text is replaced.
    fn replaced(self, from: &str, to: &str) -> Self {
        let json = find("multi-branch-finance").expect("in the library").json;
        assert!(json.contains(from), "{from}");
        self.file(&format!("{from}  ->  {to}"), &json.replacen(from, to, 1))
    }
}

#[test]
fn files_that_are_not_json() {
    let json = find("multi-branch-finance").expect("in the library").json;
    let refusals = Refusals::default()
        .replaced("\"name\"", "name")
        .replaced("\"nextId\"", "\"next\tId\"")
        .file("cut off", &json[..400])
        .file("empty", "")
        .file("a picture", "\u{fffd}PNG\r\n\u{1a}")
        .file("two documents", &format!("{json}{{}}"))
        .file("CloudFormation in YAML", "Resources:\n  Table:\n")
        .file("very deep", &"[".repeat(100_000));
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn files_of_other_programs() {
    let mut refusals = Refusals::default();
    for text in [
        "7",
        "[]",
        "{}",
        r#"{"ModelName": "x", "DataModel": []}"#,
        r#"{"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}"#,
        r#"{"Items": []}"#,
        r#"{"Table": {}}"#,
        r#"{"format": "onetable:1.1.0", "models": {}}"#,
    ] {
        refusals = refusals.file(text, text);
    }
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn versions() {
    let refusals = Refusals::default()
        .replaced("\"keyfold\": 1", "\"keyfold\": 4")
        .replaced("\"keyfold\": 1", "\"keyfold\": 0")
        .replaced("\"keyfold\": 1", "\"keyfold\": \"1\"")
        .replaced("\"keyfold\": 1,", "");
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn fields() {
    let refusals = Refusals::default()
        .replaced("\"nextId\": ", "\"nextID\": ")
        .replaced("\"nextId\": ", "\"nextId\": -")
        .replaced("\"type\": \"N\"", "\"type\": \"X\"")
        .replaced("\"hue\": 1", "\"hue\": \"blue\"")
        .replaced("\"format\": \"email\"", "\"format\": \"emial\"")
        .replaced("\"primary\": [", "\"card1\": [")
        .replaced("\"primary\": [", "\"primary\": [0, ")
        .replaced("{ \"N\": \"1250.75\" }", "{ \"N\": \"1250,75\" }")
        .replaced("\"i1\": {", "\"i2\": {")
        .replaced("\"name\": \"finance\",", "");
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn errors_name_their_path() {
    let json = find("multi-branch-finance").expect("in the library").json;
    for (from, to, path) in [
        // Not the last element of a list, and the last field of an object.
        ("[\"e17\"]", "[\"x17\", \"e17\"]", "[0]: `x17` is not an ID"),
        (
            "{ \"N\": \"1250.75\" }",
            "[1, [2]]",
            ".values.amount: write a list",
        ),
        // After brackets, commas and quotes in texts and names.
        (
            "\"name\": \"finance\"",
            "\"n\\u0061me\": \"{[,\\\"\", \"x\": 1",
            "table.x: unknown field",
        ),
        (
            "\"name\": \"finance\"",
            "\"name\": []",
            "table.name: invalid type",
        ),
        (
            "\"name\": \"finance\"",
            "\"n\\u0061me\": 1, \"name\": \"finance\"",
            "table: `name` occurs twice",
        ),
        // A struct is no list of its fields.
        (
            "\"silenced\": [",
            "\"silenced\": [[\"K001\", \"e1\", \"why\"], ",
            "silenced[0]: invalid type: sequence, expected struct Silenced",
        ),
    ] {
        assert!(json.contains(from), "{from}");
        let error = from_json(&json.replacen(from, to, 1)).expect_err(to);
        assert!(error.to_string().contains(path), "{to}: {error}");
    }
}

#[test]
fn operations() {
    let refusals = Refusals::default()
        .replaced("\"getItem\"", "\"getItems\"")
        .replaced("\"descending\": true", "\"ascending\": false")
        .replaced("\"putItem\"", "\"put\"")
        .replaced("\"operator\": \"between\"", "\"operator\": \"within\"")
        .replaced("\"limit\": 50", "\"limit\": -50");
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn invalid_designs() {
    let json = find("multi-branch-finance").expect("in the library").json;
    let several = json
        .replacen("\"name\": \"GSI2\"", "\"name\": \"GSI1\"", 1)
        .replacen("\"name\": \"finance\"", "\"name\": \"f\"", 1);
    let refusals = Refusals::default()
        .replaced("\"entities\": [\"e17\"]", "\"entities\": [\"e99\"]")
        .file("several errors", &several);
    insta::assert_snapshot!(refusals.0);
}

#[test]
fn a_byte_order_mark_is_ignored() {
    let json = find("saas-multi-tenant").expect("in the library").json;
    assert!(from_json(&format!("\u{feff}{json}")).is_ok());
    assert!(from_json(&json.replace('\n', "\r\n")).is_ok());
}

#[test]
fn a_file_of_version_1_is_read_and_written_as_it_was() {
    let text = include_str!("../fixtures/version-1.keyfold.json");
    assert!(text.starts_with("{\n  \"keyfold\": 1,"));
    let design = from_json(text).expect("a design");
    let mut attributes = design.entities.values().flat_map(|e| &e.attributes);
    assert!(attributes.all(|attribute| !attribute.key_only));
    assert_eq!(to_json(&design), text);
    // An error still has its line and column.
    let error = from_json(&text.replace("\"required\": true", "\"required\": 1"));
    let error = error.expect_err("no bool").to_string();
    assert!(error.starts_with("line "), "{error}");
}

#[test]
fn only_a_design_with_a_workload_needs_version_3() {
    let mut design = full_design();
    assert!(check_round_trip(&design).starts_with("{\n  \"keyfold\": 3,"));
    design.workload = Arc::default();
    let text = check_round_trip(&design);
    assert!(text.starts_with("{\n  \"keyfold\": 1,") && !text.contains("workload"));
}

#[test]
fn a_file_of_version_2_is_read_and_written_as_it_was() {
    let text = include_str!("../fixtures/version-2.keyfold.json");
    assert!(text.starts_with("{\n  \"keyfold\": 2,"));
    let design = from_json(text).expect("a design");
    assert!(design.workload.is_empty());
    assert_eq!(to_json(&design), text);
}

#[test]
fn only_a_design_with_key_only_attributes_needs_version_2() {
    let mut design = key_only();
    let text = check_round_trip(&design);
    assert!(text.starts_with("{\n  \"keyfold\": 2,"), "{text}");
    assert_eq!(text.matches("\"keyOnly\": true").count(), 8, "{text}");
    for entity in design.entities.values_mut() {
        for attribute in &mut Arc::make_mut(entity).attributes {
            attribute.key_only = false;
        }
    }
    let text = check_round_trip(&design);
    assert!(text.starts_with("{\n  \"keyfold\": 1,"), "{text}");
}
