//! Everything that is computed from a design, made again after an edit in small steps: the caller decides how many of
//! them to do before the next frame, and drops the work when another edit comes. What the edit left alone is taken over.

use super::items::Items;
use super::order::Order;
use super::plan::EntityPlan;
use super::view::{View, Viewing};
use crate::domain::model::{Design, EntityId, Index, IndexId, IndexKind};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The items of a design, and the view that is looked at.
#[derive(Debug)]
pub struct Computed {
    design: Design,
    items: BTreeMap<EntityId, Arc<Items>>,
    view: Option<(Arc<View>, Arc<Order>)>,
}

impl Computed {
    /// Nothing yet.
    pub fn nothing() -> Computed {
        Computed {
            design: Design::new(""),
            items: BTreeMap::new(),
            view: None,
        }
    }

    /// The items of each entity.
    pub fn items(&self) -> &BTreeMap<EntityId, Arc<Items>> {
        &self.items
    }

    /// The view that was asked for.
    pub fn view(&self) -> Option<&Arc<View>> {
        self.view.as_ref().map(|(view, _)| view)
    }
}

/// The work from what was computed before to what a design needs now.
#[derive(Debug)]
pub struct Work {
    before: Arc<Computed>,
    design: Design,
    index: Option<IndexId>,
    /// Whether the plans of entities that are the same are those of before.
    same_keys: bool,
    /// The entities whose items are still to be made, the next one last.
    left: Vec<EntityId>,
    current: Option<(EntityId, Items)>,
    items: BTreeMap<EntityId, Arc<Items>>,
    viewing: Option<Viewing>,
}

impl Work {
    /// The work for `design` and the view of `index`, if one is looked at.
    pub fn new(before: Arc<Computed>, design: Design, index: Option<IndexId>) -> Work {
        let mut left: Vec<EntityId> = design.entities.keys().copied().collect();
        left.reverse();
        Work {
            same_keys: same_keys(&before.design, &design),
            before,
            design,
            index,
            left,
            current: None,
            items: BTreeMap::new(),
            viewing: None,
        }
    }

    /// Does about a millisecond of it; what was computed, once all is done.
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
            let known = self.before.view.as_ref();
            Viewing::new(&self.design, index, &items, known.map(|(_, order)| order))
        });
        let (view, order) = viewing.step(&self.design)?;
        Some(self.done(Some((Arc::new(view), order))))
    }

    /// How much is done of it, from 0 to 1.
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
        let same_plan = self.same_keys && entity(old) == entity(new);
        let same_samples = samples(old) == samples(new);
        let plan = match before {
            Some(items) if same_plan && same_samples => {
                self.items.insert(id, items.clone());
                return;
            }
            Some(items) if same_plan => items.plan().clone(),
            _ => Arc::new(EntityPlan::new(new, id)),
        };
        let again = before.filter(|_| same_samples);
        match again.and_then(|items| items.under(&plan)) {
            Some(items) => {
                self.items.insert(id, items);
            }
            None => self.current = Some((id, Items::new(plan, new.samples_of(id), before))),
        }
    }

    fn done(&mut self, view: Option<(Arc<View>, Arc<Order>)>) -> Computed {
        Computed {
            design: self.design.clone(),
            items: std::mem::take(&mut self.items),
            view,
        }
    }
}

/// Whether two designs have the same in everything that an entity's plan is made of, but for the entity: keys, type
/// attribute, delimiter, and what local indexes hold.
fn same_keys(old: &Design, new: &Design) -> bool {
    let same_table = || {
        let (old, new) = (&old.table, &new.table);
        old.key == new.key && old.type_attribute == new.type_attribute
    };
    let same_index = |old: &Index, new: &Index| {
        old.key == new.key
            && old.kind == new.kind
            && (old.kind == IndexKind::Gsi || old.projection == new.projection)
    };
    (Arc::ptr_eq(&old.table, &new.table) || same_table())
        && (Arc::ptr_eq(&old.delimiter, &new.delimiter) || old.delimiter == new.delimiter)
        && old.indexes.len() == new.indexes.len()
        && (old.indexes.iter().zip(&new.indexes)).all(|(old, new)| {
            old.0 == new.0 && (Arc::ptr_eq(old.1, new.1) || same_index(old.1, new.1))
        })
}
