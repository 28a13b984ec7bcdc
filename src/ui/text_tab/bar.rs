//! The bar above the editor: what is wrong with the text, and what can be done with all of it.

use super::syntax::SyntaxDialog;
use super::text_editor::TextEditor;
use crate::platform::download;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::clipboard_notices::{BY_HAND, copy};
use crate::ui::state::page_state::use_page;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_core::model::file_stem;
use leptos::prelude::*;

/// The bar.
#[component]
pub(super) fn Bar(own: TextEditor) -> impl IntoView {
    let (store, page) = (own.store, use_page());
    let is_wrong = move || own.error.with(|error| !error.is_empty());
    let save = move |_| {
        let name = store.with(|design| format!("{}.keyfold", file_stem(&design.name)));
        if let Some(text) = own.current_text() {
            download::text(&name, &text);
        }
    };
    let copy_all = move |_| {
        if let Some(text) = own.current_text() {
            copy(store.notices, text.to_string(), BY_HAND, Box::new(|| ()));
        }
    };
    let syntax = RwSignal::new(false);
    view! {
        <div class="text-bar">
            <p class="text-error" role="status" class:wrong=is_wrong title=move || own.error.get()>
                {move || own.error.get()}
            </p>
            <button
                class="button beside"
                title="Show the text beside the canvas"
                aria-pressed=move || page.text_beside.get().to_string()
                on:click=move |_| page.text_beside.update(|beside| *beside = !*beside)
            >
                "Beside canvas"
            </button>
            <button
                class="button"
                title="An example, and the words of the language"
                on:click=move |_| syntax.set(true)
            >
                <Icon glyph=Glyph::Help />
                "Syntax"
            </button>
            <button
                class="button"
                title="Format the text (Shift+Alt+F)"
                on:click=move |_| own.format()
            >
                "Format"
            </button>
            <button class="button" title="Copy the text" on:click=copy_all>
                <Icon glyph=Glyph::Copy />
                "Copy"
            </button>
            <button class="button" title="Download the text as a .keyfold file" on:click=save>
                <Icon glyph=Glyph::Download />
                "Download"
            </button>
        </div>
        <SyntaxDialog open=syntax />
    }
}
