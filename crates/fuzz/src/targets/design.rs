//! The design file, and everything that the command line and the page do with a design.

use keyfold_app::export::{all_files, read_version};
use keyfold_app::picture::PictureOptions;
use keyfold_app::share_link::{decode, encode};
use keyfold_app::{Command, apply, fixes, merge};
use keyfold_compare::{self as compare, Side, diff, matched};
use keyfold_core::engine::generate::{Amount, Request, generate};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{EntityPlan, materialize_all, view};
use keyfold_core::export::change_plan::{change_plan, text};
use keyfold_core::export::samples::{csv, dynamodb_json};
use keyfold_core::export::{Format, iam};
use keyfold_core::library::patterns;
use keyfold_core::lint::{Fix, Linter};
use keyfold_core::model::{Design, EntityId, validate_invariants};
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::proof::{coverage, prove_pattern};
use keyfold_core::text::{lower, parse, print};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use std::sync::LazyLock;

/// Reads a design file. A design that was read is written and read again, and then used in every way.
pub fn design(data: &[u8]) -> bool {
    match from_json(&String::from_utf8_lossy(data)) {
        Ok(design) => {
            use_in_every_way(&design);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}

fn use_in_every_way(design: &Design) {
    assert_eq!(validate_invariants(design), []);
    let text_of = to_json(design);
    assert_eq!(from_json(&text_of).as_ref(), Ok(design), "it reads back");
    let link = encode(design, true).expect("a small design");
    assert_eq!(decode(&link).as_ref(), Ok(design), "its link opens");
    for id in design.entities.keys() {
        let _ = EntityPlan::new(design, *id).errors();
    }
    let items: Vec<_> = materialize_all(design).into_values().collect();
    for index in design.index_ids() {
        let _ = view(design, index, &items).rows.len();
    }
    let fixed = fixed(design);
    generate_samples(design);
    write_as_text(design);
    report_costs(design, &fixed);
    let stored = TableSnapshot::of(design);
    let proofs: Vec<_> = (design.access_patterns.iter())
        .map(|(id, pattern)| (*id, prove_pattern(&stored, pattern)))
        .collect();
    let pairs: Vec<_> = proofs.iter().map(|(id, proof)| (*id, proof)).collect();
    let _ = coverage(design, &pairs);
    for file in all_files(design, PictureOptions::default(), &mut |_, _| {}) {
        let bad = ['\\', ':', '*', '?', '"', '<', '>', '|'];
        assert!(!file.name.contains(bad), "{}", file.name);
    }
    let _ = (csv(design, None), dynamodb_json(design, None));
    let _ = iam::remark(design);
    for format in ["cloudformation", "cloudformation-json"] {
        for file in Format::named(format).expect("a format").files(design) {
            let _ = read_version(&file.code.text, None);
        }
    }
    let pattern = pattern_of(design);
    plan_updates(pattern, &text_of);
    compare_and_merge(pattern, design, &fixed);
}

/// The maximum number of fixes that are applied to a design: each needs the linter.
const MAX_FIXES: usize = 3;

/// Applies fixes until nothing gets better, as `keyfold lint --fix-all` does.
fn fixed(design: &Design) -> Design {
    let mut design = design.clone();
    let mut linter = Linter::default();
    let mut report = linter.lint(&design);
    for finding in report.findings.iter().take(8) {
        if let Some(fix) = &finding.fix
            && let Ok(fixed) = apply(&design, fixes::command(fix.clone()))
        {
            assert_eq!(validate_invariants(&fixed), []);
        }
    }
    let mut tried = Vec::new();
    while tried.len() < MAX_FIXES {
        let untried = |fix: &Fix| !tried.contains(fix);
        let next = {
            let mut fixes = report.open().filter_map(|finding| finding.fix.clone());
            fixes.find(untried)
        };
        let Some(fix) = next else { break };
        tried.push(fix.clone());
        if let Ok(fixed) = apply(&design, fixes::command(fix)) {
            let after = linter.lint(&fixed);
            if after.open().count() < report.open().count() {
                (design, report) = (fixed, after);
            }
        }
    }
    design
}

/// Generates two samples of each entity.
fn generate_samples(design: &Design) {
    let amount = |entity: &EntityId| Amount {
        entity: *entity,
        count: 2,
        per: None,
    };
    let request = Request {
        amounts: design.entities.keys().map(amount).collect(),
        replace: false,
        seed: 7,
    };
    if let Ok(generated) = generate(design, &request) {
        let edit = Command::EditSamples(Box::new(generated.into()));
        if let Ok(more) = apply(design, edit) {
            assert_eq!(validate_invariants(&more), []);
        }
    }
}

/// Prints the design as text, and reads it again.
fn write_as_text(design: &Design) {
    let text = print(design);
    let read = lower(&parse(&text), Some(design));
    let errors = read.problems.iter().filter(|problem| problem.is_error);
    assert_eq!(errors.count(), 0, "{text}\n{:?}", read.problems);
    assert_eq!(read.design, *design, "{text}");
}

/// Reports the costs of a design, and the difference to another one.
fn report_costs(design: &Design, other: &Design) {
    let report =
        |design: &Design| Report::new(CostModel::of(design), Prices::of(&design.workload), 12);
    let (one, other) = (report(design), report(other));
    let _ = (one.text(), one.markdown(), one.csv(), one.json());
    let _ = (one.faults(), one.diff_text(&other));
}

/// Applies the differences from a pattern to the design, and merges what both made of it.
fn compare_and_merge(pattern: &Design, design: &Design, fixed: &Design) {
    let design = matched(pattern, design, true);
    let changes = diff(pattern, &design);
    assert_eq!(compare::apply(pattern, &changes).as_ref(), Ok(&design));
    let words = compare::Report::of_changes(pattern, &design);
    assert!(!words.text().is_empty());
    assert_eq!(words.is_empty(), diff(&design, pattern).is_empty());
    let fixed = matched(&design, fixed, true);
    for side in [Side::Ours, Side::Theirs] {
        let merged = merge(pattern, &design, &fixed, &|_| side);
        assert_eq!(validate_invariants(&merged.design), []);
    }
    let merged = merge(&design, &design, pattern, &|_| Side::Ours);
    assert!(merged.conflicts.is_empty());
    assert_eq!(validate_invariants(&merged.design), []);
}

/// The pattern that a design was made of, or another one.
fn pattern_of(design: &Design) -> &'static Design {
    static PATTERNS: LazyLock<Vec<Design>> = LazyLock::new(|| {
        (patterns().iter())
            .filter_map(|it| it.design().ok())
            .collect()
    });
    let of_table = |it: &&Design| it.table.name == design.table.name;
    PATTERNS.iter().find(of_table).unwrap_or(&PATTERNS[0])
}

/// Plans the updates from the pattern that the design was made of, and back.
fn plan_updates(pattern: &Design, text_of: &str) {
    let other = to_json(pattern);
    if let (Ok(old), Ok(new)) = (read_version(&other, None), read_version(text_of, None)) {
        for (old, new) in [(&old, &new), (&new, &old)] {
            let plan = change_plan(old, new);
            let _ = text(&plan);
            for step in &plan.steps {
                let _ = step.template();
            }
        }
    }
}
