//! The findings of the linter.

use super::super::writer::CodeWriter;
use super::markup::{Cell, heading, table};
use crate::engine::Computed;
use crate::lint::{Linter, Report};
use crate::model::Design;
use crate::slices::pause;

/// Lints the design, in slices.
pub(super) async fn linted(design: &Design, computed: &Computed) -> Report {
    let mut linter = Linter::default();
    linter.begin(design, computed.items());
    loop {
        pause().await;
        if let Some(report) = linter.step() {
            return report;
        }
    }
}

/// Writes the open findings, then the silenced ones with their reasons.
pub(super) fn findings(out: &mut CodeWriter, design: &Design, report: &Report) {
    let (mut open, mut accepted) = (Vec::new(), Vec::new());
    for finding in &report.findings {
        let mut row = vec![
            Cell::words(finding.code),
            Cell::words(finding.severity.label()),
            Cell::words(finding.place.describe(design)),
            Cell::marked(&finding.message),
        ];
        match &finding.silenced {
            None => open.push(row),
            Some(reason) => {
                row.push(Cell::words(reason.as_str()));
                accepted.push(row);
            }
        }
    }
    let head = ["Rule", "Severity", "Place", "Finding", "Reason"];
    if !open.is_empty() {
        heading(out, 2, "Findings");
        table(out, &head[..4], &open);
    }
    if !accepted.is_empty() {
        heading(out, 2, "Silenced findings");
        table(out, &head, &accepted);
    }
}
