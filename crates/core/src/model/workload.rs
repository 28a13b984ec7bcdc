//! The workload: how often each access pattern runs and how many items there are, for cost and heat. Items, findings of
//! other rules and exports of infrastructure do not depend on it.

use super::{AccessPatternId, EntityId};
use crate::model::{SortedMap, limits};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the author states about traffic, data and prices. What is not stated is assumed (`keyfold_cost::assume`).
///
/// The peak rate of an access pattern is [`AccessPattern::rate`](super::AccessPattern::rate).
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Workload {
    /// Traffic of access patterns.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub patterns: SortedMap<AccessPatternId, Traffic>,
    /// Data of entities.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub entities: SortedMap<EntityId, Volume>,
    /// The Region whose prices count, such as `eu-west-1`. `None`: us-east-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    /// Prices in US dollars that replace those of the Region, by the name of the line in `keyfold_cost::prices`.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub prices: SortedMap<String, f64>,
    /// On-demand backups that are kept, in GB.
    #[serde(rename = "backupGB", skip_serializing_if = "Option::is_none")]
    pub backup_gb: Option<f64>,
    /// Exports to S3, in GB per month.
    #[serde(rename = "exportGB", skip_serializing_if = "Option::is_none")]
    pub export_gb: Option<f64>,
}

impl Workload {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        *self == Workload::default()
    }
}

/// The traffic of one access pattern.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Traffic {
    /// The average rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average: Option<Rate>,
    /// What a PutItem does. `None`: every put creates its item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub puts: Option<PutShares>,
    /// How many items a Query or Scan reads on average, before the filter. `None`: as the items of the entities and the
    /// samples say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<f64>,
    /// Share of the writes whose condition fails, in percent. DynamoDB charges for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<f64>,
    /// How the requests fall on the values of a parameter. A parameter that is not here is even.
    #[serde(skip_serializing_if = "SortedMap::is_empty")]
    pub parameters: SortedMap<String, Skew>,
}

/// Requests in a span of time.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Rate {
    /// Requests per second.
    PerSecond(f64),
    /// Requests per month of 730 hours.
    PerMonth(f64),
}

/// Hours in a month of AWS's price pages.
/// Source: "AWS Pricing Calculator: Assumptions", <https://docs.aws.amazon.com/pricing-calculator/>.
pub const HOURS_PER_MONTH: f64 = 730.0;

/// `20 per second`, `3000000 per month`
impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rate::PerSecond(rate) => write!(f, "{rate} per second"),
            Rate::PerMonth(rate) => write!(f, "{rate} per month"),
        }
    }
}

impl Rate {
    /// The figure as it is stated.
    pub fn figure(self) -> f64 {
        match self {
            Rate::PerSecond(figure) | Rate::PerMonth(figure) => figure,
        }
    }

    /// Requests per second.
    pub fn per_second(self) -> f64 {
        match self {
            Rate::PerSecond(rate) => rate,
            Rate::PerMonth(rate) => rate / (HOURS_PER_MONTH * 3600.0),
        }
    }

    /// Requests per month of 730 hours.
    pub fn per_month(self) -> f64 {
        match self {
            Rate::PerSecond(rate) => rate * HOURS_PER_MONTH * 3600.0,
            Rate::PerMonth(rate) => rate,
        }
    }
}

/// What the puts of an access pattern do, in percent. The rest replaces the item by an equal one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PutShares {
    /// Puts that create an item.
    pub creates: f64,
    /// Puts that replace an item by one with other values.
    pub updates: f64,
    /// Deletes, for a pattern that stands for the whole life of an item.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub deletes: f64,
}

fn is_zero(figure: &f64) -> bool {
    *figure == 0.0
}

/// How requests fall on the values of a parameter, by the number of different values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Skew {
    /// The number of different values. `None`: as many as the entity that owns the attribute has items, or as its format allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<f64>,
    /// The shape.
    pub shape: Shape,
}

/// `even`, `zipf 1.1`, `largest 80% of 100000 values`
impl fmt::Display for Skew {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.shape {
            Shape::Even => f.write_str("even")?,
            Shape::Zipf(exponent) => write!(f, "zipf {exponent}")?,
            Shape::Largest(share) => write!(f, "largest {share}%")?,
        }
        match self.values {
            Some(values) => write!(f, " of {values} values"),
            None => Ok(()),
        }
    }
}

/// The shape of a skew.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Shape {
    /// Each value as often as every other.
    Even,
    /// The value of rank k as often as k to the power of minus this exponent.
    Zipf(f64),
    /// One value takes this percentage; the others share the rest evenly.
    Largest(f64),
}

/// How much data an entity has.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Volume {
    /// Items now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<f64>,
    /// Items that are added each month, net of those that are deleted; negative if more are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<f64>,
    /// Days after which time to live deletes an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<f64>,
    /// Average size of an item, in bytes, names included. `None`: as the samples say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
}

/// Why a figure of a workload is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FigureError {
    /// The field, as the design file names it from the entry on: `average`, `parameters/userId`.
    pub field: String,
    /// What is wrong: what the figure must be.
    pub message: String,
}

impl FigureError {
    fn new(field: &str, message: impl Into<String>) -> FigureError {
        FigureError {
            field: field.to_owned(),
            message: message.into(),
        }
    }
}

/// The largest figure of a workload: with more, costs have no meaning.
pub const MAX_FIGURE: f64 = 1e15;
/// The largest exponent of a Zipf distribution.
pub const MOST_EXPONENT: f64 = 5.0;

fn figure(field: &str, what: &str, figure: Option<f64>, least: f64, most: f64) -> Checked {
    match figure {
        Some(figure) if !(least..=most).contains(&figure) => {
            let message = match most == MAX_FIGURE {
                true => format!("{what} must be {least} or more, and at most 10^15"),
                false => format!("{what} must be {least} to {most}"),
            };
            Err(FigureError::new(field, message))
        }
        _ => Ok(()),
    }
}

/// The result of a check of figures.
pub type Checked = Result<(), FigureError>;

impl Traffic {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        *self == Traffic::default()
    }

    /// Checks the figures. A skew may name a parameter that the access pattern lacks: while its templates are edited,
    /// it does not count, and is not lost.
    ///
    /// # Errors
    ///
    /// The first figure that cannot be.
    pub fn check(&self) -> Checked {
        let average = self.average.map(Rate::figure);
        figure("average", "an average rate", average, 0.0, MAX_FIGURE)?;
        if let Some(puts) = self.puts {
            let PutShares {
                creates,
                updates,
                deletes,
            } = puts;
            for share in [creates, updates, deletes] {
                figure("puts", "a share of the puts", Some(share), 0.0, 100.0)?;
            }
            // The sum of thirds may exceed 100 by a rounding error.
            if creates + updates + deletes > 100.000_001 {
                let message = "the shares of the puts must add up to at most 100%";
                return Err(FigureError::new("puts", message));
            }
        }
        figure("items", "a number of items", self.items, 0.0, MAX_FIGURE)?;
        let what = "the percentage of failed writes";
        figure("failed", what, self.failed, 0.0, 100.0)?;
        for (name, skew) in &self.parameters {
            let field = format!("parameters/{name}");
            if name.is_empty() {
                return Err(FigureError::new(&field, "a parameter has a name"));
            }
            figure(&field, "a number of values", skew.values, 1.0, MAX_FIGURE)?;
            let (what, share, most) = match skew.shape {
                Shape::Even => continue,
                Shape::Zipf(exponent) => ("a Zipf exponent", exponent, MOST_EXPONENT),
                Shape::Largest(share) => ("the percentage of the largest value", share, 100.0),
            };
            figure(&field, what, Some(share), 0.0, most)?;
        }
        Ok(())
    }
}

impl Volume {
    /// Whether nothing is stated.
    pub fn is_empty(&self) -> bool {
        *self == Volume::default()
    }

    /// Checks the figures.
    ///
    /// # Errors
    ///
    /// The first figure that cannot be.
    pub fn check(&self) -> Checked {
        figure("items", "a number of items", self.items, 0.0, MAX_FIGURE)?;
        // Fewer items may be added than deleted.
        if !self.growth.is_none_or(|growth| growth.abs() <= MAX_FIGURE) {
            let message = "the growth per month must be a number, at most 10^15";
            return Err(FigureError::new("growth", message));
        }
        let what = "a number of days";
        figure("retention", what, self.retention, 0.0, MAX_FIGURE)?;
        let most = limits::ITEM_BYTES as f64;
        figure(
            "bytes",
            "the size of an item in bytes",
            self.bytes,
            0.0,
            most,
        )
    }
}

impl Workload {
    /// Checks everything but the traffic and the volumes: the Region, the prices, the backups and the exports.
    ///
    /// # Errors
    ///
    /// The first field that cannot be.
    pub fn check_prices(&self) -> Checked {
        if let Some(region) = &self.region {
            let is_letter = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if !(1..=30).contains(&region.len()) || !region.chars().all(is_letter) {
                let message = "write a Region as AWS does, such as `eu-west-1`";
                return Err(FigureError::new("region", message));
            }
        }
        for (line, price) in &self.prices {
            let field = format!("prices/{line}");
            if !(1..=100).contains(&line.len()) || line.chars().any(char::is_control) {
                return Err(FigureError::new(
                    &field,
                    "a price has a name, of at most 100 bytes",
                ));
            }
            figure(
                &field,
                "a price in US dollars",
                Some(*price),
                0.0,
                MAX_FIGURE,
            )?;
        }
        figure(
            "backupGB",
            "a number of GB",
            self.backup_gb,
            0.0,
            MAX_FIGURE,
        )?;
        figure(
            "exportGB",
            "a number of GB",
            self.export_gb,
            0.0,
            MAX_FIGURE,
        )
    }

    /// Takes away what is about access patterns and entities that `has_pattern` and `has_entity` do not know, and
    /// entries that state nothing.
    pub fn retain(
        &mut self,
        has_pattern: impl Fn(AccessPatternId) -> bool,
        has_entity: impl Fn(EntityId) -> bool,
    ) {
        self.patterns
            .retain(|id, traffic| has_pattern(*id) && !traffic.is_empty());
        self.entities
            .retain(|id, volume| has_entity(*id) && !volume.is_empty());
    }
}
