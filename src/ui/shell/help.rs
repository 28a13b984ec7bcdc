//! The list of key combinations and gestures, from the table of actions.

use super::app_context::{AppContext, use_app};
use super::keyboard::{GESTURES, PATTERN_KEYS};
use crate::ui::dialogs::modal::Dialog;
use crate::ui::dom::key_chords::shown;
use crate::ui::reactive::erased::{RwSignal, effect};
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::page_state::is_small;
use leptos::html::Input;
use leptos::prelude::*;

/// The help dialog.
#[component]
pub fn HelpDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Keyboard and gestures">
            {on_demand_view(help_list, ())}
        </Dialog>
    }
}

on_demand!(menus, help_list: Part = |()| view! { <HelpList /> }.into_any());

#[component]
fn HelpList() -> impl IntoView {
    let app = use_app();
    let wanted = RwSignal::new(String::new());
    let field: NodeRef<Input> = NodeRef::new();
    // On a small screen the on-screen keyboard would cover the list.
    let wide = !is_small();
    effect(move || {
        if let Some(field) = field.get().filter(|_| wide) {
            let _ = field.focus();
        }
    });
    let none = move || groups(app, &wanted.get()).is_empty();
    view! {
        <input
            node_ref=field
            class="help-search"
            autofocus=wide
            type="search"
            aria-label="Search shortcuts"
            placeholder="Search"
            autocomplete="off"
            spellcheck="false"
            on:input=move |event| wanted.set(event_target_value(&event).to_lowercase())
        />
        <label class="toggle help-letters">
            <input
                type="checkbox"
                prop:checked=move || app.page.letters.get()
                on:change=move |event| app.page.letters.set(event_target_checked(&event))
            />
            "Single-letter shortcuts"
            <span class="help-letters-hint">
                "Off: letter, digit and symbol keys do nothing without Ctrl or Alt"
            </span>
        </label>
        {move || groups(app, &wanted.get()).into_iter().map(group_view).collect_view()}
        <p class="empty" hidden=move || !none() role="status">
            {move || none().then_some("No matching shortcuts")}
        </p>
    }
}

/// A heading with its rows: keys, and what they do.
type Group = (&'static str, Vec<(Vec<String>, &'static str)>);

/// The groups and rows that contain this lower-case text.
fn groups(app: AppContext, wanted: &str) -> Vec<Group> {
    let actions = app
        .actions()
        .filter(|action| !action.keys.is_empty())
        .map(|action| (action.group, shown(action.keys), action.name));
    let patterns = PATTERN_KEYS.iter().map(|row| ("Access patterns", row));
    let gestures = GESTURES.iter().map(|row| ("Gestures", row));
    let others = patterns.chain(gestures).map(|(heading, (how, what))| {
        let how = how.split(", ").map(str::to_owned).collect();
        (heading, how, *what)
    });
    let mut groups: Vec<Group> = Vec::new();
    for (heading, keys, what) in actions.chain(others) {
        let text = format!("{what} {} {heading}", keys.join(" ")).to_lowercase();
        if !text.contains(wanted.trim()) {
            continue;
        }
        match groups.iter_mut().find(|(other, _)| *other == heading) {
            Some((_, rows)) => rows.push((keys, what)),
            None => groups.push((heading, vec![(keys, what)])),
        }
    }
    groups
}

fn group_view((heading, rows): Group) -> impl IntoView {
    let rows = (rows.into_iter())
        .map(|(keys, what)| {
            let keys = (keys.into_iter())
                .map(|keys| view! { <kbd>{keys}</kbd> })
                .collect_view();
            view! {
                <div class="shortcut">
                    <dt>{keys}</dt>
                    <dd>{what}</dd>
                </div>
            }
        })
        .collect_view();
    view! {
        <section class="shortcut-group">
            <h3>{heading}</h3>
            <dl class="shortcuts">{rows}</dl>
        </section>
    }
}
