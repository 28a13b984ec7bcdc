//! The requests of an access pattern, to take away: one text for each tool, as in the tab of the exports.

use crate::domain::export::requests::Tool;
use crate::domain::model::AccessPatternId;
use crate::ui::code_panel::{copy, highlighted};
use crate::ui::parts::erased::memo;
use crate::ui::parts::icon::{Glyph, Icon};
use crate::ui::store::use_store;
use leptos::prelude::*;

/// The requests of one access pattern.
#[component]
pub fn Requests(
    /// Which.
    id: AccessPatternId,
) -> impl IntoView {
    let store = use_store();
    let tool = store.proofs.tool;
    let code = memo(move |_| {
        store.samples_changed.track();
        store.access_patterns.track();
        let tool = tool.get();
        store.with(|design| {
            let pattern = design.access_patterns.get(&id)?;
            Some(tool.request(design, pattern))
        })
    });
    let choice = move |which: Tool| {
        view! {
            <button
                aria-pressed=move || (tool.get() == which).to_string()
                on:click=move |_| tool.set(which)
            >
                {which.label()}
            </button>
        }
    };
    let take = move |_| {
        if let Some(Ok(code)) = code.get_untracked() {
            copy(store, code.text);
        }
    };
    let body = move || {
        code.with(|code| match code {
            Some(Ok(code)) => {
                view! { <pre class="code" tabindex="0" aria-label="Request"><code>{highlighted(code)}</code></pre> }
                    .into_any()
            }
            Some(Err(reason)) => {
                view! { <p class="hint">{super::proof::in_code(reason)}</p> }.into_any()
            }
            None => ().into_any(),
        })
    };
    let none = move || code.with(|code| !matches!(code, Some(Ok(_))));
    view! {
        <div class="requests">
            <div class="requests-bar">
                <div class="segmented" role="group" aria-label="Request for">
                    {Tool::ALL.map(choice).into_iter().collect_view()}
                </div>
                <span class="spring"></span>
                <button class="button small" disabled=none title="Copy the request" on:click=take>
                    <Icon glyph=Glyph::Copy />
                    "Copy"
                </button>
            </div>
            {body}
        </div>
    }
}
