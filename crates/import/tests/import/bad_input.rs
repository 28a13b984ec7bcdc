//! Files that are none of the formats, cut off, too deep, too large, or lie about their format: an error with its place,
//! never a panic.

use super::import;
use keyfold_import::read;

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
