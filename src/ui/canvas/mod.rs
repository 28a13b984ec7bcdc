//! The canvas: HTML cards and SVG wires in one world layer, whose single transform is pan and zoom. Every card and
//! wire reads only its own signals.

mod card;
mod card_commands;
mod card_keys;
mod culling;
mod gestures;
mod groups_and_guides;
pub mod handle;
pub mod heat;
pub mod hit_test;
mod level_of_detail;
pub mod minimap;
mod note_card;
mod overview;
pub mod palette;
pub mod pieces;
pub mod references;
mod scene;
mod wires;
mod zoom_bar;

use crate::ui::dom::element::{closest, target_of};
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::reactive::set_if_other;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::use_store;
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use card::{EntityCard, IndexCard, PrimaryCard};
use culling::Culling;
use gestures::Gestures;
use groups_and_guides::{Groups, Guides};
use handle::{CanvasHandle, px};
use heat::{HeatLegend, HeatMarks};
use keyfold_app::viewport::Viewport;
use leptos::ev;
use leptos::prelude::*;
use level_of_detail::Level;
use minimap::Minimap;
use note_card::NoteCard;
use overview::Overview;
use references::References;
use wires::{LooseWire, Wires};
use zoom_bar::ZoomBar;

/// Distance between the dots of the grid at 1:1.
const GRID: f64 = 24.0;

/// The canvas region.
#[component]
pub fn Canvas(
    /// Its handle for the rest of the page.
    handle: CanvasHandle,
    /// Shown while the design is empty.
    #[prop(into)]
    welcome: ViewFn,
) -> impl IntoView {
    let store = use_store();
    let page = use_page();
    handle.follow_page(page.theme);
    handle.follow_clipboard();
    let gestures = Gestures::new(store, handle);
    let viewport = store.viewport;
    let transform = move || {
        let Viewport { x, y, zoom } = viewport.get();
        format!("translate({x}px, {y}px) scale({zoom})")
    };
    let zoom = memo(move |_| viewport.get().zoom);
    // Zoomed out, every fourth dot is enough.
    let grid = memo(move |_| {
        let step = GRID * zoom.get();
        if step < 10.0 { step * 4.0 } else { step }
    });
    let culling = Culling::new(store, handle);
    let heat = heat::load(store, page);
    // In a large design, notes and index cards out of view are mounted after the first frame, as is everything around the
    // canvas.
    let has_indexes =
        memo(move |before| before == Some(&true) || !store.unpainted.get() || handle.sees_index());
    let empty = memo(move |_| {
        store.entity_ids.with(|ids| ids.is_empty()) && store.note_ids.with(|ids| ids.is_empty())
    });
    // The cards are one stop of the Tab key: the entry before them, which passes the focus on to a card. While a card has
    // it, the entry is no stop, so that Shift+Tab leaves the canvas.
    let on_card = RwSignal::new(false);
    let note_focus = move |event: &ev::FocusEvent| {
        let target = target_of(event);
        set_if_other(
            on_card,
            target.is_some_and(|target| closest(&target, "[data-card]").is_some()),
        );
    };
    view! {
        <section
            class="canvas"
            class:far=move || handle.level.get() == Level::Far
            class:larger=move || handle.level.get() == Level::Larger
            class:large=move || matches!(handle.level.get(), Level::Large | Level::Medium)
            class:medium=move || handle.level.get() == Level::Medium
            tabindex="-1"
            class:panning=move || gestures.is_panning()
            class:sliding=move || handle.sliding.get() || gestures.is_panning()
            aria-label="Canvas"
            node_ref=handle.region
            on:pointerdown=move |event| gestures.down(&event)
            on:pointermove=move |event| gestures.moved(&event)
            on:pointerup=move |event| {
                if event.button() == 1 {
                    event.prevent_default();
                }
                gestures.up(&event);
            }
            on:pointercancel=move |_| gestures.cancel()
            on:wheel=move |event| gestures.wheel(&event)
            on:keydown=move |event| gestures.key(&event)
            on:dblclick=move |event| gestures.double_click(&event)
            on:pointerover=move |event| gestures.over(&event)
            on:pointerleave=move |event| gestures.left(&event)
            on:focusin=move |event| note_focus(&event)
            on:focusout=move |_| set_if_other(on_card, false)
        >
            <div
                class="canvas-entry visually-hidden"
                role="group"
                aria-label="Cards"
                tabindex=move || if on_card.get() { "-1" } else { "0" }
                on:focus=move |_| handle.enter()
            ></div>
            <div
                class="dots"
                style:inset=move || format!("-{}px", grid.get())
                style:background-size=move || format!("{0}px {0}px", grid.get())
                style:transform=move || {
                    let (Viewport { x, y, .. }, step) = (viewport.get(), grid.get());
                    format!("translate({}px, {}px)", x.rem_euclid(step), y.rem_euclid(step))
                }
            ></div>
            <Overview handle=handle culling=culling />
            <div class="world" style:transform=transform>
                <Groups handle=handle />
                <AfterFirstPaint unpainted=store.unpainted>
                    <References handle=handle culling=culling />
                    <Wires handle=handle culling=culling />
                </AfterFirstPaint>
                <LooseWire wire=gestures.wire() />
                <Show when=move || has_indexes.get()>
                    <PrimaryCard handle=handle />
                    <For each=move || store.index_ids.get() key=|id| *id let:id>
                        <IndexCard id=id handle=handle />
                    </For>
                </Show>
                <For each=move || culling.mounted.get() key=|id| *id let:id>
                    <EntityCard id=id culling=culling handle=handle />
                </For>
                <Show when=move || has_indexes.get()>
                    <For each=move || store.note_ids.get() key=|id| *id let:id>
                        <NoteCard id=id handle=handle />
                    </For>
                </Show>
                <HeatMarks part=heat handle=handle culling=culling />
                <Guides guides=gestures.guides() />
            </div>
            <div
                class="marquee"
                hidden=move || gestures.marquee().is_none()
                style:left=move || px(gestures.marquee().map(|area| area.x))
                style:top=move || px(gestures.marquee().map(|area| area.y))
                style:width=move || px(gestures.marquee().map(|area| area.width))
                style:height=move || px(gestures.marquee().map(|area| area.height))
            ></div>
            <Show when=move || empty.get() && page.guide.get().is_none()>{welcome.run()}</Show>
            <HeatLegend part=heat />
            <div class="canvas-corner">
                <AfterFirstPaint unpainted=store.unpainted>
                    <ZoomBar handle=handle zoom=zoom />
                </AfterFirstPaint>
            </div>
            <AfterFirstPaint unpainted=store.unpainted>
                <Minimap handle=handle />
            </AfterFirstPaint>
        </section>
    }
}
