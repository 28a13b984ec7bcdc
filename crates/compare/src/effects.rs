//! What a difference does: to the keys of items, to access patterns, to findings, to the deployed table.

use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{IndexContent, Item, Items, materialize_all};
use keyfold_core::export::change_plan::{ChangePlan, Version, change_plan};
use keyfold_core::lint::{Finding, Place, lint};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, IndexId, KeyAttribute, SampleId, SortedMap, Value,
};
use keyfold_core::proof::{Outcome, Proof, Verdict, prove};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What differs in what two designs do.
#[derive(Debug, Clone)]
pub struct Effects {
    /// Items whose keys differ, by entity and index.
    pub keys: Vec<KeyEffect>,
    /// Access patterns of both designs that do something else now.
    pub patterns: Vec<PatternEffect>,
    /// Findings of the new design that the old one has not, without silenced ones.
    pub new_findings: Vec<Arc<Finding>>,
    /// Findings of the old design that the new one has not.
    pub gone_findings: Vec<Arc<Finding>>,
    /// The stack updates and the items to write.
    pub plan: ChangePlan,
}

/// How the samples that both designs have appear in the table or an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyEffect {
    /// The entity.
    pub entity: EntityId,
    /// The table or an index of both designs, or of one.
    pub index: IndexId,
    /// Number of items with another key.
    pub changed: usize,
    /// Number of items whose partition key differs.
    pub partition: usize,
    /// Number of items whose sort key differs.
    pub sort: usize,
    /// Number of items that are only in the new design's index.
    pub entered: usize,
    /// Number of items that are only in the old design's index.
    pub left: usize,
}

/// An access pattern that does something else.
#[derive(Debug, Clone, PartialEq)]
pub struct PatternEffect {
    /// The access pattern.
    pub id: AccessPatternId,
    /// In the old design.
    pub before: Served,
    /// In the new design.
    pub after: Served,
}

/// What an access pattern does on the samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Served {
    /// Whether the design serves it.
    pub verdict: Verdict,
    /// The number of items that a read reads and returns; `None` for a write, or if it did not run.
    pub read: Option<(usize, usize)>,
    /// The read or write capacity units; `None` if it did not run.
    pub units: Option<f64>,
}

/// Compares what two designs that share ids do.
pub fn effects(old: &Design, new: &Design) -> Effects {
    let (new_findings, gone_findings) = findings(old, new);
    Effects {
        keys: keys(old, new),
        patterns: patterns(old, new),
        new_findings,
        gone_findings,
        plan: change_plan(
            &Version::of_design(old.clone()),
            &Version::of_design(new.clone()),
        ),
    }
}

impl KeyEffect {
    fn is_any(&self) -> bool {
        self.changed + self.entered + self.left > 0
    }
}

fn keys(old: &Design, new: &Design) -> Vec<KeyEffect> {
    let (olds, news) = (materialize_all(old), materialize_all(new));
    let mut indexes: Vec<IndexId> = old.index_ids().chain(new.index_ids()).collect();
    indexes.sort_unstable();
    indexes.dedup();
    let contents: Vec<_> = (indexes.iter())
        .map(|id| {
            (
                *id,
                IndexContent::new(old, *id),
                IndexContent::new(new, *id),
            )
        })
        .collect();
    let mut found = Vec::new();
    for (entity, items) in &news {
        let Some(before) = olds.get(entity) else {
            continue;
        };
        let before = by_sample(before);
        let items = Vec::from_iter(items.iter());
        for (index, old, new) in &contents {
            let mut effect = KeyEffect {
                entity: *entity,
                index: *index,
                changed: 0,
                partition: 0,
                sort: 0,
                entered: 0,
                left: 0,
            };
            for after in &items {
                if let Some(before) = before.get(&after.id()) {
                    effect.add((old.as_ref(), before), (new.as_ref(), after));
                }
            }
            if effect.is_any() {
                found.push(effect);
            }
        }
    }
    found
}

fn by_sample(items: &Items) -> FxHashMap<SampleId, Item> {
    items.iter().map(|item| (item.id(), item)).collect()
}

impl KeyEffect {
    fn add(
        &mut self,
        (old, before): (Option<&IndexContent>, &Item),
        (new, after): (Option<&IndexContent>, &Item),
    ) {
        let was = old.filter(|content| content.holds(before));
        let is = new.filter(|content| content.holds(after));
        match (was, is) {
            (None, None) => {}
            (None, Some(_)) => self.entered += 1,
            (Some(_), None) => self.left += 1,
            (Some(old), Some(new)) => {
                let (old, new) = (old.key(), new.key());
                let partition = values(&old.partition, before) != values(&new.partition, after);
                let sort = values(&old.sort, before) != values(&new.sort, after);
                self.partition += usize::from(partition);
                self.sort += usize::from(sort);
                self.changed += usize::from(partition || sort);
            }
        }
    }
}

fn values(key: &[KeyAttribute], item: &Item) -> Vec<Option<Value>> {
    let value = |attribute: &KeyAttribute| {
        let value = item.get(&attribute.name)?;
        Some(value.value().into_owned())
    };
    key.iter().map(value).collect()
}

fn patterns(old: &Design, new: &Design) -> Vec<PatternEffect> {
    if old.access_patterns.is_empty() || new.access_patterns.is_empty() {
        return Vec::new();
    }
    let (olds, news) = (TableSnapshot::of(old), TableSnapshot::of(new));
    let mut found = Vec::new();
    for id in new.access_patterns.keys().copied() {
        let (Some(before), Some(after)) = (prove(&olds, id), prove(&news, id)) else {
            continue;
        };
        let (before, after) = (served(&before), served(&after));
        if before != after {
            found.push(PatternEffect { id, before, after });
        }
    }
    found
}

fn served(proof: &Proof) -> Served {
    let (read, units) = match &proof.outcome {
        Outcome::Nothing => (None, None),
        Outcome::Read(read) => (Some((read.read, read.items.len())), Some(read.units)),
        Outcome::Written(preview) => (None, Some(preview.units)),
    };
    Served {
        verdict: proof.verdict,
        read,
        units,
    }
}

/// The findings that appeared and those that went. A finding is the same if its rule and its place are; its message can
/// name what was renamed.
fn findings(old: &Design, new: &Design) -> (Vec<Arc<Finding>>, Vec<Arc<Finding>>) {
    type ByPlace = SortedMap<(&'static str, Place), Vec<Arc<Finding>>>;
    let by_place = |design: &Design| {
        let mut found = ByPlace::new();
        for finding in lint(design).open() {
            let key = (finding.code, finding.place);
            found.entry(key).or_default().push(finding.clone());
        }
        found
    };
    let (olds, news) = (by_place(old), by_place(new));
    let more = |of: &ByPlace, than: &ByPlace| -> Vec<Arc<Finding>> {
        let mut more = Vec::new();
        for (key, findings) in of {
            let others = than.get(key).map_or(&[][..], |others| others);
            let mut count = findings.len().saturating_sub(others.len());
            // Those with another message first; the others stayed.
            let is_new = |finding: &&Arc<Finding>| {
                !others.iter().any(|other| other.message == finding.message)
            };
            for finding in findings.iter().filter(is_new) {
                if count > 0 {
                    more.push(finding.clone());
                    count -= 1;
                }
            }
        }
        more
    };
    (more(&news, &olds), more(&olds, &news))
}
