//! The bottom panel: a tab for the table and each index, the access patterns, the problems, the cost, the text and the
//! exports.

use crate::ui::access_patterns::Patterns;
use crate::ui::cost::Cost;
use crate::ui::exports::CodePanel;
use crate::ui::live_table::LiveTable;
use crate::ui::problems::Problems;
use crate::ui::reactive::erased::{For, effect, memo};
use crate::ui::reactive::later::{View, painted};
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::text_tab::TextTab;
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_core::model::IndexId;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlElement;

on_demand!(panels, live_table: Part<IndexId> = |id| view! { <LiveTable index=id /> }.into_any());
on_demand!(tools, access_patterns: Part = |()| view! { <Patterns /> }.into_any());
on_demand!(tools, problems: Part = |()| view! { <Problems /> }.into_any());
on_demand!(cost, cost: Part = |()| view! { <Cost /> }.into_any());
on_demand!(language, text: Part = |()| view! { <TextTab /> }.into_any());
on_demand!(tools, exports: Part = |()| view! { <CodePanel /> }.into_any());

/// The bottom panel.
#[component]
pub fn Panel() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    // The chosen tab is marked before the work of showing its content begins.
    let painted = painted(store.view, move || page.tab.get(), || false);
    // Choosing the same tab again does not rebuild it.
    let shown = memo(move |_| {
        let tab = match painted.get() {
            Tab::Items(id) if !id.is_primary() && !store.index_ids.get().contains(&id) => {
                page.tab.get()
            }
            tab => tab,
        };
        // Forms are built again when their parts have other ids; the table and the text follow by themselves.
        let has_forms = matches!(tab, Tab::AccessPatterns | Tab::Cost);
        let numbering = has_forms.then(|| store.numbering.get());
        (!store.unpainted.get()).then_some((tab, numbering))
    });
    let shown_tab = move || shown.get().map(|(tab, _)| tab);
    let body = move || match shown_tab() {
        None => ().into_any(),
        Some(Tab::Items(id)) => on_demand_view(live_table, id),
        Some(Tab::AccessPatterns) => on_demand_view(access_patterns, ()),
        Some(Tab::Problems) => on_demand_view(problems, ()),
        Some(Tab::Cost) => on_demand_view(cost, ()),
        Some(Tab::Text) => on_demand_view(text, ()),
        Some(Tab::Exports) => on_demand_view(exports, ()),
    };
    view! {
        // A press on it takes the focus from the canvas, so that keys do not act there.
        <section class="panel" aria-label="Data" tabindex="-1">
            <div class="panel-bar">
                <AfterFirstPaint unpainted=store.unpainted>
                    <Bar />
                </AfterFirstPaint>
            </div>
            <div
                class="panel-body"
                class:tall=move || page.tab.get().is_tall()
                id="panel-body"
                role="tabpanel"
                aria-labelledby=move || page.tab.get().element_id()
                data-content=move || shown_tab().map(Tab::element_id)
            >
                {body}
            </div>
        </section>
    }
}

/// The tabs, and the button that opens and closes the panel.
#[component]
fn Bar() -> impl IntoView {
    let store = use_store();
    let page = use_page();
    // The tab shows how many access patterns are unserved.
    store.look_at_verdicts();
    let tabs = memo(move |_| {
        let mut tabs = vec![Tab::Items(IndexId::PRIMARY)];
        tabs.extend(store.index_ids.get().into_iter().map(Tab::Items));
        tabs.extend([
            Tab::AccessPatterns,
            Tab::Problems,
            Tab::Cost,
            Tab::Text,
            Tab::Exports,
        ]);
        tabs
    });
    let name = move |tab: Tab| match tab {
        Tab::Items(id) if id.is_primary() => "Table".to_owned(),
        Tab::Items(id) => store
            .index(id)
            .map(|node| node.index.with(|index| index.name.clone()))
            .unwrap_or_default(),
        Tab::AccessPatterns => {
            let count = store.access_patterns.with(|patterns| patterns.len());
            match store.proofs.unserved() {
                0 => format!("Access patterns ({count})"),
                not => format!("Access patterns ({count}, {not} unserved)"),
            }
        }
        Tab::Problems => match store.findings.open() {
            0 => "Problems".to_owned(),
            count => format!("Problems ({count})"),
        },
        Tab::Cost => "Cost".to_owned(),
        Tab::Text => {
            store.revision.track();
            // While the text is shown, it shows its errors itself.
            match store.text_errors() {
                _ if page.tab.get() == Tab::Text && page.panel.get() => "Text".to_owned(),
                0 => "Text".to_owned(),
                1 => "Text (1 error)".to_owned(),
                many => format!("Text ({many} errors)"),
            }
        }
        Tab::Exports => "Export".to_owned(),
    };
    // The standard keys of a tab list.
    let key = move |event: leptos::ev::KeyboardEvent| {
        let all = tabs.get_untracked();
        let at = (all.iter().position(|tab| *tab == page.tab.get_untracked())).unwrap_or(0);
        let last = all.len() - 1;
        let next = match event.key().as_str() {
            "ArrowRight" => (at + 1) % all.len(),
            "ArrowLeft" => at.checked_sub(1).unwrap_or(last),
            "Home" => 0,
            "End" => last,
            _ => return,
        };
        event.prevent_default();
        page.tab.set(all[next]);
        to_chosen(store.view, |tab| {
            let _ = tab.focus();
        });
    };
    // On a small screen not all tabs fit.
    effect(move || {
        page.tab.track();
        to_chosen(store.view, |tab| tab.scroll_into_view_with_bool(false));
    });
    view! {
        <div class="panel-tabs" role="tablist" aria-label="Data" on:keydown=key>
            <For each=move || tabs.get() key=|tab| *tab let:tab>
                {
                    let current = move || page.tab.get() == tab;
                    view! {
                        <button
                            role="tab"
                            id=tab.element_id()
                            aria-selected=move || current().to_string()
                            aria-controls="panel-body"
                            tabindex=move || if current() { "0" } else { "-1" }
                            on:click=move |_| {
                                page.tab.set(tab);
                                page.panel.set(true);
                            }
                        >
                            {move || name(tab)}
                        </button>
                    }
                }
            </For>
        </div>
        <button
            class="icon-button panel-toggle"
            aria-label=move || if page.panel.get() { "Close panel" } else { "Open panel" }
            title=move || if page.panel.get() { "Close panel" } else { "Open panel" }
            aria-expanded=move || page.panel.get().to_string()
            on:click=move |_| page.panel.update(|open| *open = !*open)
        >
            {move || {
                let glyph = if page.panel.get() { Glyph::ChevronDown } else { Glyph::ChevronUp };
                view! { <Icon glyph=glyph /> }
            }}
        </button>
    }
}

/// Calls `act` with the chosen tab in the next frame.
fn to_chosen(view: View, act: fn(&HtmlElement)) {
    view.next_frame(move || {
        let tab = document().query_selector(".panel-tabs [aria-selected=true]");
        if let Ok(Some(tab)) = tab {
            act(tab.unchecked_ref());
        }
    });
}
