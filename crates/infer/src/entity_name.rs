//! Names for entities: from the literals of their keys, or from hints.

use super::model::Hint;
use super::pieces::KeyTemplate;
use super::plan::{Plan, Table};
use super::schema::{Item, KeySlot};
use keyfold_core::model::{SortedSet, capital, name, words};
use keyfold_core::template::Segment;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet};

/// Literals that stand for "the item itself" and do not name it.
const GENERAL: &str = "metadata meta info data details detail current latest root item base main self count counter v";

/// A literal of a primary key.
struct Literal<'a> {
    text: &'a str,
    /// Whether a value follows that is not in the key before: `COUNTER#{name}`, but not `USER#{id}`, `META#{id}`.
    has_value: bool,
}

impl Literal<'_> {
    /// Whether the literal names the item: a word that is not a general one.
    fn is_telling(&self) -> bool {
        let lower = self.text.trim_matches('"').to_lowercase();
        let is_general = GENERAL.split(' ').any(|word| word == lower);
        self.text.chars().filter(|c| c.is_alphabetic()).count() > 1
            && (self.has_value || !is_general)
    }
}

/// The literals of the primary key's templates, each once: `BILL#{billId}`, `BILL#{billId}`.
fn literals<'a>(plan: &'a Plan, slots: &'a [KeySlot], delimiter: &str) -> Vec<Literal<'a>> {
    let mut found: Vec<Literal> = Vec::new();
    let mut seen: Vec<&str> = Vec::new();
    let mut is_after_literal = false;
    for (_, template) in primary(plan, slots) {
        for segment in &template.parsed.segments {
            match segment {
                Segment::Literal { text, .. } => {
                    for text in text.split(delimiter).filter(|part| !part.is_empty()) {
                        is_after_literal = found.iter().all(|other| other.text != text);
                        if is_after_literal {
                            found.push(Literal {
                                text,
                                has_value: false,
                            });
                        }
                    }
                }
                Segment::Placeholder(placeholder) => {
                    let is_new = !seen.contains(&placeholder.attribute.as_str());
                    if let Some(last) = found.last_mut().filter(|_| is_after_literal) {
                        last.has_value = is_new;
                    }
                    is_after_literal = false;
                    seen.push(&placeholder.attribute);
                }
                Segment::Broken { .. } => {}
            }
        }
    }
    found
}

/// The names that the literals of a primary key suggest for an entity, the shortest first: `Cameras`, `ActiveCameras`.
pub(crate) fn of_keys(plan: &Plan, slots: &[KeySlot], delimiter: &str, table: &str) -> Vec<String> {
    let literals = literals(plan, slots, delimiter);
    // The last literal names the item: `TENANT#{tenantId}`, `USER#{userId}`. A single letter only if there is no word.
    let last = (literals.iter().rposition(Literal::is_telling)).or_else(|| {
        let is_letter = |literal: &Literal| literal.text.contains(char::is_alphabetic);
        literals.iter().rposition(is_letter)
    });
    let Some(last) = last else {
        return vec![of_value(plan, slots).unwrap_or_else(|| of_table(table))];
    };
    let mut names = vec![title(literals[last].text)];
    for literal in literals[..last]
        .iter()
        .rev()
        .filter(|literal| literal.is_telling())
    {
        let longer = title(literal.text) + &names[names.len() - 1];
        names.push(longer);
    }
    names
}

/// For each entity, the shortest of its names that no other entity has; its first name if there is none.
pub(crate) fn distinct(names: &[Vec<String>]) -> Vec<String> {
    let at = |names: &Vec<String>, length: usize| names.get(length).or(names.last()).cloned();
    let one = |(number, own): (usize, &Vec<String>)| {
        let is_free = |length: &usize| {
            let mut others = names
                .iter()
                .enumerate()
                .filter(|(other, _)| *other != number);
            others.all(|(_, other)| at(other, *length).as_ref() != own.get(*length))
        };
        let length = (0..own.len()).find(is_free).unwrap_or(0);
        own.get(length).cloned().unwrap_or_default()
    };
    names.iter().enumerate().map(one).collect()
}

fn primary<'a>(
    plan: &'a Plan,
    slots: &'a [KeySlot],
) -> impl Iterator<Item = (usize, &'a KeyTemplate)> {
    let primary = slots
        .iter()
        .zip(&plan.templates)
        .filter(|(slot, _)| slot.key == 0);
    primary
        .enumerate()
        .filter_map(|(place, (_, template))| Some((place, template.as_ref()?)))
}

/// The name that a key without literals suggests: the sort key's attribute beside a natural partition key
/// (`customerId`, `{url}`), or the natural key.
fn of_value(plan: &Plan, slots: &[KeySlot]) -> Option<String> {
    let natural = slots
        .iter()
        .find(|slot| slot.key == 0 && !slot.is_generic)?;
    let sort = primary(plan, slots).last().filter(|_| natural.is_partition);
    let alone = sort.and_then(|(_, template)| match template.parsed.segments.as_slice() {
        [Segment::Placeholder(placeholder)] => Some(placeholder.attribute.as_str()),
        _ => None,
    });
    let name = alone.unwrap_or(&natural.name);
    let name = title(name.trim_end_matches("ID").trim_end_matches("Id"));
    Some(name).filter(|name| !name.is_empty())
}

/// The name of the table, as the name of its only kind of items: `reply`, `users-table`.
fn of_table(table: &str) -> String {
    let mut words = words(table);
    if words.len() > 1
        && words
            .last()
            .is_some_and(|last| last.eq_ignore_ascii_case("table"))
    {
        words.pop();
    }
    let name: String = words.iter().map(|word| capital(word)).collect();
    match name.is_empty() {
        true => "Item".to_owned(),
        false => name,
    }
}

/// The names that a source gives to kinds of items.
pub(crate) struct Hints<'a> {
    hints: &'a [Hint],
    /// The positions of the items of each.
    items: Vec<FxHashSet<usize>>,
}

impl<'a> Hints<'a> {
    /// Makes the hints ready to compare.
    pub fn new(hints: &'a [Hint]) -> Hints<'a> {
        let items = hints
            .iter()
            .map(|hint| hint.items.iter().copied().collect());
        Hints {
            hints,
            items: items.collect(),
        }
    }

    /// The name of such items.
    pub fn name(&self, plan: &Plan, table: Table, samples: &[(usize, Item)]) -> Option<String> {
        let name = self.find(plan, table, samples)?.name.clone();
        name::check_label(&name).is_ok().then_some(name)
    }

    /// The hint at such items: that which has them all, if they are all of its items or the main ones; otherwise, that
    /// whose attributes are most like theirs.
    pub fn find(&self, plan: &Plan, table: Table, samples: &[(usize, Item)]) -> Option<&'a Hint> {
        if self.hints.is_empty() {
            return None;
        }
        let sort = primary(plan, table.slots).filter(|(place, _)| *place > 0);
        let mut literals =
            sort.flat_map(|(_, template)| template.literals(&table.policy.delimiter));
        let is_telling = |text| {
            let has_value = false;
            Literal { text, has_value }.is_telling()
        };
        let is_main = !literals.any(is_telling);
        let names = common_names(table, samples);
        let mut best: Option<(usize, &'a Hint)> = None;
        for (hint, items) in self.hints.iter().zip(&self.items) {
            let share = if items.is_empty() {
                let common = (hint.attributes.iter()).filter(|name| names.contains(name.as_str()));
                let common = common.count();
                let all = hint.attributes.len() + names.len() - common;
                100 * common / all.max(1)
            } else {
                let has_all = samples.iter().all(|(at, _)| items.contains(at));
                let is_named = has_all && (is_main || samples.len() == items.len());
                100 * usize::from(is_named)
            };
            if share >= 60 && best.is_none_or(|(other, _)| share > other) {
                best = Some((share, hint));
            }
        }
        best.map(|(_, hint)| hint)
    }
}

/// The attributes besides keys that at least half of the items have.
fn common_names<'a>(table: Table, samples: &'a [(usize, Item)]) -> BTreeSet<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for name in samples.iter().flat_map(|(_, sample)| sample.keys()) {
        *counts.entry(name).or_default() += 1;
    }
    counts.retain(|name, count| {
        2 * *count >= samples.len() && table.slots.iter().all(|slot| slot.name != *name)
    });
    counts.into_keys().collect()
}

/// A literal as the name of an entity: `ORDER_ITEM` gives `OrderItem`.
pub(crate) fn title(literal: &str) -> String {
    let is_upper = !literal.chars().any(char::is_lowercase);
    let words = words(literal).into_iter().map(|word| match is_upper {
        true => capital(&word.to_lowercase()),
        false => capital(&word),
    });
    words.collect()
}

/// The name, or with a number if it is taken. It becomes taken.
pub(crate) fn free(name: &str, taken: &mut SortedSet<String>) -> String {
    let name = match name::check_label(name) {
        Ok(()) => name,
        Err(_) => "Item",
    };
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        // A name of 255 bytes has no room for a number.
        let start = &name[..name.floor_char_boundary(240)];
        free = format!("{start} {number}");
        number += 1;
    }
    free
}
