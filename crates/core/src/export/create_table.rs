//! Requests for the AWS CLI: `create-table`, the calls that a new table needs afterwards, and a script that runs them
//! in order.

use super::Code;
use super::api_names::{
    add_throughput, attribute_definitions, billing_mode, filled, indexes, insights_mode,
    key_schema, precision, secondary_index, stream_view, tags, warm_throughput,
};
use super::format::File;
use super::literal::{self, Style};
use super::table_plan::{Plan, plan, warm};
use super::tree::{Map, Node};
use super::writer::{CodeWriter, Tag, one_line};
use crate::model::{Design, Encryption, MultiRegionConsistency, Table, TableClass};
use crate::slices::finish;

/// Most characters of an index's name in the name of a file: file systems take 255 bytes.
const PART_CHARS: usize = 100;

/// Writes the requests, each as a file for `--cli-input-json`, and the script `create.sh`.
pub fn create_table(design: &Design) -> Vec<File> {
    let plan = plan(design);
    let mut calls = Calls {
        files: Vec::new(),
        script: CodeWriter::new(),
    };
    calls.begin(&plan);
    calls.add("dynamodb", "create-table", &[], request(&plan));
    calls.wait(&plan);
    after(&plan, &mut calls);
    scaling(&plan, &mut calls);
    replicas(&plan, &mut calls);
    calls.finish()
}

/// Returns the CreateTable request.
pub fn request(plan: &Plan) -> Map {
    let table = plan.table;
    let mut request = Map::new().with("TableName", table.name.as_str());
    request.add("AttributeDefinitions", attribute_definitions(plan));
    request.add("KeySchema", key_schema(&table.key));
    request.add("BillingMode", billing_mode(plan));
    add_throughput(&mut request, plan.throughput);
    request.add_some(
        "WarmThroughput",
        warm(table.warm_throughput).map(warm_throughput),
    );
    let (mut global, mut local) = (Vec::new(), Vec::new());
    for (index, of_global) in indexes(plan) {
        let mut entry = secondary_index(index);
        let Some(of_global) = of_global else {
            local.push(entry.into());
            continue;
        };
        add_throughput(&mut entry, of_global.throughput);
        entry.add_some("WarmThroughput", of_global.warm.map(warm_throughput));
        global.push(entry.into());
    }
    request.add_some("GlobalSecondaryIndexes", filled(global));
    request.add_some("LocalSecondaryIndexes", filled(local));
    settings(&mut request, plan);
    request
}

fn settings(request: &mut Map, plan: &Plan) {
    let table = plan.table;
    if let Some(view) = plan.stream() {
        let stream = Map::new().with("StreamEnabled", true);
        request.add(
            "StreamSpecification",
            stream.with("StreamViewType", stream_view(view)),
        );
    }
    let kms = || Map::new().with("Enabled", true).with("SSEType", "KMS");
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => request.add("SSESpecification", kms()),
        Encryption::CustomerManaged(key) => {
            request.add(
                "SSESpecification",
                kms().with("KMSMasterKeyId", key.as_str()),
            );
        }
    }
    if table.class == TableClass::StandardInfrequentAccess {
        request.add("TableClass", "STANDARD_INFREQUENT_ACCESS");
    }
    if table.deletion_protection {
        request.add("DeletionProtectionEnabled", true);
    }
    if let (Some(Ok(_)), Some(policy)) = (&plan.policy, &table.resource_policy) {
        request.add("ResourcePolicy", policy.as_str());
    }
    request.add_some("Tags", tags(table));
}

/// What CreateTable cannot say.
fn after(plan: &Plan, calls: &mut Calls) {
    let table = plan.table;
    let of_table = || Map::new().with("TableName", table.name.as_str());
    if let Some(attribute) = &table.ttl_attribute {
        let ttl = Map::new().with("Enabled", true);
        let ttl = ttl.with("AttributeName", attribute.as_str());
        let request = of_table().with("TimeToLiveSpecification", ttl);
        calls.add("dynamodb", "update-time-to-live", &[], request);
    }
    if let Some(recovery) = table.recovery {
        let mut specification = Map::new().with("PointInTimeRecoveryEnabled", true);
        specification.add_some("RecoveryPeriodInDays", recovery.days.map(u64::from));
        let request = of_table().with("PointInTimeRecoverySpecification", specification);
        calls.add("dynamodb", "update-continuous-backups", &[], request);
    }
    if let Some(kinesis) = &table.kinesis {
        let mut request = of_table().with("StreamArn", kinesis.arn.as_str());
        let precision = precision(kinesis.microseconds);
        let precision = Map::new().with("ApproximateCreationDateTimePrecision", precision);
        request.add("EnableKinesisStreamingConfiguration", precision);
        let action = "enable-kinesis-streaming-destination";
        calls.add("dynamodb", action, &[], request);
    }
    let of_indexes = plan
        .global
        .iter()
        .map(|global| (Some(global.index.name), global.insights));
    let of_all = std::iter::once((None, table.contributor_insights)).chain(of_indexes);
    for (index, mode) in of_all {
        let Some(mode) = mode else { continue };
        let mut request = of_table();
        request.add_some("IndexName", index);
        request.add("ContributorInsightsAction", "ENABLE");
        request.add("ContributorInsightsMode", insights_mode(mode));
        let action = "update-contributor-insights";
        calls.add("dynamodb", action, &[index.unwrap_or_default()], request);
    }
}

/// Adds auto scaling: a target and a policy for each scaled capacity.
fn scaling(plan: &Plan, calls: &mut Calls) {
    for scaling in &plan.scaling {
        let word = scaling.dimension.word();
        let (path, kind) = match scaling.index {
            None => (String::new(), "table"),
            Some(index) => (["/index/", index].concat(), "index"),
        };
        let dimension = ["dynamodb:", kind, ":", word, "CapacityUnits"].concat();
        let of_target = || {
            let object = Map::new().with("ServiceNamespace", "dynamodb");
            let resource = ["table/", &plan.table.name, &path].concat();
            let object = object.with("ResourceId", resource.as_str());
            object.with("ScalableDimension", dimension.as_str())
        };
        let target = of_target().with("MinCapacity", scaling.target.min);
        let target = target.with("MaxCapacity", scaling.target.max);
        let name = [scaling.index.unwrap_or_default(), word];
        let service = "application-autoscaling";
        calls.add(service, "register-scalable-target", &name, target);
        let metric = ["DynamoDB", word, "CapacityUtilization"].concat();
        let metric = Map::new().with("PredefinedMetricType", metric.as_str());
        let tracking = Map::new().with("PredefinedMetricSpecification", metric);
        let tracking = tracking.with("TargetValue", u64::from(scaling.target.target_percent));
        let mut policy = Map::new();
        policy.add(
            "PolicyName",
            [word, "CapacityUtilization"].concat().as_str(),
        );
        policy.extend(of_target());
        policy.add("PolicyType", "TargetTrackingScaling");
        policy.add("TargetTrackingScalingPolicyConfiguration", tracking);
        calls.add(service, "put-scaling-policy", &name, policy);
    }
}

/// Adds replicas: one at a time, or all at once for a strongly consistent table, as DynamoDB requires.
fn replicas(plan: &Plan, calls: &mut Calls) {
    let table = plan.table;
    let mut updates = Vec::new();
    for replica in &table.replicas {
        let mut create = Map::new().with("RegionName", replica.region.as_str());
        create.add_some("KMSMasterKeyId", plan.replica_key(replica));
        updates.push(Map::new().with("Create", create).into());
    }
    for note in plan.replica_key_notes() {
        calls.comment(&format!(" {note}"));
    }
    let strong = table.multi_region_consistency == MultiRegionConsistency::Strong;
    let each = match strong {
        true => updates.len().max(1),
        false => 1,
    };
    for (at, updates) in updates.chunks(each).enumerate() {
        let mut request = Map::new().with("TableName", table.name.as_str());
        request.add("ReplicaUpdates", updates.to_vec());
        if strong {
            request.add("MultiRegionConsistency", "STRONG");
        }
        let number = (at + 1).to_string();
        calls.add("dynamodb", "update-table", &["replicas", &number], request);
        calls.wait(plan);
    }
    let of_region = [
        (table.recovery.is_some(), "point-in-time recovery"),
        (table.deletion_protection, "deletion protection"),
        (!table.tags.is_empty(), "tags"),
    ];
    let missing = (of_region.iter()).filter(|(is_set, _)| *is_set);
    let missing = missing.map(|(_, name)| (*name).to_owned());
    if let Some(note) = plan.missing_in_replicas(missing.collect()) {
        calls.comment(&format!(" {note}"));
    }
}

/// The calls written so far.
struct Calls {
    files: Vec<File>,
    script: CodeWriter,
}

impl Calls {
    fn begin(&mut self, plan: &Plan) {
        self.comment("!/bin/sh");
        let name = one_line(plan.design);
        self.comment(&format!(
            " Generated by Keyfold from the design {name}. Do not edit: change the design and export again."
        ));
        self.comment(" Creates the table with the AWS CLI, in its configured account and Region.");
        if let Some(Err(problem)) = &plan.policy {
            let problem = one_line(problem);
            self.comment(&format!(
                " The resource policy is omitted, because the design's policy has an error: {problem}"
            ));
        }
        self.command("set -eu");
        self.command("cd \"$(dirname \"$0\")\"");
    }

    fn comment(&mut self, text: &str) {
        self.script
            .tag(Tag::Comment, &["#", text].concat())
            .end_line();
    }

    fn command(&mut self, text: &str) {
        let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
        self.script
            .tag(Tag::Function, word)
            .put(" ")
            .put(rest)
            .end_line();
    }

    /// Adds a call of the AWS CLI, with its request in a file.
    fn add(&mut self, service: &str, action: &str, more: &[&str], request: Map) {
        let mut name = action.to_owned();
        for part in more.iter().filter(|part| !part.is_empty()) {
            name.push('-');
            name.extend(part.chars().take(PART_CHARS));
        }
        let name = unique_name(&self.files, name);
        self.command(&format!(
            "aws {service} {action} --cli-input-json file://{name}"
        ));
        self.files.push(File {
            name,
            code: json(request.into()),
        });
    }

    fn wait(&mut self, plan: &Plan) {
        let Table { name, .. } = plan.table;
        self.command(&format!(
            "aws dynamodb wait table-exists --table-name={name}"
        ));
    }

    fn finish(mut self) -> Vec<File> {
        let code = self.script.finish();
        let name = "create.sh".to_owned();
        self.files.insert(0, File { name, code });
        self.files
    }
}

/// Returns `NAME.json`, with a number if a file has that name already, ignoring case.
fn unique_name(files: &[File], name: String) -> String {
    let mut number = 1;
    loop {
        let number_text = number.to_string();
        let ending = if number == 1 { "" } else { &number_text };
        let file = [&name, ending, ".json"].concat();
        if !files
            .iter()
            .any(|other| other.name.eq_ignore_ascii_case(&file))
        {
            return file;
        }
        number += 1;
    }
}

/// Returns the value as a JSON file.
pub fn json(value: Node) -> Code {
    finish(json_in_slices(value))
}

/// Like [`json`], in slices.
pub async fn json_in_slices(value: Node) -> Code {
    let mut out = CodeWriter::new();
    literal::write_in_slices(&mut out, &value, Style::Json, 0).await;
    out.end_line();
    out.finish()
}
