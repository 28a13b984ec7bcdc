//! Items in JSON: results of Scan and Query, batch requests, exports to S3, stream records, lists and lines of items.

use super::exact_numbers::exact;
use super::value::is_typed;
use super::{Groups, Items};
use crate::export::tree::{Map, Node};
use crate::import::shown::{elements, found};
use crate::model::json_fault_at;

/// What contains one item, or what holds it.
const ENVELOPES: [&str; 5] = ["Item", "NewImage", "PutRequest", "dynamodb", "Attributes"];
/// What contains the key of an item that is deleted.
const DELETIONS: [&str; 2] = ["DeleteRequest", "Keys"];
/// What contains items by table.
const BY_TABLE: [&str; 2] = ["RequestItems", "Responses"];
/// What any answer or request may have beside its items.
const ANSWER: [&str; 12] = [
    "ConsumedCapacity",
    "ItemCollectionMetrics",
    "UnprocessedItems",
    "UnprocessedKeys",
    "ResponseMetadata",
    "$metadata",
    "$response",
    "TableName",
    "ReturnConsumedCapacity",
    "ReturnItemCollectionMetrics",
    "ReturnValues",
    "NextToken",
];
/// What the answer to a Scan or Query has too.
const ANSWER_OF_ITEMS: [&str; 3] = ["Count", "ScannedCount", "LastEvaluatedKey"];
/// What a record of a stream or of an incremental export has.
const RECORD: [&str; 9] = [
    "Keys",
    "NewImage",
    "OldImage",
    "Metadata",
    "SequenceNumber",
    "SizeBytes",
    "StreamViewType",
    "ApproximateCreationDateTime",
    "ApproximateCreationDateTimePrecision",
];
/// What surrounds a record.
const EVENT: [&str; 9] = [
    "eventID",
    "eventName",
    "eventVersion",
    "eventSource",
    "awsRegion",
    "eventSourceARN",
    "userIdentity",
    "recordFormat",
    "tableName",
];

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
/// Where the text is not JSON.
pub fn read(text: &str) -> Result<Items, String> {
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
        let mut node = match document {
            Ok(node) => node,
            // Of a cut-off export, what is there is of use.
            Err(error) if !is_first => {
                let why = format!(
                    "nothing from here on can be read: {}",
                    json_fault_at(&error)
                );
                groups.left_out.add(format!("line {line}"), why);
                break;
            }
            Err(error) => return Err(json_fault_at(&error)),
        };
        exact(&mut node, &text[start..documents.byte_offset()]);
        let is_only = is_first && text[documents.byte_offset()..].trim().is_empty();
        is_first = false;
        let place = match is_only && is_container(&node) {
            true => String::new(),
            false => format!("line {line}"),
        };
        document_items(&node, None, place, &mut groups);
    }
    Ok(groups.finish())
}

/// Reads the items of several tables: lists of items or put requests by table.
pub fn of_tables(tables: &Map, place: &str) -> Items {
    let mut groups = Groups::default();
    by_table(tables, place, &mut groups);
    groups.finish()
}

/// Whether the place of an item within the document says more than its line.
fn is_container(node: &Node) -> bool {
    match node {
        Node::List(_) => true,
        Node::Map(map) => !matches!(Form::of(map), Form::Item | Form::Around(..)),
        _ => false,
    }
}

/// What an object is.
enum Form<'n> {
    /// The result of a Scan or Query.
    Result(&'n Node),
    /// Records of a stream.
    Records(&'n Node),
    /// Items or requests by table, under this name.
    ByTable(&'static str, &'n Map),
    /// Requests by table.
    Batch,
    /// What contains an item under this name.
    Around(&'static str, &'n Node),
    /// A request or a record that deletes an item.
    Deletion,
    /// An item.
    Item,
}

impl<'n> Form<'n> {
    /// An attribute may be called like a member of an answer: it is one if all members beside it are known too, or if its
    /// content is DynamoDB JSON.
    fn of(map: &'n Map) -> Self {
        if let Some(list @ Node::List(items)) = map.get("Items")
            && (is_answer(map, "Items") || !items.is_empty() && items.iter().all(is_stored))
        {
            return Form::Result(list);
        }
        if is_records(map).is_some()
            && let Some(list) = map.get("Records")
        {
            return Form::Records(list);
        }
        for name in BY_TABLE {
            if let Some(Node::Map(tables)) = map.get(name).filter(|node| !is_typed(node)) {
                let mut lists = tables.pairs();
                let are_lists = lists.all(|(_, node)| matches!(node, Node::List(_) | Node::Map(_)));
                if are_lists && is_answer(map, name) || is_batch(tables) {
                    return Form::ByTable(name, tables);
                }
            }
        }
        // An attribute of that name would hold a typed value.
        let is_content = |name: &str, node: &Node| {
            matches!(node, Node::Map(_))
                && !is_typed(node)
                && (is_answer(map, name) || is_stored(node))
        };
        for name in ENVELOPES {
            if let Some(content) = map.get(name).filter(|node| is_content(name, node)) {
                return Form::Around(name, content);
            }
        }
        for name in DELETIONS {
            if map.get(name).is_some_and(|node| is_content(name, node)) {
                return Form::Deletion;
            }
        }
        match is_batch(map) {
            true => Form::Batch,
            false => Form::Item,
        }
    }
}

/// Whether an answer, a request or a record of DynamoDB with this member can have all other members of a map.
fn is_answer(map: &Map, name: &str) -> bool {
    let others: &[&str] = match name {
        "Items" => &ANSWER_OF_ITEMS,
        "NewImage" | "Keys" => &RECORD,
        "dynamodb" => &EVENT,
        "PutRequest" | "DeleteRequest" => &["PutRequest", "DeleteRequest"],
        _ => &[],
    };
    let mut names = map.pairs().map(|(other, _)| other);
    names.all(|other| other == name || others.contains(&other) || ANSWER.contains(&other))
}

/// Whether this is an item in DynamoDB JSON, or something around one or around its key.
fn is_stored(node: &Node) -> bool {
    let Node::Map(map) = node else { return false };
    let mut names = ENVELOPES.iter().chain(&DELETIONS);
    is_typed_item(map)
        || names.any(|name| {
            map.get(name)
                .is_some_and(|content| !is_typed(content) && is_stored(content))
        })
}

fn document_items(node: &Node, table: Option<&str>, place: String, groups: &mut Groups) {
    let map = match node {
        Node::Map(map) => map,
        Node::List(items) => {
            for (item, place) in elements(items, &place) {
                document_items(item, table, place, groups);
            }
            return;
        }
        other => return groups.left_out.add(shown(place), found("an item", other)),
    };
    let inner = |name: &str| match place.as_str() {
        "" => name.to_owned(),
        place => format!("{place}.{name}"),
    };
    match Form::of(map) {
        Form::Result(list) => {
            if map
                .get("LastEvaluatedKey")
                .is_some_and(|key| *key != Node::Null)
            {
                let why = "the result is incomplete: the table has more items";
                groups.remarks.add(inner("LastEvaluatedKey"), why);
            }
            document_items(list, table, inner("Items"), groups);
        }
        Form::Records(list) => document_items(list, table, inner("Records"), groups),
        Form::ByTable(name, tables) => by_table(tables, &inner(name), groups),
        Form::Batch => by_table(map, &place, groups),
        Form::Around(name, content) => document_items(content, table, inner(name), groups),
        Form::Deletion => {
            let why = "this request deletes an item and contains no item to import";
            groups.left_out.add(shown(place), why);
        }
        Form::Item => groups.add(table, shown(place), map),
    }
}

/// The place of a document for messages.
fn shown(place: String) -> String {
    match place.as_str() {
        "" => "line 1".to_owned(),
        _ => place,
    }
}

fn by_table(tables: &Map, place: &str, groups: &mut Groups) {
    for (table, requests) in tables.pairs() {
        let place = match place {
            "" => table.to_owned(),
            place => format!("{place}.{table}"),
        };
        document_items(requests, Some(table), place, groups);
    }
}
