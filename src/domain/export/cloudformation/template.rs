//! The plan as a tree of CloudFormation's properties.
//! Source of names and values: AWS::DynamoDB::Table, AWS::ApplicationAutoScaling::ScalableTarget and
//! AWS::ApplicationAutoScaling::ScalingPolicy, CloudFormation template reference.

use super::super::yaml::{Map, Node};
use super::plan::{GlobalIndex, Plan, Scaling, SecondaryIndex, Throughput, warm};
use crate::domain::model::{
    ContributorInsights, Encryption, KeySchema, Projection, StreamView, Table, TableClass,
    WarmThroughput, limits,
};

/// Logical id of the table.
const TABLE: &str = "Table";
/// The service-linked role that scales tables. Application Auto Scaling makes it when it is first used; naming it
/// changes nothing but that GovCloud accepts the template, where the property is required.
const SCALING_ROLE: &str = "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/aws-service-role/\
    dynamodb.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable";
/// Longest description of a template, in bytes (CloudFormation quotas).
const DESCRIPTION_BYTES: usize = 1024;
/// Longest stage name: leaves most of the table name's 255 characters to the name.
const STAGE_CHARS: u64 = 32;

/// The whole template.
pub fn template(plan: &Plan) -> Map {
    let mut root = Map::new()
        .comment(format!(
            "Made by Keyfold from the design {}: change the design and export again.",
            plan.design
        ))
        .comment("The table is called TableName; with a Stage, such as dev, TableName-dev.");
    if !plan.table.replicas.is_empty() {
        let regions: Vec<&str> = (plan.table.replicas.iter())
            .map(|replica| replica.region.as_str())
            .collect();
        root = root.comment(format!(
            "Replicas are not part of this template yet. The design has some in: {}.",
            regions.join(", ")
        ));
    }
    root.with("AWSTemplateFormatVersion", "2010-09-09")
        .with("Description", description(plan))
        .blank()
        .with("Parameters", parameters(plan))
        .blank()
        .with("Conditions", Map::new().with("HasStage", has_stage()))
        .blank()
        .with("Resources", resources(plan))
        .blank()
        .with("Outputs", outputs(plan))
}

/// The design's name and description on one line, cut where CloudFormation would refuse it.
fn description(plan: &Plan) -> String {
    let words = plan.description.split_whitespace();
    let text = match words.collect::<Vec<_>>().join(" ") {
        text if text.is_empty() => format!("DynamoDB table of {}", plan.design),
        text => format!("{}: {text}", plan.design),
    };
    if text.len() <= DESCRIPTION_BYTES {
        return text;
    }
    let end = text.floor_char_boundary(DESCRIPTION_BYTES - "…".len());
    format!("{}…", &text[..end])
}

fn parameters(plan: &Plan) -> Map {
    let (shortest, longest) = limits::RESOURCE_NAME_CHARS.into_inner();
    let table_name = Map::new()
        .with("Type", "String")
        .with("Description", "Name of the table, before the stage")
        .with("Default", plan.table.name.as_str())
        .with("MinLength", shortest as u64)
        .with("MaxLength", longest as u64)
        .with("AllowedPattern", "^[a-zA-Z0-9_.-]+$")
        .with(
            "ConstraintDescription",
            format!("{shortest} to {longest} of A-Z, a-z, 0-9, _, . and -"),
        );
    let stage = Map::new()
        .with("Type", "String")
        .with(
            "Description",
            "Stage, such as dev, that is added to the table name after a hyphen; empty for none",
        )
        .with("Default", "")
        .with("MaxLength", STAGE_CHARS)
        .with("AllowedPattern", "^[a-zA-Z0-9_.-]*$")
        .with(
            "ConstraintDescription",
            format!("at most {STAGE_CHARS} of A-Z, a-z, 0-9, _, . and -"),
        );
    Map::new()
        .with("TableName", table_name)
        .with("Stage", stage)
}

/// `!Not [!Equals [!Ref Stage, '']]`
fn has_stage() -> Node {
    let is_empty = Node::tagged(
        "Equals",
        vec![Node::reference("Stage"), Node::from("")].into(),
    );
    Node::tagged("Not", vec![is_empty].into())
}

fn resources(plan: &Plan) -> Map {
    let table = Map::new()
        .with("Type", Node::Type("AWS::DynamoDB::Table".into()))
        .with("DeletionPolicy", "Retain")
        .with("UpdateReplacePolicy", "Retain")
        .with("Properties", table_properties(plan));
    let mut resources = Map::new().with(TABLE, table);
    for scaling in &plan.scaling {
        let target = format!("{}ScalableTarget", scaling.logical_id);
        resources = resources
            .blank()
            .with(target.as_str(), scalable_target(scaling))
            .blank()
            .with(
                format!("{}ScalingPolicy", scaling.logical_id),
                scaling_policy(scaling, &target),
            );
    }
    resources
}

fn table_properties(plan: &Plan) -> Map {
    let table = plan.table;
    let name = Node::tagged(
        "If",
        vec![
            Node::from("HasStage"),
            Node::sub("${TableName}-${Stage}"),
            Node::reference("TableName"),
        ]
        .into(),
    );
    let billing = match plan.throughput {
        Throughput::OnDemand(_) => "PAY_PER_REQUEST",
        Throughput::Provisioned(_) => "PROVISIONED",
    };
    let class = match table.class {
        TableClass::Standard => None,
        TableClass::StandardInfrequentAccess => Some("STANDARD_INFREQUENT_ACCESS"),
    };
    let mut properties = Map::new()
        .with("TableName", name)
        .with("BillingMode", billing);
    properties = with_throughput(properties, plan.throughput)
        .with_some(
            "WarmThroughput",
            warm(table.warm_throughput).map(warm_throughput),
        )
        .with_some("TableClass", class)
        .with("AttributeDefinitions", attribute_definitions(plan))
        .with("KeySchema", key_schema(&table.key));
    if plan.global.len() > 1 {
        properties = properties.comment(one_index_at_a_time(&plan.global));
    }
    let global = plan.global.iter().map(global_index).collect();
    let local = plan.local.iter().map(|local| secondary_index(local).into());
    properties = properties
        .with_some("GlobalSecondaryIndexes", filled(global))
        .with_some("LocalSecondaryIndexes", filled(local.collect()));
    with_settings(properties, plan)
}

/// The properties that are no part of keys or capacity, in the order of the design's settings.
fn with_settings(properties: Map, plan: &Plan) -> Map {
    let table = plan.table;
    let ttl = table.ttl_attribute.as_deref().map(|attribute| {
        Map::new()
            .with("AttributeName", attribute)
            .with("Enabled", true)
    });
    let stream = table
        .stream
        .map(|view| Map::new().with("StreamViewType", stream_view(view)));
    let recovery = table.recovery.map(|recovery| {
        Map::new()
            .with("PointInTimeRecoveryEnabled", true)
            .with_some("RecoveryPeriodInDays", recovery.days.map(u64::from))
    });
    let kinesis = table.kinesis.as_ref().map(|kinesis| {
        let precision = match kinesis.microseconds {
            true => "MICROSECOND",
            false => "MILLISECOND",
        };
        Map::new()
            .with("StreamArn", kinesis.arn.as_str())
            .with("ApproximateCreationDateTimePrecision", precision)
    });
    let tags = table.tags.iter().map(|(key, value)| {
        let tag = Map::new().with("Key", key.as_str());
        tag.with("Value", value.as_str()).into()
    });
    let tags = filled(tags.collect());
    let properties = properties
        .with_some("TimeToLiveSpecification", ttl)
        .with_some("StreamSpecification", stream)
        .with_some("KinesisStreamSpecification", kinesis)
        .with_some("PointInTimeRecoverySpecification", recovery)
        .with_some("SSESpecification", encryption(table))
        .with_some(
            "DeletionProtectionEnabled",
            table.deletion_protection.then_some(true),
        )
        .with_some(
            "ContributorInsightsSpecification",
            table.contributor_insights.map(contributor_insights),
        );
    match &plan.policy {
        None => properties,
        Some(Ok(policy)) => properties.with(
            "ResourcePolicy",
            Map::new().with("PolicyDocument", policy.clone()),
        ),
        Some(Err(problem)) => properties.comment(format!(
            "ResourcePolicy is left out, because of an error in the design's policy: {problem}"
        )),
    }
    .with_some("Tags", tags)
}

/// CloudFormation refuses an update that creates or deletes two global indexes of one table.
fn one_index_at_a_time(global: &[GlobalIndex]) -> String {
    let mut note = format!(
        "A new table gets these {} indexes at once. On a table that exists, one stack update can create or\n\
         delete only one of them: to add them, update the stack once for each, such as in this order:",
        global.len()
    );
    for (number, global) in (1..).zip(global) {
        note.push_str(&format!("\n{number}. {}", global.index.name));
    }
    note
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

fn warm_throughput(warm: WarmThroughput) -> Map {
    Map::new()
        .with_some("ReadUnitsPerSecond", warm.read)
        .with_some("WriteUnitsPerSecond", warm.write)
}

fn attribute_definitions(plan: &Plan) -> Node {
    let definitions = plan.attributes.iter().map(|attribute| {
        Map::new()
            .with("AttributeName", attribute.name.as_str())
            .with("AttributeType", attribute.kind.letter())
            .into()
    });
    Node::Seq(definitions.collect())
}

fn key_schema(key: &KeySchema) -> Node {
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

fn secondary_index(index: &SecondaryIndex) -> Map {
    let projection = match &index.projection {
        Projection::All => Map::new().with("ProjectionType", "ALL"),
        Projection::KeysOnly => Map::new().with("ProjectionType", "KEYS_ONLY"),
        Projection::Include(names) => Map::new().with("ProjectionType", "INCLUDE").with(
            "NonKeyAttributes",
            Node::Seq(names.iter().map(|name| name.as_str().into()).collect()),
        ),
    };
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

fn contributor_insights(mode: ContributorInsights) -> Map {
    let mode = match mode {
        ContributorInsights::AccessedAndThrottledKeys => "ACCESSED_AND_THROTTLED_KEYS",
        ContributorInsights::ThrottledKeys => "THROTTLED_KEYS",
    };
    Map::new().with("Enabled", true).with("Mode", mode)
}

fn stream_view(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

fn encryption(table: &Table) -> Option<Map> {
    let kms = || Map::new().with("SSEEnabled", true).with("SSEType", "KMS");
    match &table.encryption {
        Encryption::AwsOwned => None,
        Encryption::AwsManaged => Some(kms()),
        Encryption::CustomerManaged(key) => Some(kms().with("KMSMasterKeyId", key.as_str())),
    }
}

fn scalable_target(scaling: &Scaling) -> Map {
    let (path, kind) = match scaling.index {
        None => (String::new(), "table"),
        Some(index) => (format!("/index/{index}"), "index"),
    };
    Map::new()
        .with(
            "Type",
            Node::Type("AWS::ApplicationAutoScaling::ScalableTarget".into()),
        )
        .with(
            "Properties",
            Map::new()
                .with("ServiceNamespace", "dynamodb")
                .with("ResourceId", Node::sub(format!("table/${{{TABLE}}}{path}")))
                .with(
                    "ScalableDimension",
                    format!("dynamodb:{kind}:{}CapacityUnits", scaling.dimension.word()),
                )
                .with("MinCapacity", scaling.target.min)
                .with("MaxCapacity", scaling.target.max)
                .with("RoleARN", Node::sub(SCALING_ROLE)),
        )
}

fn scaling_policy(scaling: &Scaling, target: &str) -> Map {
    let word = scaling.dimension.word();
    let metric = format!("DynamoDB{word}CapacityUtilization");
    let tracking = Map::new()
        .with(
            "PredefinedMetricSpecification",
            Map::new().with("PredefinedMetricType", metric),
        )
        .with("TargetValue", u64::from(scaling.target.target_percent));
    Map::new()
        .with(
            "Type",
            Node::Type("AWS::ApplicationAutoScaling::ScalingPolicy".into()),
        )
        .with(
            "Properties",
            Map::new()
                .with("PolicyName", format!("{word}CapacityUtilization"))
                .with("PolicyType", "TargetTrackingScaling")
                .with("ScalingTargetId", Node::reference(target))
                .with("TargetTrackingScalingPolicyConfiguration", tracking),
        )
}

fn outputs(plan: &Plan) -> Map {
    let output = |description: &str, value: Node| {
        Map::new()
            .with("Description", description)
            .with("Value", value)
    };
    let mut outputs = Map::new()
        .with(
            "TableName",
            output("Name of the table", Node::reference(TABLE)),
        )
        .with(
            "TableArn",
            output("ARN of the table", Node::get_att(TABLE, "Arn")),
        );
    if !plan.global.is_empty() || !plan.local.is_empty() {
        outputs = outputs.with(
            "IndexArns",
            output(
                "ARN pattern of all indexes, for IAM policies",
                Node::sub(format!("${{{TABLE}.Arn}}/index/*")),
            ),
        );
    }
    if plan.table.stream.is_some() {
        outputs = outputs.with(
            "StreamArn",
            output(
                "ARN of the change stream",
                Node::get_att(TABLE, "StreamArn"),
            ),
        );
    }
    outputs
}

fn filled(items: Vec<Node>) -> Option<Vec<Node>> {
    (!items.is_empty()).then_some(items)
}
