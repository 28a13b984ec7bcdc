//! What stands for findings at the card, the wire, the row or the field that they are about.

use keyfold_core::lint::{Finding, Severity};
use std::ops::Range;
use std::sync::Arc;

/// Most messages in the title of a mark.
const TOLD: usize = 6;

/// What stands for the findings of a card, a wire, a row or a field.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The gravest severity among them.
    pub severity: Severity,
    /// How many there are.
    pub count: usize,
    /// The messages, a line each.
    pub title: String,
}

impl Mark {
    /// The mark of these findings, the infos left out where there is anything graver; `None`: there are none.
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
            if mark.count <= TOLD {
                if mark.count > 1 {
                    mark.title.push('\n');
                }
                for text in [finding.code, " ", &finding.message] {
                    mark.title.push_str(text);
                }
            }
        }
        if let Some(mark) = &mut mark
            && mark.count > TOLD
        {
            mark.title.push_str("\n…");
        }
        mark
    }

    /// Whether it weighs enough to be seen on the canvas.
    pub fn is_grave(&self) -> bool {
        self.severity > Severity::Info
    }
}

/// What is found at a text field, and where in its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldMark {
    /// The mark.
    pub mark: Mark,
    /// The bytes that are meant by the first finding that says so; none for all of the text.
    pub span: Option<Range<usize>>,
}

impl FieldMark {
    /// The class of a piece of the text: underlined if it is meant.
    pub fn class(&self, piece: Range<usize>) -> &'static str {
        let is_meant = (self.span.as_ref())
            .is_none_or(|span| span.start < piece.end && piece.start < span.end);
        match (is_meant, self.mark.severity) {
            (false, _) => "",
            (_, Severity::Error) => "found error",
            (_, Severity::Warning) => "found warning",
            (_, Severity::Info) => "found info",
        }
    }
}
