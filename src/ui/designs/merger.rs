//! Merges what tabs made of a design at the same time. The code is loaded when it is needed.

use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::merge;
use keyfold_compare::Side;
use keyfold_core::model::Design;

/// Merges what this tab and another one made of a design. Where both changed the same, this tab's change is taken: it is
/// the later one. Returns whether there was such a conflict.
pub(super) type Merger = fn(base: &Design, ours: &Design, theirs: &Design) -> (Design, bool);

on_demand!(tools, merger: Merger = |base, ours, theirs| {
    let merged = merge(base, ours, theirs, &|_| Side::Ours);
    (merged.design, !merged.conflicts.is_empty())
});
