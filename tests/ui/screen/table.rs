//! The live table as a person meets it.

use super::{Screen, document, frame, middle, pointer, set_value, settle, text_of, texts, wait};
use wasm_bindgen::JsCast;
use web_sys::{
    ClipboardEvent, ClipboardEventInit, DataTransfer, Element, HtmlElement, HtmlInputElement,
    HtmlTextAreaElement, KeyboardEvent, KeyboardEventInit, MouseEvent, MouseEventInit,
};

/// A cell in the page.
pub struct ShownCell {
    /// Its attribute.
    pub column: String,
    /// The place of its column, counted from 0.
    pub at: usize,
    /// Its text, whole.
    pub text: String,
    /// Whether it is drawn as one that the item lacks.
    pub is_absent: bool,
}

impl Screen {
    /// All cells in the page: the sample of each row, and its cells.
    pub fn cells(&self) -> Vec<(String, Vec<ShownCell>)> {
        let cell = |cell: Element| {
            let at = cell.get_attribute("aria-colindex").unwrap();
            ShownCell {
                column: cell.get_attribute("data-column").unwrap(),
                at: at.parse::<usize>().unwrap() - 2,
                // A cell without a value says that.
                text: (cell.get_attribute("aria-label"))
                    .filter(|_| !cell.class_list().contains("absent"))
                    .unwrap_or_else(|| cell.text_content().unwrap_or_default()),
                is_absent: cell.class_list().contains("absent"),
            }
        };
        let row = |row: Element| {
            let cells = row.query_selector_all("[data-column]").unwrap();
            let cells = (0..cells.length()).map(|at| cells.item(at).unwrap().unchecked_into());
            let cells: Vec<ShownCell> = cells.map(cell).collect();
            (row.get_attribute("data-sample").unwrap(), cells)
        };
        let rows = self.rows().into_iter().map(row);
        rows.filter(|(_, cells)| !cells.is_empty()).collect()
    }

    /// Double-clicks a cell that is in the page, types a text in place of its value and presses Enter. Whether the cell
    /// took it; one that did not is left as it was.
    pub async fn type_into_cell(&self, sample: &str, column: &str, text: &str) -> bool {
        let cell = self.get(&format!(
            "[data-grid] [data-sample=\"{sample}\"] [data-column=\"{column}\"]"
        ));
        self.click(&cell).await;
        let options = MouseEventInit::new();
        options.set_bubbles(true);
        let event = MouseEvent::new_with_mouse_event_init_dict("dblclick", &options).unwrap();
        cell.dispatch_event(&event).unwrap();
        settle().await;
        if self.large_field().is_some() {
            self.press("Escape", false).await;
            return false;
        }
        let Some(input) = self.find("[data-grid] [data-draft]") else {
            return false;
        };
        let input: HtmlInputElement = input.unchecked_into();
        set_value(&input, text);
        self.press("Enter", false).await;
        let is_taken = self.find("[data-grid] [data-draft]").is_none();
        if !is_taken {
            self.press("Escape", false).await;
        }
        is_taken
    }

    /// The rows in the page as they are seen, from the top. After scrolling they come into that order in the page a
    /// little later.
    pub(super) fn rows(&self) -> Vec<Element> {
        let mut rows = self.all("[data-grid] [data-sample]");
        rows.sort_by_key(row_number);
        rows
    }

    /// Scrolls the table sideways until a column is in sight, if it has one of that name.
    pub async fn scroll_to_column(&self, name: &str) {
        let head = self.all(&format!("[data-grid] [data-name=\"{name}\"]"));
        let Some(head) = head.into_iter().next() else {
            return;
        };
        let grid = self.get("[data-grid]");
        let frozen = (self.all("[data-grid] .grid-head .frozen").iter())
            .map(|head| head.client_width())
            .sum::<i32>();
        let head: HtmlElement = head.unchecked_into();
        let (left, right) = (head.offset_left(), head.offset_left() + head.client_width());
        let seen = grid.scroll_left();
        let is_frozen = head.class_list().contains("frozen");
        if !is_frozen && (left < seen + 60 + frozen || right > seen + grid.client_width()) {
            grid.set_scroll_left(left - 60 - frozen);
            frame().await;
            settle().await;
        }
    }

    pub(super) async fn cell(&self, row: usize, column: &str) -> Element {
        self.scroll_to_column(column).await;
        let selector = format!("[data-column=\"{column}\"]");
        let cell = self.rows()[row].query_selector(&selector).unwrap();
        cell.unwrap_or_else(|| panic!("no cell {column} in row {row}"))
    }

    /// Clicks a cell.
    pub async fn click_cell(&self, row: usize, column: &str) {
        self.click(&self.cell(row, column).await).await;
    }

    /// Scrolls the table to this many CSS pixels, and waits until its rows are there.
    pub async fn scroll_table(&self, top: i32) {
        self.get("[data-grid]").set_scroll_top(top);
        self.scrolled().await;
    }

    /// How far the table is scrolled down and to the right, in CSS pixels.
    pub fn table_scroll(&self) -> [i32; 2] {
        let grid = self.get("[data-grid]");
        [grid.scroll_top(), grid.scroll_left()]
    }

    /// Waits until scrolling has rested and the rows are in order again, on a busy machine somewhat longer.
    pub async fn scrolled(&self) {
        wait(250).await;
        for _ in 0..20 {
            if self.row_numbers().is_sorted() {
                return;
            }
            wait(100).await;
        }
    }

    /// How many cells of the table the tab key reaches.
    pub fn tab_stops(&self) -> usize {
        let cells = "[data-grid] [data-sample] [tabindex='0']";
        self.all(cells).len()
    }

    /// The numbers that the rows in the page have for screen readers, in the order of the page.
    pub fn row_numbers(&self) -> Vec<usize> {
        let rows = self.all("[data-grid] [data-sample]");
        rows.iter().map(row_number).collect()
    }

    /// Clicks the head of a row.
    pub async fn click_row_head(&self, row: usize) {
        let head = self.rows()[row].query_selector("[data-head]").unwrap();
        self.click(&head.expect("rows have a head")).await;
    }

    /// Presses the mouse on a cell, moves it to another, and lets go.
    pub async fn drag_cells(&self, from: (usize, &str), to: (usize, &str)) {
        let to = self.cell(to.0, to.1).await;
        let from = self.cell(from.0, from.1).await;
        let options = MouseEventInit::new();
        options.set_bubbles(true);
        let press = MouseEvent::new_with_mouse_event_init_dict("mousedown", &options).unwrap();
        pointer(&from, "pointerdown", middle(&from));
        from.dispatch_event(&press).unwrap();
        from.unchecked_ref::<HtmlElement>().focus().unwrap();
        settle().await;
        pointer(&to, "pointermove", middle(&to));
        settle().await;
        pointer(&to, "pointerup", middle(&to));
        settle().await;
    }

    /// Presses a key with Shift, and Ctrl if need be, where the focus is.
    pub async fn press_shift(&self, key: &str, ctrl: bool) {
        let target = document().active_element().expect("a focus");
        let options = KeyboardEventInit::new();
        options.set_key(key);
        options.set_shift_key(true);
        options.set_ctrl_key(ctrl);
        options.set_bubbles(true);
        options.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options).unwrap();
        target.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// The cells that a screen reader is told are selected, as `row column`.
    pub fn selected_cells(&self) -> Vec<String> {
        let mut selected = Vec::new();
        for (at, row) in self.rows().iter().enumerate() {
            let cells = row
                .query_selector_all("[role=gridcell][aria-selected=true]")
                .unwrap();
            for cell in (0..cells.length()).filter_map(|at| cells.item(at)) {
                let cell: Element = cell.unchecked_into();
                selected.push(format!(
                    "{at} {}",
                    cell.get_attribute("data-column").unwrap()
                ));
            }
        }
        selected
    }

    /// The cell with the keyboard focus: its row's sort key or first column's text, and its column.
    pub fn focused_cell(&self) -> (String, String) {
        let cell = document().active_element().expect("a focus");
        let row = cell.closest("[data-sample]").unwrap().expect("a cell");
        let key = row.query_selector("[data-column].sort").unwrap();
        let key = key.map(text_of).unwrap_or_default();
        (key, cell.get_attribute("data-column").unwrap_or_default())
    }

    /// The element with the keyboard focus.
    pub fn focused_element(&self) -> Element {
        document().active_element().expect("a focus")
    }

    /// Copies or cuts as the browser does for the keys. The text that is then in the clipboard.
    pub async fn clipboard(&self, kind: &str) -> String {
        let data = DataTransfer::new().unwrap();
        self.clipboard_event(kind, &self.focused_element(), &data);
        settle().await;
        data.get_data("text/plain").unwrap()
    }

    /// Pastes a text as the browser does for the keys.
    pub async fn paste(&self, text: &str) {
        let data = DataTransfer::new().unwrap();
        data.set_data("text/plain", text).unwrap();
        self.clipboard_event("paste", &self.focused_element(), &data);
        settle().await;
    }

    pub(super) fn clipboard_event(&self, kind: &str, target: &Element, data: &DataTransfer) {
        let options = ClipboardEventInit::new();
        options.set_bubbles(true);
        options.set_cancelable(true);
        options.set_clipboard_data(Some(data));
        let event = ClipboardEvent::new_with_event_init_dict(kind, &options).unwrap();
        target.dispatch_event(&event).unwrap();
    }

    /// The names in the heads of the columns, from the left.
    pub fn heads(&self) -> Vec<String> {
        let heads = self.all("[data-grid] [data-name]");
        (heads.iter())
            .filter_map(|head| head.get_attribute("data-name"))
            .collect()
    }

    /// How wide a column is, in CSS pixels.
    pub fn width_of(&self, name: &str) -> f64 {
        let head = self.get(&format!("[data-name=\"{name}\"]"));
        head.get_bounding_client_rect().width()
    }

    /// Gives the head of a column the keyboard focus.
    pub async fn focus_head(&self, name: &str) {
        let head: HtmlElement = self
            .get(&format!("[data-name=\"{name}\"]"))
            .unchecked_into();
        head.focus().unwrap();
        settle().await;
    }

    /// The column whose head has the keyboard focus; empty if none has.
    pub fn focused_head(&self) -> String {
        let focus = document().active_element().expect("a focus");
        focus.get_attribute("data-name").unwrap_or_default()
    }

    /// Types a text into the field that filters the rows.
    pub async fn filter_rows(&self, text: &str) {
        let input: HtmlInputElement = self.get(".table-filter input").unchecked_into();
        set_value(&input, text);
        settle().await;
    }

    /// The text in the field that filters the rows.
    pub fn row_filter(&self) -> String {
        let input: HtmlInputElement = self.get(".table-filter input").unchecked_into();
        input.value()
    }

    /// Presses a key with Alt where the focus is.
    pub async fn press_alt(&self, key: &str) {
        let target = document().active_element().expect("a focus");
        let options = KeyboardEventInit::new();
        options.set_key(key);
        options.set_alt_key(true);
        options.set_bubbles(true);
        options.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options).unwrap();
        target.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// Ticks or unticks a line of an open menu of the table's bar.
    pub async fn tick(&self, name: &str) {
        let line = self.with_text(".bar-line .bar-name", name);
        let line = line.closest(".bar-line").unwrap().unwrap();
        let tick = line
            .query_selector("input")
            .unwrap()
            .expect("a box to tick");
        self.click(&tick).await;
    }

    /// Clicks a cell with the right button.
    pub async fn right_click_cell(&self, row: usize, column: &str) {
        let cell = self.cell(row, column).await;
        self.right_click(&cell, middle(&cell)).await;
    }

    /// Clicks the head of a column with the right button.
    pub async fn right_click_head(&self, name: &str) {
        let head = self.get(&format!("[data-name=\"{name}\"]"));
        self.right_click(&head, middle(&head)).await;
    }

    /// Types a text to find into the field that Ctrl+F has opened. How many cells have it, as the field says.
    pub async fn find_text(&self, text: &str) -> String {
        let input: HtmlInputElement = self.get(".find-bar input").unchecked_into();
        assert_eq!(document().active_element().as_ref(), Some(input.as_ref()));
        set_value(&input, text);
        settle().await;
        self.find_count()
    }

    /// What the field for finding says of the cells with the text.
    pub fn find_count(&self) -> String {
        text_of(self.get(".find-count"))
    }

    /// Number of cells that are marked because they have the text.
    pub async fn found_cells(&self, column: &str) -> usize {
        self.scroll_to_column(column).await;
        let cells = format!("[data-grid] .found[data-column=\"{column}\"]");
        self.all(&cells).len()
    }

    /// The columns that have cells in the page, from the left.
    pub fn columns_in_page(&self) -> Vec<String> {
        let cells = self.rows()[0].query_selector_all("[data-column]").unwrap();
        (0..cells.length())
            .map(|at| cells.item(at).unwrap().unchecked_into::<Element>())
            .map(|cell| cell.get_attribute("data-column").unwrap())
            .collect()
    }

    /// Whether each cell in the page stands below the head of its column and is as wide.
    pub fn cells_are_below_their_heads(&self) -> bool {
        let place = |element: &Element| {
            let rect = element.get_bounding_client_rect();
            (rect.left(), rect.width())
        };
        self.all("[data-grid] [data-sample] [data-column]")
            .iter()
            .all(|cell| {
                let name = cell.get_attribute("data-column").unwrap();
                place(cell) == place(&self.get(&format!("[data-grid] [data-name=\"{name}\"]")))
            })
    }

    /// The active cell as the table marks it, whatever has the focus: its row's sort key, and its column.
    pub fn active_cell(&self) -> (String, String) {
        let cell = self.get(".grid-cell.active");
        let row = cell.closest("[data-sample]").unwrap().expect("a row");
        let key = row.query_selector("[data-column].sort").unwrap();
        let key = key.map(text_of).unwrap_or_default();
        (key, cell.get_attribute("data-column").unwrap_or_default())
    }

    /// What the line below the table says.
    pub fn table_status(&self) -> String {
        let parts = self.all(".table-status > *").into_iter();
        texts(parts.collect()).join(" | ")
    }

    /// Goes to the same item in another tab, by the button below the table.
    pub async fn go_to_place(&self, name: &str) {
        self.click(&self.with_text(".place", name)).await;
        settle().await;
    }

    /// The text in the field of several lines; `None` if it is not open.
    pub fn large_field(&self) -> Option<String> {
        let area: HtmlTextAreaElement = self.find("dialog[open] [data-draft]")?.unchecked_into();
        Some(area.value())
    }

    /// Types a text in place of what is in the field of several lines, and presses Ctrl and a key.
    pub async fn fill_large_field(&self, text: &str, key: &str) {
        let area: HtmlTextAreaElement = self.get("dialog[open] [data-draft]").unchecked_into();
        area.set_value(text);
        self.press_on(&area, key, true);
        settle().await;
    }

    /// The mistake that the field of several lines names.
    pub fn large_error(&self) -> String {
        text_of(self.get("dialog[open] .large-error"))
    }
}

fn row_number(row: &Element) -> usize {
    row.get_attribute("aria-rowindex").unwrap().parse().unwrap()
}
