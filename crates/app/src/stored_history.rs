//! The undo history as text, so that it survives a reload. Each step is stored as a difference from the file text of
//! the adjacent design. The texts of the designs are not stored: a step becomes a design when it is undone or redone.
//!
//! The text is a JSON list: the hash of the file text of the design, the changes of undo and those of redo, each the nearest
//! first. A change is a list of its label, start, end and text.

use super::document::{Document, UndoStep};
use super::placement::place_missing;
use keyfold_core::model::Design;
use keyfold_core::persist;
use keyfold_core::template::fnv1a_64;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// Maximum size of a stored history, in bytes. Local storage, which has it when the page closes, has about 5 MB.
pub const MAX_BYTES: usize = 1_000_000;
/// Maximum total size of the designs that are written as text to be compared at a time, in bytes. It bounds the time. What
/// was compared before is known.
const MAX_WORK: usize = 4_000_000;

/// The difference between two texts: the length of the common start, the length of the common end, and the text
/// between.
#[derive(Debug)]
struct Change {
    label: String,
    start: usize,
    end: usize,
    text: String,
}

/// The difference of a step from the step after it, which is known by its address.
pub(super) type KnownChange = Mutex<Option<(Weak<UndoStep>, Option<KeptChange>)>>;

/// A difference that is shared.
#[derive(Debug, Clone)]
pub(super) struct KeptChange(Arc<Change>);

/// Steps of one direction that were stored and have not become designs.
#[derive(Debug, Clone, Default)]
pub(super) struct StoredSteps {
    /// The file text from which the nearest change leads.
    near: Arc<str>,
    /// The farthest change is first.
    changes: Vec<Arc<Change>>,
}

impl StoredSteps {
    /// The number of steps.
    pub(super) fn len(&self) -> usize {
        self.changes.len()
    }

    /// Label of the nearest step.
    pub(super) fn label(&self) -> Option<&str> {
        self.changes.last().map(|change| change.label.as_str())
    }

    /// Takes the nearest step. If it cannot be read, all are dropped.
    pub(super) fn pop(&mut self) -> Option<UndoStep> {
        let change = self.changes.pop()?;
        let step = change.apply(&self.near).and_then(|far| {
            let design = persist::from_json(&far).ok()?;
            self.near = far.into();
            Some(UndoStep::new(design, None, change.label.clone()))
        });
        if step.is_none() {
            self.changes.clear();
        }
        step
    }

    /// Drops the farthest step. Returns whether there was one.
    pub(super) fn drop_farthest(&mut self) -> bool {
        let is_any = !self.changes.is_empty();
        if is_any {
            self.changes.remove(0);
        }
        is_any
    }
}

/// Returns the history as JSON of about `max_bytes` at most. The oldest steps are dropped first. `file` is the file
/// text of the document's design.
pub fn to_text(document: &Document, file: &str, max_bytes: usize) -> String {
    let mut work = 0;
    let mut changes = |steps, stored| {
        let changes = changes(file, steps, stored, max_bytes, &mut work);
        Value::Array(changes.iter().map(|change| change.to_value()).collect())
    };
    let past = changes(&document.past, &document.older);
    let future = changes(&document.future, &document.newer);
    Value::Array(vec![fnv1a_64(file.as_bytes()).into(), past, future]).to_string()
}

/// The changes of one direction, the nearest first.
fn changes(
    file: &str,
    steps: &[Arc<UndoStep>],
    stored: &StoredSteps,
    max_bytes: usize,
    work: &mut usize,
) -> Vec<Arc<Change>> {
    let mut changes = Vec::new();
    let mut bytes = 0;
    let mut fits = |change: &Change| {
        bytes += change.text.len() + change.label.len();
        bytes <= max_bytes
    };
    let mut near_step: Option<&Arc<UndoStep>> = None;
    // The text of the design at `near_step`, if it was written.
    let mut near = Some(file.to_owned());
    for step in steps.iter().rev() {
        let change = match step.known_change(near_step) {
            Some(known) => {
                near = None;
                known
            }
            None => {
                if *work > MAX_WORK {
                    return changes;
                }
                let text = near.unwrap_or_else(|| {
                    let text = persist::to_json(text_of(near_step));
                    *work += text.len();
                    text
                });
                let far = persist::to_json(&step.design);
                *work += far.len();
                // An edit of comments in the text is not part of the history's text.
                let change = (far != text).then(|| {
                    KeptChange(Arc::new(Change::between(&text, &far, step.label.clone())))
                });
                step.know_change(near_step, change.clone());
                near = Some(far);
                change
            }
        };
        if let Some(KeptChange(change)) = change {
            if !fits(&change) {
                return changes;
            }
            changes.push(change);
        }
        near_step = Some(step);
    }
    let Some((first, rest)) = stored.changes.split_last() else {
        return changes;
    };
    let near = near.unwrap_or_else(|| persist::to_json(text_of(near_step)));
    let first = match *near == *stored.near {
        true => Some(first.clone()),
        // Undoing a stored step, and then a change: the number of used ids went on.
        false => (first.apply(&stored.near))
            .map(|far| Arc::new(Change::between(&near, &far, first.label.clone()))),
    };
    let Some(first) = first else { return changes };
    let all = std::iter::once(first).chain(rest.iter().rev().cloned());
    changes.extend(all.take_while(|change| fits(change)));
    changes
}

/// The design of a step that has been passed.
fn text_of(step: Option<&Arc<UndoStep>>) -> &Design {
    // The text of the current design is there: only that of a step has to be written.
    &step.expect("a step was passed").design
}

impl UndoStep {
    /// The difference from a step after this one, if it is known; `None` within if there is none.
    fn known_change(&self, near: Option<&Arc<UndoStep>>) -> Option<Option<KeptChange>> {
        let near = Arc::downgrade(near?);
        let known = self.change.lock().unwrap_or_else(PoisonError::into_inner);
        let (of, change) = known.as_ref()?;
        of.ptr_eq(&near).then(|| change.clone())
    }

    fn know_change(&self, near: Option<&Arc<UndoStep>>, change: Option<KeptChange>) {
        if let Some(near) = near {
            let mut known = self.change.lock().unwrap_or_else(PoisonError::into_inner);
            *known = Some((Arc::downgrade(near), change));
        }
    }
}

/// Returns a document with a design and the history that was stored with its file text; without a history if it belongs
/// to another text. Cards without a place get one.
pub fn from_text(mut design: Design, file: &str, history: &str) -> Document {
    place_missing(&mut design);
    let history: Value = serde_json::from_str(history).unwrap_or_default();
    if history[0].as_u64() != Some(fnv1a_64(file.as_bytes())) {
        return Document::new(design);
    }
    let near: Arc<str> = file.into();
    let steps = |stored: &Value| {
        let changes = stored.as_array().into_iter().flatten();
        let mut changes: Vec<_> = changes.map_while(Change::of_value).map(Arc::new).collect();
        changes.reverse();
        let near = near.clone();
        StoredSteps { near, changes }
    };
    Document::with_stored(design, steps(&history[1]), steps(&history[2]))
}

impl Change {
    /// Returns the change that turns `from` into `to`.
    fn between(from: &str, to: &str, label: String) -> Change {
        let same = |(a, b): &(u8, u8)| a == b;
        let pairs = from.bytes().zip(to.bytes());
        let start = pairs.take_while(same).count();
        let start = to.floor_char_boundary(start);
        let most = from.len().min(to.len()) - start;
        let pairs = from.bytes().rev().zip(to.bytes().rev());
        let end = pairs.take(most).take_while(same).count();
        let end = to.len() - to.ceil_char_boundary(to.len() - end);
        let text = to[start..to.len() - end].to_owned();
        Change {
            label,
            start,
            end,
            text,
        }
    }

    fn to_value(&self) -> Value {
        Value::Array(vec![
            self.label.as_str().into(),
            self.start.into(),
            self.end.into(),
            self.text.as_str().into(),
        ])
    }

    fn of_value(value: &Value) -> Option<Change> {
        let number = |at: usize| usize::try_from(value[at].as_u64()?).ok();
        Some(Change {
            label: value[0].as_str()?.to_owned(),
            start: number(1)?,
            end: number(2)?,
            text: value[3].as_str()?.to_owned(),
        })
    }

    /// Applies the change to `from`; `None` if it does not fit.
    fn apply(&self, from: &str) -> Option<String> {
        let tail = from.len().checked_sub(self.end)?;
        (tail >= self.start).then_some(())?;
        Some([from.get(..self.start)?, &self.text, from.get(tail..)?].concat())
    }
}
