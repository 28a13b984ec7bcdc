//! The settings of the table besides keys and capacity.

use super::super::api_names::{insights_mode, precision, stream_view};
use super::super::table_plan::{GlobalIndex, Plan};
use super::super::tree::{Map, Node};
use super::super::typescript::quoted;
use super::super::typescript::{self, line};
use super::super::writer::CodeWriter;
use super::super::writer::one_line;
use super::capacity;
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

/// The version that the CDK writes into each policy.
const VERSION: &str = "2012-10-17";

/// The feature flag without which `TableV2` gives the policy of the table to its replicas. The CDK's code calls it
/// `DYNAMODB_TABLEV2_RESOURCE_POLICY_PER_REPLICA`.
const POLICY_FLAG: &str = "@aws-cdk/aws-dynamodb:resourcePolicyPerReplica";

/// The GSIs that do not have the Contributor Insights of the table.
fn with_other_insights<'p>(plan: &'p Plan<'p>) -> impl Iterator<Item = &'p GlobalIndex<'p>> {
    let of_table = plan.table.contributor_insights;
    let all = plan.global.iter();
    all.filter(move |global| global.insights != of_table)
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
    let policy = plan.stack_policy().and_then(Result::ok);
    if let Some(Node::Map(policy)) = policy {
        let version = policy
            .get("Version")
            .filter(|version| **version != VERSION.into());
        let version = version.map(|version| match version {
            Node::Text(text) => ["Version ", &one_line(text)].concat(),
            _ => "Version".to_owned(),
        });
        let id = policy.get("Id").map(|_| "Id".to_owned());
        let dropped: Vec<String> = version.into_iter().chain(id).collect();
        if !dropped.is_empty() {
            notes.push(format!(
                "The CDK drops {} of the resource policy: it writes Version {VERSION}.",
                dropped.join(" and ")
            ));
        }
    }
    if kind == Kind::Table {
        return notes;
    }
    if policy.is_some() {
        notes.push(format!(
            "Set the feature flag {POLICY_FLAG} in cdk.json: without it, each replica gets the resource policy, too."
        ));
    }
    notes.push("A stack with replicas needs an explicit Region in its env.".to_owned());
    notes.extend(plan.replica_key_notes());
    let others: Vec<&str> = (with_other_insights(plan))
        .map(|global| global.index.name)
        .collect();
    if !others.is_empty() {
        notes.push(format!(
            "In the stack's own Region, TableV2 gives each GSI the Contributor Insights of the table: the design has other ones for {}.",
            others.join(", ")
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
        global(object, plan);
    }
    let removal = match plan.delete_with_stack {
        true => "RemovalPolicy.DESTROY",
        false => "RemovalPolicy.RETAIN",
    };
    object.add("removalPolicy", Node::code(removal));
}

/// Adds the settings that only a global table has.
fn global(object: &mut Map, plan: &Plan) {
    let table = plan.table;
    let mut options = Map::new();
    for global in with_other_insights(plan) {
        // The options replace the capacity that the index has in the own Region.
        let mut own = Map::new();
        capacity::reads(&mut own, global.throughput);
        match global.insights {
            Some(_) => insights(&mut own, global.insights),
            None => own.add(
                "contributorInsightsSpecification",
                Map::new().with("enabled", false),
            ),
        }
        options.add(global.index.name, own);
    }
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
        let mut map = Map::new().with("region", replica.region.as_str());
        map.add_some("tags", tags.clone());
        let options = (!options.is_empty()).then(|| options.clone());
        replicas.push(map.with_some("globalSecondaryIndexOptions", options).into());
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

/// Adds the resource policy. The plan has validated that it is a JSON object. `fromJson` takes only a list of statements.
fn policy(object: &mut Map, plan: &Plan) {
    let (Some(Ok(_)), Some(text)) = (plan.stack_policy(), &plan.table.resource_policy) else {
        return;
    };
    if let Ok(mut document) = serde_json::from_str::<serde_json::Value>(text) {
        if let Some(statement) = document.get_mut("Statement").filter(|one| one.is_object()) {
            *statement = vec![statement.take()].into();
        }
        let document = Node::from(&document);
        let document = Node::call("iam.PolicyDocument.fromJson", document);
        object.add("resourcePolicy", document);
    }
}
