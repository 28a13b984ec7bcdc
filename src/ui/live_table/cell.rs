//! One cell of a row: its truncated text and its state (active, selected, found). Cell elements are reused for other
//! values, so only differences are set.

use super::cell_text::cut_to_cell;
use super::columns::Head;
use super::raw_element::{make, set};
use super::view_model::EntityLook;
use keyfold_app::grid::contains;
use keyfold_core::engine::{ColumnRole, Item, ValueRef};
use keyfold_core::model::Value;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

/// Initial text of a cell, so that it has a text node.
const BLANK: &str = "…";

/// The name of a cell without a value.
const NO_VALUE: &str = "no value";

/// The tooltip of the value of a key-only attribute.
const NOT_STORED: &str = "Key-only: the item does not store it, its keys have the value";

/// The states of a cell, one bit each; those with a class first.
const CLASSES: [(&str, u16); 8] = [
    ("locked", LOCKED),
    ("absent", ABSENT),
    ("other-type", OTHER_TYPE),
    ("active", ACTIVE),
    ("ranged", RANGED),
    ("found", FOUND),
    ("flagged", PROBLEM),
    ("key-only", KEY_ONLY),
];

const LOCKED: u16 = 1;
const ABSENT: u16 = 2;
const OTHER_TYPE: u16 = 4;
const ACTIVE: u16 = 8;
const RANGED: u16 = 16;
const FOUND: u16 = 32;
const SELECTED: u16 = 64;
const STOPS: u16 = 128;
const PROBLEM: u16 = 256;
const KEY_ONLY: u16 = 512;
/// The bits that follow from the value and its entity; the others follow from selection and focus.
const OF_VALUE: u16 = LOCKED | ABSENT | OTHER_TYPE | PROBLEM | KEY_ONLY;

/// The selection and focus state of a row's cells.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowState {
    /// The column that the tab key reaches, counted from the row head.
    pub stop: Option<usize>,
    /// Whether it is the active cell.
    pub active: bool,
    /// The first and the last column of the selected cells.
    pub ranged: Option<(usize, usize)>,
    /// Whether the whole row is selected.
    pub selected: bool,
    /// Whether it is the first row of its item collection.
    pub lead: bool,
    /// Its position in the result of the shown access pattern.
    pub answer: Option<String>,
}

impl RowState {
    /// Returns the bits of one cell. `needle` is the text to find, in lower case.
    fn of(&self, at: usize, head: &Head, item: &Item, needle: &str) -> u16 {
        let stops = self.stop == Some(at + 1);
        let value = || item.known(&head.name).filter(|_| head.projected);
        let ranged = self.ranged.is_some_and(|(from, to)| from <= at && at <= to);
        let found = !needle.is_empty() && value().is_some_and(|value| contains(value, needle));
        let bit = |on: bool, bit: u16| if on { bit } else { 0 };
        bit(stops, STOPS)
            | bit(stops && self.active, ACTIVE)
            | bit(ranged, RANGED)
            | bit(ranged || self.selected, SELECTED)
            | bit(found, FOUND)
    }
}

/// The shared data of a column's cells.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its number.
    pub at: usize,
    /// Whether it is frozen when scrolling sideways.
    frozen: bool,
    name: String,
    class: String,
}

impl Column {
    /// Returns the column with this number.
    pub fn new(at: usize, head: &Head) -> Column {
        let mut class = format!("grid-cell {}", role_class(head, at));
        if head.number {
            class.push_str(" number");
        }
        if !head.projected {
            class.push_str(" unprojected");
        }
        if !head.frozen {
            class.push_str(" placed");
        }
        Column {
            at,
            frozen: head.frozen,
            name: head.name.clone(),
            class,
        }
    }

    /// Returns a template cell to clone.
    pub fn pattern(&self) -> Element {
        let cell = make("div", &self.class);
        set(&cell, "role", "gridcell");
        set(&cell, "aria-selected", "false");
        self.name_cell(&cell);
        set(&cell, "tabindex", "-1");
        let text = make("span", "text");
        text.set_text_content(Some(BLANK));
        let _ = cell.append_child(&text);
        cell
    }

    fn name_cell(&self, cell: &Element) {
        set(cell, "aria-colindex", &(self.at + 2).to_string());
        set(cell, "data-column", &self.name);
    }

    /// The content security policy allows a style set here, but not one cloned with an element.
    fn place_cell(&self, cell: &HtmlElement) {
        let style = cell.style();
        let _ = style.set_property("width", &format!("var(--w{})", self.at));
        // The style sheet positions the frozen cells.
        let _ = match self.frozen {
            true => style.remove_property("left").map(drop),
            false => style.set_property("left", &format!("var(--x{})", self.at)),
        };
    }
}

/// A cell in the page, and its current content.
pub struct Cell {
    column: Column,
    element: HtmlElement,
    text: Node,
    shown: Shown,
    marks: u16,
    hue: Option<u8>,
}

struct Shown {
    text: String,
    title: Option<String>,
    /// For screen readers: the full text if it was truncated, or that there is no value.
    name: Option<String>,
}

impl Cell {
    /// Returns the cell cloned from a column's template.
    pub fn new(column: &Column, element: Element) -> Option<Cell> {
        let element: HtmlElement = element.unchecked_into();
        column.place_cell(&element);
        Some(Cell {
            column: column.clone(),
            text: element.first_child()?.first_child()?,
            element,
            shown: Shown {
                text: BLANK.into(),
                title: None,
                name: None,
            },
            marks: 0,
            hue: None,
        })
    }

    /// Its element.
    pub fn element(&self) -> &Element {
        &self.element
    }

    /// Removes the cell from the page.
    pub fn remove(&self) {
        self.element.remove();
    }

    /// Returns whether it is a cell of this column, at any position.
    pub fn is_of(&self, column: &Column) -> bool {
        self.column.name == column.name
    }

    /// Turns it into a cell of another column.
    pub fn become_of(&mut self, column: &Column) {
        if self.column != *column {
            column.name_cell(&self.element);
            column.place_cell(&self.element);
            self.element.set_class_name(&self.class(column));
            self.column = column.clone();
        }
    }

    /// Shows an item's value. `width` is the column's, in CSS pixels; `said` is the linter's finding.
    pub fn show(
        &mut self,
        head: &Head,
        column: &Column,
        of: (&Item, &EntityLook),
        width: f64,
        said: Option<&str>,
    ) {
        let (item, look) = of;
        let key_only = item.is_key_only(&head.name) && !item.is_written(&head.name);
        let value = item.known(&head.name).filter(|_| head.projected);
        let value = value.map(ValueRef::value);
        let value = value.as_deref();
        let locked = look.locked.get(column.at).and_then(Option::as_ref);
        let text = value.map(Value::to_text).unwrap_or_default();
        let shown = cut_to_cell(&text, width);
        let whole = (shown != text).then_some(text);
        let name = whole
            .clone()
            .or_else(|| value.is_none().then(|| NO_VALUE.to_owned()));
        // A changed title restyles the element, so only cells that need a title have one.
        let title = (said.map(str::to_owned))
            .or_else(|| locked.cloned())
            .or_else(|| whole.as_ref().map(|text| shortened(text, 2000)))
            .or_else(|| key_only.then(|| NOT_STORED.to_owned()));
        let other_type = value.is_some_and(|value| !matches!(value, Value::S(_) | Value::N(_)));
        let mut marks = self.marks & !OF_VALUE;
        for (on, bit) in [
            (locked.is_some(), LOCKED),
            (value.is_none(), ABSENT),
            (other_type, OTHER_TYPE),
            (said.is_some(), PROBLEM),
            (key_only && value.is_some(), KEY_ONLY),
        ] {
            marks |= if on { bit } else { 0 };
        }
        let hue = Some(look.hue).filter(|_| head.role == ColumnRole::Type && value.is_some());
        if self.shown.text != shown {
            self.text.set_node_value(Some(&shown));
        }
        let now = Shown {
            text: shown,
            title,
            name,
        };
        self.set_or_remove("title", &self.shown.title, &now.title);
        self.set_or_remove("aria-label", &self.shown.name, &now.name);
        self.shown = now;
        self.mark(marks, hue, column);
    }

    /// Shows its selection and focus state.
    pub fn show_state(
        &mut self,
        head: &Head,
        column: &Column,
        item: &Item,
        state: (&RowState, &str),
    ) {
        let marks = state.0.of(column.at, head, item, state.1) | self.marks & OF_VALUE;
        self.mark(marks, self.hue, column);
    }

    fn mark(&mut self, marks: u16, hue: Option<u8>, column: &Column) {
        let changed = self.marks ^ marks;
        if changed == 0 && self.hue == hue {
            return;
        }
        self.marks = marks;
        self.hue = hue;
        self.element.set_class_name(&self.class(column));
        let word = |bit: u16| if marks & bit == 0 { "false" } else { "true" };
        if changed & SELECTED != 0 {
            set(&self.element, "aria-selected", word(SELECTED));
        }
        if changed & STOPS != 0 {
            let place = if marks & STOPS == 0 { "-1" } else { "0" };
            set(&self.element, "tabindex", place);
        }
        if changed & LOCKED != 0 {
            if marks & LOCKED == 0 {
                let _ = self.element.remove_attribute("aria-readonly");
            } else {
                set(&self.element, "aria-readonly", "true");
            }
        }
    }

    fn class(&self, column: &Column) -> String {
        let mut class = column.class.clone();
        for (name, bit) in CLASSES {
            if self.marks & bit != 0 {
                class.push(' ');
                class.push_str(name);
            }
        }
        if let Some(hue) = self.hue {
            class.push_str(&format!(" hue-{hue}"));
        }
        class
    }

    fn set_or_remove(&self, name: &str, before: &Option<String>, now: &Option<String>) {
        match now {
            _ if before == now => {}
            Some(now) => set(&self.element, name, now),
            None => {
                let _ = self.element.remove_attribute(name);
            }
        }
    }
}

/// Returns the classes of a column's cells, for its role and for being frozen.
pub fn role_class(head: &Head, at: usize) -> String {
    let role = match head.role {
        ColumnRole::Partition => "partition",
        ColumnRole::Sort => "sort",
        ColumnRole::TableKey => "table-key",
        ColumnRole::Type => "type",
        ColumnRole::OtherKey => "other-key",
        ColumnRole::Attribute => "attribute",
    };
    match head.frozen {
        true => format!("{role} frozen frozen-{at}"),
        false => role.to_owned(),
    }
}

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
