//! A setting of a table that a file keeps apart from its definition.

use keyfold_core::model::{ContributorInsights, KinesisStream, Recovery, Replica};

/// A setting, and the table that it belongs to.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Where it is in the file.
    pub place: String,
    /// The table's name.
    pub table: String,
    /// The setting.
    pub what: What,
}

/// A setting of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum What {
    /// The TTL attribute.
    Ttl(Option<String>),
    /// Point-in-time recovery; `None` turns it off.
    Recovery(Option<Recovery>),
    /// The data stream that receives changes.
    Kinesis(KinesisStream),
    /// Contributor Insights of the table, or of the index with this name.
    Insights(Option<String>, ContributorInsights),
    /// The resource policy, as JSON.
    Policy(String),
    /// Other Regions, and whether they are strongly consistent.
    Replicas(Vec<Replica>, bool),
    /// Auto scaling of one kind of capacity.
    Scaling {
        /// The index; `None` for the table.
        index: Option<String>,
        /// Whether it scales reads.
        is_read: bool,
        /// Minimum and maximum.
        bounds: Option<(u64, u64)>,
        /// Target utilization in percent.
        percent: Option<u8>,
    },
}
