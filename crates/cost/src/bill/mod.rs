//! The monthly bill in each capacity mode and table class: lines, total, break-even, shares.
//!
//! A line whose price is missing has no amount, and the total is then a lower bound. Not on the bill: data transfer, KMS
//! requests, Contributor Insights, Kinesis, DAX, the free tier of a new account and reserved capacity.
//! Source: "Pricing for Amazon DynamoDB", on-demand and provisioned capacity.

mod notes;
mod overloaded;
mod provisioned;
mod shares;

pub use notes::notes;
pub use overloaded::{Overloaded, overloaded};
pub use provisioned::{BreakEven, Provision, Shortage, break_even, provision_note, provisions};
pub use shares::{IndexShare, PatternShare, index_shares, pattern_shares};

use crate::CostModel;
use crate::model::{Load, monthly};
use crate::prices::{Line, Prices};
use keyfold_core::model::{Billing, HOURS_PER_MONTH, IndexId, SortedMap, TableClass};
use serde::Serialize;
use std::fmt;

/// GB-months of Standard storage that are free in each Region.
pub const FREE_STORAGE_GB: f64 = 25.0;
/// GetRecords requests per second of a reader of a stream with one shard: four, as Lambda sends, but without a charge.
/// Source: "Using AWS Lambda with Amazon DynamoDB", Lambda Developer Guide.
pub const STREAM_POLLS: f64 = 4.0;
/// GetRecords requests of streams that are free in each month. Those of Lambda and of global tables are free, and do not
/// count. Source: "Amazon DynamoDB pricing", DynamoDB Streams, <https://aws.amazon.com/dynamodb/pricing/on-demand/>.
pub const FREE_STREAM_READS: f64 = 2.5e6;

/// How throughput is charged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Capacity {
    /// For each request.
    OnDemand,
    /// For each hour of provisioned capacity.
    Provisioned,
}

/// A capacity mode with a table class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Mode {
    /// The capacity mode.
    pub capacity: Capacity,
    /// The table class.
    pub class: TableClass,
}

impl Mode {
    /// All modes, for a comparison.
    pub const ALL: [Mode; 4] = [
        Mode::new(Capacity::OnDemand, TableClass::Standard),
        Mode::new(Capacity::Provisioned, TableClass::Standard),
        Mode::new(Capacity::OnDemand, TableClass::StandardInfrequentAccess),
        Mode::new(Capacity::Provisioned, TableClass::StandardInfrequentAccess),
    ];

    /// A mode.
    pub const fn new(capacity: Capacity, class: TableClass) -> Mode {
        Mode { capacity, class }
    }

    /// The mode of a design's table.
    pub fn of(model: &CostModel) -> Mode {
        let table = &model.design.table;
        let capacity = match table.billing {
            Billing::OnDemand(_) => Capacity::OnDemand,
            Billing::Provisioned(_) => Capacity::Provisioned,
        };
        Mode::new(capacity, table.class)
    }

    /// The label: `On-demand, Standard`.
    pub fn label(self) -> &'static str {
        use Capacity::{OnDemand, Provisioned};
        match (self.capacity, self.class) {
            (OnDemand, TableClass::Standard) => "On-demand, Standard",
            (Provisioned, TableClass::Standard) => "Provisioned, Standard",
            (OnDemand, TableClass::StandardInfrequentAccess) => "On-demand, Standard-IA",
            (Provisioned, TableClass::StandardInfrequentAccess) => "Provisioned, Standard-IA",
        }
    }

    fn is_standard(self) -> bool {
        self.class == TableClass::Standard
    }

    /// The line of reads.
    pub fn reads(self) -> Line {
        match (self.capacity, self.is_standard()) {
            (Capacity::OnDemand, true) => Line::ReadRequests,
            (Capacity::OnDemand, false) => Line::IaReadRequests,
            (Capacity::Provisioned, true) => Line::ReadCapacity,
            (Capacity::Provisioned, false) => Line::IaReadCapacity,
        }
    }

    /// The line of writes.
    pub fn writes(self) -> Line {
        match (self.capacity, self.is_standard()) {
            (Capacity::OnDemand, true) => Line::WriteRequests,
            (Capacity::OnDemand, false) => Line::IaWriteRequests,
            (Capacity::Provisioned, true) => Line::WriteCapacity,
            (Capacity::Provisioned, false) => Line::IaWriteCapacity,
        }
    }

    /// The line of writes to a global table. Its GSIs have the lines of other tables. Source: "Understanding Amazon
    /// DynamoDB billing for global tables", Developer Guide.
    pub fn replicated(self) -> Line {
        match (self.capacity, self.is_standard()) {
            (Capacity::OnDemand, true) => Line::ReplicatedWriteRequests,
            (Capacity::OnDemand, false) => Line::IaReplicatedWriteRequests,
            (Capacity::Provisioned, true) => Line::ReplicatedWriteCapacity,
            (Capacity::Provisioned, false) => Line::IaReplicatedWriteCapacity,
        }
    }

    /// The line of storage.
    pub fn storage(self) -> Line {
        match self.is_standard() {
            true => Line::Storage,
            false => Line::IaStorage,
        }
    }
}

/// A bill of one month.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bill {
    /// The mode.
    pub mode: Mode,
    /// The lines with a quantity.
    pub lines: Vec<BillLine>,
    /// The total.
    pub total: Total,
    /// The provisioned capacity that cannot carry the load.
    pub shortages: Vec<Shortage>,
}

/// A line of a bill.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BillLine {
    /// The line of the price list.
    pub line: Line,
    /// The table or the GSI; `None` for what the table and its indexes have together.
    pub index: Option<IndexId>,
    /// The replica Region; `None` for the Region of the table.
    pub region: Option<String>,
    /// Units, requests, unit hours, GB-months or GB in the month.
    pub quantity: f64,
    /// US dollars for [`Line::per`]; `None` if the price is missing.
    pub price: Option<f64>,
    /// US dollars in the month; `None` if the price is missing.
    pub amount: Option<f64>,
}

/// The sum of a bill.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Total {
    /// US dollars a month of the lines with a price.
    pub dollars: f64,
    /// The lines without a price: the total is at least `dollars`.
    pub missing: Vec<Line>,
    /// The number of access patterns that cannot be counted: the total is at least `dollars`.
    pub uncounted: usize,
    /// Whether the load is throttled, because the provisioned capacity cannot carry its peak: it costs what the capacity
    /// costs.
    pub throttled: bool,
}

impl Total {
    /// Whether the total is complete.
    pub fn is_complete(&self) -> bool {
        self.missing.is_empty() && self.uncounted == 0
    }

    /// Whether it says nothing: it is not complete, and the rest is below a cent.
    pub fn is_unknown(&self) -> bool {
        !self.is_complete() && self.dollars < 0.005
    }
}

impl fmt::Display for Total {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_complete() {
            true => f.write_str(&dollars(self.dollars))?,
            // "at least $0.00" says nothing.
            false if self.is_unknown() => return f.write_str("unknown"),
            false => write!(f, "at least {}", dollars(self.dollars))?,
        }
        match self.throttled {
            true => f.write_str(" (throttled)"),
            false => Ok(()),
        }
    }
}

/// US dollars with cents: `$1,234.56`.
pub fn dollars(amount: f64) -> String {
    let cents = format!("{:.2}", amount.abs());
    let (whole, cents) = cents.split_once('.').unwrap_or((&cents, "00"));
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    let is_zero = whole == "0" && cents == "00";
    let sign = if amount < 0.0 && !is_zero { "-" } else { "" };
    format!("{sign}${grouped}.{cents}")
}

/// The bill of the month that begins after `months`. Rates are those of today.
pub fn bill(model: &CostModel, prices: &Prices, mode: Mode, months: f64) -> Bill {
    let mut billing = Billed {
        model,
        loads: &model.loads,
        mode,
        lines: Vec::new(),
    };
    billing.throughput(prices, None);
    billing.data(prices, None, months);
    billing.extras(prices);
    for replica in &model.design.table.replicas {
        let own = prices.of_replica(&replica.region);
        billing.throughput(&own, Some(&replica.region));
        billing.data(&own, Some(&replica.region), months);
    }
    let shortages = match mode.capacity {
        Capacity::OnDemand => Vec::new(),
        Capacity::Provisioned => provisioned::shortages(model),
    };
    let mut total = Total {
        throttled: !shortages.is_empty(),
        uncounted: model
            .patterns
            .values()
            .filter(|found| found.is_err())
            .count(),
        ..Total::default()
    };
    for line in &billing.lines {
        match line.amount {
            Some(amount) => total.dollars += amount,
            None if !total.missing.contains(&line.line) => total.missing.push(line.line),
            None => {}
        }
    }
    Bill {
        mode,
        lines: billing.lines,
        total,
        shortages,
    }
}

/// What reads and writes of these loads cost in a month; `None` if a price is missing.
pub(crate) fn throughput(
    model: &CostModel,
    loads: &SortedMap<IndexId, Load>,
    prices: &Prices,
    mode: Mode,
) -> Option<f64> {
    let mut billing = Billed {
        model,
        loads,
        mode,
        lines: Vec::new(),
    };
    billing.throughput(prices, None);
    for replica in &model.design.table.replicas {
        billing.throughput(&prices.of_replica(&replica.region), Some(&replica.region));
    }
    billing.lines.iter().map(|line| line.amount).sum()
}

struct Billed<'a> {
    model: &'a CostModel,
    loads: &'a SortedMap<IndexId, Load>,
    mode: Mode,
    lines: Vec<BillLine>,
}

impl Billed<'_> {
    fn add(
        &mut self,
        prices: &Prices,
        line: Line,
        index: Option<IndexId>,
        region: Option<&str>,
        quantity: f64,
    ) {
        if quantity <= 0.0 {
            return;
        }
        let price = prices.price(line);
        self.lines.push(BillLine {
            line,
            index,
            region: region.map(str::to_owned),
            quantity,
            price,
            amount: price.map(|price| quantity / line.per() * price),
        });
    }

    /// Reads and writes of the table and each index. A replica has no reads of its own.
    fn throughput(&mut self, prices: &Prices, region: Option<&str>) {
        let is_global = !self.model.design.table.replicas.is_empty();
        let writes = |index: IndexId| match is_global && index.is_primary() {
            true => self.mode.replicated(),
            false => self.mode.writes(),
        };
        let mut quantities = Vec::new();
        if self.mode.capacity == Capacity::OnDemand {
            for (index, load) in self.loads {
                let write = if region.is_some() {
                    load.replicated
                } else {
                    load.write
                };
                quantities.push((writes(*index), *index, monthly(write)));
                if region.is_none() {
                    quantities.push((self.mode.reads(), *index, monthly(load.read)));
                }
            }
        } else {
            let resources = self.model.resources_of(self.loads);
            for provision in provisioned::provisions_of(self.model, resources) {
                let hours = |units: f64| units * HOURS_PER_MONTH;
                let index = provision.index;
                // A replica has the write capacity of the table. Its own reads are unknown.
                quantities.push((writes(index), index, hours(provision.write.average)));
                if region.is_none() {
                    let line = self.mode.reads();
                    quantities.push((line, index, hours(provision.read.average)));
                }
            }
        }
        for (line, index, quantity) in quantities {
            self.add(prices, line, Some(index), region, quantity);
        }
    }

    /// Storage and point-in-time recovery.
    fn data(&mut self, prices: &Prices, region: Option<&str>, months: f64) {
        let model = self.model;
        let (mut all, mut local) = (0.0, 0.0);
        for index in model.design.index_ids() {
            let stored = model.storage(index, months);
            all += stored;
            if model.is_local(index) {
                local += stored;
            }
        }
        let free = if self.mode.is_standard() {
            FREE_STORAGE_GB
        } else {
            0.0
        };
        self.add(prices, self.mode.storage(), None, region, all - free);
        if model.design.table.recovery.is_some() {
            self.add(prices, Line::Recovery, None, region, local);
        }
    }

    fn extras(&mut self, prices: &Prices) {
        let workload = &self.model.design.workload;
        let sane = |gb: Option<f64>| gb.filter(|gb| gb.is_finite()).unwrap_or_default();
        self.add(prices, Line::Backup, None, None, sane(workload.backup_gb));
        self.add(prices, Line::Export, None, None, sane(workload.export_gb));
        // Who reads the stream is not known: only a price says that someone pays for it.
        if self.model.design.table.stream.is_some() && prices.price(Line::StreamReads).is_some() {
            let requests = monthly(STREAM_POLLS) - FREE_STREAM_READS;
            self.add(prices, Line::StreamReads, None, None, requests);
        }
    }
}
