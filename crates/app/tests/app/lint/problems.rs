//! The Problems list, and the effect of a fix on samples.

use keyfold_app::fixes::{preview, row_changes};
use keyfold_app::problems::{
    FindingFilter, FindingRow, Grouping, adjacent_finding, filtered_findings,
};
use keyfold_core::engine::{Computed, Work};
use keyfold_core::library::{find, patterns};
use keyfold_core::lint::{Severity, lint};
use keyfold_core::model::{Design, SortedSet};
use std::sync::Arc;

fn pattern(name: &str) -> Design {
    find(name).expect("a pattern").design().expect("sound")
}

fn list(design: &Design, wanted: &FindingFilter) -> Vec<FindingRow> {
    filtered_findings(design, &lint(design).findings, wanted)
}

fn codes(list: &[FindingRow]) -> Vec<&str> {
    list.iter().map(|line| line.finding.code).collect()
}

#[test]
fn the_list_is_grouped_and_filtered() {
    let design = pattern("saas-multi-tenant");
    let all = list(&design, &FindingFilter::default());
    assert_eq!(codes(&all), ["K013", "K016", "I003"]);
    let headings: Vec<&str> = all.iter().map(|line| line.heading.as_str()).collect();
    assert_eq!(headings, ["Warnings", "Info", "Info"]);
    let by_place = FindingFilter {
        grouping: Grouping::Place,
        ..FindingFilter::default()
    };
    let by_place = list(&design, &by_place);
    let headings: Vec<&str> = by_place.iter().map(|line| line.heading.as_str()).collect();
    assert_eq!(headings, ["GSI1", "Tenant", "Project"]);
    let only = |wanted: FindingFilter| list(&design, &wanted);
    let info = Some(Severity::Info);
    let wanted = FindingFilter {
        severity: info,
        ..FindingFilter::default()
    };
    assert_eq!(codes(&only(wanted)), ["K016", "I003"]);
    let wanted = FindingFilter {
        kind: Some('I'),
        ..FindingFilter::default()
    };
    assert_eq!(codes(&only(wanted)), ["I003"]);
    let wanted = FindingFilter {
        silenced: true,
        ..FindingFilter::default()
    };
    assert_eq!(codes(&only(wanted)), ["T001", "T001"]);
    // All words match, in code, rule, message or place, in any case.
    for (search, found) in [
        ("ULID project", &["K016"][..]),
        ("static-partition", &["K013"]),
        ("gsi3 TENANT_LIST", &["K013"]),
        ("nothing-like-that", &[]),
    ] {
        let wanted = FindingFilter {
            search: search.to_owned(),
            ..FindingFilter::default()
        };
        assert_eq!(codes(&only(wanted)), found, "{search}");
    }
}

#[test]
fn finding_ids_are_unique_and_groups_are_contiguous() {
    for pattern in patterns() {
        let mut design = pattern.design().expect("sound");
        // Findings of many rules, including two of one rule at one place.
        design.delimiter = Arc::new(keyfold_core::model::DelimiterPolicy {
            delimiter: "-".into(),
            ..(*design.delimiter).clone()
        });
        for grouping in Grouping::ALL {
            let wanted = FindingFilter {
                grouping,
                ..FindingFilter::default()
            };
            let all = list(&design, &wanted);
            let names: SortedSet<String> =
                all.iter().map(|line| format!("{:?}", line.id)).collect();
            assert_eq!(names.len(), all.len(), "{}", pattern.name);
            let mut headings: Vec<&str> = all.iter().map(|line| &*line.heading).collect();
            headings.dedup();
            let distinct: SortedSet<&str> = headings.iter().copied().collect();
            assert_eq!(distinct.len(), headings.len(), "{}", pattern.name);
        }
    }
}

#[test]
fn stepping_wraps_around_in_both_directions() {
    let design = pattern("saas-multi-tenant");
    let all = list(&design, &FindingFilter::default());
    let code = |from: Option<usize>, step| {
        let from = from.map(|at| all[at].id);
        adjacent_finding(&all, from, step).map(|line| line.finding.code)
    };
    assert_eq!(code(None, 1), Some("K013"));
    assert_eq!(code(None, -1), Some("I003"));
    assert_eq!(code(Some(0), 1), Some("K016"));
    assert_eq!(code(Some(2), 1), Some("K013"));
    assert_eq!(code(Some(0), -1), Some("I003"));
    assert!(adjacent_finding(&[], None, 1).is_none());
}

fn computed(design: &Design) -> Computed {
    let mut work = Work::new(Arc::new(Computed::nothing()), design.clone(), None);
    loop {
        if let Some(computed) = work.step() {
            return computed;
        }
    }
}

#[test]
fn a_fix_preview_lists_changed_sample_keys() {
    let design = pattern("saas-multi-tenant");
    let fix = |code: &str| {
        let findings = lint(&design).findings;
        let found = findings.iter().find(|finding| finding.code == code);
        found.expect(code).fix.clone().expect("a fix")
    };
    let changes = |code: &str, most| {
        let after = preview(&design, &fix(code)).expect("carried out").after;
        let (old, new) = (computed(&design), computed(&after));
        row_changes((&design, &old), (&after, &new), most)
    };
    let ulid = changes("K016", 100);
    assert_eq!(ulid.rows.len(), ulid.count);
    assert!(ulid.count > 0);
    let first = &ulid.rows[0];
    assert_eq!((&*first.index, &*first.entity), ("Table", "Project"));
    let (before, after) = (first.before.clone().unwrap(), first.after.clone().unwrap());
    assert!(
        before.contains("#20") && !after.contains("#20"),
        "{before} {after}"
    );

    // The entries of the removed indexes are in the remaining one.
    let merged = changes("I003", 100);
    let of = |index: &str, is_new: bool| {
        let moved = merged.rows.iter().filter(|row| row.index == index);
        moved
            .filter(|row| row.before.is_none() == is_new && row.after.is_some() == is_new)
            .count()
    };
    assert_eq!(of("GSI1", true), of("GSI2", false) + of("GSI3", false));
    assert!(of("GSI1", true) > 0);
    let few = changes("I003", 1);
    assert_eq!((few.rows.len(), few.count), (1, merged.count));
}
