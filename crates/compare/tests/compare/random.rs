//! Properties of random designs.

use keyfold_compare::{align, apply, diff, share_ids};
use keyfold_core::model::{Design, EntityId, Format, validate_invariants};
use keyfold_test_support::any_design::{any_design, two_designs};
use keyfold_test_support::cases;
use keyfold_test_support::designs::full_design;
use proptest::prelude::*;
use std::sync::Arc;

/// A list of no samples is the same as none.
fn tidy(mut design: Design) -> Design {
    design.samples.retain(|_, samples| !samples.is_empty());
    design
}

/// The design without uses of entities that it lacks: they could mean parts of another design.
fn without_dangling(mut design: Design) -> Design {
    Arc::make_mut(&mut design.silenced).clear();
    let known: Vec<EntityId> = design.entities.keys().copied().collect();
    for entity in design.entities.values_mut() {
        for attribute in &mut Arc::make_mut(entity).attributes {
            let target = match &attribute.format {
                Some(Format::Reference { entity, .. }) => Some(*entity),
                _ => None,
            };
            if target.is_some_and(|target| !known.contains(&target)) {
                attribute.format = None;
            }
        }
    }
    design
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn applying_a_difference_gives_the_new_design((old, new) in two_designs()) {
        let changes = diff(&old, &new);
        prop_assert_eq!(apply(&old, &changes).map(tidy), Ok(tidy(new.clone())));
        prop_assert!(diff(&new, &new).is_empty());
        let new = tidy(Design { next_id: old.next_id, ..new });
        prop_assert!(!changes.is_empty() || new == tidy(old));
    }

    #[test]
    fn an_aligned_design_is_the_same_with_other_ids((old, new) in two_designs()) {
        let new = without_dangling(new);
        let aligned = align(&old, &new);
        prop_assert_eq!(validate_invariants(&aligned), vec![]);
        prop_assert!(aligned.next_id >= old.next_id);
        let back = align(&new, &aligned);
        let rest = diff(&new, &back);
        prop_assert!(rest.is_empty(), "{:#?}", rest.changes);
    }

    #[test]
    fn a_design_is_aligned_with_itself(design in any_design()) {
        prop_assert!(share_ids(&design, &design));
        let aligned = align(&design, &design);
        prop_assert_eq!(&aligned, &design);
    }
}

#[test]
fn every_field_of_the_full_design_is_compared() {
    let full = full_design();
    let empty = Design::new("x");
    assert_eq!(apply(&empty, &diff(&empty, &full)), Ok(full.clone()));
    assert_eq!(apply(&full, &diff(&full, &empty)), Ok(empty));
}
