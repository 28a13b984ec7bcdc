//! The requests of an access pattern, to copy: one text for each language, as in the exports.

use crate::ui::exports::code_preview::highlighted;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::memo;
use crate::ui::state::clipboard_notices;
use crate::ui::state::clipboard_notices::BY_HAND;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::in_code;
use keyfold_core::export::requests::{Language, beside_statement, request};
use keyfold_core::model::AccessPatternId;
use leptos::prelude::*;
use std::sync::Arc;

/// The requests of one access pattern.
#[component]
pub fn Requests(
    /// Which.
    id: AccessPatternId,
) -> impl IntoView {
    let store = use_store();
    let language = store.proofs.language;
    let code = memo(move |_| {
        store.samples_changed.track();
        store.access_patterns.track();
        store.table.track();
        let language = language.get();
        store.with(|design| {
            let pattern = design.access_patterns.get(&id)?;
            let made = request(design, pattern, language);
            Some(ByPtr(Arc::new(made.map_err(|none| none.to_string()))))
        })
    });
    let beside = move || {
        store.access_patterns.track();
        let is_statement = language.get() == Language::PartiQl;
        let said =
            store.with(|design| beside_statement(&design.access_patterns.get(&id)?.operation));
        let is_shown = code.with(|made| made.as_ref().is_some_and(|made| made.0.is_ok()));
        said.filter(|_| is_statement && is_shown)
            .map(|text| view! { <p class="hint">{in_code(&text)}</p> })
    };
    let choice = move |which: Language| {
        view! {
            <button
                aria-pressed=move || (language.get() == which).to_string()
                on:click=move |_| language.set(which)
            >
                {which.label()}
            </button>
        }
    };
    let take = move |_| {
        if let Some(made) = code.get_untracked()
            && let Ok(code) = &*made.0
        {
            clipboard_notices::copy(store.notices, code.text.clone(), BY_HAND, Box::new(|| {}));
        }
    };
    let body = move || {
        code.with(|made| match made.as_ref().map(|made| &*made.0) {
            Some(Ok(code)) => view! {
                <pre class="code" tabindex="0" aria-label="Request">
                    <code>{highlighted(code)}</code>
                </pre>
            }
            .into_any(),
            Some(Err(reason)) => {
                view! { <p class="hint">{crate::ui::widgets::in_code::sentence_in_code(reason)}</p> }
                    .into_any()
            }
            None => ().into_any(),
        })
    };
    let none = move || code.with(|made| !made.as_ref().is_some_and(|made| made.0.is_ok()));
    view! {
        <div class="requests">
            <div class="requests-bar">
                <div class="segmented" role="group" aria-label="Request language">
                    {Language::ALL.map(choice).into_iter().collect_view()}
                </div>
                <span class="spring"></span>
                <button class="button small" disabled=none title="Copy the request" on:click=take>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
            </div>
            {body}
            {beside}
        </div>
    }
}
