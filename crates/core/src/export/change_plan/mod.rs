//! The change plan: the stack updates that lead from an earlier version of a design, or of its template, to the new
//! one. It reports what needs a new table, and which items must change.
//!
//! - `steps`: the updates in order, each with the complete template to deploy.
//! - `data`: keys that existing items lack or have in another form.
//! - [`text`]: the plan in words.
//!
//! Source: AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, CloudFormation template reference ("Update requires",
//! one index created or deleted per update, one replica added or removed per update, TTL off before it changes its
//! attribute).

mod data;
mod settings;
mod steps;
mod text;

pub use data::{DataChange, DataKind, Written};
pub use text::text;

use super::cloudformation::read::ReadTable;
use super::{Code, cloudformation};
use crate::model::{Design, Index, IndexId, IndexKind, KeySchema, Table, live_parts};
use std::sync::Arc;

/// A version to compare: a design, or a table read from a template.
#[derive(Debug, Clone, PartialEq)]
pub struct Version {
    /// The design; it has no entities if it comes from a template.
    pub design: Design,
    /// Whether its entities are known.
    pub has_entities: bool,
    /// Whether the table's name is known.
    pub named: bool,
    /// What could not be read.
    pub remarks: Vec<String>,
}

impl Version {
    /// Creates the version of a design.
    pub fn of_design(design: Design) -> Self {
        Version {
            design,
            has_entities: true,
            named: true,
            remarks: Vec::new(),
        }
    }

    /// Creates the version of a template's table.
    pub fn of_template(read: ReadTable) -> Self {
        let mut design = Design::new(read.resource);
        design.table = Arc::new(read.table);
        let options = Arc::make_mut(&mut design.export_options);
        options.delete_with_stack = read.delete_with_stack;
        options.tenant_policy = read.tenant_policy;
        for index in read.indexes {
            let id = IndexId(design.take_id());
            design.indexes.insert(id, Arc::new(index));
        }
        // A template that contains functions intends them.
        let live = !live_parts(&design).is_empty();
        Arc::make_mut(&mut design.export_options).live_functions = live;
        Version {
            design,
            has_entities: false,
            named: read.named,
            remarks: read.remarks,
        }
    }
}

/// The changes from one version to another.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePlan {
    /// The reasons for a new table; empty if the table stays.
    pub replacement: Vec<String>,
    /// The stack updates, in order.
    pub steps: Vec<Step>,
    /// Changes to existing items; the changes for a new index are in its step.
    pub data: Vec<DataChange>,
    /// Other remarks.
    pub remarks: Vec<String>,
}

impl ChangePlan {
    /// Whether nothing changes.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.data.is_empty()
    }
}

/// One stack update.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The kind of update.
    pub kind: StepKind,
    /// The changes, one per line.
    pub changes: Vec<String>,
    /// Changes to existing items that put them into a new index.
    pub backfill: Vec<DataChange>,
    /// The design after this step.
    pub design: Design,
}

impl Step {
    /// Returns the template to deploy.
    pub fn template(&self) -> Code {
        cloudformation::cloudformation(&self.design)
    }
}

/// A kind of stack update.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// Changes settings in place, without interruption.
    Settings,
    /// Creates a global secondary index.
    CreateIndex(String),
    /// Deletes a global secondary index.
    DeleteIndex(String),
    /// Adds a replica in this Region.
    AddReplica(String),
    /// Removes the replica of this Region.
    RemoveReplica(String),
    /// Creates a new table.
    NewTable,
    /// Changes the resource type: removes the table from the stack and imports it again.
    Import,
}

/// Computes the plan from `old` to `new`.
pub fn change_plan(old: &Version, new: &Version) -> ChangePlan {
    let mut remarks = old.remarks.clone();
    remarks.extend(new.remarks.iter().cloned());
    let replacement = replacement(old, new, &mut remarks);
    let mut data = match (old.has_entities, new.has_entities) {
        (true, true) => data::changes(&old.design, &new.design),
        (false, true) => data::unknown(&old.design, &new.design),
        _ => Vec::new(),
    };
    let steps = match replacement.is_empty() {
        false => vec![new_table(&replacement, &new.design)],
        true => steps::steps(&old.design, &new.design, &mut data, &mut remarks),
    };
    if old.named && !replacement.is_empty() && old.design.table.name == new.design.table.name {
        remarks.push(
            "The old table is retained and keeps its name. Give the new stack another TableName or a Stage."
                .to_owned(),
        );
    }
    if !old.has_entities && new.has_entities && !new.design.indexes.is_empty() {
        remarks.push(
            "A template does not contain the entities. To see which keys existing items need, compare with a \
             design instead."
                .to_owned(),
        );
    }
    if !replacement.is_empty() {
        data.insert(0, DataChange::copy(&old.design.table, &new.design.table));
    }
    ChangePlan {
        replacement,
        steps,
        data,
        remarks,
    }
}

fn new_table(replacement: &[String], design: &Design) -> Step {
    Step {
        kind: StepKind::NewTable,
        changes: replacement.to_vec(),
        backfill: Vec::new(),
        design: design.clone(),
    }
}

/// Returns the reasons for a new table.
fn replacement(old: &Version, new: &Version, remarks: &mut Vec<String>) -> Vec<String> {
    let (before, after) = (&old.design, &new.design);
    let mut reasons = Vec::new();
    let (name, renamed) = (&before.table.name, &after.table.name);
    if !old.named {
        remarks.push(format!(
            "The template leaves the table's name to CloudFormation or to a function. Deploy with TableName=NAME, \
             the current name of the table: any other name, such as {renamed}, creates a new table."
        ));
    } else if name != renamed && new.named {
        reasons.push(format!(
            "The table's name changes from {name} to {renamed}. To keep the table, deploy with TableName={name}."
        ));
    }
    if before.table.key != after.table.key {
        reasons.push(format!(
            "The primary key changes from {} to {}.",
            key_text(&before.table.key),
            key_text(&after.table.key)
        ));
    }
    for index in of_kind(before, IndexKind::Lsi) {
        match named(after, IndexKind::Lsi, &index.name) {
            None => reasons.push(format!(
                "The design removes the LSI {}, which DynamoDB cannot delete.",
                index.name
            )),
            Some(other) if !same_index(&before.table, index, &after.table, other) => {
                reasons.push(format!(
                    "The LSI {} changes, which DynamoDB does not support on an existing table.",
                    index.name
                ));
            }
            Some(_) => {}
        }
    }
    for index in of_kind(after, IndexKind::Lsi) {
        if named(before, IndexKind::Lsi, &index.name).is_none() {
            reasons.push(format!(
                "The design adds the LSI {}, which only a new table can have.",
                index.name
            ));
        }
    }
    reasons
}

/// Returns the indexes of one kind, in the order of their ids.
fn of_kind(design: &Design, kind: IndexKind) -> Vec<&Arc<Index>> {
    let mut found = Vec::new();
    for index in design.indexes.values() {
        if index.kind == kind {
            found.push(index);
        }
    }
    found
}

/// Returns the index of this kind and name.
fn named<'a>(design: &'a Design, kind: IndexKind, name: &str) -> Option<&'a Arc<Index>> {
    let mut indexes = of_kind(design, kind).into_iter();
    indexes.find(|index| index.name == name)
}

/// Whether DynamoDB treats two indexes as the same: equal keys and equal projected attributes.
fn same_index(old_table: &Table, old: &Index, new_table: &Table, new: &Index) -> bool {
    use super::table_plan::same_projection;
    old.key == new.key && same_projection(old_table, old, new_table, new)
}

/// Formats a key: `PK (S), SK (S)`.
fn key_text(key: &KeySchema) -> String {
    let mut text = String::new();
    for attribute in key.attributes() {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.push_str(&attribute.name);
        text.push_str(" (");
        text.push_str(attribute.kind.letter());
        text.push(')');
    }
    text
}
