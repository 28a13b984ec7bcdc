//! Merges what tabs made of a design at the same time. The code is loaded when it is needed.

use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::merge;
use keyfold_compare::Side;
use keyfold_core::model::Design;

/// Merges what this tab and another one made of a design. Where both changed the same, the change of the `later` side is
/// taken. Returns whether there was such a conflict.
pub(super) type Merger =
    fn(base: &Design, ours: &Design, theirs: &Design, later: Side) -> (Design, bool);

on_demand!(tools, merger: Merger = |base, ours, theirs, later| {
    let merged = merge(base, ours, theirs, &|_| later);
    (merged.design, !merged.conflicts.is_empty())
});
