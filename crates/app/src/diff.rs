//! The difference between two designs. Every change reaches the view through it: commands, undo, redo and loading.
//! Parts are compared by pointer first, so the cost depends on the number of changed parts only.

use keyfold_core::model::{AccessPatternId, CardId, Design, EntityId, IndexId, NoteId, SortedMap};
use std::sync::Arc;

/// Changed parts of one kind. Each list is in id order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartDiff<Id> {
    /// Only in the new design.
    pub added: Vec<Id>,
    /// In both, but different.
    pub changed: Vec<Id>,
    /// Only in the old design.
    pub removed: Vec<Id>,
}

impl<Id> Default for PartDiff<Id> {
    fn default() -> Self {
        PartDiff {
            added: Vec::new(),
            changed: Vec::new(),
            removed: Vec::new(),
        }
    }
}

impl<Id> PartDiff<Id> {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// The difference between two designs.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Diff {
    /// The name or the description.
    pub title: bool,
    /// The delimiter policy.
    pub delimiter: bool,
    /// The table's properties or primary key.
    pub table: bool,
    /// The silenced findings.
    pub silenced: bool,
    /// The workload. Items, findings and proofs do not depend on it.
    pub workload: bool,
    /// The export options.
    pub export_options: bool,
    /// Secondary indexes.
    pub indexes: PartDiff<IndexId>,
    /// Entities.
    pub entities: PartDiff<EntityId>,
    /// Entities whose samples changed. An entity without samples counts as absent.
    pub samples: PartDiff<EntityId>,
    /// Access patterns.
    pub access_patterns: PartDiff<AccessPatternId>,
    /// Notes.
    pub notes: PartDiff<NoteId>,
    /// Cards with another position.
    pub layout: PartDiff<CardId>,
}

impl Diff {
    /// Whether the designs are equal, apart from the id counter.
    pub fn is_empty(&self) -> bool {
        *self == Diff::default()
    }
}

/// Returns what changed from `old` to `new`.
pub fn diff(old: &Design, new: &Design) -> Diff {
    Diff {
        title: old.name != new.name || old.description != new.description,
        delimiter: differs(&old.delimiter, &new.delimiter),
        table: differs(&old.table, &new.table),
        silenced: differs(&old.silenced, &new.silenced),
        workload: differs(&old.workload, &new.workload),
        export_options: differs(&old.export_options, &new.export_options),
        indexes: parts(&old.indexes, &new.indexes, differs),
        entities: parts(&old.entities, &new.entities, differs),
        samples: parts(&old.samples, &new.samples, differs),
        access_patterns: parts(&old.access_patterns, &new.access_patterns, differs),
        notes: parts(&old.notes, &new.notes, differs),
        layout: if Arc::ptr_eq(&old.layout, &new.layout) {
            PartDiff::default()
        } else {
            parts(&old.layout, &new.layout, |a, b| a != b)
        },
    }
}

fn differs<T: PartialEq>(old: &Arc<T>, new: &Arc<T>) -> bool {
    !Arc::ptr_eq(old, new) && old != new
}

fn parts<Id: Ord + Copy, T>(
    old: &SortedMap<Id, T>,
    new: &SortedMap<Id, T>,
    differs: impl Fn(&T, &T) -> bool,
) -> PartDiff<Id> {
    let mut found = PartDiff::default();
    let (mut olds, mut news) = (old.iter().peekable(), new.iter().peekable());
    loop {
        match (olds.peek(), news.peek()) {
            (Some((a, before)), Some((b, after))) if a == b => {
                if differs(before, after) {
                    found.changed.push(**a);
                }
                olds.next();
                news.next();
            }
            (Some((a, _)), Some((b, _))) if a < b => {
                found.removed.push(**a);
                olds.next();
            }
            (_, Some((b, _))) => {
                found.added.push(**b);
                news.next();
            }
            (Some((a, _)), None) => {
                found.removed.push(**a);
                olds.next();
            }
            (None, None) => return found,
        }
    }
}
