//! The properties of `AWS::DynamoDB::Table`, and those that a global table shares.
//! Source of names and values: AWS::DynamoDB::Table, CloudFormation template reference.

use super::super::api_names::{
    add_throughput, attribute_definitions, billing_mode, filled, insights_mode, key_schema,
    precision, secondary_index, stream_view, tags, warm_throughput,
};
use super::super::table_plan::{GlobalIndex, Plan, warm};
use super::super::tree::{Map, Node};
use super::functions::{reference, sub};
use crate::model::{ContributorInsights, Encryption, KinesisStream, Table, TableClass};

/// Returns the properties of `AWS::DynamoDB::Table`.
pub fn table_properties(plan: &Plan) -> Map {
    let table = plan.table;
    let mut properties = Map::new()
        .with("TableName", table_name(plan))
        .with("BillingMode", billing_mode(plan));
    add_throughput(&mut properties, plan.throughput);
    properties.add_some(
        "WarmThroughput",
        warm(table.warm_throughput).map(warm_throughput),
    );
    properties.add_some("TableClass", table_class(table));
    properties.add("AttributeDefinitions", attribute_definitions(plan));
    properties.add("KeySchema", key_schema(&table.key));
    properties = with_index_note(properties, plan);
    let global = plan.global.iter().map(global_index).collect();
    let local = plan.local.iter().map(|local| secondary_index(local).into());
    properties = properties
        .with_some("GlobalSecondaryIndexes", filled(global))
        .with_some("LocalSecondaryIndexes", filled(local.collect()));
    with_settings(properties, plan)
}

/// Adds the properties besides keys and capacity, in the order of the design's settings.
fn with_settings(properties: Map, plan: &Plan) -> Map {
    let table = plan.table;
    let stream = table
        .stream
        .map(|view| Map::new().with("StreamViewType", stream_view(view)));
    let properties = properties
        .with_some("TimeToLiveSpecification", time_to_live(plan))
        .with_some("StreamSpecification", stream)
        .with_some("KinesisStreamSpecification", kinesis(table))
        .with_some("PointInTimeRecoverySpecification", recovery(table))
        .with_some("SSESpecification", encryption(table))
        .with_some(
            "DeletionProtectionEnabled",
            table.deletion_protection.then_some(true),
        )
        .with_some(
            "ContributorInsightsSpecification",
            table.contributor_insights.map(contributor_insights),
        );
    with_policy(properties, plan).with_some("Tags", tags(table))
}

/// Returns the table's name: the parameter, with the stage if there is one.
pub fn table_name(plan: &Plan) -> Node {
    let name = reference("TableName");
    if plan.stage_chars() == 0 {
        return name;
    }
    let staged = sub("${TableName}-${Stage}");
    Node::call("If", vec!["HasStage".into(), staged, name])
}

/// Returns the table class, if it is not the default.
pub fn table_class(table: &Table) -> Option<&'static str> {
    match table.class {
        TableClass::Standard => None,
        TableClass::StandardInfrequentAccess => Some("STANDARD_INFREQUENT_ACCESS"),
    }
}

/// Returns the TTL specification, if TTL is on or is turned off: a template without one leaves TTL on, and one that turns
/// it off must name the attribute.
pub fn time_to_live(plan: &Plan) -> Option<Map> {
    let on = plan.table.ttl_attribute.as_deref();
    let map = Map::new().with("AttributeName", on.or(plan.ttl_off)?);
    Some(map.with("Enabled", on.is_some()))
}

/// Returns the point-in-time recovery specification, if it is on.
pub fn recovery(table: &Table) -> Option<Map> {
    let recovery = table.recovery?;
    let map = Map::new().with("PointInTimeRecoveryEnabled", true);
    Some(map.with_some("RecoveryPeriodInDays", recovery.days.map(u64::from)))
}

/// Returns the Kinesis data stream that receives changes.
pub fn kinesis(table: &Table) -> Option<Map> {
    let KinesisStream { arn, microseconds } = table.kinesis.as_ref()?;
    let map = Map::new().with("StreamArn", arn.as_str());
    Some(map.with(
        "ApproximateCreationDateTimePrecision",
        precision(*microseconds),
    ))
}

/// Adds the resource policy, or a comment that says why it is omitted.
pub fn with_policy(properties: Map, plan: &Plan) -> Map {
    match plan.stack_policy() {
        None => properties,
        Some(Ok(policy)) => properties.with(
            "ResourcePolicy",
            Map::new().with("PolicyDocument", policy.clone()),
        ),
        Some(Err(problem)) => properties.with_comment(format!(
            "ResourcePolicy is omitted, because the design's policy has an error: {problem}"
        )),
    }
}

/// Adds a comment, because CloudFormation rejects an update that creates or deletes two GSIs of one table.
pub fn with_index_note(properties: Map, plan: &Plan) -> Map {
    let global = &plan.global;
    if global.len() < 2 {
        return properties;
    }
    let mut note = format!(
        "A new table gets these {} indexes at once. On an existing table, one stack update can create or\n\
         delete only one of them: update the stack once per index, for example in this order:",
        global.len()
    );
    for (number, global) in (1..).zip(global) {
        note.push_str(&format!("\n{number}. {}", global.index.name));
    }
    properties.with_comment(note)
}

fn global_index(global: &GlobalIndex) -> Node {
    let mut index = secondary_index(&global.index);
    add_throughput(&mut index, global.throughput);
    index.add_some("WarmThroughput", global.warm.map(warm_throughput));
    index.add_some(
        "ContributorInsightsSpecification",
        global.insights.map(contributor_insights),
    );
    index.into()
}

/// Returns Contributor Insights in this mode.
pub fn contributor_insights(mode: ContributorInsights) -> Map {
    Map::new()
        .with("Enabled", true)
        .with("Mode", insights_mode(mode))
}

/// Returns encryption with a KMS key.
pub fn encryption(table: &Table) -> Option<Map> {
    let kms = || Map::new().with("SSEEnabled", true).with("SSEType", "KMS");
    match &table.encryption {
        Encryption::AwsOwned => None,
        Encryption::AwsManaged => Some(kms()),
        Encryption::CustomerManaged(key) => Some(kms().with("KMSMasterKeyId", key.as_str())),
    }
}
