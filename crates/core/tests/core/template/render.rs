//! Rendering: modifiers, the delimiter, errors.

use super::{encode, item, reject, snapshot, template};
use keyfold_core::model::value::{AttributeType, Value};
use keyfold_core::model::{Number, limits};
use keyfold_core::template::{
    DelimiterPolicy, OnDelimiter, RenderError, fnv1a_64, parse, render, render_value,
};
use proptest::prelude::*;
use serde_json::json;

/// Renders a template with an item and compares the key or the error message.
fn check(text: &str, values: serde_json::Value, policy: &DelimiterPolicy, expect: &str) {
    let item = item(values);
    let key = render(&parse(text).template, policy, &|name| item.get(name));
    assert_eq!(
        key.unwrap_or_else(|error| format!("error: {error}")),
        expect,
        "{text} of {item:?}"
    );
}

#[test]
fn keys_are_rendered() {
    let values =
        json!({"id": "42", "n": 7, "x": {"N": "1.50"}, "yes": true, "name": "Éva", "empty": ""});
    let ok = |text: &str, expect: &str| check(text, values.clone(), &reject(), expect);
    ok("USER", "USER");
    ok("USER#{id}", "USER#42");
    ok("{n}#{x}#{yes}", "7#1.5#true");
    ok("{{{id}}}", "{42}");
    ok("{name:lower}#{name:upper}#{name:first(1)}", "éva#ÉVA#É");
    ok("{name:lower|first(2)}", "év");
    ok("{n:pad(3)|first(2)}", "00");
    ok("{nope}", "error: `nope` has no value");
    ok("A#{empty}", "error: `empty` is empty");
    ok("{id", "error: the template has an error");
}

#[test]
fn modifiers_accept_or_reject_values() {
    let table = [
        ("date", "2026-03-01"),
        ("date", "2026-03-01T09:30:00Z"),
        ("date", "2026-03-01T00:30:00+02:00"),
        ("date", "2026-12-31T23:30:00.123-01:00"),
        ("date", "2024-03-01T00:00+0100"),
        ("date", "2026-03-01T09:30"),
        ("date", "2026-03-01 09:30:15"),
        ("month", "2026-01-01T00:30:00+01"),
        ("year", "2026-01-01T00:30:00+01:00"),
        ("date", "2024-02-29"),
        ("date", "2026-02-29"),
        ("date", "1900-02-29"),
        ("date", "2026-13-01"),
        ("date", "2026-00-10"),
        ("date", "2026-04-31"),
        ("date", "2026-3-1"),
        ("date", "20260301"),
        ("date", "2026-03-01T24:00:00Z"),
        ("date", "2026-03-01T"),
        ("date", "2026-03-01x"),
        ("date", "2026-03-01T09:30:00+25:00"),
        ("date", "0000-01-01T00:00:00+01:00"),
        ("date", "9999-12-31T23:00:00-01:00"),
        ("date", "yesterday"),
        ("month", "2026-03"),
        ("pad(5)", "42"),
        ("pad(5)", "0"),
        ("pad(2)", "100"),
        ("pad(5)", "-1"),
        ("pad(5)", "1.5"),
        ("pad(5)", "007"),
        ("pad(5)", "x"),
        ("pad(5)", "1e3"),
        ("pad(5)", "+1"),
        ("pad(38)", "99999999999999999999999999999999999999"),
        ("pad(5,2)", "12.5"),
        ("pad(5,2)", "12"),
        ("pad(5,2)", "12.345"),
        ("pad(1,2)", "12.5"),
        ("pad(5,2)", "12.50"),
        ("pad(5,2)", "-12.5"),
        ("desc(5)", "42"),
        ("desc(5)", "0"),
        ("desc(5)", "99999"),
        ("desc(5)", "100000"),
        ("desc(5)", "-1"),
        ("desc(5)", "0.5"),
        ("desc(38)", "1"),
        ("first(3)", "añ€x"),
        ("first(9)", "ab"),
        ("shard(10)", "foobar"),
        ("shard(1)", "x"),
        ("shard(16)|pad(2)", "tenant-1"),
    ];
    let lines = table.map(|(modifier, value)| {
        let item = item(json!({"v": value}));
        let key = render(
            &template(&format!("K{{v:{modifier}}}")),
            &reject(),
            &|name| item.get(name),
        );
        format!(
            "{modifier} of {value} => {}",
            key.unwrap_or_else(|error| format!("error: {error}"))
        )
    });
    snapshot(
        "modifiers_take_what_they_can_and_refuse_the_rest",
        &lines.join("\n"),
    );
}

#[test]
fn modifiers_treat_numbers_like_their_text() {
    check("K{n:pad(5)}", json!({"n": 42}), &reject(), "K00042");
    check(
        "K{n:pad(3,2)}",
        json!({"n": {"N": "1.50"}}),
        &reject(),
        "K001.50",
    );
    check("K{n:desc(3)}", json!({"n": 1}), &reject(), "K998");
    check(
        "K{n:date}",
        json!({"n": 1}),
        &reject(),
        "error: `n` cannot be used with date: `1` is not an ISO 8601 date or timestamp such as 2026-03-01 or 2026-03-01T09:30:00Z",
    );
    check(
        "K{n}",
        json!({"n": {"L": []}}),
        &reject(),
        "error: `n` is of type L, which cannot be part of a key: use a string, number or boolean",
    );
}

proptest! {
    #[test]
    fn padding_a_number_equals_padding_its_text(
        number in prop_oneof![
            any::<u32>().prop_map(|n| n.to_string()),
            (0..2000u32, 0..12usize).prop_map(|(n, zeros)| format!("{n}{}", "0".repeat(zeros))),
            "-?[0-9]{1,12}(\\.[0-9]{1,3})?",
        ],
        modifiers in prop_oneof![
            (1..14u8).prop_map(|digits| format!("pad({digits})")),
            (1..14u8).prop_map(|digits| format!("desc({digits})")),
            (2..10u8).prop_map(|digits| format!("pad({digits})|first(2)")),
        ],
    ) {
        let number: Number = number.parse().expect("a number");
        let template = parse(&format!("K{{n:{modifiers}}}")).template;
        let [as_number, as_text] = [Value::N(number.clone()), Value::S(number.to_string())]
            .map(|value| render(&template, &reject(), &|_| Some(&value)));
        prop_assert_eq!(as_number, as_text);
    }
}

#[test]
fn fnv_1a_matches_the_published_test_vectors() {
    // Source: the test vectors in RFC 9923 and in the reference implementation (test_fnv.c).
    assert_eq!(fnv1a_64(b""), 0xcbf2_9ce4_8422_2325);
    assert_eq!(fnv1a_64(b"a"), 0xaf63_dc4c_8601_ec8c);
    assert_eq!(fnv1a_64(b"b"), 0xaf63_df4c_8601_f1a5);
    assert_eq!(fnv1a_64(b"foobar"), 0x8594_4171_f739_67e8);
}

#[test]
fn a_delimiter_in_a_value_is_rejected_or_encoded() {
    let values = json!({"a": "x#y", "b": "50%"});
    check(
        "A#{a}",
        values.clone(),
        &reject(),
        "error: `a` is `x#y`, which contains the delimiter `#`: the design rejects such values",
    );
    check("A#{b}", values.clone(), &reject(), "A#50%");
    check("A#{a}#{b}", values.clone(), &encode(), "A#x%23y#50%25");
    // A template of one placeholder has nothing to separate.
    check("{a}", values.clone(), &reject(), "x#y");
    check("{a}", values.clone(), &encode(), "x#y");
    // The policy applies after the modifiers.
    check("A#{a:first(1)}", values.clone(), &reject(), "A#x");
    let with = |delimiter: &str, on_conflict| DelimiterPolicy {
        delimiter: delimiter.to_owned(),
        on_conflict,
    };
    check(
        "A#{a}",
        values.clone(),
        &with("", OnDelimiter::Reject),
        "A#x#y",
    );
    check(
        "A::{a}",
        json!({"a": "x:y"}),
        &with("::", OnDelimiter::Reject),
        "A::x:y",
    );
    check(
        "A::{a}",
        json!({"a": "x:y→"}),
        &with(":→", OnDelimiter::PercentEncode),
        "A::x%3Ay%E2%86%92",
    );
    check(
        "A2{a}",
        json!({"a": "x2"}),
        &with("2", OnDelimiter::PercentEncode),
        "error: `a` is `x%32`, which contains the delimiter `2`: the design rejects such values",
    );
}

#[test]
fn key_values_have_the_keys_type_and_length() {
    use AttributeType::*;
    let values = item(json!({
        "s": "abc", "n": {"N": "1.50"}, "i": 7, "b": {"B": "AQI="}, "none": {"B": ""}, "null": null, "long": "é".repeat(600), "bad": {"L": []},
    }));
    let table = [
        (S, "X#{s}"),
        (S, ""),
        (S, "{long}"),
        (S, "{missing}"),
        (S, "{null}"),
        (S, "{b}"),
        (N, "{n}"),
        (N, "{i:desc(3)}"),
        (N, "{s:shard(4)}"),
        (N, "{s}"),
        (N, "{s:upper}"),
        (N, "X{n}"),
        (N, "{n}{n}"),
        (N, ""),
        (N, "{n"),
        (N, "{null}"),
        (N, "{missing}"),
        (B, "{b}"),
        (B, "{none}"),
        (B, "{b:lower}"),
        (B, "{s}"),
        (B, "x"),
        (L, "{bad}"),
        (Bool, "{s}"),
    ];
    let lines = table.map(|(kind, text)| {
        let value = render_value(
            &parse(text).template,
            kind,
            &reject(),
            &|name| values.get(name),
            limits::SORT_KEY_BYTES,
        );
        let shown = match value {
            Ok(value) => value.to_dynamodb_json().to_string(),
            Err(error) => format!(
                "{}: {error}",
                if error.is_absent() { "absent" } else { "error" }
            ),
        };
        format!("{kind} {text:?} => {shown}")
    });
    snapshot(
        "key_values_have_the_keys_type_and_length",
        &lines.join("\n"),
    );
}

#[test]
fn a_key_may_be_as_long_as_the_limit() {
    let t = template("{s}");
    let lengths = [limits::SORT_KEY_BYTES, limits::SORT_KEY_BYTES + 1].map(|length| {
        let value = Value::S("x".repeat(length));
        render_value(
            &t,
            AttributeType::S,
            &reject(),
            &|_| Some(&value),
            limits::SORT_KEY_BYTES,
        )
        .map(|v| v.size())
    });
    assert_eq!(
        lengths,
        [
            Ok(1024),
            Err(RenderError::TooLong {
                bytes: 1025,
                max: 1024
            })
        ]
    );
}
