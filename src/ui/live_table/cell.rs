//! One cell of a row: its text, cut to its place, and what it is to the person.

use super::columns::Head;
use super::row::Look;
use crate::app::grid::contains;
use crate::app::picture::cut;
use crate::domain::engine::{ColumnRole, Item};
use crate::domain::model::Value;
use leptos::prelude::*;
use web_sys::Element;

/// Space of a cell that is not its text's, in CSS pixels, and the size of its font. Text is cut to its cell: a clip
/// for each would cost every frame of the canvas.
const PADDING: f64 = 21.0;
/// See [`PADDING`].
const FONT: f64 = 12.0;

/// What a row's cells are to the person besides their values.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowState {
    /// The column, counted from the head of the row, that the tab key reaches.
    pub stop: Option<usize>,
    /// Whether that is the active cell.
    pub active: bool,
    /// The first and the last column of the selected cells.
    pub ranged: Option<(usize, usize)>,
    /// Whether the whole row is selected.
    pub selected: bool,
    /// The text to find, in lower case.
    pub needle: String,
}

/// The same of one cell.
#[derive(Debug, Clone, Copy)]
pub struct CellState {
    stops: bool,
    active: bool,
    ranged: bool,
    selected: bool,
    found: bool,
}

impl RowState {
    /// What one of the cells is.
    pub fn of(&self, at: usize, head: &Head, item: &Item) -> CellState {
        let stops = self.stop == Some(at + 1);
        let value = || item.get(&head.name).filter(|_| head.projected);
        let ranged = self.ranged.is_some_and(|(from, to)| from <= at && at <= to);
        CellState {
            stops,
            active: stops && self.active,
            ranged,
            selected: ranged || self.selected,
            found: !self.needle.is_empty() && value().is_some_and(|v| contains(v, &self.needle)),
        }
    }
}

impl CellState {
    fn classes(self) -> [(&'static str, bool); 3] {
        [
            ("active", self.active),
            ("ranged", self.ranged),
            ("found", self.found),
        ]
    }

    fn tabindex(self) -> &'static str {
        if self.stops { "0" } else { "-1" }
    }

    /// Shows it in a cell that is in the page.
    pub fn show_in(self, cell: &Element) {
        for (class, on) in self.classes() {
            let _ = cell.class_list().toggle_with_force(class, on);
        }
        let _ = cell.set_attribute("aria-selected", &self.selected.to_string());
        let _ = cell.set_attribute("tabindex", self.tabindex());
    }
}

/// A cell.
pub fn cell_view(
    at: usize,
    head: &Head,
    item: &Item,
    look: &Look,
    width: f64,
    state: CellState,
) -> impl IntoView + use<> {
    let value = item.get(&head.name).filter(|_| head.projected);
    let locked = look.locked.get(at).cloned().flatten();
    let text = value.map(Value::to_text).unwrap_or_default();
    let title = locked
        .clone()
        .or_else(|| (text.chars().count() > 12).then(|| shortened(&text, 2000)));
    let shown = cut(&text, width - PADDING, FONT).into_owned();
    let whole = (shown != text).then(|| text.clone());
    let mut class = format!("grid-cell {}", role_class(head, at));
    let mut mark = |when: bool, name: &str| {
        if when {
            class.push(' ');
            class.push_str(name);
        }
    };
    mark(head.number, "number");
    mark(locked.is_some(), "locked");
    mark(value.is_none(), "absent");
    mark(!head.projected, "unprojected");
    mark(
        value.is_some_and(|value| !matches!(value, Value::S(_) | Value::N(_))),
        "other-type",
    );
    for (name, on) in state.classes() {
        mark(on, name);
    }
    if head.role == ColumnRole::Type && value.is_some() {
        class.push_str(&format!(" hue-{}", look.hue));
    }
    view! {
        <div
            class=class
            role="gridcell"
            aria-colindex=(at + 2).to_string()
            aria-readonly=locked.is_some().then_some("true")
            data-column=head.name.clone()
            aria-selected=state.selected.to_string()
            tabindex=state.tabindex()
            title=title
            aria-label=whole
            style:width=format!("var(--w{at})")
        >
            <span class="text">{shown}</span>
        </div>
    }
}

/// The classes of a column's cells, for its role and for staying in sight.
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
