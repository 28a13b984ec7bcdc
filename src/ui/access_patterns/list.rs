//! The list of access patterns: search, verdicts, and commands for the selected one.

use crate::ui::dom::focus::{focus_if_lost, focus_in_sight_soon, focus_soon};
use crate::ui::reactive::erased::{For, Memo, RwSignal, effect, memo};
use crate::ui::reactive::gradual::gradually;
use crate::ui::reactive::later::View;
use crate::ui::state::finding_mark::Mark;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::finding_marks::PlaceMark;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::search_field::SearchField;
use keyfold_app::{Command, PatternEdit};
use keyfold_core::lint::Place;
use keyfold_core::model::AccessPatternId;
use keyfold_core::proof::Verdict;
use leptos::ev;
use leptos::html::Ul;
use leptos::prelude::*;

/// The content of a row.
#[derive(Debug, Clone, PartialEq)]
struct Listed {
    id: AccessPatternId,
    name: String,
    kind: &'static str,
}

/// The list.
#[component]
pub fn PatternList(
    /// Set when the user selects one on a small screen.
    detail: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let search = RwSignal::new(String::new());
    let selected = store.proofs.selected;
    let rows = memo(move |_| {
        let wanted = search.get().to_lowercase();
        let mut rows = Vec::new();
        store.access_patterns.with(|patterns| {
            for (id, pattern) in patterns {
                let kind = pattern.operation.name();
                let text = format!("{} {kind}", pattern.name).to_lowercase();
                if text.contains(wanted.trim()) {
                    rows.push(Listed {
                        id: *id,
                        name: pattern.name.clone(),
                        kind,
                    });
                }
            }
        });
        rows
    });
    let go = move |step: isize| {
        let rows = rows.get_untracked();
        let now = selected.get_untracked();
        let at = now.and_then(|now| position(&rows, now));
        let last = rows.len() as isize - 1;
        let to = match at {
            Some(at) => (at as isize).saturating_add(step).clamp(0, last),
            None => 0,
        };
        if let Some(row) = rows.get(to as usize) {
            selected.set(Some(row.id));
            focus_selected();
        }
    };
    // One that the search hides is not what a key or a button is about.
    let listed = memo(move |_| {
        let is_listed = |id: &AccessPatternId| rows.with(|rows| position(rows, *id).is_some());
        selected.get().filter(is_listed)
    });
    let act = move |run: Act| {
        if let Some(id) = listed.get_untracked() {
            run(store, rows, id);
        }
    };
    let key = move |event: ev::KeyboardEvent| {
        let command = event.ctrl_key() || event.meta_key();
        match event.key().as_str() {
            "ArrowDown" if event.alt_key() => act(down),
            "ArrowUp" if event.alt_key() => act(up),
            "ArrowDown" => go(1),
            "ArrowUp" => go(-1),
            "Home" => go(isize::MIN),
            "End" => go(isize::MAX),
            "Enter" => {
                detail.set(true);
                focus_in_sight_soon(".pattern-editor input".into());
            }
            "Delete" | "Backspace" => act(delete),
            "d" if command => act(duplicate),
            _ => return,
        }
        // The canvas uses these keys differently.
        event.prevent_default();
        event.stop_propagation();
    };
    let tool = move |glyph: Glyph, name: &'static str, run: Act| {
        view! {
            <button
                class="icon-button"
                aria-label=name
                title=name
                disabled=move || listed.with(Option::is_none)
                on:click=move |_| act(run)
            >
                <Icon glyph=glyph />
            </button>
        }
    };
    let drawn = gradually(move || rows.with(Vec::len));
    let places = move || 0..drawn.get();
    let list: NodeRef<Ul> = NodeRef::new();
    let view = View::new();
    effect(move || {
        selected.track();
        // It may be mounted later.
        drawn.track();
        view.next_frame(move || reveal(list.try_get_untracked().flatten()));
    });
    view! {
        <nav class="pattern-list" aria-label="Access patterns">
            <div class="pattern-tools">
                <SearchField
                    label="Search access patterns"
                    value=search
                    typed=Callback::new(move |text| search.set(text))
                />
                {tool(Glyph::ChevronUp, "Move up (Alt+↑)", up)}
                {tool(Glyph::ChevronDown, "Move down (Alt+↓)", down)}
                {tool(Glyph::Copy, "Duplicate (Ctrl+D)", duplicate)}
                {tool(Glyph::Trash, "Delete (Delete)", delete)}
            </div>
            <ul node_ref=list role="listbox" aria-label="Access patterns" on:keydown=key>
                <For each=places key=|at| *at let:at>
                    <Row at=at rows=rows detail=detail />
                </For>
            </ul>
        </nav>
    }
}

/// The row at a position. Rows are keyed by position, so that a change of order leaves the keyboard focus in the
/// list.
#[component]
fn Row(at: usize, rows: Memo<Vec<Listed>>, detail: RwSignal<bool>) -> impl IntoView {
    let store = use_store();
    let selected = store.proofs.selected;
    let row = memo(move |_| rows.with(|rows| rows.get(at).cloned()));
    let id = memo(move |_| row.with(|row| row.as_ref().map(|row| row.id)));
    let current = memo(move |_| {
        let id = id.get();
        id.is_some() && selected.get() == id
    });
    let none = move || {
        let now = selected.get();
        rows.with(|rows| !rows.iter().any(|row| Some(row.id) == now))
    };
    let verdict = memo(move |_| id.get().and_then(|id| store.proofs.verdict(id)));
    let mark = memo(move |_| {
        let mark = store.findings.at(Place::Pattern(id.get()?));
        mark.filter(Mark::is_grave)
    });
    let name = move || row.with(|row| row.as_ref().map(|row| row.name.clone()));
    let kind = move || row.with(|row| row.as_ref().map(|row| row.kind));
    view! {
        <li
            class="pattern-row"
            role="option"
            aria-selected=move || current.get().to_string()
            tabindex=move || if current.get() || at == 0 && none() { "0" } else { "-1" }
            on:click=move |_| {
                selected.set(id.get_untracked());
                detail.set(true);
                focus_if_lost(".patterns-back button");
            }
            on:focus=move |_| {
                if none() {
                    selected.set(id.get_untracked());
                }
            }
        >
            {move || verdict_mark(verdict.get(), true)}
            <span class="pattern-name">{name}</span>
            <PlaceMark mark=mark />
            <span class="pattern-kind" title=kind>
                {kind}
            </span>
        </li>
    }
}

/// A verdict as an icon and a word; an empty space if it is not known yet.
pub fn verdict_mark(verdict: Option<Verdict>, short: bool) -> AnyView {
    let Some(verdict) = verdict else {
        return view! { <span class="verdict" title="Not proven yet"></span> }.into_any();
    };
    let (class, glyph, word) = match verdict {
        Verdict::Served => ("verdict served", Glyph::Check, "served"),
        Verdict::ReadsTooMuch => ("verdict reads", Glyph::Warning, "reads too much"),
        Verdict::Unserved => ("verdict unserved", Glyph::Help, "unserved"),
        Verdict::Impossible => ("verdict impossible", Glyph::Close, "impossible"),
    };
    let text = if short { word } else { verdict.label() };
    view! {
        <span class=class title=verdict.label()>
            <Icon glyph=glyph />
            <span>{text}</span>
        </span>
    }
    .into_any()
}

/// Scrolls the list by the minimum that shows the selected row, and moves the focus to it if another row has it.
fn reveal(list: Option<web_sys::HtmlUListElement>) {
    let Some(list) = list else { return };
    if let Ok(Some(row)) = list.query_selector("[aria-selected=true]") {
        let (seen, row) = (
            list.get_bounding_client_rect(),
            row.get_bounding_client_rect(),
        );
        let before = (seen.top() + 2.0 - row.top()).max(0.0);
        let after = (row.bottom() + 2.0 - seen.bottom()).max(0.0);
        list.set_scroll_top(list.scroll_top() + (after - before).round() as i32);
        let focus = document().active_element();
        if focus.is_some_and(|focus| list.contains(Some(&focus))) {
            focus_selected();
        }
    }
}

/// After the last one is deleted, the button that adds the first one gets the focus.
fn focus_selected() {
    focus_soon(".pattern-list [aria-selected=true], .patterns-first button".into());
}

fn run(store: Store, edit: PatternEdit) {
    store.perform(Command::Pattern(edit));
    focus_selected();
}

/// What a key or a button does with the listed access pattern that is selected.
type Act = fn(Store, Memo<Vec<Listed>>, AccessPatternId);

fn position(rows: &[Listed], id: AccessPatternId) -> Option<usize> {
    rows.iter().position(|row| row.id == id)
}

fn up(store: Store, rows: Memo<Vec<Listed>>, id: AccessPatternId) {
    shift(store, rows, id, -1);
}

fn down(store: Store, rows: Memo<Vec<Listed>>, id: AccessPatternId) {
    shift(store, rows, id, 1);
}

/// Moves an access pattern to the place of the previous or next listed one; the selection follows it (see
/// `state/store/proofs.rs`).
fn shift(store: Store, rows: Memo<Vec<Listed>>, id: AccessPatternId, step: isize) {
    let neighbor = rows.with_untracked(|rows| {
        let at = position(rows, id)?.checked_add_signed(step)?;
        Some(rows.get(at)?.id)
    });
    if let Some(neighbor) = neighbor {
        run(store, PatternEdit::Move(id, place(store, neighbor)));
    }
}

fn place(store: Store, id: AccessPatternId) -> usize {
    store.with(|design| design.access_patterns.range(..id).count())
}

fn duplicate(store: Store, _: Memo<Vec<Listed>>, id: AccessPatternId) {
    let at = place(store, id);
    run(store, PatternEdit::Duplicate(id));
    let copy = store.with(|design| design.access_patterns.keys().nth(at + 1).copied());
    store.proofs.selected.set(copy);
}

/// Deletes an access pattern, and selects the listed one that takes its place.
fn delete(store: Store, rows: Memo<Vec<Listed>>, id: AccessPatternId) {
    let at = rows.with_untracked(|rows| position(rows, id));
    run(store, PatternEdit::Delete(id));
    let next = rows.with_untracked(|rows| {
        let last = rows.len().checked_sub(1)?;
        Some(rows.get(at?.min(last))?.id)
    });
    store.proofs.selected.set(next);
    // The search may hide all others.
    if next.is_none() {
        focus_soon(".pattern-list [type=search], .patterns-first button".into());
    }
}
