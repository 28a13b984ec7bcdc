//! Merging.

use keyfold_compare::{Merged, Side, diff, merge};
use keyfold_core::model::{Design, validate_invariants};
use keyfold_test_support::any_design::two_designs;
use keyfold_test_support::cases;
use proptest::prelude::*;

fn merged(base: &Design, ours: &Design, theirs: &Design, side: Side) -> Merged {
    merge(base, ours, theirs, &|_| side)
}

fn check_equal(found: &Design, wanted: &Design) -> Result<(), TestCaseError> {
    let rest = diff(found, wanted);
    prop_assert!(rest.is_empty(), "{:#?}", rest.changes);
    Ok(())
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn a_side_without_edits_changes_nothing((base, edited) in two_designs()) {
        for (ours, theirs) in [(&edited, &base), (&base, &edited), (&edited, &edited)] {
            let Merged { design, conflicts, .. } = merged(&base, ours, theirs, Side::Ours);
            prop_assert_eq!(conflicts, vec![]);
            check_equal(&design, &edited)?;
        }
    }

    /// The designs have nothing to do with each other, but many equal ids and names.
    #[test]
    fn a_merge_of_any_designs_is_valid((base, ours) in two_designs(), (theirs, _) in two_designs(), sides in any::<u64>()) {
        let choose = |conflict: &keyfold_compare::Conflict| {
            let number = conflict.path.len() + format!("{:?}", conflict.part).len();
            match sides >> (number % 64) & 1 {
                0 => Side::Ours,
                _ => Side::Theirs,
            }
        };
        let merged = merge(&base, &ours, &theirs, &choose);
        prop_assert_eq!(validate_invariants(&merged.design), vec![]);
        prop_assert_eq!(&merge(&base, &ours, &theirs, &choose), &merged);
    }
}
