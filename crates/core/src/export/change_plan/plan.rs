//! The plan: its stack updates, the changes to items, and remarks.

use super::super::{Code, cloudformation};
use super::data;
use super::data::DataChange;
use super::new_table::{new_table, replacement};
use super::settings;
use super::steps;
use super::version::Version;
use crate::model::Design;

/// The changes from one version to another.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ChangePlan {
    /// The reasons for a new table; empty if the table stays.
    pub replacement: Vec<String>,
    /// The stack updates, in order.
    pub steps: Vec<PlanStep>,
    /// Changes to existing items; those that a new index needs are in its step.
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
pub struct PlanStep {
    /// The kind of update.
    pub kind: StepKind,
    /// The changes, one per line.
    pub changes: Vec<String>,
    /// Changes to existing items before this update, once no index has the old type of their attributes: DynamoDB
    /// refuses a value of another type than that of an index.
    pub first: Vec<DataChange>,
    /// Changes to existing items that put them into a new index.
    pub backfill: Vec<DataChange>,
    /// The design after this step.
    pub design: Design,
    /// The attribute for which this step, or one before it, turns TTL off.
    pub ttl_off: Option<String>,
}

impl PlanStep {
    /// Returns the template to deploy.
    pub fn template(&self) -> Code {
        match &self.ttl_off {
            Some(attribute) => cloudformation::with_ttl_off(&self.design, attribute),
            None => cloudformation::cloudformation(&self.design),
        }
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
        true => {
            let wanted =
                settings::with_kept_warm_throughput(&old.design, &new.design, &mut remarks);
            steps::steps(&old.design, &wanted, &mut data, &mut remarks)
        }
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
