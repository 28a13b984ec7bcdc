//! Pasting cards: new ids, names that are free, and everything that refers to something finds its like here.

use super::index::add_index;
use super::refused::Refused;
use keyfold_core::model::{
    AttributeId, CardId, Design, Entity, EntityId, Format, Index, IndexEntry, IndexId, IndexKind,
    KeyAttribute, KeyType, NoteId, Point, Sample, SampleId, SortedMap, SortedSet,
};
use std::sync::Arc;

/// Adds the cards of `clip` that have a place, the top left corner of all of them at `at`.
pub(super) fn paste(design: &mut Design, clip: &Design, at: Point) -> Result<(), Refused> {
    let places = places(clip, at);
    if places.is_empty() {
        return Err(Refused("there are no cards to paste".into()));
    }
    let before = design.clone();
    let mut names = Names::default();
    for (id, index) in &clip.indexes {
        if let Some(place) = places.get(&CardId::Index(*id)) {
            let index = names.adopt(design, clip, index);
            let new = add_index(design, index, *place)?;
            names.indexes.insert(*id, new);
        }
    }
    let copied: Vec<(EntityId, &Arc<Entity>, Point)> = (clip.entities.iter())
        .filter_map(|(id, entity)| Some((*id, entity, *places.get(&CardId::Entity(*id))?)))
        .collect();
    for (id, ..) in &copied {
        let new = EntityId(design.take_id());
        names.entities.insert(*id, new);
    }
    names.taken =
        SortedSet::from_iter((before.entities.values()).map(|entity| entity.name.clone()));
    for (id, entity, place) in copied {
        let Some(new) = names.entities.get(&id).copied() else {
            continue;
        };
        let entity = names.entity(design, &before, clip, entity);
        design.entities.insert(new, Arc::new(entity));
        let samples: Vec<Arc<Sample>> = (clip.samples_of(id).iter())
            .map(|sample| {
                let id = SampleId(design.take_id());
                let values = sample.values.clone();
                Arc::new(Sample { id, values })
            })
            .collect();
        if !samples.is_empty() {
            design.samples.insert(new, Arc::new(samples));
        }
        if let Some(volume) = clip.workload.entities.get(&id) {
            let entities = &mut Arc::make_mut(&mut design.workload).entities;
            entities.insert(new, *volume);
        }
        Arc::make_mut(&mut design.layout).insert(CardId::Entity(new), place);
    }
    for (id, note) in &clip.notes {
        if let Some(place) = places.get(&CardId::Note(*id)) {
            let new = NoteId(design.take_id());
            design.notes.insert(new, note.clone());
            Arc::make_mut(&mut design.layout).insert(CardId::Note(new), *place);
        }
    }
    Ok(())
}

/// Where each copied card goes.
fn places(clip: &Design, at: Point) -> SortedMap<CardId, Point> {
    let copied =
        || (clip.layout.iter()).filter(|(card, _)| **card != CardId::Index(IndexId::PRIMARY));
    let left = copied().map(|(_, point)| point.x).min().unwrap_or(0);
    let top = copied().map(|(_, point)| point.y).min().unwrap_or(0);
    let moved = |point: &Point| Point {
        x: point.x.saturating_sub(left).saturating_add(at.x),
        y: point.y.saturating_sub(top).saturating_add(at.y),
    };
    copied()
        .map(|(card, point)| (*card, moved(point)))
        .collect()
}

/// What the pasted parts are called here.
#[derive(Default)]
struct Names {
    /// From a copied index to the pasted one.
    indexes: SortedMap<IndexId, IndexId>,
    /// From a copied entity to the pasted one.
    entities: SortedMap<EntityId, EntityId>,
    /// Key attributes that follow the name of an index that got another name.
    attributes: SortedMap<String, String>,
    /// Names that entities have.
    taken: SortedSet<String>,
}

impl Names {
    /// The index with a name and key attributes that do not clash with what is here: `GSI1` with `GSI1PK`
    /// becomes `GSI4` with `GSI4PK`.
    fn adopt(&mut self, design: &Design, clip: &Design, index: &Index) -> Index {
        let keys = design.index_ids().filter_map(|id| design.key(id));
        let used = SortedMap::from_iter(
            keys.flat_map(|key| key.attributes())
                .map(|attribute| (attribute.name.as_str(), attribute.kind)),
        );
        let is_free = |name: &String| {
            design.index_named(name).is_none()
                && !(index.key.attributes())
                    .filter(|attribute| translated(design, clip, attribute).is_none())
                    .filter_map(|attribute| following(clip, &attribute.name, &index.name, name))
                    .any(|attribute| used.contains_key(attribute.as_str()))
        };
        let mut new = index.clone();
        if !is_free(&new.name) {
            let stem = index.name.trim_end_matches(|c: char| c.is_ascii_digit());
            let first = if stem.len() < index.name.len() { 1 } else { 2 };
            let stem = shortened(stem, 240);
            let mut numbered = (first..).map(|n: u32| format!("{stem}{n}"));
            new.name = numbered.find(is_free).unwrap_or_default();
        }
        let multi = new.key.is_multi_attribute();
        let mut seen: SortedSet<String> = SortedSet::new();
        if new.kind == IndexKind::Lsi {
            new.key.partition.clone_from(&design.table.key.partition);
            seen.extend(new.key.partition.iter().map(|a| a.name.clone()));
        }
        let own = if new.kind == IndexKind::Lsi { 1 } else { 0 };
        let sides = new.key.partition.iter_mut().chain(&mut new.key.sort);
        for attribute in sides.skip(own) {
            let here = translated(design, clip, attribute);
            let is_tables = here.is_some();
            if let Some(here) = here {
                *attribute = here;
            } else if let Some(name) = following(clip, &attribute.name, &index.name, &new.name) {
                self.attributes.insert(attribute.name.clone(), name.clone());
                attribute.name = name;
            } else if let Some(name) = self.attributes.get(&attribute.name) {
                attribute.name.clone_from(name);
            }
            let of_table = |name: &String| design.table.key.attributes().any(|a| a.name == *name);
            while seen.contains(&attribute.name)
                || !is_tables && !multi && of_table(&attribute.name)
            {
                attribute.name.push('2');
            }
            if let Some(kind) = used.get(attribute.name.as_str()) {
                attribute.kind = *kind;
            }
            seen.insert(attribute.name.clone());
        }
        new
    }

    /// The entity with new ids and a name that is free.
    fn entity(
        &mut self,
        design: &mut Design,
        before: &Design,
        clip: &Design,
        entity: &Entity,
    ) -> Entity {
        let mut new = entity.clone();
        new.hue %= Entity::HUES;
        new.name = self.free_name(&entity.name);
        for attribute in &mut new.attributes {
            attribute.id = AttributeId(design.take_id());
            if let Some(Format::Reference {
                entity,
                attribute: of,
                ..
            }) = &mut attribute.format
            {
                let same_name = || {
                    let other = before.entity_named(&clip.entities.get(entity)?.name)?;
                    before.entities[&other].attribute(of).map(|_| other)
                };
                match self.entities.get(entity).copied().or_else(same_name) {
                    Some(here) => *entity = here,
                    None => attribute.format = None,
                }
            }
        }
        new.keys = SortedMap::from_iter(
            (entity.keys.iter()).filter_map(|(id, entry)| self.entry(before, clip, *id, entry)),
        );
        new
    }

    /// An entity's entry in an index, for the index that is its like here.
    fn entry(
        &self,
        before: &Design,
        clip: &Design,
        id: IndexId,
        entry: &IndexEntry,
    ) -> Option<(IndexId, IndexEntry)> {
        let mut entry = entry.clone();
        if id.is_primary() {
            let sort = before.table.key.sort.first();
            match sort {
                None => entry.sort = None,
                // In a table without a sort key, the partition key alone identifies an item.
                Some(sort) if clip.table.key.sort.is_empty() && sort.kind == KeyType::S => {
                    entry.sort = Some("METADATA".into());
                }
                Some(_) => {}
            }
            return Some((id, entry));
        }
        if let Some(new) = self.indexes.get(&id) {
            return Some((*new, entry));
        }
        let from = clip.indexes.get(&id)?;
        let new = before.index_named(&from.name)?;
        let to = before.indexes.get(&new)?;
        let fits = |template: &Option<String>, from: &[KeyAttribute], to: &[KeyAttribute]| {
            from.len() == to.len()
                && from.iter().zip(to).all(|(from, to)| match template {
                    Some(_) => from.kind == to.kind,
                    // Something else writes it, so it must be the same attribute.
                    None => translated(before, clip, from).as_ref().unwrap_or(from) == to,
                })
        };
        let both = fits(&entry.partition, &from.key.partition, &to.key.partition)
            && fits(&entry.sort, &from.key.sort, &to.key.sort);
        (from.kind == to.kind && both).then_some((new, entry))
    }

    /// `User`, or where that is taken `User 2`, `User 3`, ...
    fn free_name(&mut self, name: &str) -> String {
        let mut free = name.to_owned();
        if self.taken.contains(&free) {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
            let stem = stem.strip_suffix(' ').unwrap_or(name);
            let stem = if stem.trim().is_empty() { name } else { stem };
            let stem = shortened(stem, 240);
            let mut numbered = (2..).map(|n: u32| format!("{stem} {n}"));
            let taken = |name: &String| self.taken.contains(name);
            free = numbered.find(|name| !taken(name)).unwrap_or_default();
        }
        self.taken.insert(free.clone());
        free
    }
}

/// The attribute of the table's key here that is what `attribute` is in the clip's table; `None` if it is none
/// of the table's, or the table here has no sort key.
fn translated(design: &Design, clip: &Design, attribute: &KeyAttribute) -> Option<KeyAttribute> {
    let (from, to) = (&clip.table.key, &design.table.key);
    let side = match attribute {
        a if from.partition.first() == Some(a) => &to.partition,
        a if from.sort.first() == Some(a) => &to.sort,
        _ => return None,
    };
    side.first().cloned()
}

/// The name of a key attribute that follows its index's name (`GSI1PK`, `gsi1pk`), once the index is called `new`.
/// An attribute that an entity has of itself, such as `statusAt` in an index `status`, follows no index.
fn following(clip: &Design, attribute: &str, old: &str, new: &str) -> Option<String> {
    let (head, rest) = (attribute.get(..old.len())?, attribute.get(old.len()..)?);
    let goes_on = rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit());
    let is_plain = || {
        let mut entities = clip.entities.values();
        entities.any(|entity| entity.attribute(attribute).is_some())
    };
    if !head.eq_ignore_ascii_case(old) || goes_on || is_plain() {
        return None;
    }
    let new = match head {
        head if head == old => new.to_owned(),
        head if head == old.to_lowercase() => new.to_lowercase(),
        _ => new.to_uppercase(),
    };
    Some(new + rest)
}

/// The text, or as much of it as has at most this many bytes.
fn shortened(text: &str, most: usize) -> &str {
    let mut end = text.len().min(most);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
