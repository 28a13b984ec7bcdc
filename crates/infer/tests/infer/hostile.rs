//! Whatever the items are, each comes back equal.

use super::support::*;
use keyfold_core::model::*;
use keyfold_infer::{Item, Schema};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::time::Instant;

fn text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "",
        "#",
        "##",
        "USER",
        "user",
        "u1",
        "1",
        "007",
        "{",
        "}",
        "{id}",
        "<id>",
        "$",
        "|",
        ":",
        "%23",
        "2026-03-01",
        "2026-03-01T09:30:00Z",
        "é",
        "\u{0}",
        "\u{1}",
        "ORDER",
        "PENDING",
        "a b",
        "_",
        "true",
    ]);
    prop::collection::vec(parts, 0..5).prop_map(|parts| parts.concat())
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        8 => text().prop_map(Value::S),
        2 => (-20i64..20).prop_map(|n| Value::N(n.to_string().parse().expect("a number"))),
        1 => prop::collection::vec(any::<u8>(), 0..4).prop_map(Value::B),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => text().prop_map(|text| Value::L(vec![Value::S(text)])),
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "PK",
        "SK",
        "GSI1PK",
        "GSI1SK",
        "LSI1SK",
        "type",
        "entityType",
        "id",
        "status",
        "createdAt",
        "userId",
        "",
        "a:b",
        "{x}",
        " a",
        "pkValue",
        "user",
    ])
    .prop_map(str::to_owned)
}

pub fn item() -> impl Strategy<Value = Item> {
    (
        prop::collection::vec((name(), value()), 0..9),
        text(),
        text(),
    )
        .prop_map(|(pairs, pk, sk)| {
            let mut item: Item = pairs.into_iter().collect();
            for (name, text) in [("PK", pk), ("SK", sk)] {
                if text.len() % 3 > 0 {
                    item.insert(name.to_owned(), Value::S(text));
                }
            }
            item
        })
}

pub fn schema() -> impl Strategy<Value = Schema> {
    (any::<bool>(), any::<bool>(), any::<bool>()).prop_map(|(number, inverted, local)| {
        let mut indexes = vec![Index::new(
            "GSI1",
            IndexKind::Gsi,
            KeySchema::pair("GSI1PK", "GSI1SK"),
        )];
        if number {
            indexes[0].key.sort[0].kind = KeyType::N;
        }
        if inverted {
            indexes.push(Index::new(
                "inverted",
                IndexKind::Gsi,
                KeySchema::pair("SK", "PK"),
            ));
        }
        if local {
            indexes.push(Index::new(
                "local",
                IndexKind::Lsi,
                KeySchema::pair("PK", "createdAt"),
            ));
        }
        indexes.push(Index::new(
            "by-type",
            IndexKind::Gsi,
            KeySchema::pair("type", "status"),
        ));
        Schema {
            table: "table".into(),
            key: KeySchema::pair("PK", "SK"),
            indexes,
        }
    })
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_item_comes_back(schema in schema(), items in prop::collection::vec(item(), 0..30)) {
        infer_all(&schema, &items);
    }

    #[test]
    fn every_item_of_any_design_comes_back(design in any_design()) {
        let items: Vec<Item> = items_of(&design).into_iter().map(|(_, item)| item).collect();
        infer_all(&Schema::of(&design), &items);
    }
}

#[test]
fn thousands_of_different_keys_take_seconds_at_most() {
    let schema = Schema {
        table: "table".into(),
        key: KeySchema::pair("PK", "SK"),
        indexes: Vec::new(),
    };
    let word = |n: usize| -> String {
        n.to_string()
            .bytes()
            .map(|digit| char::from(digit - b'0' + b'A'))
            .collect()
    };
    let items: Vec<Item> = (0..6000)
        .map(|n| {
            Item::from([
                (
                    "PK".to_owned(),
                    Value::S(format!("{}#{}#{}", word(n), word(n / 7), word(n * 31))),
                ),
                (
                    "SK".to_owned(),
                    Value::S(["#", "a"].concat().repeat(n % 40)),
                ),
                (word(n), Value::S(word(n))),
            ])
        })
        .collect();
    let start = Instant::now();
    infer_all(&schema, &items);
    let seconds = start.elapsed().as_secs();
    println!("{seconds} s");
    assert!(seconds < 60, "{seconds} s");
}

#[test]
fn attributes_with_a_name_of_their_own_in_each_item_take_no_quadratic_memory() {
    let schema = Schema {
        table: "table".into(),
        key: KeySchema::pair("PK", "SK"),
        indexes: Vec::new(),
    };
    let item = |n: usize| {
        let text = |text: String| Value::S(text);
        Item::from([
            ("PK".to_owned(), text(format!("USER#{n}"))),
            ("SK".to_owned(), text("PROFILE".to_owned())),
            ("name".to_owned(), text(format!("n{n}"))),
            (format!("flag-{n}"), Value::Bool(true)),
            (format!("at-{n}"), text(format!("{n}"))),
        ])
    };
    let items: Vec<Item> = (0..3000).map(item).collect();
    let start = Instant::now();
    let found = infer_all(&schema, &items);
    let seconds = start.elapsed().as_secs();
    assert_eq!(lines_found(&found), ["Profile 0: USER#{userId} | PROFILE"]);
    let names: Vec<&str> = found.entities[0]
        .attributes
        .iter()
        .map(|own| own.name.as_str())
        .collect();
    assert!(
        names.starts_with(&["userId"]) && names.contains(&"name"),
        "{names:?}"
    );
    assert!(
        names.len() <= 260,
        "{} attributes are declared",
        names.len()
    );
    assert!(seconds < 30, "{seconds} s");
}
