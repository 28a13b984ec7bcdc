//! The context menu of a card, the canvas or the table, opened by right-click, by key or by a long press. Its lines
//! come from the table of actions and from the indexes that an entity can join or leave.

use super::action_target::ActionTarget;
use super::app_context::{Action, AppContext, OpenMenu, use_app};
use crate::ui::canvas::hit_test::{card_under, wire_under};
use crate::ui::dialogs::modal::{focused, go_back};
use crate::ui::dom::element::{closest, target_of, under, window_size};
use crate::ui::dom::key_chords::first_shown;
use crate::ui::live_table::keys_and_pointer::spot_at;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::action_registry::{Subject, group as headings};
use crate::ui::state::navigate::focus_entry;
use keyfold_app::note::note_name;
use keyfold_app::route::Wire;
use keyfold_app::{Command, suggest};
use keyfold_core::model::{CardId, EntityId, IndexId};
use leptos::ev;
use leptos::html::Div;
use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::time::Duration;
use web_sys::{Element, Event, HtmlElement};

/// Time after which a resting finger opens the menu.
const LONG_PRESS: Duration = Duration::from_millis(500);
/// Distance that the finger may move meanwhile, in CSS pixels.
const SLOP: f64 = 8.0;
/// Minimum distance of the menu from the edges of the window, in CSS pixels.
const MARGIN: f64 = 8.0;

/// A line of the menu.
struct Line {
    text: String,
    keys: &'static str,
    enabled: bool,
    /// Whether a rule separates it from the previous line.
    parted: bool,
    goal: Goal,
}

#[derive(Clone)]
enum Goal {
    Action(&'static Action),
    /// Adds the card to this selection, or removes it.
    Toggle(CardId, ActionTarget),
    Join(EntityId, IndexId),
    Leave(EntityId, IndexId),
}

/// The context menu, and what opens it.
#[component]
pub fn ContextMenu() -> impl IntoView {
    let app = use_app();
    let before: Before = StoredValue::new_local(None);
    let code: RwSignal<Option<Menu>> = RwSignal::new(None);
    open_by_pointer(app);
    close_outside(app);
    effect(move || {
        if app.menu.with(Option::is_none) || code.with_untracked(Option::is_some) {
            return;
        }
        when_loaded(app.store.view, menu_code(), move |loaded| match loaded {
            Ok(loaded) => code.set(Some(loaded)),
            Err(error) => {
                app.menu.set(None);
                (app.store.notices).error(format!("The menu was not opened: {error}."));
            }
        });
    });
    move || {
        let (code, opened) = (code.get()?, app.menu.get()?);
        Some(untrack(|| code(app, opened, before)))
    }
}

/// The element that had the focus before the menu opened.
type Before = StoredValue<Option<HtmlElement>, LocalStorage>;
/// Builds an open menu.
type Menu = fn(AppContext, OpenMenu, Before) -> AnyView;

on_demand!(menus, menu_code: Menu = menu);

fn menu(app: AppContext, opened: OpenMenu, before: Before) -> AnyView {
    let element: NodeRef<Div> = NodeRef::new();
    let corner = RwSignal::new(opened.corner);
    let lines = StoredValue::new(lines(app, &opened));
    before.set_value(focused());
    let (at, by_pointer) = (opened.corner, opened.by_pointer);
    effect(move || {
        let Some(element) = element.get() else { return };
        corner.set(inside_window(&element, at));
        // Opened by key, the first line has the focus. Opened by pointer, no line has it: none is chosen by accident.
        if by_pointer {
            let _ = element.focus();
        } else {
            move_focus(&element, |_, _| 0);
        }
    });
    let close = move || {
        app.menu.set(None);
        go_back(app.store, before.try_update_value(Option::take).flatten());
    };
    let target = StoredValue::new(opened.target.clone());
    let choose = move |at: usize| {
        let chosen = lines.with_value(|lines| {
            let line = lines.get(at).filter(|line| line.enabled);
            line.map(|line| (line.goal.clone(), line.text.clone()))
        });
        if let Some((goal, name)) = chosen {
            let target = target.get_value();
            close();
            let at = opened.place;
            go(AppContext { at, ..app }, goal, &name, &target);
        }
    };
    let key = move |event: ev::KeyboardEvent| {
        // The page's keys must not see it.
        event.stop_propagation();
        let Some(element) = element.get_untracked() else {
            return;
        };
        let key = event.key();
        let ctrl = event.ctrl_key() || event.meta_key();
        match key.as_str() {
            "ArrowDown" => move_focus(&element, |at, count| at.map_or(0, |at| (at + 1) % count)),
            "ArrowUp" => move_focus(&element, |at, count| {
                at.unwrap_or(0).checked_sub(1).unwrap_or(count - 1)
            }),
            "Home" => move_focus(&element, |_, _| 0),
            "End" => move_focus(&element, |_, count| count - 1),
            "Enter" | " " => {
                if let Some(at) = focused_line(&element) {
                    choose(at);
                }
            }
            "Escape" | "Tab" => close(),
            // The browser's clipboard event comes next: it is for what the menu was opened for.
            "c" | "C" | "x" | "X" | "v" | "V" if ctrl => {
                close();
                let in_table = matches!(opened.subject, Subject::Cells | Subject::Column);
                if let Some(table) = app.tables.shown.get_value().filter(|_| in_table) {
                    table.focus();
                }
                return;
            }
            _ if key.chars().count() == 1 && !ctrl => {
                lines.with_value(|lines| type_ahead(&element, lines, &key));
            }
            _ => return,
        }
        event.prevent_default();
    };
    let name = match opened.card {
        Some(card) => app.store.with(|design| match card {
            CardId::Entity(id) => design.entities.get(&id).map(|entity| entity.name.clone()),
            CardId::Index(id) => Some(design.index_name(id).to_owned()),
            CardId::Note(id) => design.notes.get(&id).map(|note| note_name(note)),
        }),
        None if opened.subject == Subject::Canvas => Some("Canvas".into()),
        None if opened.subject == Subject::Wire => Some("Wire".into()),
        None if opened.subject == Subject::Cells => Some("Cells".into()),
        None if opened.subject == Subject::Column => Some("Column".into()),
        None => Some("Selected cards".into()),
    };
    let rows = lines.with_value(|lines| {
        (lines.iter().enumerate())
            .map(|(at, line)| line_view(line, at, choose))
            .collect_view()
    });
    view! {
        <div
            class="context-menu"
            role="menu"
            tabindex="-1"
            aria-label=name
            node_ref=element
            style:left=move || format!("{}px", corner.get().0)
            style:top=move || format!("{}px", corner.get().1)
            on:keydown=key
        >
            {rows}
        </div>
    }
    .into_any()
}

/// The menu's actions for several cards as buttons, without those of the "Edit" group.
#[component]
pub fn ActionsForSeveral() -> impl IntoView {
    let app = use_app();
    move || {
        app.store.selection.track();
        let offered = |action: &&Action| {
            action.context.contains(&Subject::Several)
                && action.group != headings::EDIT
                && (action.enabled)(app)
        };
        (app.actions().filter(offered))
            .map(|action| {
                view! {
                    <button
                        type="button"
                        class="button small"
                        title=first_shown(action.keys)
                        on:click=move |_| (action.run)(app)
                    >
                        {action.name}
                    </button>
                }
            })
            .collect_view()
    }
}

fn line_view(line: &Line, at: usize, choose: impl Fn(usize) + 'static) -> AnyView {
    let keys = first_shown(line.keys);
    let keys = (!keys.is_empty()).then(|| view! { <kbd>{keys}</kbd> });
    view! {
        <button
            class="menu-item"
            class:parted=line.parted
            role="menuitem"
            tabindex="-1"
            aria-disabled=(!line.enabled).then_some("true")
            on:mousemove=|event| {
                let line = event.current_target().and_then(|t| t.dyn_into::<HtmlElement>().ok());
                if let Some(line) = line {
                    let _ = line.focus();
                }
            }
            on:click=move |_| choose(at)
        >
            <span class="menu-text">{line.text.clone()}</span>
            {keys}
        </button>
    }
    .into_any()
}

/// The lines of the menu.
fn lines(app: AppContext, opened: &OpenMenu) -> Vec<Line> {
    let lines = || lines_of(app, opened);
    opened
        .target
        .with(app.store, app.tables, lines)
        .unwrap_or_default()
}

fn lines_of(app: AppContext, opened: &OpenMenu) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let mut group = "";
    let offered = app
        .actions()
        .filter(|action| action.context.contains(&opened.subject));
    for action in offered {
        lines.push(Line {
            text: action.name.to_owned(),
            keys: action.keys,
            enabled: (action.enabled)(app),
            parted: !lines.is_empty() && action.group != group,
            goal: Goal::Action(action),
        });
        group = action.group;
    }
    if let Some((card, before)) = &opened.toggle {
        let text = match before.has(*card) {
            true => "Remove from selection",
            false => "Add to selection",
        };
        lines.push(Line {
            text: text.to_owned(),
            keys: "",
            enabled: true,
            parted: true,
            goal: Goal::Toggle(*card, before.clone()),
        });
    }
    if let Some(CardId::Entity(id)) = opened.card {
        app.store.with(|design| {
            let Some(entity) = design.entities.get(&id) else {
                return;
            };
            let mut parted = !lines.is_empty();
            for (index, shape) in &design.indexes {
                let (verb, goal) = match entity.keys.contains_key(index) {
                    true => ("Remove from", Goal::Leave(id, *index)),
                    false => ("Add to", Goal::Join(id, *index)),
                };
                lines.push(Line {
                    text: format!("{verb} {}", shape.name),
                    keys: "",
                    enabled: true,
                    parted: std::mem::take(&mut parted),
                    goal,
                });
            }
        });
    }
    lines
}

fn go(app: AppContext, goal: Goal, name: &str, target: &ActionTarget) {
    let store = app.store;
    match goal {
        Goal::Action(action) => app.run(action, target),
        Goal::Toggle(card, before) => app.act_on(&before, name, || {
            let is_there = store.with(|design| design.has_card(card));
            if is_there {
                store.toggle_card(card);
            }
            is_there
        }),
        Goal::Join(entity, index) => app.act_on(target, name, || {
            let entry = store.with(|design| suggest::index_entry(design, entity, index));
            store.perform(Command::JoinIndex(entity, index, entry));
            focus_entry(entity, index);
            true
        }),
        Goal::Leave(entity, index) => app.act_on(target, name, || {
            store.perform(Command::LeaveIndex(entity, index));
            true
        }),
    }
}

/// Opens the menu for an element of the table: of its cells, or of its column. Returns whether it is such an element.
fn open_in_table(app: AppContext, element: &Element, corner: (f64, f64), by_pointer: bool) -> bool {
    let Some(table) = app.tables.shown.get_value() else {
        return false;
    };
    let Some((subject, target)) = table.menu_subject(element, by_pointer) else {
        return false;
    };
    let opened = OpenMenu {
        subject,
        target: app.target_now().in_table(target),
        card: None,
        toggle: None,
        corner,
        place: None,
        by_pointer,
    };
    app.menu.set(Some(opened));
    true
}

/// Opens the menu of the focused or selected element, otherwise that of the canvas.
pub fn open_by_key(app: AppContext) {
    if let Some(element) = focused() {
        let rect = element.get_bounding_client_rect();
        let corner = (rect.left() + 12.0, rect.bottom());
        if open_in_table(app, &element, corner, false) {
            return;
        }
    }
    let card = (focused().and_then(|element| card_under(&element)))
        .or_else(|| (app.store.selection).with_untracked(|cards| cards.first().copied()));
    let on_page = match card {
        Some(card) => format!("[data-card=\"{card}\"]"),
        None => ".canvas".into(),
    };
    let Ok(Some(element)) = document().query_selector(&on_page) else {
        return;
    };
    let rect = element.get_bounding_client_rect();
    let corner = match card {
        Some(_) => (rect.left() + 24.0, rect.top() + 24.0),
        None => (
            rect.left() + rect.width() / 2.0,
            rect.top() + rect.height() / 2.0,
        ),
    };
    open(app, card, None, corner, false);
}

fn open(
    app: AppContext,
    card: Option<CardId>,
    wire: Option<Wire>,
    corner: (f64, f64),
    by_pointer: bool,
) {
    if let Some(wire) = wire.filter(|_| card.is_none()) {
        app.store.select_wire(wire);
    }
    let chosen = (app.store.selection).get_untracked();
    // The press that opened the menu may have selected the card.
    let pressed = (app.canvas.before_press.get_value()).filter(|_| by_pointer);
    let before = pressed.unwrap_or_else(|| chosen.clone());
    let several = card.is_some_and(|card| chosen.contains(&card)) && chosen.len() > 1;
    if let Some(card) = card
        && !chosen.contains(&card)
    {
        app.store.select(card);
    }
    let subject = match card {
        None if wire.is_some() => Subject::Wire,
        None => Subject::Canvas,
        Some(_) if several => Subject::Several,
        Some(CardId::Index(index)) if index.is_primary() => Subject::Table,
        Some(CardId::Index(_)) => Subject::Index,
        Some(CardId::Entity(_)) => Subject::Entity,
        Some(CardId::Note(_)) => Subject::Note,
    };
    // To one selected card the same one cannot be added, and to none nothing needs to be.
    let toggles = several || card.is_some_and(|card| !before.contains(&card)) && !before.is_empty();
    let before = app.target_now().on_cards(before);
    let place = (app.canvas.place_under(corner.0, corner.1)).filter(|_| by_pointer);
    let opened = OpenMenu {
        subject,
        target: app.target_now(),
        card: card.filter(|_| !several),
        toggle: card.filter(|_| toggles).map(|card| (card, before)),
        corner,
        place,
        by_pointer,
    };
    if lines(app, &opened).is_empty() {
        return;
    }
    // The menu receives the release of this press, so cancel the gesture that it began on the canvas.
    if let (Ok(Some(canvas)), Ok(event)) = (
        document().query_selector(".canvas"),
        Event::new("pointercancel"),
    ) {
        let _ = canvas.dispatch_event(&event);
    }
    app.menu.set(Some(opened));
}

/// Opens the menu on right-click, on long press, and on the menu key where the browser reports it as a click.
fn open_by_pointer(app: AppContext) {
    let click = window_event_listener(ev::contextmenu, move |event| {
        let Some(target) = target_of(&event) else {
            return;
        };
        if closest(&target, ".context-menu").is_some() {
            event.prevent_default();
            return;
        }
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        let is_open = app.menu.with_untracked(Option::is_some);
        if !event.default_prevented() && (is_open && is_table(&target))
            || !is_open && open_in_table(app, &target, at, true)
        {
            event.prevent_default();
            return;
        }
        if event.default_prevented() || !is_canvas(&target) {
            return;
        }
        event.prevent_default();
        if app.menu.with_untracked(Option::is_none) {
            open(app, card_under(&target), wire_under(&target), at, true);
        }
    });
    let timer = StoredValue::new(None::<TimeoutHandle>);
    let from = StoredValue::new((0.0, 0.0));
    // Lifting the finger that opened the menu must not choose a line.
    let rested = StoredValue::new(false);
    let forget = move || {
        if let Some(Some(timer)) = timer.try_update_value(Option::take) {
            timer.clear();
        }
    };
    let down = window_event_listener(ev::pointerdown, move |event| {
        forget();
        rested.set_value(false);
        let Some(target) = under(&event).filter(|t| is_canvas(t) || is_table(t)) else {
            return;
        };
        // A second finger makes a pinch.
        if event.pointer_type() != "touch" || !event.is_primary() {
            return;
        }
        let at = (f64::from(event.client_x()), f64::from(event.client_y()));
        from.set_value(at);
        let (card, wire) = (card_under(&target), wire_under(&target));
        let cell = spot_at(&target);
        let rest = move || {
            timer.set_value(None);
            rested.set_value(true);
            // The row may show another item now.
            let is_same = spot_at(&target) == cell;
            if !is_same || open_in_table(app, &target, at, true) {
                return;
            }
            if app.menu.with_untracked(Option::is_none) {
                open(app, card, wire, at, true);
            }
        };
        timer.set_value(app.store.view.after(LONG_PRESS, rest));
    });
    let moved = window_event_listener(ev::pointermove, move |event| {
        let from = from.get_value();
        let (x, y) = (f64::from(event.client_x()), f64::from(event.client_y()));
        if event.is_primary() && (x - from.0).hypot(y - from.1) > SLOP {
            forget();
        }
    });
    let up = window_event_listener(ev::pointerup, move |_| forget());
    let cancel = window_event_listener(ev::pointercancel, move |_| forget());
    let lifted = window_event_listener(ev::touchend, move |event| {
        if rested.get_value() {
            event.prevent_default();
        }
    });
    on_cleanup(move || {
        forget();
        click.remove();
        lifted.remove();
        for listener in [down, moved, up, cancel] {
            listener.remove();
        }
    });
}

/// Closes the menu on a press outside, when the window is resized, and when another design opens.
fn close_outside(app: AppContext) {
    let close = move || {
        if app.menu.with_untracked(Option::is_some) {
            app.menu.set(None);
        }
    };
    let press = window_event_listener(ev::pointerdown, move |event| {
        let target = target_of(&event);
        if target.is_none_or(|target| closest(&target, ".context-menu").is_none()) {
            close();
        }
    });
    let resize = window_event_listener(ev::resize, move |_| close());
    effect(move || {
        app.store.opened.track();
        close();
    });
    on_cleanup(move || {
        press.remove();
        resize.remove();
    });
}

/// Whether an element belongs to the canvas or a card, and not to an overlay.
fn is_canvas(element: &Element) -> bool {
    let over = ".canvas-corner, .minimap, .welcome, input, textarea, select, [contenteditable]";
    closest(element, ".canvas").is_some() && closest(element, over).is_none()
}

/// Whether an element is a cell or a column header of the live table, and not a field.
fn is_table(element: &Element) -> bool {
    closest(element, ".grid").is_some() && closest(element, "input, textarea").is_none()
}

/// Position of the menu's corner at which all of it is inside the window.
fn inside_window(menu: &Element, (x, y): (f64, f64)) -> (f64, f64) {
    let rect = menu.get_bounding_client_rect();
    let (width, height) = window_size();
    let clamped = |at: f64, length: f64, most: f64| at.min(most - length - MARGIN).max(MARGIN);
    (
        clamped(x, rect.width(), width),
        clamped(y, rect.height(), height),
    )
}

/// The elements of the lines.
fn line_elements(menu: &Element) -> Vec<HtmlElement> {
    let children = menu.children();
    (0..children.length())
        .filter_map(|at| children.item(at)?.dyn_into().ok())
        .collect()
}

fn focused_line(menu: &Element) -> Option<usize> {
    let active = focused()?;
    line_elements(menu).iter().position(|line| *line == active)
}

/// Moves the focus to another line: `to` returns its number, given the focused line and the number of lines.
fn move_focus(menu: &Element, to: impl Fn(Option<usize>, usize) -> usize) {
    let lines = line_elements(menu);
    let at = to(focused_line(menu), lines.len());
    if let Some(line) = lines.get(at) {
        let _ = line.focus();
    }
}

/// Moves the focus to the next line that begins with a letter.
fn type_ahead(menu: &Element, lines: &[Line], letter: &str) {
    let letter = letter.to_lowercase();
    let after = focused_line(menu).map_or(0, |at| at + 1);
    let order = (after..lines.len()).chain(0..after.min(lines.len()));
    let found = order
        .into_iter()
        .find(|at| lines[*at].text.to_lowercase().starts_with(&letter));
    if let Some(at) = found {
        move_focus(menu, |_, _| at);
    }
}
