//! What a difference does: to the keys of items, to access patterns, to findings, to the deployed table.

use keyfold_core::engine::query::{TableBuilder, TableSnapshot};
use keyfold_core::engine::{Computed, IndexContent, Item, Items, Work};
use keyfold_core::export::change_plan::{ChangePlan, Version, change_plan};
use keyfold_core::lint::{Finding, Linter, Place};
use keyfold_core::model::{
    AccessPatternId, Design, EntityId, IndexId, KeyAttribute, SampleId, SortedMap, Value,
};
use keyfold_core::proof::{Outcome, Proof, Verdict, prove};
use keyfold_core::slices::{finish, pause};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What differs in what two designs do.
#[derive(Debug, Clone, Default)]
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

/// Number of items whose keys are compared without a pause.
const ITEMS: usize = 200;

/// Compares what two designs that share ids do.
pub fn effects(old: &Design, new: &Design) -> Effects {
    finish(effects_in_slices(old, new))
}

/// As [`effects`], with a [`pause`] after each small piece of work.
pub async fn effects_in_slices(old: &Design, new: &Design) -> Effects {
    let (olds, news) = (Side::new(old).await, Side::new(new).await);
    let keys = keys(&olds, &news).await;
    let patterns = patterns(&olds, &news).await;
    let (new_findings, gone_findings) = findings(&olds, &news).await;
    pause().await;
    Effects {
        keys,
        patterns,
        new_findings,
        gone_findings,
        plan: change_plan(
            &Version::of_design(old.clone()),
            &Version::of_design(new.clone()),
        ),
    }
}

/// A design with its items.
struct Side<'a> {
    design: &'a Design,
    computed: Computed,
}

impl<'a> Side<'a> {
    async fn new(design: &'a Design) -> Side<'a> {
        let mut work = Work::new(Arc::new(Computed::nothing()), design.clone(), None);
        let computed = in_steps(|| work.step()).await;
        Side { design, computed }
    }
}

/// Calls `step` until it returns a result, with a pause after each call.
async fn in_steps<T>(mut step: impl FnMut() -> Option<T>) -> T {
    loop {
        if let Some(result) = step() {
            return result;
        }
        pause().await;
    }
}

impl KeyEffect {
    fn is_any(&self) -> bool {
        self.changed + self.entered + self.left > 0
    }
}

async fn keys(olds: &Side<'_>, news: &Side<'_>) -> Vec<KeyEffect> {
    let (old, new) = (olds.design, news.design);
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
    for (entity, items) in news.computed.items() {
        let Some(before) = olds.computed.items().get(entity) else {
            continue;
        };
        let before = by_sample(before);
        let items = Vec::from_iter(items.iter());
        pause().await;
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
            for items in items.chunks(ITEMS) {
                for after in items {
                    if let Some(before) = before.get(&after.id()) {
                        effect.add((old.as_ref(), before), (new.as_ref(), after));
                    }
                }
                pause().await;
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

async fn patterns(olds: &Side<'_>, news: &Side<'_>) -> Vec<PatternEffect> {
    let (old, new) = (olds.design, news.design);
    if old.access_patterns.is_empty() || new.access_patterns.is_empty() {
        return Vec::new();
    }
    let (olds, news) = (stored(olds).await, stored(news).await);
    let mut found = Vec::new();
    for id in new.access_patterns.keys().copied() {
        pause().await;
        let Some(before) = prove(&olds, id) else {
            continue;
        };
        pause().await;
        let Some(after) = prove(&news, id) else {
            continue;
        };
        let (before, after) = (served(&before), served(&after));
        if before != after {
            found.push(PatternEffect { id, before, after });
        }
    }
    found
}

/// The items of a design in the order of each index.
async fn stored(side: &Side<'_>) -> TableSnapshot {
    let items: Vec<Arc<Items>> = side.computed.items().values().cloned().collect();
    let mut builder = TableBuilder::new(None, side.design.clone(), &items);
    in_steps(|| builder.step()).await
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
async fn findings(olds: &Side<'_>, news: &Side<'_>) -> (Vec<Arc<Finding>>, Vec<Arc<Finding>>) {
    let (olds, news) = (by_place(olds).await, by_place(news).await);
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

type ByPlace = SortedMap<(&'static str, Place), Vec<Arc<Finding>>>;

/// The findings of a design that are not silenced.
async fn by_place(side: &Side<'_>) -> ByPlace {
    let mut linter = Linter::default();
    linter.begin(side.design, side.computed.items());
    pause().await;
    let report = in_steps(|| linter.step()).await;
    let mut found = ByPlace::new();
    for finding in report.open() {
        let key = (finding.code, finding.place);
        found.entry(key).or_default().push(finding.clone());
    }
    found
}
