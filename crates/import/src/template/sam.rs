//! `AWS::Serverless::SimpleTable` of SAM.

use super::table;
use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::tree::{Map, Node};

/// The properties of a SAM `SimpleTable` as those of a table.
pub(super) fn simple_table(properties: &Map) -> Map {
    let mut key = ("id".to_owned(), "S");
    if let Some(primary) = child(properties, "PrimaryKey") {
        key.0 = primary.get("Name").and_then(text).unwrap_or(key.0);
        key.1 = match primary.get("Type").and_then(text).as_deref() {
            Some("Number") => "N",
            Some("Binary") => "B",
            _ => "S",
        };
    }
    let mut table = table::key_properties(&[(&key.0, key.1, "HASH")]);
    for (name, node) in properties.pairs() {
        match name {
            "PrimaryKey" => {}
            "Tags" => table.add_some("Tags", tag_list(node)),
            _ => table.add(name, node.clone()),
        }
    }
    if properties.get("ProvisionedThroughput").is_none() {
        table.add("BillingMode", "PAY_PER_REQUEST");
    }
    table
}

/// SAM's tags are a map; CloudFormation's are a list.
fn tag_list(node: &Node) -> Option<Node> {
    let Node::Map(tags) = node else {
        return Some(node.clone());
    };
    let tag = |(key, value): (&str, &Node)| {
        Node::Map(Map::new().with("Key", key).with("Value", value.clone()))
    };
    Some(Node::List(tags.pairs().map(tag).collect()))
}
