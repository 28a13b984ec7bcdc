//! The list of names that complete the placeholder being typed.

use crate::ui::dom::focus::bring_into_sight;
use crate::ui::dom::key_chords::is_composing;
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::later::View;
use keyfold_app::template_completion::{CompletionItem, PartialName, completions, partial_name_at};
use leptos::ev;
use leptos::prelude::*;

/// The completions of the name being typed in a field. They are shown only while the user types.
#[derive(Clone, Copy)]
pub struct Completion {
    begun: RwSignal<Option<PartialName>>,
    offers: Memo<Vec<CompletionItem>>,
    /// The number of the one that Enter inserts.
    chosen: RwSignal<usize>,
}

impl Completion {
    /// Completions with these attributes and all modifiers.
    pub fn new(attributes: Signal<Vec<String>>) -> Self {
        let typing: RwSignal<Option<PartialName>> = RwSignal::new(None);
        Completion {
            begun: typing,
            offers: memo(move |_| match typing.get() {
                Some(begun) => attributes.with(|names| completions(&begun, names)),
                None => Vec::new(),
            }),
            chosen: RwSignal::new(0),
        }
    }

    /// Updates the completions for the text at the caret, in UTF-16 code units.
    pub fn typed(self, text: &str, caret: u32) {
        self.chosen.set(0);
        self.begun.set(partial_name_at(text, caret));
    }

    /// Hides the completions until the user types again.
    pub fn close(self) {
        self.begun.set(None);
    }

    /// Whether there are completions.
    pub fn is_open(self) -> bool {
        !self.offers.with(Vec::is_empty)
    }

    /// Handles a key pressed in the field, which may `take` a name. Returns whether the list has consumed the key.
    pub fn key(self, event: &ev::KeyboardEvent, take: impl FnOnce(&str)) -> bool {
        // Undo and other commands may replace the text.
        if event.ctrl_key() || event.meta_key() {
            self.close();
            return false;
        }
        // Escape ends the placeholder and stays in the field, with or without completions.
        if event.key() == "Escape" && self.begun.with_untracked(Option::is_some) {
            event.stop_propagation();
            self.close();
            return true;
        }
        let count = self.offers.with_untracked(Vec::len);
        if count == 0 || is_composing(event) {
            return false;
        }
        let step = |by: usize| self.chosen.update(|row| *row = (*row + by) % count);
        match event.key().as_str() {
            "ArrowDown" => step(1),
            "ArrowUp" => step(count - 1),
            "Enter" => self.take(take),
            "Tab" if !event.shift_key() => self.take(take),
            "ArrowLeft" | "ArrowRight" | "Home" | "End" => {
                self.close();
                return false;
            }
            _ => return false,
        }
        true
    }

    fn take(self, take: impl FnOnce(&str)) {
        let row = self.chosen.get_untracked();
        let name = (self.offers).with_untracked(|offers| Some(offers.get(row)?.name.clone()));
        if let Some(name) = name {
            take(&name);
        }
    }

    /// The id of the option that Enter inserts, in the list of this id.
    pub fn option(self, list: &str) -> Option<String> {
        self.is_open()
            .then(|| format!("{list}-{}", self.chosen.get()))
    }
}

/// The list, below the field.
#[component]
pub fn Completions(
    /// The completions.
    completion: Completion,
    /// The list's id.
    id: String,
    /// Called with the clicked name.
    take: Callback<String>,
) -> impl IntoView {
    let Completion { offers, chosen, .. } = completion;
    let list = id.clone();
    let view = View::new();
    // When the list opens, scrolls all of it into view in the next frame.
    effect(move || {
        let (list, row) = (list.clone(), format!("{list}-{}", chosen.get()));
        if completion.is_open() {
            view.next_frame(move || {
                bring_into_sight(&list);
                bring_into_sight(&row);
            });
        }
    });
    let list = id.clone();
    let option = move |(row, offer): (usize, CompletionItem)| {
        let name = offer.name.clone();
        let class = match offer.what {
            "" => format!("chip {}", tint(&name)),
            _ => "chip".to_owned(),
        };
        view! {
            <div
                id=format!("{list}-{row}")
                class="template-offer"
                role="option"
                aria-selected=move || (chosen.get() == row).to_string()
                on:click=move |_| take.run(name.clone())
            >
                <span class=class>{offer.name}</span>
                <span class="hint">{offer.what}</span>
            </div>
        }
    };
    view! {
        <div class="template-completion">
            <div
                id=id
                class="template-offers"
                role="listbox"
                aria-label="Completions"
                hidden=move || !completion.is_open()
                // The field keeps its caret.
                on:mousedown=|event| event.prevent_default()
            >
                {move || offers.get().into_iter().enumerate().map(&option).collect_view()}
            </div>
        </div>
    }
}
