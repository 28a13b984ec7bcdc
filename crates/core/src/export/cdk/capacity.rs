//! Capacity and its scaling.

use super::super::table_plan::{Plan, Throughput, global_writes};
use super::super::tree::{Map, Node};
use super::super::typescript::line;
use super::super::typescript::quoted;
use super::super::writer::CodeWriter;
use crate::model::{Autoscaling, MaxRequestUnits};

/// Adds the capacity of a `Table` or its index. Scaled capacity starts at the design's figures.
pub fn fixed(object: &mut Map, throughput: Throughput) {
    match throughput {
        Throughput::OnDemand(most) => limits(object, most),
        Throughput::Provisioned(units) => {
            object.add("readCapacity", units.read);
            object.add("writeCapacity", units.write);
        }
    }
}

fn limits(object: &mut Map, most: Option<MaxRequestUnits>) {
    let most = most.unwrap_or_default();
    object.add_some("maxReadRequestUnits", most.read);
    object.add_some("maxWriteRequestUnits", most.write);
}

/// Adds the capacity of an index of a `TableV2`.
pub fn scaled(object: &mut Map, throughput: Throughput) {
    match throughput {
        Throughput::OnDemand(most) => limits(object, most),
        Throughput::Provisioned(units) => {
            object.add("readCapacity", read(units.read, units.read_scaling));
            object.add("writeCapacity", write(units.write, units.write_scaling));
        }
    }
}

/// Adds the capacity that an index of a `TableV2` has in one Region: its reads.
pub fn reads(object: &mut Map, throughput: Throughput) {
    match throughput {
        Throughput::OnDemand(most) => {
            object.add_some("maxReadRequestUnits", most.unwrap_or_default().read);
        }
        Throughput::Provisioned(units) => {
            object.add("readCapacity", read(units.read, units.read_scaling));
        }
    }
}

/// Returns the capacity of a `TableV2`.
pub fn billing(throughput: Throughput) -> Node {
    let mut object = Map::new();
    scaled(&mut object, throughput);
    match throughput {
        Throughput::OnDemand(_) if object.is_empty() => Node::code("dynamodb.Billing.onDemand()"),
        Throughput::OnDemand(_) => Node::call("dynamodb.Billing.onDemand", object),
        Throughput::Provisioned(_) => Node::call("dynamodb.Billing.provisioned", object),
    }
}

fn read(units: u64, scaling: Option<Autoscaling>) -> Node {
    match scaling {
        Some(scaling) => autoscaled(units, scaling),
        None => Node::Code(format!("dynamodb.Capacity.fixed({units})")),
    }
}

/// Returns write capacity, which a global table always scales.
fn write(units: u64, scaling: Option<Autoscaling>) -> Node {
    autoscaled(units, global_writes(units, scaling))
}

fn autoscaled(units: u64, scaling: Autoscaling) -> Node {
    let object = Map::new()
        .with("minCapacity", scaling.min)
        .with("maxCapacity", scaling.max)
        .with(
            "targetUtilizationPercent",
            u64::from(scaling.target_percent),
        )
        .with("seedCapacity", units);
    Node::call("dynamodb.Capacity.autoscaled", object)
}

/// Writes the calls that scale the capacity of a `Table`.
pub fn scaling(out: &mut CodeWriter, plan: &Plan) {
    for scaling in &plan.scaling {
        let word = scaling.dimension.word();
        let (what, name) = match scaling.index {
            None => ("", String::new()),
            Some(index) => ("GlobalSecondaryIndex", [&quoted(index), ", "].concat()),
        };
        let head = ["this.table.autoScale", what, word, "Capacity(", &name].concat();
        let Autoscaling {
            min,
            max,
            target_percent,
        } = scaling.target;
        line(out, &head);
        out.indent(2);
        line(
            out,
            &format!("{{ minCapacity: {min}, maxCapacity: {max} }},"),
        );
        out.dedent(2);
        line(
            out,
            &format!(").scaleOnUtilization({{ targetUtilizationPercent: {target_percent} }});"),
        );
    }
}
