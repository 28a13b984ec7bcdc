//! The list of names that would complete the placeholder that is being typed.

use crate::ui::dom::focus::bring_into_sight;
use crate::ui::dom::tints::tint;
use crate::ui::reactive::erased::{Memo, RwSignal, effect, memo};
use crate::ui::reactive::later::View;
use keyfold_app::completion::{CompletionItem, PartialName, completions, partial_name_at};
use leptos::ev;
use leptos::prelude::*;

/// What completes the name that is being typed in a field. It is shown only while one types.
#[derive(Clone, Copy)]
pub struct Completion {
    begun: RwSignal<Option<PartialName>>,
    offers: Memo<Vec<CompletionItem>>,
    /// Which of them Enter takes.
    chosen: RwSignal<usize>,
}

impl Completion {
    /// One that offers these attributes, and all modifiers.
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

    /// Offers what goes on with the text at the caret, in UTF-16 units.
    pub fn typed(self, text: &str, caret: u32) {
        self.chosen.set(0);
        self.begun.set(partial_name_at(text, caret));
    }

    /// Offers nothing until more is typed.
    pub fn close(self) {
        self.begun.set(None);
    }

    /// Whether something is offered.
    pub fn is_open(self) -> bool {
        !self.offers.with(Vec::is_empty)
    }

    /// A key that is pressed in the field: whether it was for the list, which may `take` a name.
    pub fn key(self, event: &ev::KeyboardEvent, take: impl FnOnce(&str)) -> bool {
        // Undo, and whatever else writes another text.
        if event.ctrl_key() || event.meta_key() {
            self.close();
            return false;
        }
        // Who gives a placeholder up stays in the field, with or without offers.
        if event.key() == "Escape" && self.begun.with_untracked(Option::is_some) {
            event.stop_propagation();
            self.close();
            return true;
        }
        let count = self.offers.with_untracked(Vec::len);
        if count == 0 || event.is_composing() {
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

    /// The id of the option that Enter takes, in the list of this id.
    pub fn option(self, list: &str) -> Option<String> {
        self.is_open()
            .then(|| format!("{list}-{}", self.chosen.get()))
    }
}

/// The list, below the field.
#[component]
pub fn Completions(
    /// What is offered.
    completion: Completion,
    /// The list's id.
    id: String,
    /// Takes the name that is clicked.
    take: Callback<String>,
) -> impl IntoView {
    let Completion { offers, chosen, .. } = completion;
    let list = id.clone();
    let view = View::new();
    // All of the list is brought into sight when it opens, once it is there.
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
                // The caret stays where it is.
                on:mousedown=|event| event.prevent_default()
            >
                {move || offers.get().into_iter().enumerate().map(&option).collect_view()}
            </div>
        </div>
    }
}
