//! The design file, and everything that the command line and the page do with a design.

use keyfold_app::export::{all_files, read_version};
use keyfold_app::picture::PictureOptions;
use keyfold_app::share_link::{decode, encode};
use keyfold_app::{apply, fixes};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::engine::{EntityPlan, materialize_all, view};
use keyfold_core::export::change_plan::{change_plan, text};
use keyfold_core::export::samples::{csv, dynamodb_json};
use keyfold_core::export::{Format, iam};
use keyfold_core::library::patterns;
use keyfold_core::lint::lint;
use keyfold_core::model::{Design, validate_invariants};
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::proof::{coverage, prove_pattern};

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
    let report = lint(design);
    for finding in report.findings.iter().take(8) {
        if let Some(fix) = &finding.fix
            && let Ok(fixed) = apply(design, fixes::command(fix.clone()))
        {
            assert_eq!(validate_invariants(&fixed), []);
        }
    }
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
    plan_updates(design, &text_of);
}

/// Plans the updates from the pattern that the design was made of, and back.
fn plan_updates(design: &Design, text_of: &str) {
    let name = format!("\"name\": {:?}", design.table.name);
    let mut all = patterns().iter();
    let pattern = all.find(|pattern| pattern.json.contains(&name));
    let other = pattern.unwrap_or(&patterns()[0]).json;
    if let (Ok(old), Ok(new)) = (read_version(other, None), read_version(text_of, None)) {
        for (old, new) in [(&old, &new), (&new, &old)] {
            let plan = change_plan(old, new);
            let _ = text(&plan);
            for step in &plan.steps {
                let _ = step.template();
            }
        }
    }
}
