//! An `aws_dynamodb_table` as the properties of a CloudFormation table.
//! Source of the arguments: documentation of the provider hashicorp/aws, version 6.

use super::arguments::{OF_NO_USE, READ, READ_OF_INDEX, note_arguments, note_blocks};
use super::{Resource, blocks, number};
use crate::cursor::shorten;
use crate::form::{FoundTable, Naming, Notes};
use crate::template::{found_table, readable_part};
use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::cloudformation::read::read_properties;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{MultiRegionConsistency, Replica};

/// Reads a table.
///
/// # Errors
///
/// Why it cannot be read, and where.
pub fn read(resource: &Resource, notes: &mut Notes) -> Result<FoundTable, String> {
    let (values, address) = (&resource.values, &resource.address);
    note_arguments(values, &[READ, OF_NO_USE], address, notes);
    let properties = properties(values, address, notes);
    let with = |properties: &Map| read_properties(properties, address.as_str(), false);
    let mut read = match with(&properties) {
        Ok(read) => read,
        Err(why) => readable_part(&properties, address, notes, why, &with)?,
    };
    for replica in blocks(values, "replica") {
        if let Some(region) = replica.get("region_name").and_then(text) {
            let kms_key = replica.get("kms_key_arn").and_then(text);
            let kms_key = kms_key.filter(|key| !key.is_empty());
            read.table.replicas.push(Replica { region, kms_key });
        }
        for (name, own) in [
            ("point_in_time_recovery", read.table.recovery.is_some()),
            (
                "deletion_protection_enabled",
                read.table.deletion_protection,
            ),
        ] {
            if let Some(Node::Bool(flag)) = replica.get(name)
                && *flag != own
            {
                let why = format!(
                    "{flag} is left out: in a design, a replica has the setting of its table"
                );
                notes.add(format!("{address}.replica.{name}"), why);
            }
        }
        if replica.get("consistency_mode") == Some(&"STRONG".into()) {
            read.table.multi_region_consistency = MultiRegionConsistency::Strong;
        }
    }
    note_blocks(values, address, notes);
    let lifecycle = blocks(values, "lifecycle");
    let prevents = lifecycle
        .iter()
        .any(|block| block.get("prevent_destroy") == Some(&Node::Bool(true)));
    read.delete_with_stack = !prevents;
    let mut table = found_table(read, address, notes);
    match resource.text("name") {
        Some(name) => table.call(name, Naming::Known),
        None => {
            let (_, name) = address.rsplit_once('.').unwrap_or(("", address));
            let why = format!("the name of the table cannot be determined; here it is `{name}`");
            notes.add(format!("{address}.name"), why);
            table.call(name, Naming::Chosen);
        }
    }
    Ok(table)
}

fn properties(values: &Map, address: &str, notes: &mut Notes) -> Map {
    let of = |name: &str| known(values, name);
    let mut out = Map::new();
    out.add_some("TableName", of("name"));
    let mut definitions = Vec::new();
    for attribute in blocks(values, "attribute") {
        let mut definition = Map::new();
        // It may be of an index that is left out.
        let Some(name) = known(attribute, "name") else {
            continue;
        };
        definition.add("AttributeName", name);
        definition.add_some("AttributeType", known(attribute, "type"));
        definitions.push(Node::Map(definition));
    }
    out.add("AttributeDefinitions", definitions);
    out.add("KeySchema", key_schema(values));
    let is_on_demand = of("billing_mode") == Some("PAY_PER_REQUEST".into());
    out.add_some("BillingMode", is_on_demand.then_some("PAY_PER_REQUEST"));
    capacity(values, &mut out);
    out.add_some("TableClass", of("table_class"));
    for (name, member) in [
        ("global_secondary_index", "GlobalSecondaryIndexes"),
        ("local_secondary_index", "LocalSecondaryIndexes"),
    ] {
        let mut indexes = Vec::new();
        for (at, block) in blocks(values, name).into_iter().enumerate() {
            let place = format!("{address}.{name}[{at}]");
            if let Some((part, node)) = unknown_part(block) {
                let why = format!(
                    "the index is left out: {} cannot be determined from the file alone",
                    shorten(node)
                );
                notes.add(format!("{place}.{part}"), why);
                continue;
            }
            note_arguments(block, &[READ_OF_INDEX], &place, notes);
            let mut block = block.clone();
            if name == "local_secondary_index" && block.get("hash_key").is_none() {
                let key = of("hash_key");
                block.add_some("hash_key", key);
            }
            indexes.push(Node::Map(index(&block)));
        }
        out.add(member, indexes);
    }
    settings(values, address, &mut out, notes);
    out
}

fn settings(values: &Map, address: &str, out: &mut Map, notes: &mut Notes) {
    let of = |name: &str| known(values, name);
    let is_true =
        |node: Option<Node>| node == Some(Node::Bool(true)) || node == Some("true".into());
    if let Some(ttl) = blocks(values, "ttl").first() {
        // The provider's default is off.
        let attribute = known(ttl, "attribute_name").filter(|name| *name != "".into());
        let is_on = is_true(known(ttl, "enabled"));
        if attribute.is_some() && ttl.get("enabled").is_none() {
            let why = "TTL is off: the provider turns it on only with `enabled = true`";
            notes.add(format!("{address}.ttl"), why);
        }
        if let Some(attribute) = attribute.filter(|_| is_on) {
            let map = Map::new()
                .with("AttributeName", attribute)
                .with("Enabled", true);
            out.add("TimeToLiveSpecification", map);
        }
    }
    let view = of("stream_view_type").filter(|view| *view != "".into());
    if let Some(view) = view.filter(|_| is_true(of("stream_enabled"))) {
        out.add(
            "StreamSpecification",
            Map::new().with("StreamViewType", view),
        );
    }
    if let Some(recovery) = blocks(values, "point_in_time_recovery").first() {
        let mut map = Map::new();
        map.add(
            "PointInTimeRecoveryEnabled",
            is_true(known(recovery, "enabled")),
        );
        let days = number(recovery, "recovery_period_in_days").filter(|days| *days > 0);
        map.add_some("RecoveryPeriodInDays", days);
        out.add("PointInTimeRecoverySpecification", map);
    }
    if let Some(sse) = blocks(values, "server_side_encryption").first() {
        let mut map = Map::new().with("SSEEnabled", is_true(known(sse, "enabled")));
        let key = known(sse, "kms_key_arn").filter(|key| *key != "".into());
        map.add_some("KMSMasterKeyId", key);
        out.add("SSESpecification", map);
    }
    out.add_some(
        "DeletionProtectionEnabled",
        of("deletion_protection_enabled"),
    );
    if let Some(tags) = child(values, "tags") {
        let mut list = Vec::new();
        for (key, value) in tags.pairs() {
            if let Some(value) = text(value) {
                let tag = Map::new().with("Key", key);
                list.push(Node::Map(tag.with("Value", value)));
            }
        }
        out.add("Tags", list);
    }
}

/// What of the name and the key of an index cannot be determined.
fn unknown_part(block: &Map) -> Option<(&'static str, &Node)> {
    const PARTS: [&str; 5] = ["name", "hash_key", "range_key", "hash_keys", "range_keys"];
    let unknown = |node: &&Node| matches!(node, Node::Code(_));
    let own = PARTS.into_iter().find_map(|part| {
        let node = match block.get(part)? {
            Node::List(items) => items.iter().find(unknown)?,
            node => Some(node).filter(unknown)?,
        };
        Some((part, node))
    });
    let elements = blocks(block, "key_schema").into_iter();
    let mut elements = elements.flat_map(|element| element.pairs());
    own.or_else(|| {
        let (_, node) = elements.find(|(_, node)| unknown(node))?;
        Some(("key_schema", node))
    })
}

/// A value that is known and not null.
fn known(map: &Map, name: &str) -> Option<Node> {
    let node = map.get(name)?;
    (!matches!(node, Node::Null | Node::Code(_))).then(|| node.clone())
}

/// The key: `hash_key` and `range_key`, lists of these, or blocks `key_schema`.
fn key_schema(values: &Map) -> Node {
    let mut schema = Vec::new();
    let mut add = |name: &Node, role: &str| {
        if let Some(name) = text(name).filter(|name| !name.is_empty()) {
            let element = Map::new().with("AttributeName", name);
            schema.push(Node::Map(element.with("KeyType", role)));
        }
    };
    let elements = blocks(values, "key_schema");
    for element in &elements {
        let role = element.get("key_type").and_then(text).unwrap_or_default();
        if let Some(name) = element.get("attribute_name") {
            add(name, &role);
        }
    }
    // The state holds the same key in both forms.
    for (one, several, role) in [
        ("hash_key", "hash_keys", "HASH"),
        ("range_key", "range_keys", "RANGE"),
    ] {
        if !elements.is_empty() {
            break;
        }
        match (values.get(several), values.get(one)) {
            (Some(Node::List(names)), _) if !names.is_empty() => {
                names.iter().for_each(|name| add(name, role));
            }
            (_, Some(name)) => add(name, role),
            _ => {}
        }
    }
    Node::List(schema)
}

fn index(block: &Map) -> Map {
    let mut out = Map::new();
    out.add_some("IndexName", known(block, "name"));
    out.add("KeySchema", key_schema(block));
    let mut projection = Map::new();
    projection.add_some("ProjectionType", known(block, "projection_type"));
    projection.add_some("NonKeyAttributes", known(block, "non_key_attributes"));
    out.add("Projection", projection);
    capacity(block, &mut out);
    out
}

fn capacity(block: &Map, out: &mut Map) {
    let read = number(block, "read_capacity");
    if let Some((read, write)) = read.zip(number(block, "write_capacity"))
        && read + write > 0
    {
        let units = Map::new().with("ReadCapacityUnits", read);
        out.add(
            "ProvisionedThroughput",
            units.with("WriteCapacityUnits", write),
        );
    }
    if let Some(most) = blocks(block, "on_demand_throughput").first() {
        let mut units = Map::new();
        units.add_some(
            "MaxReadRequestUnits",
            number(most, "max_read_request_units"),
        );
        units.add_some(
            "MaxWriteRequestUnits",
            number(most, "max_write_request_units"),
        );
        out.add("OnDemandThroughput", units);
    }
    if let Some(warm) = blocks(block, "warm_throughput").first() {
        let mut units = Map::new();
        units.add_some("ReadUnitsPerSecond", number(warm, "read_units_per_second"));
        units.add_some(
            "WriteUnitsPerSecond",
            number(warm, "write_units_per_second"),
        );
        out.add("WarmThroughput", units);
    }
}

/// The inputs of the module `terraform-aws-modules/dynamodb-table/aws` as the arguments of a table.
pub fn of_module(values: &Map) -> Map {
    let mut out = Map::new();
    let one = |name: &str, value: &Node| Node::Map(Map::new().with(name, value.clone()));
    for (name, node) in values.pairs() {
        match name {
            "source" | "version" | "create_table" | "autoscaling_enabled" => {}
            "attributes" => out.add("attribute", node.clone()),
            "global_secondary_indexes" => out.add("global_secondary_index", node.clone()),
            "local_secondary_indexes" => out.add("local_secondary_index", node.clone()),
            "ttl_attribute_name" if values.get("ttl_enabled") == Some(&Node::Bool(true)) => {
                let ttl = Map::new().with("attribute_name", node.clone());
                out.add("ttl", ttl.with("enabled", true));
            }
            "ttl_enabled" | "ttl_attribute_name" => {}
            "point_in_time_recovery_enabled" => {
                out.add("point_in_time_recovery", one("enabled", node));
            }
            "server_side_encryption_enabled" => {
                let mut sse = Map::new().with("enabled", node.clone());
                sse.add_some(
                    "kms_key_arn",
                    values.get("server_side_encryption_kms_key_arn").cloned(),
                );
                out.add("server_side_encryption", sse);
            }
            "server_side_encryption_kms_key_arn" => {}
            _ => out.add(name, node.clone()),
        }
    }
    // The module's default is on-demand.
    if out.get("billing_mode").is_none() {
        out.add("billing_mode", "PAY_PER_REQUEST");
    }
    out
}
