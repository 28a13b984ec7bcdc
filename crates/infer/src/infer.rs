//! Finds the entities of a table from a profile of its items, and places the items in them.

use super::aliases;
use super::analysis::Analysis;
use super::clusters::{Part, Shape, clusters, shape};
use super::delimiter;
use super::entities::{Kind, Placed, finish};
use super::model::{Hint, Inferred};
use super::pieces::KeyTemplate;
use super::plan::{Plan, Table};
use super::population::Population;
use super::profile::{Group, Profile};
use super::schema::{Item, KeySlot, Schema};
use super::sparse;
use super::type_attribute::{self, type_of};
use keyfold_core::model::{DelimiterPolicy, SortedMap, SortedSet};

/// Maximum number of examples of a group if all items are in memory.
const EXAMPLES_IN_MEMORY: usize = 256;
/// Maximum number of items of one kind whose keys are compared with their attributes.
const ANALYZED: usize = 4096;
/// Maximum number of entities with templates, those of the most items.
const ENTITIES: usize = 200;

/// Finds the entities and key templates of a table from its items. Every item becomes a sample of one entity, which
/// gives it back unchanged.
pub fn infer(schema: &Schema, items: &[Item], hints: &[Hint]) -> Inferred {
    infer_with(
        &in_memory(schema, items.iter()),
        &Population::of(items),
        hints,
    )
}

/// The profile of items in memory.
pub(crate) fn in_memory<'a>(schema: &Schema, items: impl Iterator<Item = &'a Item>) -> Profile {
    let mut profile = Profile::new(schema.clone(), EXAMPLES_IN_MEMORY);
    items.for_each(|item| profile.add(item));
    profile
}

/// Finds the entities and key templates from the profile of a table that does not fit into memory. The samples are its
/// examples.
pub fn infer_profile(profile: &Profile) -> Inferred {
    let mut examples: Vec<Item> = Vec::new();
    let mut group_of = Vec::new();
    let groups: Vec<&Group> = profile.groups().collect();
    for (at, group) in groups.iter().enumerate() {
        examples.extend(group.examples.values().cloned());
        group_of.resize(examples.len(), at);
    }
    let population = Population {
        items: &examples,
        groups,
        group_of,
    };
    infer_with(profile, &population, &[])
}

fn infer_with(profile: &Profile, population: &Population, hints: &[Hint]) -> Inferred {
    let schema = profile.schema();
    let slots = schema.slots();
    let found = find(profile, &slots, population.items, hints);
    let table = Table {
        slots: &slots,
        policy: &found.policy,
        type_attribute: found.type_attribute.as_deref(),
    };
    finish(schema, population, hints, table, found.kinds, &found.left)
}

/// The kinds of a table's items.
pub(crate) struct Found {
    pub policy: DelimiterPolicy,
    /// The attribute that tells the kinds of items apart.
    pub type_attribute: Option<String>,
    pub kinds: Vec<Kind>,
    /// The positions of the items that fit no kind.
    pub left: Vec<usize>,
}

/// Finds the kinds of the items of a profile, and places the items in them.
pub(crate) fn find(profile: &Profile, slots: &[KeySlot], items: &[Item], hints: &[Hint]) -> Found {
    let examples = profile.examples();
    let policy = DelimiterPolicy {
        delimiter: delimiter::find(&examples, slots),
        ..DelimiterPolicy::default()
    };
    let shapes_of = |examples: &[&Item]| -> Vec<Shape> {
        let shapes = examples
            .iter()
            .map(|item| shape(item, slots, &policy.delimiter));
        shapes.collect()
    };
    let shapes = shapes_of(&examples);
    let texts: Vec<String> = shapes.iter().map(|shape| format!("{shape:?}")).collect();
    let type_attribute = type_attribute::find(&examples, slots, &texts);
    let table = Table {
        slots,
        policy: &policy,
        type_attribute: type_attribute.as_deref(),
    };
    let mut plans = plans(&examples, &shapes, table);
    let place_in = |plans: &[Plan]| {
        let plans: Vec<&Plan> = plans.iter().collect();
        place(&plans, table, items, 0..items.len())
    };
    let mut placed = place_in(&plans);
    // What does not fit may fit templates of its own.
    let left: Vec<&Item> = placed.left.iter().map(|at| &items[*at]).collect();
    if !left.is_empty() && !plans.is_empty() {
        let rest = in_memory(profile.schema(), left.into_iter());
        let examples = rest.examples();
        let shapes = shapes_of(&examples);
        plans.extend(self::plans(&examples, &shapes, table));
        plans.truncate(ENTITIES);
        placed = place_in(&plans);
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for (plan, samples) in plans.into_iter().zip(placed.of_plan) {
        if samples.is_empty() {
            continue;
        }
        // Plans without templates differ in nothing but their type.
        match kinds.iter_mut().find(|kind| kind.plan.is_same(&plan)) {
            Some(known) => known.samples.extend(samples),
            None => kinds.push(Kind::found(plan, samples)),
        }
    }
    aliases::apply(&mut kinds, hints, table);
    Found {
        policy,
        type_attribute,
        kinds,
        left: placed.left,
    }
}

/// The plans of the entities that have templates, in an order that depends on the examples alone. Keys with names of their
/// own are data and need no templates.
fn plans(examples: &[&Item], shapes: &[Shape], table: Table) -> Vec<Plan> {
    let mut found = clusters(examples, table.slots, shapes, table.type_attribute);
    // The largest first, if there are too many.
    found.sort_by_key(|rows| std::cmp::Reverse(rows.len()));
    found.truncate(ENTITIES);
    found.sort();
    let owner = owner(&found, shapes);
    let plans = found.iter().map(|rows| {
        let kind = type_of(examples[rows[0]], table.type_attribute);
        plan(examples, rows, kind.map(str::to_owned), table, owner)
    });
    plans
        .filter(|plan| plan.has_templates() || !table.needs_templates())
        .collect()
}

/// The sort key of the only kind whose sort key is a word and whose partition key is a value. It names that value in all
/// kinds: `{userId}`, `USER` and `{userId}`, `ORDER#{orderId}`.
fn owner<'s>(kinds: &[Vec<usize>], shapes: &'s [Shape]) -> Option<&'s str> {
    let word = |row: &usize| match shapes[*row].as_slice() {
        [
            Part::Key(_),
            Part::Any | Part::Word(_),
            Part::Key(_),
            Part::Word(word),
        ] => Some(word.as_str()),
        _ => None,
    };
    let of_kind = |rows: &Vec<usize>| {
        let first = word(rows.first()?)?;
        rows.iter()
            .all(|row| word(row) == Some(first))
            .then_some(first)
    };
    let words: SortedSet<&str> = kinds.iter().filter_map(of_kind).collect();
    let mut words = words.into_iter();
    words.next().filter(|_| words.next().is_none())
}

/// The plan of the items at these positions, all of this type, as far as their keys have something in common.
pub(crate) fn plan(
    examples: &[&Item],
    rows: &[usize],
    kind: Option<String>,
    table: Table,
    owner: Option<&str>,
) -> Plan {
    let step = rows.len().div_ceil(ANALYZED);
    let rows = rows.iter().step_by(step);
    let items: Vec<&Item> = rows.map(|row| examples[*row]).collect();
    let analysis = Analysis::new(&items, table, owner);
    let mut plan = Plan {
        kind,
        templates: analysis.templates,
        key_only: analysis.key_only,
        when: SortedMap::new(),
    };
    let keys: SortedSet<usize> = table.slots.iter().map(|slot| slot.key).collect();
    for key in keys.iter().filter(|key| **key > 0) {
        if !settle(&mut plan, &items, *key, table) {
            // The items keep the attributes.
            plan = plan.only(table, &|at| table.slots[at].key != *key);
        }
    }
    if items.iter().all(|item| plan.fit(table, item).is_none()) {
        // Its primary key's templates render none of the items.
        plan = plan.only(table, &|_| false);
    }
    plan
}

/// Finds the condition of an index that has templates. Returns false if the templates do not tell which items are in
/// the index.
pub(crate) fn settle(plan: &mut Plan, items: &[&Item], key: usize, table: Table) -> bool {
    let written: Vec<(&KeySlot, &KeyTemplate)> = (table.slots.iter().zip(&plan.templates))
        .filter(|(slot, _)| slot.key == key)
        .filter_map(|(slot, template)| Some((slot, template.as_ref()?)))
        .collect();
    if written.is_empty() {
        return true;
    }
    // The other indexes may still lack their conditions.
    let mut alone = plan.clone();
    for (slot, template) in table.slots.iter().zip(&mut alone.templates) {
        if slot.key > 0 && slot.key != key {
            *template = None;
        }
    }
    let (mut inside, mut outside, mut misfits) = (Vec::new(), Vec::new(), 0);
    for item in items {
        if alone.fit(table, item).is_some() {
            let has = |slot: &KeySlot| slot.key != key || item.contains_key(&slot.name);
            if table.slots.iter().all(has) {
                inside.push(*item);
            }
        } else if written
            .iter()
            .all(|(slot, _)| !item.contains_key(&slot.name))
        {
            outside.push(*item);
        } else {
            misfits += 1;
        }
    }
    if inside.is_empty() || misfits > inside.len() {
        return false;
    }
    if outside.is_empty() {
        return true;
    }
    let names: SortedSet<String> = (written.iter())
        .flat_map(|(_, template)| template.parsed.attributes())
        .map(str::to_owned)
        .collect();
    let is_data = |name: &str| {
        table.slots.iter().all(|slot| slot.name != name) && table.type_attribute != Some(name)
    };
    let found = sparse::condition(&inside, &outside, &is_data, &|name| names.contains(name));
    let Some(condition) = found else {
        // Few items without their key do not fit.
        return outside.len() * 20 < inside.len();
    };
    plan.when.insert(key, condition);
    true
}

/// Places the items at these positions in the entities that explain them best.
pub(crate) fn place(
    plans: &[&Plan],
    table: Table,
    items: &[Item],
    positions: impl Iterator<Item = usize>,
) -> Placed {
    let mut placed = Placed {
        of_plan: vec![Vec::new(); plans.len()],
        left: Vec::new(),
    };
    for at in positions {
        let mut best: Option<((usize, usize, usize), usize, Item)> = None;
        for (entity, plan) in plans.iter().enumerate() {
            let Some(sample) = plan.fit(table, &items[at]) else {
                continue;
            };
            let unexplained = (table.slots.iter())
                .filter(|slot| sample.contains_key(&slot.name))
                .count();
            // The entity that explains the most keys, with the fewest values that only keys have.
            let rank = (unexplained, sample.len(), plan.key_only.len());
            if best.as_ref().is_none_or(|(other, ..)| rank < *other) {
                best = Some((rank, entity, sample));
            }
        }
        match best {
            Some((_, entity, sample)) => placed.of_plan[entity].push((at, sample)),
            None => placed.left.push(at),
        }
    }
    placed
}
