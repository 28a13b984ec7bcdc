//! Findings on cost and heat, for the report and for the linter's list.

use crate::CostModel;
use crate::bill::{Bill, Capacity, Mode, dollars};
use crate::heat::{IndexHeat, KeyHeat, NoShards, heat, needed_shards};
use crate::model::GB;
use crate::prices::Prices;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::lint::{Finding, Found, Linter, NewFinding, Place, Report, Severity, rule};
use keyfold_core::model::limits::{
    NEW_TABLE_READ_UNITS, NEW_TABLE_WRITE_UNITS, PARTITION_BYTES, PARTITION_READ_UNITS,
    PARTITION_WRITE_UNITS,
};
use keyfold_core::model::{Design, KeyPart};
use std::sync::Arc;

/// Share of the bill that another mode must save to be a finding.
const SAVING: f64 = 0.1;
/// US dollars a month below which no saving is a finding.
const LEAST: f64 = 1.0;

/// All findings of a design: those of the linter, and those that follow from its workload if one is stated.
pub fn lint(linter: &mut Linter, design: &Design) -> Report {
    let report = linter.lint(design);
    if design.workload.is_empty() {
        return report;
    }
    let items = linter.items();
    let lists: Vec<_> = items.values().cloned().collect();
    let model = CostModel::new(&TableSnapshot::new(design, &lists), items);
    let prices = Prices::of(&design.workload);
    let bills = Mode::ALL.map(|mode| crate::bill::bill(&model, &prices, mode, 0.0));
    report.with_workload(design, &findings(&model, &heat(&model), &bills))
}

/// The findings, silenced ones too. `bills` are those of [`Mode::ALL`].
pub fn findings(model: &CostModel, heat: &[IndexHeat], bills: &[Bill]) -> Vec<Arc<Finding>> {
    let mut findings = Vec::new();
    let mut add = |code: &str, finding: NewFinding| {
        if let Some(rule) = rule(code) {
            Found::new(rule, &mut findings).add(finding);
        }
    };
    for one in heat {
        hot(model, one, &mut add);
    }
    cheaper(model, bills, &mut add);
    let report = Report::default().with_workload(&model.design, &findings);
    report.findings
}

fn hot(model: &CostModel, heat: &IndexHeat, add: &mut dyn FnMut(&str, NewFinding)) {
    let (place, name) = match heat.index.is_primary() {
        true => (Place::Table, "the table"),
        false => (
            Place::Index(heat.index),
            model.design.index_name(heat.index),
        ),
    };
    let key_place = |key: &KeyHeat| match key.entity {
        Some(entity) => Place::Template(entity, heat.index, KeyPart::Partition),
        None => place,
    };
    for key in heat
        .keys
        .iter()
        .filter(|key| key.hottest.utilization() > 1.0)
    {
        let (read, write) = (whole(key.hottest.read), whole(key.hottest.write));
        let cure = match needed_shards(model, heat.index, key) {
            Ok(shards) => format!("Divide it into {shards} shards."),
            Err(NoShards::Impossible(reason)) => {
                format!("It cannot be sharded: {reason}.")
            }
            Err(NoShards::NoHelp | NoShards::NotNeeded) => {
                "Sharding does not help, because each read must query all shards: cache the items, or read them less often."
                    .to_owned()
            }
        };
        let text = format!(
            "One key `{}` of {name} takes {read} read and {write} write units per second at the peak; a partition serves {} and {}. {cure}",
            key.template,
            whole(PARTITION_READ_UNITS),
            whole(PARTITION_WRITE_UNITS),
        );
        add("C004", judged(key_place(key), text, key));
    }
    if heat.collection_too_large {
        for key in heat
            .keys
            .iter()
            .filter(|key| key.hottest.bytes > PARTITION_BYTES)
        {
            let text = format!(
                "The largest item collection `{}` has {:.1} GB with its LSI entries; with an LSI the limit is 10 GB. Divide the partition key or replace the LSI by a GSI.",
                key.template,
                key.hottest.bytes / GB
            );
            add("C005", judged(key_place(key), text, key));
        }
    }
    if heat.exceeds_new_table {
        let text = format!(
            "A new on-demand table serves {} read and {} write units per second immediately; {name} takes {} and {} at the peak. Set its warm throughput.",
            whole(NEW_TABLE_READ_UNITS),
            whole(NEW_TABLE_WRITE_UNITS),
            whole(heat.read),
            whole(heat.write)
        );
        add("C006", NewFinding::at(place, text));
    }
    if heat.back_pressure {
        let text = format!(
            "A hot key of {name} throttles writes to the table, because an index that falls behind holds them back. Shard the index key."
        );
        let hottest = (heat.keys.iter())
            .max_by(|one, other| one.hottest.write.total_cmp(&other.hottest.write));
        add(
            "C007",
            match hottest {
                Some(key) => judged(place, text, key),
                None => NewFinding::at(place, text),
            },
        );
    }
}

/// A finding on a key. With one user in the samples, all users are one: the load of such a key is only a hint to say how
/// many there are.
fn judged(place: Place, text: String, key: &KeyHeat) -> NewFinding {
    match &key.guessed {
        None => NewFinding::at(place, text),
        Some(attribute) => {
            let guess = format!(
                "{text} The number of values of `{attribute}` is assumed from the samples: state it in the workload, as a number of items or of values."
            );
            NewFinding::at(place, guess).severity(Severity::Info)
        }
    }
}

fn cheaper(model: &CostModel, bills: &[Bill], add: &mut dyn FnMut(&str, NewFinding)) {
    let mode = Mode::of(model);
    let of = |mode: Mode| {
        let bill = bills.iter().find(|bill| bill.mode == mode)?;
        bill.total.is_complete().then_some(bill.total.dollars)
    };
    let Some(own) = of(mode) else { return };
    let other_capacity = Mode {
        capacity: match mode.capacity {
            Capacity::OnDemand => Capacity::Provisioned,
            Capacity::Provisioned => Capacity::OnDemand,
        },
        ..mode
    };
    let mut classes = Mode::ALL.into_iter();
    let other_class =
        classes.find(|other| other.capacity == mode.capacity && other.class != mode.class);
    let others = [("C008", Some(other_capacity)), ("C009", other_class)];
    for (code, other) in others {
        let Some((other, amount)) = other.and_then(|other| Some((other, of(other)?))) else {
            continue;
        };
        // Its price is not that of the whole load.
        let is_throttled = |bill: &Bill| bill.mode == other && bill.total.throttled;
        if bills.iter().any(is_throttled) {
            continue;
        }
        let saved = own - amount;
        if saved > (own * SAVING).max(LEAST) {
            let text = format!(
                "{} would cost {} a month; {}, which the design uses, costs {}.",
                other.label(),
                dollars(amount),
                mode.label(),
                dollars(own)
            );
            add(code, NewFinding::at(Place::Table, text));
        }
    }
}

/// A number without decimals, with separators.
pub fn whole(number: f64) -> String {
    let text = dollars(number.round());
    let text = text.trim_end_matches(".00");
    text.replace('$', "")
}

/// A percentage: `12%`, `0.3%`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0%".to_owned(),
        small if small < 0.1 => "below 0.1%".to_owned(),
        small if small < 10.0 => format!("{small:.1}%"),
        large => format!("{}%", whole(large)),
    }
}
