//! The narrow rail on the left: the palette, and an outline of the design with a search.

use crate::ui::canvas::handle::use_canvas;
use crate::ui::canvas::palette::Palette;
use crate::ui::dom::focus::bring_into_sight;
use crate::ui::live_table::tab_memory::use_tables;
use crate::ui::reactive::erased::{For, RwSignal, effect, memo};
use crate::ui::reactive::gradual::gradually;
use crate::ui::reactive::observers::on_resize;
use crate::ui::reactive::set_if_other;
use crate::ui::state::navigate::show_pattern;
use crate::ui::state::page_state::{Pane, Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::is_long;
use crate::ui::widgets::search_field::SearchField;
use keyfold_app::badge::badge;
use keyfold_app::grid::visible_lines;
use keyfold_core::model::{AccessPatternId, CardId, IndexId};
use leptos::html::Div;
use leptos::prelude::*;

/// Height of a row of the outline until it is measured, in CSS pixels. `shell.css` gives rows more on small screens.
const ROW: f64 = 28.0;
/// Height of the heading above the entities.
const TITLE: f64 = 28.0;
/// Rows drawn beyond the visible ones, on each side.
const OVERSCAN: usize = 10;

/// The element id of an access pattern's row.
fn row_id(id: AccessPatternId) -> String {
    format!("outline-pattern-{id}")
}

/// The rail.
#[component]
pub fn Rail() -> impl IntoView {
    let store = use_store();
    let (page, canvas, tables) = (use_page(), use_canvas(), use_tables());
    let search = RwSignal::new(String::new());
    let matches = move |name: &str| {
        let wanted = search.get().to_lowercase();
        name.to_lowercase().contains(wanted.trim())
    };
    let entities = move || {
        let rows = store
            .entity_ids
            .get()
            .into_iter()
            .filter_map(|id| store.entity(id))
            .filter_map(|node| {
                let (name, hue) = node.entity.with(|e| (e.name.clone(), e.hue));
                matches(&name).then_some((node.id, name, hue))
            });
        rows.collect::<Vec<_>>()
    };
    let indexes = move || {
        let secondary = store.index_ids.get().into_iter().filter_map(|id| {
            let node = store.index(id)?;
            let (name, kind) = node
                .index
                .with(|index| (index.name.clone(), index.kind.label()));
            Some((id, name, kind))
        });
        let table = (
            IndexId::PRIMARY,
            store.table.with(|table| table.name.clone()),
            "Table",
        );
        std::iter::once(table)
            .chain(secondary)
            .filter(|(_, name, _)| matches(name))
            .collect::<Vec<_>>()
    };
    let patterns = move || {
        store.access_patterns.with(|patterns| {
            (patterns.iter())
                .filter(|(_, pattern)| matches(&pattern.name))
                .map(|(id, pattern)| (*id, pattern.name.clone(), pattern.operation.name()))
                .collect::<Vec<_>>()
        })
    };
    let patterns = memo(move |_| patterns());
    let drawn_patterns = gradually(move || patterns.with(Vec::len));
    let shown_patterns = move || {
        let drawn = drawn_patterns.get();
        patterns.with(|patterns| patterns.iter().take(drawn).cloned().collect::<Vec<_>>())
    };
    // A design may have thousands of entities: only the visible rows are in the page.
    let outline: NodeRef<Div> = NodeRef::new();
    let scroll = RwSignal::new(0.0);
    let height = RwSignal::new(1200.0);
    let row = RwSignal::new(ROW);
    let measure = move || {
        if let Some(outline) = outline.get_untracked() {
            set_if_other(scroll, f64::from(outline.scroll_top()));
            set_if_other(height, f64::from(outline.client_height()));
            if let Ok(Some(first)) = outline.query_selector(".outline-row") {
                set_if_other(row, first.get_bounding_client_rect().height());
            }
        }
    };
    on_resize(move || outline.get().map(Into::into), measure);
    let entities = memo(move |_| entities());
    let range = memo(move |_| {
        visible_lines(
            scroll.get() - TITLE,
            height.get(),
            row.get(),
            entities.with(Vec::len),
            OVERSCAN,
        )
    });
    let shown =
        move || entities.with(|entities| entities.get(range.get()).unwrap_or_default().to_vec());
    let space = move |rows: usize| format!("{}px", rows as f64 * row.get());
    let go = move |card: CardId| {
        store.select(card);
        page.pane.set(Pane::Canvas);
        store.view.next_frame(move || canvas.reveal(card));
    };
    let shown_pattern = memo(move |_| {
        let shown = page.tab.get() == Tab::AccessPatterns && page.panel.get();
        store.proofs.selected.get().filter(|_| shown)
    });
    effect(move || {
        if let Some(id) = shown_pattern.get() {
            (store.view).next_frame(move || bring_into_sight(&row_id(id)));
        }
    });
    let current_pattern = move |id| (shown_pattern.get() == Some(id)).then_some("true");
    let current = move |card: CardId| {
        store
            .selection
            .with(|cards| cards.contains(&card))
            .then_some("true")
    };
    view! {
        <aside class="rail" aria-label="Outline">
            <AfterFirstPaint unpainted=store.unpainted>
                <Palette />
                <SearchField
                    label="Search outline"
                    value=search
                    typed=Callback::new(move |text| search.set(text))
                />
                <div class="outline" node_ref=outline on:scroll=move |_| measure()>
                    <h2>"Entities" <span class="count">{move || entities.with(Vec::len)}</span></h2>
                    <ul
                        style:padding-top=move || space(range.get().start)
                        style:padding-bottom=move || space(
                            entities.with(Vec::len) - range.get().end,
                        )
                    >
                        <For each=shown key=|row| row.clone() let((id, name, hue))>
                            <li>
                                <button
                                    class=format!("outline-row hue-{hue}")
                                    aria-current=move || current(CardId::Entity(id))
                                    on:click=move |_| go(CardId::Entity(id))
                                >
                                    <span class="badge" aria-hidden="true">
                                        {badge(&name)}
                                    </span>
                                    <span class="outline-name" class:long=is_long(&name)>
                                        {name.clone()}
                                    </span>
                                </button>
                                <button
                                    class="icon-button outline-only"
                                    // By keyboard, O does the same with the selected card.
                                    tabindex="-1"
                                    aria-label=format!("Show only the rows of {name}")
                                    title="Show only its rows"
                                    aria-pressed=move || {
                                        (tables.only.get() == Some(id)).to_string()
                                    }
                                    on:click=move |_| tables.toggle_only(store, page, id)
                                >
                                    <Icon glyph=Glyph::Filter />
                                </button>
                            </li>
                        </For>
                    </ul>
                    <h2>
                        "Table and indexes" <span class="count">{move || indexes().len()}</span>
                    </h2>
                    <ul>
                        <For each=indexes key=|row| row.clone() let((id, name, kind))>
                            <li>
                                <button
                                    class="outline-row"
                                    aria-current=move || current(CardId::Index(id))
                                    on:click=move |_| {
                                        go(CardId::Index(id));
                                        page.tab.set(Tab::Items(id));
                                    }
                                >
                                    <span class="kind">{kind}</span>
                                    <span class="outline-name" class:long=is_long(&name)>
                                        {name.clone()}
                                    </span>
                                </button>
                            </li>
                        </For>
                    </ul>
                    <h2>
                        "Access patterns"
                        <span class="count">{move || patterns.with(Vec::len)}</span>
                    </h2>
                    <ul>
                        <For each=shown_patterns key=|row| row.clone() let((id, name, operation))>
                            <li>
                                <button
                                    class="outline-row"
                                    id=row_id(id)
                                    title=operation
                                    aria-current=move || current_pattern(id)
                                    on:click=move |_| show_pattern(store, page, id)
                                >
                                    <Icon glyph=Glyph::Search />
                                    <span class="outline-name" class:long=is_long(&name)>
                                        {name.clone()}
                                    </span>
                                </button>
                            </li>
                        </For>
                    </ul>
                </div>
            </AfterFirstPaint>
        </aside>
    }
}
