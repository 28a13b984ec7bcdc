//! `CreateTable` requests and `DescribeTable` answers, alone or in a list.

use crate::cursor::{expected, found};
use crate::form::{FoundTable, Import, Naming, Notes, UNNAMED};
use crate::template::found_table;
use crate::template::table::note_unknown;
use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::cloudformation::read::read_properties;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::{MultiRegionConsistency, Replica, WarmThroughput};

/// What wraps a table in the answers of DescribeTable, CreateTable, DeleteTable and the items of backups.
const WRAPPERS: [&str; 3] = ["Table", "TableDescription", "TableCreationParameters"];

/// Members of a description that say how the table is at the moment, not how it is defined.
const STATE: &[&str] = &[
    "TableStatus",
    "CreationDateTime",
    "TableSizeBytes",
    "ItemCount",
    "TableArn",
    "TableId",
    "LatestStreamArn",
    "LatestStreamLabel",
    "RestoreSummary",
    "ArchivalSummary",
    "GlobalTableVersion",
    "IndexStatus",
    "IndexSizeBytes",
    "IndexArn",
    "Backfilling",
    "NumberOfDecreasesToday",
    "LastIncreaseDateTime",
    "LastDecreaseDateTime",
    "Status",
    "ReplicaStatus",
];

/// Whether a document defines a table.
pub fn is_request(node: &Node) -> bool {
    match node {
        Node::Map(map) => definition(map).is_some(),
        Node::List(items) => {
            let is_definition =
                |node: &Node| matches!(node, Node::Map(map) if definition(map).is_some());
            !items.is_empty() && items.iter().all(is_definition)
        }
        _ => false,
    }
}

/// The definition in a map, and the name of its wrapper.
fn definition(map: &Map) -> Option<(&Map, &'static str)> {
    let is_definition = |map: &Map| matches!(map.get("KeySchema"), Some(Node::List(_)));
    if is_definition(map) {
        return Some((map, ""));
    }
    let mut wrapped = WRAPPERS
        .iter()
        .filter_map(|name| Some((child(map, name)?, *name)));
    wrapped.find(|(map, _)| is_definition(map))
}

/// Reads the tables of a document.
///
/// # Errors
///
/// Why a table cannot be read, and where.
pub fn read(node: &Node, notes: &mut Notes) -> Result<Import, String> {
    let mut import = Import::default();
    match node {
        Node::List(items) => {
            for (at, item) in items.iter().enumerate() {
                import.tables.push(one(item, &format!("[{at}]"), notes)?);
            }
        }
        node => import.tables.push(one(node, "", notes)?),
    }
    Ok(import)
}

fn one(node: &Node, path: &str, notes: &mut Notes) -> Result<FoundTable, String> {
    let Node::Map(map) = node else {
        return Err(expected(path, "a table", node));
    };
    let Some((map, wrapper)) = definition(map) else {
        return Err(format!("{path}: {}", found("a table with KeySchema", node))
            .trim_start_matches(": ")
            .to_owned());
    };
    let path = match (path, wrapper) {
        ("", "") => "the table".to_owned(),
        ("", wrapper) => wrapper.to_owned(),
        (path, "") => path.to_owned(),
        (path, wrapper) => format!("{path}.{wrapper}"),
    };
    table(map, &path, notes)
}

/// Reads a table as requests and descriptions define it.
///
/// # Errors
///
/// Why it cannot be read, and where.
pub fn table(map: &Map, path: &str, notes: &mut Notes) -> Result<FoundTable, String> {
    let properties = properties(map);
    note_unknown(&properties, path, notes);
    let mut read = read_properties(&properties, path, false)?;
    read.delete_with_stack = false;
    if let Some(Node::List(items)) = properties.get("Replicas") {
        for replica in items {
            read.table.replicas.extend(self::replica(replica));
        }
    }
    if properties.get("MultiRegionConsistency") == Some(&"STRONG".into()) {
        read.table.multi_region_consistency = MultiRegionConsistency::Strong;
    }
    // Descriptions report the throughput that every on-demand table has.
    if map.get("TableStatus").is_some() {
        let usual = |warm: &WarmThroughput| warm.read <= Some(12_000) && warm.write <= Some(4_000);
        let is_unusual = |warm: &WarmThroughput| !usual(warm);
        read.table.warm_throughput = read.table.warm_throughput.filter(is_unusual);
        for index in &mut read.indexes {
            index.warm_throughput = index.warm_throughput.filter(is_unusual);
        }
    }
    let name = properties.get("TableName").and_then(text);
    let mut table = found_table(read, path, notes);
    match name {
        Some(name) => table.call(name, Naming::Known),
        None => table.call(UNNAMED, Naming::Chosen),
    }
    Ok(table)
}

/// The definition as the properties of a CloudFormation table.
fn properties(map: &Map) -> Map {
    let mut out = Map::new();
    let mut mode = map.get("BillingMode").cloned();
    for (name, node) in map.pairs() {
        if STATE.contains(&name) || *node == Node::Null {
            continue;
        }
        match (name, node) {
            ("BillingMode", _) => {}
            ("BillingModeSummary", Node::Map(summary)) => {
                mode = mode.or_else(|| summary.get("BillingMode").cloned());
            }
            ("TableClassSummary", Node::Map(summary)) => {
                out.add_some("TableClass", summary.get("TableClass").cloned());
            }
            ("StreamSpecification", Node::Map(stream)) => {
                let is_on = stream.get("StreamEnabled") != Some(&Node::Bool(false));
                out.add_some(name, is_on.then(|| stream.clone()));
            }
            ("SSESpecification", Node::Map(sse)) => out.add(name, encryption(sse)),
            ("SSEDescription", Node::Map(sse)) => out.add("SSESpecification", encryption(sse)),
            ("ResourcePolicy", Node::Text(policy)) => {
                let policy = Node::from_json(policy).unwrap_or_else(|_| policy.as_str().into());
                out.add(name, Map::new().with("PolicyDocument", policy));
            }
            ("GlobalSecondaryIndexes" | "LocalSecondaryIndexes", Node::List(items)) => {
                out.add(name, Node::List(items.iter().map(defined).collect()));
            }
            _ => out.add(name, defined(node)),
        }
    }
    // DescribeTable reports no mode for a table that has always been provisioned.
    let is_on_demand = mode.as_ref().and_then(text).as_deref() == Some("PAY_PER_REQUEST");
    if is_on_demand {
        out.add("BillingMode", "PAY_PER_REQUEST");
    }
    out
}

/// Reads a replica: its Region and its KMS key.
pub fn replica(node: &Node) -> Option<Replica> {
    let Node::Map(map) = node else { return None };
    let kms_key = map.get("KMSMasterKeyId").and_then(text);
    Some(Replica {
        region: map.get("RegionName").or(map.get("Region")).and_then(text)?,
        kms_key,
    })
}

/// A part of a definition without what says how the table is at the moment.
fn defined(node: &Node) -> Node {
    match node {
        Node::Map(map) => {
            let mut out = Map::new();
            for (name, node) in map.pairs() {
                if !STATE.contains(&name) && *node != Node::Null {
                    out.add(name, defined(node));
                }
            }
            Node::Map(out)
        }
        Node::List(items) => Node::List(items.iter().map(defined).collect()),
        other => other.clone(),
    }
}

/// Encryption as CloudFormation names its members.
fn encryption(sse: &Map) -> Map {
    let status = sse.get("Status").and_then(text);
    let is_on = match sse.get("Enabled") {
        Some(Node::Bool(flag)) => *flag,
        _ => status
            .is_none_or(|status| matches!(status.as_str(), "ENABLED" | "ENABLING" | "UPDATING")),
    };
    let key = sse.get("KMSMasterKeyId").or(sse.get("KMSMasterKeyArn"));
    Map::new()
        .with("SSEEnabled", is_on)
        .with("SSEType", "KMS")
        .with_some("KMSMasterKeyId", key.cloned())
}
