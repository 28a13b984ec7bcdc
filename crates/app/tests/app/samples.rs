//! Importing samples as a command.

use keyfold_app::{Command, SampleEdits, apply};
use keyfold_core::export::samples::dynamodb_json;
use keyfold_core::import::samples::read;
use keyfold_core::library::find;
use keyfold_core::model::validate_invariants;
use keyfold_test_support::sample_rows;

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
    assert_eq!(sample_rows(&after), sample_rows(&design));
}
