//! The references between entities, in the dialog for generating samples: each is accepted, refused, or left as a guess.

use super::form::GenerateForm;
use crate::ui::reactive::erased::{For, RwSignal, memo};
use crate::ui::reactive::gradual::as_scrolled;
use keyfold_app::references::{self, ReferenceLine};
use keyfold_core::engine::generate::ReferenceChoice;
use leptos::html::Details;
use leptos::prelude::*;

/// The list, closed at first: only then it is found out.
#[component]
pub(super) fn References(form: GenerateForm) -> impl IntoView {
    let open = RwSignal::new(false);
    let details: NodeRef<Details> = NodeRef::new();
    let body = move || open.get().then(|| view! { <List form=form /> });
    view! {
        <details
            class="generate-references"
            node_ref=details
            on:toggle=move |_| {
                open.set(details.get_untracked().is_some_and(|details| details.open()));
            }
        >
            <summary>"References between entities"</summary>
            {body}
        </details>
    }
}

#[component]
fn List(form: GenerateForm) -> impl IntoView {
    let store = form.store;
    let lines = memo(move |_| {
        store.revision.track();
        store.with(references::lines)
    });
    let count = move |choice: ReferenceChoice| {
        lines.with(|lines| {
            lines
                .iter()
                .filter(|line| line.reference.choice == choice)
                .count()
        })
    };
    let summary = move || {
        let [guessed, refused] = [ReferenceChoice::Guessed, ReferenceChoice::Refused].map(count);
        match lines.with(Vec::len) {
            0 => references::NONE.to_owned(),
            all => format!(
                "{all} references: {guessed} guessed, {} accepted, {refused} refused.",
                all - guessed - refused
            ),
        }
    };
    let run = move |command| {
        store.perform(command);
        form.prepare_again();
    };
    let accept_all = move |_| {
        if let Some(command) = store.with(references::accept_all) {
            run(command);
        }
    };
    let most = lines.with_untracked(Vec::len);
    let (drawn, scroll) = as_scrolled(most);
    let shown = move || {
        let drawn = drawn.get();
        // What was drawn at first, and what came since.
        lines.with(|lines| {
            let count = if drawn < most { drawn } else { lines.len() };
            lines.iter().take(count).cloned().collect::<Vec<_>>()
        })
    };
    view! {
        <div class="references-head">
            <p class="hint" role="status">
                {summary}
            </p>
            <button
                type="button"
                class="button small"
                title="Set each guess as the format of its attribute"
                disabled=move || count(ReferenceChoice::Guessed) == 0
                on:click=accept_all
            >
                "Accept all"
            </button>
        </div>
        <ul class="references" aria-label="References" on:scroll=scroll>
            <For each=shown key=|line| (line.from.clone(), line.to.clone()) let:line>
                {
                    let from = line.from.clone();
                    let choice = memo(move |_| {
                        lines
                            .with(|lines| {
                                let line = lines.iter().find(|line| line.from == from)?;
                                Some(line.reference.choice)
                            })
                    });
                    let button = |this: ReferenceChoice, label: &'static str, title: &'static str| {
                        let ReferenceLine { reference, from, to } = line.clone();
                        let pressed = move || choice.get() == Some(this);
                        let press = move |_| {
                            let wanted = if pressed() { ReferenceChoice::Guessed } else { this };
                            let command = store
                                .with(|design| references::choose(design, &reference, wanted));
                            match command {
                                Ok(command) => run(command),
                                Err(refused) => store.complain_if_refused(Err(refused)),
                            }
                        };
                        // A second press takes the choice back.
                        view! {
                            <button
                                type="button"
                                title=title
                                aria-label=format!("{label} {from} → {to}")
                                aria-pressed=move || pressed().to_string()
                                on:click=press
                            >
                                {label}
                            </button>
                        }
                    };
                    let accept = button(
                        ReferenceChoice::Accepted,
                        "Accept",
                        "Set the reference as the attribute's format",
                    );
                    let refuse = button(
                        ReferenceChoice::Refused,
                        "Refuse",
                        "Give the attribute a format of its own",
                    );
                    view! {
                        <li class:refused=move || choice.get() == Some(ReferenceChoice::Refused)>
                            <code>{line.from.clone()}</code>
                            <span aria-hidden="true">"→"</span>
                            <span class="visually-hidden">"refers to"</span>
                            <code>{line.to.clone()}</code>
                            <span class="segmented" role="group" aria-label=line.from.clone()>
                                {accept}
                                {refuse}
                            </span>
                        </li>
                    }
                }
            </For>
        </ul>
    }
}
