//! Reads auto scaling: of a table from separate resources, of a global table from its own properties.

use super::super::super::json;
use super::super::super::tree::{Map, Node};
use super::super::functions::{Functions, call, child, text};
use super::properties::Props;
use super::table::ReadTable;
use crate::model::{Autoscaling, Billing, ProvisionedThroughput};

/// The maximum depth of the functions in a resource id.
const MAX_DEPTH: usize = 20;

/// The maximum length of a resource id and of each of its parts, in bytes.
const MAX_BYTES: usize = 2048;

/// The tables of a template.
pub(super) struct Owners<'a> {
    /// The logical ids of all.
    pub(super) tables: &'a [&'a str],
    /// Whether the table that is read is a global table.
    pub(super) is_global: bool,
}

/// Reads the auto scaling of a provisioned table from its separate resources. What is not applied is a remark; what may
/// belong to any table is one of the first.
pub(super) fn scaling(
    resources: &Map,
    functions: &Functions,
    owners: &Owners,
    read: &mut ReadTable,
) {
    let is_first = owners.tables.first() == Some(&read.resource.as_str());
    let mut policies = of_kind(resources, "ScalingPolicy", functions);
    for (id, map, condition) in of_kind(resources, "ScalableTarget", functions) {
        let props = Props {
            map: &map,
            place: id.clone(),
        };
        let dimension = props.text("ScalableDimension").unwrap_or_default();
        let of = Scaled::of(map.get("ResourceId"), &dimension);
        let own: Vec<Map> = policies
            .extract_if(.., |(_, policy, _)| is_of(policy, &id, of.as_ref()))
            .map(|(_, policy, _)| policy)
            .collect();
        let is_other = |name: &str| {
            props
                .text(name)
                .is_some_and(|text| !text.starts_with("dynamodb"))
        };
        if is_other("ServiceNamespace") || is_other("ScalableDimension") {
            continue;
        }
        let why = match &of {
            None if is_first => {
                let path = map.get("ResourceId").map(json::line).unwrap_or_default();
                format!("its table cannot be determined from the template alone: {path}")
            }
            None => continue,
            Some(of) if !of.is_table(read) => {
                match is_first && !of.is_any(owners, resources, functions) {
                    true => format!("the template has no table {}", of.table),
                    false => continue,
                }
            }
            Some(_) if condition == Some(false) => {
                "with the defaults of the parameters, its condition does not hold".to_owned()
            }
            Some(_) if owners.is_global => {
                "a global table has its auto scaling in its own properties".to_owned()
            }
            Some(of) => {
                let mut target = bounds(&props, &mut read.remarks);
                for policy in &own {
                    percent(policy, &id, &mut target, &mut read.remarks);
                }
                match units_of(read, of.index.as_deref()) {
                    Ok(units) => {
                        match dimension.contains("Read") {
                            true => units.read_scaling = Some(target),
                            false => units.write_scaling = Some(target),
                        }
                        continue;
                    }
                    Err(why) => why,
                }
            }
        };
        let remark = format!("the auto scaling `{id}` is left out: {why}");
        read.remarks.push(remark);
    }
    for (id, policy, _) in policies {
        if is_first && is_of_dynamodb(&policy) {
            read.remarks.push(format!(
                "the scaling policy `{id}` is left out: its scalable target cannot be determined from the template alone"
            ));
        }
    }
}

/// The resources of one kind of auto scaling: logical id, properties, and whether its condition holds.
fn of_kind(resources: &Map, kind: &str, functions: &Functions) -> Vec<(String, Map, Option<bool>)> {
    let mut found = Vec::new();
    for (id, node) in resources.pairs() {
        let Node::Map(map) = node else { continue };
        let of = map.get("Type").and_then(text).unwrap_or_default();
        if of.strip_prefix("AWS::ApplicationAutoScaling::") != Some(kind) {
            continue;
        }
        let properties = map
            .get("Properties")
            .and_then(|node| functions.resolve(node));
        if let Some(Node::Map(properties)) = properties {
            let condition = map.get("Condition").and_then(text);
            let holds = condition.and_then(|name| functions.condition_holds(&name));
            found.push((id.to_owned(), properties, holds));
        }
    }
    found
}

/// What is scaled. A reference to a table is `${LogicalId}`.
#[derive(PartialEq)]
struct Scaled {
    table: String,
    index: Option<String>,
    is_read: bool,
}

impl Scaled {
    fn of(resource: Option<&Node>, dimension: &str) -> Option<Self> {
        let path = composed(resource?, MAX_DEPTH)?;
        let of_table = path.strip_prefix("table/").unwrap_or(&path);
        let (table, index) = match of_table.split_once("/index/") {
            Some((table, index)) => (table, Some(index.to_owned())),
            None => (of_table, None),
        };
        Some(Scaled {
            table: table.to_owned(),
            index,
            is_read: dimension.contains("Read"),
        })
    }

    fn is_table(&self, read: &ReadTable) -> bool {
        self.is_resource(&read.resource) || !self.table.is_empty() && self.table == read.table.name
    }

    fn is_resource(&self, id: &str) -> bool {
        self.table == format!("${{{id}}}")
    }

    /// Whether it is any table of the template.
    fn is_any(&self, owners: &Owners, resources: &Map, functions: &Functions) -> bool {
        owners.tables.iter().any(|id| {
            let name = || {
                let properties = child(child(resources, id)?, "Properties")?;
                text(&functions.resolve(properties.get("TableName")?)?)
            };
            self.is_resource(id) || name().is_some_and(|name| name == self.table)
        })
    }
}

/// A text of references: `table/${Table}` for `Fn::Sub`, `Fn::Join` and `Ref`.
fn composed(node: &Node, depth: usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    let text = |node: &Node| text(node).filter(|text| text.len() <= MAX_BYTES);
    let whole = match call(node) {
        None => text(node),
        Some(("Ref", name)) => Some(format!("${{{}}}", text(name)?)),
        Some(("Sub", Node::List(parts))) => {
            let [template, Node::Map(own)] = parts.as_slice() else {
                return None;
            };
            let mut whole = text(template)?;
            for (name, value) in own.pairs() {
                whole = whole.replace(&format!("${{{name}}}"), &composed(value, depth)?);
                if whole.len() > MAX_BYTES {
                    return None;
                }
            }
            Some(whole)
        }
        Some(("Sub", template)) => text(template),
        Some(("Join", Node::List(parts))) => {
            let [between, Node::List(parts)] = parts.as_slice() else {
                return None;
            };
            let parts: Option<Vec<String>> =
                parts.iter().map(|part| composed(part, depth)).collect();
            Some(parts?.join(&text(between)?))
        }
        Some(_) => None,
    };
    whole.filter(|whole| whole.len() <= MAX_BYTES)
}

/// Whether a policy belongs to a scalable target: by its reference, by the target's physical id, or by what it scales.
fn is_of(policy: &Map, id: &str, of: Option<&Scaled>) -> bool {
    let Some(node) = policy.get("ScalingTargetId") else {
        let dimension = policy.get("ScalableDimension").and_then(text);
        let scaled = Scaled::of(policy.get("ResourceId"), &dimension.unwrap_or_default());
        return scaled.is_some() && scaled.as_ref() == of;
    };
    let Some(target) = composed(node, MAX_DEPTH) else {
        return false;
    };
    let mut parts = target.split('|');
    let path = parts.next().map(Node::from);
    target == format!("${{{id}}}")
        || parts.next().is_some_and(|dimension| {
            let scaled = Scaled::of(path.as_ref(), dimension);
            scaled.is_some() && scaled.as_ref() == of
        })
}

fn is_of_dynamodb(policy: &Map) -> bool {
    let tracking = child(policy, "TargetTrackingScalingPolicyConfiguration");
    let metric = tracking.and_then(|tracking| child(tracking, "PredefinedMetricSpecification"));
    let metric = metric.and_then(|metric| text(metric.get("PredefinedMetricType")?));
    let space = policy.get("ServiceNamespace").and_then(text);
    metric.is_some_and(|metric| metric.starts_with("DynamoDB"))
        || space.is_some_and(|space| space == "dynamodb")
}

/// The bounds of a scalable target.
fn bounds(props: &Props, remarks: &mut Vec<String>) -> Autoscaling {
    let target = target(props);
    for (member, taken) in [("MinCapacity", target.min), ("MaxCapacity", target.max)] {
        if props.number(member).is_none() {
            remarks.push(format!(
                "{}.{member} cannot be determined and is set to {taken}",
                props.place
            ));
        }
    }
    target
}

/// Sets the target utilization that a policy has.
fn percent(policy: &Map, id: &str, target: &mut Autoscaling, remarks: &mut Vec<String>) {
    let policy = Props {
        map: policy,
        place: String::new(),
    };
    let tracking = policy.under("TargetTrackingScalingPolicyConfiguration");
    let percent = tracking.and_then(|tracking| tracking.number("TargetValue"));
    match percent.and_then(|percent| u8::try_from(percent).ok()) {
        Some(percent) => target.target_percent = percent,
        None => remarks.push(format!(
            "the target utilization of the auto scaling `{id}` cannot be determined and is set to {}%",
            target.target_percent
        )),
    }
}

/// The capacity that is scaled, or why there is none.
fn units_of<'r>(
    read: &'r mut ReadTable,
    index: Option<&str>,
) -> Result<&'r mut ProvisionedThroughput, String> {
    let Billing::Provisioned(units) = &mut read.table.billing else {
        return Err("the table is on-demand".to_owned());
    };
    let Some(name) = index else {
        return Ok(units);
    };
    let mut indexes = read.indexes.iter_mut();
    let index = indexes.find(|index| index.name == name);
    let units = index.and_then(|index| index.provisioned.as_mut());
    units.ok_or_else(|| format!("the table has no GSI {name}"))
}

/// Returns the capacity of a global table or its index: writes are in the table, reads in the replica.
pub(super) fn global_units(props: &Props, region: &Props) -> ProvisionedThroughput {
    let mut units = ProvisionedThroughput::default();
    let write = props.under("WriteProvisionedThroughputSettings");
    let write = write.and_then(|write| write.under("WriteCapacityAutoScalingSettings"));
    if let Some(write) = write {
        let target = target(&write);
        units.write = write.number("SeedCapacity").unwrap_or(target.min);
        // The export writes fixed capacity as a target with equal bounds.
        let fixed = target.min == target.max && target.target_percent == 70;
        units.write_scaling = (!fixed || target.min != units.write).then_some(target);
    }
    if let Some(read) = region.under("ReadProvisionedThroughputSettings") {
        match read.under("ReadCapacityAutoScalingSettings") {
            Some(scaling) => {
                let target = target(&scaling);
                units.read = scaling.number("SeedCapacity").unwrap_or(target.min);
                units.read_scaling = Some(target);
            }
            None => units.read = read.number("ReadCapacityUnits").unwrap_or(units.read),
        }
    }
    units
}

/// Returns the bounds and the target utilization of auto scaling.
fn target(props: &Props) -> Autoscaling {
    let usual = Autoscaling::default();
    let tracking = props.under("TargetTrackingScalingPolicyConfiguration");
    let percent = tracking.and_then(|tracking| tracking.number("TargetValue"));
    let percent = percent.and_then(|percent| u8::try_from(percent).ok());
    Autoscaling {
        min: props.number("MinCapacity").unwrap_or(usual.min),
        max: props.number("MaxCapacity").unwrap_or(usual.max),
        target_percent: percent.unwrap_or(usual.target_percent),
    }
}
