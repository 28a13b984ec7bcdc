//! The table: its name, its primary key and every property that CloudFormation knows.
//! Source of the properties: AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, CloudFormation reference.

use super::index::KeySchema;
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// The one table of a design.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Table {
    /// The table's name, by DynamoDB's rules.
    pub name: String,
    /// The primary key: one partition attribute, at most one sort attribute.
    pub key: KeySchema,
    /// The attribute that names an item's entity; `None`: items carry no such attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub type_attribute: Option<String>,
    /// How capacity is paid.
    #[serde(default)]
    pub billing: Billing,
    /// Storage class.
    #[serde(default, skip_serializing_if = "is_default")]
    pub class: TableClass,
    /// The attribute that holds the time to live (type N, seconds since 1970); `None`: off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_attribute: Option<String>,
    /// What the change stream holds; `None`: no stream.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stream: Option<StreamView>,
    /// Point-in-time recovery; `None`: off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recovery: Option<Recovery>,
    /// Encryption at rest.
    #[serde(default, skip_serializing_if = "is_default")]
    pub encryption: Encryption,
    /// Whether a delete of the table is refused.
    #[serde(default, skip_serializing_if = "is_default")]
    pub deletion_protection: bool,
    /// Throughput that the table must serve at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_throughput: Option<WarmThroughput>,
    /// CloudWatch Contributor Insights; `None`: off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contributor_insights: Option<ContributorInsights>,
    /// A Kinesis data stream that receives changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kinesis: Option<KinesisStream>,
    /// A resource-based policy, as the JSON text of a policy document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_policy: Option<String>,
    /// Tags: key to value.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub tags: SortedMap<String, String>,
    /// Replicas in other Regions; any make it a global table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replicas: Vec<Replica>,
    /// Consistency between replicas.
    #[serde(default, skip_serializing_if = "is_default")]
    pub multi_region_consistency: MultiRegionConsistency,
}

impl Table {
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

/// How capacity is paid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Billing {
    /// Per request (PAY_PER_REQUEST), with upper limits where wished.
    OnDemand(MaxRequestUnits),
    /// Per hour of capacity (PROVISIONED).
    Provisioned(ProvisionedThroughput),
}

impl Default for Billing {
    fn default() -> Self {
        Billing::OnDemand(MaxRequestUnits::default())
    }
}

/// Upper limits of an on-demand table or index, in request units per second; `None`: none.
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

/// Provisioned capacity, in units per second, and its scaling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ProvisionedThroughput {
    /// Read capacity units, at least 1.
    pub read: u64,
    /// Write capacity units, at least 1.
    pub write: u64,
    /// Scaling of the read units; `None`: fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_scaling: Option<Autoscaling>,
    /// Scaling of the write units; `None`: fixed.
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
    /// Fewest units.
    pub min: u64,
    /// Most units.
    pub max: u64,
    /// Utilisation to keep, in per cent (20 to 90).
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

/// Throughput that must be served at once, in units per second.
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

/// Storage class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum TableClass {
    /// STANDARD.
    #[default]
    Standard,
    /// STANDARD_INFREQUENT_ACCESS: cheaper storage, dearer throughput.
    StandardInfrequentAccess,
}

/// What a change record holds.
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
    /// Days that can be gone back, 1 to 35; `None`: DynamoDB's default of 35.
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
    /// Whether record times are in microseconds (else milliseconds).
    #[serde(default, skip_serializing_if = "is_default")]
    pub microseconds: bool,
}

/// A replica of a global table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Replica {
    /// AWS Region, such as `eu-central-1`.
    pub region: String,
    /// KMS key of this Region, where the table has a customer managed one.
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
