//! The explanation of a rule, loaded from a separate file on first use.

use crate::ui::state::store::{Docs, use_store};
use crate::ui::widgets::in_code::in_code;
use keyfold_core::lint::rule_docs::read;
use leptos::prelude::*;

/// The explanation of a rule.
#[component]
pub fn Explanation(
    /// Its code.
    code: &'static str,
) -> impl IntoView {
    let store = use_store();
    store.read_docs();
    move || match store.findings.docs.get() {
        Docs::Unread | Docs::Coming => {
            view! { <p class="hint">"Loading the explanation…"</p> }.into_any()
        }
        Docs::Missing => view! {
            <p class="hint">
                "The explanation could not be loaded. "
                <button class="link" on:click=move |_| store.read_docs()>
                    "Try again"
                </button>
            </p>
        }
        .into_any(),
        Docs::Here(text) => {
            let docs = read(&text);
            let found = docs.iter().find(|doc| doc.code == code);
            let sections = found.map(|doc| doc.sections.as_slice()).unwrap_or_default();
            let parts: Vec<AnyView> = sections
                .iter()
                .map(|(heading, text)| {
                    view! {
                        <h3>{(*heading).to_owned()}</h3>
                        {paragraphs(text)}
                    }
                    .into_any()
                })
                .collect();
            view! { <div class="explanation">{parts}</div> }.into_any()
        }
    }
}

/// Paragraphs with code and links.
fn paragraphs(text: &str) -> Vec<AnyView> {
    let paragraph = |text: &str| {
        let mut pieces: Vec<AnyView> = Vec::new();
        let mut rest = text;
        while let Some((before, name, address, after)) = first_link(rest) {
            pieces.extend(in_code(before));
            let (name, address) = (name.to_owned(), address.to_owned());
            pieces.push(
                view! {
                    <a href=address.clone() target="_blank" rel="noopener noreferrer" title=address>
                        {name}
                    </a>
                }
                .into_any(),
            );
            rest = after;
        }
        pieces.extend(match rest.len() == text.len() {
            true => in_code(rest),
            false => vec![rest.to_owned().into_any()],
        });
        view! { <p>{pieces}</p> }.into_any()
    };
    text.split("\n\n").map(paragraph).collect()
}

/// Returns the first `[name](https://…)` with the text before and after it.
fn first_link(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, link) = text.split_once('[')?;
    let (name, link) = link.split_once("](")?;
    let (address, after) = link.split_once(')')?;
    (address.starts_with("https://")).then_some((before, name, address, after))
}
