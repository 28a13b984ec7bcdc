//! The card of a note: its text, or a field while the text is edited in place.

use super::card::{SELECTED, is_selected, select_focused, transform};
use super::handle::CanvasHandle;
use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::erased::{Memo, RwSignal, Show, effect, memo};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::classes;
use keyfold_app::Command;
use keyfold_app::note::{NOTE_PLACEHOLDER, note_height, note_lines, note_name};
use keyfold_app::viewport::Detail;
use keyfold_core::model::{CardId, Note, NoteId};
use leptos::ev;
use leptos::html::Textarea;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::HtmlTextAreaElement;

/// Added to the z-index of a note: notes are above all other cards, as in hit tests, but below selected ones.
const ABOVE: u32 = SELECTED / 2;

/// The card of a note.
#[component]
pub fn NoteCard(
    /// The note.
    id: NoteId,
    /// The canvas.
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let card = CardId::Note(id);
    let node = store.note(id)?;
    let note = memo(move |_| node.get());
    let selected = is_selected(store, card);
    let editing = memo(move |_| handle.renaming.get() == Some(card));
    // The text being typed; the card grows with it.
    let draft = RwSignal::new(None::<String>);
    let class = move || {
        let hue = note.with(|note| format!("card note-card hue-{}", note.hue));
        let one_line = store.detail.get() == Detail::Names && !editing.get();
        classes(
            &hue,
            &[("selected", selected.get()), ("one-line", one_line)],
        )
    };
    let height = move || {
        let height = match draft.get().filter(|_| editing.get()) {
            Some(text) => note_height(&Note::new(text), Detail::All),
            None => note.with(|note| note_height(note, store.detail.get())),
        };
        format!("{height}px")
    };
    let text = move || {
        let lines = note.with(|note| note_lines(note, store.detail.get()));
        match lines.is_empty() {
            true => view! { <p class="note-text empty">{NOTE_PLACEHOLDER}</p> },
            false => view! { <p class="note-text">{lines.join("\n")}</p> },
        }
    };
    Some(view! {
        <div
            class=class
            tabindex="-1"
            role="group"
            aria-roledescription="note"
            aria-label=move || note.with(|note| note_name(note))
            data-card=card.to_string()
            style:z-index=move || {
                let above = if selected.get() { ABOVE + SELECTED } else { ABOVE };
                id.0.saturating_add(above).min(i32::MAX as u32 - 1).to_string()
            }
            style:transform=transform(store.place(card))
            style:height=height
            on:focus=move |_| select_focused(handle, card)
        >
            <Show when=move || editing.get() fallback=move || view! { {text} }>
                <NoteField id=id note=note draft=draft handle=handle />
            </Show>
        </div>
    })
}

/// Stores the text of a note, or shows why it is refused. Returns whether it is stored.
fn store_text(store: Store, id: NoteId, text: String) -> bool {
    let refused = store.run(Command::SetNoteText(id, text)).err();
    if let Some(refused) = &refused {
        store.notices.complain(refused.to_string());
    }
    refused.is_none()
}

/// The field of a note. Ctrl+Enter and leaving it store the text, Escape cancels, Enter begins a new line.
#[component]
fn NoteField(
    id: NoteId,
    note: Memo<Arc<Note>>,
    draft: RwSignal<Option<String>>,
    handle: CanvasHandle,
) -> impl IntoView {
    let store = use_store();
    let card = CardId::Note(id);
    let field: NodeRef<Textarea> = NodeRef::new();
    let numbering = store.numbering.get_untracked();
    let own_draft = move || {
        store.draft.with_untracked(|draft| match draft {
            Some(Command::SetNoteText(note, text)) if *note == id => Some(text.clone()),
            _ => None,
        })
    };
    // A note that has another id since a merge has another field: it goes on with what was typed.
    let typed = own_draft();
    let held = typed
        .clone()
        .unwrap_or_else(|| note.with_untracked(|note| note.text.clone()));
    if typed.is_some() {
        draft.set(typed);
    }
    let close = move || {
        draft.set(None);
        if own_draft().is_some() {
            store.draft.set(None);
        }
        if handle.renaming.get_untracked() == Some(card) {
            handle.renaming.set(None);
        }
    };
    let value = move || {
        field
            .get_untracked()
            .map(|field| field.value())
            .unwrap_or_default()
    };
    effect(move || {
        if let Some(field) = field.get() {
            let _ = field.focus();
            let end = field.value().encode_utf16().count() as u32;
            let _ = field.set_selection_range(end, end);
        }
    });
    let key = move |event: ev::KeyboardEvent| {
        if is_composing(&event) {
            return;
        }
        let done = match event.key().as_str() {
            "Enter" if event.ctrl_key() || event.meta_key() => store_text(store, id, value()),
            "Escape" => true,
            _ => return,
        };
        event.prevent_default();
        event.stop_propagation();
        if done {
            close();
            handle.focus(card);
        }
    };
    let left = move |text: String| {
        // A canceled text is not stored, nor one of a note that is gone, has another id or is of another design.
        let is_there = store.numbering.get_untracked() == numbering
            && store.with(|design| design.notes.contains_key(&id));
        if is_there && handle.renaming.get_untracked() == Some(card) {
            store_text(store, id, text);
        }
        close();
    };
    view! {
        <textarea
            class="note-edit"
            aria-label="Note text"
            data-draft=""
            maxlength=Note::MAX_CHARS.to_string()
            placeholder=NOTE_PLACEHOLDER
            node_ref=field
            prop:value=held
            on:input=move |event| {
                let text = event_target_value(&event);
                store.draft.set(Some(Command::SetNoteText(id, text.clone())));
                draft.set(Some(text));
            }
            on:keydown=key
            on:blur=move |event| left(event_target::<HtmlTextAreaElement>(&event).value())
        ></textarea>
    }
}
