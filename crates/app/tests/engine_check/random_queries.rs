//! Thousands of queries on random tables: keys of one to four attributes on each side, of any type; valid and
//! invalid key conditions; filters, projections, limits and start keys.

use crate::awkward::number;
use crate::ours;
use crate::queries::{Both, RANGES, query};
use crate::random_expressions::{Expression, condition, document, value, with_values};
use keyfold_core::model::{
    Design, EntityId, Index, IndexId, IndexKind, KeyAttribute, KeySchema, KeyType, Projection,
    SortOperator, Value, validate_invariants,
};
use keyfold_test_support::cases;
use keyfold_test_support::tables::{self, Values, table};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index as Pick, select, subsequence};
use serde_json::json;

/// Few values, so that keys match. No numbers whose size is disputed: see `sizes`.
pub fn key_value(kind: KeyType) -> BoxedStrategy<Value> {
    match kind {
        KeyType::S => select(vec!["a", "ab", "a#", "b", "é", "a\u{1}", "\u{ffff}", "😀"])
            .prop_map(|text| Value::S(text.to_owned()))
            .boxed(),
        KeyType::N => select(vec!["-10", "-1.25", "0", "1", "1.25", "2", "10", "1e30"])
            .prop_map(number)
            .boxed(),
        KeyType::B => vec(select(vec![0u8, 1, 127, 255]), 1..3)
            .prop_map(Value::B)
            .boxed(),
    }
}

fn kind() -> impl Strategy<Value = KeyType> {
    select(KeyType::ALL.to_vec())
}

fn attribute(name: &str, kind: KeyType) -> KeyAttribute {
    let name = name.to_owned();
    KeyAttribute { name, kind }
}

/// Names of index key attributes.
const KEYS: [&str; 8] = ["k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"];

fn projection() -> impl Strategy<Value = Projection> {
    prop_oneof![
        Just(Projection::All),
        Just(Projection::KeysOnly),
        Just(Projection::Include(vec![
            "note".into(),
            "doc".into(),
            "k7".into()
        ])),
    ]
}

/// A table without templates, and its entity.
fn design() -> impl Strategy<Value = (Design, EntityId)> {
    let global = (1..=4usize, 0..=4usize).prop_flat_map(|(partition, sort)| {
        let names = subsequence(KEYS.to_vec(), partition + sort).prop_shuffle();
        (Just(partition), names, projection())
    });
    let kinds = proptest::array::uniform8(kind());
    let sort = prop::option::of(kind());
    let globals = vec(global, 1..3);
    (kinds, sort, globals, projection()).prop_map(|(kinds, sort, globals, local)| {
        let own = KeySchema {
            partition: vec![KeyAttribute::text("PK")],
            sort: sort.map(|kind| attribute("SK", kind)).into_iter().collect(),
        };
        let mut indexes = Vec::new();
        for (number, (partition, names, projection)) in globals.into_iter().enumerate() {
            let kind = |name: &&str| kinds[KEYS.iter().position(|key| key == name).unwrap()];
            let mut all: Vec<_> = names
                .iter()
                .map(|name| attribute(name, kind(name)))
                .collect();
            let sort = all.split_off(partition);
            let key = KeySchema {
                partition: all,
                sort,
            };
            indexes.push(Index {
                projection,
                ..Index::new(format!("global-{number}"), IndexKind::Gsi, key)
            });
        }
        if sort.is_some() {
            let key = KeySchema {
                partition: vec![KeyAttribute::text("PK")],
                sort: vec![attribute("k7", kinds[7])],
            };
            indexes.push(Index {
                projection: local,
                ..Index::new("local", IndexKind::Lsi, key)
            });
        }
        table(own, indexes)
    })
}

/// Attributes outside the keys.
pub fn other_attributes() -> impl Strategy<Value = Values> {
    let note = prop::option::weighted(0.8, value());
    let map = prop::option::weighted(0.8, document());
    (note.clone(), note, map, 0..3usize).prop_map(|(note, status, map, long)| {
        let mut values = Values::new();
        values.extend(note.map(|value| ("note".to_owned(), value)));
        values.extend(status.map(|value| ("status".to_owned(), value)));
        values.extend(map.map(|value| ("doc".to_owned(), value)));
        if long > 1 {
            values.insert("long".to_owned(), Value::S("x".repeat(3000)));
        }
        values
    })
}

/// The type of each key attribute of a design.
fn kinds_of(design: &Design) -> Vec<KeyAttribute> {
    let keys = design.index_ids().filter_map(|index| design.key(index));
    let mut all: Vec<KeyAttribute> = Vec::new();
    for attribute in keys.flat_map(KeySchema::attributes) {
        if !all.contains(attribute) {
            all.push(attribute.clone());
        }
    }
    all
}

/// Key attributes of an item: always the table's, usually the others.
pub fn keys(design: &Design) -> impl Strategy<Value = Values> + use<> {
    let mut all = Just(Values::new()).boxed();
    for key in kinds_of(design) {
        let is_own = design.table.key.attributes().any(|own| *own == key);
        let value = key_value(key.kind);
        let value = match is_own {
            true => value.prop_map(Some).boxed(),
            false => prop::option::weighted(0.85, value).boxed(),
        };
        all = (all, value)
            .prop_map(move |(mut values, value)| {
                values.extend(value.map(|value| (key.name.clone(), value)));
                values
            })
            .boxed();
    }
    all
}

/// A design with its items.
pub fn filled() -> impl Strategy<Value = Design> {
    let with_items = |table: (Design, EntityId)| {
        let item = (keys(&table.0), other_attributes()).prop_map(|(mut values, others)| {
            values.extend(others);
            values
        });
        (Just(table), vec(item, 1..24))
    };
    (design().prop_flat_map(with_items)).prop_map(|(table, items)| tables::filled(table, items))
}

/// A request, as numbers that select parts of any design.
#[derive(Debug, Clone)]
struct Asked {
    index: Pick,
    item: Pick,
    /// Number of sort key attributes tested.
    tested: Pick,
    operator: Pick,
    other: Pick,
    spoilt: Option<Pick>,
    descending: bool,
    limit: Option<u32>,
    consistent: bool,
    filter: Option<Expression>,
    projection: Option<String>,
    start: Option<Pick>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let projections = vec![
        "note",
        "doc.a, doc.b[1]",
        "PK, note",
        "k0, k7",
        "#s",
        "doc, doc.a",
        "status",
    ];
    let first = (
        any::<Pick>(),
        any::<Pick>(),
        any::<Pick>(),
        any::<Pick>(),
        any::<Pick>(),
        prop::option::weighted(0.3, any::<Pick>()),
    );
    let second = (
        any::<bool>(),
        prop::option::weighted(0.4, 0..4u32),
        prop::bool::weighted(0.1),
        prop::option::weighted(0.3, condition()),
        prop::option::weighted(0.2, select(projections).prop_map(str::to_owned)),
        prop::option::weighted(0.15, any::<Pick>()),
    );
    (first, second).prop_map(|(first, second)| {
        let (index, item, tested, operator, other, spoilt) = first;
        let (descending, limit, consistent, filter, projection, start) = second;
        Asked {
            index,
            item,
            tested,
            operator,
            other,
            spoilt,
            descending,
            limit,
            consistent,
            filter,
            projection,
            start,
        }
    })
}

type Tests = Vec<(String, SortOperator, Vec<Value>)>;

/// A key condition: a valid one, or one made invalid in one of many ways.
fn tests(key: &KeySchema, asked: &Asked, values: &[Values]) -> Tests {
    let item = asked.item.get(values);
    let other = asked.other.get(values);
    let missing = Value::S("a".into());
    let value_of = |of: &Values, name: &str| of.get(name).unwrap_or(&missing).clone();
    let mut tests: Tests = Vec::new();
    for attribute in &key.partition {
        let value = value_of(item, &attribute.name);
        tests.push((attribute.name.clone(), SortOperator::Equal, vec![value]));
    }
    let tested = asked.tested.index(key.sort.len() + 1);
    for (at, attribute) in key.sort.iter().take(tested).enumerate() {
        let own = value_of(item, &attribute.name);
        let operators = [
            &RANGES[..],
            &[SortOperator::Between, SortOperator::BeginsWith],
        ]
        .concat();
        let operator = match at + 1 == tested {
            true => *asked.operator.get(&operators),
            false => SortOperator::Equal,
        };
        let values = match operator {
            SortOperator::Between => vec![own, value_of(other, &attribute.name)],
            _ => vec![own],
        };
        tests.push((attribute.name.clone(), operator, values));
    }
    let Some(spoilt) = asked.spoilt else {
        return tests;
    };
    let at = asked.other.index(tests.len());
    match spoilt.index(8) {
        0 if tests.len() > 1 => drop(tests.remove(at)),
        1 => tests[at].1 = SortOperator::Less,
        2 => tests[at].2[0] = Value::S("another".into()),
        3 => tests[at].2[0] = Value::N(7.into()),
        4 => tests[at].2[0] = Value::Bool(true),
        5 => tests[at].0 = "note".into(),
        6 => {
            let test = tests[at].clone();
            tests.push(test);
        }
        _ => tests.reverse(),
    }
    tests
}

fn ask(both: &mut Both, design: &Design, asked: &Asked) {
    let ids: Vec<IndexId> = design.index_ids().collect();
    let id = *asked.index.get(&ids);
    let samples: Vec<Values> = (design.samples.values())
        .flat_map(|samples| samples.iter().map(|sample| sample.values.to_map()))
        .collect();
    let key = design.key(id).unwrap();
    let name = (!id.is_primary()).then(|| design.index_name(id));
    let mut request = query(name, &tests(key, asked, &samples));
    request["ScanIndexForward"] = json!(!asked.descending);
    if let Some(limit) = asked.limit {
        request["Limit"] = json!(limit);
    }
    if asked.consistent {
        request["ConsistentRead"] = json!(true);
    }
    if let Some(filter) = &asked.filter {
        with_values(&mut request, "FilterExpression", filter);
    }
    // Attributes that an LSI lacks are fetched from the table; the engine does that for another parameter only.
    let is_local = (design.indexes.get(&id)).is_some_and(|index| index.kind == IndexKind::Lsi);
    if let Some(projection) = &asked.projection
        && !is_local
    {
        request["ProjectionExpression"] = json!(projection);
        if projection == "#s" {
            request["ExpressionAttributeNames"]["#s"] = json!("status");
        }
    }
    if let Some(start) = asked.start.filter(|_| !both.cannot_go_on(&request)) {
        let values = start.get(&samples);
        let names = both.stored.content(id).unwrap().keys();
        let names = names.iter().filter(|name| values.contains_key(*name));
        let key: Values = names
            .map(|name| (name.clone(), values[name].clone()))
            .collect();
        request["ExclusiveStartKey"] = ours::wire(&key);
    }
    both.pages(&request);
    let mut scan = request.clone();
    let members = scan.as_object_mut().unwrap();
    // For a page of a Scan, only the number of items is determined.
    for member in [
        "KeyConditionExpression",
        "ScanIndexForward",
        "Limit",
        "ExclusiveStartKey",
    ] {
        members.remove(member);
    }
    for (member, sign) in [
        ("ExpressionAttributeNames", "#k"),
        ("ExpressionAttributeValues", ":v"),
    ] {
        if let Some(map) = members.get_mut(member).and_then(|map| map.as_object_mut()) {
            map.retain(|name, _| !name.starts_with(sign));
            if map.is_empty() {
                members.remove(member);
            }
        }
    }
    both.compare("Scan", &scan);
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn random_queries_match_the_engine(design in filled(), all in vec(asked(), 40)) {
        prop_assert_eq!(validate_invariants(&design), []);
        let mut both = Both::new("random", &design);
        for asked in &all {
            ask(&mut both, &design, asked);
        }
    }
}
