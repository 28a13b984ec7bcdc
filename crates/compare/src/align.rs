//! Which parts of two designs are the same, if not by ids: by name, or by content where one side has another name.
//!
//! `text::lower` knows parts again too, of a text while it is typed: by position as well, which two files do not share.

use crate::part::{json, sample_json};
use crate::renumber::{NewIds, numbers};
use keyfold_core::model::{AccessPattern, Attribute, Design, Entity, EntityId, IndexId};
use keyfold_core::template::{Segment, parse};
use rustc_hash::{FxHashMap, FxHashSet};

/// Whether the ids of two designs mean the same parts: most parts with a name have the same id in both, and no id went to
/// another name. A few parts may have been deleted and made again under their name, with a new id. Ids of designs that were
/// read from text mean nothing: text has none.
pub fn share_ids(old: &Design, new: &Design) -> bool {
    let (olds, news) = (names(old), names(new));
    let mut known: FxHashMap<&Named, Vec<u32>> = FxHashMap::default();
    for (name, id) in &olds {
        known.entry(name).or_default().push(*id);
    }
    let in_old: FxHashSet<u32> = olds.iter().map(|(_, id)| *id).collect();
    let in_new: FxHashMap<u32, &Named> = news.iter().map(|(name, id)| (*id, name)).collect();
    let (mut kept, mut again) = (0, 0);
    for (name, id) in &news {
        let Some(ids) = known.get(name) else {
            continue;
        };
        let has_other_name = |id| in_new.get(id).is_some_and(|other| *other != name);
        if ids.contains(id) {
            kept += 1;
        } else if in_old.contains(id) || ids.iter().any(has_other_name) {
            return false;
        } else {
            again += 1;
        }
    }
    again * 4 <= kept && 2 * kept >= olds.len().min(news.len())
}

/// Returns `new` with the ids of `old`: its own if both have ids that mean the same parts, otherwise as [`align`] finds
/// them. `have_ids` says whether both were read from a form that has ids, which text is not.
pub fn matched(old: &Design, new: &Design, have_ids: bool) -> Design {
    match have_ids && share_ids(old, new) {
        true => new.clone(),
        false => align(old, new),
    }
}

/// Like [`matched`], with remarks on what is taken as renamed without ids that say so.
pub fn matched_with_remarks(old: &Design, new: &Design, have_ids: bool) -> (Design, Vec<String>) {
    if have_ids && share_ids(old, new) {
        return (new.clone(), Vec::new());
    }
    let aligned = align(old, new);
    let remarks = taken_as_renamed(old, &aligned);
    (aligned, remarks)
}

/// Says which attributes of `new` have the ids of attributes with another name in `old`, and what to do if they are others.
pub fn taken_as_renamed(old: &Design, new: &Design) -> Vec<String> {
    let mut remarks = Vec::new();
    for (id, after) in &new.entities {
        let Some(before) = old.entities.get(id) else {
            continue;
        };
        for attribute in &after.attributes {
            let was = before.attribute_by_id(attribute.id);
            let Some(was) = was.filter(|was| was.name != attribute.name) else {
                continue;
            };
            let (name, was) = (&attribute.name, &was.name);
            let otherwise = match uses(old, before, after, was).is_empty() {
                true => "do not copy its values",
                false => "every key with it must be rewritten",
            };
            remarks.push(format!(
                "{}: `{name}` is taken as the new name of `{was}`. If it is other data, {otherwise}.",
                after.name
            ));
        }
    }
    remarks
}

/// Like [`matched`], for a merge: a sample with other values in its key is another one, so that no edit of one sample goes to
/// another. So is an attribute with another name: a merge gives new names to the other side's templates, too.
pub fn matched_for_merge(old: &Design, new: &Design, have_ids: bool) -> Design {
    match have_ids && share_ids(old, new) {
        true => new.clone(),
        false => paired(old, new, Rest::IsOther),
    }
}

/// A part with a name: its kind or entity, and its name. Notes have none.
type Named = (String, String);

fn names(design: &Design) -> Vec<(Named, u32)> {
    let named = |kind: &str, name: &str, id| ((kind.to_owned(), name.to_owned()), id);
    let mut all = Vec::new();
    all.extend(
        design
            .indexes
            .iter()
            .map(|(id, index)| named("i", &index.name, id.0)),
    );
    for (id, entity) in &design.entities {
        all.push(named("e", &entity.name, id.0));
        let owner = format!("a{}", entity.name);
        let attributes = entity.attributes.iter();
        all.extend(attributes.map(|attribute| named(&owner, &attribute.name, attribute.id.0)));
    }
    let patterns = design.access_patterns.iter();
    all.extend(patterns.map(|(id, pattern)| named("p", &pattern.name, id.0)));
    all
}

/// Returns `new` with the ids of `old` for the parts that are the same, and ids that `old` never had for the others.
/// Parts are the same if they have the same name; else if their content is equal and no other part has it; the content of an
/// attribute is where keys use it, too. Samples, which
/// have no names, are the same if they are equal, or if the values in their primary keys are and no other sample has them.
/// Notes are the same if they are equal. The rest of samples and notes are paired in their order.
pub fn align(old: &Design, new: &Design) -> Design {
    paired(old, new, Rest::InOrder)
}

fn paired(old: &Design, new: &Design, samples_left: Rest) -> Design {
    let mut pairs = Pairs::default();
    pairs.add(&indexes(old), &indexes(new), Rest::IsOther);
    pairs.add(&entities(old), &entities(new), Rest::IsOther);
    for (id, after) in &new.entities {
        let before = pairs.old(id.0).map(EntityId);
        let Some((before, entity)) = before.and_then(|id| Some((id, old.entities.get(&id)?)))
        else {
            continue;
        };
        let content = samples_left == Rest::InOrder;
        let olds = attributes(old, entity, after, content);
        let news = attributes(new, after, entity, content);
        pairs.add(&olds, &news, Rest::IsOther);
        pairs.add(&samples(old, before), &samples(new, *id), samples_left);
    }
    pairs.add(&notes(old), &notes(new), Rest::InOrder);
    // What an access pattern does names other parts by id.
    let patterns_of_new = patterns(new, &|id| pairs.old(id).unwrap_or(u32::MAX));
    pairs.add(&patterns(old, &|id| id), &patterns_of_new, Rest::IsOther);
    let fresh = fresh_numbers(old, new, &pairs);
    let number = |id| pairs.old(id).or(fresh.get(&id).copied()).unwrap_or(id);
    let mut aligned = NewIds::of(new, &number).renumbered(new);
    let most = fresh.values().max().map_or(0, |id| id.saturating_add(1));
    aligned.next_id = old.next_id.max(most);
    aligned
}

/// An id that `old` never had for each part of `new` that has no partner.
fn fresh_numbers(old: &Design, new: &Design, pairs: &Pairs) -> FxHashMap<u32, u32> {
    let mut fresh = Fresh::after(old.next_id, numbers(old));
    (numbers(new).into_iter())
        .filter(|id| pairs.old(*id).is_none())
        .map(|id| (id, fresh.take()))
        .collect()
}

/// Unused ids: from the next free one on, and if those run out, the lowest that no part has.
pub struct Fresh {
    next: u32,
    used: FxHashSet<u32>,
}

impl Fresh {
    /// The ids from `next` on; `used` ones are not handed out.
    pub fn after(next: u32, used: Vec<u32>) -> Fresh {
        let used = used.into_iter().collect();
        Fresh { next, used }
    }

    /// Does not hand out these ids either.
    pub fn used(&mut self, ids: &FxHashSet<u32>) {
        self.used.extend(ids);
    }

    /// An unused id.
    pub fn take(&mut self) -> u32 {
        // An id is below the next free one, which is a `u32` too.
        while self.next == u32::MAX || self.used.contains(&self.next) {
            self.next = self.next.checked_add(1).unwrap_or(1);
        }
        self.used.insert(self.next);
        self.next
    }

    /// Takes this id if it is unused, else another one.
    pub fn prefer(&mut self, id: u32) -> u32 {
        match id < u32::MAX && self.used.insert(id) {
            true => id,
            false => self.take(),
        }
    }
}

fn indexes(design: &Design) -> Vec<Known> {
    (design.indexes.iter())
        .map(|(id, index)| {
            Known::new(
                id.0,
                &index.name,
                format!("{:?} {:?}", index.kind, index.key),
            )
        })
        .collect()
}

fn entities(design: &Design) -> Vec<Known> {
    (design.entities.iter())
        .map(|(id, entity)| Known::new(id.0, &entity.name, content(design, entity)))
        .collect()
}

/// What an entity is, apart from its name: attributes and keys, without ids.
fn content(design: &Design, entity: &Entity) -> String {
    let attributes = entity.attributes.iter();
    let names: Vec<_> = attributes
        .map(|attribute| (&attribute.name, attribute.kind))
        .collect();
    let keys = entity.keys.iter();
    let keys: Vec<_> = keys
        .map(|(index, entry)| (design.index_name(*index), &entry.partition, &entry.sort))
        .collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{names:?} {keys:?}"),
    }
}

/// The attributes of an entity, which the other design has as `other`. Without their content they are known by name only.
fn attributes(design: &Design, entity: &Entity, other: &Entity, with_content: bool) -> Vec<Known> {
    let of = |attribute: &Attribute| {
        let uses = uses(design, entity, other, &attribute.name);
        format!("{:?} {} {uses:?}", attribute.kind, attribute.description)
    };
    (entity.attributes.iter())
        .map(|attribute| {
            let content = match with_content {
                true => of(attribute),
                false => String::new(),
            };
            Known::new(attribute.id.0, &attribute.name, content)
        })
        .collect()
}

/// Where the keys of an entity use an attribute: templates and conditions, without its name and the names that only one of
/// both designs has, and its places in keys.
fn uses(design: &Design, entity: &Entity, other: &Entity, name: &str) -> Vec<String> {
    let anonymous = |used: &str| match used == name {
        true => "!".to_owned(),
        false if entity.attribute(used).is_none() || other.attribute(used).is_none() => {
            "?".to_owned()
        }
        false => used.to_owned(),
    };
    let mut uses = Vec::new();
    for entry in entity.keys.values() {
        for text in entry.partition.iter().chain(&entry.sort) {
            let mut template = parse(text).template;
            if !template.attributes().any(|used| used == name) {
                continue;
            }
            for segment in &mut template.segments {
                if let Segment::Placeholder(placeholder) = segment {
                    placeholder.attribute = anonymous(&placeholder.attribute);
                }
            }
            uses.push(template.to_string());
        }
        let conditions = entry.when.iter().filter(|one| one.attribute == name);
        uses.extend(conditions.map(|condition| format!("{:?}", condition.test)));
    }
    for key in design.index_ids().filter_map(|id| design.key(id)) {
        let place = key.attributes().position(|key| key.name == name);
        uses.extend(place.map(|place| format!("key {place}")));
    }
    uses.sort();
    uses
}

fn samples(design: &Design, entity: EntityId) -> Vec<Known> {
    let names = key_names(design, entity);
    (design.samples_of(entity).iter())
        .map(|sample| {
            let values: Vec<_> = names.iter().map(|name| sample.values.get(name)).collect();
            // A key without values is the same for all.
            let content = match names.is_empty() || values.iter().any(Option::is_some) {
                true => format!("{values:?}"),
                false => String::new(),
            };
            Known::new(sample.id.0, &sample_json(sample).to_string(), content)
        })
        .collect()
}

/// The attributes whose values are in the primary keys of an entity's items.
fn key_names(design: &Design, entity: EntityId) -> Vec<String> {
    let Some(entity) = design.entities.get(&entity) else {
        return Vec::new();
    };
    let mut names = Vec::new();
    if let Some(entry) = entity.keys.get(&IndexId::PRIMARY) {
        for part in entry.partition.iter().chain(&entry.sort) {
            let template = parse(part).template;
            names.extend(template.attributes().map(str::to_owned));
        }
    }
    let own = design.table.key.attributes().map(|key| key.name.clone());
    names.extend(own.filter(|name| entity.attribute(name).is_some()));
    names
}

fn notes(design: &Design) -> Vec<Known> {
    (design.notes.iter())
        .map(|(id, note)| Known::new(id.0, &note.text, String::new()))
        .collect()
}

fn patterns(design: &Design, number: &dyn Fn(u32) -> u32) -> Vec<Known> {
    let ids = NewIds::of(design, number);
    let content = |pattern: &AccessPattern| json(&ids.whole_pattern(pattern).operation);
    (design.access_patterns.iter())
        .map(|(id, pattern)| Known::new(id.0, &pattern.name, content(pattern).to_string()))
        .collect()
}

/// How a part is known again.
pub struct Known {
    pub id: u32,
    name: String,
    /// What it is besides its name; empty if that says nothing.
    content: String,
}

impl Known {
    pub fn new(id: u32, name: &str, content: String) -> Known {
        let name = name.to_owned();
        Known { id, name, content }
    }
}

/// What parts are that neither name nor content tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// The same as the next such part of the other side.
    InOrder,
    /// Other parts.
    IsOther,
}

/// The ids of the old design for those of the new one.
#[derive(Default)]
pub struct Pairs {
    old_of_new: FxHashMap<u32, u32>,
}

impl Pairs {
    pub fn old(&self, new: u32) -> Option<u32> {
        self.old_of_new.get(&new).copied()
    }

    /// Pairs parts of one kind: by name, then by a content that only one of each side has.
    pub fn add(&mut self, olds: &[Known], news: &[Known], rest: Rest) {
        let mut by_name: FxHashMap<&str, Vec<&Known>> = FxHashMap::default();
        for old in olds.iter().rev() {
            by_name.entry(&old.name).or_default().push(old);
        }
        let mut taken = FxHashSet::default();
        for new in news {
            if let Some(old) = by_name.get_mut(&*new.name).and_then(Vec::pop) {
                self.old_of_new.insert(new.id, old.id);
                taken.insert(old.id);
            }
        }
        let free_old: Vec<&Known> = olds.iter().filter(|old| !taken.contains(&old.id)).collect();
        let is_free = |new: &&Known| !self.old_of_new.contains_key(&new.id);
        let free_new: Vec<&Known> = news.iter().filter(is_free).collect();
        let (olds, news) = (by_content(&free_old), by_content(&free_new));
        for (content, new) in news {
            if let (Some(new), Some(Some(old))) = (new, olds.get(content)) {
                self.old_of_new.insert(new, *old);
            }
        }
        if rest == Rest::IsOther {
            return;
        }
        let paired: FxHashSet<u32> = self.old_of_new.values().copied().collect();
        let olds = free_old.iter().filter(|old| !paired.contains(&old.id));
        let is_left = |new: &&&Known| !self.old_of_new.contains_key(&new.id);
        let news: Vec<u32> = (free_new.iter().filter(is_left))
            .map(|new| new.id)
            .collect();
        let pairs = news.into_iter().zip(olds.map(|old| old.id));
        self.old_of_new.extend(pairs);
    }
}

/// The part with each content; `None` if several have it.
fn by_content<'a>(parts: &[&'a Known]) -> FxHashMap<&'a str, Option<u32>> {
    let mut found: FxHashMap<&str, Option<u32>> = FxHashMap::default();
    for part in parts.iter().filter(|part| !part.content.is_empty()) {
        (found.entry(&part.content))
            .and_modify(|id| *id = None)
            .or_insert(Some(part.id));
    }
    found
}
