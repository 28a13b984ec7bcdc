//! Access patterns: what each asks for, and which index serves it.

use super::super::writer::CodeWriter;
use super::text::{Cell, heading, paragraphs, table};
use crate::domain::model::{
    AccessPattern, Design, IndexId, ItemKey, Operation, Read, SortCondition, WriteAction,
};

/// Writes the access patterns and the coverage matrix.
pub fn write(out: &mut CodeWriter, design: &Design) {
    heading(out, 2, "Access patterns");
    if design.access_patterns.is_empty() {
        paragraphs(out, "None is said.");
        return;
    }
    let mut rows = Vec::new();
    for (number, pattern) in (1_usize..).zip(design.access_patterns.values()) {
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
        ]);
    }
    let head = [
        "",
        "Access pattern",
        "Operation",
        "Reads",
        "Key and conditions",
        "Entities",
    ];
    table(out, &head, &rows);
    for (number, pattern) in (1_usize..).zip(design.access_patterns.values()) {
        if !pattern.description.is_empty() {
            paragraphs(out, &format!("AP{number}: {}", pattern.description));
        }
    }
    coverage(out, design);
}

/// Access patterns against the table and the indexes.
fn coverage(out: &mut CodeWriter, design: &Design) {
    heading(out, 2, "Coverage");
    let indexes: Vec<IndexId> = design.index_ids().collect();
    let mut head = vec!["Access pattern"];
    head.extend(indexes.iter().map(|index| design.index_name(*index)));
    let mut rows = Vec::new();
    for pattern in design.access_patterns.values() {
        let mut row = vec![Cell::words(pattern.name.as_str())];
        for index in &indexes {
            row.push(Cell::words(use_of(design, pattern, *index)));
        }
        rows.push(row);
    }
    table(out, &head, &rows);
}

/// What the pattern does with the index.
fn use_of(design: &Design, pattern: &AccessPattern, index: IndexId) -> &'static str {
    let writes = |action: &WriteAction| match action {
        WriteAction::PutItem { entity, .. } => {
            let entity = design.entities.get(entity);
            index.is_primary() || entity.is_some_and(|entity| entity.keys.contains_key(&index))
        }
        WriteAction::ConditionCheck { .. } => false,
        _ => index.is_primary(),
    };
    let is_written = match &pattern.operation {
        Operation::Write(action) => writes(action),
        Operation::TransactWriteItems { actions } => actions.iter().any(writes),
        operation if operation.index() == Some(index) => return "reads",
        _ => false,
    };
    if is_written { "writes" } else { "" }
}

fn entities(design: &Design, pattern: &AccessPattern) -> String {
    let mut names = Vec::new();
    for id in &pattern.entities {
        names.extend(design.entities.get(id).map(|entity| entity.name.as_str()));
    }
    names.join(", ")
}

/// The keys and conditions of an operation, each on a line of its own.
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
                lines.push("greatest first".to_owned());
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
