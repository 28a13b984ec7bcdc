//! The properties of `AWS::DynamoDB::Table` as the common form of table definitions: requests and Terraform are read by
//! turning them into these.

use crate::cursor::shorten;
use crate::form::Notes;
use keyfold_core::export::tree::{Map, Node};

/// The members of a table that are read.
const TABLE: &[&str] = &[
    "TableName",
    "AttributeDefinitions",
    "KeySchema",
    "BillingMode",
    "ProvisionedThroughput",
    "OnDemandThroughput",
    "WarmThroughput",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
    "TimeToLiveSpecification",
    "StreamSpecification",
    "KinesisStreamSpecification",
    "PointInTimeRecoverySpecification",
    "SSESpecification",
    "DeletionProtectionEnabled",
    "ContributorInsightsSpecification",
    "ResourcePolicy",
    "Tags",
    "TableClass",
    "Replicas",
    "MultiRegionConsistency",
    "WriteProvisionedThroughputSettings",
    "WriteOnDemandThroughputSettings",
    "ReadProvisionedThroughputSettings",
    "ReadOnDemandThroughputSettings",
];

/// The members of an index that are read.
const INDEX: &[&str] = &[
    "IndexName",
    "KeySchema",
    "Projection",
    "ProvisionedThroughput",
    "OnDemandThroughput",
    "WarmThroughput",
    "ContributorInsightsSpecification",
    "WriteProvisionedThroughputSettings",
    "WriteOnDemandThroughputSettings",
    "ReadProvisionedThroughputSettings",
    "ReadOnDemandThroughputSettings",
];

/// The members of settings that are read.
const SETTINGS: &[(&str, &[&str])] = &[
    ("TimeToLiveSpecification", &["AttributeName", "Enabled"]),
    ("StreamSpecification", &["StreamViewType", "StreamEnabled"]),
    (
        "SSESpecification",
        &["SSEEnabled", "SSEType", "KMSMasterKeyId"],
    ),
    (
        "PointInTimeRecoverySpecification",
        &["PointInTimeRecoveryEnabled", "RecoveryPeriodInDays"],
    ),
    (
        "KinesisStreamSpecification",
        &["StreamArn", "ApproximateCreationDateTimePrecision"],
    ),
];

/// Notes the members that a design has no place for.
pub fn note_unknown(properties: &Map, place: &str, notes: &mut Notes) {
    note(properties, TABLE, place, notes);
    for member in ["GlobalSecondaryIndexes", "LocalSecondaryIndexes"] {
        if let Some(Node::List(items)) = properties.get(member) {
            for (at, item) in items.iter().enumerate() {
                if let Node::Map(index) = item {
                    note(index, INDEX, &format!("{place}.{member}[{at}]"), notes);
                }
            }
        }
    }
    for (name, members) in SETTINGS {
        if let Some(Node::Map(map)) = properties.get(name) {
            note(map, members, &format!("{place}.{name}"), notes);
        }
    }
}

fn note(map: &Map, known: &[&str], place: &str, notes: &mut Notes) {
    for (name, node) in map.pairs() {
        let is_call = name.starts_with("Fn::") || name == "Ref";
        if !known.contains(&name) && !is_call && *node != Node::Null {
            let why = format!("not understood and left out: {}", shorten(node));
            notes.add(format!("{place}.{name}"), why);
        }
    }
}

/// The properties without the indexes of one kind that do not pass.
pub fn without_index(properties: &Map, member: &str, keep: impl Fn(usize) -> bool) -> Map {
    let mut out = Map::new();
    for (name, node) in properties.pairs() {
        match node {
            Node::List(items) if name == member => {
                let kept = items.iter().enumerate().filter(|(at, _)| keep(*at));
                out.add(
                    name,
                    Node::List(kept.map(|(_, item)| item.clone()).collect()),
                );
            }
            _ => out.add(name, node.clone()),
        }
    }
    out
}

/// The properties without the indexes of the other kind.
pub fn only_indexes_of(properties: &Map, member: &str) -> Map {
    let other = match member {
        "GlobalSecondaryIndexes" => "LocalSecondaryIndexes",
        _ => "GlobalSecondaryIndexes",
    };
    without_index(properties, other, |_| false)
}

/// `AttributeDefinitions` and `KeySchema` of these attributes: name, type and role.
pub fn key_properties(attributes: &[(&str, &str, &str)]) -> Map {
    let (mut definitions, mut schema) = (Vec::new(), Vec::new());
    for (name, kind, role) in attributes {
        let of = || Map::new().with("AttributeName", *name);
        definitions.push(Node::Map(of().with("AttributeType", *kind)));
        schema.push(Node::Map(of().with("KeyType", *role)));
    }
    Map::new()
        .with("AttributeDefinitions", definitions)
        .with("KeySchema", schema)
}
