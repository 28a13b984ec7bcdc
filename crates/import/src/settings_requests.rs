//! Requests of the AWS CLI that set what CreateTable cannot: TTL, recovery, streams to Kinesis, Contributor Insights, auto
//! scaling and replicas.

use crate::form::Import;
use crate::requests::replica;
use crate::settings::{Setting, What, scaled};
use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{ContributorInsights, KinesisStream, Recovery};

/// Whether a document is such a request.
pub fn is_setting(node: &Node) -> bool {
    matches!(node, Node::Map(map) if setting(map).is_some())
}

/// Reads the setting of a request.
///
/// # Errors
///
/// That it is no such request.
pub fn read(node: &Node) -> Result<Import, String> {
    let setting = match node {
        Node::Map(map) => setting(map),
        _ => None,
    };
    let (table, what) = setting.ok_or("expected a request that changes a table")?;
    Ok(Import {
        settings: vec![Setting {
            place: "the request".to_owned(),
            table,
            what,
        }],
        ..Import::default()
    })
}

fn number(map: &Map, name: &str) -> Option<u64> {
    text(map.get(name)?)?.trim_end_matches(".0").parse().ok()
}

fn setting(map: &Map) -> Option<(String, What)> {
    let of = |name: &str| map.get(name).and_then(text);
    if let Some((table, index)) = of("ResourceId").as_deref().and_then(scaled) {
        let policy = child(map, "TargetTrackingScalingPolicyConfiguration");
        let percent = policy.and_then(|policy| number(policy, "TargetValue"));
        let bounds = number(map, "MinCapacity").zip(number(map, "MaxCapacity"));
        let what = What::Scaling {
            index,
            is_read: of("ScalableDimension")?.contains("Read"),
            bounds,
            percent: percent.and_then(|percent| u8::try_from(percent).ok()),
        };
        return Some((table, what));
    }
    let table = of("TableName")?;
    let is_on = |map: &Map, name: &str| map.get(name) == Some(&Node::Bool(true));
    let what = if let Some(ttl) = child(map, "TimeToLiveSpecification") {
        let attribute = ttl.get("AttributeName").and_then(text);
        What::Ttl(attribute.filter(|_| is_on(ttl, "Enabled")))
    } else if let Some(recovery) = child(map, "PointInTimeRecoverySpecification") {
        let days = number(recovery, "RecoveryPeriodInDays");
        let days = days.and_then(|days| u8::try_from(days).ok());
        let is_on = is_on(recovery, "PointInTimeRecoveryEnabled");
        What::Recovery(is_on.then_some(Recovery { days }))
    } else if let Some(stream) = of("StreamArn") {
        let precision = child(map, "EnableKinesisStreamingConfiguration")
            .and_then(|settings| settings.get("ApproximateCreationDateTimePrecision"));
        What::Kinesis(KinesisStream {
            arn: stream,
            microseconds: precision == Some(&"MICROSECOND".into()),
        })
    } else if of("ContributorInsightsAction").as_deref() == Some("ENABLE") {
        let mode = match of("ContributorInsightsMode").as_deref() {
            Some("THROTTLED_KEYS") => ContributorInsights::ThrottledKeys,
            _ => ContributorInsights::AccessedAndThrottledKeys,
        };
        What::Insights(of("IndexName"), mode)
    } else if let Some(Node::List(updates)) = map.get("ReplicaUpdates") {
        let created = updates.iter().filter_map(|update| match update {
            Node::Map(update) => replica(update.get("Create")?),
            _ => None,
        });
        let is_strong = map.get("MultiRegionConsistency") == Some(&"STRONG".into());
        What::Replicas(created.collect(), is_strong)
    } else {
        return None;
    };
    Some((table, what))
}
