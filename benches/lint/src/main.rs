//! What the linter takes for a large design, whole and after one edit of it, in one run.

mod design;

use keyfold::app::{Command, apply};
use keyfold::domain::lint::{Linter, Severity};
use keyfold::domain::model::{Design, IndexId, KeyPart, Value};
use std::time::Instant;

/// Rounds of the whole; an edit has twice as many.
const ROUNDS: usize = 31;

fn main() {
    let entities = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let design = design::design(entities.unwrap_or(200));
    let report = Linter::default().lint(&design);
    println!(
        "{} entities, {} GSIs, {} access patterns, {} samples: {} findings, {} of warning or above",
        design.entities.len(),
        design.indexes.len(),
        design.access_patterns.len(),
        design
            .samples
            .values()
            .map(|samples| samples.len())
            .sum::<usize>(),
        report.findings.len(),
        report.count(Severity::Warning) + report.count(Severity::Error),
    );
    measure("whole", ROUNDS, &mut |_| {
        drop(Linter::default().lint(&design))
    });
    for (what, edit) in edits(&design) {
        let edited = apply(&design, edit).expect("carried out");
        let mut linter = Linter::default();
        linter.lint(&design);
        // There and back, which are two edits.
        measure(what, ROUNDS * 2, &mut |round| {
            let next = if round % 2 == 0 { &edited } else { &design };
            drop(linter.lint(next));
        });
    }
}

fn edits(design: &Design) -> Vec<(&'static str, Command)> {
    let (id, entity) = design
        .entities
        .iter()
        .nth(design.entities.len() / 2)
        .expect("there");
    let sample = design.samples_of(*id)[0].clone();
    let sort = entity.keys[&IndexId::PRIMARY]
        .sort
        .clone()
        .unwrap_or_default();
    vec![
        (
            "one template",
            Command::SetTemplate {
                entity: *id,
                index: IndexId::PRIMARY,
                part: KeyPart::Sort,
                text: Some(format!("{sort}#X")),
            },
        ),
        (
            "one entity's name",
            Command::RenameEntity(*id, "Renamed".into()),
        ),
        (
            "one value of a sample",
            Command::SetValue {
                entity: *id,
                sample: sample.id,
                attribute: "tenantId".into(),
                value: Some(Value::from("other")),
            },
        ),
        (
            "one index's description",
            Command::UpdateIndex {
                id: *design.indexes.keys().next().expect("there"),
                index: {
                    let mut index =
                        Box::new((**design.indexes.values().next().expect("there")).clone());
                    index.description = "Described.".into();
                    index
                },
                field: "description",
            },
        ),
    ]
}

/// Shows what a round takes: milliseconds of CPU on average, which other programs hardly disturb, and by the clock the
/// shortest and the median.
fn measure(what: &str, rounds: usize, run: &mut dyn FnMut(usize)) {
    let before = on_cpu();
    let mut times: Vec<f64> = Vec::new();
    for round in 0..rounds {
        let start = Instant::now();
        run(round);
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let cpu = match (before, on_cpu()) {
        (Some(before), Some(after)) => format!("{:.2}", (after - before) / 1e6 / rounds as f64),
        _ => "unknown".to_owned(),
    };
    times.sort_by(f64::total_cmp);
    let (shortest, median) = (times[0], times[times.len() / 2]);
    println!(
        "{what:<24} CPU {cpu:>7} ms; clock {shortest:>7.2} ms shortest, {median:>7.2} ms median"
    );
}

/// Nanoseconds that this thread has been on a CPU; none where the system does not tell. Source: Linux, "Scheduler
/// Statistics".
fn on_cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}
