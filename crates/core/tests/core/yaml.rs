//! The YAML writer, checked with a YAML 1.2 reader in Rust and with PyYAML, which reads YAML 1.1.

use super::cfn_lint::python_with_yaml;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::export::yaml::{document, scalar};
use keyfold_core::export::{Code, Tag};
use keyfold_test_support::cases;
use keyfold_test_support::yaml_reader::{long_form, read};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Command, Stdio};

/// Strings that some YAML readers read as something else.
pub fn awkward() -> Vec<String> {
    serde_json::from_str(include_str!("../fixtures/yaml_strings.json")).unwrap()
}

/// The value that a YAML reader must return for a node.
pub fn expected(node: &Node) -> Value {
    match node {
        Node::Null => Value::Null,
        Node::Bool(value) => json!(value),
        Node::Number(number) => json!(number.parse::<i64>().unwrap()),
        Node::Text(text) | Node::Type(text) | Node::Code(text) => json!(text),
        Node::List(items) => items.iter().map(expected).collect(),
        Node::Map(map) => expected_map(map),
        Node::Call(tag, content) => json!({ long_form(tag): expected(content) }),
    }
}

pub fn expected_map(map: &Map) -> Value {
    let pairs = map.pairs();
    Value::Object(pairs.map(|(k, v)| (k.to_owned(), expected(v))).collect())
}

/// Checks that spans are ordered, disjoint and on character boundaries, and that the text has no trailing spaces or
/// tabs and ends with a line feed.
fn check_code(code: &Code) {
    let mut end = 0;
    for (range, _) in &code.spans {
        assert!(range.start >= end && range.start < range.end, "{range:?}");
        assert!(code.text.get(range.clone()).is_some(), "{range:?}");
        end = range.end;
    }
    assert!(code.text.ends_with('\n'));
    for line in code.text.lines() {
        assert_eq!(line, line.trim_end_matches([' ', '\t']), "{line:?}");
    }
}

/// Returns the values that PyYAML reads from these documents.
pub fn pyyaml(documents: &[String]) -> Vec<Value> {
    const SCRIPT: &str = r#"
import json, sys, yaml
def short(loader, tag, node):
    kind = type(node).__name__
    value = (loader.construct_scalar(node) if kind == "ScalarNode"
             else loader.construct_sequence(node, True) if kind == "SequenceNode"
             else loader.construct_mapping(node, True))
    return {tag if tag in ("Ref", "Condition") else "Fn::" + tag: value}
yaml.SafeLoader.add_multi_constructor("!", short)
print(json.dumps([yaml.load(d, yaml.SafeLoader) for d in json.load(sys.stdin)], default=lambda v: {"python": repr(v)}))
"#;
    let mut child = Command::new(python_with_yaml())
        .args(["-c", SCRIPT])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let input = serde_json::to_vec(documents).unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "python failed");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// Any string, often an awkward one or a piece with a special meaning in YAML.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop::collection::vec(
        prop::sample::select(vec![
            "a", "1", " ", ":", "#", "-", "'", "\"", "\n", "_", ".", "é", ",", "~", "!", "{", "\\",
        ]),
        0..5,
    );
    prop_oneof![
        prop::sample::select(awkward()),
        any::<String>(),
        pieces.prop_map(|pieces| pieces.concat()),
        "[a-z]{1,6}",
    ]
}

fn map_of(entries: std::collections::BTreeMap<String, Node>) -> Map {
    (entries.into_iter()).fold(Map::new(), |map, (key, value)| {
        map.with_comment("a\n: b # c").with_blank().with(key, value)
    })
}

fn node() -> impl Strategy<Value = Node> {
    let leaf = prop_oneof![
        1 => Just(Node::Null),
        1 => any::<bool>().prop_map(Node::Bool),
        1 => any::<i64>().prop_map(|value| Node::Number(value.to_string())),
        6 => text().prop_map(Node::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let tags = prop::sample::select(vec!["Ref", "Sub", "If", "GetAtt"]);
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Node::List),
            prop::collection::btree_map(text(), inner.clone(), 0..4)
                .prop_map(|entries| map_of(entries).into()),
            (tags, inner)
                .prop_filter("a bare scalar under a tag is text", |(_, content)| {
                    !matches!(content, Node::Null | Node::Bool(_) | Node::Number(_))
                })
                .prop_map(|(tag, content)| Node::call(tag, content)),
        ]
    })
}

pub fn root() -> impl Strategy<Value = Map> {
    prop::collection::btree_map(text(), node(), 1..4).prop_map(map_of)
}

#[test]
fn both_readers_read_awkward_strings() {
    let strings = awkward();
    let in_list = Map::new().with(
        "all",
        Node::List(strings.iter().cloned().map(Node::Text).collect()),
    );
    let as_keys = (strings.iter()).fold(Map::new(), |map, text| map.with(text, text.as_str()));
    for root in [in_list, as_keys] {
        let code = document(&root);
        check_code(&code);
        assert_eq!(read(&code.text), expected_map(&root));
        assert_eq!(pyyaml(&[code.text]), [expected_map(&root)]);
    }
}

#[test]
fn strings_special_in_yaml_1_1_are_quoted() {
    for word in [
        "y",
        "Y",
        "n",
        "NO",
        "on",
        "Off",
        "yes",
        "true",
        "null",
        "~",
        "",
        "=",
        "<<",
        "12:30",
        "2010-09-09",
        "1_000",
        "0x1f",
        "0o17",
        "017",
        "1e3",
        ".inf",
        ".nan",
        "-",
        "a: b",
        "a #b",
        " a",
        "a ",
        "a:",
        "@a",
        "`a",
        "%a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "'",
        "{a",
        "[a",
        "?",
        ",",
    ] {
        let quoted = scalar(word);
        assert!(
            quoted.starts_with(['\'', '"']),
            "{word:?} came out as {quoted}"
        );
    }
    for word in [
        "PAY_PER_REQUEST",
        "AWS::DynamoDB::Table",
        "PK",
        "straße",
        "two words",
        "a/b",
        "nope",
    ] {
        assert_eq!(scalar(word), word);
    }
}

#[test]
fn pyyaml_reads_any_tree() {
    let mut runner = TestRunner::deterministic();
    let trees: Vec<Map> = (0..300)
        .map(|_| root().new_tree(&mut runner).unwrap().current())
        .collect();
    let documents: Vec<String> = trees.iter().map(|tree| document(tree).text).collect();
    for ((tree, text), read) in trees.iter().zip(&documents).zip(pyyaml(&documents)) {
        assert_eq!(read, expected_map(tree), "{text}");
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn a_yaml_1_2_reader_reads_any_tree(root in root()) {
        let code = document(&root);
        check_code(&code);
        prop_assert_eq!(read(&code.text), expected_map(&root));
    }

    #[test]
    fn json_becomes_the_same_tree(root in root()) {
        let json = expected_map(&root);
        let node = Node::from_json(&json.to_string()).unwrap();
        prop_assert_eq!(expected(&node), json);
    }
}

#[test]
fn spans_have_the_right_tags() {
    let code = document(
        &Map::new()
            .with_comment("note")
            .with("Type", Node::Type("AWS::DynamoDB::Table".into()))
            .with("Name", Node::call("Ref", "A"))
            .with("Count", 3)
            .with("List", vec![Node::from("no")]),
    );
    let spans: Vec<_> = (code.spans.iter())
        .map(|(range, tag)| (*tag, &code.text[range.clone()]))
        .collect();
    assert_eq!(
        spans,
        [
            (Tag::Comment, "# note"),
            (Tag::Key, "Type"),
            (Tag::Type, "AWS::DynamoDB::Table"),
            (Tag::Key, "Name"),
            (Tag::Keyword, "!Ref"),
            (Tag::Text, "A"),
            (Tag::Key, "Count"),
            (Tag::Number, "3"),
            (Tag::Key, "List"),
            (Tag::Text, "'no'"),
        ]
    );
}

#[test]
fn a_nested_function_has_its_long_form() {
    let nested = Node::call("Base64", Node::call("Sub", "${A}"));
    let code = document(&Map::new().with("a", nested.clone()).with("b", vec![nested]));
    insta::assert_snapshot!(code.text, @r"
    a: !Base64
      Fn::Sub: '${A}'
    b:
      - !Base64
        Fn::Sub: '${A}'
    ");
}

#[test]
fn json_with_a_repeated_key_is_rejected() {
    let error = Node::from_json(r#"{"a": 1, "a": 2}"#).unwrap_err();
    assert!(error.contains("`a` is repeated"), "{error}");
}
