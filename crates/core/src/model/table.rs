//! The table: name, primary key and every property that CloudFormation supports. Source: AWS::DynamoDB::Table and
//! AWS::DynamoDB::GlobalTable, CloudFormation reference.

use super::index::KeySchema;
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// The one table of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// The name, by DynamoDB's rules.
    pub name: String,
    /// The primary key: one partition key attribute, at most one sort key attribute.
    pub key: KeySchema,
    /// The attribute that holds the entity's name; `None` if items have no such attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_attribute: Option<String>,
    /// Billing mode with its capacity.
    #[serde(default)]
    pub billing: Billing,
    /// Storage class.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class: TableClass,
    /// The attribute that holds the time to live (type N, seconds since 1970); `None` if TTL is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_attribute: Option<String>,
    /// Stream view type; `None` if the stream is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamView>,
    /// Point-in-time recovery; `None` if it is off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    /// Encryption at rest.
    #[serde(default, skip_serializing_if = "is_default")]
    pub encryption: Encryption,
    /// Deletion protection: DynamoDB refuses to delete the table.
    #[serde(default, skip_serializing_if = "is_default")]
    pub deletion_protection: bool,
    /// Throughput that the table can serve immediately.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<WarmThroughput>,
    /// CloudWatch Contributor Insights; `None` if they are off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<ContributorInsights>,
    /// The Kinesis data stream that receives changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinesis: Option<KinesisStream>,
    /// Resource-based policy, as the JSON text of a policy document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_policy: Option<String>,
    /// Tags, by key.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub tags: SortedMap<String, String>,
    /// Replicas in other Regions; at least one makes the table a global table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<Replica>,
    /// Consistency between replicas.
    #[serde(default, skip_serializing_if = "is_default")]
    pub multi_region_consistency: MultiRegionConsistency,
}

impl Table {
    /// Whether a name is that of the type attribute, which has the name of its entity in each item.
    pub fn is_type_attribute(&self, name: &str) -> bool {
        self.type_attribute.as_deref() == Some(name)
    }

    /// An on-demand table with the usual generic key attributes `PK` and `SK` and the type attribute `type`.
    pub fn new(name: impl Into<String>) -> Self {
        Table {
            name: name.into(),
            key: KeySchema::pair("PK", "SK"),
            type_attribute: Some("type".into()),
            billing: Billing::default(),
            class: TableClass::default(),
            ttl_attribute: None,
            stream: None,
            recovery: None,
            encryption: Encryption::default(),
            deletion_protection: false,
            warm_throughput: None,
            contributor_insights: None,
            kinesis: None,
            resource_policy: None,
            tags: SortedMap::new(),
            replicas: Vec::new(),
            multi_region_consistency: MultiRegionConsistency::default(),
        }
    }
}

/// The billing mode.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Billing {
    /// Per request (PAY_PER_REQUEST), with optional maximum throughput.
    OnDemand(MaxRequestUnits),
    /// Per hour of provisioned capacity (PROVISIONED).
    Provisioned(ProvisionedThroughput),
}

impl Default for Billing {
    fn default() -> Self {
        Billing::OnDemand(MaxRequestUnits::default())
    }
}

/// Maximum throughput of an on-demand table or index, in request units per second; `None` for no maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MaxRequestUnits {
    /// Read request units per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<u64>,
    /// Write request units per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<u64>,
}

/// Provisioned capacity in capacity units, and its auto scaling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProvisionedThroughput {
    /// Read capacity units, at least 1.
    pub read: u64,
    /// Write capacity units, at least 1.
    pub write: u64,
    /// Auto scaling of the read units; `None` for fixed capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_scaling: Option<Autoscaling>,
    /// Auto scaling of the write units; `None` for fixed capacity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write_scaling: Option<Autoscaling>,
}

impl Default for ProvisionedThroughput {
    fn default() -> Self {
        ProvisionedThroughput {
            read: 5,
            write: 5,
            read_scaling: None,
            write_scaling: None,
        }
    }
}

/// Target tracking by Application Auto Scaling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Autoscaling {
    /// Minimum units.
    pub min: u64,
    /// Maximum units.
    pub max: u64,
    /// Target utilization in percent (20 to 90).
    pub target_percent: u8,
}

impl Default for Autoscaling {
    fn default() -> Self {
        Autoscaling {
            min: 5,
            max: 100,
            target_percent: 70,
        }
    }
}

/// Throughput that the table or index can serve immediately, in units per second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct WarmThroughput {
    /// Read units per second; `None`: DynamoDB's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read: Option<u64>,
    /// Write units per second; `None`: DynamoDB's default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub write: Option<u64>,
}

/// Table class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableClass {
    /// STANDARD.
    #[default]
    Standard,
    /// STANDARD_INFREQUENT_ACCESS: cheaper storage, more expensive throughput.
    StandardInfrequentAccess,
}

/// Stream view type: what a change record contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StreamView {
    /// KEYS_ONLY.
    KeysOnly,
    /// NEW_IMAGE.
    NewImage,
    /// OLD_IMAGE.
    OldImage,
    /// NEW_AND_OLD_IMAGES.
    NewAndOldImages,
}

/// Point-in-time recovery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Recovery {
    /// Recovery period in days, 1 to 35; `None` for DynamoDB's default of 35.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub days: Option<u8>,
}

/// Encryption at rest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Encryption {
    /// A key that DynamoDB owns: the default, free.
    #[default]
    AwsOwned,
    /// The AWS managed key of the account (`alias/aws/dynamodb`).
    AwsManaged,
    /// A customer managed KMS key: its id, ARN or alias.
    CustomerManaged(String),
}

/// CloudWatch Contributor Insights.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ContributorInsights {
    /// ACCESSED_AND_THROTTLED_KEYS.
    AccessedAndThrottledKeys,
    /// THROTTLED_KEYS.
    ThrottledKeys,
}

/// Changes sent to a Kinesis data stream.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct KinesisStream {
    /// ARN of the stream.
    pub arn: String,
    /// Whether record timestamps are in microseconds; otherwise milliseconds.
    #[serde(default, skip_serializing_if = "is_default")]
    pub microseconds: bool,
}

/// A replica of a global table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replica {
    /// AWS Region, such as `eu-central-1`.
    pub region: String,
    /// KMS key in this Region, if the table uses a customer managed key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kms_key: Option<String>,
}

/// Consistency between the replicas of a global table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum MultiRegionConsistency {
    /// EVENTUAL.
    #[default]
    Eventual,
    /// STRONG.
    Strong,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
