//! One row in the page: head, cells and mark; or the text of a heading or a reason.

use super::cell::{Cell, Column, RowState};
use super::columns::Head;
use super::line_height::line_height;
use super::raw_element::{copy_of, make, set};
use super::view_model::{EntityLook, Key, RowContent};
use crate::ui::widgets::icon;
use crate::ui::widgets::icon::Glyph;
use keyfold_cost::heat::HeatMark;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use web_sys::{Element, HtmlElement, Node};

/// The shared data of all rows.
pub struct Context<'a> {
    /// All columns.
    pub heads: &'a [Head],
    /// The columns with cells.
    pub columns: &'a Arc<Vec<Column>>,
    /// The widths of all columns, in CSS pixels.
    pub widths: &'a Arc<Vec<f64>>,
    /// The text to find, in lower case.
    pub needle: &'a str,
}

/// A row, and its current content.
pub struct Row {
    /// Its element.
    pub element: HtmlElement,
    /// Its identity.
    pub number: usize,
    line: RowContent,
    state: RowState,
    /// Whether it has not shown anything yet.
    is_new: bool,
    /// The columns of its cells.
    columns: Arc<Vec<Column>>,
    /// The widths to which its texts were truncated.
    widths: Arc<Vec<f64>>,
    /// The text to find for which its cells were marked.
    needle: String,
    inside: Inside,
}

enum Inside {
    Cells(RowHead, Vec<Cell>),
    Note(Element),
}

/// Returns an empty row of cells to clone.
pub fn pattern(columns: &[Column]) -> Element {
    let row = make("div", "grid-row");
    set(&row, "role", "row");
    let head = make("div", HEAD);
    set(&head, "role", "rowheader");
    set(&head, "aria-colindex", "1");
    set(&head, "data-head", "");
    set(&head, "tabindex", "-1");
    let _ = head.append_child(&make("span", "badge"));
    let _ = head.append_child(&make("span", "visually-hidden"));
    let _ = row.append_child(&head);
    for column in columns {
        let _ = row.append_child(&column.pattern());
    }
    row
}

const HEAD: &str = "grid-cell row-head";

impl Row {
    /// Returns an empty row for a line.
    pub fn new(
        line: &RowContent,
        columns: &Arc<Vec<Column>>,
        pattern: &Element,
        number: usize,
    ) -> Row {
        let copied = || {
            let row = copy_of(pattern)?;
            let head = RowHead::new(row.first_element_child()?)?;
            Some((row, head))
        };
        let (element, inside) = match copied().filter(|_| line.item.is_some()) {
            Some((row, head)) => {
                let cells = cells_of(&row, columns);
                (row, Inside::Cells(head, cells))
            }
            None => note(line),
        };
        Row {
            element: element.unchecked_into(),
            number,
            line: line.clone(),
            state: RowState::default(),
            is_new: true,
            columns: columns.clone(),
            widths: Arc::default(),
            needle: String::new(),
            inside,
        }
    }

    /// Returns the line it shows, or showed last.
    pub fn key(&self) -> Key {
        self.line.key
    }

    /// Returns whether it can show an item.
    pub fn has_cells(&self) -> bool {
        matches!(self.inside, Inside::Cells(..))
    }

    /// Adds and removes cells to match these columns; new cells are still empty. Existing cells are not moved,
    /// because they may be focused or pressed.
    fn set_columns(&mut self, columns: &[Column]) {
        let Inside::Cells(_, cells) = &mut self.inside else {
            return;
        };
        let mut free = std::mem::take(cells);
        let kept = |column: &Column| {
            let at = free.iter().position(|cell| cell.is_of(column))?;
            Some(free.remove(at))
        };
        let kept: Vec<Option<Cell>> = columns.iter().map(kept).collect();
        free.iter().for_each(Cell::remove);
        let mut next = None;
        for (column, kept) in columns.iter().zip(kept).rev() {
            let new = || Cell::new(column, column.pattern());
            let Some(mut cell) = kept.or_else(|| free.pop()).or_else(new) else {
                continue;
            };
            cell.become_of(column);
            let element = cell.element();
            if !element.is_connected() || element.next_element_sibling() != next {
                let _ = self.element.insert_before(element, next.as_deref());
            }
            next = Some(element.clone());
            cells.push(cell);
        }
        cells.reverse();
    }

    /// Shows a line. It compares columns, widths and the text to find with its own content, because the row may have
    /// been out of the page when they changed.
    pub fn show(&mut self, line: &RowContent, state: &RowState, context: &Context) {
        let is_new = std::mem::take(&mut self.is_new);
        let other_columns = !Arc::ptr_eq(&self.columns, context.columns);
        if other_columns {
            self.set_columns(context.columns);
            self.columns = context.columns.clone();
        }
        let other_widths = !Arc::ptr_eq(&self.widths, context.widths);
        if other_widths {
            self.widths = context.widths.clone();
        }
        let other_needle = self.needle != context.needle;
        if other_needle {
            context.needle.clone_into(&mut self.needle);
        }
        if is_new || self.line.at != line.at {
            let top = format!("{}px", line.at as f64 * line_height());
            let _ = self.element.style().set_property("top", &top);
            set(&self.element, "aria-rowindex", &(line.at + 2).to_string());
        }
        match &mut self.inside {
            Inside::Note(note) => {
                if is_new || self.line.text != line.text {
                    note.set_text_content(line.text.as_deref());
                }
            }
            Inside::Cells(head, cells) => {
                if is_new || self.line.key != line.key {
                    set(&self.element, "data-sample", &line.key.sample());
                }
                let class = class_of(line, state);
                if is_new || class != class_of(&self.line, &self.state) {
                    self.element.set_class_name(&class);
                }
                if is_new || self.state.selected != state.selected {
                    set(&self.element, "aria-selected", &state.selected.to_string());
                }
                if self.state.answer != state.answer {
                    // The style sheet writes it into the row head.
                    let own: &Element = &self.element;
                    for element in [Some(own.clone()), own.first_element_child()] {
                        match (&element, &state.answer) {
                            (Some(element), Some(place)) => set(element, "data-answer", place),
                            (Some(element), None) => drop(element.remove_attribute("data-answer")),
                            (None, _) => {}
                        }
                    }
                }
                head.show(line, state);
                let other_state = self.state != *state || other_needle;
                let other_item = is_new
                    || other_columns
                    || other_widths
                    || self.line.item != line.item
                    || self.line.marked != line.marked;
                if let Some((item, look)) = line.item.as_ref().filter(|_| other_item || other_state)
                {
                    for (cell, column) in cells.iter_mut().zip(context.columns.iter()) {
                        let at = column.at;
                        let Some(head) = context.heads.get(at) else {
                            continue;
                        };
                        if other_item {
                            let width = context.widths.get(at).copied().unwrap_or(head.width);
                            let mut marked = line.marked.iter();
                            let said = marked.find(|(name, _)| *name == head.name);
                            let said = said.map(|(_, said)| said.as_str());
                            cell.show(head, column, (item, look), width, said);
                        }
                        cell.show_state(head, column, item, (state, context.needle));
                    }
                }
            }
        }
        if self.line != *line {
            self.line = line.clone();
        }
        if self.state != *state {
            self.state = state.clone();
        }
    }
}

fn class_of(line: &RowContent, state: &RowState) -> String {
    let mut class = "grid-row".to_owned();
    for (name, on) in [
        (" lead", state.lead),
        (" first", line.first),
        (" odd", line.odd),
        (" severe", line.severe),
        (" active", state.active),
        (" selected", state.selected),
    ] {
        if on {
            class.push_str(name);
        }
    }
    class
}

/// Returns the cells of a row cloned from a template of these columns.
fn cells_of(row: &Element, columns: &[Column]) -> Vec<Cell> {
    let mut cells = Vec::new();
    let mut next = row
        .first_element_child()
        .and_then(|head| head.next_element_sibling());
    for column in columns {
        let Some(element) = next else { break };
        next = element.next_element_sibling();
        cells.extend(Cell::new(column, element));
    }
    cells
}

fn note(line: &RowContent) -> (Element, Inside) {
    let is_heading = line.key == Key::Heading;
    let class = if is_heading {
        "grid-row grid-heading"
    } else {
        "grid-row grid-reason"
    };
    let row = make("div", class);
    set(&row, "role", "row");
    let note = make("div", "grid-note");
    set(&note, "role", "gridcell");
    if is_heading {
        let _ = note.append_child(&icon::element(Glyph::Warning));
    }
    let text = make("span", "");
    let _ = note.append_child(&text);
    let _ = row.append_child(&note);
    (row, Inside::Note(text))
}

/// The head of a row: its entity's badge, and a mark with its reason.
struct RowHead {
    element: Element,
    badge: Element,
    name: Node,
    look: Option<Arc<EntityLook>>,
    reason: Option<(String, bool)>,
    mark: Vec<Element>,
    heat: Option<(HeatMark, Element)>,
    /// Whether the tab key reaches it, and whether it is the active cell.
    state: (bool, bool),
}

impl RowHead {
    fn new(element: Element) -> Option<RowHead> {
        let badge = element.first_element_child()?;
        Some(RowHead {
            name: badge.next_sibling()?,
            badge,
            element,
            look: None,
            reason: None,
            mark: Vec::new(),
            heat: None,
            state: (false, false),
        })
    }

    fn show(&mut self, line: &RowContent, state: &RowState) {
        let look = line.item.as_ref().map(|(_, look)| look);
        let is_same = |other: &Arc<EntityLook>| {
            (self.look.as_ref()).is_some_and(|own| {
                own.name == other.name && own.badge == other.badge && own.hue == other.hue
            })
        };
        if let Some(look) = look.filter(|look| !is_same(look)) {
            self.badge
                .set_class_name(&format!("badge hue-{}", look.hue));
            set(&self.badge, "title", &look.name);
            self.badge.set_text_content(Some(&look.badge));
            self.name.set_text_content(Some(&look.name));
            self.look = Some(look.clone());
        }
        let reason = line.text.clone().map(|text| (text, line.severe));
        if reason != self.reason {
            self.mark.drain(..).for_each(|mark| mark.remove());
            if let Some((reason, severe)) = &reason {
                self.put_mark(reason, *severe);
            }
            self.reason = reason;
        }
        let heat = line.heat.as_ref().filter(|_| state.lead);
        if self.heat.as_ref().map(|(mark, _)| mark) != heat {
            if let Some((_, shown)) = self.heat.take() {
                shown.remove();
            }
            self.heat = heat.map(|mark| (mark.clone(), self.put_heat(mark)));
        }
        let stops = state.stop == Some(0);
        let now = (stops, stops && state.active);
        if now != self.state {
            set(&self.element, "tabindex", if stops { "0" } else { "-1" });
            let class = if now.1 {
                "grid-cell row-head active"
            } else {
                HEAD
            };
            self.element.set_class_name(class);
            self.state = now;
        }
    }

    fn put_heat(&self, mark: &HeatMark) -> Element {
        let shown = make("span", &format!("row-heat heat-{}", mark.level.name()));
        let said = make("span", "visually-hidden");
        said.set_text_content(Some(" heat "));
        let figure = make("span", "");
        figure.set_text_content(Some(&mark.figure));
        set(&shown, "title", &mark.title);
        for part in [&said, &figure] {
            let _ = shown.append_child(part);
        }
        let _ = self.element.append_child(&shown);
        shown
    }

    fn put_mark(&mut self, reason: &str, severe: bool) {
        let class = |name: &str| format!("{name}{}", if severe { " severe" } else { "" });
        let mark = make("span", &class("mark"));
        set(&mark, "title", reason);
        let _ = mark.append_child(&icon::element(Glyph::Warning));
        let text = make("span", &class("mark-reason"));
        text.set_text_content(Some(reason));
        for part in [mark, text] {
            let _ = self.element.append_child(&part);
            self.mark.push(part);
        }
    }
}
