//! Generated sample data.

use crate::{designs::full_design, template_designs};
use keyfold::app::{Command, SampleEdits, apply};
use keyfold::domain::engine::generate::{
    Amount, Generated, Generator, MOST_ROWS, Request, generate, guess, obstacle, parents,
};
use keyfold::domain::engine::{materialise_all, view};
use keyfold::domain::library::patterns;
use keyfold::domain::model::*;
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

fn pattern(name: &str) -> Design {
    let pattern = patterns().iter().find(|pattern| pattern.name == name);
    pattern.expect("in the library").design().expect("sound")
}

/// So many of each entity that can have rows.
fn each(design: &Design, count: u32) -> Request {
    let able = design.entities.keys().filter(|id| obstacle(design, **id).is_none());
    let amounts = able.map(|id| Amount { entity: *id, count, per: None });
    Request {
        amounts: amounts.collect(),
        replace: true,
        seed: 7,
    }
}

/// The design with what was generated.
fn applied(design: &Design, generated: &Generated) -> Design {
    let edits = SampleEdits::from(generated.clone());
    let design = apply(design, Command::EditSamples(Box::new(edits))).expect("sound");
    assert_eq!(validate_invariants(&design), []);
    design
}

fn table(design: &Design) -> String {
    let mut text = String::new();
    for (id, entity) in &design.entities {
        let _ = writeln!(text, "{}", entity.name);
        for sample in design.samples_of(*id) {
            let values = sample.values.iter().map(|(name, value)| format!("{name}={}", value.to_text()));
            let _ = writeln!(text, "  {}", values.collect::<Vec<_>>().join(" | "));
        }
    }
    text
}

#[test]
fn the_patterns() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let generated = generate(&design, &each(&design, 3)).expect("it can be generated");
        insta::with_settings!({ snapshot_suffix => pattern.name }, {
            insta::assert_snapshot!(table(&applied(&design, &generated)));
        });
    }
}
