//! What the panel of the exports remembers while the page is open.

use crate::ui::designs::Designs;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::Store;
use keyfold_app::export::{export_name, read_version, version_text};
use keyfold_core::export::change_plan::Version;
use keyfold_core::export::{FORMATS, File, Format};
use leptos::prelude::*;

/// What the panel of the exports shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportChoice {
    /// Text.
    Format(Format),
    /// The picture of the canvas.
    Picture,
    /// The updates from an earlier version.
    Plan,
}

impl ExportChoice {
    /// All of them, in the order of the list.
    pub fn all() -> impl Iterator<Item = ExportChoice> {
        (FORMATS.iter().map(|format| ExportChoice::Format(*format)))
            .chain([ExportChoice::Picture, ExportChoice::Plan])
    }

    /// What it is called.
    pub fn label(self) -> &'static str {
        match self {
            ExportChoice::Format(format) => format.label,
            ExportChoice::Picture => "Picture",
            ExportChoice::Plan => "Change plan",
        }
    }

    /// Other words for it.
    pub fn also(self) -> &'static str {
        match self {
            ExportChoice::Format(_) => "code",
            ExportChoice::Picture => "image SVG PNG",
            ExportChoice::Plan => "migration diff",
        }
    }
}

/// What the panel remembers while the page is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct ExportsState {
    pub(super) shown: RwSignal<ExportChoice>,
    /// Which of its files.
    pub(super) file: RwSignal<usize>,
    /// Whether what changed since the last export is shown instead of the text.
    pub(super) changes: RwSignal<bool>,
    /// Counts what is taken away.
    pub(super) taken: RwSignal<u64>,
    /// Whether the archive of everything is being made.
    pub(super) zipping: RwSignal<bool>,
    pub(super) picture: PictureTheme,
    pub(super) earlier: EarlierVersion,
}

impl ExportsState {
    /// The panel as it first opens.
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

    /// Shows another one.
    pub fn choose(self, shown: ExportChoice) {
        self.file.set(0);
        self.shown.set(shown);
    }

    /// Remembers that these files were taken away.
    pub(super) fn remember(self, store: Store, designs: Designs, format: Format, files: &[File]) {
        for file in files {
            designs.remember_export(&export_name(format, &file.name), &file.code.text);
        }
        self.remember_version(store, designs, format);
        self.taken.update(|count| *count += 1);
    }

    /// With a template, what a change plan needs of the design.
    pub(super) fn remember_version(self, store: Store, designs: Designs, format: Format) {
        if format.name.starts_with("cloudformation") {
            designs.remember_export(VERSION, &store.with(version_text));
        }
    }
}

/// What the panel of the exports remembers, from the context.
pub fn use_exports() -> ExportsState {
    expect_context()
}

/// The theme that was chosen for pictures; `None`: the one that the app shows. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct PictureTheme(pub RwSignal<Option<bool>>);

impl PictureTheme {
    /// Whether the picture is dark.
    pub(super) fn dark(self) -> bool {
        let theme = use_page().theme;
        self.0.get().unwrap_or_else(|| theme.get().is_dark())
    }
}

/// Under which name the design is remembered that the last template was made of.
pub const VERSION: &str = "version";

/// The earlier version. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct EarlierVersion {
    pub(super) version: StoredValue<Option<Version>>,
    /// Where it comes from; `None`: there is none yet.
    pub(super) from: RwSignal<Option<String>>,
    /// The text as it is pasted.
    pub(super) text: RwSignal<String>,
    /// Which table of a template.
    pub(super) table: RwSignal<String>,
    /// Why there is none.
    pub(super) refused: RwSignal<String>,
    /// Which design it was chosen for, by the count of those that were opened.
    pub(super) opened: StoredValue<u64>,
}

impl EarlierVersion {
    /// None.
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

    /// Reads a text as the earlier version, or says why it is none.
    pub(super) fn take(self, from: &str, text: &str) {
        let table = self.table.get_untracked();
        let table = table.trim();
        let read = match text.trim().is_empty() {
            true => Err("there is nothing in it".to_owned()),
            false => read_version(text, (!table.is_empty()).then_some(table)),
        };
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
        self.refused.set(String::new());
    }
}
