//! What the linter takes for a large design, whole and after one edit of it, in one run.

mod design;

use keyfold::app::{Command, apply};
use keyfold::domain::lint::{Linter, Severity};
use keyfold::domain::model::{Design, IndexId, KeyPart, Value};
use std::time::Instant;

/// Rounds of each measurement; the shortest and the median are shown.
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
    let whole: Vec<f64> = (0..ROUNDS)
        .map(|_| timed(|| Linter::default().lint(&design)))
        .collect();
    show("whole", &whole);
    for (what, edit) in edits(&design) {
        let edited = apply(&design, edit).expect("carried out");
        let mut linter = Linter::default();
        linter.lint(&design);
        let mut times = Vec::new();
        for round in 0..ROUNDS * 2 {
            // There and back, which are two edits.
            let next = if round % 2 == 0 { &edited } else { &design };
            times.push(timed(|| linter.lint(next)));
        }
        show(what, &times);
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

/// Milliseconds of CPU that `run` takes, so that other programs hardly disturb it; where the system does not tell
/// them, milliseconds of the clock.
fn timed<T>(run: impl FnOnce() -> T) -> f64 {
    let (start, before) = (Instant::now(), on_cpu());
    let kept = run();
    let took = match (before, on_cpu()) {
        (Some(before), Some(after)) => (after - before) / 1e6,
        _ => start.elapsed().as_secs_f64() * 1000.0,
    };
    drop(kept);
    took
}

/// Nanoseconds that this thread has been on a CPU. Source: Linux, "Scheduler Statistics".
fn on_cpu() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok()
}

fn show(what: &str, times: &[f64]) {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let (shortest, median) = (times[0], times[times.len() / 2]);
    println!("{what:<28}{shortest:>9.2} ms shortest{median:>9.2} ms median");
}
