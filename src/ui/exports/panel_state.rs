//! The state of the exports panel, kept while the page is open.

use crate::ui::designs::{Designs, language};
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::on_demand::when_loaded;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::Store;
use keyfold_app::export::{export_name, read_version, version_text};
use keyfold_compare::{matched, taken_as_renamed};
use keyfold_core::export::change_plan::Version;
use keyfold_core::export::{FORMATS, File, Format};
use keyfold_core::text::is_text;
use leptos::prelude::*;

/// What the exports panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportChoice {
    /// A text format.
    Format(Format),
    /// The picture of the canvas.
    Picture,
    /// The change plan from an earlier version.
    Plan,
}

impl ExportChoice {
    /// All of them, in the order of the list.
    pub fn all() -> impl Iterator<Item = ExportChoice> {
        (FORMATS.iter().map(|format| ExportChoice::Format(*format)))
            .chain([ExportChoice::Picture, ExportChoice::Plan])
    }

    /// Its label.
    pub fn label(self) -> &'static str {
        match self {
            ExportChoice::Format(format) => format.label,
            ExportChoice::Picture => "Picture",
            ExportChoice::Plan => "Change plan",
        }
    }

    /// Synonyms for the command palette.
    pub fn also(self) -> &'static str {
        match self {
            ExportChoice::Format(_) => "code",
            ExportChoice::Picture => "image SVG PNG",
            ExportChoice::Plan => "migration diff",
        }
    }
}

/// The state of the panel. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct ExportsState {
    pub(super) shown: RwSignal<ExportChoice>,
    /// The number of the shown file.
    pub(super) file: RwSignal<usize>,
    /// Whether the changes since the last export are shown instead of the text.
    pub(super) changes: RwSignal<bool>,
    /// Counts the exports.
    pub(super) taken: RwSignal<u64>,
    /// Whether the zip archive of all exports is being generated.
    pub(super) zipping: RwSignal<bool>,
    pub(super) picture: PictureTheme,
    pub(super) earlier: EarlierVersion,
}

impl ExportsState {
    /// The initial state.
    pub fn new() -> Self {
        ExportsState {
            shown: RwSignal::new(ExportChoice::Format(FORMATS[0])),
            file: RwSignal::new(0),
            changes: RwSignal::new(false),
            taken: RwSignal::new(0),
            zipping: RwSignal::new(false),
            picture: PictureTheme(RwSignal::new(None)),
            earlier: EarlierVersion::new(),
        }
    }

    /// Shows another format.
    pub fn choose(self, shown: ExportChoice) {
        self.file.set(0);
        self.shown.set(shown);
    }

    /// Remembers these files as exported.
    pub(super) fn remember(self, store: Store, designs: Designs, format: Format, files: &[File]) {
        for file in files {
            designs.remember_export(&export_name(format, &file.name), &file.code.text);
        }
        self.remember_version(store, designs, format);
        self.taken.update(|count| *count += 1);
    }

    /// For a template, also remembers the version of the design that a change plan needs.
    pub(super) fn remember_version(self, store: Store, designs: Designs, format: Format) {
        if format.name.starts_with("cloudformation") {
            designs.remember_export(VERSION, &store.with(version_text));
        }
    }
}

/// Returns the state of the exports panel from the context.
pub fn use_exports() -> ExportsState {
    expect_context()
}

/// The theme chosen for pictures, as whether it is dark; `None` for the theme of the app. A handle: copying it costs
/// nothing.
#[derive(Clone, Copy)]
pub struct PictureTheme(pub RwSignal<Option<bool>>);

impl PictureTheme {
    /// Whether the picture is dark.
    pub(super) fn dark(self) -> bool {
        let theme = use_page().theme;
        self.0.get().unwrap_or_else(|| theme.get().is_dark())
    }
}

/// The name under which the design of the last exported template is remembered.
pub const VERSION: &str = "version";

/// The earlier version. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct EarlierVersion {
    pub(super) version: StoredValue<Option<Version>>,
    /// Its origin; `None` if there is no earlier version yet.
    pub(super) from: RwSignal<Option<String>>,
    /// The pasted text.
    pub(super) text: RwSignal<String>,
    /// The table of a template with several tables.
    pub(super) table: RwSignal<String>,
    /// Why the text was refused; empty if it was not.
    pub(super) refused: RwSignal<String>,
    /// The design that it was chosen for, as counted by [`Store::opened`].
    pub(super) opened: StoredValue<u64>,
}

impl EarlierVersion {
    /// No earlier version.
    pub fn new() -> Self {
        EarlierVersion {
            version: StoredValue::new(None),
            from: RwSignal::new(None),
            text: RwSignal::default(),
            table: RwSignal::default(),
            refused: RwSignal::default(),
            opened: StoredValue::new(0),
        }
    }

    /// Reads a text as the earlier version, or sets why it is refused.
    pub(super) fn take(self, store: Store, from: &str, text: &str) {
        let table = self.table.get_untracked();
        let table = table.trim();
        if is_text(text) {
            let (from, text) = (from.to_owned(), text.to_owned());
            when_loaded(store.view, language(), move |language| {
                let language = language.map_err(|error| error.to_string());
                let read = language.and_then(|language| (language.read)(&text));
                // Text has no IDs: what is renamed is told by names and content.
                let version = read.map(|read| {
                    store.with(|now| {
                        let design = matched(now, &read.design, false);
                        let mut version = Version::of_design(design);
                        version.remarks = taken_as_renamed(&version.design, now);
                        version
                    })
                });
                self.take_read(&from, version);
            });
            return;
        }
        let read = match text.trim().is_empty() {
            true => Err("it is empty".to_owned()),
            false => read_version(text, (!table.is_empty()).then_some(table)),
        };
        self.take_read(from, read);
    }

    fn take_read(self, from: &str, read: Result<Version, String>) {
        match read {
            Ok(version) => {
                self.refused.set(String::new());
                self.version.set_value(Some(version));
                self.from.set(Some(from.to_owned()));
                focus_soon(".plan-other".to_owned());
            }
            Err(why) => self.refused.set(format!("Cannot read {from}: {why}.")),
        }
    }

    pub(super) fn forget(self) {
        self.version.set_value(None);
        self.from.set(None);
        // The next one is not pasted behind it.
        self.text.set(String::new());
        self.refused.set(String::new());
    }
}
