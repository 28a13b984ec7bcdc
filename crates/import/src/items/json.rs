//! Items in JSON: results of Scan and Query, batch requests, exports to S3, stream records, lists and lines of items.

use super::Groups;
use crate::cursor::{elements, found, shorten};
use crate::form::{LooseItems, Notes};
use crate::values::is_typed;
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::model::json_fault_at;

/// What contains one item, or what holds it.
const ENVELOPES: [&str; 5] = ["Item", "NewImage", "PutRequest", "dynamodb", "Attributes"];
/// What contains items by table.
const BY_TABLE: [&str; 2] = ["RequestItems", "Responses"];

/// Whether a document is certainly of items: in DynamoDB JSON, or a list of objects.
pub fn is_items(node: &Node) -> bool {
    match node {
        Node::List(items) => {
            !items.is_empty() && items.iter().all(|item| matches!(item, Node::Map(_)))
        }
        Node::Map(map) => {
            let is_envelope = |name: &&str| matches!(map.get(name), Some(Node::Map(_)));
            matches!(map.get("Items"), Some(Node::List(_)))
                || is_records(map).is_some()
                || ENVELOPES.iter().chain(&BY_TABLE).any(is_envelope)
                || is_batch(map)
                || is_typed_item(map)
        }
        _ => false,
    }
}

fn is_records(map: &Map) -> Option<&[Node]> {
    let Some(Node::List(records)) = map.get("Records") else {
        return None;
    };
    let is_record = |node: &Node| matches!(node, Node::Map(map) if map.get("dynamodb").is_some());
    (!records.is_empty() && records.iter().all(is_record)).then_some(records)
}

/// Whether each attribute has its type. An attribute without a value, `{}`, has none.
fn is_typed_item(map: &Map) -> bool {
    let mut pairs = map.pairs().peekable();
    let is_empty = |node: &Node| matches!(node, Node::Map(map) if map.is_empty());
    pairs.peek().is_some() && pairs.all(|(_, node)| is_typed(node) || is_empty(node))
}

/// Whether this holds lists of requests by table.
fn is_batch(map: &Map) -> bool {
    let is_request = |node: &Node| matches!(node, Node::Map(map) if map.get("PutRequest").is_some() || map.get("DeleteRequest").is_some());
    let is_list = |node: &Node| matches!(node, Node::List(items) if !items.is_empty() && items.iter().all(is_request));
    let mut pairs = map.pairs().peekable();
    pairs.peek().is_some() && pairs.all(|(_, node)| is_list(node))
}

/// Reads the items of one or more JSON documents, with or without line breaks between them.
///
/// # Errors
///
/// Where the text is not JSON, or that it contains no items.
pub fn read(text: &str, notes: &mut Notes) -> Result<Vec<LooseItems>, String> {
    let mut groups = Groups::default();
    let mut documents = serde_json::Deserializer::from_str(text).into_iter::<Node>();
    let (mut line, mut counted) = (1, 0);
    let mut is_first = true;
    loop {
        let start = documents.byte_offset();
        let start = start + text[start..].len() - text[start..].trim_start().len();
        line += text[counted..start].matches('\n').count();
        counted = start;
        let Some(document) = documents.next() else {
            break;
        };
        let node = match document {
            Ok(node) => node,
            // Of a cut-off export, what is there is of use.
            Err(error) if !is_first => {
                notes.add(
                    format!("line {line}"),
                    format!("the rest is left out: {error}"),
                );
                break;
            }
            Err(error) => return Err(json_fault_at(&error)),
        };
        let is_only = is_first && text[documents.byte_offset()..].trim().is_empty();
        is_first = false;
        let place = match is_only && is_container(&node) {
            true => String::new(),
            false => format!("line {line}"),
        };
        document_items(&node, None, place, &mut groups, notes);
    }
    match groups.0.is_empty() {
        true => Err(match notes.0.first() {
            Some(note) => format!("no item can be read. {note}"),
            None => "expected items, found none".to_owned(),
        }),
        false => Ok(groups.0),
    }
}

/// Reads the items of several tables: lists of items or put requests by table.
pub fn of_tables(tables: &Map, place: &str, notes: &mut Notes) -> Vec<LooseItems> {
    let mut groups = Groups::default();
    by_table(tables, place, &mut groups, notes);
    groups.0
}

/// Whether the place of an item within the document says more than its line.
fn is_container(node: &Node) -> bool {
    match node {
        Node::List(_) => true,
        Node::Map(map) => {
            map.get("Items").is_some()
                || is_records(map).is_some()
                || is_batch(map)
                || BY_TABLE.iter().any(|name| map.get(name).is_some())
        }
        _ => false,
    }
}

fn document_items(
    node: &Node,
    table: Option<&str>,
    place: String,
    groups: &mut Groups,
    notes: &mut Notes,
) {
    let map = match node {
        Node::Map(map) => map,
        Node::List(items) => {
            for (item, place) in elements(items, &place) {
                document_items(item, table, place, groups, notes);
            }
            return;
        }
        other => return notes.add(place, found("an item", other)),
    };
    let inner = |name: &str| match place.as_str() {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    if let Some(list @ Node::List(_)) = map.get("Items") {
        if map
            .get("LastEvaluatedKey")
            .is_some_and(|key| *key != Node::Null)
        {
            let why = "the result is incomplete: the table has more items";
            notes.add(inner("LastEvaluatedKey"), why);
        }
        return document_items(list, table, inner("Items"), groups, notes);
    }
    if is_records(map).is_some()
        && let Some(list) = map.get("Records")
    {
        return document_items(list, table, inner("Records"), groups, notes);
    }
    for name in BY_TABLE {
        if let Some(Node::Map(tables)) = map.get(name).filter(|node| !is_typed(node)) {
            return by_table(tables, &inner(name), groups, notes);
        }
    }
    // An attribute of that name would hold a typed value.
    for name in ENVELOPES {
        match map.get(name) {
            Some(content @ Node::Map(_)) if !is_typed(content) => {
                return document_items(content, table, inner(name), groups, notes);
            }
            _ => {}
        }
    }
    for name in ["DeleteRequest", "Keys"] {
        if matches!(map.get(name), Some(content @ Node::Map(_)) if !is_typed(content)) {
            let what = shorten(node);
            return notes.add(
                inner(name),
                format!("left out: it contains no item: {what}"),
            );
        }
    }
    if is_batch(map) {
        return by_table(map, &place, groups, notes);
    }
    groups.add(table, place, map, notes);
}

fn by_table(tables: &Map, place: &str, groups: &mut Groups, notes: &mut Notes) {
    for (table, requests) in tables.pairs() {
        let place = match place {
            "" => table.to_owned(),
            place => format!("{place}.{table}"),
        };
        document_items(requests, Some(table), place, groups, notes);
    }
}
