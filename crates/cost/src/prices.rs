//! Price books: the embedded price list of each Region, the prices of a design and price files.
//!
//! Prices are US dollars without taxes. A line without a source has no price: it is missing, and never zero. Source of
//! the embedded figures: AWS price list, offer AmazonDynamoDB, published 2026-08-15. Replicated write request units cost as
//! write request units.

use keyfold_core::model::{SortedMap, Workload};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::OnceLock;

/// The Region whose prices count if a design names none.
pub const DEFAULT_REGION: &str = "us-east-1";

/// The only currency of prices.
pub const CURRENCY: &str = "USD";

/// A line of a price list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Line {
    /// Write request units of an on-demand table, per million.
    WriteRequests,
    /// Read request units of an on-demand table, per million.
    ReadRequests,
    /// Write capacity units of a provisioned table, per unit and hour.
    WriteCapacity,
    /// Read capacity units of a provisioned table, per unit and hour.
    ReadCapacity,
    /// Storage, per GB-month. The first 25 GB-months are free.
    Storage,
    /// Write request units of an on-demand Standard-IA table, per million.
    IaWriteRequests,
    /// Read request units of an on-demand Standard-IA table, per million.
    IaReadRequests,
    /// Write capacity units of a provisioned Standard-IA table, per unit and hour.
    IaWriteCapacity,
    /// Read capacity units of a provisioned Standard-IA table, per unit and hour.
    IaReadCapacity,
    /// Storage of a Standard-IA table, per GB-month.
    IaStorage,
    /// Replicated write request units of a global table, per million.
    ReplicatedWriteRequests,
    /// Replicated write request units of a Standard-IA global table, per million.
    IaReplicatedWriteRequests,
    /// Replicated write capacity units of a global table, per unit and hour.
    ReplicatedWriteCapacity,
    /// Replicated write capacity units of a Standard-IA global table, per unit and hour.
    IaReplicatedWriteCapacity,
    /// Point-in-time recovery, per GB-month of the table and its LSIs.
    Recovery,
    /// On-demand backups, per GB-month.
    Backup,
    /// Exports to S3, per GB.
    Export,
    /// GetRecords requests of a stream, per million.
    StreamReads,
}

impl Line {
    /// All lines, in the order of a bill.
    pub const ALL: [Line; 18] = [
        Line::WriteRequests,
        Line::ReadRequests,
        Line::WriteCapacity,
        Line::ReadCapacity,
        Line::Storage,
        Line::IaWriteRequests,
        Line::IaReadRequests,
        Line::IaWriteCapacity,
        Line::IaReadCapacity,
        Line::IaStorage,
        Line::ReplicatedWriteRequests,
        Line::IaReplicatedWriteRequests,
        Line::ReplicatedWriteCapacity,
        Line::IaReplicatedWriteCapacity,
        Line::Recovery,
        Line::Backup,
        Line::Export,
        Line::StreamReads,
    ];

    /// The name in files and in [`Workload::prices`]. It never changes.
    pub fn name(self) -> &'static str {
        match self {
            Line::WriteRequests => "writeRequests",
            Line::ReadRequests => "readRequests",
            Line::WriteCapacity => "writeCapacity",
            Line::ReadCapacity => "readCapacity",
            Line::Storage => "storage",
            Line::IaWriteRequests => "iaWriteRequests",
            Line::IaReadRequests => "iaReadRequests",
            Line::IaWriteCapacity => "iaWriteCapacity",
            Line::IaReadCapacity => "iaReadCapacity",
            Line::IaStorage => "iaStorage",
            Line::ReplicatedWriteRequests => "replicatedWriteRequests",
            Line::IaReplicatedWriteRequests => "iaReplicatedWriteRequests",
            Line::ReplicatedWriteCapacity => "replicatedWriteCapacity",
            Line::IaReplicatedWriteCapacity => "iaReplicatedWriteCapacity",
            Line::Recovery => "recovery",
            Line::Backup => "backup",
            Line::Export => "export",
            Line::StreamReads => "streamReads",
        }
    }

    /// The label on the page.
    pub fn label(self) -> &'static str {
        match self {
            Line::WriteRequests => "Write request units",
            Line::ReadRequests => "Read request units",
            Line::WriteCapacity => "Write capacity units",
            Line::ReadCapacity => "Read capacity units",
            Line::Storage => "Storage",
            Line::IaWriteRequests => "Write request units, Standard-IA",
            Line::IaReadRequests => "Read request units, Standard-IA",
            Line::IaWriteCapacity => "Write capacity units, Standard-IA",
            Line::IaReadCapacity => "Read capacity units, Standard-IA",
            Line::IaStorage => "Storage, Standard-IA",
            Line::ReplicatedWriteRequests => "Replicated write request units",
            Line::IaReplicatedWriteRequests => "Replicated write request units, Standard-IA",
            Line::ReplicatedWriteCapacity => "Replicated write capacity units",
            Line::IaReplicatedWriteCapacity => "Replicated write capacity units, Standard-IA",
            Line::Recovery => "Point-in-time recovery",
            Line::Backup => "On-demand backups",
            Line::Export => "Exports to S3",
            Line::StreamReads => "Stream read requests",
        }
    }

    /// What the price is for.
    pub fn unit(self) -> &'static str {
        match self {
            Line::WriteRequests
            | Line::ReadRequests
            | Line::IaWriteRequests
            | Line::IaReadRequests
            | Line::ReplicatedWriteRequests
            | Line::IaReplicatedWriteRequests => "per million units",
            Line::StreamReads => "per million requests",
            Line::WriteCapacity
            | Line::ReadCapacity
            | Line::IaWriteCapacity
            | Line::IaReadCapacity
            | Line::ReplicatedWriteCapacity
            | Line::IaReplicatedWriteCapacity => "per unit and hour",
            Line::Export => "per GB",
            Line::Storage | Line::IaStorage | Line::Recovery | Line::Backup => "per GB-month",
        }
    }

    /// How many of what a bill counts (units, requests, unit hours, GB) have one price.
    pub fn per(self) -> f64 {
        match self.unit() {
            "per million units" | "per million requests" => 1e6,
            _ => 1.0,
        }
    }

    /// The line with this name.
    pub fn named(name: &str) -> Option<Line> {
        Line::ALL.into_iter().find(|line| line.name() == name)
    }
}

/// Who states a price.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// The embedded price list.
    List,
    /// A price file.
    File,
    /// The design: [`Workload::prices`].
    Design,
}

/// The prices of one Region.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Prices {
    /// The Region.
    pub region: String,
    /// The date of publication, `YYYY-MM-DD`; empty if there is no list of this Region.
    pub date: String,
    /// US dollars for [`Line::per`], with who states them.
    lines: SortedMap<Line, (f64, Origin)>,
}

/// Why a price file or a price cannot be used. The text names the place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PriceError(pub String);

impl fmt::Display for PriceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[derive(Deserialize)]
struct Lists {
    date: String,
    regions: SortedMap<String, SortedMap<Line, f64>>,
}

/// The embedded lists.
fn lists() -> &'static Lists {
    static READ: OnceLock<Lists> = OnceLock::new();
    READ.get_or_init(|| {
        serde_json::from_str(include_str!("prices.json")).expect("a test reads the embedded prices")
    })
}

/// The Regions with an embedded price list, sorted.
pub fn regions() -> Vec<String> {
    lists().regions.keys().cloned().collect()
}

impl Prices {
    /// The embedded price list of a Region. Without one, every line is missing.
    pub fn list(region: &str) -> Prices {
        let lists = lists();
        let lines = lists.regions.get(region);
        Prices {
            region: region.to_owned(),
            date: lines.map_or(String::new(), |_| lists.date.clone()),
            lines: (lines.into_iter().flatten())
                .map(|(line, price)| (*line, (*price, Origin::List)))
                .collect(),
        }
    }

    /// The prices of a replica in a Region: those of the embedded list, and these where it has none.
    pub fn of_replica(&self, region: &str) -> Prices {
        let mut own = Prices::list(region);
        for (line, price) in &self.lines {
            own.lines.entry(*line).or_insert(*price);
        }
        own
    }

    /// The prices of a design: the list of its Region with its own prices. Figures that are no price (negative, not
    /// finite) and unknown lines have no effect: [`Prices::faults`] names them.
    pub fn of(workload: &Workload) -> Prices {
        let region = workload.region.as_deref().unwrap_or(DEFAULT_REGION);
        Prices::list(region).with(workload)
    }

    /// The same prices with those of a design in their place.
    pub fn with(mut self, workload: &Workload) -> Prices {
        for (name, price) in &workload.prices {
            if let (Some(line), true) = (Line::named(name), is_price(*price)) {
                self.lines.insert(line, (*price, Origin::Design));
            }
        }
        self
    }

    /// What is wrong with the prices of a design: one sentence for each place.
    pub fn faults(workload: &Workload) -> Vec<String> {
        let mut faults = Vec::new();
        for (name, price) in &workload.prices {
            match Line::named(name) {
                None => faults.push(unknown(name)),
                Some(_) if !is_price(*price) => faults.push(no_price(name, &price.to_string())),
                Some(_) => {}
            }
        }
        faults
    }

    /// Reads a price file: `{"currency": "USD", "region": "eu-west-1", "date": "2026-08-15", "lines": {"storage":
    /// 0.283}}`. Lines that it does not have are missing.
    ///
    /// # Errors
    ///
    /// The first mistake with its place: invalid JSON, another currency, an unknown line, or a figure that is no price.
    pub fn read(text: &str) -> Result<Prices, PriceError> {
        use serde_json::Value;
        let error = |text: String| Err(PriceError(text));
        let file: Value = match serde_json::from_str(text) {
            Ok(file) => file,
            Err(fault) => {
                let (line, column) = (fault.line(), fault.column());
                return error(format!("line {line}, column {column}: not valid JSON"));
            }
        };
        let Value::Object(members) = &file else {
            return error(
                "the file needs an object with `currency`, `region`, `date` and `lines`".into(),
            );
        };
        let known = ["currency", "region", "date", "lines", "source"];
        if let Some(name) = members.keys().find(|name| !known.contains(&name.as_str())) {
            return error(format!("`{name}`: unknown member"));
        }
        let text_of = |name: &str| match file.get(name).and_then(Value::as_str) {
            Some(text) if !text.is_empty() => Ok(text.to_owned()),
            _ => Err(PriceError(format!("`{name}`: needs text"))),
        };
        let currency = text_of("currency")?;
        if currency != CURRENCY {
            return error(format!(
                "`currency`: {currency} is not supported. Give the prices in {CURRENCY}"
            ));
        }
        let Some(Value::Object(given)) = file.get("lines") else {
            return error("`lines`: needs an object with a price for each line".into());
        };
        let mut lines = SortedMap::new();
        for (name, value) in given {
            let Some(line) = Line::named(name) else {
                return error(unknown(name));
            };
            match value.as_f64() {
                Some(price) if is_price(price) => {
                    lines.insert(line, (price, Origin::File));
                }
                _ => return error(no_price(name, &value.to_string())),
            }
        }
        Ok(Prices {
            region: text_of("region")?,
            date: text_of("date")?,
            lines,
        })
    }

    /// The price of a line, in US dollars for [`Line::per`]; `None` if it is missing.
    pub fn price(&self, line: Line) -> Option<f64> {
        self.lines.get(&line).map(|(price, _)| *price)
    }

    /// Who states the price of a line; `None` if it is missing.
    pub fn origin(&self, line: Line) -> Option<Origin> {
        self.lines.get(&line).map(|(_, origin)| *origin)
    }

    /// The lines without a price, in the order of a bill.
    pub fn missing(&self) -> Vec<Line> {
        let mut missing = Line::ALL.to_vec();
        missing.retain(|line| self.price(*line).is_none());
        missing
    }
}

fn is_price(price: f64) -> bool {
    price.is_finite() && price >= 0.0
}

fn unknown(name: &str) -> String {
    format!("`lines.{name}`: unknown line")
}

fn no_price(name: &str, value: &str) -> String {
    format!("`lines.{name}`: {value} is not a price. Give US dollars as a number of at least 0")
}
