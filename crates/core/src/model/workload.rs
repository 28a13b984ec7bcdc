//! The workload: how often each access pattern runs and how many items there are, for cost and heat. Items, findings of
//! other rules and exports of infrastructure do not depend on it.

use super::{AccessPatternId, EntityId};
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

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
    /// How many items a Query or Scan reads on average, before the filter. `None`: as the samples say.
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
    /// Items that are added each month, net of those that are deleted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<f64>,
    /// Days after which time to live deletes an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<f64>,
    /// Average size of an item, in bytes, names included. `None`: as the samples say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<f64>,
}
