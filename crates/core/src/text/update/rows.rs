//! The samples of an entity in the columns of its table in the text.

use super::super::lower::cells;
use super::super::node::Node;
use super::super::print::{header, sample_row};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::Writer;
use crate::model::{Design, Entity, EntityId, Sample};
use std::sync::Arc;

impl Writer<'_> {
    /// The statements of an entity before and after, with rows in the columns of the text.
    pub(super) fn with_rows(
        &self,
        block: &Statement,
        before: &[Node],
        after: &[Node],
    ) -> (Vec<Node>, Vec<Node>) {
        let as_they_are = || (before.to_vec(), after.to_vec());
        let id: Option<EntityId> = self.key(block).and_then(|key| key.parse().ok());
        let first = block
            .children
            .iter()
            .find(|line| line.kind == SyntaxKind::Row);
        let (Some(id), Some(first)) = (id, first) else {
            return as_they_are();
        };
        let (Some(old), Some(new)) = (self.old.entities.get(&id), self.new.entities.get(&id))
        else {
            return as_they_are();
        };
        let named: Vec<Option<String>> = (cells(first).into_iter())
            .map(|cell| cell.map(|cell| cell.value()))
            .collect();
        let (old_samples, new_samples) = (self.old.samples_of(id), self.new.samples_of(id));
        if new_samples.is_empty() && old_samples.is_empty() {
            return as_they_are();
        }
        let old_columns: Vec<String> = named
            .iter()
            .map(|n| n.clone().unwrap_or_default())
            .collect();
        let new_columns = columns(&named, old, new, new_samples);
        let rows = |design: &Design, entity: &Entity, columns: &[String]| -> Vec<Node> {
            let samples = design.samples_of(id);
            let mut nodes = Vec::new();
            if !samples.is_empty() {
                nodes.push(header(columns));
            }
            let row = |sample: &Arc<Sample>| sample_row(entity, sample, columns);
            nodes.extend(samples.iter().map(row));
            nodes
        };
        let replaced = |nodes: &[Node], rows: Vec<Node>| -> Vec<Node> {
            let others = nodes.iter().filter(|node| node.kind != SyntaxKind::Row);
            others.cloned().chain(rows).collect()
        };
        (
            replaced(before, rows(self.old, old, &old_columns)),
            replaced(after, rows(self.new, new, &new_columns)),
        )
    }
}

/// The columns after the edit: renamed with their attributes, without those of deleted attributes, and new ones at the end.
fn columns(
    named: &[Option<String>],
    old: &Entity,
    new: &Entity,
    samples: &[Arc<Sample>],
) -> Vec<String> {
    let has_value = |name: &str| {
        samples
            .iter()
            .any(|sample| sample.values.contains_key(name))
    };
    let mut columns: Vec<String> = Vec::new();
    for name in named {
        let Some(name) = name else {
            // A column without a name stays empty.
            columns.push(String::new());
            continue;
        };
        let attribute = old.attribute(name);
        let renamed = attribute.and_then(|attribute| {
            let found = new.attribute_by_id(attribute.id);
            found.map(|found| found.name.clone())
        });
        let name = match renamed {
            Some(renamed) => renamed,
            None if attribute.is_some() && !has_value(name) => continue,
            None => name.clone(),
        };
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    let canonical = super::super::print::columns(new, samples);
    for name in canonical {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns
}
