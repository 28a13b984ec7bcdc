//! The open design with its undo history. Each step is a snapshot; snapshots share all parts that did not change.

use super::{Command, Diff, Refused, apply, diff};
use keyfold_core::model::Design;
use std::sync::Arc;

/// Edits of one text field merge into one undo step if they follow within this time, in milliseconds.
pub const MERGE_MS: f64 = 600.0;
/// Maximum number of undo steps.
pub const MAX_UNDO_STEPS: usize = 500;

/// A step of the history: the design before it (or after it, for redo), and its label.
#[derive(Debug)]
pub(super) struct UndoStep {
    pub(super) design: Design,
    pub(super) label: String,
}

/// The open design and its history. Clones share the steps.
#[derive(Debug, Clone)]
pub struct Document {
    design: Design,
    pub(super) past: Vec<Arc<UndoStep>>,
    pub(super) future: Vec<Arc<UndoStep>>,
    /// The field that the last commands edited, while further edits may merge.
    typing: Option<Typing>,
}

/// Consecutive edits of one field.
#[derive(Debug, Clone)]
struct Typing {
    field: String,
    /// Time of the last edit, in milliseconds.
    last: f64,
    /// Position in `past` of the step that the first edit made.
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

    /// Opens a design with the steps before and after it.
    pub(super) fn with_history(
        design: Design,
        past: Vec<Arc<UndoStep>>,
        future: Vec<Arc<UndoStep>>,
    ) -> Self {
        Document {
            past,
            future,
            ..Document::new(design)
        }
    }

    /// Returns the current design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Runs a command and returns what changed. `now` is in milliseconds and never decreases. A command that changes
    /// nothing adds no undo step.
    ///
    /// # Errors
    ///
    /// Returns the reason if the command is refused; the document is then unchanged.
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
            self.past.push(Arc::new(UndoStep {
                design: before,
                label,
            }));
            if self.past.len() > MAX_UNDO_STEPS {
                self.past.remove(0);
                began = began.saturating_sub(1);
            }
        }
        self.future.clear();
        // Typing that ends with the original text leaves no step, even after pauses, until the user leaves the
        // field.
        let first = self.past.get(began).filter(|_| typing.is_some());
        if first.is_some_and(|step| diff(&step.design, &self.design).is_empty()) {
            self.past.truncate(began);
        } else {
            let last = now;
            self.typing = field.map(|field| Typing { field, last, began });
        }
        Ok(changed)
    }

    /// Call this when the user leaves a field: the next edit starts a new undo step.
    pub fn leave_field(&mut self) {
        self.typing = None;
    }

    /// Undoes the last step and returns what changed; `None` if there is no step.
    pub fn undo(&mut self) -> Option<Diff> {
        let step = self.past.pop()?;
        let (label, changed) = self.go_to(step);
        self.future.push(label);
        Some(changed)
    }

    /// Redoes the next step and returns what changed; `None` if there is no step.
    pub fn redo(&mut self) -> Option<Diff> {
        let step = self.future.pop()?;
        let (label, changed) = self.go_to(step);
        self.past.push(label);
        Some(changed)
    }

    /// Replaces the design with that of the step. Returns the reverse step and the changes. IDs stay
    /// used, so that none is given out twice.
    fn go_to(&mut self, step: Arc<UndoStep>) -> (Arc<UndoStep>, Diff) {
        let mut next = step.design.clone();
        next.next_id = next.next_id.max(self.design.next_id);
        let changed = diff(&self.design, &next);
        let before = std::mem::replace(&mut self.design, next);
        self.typing = None;
        let back = UndoStep {
            design: before,
            label: step.label.clone(),
        };
        (Arc::new(back), changed)
    }

    /// Label of the step that undo reverts, such as `rename entity`.
    pub fn undo_label(&self) -> Option<&str> {
        self.past.last().map(|step| step.label.as_str())
    }

    /// Label of the step that redo applies.
    pub fn redo_label(&self) -> Option<&str> {
        self.future.last().map(|step| step.label.as_str())
    }
}
