//! Files that are none of the formats, cut off, too deep, too large, or lie about their format: an error with its place,
//! never a panic.

use super::import;
use keyfold_core::export::{FORMATS, Format as Export};
use keyfold_core::library::find;
use keyfold_core::persist::to_json;
use keyfold_import::format::FORMATS as IMPORTS;
use keyfold_import::{combine, design, read};
use keyfold_test_support::cases;
use proptest::prelude::*;
use proptest::sample::Index;

fn refused(name: &str, text: &str) -> String {
    match read(name, text.as_bytes(), None) {
        Ok(import) => panic!("{name}: {import:?}"),
        Err(error) => error,
    }
}

#[test]
fn errors_say_where_and_what() {
    let mut said = String::new();
    for (name, text) in [
        ("empty.json", ""),
        ("a.json", "{"),
        ("a.json", "[]"),
        ("a.json", "{\"name\": \"package\", \"version\": \"1.0.0\"}"),
        ("a.json", "{\"DataModel\": 7}"),
        ("a.json", "{\"DataModel\": [{\"TableName\": \"t\"}]}"),
        ("a.json", "{\"DataModel\": []}"),
        ("a.json", "{\"Resources\": {}}"),
        ("a.json", "{\"keyfold\": 1}"),
        ("a.json", "{\"TableName\": \"t\", \"KeySchema\": []}"),
        (
            "a.json",
            "{\"tables\": [{\"table_config\": {\"table_name\": \"t\"}}]}",
        ),
        (
            "a.yaml",
            "Resources:\n  T:\n    Type: AWS::DynamoDB::Table\n",
        ),
        ("a.yaml", "a: [1\n"),
        (
            "a.tf",
            "resource \"aws_dynamodb_table\" \"t\" {\n  name =\n}\n",
        ),
        ("a.tf", "variable \"a\" {}\n"),
        ("a.csv", "a,b\n\"x\n"),
        ("a.csv", "a,a\n1,2\n"),
        ("a.ts", "export const a = 1;\n"),
        (
            "a.ts",
            "new Entity({ model: { entity: \"A\" }, attributes: {}, indexes: {} });\n",
        ),
        ("a.ts", "export const s = { indexes: {}, models: {} };\n"),
        ("a.txt", "hello world"),
        ("a.txt", "$ion_1_0 {Item:{}}"),
    ] {
        said.push_str(&format!("{name} {text:?}: {}\n", refused(name, text)));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn bytes_that_are_no_text_are_refused() {
    for (bytes, wanted) in [
        (&b"\x1f\x8b\x08\x00damaged"[..], "gzip"),
        (b"PK\x03\x04rest", "zip"),
        (b"\xff\xfe{", "UTF-8"),
    ] {
        let error = read("file", bytes, None).expect_err("no text");
        assert!(error.contains(wanted), "{error}");
    }
}

#[test]
fn many_small_values_are_refused_before_they_take_memory() {
    for (name, start, value) in [
        ("a.json", "[", "1,"),
        ("a.json", "[", "{},"),
        ("a.csv", "PK,SK\n", "a,b\n"),
        ("a.yaml", "", "- 1\n"),
        ("a.tf", "a = [", "1,"),
    ] {
        let text = [start, &value.repeat(6_100_000)].concat();
        assert_eq!(
            refused(name, &text),
            "the file has more than 6000000 values, the most that an import reads"
        );
    }
}

#[test]
fn nesting_is_bounded() {
    for (name, open) in [
        ("a.json", "["),
        ("a.json", "{\"a\":"),
        ("a.yaml", "- "),
        ("a.yaml", "{a: "),
        ("a.ts", "["),
        ("a.ts", "{a: "),
        ("a.ts", "new Entity(("),
        ("a.ts", "`${"),
        ("a.ts", "const a = f("),
        ("a.tf", "a = ["),
        ("a.tf", "a {"),
    ] {
        let many = open.repeat(10_000);
        let text = match open {
            "a = [" => ["a = ", &"[".repeat(10_000)].concat(),
            _ => many,
        };
        let error = refused(name, &text);
        assert!(error.len() < 500, "{error}");
    }
}

#[test]
fn locals_that_repeat_locals_do_not_grow_without_end() {
    let mut text = String::from("locals {\n  a0 = \"xxxxxxxxxx\"\n");
    for at in 1..60 {
        let before = format!("${{local.a{}}}", at - 1);
        text.push_str(&format!("  a{at} = \"{before}{before}\"\n"));
    }
    text.push_str("}\nresource \"aws_dynamodb_table\" \"t\" {\n  name = local.a59\n  hash_key = \"PK\"\n  billing_mode = \"PAY_PER_REQUEST\"\n  attribute {\n    name = \"PK\"\n    type = \"S\"\n  }\n}\n");
    let import = import("a.tf", &text);
    assert_eq!(import.tables[0].table.name, "t-table");
    assert_eq!(import.left_out.len(), 1, "{:?}", import.left_out);
}

/// Valid files of all formats.
fn valid() -> Vec<(String, String)> {
    let design = find("saas-multi-tenant")
        .expect("a pattern")
        .design()
        .expect("a design");
    let mut all = vec![("design.json".to_owned(), to_json(&design))];
    for format in FORMATS {
        if !["rust", "rust-crate", "markdown"].contains(&format.name) {
            let format = Export::named(format.name).expect("a format");
            all.extend((format.files(&design).into_iter()).map(|file| (file.name, file.code.text)));
        }
    }
    all
}

/// Reads a file in every format and makes designs of what is found.
fn try_all(name: &str, bytes: &[u8]) {
    let formats = IMPORTS.iter().map(|(format, ..)| Some(*format));
    for format in formats.chain([None]) {
        if let Ok(import) = read(name, bytes, format) {
            let import = combine(vec![(name.to_owned(), import)]);
            for table in &import.tables {
                let _ = design(table);
            }
        }
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn no_bytes_cause_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        try_all("file", &bytes);
    }

    #[test]
    fn no_text_causes_a_panic(text in "[\\[\\]{}\"',:;#=<$`/\\\\.(){}!&*|>a-c0-9 \n-]{0,80}", ending in "json|yaml|tf|csv|txt|ts") {
        try_all(&format!("file.{ending}"), text.as_bytes());
    }

    #[test]
    fn no_cut_causes_a_panic(which in any::<Index>(), from in any::<Index>(), many in 0..200usize, with in "[\\[{}\"':,a \n]{0,3}") {
        let valid = valid();
        let (name, text) = which.get(&valid);
        let start = text.floor_char_boundary(from.index(text.len().max(1)));
        let end = text.floor_char_boundary((start + many).min(text.len()));
        let cut = [&text[..start], &with, &text[end..]].concat();
        if let Ok(import) = read(name, cut.as_bytes(), None) {
            let import = combine(vec![(name.clone(), import)]);
            for table in &import.tables {
                let _ = design(table);
            }
        }
        let _ = read(name, &text.as_bytes()[..start], None);
    }
}
