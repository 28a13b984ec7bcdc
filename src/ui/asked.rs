//! What an action of a menu or the palette was asked for. It is fixed when that opens, by ids: focus, selection and order
//! may change until a line is chosen, and the action still acts on what it was asked for, or on nothing.

use super::actions::{Action, Reach};
use super::canvas::hit::Wire;
use super::live_table::Choice;
use keyfold_app::session::Selection;
use leptos::prelude::*;

/// What was selected.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The design that was open, as [`crate::ui::store::Store::opened`] counts.
    opened: u64,
    cards: Selection,
    wire: Option<Wire>,
    /// In the table, if one was shown.
    cells: Option<Choice>,
}

impl Asked {
    /// What is selected now.
    pub fn now(reach: Reach) -> Asked {
        Asked {
            opened: reach.store.opened.get_untracked(),
            cards: reach.store.selection.get_untracked(),
            wire: reach.store.wire.get_untracked(),
            cells: reach
                .desk
                .tables
                .shown
                .get_value()
                .map(|grid| grid.choice()),
        }
    }

    /// The same, with this chosen in the table.
    pub fn in_table(self, choice: Choice) -> Asked {
        Asked {
            cells: Some(choice),
            ..self
        }
    }

    /// Does something while this is selected again, as far as it is still there. Returns nothing, and does nothing, if
    /// another design is open by now.
    pub fn with<T>(&self, reach: Reach, act: impl FnOnce() -> T) -> Option<T> {
        let store = reach.store;
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
        let grid = self.grid(reach);
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

    /// Carries an action out, or says that what it was asked for is not there any more.
    pub fn run(&self, action: &Action, reach: Reach) {
        let is_here = !action.in_table || self.grid(reach).is_some();
        let run = || {
            let able = is_here && (action.enabled)(reach);
            if able {
                (action.run)(reach);
            }
            able
        };
        if self.with(reach, run) != Some(true) {
            let text = format!(
                "{}: what it was asked for is not there any more.",
                action.name
            );
            reach.store.notices.say(text);
        }
    }

    /// The table in the page, if this was chosen in it.
    fn grid(&self, reach: Reach) -> Option<(super::live_table::Grid, &Choice)> {
        let (grid, choice) = (reach.desk.tables.shown.get_value()?, self.cells.as_ref()?);
        grid.is_of(choice).then_some((grid, choice))
    }
}
