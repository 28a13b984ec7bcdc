//! What the linter takes for a large design, whole and after one edit of it, in one run.

mod design;
mod edits;

use keyfold_app::apply;
use keyfold_core::engine::{Computed, Work};
use keyfold_core::lint::{Linter, Severity};
use keyfold_core::model::Design;
use rustix::time::{ClockId, clock_gettime};
use std::sync::Arc;

/// Rounds of the whole, and of an edit in each direction.
const ROUNDS: usize = 21;

fn main() {
    let entities = std::env::args().nth(1).and_then(|text| text.parse().ok());
    let design = design::design(entities.unwrap_or(200));
    let report = Linter::default().lint(&design);
    println!(
        "{} entities, {} GSIs, {} access patterns, {} samples: {} findings, {} of warning or above",
        design.entities.len(),
        design.indexes.len(),
        design.access_patterns.len(),
        (design.samples.values().map(|samples| samples.len())).sum::<usize>(),
        report.findings.len(),
        report.count(Severity::Warning) + report.count(Severity::Error),
    );
    println!(
        "{:<36}{:>10}{:>10}{:>10}",
        "CPU, ms", "shortest", "median", "longest"
    );
    let whole = timed(ROUNDS, &mut |_| drop(Linter::default().lint(&design)));
    show("whole", &whole);
    let nothing = Arc::new(Computed::nothing());
    let made = timed(ROUNDS, &mut |_| drop(computed(&nothing, &design)));
    show("  of that, the items", &made);
    let mut slowest = 0.0_f64;
    for (what, edit) in edits::edits(&design) {
        let edited = apply(&design, edit).expect("carried out");
        let mut linter = Linter::default();
        linter.lint(&design);
        // There and back, which are two edits.
        let times = timed(ROUNDS * 2, &mut |round| {
            let next = if round % 2 == 0 { &edited } else { &design };
            drop(linter.lint(next));
        });
        show(what, &times);
        let items = [
            Arc::new(computed(&nothing, &design)),
            Arc::new(computed(&nothing, &edited)),
        ];
        let again = timed(ROUNDS * 2, &mut |round| {
            let next = if round % 2 == 0 { &edited } else { &design };
            drop(computed(&items[round % 2], next));
        });
        show("  of that, the items", &again);
        slowest = slowest.max(median(&times));
    }
    println!(
        "The slowest edit takes {:.2} ms, {:.0} % of the whole.",
        slowest,
        slowest / median(&whole) * 100.0
    );
}

fn computed(before: &Arc<Computed>, design: &Design) -> Computed {
    let mut work = Work::new(before.clone(), design.clone(), None);
    loop {
        if let Some(computed) = work.step() {
            return computed;
        }
    }
}

/// What each round takes, in milliseconds of CPU, which other programs hardly disturb; in ascending order.
fn timed(rounds: usize, run: &mut dyn FnMut(usize)) -> Vec<f64> {
    // What is measured has been loaded before.
    run(0);
    run(1);
    let mut times: Vec<f64> = Vec::new();
    for round in 0..rounds {
        let start = on_cpu();
        run(round);
        times.push(on_cpu() - start);
    }
    times.sort_by(f64::total_cmp);
    times
}

fn median(times: &[f64]) -> f64 {
    times[times.len() / 2]
}

fn show(what: &str, times: &[f64]) {
    let (shortest, longest) = (times[0], times[times.len() - 1]);
    println!(
        "{what:<36}{shortest:>10.2}{:>10.2}{longest:>10.2}",
        median(times)
    );
}

/// Milliseconds that this process has been on a CPU.
fn on_cpu() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 * 1e3 + time.tv_nsec as f64 / 1e6
}
