//! The live table's memory across tabs while a design is open: the arrangement of rows and columns of each table or
//! index, and the active item. It is not part of the design.

use super::handle::SharedTable;
use super::selected_cells::CellId;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::follow_ids::{follow_signal, follow_value};
use crate::ui::state::page_state::{PageState, Tab};
use crate::ui::state::store::Store;
use keyfold_app::grid::SheetOptions;
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_app::grid::copy::Copied;
use keyfold_app::grid::one_entity::others;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_compare::NewIds;
use keyfold_core::model::{EntityId, IndexId, SampleId, SortedMap};
use leptos::prelude::*;
use std::sync::Arc;

/// The arrangement of the table or an index.
#[derive(Debug, Clone, Default)]
pub struct TabState {
    /// Order and visibility of the columns.
    pub layout: ColumnOrder,
    /// Widths set by the user, by attribute, in CSS pixels.
    pub resized: SortedMap<String, f64>,
    /// Filter and order of the items.
    pub shown: SheetOptions,
    /// Whether attributes that an index does not project are hidden.
    pub projected_only: bool,
}

impl HoldsIds for TabState {
    fn follow(&mut self, moved: &NewIds) {
        self.shown.follow(moved);
    }
}

/// The position in a table when the user left it.
#[derive(Debug, Clone)]
pub struct ScrollPosition {
    /// Vertical scroll offset, in CSS pixels.
    pub top: f64,
    /// Horizontal scroll offset, in CSS pixels.
    pub left: f64,
    /// The active cell.
    pub active: Option<CellId>,
}

/// The memory. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Tables {
    /// The table in the page.
    pub shown: StoredValue<Option<SharedTable>>,
    /// The cell active last.
    pub active: StoredValue<Option<CellId>>,
    /// The entity whose items alone the table in the page shows.
    pub only: RwSignal<Option<EntityId>>,
    /// Whether the next table takes the keyboard focus when it is mounted.
    pub takes_focus: StoredValue<bool>,
    /// Opens the menu of the column head with the keyboard focus; the shell sets it.
    pub open_menu: StoredValue<Option<Callback<()>>>,
    /// The cells copied last.
    pub copied: StoredValue<Option<Arc<Copied>>>,
    tab_states: StoredValue<(u64, SortedMap<IndexId, TabState>)>,
    places: StoredValue<Vec<(IndexId, ScrollPosition)>>,
}

impl Default for Tables {
    fn default() -> Self {
        Tables {
            shown: StoredValue::default(),
            active: StoredValue::default(),
            only: RwSignal::new(None),
            takes_focus: StoredValue::default(),
            open_menu: StoredValue::default(),
            copied: StoredValue::default(),
            tab_states: StoredValue::default(),
            places: StoredValue::default(),
        }
    }
}

impl Tables {
    /// What is remembered follows its parts when they get other ids.
    pub fn follow_moved(self, store: Store) {
        store.when_moved(move |moved| {
            follow_value(self.active, moved);
            follow_signal(self.only, moved);
            self.tab_states.update_value(|(_, all)| all.follow(moved));
            self.places.update_value(|all| {
                for (index, place) in all {
                    index.follow(moved);
                    place.active.follow(moved);
                }
            });
        });
    }

    /// Returns the arrangement of an index in the design with this open number.
    pub fn get(self, opened: u64, index: IndexId) -> TabState {
        self.forget_other(opened);
        self.tab_states
            .with_value(|(_, all)| all.get(&index).cloned())
            .unwrap_or_default()
    }

    /// Stores the arrangement of an index.
    pub fn set(self, opened: u64, index: IndexId, tab_state: TabState) {
        self.forget_other(opened);
        self.tab_states.update_value(|(_, all)| {
            all.insert(index, tab_state);
        });
    }

    /// Returns the position in an index when the user left it.
    pub fn place(self, index: IndexId) -> Option<ScrollPosition> {
        let place = |(of, place): &(IndexId, ScrollPosition)| (*of == index).then(|| place.clone());
        self.places.with_value(|all| all.iter().find_map(place))
    }

    /// Stores the scroll offsets of an index that the user leaves, for the design with this open number.
    pub fn leave(self, opened: u64, index: IndexId, [top, left]: [f64; 2]) {
        self.forget_other(opened);
        let active = self.active.get_value();
        self.places.update_value(|all| {
            all.retain(|(of, _)| *of != index);
            all.push((index, ScrollPosition { top, left, active }));
        });
    }

    /// Makes a sample's item, or its cell of an attribute, active in the table of an index: now if that table is in
    /// the page, else when it is mounted next.
    pub fn point_at(self, index: IndexId, sample: Option<SampleId>, column: Option<String>) {
        let spot = sample.map(|sample| CellId { sample, column });
        let shown = (self.shown.get_value()).filter(|table| table.index() == index);
        match shown {
            Some(table) => table.go_to(spot),
            None => {
                self.active.set_value(spot);
                self.takes_focus.set_value(true);
            }
        }
    }

    /// Shows the items of an entity alone, in the table in the page if it has them, else in the Table tab. Shows all
    /// again if the entity's already are alone.
    pub fn toggle_only(self, store: Store, page: PageState, entity: EntityId) {
        let wanted = Some(entity).filter(|_| self.only.get_untracked() != Some(entity));
        let is_in = |index: IndexId| {
            let entity = store.entity(entity);
            index.is_primary()
                || entity.is_some_and(|node| {
                    node.entity
                        .with_untracked(|entity| entity.keys.contains_key(&index))
                })
        };
        let shown = (self.shown.get_value()).filter(|table| is_in(table.index()));
        match shown {
            Some(table) => {
                table.show_only(wanted);
                page.show(Tab::Items(table.index()));
            }
            None => {
                let opened = store.opened.get_untracked();
                let mut state = self.get(opened, IndexId::PRIMARY);
                state.shown.hidden_entities = others(store.entity_ids.get_untracked(), entity);
                self.set(opened, IndexId::PRIMARY, state);
                page.show(Tab::Items(IndexId::PRIMARY));
            }
        }
    }

    fn forget_other(self, opened: u64) {
        if self.tab_states.with_value(|(other, _)| *other != opened) {
            self.tab_states.set_value((opened, SortedMap::new()));
            self.places.set_value(Vec::new());
            self.active.set_value(None);
        }
    }
}

/// Returns the live table's memory from the context.
pub fn use_tables() -> Tables {
    expect_context()
}
