//! What a careful reader of the bill and the heat would say, as findings with codes of the letter C.

use crate::CostModel;
use crate::bill::{Bill, Capacity, Mode, dollars};
use crate::heat::IndexHeat;
use crate::model::GB;
use keyfold_core::model::IndexId;
use keyfold_core::model::limits::{
    NEW_TABLE_READ_UNITS, NEW_TABLE_WRITE_UNITS, PARTITION_BYTES, PARTITION_READ_UNITS,
    PARTITION_WRITE_UNITS,
};
use serde::Serialize;

/// A finding on cost or heat.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostFinding {
    /// The code: `C004` hot partition key, `C005` item collection too large, `C006` new on-demand table, `C007` GSI back
    /// pressure, `C008` another capacity mode, `C009` another table class.
    pub code: &'static str,
    /// The table or the index; `None` for the design.
    pub index: Option<IndexId>,
    /// The kind of key, for findings on keys.
    pub kind: Option<String>,
    /// What happens, where, and what to do.
    pub text: String,
}

/// Share of the bill that another mode must save to be a finding.
const SAVING: f64 = 0.1;
/// US dollars a month below which no saving is a finding.
const LEAST: f64 = 1.0;

/// The findings. `bills` are those of [`Mode::ALL`].
pub fn findings(model: &CostModel, heat: &[IndexHeat], bills: &[Bill]) -> Vec<CostFinding> {
    let mut findings = Vec::new();
    for one in heat {
        hot(model, one, &mut findings);
    }
    cheaper(model, bills, &mut findings);
    findings
}

fn hot(model: &CostModel, heat: &IndexHeat, findings: &mut Vec<CostFinding>) {
    let name = match heat.index.is_primary() {
        true => "the table",
        false => model.design.index_name(heat.index),
    };
    let mut add = |code, kind: Option<&str>, text| {
        findings.push(CostFinding {
            code,
            index: Some(heat.index),
            kind: kind.map(str::to_owned),
            text,
        });
    };
    for key in heat
        .keys
        .iter()
        .filter(|key| key.hottest.utilization() > 1.0)
    {
        let (read, write) = (whole(key.hottest.read), whole(key.hottest.write));
        let cure = match key.shards {
            Some(shards) => format!("Divide it into {shards} shards."),
            None => {
                "Shards do not help, because each read takes all of them: cache it or read less."
                    .to_owned()
            }
        };
        let text = format!(
            "One key `{}` of {name} takes {read} read and {write} write units per second at the peak; a partition serves {PARTITION_READ_UNITS} and {PARTITION_WRITE_UNITS}. {cure}",
            key.template,
        );
        add("C004", Some(&key.kind), text);
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
            add("C005", Some(&key.kind), text);
        }
    }
    if heat.exceeds_new_table {
        let text = format!(
            "A new on-demand table serves {} read and {} write units per second at once; {name} takes {} and {} at the peak. Set its warm throughput.",
            whole(NEW_TABLE_READ_UNITS),
            whole(NEW_TABLE_WRITE_UNITS),
            whole(heat.read),
            whole(heat.write)
        );
        add("C006", None, text);
    }
    if heat.back_pressure {
        let text = format!(
            "A hot key of {name} throttles writes to the table, because an index that falls behind holds them back. Shard the index key."
        );
        add("C007", None, text);
    }
}

fn cheaper(model: &CostModel, bills: &[Bill], findings: &mut Vec<CostFinding>) {
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
        let saved = own - amount;
        if saved > (own * SAVING).max(LEAST) {
            findings.push(CostFinding {
                code,
                index: None,
                kind: None,
                text: format!(
                    "{} costs {} a month, {} {}.",
                    other.label(),
                    dollars(amount),
                    mode.label(),
                    dollars(own)
                ),
            });
        }
    }
}

/// A number without decimals, with separators.
pub fn whole(number: f64) -> String {
    let text = dollars(number.round());
    let text = text.trim_end_matches(".00");
    text.replace('$', "")
}

/// A percentage: `12 %`, `0.3 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        0.0 => "0 %".to_owned(),
        small if small < 0.1 => "below 0.1 %".to_owned(),
        small if small < 10.0 => format!("{small:.1} %"),
        large => format!("{} %", whole(large)),
    }
}
