//! What is selected on the canvas.

use super::Store;
use keyfold_app::viewport::Selection;
use keyfold_core::model::{CardId, EntityId, IndexId};

impl Store {
    /// Selects one card and nothing else.
    pub fn select(self, card: CardId) {
        self.select_cards(Selection::from([card]));
    }

    /// Selects these cards and nothing else.
    pub fn select_cards(self, cards: Selection) {
        self.forget_wire();
        self.selection.set(cards);
    }

    /// Selects nothing.
    pub fn select_nothing(self) {
        self.select_cards(Selection::new());
    }

    /// Selects a wire and nothing else.
    pub fn select_wire(self, wire: (EntityId, IndexId)) {
        self.selection.set(Selection::new());
        self.wire.set(Some(wire));
    }

    fn forget_wire(self) {
        if self.wire.with_untracked(Option::is_some) {
            self.wire.set(None);
        }
    }
}
