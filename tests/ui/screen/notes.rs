//! Notes on the canvas.

use super::{Screen, middle, set_value, settle, text_of, texts, wait};
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, HtmlInputElement, MouseEvent, MouseEventInit};

impl Screen {
    /// The notes as they are shown; those that are being written are left out.
    pub fn notes(&self) -> Vec<String> {
        texts(self.all(".note-card .note-text"))
    }

    /// What screen readers call the notes.
    pub fn spoken_notes(&self) -> Vec<String> {
        let label = |card: Element| card.get_attribute("aria-label").unwrap_or_default();
        self.all(".note-card").into_iter().map(label).collect()
    }

    /// Whether the text of a note is being edited, and the field has the focus.
    pub fn is_writing(&self) -> bool {
        self.find(".note-edit:focus").is_some()
    }

    /// Types a text into the note that is being edited, and presses a key.
    pub async fn write(&self, text: &str, key: &str, ctrl: bool) {
        let field: HtmlInputElement = self.get(".note-edit").unchecked_into();
        set_value(&field, text);
        settle().await;
        self.press_on(&field, key, ctrl);
        wait(40).await;
    }

    /// Presses the piece of the palette that adds a note.
    pub async fn press_note_piece(&self) {
        self.click(&self.get("[data-piece=Note]")).await;
        wait(40).await;
    }

    /// Gives the only note the keyboard focus.
    pub async fn focus_note(&self) {
        let card: HtmlElement = self.get(".note-card").unchecked_into();
        card.focus().unwrap();
        settle().await;
    }

    /// Presses the only note twice with the mouse.
    pub async fn double_click_note(&self) {
        let card = self.get(".note-card");
        self.click(&card).await;
        self.click(&card).await;
        let (x, y) = middle(&card);
        let options = MouseEventInit::new();
        options.set_bubbles(true);
        options.set_client_x(x as i32);
        options.set_client_y(y as i32);
        let event = MouseEvent::new_with_mouse_event_init_dict("dblclick", &options).unwrap();
        card.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// Chooses a color of the inspector by its name.
    pub async fn choose_color(&self, name: &str) {
        let color: HtmlElement =
            (self.get(&format!(".swatch input[aria-label={name}]"))).unchecked_into();
        color.click();
        settle().await;
    }

    /// The title of the inspector.
    pub fn inspected(&self) -> String {
        text_of(self.get(".inspector-head h2"))
    }
}
