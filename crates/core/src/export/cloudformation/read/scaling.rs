//! Reads auto scaling: of a table from separate resources, of a global table from its own properties.

use super::super::super::tree::{Map, Node};
use super::super::functions::{Functions, call, text};
use super::properties::Props;
use super::table::ReadTable;
use crate::model::{Autoscaling, Billing, ProvisionedThroughput};

/// Reads the auto scaling of a provisioned table from its separate resources.
pub(super) fn scaling(resources: &Map, functions: &Functions, read: &mut ReadTable) {
    for (id, node) in resources.pairs() {
        let Some((of, props)) = resource(node, functions) else {
            continue;
        };
        if of != "AWS::ApplicationAutoScaling::ScalableTarget" {
            continue;
        }
        let props = Props {
            map: &props,
            place: id.to_owned(),
        };
        let path = match props.map.get("ResourceId").map(|node| (node, call(node))) {
            Some((_, Some(("Sub", argument)))) => text(argument),
            Some((node, None)) => text(node),
            _ => None,
        };
        let (Some(path), Some(dimension)) = (path, props.text("ScalableDimension")) else {
            continue;
        };
        let of_table = path.strip_prefix("table/").unwrap_or(&path);
        let (table, index) = match of_table.split_once("/index/") {
            Some((table, index)) => (table, Some(index)),
            None => (of_table, None),
        };
        if table != format!("${{{}}}", read.resource) && table != read.table.name {
            continue;
        }
        let mut target = target(&props);
        for (_, node) in resources.pairs() {
            let Some((_, policy)) = resource(node, functions) else {
                continue;
            };
            let of = policy.get("ScalingTargetId").and_then(call);
            if of.and_then(|(_, name)| text(name)).as_deref() == Some(id) {
                let policy = Props {
                    map: &policy,
                    place: String::new(),
                };
                let tracking = policy.under("TargetTrackingScalingPolicyConfiguration");
                let percent = tracking.and_then(|tracking| tracking.number("TargetValue"));
                let percent = percent.and_then(|percent| u8::try_from(percent).ok());
                target.target_percent = percent.unwrap_or(target.target_percent);
            }
        }
        let units = match index {
            None => match &mut read.table.billing {
                Billing::Provisioned(units) => Some(units),
                Billing::OnDemand(_) => None,
            },
            Some(name) => (read.indexes.iter_mut())
                .find(|index| index.name == name)
                .and_then(|index| index.provisioned.as_mut()),
        };
        if let Some(units) = units {
            match dimension.contains("Read") {
                true => units.read_scaling = Some(target),
                false => units.write_scaling = Some(target),
            }
        }
    }
}

/// Returns a resource's type and properties.
fn resource(node: &Node, functions: &Functions) -> Option<(String, Map)> {
    let Node::Map(map) = node else { return None };
    match functions.resolve(map.get("Properties")?)? {
        Node::Map(properties) => Some((text(map.get("Type")?)?, properties)),
        _ => None,
    }
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
