//! What an action of a menu or the palette was asked for. It is fixed when that opens, by ids: focus, selection and order
//! may change until a line is chosen, and the action still acts on what it was asked for, or on nothing.

use crate::ui::canvas::hit_test::Wire;
use crate::ui::live_table::cell_selection::TableSelection;
use crate::ui::live_table::grid::Grid;
use crate::ui::live_table::tab_state::Tables;
use crate::ui::state::store::Store;
use keyfold_app::session::Selection;
use leptos::prelude::*;

/// What was selected.
#[derive(Debug, Clone, PartialEq)]
pub struct ActionTarget {
    /// The design that was open, as [`crate::ui::state::store::Store::opened`] counts.
    opened: u64,
    cards: Selection,
    wire: Option<Wire>,
    /// In the table, if one was shown.
    cells: Option<TableSelection>,
}

impl ActionTarget {
    /// What is selected now.
    pub fn now(store: Store, tables: Tables) -> ActionTarget {
        ActionTarget {
            opened: store.opened.get_untracked(),
            cards: store.selection.get_untracked(),
            wire: store.wire.get_untracked(),
            cells: tables.shown.get_value().map(|grid| grid.choice()),
        }
    }

    /// The same, with this chosen in the table.
    pub fn in_table(self, choice: TableSelection) -> ActionTarget {
        ActionTarget {
            cells: Some(choice),
            ..self
        }
    }

    /// Does something while this is selected again, as far as it is still there. Returns nothing, and does nothing, if
    /// another design is open by now.
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
        let grid = self.grid(tables);
        if let Some((grid, choice)) = grid {
            grid.choose(choice);
        }
        let done = act();
        // The column of a menu is meant only while its action runs.
        if let Some((grid, _)) = grid.filter(|(grid, _)| grid.is_there()) {
            grid.head_has_focus();
        }
        Some(done)
    }

    /// The table in the page, if this was chosen in it.
    pub fn grid(&self, tables: Tables) -> Option<(Grid, &TableSelection)> {
        let (grid, choice) = (tables.shown.get_value()?, self.cells.as_ref()?);
        grid.is_of(choice).then_some((grid, choice))
    }
}
