//! Parsing keys back.

use super::{encode, item, reject, template};
use keyfold_core::model::SortedMap;
use keyfold_core::model::value::Value;
use keyfold_core::template::*;
use keyfold_test_support::cases;
use proptest::prelude::*;

/// Parses a key back and compares the result: `a=x` for a value, `a~x` for the result of a lossy modifier.
fn check(text: &str, key: &str, policy: &DelimiterPolicy, expect: &str) {
    let shown = match parse_back(&parse(text).template, key, policy) {
        Ok(found) => {
            let one = |(name, r): (String, Recovered)| {
                format!("{name}{}{}", if r.exact { "=" } else { "~" }, r.text)
            };
            found.into_iter().map(one).collect::<Vec<_>>().join(", ")
        }
        Err(error) => format!("error: {error}"),
    };
    assert_eq!(shown, expect, "{text} from {key}");
}

#[test]
fn keys_parse_back_to_attributes() {
    check("USER#{id}", "USER#42", &reject(), "id=42");
    check("USER#{id}#", "USER#42#", &reject(), "id=42");
    check("{a}#{b}", "x#y", &reject(), "a=x, b=y");
    check("{a}", "x#y", &reject(), "a=x#y");
    check("{a}#{b}", "x%23y#50%25", &encode(), "a=x#y, b=50%");
    check("{a}#{n:pad(5)}", "x#00042", &reject(), "a=x, n=42");
    check("{a}#{n:desc(5)}", "x#99999", &reject(), "a=x, n=0");
    check("{a}#{n:pad(3,2)}", "x#012.50", &reject(), "a=x, n=12.5");
    check("{a}#{n:pad(3,2)}", "x#012.00", &reject(), "a=x, n=12");
    check(
        "{a}#{t:date}",
        "x#2026-03-01",
        &reject(),
        "a=x, t~2026-03-01",
    );
    check("{n:pad(3)}{b}", "007x", &reject(), "b=x, n=7");
    check("STATIC", "STATIC", &reject(), "");
}

#[test]
fn keys_that_do_not_fit_are_refused() {
    check(
        "USER#{id}",
        "ORDER#42",
        &reject(),
        "error: the key does not fit the template after its first 0 bytes",
    );
    check(
        "USER#{id}",
        "USER#",
        &reject(),
        "error: the key does not fit the template after its first 5 bytes",
    );
    check(
        "USER#{id}",
        "USER#a#b",
        &reject(),
        "error: the key does not fit the template after its first 6 bytes",
    );
    check(
        "A#{n:pad(3)}",
        "A#12",
        &reject(),
        "error: the key does not fit the template after its first 4 bytes",
    );
    check(
        "A#{t:date}",
        "A#2026-02-30",
        &reject(),
        "error: the key does not fit the template after its first 10 bytes",
    );
    check(
        "{a}{b}",
        "xyz",
        &reject(),
        "error: the key can be read in more than one way",
    );
    check("{a}{b}", "xy", &reject(), "a=x, b=y");
    check(
        "{a}-{b}",
        "x-y-z",
        &reject(),
        "error: the key can be read in more than one way",
    );
    check("{a", "x", &reject(), "error: the template has an error");
    check(
        "",
        "",
        &reject(),
        "error: the key does not fit the template after its first 0 bytes",
    );
}

#[test]
fn two_occurrences_of_an_attribute_must_agree() {
    check("{a}#{a}", "x#x", &reject(), "a=x");
    check(
        "{a}#{a}",
        "x#y",
        &reject(),
        "error: the key has two values for `a`: `x` and `y`",
    );
    check("{a:first(1)}#{a}", "x#xy", &reject(), "a=xy");
    check("{a}#{a:first(1)}", "xy#x", &reject(), "a=xy");
    check(
        "{a:first(1)}#{a}",
        "x#yy",
        &reject(),
        "error: the key has two values for `a`: `x` and `yy`",
    );
    check(
        "{n:shard(4)}#{n:pad(3)}",
        &format!("{}#007", fnv1a_64(b"7") % 4),
        &reject(),
        "n=7",
    );
}

#[test]
fn a_known_format_resolves_ambiguity() {
    let shapes: Shapes = [("id".to_owned(), ValueShape::text(Form::Ulid))].into();
    let found = parse_back_shaped(
        &template("{name}-{id}"),
        &shapes,
        "a-b-01ARZ3NDEKTSV4RRFFQ69G5FAV",
        &reject(),
    )
    .unwrap();
    assert_eq!(found["name"].text, "a-b");
    assert_eq!(found["id"].text, "01ARZ3NDEKTSV4RRFFQ69G5FAV");
}

/// Templates of a few attributes, without lossy modifiers; often ambiguous.
fn any_template() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "{a}",
        "{b}",
        "{c}",
        "{n}",
        "{n:pad(4)}",
        "{m:desc(4)}",
        "{x:pad(3,2)}",
        "#",
        "#",
        "#",
        "-",
        ":",
        "K",
        "%",
        "{id}",
        "{kind}",
        "::",
    ]);
    prop::collection::vec(piece, 1..7).prop_map(|pieces| pieces.concat())
}

fn shapes() -> Shapes {
    [
        ("n", ValueShape::number(Form::Integer { min: 0, max: 9999 })),
        ("m", ValueShape::number(Form::Integer { min: 0, max: 9999 })),
        ("x", ValueShape::number(Form::Any)),
        (
            "id",
            ValueShape::text(Form::Chars {
                allowed: vec!['a'..='b'],
                min: 3,
                max: Some(3),
            }),
        ),
        (
            "kind",
            ValueShape::text(Form::OneOf(vec![
                "K".to_owned(),
                "K-2".to_owned(),
                "z#".to_owned(),
            ])),
        ),
    ]
    .map(|(name, shape)| (name.to_owned(), shape))
    .into()
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn unambiguous_keys_parse_back_to_their_values(
        text in any_template(),
        a in "[ab#:%2-]{1,3}", b in "[ab#:%2-]{1,3}", c in "[ab#:%2-]{1,3}",
        n in 0i64..10_000, m in 0i64..10_000, cents in 0i64..100_000, id in "[ab]{3}",
        kind in prop::sample::select(vec!["K", "K-2", "z#"]),
        delimiter in prop::sample::select(vec!["#", "-", ":", "::", "", "%", "2"]),
        on_conflict in prop::sample::select(vec![OnDelimiter::Reject, OnDelimiter::PercentEncode]),
    ) {
        let t = template(&text);
        let policy = DelimiterPolicy { delimiter: delimiter.to_owned(), on_conflict };
        let mut values: SortedMap<String, Value> =
            [("a", a.as_str()), ("b", &b), ("c", &c), ("id", &id), ("kind", kind)].map(|(k, v)| (k.to_owned(), v.into())).into();
        values.insert("n".into(), n.into());
        values.insert("m".into(), m.into());
        values.insert("x".into(), Value::N(format!("{cents}e-2").parse().unwrap()));
        if let Ok(key) = render(&t, &policy, &|name| values.get(name)) {
            let language = KeyLanguage::new(&t, &shapes(), &policy);
            let found = language.parse_back(&key);
            prop_assert!(language.max_length().is_none_or(|max| key.len() <= max));
            prop_assert!(language.collides(&language).unwrap().is_some());
            match (found, language.ambiguity().unwrap()) {
                (Ok(found), _) => {
                    for name in t.attributes() {
                        prop_assert!(found[name].exact);
                        prop_assert_eq!(&found[name].text, &values[name].to_text(), "{} in {}", name, key);
                    }
                    prop_assert_eq!(found.is_empty(), t.attributes().count() == 0);
                }
                (Err(ParseBackError::Ambiguous), Some(ambiguity)) => {
                    prop_assert_eq!(language.parse_back(&ambiguity.example), Err(ParseBackError::Ambiguous));
                }
                (found, ambiguity) => prop_assert!(false, "{} {:?} {:?}", key, found, ambiguity),
            }
        }
    }
}

#[test]
fn parsed_values_equal_the_items_values() {
    let values = item(serde_json::json!({"id": "7", "at": "2026-03-01T10:00:00Z"}));
    let t = template("T#{id}#{at}");
    let key = render(&t, &reject(), &|name| values.get(name)).unwrap();
    let found = parse_back(&t, &key, &reject()).unwrap();
    assert_eq!(found["at"].text, "2026-03-01T10:00:00Z");
}

/// Values of many kinds: words, dates, numbers, any Unicode.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z#%]{1,5}",
        "[0-9]{4}-(0[1-9]|1[0-2])-[0-2][1-8]T10:00:00Z",
        "0|[1-9][0-9]{0,3}(\\.[1-9])?",
        "[ßİŉΐﬃÀ-ž]{1,4}",
        "\\PC{1,4}"
    ]
}

proptest! {
    #![proptest_config(cases(3000))]

    #[test]
    fn a_rendered_key_is_in_the_language_of_its_template(
        text in any_text(),
        modifiers in prop::collection::vec(prop::sample::select(vec![
            "lower", "upper", "date", "month", "year", "pad(5)", "pad(5,2)", "desc(5)", "first(1)", "first(3)", "shard(7)",
        ]), 0..4),
        literal in prop::sample::select(vec!["", "K#"]),
        policy in prop::sample::select(vec![reject(), encode()]),
        form in 0..3,
    ) {
        let colon = if modifiers.is_empty() { "" } else { ":" };
        let t = template(&format!("{literal}{{v{colon}{}}}", modifiers.join("|")));
        let value = Value::S(text.clone());
        let form = match form {
            0 => Form::Any,
            1 => Form::Chars { allowed: text.chars().map(|c| c..=c).collect(), min: 1, max: Some(text.chars().count()) },
            _ => Form::OneOf(vec!["other".to_owned(), text.clone()]),
        };
        let shapes: Shapes = [("v".to_owned(), ValueShape::text(form))].into();
        if let Ok(key) = render(&t, &policy, &|_| Some(&value)) {
            let language = KeyLanguage::new(&t, &shapes, &policy);
            let found = language.parse_back(&key).map(|mut found| found.remove("v"));
            let Ok(Some(found)) = found else { return Err(TestCaseError::fail(format!("{key}: {found:?}"))) };
            prop_assert!(!found.exact || found.text == text);
            prop_assert!(language.max_length().is_none_or(|max| key.len() <= max), "{}", key);
        }
    }
}
