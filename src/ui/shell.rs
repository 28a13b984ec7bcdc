//! The regions of the page: top bar, rail, canvas, inspector, bottom panel. On a small screen they are tabs.

use super::actions::{Reach, go_to_canvas};
use super::afterwards::Afterwards;
use super::canvas::Canvas;
use super::command_palette::CommandPalette;
use super::context_menu::ContextMenu;
use super::designs::{Designs, Start};
use super::desk::{Desk, Pane};
use super::file_drop;
use super::follow;
use super::generate::GenerateDialog;
use super::guide::Guide;
use super::help::HelpDialog;
use super::inspector::Inspector;
use super::keyboard;
use super::library::LibraryDialog;
use super::notice::{NoticeList, Spoken};
use super::panel::Panel;
use super::parts::classes;
use super::parts::icon::{Glyph, Icon};
use super::parts::splitter::{Axis, Splitter};
use super::rail::Rail;
use super::sample_files::ImportDialog;
use super::top_bar::TopBar;
use crate::ui::parts::erased::effect;
use keyfold_app::{placement, stress};
use keyfold_core::model::IndexId;
use leptos::prelude::*;

/// What the address asks for.
#[derive(Debug, Clone, Default, PartialEq)]
struct Asked {
    /// `?stress=N`, `?stress=items:N`: a generated design of N entities or items.
    stress: Option<String>,
    /// `view=near`: 1:1 zoom instead of everything in view.
    near: bool,
}

fn asked() -> Asked {
    let search = window().location().search().unwrap_or_default();
    let Ok(parameters) = web_sys::UrlSearchParams::new_with_str(&search) else {
        return Asked::default();
    };
    Asked {
        stress: parameters.get("stress"),
        near: parameters.get("view").as_deref() == Some("near"),
    }
}

/// What the page begins with: the benchmark design that the address asks for, else a stored one.
pub async fn start() -> Start {
    match asked().stress.as_deref().and_then(stress::by_name) {
        Some(design) => Start::benchmark(design),
        None => Start::stored().await,
    }
}

/// The whole page.
#[component]
pub fn Shell(
    /// What it begins with.
    start: Start,
) -> impl IntoView {
    let near = asked().near;
    let (store, designs) = Designs::start(start);
    let desk = Desk::restored(store);
    let reach = Reach::new(store, desk, designs);
    provide_context(store);
    provide_context(designs);
    provide_context(desk);
    provide_context(reach);
    keyboard::bind(reach);
    file_drop::bind(reach);
    follow::bind(store);
    // A design that is opened is shown whole.
    let show = move || {
        if near {
            let (width, height) = desk.canvas.size();
            let middle = store.with(|d| placement::all_areas(d, store.detail.get_untracked()));
            if let Some(area) = middle {
                let x = width / 2.0 - (area.x + area.width / 2.0).round();
                let y = height / 2.0 - (area.y + area.height / 2.0).round();
                let viewport = keyfold_app::session::Viewport { x, y, zoom: 1.0 };
                store.viewport.set(viewport);
            }
        } else {
            desk.canvas.fit();
        }
    };
    effect(move || {
        store.opened.track();
        desk.pane.set(Pane::Canvas);
        // At once, so that the first frame has cards; where the canvas was out of sight, as soon as the page has it.
        match desk.canvas.is_seen() {
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
    // A tab of an index that is gone shows the table.
    effect(move || {
        let indexes = store.index_ids.get();
        desk.tab.update(|tab| {
            if let super::desk::Tab::Items(id) = tab
                && !id.is_primary()
                && !indexes.contains(id)
            {
                *id = IndexId::PRIMARY;
            }
        });
    });
    let class = move || {
        let pane = match desk.pane.get() {
            Pane::Outline => "shell pane-outline",
            Pane::Canvas => "shell pane-canvas",
            Pane::Inspector => "shell pane-inspector",
            Pane::Data => "shell pane-data",
        };
        let closed = [
            ("no-rail", !desk.rail.get()),
            ("no-panel", !desk.panel.get()),
        ];
        classes(pane, &closed)
    };
    view! {
            <div
                class=class
                style:--inspector-width=move || format!("{}px", desk.inspector_width.get())
            >
                <button class="skip" on:click=move |_| go_to_canvas(reach)>
                    "Skip to the canvas"
                </button>
                <TopBar />
                <Rail />
                <main class="middle" style:--panel-height=move || format!("{}px", desk.panel_height.get())>
                    <Canvas handle=desk.canvas />
                    <Splitter
                        axis=Axis::Rows
                        label="Height of the panel"
                        size=desk.panel_height
                        least=120.0
                        most=900.0
                    />
                    <Panel />
                </main>
                <Splitter
                    axis=Axis::Columns
                    label="Width of the inspector"
                    size=desk.inspector_width
                    least=260.0
                    most=640.0
                />
                <Inspector />
                <nav class="pane-tabs" aria-label="Regions">
                    <Afterwards>
                        <PaneTab pane=Pane::Outline glyph=Glyph::More name="Outline" />
                        <PaneTab pane=Pane::Canvas glyph=Glyph::Wire name="Canvas" />
                        <PaneTab pane=Pane::Inspector glyph=Glyph::Entity name="Inspector" />
                        <PaneTab pane=Pane::Data glyph=Glyph::Table name="Data" />
                    </Afterwards>
                </nav>
            </div>
    <Afterwards>
        <LibraryDialog open=reach.library />
                <GenerateDialog form=reach.generating />
                <ImportDialog form=reach.importing />
                <HelpDialog open=reach.help />
                <CommandPalette />
                <ContextMenu />
                <Guide />
    </Afterwards>
            <NoticeList notices=store.notices />
            <Spoken />
        }
}

#[component]
fn PaneTab(pane: Pane, glyph: Glyph, name: &'static str) -> impl IntoView {
    let desk = super::desk::use_desk();
    let current = move || desk.pane.get() == pane;
    view! {
        <button
            class:current=current
            aria-current=move || current().then_some("true")
            on:click=move |_| desk.pane.set(pane)
        >
            <Icon glyph=glyph />
            {name}
        </button>
    }
}
