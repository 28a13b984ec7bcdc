//! The access pattern whose rows are marked in the live table.

use crate::ui::reactive::erased::{Show, memo};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::prelude::*;

/// The line above the table while the rows of an access pattern are marked.
#[component]
pub fn ShownPattern() -> impl IntoView {
    let store = use_store();
    let marking = store.proofs.marking;
    view! {
        <Show when=move || marking.get()>
            <ShownLine />
        </Show>
    }
}

#[component]
fn ShownLine() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    store.look_at_proof();
    let proofs = store.proofs;
    let text = memo(move |_| {
        let name = store.access_patterns.with(|all| {
            let pattern = all.get(&proofs.selected.get()?)?;
            Some(pattern.name.clone())
        });
        let found = proofs.marks.with(|marks| {
            let marks = marks.as_ref()?;
            let index = store.with(|design| design.index_name(marks.index).to_owned());
            Some(format!(
                "returns {} of {} read in {index}",
                marks.returned, marks.read
            ))
        });
        let found = found.unwrap_or_else(|| "returns nothing".to_owned());
        (name.unwrap_or_default(), found)
    });
    let back = move |_| page.show(Tab::AccessPatterns);
    view! {
        <div class="shown-pattern" role="status">
            <Icon glyph=Glyph::Search />
            <button class="link" title="Back to the access pattern" on:click=back>
                {move || text.get().0}
            </button>
            <span>{move || text.get().1}</span>
            <button
                class="icon-button"
                aria-label="Clear marks"
                title="Clear marks"
                on:click=move |_| proofs.marking.set(false)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </div>
    }
}
