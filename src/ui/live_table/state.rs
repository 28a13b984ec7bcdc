//! What the table remembers beside the design: the active cell, the cell that is being edited, the selected
//! rows, how far it is scrolled. And what one can do with cells; with whole rows, see `rows`.

use super::columns::{self, Head, Measured};
use crate::app::Command;
use crate::app::grid::{Go, Line, Sheet};
use crate::domain::model::{AttributeType, EntityId, IndexId, SampleId, Value};
use crate::ui::parts::erased::memo;
use crate::ui::store::{ByPtr, Store};
use leptos::html::{Div, Input};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use web_sys::{HtmlElement, Node};

/// Height of a line, in CSS pixels.
pub const LINE: f64 = 28.0;

/// A cell, by what it shows and not by where it is: it stays the same when the order changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The item.
    pub sample: SampleId,
    /// The attribute; `None`: the head of the row.
    pub column: Option<String>,
}

/// A cell that is being edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Editing {
    /// The cell.
    pub spot: Spot,
    /// The item's entity.
    pub entity: EntityId,
    /// The type that the text is read as.
    pub kind: AttributeType,
    /// The value's text before.
    pub text: String,
    /// Whether what is typed replaces it.
    pub replace: bool,
}

/// The state of the table. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct Grid {
    /// The open design.
    pub store: Store,
    /// The table or the index that is shown.
    pub index: IndexId,
    /// The lines.
    pub sheet: Memo<ByPtr<Sheet>>,
    /// The columns after the row's head.
    pub columns: Memo<Arc<Vec<Head>>>,
    /// The columns' widths, in CSS pixels.
    pub widths: Memo<Arc<Vec<f64>>>,
    /// Widths that were set by hand, by attribute.
    pub resized: RwSignal<BTreeMap<String, f64>>,
    /// Only items with this text are shown.
    pub filter: RwSignal<String>,
    /// The active cell.
    pub active: RwSignal<Option<Spot>>,
    /// The active cell's line, while it is shown.
    pub active_line: Memo<Option<usize>>,
    /// The cell that is being edited; always the active one.
    pub editing: RwSignal<Option<Editing>>,
    /// Why the text in the edited cell is no value.
    pub error: RwSignal<Option<String>>,
    /// The selected rows.
    pub selected: RwSignal<BTreeSet<SampleId>>,
    /// What there is to say about the last key press.
    pub hint: RwSignal<Option<String>>,
    /// How far it is scrolled down, in CSS pixels.
    pub scroll: RwSignal<f64>,
    /// Height of the lines in sight, in CSS pixels.
    pub height: RwSignal<f64>,
    /// The element that scrolls.
    pub scroller: NodeRef<Div>,
    /// The field in the edited cell.
    pub input: NodeRef<Input>,
    /// Where a range of rows starts.
    pub anchor: StoredValue<Option<SampleId>>,
    /// Whether the keyboard focus belongs to the table.
    pub focused: StoredValue<bool>,
    /// The cell that was clicked or tapped last.
    pub tapped: StoredValue<Option<Spot>>,
}

impl Grid {
    /// The table's state at the start.
    pub fn new(store: Store, index: IndexId) -> Grid {
        let filter = RwSignal::new(String::new());
        let view = store.look_at(index);
        let sheet = memo(move |_| {
            let sheet = filter.with(|filter| Sheet::new(view.get().0, filter));
            ByPtr(Arc::new(sheet))
        });
        let measured = memo(move |before: Option<&Measured>| {
            let opened = store.opened.get();
            view.with(|view| store.with(|design| columns::measured(design, view, opened, before)))
        });
        let columns = memo(move |_| measured.with(|measured| measured.heads.clone()));
        let resized = RwSignal::new(BTreeMap::<String, f64>::new());
        let widths = memo(move |_| {
            let width = |head: &Head| {
                resized.with(|resized| resized.get(&head.name).copied().unwrap_or(head.width))
            };
            let widths: Vec<f64> = columns.with(|heads| heads.iter().map(width).collect());
            Arc::new(widths)
        });
        let active = RwSignal::new(None::<Spot>);
        let active_line = memo(move |before: Option<&Option<usize>>| {
            let near = before.copied().flatten().unwrap_or(0);
            active.with(|spot| {
                let sample = spot.as_ref()?.sample;
                sheet.with(|sheet| sheet.find(sample, near))
            })
        });
        Grid {
            store,
            index,
            sheet,
            columns,
            widths,
            resized,
            filter,
            active,
            active_line,
            editing: RwSignal::new(None),
            error: RwSignal::new(None),
            selected: RwSignal::default(),
            hint: RwSignal::new(None),
            scroll: RwSignal::new(0.0),
            height: RwSignal::new(600.0),
            scroller: NodeRef::new(),
            input: NodeRef::new(),
            anchor: StoredValue::new(None),
            focused: StoredValue::new(false),
            tapped: StoredValue::new(None),
        }
    }

    /// Number of columns, the head of the row included.
    pub fn width(self) -> usize {
        self.columns.with_untracked(|columns| columns.len()) + 1
    }

    /// The number of an attribute's column; 0 for the head, and for one that is not shown.
    pub fn column_of(self, spot: &Spot) -> usize {
        let name = spot.column.as_deref();
        let at = |heads: &Arc<Vec<Head>>| heads.iter().position(|head| Some(&*head.name) == name);
        self.columns
            .with_untracked(at)
            .map_or(0, |column| column + 1)
    }

    /// The cell on this line in this column.
    pub fn spot(self, line: usize, column: usize) -> Option<Spot> {
        let sample = (self.sheet).with_untracked(|sheet| sheet.item(line).map(|item| item.id()))?;
        let column = (column.checked_sub(1)).and_then(|column| {
            (self.columns).with_untracked(|heads| heads.get(column).map(|head| head.name.clone()))
        });
        Some(Spot { sample, column })
    }

    /// Line and column of the active cell.
    fn at(self) -> Option<(usize, usize)> {
        let line = self.active_line.get_untracked()?;
        let column = (self.active).with_untracked(|spot| Some(self.column_of(spot.as_ref()?)))?;
        Some((line, column))
    }

    /// The cell that a step from the active one leads to.
    pub fn target(self, go: Go) -> Option<Spot> {
        let (line, column) = self.step(self.at()?, go);
        self.spot(line, column)
    }

    /// As [`Grid::target`], but past cells that cannot be edited.
    pub fn editable_target(self, go: Go) -> Option<Spot> {
        let mut at = self.at()?;
        // Two rows have a cell to edit, or there is none.
        for _ in 0..2 * self.width() {
            at = self.step(at, go);
            let spot = self.spot(at.0, at.1)?;
            if self.locked(at.0, &spot).is_none() {
                return Some(spot);
            }
        }
        self.target(go)
    }

    fn step(self, at: (usize, usize), go: Go) -> (usize, usize) {
        let columns = self.width();
        self.sheet.with_untracked(|sheet| sheet.go(at, go, columns))
    }

    /// Why this cell cannot be edited; `None`: it can.
    fn locked(self, line: usize, spot: &Spot) -> Option<String> {
        let entity = self
            .sheet
            .with_untracked(|sheet| Some(sheet.item(line)?.entity))?;
        let name = spot.column.as_deref()?;
        self.store
            .with(|design| columns::locked(design, entity, name))
    }

    /// Whether a step would leave the active cell.
    pub fn moves(self, go: Go) -> bool {
        let spot = self.target(go);
        spot.is_some() && self.active.with_untracked(|active| *active != spot)
    }

    /// Steps from the active cell; without one, to the first.
    pub fn go(self, go: Go) {
        let first = || self.spot(self.sheet.with_untracked(|sheet| sheet.first())?, 1);
        if let Some(spot) = self.target(go).or_else(first) {
            self.activate(spot);
        }
    }

    /// Makes a cell the active one, with the keyboard focus and in sight.
    pub fn activate(self, spot: Spot) {
        self.hint.set(None);
        if self
            .active
            .with_untracked(|active| active.as_ref() != Some(&spot))
        {
            self.active.set(Some(spot));
        }
        self.reveal();
        self.focus();
    }

    /// Scrolls as little as needed to show the active line.
    pub fn reveal(self) {
        let (Some(line), Some(scroller)) = (
            self.active_line.get_untracked(),
            self.scroller.get_untracked(),
        ) else {
            return;
        };
        // A refused item with the reason below it.
        let lines = match self.sheet.with_untracked(|sheet| sheet.line(line)) {
            Some(Line::Refused(_)) => 2.0,
            _ => 1.0,
        };
        let top = line as f64 * LINE;
        let bottom = top + lines * LINE;
        let seen = f64::from(scroller.scroll_top());
        let height = f64::from(scroller.client_height()) - LINE;
        let to = if top < seen {
            top
        } else if bottom > seen + height {
            bottom - height
        } else {
            return;
        };
        scroller.set_scroll_top(to.ceil() as i32);
        self.scroll.set(to);
    }

    /// Gives the active cell the keyboard focus. It may not be drawn yet: until then the table itself has it,
    /// so that no key press is lost.
    pub fn focus(self) {
        let Some(scroller) = self.scroller.get_untracked() else {
            return;
        };
        self.focused.set_value(true);
        if !self.has_focus() {
            let _ = scroller.focus();
        }
        request_animation_frame(move || {
            if self.editing.try_get_untracked().flatten().is_some() {
                return;
            }
            let cell = scroller.query_selector(".grid-body [tabindex=\"0\"]");
            if let Ok(Some(cell)) = cell
                && let Ok(cell) = cell.dyn_into::<HtmlElement>()
            {
                let _ = cell.focus();
            }
        });
    }

    /// Whether the keyboard focus is in the table.
    pub fn has_focus(self) -> bool {
        let focus = document().active_element();
        (self.scroller.get_untracked().zip(focus))
            .is_some_and(|(scroller, focus)| scroller.contains(Some(focus.unchecked_ref::<Node>())))
    }

    /// Opens the active cell for editing, or says why it cannot be edited.
    pub fn edit(self, replace: bool) {
        let Some(spot) = self.active.get_untracked() else {
            return;
        };
        let (Some(name), Some(line)) = (&spot.column, self.active_line.get_untracked()) else {
            return;
        };
        let Some(item) = (self.sheet).with_untracked(|sheet| sheet.item(line).cloned()) else {
            return;
        };
        let locked = self
            .store
            .with(|design| columns::locked(design, item.entity, name));
        if locked.is_some() {
            self.hint.set(locked);
            return;
        }
        let value = item.get(name);
        let kind = self
            .store
            .with(|design| columns::kind(design, item.entity, name, value));
        let text = value.map(Value::to_text).unwrap_or_default();
        self.hint.set(None);
        self.error.set(None);
        self.editing.set(Some(Editing {
            entity: item.entity,
            kind,
            text,
            replace,
            spot,
        }));
    }

    /// Stores what was typed and makes `then` the active cell. What is no value stays in the field, with the
    /// reason; then it answers `false`.
    pub fn commit(self, then: Option<Spot>) -> bool {
        let Some(editing) = self.editing.get_untracked() else {
            return true;
        };
        let typed = self.input.get_untracked().map(|input| input.value());
        let typed = typed.unwrap_or_else(|| editing.text.clone());
        if typed != editing.text {
            let read = match typed.is_empty() {
                true => Ok(None),
                false => Value::from_text(editing.kind, &typed).map(Some),
            };
            let result = read.and_then(|value| self.set(editing.entity, &editing.spot, value));
            if let Err(message) = result {
                self.error.set(Some(message));
                return false;
            }
        }
        self.close(then.or(Some(editing.spot)));
        true
    }

    /// Leaves the edited cell as it was.
    pub fn revert(self) {
        let spot = self.editing.get_untracked().map(|editing| editing.spot);
        self.close(spot);
    }

    fn close(self, then: Option<Spot>) {
        // The focus must not fall out of the table with the field.
        let had_focus = self.has_focus();
        if had_focus && let Some(scroller) = self.scroller.get_untracked() {
            let _ = scroller.focus();
        }
        self.error.set(None);
        self.editing.set(None);
        match then {
            Some(spot) if had_focus => self.activate(spot),
            spot => self.active.set(spot),
        }
    }

    fn set(self, entity: EntityId, spot: &Spot, value: Option<Value>) -> Result<(), String> {
        let Some(attribute) = spot.column.clone() else {
            return Ok(());
        };
        let command = Command::SetValue {
            entity,
            sample: spot.sample,
            attribute,
            value,
        };
        self.store.run(command).map_err(|refused| refused.0)
    }

    /// Changes the active cell's value without opening it; `change` gets the value that is there.
    pub fn change(self, change: impl FnOnce(AttributeType, Option<&Value>) -> Option<Value>) {
        let (Some(spot), Some(line)) = (
            self.active.get_untracked(),
            self.active_line.get_untracked(),
        ) else {
            return;
        };
        let Some(item) = (self.sheet).with_untracked(|sheet| sheet.item(line).cloned()) else {
            return;
        };
        let Some(name) = &spot.column else { return };
        let locked = (self.store).with(|design| columns::locked(design, item.entity, name));
        if locked.is_some() {
            self.hint.set(locked);
            return;
        }
        let before = item.get(name);
        let kind = (self.store).with(|design| columns::kind(design, item.entity, name, before));
        if let Err(message) = self.set(item.entity, &spot, change(kind, before)) {
            self.hint.set(Some(message));
        }
        self.reveal();
    }

    /// Whether the active cell holds a boolean, or would.
    pub fn is_boolean(self) -> bool {
        let spot = self.active.get_untracked();
        let line = self.active_line.get_untracked();
        let item = line.and_then(|line| self.sheet.with_untracked(|s| s.item(line).cloned()));
        match (item, spot.and_then(|spot| spot.column)) {
            (Some(item), Some(name)) => {
                let kind = (self.store)
                    .with(|design| columns::kind(design, item.entity, &name, item.get(&name)));
                kind == AttributeType::Bool && !item.is_written(&name)
            }
            _ => false,
        }
    }

    /// What there is to say about the active row: why it is marked.
    pub fn active_reason(self) -> Option<String> {
        let line = self.active_line.get()?;
        self.sheet.with(|sheet| match sheet.line(line)? {
            Line::Row(row) => {
                let row = &sheet.view().rows[row];
                columns::reason(self.store, &row.item, row.collides)
            }
            Line::Refused(refused) => {
                columns::reason(self.store, &sheet.view().failed[refused], false)
            }
            Line::Heading | Line::Reason(_) => None,
        })
    }
}
