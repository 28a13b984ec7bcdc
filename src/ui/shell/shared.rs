//! A read-only design: one that the page's address contains, of which a copy can be changed, or an earlier version.

use crate::platform::address;
use crate::ui::designs::{Designs, use_designs};
use crate::ui::reactive::erased::Show;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::{Store, use_store};
use crate::ui::state::version_label::{ShownVersion, label_of};
use keyfold_app::share_link::{self, LinkError};
use keyfold_core::model::Design;
use leptos::ev;
use leptos::prelude::*;

on_demand!(menus, link_reader: fn(&str) -> Result<Design, LinkError> = share_link::decode);
on_demand!(menus, bar: Part<bool> = |is_embedded| view! { <Bar is_embedded=is_embedded /> }.into_any());

/// The design of the link in the address; `None` if there is no link.
///
/// # Errors
///
/// Why the link cannot be opened.
pub async fn linked() -> Option<Result<Design, String>> {
    let address = address::fragment();
    if !share_link::is_link(&address) {
        return None;
    }
    Some(match link_reader().await {
        Ok(read) => read(&address).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    })
}

/// The message that a link cannot be opened.
pub fn not_opened(reason: &str) -> String {
    format!("The shared design was not opened: {reason}")
}

/// Opens a link that is typed or pasted into the address of the open page, and leaves its design when the address has no
/// link any more: the user went back.
pub fn follow_address(store: Store, designs: Designs) {
    let is_shared = move || {
        store.is_read_only.get_untracked() && designs.shown_version.with_untracked(Option::is_none)
    };
    let changed = window_event_listener(ev::hashchange, move |_| {
        store.view.answer(linked(), move |linked| match linked {
            Some(Ok(design)) => designs.show_shared(design),
            Some(Err(reason)) => store.notices.error(not_opened(&reason)),
            None if is_shared() => designs.leave_shared(),
            None => {}
        });
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
    view! {
        <Show when=move || store.is_read_only.get()>
            <section
                class="shared-bar"
                aria-label=move || match designs.shown_version.with(Option::is_some) {
                    true => "Earlier version",
                    false => "Shared design",
                }
            >
                {on_demand_view(bar, is_embedded)}
            </section>
        </Show>
    }
}

#[component]
fn Bar(is_embedded: bool) -> impl IntoView {
    let designs = use_designs();
    let bar = move || match designs.shown_version.get() {
        Some(shown) => view! { <VersionBar shown=shown /> }.into_any(),
        None => view! { <LinkBar is_embedded=is_embedded /> }.into_any(),
    };
    view! { {bar} }
}

#[component]
fn VersionBar(shown: ShownVersion) -> impl IntoView {
    let store = use_store();
    let designs = use_designs();
    let ShownVersion { key, version } = shown;
    let label = label_of(&version);
    view! {
        <p>
            <strong>{move || store.name.get()}</strong>
            {format!(" as it was in the version “{label}”. It is read-only.")}
        </p>
        <button type="button" class="button" on:click=move |_| designs.open(key)>
            "Back to the design"
        </button>
        <button
            type="button"
            class="button primary"
            title="Replaces the design with this version. Undo reverts it"
            on:click=move |_| designs.restore_to_version(key, version.clone())
        >
            "Restore"
        </button>
    }
}

#[component]
fn LinkBar(is_embedded: bool) -> impl IntoView {
    let store = use_store();
    let designs = use_designs();
    let offer = match is_embedded {
        true => {
            let link = [address::page(), address::fragment()].concat();
            view! {
                <a class="button" href=link target="_blank" rel="noopener">
                    "Open in Keyfold"
                </a>
            }
            .into_any()
        }
        false => view! {
            <button type="button" class="button primary" on:click=move |_| designs.copy_shared()>
                "Make a copy"
            </button>
        }
        .into_any(),
    };
    let what =
        (!is_embedded).then_some(" is a shared design. It is read-only: make a copy to change it.");
    view! {
        <p>
            <strong>{move || store.name.get()}</strong>
            {what}
        </p>
        {offer}
    }
}
