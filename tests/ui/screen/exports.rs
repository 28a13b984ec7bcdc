//! The exports, as a person meets them.

use super::{Screen, settle, text_of, texts, wait};
use wasm_bindgen::JsCast;
use web_sys::{Event, EventInit, HtmlInputElement, HtmlTextAreaElement};

impl Screen {
    /// Presses the box before a label.
    pub async fn switch(&self, label: &str) {
        let label = self.with_text(".toggle", label);
        let element = label.query_selector("input").unwrap().unwrap();
        self.click(&element).await;
    }

    /// Whether the box before a label is on.
    pub fn is_on(&self, label: &str) -> bool {
        let element = self.with_text(".toggle", label).query_selector("input");
        let input: HtmlInputElement = element.unwrap().unwrap().unchecked_into();
        input.checked()
    }

    /// What is said of the last export; empty if there was none.
    pub async fn last_export(&self) -> String {
        self.preview_is_made().await;
        text_of(self.get(".code-last"))
    }

    /// The lines that were added or removed since the last export, as they are shown.
    pub async fn changes(&self) -> Vec<String> {
        self.preview_is_made().await;
        texts(self.all(".code ins, .code del"))
    }

    /// Pastes an earlier version and asks for the plan.
    pub async fn paste_earlier(&self, text: &str) {
        let area: HtmlTextAreaElement = self.get(".plan-form textarea").unchecked_into();
        area.focus().unwrap();
        area.set_value(text);
        let options = EventInit::new();
        options.set_bubbles(true);
        let event = Event::new_with_event_init_dict("input", &options).unwrap();
        area.dispatch_event(&event).unwrap();
        settle().await;
        self.press_button("Show plan").await;
    }

    /// Why there is no plan.
    pub fn plan_problem(&self) -> String {
        text_of(self.get(".plan-form .code-problem"))
    }

    /// Takes the last export as the earlier version, once it is read.
    pub async fn press_last_export(&self) {
        for _ in 0..100 {
            if self.find(".plan-last").is_some() {
                break;
            }
            wait(20).await;
        }
        self.click(&self.get(".plan-last")).await;
    }
}
