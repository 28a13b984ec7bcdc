//! Key conditions by attribute name, on keys of several attributes.

use super::key;
use keyfold_core::engine::query::KeyCondition;
use keyfold_core::engine::query::expression::{Binder, key_tests, parse_condition};
use keyfold_core::model::{KeyType, SortedMap, Value};

/// The condition on a key of `a`, `b` and `x`, `y`, `n` (a number), or why it is refused.
fn read(text: &str) -> Result<KeyCondition, String> {
    let mut schema = key(&["a", "b"], &["x", "y", "n"]);
    schema.sort[2].kind = KeyType::N;
    let values: SortedMap<String, Value> = [
        ("one".to_owned(), 1.into()),
        ("two".to_owned(), 2.into()),
        ("s".to_owned(), "s".into()),
        ("t".to_owned(), "t".into()),
        ("empty".to_owned(), "".into()),
        ("long".to_owned(), "x".repeat(1025).as_str().into()),
    ]
    .into();
    let bound = Binder::new(&values)
        .condition(&parse_condition(text).unwrap())
        .unwrap();
    let tests = key_tests(&bound).map_err(|rejection| rejection.to_string())?;
    KeyCondition::of(&schema, tests).map_err(|rejection| rejection.to_string())
}

#[test]
fn tests_may_come_in_any_order() {
    let condition = read("x = :s AND b = :t AND y BETWEEN :s AND :t AND a = :s").unwrap();
    assert_eq!(condition.partition, ["s".into(), "t".into()]);
    let operators: Vec<&str> = condition
        .sort
        .iter()
        .map(|test| test.operator.symbol())
        .collect();
    assert_eq!(operators, ["=", "between"]);
    // The value may come first.
    assert_eq!(
        read("a = :s AND b = :s AND :t <= x"),
        read("a = :s AND b = :s AND x >= :t")
    );
}

#[test]
fn invalid_key_conditions_are_refused_with_a_reason() {
    let with = |terms: &str| read(&format!("a = :s AND b = :s{terms}"));
    for (refused, message) in [
        (
            read("a = :s"),
            "the partition key `b` has no value: a Query reads one item collection, so every partition key attribute needs `=`",
        ),
        (
            read("b = :s AND x = :s"),
            "the partition key `a` has no value: a Query reads one item collection, so every partition key attribute needs `=`",
        ),
        (
            read("a = :s AND begins_with(b, :s)"),
            "the partition key `b` only supports `=`, not `begins_with`: DynamoDB finds an item collection by the hash of its whole partition key value",
        ),
        (
            with(" AND y = :s"),
            "a condition on `y` but none on `x` before it: test sort key attributes from left to right without a gap",
        ),
        (
            with(" AND x = :s AND n = :one"),
            "a condition on `n` but none on `y` before it: test sort key attributes from left to right without a gap",
        ),
        (
            with(" AND x > :s AND y = :s"),
            "a range on `x` and a condition on `y` after it: only the last tested sort key attribute supports operators other than `=`",
        ),
        (
            with(" AND z = :s"),
            "`z` is not in the key, which is `a`, `b`, `x`, `y` and `n`: a key condition can test only key attributes; use a filter, an index or another sort key",
        ),
        (
            with(" AND x > :s AND x < :t"),
            "two conditions on `x`: use one condition per key attribute, and `between` for a range",
        ),
        (
            with(" AND x = :s AND y = :s AND n BETWEEN :two AND :two AND n = :one"),
            "two conditions on `n`: use one condition per key attribute, and `between` for a range",
        ),
        (
            with(" AND x = :one"),
            "the key attribute `x` is of type S, but the value is of type N",
        ),
        (
            with(" AND x = :empty"),
            "the value of the key attribute `x` is empty: a key value needs at least one byte",
        ),
        (
            with(" AND x = :long"),
            "the value of the key attribute `x` has 1025 bytes; DynamoDB allows at most 1024",
        ),
        (
            with(" AND x.y = :s"),
            "a part of an attribute is not allowed in a key condition: use comparisons of key attributes, joined by AND",
        ),
        (
            with(" AND x = y"),
            "a comparison that is not between an attribute and a value is not allowed in a key condition: use comparisons of key attributes, joined by AND",
        ),
        (
            with(" AND (x = :s OR x = :t)"),
            "`OR` is not allowed in a key condition: use comparisons of key attributes, joined by AND",
        ),
    ] {
        assert_eq!(refused.unwrap_err(), message);
    }
    assert!(with(" AND x = :s AND y = :t AND n < :one").is_ok());
}
