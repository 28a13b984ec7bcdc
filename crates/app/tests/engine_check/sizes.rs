//! Sizes: our sizes of values, items and writes are those that the engine counts, bills and refuses.
//!
//! Known differences between the engine (dynoxide 3.2.0) and the documentation:
//! - Numbers with digits on both sides of the decimal point: "DynamoDB item sizes and formats" (Developer Guide)
//!   says approximately one byte per two significant digits, plus one. The engine counts the digits before and after
//!   the point separately, each rounded up, so `1.5` has 3 bytes where our formula gives 2 (see `straddling`).
//! - LSIs: according to "Local secondary indexes", their entries count toward the item's 400 KB. The engine does not
//!   count them; we do.
//! - ItemCollectionMetrics is an estimate in whole gigabytes, as documented: it cannot be compared.

use crate::awkward::{any_number, design, is_stored, item, number, plain, text, wire};
use crate::dynamo::create_table;
use dynoxide::types::AttributeValue;
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::model::{KeyType, Number, Value, limits};
use keyfold_test_support::cases;
use keyfold_test_support::tables::{Values, values};
use proptest::prelude::*;
use serde_json::json;

fn any_value() -> impl Strategy<Value = Value> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..9);
    let scalar = prop_oneof![
        "\\PC{0,20}".prop_map(Value::S),
        any_number().prop_map(Value::N),
        bytes().prop_map(Value::B),
        any::<bool>().prop_map(Value::Bool),
        Just(Value::Null),
        prop::collection::btree_set("\\PC{0,5}", 1..4)
            .prop_map(|all| Value::Ss(all.into_iter().collect())),
        prop::collection::btree_set(any_number(), 1..4)
            .prop_map(|all| Value::Ns(all.into_iter().collect())),
        prop::collection::btree_set(bytes(), 1..4)
            .prop_map(|all| Value::Bs(all.into_iter().collect())),
    ];
    scalar.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::L),
            prop::collection::btree_map("\\PC{1,6}", inner, 0..4)
                .prop_map(|all| Value::M(all.into_iter().collect())),
        ]
    })
}

/// How many numbers in a value have an odd count of significant digits on each side of the decimal point. For each,
/// the engine counts one byte more than the documented formula; see above.
fn straddling(value: &Value) -> usize {
    let odd = |number: &Number| {
        let text = number.to_string();
        let text = text.trim_start_matches('-');
        let Some((whole, fraction)) = text.split_once('.') else {
            return 0;
        };
        let whole = whole.trim_start_matches('0');
        let fraction = match whole.is_empty() {
            true => fraction.trim_start_matches('0'),
            false => fraction,
        };
        usize::from(whole.len() % 2 == 1 && fraction.len() % 2 == 1)
    };
    match value {
        Value::N(number) => odd(number),
        Value::Ns(set) => set.iter().map(odd).sum(),
        Value::L(list) => list.iter().map(straddling).sum(),
        Value::M(map) => map.values().map(straddling).sum(),
        _ => 0,
    }
}

proptest! {
    #![proptest_config(cases(256))]

    /// Compares our size of each value with the engine's.
    #[test]
    fn value_sizes_match_the_engine(value in any_value()) {
        let theirs: AttributeValue = serde_json::from_value(value.to_dynamodb_json()).expect("DynamoDB JSON");
        prop_assert_eq!(theirs.size(), value.size() + straddling(&value));
    }
}

proptest! {
    #![proptest_config(cases(48))]

    /// Any value round-trips, and its write costs what its size predicts.
    #[test]
    fn values_round_trip(value in any_value()) {
        let (design, id) = plain();
        let db = create_table(&cloudformation(&design).text);
        let values = values([("PK", text("p")), ("SK", text("s")), ("x", value.clone())]);
        let item = item(&design, id, values);
        let units = (item.size() + straddling(&value)).div_ceil(1024);
        prop_assert_eq!(db.put_units(&wire(&item)), units as f64);
        let key = json!({ "PK": {"S": "p"}, "SK": {"S": "s"} });
        let found = db.get(json!({ "Key": key })).expect("it was stored");
        let read = Value::from_dynamodb_json(&found["x"]);
        prop_assert_eq!(read.as_ref(), Ok(&value));
    }
}

#[test]
fn number_sizes_differ_from_the_engine_as_documented() {
    for (text, theirs, ours) in [
        ("1.5", 3, 2),
        ("100.5", 4, 3),
        ("12.34", 3, 3),
        ("0.15", 2, 2),
        ("-42", 3, 3),
        ("0", 1, 1),
        ("12345678901234567890123456789012345678", 20, 20),
    ] {
        assert_eq!(AttributeValue::N(text.to_owned()).size(), theirs, "{text}");
        assert_eq!(number(text).size(), ours, "{text}");
    }
}

/// An item of exactly this size in bytes, with a value of each type, multi-byte names and padding.
fn sized(bytes: usize, id: &str) -> Values {
    let map = [
        ("\u{e9}t\u{e9}".to_owned(), number("-12")),
        ("b".to_owned(), Value::Bool(true)),
    ];
    let mut all = values([
        ("PK", text(id)),
        ("SK", text("\u{1f600}")),
        ("n\u{e4}me", text("\u{20ac}uro")),
        ("number", number("12345678901234567890123456789012345678")),
        ("binary", Value::B(vec![7; 33])),
        ("null", Value::Null),
        (
            "list",
            Value::L(vec![number("0"), text(""), Value::L(vec![])]),
        ),
        ("map", Value::M(map.into())),
        (
            "texts",
            Value::Ss(["a".to_owned(), "\u{e4}".to_owned()].into()),
        ),
        ("numbers", Value::Ns([1.into(), 1000.into()].into())),
        ("filler", text("")),
    ]);
    let (design, entity) = plain();
    let missing = bytes - item(&design, entity, all.clone()).size();
    all.insert("filler".to_owned(), Value::S("f".repeat(missing)));
    assert_eq!(item(&design, entity, all.clone()).size(), bytes);
    all
}

#[test]
fn consumed_capacity_matches_our_sizes() {
    let (design, id) = plain();
    let db = create_table(&cloudformation(&design).text);
    for (bytes, write, read) in [
        (1023, 1.0, 1.0),
        (1024, 1.0, 1.0),
        (1025, 2.0, 1.0),
        (2048, 2.0, 1.0),
        (2049, 3.0, 1.0),
        (4095, 4.0, 1.0),
        (4096, 4.0, 1.0),
        (4097, 5.0, 2.0),
        (8192, 8.0, 2.0),
        (8193, 9.0, 3.0),
        (limits::ITEM_BYTES, 400.0, 100.0),
    ] {
        let name = format!("item {bytes:>6}");
        let item = item(&design, id, sized(bytes, &name));
        assert_eq!(db.put_units(&wire(&item)), write, "write of {bytes} bytes");
        let key = json!({ "PK": {"S": name}, "SK": {"S": "\u{1f600}"} });
        assert_eq!(db.get_units(&key, true), read, "read of {bytes} bytes");
        assert_eq!(
            db.get_units(&key, false),
            read / 2.0,
            "eventually consistent"
        );
    }
}

#[test]
fn an_item_has_at_most_400_kb() {
    let (design, id) = plain();
    let db = create_table(&cloudformation(&design).text);
    assert!(is_stored(
        &db,
        &design,
        id,
        sized(limits::ITEM_BYTES - 1, "p")
    ));
    assert!(is_stored(&db, &design, id, sized(limits::ITEM_BYTES, "p")));
    assert!(!is_stored(
        &db,
        &design,
        id,
        sized(limits::ITEM_BYTES + 1, "p")
    ));
}

/// LSI entries count toward the same 400 KB. Source: "Local secondary indexes", Developer Guide.
#[test]
fn lsi_entries_count_toward_the_item_size() {
    let (design, id) = design(KeyType::S);
    let db = create_table(&cloudformation(&design).text);
    let all = |bytes: usize| {
        values([
            ("PK", text("p")),
            ("SK", text("s")),
            ("LSK", text("l")),
            ("x", text(&"x".repeat(bytes))),
        ])
    };
    assert!(is_stored(&db, &design, id, all(100 * 1024)));
    let half = limits::ITEM_BYTES / 2;
    let item = item(&design, id, all(half));
    assert!(item.size() < limits::ITEM_BYTES && !item.is_stored());
    assert!(
        db.try_put(&wire(&item)).is_ok(),
        "the engine does not count them"
    );
}
