//! The open design with its undo history. Steps are snapshots: designs share all parts that did not change.

use super::{Command, Diff, Refused, apply, diff};
use keyfold_core::model::Design;
use std::sync::Arc;

/// Edits of one text field that follow each other within this many milliseconds are one undo step.
pub const MERGE_MS: f64 = 600.0;
/// Most undo steps that are kept.
pub const MOST_STEPS: usize = 500;

/// A step of the history: the design on its other side, and what the step is called.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) design: Design,
    pub(super) label: String,
}

/// The open design and its history. A clone shares the steps.
#[derive(Debug, Clone)]
pub struct Document {
    design: Design,
    pub(super) past: Vec<Arc<Step>>,
    pub(super) future: Vec<Arc<Step>>,
    /// The field that the last commands were typed into.
    typing: Option<Typing>,
}

/// Commands of one field that followed each other.
#[derive(Debug, Clone)]
struct Typing {
    field: String,
    /// When the last one came.
    last: f64,
    /// The place in the past of the first one's step.
    began: usize,
}

impl Document {
    /// Opens a design with an empty history.
    pub fn new(design: Design) -> Self {
        Document {
            design,
            past: Vec::new(),
            future: Vec::new(),
            typing: None,
        }
    }

    /// A design with the steps before and after it.
    pub(super) fn with_history(
        design: Design,
        past: Vec<Arc<Step>>,
        future: Vec<Arc<Step>>,
    ) -> Self {
        Document {
            past,
            future,
            ..Document::new(design)
        }
    }

    /// The design as it is now.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Carries a command out. `now` is in milliseconds and only ever grows. Returns what differs; an empty
    /// diff leaves no step behind. A refusal changes nothing.
    pub fn run(&mut self, command: Command, now: f64) -> Result<Diff, Refused> {
        let (label, field) = (command.label_on(&self.design), command.field());
        let next = apply(&self.design, command)?;
        let changed = diff(&self.design, &next);
        if changed.is_empty() {
            return Ok(changed);
        }
        let typing = (self.typing.take()).filter(|typing| Some(&typing.field) == field.as_ref());
        let merges = (typing.as_ref()).is_some_and(|typing| now - typing.last <= MERGE_MS);
        let mut began = (typing.as_ref()).map_or(self.past.len(), |typing| typing.began);
        let before = std::mem::replace(&mut self.design, next);
        if !merges {
            self.past.push(Arc::new(Step {
                design: before,
                label,
            }));
            if self.past.len() > MOST_STEPS {
                self.past.remove(0);
                began = began.saturating_sub(1);
            }
        }
        self.future.clear();
        // Typing that ends where it began is no step, whatever pauses were made in it, until the field is left.
        let first = self.past.get(began).filter(|_| typing.is_some());
        if first.is_some_and(|step| diff(&step.design, &self.design).is_empty()) {
            self.past.truncate(began);
        } else {
            let last = now;
            self.typing = field.map(|field| Typing { field, last, began });
        }
        Ok(changed)
    }

    /// The field that the last commands were for is left: the next one is a step of its own.
    pub fn leave_field(&mut self) {
        self.typing = None;
    }

    /// Goes one step back; `None` if there is none.
    pub fn undo(&mut self) -> Option<Diff> {
        let step = self.past.pop()?;
        let (label, changed) = self.go_to(step);
        self.future.push(label);
        Some(changed)
    }

    /// Goes one step forward again; `None` if there is none.
    pub fn redo(&mut self) -> Option<Diff> {
        let step = self.future.pop()?;
        let (label, changed) = self.go_to(step);
        self.past.push(label);
        Some(changed)
    }

    /// Puts the step's design in place; returns the way back and what differs. Ids given out meanwhile stay
    /// used.
    fn go_to(&mut self, step: Arc<Step>) -> (Arc<Step>, Diff) {
        let mut next = step.design.clone();
        next.next_id = next.next_id.max(self.design.next_id);
        let changed = diff(&self.design, &next);
        let before = std::mem::replace(&mut self.design, next);
        self.typing = None;
        let back = Step {
            design: before,
            label: step.label.clone(),
        };
        (Arc::new(back), changed)
    }

    /// What undo would take back, such as `rename entity`.
    pub fn undo_label(&self) -> Option<&str> {
        self.past.last().map(|step| step.label.as_str())
    }

    /// What redo would do again.
    pub fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|step| step.label.as_str())
    }
}
