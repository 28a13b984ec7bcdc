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

    /// Adds a card to the selected ones, or removes it.
    pub fn toggle_card(self, card: CardId) {
        let mut cards = self.selection.get_untracked();
        if !cards.remove(&card) {
            cards.insert(card);
        }
        self.spoken.set(match cards.len() {
            1 => "1 card selected".to_owned(),
            count => format!("{count} cards selected"),
        });
        self.select_cards(cards);
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
