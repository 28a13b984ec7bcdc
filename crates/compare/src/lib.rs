//! Designs compared by meaning: [`diff`] gives what changed from one design to another, and [`apply()`] makes the second
//! of the first and that. [`merge()`] joins the edits of two sides. [`effects()`] says
//! what a difference does to items, access patterns, findings and the deployed table, and a [`Report`] has all in words.
//!
//! Parts are the same if their ids are. [`align`] gives a design the ids of another one first, by name, where the two
//! do not share ids: another file, or text, which has none.
//!
//! A [`Change`] holds the values of a field as the design file writes them. A field that the model gets is so compared,
//! applied and merged without a line here.
//!
//! This is a crate and no module of the core: it stands on all of the core (proofs, findings, the change plan), nothing
//! in the core needs it, and the page loads it on demand. `keyfold_app::diff` says which signals of the page change; it
//! has no fields, values or words.
//!
//! ```
//! use keyfold_compare::{apply, diff};
//! use keyfold_core::model::{Design, Entity, EntityId};
//!
//! let old = Design::new("Shop");
//! let mut new = old.clone();
//! let id = EntityId(new.take_id());
//! new.entities.insert(id, Entity::new("Order", 0).into());
//! let changes = diff(&old, &new);
//! assert_eq!(changes.changes.len(), 1);
//! assert_eq!(apply(&old, &changes).as_ref(), Ok(&new));
//! ```

mod align;
mod apply;
mod diff;
mod effects;
mod merge;
mod order;
mod part;
mod renumber;
mod report;
mod words;

pub use align::{
    align, matched, matched_for_merge, matched_with_remarks, share_ids, taken_as_renamed,
};
pub use apply::{Unfit, apply};
pub use diff::{Change, ChangeKind, Diff, diff};
pub use effects::{Effects, KeyEffect, PatternEffect, Served, effects, effects_in_slices};
pub use merge::{Conflict, Merged, Reason, Side, merge};
pub use part::{Part, SilencedKey};
pub use renumber::NewIds;
pub use report::{ConflictWords, Line, Marks, Report, Section};
pub use words::Piece;
