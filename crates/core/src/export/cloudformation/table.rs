//! The properties of `AWS::DynamoDB::Table`, and those that a global table shares.
//! Source of names and values: AWS::DynamoDB::Table, CloudFormation template reference.

use super::super::table_plan::{GlobalIndex, Plan, SecondaryIndex, Throughput, warm};
use super::super::words::{self, insights_mode, precision, stream_view};
use super::super::yaml::{Map, Node};
use crate::model::{
    ContributorInsights, Encryption, KeySchema, KinesisStream, Projection, Table, TableClass,
    WarmThroughput,
};

/// Returns the properties of `AWS::DynamoDB::Table`.
pub fn table_properties(plan: &Plan) -> Map {
    let table = plan.table;
    let mut properties = Map::new()
        .with("TableName", table_name(plan))
        .with("BillingMode", billing_mode(plan));
    properties = with_throughput(properties, plan.throughput)
        .with_some(
            "WarmThroughput",
            warm(table.warm_throughput).map(warm_throughput),
        )
        .with_some("TableClass", table_class(table))
        .with("AttributeDefinitions", attribute_definitions(plan))
        .with("KeySchema", key_schema(&table.key));
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
        .with_some("TimeToLiveSpecification", time_to_live(table))
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
    let name = Node::reference("TableName");
    if plan.stage_chars() == 0 {
        return name;
    }
    let staged = Node::sub("${TableName}-${Stage}");
    Node::tagged("If", vec![Node::from("HasStage"), staged, name].into())
}

/// Returns the billing mode.
pub fn billing_mode(plan: &Plan) -> &'static str {
    match plan.throughput {
        Throughput::OnDemand(_) => "PAY_PER_REQUEST",
        Throughput::Provisioned(_) => "PROVISIONED",
    }
}

/// Returns the table class, if it is not the default.
pub fn table_class(table: &Table) -> Option<&'static str> {
    match table.class {
        TableClass::Standard => None,
        TableClass::StandardInfrequentAccess => Some("STANDARD_INFREQUENT_ACCESS"),
    }
}

/// Returns the TTL specification, if TTL is on.
pub fn time_to_live(table: &Table) -> Option<Map> {
    let attribute = table.ttl_attribute.as_deref()?;
    let map = Map::new().with("AttributeName", attribute);
    Some(map.with("Enabled", true))
}

/// Returns the point-in-time recovery specification, if it is on.
pub fn recovery(table: &Table) -> Option<Map> {
    let recovery = table.recovery?;
    let map = Map::new().with("PointInTimeRecoveryEnabled", true);
    Some(map.with_some("RecoveryPeriodInDays", recovery.days.map(u64::from)))
}

/// Returns the Kinesis stream that receives changes.
pub fn kinesis(table: &Table) -> Option<Map> {
    let KinesisStream { arn, microseconds } = table.kinesis.as_ref()?;
    let map = Map::new().with("StreamArn", arn.as_str());
    Some(map.with(
        "ApproximateCreationDateTimePrecision",
        precision(*microseconds),
    ))
}

/// Returns the tags, if any.
pub fn tags(table: &Table) -> Option<Vec<Node>> {
    let mut tags = Vec::new();
    for (key, value) in &table.tags {
        let tag = Map::new().with("Key", key.as_str());
        tags.push(tag.with("Value", value.as_str()).into());
    }
    filled(tags)
}

/// Adds the resource policy, or a comment that says why it is omitted.
pub fn with_policy(properties: Map, plan: &Plan) -> Map {
    match plan.stack_policy() {
        None => properties,
        Some(Ok(policy)) => properties.with(
            "ResourcePolicy",
            Map::new().with("PolicyDocument", policy.clone()),
        ),
        Some(Err(problem)) => properties.comment(format!(
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
    properties.comment(note)
}

fn with_throughput(map: Map, throughput: Throughput) -> Map {
    match throughput {
        Throughput::OnDemand(most) => map.with_some(
            "OnDemandThroughput",
            most.map(|most| {
                Map::new()
                    .with_some("MaxReadRequestUnits", most.read)
                    .with_some("MaxWriteRequestUnits", most.write)
            }),
        ),
        Throughput::Provisioned(units) => map.with(
            "ProvisionedThroughput",
            Map::new()
                .with("ReadCapacityUnits", units.read)
                .with("WriteCapacityUnits", units.write),
        ),
    }
}

/// Returns the warm throughput.
pub fn warm_throughput(warm: WarmThroughput) -> Map {
    Map::new()
        .with_some("ReadUnitsPerSecond", warm.read)
        .with_some("WriteUnitsPerSecond", warm.write)
}

/// Returns the attributes of all keys.
pub fn attribute_definitions(plan: &Plan) -> Node {
    let definitions = plan.attributes.iter().map(|attribute| {
        Map::new()
            .with("AttributeName", attribute.name.as_str())
            .with("AttributeType", attribute.kind.letter())
            .into()
    });
    Node::Seq(definitions.collect())
}

/// Returns a key schema: HASH, then RANGE, each repeated for a multi-attribute key.
pub fn key_schema(key: &KeySchema) -> Node {
    let of_role = |role: &'static str| {
        move |name: &str| {
            Map::new()
                .with("AttributeName", name)
                .with("KeyType", role)
                .into()
        }
    };
    let partition = key
        .partition
        .iter()
        .map(|attribute| attribute.name.as_str());
    let sort = key.sort.iter().map(|attribute| attribute.name.as_str());
    Node::Seq(
        partition
            .map(of_role("HASH"))
            .chain(sort.map(of_role("RANGE")))
            .collect(),
    )
}

/// Returns the properties that every secondary index has.
pub fn secondary_index(index: &SecondaryIndex) -> Map {
    let (kind, names) = words::projection(&index.projection);
    let names = names.iter().map(|name| name.as_str().into()).collect();
    let included = matches!(index.projection, Projection::Include(_)).then_some(Node::Seq(names));
    let projection = Map::new()
        .with("ProjectionType", kind)
        .with_some("NonKeyAttributes", included);
    Map::new()
        .with("IndexName", index.name)
        .with("KeySchema", key_schema(index.key))
        .with("Projection", projection)
}

fn global_index(global: &GlobalIndex) -> Node {
    with_throughput(secondary_index(&global.index), global.throughput)
        .with_some("WarmThroughput", global.warm.map(warm_throughput))
        .with_some(
            "ContributorInsightsSpecification",
            global.insights.map(contributor_insights),
        )
        .into()
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

/// Returns a list unless it is empty.
pub fn filled(items: Vec<Node>) -> Option<Vec<Node>> {
    (!items.is_empty()).then_some(items)
}
