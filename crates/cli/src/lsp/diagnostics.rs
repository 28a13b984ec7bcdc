//! Problems of the text and findings of the linter, at their places.

use super::document::Document;
use keyfold_core::lint::{Finding, Severity};
use lsp_types::{Diagnostic, DiagnosticSeverity, NumberOrString};
use std::ops::Range;
use std::sync::Arc;

/// The problems of a text, then the findings of its design that are not silenced. While the text has errors, the findings
/// are those of its last version without.
pub fn diagnostics(document: &mut Document) -> Vec<Diagnostic> {
    let open: Vec<Arc<Finding>> = document.report().open().cloned().collect();
    let problems = document.lowered.problems.iter().map(|problem| {
        let severity = match problem.is_error {
            true => DiagnosticSeverity::ERROR,
            false => DiagnosticSeverity::WARNING,
        };
        let range = document.range(problem.range.clone());
        let source = Some("keyfold".to_owned());
        let message = problem.message.clone();
        Diagnostic::new(range, Some(severity), None, source, message, None, None)
    });
    let findings = open.iter().map(|finding| diagnostic(document, finding));
    problems.chain(findings).collect()
}

/// A finding at its place in the text.
pub fn diagnostic(document: &Document, finding: &Finding) -> Diagnostic {
    let severity = match finding.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Info => DiagnosticSeverity::INFORMATION,
    };
    let mut message = finding.message.clone();
    if !finding.examples.is_empty() {
        let examples = finding.examples.iter();
        let examples: Vec<String> = examples.map(|example| format!("`{example}`")).collect();
        message += &format!("\nFor example {}.", examples.join(", "));
    }
    Diagnostic::new(
        document.range(bytes_of(document, finding)),
        Some(severity),
        Some(NumberOrString::String(finding.code.to_owned())),
        Some("keyfold".to_owned()),
        message,
        None,
        None,
    )
}

/// Where a finding is in the text: the affected part of its template, else its whole place; the start of the text if the
/// text does not have the place.
pub fn bytes_of(document: &Document, finding: &Finding) -> Range<usize> {
    let whole = document.lowered.range_of(finding.place).unwrap_or(0..0);
    // In quotes, escapes may move the bytes.
    let Some(span) =
        (finding.span.as_ref()).filter(|_| !document.text[whole.clone()].starts_with('"'))
    else {
        return whole;
    };
    let part = whole.start + span.start..whole.start + span.end;
    match part.end <= whole.end && document.text.get(part.clone()).is_some() {
        true => part,
        false => whole,
    }
}
