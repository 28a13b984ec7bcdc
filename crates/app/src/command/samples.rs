//! Changing many samples in one step: pasting, filling, generating, importing.

use super::refused::{Refused, known, samples};
use keyfold_core::engine::generate::Generated;
use keyfold_core::import::samples::Imported;
use keyfold_core::model::{Design, EntityId, Sample, SampleId, SortedMap, Value, Values, name};
use std::sync::Arc;

/// Changes of samples that are one step. They run in the order of the fields.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SampleEdits {
    /// What undo calls the step, such as `paste rows`.
    pub label: &'static str,
    /// Samples that are taken away, each entity's own.
    pub removed: Vec<(EntityId, Vec<SampleId>)>,
    /// Values that are set in samples that are there.
    pub values: Vec<ValueEdit>,
    /// Samples that are added, each at the end of its entity's.
    pub added: Vec<(EntityId, Values)>,
}

/// One value of a sample, as it shall be.
#[derive(Debug, Clone, PartialEq)]
pub struct ValueEdit {
    /// The entity.
    pub entity: EntityId,
    /// The sample.
    pub sample: SampleId,
    /// The attribute's name.
    pub attribute: String,
    /// Its value; `None` takes it away.
    pub value: Option<Value>,
}

impl SampleEdits {
    /// Whether it changes nothing.
    pub fn is_empty(&self) -> bool {
        self.removed.is_empty() && self.values.is_empty() && self.added.is_empty()
    }
}

impl From<Generated> for SampleEdits {
    fn from(generated: Generated) -> Self {
        SampleEdits {
            label: "generate samples",
            removed: generated.removed,
            values: Vec::new(),
            added: generated.added,
        }
    }
}

impl From<Imported> for SampleEdits {
    fn from(imported: Imported) -> Self {
        SampleEdits {
            label: "import samples",
            added: imported.added,
            ..SampleEdits::default()
        }
    }
}

/// Carries the edits out, all or none.
pub(super) fn edit(design: &mut Design, edits: SampleEdits) -> Result<(), Refused> {
    for (entity, gone) in edits.removed {
        design.remove_samples(entity, &gone);
    }
    set(design, edits.values)?;
    let mut checked: Option<Arc<[String]>> = None;
    for (entity, values) in edits.added {
        known(design.entities.contains_key(&entity), "entity")?;
        // Mostly row after row has the same names.
        if !(checked.as_ref()).is_some_and(|names| Arc::ptr_eq(names, values.names())) {
            for attribute in values.keys() {
                name::check_attribute(attribute)?;
            }
            checked = Some(values.names().clone());
        }
        let id = SampleId(design.take_id());
        samples(design, entity).push(Arc::new(Sample { id, values }));
    }
    Ok(())
}

fn set(design: &mut Design, values: Vec<ValueEdit>) -> Result<(), Refused> {
    // Where each sample stands, for the entities that are concerned.
    let mut places: SortedMap<EntityId, SortedMap<SampleId, usize>> = SortedMap::new();
    for edit in values {
        name::check_attribute(&edit.attribute)?;
        let places = places.entry(edit.entity).or_insert_with(|| {
            let samples = design.samples_of(edit.entity).iter();
            SortedMap::from_iter(samples.enumerate().map(|(at, sample)| (sample.id, at)))
        });
        let Some(at) = places.get(&edit.sample) else {
            return Err(Refused("this sample no longer exists".into()));
        };
        let values = &mut Arc::make_mut(&mut samples(design, edit.entity)[*at]).values;
        match edit.value {
            Some(value) => values.insert(edit.attribute, value),
            None => values.remove(&edit.attribute),
        };
    }
    Ok(())
}
