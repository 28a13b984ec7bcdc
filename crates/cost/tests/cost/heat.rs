//! Hot keys and partitions.

use crate::designs::{
    GET, GSI, ORDER, PUT, by_status, design, items, named, orders, rate, traffic, volume,
};
use keyfold_core::engine::generate::Rng;
use keyfold_core::lint::Linter;
use keyfold_core::model::{
    AccessPatternId, Choice, Design, Format, IndexEntry, IndexId, ItemKey, Operation, Read, Sample,
    SampleId, Shape, Skew, Value,
};
use keyfold_core::slices::Slices;
use keyfold_cost::CostModel;
use keyfold_cost::heat::{
    Contributor, IndexHeat, KeyLevel, NoShards, Popularity, bound, cure, heat, needed_shards,
    shards, simulate, simulate_in_slices, utilization,
};
use std::sync::Arc;

fn skew(design: &mut Design, id: AccessPatternId, parameter: &str, values: f64, shape: Shape) {
    let skew = Skew {
        values: Some(values),
        shape,
    };
    traffic(design, id)
        .parameters
        .insert(parameter.into(), skew);
}

fn of(heats: &[IndexHeat], index: IndexId) -> &IndexHeat {
    heats.iter().find(|heat| heat.index == index).unwrap()
}

/// An order with status PENDING, 2000 of them a second: the seed's hot partition.
fn pending() -> Design {
    let mut design = design(500);
    by_status(&mut design);
    rate(&mut design, PUT, 500.0, 2000.0);
    items(&mut design, 1e6);
    skew(&mut design, PUT, "status", 4.0, Shape::Largest(100.0));
    skew(&mut design, PUT, "orderId", 1e6, Shape::Even);
    design
}

#[test]
fn status_pending_is_hot_and_shards_cure_it() {
    let mut design = pending();
    let model = CostModel::of(&design);
    let heats = heat(&model);
    let gsi = of(&heats, GSI);
    let hot = &gsi.keys[0];
    assert_eq!(
        (hot.template.as_str(), hot.hottest.write),
        ("STATUS#{status}", 2000.0)
    );
    assert_eq!(hot.shards, Some(2));
    assert!(gsi.back_pressure);
    assert!(of(&heats, IndexId::PRIMARY).keys[0].hottest.utilization() < 0.01);
    let proposal = cure(&model, GSI, hot, 2).unwrap();
    insta::assert_debug_snapshot!(proposal);
    // After the edit the key fits, and one shard fewer does not.
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    let edit = &proposal.templates[0];
    order.keys.get_mut(&GSI).unwrap().partition = Some(edit.after.clone());
    let cured = heat(&CostModel::of(&design));
    let cured = &of(&cured, GSI).keys[0];
    assert_eq!(cured.hottest.write, 1000.0);
    assert!(cured.hottest.utilization() <= 1.0);
}

/// A key that has shards already gets more of them, not fewer.
#[test]
fn the_shards_of_a_sharded_key_are_multiplied() {
    let mut design = pending();
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    let entry = order.keys.get_mut(&GSI).unwrap();
    entry.partition = Some("STATUS#{status}#{orderId:shard(10)}".into());
    let by_status = named(&design, "Orders by status");
    let query = Arc::make_mut(design.access_patterns.get_mut(&by_status).unwrap());
    if let Operation::Query { partition, .. } = &mut query.operation {
        partition[0] = "STATUS#{status}#{orderId:shard(10)}".into();
    }
    rate(&mut design, PUT, 500.0, 25_000.0);
    let model = CostModel::of(&design);
    let heats = heat(&model);
    let hot = &of(&heats, GSI).keys[0];
    assert_eq!((hot.hottest.write, hot.present_shards), (2500.0, 10));
    assert_eq!(needed_shards(&model, GSI, hot), Ok(30));
    let proposal = cure(&model, GSI, hot, 30).unwrap();
    assert_eq!(
        proposal.templates[0].after,
        "STATUS#{status}#{orderId:shard(30)}"
    );
    assert!((proposal.write - 2500.0 / 3.0).abs() < 1e-6, "{proposal:?}");
    let asked: Vec<_> = proposal
        .patterns
        .iter()
        .map(|edit| edit.after.as_str())
        .collect();
    assert_eq!(asked, ["STATUS#{status}#{orderId:shard(30)}"]);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order.keys.get_mut(&GSI).unwrap().partition = Some(proposal.templates[0].after.clone());
    let cured = heat(&CostModel::of(&design));
    assert!(of(&cured, GSI).keys[0].hottest.utilization() <= 1.0);
}

#[test]
fn shards_are_proposed_only_of_a_key_that_throttles_and_can_be_sharded() {
    let mut design = pending();
    skew(&mut design, PUT, "orderId", 1.0, Shape::Even);
    let model = CostModel::of(&design);
    let heats = heat(&model);
    let needed = |index| needed_shards(&model, index, &of(&heats, index).keys[0]);
    assert_eq!(needed(GSI), Ok(2));
    // All writes are of one order, and its key has nothing to divide it by.
    assert_eq!(
        needed(IndexId::PRIMARY),
        Err(NoShards::Impossible(
            "`Order` has no other attribute in its key".into()
        ))
    );
    let report = keyfold_cost::lint(&mut Linter::default(), &design);
    let texts = report.findings.iter().filter(|it| it.code == "C004");
    let texts: Vec<&str> = texts.map(|finding| &finding.message[..]).collect();
    let says = |what: &str| texts.iter().any(|text| text.contains(what));
    assert!(says("Divide it into 2 shards."), "{texts:?}");
    assert!(
        says("It cannot be sharded: `Order` has no other attribute in its key."),
        "{texts:?}"
    );
    rate(&mut design, PUT, 1.0, 2.0);
    let model = CostModel::of(&design);
    let heats = heat(&model);
    let key = &of(&heats, GSI).keys[0];
    assert_eq!(needed_shards(&model, GSI, key), Err(NoShards::NotNeeded));
}

#[test]
fn the_proposed_number_of_shards_is_the_smallest() {
    let mut rng = Rng::new(&[5]);
    let mut none = 0;
    for _ in 0..500 {
        let part = |rng: &mut Rng| Contributor {
            pattern: PUT,
            read: rng.below(40_000) as f64,
            write: rng.below(20_000) as f64,
            requests: rng.below(3000) as f64,
            least_read: rng.below(3) as f64 / 2.0,
        };
        let parts = [part(&mut rng), part(&mut rng)];
        let fits = |shards: u32| {
            let n = f64::from(shards);
            let least = |part: &Contributor| {
                if shards > 1 {
                    part.requests * part.least_read
                } else {
                    0.0
                }
            };
            let read = parts
                .iter()
                .map(|part| (part.read / n).max(least(part)))
                .sum();
            utilization(read, parts.iter().map(|part| part.write / n).sum()) <= 1.0
        };
        match shards(&parts) {
            Some(count) => {
                assert!(fits(count), "{parts:?} {count}");
                assert!(count == 1 || !fits(count - 1), "{parts:?} {count}");
            }
            None => none += 1,
        }
    }
    assert!((1..400).contains(&none), "{none}");
}

#[test]
fn a_tenant_with_80_percent_of_the_traffic() {
    let mut design = design(1000);
    rate(&mut design, GET, 1000.0, 10_000.0);
    skew(&mut design, GET, "orderId", 500.0, Shape::Largest(80.0));
    let model = CostModel::of(&design);
    let heats = heat(&model);
    let table = of(&heats, IndexId::PRIMARY);
    let hot = &table.keys[0];
    // 10,000 eventually consistent reads of one unit each take 5,000 units, 80 % of them one key.
    assert_eq!(hot.hottest.read, 4000.0);
    assert_eq!(hot.throttles_at, Some(0.75));
    assert_eq!(hot.shards, Some(2));
    skew(&mut design, GET, "orderId", 500.0, Shape::Even);
    let even = heat(&CostModel::of(&design));
    assert_eq!(of(&even, IndexId::PRIMARY).keys[0].hottest.read, 10.0);
}

#[test]
fn choices_take_traffic_and_items_by_their_weights() {
    let mut design = design(500);
    by_status(&mut design);
    rate(&mut design, PUT, 100.0, 100.0);
    items(&mut design, 1000.0);
    let choice = |(value, weight): &(&str, u32)| Choice {
        value: Value::from(*value),
        weight: *weight,
    };
    let set_format = |design: &mut Design, choices: &[(&str, u32)]| {
        let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
        let mut attributes = order.attributes.iter_mut();
        let status = attributes.find(|one| one.name == "status").unwrap();
        status.format = Some(Format::OneOf(choices.iter().map(choice).collect()));
    };
    let hottest = |design: &Design| {
        let heats = heat(&CostModel::of(design));
        let hot = of(&heats, GSI).keys[0].clone();
        let values: f64 = hot.levels.iter().map(|level| level.count).sum();
        (hot.hottest.write, values, hot.guessed)
    };
    set_format(&mut design, &[("OPEN", 1), ("PAID", 8), ("LOST", 1)]);
    assert_eq!(hottest(&design), (80.0, 3.0, None));
    // A stated skew counts instead, and without any weight all are as likely.
    skew(&mut design, PUT, "status", 4.0, Shape::Even);
    assert_eq!(hottest(&design).0, 25.0);
    traffic(&mut design, PUT).parameters.clear();
    set_format(&mut design, &[("OPEN", 0), ("PAID", 0)]);
    assert_eq!(hottest(&design).0, 50.0);
}

#[test]
fn each_action_of_a_transaction_loads_the_keys_of_its_own_item() {
    let mut shop = orders(1000.0);
    volume(&mut shop, "Product").items = Some(500.0);
    let heats = heat(&CostModel::of(&shop));
    let key = |index: IndexId, template: &str| {
        let keys = &of(&heats, index).keys;
        let key = keys.iter().find(|key| key.template.starts_with(template));
        key.unwrap_or_else(|| panic!("{template}: {keys:?}"))
    };
    // A transaction takes 2 units of each item in the table, one in the index. The products are all 500.
    let product = key(IndexId::PRIMARY, "PRODUCT#{productId}");
    assert_eq!(product.hottest.write, 2000.0 / 500.0);
    let gsi = *shop.indexes.keys().next().unwrap();
    assert_eq!(key(gsi, "STATUS#").hottest.write, 1000.0);
    let levels = &key(gsi, "CAT#").levels;
    let all: f64 = levels.iter().map(|level| level.write * level.count).sum();
    assert_eq!(all, 1000.0);
}

/// Flights of a number on a date, in a partition each, with a sample for each of these.
fn flights(flights: &[(&str, &str)]) -> Design {
    let mut design = design(500);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order.keys.insert(
        IndexId::PRIMARY,
        IndexEntry::pair("FLIGHT#{orderId}#{status}", "FLIGHT"),
    );
    let samples = flights.iter().zip(50..).map(|((number, date), id)| Sample {
        id: SampleId(id),
        values: [("orderId", *number), ("status", *date), ("note", "")]
            .map(|(name, value)| (name.to_owned(), Value::S(value.to_owned())))
            .into_iter()
            .collect(),
    });
    design
        .samples
        .insert(ORDER, Arc::new(samples.map(Arc::new).collect()));
    let get = Arc::make_mut(design.access_patterns.get_mut(&GET).unwrap());
    get.operation = Operation::GetItem {
        key: ItemKey {
            partition: "FLIGHT#{orderId}#{status}".into(),
            sort: Some("FLIGHT".into()),
        },
        read: Read::default(),
    };
    rate(&mut design, GET, 100.0, 48_000.0);
    design
}

/// The number of partition keys of the table, and the share of the requests that the hottest takes.
fn of_keys(design: &Design) -> (f64, f64) {
    let heats = heat(&CostModel::of(design));
    let [key] = &of(&heats, IndexId::PRIMARY).keys[..] else {
        panic!("one kind of key: {heats:?}");
    };
    let count = key.levels.iter().map(|level| level.count).sum();
    (count, key.contributors[0].requests / 48_000.0)
}

#[test]
fn attributes_of_a_key_have_the_combinations_that_occur() {
    let each = [
        ("LX1", "05-01"),
        ("LX1", "05-02"),
        ("LX2", "05-01"),
        ("LX3", "05-03"),
    ];
    // Each sample is a flight of its own: as many keys as items, and not the product of numbers and dates.
    let mut design = flights(&each);
    assert_eq!(of_keys(&design), (4.0, 0.25));
    let heats = heat(&CostModel::of(&design));
    let hottest = &of(&heats, IndexId::PRIMARY).keys[0].hottest;
    assert_eq!(hottest.utilization(), 2.0, "12 000 reads of half a unit");
    items(&mut design, 100.0);
    assert_eq!(of_keys(&design), (100.0, 0.01));
    // The skew of one part stays.
    skew(&mut design, GET, "orderId", 10.0, Shape::Largest(50.0));
    let (count, top) = of_keys(&design);
    assert!(
        (count - 100.0).abs() < 1e-9 && (top - 0.05).abs() < 1e-9,
        "{count} {top}"
    );
    // Stated numbers of values beyond the items count.
    skew(&mut design, GET, "orderId", 1000.0, Shape::Even);
    let (count, top) = of_keys(&design);
    assert!(
        (count - 1000.0).abs() < 1e-6 && (top - 0.001).abs() < 1e-9,
        "{count} {top}"
    );
}

#[test]
fn samples_say_which_combinations_occur() {
    // Two samples are of the same flight: no entity is a flight, and three flights are known.
    let mut design = flights(&[
        ("LX1", "05-01"),
        ("LX1", "05-01"),
        ("LX1", "05-02"),
        ("LX2", "05-01"),
    ]);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    let entry = order.keys.get_mut(&IndexId::PRIMARY).unwrap();
    entry.sort = Some("SEAT#{note}".into());
    let samples = Arc::make_mut(design.samples.get_mut(&ORDER).unwrap());
    for (seat, sample) in samples.iter_mut().enumerate() {
        let seat = Value::S(seat.to_string());
        Arc::make_mut(sample).values.insert("note".into(), seat);
    }
    assert_eq!(of_keys(&design).0, 3.0);
}

#[test]
fn a_key_asked_for_has_the_values_of_its_entity() {
    let mut shop = orders(0.0);
    let by_category = named(&shop, "List products of a category");
    rate(&mut shop, by_category, 1.0, 100.0);
    // The query is said to be about orders, which have other keys in the index.
    let query = Arc::make_mut(shop.access_patterns.get_mut(&by_category).unwrap());
    let order = *(shop
        .entities
        .iter()
        .find(|(_, it)| it.name == "Order")
        .unwrap())
    .0;
    query.entities = vec![order];
    let heats = heat(&CostModel::of(&shop));
    let gsi = *shop.indexes.keys().next().unwrap();
    let keys = &of(&heats, gsi).keys;
    let category = keys.iter().find(|key| key.template.starts_with("CAT#"));
    // Three categories are generated, books three times as often as each other one.
    let levels = &category.unwrap().levels;
    let counts: Vec<f64> = levels.iter().map(|level| level.count).collect();
    assert_eq!(counts, [1.0, 2.0], "{keys:?}");
    assert!(
        (levels[0].read - 3.0 * levels[1].read).abs() < 1e-9,
        "{keys:?}"
    );
}

#[test]
fn zipf_is_the_generalized_harmonic_distribution() {
    for (values, exponent) in [(10.0, 1.0), (1000.0, 0.7), (100_000.0, 1.0), (1e6, 1.3)] {
        let exact: f64 = (1..=values as u64)
            .map(|rank| (rank as f64).powf(-exponent))
            .sum();
        let popularity = Popularity::of(Shape::Zipf(exponent), values);
        assert!(
            (popularity.top() * exact - 1.0).abs() < 1e-6,
            "{values} {exponent}"
        );
        assert!((popularity.values() - values).abs() < 0.5);
        let sum: f64 = popularity
            .levels()
            .iter()
            .map(|level| level.count * level.share)
            .sum();
        assert!((sum - 1.0).abs() < 1e-9);
    }
    let odd = [
        Shape::Zipf(f64::NAN),
        Shape::Largest(f64::NAN),
        Shape::Zipf(-1.0),
    ];
    for shape in odd {
        assert_eq!(Popularity::of(shape, 4.0).top(), 0.25);
    }
    assert_eq!(Popularity::of(Shape::Even, f64::NAN).values(), 1.0);
    let pairs = Popularity::of(Shape::Largest(50.0), 3.0).and(&Popularity::of(Shape::Even, 10.0));
    assert_eq!((pairs.top(), pairs.values()), (0.05, 30.0));
}

/// A heat with random keys: several kinds, up to a billion keys and a million units a second.
fn random(seed: u64) -> IndexHeat {
    let mut rng = Rng::new(&[seed]);
    let mut design = design(500);
    rate(&mut design, GET, 1.0, 1.0);
    let mut table = of(&heat(&CostModel::of(&design)), IndexId::PRIMARY).clone();
    table.keys.truncate(1);
    let values = 10f64.powf(rng.below(9000) as f64 / 1000.0).round();
    let shape = match rng.below(3) {
        0 => Shape::Even,
        1 => Shape::Zipf(0.5 + rng.below(1000) as f64 / 1000.0),
        _ => Shape::Largest(rng.below(100) as f64),
    };
    let read = 10f64.powf(rng.below(6000) as f64 / 1000.0);
    let write = read * rng.below(1000) as f64 / 2000.0;
    let bytes = values * rng.below(4096) as f64;
    let level = |level: &keyfold_cost::heat::Level| KeyLevel {
        count: level.count,
        read: read * level.share,
        write: write * level.share,
        bytes: bytes / values,
    };
    table.keys[0].levels = Popularity::of(shape, values)
        .levels()
        .iter()
        .map(level)
        .collect();
    table.bound = bound(&table.keys, table.splits_collections);
    table
}

/// Where the bound says that a key is too hot, the simulated partition is as hot; where it says that all fits, it fits.
#[test]
fn the_simulation_agrees_with_the_bound_within_2_percent() {
    let mut hot = 0;
    for seed in 0..200 {
        let table = random(seed);
        let found = simulate(&table, seed);
        let bound = table.bound;
        assert!(
            found.partitions >= bound.partitions,
            "{seed}: {found:?} {bound:?}"
        );
        if bound.utilization > 1.0 {
            hot += 1;
            let ratio = found.utilization / bound.utilization;
            assert!(
                (0.98..=1.02).contains(&ratio),
                "{seed}: {found:?} {bound:?}"
            );
            let ratio = found.throttled / bound.throttled;
            assert!(
                (0.98..=1.02).contains(&ratio) || bound.throttled < 60.0,
                "{seed}: {found:?} {bound:?}"
            );
        } else {
            assert!(found.utilization <= 1.02, "{seed}: {found:?} {bound:?}");
        }
    }
    assert!((20..180).contains(&hot), "{hot}");
}

#[test]
fn the_simulation_of_a_billion_items_takes_less_than_a_second() {
    let mut design = pending();
    items(&mut design, 1e9);
    rate(&mut design, PUT, 1e6, 1e6);
    skew(&mut design, PUT, "status", 1e7, Shape::Zipf(1.1));
    let model = CostModel::of(&design);
    let heats = heat(&model);
    for heat in &heats {
        let one = simulate(heat, 1);
        assert_eq!(one, simulate(heat, 1));
        let mut slices = Slices::new(simulate_in_slices(heat.clone(), 1));
        let sliced = loop {
            if let Some(done) = slices.step() {
                break done;
            }
        };
        assert_eq!(sliced, one);
        assert!(one.partitions > 100.0);
    }
}

#[test]
fn large_item_collections_need_a_sort_key_without_lsi() {
    let mut design = design(500);
    by_status(&mut design);
    items(&mut design, 1e8);
    skew(&mut design, PUT, "status", 4.0, Shape::Even);
    let heats = heat(&CostModel::of(&design));
    let gsi = of(&heats, GSI);
    assert!(gsi.splits_collections);
    assert!(gsi.keys[0].hottest.bytes > 10.0 * 1024f64.powi(3));
    assert!(!gsi.collection_too_large);
    assert!(simulate(gsi, 1).partitions >= 5.0);
}
