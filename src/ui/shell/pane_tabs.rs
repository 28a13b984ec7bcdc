//! The tabs at the bottom of a narrow page, each of which shows one region in full height.

use crate::ui::state::page_state::{Pane, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::prelude::*;

/// The tabs of the four regions. The style sheet shows them on narrow pages only.
#[component]
pub fn PaneTabs() -> impl IntoView {
    let store = use_store();
    view! {
        <nav class="pane-tabs" aria-label="Regions">
            <AfterFirstPaint unpainted=store.unpainted>
                <PaneTab pane=Pane::Outline glyph=Glyph::More name="Outline" />
                <PaneTab pane=Pane::Canvas glyph=Glyph::Wire name="Canvas" />
                <PaneTab pane=Pane::Inspector glyph=Glyph::Entity name="Inspector" />
                <PaneTab pane=Pane::Data glyph=Glyph::Table name="Data" />
            </AfterFirstPaint>
        </nav>
    }
}

#[component]
fn PaneTab(pane: Pane, glyph: Glyph, name: &'static str) -> impl IntoView {
    let page = use_page();
    let current = move || page.pane.get() == pane;
    view! {
        <button
            class:current=current
            aria-current=move || current().then_some("true")
            on:click=move |_| page.pane.set(pane)
        >
            <Icon glyph=glyph />
            {name}
        </button>
    }
}
