//! The toolbar's menus: visible entities and columns.

use super::columns::arranged;
use super::grid::Grid;
use crate::ui::dom::element::window_size;
use crate::ui::reactive::erased::{RwSignal, Show, effect, memo};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::badge::badge;
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_core::model::EntityId;
use leptos::ev;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, Node};

/// Where a popover is in the window, and its maximum height, in CSS pixels.
#[derive(Debug, Clone, Copy, Default)]
struct PopoverPlace {
    left: f64,
    top: f64,
    height: f64,
}

impl PopoverPlace {
    /// Minimum distance from the edges of the window, and distance from the button.
    const MARGIN: f64 = 8.0;
    const GAP: f64 = 4.0;
    /// Maximum height.
    const MAX_HEIGHT: f64 = 360.0;

    /// Below its button, or above it if there is more room.
    fn beside(button: &Element, popover: &Element) -> PopoverPlace {
        let (width, height) = window_size();
        let content = f64::from(popover.scroll_height());
        let (button, popover) = (
            button.get_bounding_client_rect(),
            popover.get_bounding_client_rect(),
        );
        let above = button.top() - PopoverPlace::GAP - PopoverPlace::MARGIN;
        let below = height - button.bottom() - PopoverPlace::GAP - PopoverPlace::MARGIN;
        let wanted = content.min(PopoverPlace::MAX_HEIGHT);
        let is_below = below >= wanted || below >= above;
        let room = wanted.min(if is_below { below } else { above });
        PopoverPlace {
            left: (button.left())
                .min(width - popover.width() - PopoverPlace::MARGIN)
                .max(PopoverPlace::MARGIN),
            top: match is_below {
                true => button.bottom() + PopoverPlace::GAP,
                false => button.top() - PopoverPlace::GAP - room,
            },
            height: room,
        }
    }
}

/// A button and its popover.
#[component]
fn BarMenu(
    /// The table; only one of its menus is open at a time.
    grid: Grid,
    /// The button's text.
    name: &'static str,
    /// What is said beside the text: what is hidden, or what alone is shown; empty if everything is shown.
    #[prop(into)]
    note: Signal<String>,
    /// The popover's content.
    children: ChildrenFn,
) -> impl IntoView {
    let (menu, popover): (NodeRef<Div>, NodeRef<Div>) = (NodeRef::new(), NodeRef::new());
    let place = RwSignal::new(PopoverPlace::default());
    let children = StoredValue::new(children);
    let is_open = memo(move |_| grid.menu.get() == name);
    let close = move || grid.menu.set("");
    let focus = move |selector: &'static str| {
        let found = menu
            .get_untracked()
            .and_then(|it| it.query_selector(selector).ok().flatten());
        if let Some(Ok(found)) = found.map(|found| found.dyn_into::<HtmlElement>()) {
            let _ = found.focus();
        }
    };
    effect(move || {
        if is_open.get() {
            grid.view
                .next_frame(move || focus(".bar-popover input, .bar-popover button"));
        }
    });
    // Beside the button, inside the window: the panel would cut it.
    effect(move || {
        if let (Some(menu), Some(popover)) = (menu.get(), popover.get()) {
            place.set(PopoverPlace::beside(&menu, &popover));
        }
    });
    let resize = window_event_listener(ev::resize, move |_| {
        if is_open.get_untracked() {
            close();
            focus("button");
        }
    });
    let press = window_event_listener(ev::pointerdown, move |event| {
        let target = event
            .target()
            .and_then(|target| target.dyn_into::<Node>().ok());
        let inside = menu
            .get_untracked()
            .is_some_and(|menu| menu.contains(target.as_ref()));
        if !inside && is_open.get_untracked() {
            close();
        }
    });
    on_cleanup(move || {
        press.remove();
        resize.remove();
    });
    view! {
        <div
            class="bar-menu"
            node_ref=menu
            on:keydown=move |event| {
                if event.key() == "Escape" && is_open.get_untracked() {
                    event.prevent_default();
                    event.stop_propagation();
                    close();
                    focus("button");
                }
            }
        >
            <button
                class="button quiet"
                aria-haspopup="true"
                aria-expanded=move || is_open.get().to_string()
                on:click=move |_| grid.menu.set(if is_open.get_untracked() { "" } else { name })
            >
                <span class="bar-menu-name">{name}</span>
                {move || {
                    let note = note.get();
                    (!note.is_empty()).then(|| view! { <span class="bar-hidden">{note}</span> })
                }}
                <Icon glyph=Glyph::ChevronDown />
            </button>
            <Show when=move || is_open.get()>
                <div
                    class="bar-popover"
                    role="group"
                    aria-label=name
                    node_ref=popover
                    style:left=move || format!("{}px", place.get().left)
                    style:top=move || format!("{}px", place.get().top)
                    style:max-height=move || format!("{}px", place.get().height)
                >
                    {children.with_value(|children| children())}
                </div>
            </Show>
        </div>
    }
}

/// Says how many entries are hidden.
fn hidden_note(count: usize) -> String {
    match count {
        0 => String::new(),
        count => format!("{count} hidden"),
    }
}

/// The menu of visible entities.
#[component]
pub fn EntityMenu(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let note = move || {
        let only = grid.only.get().and_then(|id| grid.store.entity(id));
        match only {
            Some(node) => node.entity.with(|entity| format!("only {}", entity.name)),
            None => hidden_note(grid.hidden_entities.with(|without| without.len())),
        }
    };
    let lines = move || {
        let counts = grid.sheet.with(|sheet| {
            let mut counts: Vec<(EntityId, usize)> = Vec::new();
            let view = sheet.view();
            for row in view.rows.iter() {
                let entity = row.item.entity;
                match counts.iter_mut().find(|(other, _)| *other == entity) {
                    Some((_, count)) => *count += 1,
                    None => counts.push((entity, 1)),
                }
            }
            counts
        });
        let line = |id: EntityId| {
            let entity = grid.store.entity(id)?.entity.get();
            let count = counts.iter().find(|(other, _)| *other == id);
            let count = count.map_or(0, |(_, count)| *count);
            let hue = entity.hue;
            let name = entity.name.clone();
            let only_this = format!("Only this: {name}");
            let is_only = move || grid.only.get() == Some(id);
            Some(view! {
                <div class="bar-entity">
                    <label class="bar-line">
                        <input
                            type="checkbox"
                            prop:checked=move || {
                                grid.hidden_entities.with(|without| !without.contains(&id))
                            }
                            on:change=move |_| grid.toggle_entity(id)
                        />
                        <span class=format!("badge hue-{hue}")>{badge(&name)}</span>
                        <span class="bar-name">{name}</span>
                        <span class="bar-count">{count.to_string()}</span>
                    </label>
                    <button
                        class="button small quiet"
                        aria-label=only_this
                        aria-pressed=move || is_only().to_string()
                        on:click=move |_| {
                            let wanted = Some(id).filter(|_| !untrack(is_only));
                            grid.show_only(wanted);
                        }
                    >
                        "Only this"
                    </button>
                </div>
            })
        };
        (grid.store.entity_ids.get().into_iter().filter_map(line)).collect_view()
    };
    view! {
        <BarMenu grid=grid name="Entities" note=Signal::derive(note)>
            <button class="button small" on:click=move |_| grid.show_only(None)>
                "Show all"
            </button>
            {lines}
        </BarMenu>
    }
}

/// The menu of visible columns.
#[component]
pub fn ColumnMenu(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let hidden = move || {
        grid.all_columns.with(|all| {
            let is_hidden = |name: &str| grid.layout.with(|layout| !layout.shows(name));
            all.iter()
                .filter(|head| head.projected && is_hidden(&head.name))
                .count()
        })
    };
    let any_absent = memo(move |_| grid.all_columns.with(|a| a.iter().any(|h| !h.projected)));
    let lines = move || {
        let order = grid.layout.with(|layout| {
            let mut order: ColumnOrder = layout.clone();
            order.show_all();
            order
        });
        let all = grid
            .all_columns
            .with(|all| arranged(all, &order, grid.absent.get(), 0));
        let line = |head: super::columns::Head| {
            let (name, shown) = (head.name.clone(), head.name.clone());
            view! {
                <label class="bar-line">
                    <input
                        type="checkbox"
                        prop:checked=move || grid.layout.with(|layout| layout.shows(&shown))
                        on:change=move |_| grid.hide_column(&name)
                    />
                    <span class="bar-name">{head.name}</span>
                    <span class="bar-count">{head.label}</span>
                </label>
            }
        };
        all.into_iter().map(line).collect_view()
    };
    view! {
        <BarMenu grid=grid name="Columns" note=Signal::derive(move || hidden_note(hidden()))>
            <button class="button small" on:click=move |_| grid.show_all_columns()>
                "Show all"
            </button>
            <Show when=move || any_absent.get()>
                <label class="bar-line parted">
                    <input
                        type="checkbox"
                        prop:checked=move || grid.absent.get()
                        on:change=move |_| grid.absent.update(|shown| *shown = !*shown)
                    />
                    <span class="bar-name">"Attributes not projected"</span>
                </label>
            </Show>
            {lines}
        </BarMenu>
    }
}

impl Grid {
    /// Shows or hides the items of an entity.
    fn toggle_entity(self, entity: EntityId) {
        self.select_nothing();
        self.hidden_entities.update(|without| {
            if !without.remove(&entity) {
                without.insert(entity);
            }
        });
    }
}
