//! The arguments of an `aws_dynamodb_table`: those that are read, and notes on the others.

use super::{blocks, note_unknown};
use crate::cursor::shorten;
use crate::form::Notes;
use keyfold_core::export::tree::{Map, Node};

/// Arguments without a place in a design that say nothing about the table itself.
pub const OF_NO_USE: &[&str] = &[
    "id",
    "arn",
    "stream_arn",
    "stream_label",
    "tags_all",
    "timeouts",
    "lifecycle",
    "provider",
    "depends_on",
    "count",
    "for_each",
    "region",
];

/// Arguments that are read.
pub const READ: &[&str] = &[
    "name",
    "billing_mode",
    "read_capacity",
    "write_capacity",
    "hash_key",
    "range_key",
    "attribute",
    "global_secondary_index",
    "local_secondary_index",
    "ttl",
    "stream_enabled",
    "stream_view_type",
    "point_in_time_recovery",
    "server_side_encryption",
    "table_class",
    "deletion_protection_enabled",
    "tags",
    "replica",
    "on_demand_throughput",
    "warm_throughput",
];

/// Arguments of an index that are read.
pub const READ_OF_INDEX: &[&str] = &[
    "name",
    "hash_key",
    "range_key",
    "hash_keys",
    "range_keys",
    "key_schema",
    "projection_type",
    "non_key_attributes",
    "read_capacity",
    "write_capacity",
    "on_demand_throughput",
    "warm_throughput",
];

/// Arguments of other blocks that are read, or say how the table is at the moment.
const READ_OF_BLOCKS: &[(&str, &[&str])] = &[
    ("attribute", &["name", "type"]),
    ("ttl", &["attribute_name", "enabled"]),
    (
        "point_in_time_recovery",
        &["enabled", "recovery_period_in_days"],
    ),
    ("server_side_encryption", &["enabled", "kms_key_arn"]),
    (
        "replica",
        &[
            "region_name",
            "kms_key_arn",
            "consistency_mode",
            "arn",
            "stream_arn",
            "stream_label",
            "point_in_time_recovery",
            "deletion_protection_enabled",
            "propagate_tags",
        ],
    ),
    (
        "on_demand_throughput",
        &["max_read_request_units", "max_write_request_units"],
    ),
    (
        "warm_throughput",
        &["read_units_per_second", "write_units_per_second"],
    ),
    (
        "lifecycle",
        &["prevent_destroy", "ignore_changes", "create_before_destroy"],
    ),
];

/// Notes arguments that are unknown, and values that cannot be evaluated. Indexes that can be read have
/// notes of their own.
pub fn note_arguments(values: &Map, known: &[&[&str]], place: &str, notes: &mut Notes) {
    for (name, node) in values.pairs() {
        let is_known = known.iter().any(|names| names.contains(&name));
        let is_empty = match node {
            Node::Null => true,
            Node::List(items) => items.is_empty(),
            Node::Text(text) => text.is_empty(),
            Node::Bool(flag) => !flag,
            _ => false,
        };
        if !is_known && !is_empty {
            let why = format!("not understood and left out: {}", shorten(node));
            notes.add(format!("{place}.{name}"), why);
        } else if is_known && !OF_NO_USE.contains(&name) && name != "name" {
            match node {
                Node::Map(_) if name.ends_with("_secondary_index") => {}
                Node::List(items) if name.ends_with("_secondary_index") => {
                    for (at, item) in items.iter().enumerate() {
                        if !matches!(item, Node::Map(_)) {
                            note_code(item, format!("{place}.{name}[{at}]"), notes);
                        }
                    }
                }
                _ => note_code(node, format!("{place}.{name}"), notes),
            }
        }
    }
}

/// Notes arguments of the blocks of a table that are unknown.
pub fn note_blocks(values: &Map, place: &str, notes: &mut Notes) {
    for (name, read) in READ_OF_BLOCKS {
        for (at, block) in blocks(values, name).into_iter().enumerate() {
            let unread = block.pairs().filter(|(name, _)| !read.contains(name));
            let mut rest = Map::new();
            for (name, node) in unread {
                rest.add(name, node.clone());
            }
            note_arguments(&rest, &[], &format!("{place}.{name}[{at}]"), notes);
        }
    }
}

fn note_code(node: &Node, place: String, notes: &mut Notes) {
    match node {
        Node::Code(_) => note_unknown(place, node, notes),
        Node::List(items) => {
            for (at, item) in items.iter().enumerate() {
                note_code(item, format!("{place}[{at}]"), notes);
            }
        }
        Node::Map(map) => {
            for (name, node) in map.pairs() {
                note_code(node, format!("{place}.{name}"), notes);
            }
        }
        _ => {}
    }
}
