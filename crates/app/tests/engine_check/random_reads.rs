//! Reads by primary key and scans on random tables: existing and missing items, invalid keys, and Scans page by
//! page. A Scan has no order, so the items of all pages are compared as a set.

use crate::awkward::text;
use crate::ours;
use crate::queries::{Both, documented, query, readable};
use crate::random_expressions::{Expression, condition, with_values};
use crate::random_queries::{filled, keys};
use keyfold_core::model::{Design, Index, IndexKind, Projection, SortOperator, Value};
use keyfold_test_support::cases;
use keyfold_test_support::tables::{self, Values, key, table, values};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index as Pick, select};
use serde_json::{Value as Json, json};

/// A request, as numbers that select parts of any table.
#[derive(Debug, Clone)]
struct Asked {
    operation: &'static str,
    /// The items: even numbers select existing ones, odd numbers others.
    items: Vec<(Pick, bool)>,
    spoilt: Option<usize>,
    consistent: bool,
    projection: Option<&'static str>,
    index: Pick,
    limit: Option<u32>,
    filter: Option<Expression>,
}

fn asked() -> impl Strategy<Value = Asked> {
    let operations = select(vec!["GetItem", "BatchGetItem", "TransactGetItems", "Scan"]);
    let items = vec((any::<Pick>(), prop::bool::weighted(0.3)), 1..5);
    let projections = select(vec![
        "note",
        "doc.a, PK",
        "#s",
        "long, k0",
        "doc, doc.a",
        "status",
    ]);
    (
        operations,
        items,
        prop::option::weighted(0.2, 0..5usize),
        any::<bool>(),
        prop::option::weighted(0.3, projections),
        any::<Pick>(),
        prop::option::weighted(0.5, 0..5u32),
        prop::option::weighted(0.4, condition()),
    )
        .prop_map(
            |(operation, items, spoilt, consistent, projection, index, limit, filter)| Asked {
                operation,
                items,
                spoilt,
                consistent,
                projection,
                index,
                limit,
                filter,
            },
        )
}

/// The primary key in an item's attributes, or an invalid key.
fn primary(design: &Design, item: &Values, spoilt: Option<usize>) -> Json {
    let names = design.table.key.attributes().map(|key| &key.name);
    let mut key: Values = names
        .map(|name| (name.clone(), item[name].clone()))
        .collect();
    let last = design.table.key.attributes().last().unwrap().name.clone();
    match spoilt {
        Some(0) => drop(key.remove(&last)),
        Some(1) => drop(key.insert("note".into(), text("x"))),
        Some(2) => drop(key.insert("PK".into(), 1.into())),
        Some(3) => drop(key.insert("PK".into(), text(""))),
        Some(_) => drop(key.insert(last, Value::Bool(true))),
        None => {}
    }
    ours::wire(&key)
}

fn request(design: &Design, asked: &Asked, others: &[Values]) -> Json {
    let samples: Vec<Values> = (design.samples.values())
        .flat_map(|samples| samples.iter().map(|sample| sample.values.to_map()))
        .collect();
    let key = |(at, (pick, other)): (usize, &(Pick, bool))| {
        let item = match other {
            true => pick.get(others),
            false => pick.get(&samples),
        };
        primary(design, item, asked.spoilt.filter(|_| at == 0))
    };
    let mut keys: Vec<Json> = asked.items.iter().enumerate().map(key).collect();
    let mut request = match asked.operation {
        "TransactGetItems" => return json!({ "Keys": keys }),
        "GetItem" => json!({ "Key": keys.swap_remove(0) }),
        "BatchGetItem" => json!({ "Keys": keys }),
        _ => {
            let index = *asked.index.get(&design.index_ids().collect::<Vec<_>>());
            let mut request = json!({});
            if !index.is_primary() {
                request["IndexName"] = json!(design.index_name(index));
            }
            if let Some(limit) = asked.limit {
                request["Limit"] = json!(limit);
            }
            if let Some(filter) = &asked.filter {
                with_values(&mut request, "FilterExpression", filter);
            }
            request
        }
    };
    if asked.consistent && asked.operation != "Scan" || asked.spoilt.is_some() {
        request["ConsistentRead"] = json!(true);
    }
    // Attributes that an LSI lacks are fetched; see `random_queries`.
    if let Some(projection) = asked.projection.filter(|_| request["IndexName"] != "local") {
        request["ProjectionExpression"] = json!(projection);
        if projection == "#s" {
            request["ExpressionAttributeNames"]["#s"] = json!("status");
        }
    }
    request
}

/// A complete Scan on both sides: the same number of pages and of items per page, and the same items in total.
fn scan(both: &mut Both, request: &Json) {
    let place = format!("Scan {request}");
    let mut all: [Vec<String>; 2] = Default::default();
    let mut next = [request.clone(), request.clone()];
    loop {
        let answers = [
            ours::ask(&both.stored, "Scan", &next[0]).map_err(Some),
            both.db.ask("Scan", next[1].clone()).map_err(|_| None),
        ];
        let pages = match answers {
            [Ok(ours), Ok(engine)] => [ours, engine],
            [Err(_), Err(_)] => {
                both.refused += 1;
                return;
            }
            [Err(Some(ours)), Ok(_)] if documented(&ours).is_some() => return,
            [ours, engine] => panic!("{place}: {ours:?}, but {engine:?}"),
        };
        for (at, page) in pages.iter().enumerate() {
            let items = readable("Scan", page)["Items"].take();
            let items = items.as_array().unwrap().iter();
            all[at].extend(items.map(Json::to_string));
            next[at]["ExclusiveStartKey"] = page["LastEvaluatedKey"].clone();
        }
        let [ours, engine] = &pages;
        assert_eq!(ours["ScannedCount"], engine["ScannedCount"], "{place}");
        let is_last = ours["LastEvaluatedKey"].is_null();
        assert_eq!(is_last, engine["LastEvaluatedKey"].is_null(), "{place}");
        if is_last {
            break;
        }
    }
    for items in &mut all {
        items.sort();
    }
    assert_eq!(all[0], all[1], "{place}");
    both.answered += 1;
}

fn case() -> impl Strategy<Value = (Design, Vec<Asked>, Vec<Values>)> {
    filled().prop_flat_map(|design| {
        let others = vec(keys(&design), 4);
        (Just(design), vec(asked(), 40), others)
    })
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn random_reads_match_the_engine((design, all, others) in case()) {
        let mut both = Both::new("random", &design);
        for asked in &all {
            let request = request(&design, asked, &others);
            match asked.operation {
                "Scan" if both.cannot_go_on(&request) && request["Limit"].is_number() => {}
                "Scan" => scan(&mut both, &request),
                operation => drop(both.compare(operation, &request)),
            }
        }
        prop_assert!(both.answered + both.refused > 0);
    }
}

/// A page without the large texts. If the page ends because of its size, the engine (dynoxide 3.2.0) counts the item
/// that no longer fits as scanned. "Query" in the API reference: without a filter, ScannedCount equals Count.
fn page(answer: &Json, limit: Option<u64>, is_engine: bool) -> Json {
    let mut page = readable("Query", answer);
    for item in page["Items"].as_array_mut().unwrap() {
        let item = item.as_object_mut().unwrap();
        for large in ["note", "rest"] {
            if let Some(text) = item.get_mut(large) {
                *text = json!(text["S"].as_str().unwrap().len());
            }
        }
    }
    let scanned = page["ScannedCount"].as_u64().unwrap();
    let by_size = !page["LastEvaluatedKey"].is_null() && limit.is_none_or(|limit| scanned < limit);
    if is_engine && by_size {
        page["ScannedCount"] = json!(scanned - 1);
    }
    page
}

/// Pages end at 1 MB: in the table, in indexes that project all or some attributes, in both directions.
#[test]
fn pages_of_1_mb_end_like_the_engines() {
    let sizes = [
        390_000, 1, 390_000, 200_000, 390_000, 67_000, 390_000, 390_000, 2_000, 5, 390_000,
    ];
    let item = |(at, bytes): (usize, &usize)| {
        values([
            ("PK", text("p")),
            ("SK", text(&format!("{at:02}"))),
            ("GPK", text("g")),
            ("GSK", text(&format!("{:02}", 50 - at))),
            ("LSK", text(&format!("{:02}", (at * 7) % 11))),
            ("note", text(&"n".repeat(bytes / 2))),
            ("rest", text(&"r".repeat(bytes / 2))),
        ])
    };
    let some = Projection::Include(vec!["note".into()]);
    let indexes = [
        Index::new("all", IndexKind::Gsi, key(&["GPK"], &["GSK"])),
        Index {
            projection: some,
            ..Index::new("some", IndexKind::Gsi, key(&["GPK"], &["SK"]))
        },
        // LSI entries count toward the 400 KB of an item, so it projects keys only.
        Index {
            projection: Projection::KeysOnly,
            ..Index::new("local", IndexKind::Lsi, key(&["PK"], &["LSK"]))
        },
    ];
    let items = sizes.iter().enumerate().map(item);
    let design = tables::filled(table(key(&["PK"], &["SK"]), indexes), items);
    let both = Both::new("megabytes", &design);
    let mut cut = 0;
    for (index, partition, value) in [
        (None, "PK", "p"),
        (Some("all"), "GPK", "g"),
        (Some("some"), "GPK", "g"),
        (Some("local"), "PK", "p"),
    ] {
        let equal = (partition.to_owned(), SortOperator::Equal, vec![text(value)]);
        for (descending, limit) in [
            (false, None),
            (true, None),
            (false, Some(2)),
            (true, Some(7)),
        ] {
            let mut request = query(index, std::slice::from_ref(&equal));
            request["ScanIndexForward"] = json!(!descending);
            if let Some(limit) = limit {
                request["Limit"] = json!(limit);
                request["FilterExpression"] = json!("attribute_not_exists(absent)");
            }
            loop {
                let ours = ours::ask(&both.stored, "Query", &request).unwrap();
                let engine = both.db.ask("Query", request.clone()).unwrap();
                let last = engine["LastEvaluatedKey"].clone();
                let (ours, engine) = (page(&ours, limit, false), page(&engine, limit, true));
                assert_eq!(ours, engine, "{request}");
                if last.is_null() {
                    break;
                }
                cut += usize::from(ours["ScannedCount"].as_u64() != limit);
                request["ExclusiveStartKey"] = last;
            }
        }
    }
    assert!(cut >= 12, "{cut}");
}
