//! The lines of an access pattern.

use super::super::cursor::{write_name, write_text};
use super::super::node::Node;
use super::super::projection;
use super::super::syntax::SyntaxKind;
use super::super::value;
use super::entity::{sample_place, template, template_pair};
use super::workload;
use crate::model::{
    AccessPattern, AccessPatternId, Design, EntityId, IndexId, ItemKey, Operation, Read,
    SortCondition, SortOperator, WriteAction,
};

/// An access pattern with its lines.
pub fn node(design: &Design, id: AccessPatternId, pattern: &AccessPattern) -> Node {
    let head = Node::new(id.to_string(), SyntaxKind::Pattern, "pattern");
    let mut node = head
        .rest(write_text(&pattern.name))
        .described(&pattern.description);
    node.children = operation(design, &pattern.operation);
    let out = &mut node.children;
    if !pattern.entities.is_empty() {
        let names: Vec<String> = (pattern.entities.iter())
            .map(|id| entity_name(design, *id))
            .collect();
        let word = match pattern.operation.index() {
            Some(_) => "returns",
            None => "writes",
        };
        let mut line = part(word, names.join(", "));
        line.key = "entities".to_owned();
        out.push(line);
    }
    if let Some((entity, number)) = pattern.sample.and_then(|id| sample_place(design, id)) {
        let name = entity_name(design, entity);
        out.push(part("sample", format!("{name} {number}")));
    }
    for (name, value) in &pattern.parameters {
        let value = value::write(value, None, &|_| false);
        let rest = [&write_name(name, &["="]), " = ", &value].concat();
        let mut line = part("parameter", rest);
        line.key = format!("parameter:{name}");
        out.push(line);
    }
    if let Some(rate) = pattern.rate {
        out.push(part("rate", format!("{rate} per second")));
    }
    if let Some(traffic) = design.workload.patterns.get(&id) {
        out.extend(workload::traffic(traffic));
    }
    node
}

fn entity_name(design: &Design, id: EntityId) -> String {
    let entity = design.entities.get(&id);
    write_name(entity.map_or("", |entity| &*entity.name), &[])
}

pub(super) fn part(word: &str, rest: impl Into<String>) -> Node {
    Node::new(word, SyntaxKind::Part, word).rest(rest)
}

fn line(word: &str, parts: &[String]) -> Node {
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    Node::new("operation", SyntaxKind::Operation, word).rest(parts.join(" "))
}

fn key(key: &ItemKey) -> String {
    template_pair(Some(&key.partition), key.sort.as_deref())
}

fn consistent(read: &Read) -> String {
    if read.consistent { "consistent" } else { "" }.to_owned()
}

fn on_index(design: &Design, index: IndexId) -> String {
    match index.is_primary() {
        true => String::new(),
        false => "index ".to_owned() + &write_name(design.index_name(index), &[]),
    }
}

fn limited(limit: Option<u32>) -> String {
    limit.map_or(String::new(), |limit| format!("limit {limit}"))
}

/// The line of the operation, then those of the read options.
fn operation(design: &Design, operation: &Operation) -> Vec<Node> {
    let word = operation.name();
    let mut first = match operation {
        Operation::GetItem { key: of, read } => line(word, &[key(of), consistent(read)]),
        Operation::Query {
            index,
            partition,
            sort,
            descending,
            limit,
            read,
        } => {
            let order = if *descending { "descending" } else { "" };
            line(
                word,
                &[
                    on_index(design, *index),
                    condition(partition, sort),
                    order.to_owned(),
                    limited(*limit),
                    consistent(read),
                ],
            )
        }
        Operation::Scan { index, limit, read } => line(
            word,
            &[on_index(design, *index), limited(*limit), consistent(read)],
        ),
        Operation::BatchGetItem { read, .. } => line(word, &[consistent(read)]),
        Operation::TransactGetItems { .. } | Operation::TransactWriteItems { .. } => {
            line(word, &[])
        }
        Operation::Write(action) => write_action(design, action, "operation".to_owned()),
    };
    match operation {
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            for (number, of) in keys.iter().enumerate() {
                let node = Node::new(format!("key#{number}"), SyntaxKind::BatchKey, "key");
                first.children.push(node.rest(key(of)));
            }
        }
        Operation::TransactWriteItems { actions } => {
            for (number, action) in actions.iter().enumerate() {
                let key = format!("action#{number}");
                first.children.push(write_action(design, action, key));
            }
        }
        _ => {}
    }
    let mut out = vec![first];
    if let Some(read) = operation.read() {
        if let Some(filter) = &read.filter {
            out.push(part("filter", write_text(filter)));
        }
        if !read.projection.is_empty() {
            let names: Vec<String> = (read.projection.iter())
                .map(|path| projection::write(design, path))
                .collect();
            out.push(part("attributes", names.join(", ")));
        }
    }
    out
}

/// `PARTITION / begins_with SORT`
fn condition(partition: &[String], sort: &[SortCondition]) -> String {
    let partition: Vec<String> = partition.iter().map(|text| template(text)).collect();
    let mut out = partition.join(", ");
    if !sort.is_empty() {
        let sort: Vec<String> = sort.iter().map(sort_condition).collect();
        let space = if out.is_empty() { "" } else { " " };
        out = [&out, space, "/ ", &sort.join(", ")].concat();
    }
    out
}

fn sort_condition(condition: &SortCondition) -> String {
    let mut out = match condition.operator {
        SortOperator::Equal => String::new(),
        operator => operator.symbol().to_owned() + " ",
    };
    out.push_str(&template(&condition.value));
    if let Some(upper) = &condition.upper {
        out.push_str(" and ");
        out.push_str(&template(upper));
    }
    out
}

fn write_action(design: &Design, action: &WriteAction, node_key: String) -> Node {
    let what = match action {
        WriteAction::PutItem { entity, .. } => entity_name(design, *entity),
        _ => action.key().map(key).unwrap_or_default(),
    };
    let mut node = line(action.name(), &[what]);
    node.key = node_key;
    let (update, condition) = match action {
        WriteAction::PutItem { condition, .. } | WriteAction::DeleteItem { condition, .. } => {
            (None, condition.as_ref())
        }
        WriteAction::UpdateItem {
            update, condition, ..
        } => (
            Some(update).filter(|text| !text.is_empty()),
            condition.as_ref(),
        ),
        WriteAction::ConditionCheck { condition, .. } => {
            (None, Some(condition).filter(|text| !text.is_empty()))
        }
    };
    if let Some(update) = update {
        node.children.push(part("update", write_text(update)));
    }
    if let Some(condition) = condition {
        node.children.push(part("condition", write_text(condition)));
    }
    node
}
