//! Access patterns: their requests, and the indexes that serve them.

use super::super::requests::{Language, request};
use super::super::writer::CodeWriter;
use super::markup::{Cell, block, heading, paragraphs, table};
use crate::engine::Computed;
use crate::engine::query::TableBuilder;
use crate::model::{
    AccessPattern, AccessPatternId, Design, ItemKey, Operation, Read, SortCondition, WriteAction,
    capital,
};
use crate::proof::{Cover, Coverage, Proof, coverage, prove};
use crate::slices::pause;

/// Writes the access patterns with their verdicts and requests, and the coverage matrix.
pub async fn write(out: &mut CodeWriter, design: &Design, computed: &Computed) {
    heading(out, 2, "Access patterns");
    if design.access_patterns.is_empty() {
        paragraphs(out, "No access patterns.");
        return;
    }
    let items: Vec<_> = computed.items().values().cloned().collect();
    let mut storing = TableBuilder::new(None, design.clone(), &items);
    let stored = loop {
        if let Some(stored) = storing.step() {
            break stored;
        }
        pause().await;
    };
    let mut proofs = Vec::new();
    for (id, pattern) in &design.access_patterns {
        pause().await;
        if let Some(proof) = prove(&stored, *id) {
            proofs.push((*id, &**pattern, proof));
        }
    }
    let mut rows = Vec::new();
    for (number, (_, pattern, proof)) in (1_usize..).zip(&proofs) {
        let index = pattern
            .operation
            .index()
            .map_or("", |index| design.index_name(index));
        rows.push(vec![
            Cell::words(number.to_string()),
            Cell::words(pattern.name.as_str()),
            Cell::words(pattern.operation.name()),
            Cell::words(index),
            Cell::Codes(conditions(design, &pattern.operation)),
            Cell::words(entities(design, pattern)),
            Cell::words(proof.verdict.label()),
        ]);
    }
    let head = [
        "",
        "Access pattern",
        "Operation",
        "Reads",
        "Key and conditions",
        "Entities",
        "Verdict",
    ];
    table(out, &head, &rows);
    for (number, (_, pattern, proof)) in (1_usize..).zip(&proofs) {
        pause().await;
        heading(out, 3, &[&number.to_string(), " ", &pattern.name].concat());
        paragraphs(out, &pattern.description);
        for reason in &proof.reasons {
            let end = if reason.text.ends_with('.') { "" } else { "." };
            paragraphs(out, &[&capital(&reason.text), end].concat());
        }
        if let Ok(request) = request(design, pattern, Language::Cli) {
            block(out, "sh", &request.text);
        }
    }
    let pairs: Vec<(AccessPatternId, &Proof)> =
        proofs.iter().map(|(id, _, proof)| (*id, proof)).collect();
    matrix(out, design, &coverage(design, &pairs));
}

/// Writes the coverage matrix of access patterns, table and indexes.
fn matrix(out: &mut CodeWriter, design: &Design, coverage: &Coverage) {
    heading(out, 2, "Coverage");
    let mut head = vec!["Access pattern"];
    head.extend(
        coverage
            .indexes
            .iter()
            .map(|index| design.index_name(*index)),
    );
    let mut rows = Vec::new();
    for (id, _, cells) in &coverage.patterns {
        let name = design
            .access_patterns
            .get(id)
            .map_or("", |pattern| &pattern.name);
        let mut row = vec![Cell::words(name)];
        for cell in cells {
            row.push(Cell::words(match cell {
                Cover::No => "",
                Cover::Serves => "serves",
                Cover::Fails => "reads, unserved",
                Cover::Writes => "writes",
                Cover::Could => "could serve",
            }));
        }
        rows.push(row);
    }
    table(out, &head, &rows);
    let idle: Vec<&str> = coverage
        .idle
        .iter()
        .map(|index| design.index_name(*index))
        .collect();
    if !idle.is_empty() {
        paragraphs(
            out,
            &[
                "Indexes that serve no access pattern: ",
                &idle.join(", "),
                ".",
            ]
            .concat(),
        );
    }
}

fn entities(design: &Design, pattern: &AccessPattern) -> String {
    let mut names = Vec::new();
    for id in &pattern.entities {
        names.extend(design.entities.get(id).map(|entity| entity.name.as_str()));
    }
    names.join(", ")
}

/// Returns the keys and conditions of an operation, one per line.
fn conditions(design: &Design, operation: &Operation) -> Vec<String> {
    let mut lines = Vec::new();
    match operation {
        Operation::GetItem { key, read } => {
            lines.push(item_key(design, key));
            of_read(read, &mut lines);
        }
        Operation::Query {
            index,
            partition,
            sort,
            descending,
            limit,
            read,
        } => {
            let Some(key) = design.key(*index) else {
                return lines;
            };
            for (attribute, template) in key.partition.iter().zip(partition) {
                lines.push([&attribute.name, " = ", template].concat());
            }
            for (attribute, condition) in key.sort.iter().zip(sort) {
                lines.push([&attribute.name, " ", &sort_condition(condition)].concat());
            }
            if *descending {
                lines.push("descending".to_owned());
            }
            limit_line(*limit, &mut lines);
            of_read(read, &mut lines);
        }
        Operation::Scan { limit, read, .. } => {
            limit_line(*limit, &mut lines);
            of_read(read, &mut lines);
        }
        Operation::BatchGetItem { keys, read } => {
            lines.extend(keys.iter().map(|key| item_key(design, key)));
            of_read(read, &mut lines);
        }
        Operation::TransactGetItems { keys } => {
            lines.extend(keys.iter().map(|key| item_key(design, key)));
        }
        Operation::TransactWriteItems { actions } => {
            for action in actions {
                of_write(design, action, &mut lines);
            }
        }
        Operation::Write(action) => of_write(design, action, &mut lines),
    }
    lines
}

fn of_write(design: &Design, action: &WriteAction, lines: &mut Vec<String>) {
    let condition = match action {
        WriteAction::PutItem { entity, condition } => {
            let name = design
                .entities
                .get(entity)
                .map_or("", |entity| &entity.name);
            lines.push(["put ", name].concat());
            condition.as_deref()
        }
        WriteAction::UpdateItem {
            key,
            update,
            condition,
        } => {
            lines.push(["update ", &item_key(design, key), ": ", update].concat());
            condition.as_deref()
        }
        WriteAction::DeleteItem { key, condition } => {
            lines.push(["delete ", &item_key(design, key)].concat());
            condition.as_deref()
        }
        WriteAction::ConditionCheck { key, condition } => {
            lines.push(["check ", &item_key(design, key)].concat());
            Some(condition.as_str())
        }
    };
    if let Some(condition) = condition {
        lines.push(["if ", condition].concat());
    }
}

fn item_key(design: &Design, key: &ItemKey) -> String {
    let schema = &design.table.key;
    let mut parts = Vec::new();
    let sort = schema.sort.first().zip(key.sort.as_ref());
    let partition = schema
        .partition
        .first()
        .map(|attribute| (attribute, &key.partition));
    for (attribute, template) in partition.into_iter().chain(sort) {
        parts.push([&attribute.name, " = ", template].concat());
    }
    parts.join(", ")
}

fn sort_condition(condition: &SortCondition) -> String {
    let mut text = [condition.operator.symbol(), " ", &condition.value].concat();
    if let Some(upper) = &condition.upper {
        text = [&text, " and ", upper].concat();
    }
    text
}

fn limit_line(limit: Option<u32>, lines: &mut Vec<String>) {
    if let Some(limit) = limit {
        lines.push(format!("limit {limit}"));
    }
}

fn of_read(read: &Read, lines: &mut Vec<String>) {
    if read.consistent {
        lines.push("strongly consistent".to_owned());
    }
    if let Some(filter) = &read.filter {
        lines.push(["filter ", filter].concat());
    }
    if !read.projection.is_empty() {
        lines.push(["returns ", &read.projection.join(", ")].concat());
    }
}
