//! The plan as a template: parameters, the table's resource and those beside it, outputs.
//! Source of names and values: AWS::ApplicationAutoScaling::ScalableTarget, AWS::ApplicationAutoScaling::ScalingPolicy
//! and AWS::IAM::ManagedPolicy, CloudFormation template reference.

use super::super::iam::{self, Tenant};
use super::super::yaml::{Map, Node};
use super::global::global_table_properties;
use super::plan::{Plan, Scaling};
use super::table::table_properties;
use crate::model::limits;

/// Logical id of the table.
const TABLE: &str = "Table";
/// The service-linked role that scales tables. Application Auto Scaling makes it when it is first used; naming it
/// changes nothing but that GovCloud accepts the template, where the property is required.
const SCALING_ROLE: &str = "arn:${AWS::Partition}:iam::${AWS::AccountId}:role/aws-service-role/\
    dynamodb.application-autoscaling.amazonaws.com/AWSServiceRoleForApplicationAutoScaling_DynamoDBTable";
/// Longest description of a template, in bytes (CloudFormation quotas).
const DESCRIPTION_BYTES: usize = 1024;
/// Logical id of the tenants' policy.
pub const TENANT_POLICY: &str = "TenantPolicy";

/// The whole template; with a tenant, also the policy that holds a role to one tenant's items.
pub fn template(plan: &Plan, tenant: Option<&Tenant>) -> Map {
    let mut root = Map::new()
        .comment(format!(
            "Made by Keyfold from the design {}: change the design and export again.",
            plan.design
        ))
        .comment(match plan.stage_chars() {
            0 => "The table's name is so long that no stage fits behind it.",
            _ => "The table is called TableName; with a Stage, such as dev, TableName-dev.",
        });
    if plan.is_global() {
        root = root.comment(
            "Deploy it in one Region, which becomes a replica itself: in any but those that stand under Replicas.",
        );
    }
    root = root
        .with("AWSTemplateFormatVersion", "2010-09-09")
        .with("Description", description(plan))
        .blank()
        .with("Parameters", parameters(plan))
        .blank();
    if plan.stage_chars() > 0 {
        let conditions = Map::new().with("HasStage", has_stage());
        root = root.with("Conditions", conditions).blank();
    }
    root.with("Resources", resources(plan, tenant))
        .blank()
        .with("Outputs", outputs(plan, tenant))
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
    let (shortest, longest) = (*limits::RESOURCE_NAME_CHARS.start(), plan.name_chars());
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
    let parameters = Map::new().with("TableName", table_name);
    let longest = plan.stage_chars();
    if longest == 0 {
        return parameters;
    }
    let stage = Map::new()
        .with("Type", "String")
        .with(
            "Description",
            "Stage, such as dev, that is added to the table name after a hyphen; empty for none",
        )
        .with("Default", "")
        .with("MaxLength", longest as u64)
        .with("AllowedPattern", "^[a-zA-Z0-9_.-]*$")
        .with(
            "ConstraintDescription",
            format!("at most {longest} of A-Z, a-z, 0-9, _, . and -"),
        );
    parameters.with("Stage", stage)
}

/// `!Not [!Equals [!Ref Stage, '']]`
fn has_stage() -> Node {
    let is_empty = Node::tagged(
        "Equals",
        vec![Node::reference("Stage"), Node::from("")].into(),
    );
    Node::tagged("Not", vec![is_empty].into())
}

fn resources(plan: &Plan, tenant: Option<&Tenant>) -> Map {
    let (kind, properties) = match plan.is_global() {
        true => ("AWS::DynamoDB::GlobalTable", global_table_properties(plan)),
        false => ("AWS::DynamoDB::Table", table_properties(plan)),
    };
    let deletion = match plan.delete_with_stack {
        true => "Delete",
        false => "Retain",
    };
    let table = Map::new()
        .with("Type", Node::Type(kind.into()))
        .with("DeletionPolicy", deletion)
        .with("UpdateReplacePolicy", "Retain")
        .with("Properties", properties);
    let mut resources = Map::new().with(TABLE, table);
    // A global table scales by itself.
    let scaled: &[Scaling] = if plan.is_global() { &[] } else { &plan.scaling };
    for scaling in scaled {
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
    match tenant {
        Some(tenant) => (resources.blank()).with(TENANT_POLICY, tenant_policy(tenant)),
        None => resources,
    }
}

/// The managed policy for the roles of tenants.
fn tenant_policy(tenant: &Tenant) -> Map {
    let resource = |index: Option<&str>| match index {
        None => Node::get_att(TABLE, "Arn"),
        Some(index) => Node::sub(format!("${{{TABLE}.Arn}}/index/{index}")),
    };
    let description = format!(
        "One tenant's items of the table: for roles with the tag {}",
        tenant.tag
    );
    let mut policy = Map::new();
    for reason in &tenant.left_out {
        policy = policy.comment(reason.as_str());
    }
    policy
        .with("Type", Node::Type("AWS::IAM::ManagedPolicy".into()))
        .with(
            "Properties",
            Map::new()
                .with("Description", description)
                .with("PolicyDocument", iam::document(tenant, &resource)),
        )
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

fn output(description: &str, value: Node) -> Map {
    let map = Map::new().with("Description", description);
    map.with("Value", value)
}

fn outputs(plan: &Plan, tenant: Option<&Tenant>) -> Map {
    let mut outputs = Map::new()
        .with(
            "TableName",
            output("Name of the table", Node::reference(TABLE)),
        )
        .with(
            "TableArn",
            output("ARN of the table", Node::get_att(TABLE, "Arn")),
        );
    if !plan.stems.is_empty() {
        outputs = outputs.with(
            "IndexArns",
            output(
                "ARN pattern of all indexes, for IAM policies",
                Node::sub(format!("${{{TABLE}.Arn}}/index/*")),
            ),
        );
    }
    for (stem, name) in &plan.stems {
        let of_index = output("Name of an index", Node::from(*name));
        outputs = outputs.with(format!("{stem}Name"), of_index);
    }
    if plan.table.stream.is_some() || plan.is_global() {
        outputs = outputs.with(
            "StreamArn",
            output(
                "ARN of the change stream",
                Node::get_att(TABLE, "StreamArn"),
            ),
        );
    }
    if tenant.is_some() {
        let policy = output("ARN of the tenants' policy", Node::reference(TENANT_POLICY));
        outputs = outputs.with("TenantPolicyArn", policy);
    }
    outputs
}
