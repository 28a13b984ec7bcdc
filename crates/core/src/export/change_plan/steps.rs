//! The stack updates in order: first settings, then new indexes, so that readers can switch before old indexes are
//! deleted. An index that changes under the same name is deleted before it is created again. If a key attribute changes its
//! type, items are written again in between: when no index has the old type, and before one has the new type.

use super::data::{DataChange, DataKind, Written, key_type};
use super::new_table::{key_text, named, of_kind, same_index};
use super::plan::{PlanStep, StepKind};
use super::renamed::{earlier, with_new_names};
use super::settings;
use crate::model::{
    Design, Index, IndexId, IndexKind, MultiRegionConsistency, StreamView, Table, limits,
};
use std::sync::Arc;

/// Returns the steps between two designs with the same table. Moves the changes for new indexes out of `data`.
pub(super) fn steps(
    old: &Design,
    new: &Design,
    data: &mut Vec<DataChange>,
    remarks: &mut Vec<String>,
) -> Vec<PlanStep> {
    let (was, is) = (&old.table.ttl_attribute, &new.table.ttl_attribute);
    let mut builder = StepBuilder {
        new,
        steps: Vec::new(),
        at: new.clone(),
        ttl_off: was.clone().filter(|was| is.as_ref() != Some(was)),
    };
    // Before the last step, the design has the new settings and the indexes of that moment.
    builder.at.indexes.clear();
    for index in of_kind(new, IndexKind::Lsi) {
        builder.add(index);
    }
    for (id, index) in &old.indexes {
        if index.kind != IndexKind::Gsi {
            continue;
        }
        let kept = named(new, IndexKind::Gsi, &index.name)
            .filter(|other| same_index(&old.table, index, &new.table, other));
        match kept {
            Some(kept) => builder.add(kept),
            None => builder.add_old(old, *id, index),
        }
    }
    builder.table(old, remarks);
    builder.indexes(old, data, remarks);
    if let Some(last) = builder.steps.last_mut() {
        // After the last step it is the new design itself, with the order of its indexes.
        last.design = new.clone();
    }
    builder.steps
}

struct StepBuilder<'a> {
    new: &'a Design,
    steps: Vec<PlanStep>,
    /// The design after the steps so far.
    at: Design,
    /// The attribute for which the steps turn TTL off.
    ttl_off: Option<String>,
}

impl StepBuilder<'_> {
    /// Adds an index of the new design, under its ID: that of the entities' keys.
    fn add(&mut self, index: &Arc<Index>) {
        let mut all = self.new.indexes.iter();
        let own = all.find(|(id, other)| *other == index && !self.at.indexes.contains_key(id));
        let id = own.map(|(id, _)| *id);
        let id = id.unwrap_or_else(|| IndexId(self.at.take_id()));
        self.at.indexes.insert(id, index.clone());
    }

    /// Adds an index that a later step deletes, with the keys that it has: until then the tenant policy allows its queries.
    fn add_old(&mut self, old: &Design, id: IndexId, index: &Arc<Index>) {
        let own = IndexId(self.at.take_id());
        self.at.indexes.insert(own, index.clone());
        for (entity, after) in &self.new.entities {
            let before = earlier(old, self.new, *entity, after);
            let entry = before.and_then(|before| Some((before, before.keys.get(&id)?)));
            if let Some((before, entry)) = entry
                && let Some(entity) = self.at.entities.get_mut(entity)
            {
                let entry = with_new_names(before, after, entry);
                Arc::make_mut(entity).keys.insert(own, entry);
            }
        }
    }

    fn push(&mut self, kind: StepKind, changes: Vec<String>) -> &mut PlanStep {
        let design = self.at.clone();
        self.steps.push(PlanStep {
            kind,
            changes,
            first: Vec::new(),
            backfill: Vec::new(),
            design,
            ttl_off: self.ttl_off.clone(),
        });
        let last = self.steps.len() - 1;
        &mut self.steps[last]
    }

    /// If the resource type changes, imports the table under the new type with its current settings and indexes.
    /// Returns the design after that.
    fn import(&mut self, old: &Design, remarks: &mut Vec<String>) -> Option<Design> {
        let was_global = !old.table.replicas.is_empty();
        if was_global != self.new.table.replicas.is_empty() {
            return None;
        }
        let mut design = self.at.clone();
        let mut table = Table::clone(&old.table);
        table.name.clone_from(&self.new.table.name);
        table.replicas.clone_from(&self.new.table.replicas);
        table.multi_region_consistency = self.new.table.multi_region_consistency;
        if was_global {
            // Settings that replication requires.
            table.stream = Some(StreamView::NewAndOldImages);
        }
        design.table = Arc::new(table);
        for index in design.indexes.values_mut() {
            if let Some(before) = named(old, index.kind, &index.name) {
                *index = before.clone();
            }
        }
        let (from, to) = match was_global {
            false => ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable"),
            true => ("AWS::DynamoDB::GlobalTable", "AWS::DynamoDB::Table"),
        };
        let mut changes = vec![format!(
            "The resource type changes from {from} to {to}, which one stack update cannot do."
        )];
        if was_global {
            let regions: Vec<&str> = (old.table.replicas.iter())
                .map(|replica| replica.region.as_str())
                .collect();
            let strong = old.table.multi_region_consistency == MultiRegionConsistency::Strong;
            changes.push(format!(
                "First remove {}: {}.",
                match strong {
                    true => "both replicas in one update",
                    false => "the replicas, one per update",
                },
                regions.join(", ")
            ));
        }
        changes.push(
            "Deploy the old template without the table and without what refers to it, such as its scaling, policy and Outputs. \
             If the table has DeletionPolicy: Retain, as in Keyfold's templates, it stays, with its items. A stack needs a \
             resource: if nothing else is left, add one that costs nothing, such as AWS::CloudFormation::WaitConditionHandle."
                .to_owned(),
        );
        let import = "Then import the table: a change set of type IMPORT with the Table of this template added, but without \
                      Outputs or other resources, which an import cannot add";
        changes.push(match was_global {
            true => format!("{import}. Deploy the whole template after that."),
            false => format!(
                "{import}, and with only its own Region under Replicas. After that add the other Regions, one per update, and deploy \
                 the whole template."
            ),
        });
        if old.export_options.delete_with_stack || self.new.export_options.delete_with_stack {
            let line = "Before that, deploy the old template with DeletionPolicy: Retain. Otherwise CloudFormation deletes the table.";
            changes.insert(0, line.to_owned());
        }
        self.push(StepKind::Import, changes).design = design.clone();
        remarks.push(
            "CloudFormation does not convert a table to a global table, or back, when the resource type changes. It may delete the table."
                .to_owned(),
        );
        Some(design)
    }

    /// Adds settings, the resource type and replicas.
    fn table(&mut self, old: &Design, remarks: &mut Vec<String>) {
        let imported = self.import(old, remarks);
        let old = imported.as_ref().unwrap_or(old);
        let (before, after) = (&old.table, &self.new.table);
        // TTL must be off before it can use another attribute.
        let ttl = (before.ttl_attribute.as_ref()).zip(after.ttl_attribute.as_ref());
        let ttl_moves = ttl.filter(|(before, after)| before != after);
        let mut first = self.at.clone();
        let table = Arc::make_mut(&mut first.table);
        // Replicas of both versions have their new keys.
        table.replicas.clone_from(&before.replicas);
        for replica in &mut table.replicas {
            let mut others = after.replicas.iter();
            if let Some(other) = others.find(|other| other.region == replica.region) {
                replica.clone_from(other);
            }
        }
        if ttl_moves.is_some() {
            table.ttl_attribute = None;
        }
        let whole = std::mem::replace(&mut self.at, first);
        let lines = settings::changed(old, &self.at);
        if !lines.is_empty() {
            let stream_changes = before.stream != after.stream && before.stream.is_some();
            self.push(StepKind::Settings, lines);
            if stream_changes {
                remarks.push(
                    "The stream gets a new ARN when its view type changes. Point its consumers there."
                        .to_owned(),
                );
            }
        }
        if let Some((before, after)) = ttl_moves {
            let line = format!(
                "TimeToLiveSpecification: turn TTL on for {after}. Wait one hour after the previous update, which turns it off for {before}."
            );
            Arc::make_mut(&mut self.at.table).ttl_attribute = Some(after.clone());
            self.push(StepKind::Settings, vec![line]);
        }
        let known = |list: &[crate::model::Replica], region: &str| {
            list.iter().any(|replica| replica.region == region)
        };
        for replica in &before.replicas {
            if !known(&after.replicas, &replica.region) {
                let table = Arc::make_mut(&mut self.at.table);
                table
                    .replicas
                    .retain(|other| other.region != replica.region);
                let line = format!("The replica in {} is removed.", replica.region);
                self.push(StepKind::RemoveReplica(replica.region.clone()), vec![line]);
            }
        }
        for replica in &after.replicas {
            if !known(&before.replicas, &replica.region) {
                let table = Arc::make_mut(&mut self.at.table);
                table.replicas.push(replica.clone());
                let line = format!("A replica in {} is added, with all items.", replica.region);
                self.push(StepKind::AddReplica(replica.region.clone()), vec![line]);
            }
        }
        self.at.table = whole.table;
    }

    /// Adds GSI changes, one per update.
    fn indexes(&mut self, old: &Design, data: &mut Vec<DataChange>, remarks: &mut Vec<String>) {
        let wanted = of_kind(self.new, IndexKind::Gsi);
        let most = limits::GSIS_PER_TABLE.max(of_kind(old, IndexKind::Gsi).len());
        let most = most.max(wanted.len());
        loop {
            let there = of_kind(&self.at, IndexKind::Gsi);
            let is_wanted = |index: &Arc<Index>| wanted.contains(&index);
            let has_name = |index: &Arc<Index>| wanted.iter().any(|other| other.name == index.name);
            let missing = wanted.iter().filter(|index| !there.contains(index));
            let missing: Vec<&Arc<Index>> = missing.copied().collect();
            let can_come = |index: &&Arc<Index>| {
                there.len() < most
                    && !there.iter().any(|other| other.name == index.name)
                    && !there.iter().any(|other| types_differ(other, index))
            };
            if let Some(index) = missing.iter().find(|index| can_come(index)) {
                let index = Arc::clone(index);
                self.create(old, &index, data);
                continue;
            }
            let leaving: Vec<&Arc<Index>> =
                (there.iter().filter(|index| !is_wanted(index)).copied()).collect();
            // First delete indexes that block new ones.
            let blocks = |index: &&&Arc<Index>| missing.iter().any(|new| types_differ(index, new));
            let renewed = |index: &&&Arc<Index>| has_name(index);
            let full = there.len() >= most && !missing.is_empty();
            let next = leaving.iter().find(|index| blocks(index));
            let next = match full {
                true => next.or_else(|| leaving.iter().find(|index| !renewed(index))),
                false => next,
            };
            let next = next.or_else(|| leaving.iter().find(|index| renewed(index)));
            let Some(index) = next.or(leaving.first()) else {
                return;
            };
            let index = Arc::clone(index);
            let comes_again = has_name(&index);
            self.delete(&index, comes_again, remarks);
        }
    }

    fn create(&mut self, old: &Design, index: &Arc<Index>, data: &mut Vec<DataChange>) {
        self.add(index);
        let mut retyped = retyped(old, index, data);
        // An earlier step says it.
        retyped.retain(|one| {
            let mut said = self.steps.iter().flat_map(|step| &step.first);
            !said.any(|change| change.writes(&one.attribute))
        });
        let (mut first, mut backfill, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for change in data.drain(..) {
            let is_of_index = change.index.as_deref() == Some(index.name.as_str());
            if is_of_index && change.is_new() {
                backfill.push(change);
            } else if retyped.iter().any(|one| change.writes(&one.attribute)) {
                first.push(change);
            } else {
                rest.push(change);
            }
        }
        *data = rest;
        if old.entities.is_empty() && !retyped.is_empty() {
            // A template says nothing about the items.
            first.push(DataChange {
                kind: DataKind::Retype,
                entity: None,
                index: Some(index.name.clone()),
                when: None,
                attributes: retyped,
            });
        }
        let line = format!(
            "The index {} on {} is created.",
            index.name,
            key_text(&index.key)
        );
        let step = self.push(StepKind::CreateIndex(index.name.clone()), vec![line]);
        step.first = first;
        step.backfill = backfill;
    }

    fn delete(&mut self, index: &Arc<Index>, comes_again: bool, remarks: &mut Vec<String>) {
        self.at.indexes.retain(|_, other| other != index);
        let mut line = format!("The index {} is deleted.", index.name);
        if comes_again {
            line.push_str(" A later update creates it again with its changes; until then, queries of it fail.");
            remarks.push(format!(
                "{} changes but keeps its name, so it is unavailable while it is rebuilt. With a new name, both indexes \
                 can exist until all readers have switched.",
                index.name
            ));
        } else {
            line.push_str(" Before that, make sure that nothing reads it.");
        }
        self.push(StepKind::DeleteIndex(index.name.clone()), vec![line]);
    }
}

/// The key attributes of a new index whose values have another type so far, with both types.
fn retyped(old: &Design, index: &Index, data: &[DataChange]) -> Vec<Written> {
    let is_retyped =
        |change: &DataChange, name: &str| change.kind == DataKind::Retype && change.writes(name);
    let mut found = Vec::new();
    for key in index.key.attributes() {
        let was = key_type(old, &key.name).filter(|was| *was != key.kind);
        if was.is_some() || data.iter().any(|change| is_retyped(change, &key.name)) {
            found.push(Written {
                attribute: key.name.clone(),
                before: was.map(|was| was.letter().to_owned()),
                after: Some(key.kind.letter().to_owned()),
            });
        }
    }
    found
}

/// Whether an attribute has different types in the two indexes, so that one table cannot have both.
fn types_differ(one: &Index, other: &Index) -> bool {
    one.key.attributes().any(|attribute| {
        let mut others = other.key.attributes();
        others.any(|other| other.name == attribute.name && other.kind != attribute.kind)
    })
}
