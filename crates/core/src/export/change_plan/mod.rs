//! The change plan: from an earlier version of a design, or of its template, to the new one in stack updates that
//! CloudFormation takes. What must be a new table is named, and so is what has to be written to the items.
//!
//! - [`steps`]: the updates in their order; each has the whole template to deploy.
//! - [`data`]: keys that existing items lack or have in another form.
//! - [`text`]: the plan in words.
//!
//! Source: AWS::DynamoDB::Table and AWS::DynamoDB::GlobalTable, CloudFormation template reference ("Update requires",
//! one index created or deleted in an update, one replica added or removed, TTL off before it is on another attribute).

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
    /// The design; one that comes from a template has no entities.
    pub design: Design,
    /// Whether its entities are known.
    pub has_entities: bool,
    /// Whether the name of its table is known.
    pub named: bool,
    /// What could not be taken over when it was read.
    pub remarks: Vec<String>,
}

impl Version {
    /// A design as a version.
    pub fn of_design(design: Design) -> Self {
        Version {
            design,
            has_entities: true,
            named: true,
            remarks: Vec::new(),
        }
    }

    /// A template's table as a version.
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
        // A template that has functions means them.
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

/// The way from one version to another.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangePlan {
    /// Why the table has to be made anew; empty: it stays.
    pub replacement: Vec<String>,
    /// The stack updates, in their order.
    pub steps: Vec<Step>,
    /// What has to be written to existing items; what a new index needs stands with its step.
    pub data: Vec<DataChange>,
    /// What is good to know.
    pub remarks: Vec<String>,
}

impl ChangePlan {
    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.data.is_empty()
    }
}

/// One stack update.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What it does.
    pub kind: StepKind,
    /// What changes, a line each.
    pub changes: Vec<String>,
    /// What existing items need before they are in a new index.
    pub backfill: Vec<DataChange>,
    /// The design as it is after this step.
    pub design: Design,
}

impl Step {
    /// The template to deploy.
    pub fn template(&self) -> Code {
        cloudformation::cloudformation(&self.design)
    }
}

/// What a stack update does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepKind {
    /// Settings in place: no interruption.
    Settings,
    /// Creates a global secondary index.
    CreateIndex(String),
    /// Deletes a global secondary index.
    DeleteIndex(String),
    /// Adds a replica in this Region.
    AddReplica(String),
    /// Removes the replica of this Region.
    RemoveReplica(String),
    /// Makes a new table.
    NewTable,
    /// Puts the table under another resource type: out of the stack, and imported again.
    Import,
}

/// Works out the plan from `old` to `new`.
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
            "The old table is retained and keeps its name: give the stack of the new one another TableName, or a Stage."
                .to_owned(),
        );
    }
    if !old.has_entities && new.has_entities && !new.design.indexes.is_empty() {
        remarks.push(
            "A template does not tell what the items hold: only a plan from a design names the keys that have to be \
             written anew."
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

/// Why the table would be replaced.
fn replacement(old: &Version, new: &Version, remarks: &mut Vec<String>) -> Vec<String> {
    let (before, after) = (&old.design, &new.design);
    let mut reasons = Vec::new();
    let (name, renamed) = (&before.table.name, &after.table.name);
    if !old.named {
        remarks.push(format!(
            "The template leaves the table's name to CloudFormation or to a function. Give the stack TableName=NAME, \
             the name that the table has: any other, such as {renamed}, makes a new table."
        ));
    } else if name != renamed && new.named {
        reasons.push(format!(
            "The table's name changes from {name} to {renamed}. (With the parameter TableName={name} the table stays.)"
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
                "The local index {} goes, which cannot be deleted.",
                index.name
            )),
            Some(other) if !same_index(&before.table, index, &after.table, other) => {
                reasons.push(format!(
                    "The local index {} changes, which it cannot once the table is made.",
                    index.name
                ));
            }
            Some(_) => {}
        }
    }
    for index in of_kind(after, IndexKind::Lsi) {
        if named(before, IndexKind::Lsi, &index.name).is_none() {
            reasons.push(format!(
                "The local index {} comes, which only a new table can have.",
                index.name
            ));
        }
    }
    reasons
}

/// The indexes of one kind, in the order of their ids.
fn of_kind(design: &Design, kind: IndexKind) -> Vec<&Arc<Index>> {
    let mut found = Vec::new();
    for index in design.indexes.values() {
        if index.kind == kind {
            found.push(index);
        }
    }
    found
}

/// The index of this kind and name.
fn named<'a>(design: &'a Design, kind: IndexKind, name: &str) -> Option<&'a Arc<Index>> {
    let mut indexes = of_kind(design, kind).into_iter();
    indexes.find(|index| index.name == name)
}

/// Whether two indexes are one to DynamoDB: the same key and the same attributes in it.
fn same_index(old_table: &Table, old: &Index, new_table: &Table, new: &Index) -> bool {
    use super::cloudformation::plan::same_projection;
    old.key == new.key && same_projection(old_table, old, new_table, new)
}

/// A key in words: `PK (S), SK (S)`.
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
