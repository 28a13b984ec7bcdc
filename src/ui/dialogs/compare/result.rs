//! What a comparison found: the list at once, the effects in slices, the picture, and files of them.

use super::report::Sections;
use crate::platform::raster;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{RwSignal, Show, memo};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::state::page_state::use_page;
use crate::ui::widgets::copy_button::CopyButton;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::layered_picture::{CARDS, LayeredPicture, Layers};
use keyfold_app::comparison::{Compared, DifferencesPicture, Known, compare};
use keyfold_app::picture::PictureOptions;
use keyfold_app::viewport::Detail;
use keyfold_compare::{Report, Section};
use keyfold_core::counted::counted;
use keyfold_core::model::file_stem;
use keyfold_core::slices::Slices;
use leptos::prelude::*;
use std::sync::Arc;

/// Why a file was not made.
const NO_PICTURE: &str = "The browser could not create the picture.";

/// A comparison under way or done. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct Comparison {
    /// Whether there are two designs.
    is_begun: RwSignal<bool>,
    /// What changed; `None` until it is known.
    changes: RwSignal<Option<ByPtr<Vec<Section>>>>,
    /// The whole report; `None` until the effects are known.
    report: RwSignal<Option<ByPtr<Report>>>,
    has_picture: RwSignal<bool>,
    picture: LayeredPicture,
    options: PictureOptions,
    problem: RwSignal<&'static str>,
    task: SlicedTask,
}

impl Comparison {
    /// No comparison. Call this where [`SlicedTask::new`] may be called.
    pub(super) fn new() -> Comparison {
        let problem = RwSignal::new("");
        Comparison {
            is_begun: RwSignal::new(false),
            changes: RwSignal::new(None),
            report: RwSignal::new(None),
            has_picture: RwSignal::new(false),
            picture: LayeredPicture::new(Callback::new(move |()| problem.set(NO_PICTURE))),
            options: PictureOptions {
                dark: use_page().theme.get_untracked().is_dark(),
                detail: Detail::All,
                groups: None,
                references: false,
            },
            problem,
            task: SlicedTask::new(),
        }
    }

    /// Forgets the comparison.
    pub(super) fn clear(self) {
        self.task.cancel();
        self.is_begun.set(false);
        self.changes.set(None);
        self.report.set(None);
        self.has_picture.set(false);
        self.picture.clear();
        self.problem.set("");
    }

    /// Compares two designs in slices.
    pub(super) fn begin(self, before: &Compared, after: &Compared) {
        self.clear();
        self.is_begun.set(true);
        let work = compare(before.clone(), after.clone(), move |known| self.tell(known));
        let mut work = Slices::new(work);
        self.task.start(When::Soon, move |slice| {
            let Some(report) = slice.run(|| work.step()) else {
                return Progress::Unfinished;
            };
            // A change of a template says how many items get another key.
            self.changes.set(Some(ByPtr(Arc::new(report.changes()))));
            self.report.set(Some(ByPtr(Arc::new(report))));
            Progress::Finished
        });
    }

    fn tell(self, known: Known<'_>) {
        match known {
            Known::Changes(report) => self.changes.set(Some(ByPtr(Arc::new(report.changes())))),
            Known::Picture(picture) => {
                self.has_picture.set(true);
                self.picture.show(picture.layers(self.options, CARDS));
            }
        }
    }

    /// How far the comparison is, and how much differs.
    fn status(self) -> String {
        let lines = self.changes.with(|changes| {
            let sections = changes.as_ref()?;
            Some(
                sections
                    .iter()
                    .map(|section| section.lines.len())
                    .sum::<usize>(),
            )
        });
        match (lines, self.report.with(Option::is_some)) {
            _ if !self.is_begun.get() => "Choose two designs.".to_owned(),
            (None, _) => "Comparing…".to_owned(),
            (Some(0), _) => "The designs are equal.".to_owned(),
            (Some(count), false) => {
                let differences = counted(count, "difference", "differences");
                format!("{differences}. Finding their effects…")
            }
            (Some(count), true) => counted(count, "difference", "differences") + ".",
        }
    }

    fn markdown(self) -> String {
        self.report.with_untracked(|report| {
            (report.as_ref()).map_or_else(String::new, |report| report.markdown())
        })
    }

    fn save_picture(self) {
        let saved = self.report.with_untracked(|report| {
            let report = report.as_ref()?;
            let text = DifferencesPicture::new(report).svg(self.options);
            let name = format!("{} differences.svg", file_stem(&report.new.name));
            let file = raster::svg_file(&text).ok()?;
            raster::download(&name, &file).ok()
        });
        self.problem.set(match saved {
            Some(()) => "",
            None => NO_PICTURE,
        });
    }
}

/// What was found.
#[component]
pub(super) fn Outcome(
    /// The comparison.
    comparison: Comparison,
) -> impl IntoView {
    let is_waiting = memo(move |_| comparison.report.with(Option::is_none));
    let has_changes = memo(move |_| {
        (comparison.changes).with(|changes| changes.as_ref().is_some_and(|all| !all.is_empty()))
    });
    let changes = move || {
        let changes = comparison.changes.get()?;
        Some(view! { <Sections sections=changes.0.to_vec() /> })
    };
    let outcome = move || match comparison.report.get() {
        None => view! { <p class="compare-none">"Looking…"</p> }.into_any(),
        Some(report) => match report.outcome() {
            none if none.is_empty() => view! {
                <p class="compare-none">
                    "No item key, access pattern or finding changes, and no stack update is needed."
                </p>
            }
            .into_any(),
            sections => view! { <Sections sections=sections /> }.into_any(),
        },
    };
    view! {
        <div class="compare-bar">
            <p role="status">{move || comparison.status()}</p>
            <CopyButton
                class="compare-copy"
                caption="Copy as Markdown"
                label="Copy as Markdown"
                blocked="The browser blocked it"
                text=Callback::new(move |()| comparison.markdown())
                disabled=Signal::derive(move || is_waiting.get())
            />
            <button
                type="button"
                class="button"
                disabled=move || is_waiting.get() || !has_changes.get()
                on:click=move |_| comparison.save_picture()
            >
                <Icon glyph=Glyph::Download />
                "Download SVG"
            </button>
        </div>
        <p class="compare-refused" role="alert">
            {move || comparison.problem.get()}
        </p>
        <Show when=move || comparison.has_picture.get()>
            <PictureView comparison=comparison />
        </Show>
        <Show when=move || has_changes.get()>
            <section class="compare-found" aria-label="Differences">
                <h3>"Changes"</h3>
                {changes}
                <h3>"Effects"</h3>
                {outcome}
            </section>
        </Show>
    }
}

/// The canvas with the differences.
#[component]
fn PictureView(comparison: Comparison) -> impl IntoView {
    let is_actual = RwSignal::new(false);
    view! {
        <div class="compare-canvas">
            <button
                type="button"
                class="button small"
                aria-pressed=move || is_actual.get().to_string()
                on:click=move |_| is_actual.update(|is_actual| *is_actual = !*is_actual)
            >
                "Full size"
            </button>
            <div
                class="compare-picture"
                class:actual=move || is_actual.get()
                role="region"
                aria-label="Picture of the differences"
                tabindex="0"
            >
                <div
                    class="picture"
                    class:dark=comparison.options.dark
                    role="img"
                    aria-label="The cards and wires of both designs. Marks show which were added, removed or changed"
                >
                    <Layers picture=comparison.picture />
                </div>
            </div>
        </div>
    }
}
