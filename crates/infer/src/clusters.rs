//! Divides items into the kinds that have their own key templates: by the type attribute, or by the words in their
//! primary keys where there is none.

use super::columns::parts;
use super::schema::{Item, KeySlot};
use super::type_attribute::{is_type_value, type_of};
use super::words::{self, is_word, shown};
use keyfold_core::model::{SortedSet, Value};
use std::collections::BTreeMap;

/// Maximum number of parts of a key that are compared.
const PARTS: usize = 32;
/// Rounds of merging: the number of places at which the keys of one entity can have different words.
const ROUNDS: usize = 4;
/// Maximum number of different sets of attributes that are compared with one another.
const REPRESENTATIVES: usize = 8;

/// Maximum number of different words at one place that can tell kinds apart, whatever attributes their items have.
const KINDS: usize = 200;

/// A part of a primary key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Starts a key of this type; `-` without a value.
    Key(&'static str),
    /// A word that the design may write literally.
    Word(String),
    /// A value.
    Any,
    /// Nothing between two delimiters.
    Empty,
}

/// The parts of an item's primary key.
pub(crate) type Shape = Vec<Part>;

/// The shape of an item's primary key. A word that is the value of one of the item's attributes is a value.
pub(crate) fn shape(item: &Item, slots: &[KeySlot], delimiter: &str) -> Shape {
    let mut shape = Vec::new();
    for slot in slots.iter().filter(|slot| slot.key == 0) {
        match item.get(&slot.name) {
            Some(Value::S(text)) => {
                shape.push(Part::Key("S"));
                let parts = parts(text, delimiter);
                if parts.len() > PARTS {
                    shape.push(Part::Any);
                } else {
                    shape.extend(parts.into_iter().map(|part| part_of(part, item, slots)));
                }
            }
            Some(value) => shape.push(Part::Key(value.kind().word())),
            None => shape.push(Part::Key("-")),
        }
    }
    shape
}

fn part_of(text: &str, item: &Item, slots: &[KeySlot]) -> Part {
    let is_value = |(name, value): (&String, &Value)| {
        slots.iter().all(|slot| slot.name != *name)
            && !is_type_value(name, value)
            && shown(value).is_some_and(|shown| shown == text)
    };
    if text.is_empty() {
        Part::Empty
    } else if is_word(text) && !item.iter().any(is_value) {
        Part::Word(text.to_owned())
    } else {
        Part::Any
    }
}

/// The kinds of items, each with the positions of its items, in an order that depends on the items alone.
pub(crate) fn clusters(
    items: &[&Item],
    slots: &[KeySlot],
    shapes: &[Shape],
    type_attribute: Option<&str>,
) -> Vec<Vec<usize>> {
    let mut found: BTreeMap<(Option<&str>, Shape), Vec<usize>> = BTreeMap::new();
    for (at, item) in items.iter().enumerate() {
        let kind = type_of(item, type_attribute);
        let mut shape = shapes[at].clone();
        if kind.is_some() {
            // The words are compared later, column by column.
            for part in &mut shape {
                if matches!(part, Part::Word(_)) {
                    *part = Part::Any;
                }
            }
        }
        found.entry((kind, shape)).or_default().push(at);
    }
    let attributes = |at: usize| -> SortedSet<String> {
        let is_data = |name: &&String| {
            slots.iter().all(|slot| slot.name != **name)
                && !items[at]
                    .get(*name)
                    .is_some_and(|value| is_type_value(name, value))
        };
        items[at].keys().filter(is_data).cloned().collect()
    };
    let mut all: Vec<Cluster> = Vec::new();
    for ((kind, shape), rows) in found {
        let mut names = SortedSet::new();
        // The first items suffice: optional attributes are compared with tolerance.
        for row in rows.iter().take(REPRESENTATIVES) {
            names.extend(attributes(*row));
        }
        all.push(Cluster {
            is_typed: kind.is_some(),
            shape,
            names,
            rows,
        });
    }
    merge_usual(&mut all);
    for _ in 0..ROUNDS {
        if !merge(&mut all) {
            break;
        }
    }
    all.into_iter().map(|cluster| cluster.rows).collect()
}

struct Cluster {
    is_typed: bool,
    shape: Shape,
    names: SortedSet<String>,
    rows: Vec<usize>,
}

/// Merges clusters with similar attributes whose shapes differ in words that are usually values, at any number of places.
fn merge_usual(all: &mut Vec<Cluster>) {
    let mut buckets: BTreeMap<Shape, Vec<Cluster>> = BTreeMap::new();
    let mut merged = Vec::new();
    for cluster in std::mem::take(all) {
        match cluster.is_typed {
            true => merged.push(cluster),
            false => buckets
                .entry(without_values(&cluster.shape))
                .or_default()
                .push(cluster),
        }
    }
    for (shape, bucket) in buckets {
        let (classes, apart) = classes(bucket);
        merged.extend(apart);
        for class in classes {
            match class.len() {
                1 => merged.extend(class),
                _ => merged.push(joined(class, &shape)),
            }
        }
    }
    *all = merged;
}

/// The shape without the words that are usually values: after a word of capitals (`USER#ada`), or twice in the key but
/// first in none (`user#ada`, `profile#ada`).
pub(crate) fn without_values(shape: &Shape) -> Shape {
    let word = |at: usize| match shape.get(at) {
        Some(Part::Word(word)) => Some(word),
        _ => None,
    };
    let is_first = |at: usize| at == 0 || matches!(shape[at - 1], Part::Key(_));
    let is_value = |at: usize| {
        let Some(own) = word(at).filter(|own| !words::is_screaming(own)) else {
            return false;
        };
        let follows_capitals =
            at > 0 && word(at - 1).is_some_and(|before| words::is_screaming(before));
        let is_repeated = || {
            (0..shape.len())
                .any(|other| other != at && !is_first(other) && word(other) == Some(own))
        };
        follows_capitals || !is_first(at) && is_repeated()
    };
    let part = |(at, part): (usize, &Part)| match is_value(at) {
        true => Part::Any,
        false => part.clone(),
    };
    shape.iter().enumerate().map(part).collect()
}

/// Merges clusters whose shapes differ in the word at one place, if that word looks like a value. Returns whether any
/// were.
fn merge(all: &mut Vec<Cluster>) -> bool {
    let before = all.len();
    let longest = all.iter().map(|cluster| cluster.shape.len()).max();
    for place in 0..longest.unwrap_or(0) {
        let mut buckets: BTreeMap<(bool, Shape), Vec<Cluster>> = BTreeMap::new();
        for (at, cluster) in std::mem::take(all).into_iter().enumerate() {
            let mut key = cluster.shape.clone();
            match key.get_mut(place) {
                Some(part @ (Part::Word(_) | Part::Any)) if !cluster.is_typed => {
                    *part = Part::Any;
                    buckets.entry((true, key)).or_default().push(cluster);
                }
                // Alone: no other cluster has this key.
                _ => {
                    key.push(Part::Word(at.to_string()));
                    buckets.insert((false, key), vec![cluster]);
                }
            }
        }
        for ((_, masked), bucket) in buckets {
            match bucket.len() {
                1 => all.extend(bucket),
                _ => all.extend(merge_bucket(bucket, &masked, place)),
            }
        }
    }
    all.sort_by(|left, right| (&left.shape, &left.rows).cmp(&(&right.shape, &right.rows)));
    all.len() < before
}

/// Classes of clusters with similar attributes, and the clusters that are too different from all of them.
fn classes(bucket: Vec<Cluster>) -> (Vec<Vec<Cluster>>, Vec<Cluster>) {
    let mut classes: Vec<Vec<Cluster>> = Vec::new();
    let mut apart = Vec::new();
    let are_values = bucket.len() > KINDS;
    for cluster in bucket {
        let similar = (classes.iter())
            .position(|class| are_values || are_similar(&class[0].names, &cluster.names));
        match similar {
            Some(class) => classes[class].push(cluster),
            None if classes.len() < REPRESENTATIVES => classes.push(vec![cluster]),
            None => apart.push(cluster),
        }
    }
    (classes, apart)
}

/// Several clusters as one.
fn joined(class: Vec<Cluster>, shape: &Shape) -> Cluster {
    let mut all = Cluster {
        is_typed: false,
        shape: shape.clone(),
        names: SortedSet::new(),
        rows: Vec::new(),
    };
    for cluster in class {
        all.names.extend(cluster.names);
        all.rows.extend(cluster.rows);
    }
    all.rows.sort_unstable();
    all
}

fn merge_bucket(bucket: Vec<Cluster>, masked: &Shape, place: usize) -> Vec<Cluster> {
    let (classes, mut apart) = classes(bucket);
    for class in classes {
        let words = (class.iter()).filter(|cluster| cluster.shape[place] != Part::Any);
        let needed = needed_words(&class, masked, place);
        let has_value = class
            .iter()
            .any(|cluster| cluster.shape[place] == Part::Any);
        if class.len() == 1 || !has_value && words.count() < needed {
            apart.extend(class);
            continue;
        }
        apart.push(joined(class, masked));
    }
    apart
}

/// How many different words at a place show that it holds values.
fn needed_words(class: &[Cluster], masked: &Shape, place: usize) -> usize {
    let before = &masked[place - 1];
    let is_last = masked
        .get(place + 1)
        .is_none_or(|part| matches!(part, Part::Key(_)));
    let is_screaming = |cluster: &Cluster| match &cluster.shape[place] {
        Part::Word(word) => words::is_screaming(word),
        _ => false,
    };
    let has_attributes = !class[0].names.is_empty();
    let is_literal = |part: &Part| matches!(part, Part::Word(word) if words::is_screaming(word));
    // `REPO#alice`, `alice#ORDERS`: where literals are capitals, other words are values.
    if has_attributes && masked.iter().any(is_literal) && !class.iter().any(is_screaming) {
        return 2;
    }
    match before {
        // `STATUS#OPEN`, `ROOM#music`.
        Part::Word(_) if has_attributes => 2,
        Part::Word(_) => 4,
        // `alice`, but `PROFILE` and `SETTINGS` are two entities.
        Part::Key(_) if is_last && has_attributes && !class.iter().all(is_screaming) => 2,
        Part::Key(_) if !is_last => 17,
        _ => 9,
    }
}

/// Whether half of the attributes of two kinds of items are common to both.
fn are_similar(left: &SortedSet<String>, right: &SortedSet<String>) -> bool {
    let common = left.iter().filter(|name| right.contains(*name)).count();
    let all = left.len() + right.len() - common;
    2 * common >= all
}
