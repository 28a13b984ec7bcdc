//! The table in the page: its parts, scrolling and the active cell in sight.

use super::cell_editor::Editor;
use super::column_heads::Heads;
use super::columns;
use super::empty::Nothing;
use super::find::FindBar;
use super::grid::Grid;
use super::large_value_editor::{self, LargeEditor};
use super::line_height::line_height;
use super::shown_pattern::ShownPattern;
use super::status_bar::StatusBar;
use super::tab_memory::use_tables;
use super::toolbar::ToolBar;
use super::{keys_and_pointer, row_window};
use crate::ui::dom::element::target_of;
use crate::ui::reactive::erased::{RwSignal, Show, effect, memo};
use crate::ui::reactive::observers::on_resize;
use crate::ui::reactive::set_if_other;
use crate::ui::state::store::use_store;
use keyfold_core::model::{IndexId, SampleId, SortedMap};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use web_sys::Node;

/// The items of the table or an index.
#[component]
pub fn LiveTable(
    /// Which.
    index: IndexId,
) -> impl IntoView {
    let store = use_store();
    let tables = use_tables();
    let grid = Grid::new(store, tables, index);
    tables.shown.set_value(Some(Arc::new(grid)));
    on_cleanup(move || tables.shown.set_value(None));
    follow_size(grid);
    follow_active(grid);
    grid.follow_clipboard();
    store.when_moved(move |moved| grid.follow_moved(moved));
    keys_and_pointer::follow_pointer(grid);
    arrive(grid);
    // Another design has different rows.
    Effect::new(move |before: Option<u64>| {
        let opened = store.opened.get();
        if before.is_some_and(|before| before != opened) {
            grid.reset();
        }
        opened
    });
    // Show the remaining rows from the top.
    Effect::new(move |before: Option<()>| {
        grid.filter.track();
        grid.hidden_entities.track();
        grid.sort.track();
        if before.is_some() {
            grid.scroll_to(0.0);
            if grid.focused.get_value() {
                grid.reveal();
            }
        }
    });
    let no_entity = memo(move |_| store.entity_ids.with(Vec::is_empty));
    view! {
        <div class="live-table">
            <ToolBar grid=grid />
            <ShownPattern />
            <Show when=move || !no_entity.get() fallback=move || view! { <Nothing grid=grid /> }>
                <Cells grid=grid />
            </Show>
            <FindBar grid=grid />
            <LargeEditor grid=grid />
            <StatusBar grid=grid />
        </div>
    }
}

/// The grid itself.
#[component]
fn Cells(grid: Grid) -> impl IntoView {
    let body = NodeRef::new();
    row_window::keep_drawn(grid, body);
    let count = memo(move |_| grid.sheet.with(|sheet| sheet.len()));
    let sideways = sideways(grid);
    on_cleanup(move || grid.uses(|use_| *use_ = Default::default()));
    let label = move || {
        grid.sheet.track();
        let name = (grid.store).with(|design| design.index_name(grid.index).to_owned());
        format!("Items of {name}")
    };
    // Cells take position and width from these properties, so that resizing a column changes one element.
    let set = StoredValue::new(SortedMap::new());
    let widths = move || {
        let scroller = grid.scroller.get();
        let all = grid.widths.get();
        let Some(scroller) = scroller else { return };
        let style = web_sys::HtmlElement::style(&scroller);
        // Setting a property again makes all cells look it up again.
        let put = |name: String, width: f64| {
            let before = set.try_update_value(|set| set.insert(name.clone(), width));
            if before.flatten() != Some(width) {
                let _ = style.set_property(&name, &format!("{width}px"));
            }
        };
        let frozen = grid.columns.with(|heads| columns::frozen(heads));
        let mut left = grid.row_head();
        put("--row-head".into(), left);
        for (at, width) in all.iter().enumerate() {
            if at == frozen {
                put("--frozen".into(), left);
            }
            put(format!("--w{at}"), *width);
            put(format!("--x{at}"), left);
            left += width;
        }
        put("--total".into(), left);
    };
    effect(widths);
    view! {
        <div
            class="grid"
            class:empty=move || count.get() == 0
            class:sideways=move || sideways.get()
            role="grid"
            data-grid=""
            tabindex="-1"
            aria-label=label
            aria-busy=move || grid.store.working.get().to_string()
            aria-multiselectable="true"
            aria-rowcount=move || (count.get() + 1).to_string()
            aria-colcount=move || grid.columns.with(|heads| heads.len() + 1).to_string()
            node_ref=grid.scroller
            on:scroll=move |_| {
                if let Some(scroller) = grid.scroller.get_untracked() {
                    grid.scroll.set(f64::from(scroller.scroll_top()));
                    let left = scroller.scroll_left();
                    set_if_other(grid.left, f64::from(left));
                    set_if_other(sideways, left != 0);
                }
            }
            on:pointerenter=move |_| grid.uses(|use_| use_.pointer = true)
            on:pointerleave=move |_| grid.uses(|use_| use_.pointer = false)
            on:keydown=move |event| keys_and_pointer::pressed(grid, &event)
            on:mousedown=move |event| keys_and_pointer::pressed_down(grid, &event)
            on:click=move |event| keys_and_pointer::clicked(grid, &event)
            on:dblclick=move |event| keys_and_pointer::double_clicked(grid, &event)
            on:focusin=move |event| keys_and_pointer::focused(grid, &event)
            on:focusout=move |event| keys_and_pointer::blurred(grid, &event)
        >
            <Heads grid=grid />
            <div
                class="grid-body"
                role="rowgroup"
                node_ref=body
                style:height=move || format!("{}px", count.get() as f64 * line_height())
            >
                <Editor grid=grid />
            </div>
        </div>
        <Show when=move || { count.get() == 0 }>
            <Nothing grid=grid />
        </Show>
    }
}

/// Tracks whether the table is scrolled sideways, or is about to be.
fn sideways(grid: Grid) -> RwSignal<bool> {
    let sideways = RwSignal::new(false);
    let is_ours = move |event: &web_sys::Event| {
        let target = target_of(event);
        target.is_some_and(|target| grid.contains(&target))
    };
    // Listens to the wheel on the window: a listener on the table would delay scrolling.
    let wheel = window_event_listener(ev::wheel, move |event| {
        if (event.delta_x() != 0.0 || event.shift_key()) && is_ours(&event) {
            set_if_other(sideways, true);
        }
    });
    // A finger, or a press on a scrollbar.
    let press = window_event_listener(ev::pointerdown, move |event| {
        let is_touch = event.pointer_type() == "touch";
        let on_bar = event.target() == grid.scroller.get_untracked().map(Into::into);
        if on_bar || is_touch && is_ours(&event) {
            set_if_other(sideways, true);
        }
    });
    on_cleanup(move || {
        wheel.remove();
        press.remove();
    });
    sideways
}

/// Restores the scroll position. An item made active in another tab scrolls into view, and gets the keyboard focus if
/// the user navigated to it.
fn arrive(grid: Grid) {
    let tables = grid.tables;
    let opened = StoredValue::new(0);
    effect(move || opened.set_value(grid.store.opened.get()));
    let arrived = StoredValue::new(false);
    effect(move || {
        if grid.scroller.get().is_none()
            || grid.sheet.with(|sheet| sheet.is_empty())
            || arrived.get_value()
        {
            return;
        }
        arrived.set_value(true);
        let place = tables.place(grid.index);
        grid.view.next_frame(move || {
            let is_there = grid.active_line.get_untracked().is_some();
            let mut is_news = true;
            if let Some(place) = place {
                grid.scroll_to(place.top);
                if let Some(scroller) = grid.scroller.get_untracked() {
                    scroller.set_scroll_left(place.left as i32);
                }
                is_news = grid.active.get_untracked() != place.active;
            }
            if is_there && is_news {
                grid.reveal();
            }
            if is_there && tables.takes_focus.get_value() {
                grid.focus();
            }
            tables.takes_focus.set_value(false);
        });
    });
    on_cleanup(move || {
        let scroll = [grid.scroll, grid.left].map(|scroll| scroll.try_get_untracked());
        if let [Some(top), Some(left)] = scroll
            && grid.store.opened.try_get_untracked() == opened.try_get_value()
        {
            tables.leave(opened.get_value(), grid.index, [top, left]);
        }
    });
}

/// Keeps the size of the visible part up to date.
fn follow_size(grid: Grid) {
    let measure = move || {
        let Some(scroller) = grid.scroller.get_untracked() else {
            return;
        };
        let height = f64::from(scroller.client_height()) - line_height();
        if height > 0.0 {
            set_if_other(grid.height, height);
            set_if_other(grid.room, f64::from(scroller.client_width()));
            set_if_other(grid.left, f64::from(scroller.scroll_left()));
        }
    };
    on_resize(move || grid.scroller.get().map(Into::into), measure);
}

/// When the order changes, the active cell stays with its item and scrolls back into view, with the focus.
fn follow_active(grid: Grid) {
    Effect::new(move |before: Option<(Option<SampleId>, Option<usize>)>| {
        grid.sheet.track();
        let line = grid.active_line.get();
        let sample = (grid.active).with_untracked(|spot| spot.as_ref().map(|spot| spot.sample));
        if let Some(before) = before
            && line.is_some()
            && grid.focused.get_value()
        {
            // Another active item was pressed, or is already visible.
            if before.0 == sample && before.1 != line {
                grid.reveal();
            }
            let lost = document()
                .active_element()
                .is_none_or(|focus| focus.tag_name() == "BODY");
            if lost && grid.editing.with_untracked(Option::is_none) {
                grid.focus();
            }
        }
        (sample, line)
    });
    // A press anywhere else ends the table's focus and stores the entered text.
    let press = window_event_listener(ev::pointerdown, move |event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Node>().ok());
        let inside = (grid.scroller.get_untracked())
            .is_some_and(|scroller| scroller.contains(target.as_ref()));
        if !inside && !target.is_some_and(|target| large_value_editor::is_in(&target)) {
            grid.focused.set_value(false);
            grid.commit(None);
        }
    });
    on_cleanup(move || press.remove());
}
