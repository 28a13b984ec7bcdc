//! The tools in the lower corner of the canvas: zoom, references, heat, card details, colored item collections.

use super::handle::CanvasHandle;
use super::{heat, references};
use crate::ui::reactive::erased::Memo;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::references::NONE;
use keyfold_app::viewport::Detail;
use keyfold_core::model::{IndexId, SortedMap};
use leptos::ev;
use leptos::prelude::*;

/// The tools.
#[component]
pub fn ZoomBar(
    /// The canvas.
    handle: CanvasHandle,
    /// Its zoom.
    zoom: Memo<f64>,
) -> impl IntoView {
    view! {
        <div class="zoom-bar" role="toolbar" aria-label="Zoom">
            <button
                class="icon-button"
                aria-label="Zoom out"
                title="Zoom out (-)"
                on:click=move |_| handle.zoom(1.0 / 1.25)
            >
                <Icon glyph=Glyph::Minus />
            </button>
            <button
                class="zoom-value"
                aria-label=move || format!("{:.0}%, zoom to 100%", zoom.get() * 100.0)
                title="Zoom to 100% (1)"
                on:click=move |_| handle.actual_size()
            >
                {move || format!("{:.0}%", zoom.get() * 100.0)}
            </button>
            <button
                class="icon-button"
                aria-label="Zoom in"
                title="Zoom in (+)"
                on:click=move |_| handle.zoom(1.25)
            >
                <Icon glyph=Glyph::Plus />
            </button>
            <button
                class="icon-button"
                aria-label="Show everything"
                title="Show everything (Shift+1)"
                on:click=move |_| handle.fit()
            >
                <Icon glyph=Glyph::Fit />
            </button>
            <ReferencesSwitch handle=handle />
            <HeatSwitch />
            <Views handle=handle />
        </div>
    }
}

/// The switch of the arrows between entities.
#[component]
fn ReferencesSwitch(handle: CanvasHandle) -> impl IntoView {
    let (store, page) = (use_store(), use_page());
    let has_none =
        move || (handle.refers).with(|all| all.as_ref().is_some_and(SortedMap::is_empty));
    view! {
        <button
            class="icon-button"
            aria-label="References"
            aria-pressed=move || page.references.get().to_string()
            title=move || match has_none() {
                true => NONE,
                false => "Show which attributes refer to other entities (Shift+R)",
            }
            on:click=move |_| references::toggle(store, page)
        >
            <Icon glyph=Glyph::Reference />
        </button>
    }
}

/// The switch of the heat.
#[component]
fn HeatSwitch() -> impl IntoView {
    let (store, page) = (use_store(), use_page());
    view! {
        <button
            class="icon-button"
            aria-label="Heat"
            aria-pressed=move || page.heat.get().to_string()
            title="Show the load of the hottest partition keys (Shift+H)"
            on:click=move |_| heat::toggle(store, page)
        >
            <Icon glyph=Glyph::Heat />
        </button>
    }
}

/// The choices of card details and of colored item collections.
#[component]
fn Views(handle: CanvasHandle) -> impl IntoView {
    let store = use_store();
    let details = [
        (Detail::All, "all", "All attributes"),
        (Detail::Keys, "keys", "Keys only"),
        (Detail::Names, "names", "Names only"),
    ];
    let detail = move |event: ev::Event| {
        let chosen = event_target_value(&event);
        if let Some((detail, ..)) = details.iter().find(|(_, value, _)| *value == chosen) {
            store.detail.set(*detail);
        }
    };
    let group = move |event: ev::Event| handle.groups.set(event_target_value(&event).parse().ok());
    let indexes = move || {
        let ids = std::iter::once(IndexId::PRIMARY).chain(store.index_ids.get());
        ids.map(|id| {
            let name = match store.index(id) {
                Some(node) => node.index.with(|index| index.name.clone()),
                None => "Table".to_owned(),
            };
            view! {
                <option value=id.to_string() selected=move || handle.groups.get() == Some(id)>
                    {name}
                </option>
            }
        })
        .collect_view()
    };
    view! {
        <select aria-label="Card details" title="Card details" on:change=detail>
            {details
                .map(|(detail, value, name)| {
                    view! {
                        <option value=value selected=move || store.detail.get() == detail>
                            {name}
                        </option>
                    }
                })
                .collect_view()}
        </select>
        <select
            aria-label="Item collections"
            title="Color entities that share item collections"
            on:change=group
        >
            <option value="" selected=move || handle.groups.get().is_none()>
                "No groups"
            </option>
            {indexes}
        </select>
    }
}
