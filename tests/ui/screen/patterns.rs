//! The access patterns as a person meets them.

use super::{Screen, document, set_value, settle, text_of, texts, wait, window};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlInputElement};

const PARTIQL: &str = ".pattern-editor textarea.mono";

impl Screen {
    /// Brings the access patterns to the front.
    pub async fn open_access_patterns(&self) {
        self.click(&self.get("#tab-access-patterns")).await;
    }

    /// Shows the list of access patterns, or the coverage matrix.
    pub async fn show_patterns_as(&self, view: &str) {
        self.click(&self.with_text(".patterns-bar [aria-pressed]", view))
            .await;
    }

    /// The names in the list of access patterns.
    pub fn listed_patterns(&self) -> Vec<String> {
        texts(self.all(".pattern-list .pattern-name"))
    }

    /// The name of the selected access pattern.
    pub fn selected_pattern(&self) -> String {
        text_of(self.get(".pattern-list [aria-selected=true] .pattern-name"))
    }

    /// Selects an access pattern in the list.
    pub async fn select_pattern(&self, name: &str) {
        let name = self.with_text(".pattern-list .pattern-name", name);
        self.click(&name.closest(".pattern-row").unwrap().unwrap())
            .await;
    }

    /// Whether a button with this accessible name is disabled.
    pub fn is_disabled(&self, button: &str) -> bool {
        self.button(button)
            .expect("a button")
            .has_attribute("disabled")
    }

    fn pattern_input(&self, label: &str) -> HtmlInputElement {
        let editor = self.get(".pattern-editor");
        if let Ok(Some(input)) = editor.query_selector(&format!("input[aria-label=\"{label}\"]")) {
            return input.unchecked_into();
        }
        let label = self.with_text(".pattern-editor label[for]", label);
        let id = label.get_attribute("for").unwrap();
        self.get(&format!("#{id}")).unchecked_into()
    }

    /// What stands in a field of the editor.
    pub fn pattern_field(&self, label: &str) -> String {
        self.pattern_input(label).value()
    }

    /// Types into a field of the editor, in place of what is there.
    pub async fn fill_pattern(&self, label: &str, text: &str) {
        let input = self.pattern_input(label);
        input.focus().unwrap();
        set_value(&input, text);
        settle().await;
    }

    /// Says that an attribute is known, or no longer.
    pub async fn know(&self, attribute: &str) {
        self.click(&self.with_text(".chip.known", attribute)).await;
    }

    /// Says that an entity is meant, or no longer.
    pub async fn mean(&self, entity: &str) {
        let mut all = self.all(".pattern-entity").into_iter();
        let found = all.find(|button| text_of(button.clone()).ends_with(entity));
        self.click(&found.expect("there is this entity")).await;
    }

    /// Waits for a verdict on the selected access pattern.
    pub async fn verdict_becomes(&self, wanted: &str) {
        for _ in 0..100 {
            if self.verdict() == wanted {
                return;
            }
            wait(30).await;
        }
        panic!("the verdict is {:?}: {:?}", self.verdict(), self.reasons());
    }

    /// The verdict on the selected access pattern; empty while it is not proven.
    pub fn verdict(&self) -> String {
        self.find(".proof-verdict").map(text_of).unwrap_or_default()
    }

    /// What a screen reader is told when another proof comes.
    pub fn told_of_proof(&self) -> String {
        let live = self.all(":is([aria-live], [role=status])").into_iter();
        let of_proof = live.filter(|live| live.closest(".pattern-proof").unwrap().is_some());
        texts(of_proof.collect()).join("\n")
    }

    /// Why it is so.
    pub fn reasons(&self) -> Vec<String> {
        texts(self.all(".pattern-proof .reason"))
    }

    /// What would serve it better.
    pub fn suggestions(&self) -> Vec<String> {
        texts(self.all(".suggestion"))
    }

    /// Takes the first suggestion.
    pub async fn take_suggestion(&self) {
        self.click(&self.get(".suggestion")).await;
    }

    /// The primary keys of the items that the selected access pattern returns, partition and sort key.
    pub fn returned(&self) -> Vec<String> {
        texts(self.all(".returned code"))
    }

    /// Waits until the selected access pattern returns so many items.
    pub async fn returns(&self, count: usize) -> Vec<String> {
        for _ in 0..100 {
            if self.returned().len() == count {
                return self.returned();
            }
            wait(30).await;
        }
        panic!("it returns {:?}: {:?}", self.returned(), self.reasons());
    }

    /// The figures of the proof, such as `2 items`.
    pub fn figures(&self) -> Vec<String> {
        texts(self.all(".pattern-proof .figure"))
    }

    /// The rows of the live table that are marked, with their mark and a column.
    pub async fn marked_rows(&self, column: &str) -> Vec<(String, String)> {
        wait(150).await;
        self.scroll_to_column(column).await;
        let cell = |row: &Element| {
            let cell = row.query_selector(&format!("[data-column=\"{column}\"]"));
            cell.unwrap().map(text_of).unwrap_or_default()
        };
        (self.all("[data-grid] [data-sample][data-answer]").iter())
            .map(|row| (row.get_attribute("data-answer").unwrap(), cell(row)))
            .collect()
    }

    /// What the table says of the access pattern whose rows are marked.
    pub fn shown_pattern(&self) -> Option<String> {
        self.find(".shown-pattern").map(text_of)
    }

    /// The rows of the coverage matrix: what is in the first column, and what each cell says.
    pub fn coverage(&self) -> Vec<(String, Vec<String>)> {
        (self.all(".coverage tbody tr").into_iter())
            .map(|row| {
                let cells = row.query_selector_all("td .visually-hidden").unwrap();
                let cells = (0..cells.length())
                    .map(|at| text_of(cells.item(at).unwrap().unchecked_into()))
                    .collect();
                let head = row.query_selector("th").unwrap().unwrap();
                (text_of(head), cells)
            })
            .collect()
    }

    /// What the coverage matrix says of indexes that serve nothing.
    pub fn idle_indexes(&self) -> String {
        text_of(self.get(".coverage-idle"))
    }

    /// Chooses the tool that a request is shown for.
    pub async fn choose_request(&self, tool: &str) {
        self.click(&self.with_text(".requests [aria-pressed]", tool))
            .await;
    }

    /// The request that is shown.
    pub fn request(&self) -> String {
        text_of(self.get(".requests .code"))
    }

    /// Copies the request that is shown; what the clipboard then has.
    pub async fn copy_request(&self) -> String {
        let navigator = window().navigator();
        let kept = js_sys::Function::new_with_args(
            "text",
            "window.keyfoldCopied = text; return Promise.resolve();",
        );
        let clipboard = js_sys::Object::new();
        js_sys::Reflect::set(&clipboard, &"writeText".into(), &kept).unwrap();
        let property = js_sys::Object::new();
        js_sys::Reflect::set(&property, &"value".into(), &clipboard).unwrap();
        js_sys::Reflect::set(&property, &"configurable".into(), &true.into()).unwrap();
        let object: &js_sys::Object = navigator.unchecked_ref();
        js_sys::Reflect::define_property(object, &"clipboard".into(), &property).unwrap();
        self.click(&self.with_text(".requests button", "Copy"))
            .await;
        let copied = js_sys::Reflect::get(&window(), &"keyfoldCopied".into()).unwrap();
        js_sys::Reflect::delete_property(object, &"clipboard".into()).unwrap();
        copied.as_string().unwrap_or_default()
    }

    /// The selected read as a PartiQL statement.
    pub fn partiql(&self) -> String {
        let area: web_sys::HtmlTextAreaElement = self.get(PARTIQL).unchecked_into();
        area.value()
    }

    /// Types another statement in its place, and leaves the field.
    pub async fn fill_partiql(&self, text: &str) {
        let area: web_sys::HtmlTextAreaElement = self.get(PARTIQL).unchecked_into();
        area.set_value(text);
        let options = web_sys::EventInit::new();
        options.set_bubbles(true);
        let event = web_sys::Event::new_with_event_init_dict("change", &options).unwrap();
        area.dispatch_event(&event).unwrap();
        settle().await;
    }

    /// Presses a key with Alt where the focus is.
    pub async fn press_with_alt(&self, key: &str) {
        let target = document().active_element().expect("a focus");
        let options = web_sys::KeyboardEventInit::new();
        options.set_key(key);
        options.set_alt_key(true);
        options.set_bubbles(true);
        options.set_cancelable(true);
        let event =
            web_sys::KeyboardEvent::new_with_keyboard_event_init_dict("keydown", &options).unwrap();
        let _: Result<bool, JsValue> = target.dispatch_event(&event);
        settle().await;
    }
}
