//! The command palette: a search over all actions and all names of the design.

use super::action_target::ActionTarget;
use super::app_context::{Action, AppContext, use_app};
use crate::platform::storage::Local;
use crate::ui::dialogs::modal::Modal;
use crate::ui::dom::focus::bring_into_sight;
use crate::ui::dom::key_chords::{is_command, is_composing, shown};
use crate::ui::exports::panel_state::ExportChoice;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, Show, effect, memo};
use crate::ui::reactive::follow_ids::follow_value;
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::reactive::set_if_other;
use crate::ui::state::action_registry::group;
use crate::ui::state::navigate::{show_pattern, show_tab};
use crate::ui::state::page_state::Tab;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::badge::badge;
use keyfold_app::fuzzy_search::{SearchHit, search, split_matches};
use keyfold_app::workspace::{DesignKey, Storage};
use keyfold_core::library::{self, Pattern};
use keyfold_core::model::{AccessPatternId, CardId, Design, EntityId, IndexId, short};
use leptos::ev;
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;

/// Limit of drawn results.
const MAX_RESULTS: usize = 50;
/// Rows that Page up and Page down move.
const PAGE: isize = 8;
/// Storage key of the texts chosen last, one per line.
const RECENT: &str = "keyfold:recent";
/// Limit of stored texts.
const MAX_RECENT: usize = 6;

/// An entry of the palette.
struct Candidate {
    /// Its kind, shown at the right.
    group: &'static str,
    /// Its name.
    text: String,
    /// The searched text: the name, then its synonyms in a line of their own.
    searched: String,
    goal: Goal,
}

impl Candidate {
    fn new(group: &'static str, text: String, also: &str, goal: Goal) -> Self {
        let searched = [text.as_str(), also].join("\n");
        Candidate {
            group,
            text,
            searched,
            goal,
        }
    }
}

/// What choosing an entry does.
#[derive(Clone, Copy)]
enum Goal {
    Action(&'static Action),
    Card(CardId),
    Tab(Tab),
    AccessPattern(AccessPatternId),
    Export(ExportChoice),
    Design(DesignKey),
    Pattern(&'static Pattern),
}

/// The command palette.
#[component]
pub fn CommandPalette() -> impl IntoView {
    let app = use_app();
    view! {
        <Modal open=app.commands name="Command palette" class="commands">
            {on_demand_view(commands, app)}
        </Modal>
    }
}

on_demand!(menus, commands: Part<AppContext> = |app| view! { <Commands app=app /> }.into_any());

/// The content of the palette while it is open.
#[component]
fn Commands(app: AppContext) -> impl IntoView {
    let target = app.target.get_value().unwrap_or_else(|| app.target_now());
    let target = StoredValue::new(target);
    app.store
        .when_moved(move |moved| follow_value(target, moved));
    // The field is there at once; the results follow after the paint.
    let is_drawn = RwSignal::new(false);
    View::new().after_paint(move || set_if_other(is_drawn, true));
    let candidates = memo(move |_| {
        app.store.numbering.track();
        let all = is_drawn.get().then(|| {
            let all = || target.with_value(|to| to.with(app.store, app.tables, || candidates(app)));
            untrack(all)
        });
        ByPtr(Arc::new(all.flatten().unwrap_or_default()))
    });
    let recent = StoredValue::new(recent());
    let query = RwSignal::new(String::new());
    let current = RwSignal::new(0_usize);
    let field: NodeRef<Input> = NodeRef::new();
    let hits = memo(move |_| {
        let query = query.get();
        candidates.with(|all| match query.trim().is_empty() {
            true => recent.with_value(|recent| initial_hits(all, recent)),
            false => search(&query, all.iter().map(|c| &*c.searched), MAX_RESULTS),
        })
    });
    let count = move || hits.with(Vec::len);
    effect(move || {
        if let Some(field) = field.get() {
            let _ = field.focus();
        }
    });
    effect(move || {
        hits.track();
        bring_into_sight(&row_id(current.get()));
    });
    let choose = move |row: usize| {
        set_if_other(is_drawn, true);
        let chosen = hits.with_untracked(|hits| hits.get(row).map(|hit| hit.at));
        let chosen = chosen.and_then(|at| {
            candidates.with_untracked(|all| all.get(at).map(|c| (c.goal, c.text.clone())))
        });
        if let Some((goal, text)) = chosen {
            recent.with_value(|recent| remember(recent, &text));
            let target = target.get_value();
            // A dialog takes the place of this one. Otherwise the browser would compute all styles twice, for the page between
            // them too.
            if matches!(goal, Goal::Action(action) if action.opens_dialog()) {
                go(app, goal, &target);
                return app.commands.set(false);
            }
            app.commands.set(false);
            // In the next frame the focus is back where it was.
            app.store.view.next_frame(move || go(app, goal, &target));
        }
    };
    let step = move |by: isize| {
        let rows = count() as isize;
        if rows > 0 {
            current.update(|row| *row = (*row as isize + by).rem_euclid(rows) as usize);
        }
    };
    let jump = move |by: isize| {
        let last = count().saturating_sub(1) as isize;
        current.update(|row| *row = (*row as isize + by).clamp(0, last) as usize);
    };
    let key = move |event: ev::KeyboardEvent| {
        if is_composing(&event) {
            return;
        }
        match event.key().as_str() {
            "ArrowDown" => step(1),
            "ArrowUp" => step(-1),
            "PageDown" => jump(PAGE),
            "PageUp" => jump(-PAGE),
            "Home" => jump(isize::MIN / 2),
            "End" => jump(isize::MAX / 2),
            "Enter" => choose(current.get_untracked()),
            _ if is_command(&event, "k") => app.commands.set(false),
            _ => return,
        }
        event.prevent_default();
    };
    let rows = move || {
        let row = |(row, hit): (usize, &SearchHit)| {
            candidates.with_untracked(|all| {
                let candidate = all.get(hit.at)?;
                Some(row_view(app, candidate, hit, row, current, choose))
            })
        };
        hits.with(|hits| hits.iter().enumerate().map(row).collect_view())
    };
    view! {
        <div class="commands-field">
            <Icon glyph=Glyph::Search />
            <input
                node_ref=field
                type="text"
                role="combobox"
                aria-label="Command palette"
                aria-expanded="true"
                aria-controls="commands-list"
                aria-autocomplete="list"
                aria-activedescendant=move || (count() > 0).then(|| row_id(current.get()))
                placeholder="Search names and commands"
                autocomplete="off"
                spellcheck="false"
                autofocus=true
                on:input=move |event| {
                    current.set(0);
                    query.set(event_target_value(&event));
                }
                on:keydown=key
            />
            <button
                class="commands-close"
                aria-label="Esc: close"
                title="Close (Esc)"
                on:click=move |_| app.commands.set(false)
            >
                <kbd>"Esc"</kbd>
                <Icon glyph=Glyph::Close />
            </button>
        </div>
        <div class="commands-list" id="commands-list" role="listbox" aria-label="Results">
            {rows}
        </div>
        <p class="visually-hidden" role="status">
            {move || match count() {
                _ if !is_drawn.get() => String::new(),
                0 => "No results".to_owned(),
                1 => "1 result".to_owned(),
                count => format!("{count} results"),
            }}
        </p>
        <Show when=move || is_drawn.get() && count() == 0>
            <p class="commands-none" aria-hidden="true">
                "No results"
            </p>
        </Show>
    }
}

fn row_id(row: usize) -> String {
    format!("command-{row}")
}

fn row_view(
    app: AppContext,
    candidate: &Candidate,
    hit: &SearchHit,
    row: usize,
    current: RwSignal<usize>,
    choose: impl Fn(usize) + 'static,
) -> AnyView {
    let text = (split_matches(&candidate.text, &hit.letters).into_iter())
        .map(|(piece, found)| match found {
            true => view! { <b>{piece}</b> }.into_any(),
            false => piece.into_any(),
        })
        .collect_view();
    let keys = match candidate.goal {
        Goal::Action(action) => shown(action.keys),
        _ => Vec::new(),
    };
    let keys = (keys.into_iter().take(1))
        .map(|keys| view! { <kbd>{keys}</kbd> })
        .collect_view();
    view! {
        <div
            class="command"
            id=row_id(row)
            role="option"
            aria-selected=move || (current.get() == row).to_string()
            // The field keeps the focus.
            on:mousedown=|event| event.prevent_default()
            on:mousemove=move |_| {
                if current.get_untracked() != row {
                    current.set(row);
                }
            }
            on:click=move |_| choose(row)
        >
            {mark(app, candidate.goal)}
            <span class="command-text">{text}</span>
            <span class="command-group">{candidate.group}</span>
            {keys}
        </div>
    }
    .into_any()
}

/// The mark before the text: an entity's badge or an icon.
fn mark(app: AppContext, goal: Goal) -> AnyView {
    let entity = |id: EntityId| {
        (app.store).with(|design| {
            Some((
                design.entities.get(&id)?.name.clone(),
                design.entities[&id].hue,
            ))
        })
    };
    let glyph = match goal {
        Goal::Card(CardId::Entity(id)) => match entity(id) {
            Some((name, hue)) => {
                let class = format!("badge hue-{hue}");
                return view! {
                    <span class=class aria-hidden="true">
                        {badge(&name)}
                    </span>
                }
                .into_any();
            }
            None => Glyph::Entity,
        },
        Goal::Card(CardId::Index(id)) if !id.is_primary() => Glyph::Index,
        Goal::Card(CardId::Note(_)) => Glyph::Note,
        Goal::Tab(Tab::Problems) => Glyph::Warning,
        Goal::Tab(Tab::Text) => Glyph::Code,
        Goal::Tab(Tab::AccessPatterns) | Goal::AccessPattern(_) => Glyph::Search,
        Goal::Card(_) | Goal::Tab(_) => Glyph::Table,
        Goal::Design(_) => Glyph::Entity,
        Goal::Export(_) => Glyph::Code,
        Goal::Pattern(_) => Glyph::Library,
        Goal::Action(action) => match action.group {
            group::ADD => Glyph::Plus,
            group::DESIGN => Glyph::Entity,
            group::HELP => Glyph::Help,
            group::VIEW => Glyph::Fit,
            _ => Glyph::ChevronRight,
        },
    };
    view! { <Icon glyph=glyph /> }.into_any()
}

fn go(app: AppContext, goal: Goal, target: &ActionTarget) {
    let show = || match goal {
        Goal::Card(card) if app.store.with(|design| design.has_card(card)) => {
            app.go_to_card(card);
        }
        Goal::Tab(tab) => show_tab(app.store, app.page, tab),
        Goal::AccessPattern(id) => show_pattern(app.store, app.page, id),
        Goal::Export(shown) => {
            app.exporting.choose(shown);
            show_tab(app.store, app.page, Tab::Exports);
        }
        _ => {}
    };
    match goal {
        Goal::Action(action) => app.run(action, target),
        Goal::Design(key) => app.designs.open(key),
        Goal::Pattern(pattern) => app.designs.add_pattern(pattern),
        // Ids of one design are not valid in another.
        _ => drop(target.with(app.store, app.tables, show)),
    }
}

/// Opens the palette. Its actions act on the current selection.
pub fn open(app: AppContext) {
    app.target.set_value(Some(app.target_now()));
    app.commands.set(true);
}

/// All entries that are available now.
fn candidates(app: AppContext) -> Vec<Candidate> {
    let mut all: Vec<Candidate> = app
        .actions()
        .filter(|action| !action.keys_only && (action.enabled)(app))
        .map(|action| {
            let goal = Goal::Action(action);
            Candidate::new(action.group, action.name.to_owned(), action.also, goal)
        })
        .collect();
    all.extend(ExportChoice::all().map(|shown| {
        let text = format!("Export: {}", shown.label());
        Candidate::new("Export", text, shown.also(), Goal::Export(shown))
    }));
    app.store.with(|design| add_parts(design, &mut all));
    let open = app.designs.open.get_untracked();
    app.designs.list.with_untracked(|list| {
        let others = list.iter().filter(|listed| Some(listed.key) != open);
        all.extend(others.map(|listed| {
            let text = format!("Open design: {}", listed.name);
            Candidate::new("Design", text, "", Goal::Design(listed.key))
        }));
    });
    all.extend(library::patterns().iter().map(|pattern| {
        let text = format!("Open pattern: {}", pattern.title);
        Candidate::new("Pattern", text, "", Goal::Pattern(pattern))
    }));
    all
}

/// Adds the named parts of the design.
fn add_parts(design: &Design, all: &mut Vec<Candidate>) {
    let mut add = |group, text, goal| all.push(Candidate::new(group, text, "", goal));
    for (id, entity) in &design.entities {
        let card = Goal::Card(CardId::Entity(*id));
        add("Entity", entity.name.clone(), card);
    }
    let table = Goal::Card(CardId::Index(IndexId::PRIMARY));
    add("Table", design.table.name.clone(), table);
    for (id, index) in &design.indexes {
        let card = Goal::Card(CardId::Index(*id));
        add(index.kind.label(), index.name.clone(), card);
        let items = format!("Go to items of {}", index.name);
        add("Go to", items, Goal::Tab(Tab::Items(*id)));
    }
    for (id, pattern) in &design.access_patterns {
        let goal = Goal::AccessPattern(*id);
        add("Access pattern", pattern.name.clone(), goal);
    }
    for (id, entity) in &design.entities {
        for attribute in &entity.attributes {
            let text = format!("{}.{}", entity.name, attribute.name);
            add("Attribute", text, Goal::Card(CardId::Entity(*id)));
        }
    }
    let written = design.notes.iter();
    let written = written.filter(|(_, note)| !note.first_line().is_empty());
    // A note is found by its whole text.
    all.extend(written.map(|(id, note)| {
        let goal = Goal::Card(CardId::Note(*id));
        Candidate::new("Note", short(note.first_line()), &note.text, goal)
    }));
}

/// The entries shown before anything is typed: those chosen last, then the actions.
fn initial_hits(all: &[Candidate], recent: &[String]) -> Vec<SearchHit> {
    let recent = (recent.iter()).filter_map(|text| all.iter().position(|c| c.text == *text));
    let mut order: Vec<usize> = recent.collect();
    for (at, candidate) in all.iter().enumerate() {
        if matches!(candidate.goal, Goal::Action(_)) && !order.contains(&at) {
            order.push(at);
        }
    }
    order.truncate(MAX_RESULTS);
    let hit = |at| SearchHit {
        at,
        score: 0,
        letters: Vec::new(),
    };
    order.into_iter().map(hit).collect()
}

/// The texts chosen last, latest first.
fn recent() -> Vec<String> {
    let text = Local.get(RECENT).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

fn remember(recent: &[String], chosen: &str) {
    let others = recent
        .iter()
        .map(|text| &**text)
        .filter(|text| *text != chosen);
    let lines: Vec<&str> = std::iter::once(chosen)
        .chain(others)
        .take(MAX_RECENT)
        .collect();
    // If storing fails, only the order of the next visit suffers.
    let _ = Local.set(RECENT, &lines.join("\n"));
}
