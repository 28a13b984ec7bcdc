//! All designs of this browser: by folder, with dates, sizes and small pictures, which are drawn one after the other.

use super::compare::{Source, use_comparing};
use super::modal::Dialog;
use crate::platform::raster::{ObjectUrl, svg_file};
use crate::platform::{clock, room as platform_room};
use crate::ui::designs::{Designs, use_designs};
use crate::ui::dom::focus::{focus_if_lost, focus_soon};
use crate::ui::reactive::erased::{For, RwSignal, Show, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::page_state::use_page;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::search_field::SearchField;
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_app::viewport::Detail;
use keyfold_app::workspace::{DesignKey, Entry, Folder, Room, folders, size_text};
use keyfold_core::model::SortedMap;
use keyfold_core::persist;
use leptos::prelude::*;
use std::sync::Arc;

/// A design with more entities has no picture: drawing it takes long.
const MAX_CARDS: usize = 100;

/// What the file of a design says.
#[derive(Clone)]
struct Details {
    /// Number of entities and size.
    text: String,
    picture: Option<Arc<ObjectUrl>>,
}

/// The state of the dialog while it is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
struct List {
    open: RwSignal<bool>,
    designs: Designs,
    search: RwSignal<String>,
    entries: RwSignal<Vec<Entry>>,
    details: RwSignal<SortedMap<DesignKey, Details>>,
    dark: bool,
    view: View,
}

/// The dialog.
#[component]
pub fn DesignsDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Designs" class="designs-dialog">
            {on_demand_view(list, open)}
        </Dialog>
    }
}

on_demand!(menus, list: Part<RwSignal<bool>> = |open| view! { <ListView open=open /> }.into_any());

#[component]
fn ListView(open: RwSignal<bool>) -> impl IntoView {
    focus_soon(".designs input".into());
    let designs = use_designs();
    let list = List {
        open,
        designs,
        search: RwSignal::new(String::new()),
        entries: RwSignal::new(Vec::new()),
        details: RwSignal::default(),
        dark: use_page().theme.get_untracked().is_dark(),
        view: View::new(),
    };
    // A design was added, renamed or deleted.
    effect(move || {
        designs.list.track();
        list.entries.set(designs.entries());
        list.read_next();
    });
    let shown = move || {
        let search = list.search.get();
        list.entries.with(|entries| folders(entries, &search))
    };
    let count = move || match list.entries.with(Vec::len) {
        1 => "1 design".to_owned(),
        count => format!("{count} designs"),
    };
    let names = move || {
        let all = list.entries.with(|entries| folders(entries, ""));
        let named = all.into_iter().filter(|folder| !folder.name.is_empty());
        named
            .map(|folder| view! { <option value=folder.name></option> })
            .collect_view()
    };
    view! {
        <div class="designs">
            <div class="designs-bar">
                <SearchField
                    label="Search designs"
                    placeholder="Search designs and folders"
                    value=list.search
                    typed=Callback::new(move |text| list.search.set(text))
                />
                <p role="status">{count}</p>
                <button
                    class="button"
                    on:click=move |_| {
                        open.set(false);
                        designs.add_new();
                    }
                >
                    <Icon glyph=Glyph::Plus />
                    "New design"
                </button>
            </div>
            <datalist id="design-folders">{names}</datalist>
            <div class="designs-list">
                <For each=shown key=|folder| folder.name.clone() let:folder>
                    <FolderView list=list name=folder.name />
                </For>
                <Show when=move || shown().is_empty()>
                    <p>"No designs match. Change the search."</p>
                </Show>
            </div>
            <RoomView list=list />
        </div>
    }
}

/// What the designs take in the browser's storage, and whether the browser keeps them.
#[component]
fn RoomView(list: List) -> impl IntoView {
    let (designs, view) = (list.designs, list.view);
    let room = RwSignal::new(None::<Room>);
    let is_kept = RwSignal::new(None::<bool>);
    // The browser decides by how the page is used: another click would change nothing.
    let is_refused = RwSignal::new(false);
    let confirming = RwSignal::new(false);
    let measure = move || {
        view.answer(designs.room(), move |found| room.set(found.ok()));
    };
    effect(move || {
        list.entries.track();
        measure();
    });
    view.answer(platform_room::is_kept(), move |kept| is_kept.set(kept));
    let sizes = move || {
        let room = room.get()?;
        let parts = [
            ("Designs", room.designs),
            ("copies of the last visit", room.backups),
            ("undo histories", room.histories),
            ("versions", room.versions),
            ("remembered exports", room.exports),
        ];
        let parts = parts.iter().filter(|(_, bytes)| *bytes > 0);
        let parts: Vec<String> = parts
            .map(|(what, bytes)| format!("{what} {}", size_text(*bytes)))
            .collect();
        Some(format!("{}.", parts.join(", ")))
    };
    let can_free = move || {
        room.get()
            .is_some_and(|room| room.histories + room.versions + room.exports > 0)
    };
    let kept = move || {
        is_kept.get().map(|is_kept| match is_kept {
            true => " The browser keeps them until you delete them.",
            false if is_refused.get() => {
                " The browser refused to keep them: it may delete them when the disk is full."
            }
            false => " The browser may delete them when the disk is full.",
        })
    };
    let keep = move |_| {
        view.answer(platform_room::keep(), move |kept| {
            is_kept.set(kept);
            is_refused.set(kept == Some(false));
        });
    };
    let free = move |_| match confirming.get_untracked() {
        true => {
            confirming.set(false);
            designs.free(move || {
                if view.is_there() {
                    measure();
                }
            });
        }
        false => confirming.set(true),
    };
    let free_label = move || match confirming.get() {
        true => "Click again to delete them",
        false => "Free space",
    };
    view! {
        <footer class="designs-room">
            <p role="status">{sizes} {kept}</p>
            <Show when=move || is_kept.get() == Some(false) && !is_refused.get()>
                <button class="button small" on:click=keep>
                    "Keep designs"
                </button>
            </Show>
            <Show when=can_free>
                <button
                    class="button small"
                    class:armed=move || confirming.get()
                    title="Deletes remembered exports, and the undo histories and automatic versions of all designs except the open one"
                    on:click=free
                    on:blur=move |_| confirming.set(false)
                >
                    {free_label}
                </button>
            </Show>
        </footer>
    }
}

#[component]
fn FolderView(list: List, name: String) -> impl IntoView {
    let folder = name.clone();
    let each = move || {
        let search = list.search.get();
        let all = list.entries.with(|entries| folders(entries, &search));
        let mut all = all.into_iter();
        let found = all.find(|other: &Folder| other.name == folder);
        found.map(|folder| folder.designs).unwrap_or_default()
    };
    view! {
        {(!name.is_empty()).then(|| view! { <h3>{name.clone()}</h3> })}
        <ul>
            <For each=each key=|entry| entry.key let:entry>
                <Design list=list key_=entry.key />
            </For>
        </ul>
    }
}

/// A design. Its element stays when the design is saved or renamed, with what is being typed into the field.
#[component]
fn Design(list: List, key_: DesignKey) -> impl IntoView {
    let (designs, key, comparing) = (list.designs, key_, use_comparing());
    let entry = memo(move |_: Option<&Option<Entry>>| {
        (list.entries).with(|entries| entries.iter().find(|entry| entry.key == key).cloned())
    });
    let text_of = move |text: fn(Entry) -> String| entry.get().map(text).unwrap_or_default();
    let name = Signal::derive(move || text_of(|entry| entry.name));
    let changed = move || {
        text_of(|entry| match entry.changed() {
            0.0 => String::new(),
            time => clock::date_time_of(time),
        })
    };
    let id = move || format!("design-{key}");
    let folder = memo(move |_: Option<&String>| text_of(|entry| entry.folder));
    let details = move || list.details.with(|details| details.get(&key).cloned());
    let source = move || Some(details()?.picture?.as_str().to_owned());
    let text = move || details().map(|details| details.text);
    let is_open = move || (designs.open.get() == Some(key)).then_some("true");
    view! {
        <li class="design" id=id()>
            <button
                class="design-open"
                aria-current=is_open
                title=move || format!("Open {}", name.get())
                on:click=move |_| {
                    list.open.set(false);
                    designs.open(key);
                }
            >
                <span class="pattern-picture" aria-hidden="true">
                    <img src=source alt="" />
                </span>
                <strong>{move || name.get()}</strong>
                <span>{changed}</span>
                <span>{text}</span>
            </button>
            <input
                type="text"
                list="design-folders"
                aria-label=move || format!("Folder of {}", name.get())
                placeholder="Folder"
                autocomplete="off"
                prop:value=move || folder.get()
                on:change=move |event| {
                    let then = move || {
                        if list.view.is_there() {
                            list.entries.set(designs.entries());
                            focus_if_lost(format!("#{} .design-open", id()));
                        }
                    };
                    designs.set_folder(key, event_target_value(&event), then);
                }
            />
            <button
                class="icon-button"
                aria-label=move || format!("Duplicate {}", name.get())
                title="Duplicate"
                on:click=move |_| {
                    list.open.set(false);
                    designs.duplicate(key);
                }
            >
                <Icon glyph=Glyph::Copy />
            </button>
            <Show when=move || is_open().is_none()>
                <button
                    class="icon-button"
                    aria-label=move || format!("Compare {} with the open design", name.get())
                    title="Compare with the open design"
                    on:click=move |_| {
                        list.open.set(false);
                        comparing.open_next(Source::Stored(key));
                    }
                >
                    <Icon glyph=Glyph::Compare />
                </button>
            </Show>
            <DeleteDesign key_=key name=name />
        </li>
    }
}

impl List {
    /// Reads the next design whose details are not known: one at a time, so that the dialog stays quick.
    fn read_next(self) {
        let next = self.entries.with_untracked(|entries| {
            let order = folders(entries, "").into_iter().flat_map(|it| it.designs);
            let mut keys = order.map(|entry| entry.key);
            keys.find(|key| self.details.with_untracked(|all| !all.contains_key(key)))
        });
        let Some(key) = next else { return };
        let read = async move { self.designs.text_of(key).await };
        self.view.answer(read, move |text| {
            let details = self.details_of(text);
            self.details.update(|all| {
                all.insert(key, details);
            });
            self.view.next_frame(move || self.read_next());
        });
    }

    fn details_of(self, text: Option<String>) -> Details {
        let Some(text) = text else {
            return Details {
                text: "Cannot be read".into(),
                picture: None,
            };
        };
        let size = size_text(text.len());
        let Ok(design) = persist::from_json(&text) else {
            return Details {
                text: format!("Cannot be read, {size}"),
                picture: None,
            };
        };
        let options = PictureOptions {
            dark: self.dark,
            detail: Detail::Keys,
            groups: None,
            references: false,
        };
        let count = design.entities.len();
        let picture = (count > 0 && count <= MAX_CARDS).then(|| svg(&design, options));
        let url = picture.and_then(|text| {
            let file = svg_file(&text).ok()?;
            ObjectUrl::new(&file).ok()
        });
        let entities = match count {
            1 => "1 entity".to_owned(),
            _ => format!("{count} entities"),
        };
        Details {
            text: format!("{entities}, {size}"),
            picture: url.map(Arc::new),
        }
    }
}

/// Deletes a design from this browser: the first click asks for confirmation, the second deletes.
#[component]
pub fn DeleteDesign(
    /// Its key.
    key_: DesignKey,
    /// Its name.
    #[prop(into)]
    name: Signal<String>,
) -> impl IntoView {
    let designs = use_designs();
    let confirming = RwSignal::new(false);
    let label = move || {
        let name = name.get();
        if confirming.get() {
            format!("Click again to delete {name}")
        } else {
            format!("Delete {name}")
        }
    };
    view! {
        <button
            class="icon-button"
            class:armed=move || confirming.get()
            aria-label=label
            title=label
            on:click=move |_| {
                if confirming.get_untracked() {
                    designs.delete(key_);
                } else {
                    confirming.set(true);
                }
            }
            on:blur=move |_| confirming.set(false)
        >
            <Icon glyph=Glyph::Trash />
            <Show when=move || confirming.get()>"Delete?"</Show>
        </button>
    }
}
