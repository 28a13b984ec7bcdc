//! The names of table settings in the DynamoDB API, and the parts that its requests share with CloudFormation and
//! Workbench.

use super::table_plan::{GlobalIndex, Plan, SecondaryIndex, Throughput};
use super::tree::{Map, Node};
use crate::model::{ContributorInsights, KeySchema, Projection, StreamView, Table, WarmThroughput};

/// Returns `NEW_AND_OLD_IMAGES` and so on.
pub fn stream_view(view: StreamView) -> &'static str {
    match view {
        StreamView::KeysOnly => "KEYS_ONLY",
        StreamView::NewImage => "NEW_IMAGE",
        StreamView::OldImage => "OLD_IMAGE",
        StreamView::NewAndOldImages => "NEW_AND_OLD_IMAGES",
    }
}

/// Returns the mode of Contributor Insights.
pub fn insights_mode(mode: ContributorInsights) -> &'static str {
    match mode {
        ContributorInsights::AccessedAndThrottledKeys => "ACCESSED_AND_THROTTLED_KEYS",
        ContributorInsights::ThrottledKeys => "THROTTLED_KEYS",
    }
}

/// Returns the precision of the change times in a Kinesis data stream.
pub fn precision(microseconds: bool) -> &'static str {
    match microseconds {
        true => "MICROSECOND",
        false => "MILLISECOND",
    }
}

/// Returns the type of a projection and its attribute names.
pub fn projection(projection: &Projection) -> (&'static str, &[String]) {
    match projection {
        Projection::All => ("ALL", &[]),
        Projection::KeysOnly => ("KEYS_ONLY", &[]),
        Projection::Include(names) => ("INCLUDE", names),
    }
}

/// Returns a key schema of the API: `AttributeName` and `KeyType` of each attribute.
pub fn key_schema(key: &KeySchema) -> Node {
    let mut schema = Vec::new();
    for (attributes, role) in [(&key.partition, "HASH"), (&key.sort, "RANGE")] {
        for attribute in attributes {
            let element = Map::new().with("AttributeName", attribute.name.as_str());
            schema.push(element.with("KeyType", role).into());
        }
    }
    Node::List(schema)
}

/// Returns the attributes of all keys.
pub fn attribute_definitions(plan: &Plan) -> Node {
    let mut definitions = Vec::new();
    for attribute in &plan.attributes {
        let definition = Map::new().with("AttributeName", attribute.name.as_str());
        let definition = definition.with("AttributeType", attribute.kind.letter());
        definitions.push(definition.into());
    }
    Node::List(definitions)
}

/// Returns a projection of the API.
pub fn projection_map(of: &Projection) -> Map {
    let (kind, names) = projection(of);
    let mut map = Map::new().with("ProjectionType", kind);
    if !names.is_empty() {
        map.add("NonKeyAttributes", Node::texts(names));
    }
    map
}

/// Returns what every secondary index has: name, key and projection.
pub fn secondary_index(index: &SecondaryIndex) -> Map {
    Map::new()
        .with("IndexName", index.name)
        .with("KeySchema", key_schema(index.key))
        .with("Projection", projection_map(&index.projection))
}

/// Adds the capacity of the table or of an index.
pub fn add_throughput(map: &mut Map, throughput: Throughput) {
    match throughput {
        Throughput::OnDemand(None) => {}
        Throughput::OnDemand(Some(most)) => {
            let mut units = Map::new();
            units.add_some("MaxReadRequestUnits", most.read);
            units.add_some("MaxWriteRequestUnits", most.write);
            map.add("OnDemandThroughput", units);
        }
        Throughput::Provisioned(of) => {
            let units = Map::new().with("ReadCapacityUnits", of.read);
            let units = units.with("WriteCapacityUnits", of.write);
            map.add("ProvisionedThroughput", units);
        }
    }
}

/// Returns the billing mode.
pub fn billing_mode(plan: &Plan) -> &'static str {
    match plan.throughput {
        Throughput::OnDemand(_) => "PAY_PER_REQUEST",
        Throughput::Provisioned(_) => "PROVISIONED",
    }
}

/// Returns the warm throughput.
pub fn warm_throughput(warm: WarmThroughput) -> Map {
    Map::new()
        .with_some("ReadUnitsPerSecond", warm.read)
        .with_some("WriteUnitsPerSecond", warm.write)
}

/// Returns the tags, if any.
pub fn tags(table: &Table) -> Option<Vec<Node>> {
    let mut tags = Vec::new();
    for (key, value) in &table.tags {
        let tag = Map::new().with("Key", key.as_str());
        tags.push(tag.with("Value", value.as_str()).into());
    }
    filled(tags)
}

/// Returns a list unless it is empty.
pub fn filled(items: Vec<Node>) -> Option<Vec<Node>> {
    (!items.is_empty()).then_some(items)
}

/// Returns all secondary indexes, GSIs first, each with its settings that only a GSI has.
pub fn indexes<'p, 'd>(
    plan: &'p Plan<'d>,
) -> impl Iterator<Item = (&'p SecondaryIndex<'d>, Option<&'p GlobalIndex<'d>>)> {
    let global = plan
        .global
        .iter()
        .map(|global| (&global.index, Some(global)));
    global.chain(plan.local.iter().map(|local| (local, None)))
}
