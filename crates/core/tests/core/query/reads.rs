//! Pages, capacity, projected attributes and overwritten items.

use super::{condition, design, values};
use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::{
    Attributes, BatchGet, Get, KeyCondition, Page, Path, Query, Rejection, Scan, SortTest,
    TableBuilder, TableSnapshot, TransactGet,
};
use keyfold_core::model::{Design, IndexId, SortOperator, Value};
use std::sync::Arc;

/// Items of one item collection with their sort keys and this many bytes in `big`.
fn collection<const N: usize>(items: [(&str, usize); N]) -> Vec<Attributes> {
    let item = |(sk, bytes): (&str, usize)| {
        values([
            ("PK", "p".into()),
            ("SK", sk.into()),
            ("LSK", sk.into()),
            ("GPK", "g".into()),
            ("GSK", sk.into()),
            ("small", 1.into()),
            ("big", Value::S("x".repeat(bytes))),
        ])
    };
    items.map(item).into()
}

fn all(index: IndexId, partition: &str) -> Query {
    let key = KeyCondition {
        partition: vec![partition.into()],
        sort: Vec::new(),
    };
    Query::new(index, key)
}

fn keys(pages: &[Page]) -> Vec<Vec<String>> {
    let key = |page: &Page| {
        let keys = page
            .items
            .iter()
            .map(|item| item.get("SK").unwrap().to_text());
        keys.collect()
    };
    pages.iter().map(key).collect()
}

fn index(design: &Design, name: &str) -> IndexId {
    design.index_named(name).unwrap()
}

#[test]
fn a_page_ends_before_a_megabyte_or_at_the_limit() {
    let items = [
        ("a", 390_000),
        ("b", 390_000),
        ("c", 390_000),
        ("d", 100),
        ("e", 390_000),
    ];
    let stored = TableSnapshot::of(&design(collection(items)));
    let query = all(IndexId::PRIMARY, "p");
    let pages = stored.query_all(&query).unwrap();
    assert_eq!(keys(&pages), [vec!["a", "b"], vec!["c", "d", "e"]]);
    assert!(pages[0].last_key.is_some() && pages[1].last_key.is_none());
    let backwards = Query {
        descending: true,
        ..query.clone()
    };
    assert_eq!(
        keys(&stored.query_all(&backwards).unwrap()),
        [vec!["e", "d", "c"], vec!["b", "a"]]
    );
    // DynamoDB does not look past a limit that the last item reaches.
    let limited = Query {
        limit: Some(5),
        ..all(index(stored.design(), "global"), "g")
    };
    let pages = stored.query_all(&limited).unwrap();
    assert_eq!(keys(&pages), [vec!["a", "b", "c", "d", "e"], vec![]]);
    let names: Vec<&String> = pages[0].last_key.as_ref().unwrap().keys().collect();
    assert_eq!(names, ["GPK", "GSK", "PK", "SK"]);
    // Requesting page by page gives the same.
    for limit in [1, 2, 3] {
        let mut query = Query {
            limit: Some(limit),
            ..backwards.clone()
        };
        let whole = stored.query_all(&query).unwrap();
        let mut pages = Vec::new();
        loop {
            let page = stored.query(&query).unwrap();
            query.start = page.last_key.clone();
            pages.push(page);
            if query.start.is_none() {
                break;
            }
        }
        assert_eq!(pages, whole);
    }
}

#[test]
fn a_filter_is_applied_after_the_read() {
    let stored = TableSnapshot::of(&design(collection([("a", 5000), ("b", 1), ("c", 5000)])));
    let filter = condition("size(big) > :n", &values([("n", 1.into())]));
    let query = Query {
        filter: Some(filter),
        limit: Some(2),
        ..all(IndexId::PRIMARY, "p")
    };
    let pages = stored.query_all(&query).unwrap();
    assert_eq!(keys(&pages), [vec!["a"], vec!["c"]]);
    assert_eq!(
        pages.iter().map(|page| page.scanned).collect::<Vec<_>>(),
        [2, 1]
    );
    // Read units count what is read: more than 4 KB costs two units, or half of that for an eventually consistent read.
    assert_eq!(
        pages.iter().map(|page| page.units).collect::<Vec<_>>(),
        [1.0, 1.0]
    );
    let strong = Query {
        consistent: true,
        ..query
    };
    assert_eq!(stored.query(&strong).unwrap().units, 2.0);
    let nothing = stored.query(&all(IndexId::PRIMARY, "none")).unwrap();
    assert_eq!(
        (nothing.scanned, nothing.units, nothing.last_key),
        (0, 0.5, None)
    );
}

#[test]
fn an_lsi_fetches_missing_attributes_and_a_gsi_refuses() {
    let stored = TableSnapshot::of(&design(collection([("a", 5000), ("b", 9000), ("c", 100)])));
    let local = index(stored.design(), "local");
    let projected = Query {
        projection: vec![Path::attribute("small")],
        ..all(local, "p")
    };
    assert_eq!(stored.query(&projected).unwrap().units, 0.5);
    // The index entries, and from the table 8, 12 and 4 KB, each item rounded up.
    let fetched = Query {
        projection: vec![Path::attribute("big")],
        ..all(local, "p")
    };
    let page = stored.query(&fetched).unwrap();
    assert_eq!((page.units, page.bytes), (0.5 + 3.0, 4096 + 6 * 4096));
    let shown = stored.shown(local, &fetched.projection, &page.items[2]);
    assert_eq!(shown, values([("big", Value::S("x".repeat(100)))]));
    // A filter can test what the index projects.
    let filter = condition("attribute_exists(big)", &values([]));
    let filtered = Query {
        filter: Some(filter.clone()),
        ..all(local, "p")
    };
    assert_eq!(stored.query(&filtered).unwrap().items.len(), 0);
    let both = Query {
        filter: Some(filter),
        ..fetched
    };
    assert_eq!(stored.query(&both).unwrap().items.len(), 3);

    let global = index(stored.design(), "global");
    let lacking = Query {
        projection: vec![Path::attribute("big")],
        ..all(global, "g")
    };
    assert_eq!(
        stored.query(&lacking).unwrap_err().to_string(),
        "`global` does not project `big`: a GSI cannot fetch attributes from the table"
    );
    let item = &stored.query(&all(global, "g")).unwrap().items[0];
    let names: Vec<String> = stored.shown(global, &[], item).keys().cloned().collect();
    assert_eq!(names, ["GPK", "GSK", "PK", "SK"]);
}

#[test]
fn the_last_item_with_a_key_wins() {
    let mut items = collection([("a", 1), ("b", 1), ("a", 2), ("a", 3)]);
    // The last one is not in the GSI.
    items[3].remove("GPK");
    let stored = TableSnapshot::of(&design(items));
    let global = index(stored.design(), "global");
    assert_eq!((stored.len(IndexId::PRIMARY), stored.len(global)), (2, 1));
    let page = stored.query(&all(IndexId::PRIMARY, "p")).unwrap();
    let sizes: Vec<usize> = page
        .items
        .iter()
        .map(|item| item.get("big").unwrap().size())
        .collect();
    assert_eq!(sizes, [3, 1]);
    assert_eq!(keys(&[stored.scan(&Scan::new(global)).unwrap()]), [["b"]]);
}

#[test]
fn each_item_read_is_rounded_up() {
    let stored = TableSnapshot::of(&design(collection([("a", 5000), ("b", 10)])));
    let key = |sk: &str| values([("PK", "p".into()), ("SK", sk.into())]);
    let get = |sk: &str, consistent| {
        let get = Get {
            key: key(sk),
            projection: Vec::new(),
            consistent,
        };
        let got = stored.get(&get).unwrap();
        (got.item.is_some(), got.units)
    };
    assert_eq!(get("a", false), (true, 1.0));
    assert_eq!(get("a", true), (true, 2.0));
    assert_eq!(get("none", true), (false, 1.0));
    let all = vec![key("none"), key("b"), key("a")];
    let batch = BatchGet {
        keys: all.clone(),
        projection: Vec::new(),
        consistent: false,
    };
    let page = stored.batch_get(&batch).unwrap();
    assert_eq!((page.items.len(), page.units), (2, 0.5 + 0.5 + 1.0));
    let got = stored.transact_get(&TransactGet { keys: all }).unwrap();
    assert_eq!(
        got.iter().map(|got| got.units).collect::<Vec<_>>(),
        [2.0, 2.0, 4.0]
    );
}

#[test]
fn a_batch_leaves_keys_beyond_16_mb_unprocessed() {
    let names: Vec<String> = (0..50).map(|at| format!("{at:02}")).collect();
    let items: Vec<Attributes> = names
        .iter()
        .flat_map(|name| collection([(name.as_str(), 399_000)]))
        .collect();
    let stored = TableSnapshot::of(&design(items));
    let key = |sk: &String| values([("PK", "p".into()), ("SK", sk.as_str().into())]);
    let keys: Vec<Attributes> = names.iter().map(key).collect();
    let batch = BatchGet {
        keys: keys.clone(),
        projection: Vec::new(),
        consistent: true,
    };
    let page = stored.batch_get(&batch).unwrap();
    assert_eq!((page.items.len(), page.unprocessed.len()), (42, 8));
    assert_eq!(page.unprocessed, keys[42..]);
    let refused = stored.transact_get(&TransactGet {
        keys: keys[..11].to_vec(),
    });
    assert!(matches!(
        refused,
        Err(Rejection::TransactionTooLarge { .. })
    ));
}

#[test]
fn an_edit_reuses_the_existing_order() {
    let before = design(collection([("a", 1), ("c", 1)]));
    let stored = Arc::new(TableSnapshot::of(&before));
    let after = design(collection([("a", 1), ("c", 1), ("b", 1)]));
    let items: Vec<_> = materialize_all(&after).into_values().collect();
    let mut storing = TableBuilder::new(Some(stored), after.clone(), &items);
    let again = loop {
        if let Some(stored) = storing.step() {
            break stored;
        }
    };
    let key = KeyCondition {
        partition: vec!["p".into()],
        sort: vec![SortTest::new(SortOperator::Greater, "a".into())],
    };
    let query = Query::new(IndexId::PRIMARY, key);
    assert_eq!(keys(&again.query_all(&query).unwrap()), [["b", "c"]]);
    assert_eq!(
        again.query_all(&query),
        TableSnapshot::of(&after).query_all(&query)
    );
}
