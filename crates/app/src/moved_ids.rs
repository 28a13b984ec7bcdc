//! What is known of a design by ids, such as a selection, after a merge gave parts other ids ([`merge_tabs`]).
//!
//! [`merge_tabs`]: super::merge_tabs

use super::Command;
use super::grid::SheetOptions;
use keyfold_compare::NewIds;
use keyfold_core::lint::Place;
use keyfold_core::model::{
    AccessPatternId, AttributeId, CardId, EntityId, IndexId, NoteId, SampleId, SortedMap, SortedSet,
};
use rustc_hash::FxHashSet;
use std::hash::Hash;

/// Holds ids of the parts of a design.
pub trait HoldsIds {
    /// Holds the new ids of the same parts.
    fn follow(&mut self, moved: &NewIds);
}

macro_rules! ids {
    ($($id:ty: $new:ident),*) => {
        $(impl HoldsIds for $id {
            fn follow(&mut self, moved: &NewIds) {
                *self = moved.$new(*self);
            }
        })*
    };
}

ids!(
    EntityId: entity,
    IndexId: index,
    AttributeId: attribute,
    SampleId: sample,
    AccessPatternId: pattern,
    NoteId: note,
    CardId: card,
    Place: place
);

impl<A: HoldsIds, B: HoldsIds> HoldsIds for (A, B) {
    fn follow(&mut self, moved: &NewIds) {
        self.0.follow(moved);
        self.1.follow(moved);
    }
}

impl<T: HoldsIds> HoldsIds for Option<T> {
    fn follow(&mut self, moved: &NewIds) {
        if let Some(held) = self {
            held.follow(moved);
        }
    }
}

/// The same with its new ids.
fn moved<T: HoldsIds>(mut held: T, moved: &NewIds) -> T {
    held.follow(moved);
    held
}

impl<T: HoldsIds + Ord> HoldsIds for SortedSet<T> {
    fn follow(&mut self, ids: &NewIds) {
        let all = std::mem::take(self).into_iter();
        *self = all.map(|held| moved(held, ids)).collect();
    }
}

impl<T: HoldsIds + Eq + Hash> HoldsIds for FxHashSet<T> {
    fn follow(&mut self, ids: &NewIds) {
        *self = self.drain().map(|held| moved(held, ids)).collect();
    }
}

impl<K: HoldsIds + Ord, V: HoldsIds> HoldsIds for SortedMap<K, V> {
    fn follow(&mut self, ids: &NewIds) {
        let all = std::mem::take(self).into_iter();
        *self = all
            .map(|(key, held)| (moved(key, ids), moved(held, ids)))
            .collect();
    }
}

impl HoldsIds for SheetOptions {
    fn follow(&mut self, moved: &NewIds) {
        self.hidden_entities.follow(moved);
    }
}

/// Gives a draft, which sets a value or the text of a note, the new ids of the same parts.
pub fn follow_draft(draft: &mut Command, moved: &NewIds) {
    match draft {
        Command::SetValue { entity, sample, .. } => {
            entity.follow(moved);
            sample.follow(moved);
        }
        Command::SetNoteText(note, _) => note.follow(moved),
        _ => {}
    }
}
