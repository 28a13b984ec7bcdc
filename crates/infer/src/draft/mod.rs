//! Entities that a person changes before they become a design: renamed, merged, split, with other key templates.
//!
//! Each entity has its items: those that were found to be alike, or that the person chose. An item that its entity's
//! templates do not give back is placed like one of no entity: where other templates explain it, or else kept as it is.
//! So no edit changes an item.

mod split;
mod template;

use super::entities::{Kind, finish};
use super::entity_name;
use super::infer::{find, in_memory, place, plan};
use super::model::{Entity, Hint, Inferred};
use super::plan::{Plan, Table};
use super::population::Population;
use super::schema::{Item, KeySlot, Schema};
use super::type_attribute::type_of;
use keyfold_core::model::{DelimiterPolicy, SortedMap, SortedSet, name};
use keyfold_core::template::Segment;
use std::sync::Arc;

/// The entities of a table's items, and what a person changed about them.
#[derive(Debug)]
pub struct Draft {
    schema: Schema,
    slots: Vec<KeySlot>,
    policy: DelimiterPolicy,
    /// The attribute that tells the kinds of items apart, whether or not it holds the names of the entities.
    type_attribute: Option<String>,
    items: Vec<Item>,
    state: State,
    inferred: Inferred,
    /// The id of each entity.
    ids: Vec<u32>,
}

/// What a [`Draft`] is at one time. Copies share what is equal.
#[derive(Debug, Clone, Default)]
pub struct State {
    kinds: Vec<Arc<Own>>,
    /// The ids of the entities that keep what no template explains, by type.
    rest: SortedMap<Option<String>, u32>,
    next_id: u32,
}

/// An entity with its items.
#[derive(Debug, Clone)]
struct Own {
    id: u32,
    name: String,
    plan: Plan,
    /// The positions of its items, also of those that its plan does not give back.
    items: Vec<usize>,
    /// Whether a person chose its items.
    is_apart: bool,
}

impl Draft {
    /// Finds the entities of items, as [`infer`](super::infer) does.
    pub fn new(schema: Schema, items: Vec<Item>, hints: &[Hint]) -> Draft {
        let slots = schema.slots();
        let found = find(&in_memory(&schema, items.iter()), &slots, &items, hints);
        let positions = |kind: &Kind| {
            let mut positions: Vec<usize> = kind.samples.iter().map(|(at, _)| *at).collect();
            positions.sort_unstable();
            positions
        };
        let parts: Vec<(Plan, Vec<usize>)> = (found.kinds.iter())
            .map(|kind| (kind.plan.clone(), positions(kind)))
            .collect();
        let table = Table {
            slots: &slots,
            policy: &found.policy,
            type_attribute: found.type_attribute.as_deref(),
        };
        let population = Population::of(&items);
        let inferred = finish(&schema, &population, hints, table, found.kinds, &found.left);
        let mut state = State::default();
        for ((plan, items), entity) in parts.into_iter().zip(&inferred.entities) {
            let own = Own {
                id: state.take_id(),
                name: entity.name.clone(),
                plan,
                items,
                is_apart: false,
            };
            state.kinds.push(Arc::new(own));
        }
        let mut draft = Draft {
            schema,
            slots,
            policy: found.policy,
            type_attribute: found.type_attribute,
            items,
            state,
            inferred,
            ids: Vec::new(),
        };
        draft.number();
        draft
    }

    /// The items.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The entities as they are now.
    pub fn inferred(&self) -> &Inferred {
        &self.inferred
    }

    /// The id of each entity, in the order of the entities. An id keeps its meaning whatever is edited.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// What the draft is now, for [`Draft::restore`].
    pub fn state(&self) -> State {
        self.state.clone()
    }

    /// Takes back what was edited since the draft was in this state.
    pub fn restore(&mut self, state: State) {
        let next_id = self.state.next_id.max(state.next_id);
        self.state = State { next_id, ..state };
        self.update();
    }

    /// Gives an entity another name.
    ///
    /// # Errors
    ///
    /// Why it cannot have the name; nothing has changed.
    pub fn rename(&mut self, id: u32, name: &str) -> Result<(), String> {
        let mut own = self.own(id)?;
        let name = name.trim();
        name::check_label(name).map_err(|error| error.to_string())?;
        let mut others = self.ids.iter().zip(&self.inferred.entities);
        if others.any(|(other, entity)| *other != id && entity.name == name) {
            return Err(format!("another entity is called {name}"));
        }
        own.name = name.to_owned();
        self.put(&[id], vec![own]);
        Ok(())
    }

    /// Makes one entity of several, with the name of the first and with templates that write the keys of all items. A key
    /// without such a template stays in the items.
    ///
    /// # Errors
    ///
    /// If there are no two such entities; nothing has changed.
    pub fn merge(&mut self, ids: &[u32]) -> Result<(), String> {
        let mut gone: Vec<u32> = Vec::new();
        let mut items: Vec<usize> = Vec::new();
        let mut first: Option<Own> = None;
        for id in ids {
            let own = self.own(*id)?;
            if gone.contains(id) {
                continue;
            }
            gone.push(*id);
            items.extend(&self.shown(*id)?.items);
            // What keeps unexplained items has no name that somebody chose.
            let is_rest = |own: &Own| self.state.is_rest(own.id);
            if first
                .as_ref()
                .is_none_or(|first| is_rest(first) && !is_rest(&own))
            {
                first = Some(own);
            }
        }
        let Some(first) = first.filter(|_| gone.len() > 1) else {
            return Err("choose two or more entities to merge".to_owned());
        };
        items.sort_unstable();
        let plan = self.together(&items);
        let merged = Own {
            plan,
            items,
            is_apart: true,
            ..first
        };
        self.put(&gone, vec![merged]);
        Ok(())
    }

    fn table(&self) -> Table<'_> {
        Table {
            slots: &self.slots,
            policy: &self.policy,
            type_attribute: self.type_attribute.as_deref(),
        }
    }

    /// An entity as it is now.
    fn shown(&self, id: u32) -> Result<&Entity, String> {
        let at = self.ids.iter().position(|other| *other == id);
        at.and_then(|at| self.inferred.entities.get(at))
            .ok_or_else(|| "there is no such entity".to_owned())
    }

    /// An entity, ready to be edited. What keeps unexplained items becomes an entity of its own.
    fn own(&self, id: u32) -> Result<Own, String> {
        if let Some(own) = self.state.kinds.iter().find(|own| own.id == id) {
            return Ok(Own::clone(own));
        }
        let shown = self.shown(id)?;
        let kind = self.common_type(&shown.items);
        Ok(Own {
            id,
            name: shown.name.clone(),
            plan: Plan::without_templates(self.table(), kind),
            items: shown.items.clone(),
            is_apart: true,
        })
    }

    /// The type of items, if it is the same.
    fn common_type(&self, items: &[usize]) -> Option<String> {
        let of = |at: &usize| type_of(&self.items[*at], self.type_attribute.as_deref());
        let first = of(items.first()?)?;
        let is_same = items.iter().all(|at| of(at) == Some(first));
        is_same.then(|| first.to_owned())
    }

    /// The plan of items that a person makes one entity: its templates write the keys of all of them.
    fn together(&self, positions: &[usize]) -> Plan {
        let items = self.items_at(positions);
        let rows: Vec<usize> = (0..items.len()).collect();
        let kind = self.common_type(positions);
        let found = plan(&items, &rows, kind, self.table(), None);
        self.fit_all(found, &items)
    }

    /// As many templates of the plan as give back all items.
    fn fit_all(&self, found: Plan, items: &[&Item]) -> Plan {
        let table = self.table();
        let fits = |plan: &Plan| items.iter().all(|item| plan.fit(table, item).is_some());
        if fits(&found) {
            return found;
        }
        let mut kept: SortedSet<usize> = SortedSet::new();
        let keys: SortedSet<usize> = self.slots.iter().map(|slot| slot.key).collect();
        for key in keys.iter() {
            let slots = self.slots.iter().enumerate();
            let slots =
                slots.filter(|(at, slot)| slot.key == *key && found.templates[*at].is_some());
            let slots: Vec<usize> = slots.map(|(at, _)| at).collect();
            let each = slots.iter().map(|at| vec![*at]);
            for more in std::iter::once(slots.clone()).chain(each) {
                let with = |at: usize| kept.contains(&at) || more.contains(&at);
                if fits(&found.only(table, &with)) {
                    kept.extend(more);
                    break;
                }
            }
        }
        // A value alone, which nothing else has, explains nothing.
        let is_telling = |at: &usize| {
            let template = found.templates[*at].as_ref();
            template.is_some_and(|template| match template.parsed.segments.as_slice() {
                [Segment::Placeholder(only)] => !found.key_only.contains(&only.attribute),
                _ => true,
            })
        };
        let is_primary = |at: usize| self.slots[at].key == 0;
        let mut primary = kept.iter().filter(|at| is_primary(**at));
        let tells = primary.any(is_telling);
        let plan = found.only(table, &|at| {
            kept.contains(&at) && (tells || !is_primary(at))
        });
        match fits(&plan) {
            true => plan,
            false => found.only(table, &|at| kept.contains(&at)),
        }
    }

    fn items_at(&self, positions: &[usize]) -> Vec<&Item> {
        positions.iter().map(|at| &self.items[*at]).collect()
    }

    /// Puts entities in the place of others. Their items belong to no other entity any more.
    fn put(&mut self, gone: &[u32], new: Vec<Own>) {
        let mut is_taken = vec![false; self.items.len()];
        (new.iter().flat_map(|own| &own.items)).for_each(|at| is_taken[*at] = true);
        let is_gone = |id: u32| gone.contains(&id);
        self.state.rest.retain(|_, id| !is_gone(*id));
        let kinds = &mut self.state.kinds;
        let place = kinds.iter().position(|own| is_gone(own.id));
        let place = place.unwrap_or(kinds.len());
        kinds.retain(|own| !is_gone(own.id));
        for own in kinds.iter_mut() {
            if own.items.iter().any(|at| is_taken[*at]) {
                Arc::make_mut(own).items.retain(|at| !is_taken[*at]);
            }
        }
        kinds.splice(place..place, new.into_iter().map(Arc::new));
        self.update();
    }

    /// Places the items again.
    fn update(&mut self) {
        let table = self.table();
        let mut is_free = vec![true; self.items.len()];
        let mut kinds: Vec<Kind> = Vec::new();
        for own in &self.state.kinds {
            let (mut samples, mut outside) = (Vec::new(), Vec::new());
            for at in &own.items {
                match own.plan.fit(table, &self.items[*at]) {
                    Some(sample) => {
                        is_free[*at] = false;
                        samples.push((*at, sample));
                    }
                    None => outside.push(*at),
                }
            }
            kinds.push(Kind {
                name: Some(own.name.clone()),
                plan: own.plan.clone(),
                samples,
                outside,
                is_apart: own.is_apart,
            });
        }
        // Without templates, an entity has only the items that a person gave it.
        let explaining = |at: &usize| kinds[*at].plan.explains(table);
        let takers: Vec<usize> = (0..kinds.len()).filter(explaining).collect();
        let plans: Vec<&Plan> = takers.iter().map(|at| &kinds[*at].plan).collect();
        let free = (0..self.items.len()).filter(|at| is_free[*at]);
        let placed = place(&plans, table, &self.items, free);
        for (at, samples) in takers.into_iter().zip(placed.of_plan) {
            kinds[at].samples.extend(samples);
        }
        let population = Population::of(&self.items);
        let inferred = finish(&self.schema, &population, &[], table, kinds, &placed.left);
        self.inferred = inferred;
        self.number();
    }

    /// Gives each entity its id.
    fn number(&mut self) {
        let mut ids: Vec<u32> = self.state.kinds.iter().map(|own| own.id).collect();
        for rest in &self.inferred.entities[ids.len()..] {
            let first = rest.items.first().map(|at| &self.items[*at]);
            let kind = first.and_then(|item| type_of(item, self.type_attribute.as_deref()));
            let kind = kind.map(str::to_owned);
            let id = match self.state.rest.get(&kind) {
                Some(id) => *id,
                None => self.state.take_id(),
            };
            self.state.rest.insert(kind, id);
            ids.push(id);
        }
        self.ids = ids;
    }

    /// A name for a new entity: the first of these that no entity has.
    fn free_name(&self, names: &[String], taken: &mut SortedSet<String>) -> String {
        taken.extend(
            self.inferred
                .entities
                .iter()
                .map(|entity| entity.name.clone()),
        );
        let free =
            (names.iter()).find(|name| !taken.contains(*name) && name::check_label(name).is_ok());
        let name = free.or(names.first());
        entity_name::free(name.map_or("Item", String::as_str), taken)
    }
}

impl State {
    fn take_id(&mut self) -> u32 {
        self.next_id += 1;
        self.next_id
    }

    fn is_rest(&self, id: u32) -> bool {
        self.rest.values().any(|rest| *rest == id)
    }
}
