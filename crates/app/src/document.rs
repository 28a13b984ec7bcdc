//! The open design with its undo history. Each step is a snapshot; snapshots share all parts that did not change.

use super::stored_history::{KnownChange, StoredSteps};
use super::{Command, DesignText, Diff, Refused, apply, diff};
use keyfold_core::model::Design;
use std::sync::Arc;

/// Edits of one text field, or small moves of the same cards, merge into one undo step if they follow within this time, in milliseconds.
pub const MERGE_MS: f64 = 600.0;
/// Maximum number of undo steps.
pub const MAX_UNDO_STEPS: usize = 500;

/// A step of the history: the design before it (or after it, for redo), its text, if there is one, and its label.
#[derive(Debug)]
pub(super) struct UndoStep {
    pub(super) design: Design,
    pub(super) text: Option<DesignText>,
    pub(super) label: String,
    /// What [`stored_history`](super::stored_history) knows of it.
    pub(super) change: KnownChange,
}

impl UndoStep {
    pub(super) fn new(design: Design, text: Option<DesignText>, label: String) -> UndoStep {
        UndoStep {
            design,
            text,
            label,
            change: KnownChange::default(),
        }
    }
}

/// The open design and its history. Clones share the steps.
#[derive(Debug, Clone)]
pub struct Document {
    design: Design,
    /// `None` until the text is first shown.
    text: Option<DesignText>,
    pub(super) past: Vec<Arc<UndoStep>>,
    pub(super) future: Vec<Arc<UndoStep>>,
    /// Steps before those of `past`, of an earlier visit.
    pub(super) older: StoredSteps,
    /// Steps after those of `future`, of an earlier visit.
    pub(super) newer: StoredSteps,
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
            text: None,
            past: Vec::new(),
            future: Vec::new(),
            older: StoredSteps::default(),
            newer: StoredSteps::default(),
            typing: None,
        }
    }

    /// Opens a design with the stored steps before and after it.
    pub(super) fn with_stored(design: Design, older: StoredSteps, newer: StoredSteps) -> Self {
        Document {
            older,
            newer,
            ..Document::new(design)
        }
    }

    /// Returns the current design.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// Returns the text; `None` if it was never shown.
    pub fn text(&self) -> Option<&DesignText> {
        self.text.as_ref()
    }

    /// Sets the text that says the design, as printed, stored or brought up to date. It is no step of the history.
    pub fn set_text(&mut self, text: DesignText) {
        self.text = Some(text);
    }

    /// Runs a command and returns what changed. `now` is in milliseconds and never decreases. A command that changes
    /// nothing adds no undo step.
    ///
    /// # Errors
    ///
    /// Returns the reason if the command is refused; the document is then unchanged.
    pub fn run(&mut self, command: Command, now: f64) -> Result<Diff, Refused> {
        let (label, field) = (command.label_on(&self.design), command.series());
        let mut text = command.text();
        let base = self.base(&command);
        let mut next = apply(base, as_of(base, command))?;
        next.next_id = next.next_id.max(self.design.next_id);
        let changed = diff(&self.design, &next);
        if changed.is_empty() && (text.as_ref()).is_none_or(|text| !self.is_new(text)) {
            return Ok(changed);
        }
        // What the text leaves out, such as the place of a new card, stays as the design has it.
        if let Some(text) = &mut text {
            text.design = next.clone();
        }
        let typing = (self.typing.take()).filter(|typing| Some(&typing.field) == field.as_ref());
        let merges = (typing.as_ref()).is_some_and(|typing| now - typing.last <= MERGE_MS);
        let mut began = (typing.as_ref()).map_or(self.past.len(), |typing| typing.began);
        let before = std::mem::replace(&mut self.design, next);
        let before = UndoStep::new(before, self.text.clone(), label);
        self.text = text.or(self.text.take());
        if !merges && self.push(before) {
            began = began.saturating_sub(1);
        }
        self.forget_future();
        // Typing that ends with the original text leaves no step, even after pauses, until the user leaves the
        // field.
        let first = self.past.get(began).filter(|_| typing.is_some());
        if first.is_some_and(|step| self.is_at(step)) {
            self.past.truncate(began);
        } else {
            let last = now;
            self.typing = field.map(|field| Typing { field, last, began });
        }
        Ok(changed)
    }

    /// The design that a command changes: for the name of the design, an attribute or a key attribute, the one before the
    /// user began to type it. What it renames never has a name that is half typed, which can be that of something else.
    fn base(&self, command: &Command) -> &Design {
        let renames = match command {
            Command::RenameDesign(_)
            | Command::UpdateTable { .. }
            | Command::UpdateIndex { .. } => true,
            Command::UpdateAttribute { field, .. } => *field == "name",
            _ => false,
        };
        let typing = (self.typing.as_ref())
            .filter(|typing| renames && command.field().as_ref() == Some(&typing.field));
        let began = typing.and_then(|typing| self.past.get(typing.began));
        began.map_or(&self.design, |step| &step.design)
    }

    /// Whether a text differs from the current one.
    fn is_new(&self, text: &DesignText) -> bool {
        (self.text.as_ref()).is_none_or(|current| current.text != text.text)
    }

    /// Whether the design and the text are those of a step.
    fn is_at(&self, step: &UndoStep) -> bool {
        let same_text = match (&step.text, &self.text) {
            (Some(text), Some(_)) => !self.is_new(text),
            (None, None) => true,
            _ => false,
        };
        same_text && diff(&step.design, &self.design).is_empty()
    }

    /// Call this when the user leaves a field: the next edit starts a new undo step.
    pub fn leave_field(&mut self) {
        self.typing = None;
    }

    /// Undoes the last step and returns what changed; `None` if there is no step.
    pub fn undo(&mut self) -> Option<Diff> {
        let step = (self.past.pop()).or_else(|| self.older.pop().map(Arc::new))?;
        let (label, changed) = self.go_to(step);
        self.future.push(label);
        Some(changed)
    }

    /// Redoes the next step and returns what changed; `None` if there is no step.
    pub fn redo(&mut self) -> Option<Diff> {
        let step = (self.future.pop()).or_else(|| self.newer.pop().map(Arc::new))?;
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
        self.typing = None;
        let before = std::mem::replace(&mut self.design, next);
        let back = UndoStep::new(before, self.text.clone(), step.label.clone());
        // A step from before the text was shown has none: the text follows the design.
        self.text = step.text.clone().or(self.text.take());
        (Arc::new(back), changed)
    }

    /// Becomes the stored version of the design, with its history, and returns what changed. The text stays: it follows
    /// the design when it is shown. IDs stay used, so that none is given out twice.
    pub fn follow(&mut self, stored: Document) -> Diff {
        let text = self.text.take();
        let next_id = self.design.next_id;
        let before = std::mem::replace(self, stored);
        self.text = text;
        self.design.next_id = self.design.next_id.max(next_id);
        diff(&before.design, &self.design)
    }

    /// Adds this design as a step of undo, under this label. A design that is equal is no step.
    pub fn step_to(&mut self, design: Design, label: String) {
        if diff(&self.design, &design).is_empty() {
            return;
        }
        let before = std::mem::replace(&mut self.design, design);
        self.typing = None;
        self.push(UndoStep::new(before, self.text.clone(), label));
        self.forget_future();
    }

    /// Adds a step. Returns whether the first one of `past` was dropped for it.
    fn push(&mut self, step: UndoStep) -> bool {
        self.past.push(Arc::new(step));
        let is_full = self.past.len() + self.older.len() > MAX_UNDO_STEPS;
        let drops = is_full && !self.older.drop_farthest();
        if drops {
            self.past.remove(0);
        }
        drops
    }

    fn forget_future(&mut self) {
        self.future.clear();
        self.newer = StoredSteps::default();
    }

    /// Label of the step that undo reverts, such as `rename entity`.
    pub fn undo_label(&self) -> Option<&str> {
        let last = self.past.last().map(|step| step.label.as_str());
        last.or_else(|| self.older.label())
    }

    /// Label of the step that redo applies.
    pub fn redo_label(&self) -> Option<&str> {
        let last = self.future.last().map(|step| step.label.as_str());
        last.or_else(|| self.newer.label())
    }
}

/// The command for an earlier design: a half-typed name can have made its attribute required, or taken its format.
fn as_of(design: &Design, mut command: Command) -> Command {
    if let Command::UpdateAttribute {
        entity,
        attribute,
        field: "name",
    } = &mut command
        && let Some(entity) = design.entities.get(entity)
        && let Some(before) = entity.attribute_by_id(attribute.id)
    {
        attribute.required = before.required;
        attribute.format.clone_from(&before.format);
    }
    command
}
