//! The column heads: the attribute's name and role, an edge to resize, a menu. A head can be dragged to another
//! place.

use super::cell::role_class;
use super::column_resize::Edge;
use super::columns::Head;
use super::grid::Grid;
use super::line_height::line_height;
use crate::ui::dom::element::target_of;
use crate::ui::reactive::erased::{For, RwSignal};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

/// A press that moves at most this far is a click, in CSS pixels.
const SLOP: f64 = 5.0;
/// Change of a column's width by a key press, in CSS pixels.
const STEP: f64 = 16.0;

/// The heads of all columns.
#[component]
pub fn Heads(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    // Position of the press, the pressed head, and the head under the pointer.
    let from = StoredValue::new(None::<(f64, String)>);
    let over = RwSignal::new(None::<String>);
    // A width is a variable of the style sheet: the heads stay.
    let heads = move || {
        keep_focus(grid);
        let without_width = |head: &Head| Head {
            width: 0.0,
            ..head.clone()
        };
        grid.columns.with(|heads| {
            let heads = heads.iter().map(without_width);
            heads.enumerate().collect::<Vec<_>>()
        })
    };
    let down = move |event: ev::PointerEvent| {
        let name = name_of(&event).filter(|_| event.button() == 0);
        from.set_value(name.map(|name| (f64::from(event.client_x()), name)));
    };
    let moved = move |event: ev::PointerEvent| {
        let Some((start, name)) = from.get_value() else {
            return;
        };
        let x = f64::from(event.client_x());
        let far = (x - start).abs() > SLOP && event.pointer_type() != "touch";
        if !far && over.with_untracked(Option::is_none) {
            return;
        }
        let Some(scroller) = grid.scroller.get_untracked() else {
            return;
        };
        let y = scroller.get_bounding_client_rect().top() + line_height() / 2.0;
        let under = document().element_from_point(x as f32, y as f32);
        let under = under.and_then(|under| under.closest("[data-name]").ok().flatten());
        let under = under.and_then(|head| head.get_attribute("data-name"));
        over.set(Some(under.unwrap_or(name)));
    };
    let up = move |event: ev::PointerEvent| {
        let Some(Some((_, name))) = from.try_update_value(Option::take) else {
            return;
        };
        match over.try_update(Option::take).flatten() {
            Some(to) => grid.put_column(&name, &to),
            // A click or a tap selects the column.
            None if name_of(&event).as_ref() == Some(&name) => grid.select_column(&name),
            None => {}
        }
    };
    let cancel = move || {
        from.set_value(None);
        over.set(None);
    };
    let moving = window_event_listener(ev::pointermove, moved);
    let canceled = window_event_listener(ev::pointercancel, move |_| cancel());
    let released = window_event_listener(ev::pointerup, up);
    on_cleanup(move || {
        moving.remove();
        canceled.remove();
        released.remove();
    });
    view! {
        <div
            class="grid-head"
            class:moving=move || over.with(Option::is_some)
            role="row"
            aria-rowindex="1"
            on:pointerdown=down
            on:mousedown=|event| event.prevent_default()
            on:keydown=move |event| {
                if event.key() == "Escape" {
                    cancel();
                }
                if pressed(grid, &event, &|| open_menu(grid)) {
                    event.prevent_default();
                    event.stop_propagation();
                }
            }
            on:focusin=move |_| grid.head_has_focus()
            on:focusout=move |_| grid.head.set_value(None)
        >
            <div class="grid-cell row-head" role="columnheader" aria-colindex="1">
                <span class="visually-hidden">"Entity"</span>
                {move || {
                    (grid.store.heat)
                        .with(Option::is_some)
                        .then(|| {
                            view! {
                                <span
                                    class="row-heat"
                                    title="Load of the hottest item collection of this kind, as a share of the partition limit"
                                >
                                    "Heat"
                                </span>
                            }
                        })
                }}
            </div>
            <For each=heads key=|head| head.clone() let((at, head))>
                {head_view(grid, at, &head, over)}
            </For>
        </div>
    }
}

fn open_menu(grid: Grid) {
    if let Some(open) = grid.tables.open_menu.get_value() {
        open.run(());
    }
}

fn name_of(event: &web_sys::Event) -> Option<String> {
    let target = event.target()?.dyn_into::<Element>().ok()?;
    if target.closest(".edge, .sort-button").ok()?.is_some() {
        return None;
    }
    target
        .closest("[data-name]")
        .ok()??
        .get_attribute("data-name")
}

fn head_view(
    grid: Grid,
    at: usize,
    head: &Head,
    over: RwSignal<Option<String>>,
) -> impl IntoView + use<> {
    let name = head.name.clone();
    let mut class = format!("grid-cell {}", role_class(head, at));
    if head.number {
        class.push_str(" number");
    }
    if !head.projected {
        class.push_str(" unprojected");
    }
    let target = name.clone();
    let is_target = move || over.with(|over| over.as_ref() == Some(&target));
    let sorted = name.clone();
    // Returns one of two words for the sort order; `None` if the rows are not sorted by this column.
    let order = move |words: [&'static str; 2]| {
        let sort = grid.sort.get().filter(|sort| sort.column == sorted)?;
        Some(words[usize::from(sort.descending)])
    };
    let glyph = order.clone();
    let (press, what) = (name.clone(), name.clone());
    view! {
        <div
            class=class
            class:target=is_target
            role="columnheader"
            tabindex="-1"
            data-name=head.name.clone()
            aria-colindex=(at + 2).to_string()
            aria-sort=move || order(["ascending", "descending"])
            title=format!("{} {}: right-click or press Enter for its menu", head.name, head.label)
            style:width=format!("var(--w{at})")
        >
            <span class="text">{head.name.clone()}</span>
            <span class="role">{head.label.clone()}</span>
            // Keyboards and screen readers sort by the menu.
            <button
                class="sort-button"
                tabindex="-1"
                aria-hidden="true"
                title=move || grid.next_order(&what).1
                on:click=move |event| {
                    event.stop_propagation();
                    match grid.next_order(&press).0 {
                        Some(descending) => grid.sort_by(&press, descending),
                        None => grid.unsort(),
                    }
                }
            >
                {move || glyph(["↑", "↓"]).unwrap_or("↕")}
            </button>
            <Edge grid=grid at=at name=name />
        </div>
    }
}

/// Focuses the head of the active cell's column. Returns whether there is one.
pub fn focus_active(grid: Grid) -> bool {
    let name = (grid.active).with_untracked(|spot| spot.as_ref().and_then(|s| s.column.clone()));
    name.is_some_and(|name| focus(grid, &name))
}

impl Grid {
    /// Records which column head has the keyboard focus.
    pub fn head_has_focus(self) {
        let focus = document().active_element();
        let focus = focus.filter(|focus| self.contains(focus));
        let name = focus.and_then(|focus| focus.get_attribute("data-name"));
        self.head.set_value(name);
    }
}

fn focus(grid: Grid, name: &str) -> bool {
    let heads = (grid.scroller.get_untracked())
        .and_then(|scroller| scroller.query_selector_all("[data-name]").ok());
    let Some(heads) = heads else { return false };
    let mut heads =
        (0..heads.length()).filter_map(|at| heads.item(at)?.dyn_into::<HtmlElement>().ok());
    let found = heads.find(|head| head.get_attribute("data-name").as_deref() == Some(name));
    found.is_some_and(|head| head.focus().is_ok())
}

/// Before the heads are redrawn: restores the keyboard focus to the same head, or to the one in its place if the
/// column is gone.
fn keep_focus(grid: Grid) {
    let head = document()
        .active_element()
        .filter(|focus| grid.contains(focus));
    let of = |name| head.as_ref()?.get_attribute(name);
    let (Some(name), Some(column)) = (of("data-name"), of("aria-colindex")) else {
        return;
    };
    grid.view.next_frame(move || {
        if !focus(grid, &name) {
            let names = grid.names();
            let at = column.parse::<usize>().map_or(0, |column| column - 2);
            if let Some(next) = names.get(at).or(names.last()) {
                focus(grid, next);
            }
        }
    });
}

/// Handles a key press on a head. Returns whether it did.
fn pressed(grid: Grid, event: &ev::KeyboardEvent, menu: &dyn Fn()) -> bool {
    let target = target_of(event);
    let Some(name) = target.and_then(|target| target.get_attribute("data-name")) else {
        return false;
    };
    let names = grid.names();
    let at = names.iter().position(|other| *other == name).unwrap_or(0);
    let step: isize = match event.key().as_str() {
        "ArrowLeft" => -1,
        "ArrowRight" => 1,
        "Home" => -(names.len() as isize),
        "End" => names.len() as isize,
        "ArrowDown" | "Escape" => {
            let first = grid.sheet.with_untracked(|sheet| sheet.first());
            match first.and_then(|line| grid.spot(line, at + 1)) {
                Some(spot) => grid.activate(spot),
                None => return false,
            }
            return true;
        }
        "Enter" => {
            menu();
            return true;
        }
        " " => {
            grid.select_column(&name);
            return true;
        }
        _ => return false,
    };
    if event.alt_key() {
        grid.move_column(&name, step);
    } else if event.shift_key() {
        grid.set_width(&name, grid.width_of(&name) + STEP * step as f64);
    } else {
        let to = at
            .saturating_add_signed(step)
            .min(names.len().saturating_sub(1));
        focus(grid, &names[to]);
        if !grid.commit(None) {
            return true;
        }
        let spot = grid.spot(grid.active_line.get_untracked().unwrap_or(0), to + 1);
        grid.active.set(spot);
    }
    true
}
