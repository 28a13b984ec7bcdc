//! A design that the page's address contains: it is shown, and a copy of it can be changed.

use crate::platform::address;
use crate::ui::designs::use_designs;
use crate::ui::reactive::erased::Show;
use crate::ui::state::store::use_store;
use leptos::ev;
use leptos::prelude::*;

/// Opens the link that is typed or pasted into the address of the open page. What is not stored goes to the journal.
pub fn follow_address() {
    let changed = window_event_listener(ev::hashchange, move |_| {
        if keyfold_app::share_link::is_link(&address::fragment()) {
            let _ = window().location().reload();
        }
    });
    on_cleanup(move || changed.remove());
}

/// Says that the design is read-only, and offers a copy: in this page, or from an embedded page in one of its own.
#[component]
pub fn SharedBar(
    /// Whether the page is part of another one.
    is_embedded: bool,
) -> impl IntoView {
    let store = use_store();
    let designs = use_designs();
    let link = move || [address::page(), address::fragment()].concat();
    let offer = move || match is_embedded {
        true => view! {
            <a class="button" href=link() target="_blank" rel="noopener">
                "Open in Keyfold"
            </a>
        }
        .into_any(),
        false => view! {
            <button type="button" class="button primary" on:click=move |_| designs.copy_shared()>
                "Make a copy"
            </button>
        }
        .into_any(),
    };
    view! {
        <Show when=move || store.is_read_only.get()>
            <section class="shared-bar" aria-label="Shared design">
                <p>
                    <strong>{move || store.name.get()}</strong>
                    {(!is_embedded)
                        .then_some(
                            " is a shared design. It is read-only: make a copy to change it.",
                        )}
                </p>
                {offer}
            </section>
        </Show>
    }
}
