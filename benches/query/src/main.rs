//! `keyfold-bench-query 100000 10000`: what so many queries take on so many items.

mod engine;

use engine::Engine;
use keyfold_app::stress;
use keyfold_core::engine::query::{KeyCondition, Query, SortTest, TableSnapshot};
use keyfold_core::engine::{Item, Items, materialize_all};
use keyfold_core::model::{Design, IndexId, SortOperator, Value};
use std::sync::Arc;
use std::time::Instant;

fn main() {
    let number = |at: usize, otherwise: usize| {
        let given = std::env::args().nth(at).and_then(|text| text.parse().ok());
        given.unwrap_or(otherwise)
    };
    let (count, queries) = (number(1, 100_000), number(2, 10_000));
    let design = stress::items(count as u32);
    let items: Vec<Arc<Items>> = materialize_all(&design).into_values().collect();
    let (made, stored) = timed(|| TableSnapshot::new(&design, &items));
    let (put, engine) = timed(|| Engine::new(&design, &items));
    println!("{count} items made ready: Keyfold {made:.0} ms, dynoxide {put:.0} ms (bulk import)");
    let (kinds, asked) = asked(&design, &items, queries);
    check(&stored, &engine, &asked);

    println!(
        "{:<52}{:>10}{:>12}{:>8}",
        format!("{queries} queries"),
        "Keyfold",
        "dynoxide",
        "ratio"
    );
    let all: Vec<&Query> = asked.iter().collect();
    line(
        "all, items as handles",
        &stored,
        &engine,
        &all,
        &|_, page| page.len(),
    );
    line(
        "all, items with their attributes copied",
        &stored,
        &engine,
        &all,
        &|index, page| {
            let copied = page.iter().map(|item| stored.shown(index, &[], item).len());
            copied.sum()
        },
    );
    for (at, kind) in kinds.iter().enumerate() {
        let some: Vec<&Query> = asked.iter().skip(at).step_by(kinds.len()).collect();
        line(kind, &stored, &engine, &some, &|_, page| page.len());
    }
}

/// Measures some queries with both in turns; `take` is what is done with the items of an answer of ours.
fn line(
    what: &str,
    stored: &TableSnapshot,
    engine: &Engine,
    queries: &[&Query],
    take: &dyn Fn(IndexId, &[Item]) -> usize,
) {
    let requests: Vec<_> = queries
        .iter()
        .map(|query| engine.request(stored.design(), query))
        .collect();
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    for _ in 0..3 {
        let run = || {
            let answers = queries.iter().map(|query| {
                let page = stored.query(query).expect("it is a query");
                take(query.index, &page.items)
            });
            answers.sum::<usize>()
        };
        ours = ours.min(timed(run).0);
        let requests: Vec<_> = requests
            .iter()
            .map(|request| engine.typed(request))
            .collect();
        theirs = theirs.min(timed(|| engine.query_all(requests)).0);
    }
    println!(
        "{what:<52}{ours:>7.1} ms{theirs:>9.1} ms{:>8.0}",
        theirs / ours
    );
}

/// How long it takes in milliseconds, and what comes of it.
fn timed<T>(run: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = std::hint::black_box(run());
    (start.elapsed().as_secs_f64() * 1000.0, result)
}

/// Stops if an answer has other items, or another order, than the engine's.
fn check(stored: &TableSnapshot, engine: &Engine, queries: &[Query]) {
    let mut found = 0;
    for query in queries {
        let page = stored.query(query).expect("it is a query");
        let ours: Vec<_> = (page.items.iter())
            .map(|item| stored.shown(query.index, &[], item))
            .collect();
        let theirs = engine.answer(&engine.request(stored.design(), query));
        assert_eq!(ours, theirs, "{query:?}");
        found += ours.len();
    }
    println!(
        "{} queries return the same {found} items in the same order",
        queries.len()
    );
}

/// The queries, kind after kind in turns, with values that items have; and what the kinds are.
fn asked(design: &Design, items: &[Arc<Items>], count: usize) -> (Vec<&'static str>, Vec<Query>) {
    let of = |entity: usize| -> Vec<Item> { items[entity].iter().collect() };
    let (users, orders, lines) = (of(1), of(2), of(3));
    let ids: Vec<IndexId> = design.index_ids().collect();
    let (first, second) = (ids[1], ids[2]);
    let text = |item: &Item, name: &str| {
        item.get(name)
            .map(|value| value.to_text())
            .unwrap_or_default()
    };
    let query = |index: IndexId, partition: String, sort: Option<SortTest>| {
        let partition = vec![Value::S(partition)];
        let sort = sort.into_iter().collect();
        Query::new(index, KeyCondition { partition, sort })
    };
    let begins = |beginning: String| SortTest::new(SortOperator::BeginsWith, Value::S(beginning));
    let kinds = vec![
        "an order with its lines (table, begins_with)",
        "a user's orders (index, begins_with)",
        "newest 20 of a status (index, backwards, limit)",
        "a product's lines of two months (index, between)",
        "50 items of a tenant (table, limit)",
    ];
    let mut queries = Vec::new();
    for row in 0..count {
        let at = row.wrapping_mul(7919);
        let order = &orders[at % orders.len()];
        let line = &lines[at % lines.len()];
        let user = &users[at % users.len()];
        queries.push(match row % kinds.len() {
            0 => query(
                ids[0],
                format!("TENANT#{}", text(order, "tenantId")),
                Some(begins(format!("ORDER#{}", text(order, "orderId")))),
            ),
            1 => query(
                first,
                format!("USER#{}", text(user, "userId")),
                Some(begins("ORDER#".to_owned())),
            ),
            2 => Query {
                descending: true,
                limit: Some(20),
                ..query(second, format!("STATUS#{}", text(order, "status")), None)
            },
            3 => query(
                second,
                format!("PRODUCT#{}", text(line, "productId")),
                Some(SortTest::between("2026-03".into(), "2026-05".into())),
            ),
            _ => Query {
                limit: Some(50),
                ..query(ids[0], format!("TENANT#{}", text(order, "tenantId")), None)
            },
        });
    }
    (kinds, queries)
}
