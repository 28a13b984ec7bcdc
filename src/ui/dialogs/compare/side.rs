//! A side of a comparison: the open design, a stored one, a file or a pasted text. What cannot be read changes nothing.

use crate::ui::designs::{Designs, text_reader, use_designs};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::field::{Commit, Select, unique_id};
use crate::ui::widgets::file_picker::{ChooseFile, file_list, read_file};
use keyfold_app::comparison::Compared;
use keyfold_app::share_link;
use keyfold_app::workspace::DesignKey;
use keyfold_core::model::Design;
use keyfold_core::persist;
use keyfold_core::text;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::DragEvent;

/// Where the design of a side comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The open design.
    Open,
    /// Another stored design.
    Stored(DesignKey),
    /// A file or a pasted text.
    Given,
}

impl Source {
    /// The value of its option.
    fn value(self) -> String {
        match self {
            Source::Open => "open".to_owned(),
            Source::Stored(key) => key.to_string(),
            Source::Given => "given".to_owned(),
        }
    }

    fn of_value(value: &str) -> Source {
        match (value, value.parse()) {
            ("open", _) => Source::Open,
            (_, Ok(key)) => Source::Stored(key),
            _ => Source::Given,
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
    store: Store,
    designs: Designs,
    view: View,
}

impl Side {
    /// A side that begins with this source. Call this where [`View::new`] may be called.
    pub(super) fn new(label: &'static str, source: Source) -> Side {
        let side = Side {
            label,
            design: RwSignal::new(None),
            source: RwSignal::new(source),
            name: RwSignal::default(),
            refused: RwSignal::default(),
            number: StoredValue::new(0),
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
        if let Source::Stored(key) = source {
            let text = async move { self.designs.text_of(key).await };
            self.view.answer(text, move |text| {
                let name = format!("“{}”", self.name_of(key));
                self.read(number, name, text);
            });
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

    /// Reads a file or a text: a design file, a link to a design, or Keyfold's language. The text is `None` if the browser
    /// or the storage has none.
    fn read(self, number: u64, name: String, text: Option<String>) {
        if self.number.get_value() != number {
            return;
        }
        let Some(text) = text else {
            return self.take_read(name, Err("it has no text".to_owned()));
        };
        if share_link::is_link(&text) {
            let design = share_link::decode(&text).map_err(|error| error.to_string());
            return self.take_read(name, design.map(|design| (design, true)));
        }
        if !name.to_lowercase().ends_with(".keyfold") && !text::is_text(&text) {
            let design = persist::from_json(&text).map_err(|error| error.to_string());
            return self.take_read(name, design.map(|design| (design, true)));
        }
        when_loaded(self.view, text_reader(), move |reader| {
            if self.number.get_value() == number {
                let reader = reader.map_err(|error| error.to_string());
                let read = reader.and_then(|read| read(&text));
                self.take_read(name, read.map(|text| (text.design, false)));
            }
        });
    }

    fn read_pasted(self, text: String) {
        let number = self.next();
        self.read(number, "the pasted text".to_owned(), Some(text));
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
        let number = self.next();
        let take = move |name, text| self.read(number, name, text);
        read_file(self.view, file, Box::new(take));
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
    let take = Callback::new(move |(name, text): (String, Option<String>)| {
        let number = side.next();
        side.read(number, name, text);
    });
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
