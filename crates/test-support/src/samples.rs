//! Designs with different samples.

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
        let samples = Arc::make_mut(design.samples.get_mut(entity).expect("it has samples"));
        samples.retain(|sample| !gone.contains(&sample.id));
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
