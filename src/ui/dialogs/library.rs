//! The gallery of the pattern library: a searchable list with thumbnails, and a preview of the chosen pattern before it
//! opens as a new design.

use super::modal::Dialog;
use crate::platform::raster::{ObjectUrl, svg_file};
use crate::ui::designs::use_designs;
use crate::ui::dom::focus::{focus_if_lost, focus_soon};
use crate::ui::dom::key_chords::is_composing;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::state::page_state::use_page;
use crate::ui::widgets::search_field::SearchField;
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_app::viewport::Detail;
use keyfold_core::library::{self, Pattern};
use keyfold_core::model::Design;
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use std::sync::Arc;
use web_sys::{HtmlElement, HtmlInputElement};

/// The state of the gallery while it is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
struct Gallery {
    open: RwSignal<bool>,
    search: RwSignal<String>,
    /// The patterns that match the search.
    found: Memo<Vec<&'static Pattern>>,
    /// The name of the pattern chosen last.
    chosen: RwSignal<&'static str>,
    /// Whether a small screen shows the preview instead of the list.
    previewing: RwSignal<bool>,
    /// The thumbnails drawn so far, in the order of the patterns.
    pictures: RwSignal<Vec<Option<Arc<ObjectUrl>>>>,
    /// The dialog, for delayed callbacks.
    view: View,
}

impl Gallery {
    fn new(open: RwSignal<bool>) -> Gallery {
        let search = RwSignal::new(String::new());
        let gallery = Gallery {
            open,
            search,
            found: memo(move |_| search.with(|text| library::search(text))),
            chosen: RwSignal::new(""),
            previewing: RwSignal::new(false),
            pictures: RwSignal::default(),
            view: View::new(),
        };
        let dark = use_page().theme.get_untracked().is_dark();
        gallery.draw(dark);
        gallery
    }

    /// Draws one thumbnail per frame, so that the dialog opens immediately.
    fn draw(self, dark: bool) {
        self.view.next_frame(move || {
            let made = self.pictures.with_untracked(Vec::len);
            if let Some(pattern) = library::patterns().get(made) {
                let picture = (pattern.design().ok()).and_then(|design| picture(&design, dark));
                self.pictures.update(|pictures| pictures.push(picture));
                self.draw(dark);
            }
        });
    }

    /// The previewed pattern: the chosen one if it matches the search, otherwise the first match.
    fn shown(self) -> Option<&'static Pattern> {
        let chosen = self.chosen.get();
        self.found.with(|found| {
            let chosen = found.iter().find(|pattern| pattern.name == chosen);
            chosen.or(found.first()).copied()
        })
    }
}

fn picture(design: &Design, dark: bool) -> Option<Arc<ObjectUrl>> {
    let options = PictureOptions {
        dark,
        detail: Detail::Keys,
        groups: None,
        references: false,
    };
    let text = svg(design, options);
    let url = svg_file(&text).and_then(|file| ObjectUrl::new(&file));
    url.ok().map(Arc::new)
}

/// The pattern library.
#[component]
pub fn LibraryDialog(
    /// Whether it is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    view! {
        <Dialog open=open title="Start from pattern" class="gallery-dialog">
            {on_demand_view(gallery, open)}
        </Dialog>
    }
}

on_demand!(menus, gallery: Part<RwSignal<bool>> = |open| view! { <GalleryView open=open /> }.into_any());

#[component]
fn GalleryView(open: RwSignal<bool>) -> impl IntoView {
    focus_soon(".gallery input".into());
    let gallery = Gallery::new(open);
    let count = move || match gallery.found.with(Vec::len) {
        0 => "No matching patterns.".to_owned(),
        1 => "1 pattern".to_owned(),
        count => format!("{count} patterns"),
    };
    let designs = use_designs();
    let key = move |event: ev::KeyboardEvent| {
        let in_field = event
            .target()
            .is_some_and(|target| target.has_type::<HtmlInputElement>());
        match (event.key().as_str(), untrack(|| gallery.shown())) {
            ("Enter", Some(pattern)) if in_field && !is_composing(&event) => {
                event.prevent_default();
                designs.add_pattern(pattern);
                open.set(false);
            }
            _ => arrow(&event),
        }
    };
    view! {
        <div class="gallery" class:previewing=move || gallery.previewing.get() on:keydown=key>
            <div class="gallery-list">
                <SearchField
                    label="Search patterns"
                    placeholder="Search, such as tenant, inverted, TTL"
                    value=gallery.search
                    typed=Callback::new(move |text| gallery.search.set(text))
                />
                <p class="gallery-count" role="status">
                    {count}
                </p>
                <ul>
                    <For each=move || gallery.found.get() key=|pattern| pattern.name let:pattern>
                        <Entry gallery=gallery pattern=pattern />
                    </For>
                </ul>
            </div>
            <Show when=move || {
                gallery.shown().is_some()
            }>
                {move || {
                    gallery
                        .shown()
                        .map(|pattern| view! { <Preview gallery=gallery pattern=pattern /> })
                }}
            </Show>
        </div>
    }
}

/// A pattern in the list.
#[component]
fn Entry(gallery: Gallery, pattern: &'static Pattern) -> impl IntoView {
    let designs = use_designs();
    let at = library::patterns()
        .iter()
        .position(|other| other.name == pattern.name);
    let source = move || {
        let picture = gallery
            .pictures
            .with(|pictures| pictures.get(at?).cloned().flatten());
        picture.map(|url| url.as_str().to_owned())
    };
    let is_shown = memo(move |_| gallery.shown().map(|shown| shown.name) == Some(pattern.name));
    let open = move || {
        designs.add_pattern(pattern);
        gallery.open.set(false);
    };
    view! {
        <li>
            <button
                class="pattern"
                class:variant=pattern.variant_of.is_some()
                data-pattern=pattern.name
                aria-pressed=move || is_shown.get().to_string()
                title="Double-click or Enter to open"
                on:focus=move |_| gallery.chosen.set(pattern.name)
                on:click=move |_| {
                    gallery.chosen.set(pattern.name);
                    gallery.previewing.set(true);
                    focus_if_lost(".gallery-back");
                }
                on:dblclick=move |_| open()
                on:keydown=move |event| {
                    if event.key() == "Enter" {
                        event.prevent_default();
                        open();
                    }
                }
            >
                <span class="pattern-picture" aria-hidden="true">
                    <img src=source alt="" />
                </span>
                <span class="pattern-group">{pattern.group}</span>
                <strong>{pattern.title}</strong>
                <span>{pattern.summary}</span>
            </button>
        </li>
    }
}

/// Arrow up and down move through the list, also from the search field.
fn arrow(event: &ev::KeyboardEvent) {
    let down = match event.key().as_str() {
        "ArrowDown" => true,
        "ArrowUp" => false,
        _ => return,
    };
    let Ok(all) = document().query_selector_all("[data-pattern]") else {
        return;
    };
    let focus = document().active_element();
    let at = (0..all.length()).find(|at| {
        let element = all.get(*at);
        element.is_some() && element.as_ref() == focus.as_ref().map(|focus| focus.unchecked_ref())
    });
    let next = match at {
        Some(at) if down => at + 1,
        Some(at) => at.wrapping_sub(1),
        None if down => 0,
        None => return,
    };
    if let Some(next) = all
        .get(next)
        .and_then(|next| next.dyn_into::<HtmlElement>().ok())
    {
        event.prevent_default();
        let _ = next.focus();
    }
}

/// The preview of a pattern.
#[component]
fn Preview(gallery: Gallery, pattern: &'static Pattern) -> impl IntoView {
    let designs = use_designs();
    let dark = use_page().theme.get_untracked().is_dark();
    let design = pattern.design().ok();
    let drawn = design.as_ref().and_then(|design| picture(design, dark));
    let source = drawn.as_ref().map(|url| url.as_str().to_owned());
    // The picture's URL must stay valid while this is shown.
    on_cleanup(move || drop(drawn));
    let counts = design.as_ref().map(counts);
    let patterns = design
        .iter()
        .flat_map(|design| design.access_patterns.values());
    let patterns: Vec<_> = patterns
        .map(|pattern| {
            view! {
                <li>
                    <span>{pattern.name.clone()}</span>
                    <span class="kind">{pattern.operation.name()}</span>
                </li>
            }
        })
        .collect();
    view! {
        <section class="gallery-preview" aria-label=pattern.title>
            <button
                class="button quiet gallery-back"
                on:click=move |_| {
                    gallery.previewing.set(false);
                    focus_if_lost("[data-pattern][aria-pressed=true]");
                }
            >
                "All patterns"
            </button>
            <div class="gallery-picture" class:dark=dark>
                <img src=source alt=format!("Canvas of {}", pattern.title) />
            </div>
            <header>
                <div>
                    <h3>{pattern.title}</h3>
                    <p class="gallery-counts">{counts}</p>
                </div>
                <button
                    class="button primary"
                    data-use-pattern=""
                    on:click=move |_| {
                        designs.add_pattern(pattern);
                        gallery.open.set(false);
                    }
                >
                    "Open as new design"
                </button>
            </header>
            <h4>"What it teaches"</h4>
            <p>{pattern.teaches}</p>
            <h4>"Trade-offs"</h4>
            <p>{pattern.trade_offs}</p>
            <h4>"Access patterns"</h4>
            <ul class="gallery-accesses">{patterns}</ul>
        </section>
    }
}

fn counts(design: &Design) -> String {
    let counted = |count: usize, one: &str, many: &str| match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    };
    let items = design.samples.values().map(|samples| samples.len()).sum();
    [
        counted(design.entities.len(), "entity", "entities"),
        counted(design.indexes.len(), "index", "indexes"),
        counted(items, "item", "items"),
    ]
    .join(" · ")
}
