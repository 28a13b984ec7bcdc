//! Whether a template renders a key between two bounds.

use super::{reject, template};
use keyfold_core::model::{SortedMap, Value};
use keyfold_core::template::*;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn language(text: &str) -> KeyLanguage {
    let shapes = [
        ("day".to_owned(), ValueShape::text(Form::Date)),
        (
            "status".to_owned(),
            ValueShape::text(Form::OneOf(vec!["OPEN".into(), "SHUT".into()])),
        ),
    ];
    KeyLanguage::new(&template(text), &shapes.into(), &reject())
}

/// A key of `own` within the bounds, bounds included.
fn between(own: &str, lower: &str, upper: &str) -> Option<String> {
    language(own)
        .within(
            Some((&language(lower), true)),
            Some((&language(upper), true)),
        )
        .unwrap()
}

#[test]
fn a_range_finds_keys_within_its_bounds() {
    for (own, lower, upper, found) in [
        ("POST#{day}#{id}", "POST#{from}", "POST#{to}#~", true),
        ("COMMENT#{id}", "POST#{from}", "POST#{to}#~", false),
        ("POST", "POST#{from}", "POST#{to}", false),
        ("POSTSCRIPT", "POST#{from}", "POST#{to}", false),
        ("USER#{id}", "A", "Z", true),
        ("user#{id}", "A", "Z", false),
        ("MONTHLY#{day}", "MONTHLY#{from}", "MONTHLY#{to}", true),
        ("{day}", "2026", "2027", true),
        ("{day}", "a", "z", false),
        ("{status}", "P", "Z", true),
        ("{status}", "A", "B", false),
        ("B", "B", "B", true),
        ("B", "C", "A", false),
        // By bytes, `é` sorts after every ASCII letter, and a character outside the BMP after the whole BMP.
        ("é", "z", "\u{7ff}", true),
        ("\u{1f600}", "\u{ffff}", "\u{10ffff}", true),
    ] {
        let key = between(own, lower, upper);
        assert_eq!(key.is_some(), found, "{own} in {lower} to {upper}: {key:?}");
    }
}

#[test]
fn bounds_can_be_open_or_exclusive() {
    let own = language("B");
    let bound = language("B");
    assert_eq!(own.within(None, None).unwrap().as_deref(), Some("B"));
    assert_eq!(
        own.within(Some((&bound, true)), None).unwrap().as_deref(),
        Some("B")
    );
    assert_eq!(own.within(Some((&bound, false)), None), Ok(None));
    assert_eq!(
        own.within(None, Some((&bound, true))).unwrap().as_deref(),
        Some("B")
    );
    assert_eq!(own.within(None, Some((&bound, false))), Ok(None));
    let longer = language("B#{id}");
    assert!(
        longer
            .within(Some((&bound, false)), None)
            .unwrap()
            .is_some()
    );
    assert_eq!(longer.within(None, Some((&bound, true))), Ok(None));
    // Even above an unbounded text there are keys that are greater at its first character.
    let any = language("USER#{id}");
    assert!(
        language("USER#")
            .within(Some((&any, true)), None)
            .unwrap()
            .is_none()
    );
    assert!(
        language("VIEW")
            .within(Some((&any, true)), None)
            .unwrap()
            .is_some()
    );
}

/// Templates over the attributes `a` and `b`.
fn some_template() -> impl Strategy<Value = String> {
    prop_oneof![
        "[A-C#]{1,3}",
        Just("{a}".to_owned()),
        "[A-C]{1,2}#".prop_map(|head| format!("{head}{{a}}")),
        "[A-C]{1,2}#".prop_map(|head| format!("{head}{{a}}#{{b}}")),
        "[A-C]".prop_map(|head| format!("{{a}}#{head}")),
    ]
}

fn render_of(text: &str, values: &SortedMap<String, Value>) -> Option<String> {
    render(&template(text), &reject(), &|name| values.get(name)).ok()
}

fn some_values() -> impl Strategy<Value = SortedMap<String, Value>> {
    ("[A-D~é]{1,2}", "[A-D~é]{1,2}")
        .prop_map(|(a, b)| [("a".to_owned(), Value::S(a)), ("b".to_owned(), Value::S(b))].into())
}

proptest! {
    #![proptest_config(cases(256))]

    /// If samples show a key in the range, the analysis finds one too.
    #[test]
    fn the_analysis_misses_no_key_in_a_range(
        own in some_template(), lower in some_template(), upper in some_template(),
        values in proptest::collection::vec(some_values(), 3),
    ) {
        let texts = [&own, &lower, &upper];
        let rendered: Vec<_> = texts.iter().zip(&values).map(|(t, v)| render_of(t, v)).collect();
        if let [Some(key), Some(low), Some(high)] = &rendered[..]
            && low <= key && key <= high
        {
            prop_assert!(between(&own, &lower, &upper).is_some());
        }
    }

    /// With fixed bounds the example is in the range, and a fixed key is found if and only if it is.
    #[test]
    fn fixed_bounds_are_exact(own in some_template(), low in "[A-C#]{1,3}", high in "[A-C#]{1,3}") {
        let found = between(&own, &low, &high);
        if let Some(key) = &found {
            prop_assert!(low <= *key && *key <= high, "{key}");
        }
        if !own.contains('{') {
            prop_assert_eq!(found.is_some(), low <= own && own <= high);
        }
    }
}
