//! Values: numbers, sizes, order and text forms.

use keyfold_core::model::number::Number;
use keyfold_core::model::value::{AttributeType, Value, compare_keys, item_size};
use keyfold_core::model::{SortedMap, SortedSet};
use keyfold_test_support::cases;
use proptest::prelude::*;
use serde_json::json;
use std::cmp::Ordering;

fn number(text: &str) -> Number {
    text.parse()
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn numbers_are_written_as_dynamodb_returns_them() {
    let check =
        |input: &str, expect: &str| assert_eq!(number(input).to_string(), expect, "{input}");
    check("0", "0");
    check("-0", "0");
    check("0.000", "0");
    check("0e999999999999999999999", "0");
    check("007", "7");
    check("+5", "5");
    check("1.50", "1.5");
    check(".5", "0.5");
    check("5.", "5");
    check("-0.0100", "-0.01");
    check("1200", "1200");
    check("1.2e3", "1200");
    check("1.2E-3", "0.0012");
    check("12.05", "12.05");
    check("100.001", "100.001");
    check(
        "99999999999999999999999999999999999999",
        "99999999999999999999999999999999999999",
    );
    check("1e-130", &format!("0.{}1", "0".repeat(129)));
    check("-9.9e125", &format!("-99{}", "0".repeat(124)));
    check(
        &format!("{}1{}", "0".repeat(50), "0".repeat(100)),
        &format!("1{}", "0".repeat(100)),
    );
}

#[test]
fn invalid_numbers_are_refused_with_a_reason() {
    let check = |input: &str, expect: &str| {
        let message = input
            .parse::<Number>()
            .map(|n| n.to_string())
            .expect_err(input)
            .to_string();
        assert!(message.contains(expect), "{input}: {message}");
    };
    for text in [
        "", "-", ".", "e5", "1e", "1e+", "1.2.3", "--1", "1 ", "0x1", "NaN", "Infinity", "1_000",
        "١",
    ] {
        check(text, "not a number");
    }
    check(
        "123456789012345678901234567890123456789",
        "39 significant digits",
    );
    check("1e126", "too large");
    check("10e125", "too large");
    check("1e9999999999999999999999", "too large");
    check("9.99e-131", "too close to zero");
    check("1e-9999999999999999999999", "too close to zero");
}

#[test]
fn sizes_follow_dynamodbs_rules() {
    let check = |value: Value, expect: usize| assert_eq!(value.size(), expect, "{value:?}");
    let n = |text| Value::N(number(text));
    check("".into(), 0);
    check("é€".into(), 5);
    check(n("0"), 1);
    check(n("7"), 2);
    check(n("100"), 2);
    check(n("123"), 3);
    check(n("-123"), 4);
    check(n("-99999999999999999999999999999999999999"), 21);
    check(Value::B(vec![0; 9]), 9);
    check(Value::Bool(false), 1);
    check(Value::Null, 1);
    check(Value::L(vec![]), 3);
    check(Value::L(vec!["ab".into(), Value::Null]), 3 + 3 + 2);
    check(
        Value::M([("name".to_owned(), "ab".into())].into()),
        3 + 4 + 2 + 1,
    );
    check(Value::Ss(["a".to_owned(), "bc".to_owned()].into()), 3);
    check(Value::Ns([number("1"), number("22")].into()), 4);
    check(Value::Bs([vec![1], vec![2, 3]].into()), 3);
    assert_eq!(
        item_size(
            &[
                ("PK".to_owned(), "ab".into()),
                ("n".to_owned(), Value::from(7))
            ]
            .into()
        ),
        7
    );
}

#[test]
fn keys_sort_as_in_dynamodb() {
    let check = |left: Value, right: Value| {
        assert_eq!(
            compare_keys(&left, &right),
            Ordering::Less,
            "{left:?} < {right:?}"
        );
        assert_eq!(compare_keys(&right, &left), Ordering::Greater);
    };
    check("A".into(), "a".into());
    check("10".into(), "9".into());
    check("a".into(), "aa".into());
    // UTF-8 order: U+FFFD sorts before U+1F600. In UTF-16 it is the reverse.
    check("\u{FFFD}".into(), "\u{1F600}".into());
    check(Value::from(9), Value::from(10));
    check(Value::from(-10), Value::from(-9));
    check(Value::N(number("-0.1")), Value::from(0));
    check(Value::N(number("1e-130")), Value::N(number("1e-129")));
    check(Value::N(number("99.9")), Value::from(100));
    check(Value::B(vec![0x7F]), Value::B(vec![0x80]));
    check(Value::B(vec![1]), Value::B(vec![1, 0]));
}

#[test]
fn the_file_form_is_plain_where_possible() {
    let check = |value: Value, expect: &str| {
        let written = serde_json::to_string(&value).unwrap();
        assert_eq!(written, expect);
        assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), value);
        let typed = value.to_dynamodb_json().to_string();
        assert_eq!(
            serde_json::from_str::<Value>(&typed).unwrap(),
            value,
            "{typed}"
        );
    };
    check("x".into(), r#""x""#);
    check(Value::Bool(true), "true");
    check(Value::Null, "null");
    check(Value::from(-5), "-5");
    check(Value::from(1 << 53), "9007199254740992");
    check(Value::from((1 << 53) + 1), r#"{"N":"9007199254740993"}"#);
    check(Value::N(number("1.50")), r#"{"N":"1.5"}"#);
    check(Value::B(vec![0, 255]), r#"{"B":"AP8="}"#);
    check(
        Value::L(vec!["a".into(), Value::from(1)]),
        r#"{"L":[{"S":"a"},{"N":"1"}]}"#,
    );
    check(
        Value::M(
            [
                ("b".to_owned(), Value::Null),
                ("a".to_owned(), Value::Bool(true)),
            ]
            .into(),
        ),
        r#"{"M":{"a":{"BOOL":true},"b":{"NULL":true}}}"#,
    );
    check(
        Value::Ss(["b".to_owned(), "a".to_owned()].into()),
        r#"{"SS":["a","b"]}"#,
    );
    check(
        Value::Ns([number("10"), number("9")].into()),
        r#"{"NS":["9","10"]}"#,
    );
    check(Value::Bs([vec![1]].into()), r#"{"BS":["AQ=="]}"#);
    check(Value::Ss(SortedSet::new()), r#"{"SS":[]}"#);
}

#[test]
fn invalid_json_is_refused_with_its_place() {
    let check = |json: serde_json::Value, expect: &str| {
        let message = serde_json::from_value::<Value>(json.clone())
            .expect_err(&json.to_string())
            .to_string();
        assert!(message.contains(expect), "{json}: {message}");
    };
    check(json!({"S": 5}), "does not fit type S");
    check(json!({"N": "x"}), "not a number");
    check(json!({"X": "x"}), "`X` is not a DynamoDB type");
    check(json!({"S": "x", "N": "1"}), "expected DynamoDB JSON");
    check(
        json!({"L": [{"S": "a"}, {"M": {"k": {"N": "x"}}}]}),
        "[1].k: `x`: not a number",
    );
    check(json!({"NULL": false}), "does not fit");
    check(json!({"B": "*"}), "base64");
    check(json!([1]), r#"{"L": [...]}"#);
    check(json!(1e300), "cannot represent");
    let deep = (0..33).fold(json!({"S": "x"}), |inner, _| json!({"L": [inner]}));
    check(deep, "33 levels");
}

#[test]
fn a_cell_rounds_no_number_in_a_list_a_map_or_a_set() {
    use AttributeType::*;
    let long = "0.1000000000000000000001";
    for (kind, text, number) in [
        (
            L,
            format!(r#"["0.1 \" {long}", 0.1, -{long}]"#),
            "-0.1000000000000000000001",
        ),
        (M, format!(r#"{{"a": {{"b": {long}}}}}"#), long),
        (
            M,
            r#"{"a": 12345678901234567890123}"#.to_owned(),
            "12345678901234567890123",
        ),
        (Ns, format!("[1, {long}]"), long),
        (L, "[1.5e-200]".to_owned(), "1.5e-200"),
    ] {
        let error = Value::from_text(kind, &text).expect_err(&text);
        let advice = format!(
            r#"JSON numbers cannot represent {number} exactly: write it as {{"N": "{number}"}}"#
        );
        assert_eq!(error, advice, "{text}");
    }
    // What it says works.
    for (kind, text, expect) in [
        (
            L,
            format!(r#"[{{"N": "{long}"}}, 1.50, 1e2]"#),
            format!(r#"{{"L":[{{"N":"{long}"}},{{"N":"1.5"}},{{"N":"100"}}]}}"#),
        ),
        (
            Ns,
            format!(r#"[{{"N": "{long}"}}, "2.5", 3]"#),
            format!(r#"{{"NS":["{long}","2.5","3"]}}"#),
        ),
        (
            M,
            r#"{"a": {"L": [0.5]}, "N": 1.5}"#.to_owned(),
            r#"{"M":{"N":{"N":"1.5"},"a":{"M":{"L":{"L":[{"N":"0.5"}]}}}}}"#.to_owned(),
        ),
    ] {
        let value = Value::from_text(kind, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.to_dynamodb_json().to_string(), expect, "{text}");
        assert_eq!(
            Value::from_text(kind, &value.to_text()),
            Ok(value),
            "{text}"
        );
    }
}

#[test]
fn a_cell_accepts_typed_text() {
    use AttributeType::*;
    let check = |kind, text: &str, expect: &str| {
        let value = Value::from_text(kind, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(value.kind(), kind);
        assert_eq!(value.to_dynamodb_json().to_string(), expect, "{text}");
    };
    check(S, " a ", r#"{"S":" a "}"#);
    check(N, " 1.50 ", r#"{"N":"1.5"}"#);
    check(B, "AP8", r#"{"B":"AP8="}"#);
    check(Bool, "True", r#"{"BOOL":true}"#);
    check(Null, "", r#"{"NULL":true}"#);
    check(
        L,
        r#"["a", 1.5, null, {"N": "2.50"}, {"x": true}]"#,
        r#"{"L":[{"S":"a"},{"N":"1.5"},{"NULL":true},{"N":"2.5"},{"M":{"x":{"BOOL":true}}}]}"#,
    );
    check(L, r#"{"L": [{"S": "a"}]}"#, r#"{"L":[{"S":"a"}]}"#);
    check(
        M,
        r#"{"a": {"S": "x"}, "b": {"S": 5}}"#,
        r#"{"M":{"a":{"S":"x"},"b":{"M":{"S":{"N":"5"}}}}}"#,
    );
    check(M, r#"{"M": {"a": {"S": "x"}}}"#, r#"{"M":{"a":{"S":"x"}}}"#);
    check(M, r#"{"S": "x"}"#, r#"{"M":{"S":{"S":"x"}}}"#);
    check(Ss, r#"["b", "a", "b"]"#, r#"{"SS":["a","b"]}"#);
    check(Ns, r#"[1, "2.50"]"#, r#"{"NS":["1","2.5"]}"#);
    check(Bs, r#"{"BS": ["AQ=="]}"#, r#"{"BS":["AQ=="]}"#);
}

#[test]
fn a_cell_says_what_to_type_instead() {
    let wrong = [
        (AttributeType::N, "ten"),
        (AttributeType::Bool, "yes"),
        (AttributeType::Null, "x"),
        (AttributeType::B, "?"),
        (AttributeType::L, "a, b"),
        (AttributeType::L, r#"{"a": 1}"#),
        (AttributeType::M, "[1]"),
        (AttributeType::Ss, "[1]"),
        (AttributeType::Ss, "[]"),
        (AttributeType::Ns, r#"["x"]"#),
        (AttributeType::Bs, r#"{"SS": ["a"]}"#),
        (AttributeType::L, r#"{"L": [{"N": "x"}]}"#),
    ];
    let table: Vec<_> = wrong
        .iter()
        .map(|(kind, text)| {
            format!(
                "{kind} {text} => {}",
                Value::from_text(*kind, text).expect_err(text)
            )
        })
        .collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn types_are_written_as_dynamodb_writes_them() {
    for kind in AttributeType::ALL {
        assert_eq!(serde_json::to_value(kind).unwrap(), json!(kind.word()));
        assert_eq!(AttributeType::from_word(kind.word()), Some(kind));
        assert!(!kind.label().is_empty());
    }
}

fn any_number() -> impl Strategy<Value = Number> {
    prop_oneof![
        any::<i64>().prop_map(Number::from),
        (any::<i64>(), -100i32..100)
            .prop_map(|(digits, exponent)| number(&format!("{digits}e{exponent}"))),
    ]
}

fn any_value() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        Just("S".to_owned()),
        Just("M".to_owned()),
        Just("N".to_owned()),
        ".{0,3}"
    ];
    let leaf = prop_oneof![
        ".{0,6}".prop_map(Value::S),
        any_number().prop_map(Value::N),
        prop::collection::vec(any::<u8>(), 0..6).prop_map(Value::B),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        prop::collection::btree_set(".{0,3}", 1..4)
            .prop_map(|all| Value::Ss(all.into_iter().collect())),
        prop::collection::btree_set(any_number(), 1..4)
            .prop_map(|all| Value::Ns(all.into_iter().collect())),
        prop::collection::btree_set(prop::collection::vec(any::<u8>(), 0..3), 1..4)
            .prop_map(|all| Value::Bs(all.into_iter().collect())),
    ];
    leaf.prop_recursive(4, 20, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::L),
            prop::collection::btree_map(name.clone(), inner, 0..3)
                .prop_map(|all| Value::M(all.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_value_survives_its_cell(value in any_value()) {
        prop_assert_eq!(Value::from_text(value.kind(), &value.to_text()), Ok(value));
    }

    #[test]
    fn every_value_survives_the_file(value in any_value()) {
        let written = serde_json::to_string(&value).unwrap();
        let read: Value = serde_json::from_str(&written).unwrap();
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), written);
        prop_assert_eq!(&read, &value);
        prop_assert_eq!(Value::from_dynamodb_json(&value.to_dynamodb_json()), Ok(value));
    }

    #[test]
    fn numbers_order_by_value(a in any::<i64>(), b in any::<i64>(), places in 0u32..9) {
        // Both shifted by the same power of ten, so that the order is that of the integers.
        let shifted = |n: i64| number(&format!("{n}e-{places}"));
        prop_assert_eq!(shifted(a).cmp(&shifted(b)), a.cmp(&b));
        // Shifted by different powers, compared as exact integers.
        let scale = 10i128.pow(places);
        prop_assert_eq!(shifted(a).cmp(&Number::from(b)), i128::from(a).cmp(&(i128::from(b) * scale)));
        prop_assert_eq!(Number::from(a).as_i64(), Some(a));
    }

    #[test]
    fn a_number_equals_its_text(n in any_number()) {
        let text = n.to_string();
        prop_assert_eq!(number(&text), n.clone());
        prop_assert_eq!(number(&format!("{text}e0")).cmp(&n), Ordering::Equal);
        prop_assert!(!text.contains('.') || !text.ends_with('0'));
        prop_assert!(n.size() <= 21);
    }

    #[test]
    fn no_text_makes_a_cell_panic(kind in prop::sample::select(AttributeType::ALL.to_vec()), text in ".{0,20}") {
        if let Ok(value) = Value::from_text(kind, &text) {
            prop_assert_eq!(value.kind(), kind);
        }
    }
}

#[test]
fn maps_are_ordered() {
    let map: SortedMap<String, Value> =
        [("z".to_owned(), Value::Null), ("a".to_owned(), Value::Null)].into();
    assert_eq!(Value::M(map).to_text(), r#"{"a":null,"z":null}"#);
}

#[test]
fn numbers_as_floats() {
    for (text, float) in [
        ("0", 0.0),
        ("0.5", 0.5),
        ("-12.25", -12.25),
        ("1e3", 1000.0),
        ("0.1", 0.1),
        ("1700000000000", 1.7e12),
        ("9007199254740991", 9_007_199_254_740_991.0),
        ("1E+100", 1e100),
        ("1E-100", 1e-100),
    ] {
        assert_eq!(
            text.parse::<Number>().unwrap().to_f64(),
            Some(float),
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn short_numbers_convert_to_the_nearest_float(digits in 0_i64..1_000_000_000_000_000, places in 0_u32..16) {
        let text = format!("{digits}e-{places}");
        let number: Number = text.parse().unwrap();
        prop_assert_eq!(number.to_f64(), text.parse::<f64>().ok());
    }
}
