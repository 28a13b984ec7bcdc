//! A note: its text and color.

use super::colors::Hues;
use super::delete_button::DeleteButton;
use crate::ui::reactive::erased::memo;
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, TextArea};
use keyfold_app::Command;
use keyfold_app::note::NOTE_PLACEHOLDER;
use keyfold_core::model::{CardId, NoteId};
use leptos::prelude::*;

/// The inspector of one note.
#[component]
pub fn NoteInspector(
    /// The note.
    id: NoteId,
) -> impl IntoView {
    let store = use_store();
    let note = store.note(id)?;
    let text = memo({
        let note = note.clone();
        move |_| note.with(|note| note.text.clone())
    });
    let hue = memo(move |_| note.with(|note| note.hue));
    Some(view! {
        <header class="inspector-head">
            <span class="kind">"Canvas"</span>
            <h2>"Note"</h2>
        </header>
        <div class="section-body first">
            <TextArea
                label="Text"
                placeholder=NOTE_PLACEHOLDER
                rows=8
                value=text
                commit=Commit::new(move |text: String| store.run(Command::SetNoteText(id, text)))
            />
            <Hues
                hue=hue
                choose=Callback::new(move |hue| store.perform(Command::SetNoteHue(id, hue)))
            />
        </div>
        <footer class="inspector-foot">
            <DeleteButton card=CardId::Note(id) label="Delete note" />
        </footer>
    })
}
