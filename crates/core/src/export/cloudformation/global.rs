//! The properties of `AWS::DynamoDB::GlobalTable`, for a table with replicas. Settings of one Region are in its
//! replica. Reads scale per replica, writes for all replicas together, inside the resource.
//! Source of names and values: AWS::DynamoDB::GlobalTable, CloudFormation template reference.

use super::super::api_names::{
    attribute_definitions, billing_mode, filled, key_schema, secondary_index, stream_view, tags,
    warm_throughput,
};
use super::super::table_plan::{GlobalIndex, Plan, Throughput, global_writes, warm};
use super::super::tree::{Map, Node};
use super::functions::reference;
use super::table::{
    contributor_insights, encryption, kinesis, recovery, table_class, table_name, time_to_live,
    with_index_note, with_policy,
};
use crate::model::{
    Autoscaling, Encryption, MultiRegionConsistency, ProvisionedThroughput, Replica, StreamView,
};

/// Returns the properties of the global table. The stack's own Region is the first replica.
pub fn global_table_properties(plan: &Plan) -> Map {
    let table = plan.table;
    let mut properties = Map::new()
        .with("TableName", table_name(plan))
        .with("BillingMode", billing_mode(plan));
    properties = with_writes(properties, plan.throughput)
        .with_some(
            "WarmThroughput",
            warm(table.warm_throughput).map(warm_throughput),
        )
        .with("AttributeDefinitions", attribute_definitions(plan))
        .with("KeySchema", key_schema(&table.key));
    let mut global = Vec::new();
    for index in &plan.global {
        let map = with_writes(secondary_index(&index.index), index.throughput);
        let map = map.with_some("WarmThroughput", index.warm.map(warm_throughput));
        global.push(map.into());
    }
    let mut local = Vec::new();
    for index in &plan.local {
        local.push(secondary_index(index).into());
    }
    properties = with_index_note(properties, plan)
        .with_some("GlobalSecondaryIndexes", filled(global))
        .with_some("LocalSecondaryIndexes", filled(local))
        .with_some("TimeToLiveSpecification", time_to_live(plan));
    let eventual = table.multi_region_consistency == MultiRegionConsistency::Eventual;
    let stream = plan.stream().unwrap_or(StreamView::NewAndOldImages);
    if table.stream.is_some_and(|view| view != stream) {
        properties = properties.with_comment(
            "Replication requires NEW_AND_OLD_IMAGES, whatever the design's stream view type.",
        );
    }
    let sse = encryption(table).map(|_| {
        let map = Map::new().with("SSEEnabled", true);
        map.with("SSEType", "KMS")
    });
    let mut replicas = vec![replica(plan, None).into()];
    for other in &table.replicas {
        replicas.push(replica(plan, Some(other)).into());
    }
    properties = properties
        .with(
            "StreamSpecification",
            Map::new().with("StreamViewType", stream_view(stream)),
        )
        .with_some("SSESpecification", sse)
        .with_some("MultiRegionConsistency", (!eventual).then_some("STRONG"));
    if table.replicas.len() > 1 {
        properties = properties.with_comment(
            "A new table gets these replicas at once. Later, one stack update can add or remove only one of them.",
        );
    }
    for note in plan.replica_key_notes() {
        properties = properties.with_comment(note);
    }
    properties.with("Replicas", Node::List(replicas))
}

/// Returns a replica: of the stack's own Region (`None`), or of another Region.
fn replica(plan: &Plan, other: Option<&Replica>) -> Map {
    let table = plan.table;
    let region = match other {
        None => reference("AWS::Region"),
        Some(replica) => replica.region.as_str().into(),
    };
    let kms_key = match (&table.encryption, other) {
        (_, Some(other)) => plan.replica_key(other),
        (Encryption::CustomerManaged(key), None) => Some(key.as_str()),
        (Encryption::AwsOwned | Encryption::AwsManaged, None) => None,
    };
    let kms_key = kms_key.map(|key| Map::new().with("KMSMasterKeyId", key));
    let mut indexes = Vec::new();
    for index in &plan.global {
        let own = index_of_replica(index);
        if own.pairs().count() > 1 {
            indexes.push(own.into());
        }
    }
    let replica = with_reads(Map::new().with("Region", region), plan.throughput)
        .with_some("GlobalSecondaryIndexes", filled(indexes))
        .with_some("TableClass", table_class(table))
        .with_some("PointInTimeRecoverySpecification", recovery(table))
        .with_some("SSESpecification", kms_key)
        .with_some(
            "DeletionProtectionEnabled",
            table.deletion_protection.then_some(true),
        )
        .with_some(
            "ContributorInsightsSpecification",
            table.contributor_insights.map(contributor_insights),
        );
    // A Kinesis data stream and a resource policy belong to one Region.
    let replica = match other {
        None => with_policy(
            replica.with_some("KinesisStreamSpecification", kinesis(table)),
            plan,
        ),
        Some(_) => replica,
    };
    replica.with_some("Tags", tags(table))
}

/// Returns the settings of an index in one Region.
fn index_of_replica(index: &GlobalIndex) -> Map {
    let map = Map::new().with("IndexName", index.index.name);
    with_reads(map, index.throughput).with_some(
        "ContributorInsightsSpecification",
        index.insights.map(contributor_insights),
    )
}

fn with_writes(map: Map, throughput: Throughput) -> Map {
    match throughput {
        Throughput::OnDemand(most) => {
            let write = most.and_then(|most| most.write);
            map.with_some(
                "WriteOnDemandThroughputSettings",
                write.map(|write| Map::new().with("MaxWriteRequestUnits", write)),
            )
        }
        Throughput::Provisioned(units) => map.with(
            "WriteProvisionedThroughputSettings",
            Map::new().with("WriteCapacityAutoScalingSettings", write_scaling(units)),
        ),
    }
}

/// Returns write scaling, which a provisioned global table always has.
fn write_scaling(units: &ProvisionedThroughput) -> Map {
    let target = global_writes(units.write, units.write_scaling);
    scaling(target).with("SeedCapacity", units.write)
}

fn with_reads(map: Map, throughput: Throughput) -> Map {
    match throughput {
        Throughput::OnDemand(most) => {
            let read = most.and_then(|most| most.read);
            map.with_some(
                "ReadOnDemandThroughputSettings",
                read.map(|read| Map::new().with("MaxReadRequestUnits", read)),
            )
        }
        Throughput::Provisioned(units) => {
            let settings = match units.read_scaling {
                None => Map::new().with("ReadCapacityUnits", units.read),
                Some(target) => Map::new().with(
                    "ReadCapacityAutoScalingSettings",
                    scaling(target).with("SeedCapacity", units.read),
                ),
            };
            map.with("ReadProvisionedThroughputSettings", settings)
        }
    }
}

fn scaling(target: Autoscaling) -> Map {
    Map::new()
        .with("MinCapacity", target.min)
        .with("MaxCapacity", target.max)
        .with(
            "TargetTrackingScalingPolicyConfiguration",
            Map::new().with("TargetValue", u64::from(target.target_percent)),
        )
}
