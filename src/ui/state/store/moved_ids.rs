//! A merge with what another tab stored can give parts of this tab other ids. What the page holds by ids, such as the
//! selection, follows them before the merged design is shown.

use super::Store;
use crate::ui::reactive::follow_ids::follow_signal;
use crate::ui::reactive::later::View;
use keyfold_app::Document;
use keyfold_app::moved_ids::follow_draft;
use keyfold_compare::NewIds;
use leptos::prelude::*;

impl Store {
    /// Calls this when parts have other ids, as long as the view that is being created exists. The design has them then, but
    /// nothing shows them yet.
    pub fn when_moved(self, follow: impl Fn(&NewIds) + Send + Sync + 'static) {
        let follow = Callback::new(move |moved: NewIds| follow(&moved));
        self.followers.update_value(|all| {
            all.retain(|(view, _)| view.is_there());
            all.push((View::new(), follow));
        });
    }

    /// As [`Store::follow`], with parts of this tab that have other ids now.
    pub fn follow_merged(self, merged: Document, moved: &NewIds) {
        self.show_stored(merged, || {
            if !moved.is_empty() {
                self.follow_moved(moved);
            }
        });
    }

    fn follow_moved(self, moved: &NewIds) {
        self.numbering.update(|count| *count += 1);
        follow_signal(self.selection, moved);
        follow_signal(self.wire, moved);
        if let Some(mut draft) = self.draft.get_untracked() {
            follow_draft(&mut draft, moved);
            self.draft.set(Some(draft));
        }
        self.proofs.follow_moved(moved);
        self.findings.follow_moved(moved);
        self.follow_moved_view(moved);
        for (view, follow) in self.followers.get_value() {
            if view.is_there() {
                follow.run(moved.clone());
            }
        }
    }
}
