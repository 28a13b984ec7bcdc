//! The mark of findings at their card, wire, row or field.

use keyfold_core::lint::{Finding, Severity};
use std::ops::Range;
use std::sync::Arc;

/// Limit of messages in the title of a mark.
const MAX_MESSAGES: usize = 6;

/// The mark of the findings of a card, a wire, a row or a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The highest severity among them.
    pub severity: Severity,
    /// The number of findings.
    pub count: usize,
    /// The messages, one per line.
    pub title: String,
}

impl Mark {
    /// The mark of these findings; `None` if there are none.
    pub fn of(findings: &mut dyn Iterator<Item = &Arc<Finding>>) -> Option<Mark> {
        let mut mark: Option<Mark> = None;
        for finding in findings {
            let mark = mark.get_or_insert(Mark {
                severity: Severity::Info,
                count: 0,
                title: String::new(),
            });
            mark.severity = mark.severity.max(finding.severity);
            mark.count += 1;
            if mark.count <= MAX_MESSAGES {
                if mark.count > 1 {
                    mark.title.push('\n');
                }
                for text in [finding.code, " ", &finding.message] {
                    mark.title.push_str(text);
                }
            }
        }
        if let Some(mark) = &mut mark
            && mark.count > MAX_MESSAGES
        {
            mark.title.push_str("\n…");
        }
        mark
    }

    /// Whether it is severe enough to be shown on the canvas.
    pub fn is_grave(&self) -> bool {
        self.severity > Severity::Info
    }
}

/// The findings of a text field, and their range in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMark {
    /// The mark.
    pub mark: Mark,
    /// The byte range of the first finding that has one; `None` for the whole text.
    pub span: Option<Range<usize>>,
}

impl FieldMark {
    /// The class of a piece of the text: underlined if it is in the range.
    pub fn class(&self, piece: Range<usize>) -> &'static str {
        let is_marked = (self.span.as_ref())
            .is_none_or(|span| span.start < piece.end && piece.start < span.end);
        match (is_marked, self.mark.severity) {
            (false, _) => "",
            (_, Severity::Error) => "found error",
            (_, Severity::Warning) => "found warning",
            (_, Severity::Info) => "found info",
        }
    }
}
