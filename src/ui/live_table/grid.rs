//! The table's state besides the design: active cell, edited cell, selection, scroll position; and navigation between
//! cells. Cell commands are in `cell_editing`, `cell_selection` and `cell_commands`, row commands in `row_commands`,
//! scrolling in `scroll_and_focus`.

use super::columns::{HEAT, Head, Measured, ROW_HEAD};
use super::once_shown::Pending;
use super::selected_cells::{CellId, Range};
use super::tab_memory::{TabState, Tables};
use super::{columns, filtered};
use crate::ui::dom::element::window_size;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::Store;
use keyfold_app::grid::cells::locked;
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_app::grid::one_entity::{has_column, only_entity, others};
use keyfold_app::grid::{CellMove, Line, Sheet, SheetOptions, SortBy};
use keyfold_core::engine::{self, Item};
use keyfold_core::model::{AttributeType, EntityId, IndexId, SampleId, SortedMap, SortedSet};
use leptos::ev;
use leptos::html::{Div, Input, Textarea};
use leptos::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// A cell being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editing {
    /// The cell.
    pub spot: CellId,
    /// The item's entity.
    pub entity: EntityId,
    /// The type as which the text is parsed.
    pub kind: AttributeType,
    /// The text before the edit.
    pub text: String,
    /// Whether typing replaces it.
    pub replace: bool,
    /// Whether it is edited in a multiline field.
    pub large: bool,
    /// What the field begins with, if that is not `text`: what was typed before the item got another id.
    pub typed: Option<String>,
}

impl Editing {
    /// What its field begins with.
    pub fn start(&self) -> &str {
        match (&self.typed, self.replace) {
            (Some(typed), _) => typed,
            (None, true) => "",
            (None, false) => &self.text,
        }
    }
}

/// How the user uses the cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct InUse {
    /// Whether the pointer is over them, or a finger is on them.
    pub pointer: bool,
    /// Whether one of them has the keyboard focus.
    pub focus: bool,
}

/// The state of the table. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Grid {
    /// The open design.
    pub store: Store,
    /// Identifies the table for deferred work.
    pub view: View,
    /// The memory across tabs.
    pub tables: Tables,
    /// The viewed table or index.
    pub index: IndexId,
    /// The view whose lines are visible or being filtered.
    pub shown_view: RwSignal<ByPtr<engine::View>>,
    /// The lines.
    pub sheet: Memo<ByPtr<Sheet>>,
    /// All columns in default order, including hidden ones.
    pub all_columns: Memo<Arc<Vec<Head>>>,
    /// The visible columns after the row head.
    pub columns: Memo<Arc<Vec<Head>>>,
    /// Order and visibility of the columns.
    pub layout: RwSignal<ColumnOrder>,
    /// Whether attributes that the index does not project have a column.
    pub absent: RwSignal<bool>,
    /// The columns' widths, in CSS pixels.
    pub widths: Memo<Arc<Vec<f64>>>,
    /// Widths set by the user, by attribute.
    pub resized: RwSignal<SortedMap<String, f64>>,
    /// Filter text: only items that contain it are visible.
    pub filter: RwSignal<String>,
    /// Entities whose items are hidden.
    pub hidden_entities: RwSignal<SortedSet<EntityId>>,
    /// The entity whose items alone are visible, because those of all others are hidden.
    pub only: Memo<Option<EntityId>>,
    /// How the user uses the cells now. Meanwhile no column changes its width.
    pub in_use: RwSignal<InUse>,
    /// A sort order other than DynamoDB's.
    pub sort: RwSignal<Option<SortBy>>,
    /// The active cell.
    pub active: RwSignal<Option<CellId>>,
    /// The active cell's line, while it is visible.
    pub active_line: Memo<Option<usize>>,
    /// The cell being edited; always the active one.
    pub editing: RwSignal<Option<Editing>>,
    /// Why the text in the edited cell is not a value.
    pub error: RwSignal<Option<String>>,
    /// The selected cells, if more than the active one.
    pub range: RwSignal<Option<Range>>,
    /// The first and the last selected column.
    pub range_columns: Memo<Option<(usize, usize)>>,
    /// The text to find, while the field is open.
    pub find: RwSignal<Option<String>>,
    /// The selected rows.
    pub selected: RwSignal<FxHashSet<SampleId>>,
    /// The message about the last key press.
    pub hint: RwSignal<Option<String>>,
    /// Vertical scroll offset, in CSS pixels.
    pub scroll: RwSignal<f64>,
    /// Height of the visible lines, in CSS pixels.
    pub height: RwSignal<f64>,
    /// Horizontal scroll offset, in CSS pixels.
    pub left: RwSignal<f64>,
    /// Width of the visible part, in CSS pixels.
    pub room: RwSignal<f64>,
    /// The element that scrolls.
    pub scroller: NodeRef<Div>,
    /// The field in the edited cell.
    pub input: NodeRef<Input>,
    /// The multiline field, for values that do not fit into a cell.
    pub text_area: NodeRef<Textarea>,
    /// The entity chosen for new rows.
    pub picked: RwSignal<Option<EntityId>>,
    /// Where a range of rows starts.
    pub anchor: StoredValue<Option<SampleId>>,
    /// Whether the table has the keyboard focus.
    pub focused: StoredValue<bool>,
    /// The cell clicked or tapped last.
    pub tapped: StoredValue<Option<CellId>>,
    /// Whether the pointer is selecting cells or rows.
    pub dragging: StoredValue<bool>,
    /// The column whose head has the keyboard focus, or whose menu action is running.
    pub head: StoredValue<Option<String>>,
    /// The open menu of the toolbar, by name.
    pub menu: RwSignal<&'static str>,
    /// Work deferred until the lines match the design.
    pub pending: StoredValue<Option<Pending>, LocalStorage>,
}

impl Grid {
    /// Returns the width of a row head, in CSS pixels: with the heat while the canvas shows it.
    pub fn row_head(self) -> f64 {
        match self.store.heat.with(Option::is_some) {
            true => ROW_HEAD + HEAT,
            false => ROW_HEAD,
        }
    }

    /// Returns the initial state: as the table was left, with the item that was active in another tab.
    pub fn new(store: Store, tables: Tables, index: IndexId) -> Grid {
        let opened = store.opened.get_untracked();
        let tab_state = tables.get(opened, index);
        let filter = RwSignal::new(tab_state.shown.filter);
        let without = RwSignal::new(tab_state.shown.hidden_entities);
        let sort = RwSignal::new(tab_state.shown.sort);
        let shown = move || SheetOptions {
            filter: filter.get(),
            hidden_entities: without.get(),
            sort: sort.get(),
        };
        let view = store.look_at(index);
        let sheet = filtered::sheet(view, shown);
        let in_use = RwSignal::new(InUse::default());
        let grows = memo(move |_| in_use.get() == InUse::default());
        let measured = memo(move |before: Option<&Measured>| {
            let (opened, grows) = (store.opened.get(), grows.get());
            view.with(|view| {
                store.with(|design| columns::measured(design, view, opened, grows, before))
            })
        });
        let only = memo(move |_| {
            let ids = store.entity_ids.get();
            without.with(|without| only_entity(ids, without))
        });
        let all_columns = memo(move |_| measured.with(|measured| measured.heads.clone()));
        let layout = RwSignal::new(tab_state.layout);
        let absent = RwSignal::new(!tab_state.projected_only);
        let most_frozen = most_frozen();
        let columns = memo(move |_| {
            let (absent, frozen) = (absent.get(), most_frozen.get());
            let arranged = |all: &Arc<Vec<Head>>| {
                layout.with(|layout| columns::arranged(all, layout, absent, frozen))
            };
            let mut heads = all_columns.with(arranged);
            if let Some(node) = only.get().and_then(|id| store.entity(id)) {
                node.entity.with(|entity| {
                    store.with(|design| {
                        heads.retain(|head| has_column(design, entity, &head.name, head.role));
                    });
                });
            }
            Arc::new(heads)
        });
        let resized = RwSignal::new(tab_state.resized);
        let widths = memo(move |_| {
            let width = |head: &Head| {
                resized.with(|resized| resized.get(&head.name).copied().unwrap_or(head.width))
            };
            let widths: Vec<f64> = columns.with(|heads| heads.iter().map(width).collect());
            Arc::new(widths)
        });
        let last = tables.active.get_value();
        let is_shown = |spot: &CellId| sheet.with_untracked(|s| s.find(spot.sample, 0).is_some());
        // A target of navigation is not filtered out.
        if tables.takes_focus.get_value() && last.as_ref().is_some_and(|spot| !is_shown(spot)) {
            filter.set(String::new());
            without.set(SortedSet::new());
        }
        let active = RwSignal::new(last.filter(is_shown));
        let active_line = memo(move |before: Option<&Option<usize>>| {
            let near = before.copied().flatten().unwrap_or(0);
            active.with(|spot| {
                let sample = spot.as_ref()?.sample;
                sheet.with(|sheet| sheet.find(sample, near))
            })
        });
        let range = RwSignal::new(None::<Range>);
        let range_columns = memo(move |_| {
            columns.with(|heads| range.with(|range| range.as_ref()?.columns_among(heads)))
        });
        effect(move || {
            let tab_state = TabState {
                layout: layout.get(),
                resized: resized.get(),
                shown: shown(),
                projected_only: !absent.get(),
            };
            tables.set(store.opened.get_untracked(), index, tab_state);
        });
        effect(move || {
            if let Some(spot) = active.get() {
                tables.active.set_value(Some(spot));
            }
        });
        effect(move || set_if_other(tables.only, only.get()));
        on_cleanup(move || {
            let _ = tables.only.try_update(|only| *only = None);
        });
        let grid = Grid {
            store,
            view: View::new(),
            tables,
            index,
            shown_view: view,
            sheet,
            all_columns,
            columns,
            layout,
            absent,
            widths,
            resized,
            filter,
            hidden_entities: without,
            only,
            in_use,
            sort,
            active,
            active_line,
            editing: RwSignal::new(None),
            error: RwSignal::new(None),
            range,
            range_columns,
            find: RwSignal::new(None),
            selected: RwSignal::default(),
            hint: RwSignal::new(None),
            scroll: RwSignal::new(0.0),
            height: RwSignal::new(600.0),
            left: RwSignal::new(0.0),
            room: RwSignal::new(900.0),
            scroller: NodeRef::new(),
            input: NodeRef::new(),
            picked: RwSignal::new(None),
            text_area: NodeRef::new(),
            anchor: StoredValue::new(None),
            focused: StoredValue::new(false),
            tapped: StoredValue::new(None),
            dragging: StoredValue::new(false),
            head: StoredValue::new(None),
            menu: RwSignal::new(""),
            pending: StoredValue::new_local(None),
        };
        grid.follow_columns();
        grid.follow_sorted_column();
        grid.follow_lines();
        grid
    }

    /// Returns whether the table is still in the page; deferred work has to check.
    pub fn is_there(self) -> bool {
        self.view.is_there()
    }

    /// Resets the state for another design.
    pub fn reset(self) {
        self.editing.set(None);
        self.pending.set_value(None);
        self.active.set(None);
        self.select_nothing();
        self.filter.set(String::new());
        self.hidden_entities.set(SortedSet::new());
        self.sort.set(None);
        self.find.set(None);
        self.layout.set(ColumnOrder::default());
        self.resized.set(SortedMap::new());
        self.hint.set(None);
        self.tapped.set_value(None);
        self.anchor.set_value(None);
        self.dragging.set_value(false);
        self.scroll_to(0.0);
        if let Some(scroller) = self.scroller.get_untracked() {
            scroller.set_scroll_left(0);
        }
        // A hidden table sends no scroll events.
        self.left.set(0.0);
    }

    /// Records how the user uses the cells.
    pub fn uses(self, change: impl FnOnce(&mut InUse)) {
        if let Some(mut now) = self.in_use.try_get_untracked() {
            change(&mut now);
            set_if_other(self.in_use, now);
        }
    }

    /// Shows the items of this entity alone, or of all.
    pub fn show_only(self, entity: Option<EntityId>) {
        self.select_nothing();
        let ids = self.store.entity_ids.get_untracked();
        let hidden = entity.map(|entity| others(ids, entity));
        self.hidden_entities.set(hidden.unwrap_or_default());
    }

    /// Clears the selection of rows and cells; the active cell stays.
    pub fn select_nothing(self) {
        if self.range.with_untracked(Option::is_some) {
            self.range.set(None);
        }
        if self.selected.with_untracked(|rows| !rows.is_empty()) {
            self.selected.set(FxHashSet::default());
        }
    }

    /// Returns the names of the visible columns that the index has.
    pub fn names(self) -> Vec<String> {
        self.columns
            .with_untracked(|heads| heads.iter().map(|head| head.name.clone()).collect())
    }

    /// Returns the item with the active cell.
    pub fn active_item(self) -> Option<Item> {
        let line = self.active_line.get()?;
        self.sheet.with(|sheet| sheet.item(line))
    }

    /// Returns the number of columns, including the row head.
    pub fn width(self) -> usize {
        self.columns.with_untracked(|columns| columns.len()) + 1
    }

    /// Returns the number of a cell's column, 0 for the row head; `None` if the column is hidden.
    pub fn column_of(self, spot: &CellId) -> Option<usize> {
        let Some(name) = &spot.column else {
            return Some(0);
        };
        let at = |heads: &Arc<Vec<Head>>| heads.iter().position(|head| head.name == *name);
        Some(self.columns.with_untracked(at)? + 1)
    }

    /// If the column of the active cell disappears, the column in its place gets the active cell. A column of the
    /// previously viewed table is kept for going back there.
    fn follow_columns(self) {
        let before = StoredValue::new(self.names());
        effect(move || {
            let names: Vec<String> =
                (self.columns).with(|heads| heads.iter().map(|head| head.name.clone()).collect());
            let before = before.try_update_value(|before| std::mem::replace(before, names.clone()));
            let active = self.active.get_untracked();
            let gone = active.filter(|spot| self.column_of(spot).is_none());
            let Some((spot, column)) = gone.and_then(|spot| Some((spot.clone(), spot.column?)))
            else {
                return;
            };
            let at = before.and_then(|before| before.iter().position(|name| *name == column));
            let Some(at) = at else { return };
            let next = names.get(at.min(names.len().saturating_sub(1)));
            self.active.set(Some(CellId {
                column: next.cloned(),
                ..spot
            }));
        });
    }

    /// Returns the cell on this line in this column.
    pub fn spot(self, line: usize, column: usize) -> Option<CellId> {
        let sample = (self.sheet).with_untracked(|sheet| sheet.item(line).map(|item| item.id()))?;
        let column = (column.checked_sub(1)).and_then(|column| {
            (self.columns).with_untracked(|heads| heads.get(column).map(|head| head.name.clone()))
        });
        Some(CellId { sample, column })
    }

    /// Returns line and column of the active cell.
    pub fn at(self) -> Option<(usize, usize)> {
        let line = self.active_line.get_untracked()?;
        let column = (self.active).with_untracked(|spot| self.column_of(spot.as_ref()?))?;
        Some((line, column))
    }

    /// Returns the cell that a step from the active one leads to.
    pub fn target(self, go: CellMove) -> Option<CellId> {
        let (line, column) = self.step(self.at()?, go);
        self.spot(line, column)
    }

    /// Like [`Grid::target`], but skips cells that cannot be edited.
    pub fn editable_target(self, go: CellMove) -> Option<CellId> {
        let mut at = self.at()?;
        // Two rows suffice: each row has an editable cell, or none has.
        for _ in 0..2 * self.width() {
            at = self.step(at, go);
            let spot = self.spot(at.0, at.1)?;
            if self.locked(at.0, &spot).is_none() {
                return Some(spot);
            }
        }
        self.target(go)
    }

    /// Returns where a step from a line and a column leads to.
    pub fn step(self, at: (usize, usize), go: CellMove) -> (usize, usize) {
        let columns = self.width();
        self.sheet
            .with_untracked(|sheet| sheet.move_cell(at, go, columns))
    }

    /// Returns why this cell cannot be edited; `None` if it can.
    pub fn locked(self, line: usize, spot: &CellId) -> Option<String> {
        let name = spot.column.as_deref()?;
        self.sheet.with_untracked(|sheet| {
            let entity = sheet.item(line)?.entity;
            let content = sheet.view().content.as_ref();
            self.store.with(|design| {
                if content.is_some_and(|content| !content.shows(name)) {
                    let index = design.index_name(self.index);
                    return Some(format!(
                        "{index} does not project `{name}`; edit it in the Table tab"
                    ));
                }
                locked(design, entity, name)
            })
        })
    }

    /// Returns whether a step would leave the active cell.
    pub fn moves(self, go: CellMove) -> bool {
        let spot = self.target(go);
        spot.is_some() && self.active.with_untracked(|active| *active != spot)
    }

    /// Makes a cell active that the user wants to see, so it is not filtered out.
    pub fn go_to(self, spot: Option<CellId>) {
        let Some(spot) = spot else {
            return self.focus();
        };
        if self
            .sheet
            .with_untracked(|sheet| sheet.find(spot.sample, 0).is_none())
        {
            self.filter.set(String::new());
            self.hidden_entities.set(SortedSet::new());
        }
        self.activate(spot);
    }

    /// Steps from the active cell; without one, goes to the first.
    pub fn go(self, go: CellMove) {
        let first = || self.spot(self.sheet.with_untracked(|sheet| sheet.first())?, 1);
        if let Some(spot) = self.target(go).or_else(first) {
            self.activate(spot);
        }
    }

    /// Makes a cell active, focused and visible, and clears the selection. Selected rows stay while the user moves
    /// along row heads.
    pub fn activate(self, spot: CellId) {
        if !self.make_active(spot) {
            return;
        }
        if let Some((line, column)) = self.at() {
            self.reveal_line(line);
            self.reveal_column(column);
        }
        self.focus();
    }

    /// Like [`Grid::activate`], for a pressed cell: nothing scrolls, so it stays under the pointer.
    pub fn activate_in_place(self, spot: CellId) {
        if self.make_active(spot) {
            self.focus();
        }
    }

    fn make_active(self, spot: CellId) -> bool {
        // Text in another edited cell is stored first. If it is not a value, it stays, and the active cell does not
        // change.
        if !self.commit(None) {
            return false;
        }
        self.hint.set(None);
        if spot.column.is_some() {
            self.select_nothing();
        } else if self.range.with_untracked(Option::is_some) {
            self.range.set(None);
        }
        if self
            .active
            .with_untracked(|active| active.as_ref() != Some(&spot))
        {
            self.active.set(Some(spot));
        }
        true
    }

    /// Returns why the active row is marked.
    pub fn active_reason(self) -> Option<String> {
        let line = self.active_line.get()?;
        self.sheet.with(|sheet| match sheet.line(line)? {
            Line::Row(row) => {
                let row = sheet.view().rows.get(row)?;
                columns::reason(self.store, &row.item, row.collides)
            }
            Line::Refused(refused) => {
                columns::reason(self.store, &sheet.view().failed[refused], false)
            }
            Line::Heading | Line::Reason(_) => None,
        })
    }
}

/// Returns the maximum number of frozen key columns for the window's width.
fn most_frozen() -> RwSignal<usize> {
    let now = || columns::most_frozen(window_size().0);
    let most = RwSignal::new(now());
    let resized = window_event_listener(ev::resize, move |_| set_if_other(most, now()));
    on_cleanup(move || resized.remove());
    most
}
