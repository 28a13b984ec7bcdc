//! The editor of the design as text: `src/editor/editor.mjs`, a script that the page loads on demand.

use super::script;
use js_sys::Array;
use wasm_bindgen::prelude::*;
use web_sys::Element;

/// The file with the editor, served beside the page.
const FILE: &str = "editor.bundle.js";

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method)]
    fn create(this: &Module, parent: &Element, text: &str, label: &str, on: &JsValue) -> Editor;

    /// An editor in the page. Positions are in UTF-16 units.
    pub type Editor;
    /// Shows what the parser says: colored spans (start, end, number of a class), and blocks (start, end of the first line,
    /// end).
    #[wasm_bindgen(method)]
    pub fn color(this: &Editor, spans: Vec<u32>, classes: Vec<String>, blocks: Vec<u32>);
    /// Shows what is wrong with the text.
    #[wasm_bindgen(method, js_name = showProblems)]
    pub fn show_problems(this: &Editor, problems: &Array);
    /// Sets whether the text can only be read.
    #[wasm_bindgen(method, js_name = setReadOnly)]
    pub fn set_read_only(this: &Editor, is: bool);
    /// Returns the whole text.
    #[wasm_bindgen(method)]
    pub fn text(this: &Editor) -> String;
    /// Replaces a part of the text. If `goes`, the cursor goes there.
    #[wasm_bindgen(method)]
    pub fn change(this: &Editor, from: u32, to: u32, text: &str, goes: bool);
    /// Whether it has the keyboard focus.
    #[wasm_bindgen(method, js_name = hasFocus)]
    pub fn has_focus(this: &Editor) -> bool;
    /// Scrolls to a position that is out of view.
    #[wasm_bindgen(method)]
    pub fn reveal(this: &Editor, position: u32);
    /// Removes it.
    #[wasm_bindgen(method)]
    pub fn destroy(this: &Editor);
}

/// What an editor calls: the kind of event with up to two arguments, see `editor.mjs`.
pub type Listener = Closure<dyn Fn(String, JsValue, JsValue) -> JsValue>;

/// Makes an editor in an element; `None` if its script cannot be loaded.
pub async fn create(parent: &Element, text: &str, label: &str, on: &Listener) -> Option<Editor> {
    let module: Module = script::load(FILE).await?.unchecked_into();
    Some(module.create(parent, text, label, on.as_ref()))
}
