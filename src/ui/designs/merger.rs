//! Merges what tabs made of a design at the same time. The code is loaded when it is needed.

use crate::ui::reactive::on_demand::on_demand;
use keyfold_app::{DesignText, MergedTabs, merge_tabs};
use keyfold_compare::{NewIds, Side};
use keyfold_core::model::Design;

/// The functions of a merge.
pub(super) struct Merger {
    /// [`merge_tabs`].
    pub merge: fn(base: &Design, ours: &Design, theirs: &Design, later: Side) -> MergedTabs,
    /// The text of our design with the ids that its parts have in the merged one.
    pub moved_text: fn(&DesignText, &NewIds) -> DesignText,
}

on_demand!(tools, merger: Merger = Merger {
    merge: merge_tabs,
    moved_text: |text, moved| DesignText {
        design: moved.renumbered(&text.design),
        ..text.clone()
    },
});
