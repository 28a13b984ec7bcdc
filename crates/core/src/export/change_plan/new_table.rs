//! What an existing table cannot become: the reasons for a new one.

use super::plan::{PlanStep, StepKind};
use super::version::Version;
use crate::model::{Design, Index, IndexKind, KeySchema, MultiRegionConsistency, SortedSet, Table};
use std::sync::Arc;

pub(super) fn new_table(replacement: &[String], design: &Design) -> PlanStep {
    PlanStep {
        kind: StepKind::NewTable,
        changes: replacement.to_vec(),
        first: Vec::new(),
        backfill: Vec::new(),
        design: design.clone(),
        ttl_off: None,
    }
}

/// Returns the reasons for a new table.
pub(super) fn replacement(old: &Version, new: &Version, remarks: &mut Vec<String>) -> Vec<String> {
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
    let (was, is) = (
        before.table.multi_region_consistency,
        after.table.multi_region_consistency,
    );
    let strong = is == MultiRegionConsistency::Strong;
    let consistency = match before.table.replicas.is_empty() {
        true => strong && !after.table.replicas.is_empty(),
        false => was != is && !after.table.replicas.is_empty(),
    };
    if consistency {
        reasons.push(
            "The multi-Region consistency changes. A global table keeps the one that it was created with, and strong \
             consistency needs an empty table."
                .to_owned(),
        );
    }
    let regions = |table: &Table| {
        let all = table.replicas.iter().map(|one| one.region.clone());
        all.collect::<SortedSet<String>>()
    };
    let (had, has) = (regions(&before.table), regions(&after.table));
    if strong && was == is && !had.is_empty() && !has.is_empty() && had != has {
        reasons.push(
            "The replicas change. A table with multi-Region strong consistency keeps the Regions that it was created with."
                .to_owned(),
        );
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
pub(super) fn of_kind(design: &Design, kind: IndexKind) -> Vec<&Arc<Index>> {
    let mut found = Vec::new();
    for index in design.indexes.values() {
        if index.kind == kind {
            found.push(index);
        }
    }
    found
}

/// Returns the index of this kind and name.
pub(super) fn named<'a>(design: &'a Design, kind: IndexKind, name: &str) -> Option<&'a Arc<Index>> {
    let mut indexes = of_kind(design, kind).into_iter();
    indexes.find(|index| index.name == name)
}

/// Whether DynamoDB treats two indexes as the same: equal keys and equal projected attributes.
pub(super) fn same_index(old_table: &Table, old: &Index, new_table: &Table, new: &Index) -> bool {
    use super::super::table_plan::same_projection;
    old.key == new.key && same_projection(old_table, old, new_table, new)
}

/// Formats a key: `PK (S), SK (S)`.
pub(super) fn key_text(key: &KeySchema) -> String {
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
