//! Recomputes everything derived from a design after an edit, in small steps. The caller decides how many steps to do
//! before the next frame, and drops the work when another edit comes. What the edit did not touch is reused.

use super::items::Items;
use super::plan::EntityPlan;
use super::view::{View, ViewBuilder};
use crate::model::{Design, EntityId, IndexId, IndexKind, SortedMap};
use std::sync::Arc;

/// The items of a design, and the view that is shown.
#[derive(Debug)]
pub struct Computed {
    design: Design,
    items: SortedMap<EntityId, Arc<Items>>,
    view: Option<Arc<View>>,
}

impl Computed {
    /// No items and no view.
    pub fn nothing() -> Computed {
        Computed {
            design: Design::new(""),
            items: SortedMap::new(),
            view: None,
        }
    }

    /// The items of each entity.
    pub fn items(&self) -> &SortedMap<EntityId, Arc<Items>> {
        &self.items
    }

    /// The requested view.
    pub fn view(&self) -> Option<&Arc<View>> {
        self.view.as_ref()
    }
}

/// The work that brings computed results up to date with a design.
#[derive(Debug)]
pub struct Work {
    before: Arc<Computed>,
    design: Design,
    index: Option<IndexId>,
    /// The key attributes of GSIs that were added, removed or changed; `None` if all plans must be rebuilt.
    changed: Option<Vec<String>>,
    /// The entities whose items are still to be computed, the next one last.
    left: Vec<EntityId>,
    current: Option<(EntityId, Items)>,
    items: SortedMap<EntityId, Arc<Items>>,
    viewing: Option<ViewBuilder>,
}

impl Work {
    /// Starts the work for `design` and the view of `index`, if one is shown.
    pub fn new(before: Arc<Computed>, design: Design, index: Option<IndexId>) -> Work {
        let mut left: Vec<EntityId> = design.entities.keys().copied().collect();
        left.reverse();
        Work {
            changed: changed_keys(&before.design, &design),
            before,
            design,
            index,
            left,
            current: None,
            items: SortedMap::new(),
            viewing: None,
        }
    }

    /// Does about 1 ms of work. Returns the result once all is done.
    pub fn step(&mut self) -> Option<Computed> {
        if let Some((id, mut items)) = self.current.take() {
            match items.step() {
                true => self.current = Some((id, items)),
                false => {
                    self.items.insert(id, Arc::new(items));
                }
            }
            return None;
        }
        if let Some(id) = self.left.pop() {
            self.begin(id);
            return None;
        }
        let Some(index) = self.index else {
            return Some(self.done(None));
        };
        let viewing = self.viewing.get_or_insert_with(|| {
            let items: Vec<Arc<Items>> = self.items.values().cloned().collect();
            let known = self.before.view.as_ref().map(|view| view.rows.order());
            ViewBuilder::new(&self.design, index, &items, known)
        });
        let view = viewing.step(&self.design)?;
        Some(self.done(Some(Arc::new(view))))
    }

    /// Progress from 0 to 1.
    pub fn progress(&self) -> f64 {
        let all = self.design.entities.len().max(1);
        let items = 1.0 - self.left.len() as f64 / all as f64;
        match &self.viewing {
            None if self.index.is_some() => items * 0.5,
            None => items,
            Some(viewing) => 0.5 + viewing.progress() * 0.5,
        }
    }

    fn begin(&mut self, id: EntityId) {
        let before = self.before.items.get(&id);
        let (old, new) = (&self.before.design, &self.design);
        let entity = |design: &Design| design.entities.get(&id).map(Arc::as_ptr);
        let samples = |design: &Design| design.samples.get(&id).map(Arc::as_ptr);
        let same_samples = samples(old) == samples(new);
        if let (Some(items), Some(changed)) = (before, &self.changed)
            && entity(old) == entity(new)
            && same_samples
            && !changed.iter().any(|name| items.has_attribute(name))
        {
            self.items.insert(id, items.clone());
            return;
        }
        let plan = Arc::new(EntityPlan::new(new, id));
        // An index that these items do not know may have been added since their plan was made.
        let made = before.map(|items| {
            let fresh = items.reuse_with_plan(&Arc::new(EntityPlan::new(old, id)));
            fresh.unwrap_or_else(|| items.clone())
        });
        let again = made.as_ref().filter(|_| same_samples);
        match again.and_then(|items| items.reuse_with_plan(&plan)) {
            Some(items) => {
                self.items.insert(id, items);
            }
            None => {
                let items = Items::new(plan, new.samples_of(id), made.as_ref());
                self.current = Some((id, items));
            }
        }
    }

    fn done(&mut self, view: Option<Arc<View>>) -> Computed {
        Computed {
            design: self.design.clone(),
            items: std::mem::take(&mut self.items),
            view,
        }
    }
}

/// The change between two designs in the inputs of a plan other than its entity: see [`Work::changed`].
fn changed_keys(old: &Design, new: &Design) -> Option<Vec<String>> {
    let same_table = || {
        let (old, new) = (&old.table, &new.table);
        old.key == new.key && old.type_attribute == new.type_attribute
    };
    let same = (Arc::ptr_eq(&old.table, &new.table) || same_table())
        && (Arc::ptr_eq(&old.delimiter, &new.delimiter) || old.delimiter == new.delimiter);
    if !same {
        return None;
    }
    let mut changed = Vec::new();
    for (one, other) in [(old, new), (new, old)] {
        for (id, index) in &one.indexes {
            let same = other.indexes.get(id).is_some_and(|other| {
                let same_key = || other.key == index.key && other.kind == index.kind;
                Arc::ptr_eq(other, index)
                    || same_key()
                        && (index.kind == IndexKind::Gsi || other.projection == index.projection)
            });
            match (same, index.kind) {
                (true, _) => {}
                // Its content counts toward the size of every item.
                (false, IndexKind::Lsi) => return None,
                (false, IndexKind::Gsi) => {
                    changed.extend(index.key.attributes().map(|key| key.name.clone()));
                }
            }
        }
    }
    Some(changed)
}
