//! The heat as marks on the canvas.

use crate::designs::{GET, GSI, ORDER, PUT, by_status, design, items, orders, rate, traffic};
use keyfold_core::library;
use keyfold_core::model::{Design, IndexId, Shape, Skew};
use keyfold_cost::heat::{HeatLayer, HeatLevel, layer};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};

fn marks(design: &Design) -> HeatLayer {
    let prices = Prices::of(&design.workload);
    layer(&Report::new(CostModel::of(design), prices, 0))
}

/// Orders with status PENDING alone, written this often per second at the peak.
fn pending(writes: f64) -> Design {
    let mut design = design(500);
    by_status(&mut design);
    rate(&mut design, PUT, 1.0, writes);
    items(&mut design, 1e6);
    let skews = [
        ("status", 4.0, Shape::Largest(100.0)),
        ("orderId", 1e6, Shape::Even),
    ];
    for (parameter, values, shape) in skews {
        let values = Some(values);
        let skew = Skew { values, shape };
        (traffic(&mut design, PUT).parameters).insert(parameter.into(), skew);
    }
    design
}

#[test]
fn an_index_has_the_load_of_its_hottest_key() {
    let found = marks(&pending(840.0));
    let gsi = &found.indexes[&GSI];
    assert_eq!(
        (gsi.level, gsi.figure.as_str(), gsi.detail.as_str()),
        (HeatLevel::High, "84%", "840 of 1,000 write units/s")
    );
    assert!(
        gsi.title.starts_with(
            "In GSI1, the hottest key STATUS#{status} takes 84% of a partition: \
             840 of 1,000 write units/s and "
        ),
        "{}",
        gsi.title
    );
    let table = &found.indexes[&IndexId::PRIMARY];
    assert_eq!(table.level, HeatLevel::Low);
    // The item collections of the entity in each index, and the entity as hot as the hottest of them.
    assert_eq!(found.collections[&(ORDER, GSI)], *gsi);
    assert_eq!(
        found.collections[&(ORDER, IndexId::PRIMARY)].level,
        HeatLevel::Low
    );
    assert_eq!(found.entities[&ORDER].level, HeatLevel::High);
}

#[test]
fn over_a_partition_it_throttles_in_words() {
    let found = marks(&pending(2000.0));
    let gsi = &found.indexes[&GSI];
    assert_eq!((gsi.level, gsi.figure.as_str()), (HeatLevel::Over, "200%"));
    assert!(gsi.title.contains("It throttles."), "{}", gsi.title);
    assert!(
        gsi.title.ends_with("It throttles the writes of the table."),
        "{}",
        gsi.title
    );
}

#[test]
fn an_entity_brings_its_share_of_the_load() {
    let mut design = pending(840.0);
    rate(&mut design, GET, 1.0, 100.0);
    let found = marks(&design);
    let wire = &found.wires[&(ORDER, IndexId::PRIMARY)];
    assert_eq!(
        (wire.figure.as_str(), wire.detail.as_str()),
        ("below 0.1%", "100% of writes and 100% of reads")
    );
    assert!(
        wire.title.contains("(Get order, Put order)"),
        "{}",
        wire.title
    );
    assert!(found.entities[&ORDER].title.contains("in total"));
}

#[test]
fn a_write_counts_for_the_entity_of_its_item() {
    let shop = orders(10.0);
    let found = marks(&shop);
    let figure = |name: &str, index: IndexId| {
        let (id, _) = (shop.entities.iter().find(|(_, it)| it.name == name)).unwrap();
        let wire = found.wires.get(&(*id, index));
        wire.map(|wire| wire.detail.as_str())
    };
    // Each of the three items takes 2 units of the table; the order and the product also have entries in the index.
    let table =
        ["Order", "OrderItem", "Product", "User"].map(|name| figure(name, IndexId::PRIMARY));
    let third = Some("33% of writes");
    assert_eq!(table, [third, third, third, None]);
    let gsi = *shop.indexes.keys().next().unwrap();
    let half = Some("50% of writes");
    assert_eq!([figure("Order", gsi), figure("Product", gsi)], [half, half]);
}

#[test]
fn levels_begin_where_the_legend_says() {
    let shares = [0.0, 0.499, 0.5, 0.799, 0.8, 1.0, 1.001];
    let levels = shares.map(HeatLevel::of);
    use HeatLevel::{High, Low, Medium, Over};
    assert_eq!(levels, [Low, Low, Medium, Medium, High, High, Over]);
    assert!(HeatLevel::ALL.is_sorted());
}

#[test]
fn every_mark_of_the_library_is_in_its_design_and_in_words() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let found = marks(&design);
        assert!(design.index_ids().eq(found.indexes.keys().copied()));
        for (entity, index) in found.wires.keys().chain(found.collections.keys()) {
            assert!(design.entities[entity].keys.contains_key(index));
        }
        let all = (found.indexes.values().chain(found.entities.values()))
            .chain(found.wires.values().chain(found.collections.values()));
        for mark in all {
            let texts = [&mark.figure, &mark.detail, &mark.title];
            let bad = |text: &&String| text.contains("NaN") || text.contains("inf");
            assert!(!texts.iter().any(bad), "{mark:?}");
            assert!(
                !mark.figure.is_empty() && mark.title.ends_with('.'),
                "{mark:?}"
            );
        }
    }
}

#[test]
fn a_design_without_access_patterns_has_no_load() {
    let mut design = design(500);
    design.access_patterns.clear();
    let found = marks(&design);
    assert_eq!(found.indexes[&IndexId::PRIMARY].figure, "no load");
    assert!(found.entities.is_empty() && found.wires.is_empty() && found.collections.is_empty());
}
