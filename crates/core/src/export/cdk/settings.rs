//! The settings of the table besides keys and capacity.

use super::super::api_names::{insights_mode, precision, stream_view};
use super::super::table_plan::Plan;
use super::super::tree::{Map, Node};
use super::super::typescript::quoted;
use super::super::typescript::{self, line};
use super::super::writer::CodeWriter;
use super::super::writer::one_line;
use super::construct::{Kind, member};
use crate::model::{
    ContributorInsights, Encryption, MultiRegionConsistency, Replica, Table, TableClass,
};

/// Whether the table has a customer managed key.
pub fn has_key(plan: &Plan) -> bool {
    matches!(plan.table.encryption, Encryption::CustomerManaged(_))
}

/// Whether the code must build the ARN of a key.
pub fn makes_an_arn(plan: &Plan) -> bool {
    let Encryption::CustomerManaged(key) = &plan.table.encryption else {
        return false;
    };
    let is_plain = |key: &str| !key.starts_with("arn:");
    let mut replicas = plan.table.replicas.iter();
    let of_replica = |replica: &Replica| is_plain(replica.kms_key.as_ref().unwrap_or(key));
    is_plain(key) && !key.starts_with("alias/") || replicas.any(of_replica)
}

/// Returns an expression for the ARN of a key in a Region, by default the stack's.
fn arn(key: &str, region: Option<&str>) -> String {
    if key.starts_with("arn:") {
        return quoted(key);
    }
    let region = region.map_or(String::new(), |region| {
        [" region: ", &quoted(region), ","].concat()
    });
    let kind = if key.starts_with("alias/") {
        ""
    } else {
        "key/"
    };
    let resource = quoted(&[kind, key].concat());
    [
        "Stack.of(this).formatArn({ service: \"kms\",",
        &region,
        " resource: ",
        &resource,
        " })",
    ]
    .concat()
}

/// Writes the statements that the table depends on.
pub fn prepare(out: &mut CodeWriter, plan: &Plan, kind: Kind) {
    if let Encryption::CustomerManaged(key) = &plan.table.encryption {
        let (from, key) = match key.starts_with("alias/") {
            true => ("kms.Alias.fromAliasName(this, \"Key\", ", quoted(key)),
            false => ("kms.Key.fromKeyArn(this, \"Key\", ", arn(key, None)),
        };
        let found = [from, &key, ")"].concat();
        line(out, &["const encryptionKey = ", &found, ";"].concat());
    }
    if let Some(kinesis) = &plan.table.kinesis {
        let arn = quoted(&kinesis.arn);
        let found = "kinesis.Stream.fromStreamArn(this, \"Changes\", ";
        line(out, &["const changes = ", found, &arn, ");"].concat());
    }
    for note in notes(plan, kind) {
        typescript::comment(out, &note);
    }
}

/// Returns comments about settings that the construct does not support.
fn notes(plan: &Plan, kind: Kind) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(Err(problem)) = plan.stack_policy() {
        notes.push(format!(
            "The resource policy is omitted, because the design's policy has an error: {}",
            one_line(&problem)
        ));
    }
    if kind == Kind::Table {
        return notes;
    }
    notes.push("A stack with replicas needs an explicit Region in its env.".to_owned());
    notes.extend(plan.replica_key_notes());
    for global in plan
        .global
        .iter()
        .filter(|global| global.insights.is_some())
    {
        notes.push(format!(
            "TableV2 does not support Contributor Insights for individual indexes: the design enables it for {}.",
            global.index.name
        ));
    }
    if plan
        .table
        .kinesis
        .as_ref()
        .is_some_and(|kinesis| kinesis.microseconds)
    {
        notes.push(
            "TableV2 does not support the precision of Kinesis records: the design sets MICROSECOND."
                .to_owned(),
        );
    }
    notes
}

/// Adds the settings.
pub fn add(object: &mut Map, plan: &Plan, kind: Kind) {
    let table = plan.table;
    if table.class == TableClass::StandardInfrequentAccess {
        object.add(
            "tableClass",
            member("TableClass", "STANDARD_INFREQUENT_ACCESS"),
        );
    }
    let ttl = table.ttl_attribute.as_deref();
    object.add_some("timeToLiveAttribute", ttl);
    let stream = match kind {
        Kind::Table => "stream",
        Kind::Global => "dynamoStream",
    };
    let view = |view| member("StreamViewType", stream_view(view));
    object.add_some(stream, plan.stream().map(view));
    if let Some(kinesis) = &table.kinesis {
        object.add("kinesisStream", Node::code("changes"));
        if kind == Kind::Table {
            let precision = precision(kinesis.microseconds);
            let precision = member("ApproximateCreationDateTimePrecision", precision);
            object.add("kinesisPrecisionTimestamp", precision);
        }
    }
    if let Some(recovery) = table.recovery {
        let mut specification = Map::new().with("pointInTimeRecoveryEnabled", true);
        specification.add_some("recoveryPeriodInDays", recovery.days.map(u64::from));
        object.add("pointInTimeRecoverySpecification", specification);
    }
    encryption(object, table, kind);
    if table.deletion_protection {
        object.add("deletionProtection", true);
    }
    insights(object, table.contributor_insights);
    policy(object, plan);
    if kind == Kind::Global {
        global(object, table);
    }
    let removal = match plan.delete_with_stack {
        true => "RemovalPolicy.DESTROY",
        false => "RemovalPolicy.RETAIN",
    };
    object.add("removalPolicy", Node::code(removal));
}

/// Adds the settings that only a global table has.
fn global(object: &mut Map, table: &Table) {
    let mut tags = Vec::new();
    for (key, value) in &table.tags {
        let tag = Map::new().with("key", key.as_str());
        tags.push(tag.with("value", value.as_str()).into());
    }
    let tags = (!tags.is_empty()).then_some(Node::List(tags));
    object.add_some("tags", tags.clone());
    let mut replicas = Vec::new();
    for replica in &table.replicas {
        // The tags above are of the stack's own Region only.
        let map = Map::new().with("region", replica.region.as_str());
        replicas.push(map.with_some("tags", tags.clone()).into());
    }
    object.add("replicas", Node::List(replicas));
    if table.multi_region_consistency == MultiRegionConsistency::Strong {
        let strong = member("MultiRegionConsistency", "STRONG");
        object.add("multiRegionConsistency", strong);
    }
}

/// Adds Contributor Insights of the table or an index.
pub fn insights(object: &mut Map, mode: Option<ContributorInsights>) {
    if let Some(mode) = mode {
        let specification = Map::new().with("enabled", true);
        let mode = member("ContributorInsightsMode", insights_mode(mode));
        object.add(
            "contributorInsightsSpecification",
            specification.with("mode", mode),
        );
    }
}

fn encryption(object: &mut Map, table: &Table, kind: Kind) {
    match (&table.encryption, kind) {
        (Encryption::AwsOwned, _) => {}
        (Encryption::AwsManaged, Kind::Table) => {
            object.add("encryption", member("TableEncryption", "AWS_MANAGED"));
        }
        (Encryption::AwsManaged, Kind::Global) => {
            object.add("encryption", member("TableEncryptionV2", "awsManagedKey()"));
        }
        (Encryption::CustomerManaged(_), Kind::Table) => {
            object.add("encryption", member("TableEncryption", "CUSTOMER_MANAGED"));
            object.add("encryptionKey", Node::code("encryptionKey"));
        }
        (Encryption::CustomerManaged(own), Kind::Global) => {
            let mut arns = Vec::new();
            for replica in &table.replicas {
                // As in the CloudFormation template: a replica without its own key uses the key of the table's Region.
                let key = replica.kms_key.as_ref().unwrap_or(own);
                let key = arn(key, Some(&replica.region));
                arns.push([quoted(&replica.region), key].join(": "));
            }
            let arns = arns.join(", ");
            let call = ["customerManagedKey(encryptionKey, { ", &arns, " })"].concat();
            object.add("encryption", member("TableEncryptionV2", &call));
        }
    }
}

/// Adds the resource policy. The plan has validated that it is a JSON object.
fn policy(object: &mut Map, plan: &Plan) {
    let (Some(Ok(_)), Some(text)) = (plan.stack_policy(), &plan.table.resource_policy) else {
        return;
    };
    if let Ok(document) = serde_json::from_str::<serde_json::Value>(text) {
        let document = Node::from(&document);
        let document = Node::call("iam.PolicyDocument.fromJson", document);
        object.add("resourcePolicy", document);
    }
}
