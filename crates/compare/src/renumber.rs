//! Gives the parts of a design other ids, everywhere they are used.

use keyfold_core::lint::Place;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Attribute, AttributeId, CardId, Design, Entity, EntityId,
    Format, IndexId, NoteId, Operation, Sample, SampleId, Silenced, SortedMap, Workload,
    WriteAction,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Other ids for parts of a design, by the ones they have. What is not among them keeps its id, and so does the primary key.
/// A cheap copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewIds(Arc<FxHashMap<u32, u32>>);

/// The id numbers of all parts, sorted. They are all below the next free id.
pub fn numbers(design: &Design) -> Vec<u32> {
    let attributes = (design.entities.values()).flat_map(|entity| &entity.attributes);
    let samples = (design.samples.values()).flat_map(|samples| samples.iter());
    let mut all: Vec<u32> = (design.indexes.keys().map(|id| id.0))
        .chain(design.entities.keys().map(|id| id.0))
        .chain(attributes.map(|attribute| attribute.id.0))
        .chain(samples.map(|sample| sample.id.0))
        .chain(design.access_patterns.keys().map(|id| id.0))
        .chain(design.notes.keys().map(|id| id.0))
        .collect();
    all.sort_unstable();
    all
}

impl NewIds {
    /// The new numbers of the parts of a design.
    pub(crate) fn of(design: &Design, number: &dyn Fn(u32) -> u32) -> NewIds {
        let all = numbers(design).into_iter().map(|id| (id, number(id)));
        NewIds(Arc::new(all.filter(|(id, new)| id != new).collect()))
    }

    /// Whether every part keeps its id.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn number(&self, id: u32) -> u32 {
        self.0.get(&id).copied().unwrap_or(id)
    }

    /// The id that an index has now.
    pub fn index(&self, id: IndexId) -> IndexId {
        match id.is_primary() {
            true => id,
            false => IndexId(self.number(id.0)),
        }
    }

    /// The id that an entity has now.
    pub fn entity(&self, id: EntityId) -> EntityId {
        EntityId(self.number(id.0))
    }

    /// The id that an attribute has now.
    pub fn attribute(&self, id: AttributeId) -> AttributeId {
        AttributeId(self.number(id.0))
    }

    /// The id that a sample has now.
    pub fn sample(&self, id: SampleId) -> SampleId {
        SampleId(self.number(id.0))
    }

    /// The id that an access pattern has now.
    pub fn pattern(&self, id: AccessPatternId) -> AccessPatternId {
        AccessPatternId(self.number(id.0))
    }

    /// The id that a note has now.
    pub fn note(&self, id: NoteId) -> NoteId {
        NoteId(self.number(id.0))
    }

    /// What a card is now.
    pub fn card(&self, card: CardId) -> CardId {
        match card {
            CardId::Index(id) => CardId::Index(self.index(id)),
            CardId::Entity(id) => CardId::Entity(self.entity(id)),
            CardId::Note(id) => CardId::Note(self.note(id)),
        }
    }

    /// The place where the parts of a place are now.
    pub fn place(&self, place: Place) -> Place {
        match place {
            Place::Table => place,
            Place::Index(index) => Place::Index(self.index(index)),
            Place::Entity(entity) => Place::Entity(self.entity(entity)),
            Place::Entry(entity, index) => Place::Entry(self.entity(entity), self.index(index)),
            Place::Template(entity, index, part) => {
                Place::Template(self.entity(entity), self.index(index), part)
            }
            Place::Attribute(entity, attribute) => {
                Place::Attribute(self.entity(entity), self.attribute(attribute))
            }
            Place::Sample(entity, sample) => {
                Place::Sample(self.entity(entity), self.sample(sample))
            }
            Place::Pattern(pattern) => Place::Pattern(self.pattern(pattern)),
        }
    }

    /// The design with the new ids. The next free id stays.
    pub fn renumbered(&self, design: &Design) -> Design {
        let Design {
            name,
            description,
            next_id,
            delimiter,
            table,
            indexes,
            entities,
            access_patterns,
            samples,
            notes,
            silenced,
            workload,
            export_options,
            layout,
        } = design.clone();
        let of_entity = |(id, list): (EntityId, Arc<Vec<Arc<Sample>>>)| {
            let list = list.iter().map(|sample| {
                let Sample { id, values } = &**sample;
                Arc::new(Sample {
                    id: self.sample(*id),
                    values: values.clone(),
                })
            });
            (self.entity(id), Arc::new(list.collect()))
        };
        Design {
            name,
            description,
            next_id,
            delimiter,
            table,
            indexes: sorted(
                indexes
                    .into_iter()
                    .map(|(id, index)| (self.index(id), index)),
            ),
            entities: sorted((entities.iter()).map(|(id, entity)| {
                (
                    self.entity(*id),
                    Arc::new(self.whole_entity(design, entity)),
                )
            })),
            access_patterns: sorted(
                (access_patterns.iter()).map(|(id, pattern)| {
                    (self.pattern(*id), Arc::new(self.whole_pattern(pattern)))
                }),
            ),
            samples: sorted(samples.into_iter().map(of_entity)),
            notes: sorted(notes.into_iter().map(|(id, note)| (self.note(id), note))),
            silenced: Arc::new(
                silenced
                    .iter()
                    .map(|silenced| self.silenced(design, silenced))
                    .collect(),
            ),
            workload: Arc::new(self.workload(&workload)),
            export_options,
            layout: Arc::new(sorted(
                layout
                    .iter()
                    .map(|(card, place)| (self.card(*card), *place)),
            )),
        }
    }

    fn workload(&self, workload: &Workload) -> Workload {
        let patterns = workload.patterns.iter();
        let entities = workload.entities.iter();
        Workload {
            patterns: sorted(patterns.map(|(id, traffic)| (self.pattern(*id), traffic.clone()))),
            entities: sorted(entities.map(|(id, volume)| (self.entity(*id), *volume))),
            ..workload.clone()
        }
    }

    fn whole_entity(&self, design: &Design, entity: &Entity) -> Entity {
        let mut entity = entity.clone();
        for Attribute { id, format, .. } in &mut entity.attributes {
            *id = self.attribute(*id);
            // An entity that is not in the design stays as it is.
            if let Some(Format::Reference { entity, .. }) = format
                && design.entities.contains_key(entity)
            {
                *entity = self.entity(*entity);
            }
        }
        let keys = std::mem::take(&mut entity.keys).into_iter();
        entity.keys = sorted(keys.map(|(index, entry)| (self.index(index), entry)));
        entity
    }

    /// An access pattern that names the new ids.
    pub(crate) fn whole_pattern(&self, pattern: &AccessPattern) -> AccessPattern {
        let mut pattern = pattern.clone();
        for entity in &mut pattern.entities {
            *entity = self.entity(*entity);
        }
        pattern.sample = pattern.sample.map(|sample| self.sample(sample));
        if let Operation::Query { index, .. } | Operation::Scan { index, .. } =
            &mut pattern.operation
        {
            *index = self.index(*index);
        }
        for action in pattern.operation.actions_mut() {
            if let WriteAction::PutItem { entity, .. } = action {
                *entity = self.entity(*entity);
            }
        }
        pattern
    }

    /// A place that is not in the design stays as it is.
    fn silenced(&self, design: &Design, silenced: &Silenced) -> Silenced {
        let place = silenced.place.parse::<Place>().ok();
        let place = match place.filter(|place| is_in(design, *place)) {
            None => silenced.place.clone(),
            Some(place) => self.place(place).to_string(),
        };
        Silenced {
            code: silenced.code.clone(),
            place,
            reason: silenced.reason.clone(),
        }
    }
}

/// Whether the design has the entity, the index and the access pattern of a place.
fn is_in(design: &Design, place: Place) -> bool {
    let pattern = match place {
        Place::Pattern(id) => design.access_patterns.contains_key(&id),
        _ => true,
    };
    (place.entity()).is_none_or(|id| design.entities.contains_key(&id))
        && (place.index()).is_none_or(|id| design.key(id).is_some())
        && pattern
}

/// A map of entries in any order; an insertion one by one would move all later ones.
fn sorted<K: Ord, V>(entries: impl Iterator<Item = (K, V)>) -> SortedMap<K, V> {
    let mut entries: Vec<(K, V)> = entries.collect();
    entries.sort_by(|(a, _), (b, _)| a.cmp(b));
    entries.into_iter().collect()
}
