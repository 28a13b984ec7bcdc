//! What differs between two designs. It is the only road from a change to the view: a command, undo, redo
//! and a load all end here. Parts are compared by pointer first, so the work is that of the parts that changed.

use keyfold_core::model::{AccessPatternId, CardId, Design, EntityId, IndexId, NoteId, SortedMap};
use std::sync::Arc;

/// Which parts of one kind differ, each list in the order of the ids.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartDiff<Id> {
    /// Only in the new design.
    pub added: Vec<Id>,
    /// In both, not equal.
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
    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// What differs between two designs.
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
    /// The choices about the exports.
    pub export_options: bool,
    /// Secondary indexes.
    pub indexes: PartDiff<IndexId>,
    /// Entities.
    pub entities: PartDiff<EntityId>,
    /// Entities whose samples differ; an entity without samples counts as not there.
    pub samples: PartDiff<EntityId>,
    /// Access patterns.
    pub access_patterns: PartDiff<AccessPatternId>,
    /// Notes.
    pub notes: PartDiff<NoteId>,
    /// Cards with another place.
    pub layout: PartDiff<CardId>,
}

impl Diff {
    /// Whether the designs are equal (but for the counter of ids).
    pub fn is_empty(&self) -> bool {
        *self == Diff::default()
    }
}

/// What differs between `old` and `new`.
pub fn diff(old: &Design, new: &Design) -> Diff {
    Diff {
        title: old.name != new.name || old.description != new.description,
        delimiter: differs(&old.delimiter, &new.delimiter),
        table: differs(&old.table, &new.table),
        silenced: differs(&old.silenced, &new.silenced),
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
