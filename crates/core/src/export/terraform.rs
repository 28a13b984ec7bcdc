//! Terraform: the table, and what belongs to it, as resources of the AWS provider (hashicorp/aws).
//! Source of the arguments: the provider's documentation, version 6.

use super::Code;
use super::cloudformation::plan::{Plan, Scaling, Throughput, plan, warm};
use super::hcl::{Body, file};
use super::literal::{Literal, Object};
use super::script::unique;
use super::words::{indexes, insights_mode, precision, projection, stream_view};
use super::writer::one_line;
use crate::model::{
    ContributorInsights, Design, Encryption, KeySchema, MaxRequestUnits, MultiRegionConsistency,
    TableClass, WarmThroughput,
};

/// What the table's own resource is called.
const TABLE: &str = "aws_dynamodb_table.table";

/// The file of a design.
pub fn terraform(design: &Design) -> Code {
    let plan = plan(design);
    let mut body = Body::new();
    body.comment(&format!(
        "Made by Keyfold from the design {}: change the design and export again.",
        one_line(plan.design)
    ));
    requirements(&mut body);
    body.block("variable", &["table_name"], {
        let variable = Body::new().with("description", "Name of the table");
        let variable = variable.with("type", Literal::code("string"));
        variable.with("default", design.table.name.as_str())
    });
    for note in notes(&plan) {
        body.comment(&note);
    }
    body.block("resource", &["aws_dynamodb_table", "table"], table(&plan));
    insights(&plan, &mut body);
    streaming(&plan, &mut body);
    scaling(&plan, &mut body);
    for (name, what, value) in [
        ("table_name", "Name of the table", "name"),
        ("table_arn", "ARN of the table", "arn"),
        ("stream_arn", "ARN of the change stream", "stream_arn"),
    ] {
        if name == "stream_arn" && plan.table.stream.is_none() {
            continue;
        }
        let output = Body::new().with("description", what);
        let value = Literal::code([TABLE, ".", value].concat());
        body.block("output", &[name], output.with("value", value));
    }
    file(&body)
}

/// The version that has `key_schema` for global indexes; their `hash_key` is deprecated since then.
fn requirements(body: &mut Body) {
    let provider = Object::new()
        .with("source", "hashicorp/aws")
        .with("version", ">= 6.29");
    let mut providers = Body::new();
    providers.set("aws", provider);
    let mut terraform = Body::new();
    terraform.block("required_providers", &[], providers);
    body.blank();
    body.block("terraform", &[], terraform);
}

fn notes(plan: &Plan) -> Vec<String> {
    let mut notes = Vec::new();
    if !plan.scaling.is_empty() {
        notes.push("Capacity that autoscaling changes is left to it. Terraform can ignore the capacity of all\nglobal indexes only together: lifecycle, below.".to_owned());
    }
    if let Some(Err(problem)) = &plan.policy {
        notes.push(format!(
            "The resource policy is left out, because of an error in the design's policy: {}",
            one_line(problem)
        ));
    }
    notes
}

fn table(plan: &Plan) -> Body {
    let table = plan.table;
    let mut body = Body::new().with("name", Literal::code("var.table_name"));
    match plan.throughput {
        Throughput::OnDemand(_) => body.set("billing_mode", "PAY_PER_REQUEST"),
        Throughput::Provisioned(_) => body.set("billing_mode", "PROVISIONED"),
    }
    capacity(&mut body, plan.throughput);
    if table.class == TableClass::StandardInfrequentAccess {
        body.set("table_class", "STANDARD_INFREQUENT_ACCESS");
    }
    for (name, attribute) in [
        ("hash_key", table.key.partition.first()),
        ("range_key", table.key.sort.first()),
    ] {
        body.set_some(name, attribute.map(|attribute| attribute.name.as_str()));
    }
    if let Some(view) = table.stream {
        body.set("stream_enabled", true);
        body.set("stream_view_type", stream_view(view));
    }
    body.set("deletion_protection_enabled", table.deletion_protection);
    if !table.tags.is_empty() {
        let mut tags = Object::new();
        for (key, value) in &table.tags {
            tags.add(key, value.as_str());
        }
        body.blank();
        body.set("tags", tags);
    }
    for attribute in &plan.attributes {
        let definition = Body::new().with("name", attribute.name.as_str());
        let definition = definition.with("type", attribute.kind.letter());
        body.block("attribute", &[], definition);
    }
    for (index, global) in indexes(plan) {
        let mut block = Body::new().with("name", index.name);
        if global.is_none() {
            let sort = index.key.sort.first();
            block.set_some("range_key", sort.map(|sort| sort.name.as_str()));
        }
        let (kind, names) = projection(&index.projection);
        block.set("projection_type", kind);
        if !names.is_empty() {
            let names = names.iter().map(String::as_str);
            block.set("non_key_attributes", Literal::texts(names));
        }
        let Some(global) = global else {
            body.block("local_secondary_index", &[], block);
            continue;
        };
        capacity(&mut block, global.throughput);
        key_schema(&mut block, index.key);
        limits(&mut block, global.throughput);
        warm_block(&mut block, global.warm);
        body.block("global_secondary_index", &[], block);
    }
    limits(&mut body, plan.throughput);
    warm_block(&mut body, warm(table.warm_throughput));
    settings(plan, &mut body);
    body
}

fn settings(plan: &Plan, body: &mut Body) {
    let table = plan.table;
    if let Some(attribute) = &table.ttl_attribute {
        let ttl = Body::new().with("enabled", true);
        body.block("ttl", &[], ttl.with("attribute_name", attribute.as_str()));
    }
    if let Some(recovery) = table.recovery {
        let mut block = Body::new().with("enabled", true);
        block.set_some("recovery_period_in_days", recovery.days.map(u64::from));
        body.block("point_in_time_recovery", &[], block);
    }
    match &table.encryption {
        Encryption::AwsOwned => {}
        Encryption::AwsManaged => {
            body.block(
                "server_side_encryption",
                &[],
                Body::new().with("enabled", true),
            );
        }
        Encryption::CustomerManaged(key) => {
            let block = Body::new().with("enabled", true);
            let block = block.with("kms_key_arn", key.as_str());
            // The provider takes an ARN; a plain id or alias would show as a change in every plan.
            if !key.starts_with("arn:") {
                body.comment("The argument wants the ARN of the key: put it here.");
            }
            body.block("server_side_encryption", &[], block);
        }
    }
    for replica in &table.replicas {
        let mut block = Body::new().with("region_name", replica.region.as_str());
        block.set_some("kms_key_arn", replica.kms_key.as_deref());
        if table.multi_region_consistency == MultiRegionConsistency::Strong {
            block.set("consistency_mode", "STRONG");
        }
        if table.recovery.is_some() {
            block.set("point_in_time_recovery", true);
        }
        if table.deletion_protection {
            block.set("deletion_protection_enabled", true);
        }
        block.set("propagate_tags", true);
        body.block("replica", &[], block);
    }
    let mut ignored = Vec::new();
    for scaling in &plan.scaling {
        let word = match scaling.index {
            Some(_) => "global_secondary_index".to_owned(),
            None => [
                scaling.dimension.word().to_lowercase().as_str(),
                "_capacity",
            ]
            .concat(),
        };
        if !ignored.contains(&Literal::Code(word.clone())) {
            ignored.push(Literal::Code(word));
        }
    }
    let keeps = !plan.delete_with_stack;
    if keeps || !ignored.is_empty() {
        let mut lifecycle = Body::new();
        lifecycle.set_some("prevent_destroy", keeps.then_some(true));
        lifecycle.set_some("ignore_changes", (!ignored.is_empty()).then_some(ignored));
        body.block("lifecycle", &[], lifecycle);
    }
}

/// The attributes of a global index's key.
fn key_schema(body: &mut Body, key: &KeySchema) {
    for (attributes, role) in [(&key.partition, "HASH"), (&key.sort, "RANGE")] {
        for attribute in attributes {
            let element = Body::new().with("attribute_name", attribute.name.as_str());
            body.block("key_schema", &[], element.with("key_type", role));
        }
    }
}

fn capacity(body: &mut Body, throughput: Throughput) {
    if let Throughput::Provisioned(units) = throughput {
        body.set("read_capacity", units.read);
        body.set("write_capacity", units.write);
    }
}

fn limits(body: &mut Body, throughput: Throughput) {
    if let Throughput::OnDemand(Some(MaxRequestUnits { read, write })) = throughput {
        let mut block = Body::new();
        block.set_some("max_read_request_units", read);
        block.set_some("max_write_request_units", write);
        body.block("on_demand_throughput", &[], block);
    }
}

fn warm_block(body: &mut Body, warm: Option<WarmThroughput>) {
    if let Some(warm) = warm {
        let mut block = Body::new();
        block.set_some("read_units_per_second", warm.read);
        block.set_some("write_units_per_second", warm.write);
        body.block("warm_throughput", &[], block);
    }
}

fn table_name() -> Literal {
    Literal::code([TABLE, ".name"].concat())
}

fn insights(plan: &Plan, body: &mut Body) {
    let mut taken = Vec::new();
    let mut add = |index: Option<&str>, mode: Option<ContributorInsights>| {
        let Some(mode) = mode else { return };
        let name = resource_name(index.unwrap_or("table"), &mut taken);
        let mut block = Body::new().with("table_name", table_name());
        block.set_some("index_name", index);
        block.set("mode", insights_mode(mode));
        body.block(
            "resource",
            &["aws_dynamodb_contributor_insights", &name],
            block,
        );
    };
    add(None, plan.table.contributor_insights);
    for global in &plan.global {
        add(Some(global.index.name), global.insights);
    }
}

fn streaming(plan: &Plan, body: &mut Body) {
    if let Some(kinesis) = &plan.table.kinesis {
        let block = Body::new()
            .with("stream_arn", kinesis.arn.as_str())
            .with("table_name", table_name())
            .with(
                "approximate_creation_date_time_precision",
                precision(kinesis.microseconds),
            );
        let kind = "aws_dynamodb_kinesis_streaming_destination";
        body.block("resource", &[kind, "changes"], block);
    }
    // The plan has read the policy: it is an object.
    if let (Some(Ok(_)), Some(policy)) = (&plan.policy, &plan.table.resource_policy)
        && let Ok(policy) = serde_json::from_str::<serde_json::Value>(policy)
    {
        let policy = Literal::Call("jsonencode", Box::new(Literal::from(&policy)));
        let block = Body::new().with("resource_arn", Literal::code([TABLE, ".arn"].concat()));
        let kind = "aws_dynamodb_resource_policy";
        body.block("resource", &[kind, "table"], block.with("policy", policy));
    }
}

fn scaling(plan: &Plan, body: &mut Body) {
    let mut taken = Vec::new();
    for scaling in &plan.scaling {
        let word = scaling.dimension.word();
        let name = [scaling.index.unwrap_or("table"), "_", word].concat();
        let name = resource_name(&name, &mut taken);
        let target = ["aws_appautoscaling_target.", &name].concat();
        body.block(
            "resource",
            &["aws_appautoscaling_target", &name],
            scalable(scaling),
        );
        let metric = ["DynamoDB", word, "CapacityUtilization"].concat();
        let mut tracking = Body::new();
        tracking.set("target_value", u64::from(scaling.target.target_percent));
        let metric = Body::new().with("predefined_metric_type", metric.as_str());
        tracking.block("predefined_metric_specification", &[], metric);
        let part = |name: &str| Literal::code([&target, ".", name].concat());
        let mut policy = Body::new();
        // An index and the table may have policies of the same name: they belong to different resources.
        policy.set("name", [word, "CapacityUtilization"].concat().as_str());
        policy.set("policy_type", "TargetTrackingScaling");
        policy.set("resource_id", part("resource_id"));
        policy.set("scalable_dimension", part("scalable_dimension"));
        policy.set("service_namespace", part("service_namespace"));
        policy.block(
            "target_tracking_scaling_policy_configuration",
            &[],
            tracking,
        );
        body.block("resource", &["aws_appautoscaling_policy", &name], policy);
    }
}

fn scalable(scaling: &Scaling) -> Body {
    let (path, kind) = match scaling.index {
        None => (String::new(), "table"),
        Some(index) => (["/index/", index].concat(), "index"),
    };
    let word = scaling.dimension.word();
    let dimension = ["dynamodb:", kind, ":", word, "CapacityUnits"].concat();
    // An index's name has nothing in it that a string would have to escape.
    let resource = ["\"table/${", TABLE, ".name}", &path, "\""].concat();
    Body::new()
        .with("service_namespace", "dynamodb")
        .with("resource_id", Literal::Code(resource))
        .with("scalable_dimension", dimension.as_str())
        .with("min_capacity", scaling.target.min)
        .with("max_capacity", scaling.target.max)
}

/// A resource's name that comes nearest to this one: letters, digits, `_` and `-`, no digit first.
fn resource_name(name: &str, taken: &mut Vec<String>) -> String {
    let mut text = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '_'
        };
        text.push(c);
    }
    if !text.starts_with(|c: char| c.is_ascii_alphabetic()) {
        text.insert_str(0, "index_");
    }
    unique(text, taken)
}
