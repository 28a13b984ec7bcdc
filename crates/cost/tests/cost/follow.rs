//! A model that follows an edit of the workload is the model of the edited design.

use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library;
use keyfold_core::model::{Design, PutShares, Rate, Shape, Skew, SortedMap, Volume, entities_of};
use keyfold_core::slices::{Slices, finish};
use keyfold_cost::CostModel;
use keyfold_cost::bill::pattern_shares;
use keyfold_cost::heat::{cure, heat};
use keyfold_cost::prices::Prices;
use std::sync::Arc;

fn stored(
    design: &Design,
) -> (
    Arc<TableSnapshot>,
    SortedMap<keyfold_core::model::EntityId, Arc<keyfold_core::engine::Items>>,
) {
    let items = materialize_all(design);
    let lists: Vec<_> = items.values().cloned().collect();
    (Arc::new(TableSnapshot::new(design, &lists)), items)
}

fn assert_same(one: &CostModel, other: &CostModel, what: &str) {
    assert_eq!(one.assumptions, other.assumptions, "{what}");
    assert_eq!(one.patterns, other.patterns, "{what}");
    assert_eq!(one.loads, other.loads, "{what}");
    assert_eq!(heat(one), heat(other), "{what}");
}

#[test]
fn it_follows_each_edit() {
    for pattern in library::patterns() {
        let mut design = pattern.design().unwrap();
        let (stored, items) = stored(&design);
        let mut model = Arc::new(CostModel::of(&design));
        let patterns: Vec<_> = design.access_patterns.keys().copied().collect();
        for (at, id) in patterns.into_iter().enumerate() {
            let names: Vec<String> = entities_of(&design.access_patterns[&id])
                .flat_map(|entity| design.entities[&entity].attributes.iter())
                .map(|attribute| attribute.name.clone())
                .collect();
            let edited = Arc::make_mut(&mut design.workload);
            let traffic = edited.patterns.entry(id).or_default();
            match at % 5 {
                0 => traffic.average = Some(Rate::PerSecond(50.0 + at as f64)),
                1 => traffic.items = Some(700.0),
                2 => traffic.failed = Some(20.0),
                3 => {
                    let skew = Skew {
                        values: Some(90.0),
                        shape: Shape::Zipf(1.2),
                    };
                    for name in names.iter() {
                        traffic.parameters.insert(name.clone(), skew);
                    }
                }
                _ => {
                    traffic.puts = Some(PutShares {
                        creates: 10.0,
                        updates: 80.0,
                        deletes: 5.0,
                    });
                }
            }
            let work =
                CostModel::in_slices(stored.clone(), items.clone(), design.clone(), Some(model));
            model = Arc::new(finish(work));
            assert_same(&model, &CostModel::of(&design), pattern.name);
        }
        let entities: Vec<_> = design.entities.keys().copied().collect();
        for (at, id) in entities.into_iter().enumerate() {
            let volume = Volume {
                items: Some(1e6),
                bytes: (at % 2 == 1).then_some(3000.0),
                ..Volume::default()
            };
            Arc::make_mut(&mut design.workload)
                .entities
                .insert(id, volume);
            let work =
                CostModel::in_slices(stored.clone(), items.clone(), design.clone(), Some(model));
            model = Arc::new(finish(work));
            assert_same(&model, &CostModel::of(&design), pattern.name);
        }
    }
}

/// 200 access patterns: without a pause, because nothing but rates changed, and in a fraction of a frame.
#[test]
fn a_rate_is_followed_at_once() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    let own: Vec<_> = design.access_patterns.values().cloned().collect();
    while design.access_patterns.len() < 200 {
        let number = design.access_patterns.len();
        let mut copy = own[number % own.len()].clone();
        Arc::make_mut(&mut copy).name = format!("Pattern {number}");
        let id = keyfold_core::model::AccessPatternId(design.next_id);
        design.next_id += 1;
        design.access_patterns.insert(id, copy);
    }
    let (stored, items) = stored(&design);
    let before = Arc::new(CostModel::of(&design));
    let id = *design.access_patterns.keys().next().unwrap();
    let traffic = Arc::make_mut(&mut design.workload)
        .patterns
        .entry(id)
        .or_default();
    traffic.average = Some(Rate::PerSecond(1234.0));
    let mut work = Slices::new(CostModel::in_slices(
        stored,
        items,
        design.clone(),
        Some(before),
    ));
    let model = work.step().expect("no pause");
    let report = keyfold_cost::Report::new(model, Prices::of(&design.workload), 12);
    assert_eq!(report.patterns.len(), 200);
}

#[test]
fn ten_percent_more_of_a_rate() {
    let design = library::find("e-commerce").unwrap().design().unwrap();
    let model = CostModel::of(&design);
    let shares = pattern_shares(&model, &Prices::of(&design.workload));
    for share in shares {
        // The design is on-demand: a tenth of what the access pattern costs.
        let (amount, more) = (share.amount.unwrap(), share.sensitivity.unwrap());
        assert!((more - amount / 10.0).abs() < 1e-6, "{share:?}");
    }
}

#[test]
fn assumed_figures_are_counted() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    design.workload = Default::default();
    for pattern in design.access_patterns.values_mut() {
        Arc::make_mut(pattern).rate = None;
    }
    let counts = |design: &Design| CostModel::of(design).assumptions.assumed(design);
    let (assumed, all) = counts(&design);
    assert_eq!(assumed, all);
    let id = *design.access_patterns.keys().next().unwrap();
    let workload = Arc::make_mut(&mut design.workload);
    workload.patterns.entry(id).or_default().average = Some(Rate::PerSecond(1.0));
    assert_eq!(counts(&design), (all - 1, all));
}

/// The pending orders of the library's shop at 1,000 orders a second.
#[test]
fn access_patterns_follow_a_cure() {
    let mut design = library::find("e-commerce").unwrap().design().unwrap();
    let named = |design: &Design, name: &str| {
        let mut all = design.access_patterns.iter();
        *all.find(|(_, pattern)| pattern.name == name).unwrap().0
    };
    let (place, list) = (
        named(&design, "Place an order"),
        named(&design, "List pending orders"),
    );
    let workload = Arc::make_mut(&mut design.workload);
    workload.patterns.entry(place).or_default().average = Some(Rate::PerSecond(1000.0));
    workload.patterns.entry(list).or_default().items = Some(700.0);
    let model = CostModel::of(&design);
    let hot = |model: &CostModel| {
        let all = heat(model).into_iter();
        let gsi = all
            .into_iter()
            .find(|heat| !heat.index.is_primary())
            .unwrap();
        let mut keys = gsi.keys.into_iter();
        let key = keys.find(|key| key.template.starts_with("STATUS#"));
        (gsi.index, key.unwrap())
    };
    let (index, key) = hot(&model);
    assert_eq!(key.template, "STATUS#{status}");
    assert!(key.hottest.utilization() > 1.0);
    let shards = key.shards.unwrap();
    let cure = cure(&model, index, &key, shards).unwrap();
    let followed = cure.follow(&design);
    for edit in &cure.templates {
        let entity = Arc::make_mut(design.entities.get_mut(&edit.entity).unwrap());
        entity.keys.get_mut(&index).unwrap().partition = Some(edit.after.clone());
    }
    let follows: Vec<_> = followed.iter().map(|followed| followed.pattern).collect();
    assert_eq!(follows, [list]);
    for followed in followed {
        // Assumed before: one request a second. Now one for each shard, with a part of the items.
        assert_eq!(followed.after.rate, Some(f64::from(shards)));
        // The shard of the pending order of the samples, so that its request can be counted.
        assert!(followed.after.parameters.contains_key("shard"));
        assert_eq!(followed.traffic.items, Some(700.0 / f64::from(shards)));
        let id = followed.pattern;
        design.access_patterns.insert(id, Arc::new(followed.after));
        Arc::make_mut(&mut design.workload)
            .patterns
            .insert(id, followed.traffic);
    }
    let model = CostModel::of(&design);
    assert!(model.patterns[&list].is_ok(), "{:?}", model.patterns[&list]);
    let (_, key) = hot(&model);
    assert!(key.hottest.utilization() <= 1.0, "{key:?}");
    assert!(
        key.template.contains(&format!(":shard({shards})")) || key.template.contains("{shard}"),
        "{}",
        key.template
    );
}

/// What a Query reads follows the values that the writes state, and how long items are kept.
#[test]
fn item_collections_follow_the_writes_and_the_retention() {
    let mut design = crate::designs::design(500);
    crate::designs::by_status(&mut design);
    crate::designs::items(&mut design, 1e6);
    let (stored, items) = stored(&design);
    let mut model = Arc::new(CostModel::of(&design));
    for values in [4.0, 8.0] {
        let skew = Skew {
            values: Some(values),
            shape: Shape::Even,
        };
        let traffic = crate::designs::traffic(&mut design, crate::designs::PUT);
        traffic.parameters.insert("status".into(), skew);
        crate::designs::volume(&mut design, "Order").retention = Some(values);
        let work = CostModel::in_slices(stored.clone(), items.clone(), design.clone(), Some(model));
        model = Arc::new(finish(work));
        assert_same(&model, &CostModel::of(&design), "Shop");
        let query = crate::designs::named(&design, "Orders by status");
        let read = model.patterns[&query].as_ref().unwrap().items.value;
        assert_eq!(read, 1e6 / values);
    }
}
