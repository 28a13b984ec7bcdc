//! Importing samples as a command.

use keyfold_app::{Command, SampleEdits, apply};
use keyfold_core::export::samples::dynamodb_json;
use keyfold_core::import::samples::read;
use keyfold_core::library::find;
use keyfold_core::model::{Design, EntityId, Values, validate_invariants};

/// All samples, entity by entity.
fn rows(design: &Design) -> Vec<(EntityId, Values)> {
    let rows = design.entities.keys().flat_map(|id| {
        let samples = design.samples_of(*id).iter();
        samples.map(|sample| (*id, sample.values.clone()))
    });
    rows.collect()
}

#[test]
fn importing_samples_is_one_undo_step() {
    let pattern = find("saas-multi-tenant").expect("in the library");
    let design = pattern.design().expect("sound");
    let mut empty = design.clone();
    empty.samples.clear();
    empty.access_patterns.clear();
    let imported = read(&empty, &dynamodb_json(&design, None), None).expect("it can be read");
    let edits = Command::EditSamples(Box::new(SampleEdits::from(imported)));
    let after = apply(&empty, edits).expect("sound");
    assert_eq!(validate_invariants(&after), []);
    assert_eq!(rows(&after), rows(&design));
}
