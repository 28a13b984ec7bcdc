//! The target of an action of a menu or the palette. It is fixed by ids when the menu or the palette opens: focus,
//! selection and order may change until a line is chosen, and the action still acts on its target, or on nothing.

use crate::ui::canvas::hit_test::Wire;
use crate::ui::live_table::cell_selection::TableSelection;
use crate::ui::live_table::grid::Grid;
use crate::ui::live_table::tab_state::Tables;
use crate::ui::state::store::Store;
use keyfold_app::viewport::Selection;
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
    /// The current selection.
    pub fn now(store: Store, tables: Tables) -> ActionTarget {
        ActionTarget {
            opened: store.opened.get_untracked(),
            cards: store.selection.get_untracked(),
            wire: store.wire.get_untracked(),
            cells: tables.shown.get_value().map(|grid| grid.choice()),
        }
    }

    /// Returns the target with this selection in the table.
    pub fn in_table(self, choice: TableSelection) -> ActionTarget {
        ActionTarget {
            cells: Some(choice),
            ..self
        }
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
        let grid = self.grid(tables);
        if let Some((grid, choice)) = grid {
            grid.choose(choice);
        }
        let done = act();
        // The column of a menu is the target only while its action runs.
        if let Some((grid, _)) = grid.filter(|(grid, _)| grid.is_there()) {
            grid.head_has_focus();
        }
        Some(done)
    }

    /// The table in the page, if this target was selected in it.
    pub fn grid(&self, tables: Tables) -> Option<(Grid, &TableSelection)> {
        let (grid, choice) = (tables.shown.get_value()?, self.cells.as_ref()?);
        grid.is_of(choice).then_some((grid, choice))
    }
}
