//! A side of a comparison: the open design, a version of it, another stored one, a file or a pasted text. What cannot be read changes nothing.

use crate::ui::designs::{Designs, language, use_designs};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::store::{Store, use_store};
use crate::ui::state::version_label::time_of;
use crate::ui::widgets::field::{Commit, Select, unique_id};
use crate::ui::widgets::file_picker::{ChooseFile, FileText, file_list, read_file};
use keyfold_app::comparison::Compared;
use keyfold_app::share_link;
use keyfold_app::workspace::{DesignKey, Version};
use keyfold_core::model::Design;
use keyfold_core::persist;
use keyfold_core::text;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::{DragEvent, File};

/// Where the design of a side comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// The open design.
    Open,
    /// Another stored design.
    Stored(DesignKey),
    /// A version of a design, by its number.
    Version(DesignKey, u32),
    /// A file or a pasted text.
    Given,
}

impl Source {
    /// The value of its option.
    fn value(self) -> String {
        match self {
            Source::Open => "open".to_owned(),
            Source::Stored(key) => key.to_string(),
            Source::Version(key, number) => format!("{key} {number}"),
            Source::Given => "given".to_owned(),
        }
    }

    fn of_value(value: &str) -> Source {
        let version = value.split_once(' ').and_then(|(key, number)| {
            Some(Source::Version(key.parse().ok()?, number.parse().ok()?))
        });
        match (value, value.parse()) {
            ("open", _) => Source::Open,
            (_, Ok(key)) => Source::Stored(key),
            _ => version.unwrap_or(Source::Given),
        }
    }
}

/// A side. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct Side {
    /// `Before` or `After`.
    label: &'static str,
    /// The design; `None` while there is none.
    pub(super) design: RwSignal<Option<ByPtr<Compared>>>,
    source: RwSignal<Source>,
    /// The name of the file or text that was read last.
    name: RwSignal<String>,
    /// Why the last one was not read; empty if it was.
    refused: RwSignal<String>,
    /// Counts the reads: the result of an earlier one is ignored.
    number: StoredValue<u64>,
    /// The versions of the open design, oldest first.
    versions: RwSignal<Vec<Version>>,
    store: Store,
    designs: Designs,
    view: View,
}

impl Side {
    /// A side that begins with this source. `versions` are those of the open design. Call this where [`View::new`] may be
    /// called.
    pub(super) fn new(
        label: &'static str,
        source: Source,
        versions: RwSignal<Vec<Version>>,
    ) -> Side {
        let side = Side {
            label,
            design: RwSignal::new(None),
            source: RwSignal::new(source),
            name: RwSignal::default(),
            refused: RwSignal::default(),
            number: StoredValue::new(0),
            versions,
            store: use_store(),
            designs: use_designs(),
            view: View::new(),
        };
        side.choose(source);
        // Another tab can change the open design.
        effect(move || {
            side.store.revision.track();
            if side.source.get() == Source::Open {
                side.take(side.store.with(Design::clone), true);
            }
        });
        side
    }

    fn choose(self, source: Source) {
        self.source.set(source);
        self.design.set(None);
        self.name.set(String::new());
        self.refused.set(String::new());
        let number = self.next();
        match source {
            Source::Stored(key) => {
                let text = async move { self.designs.text_of(key).await };
                self.view.answer(text, move |text| {
                    let name = format!("“{}”", self.name_of(key));
                    self.read(
                        number,
                        name,
                        text.ok_or_else(|| "it is no longer stored in this browser".to_owned()),
                    );
                });
            }
            Source::Version(key, version) => {
                let design = async move { self.designs.version(key, version).await };
                self.view.answer(design, move |design| {
                    if self.number.get_value() == number {
                        let read = design.map(|design| (design, true));
                        let read = read.map_err(|error| error.reason);
                        self.take_read("the version".to_owned(), read);
                    }
                });
            }
            Source::Open | Source::Given => {}
        }
    }

    fn name_of(self, key: DesignKey) -> String {
        let list = self.designs.list.get_untracked();
        let listed = list.into_iter().find(|listed| listed.key == key);
        listed.map_or_else(|| format!("Design {key}"), |listed| listed.name)
    }

    fn next(self) -> u64 {
        self.number.update_value(|number| *number += 1);
        self.number.get_value()
    }

    fn take(self, design: Design, has_ids: bool) {
        self.refused.set(String::new());
        let compared = Compared { design, has_ids };
        self.design.set(Some(ByPtr(Arc::new(compared))));
    }

    fn take_read(self, name: String, read: Result<(Design, bool), String>) {
        match read {
            Ok((design, has_ids)) => {
                self.name.set(name);
                self.take(design, has_ids);
            }
            Err(why) => {
                let why = why.trim_end_matches('.');
                let text = format!("{}: {name} cannot be read: {why}.", self.label);
                self.refused.set(text);
            }
        }
    }

    /// Reads a file or a text: a design file, a link to a design, or Keyfold's language.
    fn read(self, number: u64, name: String, text: FileText) {
        if self.number.get_value() != number {
            return;
        }
        let text = match text {
            Ok(text) => text,
            Err(why) => return self.take_read(name, Err(why)),
        };
        if share_link::is_link(&text) {
            let design = share_link::decode(&text).map_err(|error| error.to_string());
            return self.take_read(name, design.map(|design| (design, true)));
        }
        if !name.to_lowercase().ends_with(".keyfold") && !text::is_text(&text) {
            let design = persist::from_json(&text).map_err(|error| error.to_string());
            return self.take_read(name, design.map(|design| (design, true)));
        }
        when_loaded(self.view, language(), move |language| {
            if self.number.get_value() == number {
                let language = language.map_err(|error| error.to_string());
                let read = language.and_then(|language| (language.read)(&text));
                self.take_read(name, read.map(|text| (text.design, false)));
            }
        });
    }

    fn read_pasted(self, text: String) {
        let number = self.next();
        self.read(number, "the pasted text".to_owned(), Ok(text));
    }

    /// Reads the first of the dropped files.
    fn dropped(self, event: &DragEvent) {
        let files = event.data_transfer().and_then(|data| data.files());
        let first = files.and_then(|files| file_list(&files).into_iter().next());
        let Some(file) = first else { return };
        event.prevent_default();
        // Elsewhere on the page, a dropped file opens as a design.
        event.stop_propagation();
        if self.source.get_untracked() != Source::Given {
            self.choose(Source::Given);
        }
        self.read_file(file);
    }

    fn read_file(self, file: File) {
        let number = self.next();
        let take = move |name, text| self.read(number, name, text);
        read_file(self.view, file, Box::new(take));
    }

    /// The versions of the open design, newest first: value and text of each.
    fn version_options(self) -> Vec<(String, String)> {
        let shown = self.designs.shown_version.get();
        let open = (self.designs.open.get()).or_else(|| shown.map(|shown| shown.key));
        let Some(key) = open else { return Vec::new() };
        let option = |version: &Version| {
            let text = match version.name.is_empty() {
                true => time_of(version),
                false => format!("{}, {}", version.name, time_of(version)),
            };
            (Source::Version(key, version.number).value(), text)
        };
        (self.versions).with(|versions| versions.iter().rev().map(option).collect())
    }

    /// The choices: value and text of each.
    fn options(self) -> Vec<(String, String)> {
        let open = self.designs.open.get();
        let stored = self.designs.list.get();
        let others = stored.iter().filter(|listed| Some(listed.key) != open);
        let named = self.store.name.get();
        let first = (Source::Open.value(), format!("The open design, “{named}”"));
        let given = (Source::Given.value(), "A file or a text".to_owned());
        let others = others.map(|listed| (Source::Stored(listed.key).value(), listed.name.clone()));
        std::iter::once(first)
            .chain(others)
            .chain(std::iter::once(given))
            .collect()
    }
}

/// The choice of a side.
#[component]
pub(super) fn SideView(
    /// The side.
    side: Side,
) -> impl IntoView {
    let is_given = memo(move |_| side.source.get() == Source::Given);
    let given = move || {
        is_given
            .get()
            .then(|| view! { <GivenView side=side /> }.into_any())
    };
    view! {
        <div
            class="compare-side"
            role="group"
            aria-label=side.label
            on:drop=move |event| side.dropped(&event)
        >
            <Select
                label=side.label
                value=Signal::derive(move || side.source.get().value())
                options=Signal::derive(move || side.options())
                group=(
                    "Versions of the open design",
                    Signal::derive(move || side.version_options()),
                )
                commit=Commit::new(move |value: String| {
                    side.choose(Source::of_value(&value));
                    Ok(())
                })
            />
            {given}
            <p class="compare-refused" role="alert">
                {move || side.refused.get()}
            </p>
        </div>
    }
}

/// The choice of a file or a text.
#[component]
fn GivenView(side: Side) -> impl IntoView {
    let (area, text) = (unique_id("compare"), RwSignal::new(String::new()));
    let is_blank = memo(move |_| text.with(|text| text.trim().is_empty()));
    let take = Callback::new(move |file| side.read_file(file));
    let said = move || match side.name.with(String::is_empty) {
        true => "or drop it here, or paste text".to_owned(),
        false => format!("Read: {}", side.name.get()),
    };
    view! {
        <div class="import-source">
            <ChooseFile
                label=match side.label {
                    "Before" => "File before",
                    _ => "File after",
                }
                accept=".json,.keyfold,.txt"
                take=take
            />
            <span class="import-file" role="status">
                {said}
            </span>
        </div>
        <form
            class="compare-text"
            on:submit=move |event| {
                event.prevent_default();
                if !is_blank.get_untracked() {
                    side.read_pasted(text.get_untracked());
                }
            }
        >
            <label for=area.clone() class="visually-hidden">
                {format!("Text {}", side.label.to_lowercase())}
            </label>
            <textarea
                id=area
                class="mono"
                rows="3"
                spellcheck="false"
                placeholder="A design file, a link to a design, or a design as text"
                on:input=move |event| text.set(event_target_value(&event))
            ></textarea>
            <button type="submit" class="button" disabled=move || is_blank.get()>
                "Read text"
            </button>
        </form>
    }
}
