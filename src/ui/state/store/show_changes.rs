//! Puts what changed in the design into the signals that views read.

use super::{FEW, Store};
use crate::ui::dom::tints::free_tints;
use keyfold_app::Diff;
use keyfold_core::model::{CardId, EntityId, IndexId};
use leptos::prelude::*;

impl Store {
    /// Shows what changed, and computes what depends on it.
    pub(super) fn show(self, changed: &Diff) {
        if !changed.entities.is_empty() {
            self.with(|design| {
                if design.entities.len() <= FEW {
                    free_tints(design);
                }
            });
        }
        self.show_signals(changed);
        let keys = changed.table || changed.delimiter || !changed.indexes.is_empty();
        if keys || !changed.entities.is_empty() || !changed.samples.is_empty() {
            self.compute();
        }
        self.invalidate_proofs(changed);
        self.invalidate_findings(changed);
    }

    /// Sets the signals of what changed. Lists come last, so that every listed id has its part.
    pub(super) fn show_signals(self, changed: &Diff) {
        if changed.is_empty() {
            self.show_history();
            return;
        }
        self.with(|design| {
            self.show_parts(design, changed);
            if changed.title {
                self.name.set(design.name.clone());
                self.description.set(design.description.clone());
            }
            if changed.table {
                self.table.set(design.table.clone());
            }
            if changed.delimiter {
                self.delimiter.set(design.delimiter.clone());
            }
            if !changed.access_patterns.is_empty() {
                self.access_patterns.set(design.access_patterns.clone());
            }
            if changed.workload {
                self.workload.set(design.workload.clone());
            }
        });
        let cards = !changed.layout.is_empty() || !changed.entities.is_empty();
        let cards = cards || !changed.indexes.is_empty() || !changed.notes.is_empty();
        if cards || changed.table {
            self.cards.update(|count| *count += 1);
        }
        let removed = !changed.entities.removed.is_empty() || !changed.indexes.removed.is_empty();
        if removed || !changed.notes.removed.is_empty() {
            let gone = |card: &CardId| self.with(|design| design.has_card(*card));
            if self
                .selection
                .with_untracked(|cards| !cards.iter().all(gone))
            {
                self.selection.update(|cards| cards.retain(gone));
            }
        }
        let gone = |(entity, index): &(EntityId, IndexId)| {
            self.entity(*entity)
                .is_none_or(|node| node.entity.with_untracked(|e| !e.keys.contains_key(index)))
        };
        if self
            .wire
            .with_untracked(|wire| wire.as_ref().is_some_and(gone))
        {
            self.wire.set(None);
        }
        self.show_history();
        self.revision.update(|count| *count += 1);
    }

    pub(super) fn show_history(self) {
        self.document.with_value(|document| {
            let labels = [
                (self.undo_label, document.undo_label()),
                (self.redo_label, document.redo_label()),
            ];
            for (signal, label) in labels {
                if signal.with_untracked(|shown| shown.as_deref() != label) {
                    signal.set(label.map(str::to_owned));
                }
            }
        });
    }
}
