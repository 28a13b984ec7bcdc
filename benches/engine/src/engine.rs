//! From samples to views, and what an edit takes.

use crate::{now, shortest};
use keyfold_app::grid::{Sheet, SheetOptions};
use keyfold_app::stress;
use keyfold_core::engine::{Computed, Work, materialize_all, view};
use keyfold_core::model::{Design, IndexEntry, IndexId};
use std::fmt::Write;
use std::sync::Arc;

pub fn engine(items: u32) -> String {
    let mut out = String::new();
    let mut line = |what: &str, ms: f64| {
        let _ = writeln!(out, "{what:<44}{ms:>9.2} ms");
    };
    let design = stress::items(items);
    let texts: Vec<String> = (design.samples.values().flat_map(|s| s.iter()))
        .map(|sample| format!("{:?}", sample.values.values().last()))
        .collect();
    line(
        "fixed: sort as many short texts",
        shortest(5, || {
            let mut texts = texts.clone();
            texts.sort();
            texts
        }),
    );
    line("materialize", shortest(5, || materialize_all(&design)));
    let all: Vec<_> = materialize_all(&design).into_values().collect();
    for index in design.index_ids() {
        let name = design.index_name(index);
        line(
            &format!("view of {name}"),
            shortest(5, || view(&design, index, &all)),
        );
    }
    let before = Arc::new(computed(Computed::nothing(), &design).0);
    let mut report = |before: &Arc<Computed>, what: &str, edited: &Design| {
        let mut longest = 0f64;
        let took = shortest(5, || {
            let (computed, step) = computed(before.clone(), edited);
            longest = longest.max(step);
            computed
        });
        line(what, took);
        line("  longest step", longest);
    };
    for name in ["Order", "Line"] {
        let id = design.entity_named(name).expect("there");
        let count = design.samples_of(id).len();
        let partition = "TENANT#{tenantId}";
        for (what, index, sort) in [
            ("other text", 0, "X#{orderId}#{amount}"),
            ("other order", 0, "X#{amount:pad(4)}#{orderId}"),
            ("broken", 0, "X#{orderId"),
            ("of another index", 1, "X#{amount}#{orderId}"),
        ] {
            let mut edited = design.clone();
            let index = design.index_ids().nth(index).expect("there");
            let entity = Arc::make_mut(edited.entities.get_mut(&id).expect("there"));
            entity.keys.insert(index, IndexEntry::pair(partition, sort));
            report(&before, &format!("{name}: {what}, {count} items"), &edited);
            if what == "broken" {
                // The letter that makes it whole again.
                let broken = Arc::new(computed(before.clone(), &edited).0);
                let entity = Arc::make_mut(edited.entities.get_mut(&id).expect("there"));
                let whole = IndexEntry::pair(partition, "X#{orderId}#{amount}");
                entity.keys.insert(index, whole);
                report(&broken, &format!("{name}: whole again"), &edited);
            }
        }
        let mut edited = design.clone();
        let samples = Arc::make_mut(edited.samples.get_mut(&id).expect("there"));
        let sample = Arc::make_mut(&mut samples[count / 2]);
        sample.values.insert("orderId".into(), "o-0".into());
        report(&before, &format!("{name}: one value"), &edited);
        let mut edited = design.clone();
        let samples = Arc::make_mut(edited.samples.get_mut(&id).expect("there"));
        samples.remove(count / 3);
        report(&before, &format!("{name}: one sample less"), &edited);
    }
    let view = before.view().expect("there").clone();
    let last = view.rows.iter().last().expect("there").item.id();
    let shown = |filter: &str| SheetOptions {
        filter: filter.into(),
        ..SheetOptions::default()
    };
    let sheet = Sheet::new(view.clone(), &shown(""));
    line("find the last row", shortest(5, || sheet.find(last, 0)));
    line(
        "filter: `999`",
        shortest(5, || Sheet::new(view.clone(), &shown("999"))),
    );
    line(
        "filter: `nothing`",
        shortest(5, || Sheet::new(view.clone(), &shown("nothing"))),
    );
    out
}

/// What is computed of a design after something else, and how long the longest step took in milliseconds.
fn computed(before: impl Into<Arc<Computed>>, design: &Design) -> (Computed, f64) {
    let mut work = Work::new(before.into(), design.clone(), Some(IndexId::PRIMARY));
    let mut longest = 0f64;
    loop {
        let start = now();
        let done = work.step();
        longest = longest.max(now() - start);
        if let Some(done) = done {
            return (done, longest);
        }
    }
}
