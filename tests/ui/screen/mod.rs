//! The page as a person meets it: what can be seen, and what can be done with pointer and keyboard. Tests speak
//! in these words only; the selectors are here and nowhere else.

mod exports;
mod notes;
mod patterns;
mod problems;
mod storage;
mod table;

pub use self::storage::{
    clear_storage, fill_storage, make_room, spoil_design, storage, stored_designs,
};
use keyfold_core::model::Design;
use keyfold_core::persist::from_json;
use std::any::Any;
use std::cell::RefCell;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    DataTransfer, Document, Element, Event, EventInit, HtmlElement, HtmlInputElement,
    KeyboardEvent, KeyboardEventInit, MouseEvent, MouseEventInit, PointerEvent, PointerEventInit,
    Window,
};

const STYLES: &[&str] = &[
    include_str!("../../../style/tokens.css"),
    include_str!("../../../style/base.css"),
    include_str!("../../../style/shell.css"),
    include_str!("../../../style/canvas.css"),
    include_str!("../../../style/fields.css"),
    include_str!("../../../style/inspector.css"),
    include_str!("../../../style/menus.css"),
    include_str!("../../../style/patterns.css"),
    include_str!("../../../style/proof.css"),
    include_str!("../../../style/table.css"),
    include_str!("../../../style/problems.css"),
    include_str!("../../../style/gallery.css"),
    include_str!("../../../style/table_tools.css"),
    include_str!("../../../style/samples.css"),
    include_str!("../../../style/exports.css"),
    include_str!("../../../style/print.css"),
];

/// A point of the window, in CSS pixels.
pub type Point = (f64, f64);

/// The app, mounted in the test's page.
pub struct Screen {
    root: HtmlElement,
}

thread_local! {
    /// What is mounted. A test that fails does not get to unmount it; the next one does.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

fn window() -> Window {
    web_sys::window().expect("a window")
}

fn document() -> Document {
    window().document().expect("a document")
}

/// The system clipboard replaced by one that takes every text or refuses it, until this is dropped.
pub struct ClipboardThat;

impl ClipboardThat {
    /// From now on.
    pub fn answers(takes: bool) -> Self {
        let answer = if takes { "resolve" } else { "reject" };
        run_script(&format!(
            "navigator.clipboard.writeText = () => Promise.{answer}()"
        ));
        ClipboardThat
    }
}

impl Drop for ClipboardThat {
    fn drop(&mut self) {
        run_script("delete navigator.clipboard.writeText");
    }
}

/// Keeps the files that the page offers from being downloaded, until this is dropped.
struct KeptFiles;

impl KeptFiles {
    fn begin() -> Self {
        run_script(
            "const click = HTMLAnchorElement.prototype.click, url = URL.createObjectURL;
            window.keptFiles = { click, url, file: null };
            HTMLAnchorElement.prototype.click = function () { if (!this.download) click.call(this); };
            URL.createObjectURL = (file) => { window.keptFiles.file = file; return url.call(URL, file); };",
        );
        KeptFiles
    }

    /// The text of the last one.
    async fn text(&self) -> String {
        let read = js_sys::Function::new_no_args("return window.keptFiles.file.text()");
        let text: js_sys::Promise = read.call0(&JsValue::NULL).expect("a file").unchecked_into();
        let text = JsFuture::from(text).await.expect("its text");
        text.as_string().expect("a text")
    }
}

impl Drop for KeptFiles {
    fn drop(&mut self) {
        run_script(
            "HTMLAnchorElement.prototype.click = window.keptFiles.click;
            URL.createObjectURL = window.keptFiles.url;",
        );
    }
}

fn run_script(text: &str) {
    js_sys::Function::new_no_args(text)
        .call0(&JsValue::NULL)
        .expect("a script that runs");
}

/// Waits for timers, and then, on a busy machine too, for frames: what waits for one may ask for another.
pub async fn wait(milliseconds: i32) {
    let promise = js_sys::Promise::new(&mut |done, _| {
        window()
            .set_timeout_with_callback_and_timeout_and_arguments_0(&done, milliseconds)
            .unwrap();
    });
    JsFuture::from(promise).await.unwrap();
    for _ in 0..3 {
        frame().await;
    }
}

/// Waits until what was done is drawn.
async fn settle() {
    wait(10).await;
}

/// Waits for the next animation frame.
async fn frame() {
    let promise = js_sys::Promise::new(&mut |done, _| {
        window().request_animation_frame(&done).unwrap();
    });
    JsFuture::from(promise).await.unwrap();
}

impl Screen {
    /// The app as on a first visit.
    pub async fn first_visit() -> Screen {
        drop(MOUNTED.take());
        clear_storage().await;
        Self::visit().await
    }

    /// The app on whatever is stored.
    pub async fn visit() -> Screen {
        if document().get_element_by_id("keyfold-styles").is_none() {
            let style = document().create_element("style").unwrap();
            style.set_id("keyfold-styles");
            let room = "#app { position: fixed; inset: 0; z-index: 10; background: canvas; }";
            style.set_text_content(Some(&format!("{}{room}", STYLES.concat())));
            document().head().unwrap().append_child(&style).unwrap();
        }
        drop(MOUNTED.take());
        // The system's dialogs cannot be seen by a test: without them files are downloaded.
        for dialog in ["showOpenFilePicker", "showSaveFilePicker"] {
            let _ = js_sys::Reflect::delete_property(&window(), &dialog.into());
        }
        while let Some(root) = document().get_element_by_id("app") {
            root.remove();
        }
        let root: HtmlElement = document().create_element("div").unwrap().unchecked_into();
        root.set_id("app");
        document().body().unwrap().append_child(&root).unwrap();
        MOUNTED.set(Some(keyfold_web::ui::mount_in(root.clone()).await));
        let screen = Screen { root };
        wait(80).await;
        screen
    }

    /// Leaves the page and comes back.
    pub async fn reload(self) -> Screen {
        drop(self);
        Self::visit().await
    }

    fn find(&self, selector: &str) -> Option<Element> {
        self.root.query_selector(selector).unwrap()
    }

    fn get(&self, selector: &str) -> Element {
        self.find(selector)
            .unwrap_or_else(|| panic!("nothing matches {selector} in\n{}", self.root.inner_html()))
    }

    fn all(&self, selector: &str) -> Vec<Element> {
        let list = self.root.query_selector_all(selector).unwrap();
        (0..list.length())
            .map(|at| list.item(at).unwrap().unchecked_into())
            .collect()
    }

    fn with_text(&self, selector: &str, text: &str) -> Element {
        (self.all(selector).into_iter())
            .find(|element| element.text_content().unwrap_or_default().trim() == text)
            .unwrap_or_else(|| panic!("no {selector} says {text:?}"))
    }

    // ---- what one sees ----

    /// Names of the entities on the canvas.
    pub fn entities(&self) -> Vec<String> {
        texts(self.all(".entity-card .card-name"))
    }

    /// Names of the indexes on the canvas, without the table.
    pub fn indexes(&self) -> Vec<String> {
        texts(self.all(".index-card:not(.primary-card) .card-name"))
    }

    /// Number of wires that are drawn to secondary indexes.
    pub fn index_wires(&self) -> usize {
        self.all(".wire:not(.primary):not(.loose)").len()
    }

    /// The tabs with items: those of the table and the indexes, which come first.
    pub fn item_tabs(&self) -> Vec<String> {
        let is_of_items = |tab: &String| !tab.starts_with("Access patterns");
        self.tabs().into_iter().take_while(is_of_items).collect()
    }

    /// Names of the tabs of the bottom panel.
    pub fn tabs(&self) -> Vec<String> {
        texts(self.all(".panel-tabs [role=tab]"))
    }

    /// The design as the page has it: the file that it offers for saving.
    pub async fn design(&self) -> Design {
        let taken = KeptFiles::begin();
        self.press_button("Save as Keyfold file").await;
        from_json(&taken.text().await).expect("a design file")
    }

    /// What a column of the shown table holds, from the top; an empty text where an item lacks it. Scrolls to it.
    pub async fn column(&self, name: &str) -> Vec<String> {
        self.scroll_to_column(name).await;
        (self.rows().iter())
            .map(|row| {
                let cell = row
                    .query_selector(&format!("[data-column=\"{name}\"]"))
                    .unwrap();
                // A text that is cut to its cell is told whole to screen readers.
                // A cell without a value says that.
                let whole = |cell: Element| match cell.class_list().contains("absent") {
                    true => String::new(),
                    false => (cell.get_attribute("aria-label")).unwrap_or_else(|| text_of(cell)),
                };
                cell.map(whole).unwrap_or_default()
            })
            .collect()
    }

    /// Two columns side by side.
    pub async fn columns(&self, left: &str, right: &str) -> Vec<(String, String)> {
        let left = self.column(left).await;
        left.into_iter().zip(self.column(right).await).collect()
    }

    /// The exported text that is shown.
    pub async fn code(&self) -> String {
        self.preview_is_made().await;
        let code = self.get(".code.long");
        // Of a long text only a part is in the page; all of it is copied.
        self.press_on(&code, "a", true);
        let data = DataTransfer::new().unwrap();
        self.clipboard_event("copy", &code, &data);
        data.get_data("text/plain").unwrap().trim().to_owned()
    }

    /// Waits until the preview shows the design as it is.
    pub async fn preview_is_made(&self) {
        wait(30).await;
        for _ in 0..200 {
            if self.all(".code.long:not([aria-busy=true])").len() == 1 {
                return settle().await;
            }
            wait(10).await;
        }
        panic!("the preview is not made");
    }

    /// The messages that are shown.
    pub fn notices(&self) -> Vec<String> {
        texts(self.all(".notice-text"))
    }

    /// The reasons that stand under fields or cells.
    pub fn field_errors(&self) -> Vec<String> {
        texts(self.all(".field-error, .cell-error"))
            .into_iter()
            .filter(|text| !text.is_empty())
            .collect()
    }

    /// The value of a field of the inspector, by its label.
    pub fn field(&self, label: &str) -> String {
        self.input(label).value()
    }

    /// Waits until the last change is stored.
    pub async fn is_stored(&self) {
        self.save_state_becomes("Saved").await;
    }

    /// Waits until the design's storage is doing so.
    pub async fn save_state_becomes(&self, wanted: &str) {
        for _ in 0..100 {
            wait(50).await;
            if self.save_state() == wanted {
                return;
            }
        }
        panic!("{:?}", self.save_state());
    }

    /// How the design's storage is doing, such as `Saved`.
    pub fn save_state(&self) -> String {
        text_of(self.get(".save-state"))
    }

    /// The design's name.
    pub fn design_name(&self) -> String {
        self.input("Design name").value()
    }

    /// Waits until the design of this name is open.
    pub async fn design_becomes(&self, name: &str) {
        for _ in 0..100 {
            if self.design_name() == name {
                return;
            }
            wait(20).await;
        }
        panic!("{:?} is open", self.design_name());
    }

    /// Presses what a message offers to do.
    pub async fn press_in_notice(&self, label: &str) {
        self.click(&self.with_text(".notice button", label)).await;
    }

    /// Where an entity's card is.
    pub fn place_of(&self, entity: &str) -> Point {
        let rect = self.entity_card(entity).get_bounding_client_rect();
        (rect.left(), rect.top())
    }

    // ---- what one does ----

    /// Opens a pattern of the library.
    pub async fn open_pattern(&self, name: &str) {
        self.click(&self.get("[title^=\"Start from a pattern\"]"))
            .await;
        self.click(&self.get(&format!("[data-pattern=\"{name}\"]")))
            .await;
        self.click(&self.get("[data-use-pattern]")).await;
        wait(80).await;
    }

    /// Brings a tab of the bottom panel to the front.
    pub async fn open_tab(&self, name: &str) {
        self.click(&self.with_text(".panel-tabs [role=tab]", name))
            .await;
    }

    /// Chooses an export format in the Export tab.
    pub async fn choose_format(&self, name: &str) {
        self.click(&self.with_text(".code-formats [aria-pressed]", name))
            .await;
    }

    /// Drags a piece from the palette to a point of the canvas, given as parts of its width and height.
    pub async fn drag_from_palette(&self, piece: &str, to: Point) {
        let button = self.get(&format!("[data-piece=\"{piece}\"]"));
        let to = self.canvas_point(to);
        self.drag(&button, middle(&button), to).await;
    }

    /// Drags from an entity's port to an index's card.
    pub async fn wire(&self, entity: &str, index: &str) {
        let port = self.port(entity);
        let card = self.index_card(index);
        self.drag(&port, middle(&port), middle(&card)).await;
    }

    /// Drags from an entity's port to an empty spot of the canvas.
    pub async fn wire_to_empty(&self, entity: &str, to: Point) {
        let port = self.port(entity);
        let to = self.canvas_point(to);
        self.drag(&port, middle(&port), to).await;
    }

    /// Drags an entity's card by its head.
    pub async fn drag_card(&self, entity: &str, by: Point) {
        let head = self
            .entity_card(entity)
            .query_selector(".card-head")
            .unwrap()
            .unwrap();
        let from = middle(&head);
        self.drag(&head, from, (from.0 + by.0, from.1 + by.1)).await;
    }

    /// Drags an entity's card, and presses Escape before letting go.
    pub async fn drag_card_and_escape(&self, entity: &str, by: Point) {
        let head = self
            .entity_card(entity)
            .query_selector(".card-head")
            .unwrap()
            .unwrap();
        let from = middle(&head);
        pointer(&head, "pointerdown", from);
        pointer(&head, "pointermove", (from.0 + by.0, from.1 + by.1));
        settle().await;
        self.press("Escape", false).await;
        pointer(&head, "pointerup", (from.0 + by.0, from.1 + by.1));
        settle().await;
    }

    /// Selects an entity by clicking its card.
    pub async fn select_entity(&self, name: &str) {
        let head = self
            .entity_card(name)
            .query_selector(".card-head")
            .unwrap()
            .unwrap();
        self.click(&head).await;
    }

    /// Types a text into a field of the inspector or the top bar, key by key, in place of what is there.
    pub async fn fill(&self, label: &str, text: &str) {
        let input = self.input(label);
        input.focus().unwrap();
        for end in (text.char_indices().skip(1).map(|(at, _)| at)).chain([text.len()]) {
            set_value(&input, &text[..end]);
            frame().await;
        }
        settle().await;
    }

    /// Waits until there is a field with this accessible name.
    pub async fn has_field(&self, name: &str) {
        for _ in 0..100 {
            if self
                .find(&format!("input[aria-label=\"{name}\"]"))
                .is_some()
            {
                return;
            }
            wait(30).await;
        }
        panic!("no field is called {name:?}");
    }

    /// Moves the focus to a field.
    pub async fn focus_field(&self, label: &str) {
        self.input(label).focus().unwrap();
        settle().await;
    }

    /// Lets the browser type a text into a field, in place of what is there: it reports the change when the field is left.
    pub async fn type_text(&self, label: &str, text: &str) {
        let input = self.input(label);
        input.focus().unwrap();
        input.select();
        run_script(&format!(
            "document.execCommand('insertText', false, '{text}')"
        ));
        settle().await;
    }

    /// Presses a tab of the bottom panel in a browser that gives a pressed button no focus.
    pub async fn press_without_focus(&self, tab: &str) {
        let tab = self.with_text(".panel-tabs [role=tab]", tab);
        tab.unchecked_into::<HtmlElement>().click();
        settle().await;
    }

    /// Leaves the field that has the focus.
    pub async fn leave_field(&self) {
        if let Some(element) = document().active_element() {
            element.unchecked_into::<HtmlElement>().blur().unwrap();
        }
        settle().await;
    }

    /// Double-clicks a cell, types a text in place of its value, and presses a key (`Enter`, `Tab`, `Escape`).
    pub async fn edit_cell(&self, row: usize, column: &str, text: &str, key: &str) {
        let cell = self.cell(row, column).await;
        self.click(&cell).await;
        let options = MouseEventInit::new();
        options.set_bubbles(true);
        let event = MouseEvent::new_with_mouse_event_init_dict("dblclick", &options).unwrap();
        cell.dispatch_event(&event).unwrap();
        settle().await;
        let input: HtmlInputElement = self.get("[data-grid] [data-draft]").unchecked_into();
        set_value(&input, text);
        self.press_on(&input, key, false);
        settle().await;
    }

    /// Clicks a button by its accessible name or text. Opens the menu of the designs if it is not in the page: its lines
    /// are made when it opens.
    pub async fn press_button(&self, name: &str) {
        if self.button(name).is_none()
            && let Some(menu) = self.button("Designs and files")
        {
            self.click(&menu).await;
            settle().await;
        }
        let button = self.button(name);
        let button = button.unwrap_or_else(|| panic!("no button is called {name:?}"));
        self.click(&button).await;
    }

    /// The button with this accessible name or text.
    fn button(&self, name: &str) -> Option<Element> {
        self.all("button, summary").into_iter().find(|button| {
            button.get_attribute("aria-label").as_deref() == Some(name)
                || button.text_content().unwrap_or_default().trim() == name
        })
    }

    /// Presses a key where the focus is.
    pub async fn press(&self, key: &str, ctrl: bool) {
        let target = (document().active_element())
            .unwrap_or_else(|| document().body().unwrap().unchecked_into());
        self.press_on(&target, key, ctrl);
        settle().await;
    }

    fn press_on(&self, target: &Element, key: &str, ctrl: bool) {
        for kind in ["keydown", "keyup"] {
            let options = KeyboardEventInit::new();
            options.set_key(key);
            options.set_ctrl_key(ctrl);
            options.set_bubbles(true);
            options.set_cancelable(true);
            let event = KeyboardEvent::new_with_keyboard_event_init_dict(kind, &options).unwrap();
            target.dispatch_event(&event).unwrap();
        }
    }

    async fn click(&self, element: &Element) {
        let at = middle(element);
        pointer(element, "pointerdown", at);
        pointer(element, "pointerup", at);
        let element: &HtmlElement = element.unchecked_ref();
        if element.get_attribute("tabindex").is_some() || element.tag_name() == "BUTTON" {
            element.focus().unwrap();
        }
        element.click();
        settle().await;
    }

    async fn drag(&self, element: &Element, from: Point, to: Point) {
        pointer(element, "pointerdown", from);
        for step in 1..=5 {
            let part = f64::from(step) / 5.0;
            let at = (
                from.0 + (to.0 - from.0) * part,
                from.1 + (to.1 - from.1) * part,
            );
            pointer(element, "pointermove", at);
            frame().await;
        }
        pointer(element, "pointerup", to);
        settle().await;
    }

    fn canvas_point(&self, (x, y): Point) -> Point {
        let rect = self.get(".canvas").get_bounding_client_rect();
        (
            rect.left() + rect.width() * x,
            rect.top() + rect.height() * y,
        )
    }

    fn port(&self, entity: &str) -> Element {
        self.entity_card(entity)
            .query_selector("[data-port]")
            .unwrap()
            .expect("a port")
    }

    /// What an entity's card is called by a screen reader.
    pub fn spoken_name(&self, name: &str) -> String {
        let name = self.entity_card(name).get_attribute("aria-label");
        name.unwrap_or_default()
    }

    fn entity_card(&self, name: &str) -> Element {
        self.with_text(".entity-card .card-name", name)
            .closest(".card")
            .unwrap()
            .unwrap()
    }

    fn index_card(&self, name: &str) -> Element {
        self.with_text(".index-card .card-name", name)
            .closest(".card")
            .unwrap()
            .unwrap()
    }

    /// The field with this label: its `aria-label`, or the text of the `label` that belongs to it.
    fn input(&self, label: &str) -> HtmlInputElement {
        if let Some(input) = self.find(&format!("input[aria-label=\"{label}\"]")) {
            return input.unchecked_into();
        }
        let label = self.with_text("label[for]", label);
        let id = label.get_attribute("for").unwrap();
        self.get(&format!("#{id}")).unchecked_into()
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if let Some(mounted) = MOUNTED.take() {
            let event = Event::new("pagehide").unwrap();
            window().dispatch_event(&event).unwrap();
            drop(mounted);
            self.root.remove();
        }
    }
}

fn set_value(input: &HtmlInputElement, text: &str) {
    input.set_value(text);
    let options = EventInit::new();
    options.set_bubbles(true);
    let event = Event::new_with_event_init_dict("input", &options).unwrap();
    input.dispatch_event(&event).unwrap();
}

fn middle(element: &Element) -> Point {
    let rect = element.get_bounding_client_rect();
    (
        rect.left() + rect.width() / 2.0,
        rect.top() + rect.height() / 2.0,
    )
}

fn pointer(element: &Element, kind: &str, (x, y): Point) {
    let options = PointerEventInit::new();
    options.set_pointer_id(1);
    options.set_pointer_type("mouse");
    options.set_is_primary(true);
    options.set_button(0);
    options.set_buttons(u16::from(kind != "pointerup"));
    options.set_client_x(x as i32);
    options.set_client_y(y as i32);
    options.set_bubbles(true);
    options.set_cancelable(true);
    let event = PointerEvent::new_with_event_init_dict(kind, &options).unwrap();
    element.dispatch_event(&event).unwrap();
}

fn text_of(element: Element) -> String {
    element.text_content().unwrap_or_default().trim().to_owned()
}

fn texts(elements: Vec<Element>) -> Vec<String> {
    elements.into_iter().map(text_of).collect()
}

// ---- commands: palette, context menu, help ----
impl Screen {
    /// Opens the command palette and types into it.
    pub async fn search(&self, text: &str) {
        self.press("k", true).await;
        self.search_on(text).await;
    }

    /// Types another text into the open command palette.
    pub async fn search_on(&self, text: &str) {
        let input: HtmlInputElement = self.get("dialog[open] [role=combobox]").unchecked_into();
        assert_eq!(
            document().active_element().as_ref(),
            Some(input.as_ref()),
            "the search has the focus"
        );
        set_value(&input, text);
        settle().await;
    }

    /// What the open command palette offers.
    pub fn results(&self) -> Vec<String> {
        texts(self.all("dialog[open] [role=option] .command-text"))
    }

    /// The result that Enter would choose, as a screen reader finds it.
    pub fn current_result(&self) -> String {
        let id = self
            .get("dialog[open] [role=combobox]")
            .get_attribute("aria-activedescendant")
            .expect("a current result");
        let row = self.get(&format!("#{id}[aria-selected=true]"));
        text_of(row.query_selector(".command-text").unwrap().unwrap())
    }

    /// The letters of a result that the search found.
    pub fn emphasised(&self, row: usize) -> Vec<String> {
        texts(self.all(&format!("#command-{row} b")))
    }

    /// Chooses the current result with Enter.
    pub async fn choose_current(&self) {
        self.press("Enter", false).await;
        settle().await;
    }

    /// Chooses a result with the mouse.
    pub async fn choose_result(&self, text: &str) {
        self.click(&self.with_text("dialog[open] .command-text", text))
            .await;
        settle().await;
    }

    /// The accessible name of the dialog that is open.
    pub fn dialog(&self) -> Option<String> {
        self.find("dialog[open]")?.get_attribute("aria-label")
    }

    /// Presses a key with Shift where the focus is.
    pub async fn press_with_shift(&self, key: &str, code: &str) {
        let target = document().active_element().expect("a focus");
        let options = KeyboardEventInit::new();
        options.set_key(key);
        options.set_code(code);
        options.set_shift_key(true);
        options.set_bubbles(true);
        options.set_cancelable(true);
        let event = KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options).unwrap();
        target.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// Clicks an entity's card with the right button.
    pub async fn right_click_entity(&self, name: &str) {
        let card = self.entity_card(name);
        self.right_click(&card, middle(&card)).await;
    }

    /// Clicks an index's card with the right button.
    pub async fn right_click_index(&self, name: &str) {
        let card = self.index_card(name);
        self.right_click(&card, middle(&card)).await;
    }

    /// Clicks the canvas with the right button at a point given as parts of its width and height. Where that is
    /// in the window.
    pub async fn right_click_canvas(&self, at: Point) -> Point {
        let at = self.canvas_point(at);
        self.right_click(&self.get(".canvas"), at).await;
        at
    }

    /// Gives an entity's card the keyboard focus, as Tab would.
    pub async fn focus_entity(&self, name: &str) {
        let card: HtmlElement = self.entity_card(name).unchecked_into();
        card.focus().unwrap();
        settle().await;
    }

    async fn right_click(&self, element: &Element, (x, y): Point) {
        let options = MouseEventInit::new();
        options.set_bubbles(true);
        options.set_cancelable(true);
        options.set_button(2);
        options.set_client_x(x as i32);
        options.set_client_y(y as i32);
        let event = MouseEvent::new_with_mouse_event_init_dict("contextmenu", &options).unwrap();
        let ours = !element.dispatch_event(&event).unwrap();
        assert!(ours, "the browser's own menu stays away");
        settle().await;
    }

    /// Rests a finger on an entity's card for so many milliseconds, moving it that far on the way; 0 lifts it at
    /// once, however slow the machine is. Whether the browser may make a click of it when it is lifted.
    pub async fn rest_finger_on(&self, name: &str, milliseconds: i32, by: f64) -> bool {
        let card = self.entity_card(name);
        let (x, y) = middle(&card);
        for (kind, x) in [("pointerdown", x), ("pointermove", x + by)] {
            finger(&card, kind, (x, y));
        }
        if milliseconds > 0 {
            wait(milliseconds).await;
        }
        finger(&card, "pointerup", (x + by, y));
        let options = EventInit::new();
        options.set_bubbles(true);
        options.set_cancelable(true);
        let lifted = Event::new_with_event_init_dict("touchend", &options).unwrap();
        let clicks = card.dispatch_event(&lifted).unwrap();
        settle().await;
        clicks
    }

    /// What the open context menu offers; what is disabled in brackets.
    pub fn menu(&self) -> Vec<String> {
        (self.all("[role=menu] [role=menuitem]").into_iter())
            .map(|line| {
                let text = text_of(line.query_selector(".menu-text").unwrap().unwrap());
                match line.has_attribute("aria-disabled") {
                    true => format!("({text})"),
                    false => text,
                }
            })
            .collect()
    }

    /// Goes to a line of the open context menu by the arrow keys, and chooses it with Enter.
    pub async fn choose_from_menu_by_key(&self, text: &str) {
        while self.focus() != text {
            self.press("ArrowDown", false).await;
        }
        self.press("Enter", false).await;
    }

    /// What a screen reader was told last of a change that no field shows.
    pub fn told(&self) -> String {
        text_of(self.get(".spoken"))
    }

    /// Whether all of the open context menu is in the window.
    pub fn menu_is_in_window(&self) -> bool {
        let rect = self.get("[role=menu]").get_bounding_client_rect();
        let size = |value: Result<JsValue, JsValue>| value.unwrap().as_f64().unwrap();
        rect.left() >= 0.0
            && rect.top() >= 0.0
            && rect.right() <= size(window().inner_width())
            && rect.bottom() <= size(window().inner_height())
    }

    /// Chooses from the open context menu with the mouse.
    pub async fn choose_from_menu(&self, text: &str) {
        self.click(&self.with_text("[role=menu] .menu-text", text))
            .await;
    }

    /// What has the keyboard focus: its accessible name, or its text.
    pub fn focus(&self) -> String {
        let element = (document().active_element()).filter(|element| element.tag_name() != "BODY");
        let Some(element) = element else {
            return String::new();
        };
        let named = element.get_attribute("aria-label");
        named.unwrap_or_else(|| {
            let label = format!("label[for=\"{}\"]", element.id());
            let text = element.query_selector(".menu-text").unwrap();
            text_of(text.or_else(|| self.find(&label)).unwrap_or(element))
        })
    }

    /// The accessible names of the selected cards.
    pub fn selected(&self) -> Vec<String> {
        (self.all(".card.selected").into_iter())
            .filter_map(|card| card.get_attribute("aria-label"))
            .collect()
    }

    /// Whether an entity's card is in view on the canvas.
    pub fn is_in_view(&self, entity: &str) -> bool {
        let card = self.entity_card(entity).get_bounding_client_rect();
        let canvas = self.get(".canvas").get_bounding_client_rect();
        card.left() >= canvas.left()
            && card.top() >= canvas.top()
            && card.right() <= canvas.right()
            && card.bottom() <= canvas.bottom()
    }

    /// The tab of the bottom panel that is in front.
    pub fn current_tab(&self) -> String {
        text_of(self.get(".panel-tabs [aria-selected=true]"))
    }

    /// The lines of the open help: the keys, and what they do.
    pub fn help(&self) -> Vec<(Vec<String>, String)> {
        let parts = |row: &Element, selector: &str| {
            let list = row.query_selector_all(selector).unwrap();
            (0..list.length())
                .map(|at| text_of(list.item(at).unwrap().unchecked_into()))
                .collect::<Vec<_>>()
        };
        (self.all("dialog[open] .shortcut").iter())
            .map(|row| (parts(row, "kbd"), parts(row, "dd").concat()))
            .collect()
    }

    /// Whether the menu of designs and files is open.
    pub fn designs_menu_is_open(&self) -> bool {
        self.find(".menu[open]").is_some()
    }
}

fn finger(element: &Element, kind: &str, (x, y): Point) {
    let options = PointerEventInit::new();
    options.set_pointer_id(7);
    options.set_pointer_type("touch");
    options.set_is_primary(true);
    options.set_client_x(x as i32);
    options.set_client_y(y as i32);
    options.set_bubbles(true);
    options.set_cancelable(true);
    let event = PointerEvent::new_with_event_init_dict(kind, &options).unwrap();
    element.dispatch_event(&event).unwrap();
}

// ---- samples: generating, importing, retyping ----
impl Screen {
    /// Opens the form for generating from the bar of the table.
    pub async fn open_generate(&self) {
        self.click(&self.get(".table-bar [aria-label=\"Generate samples\"]"))
            .await;
    }

    /// Ticks or unticks an entity in the form for generating.
    pub async fn tick_entity(&self, entity: &str) {
        self.click(&self.get(&format!("[data-entity=\"{entity}\"] [type=checkbox]")))
            .await;
    }

    /// The entities that are ticked in the form for generating.
    pub fn ticked_entities(&self) -> Vec<String> {
        (self.all("[data-entity]").into_iter())
            .filter(|line| {
                line.query_selector(":checked[type=checkbox]")
                    .unwrap()
                    .is_some()
            })
            .filter_map(|line| line.get_attribute("data-entity"))
            .collect()
    }

    /// Accepts the first reference that is listed in the form for generating.
    pub async fn accept_reference(&self) {
        let list = self.get(".generate-references");
        list.set_attribute("open", "").unwrap();
        wait(100).await;
        self.click(&self.get(".references [aria-label^=Accept]"))
            .await;
    }

    /// Chooses in the open form that generated samples replace those there are.
    pub async fn replace_samples(&self) {
        let label = self.with_text("dialog label", "Replace samples of these entities");
        self.click(&label.query_selector("input").unwrap().expect("a choice"))
            .await;
    }

    /// Chooses an option of a list by the list's accessible name and the option's text.
    pub async fn choose(&self, label: &str, option: &str) {
        let id = self.with_text("label[for]", label).get_attribute("for");
        let select = self.get(&format!("#{}", id.unwrap()));
        let options = select.query_selector_all("option").unwrap();
        let value = (0..options.length())
            .map(|at| options.item(at).unwrap().unchecked_into::<Element>())
            .find(|found| found.text_content().as_deref() == Some(option))
            .unwrap_or_else(|| panic!("{label} does not offer {option}"))
            .get_attribute("value");
        js_sys::Reflect::set(&select, &"value".into(), &value.unwrap().into()).unwrap();
        let options = EventInit::new();
        options.set_bubbles(true);
        let event = Event::new_with_event_init_dict("change", &options).unwrap();
        select.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// What the form for generating says will come, or why nothing does.
    pub fn summary(&self) -> String {
        text_of(self.get("dialog[open] .samples-summary"))
    }

    /// Presses a button of the open dialog by its text.
    pub async fn press_in_dialog(&self, text: &str) {
        self.click(&self.with_text("dialog[open] button", text))
            .await;
    }

    /// Waits until no dialog is open.
    pub async fn dialog_closes(&self) {
        for _ in 0..600 {
            if self.dialog().is_none() {
                return;
            }
            wait(50).await;
        }
        panic!("{:?} stays open: {}", self.dialog(), self.root.inner_html());
    }

    /// Waits until all items are computed; what the table then says it holds.
    pub async fn table_holds(&self) -> String {
        loop {
            wait(60).await;
            let is_busy = self.get("[data-grid]").get_attribute("aria-busy");
            if is_busy.as_deref() != Some("true") {
                return text_of(self.get(".table-holds"));
            }
        }
    }

    /// Pastes a text into the form for importing.
    pub async fn paste_samples(&self, text: &str) {
        let area: web_sys::HtmlTextAreaElement = self.get("dialog[open] textarea").unchecked_into();
        area.set_value(text);
        let options = EventInit::new();
        options.set_bubbles(true);
        let event = Event::new_with_event_init_dict("input", &options).unwrap();
        area.dispatch_event(&event).unwrap();
        wait(100).await;
    }

    /// The entities that rows are imported into, each with how many.
    pub fn import_counts(&self) -> Vec<(String, String)> {
        let rows = self.all("dialog[open] [data-import]");
        let count = |row: &Element| text_of(row.query_selector(".generate-rows").unwrap().unwrap());
        (rows.iter())
            .map(|row| (row.get_attribute("data-import").unwrap(), count(row)))
            .collect()
    }

    /// What is not imported, with place and reason.
    pub fn not_imported(&self) -> Vec<String> {
        texts(self.all("dialog[open] [data-notes=\"Not imported\"] li"))
    }

    /// The whole report of an import.
    pub fn import_report(&self) -> String {
        text_of(self.get("dialog[open] .import-report"))
    }

    /// Unfolds an attribute in the inspector.
    pub async fn unfold(&self, attribute: &str) {
        let label = format!("Description and format of {attribute}");
        self.click(&self.get(&format!("[aria-label=\"{label}\"]")))
            .await;
    }

    /// What is said of the values of the unfolded attribute: the guess, and examples.
    pub fn format_hint(&self) -> (Option<String>, Option<String>) {
        let of = |selector: &str| self.find(&format!(".format-hint {selector}")).map(text_of);
        (of(".guess"), of(".examples"))
    }
}
