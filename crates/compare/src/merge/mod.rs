//! Joins the edits of two sides that began with the same design.
//!
//! `adopt` gives the new parts of their side ids that do not collide. Both sides are then differences from the base
//! (`edits`): fields that one side changed are taken, fields that both changed, and parts that one deleted and the other
//! changed, are conflicts (`overlap`). What remains is applied to the base; references to missing parts and broken
//! invariants are conflicts too, and the edits of the side that loses are left out until none is left (`repair`).
//! Without all edits of a side the design is the other side's, so the merged design is always valid.

mod adopt;
mod edits;
mod orders;
mod overlap;
mod repair;

use crate::part::Part;
use crate::renumber::NewIds;
use edits::Edits;
use keyfold_core::model::Design;
use rustc_hash::FxHashSet;
use serde_json::Value as Json;

/// A side of a merge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The design that the merge changes.
    Ours,
    /// The other design.
    Theirs,
}

impl Side {
    /// The other side.
    pub fn other(self) -> Side {
        match self {
            Side::Ours => Side::Theirs,
            Side::Theirs => Side::Ours,
        }
    }
}

/// Edits of both sides that exclude each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Conflict {
    /// The part of the design.
    pub part: Part,
    /// The field, as in [`Change::path`](crate::Change::path); empty for the whole part.
    pub path: Vec<String>,
    /// Why only one side can be taken.
    pub reason: Reason,
    /// The value in the base; `None` if it has none.
    pub base: Option<Json>,
    /// Our value.
    pub ours: Option<Json>,
    /// Their value.
    pub theirs: Option<Json>,
    /// The side whose edits are in the merged design.
    pub taken: Side,
}

/// Why only one side can be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// Both sides changed it, to different values.
    BothChanged,
    /// This side deleted the part; the other changed it or something in it.
    Deleted(Side),
    /// This side deleted the part; the other made another part use it.
    Used {
        /// The side that deleted the part.
        deleted: Side,
        /// The part that uses it.
        by: Part,
    },
    /// Together, the edits break an invariant: the message. Edits of other parts that had to go with those at the place
    /// are conflicts of the same reason; their side follows from the first one.
    Invalid(String),
}

/// The result of a merge.
#[derive(Debug, Clone, PartialEq)]
pub struct Merged {
    /// The merged design: valid, with the taken side's edits where there is a conflict.
    pub design: Design,
    /// Their design with the ids of the merged one.
    pub theirs: Design,
    /// The ids of the merged design for those that their new parts had. Our parts keep their ids.
    pub moved: NewIds,
    /// The conflicts, in the order in which they were found.
    pub conflicts: Vec<Conflict>,
}

/// Merges `ours` and `theirs`, which both come from `base` and share its ids. `choose` takes a side in each conflict; the
/// same answers give the same design.
///
/// Parts that both sides added under one name are one part, and their fields are merged; other new parts of their side
/// get the ids that they had got if they had been added after ours. A card that both sides moved is no conflict: `choose`
/// decides, and nothing is reported.
pub fn merge(
    base: &Design,
    ours: &Design,
    theirs: &Design,
    choose: &dyn Fn(&Conflict) -> Side,
) -> Merged {
    let (moved, theirs) = adopt::adopt(base, ours, theirs);
    let mut merge = Merge {
        base,
        ours,
        theirs: &theirs,
        choose,
        edits: [Edits::new(base, ours), Edits::new(base, &theirs)],
        conflicts: Vec::new(),
        asked: FxHashSet::default(),
    };
    merge.deletions();
    merge.overlaps();
    let mut design = merge.repaired();
    merge.orders(&mut design);
    let conflicts = merge.conflicts;
    Merged {
        design,
        theirs,
        moved,
        conflicts,
    }
}

/// A merge under way.
struct Merge<'a> {
    base: &'a Design,
    ours: &'a Design,
    theirs: &'a Design,
    choose: &'a dyn Fn(&Conflict) -> Side,
    /// The edits of our side and of theirs.
    edits: [Edits; 2],
    conflicts: Vec<Conflict>,
    /// The places of the conflicts so far.
    asked: FxHashSet<(Part, Vec<String>)>,
}

impl Merge<'_> {
    fn design(&self, side: Side) -> &Design {
        match side {
            Side::Ours => self.ours,
            Side::Theirs => self.theirs,
        }
    }

    fn side(&mut self, side: Side) -> &mut Edits {
        &mut self.edits[side as usize]
    }

    /// Asks which side to take, and reports the conflict.
    fn ask(&mut self, mut conflict: Conflict) -> Side {
        conflict.taken = (self.choose)(&conflict);
        let taken = conflict.taken;
        let is_new = self
            .asked
            .insert((conflict.part.clone(), conflict.path.clone()));
        if is_new && !matches!(conflict.part, Part::Position(_)) {
            self.conflicts.push(conflict);
        }
        taken
    }
}

impl Conflict {
    /// A conflict in which no side is taken yet.
    fn new(part: Part, path: Vec<String>, reason: Reason, values: [Option<Json>; 3]) -> Conflict {
        let [base, ours, theirs] = values;
        Conflict {
            part,
            path,
            reason,
            base,
            ours,
            theirs,
            taken: Side::Ours,
        }
    }
}
