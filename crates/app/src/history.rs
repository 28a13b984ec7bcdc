//! An undo history as text, so that it outlives the page: each step as what differs from the file text of the design next
//! to it.

use super::document::{Document, Step};
use keyfold_core::model::Design;
use keyfold_core::persist;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Most bytes of design texts that are written to find the differences: a bound on the time that takes.
const MAX_WORK: usize = 20_000_000;

#[derive(Default, Serialize, Deserialize)]
struct History {
    past: Vec<Change>,
    future: Vec<Change>,
}

/// What differs between two texts: bytes that both begin with, bytes that both end with, and what stands between.
#[derive(Serialize, Deserialize)]
struct Change {
    label: String,
    start: usize,
    end: usize,
    text: String,
}

/// The history of a document as text, of at most about this many bytes; the oldest steps are left out first.
pub fn to_text(document: &Document, max_bytes: usize) -> String {
    let now = persist::to_json(document.design());
    let mut work = 0;
    let mut bytes = 0;
    let mut changes = |steps: &[Arc<Step>]| {
        let mut changes = Vec::new();
        let mut near = now.clone();
        for step in steps.iter().rev() {
            let far = persist::to_json(&step.design);
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

/// A document of this design with the history in a text. Of a text that does not fit the design, the steps that can be read
/// are there.
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
            steps.push(Arc::new(Step {
                design,
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
    /// What makes `to` of `from`.
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

    /// The text that this change makes of `from`; `None`: it is not a change of that text.
    fn apply(&self, from: &str) -> Option<String> {
        let tail = from.len().checked_sub(self.end)?;
        (tail >= self.start).then_some(())?;
        Some([from.get(..self.start)?, &self.text, from.get(tail..)?].concat())
    }
}

/// The last boundary between characters at or before a byte.
fn floor_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// The first boundary between characters at or after a byte.
fn ceil_boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}
