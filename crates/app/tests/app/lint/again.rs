//! After an edit, the linter reports the same findings as when it sees the design for the first time; its findings
//! about access patterns agree with their proofs.

use super::edits::edits;
use keyfold_app::{Command, apply};
use keyfold_core::engine::materialize_all;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library::patterns;
use keyfold_core::lint::{Linter, Place, lint};
use keyfold_core::model::{
    AccessPattern, AccessPatternId, CardId, Design, Operation, validate_invariants,
};
use keyfold_core::proof::{Proof, Verdict, prove};
use keyfold_core::template;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

#[test]
fn incremental_linting_equals_linting_from_scratch() {
    for (number, pattern) in patterns().iter().enumerate() {
        let design = pattern.design().expect("sound");
        let mut linter = Linter::default();
        let whole = linter.lint(&design);
        // Each kind of edit is tried on many designs; all edits on all designs would take minutes.
        for edit in edits(&design).into_iter().skip(number % 8).step_by(8) {
            let Ok(edited) = apply(&design, edit.clone()) else {
                continue;
            };
            assert_eq!(validate_invariants(&edited), []);
            let again = linter.lint(&edited);
            let first = lint(&edited);
            assert_eq!(again.findings, first.findings, "{}: {edit:?}", pattern.name);
            assert_eq!(again.needless, first.needless);
            let back = linter.lint(&design);
            assert_eq!(
                back.findings, whole.findings,
                "{}: back from {edit:?}",
                pattern.name
            );
        }
    }
}

#[test]
fn the_empty_design_has_no_findings() {
    assert!(lint(&Design::new("Empty")).findings.is_empty());
    assert!(lint(&Design::new("Empty")).passes());
}

#[test]
fn interrupted_linting_is_completed_after_the_next_edit() {
    for pattern in patterns() {
        let design = pattern.design().expect("sound");
        let mut linter = Linter::default();
        let mut edited = design.clone();
        for (done, edit) in edits(&design).into_iter().enumerate() {
            let Ok(next) = apply(&edited, edit) else {
                continue;
            };
            edited = next;
            linter.begin(&edited, &materialize_all(&edited));
            for _ in 0..done % 4 {
                let _ = linter.step();
            }
        }
        let again = linter.lint_items(&edited, &materialize_all(&edited));
        let whole = Linter::default().lint_items(&edited, &materialize_all(&edited));
        assert_eq!(again.findings, whole.findings, "{}", pattern.name);
    }
}

#[test]
fn the_linter_and_the_proofs_agree_on_the_library() {
    for pattern in patterns() {
        agrees(&pattern.design().expect("sound"));
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn incremental_linting_is_right_after_random_edits(
        start in any::<prop::sample::Index>(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let all = patterns();
        let mut design = all[start.index(all.len())].design().expect("sound");
        let mut linter = Linter::default();
        for choice in choices {
            let mut all = edits(&design);
            let edit = all.swap_remove(choice.index(all.len()));
            let Ok(next) = apply(&design, edit.clone()) else {
                continue;
            };
            design = next;
            let (again, whole) = (linter.lint(&design), lint(&design));
            prop_assert_eq!(&again.findings, &whole.findings, "{:?}", edit);
            prop_assert_eq!(&again.needless, &whole.needless);
            agrees(&design);
        }
    }
}

#[test]
fn a_design_without_entities_serves_no_pattern() {
    let mut design = patterns()[0].design().expect("sound");
    // Access patterns of one entity are deleted with it.
    for pattern in design.access_patterns.values_mut() {
        Arc::make_mut(pattern).entities.clear();
    }
    let ids: Vec<CardId> = design
        .entities
        .keys()
        .copied()
        .map(CardId::Entity)
        .collect();
    design = apply(&design, Command::Delete(ids)).expect("cards");
    assert!(design.entities.is_empty() && !design.access_patterns.is_empty());
    agrees(&design);
}

/// Compares the linter's access pattern rules with the proofs, which are independent. Without samples, both consider
/// all values.
fn agrees(design: &Design) {
    let mut bare = design.clone();
    bare.samples.clear();
    for pattern in bare.access_patterns.values_mut() {
        let pattern = Arc::make_mut(pattern);
        pattern.sample = None;
        pattern.parameters.clear();
    }
    let report = lint(&bare);
    let stored = TableSnapshot::of(&bare);
    for (id, pattern) in &bare.access_patterns {
        let proof = prove(&stored, *id).expect("there");
        let found = |code: &str| {
            let mut all = report.findings.iter();
            all.any(|finding| finding.code == code && finding.place == Place::Pattern(*id))
        };
        let any = |codes: &[&str]| codes.iter().any(|code| found(code));
        let told = || told(&bare, *id, &proof, &report.findings);
        let is_served = !any(&["A001", "A007", "A009"]);
        assert_eq!(proof.verdict.is_served(), is_served, "{}", told());
        if proof.verdict == Verdict::Impossible {
            assert!(any(&["A007", "A009"]), "{}", told());
        }
        if proof.verdict == Verdict::Unserved && !is_unreadable(pattern) {
            assert!(found("A001") && !any(&["A007", "A009"]), "{}", told());
        }
        match proof.verdict {
            Verdict::ReadsTooMuch => assert!(any(&["A002", "A003", "A008"]), "{}", told()),
            Verdict::Served => assert!(!any(&["A002", "A008"]), "{}", told()),
            _ => {}
        }
    }
}

/// Whether a template of the pattern has an error: such a request is never sent, so DynamoDB cannot refuse it.
fn is_unreadable(pattern: &AccessPattern) -> bool {
    let mut texts: Vec<&str> = Vec::new();
    for key in pattern.operation.keys() {
        texts.push(&key.partition);
        texts.extend(key.sort.as_deref());
    }
    if let Operation::Query {
        partition, sort, ..
    } = &pattern.operation
    {
        texts.extend(partition.iter().map(String::as_str));
        for condition in sort {
            texts.push(&condition.value);
            texts.extend(condition.upper.as_deref());
        }
    }
    (texts.iter()).any(|text| !template::parse(text).errors.is_empty())
}

fn told(
    design: &Design,
    id: AccessPatternId,
    proof: &Proof,
    findings: &[Arc<keyfold_core::lint::Finding>],
) -> String {
    let mut text = format!("{:?}\n{:?}\n", design.access_patterns[&id], proof.verdict);
    for reason in &proof.reasons {
        text += &format!("proof {:?}: {}\n", reason.verdict, reason.text);
    }
    for finding in findings.iter().filter(|f| f.place == Place::Pattern(id)) {
        text += &format!("{} {}\n", finding.code, finding.message);
    }
    text
}
