//! The editor of the text, which follows the design and back: problems, colors, completion, hover, renaming.

use super::bar::Bar;
use crate::platform::editor::{self, Editor, Listener};
use crate::ui::canvas::handle::{CanvasHandle, use_canvas};
use crate::ui::designs::{Designs, use_designs};
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::later::View;
use crate::ui::state::store::{Store, use_store};
use js_sys::{Array, Object, Reflect};
use keyfold_app::fixes;
use keyfold_app::text::{Paragraph, Reading, TextIssue, difference, followed, with_line_ends_of};
use keyfold_core::lint::Severity;
use keyfold_core::model::{CardId, capital};
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsValue;
use std::sync::Arc;

/// The editor with what it shows. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct TextEditor {
    pub(super) store: Store,
    canvas: CanvasHandle,
    view: View,
    editor: StoredValue<Option<(Editor, Listener)>, LocalStorage>,
    /// The text in the editor, as it was read.
    reading: StoredValue<Option<Reading>, LocalStorage>,
    issues: StoredValue<Vec<TextIssue>>,
    /// The design whose text is shown, as in [`Store::opened`].
    design: StoredValue<u64>,
    /// What is wrong with the text; empty if nothing.
    pub(super) error: RwSignal<String>,
    /// Whether the editor's script could not be loaded.
    failed: RwSignal<bool>,
}

/// The design as text.
#[component]
pub fn TextTab() -> impl IntoView {
    let (store, designs, view) = (use_store(), use_designs(), View::new());
    let place: NodeRef<Div> = NodeRef::new();
    let own = TextEditor {
        store,
        canvas: use_canvas(),
        view,
        editor: StoredValue::new_local(None),
        reading: StoredValue::new_local(None),
        issues: StoredValue::default(),
        design: StoredValue::new(store.opened.get_untracked()),
        error: RwSignal::default(),
        failed: RwSignal::new(false),
    };
    // What was read has ids of before the merge: it is read again when the merged design is shown.
    store.when_moved(move |_| own.reading.set_value(None));
    let begin = move || {
        if let Some(place) = place.get_untracked() {
            own.failed.set(false);
            view.answer(own.create(designs, place.into(), view), |()| ());
        }
    };
    effect(move || {
        if place.get().is_some() {
            begin();
        }
    });
    effect(move || {
        store.revision.track();
        store.opened.track();
        own.follow_design(designs, view);
    });
    effect(move || {
        store.findings.report.track();
        own.show_findings();
    });
    effect(move || {
        let card = store.selection.with(|cards| match cards.len() {
            1 => cards.first().copied(),
            _ => None,
        });
        if let Some(card) = card {
            own.reveal(card);
        }
    });
    effect(move || {
        let is = store.is_read_only.get();
        own.with_editor(|editor| editor.set_read_only(is));
    });
    on_cleanup(move || {
        if let Some(Some((editor, _))) = own.editor.try_update_value(Option::take) {
            editor.destroy();
        }
    });
    view! {
        <div class="text-tab">
            <Bar own=own />
            <div class="text-editor" node_ref=place></div>
            <Show when=move || own.failed.get()>
                <div class="on-demand" role="alert">
                    <p>"The editor did not load. Check the connection and try again."</p>
                    <button class="button" on:click=move |_| begin()>
                        "Try again"
                    </button>
                </div>
            </Show>
        </div>
    }
}

impl TextEditor {
    /// Makes the editor. The text is the one that was stored with the design, or the design printed.
    async fn create(self, designs: Designs, place: web_sys::Element, view: View) {
        let text = loop {
            let _ = designs.own_text().await;
            if !view.is_there() {
                return;
            }
            // Otherwise another design was opened meanwhile.
            if let Some(text) = self.current_text() {
                break text;
            }
        };
        let listener =
            Listener::new(move |kind: String, first: JsValue, second: JsValue| {
                match view.is_there() {
                    true => self.answer(&kind, &first, &second),
                    false => JsValue::NULL,
                }
            });
        let made = editor::create(&place, &text, "The design as text", &listener).await;
        let Some(made) = made else {
            if view.is_there() {
                self.failed.set(true);
            }
            return;
        };
        if !view.is_there() {
            return made.destroy();
        }
        made.set_read_only(self.store.is_read_only.get_untracked());
        self.editor.set_value(Some((made, listener)));
        self.read(text);
        // The design may have changed while the script loaded.
        self.follow_now(false);
    }

    /// The text, brought up to date with the design; `None` while the text of an opened design is being read.
    pub(super) fn current_text(self) -> Option<Arc<str>> {
        let text = self.store.text()?;
        let followed = self.store.with(|design| followed(&text, design));
        let Some((next, is_whole)) = followed else {
            return Some(text.text);
        };
        if is_whole {
            let message = "The text was written anew, without its comments. Undo brings them back.";
            self.store.notices.keep(message);
        }
        self.store.set_text(next.clone());
        Some(next.text)
    }

    /// Shows what changed in the design elsewhere; another design with its stored text.
    fn follow_design(self, designs: Designs, view: View) {
        if self.editor.with_value(Option::is_none) {
            return;
        }
        match self.store.text() {
            Some(_) => self.follow_now(false),
            None => view.answer(designs.own_text(), move |_| self.follow_now(false)),
        }
    }

    /// Shows the current text. If `goes`, the cursor goes to what changed.
    fn follow_now(self, goes: bool) {
        let Some(text) = self.current_text() else {
            return;
        };
        let before = self
            .reading
            .with_value(|reading| Some(reading.as_ref()?.text.clone()));
        if before.as_ref() == Some(&text) {
            return;
        }
        self.editor.with_value(|editor| {
            if let Some((editor, _)) = editor {
                let edit = difference(&editor.text(), &text);
                editor.change(edit.range.start, edit.range.end, &edit.text, goes);
                // Another design begins at its top.
                let opened = self.store.opened.get_untracked();
                if self.design.get_value() != opened {
                    self.design.set_value(opened);
                    editor.reveal(0);
                }
            }
        });
        self.read(text);
        self.finish_draft();
    }

    /// The last error of a text may go by a change of the design, such as another name. What else the text says is then in the
    /// design, too, as if it had been typed.
    fn finish_draft(self) {
        if self.store.text().is_none_or(|text| text.errors == 0) {
            return;
        }
        let command = self.ask(|reading| {
            let command = || self.store.with(|design| reading.command(design));
            reading.first_error().is_none().then(command)
        });
        if let Some(Err(refused)) = command.map(|command| self.store.run(command)) {
            self.error.set(refused.to_string());
        }
    }

    /// Reads the text in the editor, and shows its colors and problems.
    fn read(self, text: Arc<str>) {
        let reading = self.store.with(|design| Reading::new(text, design));
        self.reading.set_value(Some(reading));
        self.show_error();
        self.show();
    }

    /// Shows what is wrong with the text.
    fn show_error(self) {
        let error = self.ask(|reading| {
            let (at, message) = reading.first_error()?;
            let at = capital(&at.to_string());
            let stop = if message.ends_with('?') { "" } else { "." };
            Some(format!(
                "{at}: {message}{stop} The canvas shows the last text without errors."
            ))
        });
        self.error.set(error.unwrap_or_default());
    }

    /// Shows the colors and the problems of a text that was just read.
    fn show(self) {
        self.with_both(|editor, reading| {
            let spans = reading.spans(tint);
            editor.color(spans.numbers, spans.classes, reading.blocks());
            let report = self.store.findings.report.get_untracked();
            self.show_problems(editor, reading.issues(&report));
        });
    }

    /// Shows what the linter found. The colors stay, and so do the problems where they are the same.
    fn show_findings(self) {
        let report = self.store.findings.report.get_untracked();
        self.with_both(|editor, reading| {
            let issues = reading.issues(&report);
            if self.issues.with_value(|shown| *shown != issues) {
                self.show_problems(editor, issues);
            }
        });
    }

    fn show_problems(self, editor: &Editor, issues: Vec<TextIssue>) {
        let problems: Array = issues.iter().enumerate().map(problem).collect();
        self.issues.set_value(issues);
        editor.show_problems(&problems);
    }

    /// Does something with the editor and the text that was read, once they are there.
    fn with_both(self, act: impl FnOnce(&Editor, &Reading)) {
        self.reading.with_value(|reading| {
            self.editor.with_value(|editor| {
                if let (Some(reading), Some((editor, _))) = (reading, editor) {
                    act(editor, reading);
                }
            });
        });
    }

    fn with_editor(self, act: impl FnOnce(&Editor)) {
        self.editor.with_value(|editor| {
            if let Some((editor, _)) = editor {
                act(editor);
            }
        });
    }

    /// Scrolls to the lines of a card that was selected elsewhere.
    fn reveal(self, card: CardId) {
        let place = self
            .reading
            .with_value(|reading| reading.as_ref()?.place_of(card));
        self.editor.with_value(|editor| {
            if let (Some((editor, _)), Some(place)) = (editor, place)
                && !editor.has_focus()
            {
                editor.reveal(place);
            }
        });
    }

    /// Answers the editor.
    fn answer(self, kind: &str, first: &JsValue, second: &JsValue) -> JsValue {
        let position = first.as_f64().unwrap_or_default() as u32;
        match kind {
            "changed" => self.typed(first.as_string().unwrap_or_default()),
            "moved" => self.select_card_at(position),
            "undo" => {
                self.store.undo();
                self.follow_now(true);
            }
            "redo" => {
                self.store.redo();
                self.follow_now(true);
            }
            "format" => self.format(),
            "fix" => self.fix(position as usize),
            "complete" => return self.complete(position),
            "hover" => return self.hover(position),
            "name" => {
                let name = self.ask(|reading| reading.name_at(position));
                return name.map_or(JsValue::NULL, JsValue::from);
            }
            "rename" => self.rename(position, second.as_string().unwrap_or_default()),
            "other name" => self.store.notices.complain(format!(
                "The text changed meanwhile. Go to “{}” and rename it again.",
                first.as_string().unwrap_or_default()
            )),
            "define" => {
                let found = self.ask(|reading| reading.definition(position));
                return found.map_or(-1.0, f64::from).into();
            }
            _ => {}
        }
        JsValue::NULL
    }

    /// Asks the text as it was read, unless it is that of a design that was open before.
    fn ask<T>(self, ask: impl FnOnce(&Reading) -> Option<T>) -> Option<T> {
        self.store.text()?;
        self.reading.with_value(|reading| ask(reading.as_ref()?))
    }

    /// Takes a text that the user typed.
    fn typed(self, text: String) {
        // Otherwise another design was opened, and its text is still being read.
        let Some(before) = self.store.text() else {
            return;
        };
        let text: Arc<str> = with_line_ends_of(text, &before.text).into();
        let reading = (self.store).with(|design| Reading::new(text.clone(), design));
        let command = self.store.with(|design| reading.command(design));
        self.reading.set_value(Some(reading));
        match self.store.run(command) {
            Ok(()) => self.show_error(),
            Err(refused) => self.error.set(refused.to_string()),
        }
        // Colors and problems come after the letter and the canvas, unless another letter came before.
        self.view.after_paint(move || {
            let is_last = |reading: &Reading| Some(Arc::ptr_eq(&reading.text, &text));
            if self.ask(is_last) == Some(true) {
                self.show();
            }
        });
    }

    /// Selects the card of the lines at a position, and shows it on the canvas.
    fn select_card_at(self, position: u32) {
        let card = self.ask(|reading| reading.card_at(position));
        let card = card.filter(|card| self.store.with(|design| design.has_card(*card)));
        let Some(card) = card else { return };
        let is_selected = self
            .store
            .selection
            .with_untracked(|cards| cards.len() == 1 && cards.contains(&card));
        if !is_selected {
            self.store.select(card);
            let canvas = self.canvas;
            self.view.next_frame(move || canvas.reveal(card));
        }
    }

    /// Gives the text its usual layout.
    pub(super) fn format(self) {
        if let Some(text) = self.ask(|reading| Some(reading.formatted())) {
            self.store.leave_field();
            self.typed_elsewhere(text);
            self.store.leave_field();
        }
    }

    fn typed_elsewhere(self, text: String) {
        let text = match self.store.text() {
            Some(before) => with_line_ends_of(text, &before.text),
            None => text,
        };
        let command = self
            .store
            .with(|design| Reading::new(text.into(), design).command(design));
        self.store.perform(command);
    }

    fn fix(self, number: usize) {
        let of = |issues: &Vec<TextIssue>| issues.get(number)?.fix.clone();
        let fix = self.ask(|_| self.issues.with_value(of));
        if let Some(fix) = fix {
            self.store.leave_field();
            self.store.perform(fixes::command(fix));
        }
    }

    fn rename(self, position: u32, name: String) {
        if !self.error.with_untracked(String::is_empty) {
            let message =
                "Correct the errors of the text first, so that all uses of the name are found.";
            return self.store.notices.complain(message);
        }
        if let Some(command) = self.ask(|reading| reading.rename(position, name)) {
            self.store.leave_field();
            self.store.perform(command);
        }
    }

    fn complete(self, position: u32) -> JsValue {
        let Some(found) = self.ask(|reading| reading.complete(position)) else {
            return JsValue::NULL;
        };
        let options: Array = (found.offers.iter())
            .map(|offer| {
                object(&[
                    ("label", offer.word.as_str().into()),
                    ("detail", offer.what.into()),
                ])
            })
            .collect();
        object(&[
            ("from", found.from.into()),
            ("always", found.is_certain.into()),
            ("options", options.into()),
        ])
    }

    fn hover(self, position: u32) -> JsValue {
        let Some(found) = self.ask(|reading| reading.hover(position)) else {
            return JsValue::NULL;
        };
        let paragraphs: Array = (found.paragraphs.into_iter())
            .map(|paragraph| match paragraph {
                Paragraph::Text(text) => object(&[("text", text.into())]),
                Paragraph::Code(lines) => object(&[("code", lines.join("\n").into())]),
            })
            .collect();
        object(&[
            ("from", found.range.start.into()),
            ("to", found.range.end.into()),
            ("title", found.title.into()),
            ("paragraphs", paragraphs.into()),
        ])
    }
}

/// A problem as CodeMirror shows it.
fn problem((number, issue): (usize, &TextIssue)) -> JsValue {
    let severity = match issue.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    };
    let mut fields = vec![
        ("from", issue.range.start.into()),
        ("to", issue.range.end.into()),
        ("severity", severity.into()),
        ("message", issue.message.as_str().into()),
    ];
    if let Some(fix) = &issue.fix {
        fields.push(("fix", (number as u32).into()));
        fields.push(("title", capital(fix.title()).into()));
    }
    object(&fields)
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}
