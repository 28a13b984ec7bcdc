//! The samples of a design, and designs with different ones.

use keyfold_core::model::{Design, EntityId, Sample, SampleId, Values, validate_invariants};
use std::sync::Arc;

/// The design without the samples `removed` and with the samples `added`, in this order. Panics if the result is
/// invalid.
pub fn with_samples(
    design: &Design,
    removed: &[(EntityId, Vec<SampleId>)],
    added: Vec<(EntityId, Values)>,
) -> Design {
    let mut design = design.clone();
    for (entity, gone) in removed {
        design.remove_samples(*entity, gone);
    }
    for (entity, values) in added {
        let sample = Sample {
            id: SampleId(design.take_id()),
            values,
        };
        let samples = design.samples.entry(entity).or_default();
        Arc::make_mut(samples).push(Arc::new(sample));
    }
    assert_eq!(validate_invariants(&design), []);
    design
}

/// All samples, entity by entity.
pub fn sample_rows(design: &Design) -> Vec<(EntityId, Values)> {
    let mut rows = Vec::new();
    for id in design.entities.keys() {
        for sample in design.samples_of(*id) {
            rows.push((*id, sample.values.clone()));
        }
    }
    rows
}
