//! The target of an action of a menu or the palette. It is fixed by ids when the menu or the palette opens: focus,
//! selection and order may change until a line is chosen, and the action still acts on its target, or on nothing.

use crate::ui::live_table::handle::SharedTable;
use crate::ui::live_table::selected_cells::TableSelection;
use crate::ui::live_table::tab_memory::Tables;
use crate::ui::state::store::Store;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_app::route::Wire;
use keyfold_app::viewport::Selection;
use keyfold_compare::NewIds;
use keyfold_core::model::CardId;
use leptos::prelude::*;

/// The selection that an action acts on.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionTarget {
    /// The open design, as counted by [`crate::ui::state::store::Store::opened`].
    opened: u64,
    cards: Selection,
    wire: Option<Wire>,
    /// The selection in the table; `None` if no table was shown.
    cells: Option<TableSelection>,
}

impl ActionTarget {
    /// Whether a card is one of them.
    pub fn has(&self, card: CardId) -> bool {
        self.cards.contains(&card)
    }
}

impl HoldsIds for ActionTarget {
    fn follow(&mut self, moved: &NewIds) {
        self.cards.follow(moved);
        self.wire.follow(moved);
        self.cells.follow(moved);
    }
}

impl ActionTarget {
    /// The current selection.
    pub fn now(store: Store, tables: Tables) -> ActionTarget {
        ActionTarget {
            opened: store.opened.get_untracked(),
            cards: store.selection.get_untracked(),
            wire: store.wire.get_untracked(),
            cells: tables.shown.get_value().map(|table| table.selection()),
        }
    }

    /// Returns the target with this selection in the table.
    pub fn in_table(self, choice: TableSelection) -> ActionTarget {
        ActionTarget {
            cells: Some(choice),
            ..self
        }
    }

    /// Returns the target with these cards.
    pub fn on_cards(self, cards: Selection) -> ActionTarget {
        ActionTarget { cards, ..self }
    }

    /// Selects the parts of this target that still exist, then runs `act`. If another design is open, returns `None`
    /// and does nothing.
    pub fn with<T>(&self, store: Store, tables: Tables, act: impl FnOnce() -> T) -> Option<T> {
        if store.opened.get_untracked() != self.opened {
            return None;
        }
        let mut cards = self.cards.clone();
        cards.retain(|card| store.with(|design| design.has_card(*card)));
        if store.selection.with_untracked(|now| *now != cards) {
            store.selection.set(cards);
        }
        let is_there = |(entity, index): &Wire| {
            store.with(|design| {
                let entity = design.entities.get(entity);
                entity.is_some_and(|entity| entity.keys.contains_key(index))
            })
        };
        let wire = self.wire.filter(is_there);
        if store.wire.get_untracked() != wire {
            store.wire.set(wire);
        }
        let table = self.table(tables);
        if let Some((table, selection)) = &table {
            table.choose(selection);
        }
        let done = act();
        // The column of a menu is the target only while its action runs.
        if let Some((table, _)) = table {
            table.menu_is_done();
        }
        Some(done)
    }

    /// The table in the page, if this target was selected in it.
    pub fn table(&self, tables: Tables) -> Option<(SharedTable, &TableSelection)> {
        let (table, selection) = (tables.shown.get_value()?, self.cells.as_ref()?);
        table.is_of(selection).then_some((table, selection))
    }
}
