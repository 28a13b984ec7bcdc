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
        let Some(samples) = design.samples.get_mut(entity) else {
            continue;
        };
        Arc::make_mut(samples).retain(|sample| !gone.contains(&sample.id));
        if samples.is_empty() {
            design.samples.remove(entity);
        }
        for pattern in design.access_patterns.values_mut() {
            if pattern.sample.is_some_and(|sample| gone.contains(&sample)) {
                Arc::make_mut(pattern).sample = None;
            }
        }
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
