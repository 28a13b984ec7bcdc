//! What the bill and the heat of a large design take, whole and after an edit of a rate, and what a simulation of its
//! partitions takes with a billion items and a million requests a second, in one run. With the name of a file, only writes
//! the design there.

#[path = "../../lint/src/design.rs"]
mod design;

use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{Items, materialize_all};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, Operation, Rate, Shape, Skew, SortedMap,
    Volume, WriteAction,
};
use keyfold_core::slices::{Slices, finish};
use keyfold_cost::heat::{heat, simulate, simulate_in_slices};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

/// Rounds of each measurement.
const ROUNDS: usize = 21;
/// Entities, with four access patterns each.
const ENTITIES: u32 = 50;
/// Months ahead, as the page shows them.
const MONTHS: u32 = 12;

type AllItems = SortedMap<EntityId, Arc<Items>>;

fn main() {
    let design = loaded();
    if let Some(file) = std::env::args().nth(1) {
        let text = keyfold_core::persist::to_json(&design);
        std::fs::write(file, text).expect("the design is written");
        return;
    }
    let items = materialize_all(&design);
    let lists: Vec<_> = items.values().cloned().collect();
    let stored = Arc::new(TableSnapshot::new(&design, &lists));
    let before = Arc::new(model(&stored, &items, &design, None));
    println!(
        "{} access patterns, {} entities, {} GSIs, {} samples; {} of the access patterns are counted",
        design.access_patterns.len(),
        design.entities.len(),
        design.indexes.len(),
        (design.samples.values().map(|samples| samples.len())).sum::<usize>(),
        before
            .patterns
            .values()
            .filter(|found| found.is_ok())
            .count(),
    );
    println!(
        "{:<44}{:>10}{:>10}{:>10}",
        "CPU, ms", "shortest", "median", "longest"
    );
    let report = |model: CostModel| {
        let prices = Prices::of(&model.design.workload);
        Report::new(model, prices, MONTHS)
    };
    // From the items, which the page has already.
    show("whole report", &mut || {
        drop(report(model(&stored, &items, &design, None)));
    });
    show("  the units and loads", &mut || {
        drop(model(&stored, &items, &design, None));
    });
    show("  the report", &mut || {
        drop(report(CostModel::clone(&before)));
    });
    show("    of that, the heat", &mut || drop(heat(&before)));
    let faster = edited(&design);
    let whole = model(&stored, &items, &faster, None);
    let follows = model(&stored, &items, &faster, Some(&before));
    assert_eq!(whole.loads, follows.loads);
    assert_eq!(whole.patterns, follows.patterns);
    show("report after an edit of one rate", &mut || {
        drop(report(model(&stored, &items, &faster, Some(&before))));
    });
    show("  the loads", &mut || {
        drop(model(&stored, &items, &faster, Some(&before)));
    });
    let busy = busy(&design);
    let busy = model(&stored, &items, &busy, None);
    show("heat of 10^9 items, 10^6 requests/s", &mut || {
        drop(heat(&busy));
    });
    let heats = heat(&busy);
    let table = &heats[0];
    let mut partitions = 0.0;
    show("simulation of its table", &mut || {
        partitions = simulate(table, 1).partitions;
    });
    show("simulation of its table and GSIs", &mut || {
        for heat in &heats {
            simulate(heat, 1);
        }
    });
    let mut longest = 0.0_f64;
    let mut work = Slices::new(simulate_in_slices(table.clone(), 1));
    loop {
        let start = on_cpu();
        let done = work.step();
        longest = longest.max(on_cpu() - start);
        if done.is_some() {
            break;
        }
    }
    println!(
        "The table has {partitions} partitions; its simulation's longest slice took {longest:.2} ms."
    );
}

fn model(
    stored: &Arc<TableSnapshot>,
    items: &AllItems,
    design: &Design,
    before: Option<&Arc<CostModel>>,
) -> CostModel {
    let before = before.cloned();
    let (stored, items) = (stored.clone(), items.clone());
    finish(CostModel::in_slices(stored, items, design.clone(), before))
}

/// The design of the linter's measurement with a put of each entity and a stated workload.
fn loaded() -> Design {
    let mut design = design::design(ENTITIES);
    let entities: Vec<_> = (design.entities.iter())
        .map(|(id, entity)| (*id, entity.name.clone()))
        .collect();
    for (entity, name) in &entities {
        let put = WriteAction::PutItem {
            entity: *entity,
            condition: None,
        };
        let id = AccessPatternId(design.take_id());
        let pattern = AccessPattern {
            name: format!("Put {name}"),
            description: String::new(),
            operation: Operation::Write(put),
            entities: vec![*entity],
            sample: None,
            parameters: SortedMap::new(),
            rate: None,
        };
        design.access_patterns.insert(id, Arc::new(pattern));
    }
    let patterns: Vec<_> = design.access_patterns.keys().copied().collect();
    let workload = Arc::make_mut(&mut design.workload);
    for (number, id) in patterns.into_iter().enumerate() {
        let traffic = workload.patterns.entry(id).or_default();
        traffic.average = Some(Rate::PerSecond(10.0 + number as f64));
        traffic.items = Some(20.0);
        let tenants = Skew {
            values: Some(1e4),
            shape: Shape::Zipf(1.0),
        };
        traffic.parameters.insert("tenantId".into(), tenants);
    }
    for (entity, _) in entities {
        let volume = Volume {
            items: Some(1e6),
            ..Volume::default()
        };
        workload.entities.insert(entity, volume);
    }
    design
}

/// One rate is another one.
fn edited(design: &Design) -> Design {
    let mut edited = design.clone();
    let workload = Arc::make_mut(&mut edited.workload);
    let traffic = workload.patterns.values_mut().next().expect("there");
    traffic.average = Some(Rate::PerSecond(1234.0));
    edited
}

/// The first entity has a billion items, and a million of them are put each second, by Zipf's law over ten million
/// tenants.
fn busy(design: &Design) -> Design {
    let mut busy = design.clone();
    let entity = *design.entities.keys().next().expect("there");
    let puts = |pattern: &AccessPattern| {
        let mut actions = pattern.operation.actions().iter();
        actions.any(|action| action.put() == Some(entity))
    };
    let mut patterns = design.access_patterns.iter();
    let (id, _) = patterns.find(|(_, pattern)| puts(pattern)).expect("there");
    let workload = Arc::make_mut(&mut busy.workload);
    let volume = workload.entities.entry(entity).or_default();
    volume.items = Some(1e9);
    let traffic = workload.patterns.entry(*id).or_default();
    traffic.average = Some(Rate::PerSecond(1e6));
    let tenants = Skew {
        values: Some(1e7),
        shape: Shape::Zipf(1.1),
    };
    traffic.parameters.insert("tenantId".into(), tenants);
    busy
}

/// Prints what `run` takes, in milliseconds of CPU, which other programs hardly disturb.
fn show(what: &str, run: &mut dyn FnMut()) {
    // What is measured has been loaded before.
    run();
    let mut times: Vec<f64> = Vec::new();
    for _ in 0..ROUNDS {
        let start = on_cpu();
        run();
        times.push(on_cpu() - start);
    }
    times.sort_by(f64::total_cmp);
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    println!("{what:<44}{:>10.2}{median:>10.2}{longest:>10.2}", times[0]);
}

/// Milliseconds that this process has been on a CPU.
fn on_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
