//! The regions of the page: top bar, rail, canvas, inspector, bottom panel. On a small screen they are tabs.

mod action_target;
pub mod actions;
pub mod app_context;
mod attribute_highlight;
mod command_palette;
mod context_menu;
mod file_drop;
mod files;
mod guide_card;
mod help;
pub mod keyboard;
mod notice_list;
mod panel;
mod rail;
mod table_actions;
mod top_bar;
mod welcome;

use crate::ui::canvas::Canvas;
use crate::ui::designs::{Designs, Start};
use crate::ui::dialogs::generate::GenerateDialog;
use crate::ui::dialogs::import_samples::ImportDialog;
use crate::ui::dialogs::library::LibraryDialog;
use crate::ui::inspector::Inspector;
use crate::ui::reactive::erased::effect;
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::navigate::go_to_canvas;
use crate::ui::state::page_state::{PageState, Pane, Tab, use_page};
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::classes;
use crate::ui::widgets::field::FieldHost;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::splitter::{Axis, Splitter};
use app_context::AppContext;
use command_palette::{CommandPalette, commands};
use context_menu::{ActionsForSeveral, ContextMenu, open_by_key};
use guide_card::Guide;
use help::HelpDialog;
use keyfold_app::{placement, stress};
use keyfold_core::model::IndexId;
use leptos::prelude::*;
use notice_list::{NoticeList, Spoken};
use panel::Panel;
use rail::Rail;
use std::time::Duration;
use top_bar::TopBar;
use welcome::Welcome;

/// Time between the first paint and loading the code of dialogs, in milliseconds.
const PRELOAD: u64 = 1500;

/// The options in the page's URL.
#[derive(Debug, Clone, Default, PartialEq)]
struct UrlOptions {
    /// `?stress=N`, `?stress=items:N`: a generated design of N entities or items.
    stress: Option<String>,
    /// `view=near`: 1:1 zoom instead of everything in view.
    near: bool,
}

fn url_options() -> UrlOptions {
    let search = window().location().search().unwrap_or_default();
    let Ok(parameters) = web_sys::UrlSearchParams::new_with_str(&search) else {
        return UrlOptions::default();
    };
    UrlOptions {
        stress: parameters.get("stress"),
        near: parameters.get("view").as_deref() == Some("near"),
    }
}

/// What the page starts with: the benchmark design named in the URL, otherwise a stored one.
pub async fn start() -> Start {
    match url_options().stress.as_deref().and_then(stress::by_name) {
        Some(design) => Start::benchmark(design),
        None => Start::stored().await,
    }
}

/// The whole page.
#[component]
pub fn Shell(
    /// What it starts with.
    start: Start,
) -> impl IntoView {
    let near = url_options().near;
    let (store, designs) = Designs::start(start);
    let page = PageState::restored(store);
    let app = AppContext::new(store, page, designs, actions::ALL);
    let canvas = app.canvas;
    app.provide();
    provide_context(FieldHost {
        design: store.opened,
        say: Callback::new(move |text: String| store.notices.say(text)),
    });
    (app.tables.open_menu).set_value(Some(Callback::new(move |()| open_by_key(app))));
    keyboard::bind(app);
    file_drop::bind(app);
    attribute_highlight::bind(store);
    // An opened design is zoomed to fit.
    let show = move || {
        if near {
            let (width, height) = canvas.size();
            let middle = store.with(|d| placement::all_areas(d, store.detail.get_untracked()));
            if let Some(area) = middle {
                let x = width / 2.0 - (area.x + area.width / 2.0).round();
                let y = height / 2.0 - (area.y + area.height / 2.0).round();
                let viewport = keyfold_app::viewport::Viewport { x, y, zoom: 1.0 };
                store.viewport.set(viewport);
            }
        } else {
            canvas.fit();
        }
    };
    effect(move || {
        store.opened.track();
        page.pane.set(Pane::Canvas);
        // Immediately, so that the first frame has cards; if the canvas was hidden, once it is shown.
        match canvas.is_seen() {
            true => show(),
            false => store.view.next_frame(show),
        }
    });
    effect(move || {
        if store.unpainted.get() {
            return;
        }
        document().set_title(&format!("{} · Keyfold", store.name.get()));
    });
    // The code of dialogs is loaded before somebody opens one, but after everything else.
    effect(move || {
        if !store.unpainted.get() {
            let load = move || when_loaded(store.view, commands(), |_| {});
            store.view.after(Duration::from_millis(PRELOAD), load);
        }
    });
    // The tab of a deleted index shows the table.
    effect(move || {
        let indexes = store.index_ids.get();
        page.tab.update(|tab| {
            if let Tab::Items(id) = tab
                && !id.is_primary()
                && !indexes.contains(id)
            {
                *id = IndexId::PRIMARY;
            }
        });
    });
    let class = move || {
        let pane = match page.pane.get() {
            Pane::Outline => "shell pane-outline",
            Pane::Canvas => "shell pane-canvas",
            Pane::Inspector => "shell pane-inspector",
            Pane::Data => "shell pane-data",
        };
        let closed = [
            ("no-rail", !page.rail.get()),
            ("no-panel", !page.panel.get()),
        ];
        classes(pane, &closed)
    };
    view! {
            <div
                class=class
                style:--inspector-width=move || format!("{}px", page.inspector_width.get())
            >
                <button class="skip" on:click=move |_| go_to_canvas(store, page)>
                    "Skip to the canvas"
                </button>
                <TopBar />
                <Rail />
                <main class="middle" style:--panel-height=move || format!("{}px", page.panel_height.get())>
                    <Canvas handle=canvas welcome=|| view! { <Welcome /> } />
                    <Splitter
                        axis=Axis::Rows
                        label="Panel height"
                        size=page.panel_height
                        least=120.0
                        most=900.0
                    />
                    <Panel />
                </main>
                <Splitter
                    axis=Axis::Columns
                    label="Inspector width"
                    size=page.inspector_width
                    least=260.0
                    most=640.0
                />
                <Inspector several=|| view! { <ActionsForSeveral /> } />
                <nav class="pane-tabs" aria-label="Regions">
                    <AfterFirstPaint unpainted=store.unpainted>
                        <PaneTab pane=Pane::Outline glyph=Glyph::More name="Outline" />
                        <PaneTab pane=Pane::Canvas glyph=Glyph::Wire name="Canvas" />
                        <PaneTab pane=Pane::Inspector glyph=Glyph::Entity name="Inspector" />
                        <PaneTab pane=Pane::Data glyph=Glyph::Table name="Data" />
                    </AfterFirstPaint>
                </nav>
            </div>
    <AfterFirstPaint unpainted=store.unpainted>
        <LibraryDialog open=app.library />
                <GenerateDialog form=app.generating />
                <ImportDialog form=app.importing />
                <HelpDialog open=app.help />
                <CommandPalette />
                <ContextMenu />
                <Guide />
    </AfterFirstPaint>
            <NoticeList notices=store.notices />
            <Spoken />
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
