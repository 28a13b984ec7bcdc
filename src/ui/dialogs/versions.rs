//! The versions of the open design, newest first, each with what changed in it. What changed is found one version after
//! the other, so that the dialog stays quick.

use super::compare::{Source, line, use_comparing};
use super::modal::Dialog;
use crate::platform::download;
use crate::ui::designs::{Designs, UnreadableVersion, use_designs};
use crate::ui::dom::focus::{focus_if_lost, focus_soon};
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::store::use_store;
use crate::ui::state::version_label::{label_of, time_of};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::workspace::{DesignKey, MAX_BYTES, Version, size_text};
use keyfold_compare::{Line, Report, matched};
use keyfold_core::counted::counted;
use keyfold_core::model::{Design, SortedMap};
use leptos::prelude::*;

/// Number of changes of a version that are shown at once.
const FEW: usize = 4;
/// Longest list of changes of a version.
const MANY: usize = 100;

/// The dialog.
#[component]
pub fn VersionsDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Versions" class="versions-dialog">
            {on_demand_view(list, open)}
        </Dialog>
    }
}

on_demand!(tools, list: Part<RwSignal<bool>> = |open| view! { <ListView open=open /> }.into_any());

/// What changed from the version before.
#[derive(Debug, Clone, PartialEq)]
enum Changes {
    First,
    None,
    /// The lines, and how many more there are.
    Lines(Vec<Line>, usize),
    /// Why, and the text.
    Unreadable(UnreadableVersion),
}

/// The state of the dialog while it is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
struct List {
    open: RwSignal<bool>,
    designs: Designs,
    key: DesignKey,
    /// Oldest first.
    versions: RwSignal<Vec<Version>>,
    is_read: RwSignal<bool>,
    failure: RwSignal<Option<String>>,
    /// The number of the message that offers to undo the last deletion: the dialog covers the messages.
    deleted: RwSignal<Option<u64>>,
    changes: RwSignal<SortedMap<u32, Changes>>,
    /// The design that was compared last, with the number of its version.
    last: StoredValue<Option<(u32, Design)>>,
    view: View,
}

#[component]
fn ListView(open: RwSignal<bool>) -> impl IntoView {
    let designs = use_designs();
    let key = designs.open.get_untracked();
    let key = key.or_else(|| designs.shown_version.get_untracked().map(|shown| shown.key));
    let Some(key) = key else {
        return view! {
            <p class="dialog-text">
                "This design is not saved in this browser, so it has no versions. Make a copy to save versions of it."
            </p>
        }
        .into_any();
    };
    let list = List {
        open,
        designs,
        key,
        versions: RwSignal::new(Vec::new()),
        is_read: RwSignal::new(false),
        failure: RwSignal::new(None),
        deleted: RwSignal::new(None),
        changes: RwSignal::default(),
        last: StoredValue::new(None),
        view: View::new(),
    };
    list.read();
    let can_save = designs.open.get_untracked().is_some();
    let newest_first = move || {
        let numbers = |versions: &Vec<Version>| versions.iter().rev().map(|it| it.number).collect();
        list.versions.with::<Vec<u32>>(numbers)
    };
    let room = move || {
        let (count, bytes) = list.versions.with(|versions| {
            let bytes: usize = versions.iter().map(|version| version.bytes).sum();
            (versions.len(), bytes)
        });
        (count > 0).then(|| {
            let count = counted(count, "version", "versions");
            let (bytes, most) = (size_text(bytes), size_text(MAX_BYTES));
            format!(
                "{count}, {bytes} of {most}. Keyfold deletes some of the older automatic versions."
            )
        })
    };
    view! {
        <div class="versions">
            {can_save.then(|| view! { <SaveVersion list=list /> })}
            <Show when=move || list.failure.with(Option::is_some)>
                <p class="import-refused" role="alert">
                    {move || list.failure.get()}
                </p>
            </Show> {move || undo_deletion(list)}
            <Show when=move || list.is_read.get() && list.versions.with(Vec::is_empty)>
                <p class="dialog-text">
                    "No versions. Keyfold saves one after each pause in your work. Save one with a name before a large change."
                </p>
            </Show> <ol class="versions-list" reversed="">
                <For each=newest_first key=|number| *number let:number>
                    <VersionView list=list number=number />
                </For>
            </ol> <p class="dialog-text" role="status">
                {room}
            </p>
        </div>
    }
    .into_any()
}

/// What was deleted last, with a button that brings it back.
fn undo_deletion(list: List) -> Option<AnyView> {
    let notices = use_store().notices;
    let id = list.deleted.get()?;
    let notice = (notices.shown).with(|shown| shown.iter().find(|it| it.id == id).cloned())?;
    let (label, act) = notice.offer?;
    let undo = move |_| {
        notices.close(id);
        act();
    };
    let view = view! {
        <p class="dialog-text" role="status">
            {notice.text}
            " "
            <button class="button small" on:click=undo>
                {label}
            </button>
        </p>
    };
    Some(view.into_any())
}

#[component]
fn SaveVersion(list: List) -> impl IntoView {
    focus_soon(".versions input".into());
    let name = RwSignal::new(String::new());
    let save = move || {
        let given = name.get_untracked().trim().to_owned();
        if given.is_empty() {
            list.failure
                .set(Some("Type a name for the version.".to_owned()));
            focus_if_lost(".versions input");
            return;
        }
        list.failure.set(None);
        list.designs.save_version(given, move || {
            if list.view.is_there() {
                name.set(String::new());
                list.read();
            }
        });
    };
    view! {
        <form
            class="versions-bar"
            on:submit=move |event| {
                event.prevent_default();
                save();
            }
        >
            <input
                type="text"
                aria-label="Name of the version"
                placeholder="Name of the version, such as Before review"
                autocomplete="off"
                maxlength="200"
                prop:value=move || name.get()
                on:input=move |event| name.set(event_target_value(&event))
            />
            <button type="submit" class="button primary">
                "Save version"
            </button>
        </form>
    }
}

#[component]
fn VersionView(list: List, number: u32) -> impl IntoView {
    let (designs, key) = (list.designs, list.key);
    let version = memo(move |_: Option<&Option<Version>>| {
        (list.versions).with(|all| all.iter().find(|version| version.number == number).cloned())
    });
    let text_of = move |text: fn(&Version) -> String| {
        version.with(|version| version.as_ref().map(text).unwrap_or_default())
    };
    let label = Signal::derive(move || text_of(label_of));
    let time = move || text_of(time_of);
    let size = move || text_of(|version| size_text(version.bytes));
    let act = move |act: fn(Designs, DesignKey, Version)| {
        move |_| {
            if let Some(version) = version.get_untracked() {
                list.open.set(false);
                act(designs, key, version);
            }
        }
    };
    let reread = move || {
        if list.view.is_there() {
            list.read();
            focus_if_lost(".versions input");
        }
    };
    let comparing = use_comparing();
    let compare = move |_| {
        list.open.set(false);
        comparing.open_next(Source::Version(key, number));
    };
    let delete = move |_| {
        if let Some(version) = version.get_untracked() {
            designs.delete_version(key, version, move |undoable| {
                list.deleted.set(undoable);
                reread();
            });
        }
    };
    view! {
        <li class="version" id=format!("version-{number}")>
            <div class="version-head">
                <input
                    type="text"
                    aria-label=move || format!("Name of the version of {}", time())
                    placeholder="Automatic"
                    autocomplete="off"
                    maxlength="200"
                    prop:value=move || text_of(|version| version.name.clone())
                    on:change=move |event| {
                        designs.name_version(key, number, event_target_value(&event), reread);
                    }
                />
                <span class="version-time">{time} ", " {size}</span>
            </div>
            <ChangesView list=list number=number />
            <div class="version-actions">
                <button
                    class="button small"
                    aria-label=move || format!("Show {}", label.get())
                    title="Shows the version, read-only"
                    on:click=act(Designs::show_version)
                >
                    "Show"
                </button>
                <button
                    class="button small"
                    aria-label=move || format!("Compare {} with the open design", label.get())
                    title="Shows what changed since"
                    on:click=compare
                >
                    "Compare"
                </button>
                <button
                    class="button small"
                    aria-label=move || format!("Restore {}", label.get())
                    title="Replaces the design with this version. Undo reverts it"
                    on:click=act(Designs::restore_to_version)
                >
                    "Restore"
                </button>
                <button
                    class="icon-button"
                    aria-label=move || format!("Delete {}", label.get())
                    title="Delete version"
                    on:click=delete
                >
                    <Icon glyph=Glyph::Trash />
                </button>
            </div>
        </li>
    }
}

#[component]
fn ChangesView(list: List, number: u32) -> impl IntoView {
    let all = RwSignal::new(false);
    let changes = move || match list.changes.with(|changes| changes.get(&number).cloned()) {
        None => view! { <p class="version-changes">"…"</p> }.into_any(),
        Some(Changes::First) => {
            view! { <p class="version-changes">"The oldest version."</p> }.into_any()
        }
        Some(Changes::None) => {
            view! { <p class="version-changes">"No differences."</p> }.into_any()
        }
        Some(Changes::Unreadable(UnreadableVersion { reason, file })) => {
            let save = file.map(|(name, text)| {
                view! {
                    <button class="button small" on:click=move |_| download::text(&name, &text)>
                        "Download"
                    </button>
                }
            });
            view! {
                <p class="version-changes">{format!("This version cannot be read: {reason}.")}</p>
                {save}
            }
            .into_any()
        }
        Some(Changes::Lines(lines, more)) => {
            let count = lines.len();
            let shown = match all.get() {
                true => count,
                false => FEW,
            };
            let hidden = count.saturating_sub(shown);
            let lines = lines.iter().take(shown).map(line).collect_view();
            let rest = (all.get() && more > 0).then(|| {
                let more = counted(more, "more change", "more changes");
                view! { <li>{format!("and {more}")}</li> }
            });
            view! {
                <ul class="version-changes compare-lines">{lines} {rest}</ul>
                {(hidden > 0)
                    .then(|| {
                        view! {
                            <button class="button small" on:click=move |_| all.set(true)>
                                {format!("Show {} more", hidden + more)}
                            </button>
                        }
                    })}
            }
            .into_any()
        }
    };
    view! { {changes} }
}

impl List {
    /// Reads the list, then what changed.
    fn read(self) {
        self.view
            .answer(self.designs.versions(self.key), move |found| {
                self.is_read.set(true);
                match found {
                    Ok(versions) => {
                        // A version is compared with the one before it, which may be gone.
                        self.changes.set(SortedMap::new());
                        self.versions.set(versions);
                        self.compare_next();
                    }
                    Err(failure) => {
                        let message = format!("The versions cannot be read: {failure}.");
                        self.failure.set(Some(message));
                    }
                }
            });
    }

    /// Finds what changed in the newest version for which that is not known.
    fn compare_next(self) {
        let next = self.versions.with_untracked(|versions| {
            self.changes.with_untracked(|known| {
                let mut places = (0..versions.len()).rev();
                let at = places.find(|at| !known.contains_key(&versions[*at].number))?;
                let before = at.checked_sub(1).map(|at| versions[at].number);
                Some((versions[at].number, before))
            })
        });
        let Some((number, before)) = next else { return };
        let known = self.last.try_update_value(Option::take).flatten();
        let (designs, key) = (self.designs, self.key);
        let read = async move {
            let new = match known {
                Some((known, design)) if known == number => Ok(design),
                _ => designs.version(key, number).await,
            };
            let old = match before {
                Some(before) => Some(designs.version(key, before).await),
                None => None,
            };
            (new, old)
        };
        self.view.answer(read, move |(new, old)| {
            let changes = match (&new, &old) {
                (Err(error), _) => Changes::Unreadable(error.clone()),
                (Ok(_), None | Some(Err(_))) => Changes::First,
                (Ok(new), Some(Ok(old))) => changes(old, new),
            };
            if let (Some(before), Some(Ok(old))) = (before, old) {
                self.last.set_value(Some((before, old)));
            }
            self.changes.update(|all| {
                all.insert(number, changes);
            });
            self.view.next_frame(move || self.compare_next());
        });
    }
}

fn changes(old: &Design, new: &Design) -> Changes {
    let report = Report::of_changes(old, &matched(old, new, true));
    let mut lines: Vec<Line> = (report.changes().into_iter())
        .flat_map(|section| section.lines)
        .collect();
    if lines.is_empty() {
        return Changes::None;
    }
    let more = lines.len().saturating_sub(MANY);
    lines.truncate(MANY);
    Changes::Lines(lines, more)
}
