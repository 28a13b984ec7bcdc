//! The undo history as text, so that it survives a reload. Each step is stored as a difference from the file text of
//! the adjacent design. The texts of the designs are not stored.

use super::document::{Document, UndoStep};
use keyfold_core::model::Design;
use keyfold_core::persist;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Maximum total size of the design texts compared, in bytes. It bounds the time.
const MAX_WORK: usize = 20_000_000;

#[derive(Default, Serialize, Deserialize)]
struct History {
    past: Vec<Change>,
    future: Vec<Change>,
}

/// The difference between two texts: the length of the common start, the length of the common end, and the text
/// between.
#[derive(Serialize, Deserialize)]
struct Change {
    label: String,
    start: usize,
    end: usize,
    text: String,
}

/// Returns the history as JSON of about `max_bytes` at most. The oldest steps are dropped first.
pub fn to_text(document: &Document, max_bytes: usize) -> String {
    let now = persist::to_json(document.design());
    let mut work = 0;
    let mut bytes = 0;
    let mut changes = |steps: &[Arc<UndoStep>]| {
        let mut changes = Vec::new();
        let mut near = now.clone();
        for step in steps.iter().rev() {
            let far = persist::to_json(&step.design);
            // An edit of comments in the text, which is not part of the history's text.
            if far == near {
                continue;
            }
            let change = Change::between(&near, &far, step.label.clone());
            work += far.len();
            bytes += change.text.len() + change.label.len();
            if work > MAX_WORK || bytes > max_bytes {
                break;
            }
            changes.push(change);
            near = far;
        }
        changes
    };
    let history = History {
        past: changes(&document.past),
        future: changes(&document.future),
    };
    serde_json::to_string(&history).unwrap_or_default()
}

/// Returns a document with this design and the history from `text`. Steps that cannot be read, or that do not fit
/// the design, are dropped with all steps beyond them.
pub fn from_text(design: Design, text: &str) -> Document {
    let history: History = serde_json::from_str(text).unwrap_or_default();
    let now = persist::to_json(&design);
    let steps = |changes: &[Change]| {
        let mut near = now.clone();
        let mut steps = Vec::new();
        for change in changes {
            let Some(far) = change.apply(&near) else {
                break;
            };
            let Ok(design) = persist::from_json(&far) else {
                break;
            };
            steps.push(Arc::new(UndoStep {
                design,
                text: None,
                label: change.label.clone(),
            }));
            near = far;
        }
        steps.reverse();
        steps
    };
    let (past, future) = (steps(&history.past), steps(&history.future));
    Document::with_history(design, past, future)
}

impl Change {
    /// Returns the change that turns `from` into `to`.
    fn between(from: &str, to: &str, label: String) -> Change {
        let same = |(a, b): &(u8, u8)| a == b;
        let pairs = from.bytes().zip(to.bytes());
        let start = pairs.take_while(same).count();
        let start = floor_boundary(to, start);
        let most = from.len().min(to.len()) - start;
        let pairs = from.bytes().rev().zip(to.bytes().rev());
        let end = pairs.take(most).take_while(same).count();
        let end = to.len() - ceil_boundary(to, to.len() - end);
        let text = to[start..to.len() - end].to_owned();
        Change {
            label,
            start,
            end,
            text,
        }
    }

    /// Applies the change to `from`; `None` if it does not fit.
    fn apply(&self, from: &str) -> Option<String> {
        let tail = from.len().checked_sub(self.end)?;
        (tail >= self.start).then_some(())?;
        Some([from.get(..self.start)?, &self.text, from.get(tail..)?].concat())
    }
}

/// The last character boundary at or before byte `at`.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first character boundary at or after byte `at`.
fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
