//! Entities: their attributes, keys and samples.

use super::super::cursor::{write_name, write_text};
use super::super::node::Node;
use super::super::syntax::SyntaxKind;
use super::super::value;
use super::attribute;
use super::workload;
use crate::model::{
    Condition, Design, Entity, EntityId, IndexEntry, IndexId, Sample, SampleId, SortedSet, Test,
};
use std::sync::Arc;

pub(super) fn entity_node(design: &Design, id: EntityId, entity: &Entity) -> Node {
    let head = Node::new(id.to_string(), SyntaxKind::Entity, "entity");
    let mut node = head
        .rest(write_text(&entity.name))
        .described(&entity.description);
    for attribute in &entity.attributes {
        node.children.push(attribute::node(design, id, attribute));
    }
    for (index, entry) in &entity.keys {
        node.children.push(key(design, entity, *index, entry));
    }
    if let Some(volume) = design.workload.entities.get(&id) {
        node.children.push(workload::volume(volume));
    }
    let samples = design.samples_of(id);
    if !samples.is_empty() {
        let columns = columns(entity, samples);
        node.children.push(header(&columns));
        for sample in samples {
            node.children.push(sample_row(entity, sample, &columns));
        }
    }
    node
}

/// The attributes that samples have values of: the declared ones in their order, then the others.
pub fn columns(entity: &Entity, samples: &[Arc<Sample>]) -> Vec<String> {
    let mut used: SortedSet<&str> = SortedSet::new();
    for sample in samples {
        for name in sample.values.keys() {
            used.insert(name);
        }
    }
    let declared = entity.attributes.iter().map(|a| a.name.as_str());
    let mut columns: Vec<String> = declared
        .filter(|name| used.contains(*name))
        .map(str::to_owned)
        .collect();
    let others = used.iter().filter(|name| entity.attribute(name).is_none());
    columns.extend(others.map(|name| (*name).to_owned()));
    columns
}

/// The row with the names of the columns.
pub fn header(columns: &[String]) -> Node {
    let mut node = Node::new("columns", SyntaxKind::Row, "");
    node.cells = columns.iter().map(|name| write_cell_text(name)).collect();
    node
}

/// A text in a cell.
pub fn write_cell_text(text: &str) -> String {
    value::write_cell(&crate::model::Value::S(text.to_owned()), None).replace('|', "\\u007c")
}

/// The row of a sample.
pub fn sample_row(entity: &Entity, sample: &Sample, columns: &[String]) -> Node {
    let mut node = Node::new(sample.id.to_string(), SyntaxKind::Row, "");
    node.cells = (columns.iter())
        .map(|name| {
            let kind = entity.attribute(name).map(|attribute| attribute.kind);
            let value = sample.values.get(name);
            value.map_or(String::new(), |value| value::write_cell(value, kind))
        })
        .collect();
    node
}

/// A template, in quotes where it would mean something else.
pub fn template(text: &str) -> String {
    write_name(text, &super::super::lower::RESERVED)
}

/// `PARTITION / SORT`
pub fn template_pair(partition: Option<&str>, sort: Option<&str>) -> String {
    let mut parts: Vec<String> = partition.map(template).into_iter().collect();
    if let Some(sort) = sort {
        parts.push("/".to_owned());
        parts.push(template(sort));
    }
    parts.join(" ")
}

pub(super) fn key(design: &Design, entity: &Entity, index: IndexId, entry: &IndexEntry) -> Node {
    let left = match index.is_primary() {
        true => "key".to_owned(),
        false => "index ".to_owned() + &write_name(design.index_name(index), &[]),
    };
    let mut rest = template_pair(entry.partition.as_deref(), entry.sort.as_deref());
    if !entry.when.is_empty() {
        let all: Vec<String> = (entry.when.iter())
            .map(|condition| write_condition(entity, condition))
            .collect();
        let space = if rest.is_empty() { "" } else { " " };
        rest = [&rest, space, "when ", &all.join(" and ")].concat();
    }
    Node::new(index.to_string(), SyntaxKind::Key, left).rest(rest)
}

fn write_condition(entity: &Entity, condition: &Condition) -> String {
    // `a=b exists` without quotes would be read as `a = b`.
    let name = match condition.attribute.contains('=') {
        true => super::super::description::quoted(&condition.attribute),
        false => write_name(&condition.attribute, &["and", "when"]),
    };
    let declared = entity.attribute(&condition.attribute);
    let kind = declared.map(|attribute| attribute.kind);
    let value = |value| value::write(value, kind, &|word| word == "and");
    match &condition.test {
        Test::Equals(wanted) => format!("{name} = {}", value(wanted)),
        Test::NotEquals(unwanted) => format!("{name} != {}", value(unwanted)),
        Test::OneOf(wanted) => {
            let all: Vec<String> = wanted.iter().map(value).collect();
            format!("{name} in ({})", all.join(", "))
        }
        Test::Exists => format!("{name} exists"),
        Test::Missing => format!("{name} missing"),
    }
}

/// The entity of a sample, and the number of its row.
pub fn sample_place(design: &Design, sample: SampleId) -> Option<(EntityId, usize)> {
    design.samples.iter().find_map(|(entity, samples)| {
        let at = samples.iter().position(|other| other.id == sample)?;
        Some((*entity, at + 1))
    })
}
