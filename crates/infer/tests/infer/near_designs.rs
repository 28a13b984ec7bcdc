//! Items that templates could have rendered, and items that differ from them in one place: each comes back equal.

use super::support::*;
use keyfold_core::model::*;
use keyfold_infer::{Item, Profile, Schema, infer};
use keyfold_test_support::cases;
use proptest::prelude::*;

/// Literals of keys, also such as templates must escape.
const LITERALS: [&str; 16] = [
    "USER#",
    "ORDER#",
    "#",
    "u#",
    "{",
    "}",
    "{id}",
    "<id>",
    "${",
    "\\",
    "\"count\"",
    "é#",
    "v",
    "#META#",
    "::",
    "%23",
];
const NAMES: [&str; 12] = [
    "id",
    "userId",
    "name",
    "status",
    "createdAt",
    "n",
    "amount",
    "tags",
    "{x}",
    "a:b",
    "raw",
    "type",
];

/// A part of a key: a literal, or the value of an attribute, which the item has or not.
#[derive(Debug, Clone)]
enum Part {
    Literal(&'static str),
    Value(usize, bool),
}

fn part() -> impl Strategy<Value = Part> {
    prop_oneof![
        prop::sample::select(LITERALS.to_vec()).prop_map(Part::Literal),
        (0..NAMES.len(), prop::bool::weighted(0.7))
            .prop_map(|(name, stored)| Part::Value(name, stored)),
    ]
}

fn text() -> impl Strategy<Value = String> {
    let texts = [
        "a",
        "b",
        "u1",
        "u2",
        "u3",
        "1",
        "2",
        "007",
        "Ada",
        "ADA",
        "ada",
        "OPEN",
        "PAID",
        "",
        "#",
        "x#y",
        "USER",
        "{id}",
        "2026-03-01",
        "2026-03-01T09:30:00Z",
        "2026-03-01T11:30:00+02:00",
        "é",
        "Straße",
        "İ",
        "\u{0}",
        "\u{1}",
        "true",
        "1.50",
        "1e3",
        "{",
        "}",
        "\\",
        "$",
    ];
    prop_oneof![
        20 => prop::sample::select(texts.to_vec()).prop_map(str::to_owned),
        1 => Just("long".repeat(600)),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let numbers = [
        "0",
        "1",
        "7",
        "-1",
        "007.50",
        "1e30",
        "12345678901234567890123456789012345678",
        "0.00000000000000000000000000000000000001",
        "1E-130",
        "9.9e125",
        "1.5",
    ];
    prop_oneof![
        12 => text().prop_map(Value::S),
        4 => prop::sample::select(numbers.to_vec()).prop_map(|text| Value::N(text.parse().expect("a number"))),
        1 => prop::collection::vec(any::<u8>(), 0..3).prop_map(Value::B),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
        1 => Just(Value::M(SortedMap::new())),
        1 => text().prop_map(|text| Value::Ss(SortedSet::from_iter([text]))),
        1 => prop::sample::select(numbers.to_vec())
            .prop_map(|text| Value::Ns(SortedSet::from_iter([text.parse().expect("a number")]))),
        1 => prop::collection::vec(any::<u8>(), 1..3).prop_map(|bytes| Value::Bs(SortedSet::from_iter([bytes]))),
    ]
}

/// The text of a value in a key.
fn shown(value: &Value) -> String {
    match value {
        Value::S(text) => text.clone(),
        other => other.to_text(),
    }
}

const KEYS: [&str; 6] = ["PK", "SK", "GSI1PK", "GSI1SK", "tenant", "n"];

pub fn schema() -> impl Strategy<Value = Schema> {
    let kind = || {
        prop::sample::select(vec![
            KeyType::S,
            KeyType::S,
            KeyType::S,
            KeyType::N,
            KeyType::B,
        ])
    };
    let shape = (
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
        any::<bool>(),
    );
    (kind(), kind(), kind(), shape).prop_map(
        |(sort, first, second, (no_sort, multi, local, inverted, by_data))| {
            let mut key = KeySchema::pair("PK", "SK");
            key.sort[0].kind = sort;
            if no_sort {
                key.sort.clear();
            }
            let mut index = Index::new("GSI1", IndexKind::Gsi, KeySchema::pair("GSI1PK", "GSI1SK"));
            index.key.partition[0].kind = first;
            index.key.sort[0].kind = second;
            let mut indexes = vec![index];
            let attribute = |name: &str, kind| KeyAttribute {
                name: name.into(),
                kind,
            };
            if multi {
                let mut index = Index::new("multi", IndexKind::Gsi, KeySchema::pair("tenant", "n"));
                index.key.partition.push(attribute("status", KeyType::S));
                index.key.sort.push(attribute("createdAt", KeyType::S));
                indexes.push(index);
            }
            if local && !no_sort {
                indexes.push(Index::new(
                    "local",
                    IndexKind::Lsi,
                    KeySchema::pair("PK", "createdAt"),
                ));
            }
            if inverted && !no_sort {
                let mut index = Index::new("inverted", IndexKind::Gsi, KeySchema::pair("SK", "PK"));
                index.key.partition[0].kind = sort;
                indexes.push(index);
            }
            if by_data {
                let mut index = Index::new("by-n", IndexKind::Gsi, KeySchema::pair("status", "n"));
                index.key.sort[0].kind = KeyType::N;
                if multi {
                    index.key.sort[0].kind = KeyType::S;
                }
                indexes.push(index);
            }
            Schema {
                table: "table".into(),
                key,
                indexes,
            }
        },
    )
}

/// The values of an item, which of them it has, and a change: an attribute with another value or none.
type Row = (Vec<Value>, Vec<bool>, Option<(usize, Option<Value>)>);

/// A kind of items: the parts of each key attribute, and the values of each item, with a change to some.
#[derive(Debug, Clone)]
pub struct Kind {
    keys: Vec<Option<Vec<Part>>>,
    rows: Vec<Row>,
}

pub fn kind() -> impl Strategy<Value = Kind> {
    let parts = || prop::option::weighted(0.8, prop::collection::vec(part(), 1..5));
    let row = (
        prop::collection::vec(value(), NAMES.len()),
        prop::collection::vec(prop::bool::weighted(0.8), NAMES.len()),
        prop::option::weighted(
            0.2,
            (0..KEYS.len() + NAMES.len(), prop::option::of(value())),
        ),
    );
    (
        prop::collection::vec(parts(), KEYS.len()),
        prop::collection::vec(row, 1..9),
    )
        .prop_map(|(keys, rows)| Kind { keys, rows })
}

pub fn items(kinds: &[Kind], schema: &Schema) -> Vec<Item> {
    let mut items = Vec::new();
    for kind in kinds {
        for (values, has, change) in &kind.rows {
            let mut item = Item::new();
            for (at, value) in values.iter().enumerate() {
                // What all keys of the kind have outside the item is in no attribute.
                let hidden = kind.keys.iter().flatten().flatten();
                let hidden = hidden
                    .filter(|part| matches!(part, Part::Value(name, false) if *name == at))
                    .count();
                if has[at] && hidden == 0 {
                    item.insert(NAMES[at].into(), value.clone());
                }
            }
            for (name, parts) in KEYS.iter().zip(&kind.keys) {
                let Some(parts) = parts else { continue };
                let wanted = schema
                    .keys()
                    .flat_map(|key| key.attributes())
                    .find(|key| key.name == *name);
                let value = match (wanted.map(|key| key.kind), parts.as_slice()) {
                    (None, _) => continue,
                    (Some(KeyType::N | KeyType::B), parts) => {
                        parts.iter().find_map(|part| match part {
                            Part::Value(at, _) => Some(values[*at].clone()),
                            Part::Literal(_) => None,
                        })
                    }
                    (Some(KeyType::S), parts) => {
                        let texts = parts.iter().map(|part| match part {
                            Part::Literal(text) => (*text).to_owned(),
                            Part::Value(at, _) => shown(&values[*at]),
                        });
                        Some(Value::S(texts.collect()))
                    }
                };
                if let Some(value) = value {
                    item.insert((*name).into(), value);
                }
            }
            if let Some((at, value)) = change {
                let name = KEYS.iter().chain(&NAMES).nth(*at).expect("a name");
                match value {
                    Some(value) => item.insert((*name).to_owned(), value.clone()),
                    None => item.remove(*name),
                };
            }
            items.push(item);
        }
    }
    items
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn the_order_and_the_parts_of_items_do_not_matter(
        schema in schema(),
        kinds in prop::collection::vec(kind(), 1..4),
        split in 0usize..20,
    ) {
        let mut items = items(&kinds, &schema);
        let profile = |items: &[Item]| {
            let mut profile = Profile::new(schema.clone(), 4);
            items.iter().for_each(|item| profile.add(item));
            profile
        };
        let found = |items: &[Item]| {
            let found = infer(&schema, items, &[]);
            let attributes = found.entities.iter().map(|entity| entity.attributes.clone());
            (lines_found(&found), attributes.collect::<Vec<_>>())
        };
        let (whole, forward) = (profile(&items), found(&items));
        let (left, right) = items.split_at(split.min(items.len()));
        let mut merged = profile(right);
        merged.merge(profile(left)).expect("the same table");
        prop_assert!(merged == whole);
        items.reverse();
        prop_assert_eq!(found(&items), forward);
    }

    #[test]
    fn items_near_a_design_come_back(schema in schema(), kinds in prop::collection::vec(kind(), 1..4)) {
        infer_all(&schema, &items(&kinds, &schema));
    }
}
