//! The YAML reader, compared with PyYAML and another version of its parser, and on handwritten texts.

use crate::cfn_lint::judged;
use crate::yaml::{awkward, expected, expected_map, pyyaml, root};
use keyfold_core::export::cloudformation::{Options, tree};
use keyfold_core::export::json;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::export::yaml::document;
use keyfold_core::export::yaml_reader::read;
use keyfold_test_support::cases;
use keyfold_test_support::yaml_reader;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

#[test]
fn our_templates_read_the_same_with_another_reader() {
    for (name, design) in judged() {
        for tenant_policy in [false, true] {
            let tree = tree(&design, Options { tenant_policy });
            let text = document(&tree).text;
            let read = read(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
            assert_eq!(expected(&read), yaml_reader::read(&text), "{name}");
        }
    }
}

#[test]
fn awkward_strings_round_trip() {
    let mut map = Map::new();
    for text in awkward() {
        map = map.with(text.as_str(), text.as_str());
    }
    let text = document(&map).text;
    assert_eq!(expected(&read(&text).unwrap()), expected_map(&map));
}

/// Templates as people write them, with the expected JSON.
#[test]
fn common_styles_are_read() {
    for (text, wanted) in [
        ("", Value::Null),
        ("# nothing\n---\n# but comments\n", Value::Null),
        (
            "a: 1\nb: -2\nc: 1.5\nd: 007\ne: 2012-10-17\n",
            json!({"a": 1, "b": -2, "c": "1.5", "d": "007", "e": "2012-10-17"}),
        ),
        (
            "a: true\nb: no\nc: ~\nd:\ne: ''\n",
            json!({"a": true, "b": false, "c": null, "d": null, "e": ""}),
        ),
        (
            "a:\n- 1\n- 2\nb:\n  - x\n",
            json!({"a": [1, 2], "b": ["x"]}),
        ),
        (
            "a:\n- k: 1\n  l: 2\n- k: 3\nb: 4\n",
            json!({"a": [{"k": 1, "l": 2}, {"k": 3}], "b": 4}),
        ),
        (
            "- - a\n  - b\n-\n  - c\n- d: e\n  f:\n  - g\n",
            json!([["a", "b"], ["c"], {"d": "e", "f": ["g"]}]),
        ),
        (
            "a: [1, 'x, y', {b: c, \"d\": [e]}, ]\n",
            json!({"a": [1, "x, y", {"b": "c", "d": ["e"]}]}),
        ),
        (
            "a: {\n  b: 1, # one\n  c: [\n    2\n  ]\n}\nd: e\n",
            json!({"a": {"b": 1, "c": [2]}, "d": "e"}),
        ),
        (
            "a: !Ref B\nb: !Sub '${C}-x'\nc: !GetAtt D.Arn\n",
            json!({"a": {"Ref": "B"}, "b": {"Fn::Sub": "${C}-x"}, "c": {"Fn::GetAtt": "D.Arn"}}),
        ),
        (
            "a: !If [X, !Ref Y, !Ref 'AWS::NoValue']\n",
            json!({"a": {"Fn::If": ["X", {"Ref": "Y"}, {"Ref": "AWS::NoValue"}]}}),
        ),
        (
            "a: !Join\n  - ''\n  - - x\n    - !Ref Y\nb: 1\n",
            json!({"a": {"Fn::Join": ["", ["x", {"Ref": "Y"}]]}, "b": 1}),
        ),
        (
            "a: !Join\n- ','\n- [x]\nb: 1\n",
            json!({"a": {"Fn::Join": [",", ["x"]]}, "b": 1}),
        ),
        (
            "- !Ref A\n- !Equals\n  - !Ref B\n  - c\n",
            json!([{"Ref": "A"}, {"Fn::Equals": [{"Ref": "B"}, "c"]}]),
        ),
        (
            "a: arn:aws:x:::y  # comment\nb: a#b\n",
            json!({"a": "arn:aws:x:::y", "b": "a#b"}),
        ),
        (
            "a: one\n  two\n  three # end\nb: 1\n",
            json!({"a": "one two three", "b": 1}),
        ),
        (
            "a: \"one\n  two\\\n  three\\n\"\nb: 'it''s\n\n  x'\n",
            json!({"a": "one twothree\n", "b": "it's\nx"}),
        ),
        (
            "a: |\n  one\n    two\n\n  three\nb: |-\n  x\nc: |+\n  y\n\nd: 1\n",
            json!({"a": "one\n  two\n\nthree\n", "b": "x", "c": "y\n\n", "d": 1}),
        ),
        (
            "a: >\n  one\n  two\n\n  three\nb: >-\n  x\n  y\n",
            json!({"a": "one two\nthree\n", "b": "x y"}),
        ),
        (
            "- |\n  in a list\n- !Sub |\n  ${A}\n",
            json!(["in a list\n", {"Fn::Sub": "${A}\n"}]),
        ),
        ("? a b\n: 1\n? c\n: - 2\n", json!({"a b": 1, "c": [2]})),
        ("'a: b': 1\n\"c\\\"d\" : 2\n", json!({"a: b": 1, "c\"d": 2})),
        (
            "a: !!str 12\nb: \"\\u00e9\\x41\\t\"\n",
            json!({"a": "12", "b": "éA\t"}),
        ),
        (
            "---\r\na: 1\r\nb:\r\n  - x\r\n...\r\n",
            json!({"a": 1, "b": ["x"]}),
        ),
        (
            "a:   \n  b: 1   \n  # c\n\n  d: 2\n",
            json!({"a": {"b": 1, "d": 2}}),
        ),
        ("just a text\n", json!("just a text")),
        ("%YAML 1.1\n---\na: 1\n", json!({"a": 1})),
        ("a: &x 1\nb: *x\n", json!({"a": 1, "b": 1})),
        (
            "&k a: &l [&m {n: 'o'}, *m]\nb: !If [c, *l, *k]\n",
            json!({"a": [{"n": "o"}, {"n": "o"}], "b": {"Fn::If": ["c", [{"n": "o"}, {"n": "o"}], "a"]}}),
        ),
    ] {
        let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(expected(&read), wanted, "{text}");
    }
}

/// PyYAML refuses tabs between a value and a comment, which YAML allows.
fn without_tabs(text: &str) -> String {
    text.replace('\t', " ")
}

/// Templates as people write them, with comments wherever YAML allows them; another reader reads each the same.
#[test]
fn comments_and_layouts_of_real_templates_are_read() {
    let texts = [
        "TableName: \"abc\" # x\n",
        "TableName: 'abc' # x\nB: 1\n",
        "TableName: \"abc\"\t# x\nB: 1\n",
        "A: [a, b] # x\nB: {c: d} # y\nC: 1\n",
        "# top\nA: # of A\n  # below\n  B: 1 # of B\n  # end\nC: 2\n",
        "- \"a\" # one\n- 'b' # two\n- [c] # three\n- {d: e} # four\n- f # five\n",
        "A:\n  - # nothing before\n    B: 'x' # y\n  # between\n  - C\n",
        "A: !Sub \"${B}-x\" # why\nC: !Ref 'D' # who\nE: !GetAtt F.Arn # what\n",
        "A: !If [X, !Ref Y, 'z'] # c\nB: !Join ['-', [a, \"b\"]] # d\n",
        "A: [ # open\n  a, # first\n  # between\n  'b' # last\n] # close\nB: 1\n",
        "A: { # open\n  b: c, # first\n  'd': \"e\" # last\n  } # close\nB: 1\n",
        "A: [one\n  two,\n  three\n\n  four]\nB: 1\n",
        "A: {b: one\n  two, c: [d,\n e]}\n",
        "A: | # text\n  # not a comment\n  b\n# a comment\nC: 1\n",
        "A: >- # folded\n  one\n  two\n\n  # three\nB: 1\n",
        "A: \"one\n  two # no comment\n  three\" # a comment\nB: 1\n",
        "'A': 1 # a\n\"B\" : 2 # b\n? C # c\n: 3 # d\n",
        "--- # begin\nA: 'b' # c\n... # end\n",
        "---\r\nA: \"b\" # c\r\nB: [c] # d\r\nC:\r\n  - 'e' # f\r\n",
        "A: 'b#c' # d\nE: f#g # h\nI: \"#j\" #\n",
        "A: '' # empty\nB: \"\" # empty\nC: [] # empty\nD: {} # empty\nE: # nothing\nF: ~ # nothing\n",
        "A: !!str 12 # number\nB: \"12\" # text\nC: 12 # number\n",
        "A:\n- b # c\n- 'd' # e\n# f\nG: h\n",
        "A: plain text # c\nB: plain\n  on lines # d\nC: 1\n",
        "A:   \t'b'   \t# tabs\nB: 1   \n",
        "A: {\"b\":\"c\",\"d\":[1,2]} # JSON\n",
    ];
    for (text, by_python) in texts.iter().zip(pyyaml(&texts.map(without_tabs))) {
        let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(expected(&read), by_python, "{text}");
    }
}

/// A value written as YAML at an indentation: the text after the key or the dash, with line ends.
fn written() -> impl Strategy<Value = String> {
    let comment = prop::sample::select(vec!["", "", " # c", "\t# 'c' \"d\" [e", "   # k: v", "  "]);
    let scalar = prop::sample::select(vec![
        "a",
        "'b'",
        "\"c\"",
        "'it''s'",
        "\"d # e\"",
        "'# f'",
        "g#h",
        "i j",
        "12",
        "true",
        "!Ref K",
        "!Sub '${L}'",
        "''",
        "[]",
        "{}",
        "[m, 'n', \"o\"]",
        "{p: q, 'r': \"s\"}",
        "[t, [u, {v: 'w'}]]",
    ]);
    let flow = (
        prop::collection::vec(
            (
                prop::sample::select(vec!["a", "'b'", "\"c\"", "d e"]),
                comment.clone(),
            ),
            1..4,
        ),
        comment.clone(),
    )
        .prop_map(|(items, last)| {
            let lines: Vec<String> = items
                .iter()
                .map(|(item, comment)| format!("      {item},{comment}\n"))
                .collect();
            format!("[{last}\n{}      ]", lines.concat())
        });
    let value = prop_oneof![4 => scalar.prop_map(str::to_owned), 1 => flow];
    let line = prop::sample::select(vec!["", "", "# alone\n", "\n", "      # deep\n"]);
    let pair = (value, comment.clone(), line.clone())
        .prop_map(|(value, comment, line)| format!("{value}{comment}\n{line}"));
    let map = (comment.clone(), prop::collection::vec(pair.clone(), 1..4)).prop_map(
        |(comment, pairs)| {
            let lines: Vec<String> = pairs
                .iter()
                .enumerate()
                .map(|(at, pair)| format!("    k{at}: {pair}"))
                .collect();
            format!("{comment}\n{}", lines.concat())
        },
    );
    let list = (comment, prop::collection::vec(pair.clone(), 1..4)).prop_map(|(comment, items)| {
        let lines: Vec<String> = items.iter().map(|item| format!("    - {item}")).collect();
        format!("{comment}\n{}", lines.concat())
    });
    prop_oneof![pair.prop_map(|pair| format!(" {pair}")), map, list]
}

/// A template of these values, with line ends of Windows or not.
fn template(values: &[String], windows: bool) -> String {
    let lines: Vec<String> = (values.iter().enumerate())
        .map(|(at, value)| format!("Key{at}:{value}"))
        .collect();
    match windows {
        true => lines.concat().replace('\n', "\r\n"),
        false => lines.concat(),
    }
}

#[test]
fn pyyaml_reads_any_layout_the_same() {
    let mut runner = TestRunner::deterministic();
    let values = (prop::collection::vec(written(), 1..5), any::<bool>());
    let texts: Vec<String> = (0..200)
        .map(|_| values.new_tree(&mut runner).unwrap().current())
        .map(|(values, windows)| template(&values, windows))
        .collect();
    let for_python: Vec<String> = texts.iter().map(|text| without_tabs(text)).collect();
    for (text, by_python) in texts.iter().zip(pyyaml(&for_python)) {
        let read = read(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(expected(&read), by_python, "{text}");
    }
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn comments_and_spaces_are_allowed_anywhere(values in prop::collection::vec(written(), 1..5), windows in any::<bool>()) {
        let text = template(&values, windows);
        let read = read(&text);
        prop_assert!(read.is_ok(), "{:?}\n{}", read, text);
        prop_assert_eq!(expected(&read.unwrap()), yaml_reader::read(&text), "{}", text);
    }
}

#[test]
fn invalid_yaml_is_rejected_with_its_place() {
    let mut said = String::new();
    for text in [
        "a: 1\na: 2\n",
        "a: 1\n  b: 2\n",
        "a:\n  b: 1\n c: 2\n",
        "a: [1, 2\nb: 3\n",
        "a: {b: 1\n",
        "a: 'x\nb: 1\n",
        "a: \"\\q\"\n",
        "a: 'x' y\n",
        "a: !Nope x\n",
        "a: b: c\n",
        "a: - b\n",
        "a:\n\t- b\n",
        "a: 1\n---\nb: 2\n",
        "a: @b\n",
        "- a\nb: c\n",
        "a\nb: c\n",
        "a: |x\n  b\n",
        "a: {b: 1, 'b': 2}\n",
        "a: *x\n",
        "a: &x [*x]\n",
        "a: &x {b: 1}\nc:\n  <<: *x\n",
        "a: !!int 1\n",
        "? [a]\n: b\n",
    ] {
        let error = read(text).expect_err(text);
        said.push_str(&format!("{text:?}: {error}\n"));
    }
    insta::assert_snapshot!(said);
}

#[test]
fn nesting_is_bounded() {
    for text in [
        "[".repeat(100_000),
        "- ".repeat(100_000),
        "{a: ".repeat(100_000),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.message.contains("nested too deeply"), "{error}");
    }
}

/// Aliases of aliases, which would be gigabytes.
#[test]
fn what_aliases_repeat_is_bounded() {
    for (first, many) in [("x".to_owned(), 30), ("x".repeat(10_000), 3)] {
        let mut text = format!("a0: &a0 {first}\n");
        for at in 1..=many {
            let before = format!("*a{}", at - 1);
            let list = vec![before; 10].join(", ");
            text.push_str(&format!("a{at}: &a{at} [{list}]\n"));
        }
        let error = read(&text).unwrap_err();
        assert!(error.message.contains("the aliases repeat"), "{error}");
    }
    let mut text = "a0: &a0 []\n".to_owned();
    for at in 1..=100 {
        text.push_str(&format!("a{at}: &a{at} [*a{}]\n", at - 1));
    }
    let error = read(&text).unwrap_err();
    assert!(error.message.contains("nested too deeply"), "{error}");
}

/// Whether both readers read the same. Keyfold keeps the text of a number with leading zeros (such as an account's),
/// and of a number after a short tag.
fn is_same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Array(ours), Value::Array(theirs)) => {
            ours.len() == theirs.len() && (ours.iter().zip(theirs)).all(|(o, t)| is_same(o, t))
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            let same = |((name, own), (other, their)): ((&String, &Value), (&String, &Value))| {
                name == other && is_same(own, their)
            };
            ours.len() == theirs.len() && ours.iter().zip(theirs).all(same)
        }
        (Value::String(text), Value::Number(number)) => text
            .parse()
            .is_ok_and(|own: i64| number.as_i64() == Some(own)),
        (ours, theirs) => ours == theirs,
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn any_tree_round_trips(root in root()) {
        let text = document(&root).text;
        let read = read(&text);
        prop_assert!(read.is_ok(), "{:?}\n{}", read, text);
        prop_assert_eq!(expected(&read.unwrap()), expected_map(&root), "{}", text);
    }

    #[test]
    fn any_tree_round_trips_through_json(root in root()) {
        let text = json::document(&root).text;
        let value: Value = serde_json::from_str(&text).unwrap();
        let by_line = json::line(&Node::Map(root));
        prop_assert_eq!(&serde_json::from_str::<Value>(&by_line).unwrap(), &value);
    }

    /// Texts that both readers accept have the same value.
    #[test]
    fn nothing_is_misread(text in "([ab0]|: |- |\n|\n  |\n    |'|\"|, |\\[|\\]|\\{|\\}| #|!Ref ){0,16}") {
        use saphyr::{LoadableYamlNode, Yaml};
        if let (Ok(ours), Ok(theirs)) = (read(&text), Yaml::load_from_str(&text))
            && theirs.len() == 1
            && let Some(theirs) = yaml_reader::plain(&theirs[0])
        {
            let ours = expected(&ours);
            prop_assert!(is_same(&ours, &theirs), "{:?} is read as {} and by another as {}", text, ours, theirs);
        }
    }
}
