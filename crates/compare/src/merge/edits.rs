//! The edits of one side: its changes from the base, of which some are left out.

use crate::diff::{Change, ChangeKind, diff};
use crate::part::Part;
use keyfold_core::model::Design;
use rustc_hash::FxHashMap;

/// The changes of one side. A change that is left out stays in its place.
pub struct Edits {
    changes: Vec<Change>,
    is_out: Vec<bool>,
    by_part: FxHashMap<Part, Vec<usize>>,
    /// The changes of parts that cannot be without this one.
    by_owner: FxHashMap<Part, Vec<usize>>,
}

impl Edits {
    /// The changes from the base to a side.
    pub fn new(base: &Design, side: &Design) -> Edits {
        let changes = diff(base, side).changes;
        let mut by_part: FxHashMap<Part, Vec<usize>> = FxHashMap::default();
        let mut by_owner: FxHashMap<Part, Vec<usize>> = FxHashMap::default();
        for (at, change) in changes.iter().enumerate() {
            by_part.entry(change.part.clone()).or_default().push(at);
            for owner in change.part.owners() {
                by_owner.entry(owner).or_default().push(at);
            }
        }
        Edits {
            is_out: vec![false; changes.len()],
            changes,
            by_part,
            by_owner,
        }
    }

    pub fn get(&self, at: usize) -> &Change {
        &self.changes[at]
    }

    /// The value of a new part becomes another one.
    pub fn set_after(&mut self, at: usize, after: serde_json::Value) {
        self.changes[at].after = Some(after);
    }

    fn remaining_of<'a>(
        &'a self,
        list: Option<&'a Vec<usize>>,
    ) -> impl Iterator<Item = usize> + 'a {
        let list = list.into_iter().flatten().copied();
        list.filter(|at| !self.is_out[*at])
    }

    /// All changes that are not left out.
    pub fn remaining(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.changes.len()).filter(|at| !self.is_out[*at])
    }

    /// The changes of a part.
    pub fn of(&self, part: &Part) -> Vec<usize> {
        self.remaining_of(self.by_part.get(part)).collect()
    }

    /// The changes of parts that cannot be without this one.
    pub fn inside(&self, part: &Part) -> Vec<usize> {
        self.remaining_of(self.by_owner.get(part)).collect()
    }

    /// The change that makes a whole part new or deletes it.
    pub fn whole(&self, part: &Part, kind: ChangeKind) -> Option<usize> {
        self.remaining_of(self.by_part.get(part))
            .find(|at| self.changes[*at].kind() == kind)
    }

    /// Whether the side deletes the part.
    pub fn removes(&self, part: &Part) -> bool {
        self.whole(part, ChangeKind::Removed).is_some()
    }

    /// Leaves one change out.
    pub fn drop_change(&mut self, at: usize) {
        self.is_out[at] = true;
    }

    /// Leaves a change out, with those that make no sense without it: what is inside a new part; the deletion of what
    /// is inside a part that stays.
    pub fn leave_out(&mut self, at: usize) {
        if std::mem::replace(&mut self.is_out[at], true) {
            return;
        }
        let change = &self.changes[at];
        let (part, kind) = (change.part.clone(), change.kind());
        for inner in self.inside(&part) {
            let inside = &self.changes[inner];
            let goes = match kind {
                ChangeKind::Added => true,
                ChangeKind::Changed => false,
                ChangeKind::Removed => {
                    let mut owners = inside.part.owners().into_iter();
                    inside.kind() == ChangeKind::Removed
                        && !owners.any(|owner| self.removes(&owner))
                }
            };
            if goes {
                self.leave_out(inner);
            }
        }
        if kind == ChangeKind::Added {
            for other in self.of(&part) {
                self.leave_out(other);
            }
        }
    }
}
