//! Order and limits on awkward data: our views and refusals match the engine.
//!
//! Known differences between the engine (dynoxide 3.2.0) and the documentation:
//! - Length of secondary index keys: "Constraints in Amazon DynamoDB" gives 2048 and 1024 bytes for partition and
//!   sort keys of tables and of secondary indexes. The engine checks the table's key only; we refuse both.
//! - Nesting: "Constraints in Amazon DynamoDB" allows nested attributes "up to 32 levels deep". The engine refuses a
//!   value inside 32 lists and maps, we refuse one inside 33.
//! - Empty sets: "Data types" forbids them and the engine refuses them; we keep them while the user edits them.

use crate::dynamo::{Db, create_table};
use crate::library::check;
use crate::ours;
use keyfold_core::engine::{EntityPlan, Item};
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::model::{
    Design, EntityId, Index, IndexKind, KeyType, Number, Sample, SampleId, SortedSet, Value,
    limits, validate_invariants,
};
use keyfold_test_support::cases;
use keyfold_test_support::tables::{Values, filled, key, table, values};
use proptest::prelude::*;
use serde_json::Value as Json;
use std::sync::Arc;

pub fn text(text: &str) -> Value {
    Value::S(text.to_owned())
}

/// A table without templates: items supply all key attributes. `PK` is a string; `SK`, the GSI's `GSK` and the LSI's
/// `LSK` have this type.
pub fn design(kind: KeyType) -> (Design, EntityId) {
    let key = |partition: &str, sort: &str| {
        let mut key = key(&[partition], &[sort]);
        key.sort[0].kind = kind;
        key
    };
    let indexes = [
        Index::new("global", IndexKind::Gsi, key("GPK", "GSK")),
        Index::new("local", IndexKind::Lsi, key("PK", "LSK")),
    ];
    table(key("PK", "SK"), indexes)
}

/// Like [`design`], without indexes.
pub fn plain() -> (Design, EntityId) {
    let (mut design, id) = design(KeyType::S);
    design.indexes.clear();
    (design, id)
}

pub fn item(design: &Design, id: EntityId, values: Values) -> Item {
    let sample = Sample {
        id: SampleId(0),
        values: values.into(),
    };
    EntityPlan::new(design, id).item(&Arc::new(sample))
}

pub fn wire(item: &Item) -> Json {
    ours::wire(&item.to_map())
}

/// Compares the order of one item per key in the table, and of the same keys in reverse order in one collection per
/// index.
fn check_order(name: &str, kind: KeyType, keys: &[Value]) {
    let item = |(key, other): (&Value, &Value)| {
        values([
            ("PK", text("P")),
            ("SK", key.clone()),
            ("GPK", text("G")),
            ("GSK", other.clone()),
            ("LSK", other.clone()),
        ])
    };
    let items = keys.iter().zip(keys.iter().rev()).map(item);
    let design = filled(design(kind), items);
    assert_eq!(validate_invariants(&design), []);
    check(name, &design);
}

pub fn number(text: &str) -> Value {
    Value::N(
        text.parse()
            .unwrap_or_else(|error| panic!("{text}: {error}")),
    )
}

#[test]
fn text_is_ordered_by_its_bytes() {
    let long = "x".repeat(limits::SORT_KEY_BYTES);
    let keys = [
        "a",
        "A",
        "Z",
        "ab",
        "abc",
        "ab#",
        "ab ",
        " ",
        "#",
        "~",
        "\u{1}",
        "\t",
        "\u{7f}",
        // One character or two: an accented letter, and a letter with a combining accent.
        "\u{e9}",
        "e\u{301}",
        "e",
        "f",
        "\u{1e9e}",
        "ss",
        "\u{df}",
        // Before and after the surrogates: UTF-16 would order these differently.
        "\u{d7ff}",
        "\u{e000}",
        "\u{ff61}",
        "\u{ffff}",
        "\u{10000}",
        "\u{1f600}",
        "\u{10ffff}",
        "\u{1f468}\u{200d}\u{1f469}",
        "日本語",
        "שלום",
        long.as_str(),
    ];
    check_order("text", KeyType::S, &keys.map(text));
}

#[test]
fn numbers_are_ordered_by_value() {
    let keys = [
        "-9.9999999999999999999999999999999999999E+125",
        "-12345678901234567890123456789012345678",
        "-12345678901234567890123456789012345677",
        "-10",
        "-9",
        "-1.5",
        "-1",
        "-0.1",
        "-1E-130",
        "-0",
        "1E-130",
        "0.00000000000000000000000000000000000001",
        "0.1",
        "1",
        "1.5",
        "1.49999999999999999999999999999999999",
        "2",
        "9",
        "10",
        "100",
        "12345678901234567890123456789012345677",
        "12345678901234567890123456789012345678",
        "1E+38",
        "1E+125",
        "9.9999999999999999999999999999999999999E+125",
    ];
    let unique: SortedSet<Value> = keys.iter().map(|text| number(text)).collect();
    check_order(
        "numbers",
        KeyType::N,
        &unique.into_iter().collect::<Vec<_>>(),
    );
}

#[test]
fn binary_is_ordered_by_unsigned_bytes() {
    let keys: [&[u8]; 10] = [
        &[0],
        &[0, 0],
        &[0, 255],
        &[1],
        &[127],
        &[128],
        &[128, 0],
        &[255],
        &[255, 0],
        &[255, 255],
    ];
    check_order(
        "binary",
        KeyType::B,
        &keys.map(|bytes| Value::B(bytes.to_vec())),
    );
}

fn any_text() -> impl Strategy<Value = Value> {
    "\\PC{1,4}|[\u{d7ff}\u{e000}\u{ff61}\u{ffff}\u{10000}\u{10ffff}]{1,3}|[ab#]{1,4}"
        .prop_map(Value::S)
}

pub fn any_number() -> impl Strategy<Value = Number> {
    let plain = prop_oneof![
        "-?[0-9]{1,38}",
        "-?[0-9]{1,19}\\.[0-9]{1,19}",
        "-?[0-9](\\.[0-9]{1,37})?[Ee][+-]?[0-9]{1,2}",
        "-?0\\.0{0,80}[0-9]{1,9}",
    ];
    plain.prop_filter_map("not a DynamoDB number", |text| text.parse().ok())
}

fn any_binary() -> impl Strategy<Value = Value> {
    prop::collection::vec(any::<u8>(), 1..4).prop_map(Value::B)
}

fn set_of(one: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<Value>> {
    prop::collection::btree_set(one, 1..20)
        .prop_map(|set| set.into_iter().collect::<Vec<_>>())
        .prop_shuffle()
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn random_text_keeps_our_order(keys in set_of(any_text())) {
        check_order("random text", KeyType::S, &keys);
    }

    #[test]
    fn random_numbers_keep_our_order(keys in set_of(any_number().prop_map(Value::N))) {
        check_order("random numbers", KeyType::N, &keys);
    }

    #[test]
    fn random_binary_keeps_our_order(keys in set_of(any_binary())) {
        check_order("random binary", KeyType::B, &keys);
    }
}

/// Whether the item is stored; the engine and we must agree.
pub fn is_stored(db: &Db, design: &Design, id: EntityId, values: Values) -> bool {
    let item = item(design, id, values);
    let ours = item.is_stored();
    let engine = db.try_put(&wire(&item));
    let shown: String = wire(&item).to_string().chars().take(200).collect();
    assert_eq!(
        ours,
        engine.is_ok(),
        "{:?} but {engine:?}: {shown}",
        item.problems()
    );
    ours
}

#[test]
fn key_limits_and_types_match() {
    let (design, id) = design(KeyType::S);
    let db = create_table(&cloudformation(&design).text);
    let keys = |pk: &str, sk: &str| values([("PK", text(pk)), ("SK", text(sk))]);
    let with = |name: &str, value: Value| {
        let mut all = keys("p", "s");
        all.extend(values([
            ("GPK", text("g")),
            ("GSK", text("h")),
            ("LSK", text("l")),
        ]));
        all.insert(name.to_owned(), value);
        all
    };
    let long = |unit: &str, bytes: usize| {
        let text = unit.repeat(bytes / unit.len());
        format!("{text}{}", "x".repeat(bytes - text.len()))
    };
    for unit in ["x", "\u{e9}", "\u{20ac}", "\u{1f600}"] {
        for (part, limit) in [
            ("PK", limits::PARTITION_KEY_BYTES),
            ("SK", limits::SORT_KEY_BYTES),
            ("GPK", limits::PARTITION_KEY_BYTES),
            ("GSK", limits::SORT_KEY_BYTES),
            ("LSK", limits::SORT_KEY_BYTES),
        ] {
            for bytes in [unit.len(), limit] {
                let all = with(part, text(&long(unit, bytes)));
                let at = format!("{part}: {bytes} bytes of {unit}");
                assert!(is_stored(&db, &design, id, all), "{at}");
            }
            let all = with(part, text(&long(unit, limit + 1)));
            let item = item(&design, id, all);
            assert!(!item.is_stored(), "{part}: {} bytes of {unit}", limit + 1);
            let of_table = matches!(part, "PK" | "SK");
            assert_eq!(db.try_put(&wire(&item)).is_err(), of_table, "{part}");
        }
    }
    for part in ["PK", "SK", "GPK", "GSK", "LSK"] {
        for wrong in [
            text(""),
            number("1"),
            Value::B(vec![1]),
            Value::Null,
            Value::Bool(true),
            Value::L(vec![]),
        ] {
            assert!(
                !is_stored(&db, &design, id, with(part, wrong.clone())),
                "{part}: {wrong:?}"
            );
        }
    }
    assert!(!is_stored(&db, &design, id, values([("PK", text("p"))])));
    assert!(!is_stored(&db, &design, id, values([("SK", text("s"))])));
    assert!(
        is_stored(&db, &design, id, keys("p", "s")),
        "the indexes' keys may be missing"
    );
}

#[test]
fn binary_and_number_keys_have_their_limits() {
    for (kind, good, wrong) in [
        (
            KeyType::B,
            vec![Value::B(vec![0]), Value::B(vec![255; 1024])],
            vec![Value::B(vec![]), Value::B(vec![255; 1025]), text("a")],
        ),
        (
            KeyType::N,
            vec![
                number("0"),
                number("-1E-130"),
                number("9.9999999999999999999999999999999999999E+125"),
            ],
            vec![text("1"), Value::Null],
        ),
    ] {
        let (design, id) = design(kind);
        let db = create_table(&cloudformation(&design).text);
        for (keys, stored) in [(good, true), (wrong, false)] {
            for key in keys {
                let at = format!("{key:?}");
                let all = values([("PK", text("p")), ("SK", key)]);
                assert_eq!(is_stored(&db, &design, id, all), stored, "{at}");
            }
        }
    }
}

#[test]
fn only_sets_cannot_be_empty_outside_keys() {
    let (design, id) = plain();
    let db = create_table(&cloudformation(&design).text);
    for value in [
        text(""),
        Value::B(vec![]),
        Value::L(vec![]),
        Value::M([].into()),
        Value::L(vec![
            text(""),
            Value::M([("k".to_owned(), text(""))].into()),
        ]),
        Value::Null,
    ] {
        let all = values([("PK", text("p")), ("SK", text("s")), ("x", value)]);
        assert!(is_stored(&db, &design, id, all));
    }
    // The engine refuses an empty set. We keep it while the user edits it; files and cells with one can be read.
    for empty in [
        Value::Ss([].into()),
        Value::Ns([].into()),
        Value::Bs([].into()),
    ] {
        let all = values([("PK", text("p")), ("SK", text("s")), ("x", empty)]);
        let error = db.try_put(&wire(&item(&design, id, all))).unwrap_err();
        assert!(error.contains("set") && error.contains("empty"), "{error}");
    }
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(text("x"), |value, level| match level % 2 {
        0 => Value::L(vec![value]),
        _ => Value::M([("k".to_owned(), value)].into()),
    })
}

#[test]
fn the_nesting_limit_is_about_the_engines() {
    let (design, id) = plain();
    let db = create_table(&cloudformation(&design).text);
    let most = limits::NESTING_LEVELS;
    for (levels, ours, engine) in [
        (1, true, true),
        (most - 1, true, true),
        (most, true, false),
        (most + 1, false, false),
    ] {
        let value = nested(levels);
        let read = Value::from_dynamodb_json(&value.to_dynamodb_json());
        assert_eq!(read.is_ok(), ours, "{levels} levels");
        let all = values([("PK", text("p")), ("SK", text("s")), ("x", value)]);
        let put = db.try_put(&wire(&item(&design, id, all)));
        assert_eq!(put.is_ok(), engine, "{levels} levels: {put:?}");
    }
}
