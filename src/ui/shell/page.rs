//! The page: its regions, and the dialogs above them.

use super::app_context::AppContext;
use super::command_palette::{CommandPalette, commands};
use super::context_menu::{ActionsForSeveral, ContextMenu, open_by_key};
use super::guide_card::Guide;
use super::help::HelpDialog;
use super::notice_list::{NoticeList, Spoken};
use super::open_and_save::open_pasted;
use super::outline::Rail;
use super::pane_tabs::PaneTabs;
use super::panel::Panel;
use super::print::PrintedPages;
use super::shared::{SharedBar, follow_address};
use super::start::{UrlOptions, url_options};
use super::top_bar::TopBar;
use super::welcome::Welcome;
use super::{
    actions, attribute_highlight, design_file, file_drop, keyboard, offline, panel, presentation,
};
use crate::ui::canvas::Canvas;
use crate::ui::designs::{Designs, Start};
use crate::ui::dialogs::compare::{CompareDialog, MergeDialog};
use crate::ui::dialogs::designs::DesignsDialog;
use crate::ui::dialogs::generate::GenerateDialog;
use crate::ui::dialogs::import_design::ImportDesignDialog;
use crate::ui::dialogs::import_samples::ImportDialog;
use crate::ui::dialogs::library::LibraryDialog;
use crate::ui::dialogs::share::ShareDialog;
use crate::ui::dialogs::versions::VersionsDialog;
use crate::ui::dom::focus::is_focus_lost;
use crate::ui::inspector::Inspector;
use crate::ui::reactive::erased::effect;
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::page_state::{
    INSPECTOR_WIDTHS, OUTLINE_WIDTHS, PANEL_HEIGHTS, PageState, Pane, TEXT_WIDTHS, Tab,
};
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::classes;
use crate::ui::widgets::field::FieldHost;
use crate::ui::widgets::splitter::{Axis, Splitter};
use keyfold_app::placement;
use keyfold_core::model::IndexId;
use leptos::prelude::*;
use std::time::Duration;

/// Time between the first paint and loading the code of dialogs, in milliseconds.
const PRELOAD: u64 = 1500;

/// The whole page.
#[component]
pub fn Shell(
    /// What it starts with.
    start: Start,
) -> impl IntoView {
    let UrlOptions { near, embed, .. } = url_options();
    let (store, designs) = Designs::start(start);
    let page = PageState::restored(store);
    let app = AppContext::new(store, page, designs, actions::ALL);
    let canvas = app.canvas;
    app.provide();
    provide_context(FieldHost {
        design: store.numbering,
        say: Callback::new(move |text: String| store.notices.say(text)),
    });
    (app.tables.open_menu).set_value(Some(Callback::new(move |()| open_by_key(app))));
    let import = move |text| open_pasted(app, text);
    (canvas.take_foreign).set_value(Some(Callback::new(import)));
    keyboard::bind(app);
    file_drop::bind(app);
    design_file::bind(app);
    follow_address(store, designs);
    let is_embedded = embed && store.is_read_only.get_untracked();
    if !is_embedded {
        offline::keep_app(app);
    }
    attribute_highlight::bind(store);
    presentation::follow(app);
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
            canvas.fit_legibly();
        }
    };
    let last = StoredValue::new(store.opened.get_untracked());
    let last_key = StoredValue::new(designs.open.get_untracked());
    // What was pressed to open another design is often gone: the canvas has the focus then, and the opening is announced.
    // A version of the same design that another tab stored must not take the focus from a field.
    let arrive = move || {
        let key = designs.open.get_untracked();
        if last_key.get_value() == key && !is_focus_lost() {
            return;
        }
        last_key.set_value(key);
        canvas.take_focus();
        if page.guide.with_untracked(Option::is_none) {
            let opened = store.name.with_untracked(|name| format!("{name} opened"));
            store.spoken.set(opened);
        }
    };
    effect(move || {
        let opened = store.opened.get();
        page.pane.set(Pane::Canvas);
        if last.get_value() != opened {
            last.set_value(opened);
            store.view.next_frame(arrive);
        }
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
    // The code of dialogs is loaded before somebody opens one, but after everything else. The tabs that are opened less
    // often come last, so that they work when the connection is lost.
    effect(move || {
        if !store.unpainted.get() {
            let view = store.view;
            let load = move || {
                when_loaded(view, commands(), move |_| {
                    when_loaded(view, panel::cost(), move |_| {
                        when_loaded(view, panel::text(), |_| ());
                    });
                });
            };
            view.after(Duration::from_millis(PRELOAD), load);
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
            ("presents", page.presents.get()),
            ("embedded", is_embedded),
            // Forms and code need the room: the inspector ends above them.
            (
                "wide-panel",
                page.panel.get()
                    && matches!(
                        page.tab.get(),
                        Tab::AccessPatterns | Tab::Cost | Tab::Text | Tab::Exports
                    ),
            ),
            (
                "text-beside",
                page.panel.get() && page.tab.get() == Tab::Text && page.text_beside.get(),
            ),
        ];
        classes(pane, &closed)
    };
    view! {
               <div
                   class=class
                   style:--rail-width=move || format!("{}px", page.rail_width.get())
                   style:--inspector-width=move || format!("{}px", page.inspector_width.get())
                   style:--text-width=move || format!("{}px", page.text_width.get())
                   style:--panel-height=move || format!("{}px", page.panel_height.get())
               >
                   <TopBar />
                   <SharedBar is_embedded=is_embedded />
                   <Rail />
                   <main class="middle">
                       {presentation::heading(app)}
                       <Splitter
                           axis=Axis::LeftColumn
                           label="Outline width"
                           size=page.rail_width
                           limits=OUTLINE_WIDTHS
                       />
                       <Canvas handle=canvas welcome=|| view! { <Welcome /> } />
                       <Splitter
                           axis=Axis::Rows
                           label="Panel height"
                           size=page.panel_height
                           limits=PANEL_HEIGHTS
                       />
                       <div class="text-splitter">
                           <Splitter
                               axis=Axis::RightColumn
                               label="Text width"
                               size=page.text_width
                               limits=TEXT_WIDTHS
                           />
                       </div>
                       <Panel />
                       <Splitter
                           axis=Axis::RightColumn
                           label="Inspector width"
                           size=page.inspector_width
                           limits=INSPECTOR_WIDTHS
                       />
                       <AfterFirstPaint unpainted=store.unpainted>
                           <ContextMenu />
                       </AfterFirstPaint>
                   </main>
                   <Inspector several=|| view! { <ActionsForSeveral /> } />
                   <AfterFirstPaint unpainted=store.unpainted>
                       <Guide />
                   </AfterFirstPaint>
    {presentation::end_button(app)}
                    <PaneTabs />
               </div>
       <AfterFirstPaint unpainted=store.unpainted>
           <LibraryDialog open=app.library />
                   <DesignsDialog open=app.all_designs />
                   <GenerateDialog form=app.generating />
                   <ImportDialog form=app.importing />
                   <ImportDesignDialog form=app.importing_design />
                   <ShareDialog open=app.sharing />
                   <VersionsDialog open=app.versions />
                   <CompareDialog form=app.comparing />
                   <MergeDialog form=app.merging />
                   <HelpDialog open=app.help />
                   <CommandPalette />
                   <PrintedPages />
       </AfterFirstPaint>
               <NoticeList notices=store.notices />
               <Spoken />
           }
}
