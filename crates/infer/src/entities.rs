//! Makes entities of plans and the items placed in them: names, attributes, keys, rules.

use super::entity_name::{self, Hints};
use super::model::{Attribute, Entity, Entry, Hint, Inferred};
use super::plan::{Plan, Table};
use super::population::Population;
use super::rules::{Misfits, misfits, rules};
use super::schema::{Item, KeySlot, Schema};
use super::statistics::Statistics;
use super::type_attribute::type_of;
use super::usual::usual;
use keyfold_core::model::{KeyPart, SortedMap, SortedSet, Value, name};
use std::collections::{BTreeMap, BTreeSet};

/// Samples with the positions of their items.
pub(crate) type Samples = Vec<(usize, Item)>;

/// Which entity each item belongs to.
pub(crate) struct Placed {
    /// For each entity, the positions of its items and their samples.
    pub of_plan: Vec<Samples>,
    /// The positions of the items that fit no entity.
    pub left: Vec<usize>,
}

/// Items that become one entity.
#[derive(Debug)]
pub(crate) struct Kind {
    /// The name, if it is known; no two kinds have the same.
    pub name: Option<String>,
    pub plan: Plan,
    pub samples: Samples,
    /// The positions of items that belong to it, but that its templates do not give back.
    pub outside: Vec<usize>,
    /// Whether a person chose its items: they are no misfits of other entities.
    pub is_apart: bool,
}

impl Kind {
    /// A kind that was found in the items.
    pub fn found(plan: Plan, samples: Samples) -> Kind {
        Kind {
            name: None,
            plan,
            samples,
            outside: Vec::new(),
            is_apart: false,
        }
    }
}

/// The entities of the kinds, in their order, then those of the items that fit no kind (`left`), by type.
pub(crate) fn finish(
    schema: &Schema,
    population: &Population,
    hints: &[Hint],
    table: Table,
    mut kinds: Vec<Kind>,
    left: &[usize],
) -> Inferred {
    let items = population.items;
    let mut rest: SortedMap<Option<String>, Samples> = SortedMap::new();
    for at in left {
        let kind = type_of(&items[*at], table.type_attribute).map(str::to_owned);
        rest.entry(kind)
            .or_default()
            .push((*at, items[*at].clone()));
    }
    let of_kinds = kinds.iter_mut().map(|kind| &mut kind.samples);
    of_kinds
        .chain(rest.values_mut())
        .for_each(|samples| samples.sort_by_key(|(at, _)| *at));
    let hints = Hints::new(hints);
    let names = kinds.iter().map(|kind| {
        let found = || hints.name(&kind.plan, table, &kind.samples);
        let known = kind.name.clone().or_else(|| kind.plan.kind.clone());
        match known.or_else(found) {
            Some(name) => vec![name],
            None => entity_name::of_keys(
                &kind.plan,
                table.slots,
                &table.policy.delimiter,
                &schema.table,
            ),
        }
    });
    let mut taken = SortedSet::new();
    let names = entity_name::distinct(&names.collect::<Vec<_>>()).into_iter();
    let rest_names = rest.keys().map(|kind| match kind {
        Some(kind) => kind.clone(),
        None => "Other".to_owned(),
    });
    let names: Vec<String> = (names.chain(rest_names))
        .map(|name| entity_name::free(&name, &mut taken))
        .collect();
    // Each entity's name must be its items' type: else the type is an attribute like any other.
    let types = (kinds.iter().map(|kind| &kind.plan.kind)).chain(rest.keys());
    let is_type = (names.iter().zip(types)).all(|(name, kind)| kind.as_ref() == Some(name));
    let type_attribute = table.type_attribute.filter(|_| is_type);
    let mut misfits = misfits(table, &kinds, &rest, items).into_iter();
    let make = |name: String, plan: &Plan, samples: Samples, misfits: Misfits| {
        let rules = rules(table, plan, &samples, misfits, population);
        let entity = entity(
            schema,
            table,
            type_attribute,
            name,
            plan,
            samples,
            population,
        );
        Entity { rules, ..entity }
    };
    let mut names = names.into_iter();
    let mut entities = Vec::new();
    for kind in kinds {
        let name = names.next().unwrap_or_default();
        let misfits = misfits.next().unwrap_or_default();
        entities.push(Entity {
            is_rest: !kind.plan.explains(table),
            ..make(name, &kind.plan, kind.samples, misfits)
        });
    }
    let no_keys = Plan::without_templates(table, None);
    for samples in rest.into_values() {
        let name = names.next().unwrap_or_default();
        entities.push(Entity {
            is_rest: true,
            ..make(name, &no_keys, samples, Misfits::new())
        });
    }
    Inferred {
        delimiter: table.policy.clone(),
        type_attribute: type_attribute.map(str::to_owned),
        entities,
    }
}

fn entity(
    schema: &Schema,
    table: Table,
    type_attribute: Option<&str>,
    name: String,
    plan: &Plan,
    placed: Samples,
    population: &Population,
) -> Entity {
    let (mut samples, mut positions) = (Vec::new(), Vec::new());
    for (at, mut sample) in placed {
        if let Some(attribute) = type_attribute {
            sample.remove(attribute);
        }
        samples.push(sample);
        positions.push(at);
    }
    let count = population.count(positions.iter().copied());
    let attributes = attributes(table, plan, &samples, &positions, population);
    let keys = entries(schema, table.slots, plan, &positions, population.items);
    Entity {
        name,
        count,
        attributes,
        keys,
        samples,
        items: positions,
        rules: Vec::new(),
        is_rest: false,
    }
}

/// The attributes of samples: those in keys first, then by name.
fn attributes(
    table: Table,
    plan: &Plan,
    samples: &[Item],
    positions: &[usize],
    population: &Population,
) -> Vec<Attribute> {
    // What templates write is no attribute of the entity.
    let names: BTreeSet<&str> = samples
        .iter()
        .flat_map(Item::keys)
        .map(String::as_str)
        .collect();
    let mut statistics: BTreeMap<&str, Statistics> = BTreeMap::new();
    let mut all = 0;
    let whole = population.whole_groups(positions);
    for group in &whole {
        all += group.items;
        for (name, known) in group.statistics().filter(|(name, _)| names.contains(name)) {
            statistics.entry(name).or_default().merge(known);
        }
    }
    for (at, sample) in positions.iter().zip(samples) {
        let is_counted = population.is_in(*at, &whole);
        all += u64::from(!is_counted);
        for (name, value) in sample {
            // No statistics have the values that only keys have.
            if !is_counted || plan.key_only.contains(name) {
                statistics.entry(name).or_default().add(value);
            }
        }
    }
    let in_templates =
        (plan.templates.iter().flatten()).flat_map(|template| template.parsed.attributes());
    let in_conditions = plan
        .when
        .values()
        .map(|condition| condition.attribute.as_str());
    let in_keys = table.slots.iter().map(|slot| slot.name.as_str());
    let counts = (statistics.iter()).map(|(name, known)| (*name, known.items));
    let mut usual = usual(&counts.collect());
    usual.extend(in_conditions.chain(in_keys));
    let mut order: Vec<&str> = Vec::new();
    for name in in_templates.chain(usual) {
        if !order.contains(&name) {
            order.push(name);
        }
    }
    let declared = order.into_iter().filter_map(|name| {
        let known = statistics.get(name)?;
        name::check_attribute(name).ok()?;
        let key_only = plan.key_only.contains(name);
        let required = match key_only {
            true => samples.iter().all(|sample| sample.contains_key(name)),
            false => known.items == all,
        };
        Some(Attribute {
            name: name.to_owned(),
            kind: known.kind(),
            key_only,
            required,
            format: known.format(name),
        })
    });
    declared.collect()
}

/// The keys that at least one item has.
fn entries(
    schema: &Schema,
    slots: &[KeySlot],
    plan: &Plan,
    positions: &[usize],
    items: &[Item],
) -> Vec<Entry> {
    let mut entries = Vec::new();
    for (key, attributes) in schema.keys().enumerate() {
        let is_in = |at: &usize| {
            (attributes.attributes()).all(|attribute| {
                (items[*at].get(&attribute.name)).is_some_and(|value| {
                    value.kind() == attribute.kind.into() && is_key_value(value)
                })
            })
        };
        let has_template = (slots.iter().zip(&plan.templates))
            .any(|(slot, template)| slot.key == key && template.is_some());
        if key > 0 && !has_template && !positions.iter().any(is_in) {
            continue;
        }
        let template = |part: KeyPart| {
            let side = match part {
                KeyPart::Partition => &attributes.partition,
                KeyPart::Sort => &attributes.sort,
            };
            let name = &side.first()?.name;
            let at = slots
                .iter()
                .position(|slot| slot.key == key && slot.name == *name)?;
            plan.templates[at]
                .as_ref()
                .map(|template| template.text.clone())
        };
        entries.push(Entry {
            key,
            partition: template(KeyPart::Partition),
            sort: template(KeyPart::Sort),
            when: plan.when.get(&key).cloned().into_iter().collect(),
        });
    }
    entries
}

/// Whether a key attribute can have the value: an empty one keeps an item out of an index.
fn is_key_value(value: &Value) -> bool {
    match value {
        Value::S(text) => !text.is_empty(),
        Value::B(bytes) => !bytes.is_empty(),
        _ => true,
    }
}
