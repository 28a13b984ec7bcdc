//! The dialog for importing samples. It shows a report before anything changes.

use super::import_design::reason;
use super::modal::Dialog;
use crate::platform::importer::{self, Failure, Job, Use};
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{For, RwSignal, Show, memo};
use crate::ui::reactive::follow_ids::follow_signal;
use crate::ui::reactive::on_demand::{LoadError, Part, on_demand, on_demand_view, when_loaded};
use crate::ui::state::store::Store;
use crate::ui::widgets::field::{Commit, Select, unique_id};
use crate::ui::widgets::file_picker::ChooseFile;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::badge::badge;
use keyfold_app::{Command, SampleEdits, generate_form};
use keyfold_core::import::report::{Noted, Placed};
use keyfold_core::import::samples::{self, Imported};
use keyfold_core::model::{Design, EntityId, Values};
use keyfold_core::persist;
use leptos::prelude::*;
use std::time::Duration;
use web_sys::File;

/// A longer text is read by the worker, in bytes: the page would wait for it.
const LONG_TEXT: usize = 100_000;
/// Pause after the last change to a long text before it is read.
const PAUSE: Duration = Duration::from_millis(300);

/// Items that were read: the samples and the report.
#[derive(Debug, Clone, Default)]
struct Found {
    added: Vec<(EntityId, Values)>,
    placed: Placed,
}

/// The result of reading, or why the text cannot be read.
type Read = Result<Found, String>;

/// The items of files, in the worker that reads files, and the positions of the tables that they are from.
type Items = (Job, Vec<usize>);

/// The form for importing. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct ImportForm {
    store: Store,
    open: RwSignal<bool>,
    /// The name of the chosen file; `None` for pasted text.
    file: RwSignal<Option<String>>,
    text: RwSignal<String>,
    items: StoredValue<Option<Items>, LocalStorage>,
    /// The entity of the rows; `None` to detect it from each row.
    into: RwSignal<Option<EntityId>>,
    read: RwSignal<Option<Read>>,
    /// The numbering of the design that it was read for, as counted by [`Store::numbering`].
    of: StoredValue<u64>,
    /// Counts the reads: a frame requested by an earlier read does nothing.
    number: StoredValue<u64>,
}

impl ImportForm {
    /// The initial form.
    pub fn new(store: Store) -> ImportForm {
        let into = RwSignal::new(None);
        store.when_moved(move |moved| follow_signal(into, moved));
        ImportForm {
            store,
            open: RwSignal::new(false),
            file: RwSignal::new(None),
            text: RwSignal::default(),
            items: StoredValue::new_local(None),
            into,
            read: RwSignal::new(None),
            of: StoredValue::new(0),
            number: StoredValue::new(0),
        }
    }

    /// Opens the form, empty.
    pub fn open(self) {
        self.into.set(None);
        self.clear();
        self.open.set(true);
    }

    /// Opens the form with the items of tables of files that were read. The form ends the worker.
    pub fn open_with(self, name: String, job: Job, tables: Vec<usize>) {
        self.open();
        self.file.set(Some(name));
        self.take_items(job, tables);
    }

    fn take_items(self, job: Job, tables: Vec<usize>) {
        self.items.set_value(Some((job, tables)));
        self.read_soon();
    }

    /// Takes a file. The worker reads it, so that the page does not wait.
    fn take_file(self, file: File) {
        self.clear();
        self.file.set(Some(file.name()));
        self.keep_file(file);
    }

    /// Lets the worker keep a file, and read it for the open design.
    fn keep_file(self, file: File) {
        let number = self.number.get_value();
        let work = async move {
            let job = importer::begin(&[file], Use::Items).await;
            let job = job.ok_or(Failure::NotLoaded)?;
            importer::report(&job).await.map(|_| job)
        };
        self.store.view.answer(work, move |job| {
            if self.number.try_get_value() != Some(number) {
                if let Ok(job) = job {
                    job.stop();
                }
                return;
            }
            match job {
                Ok(job) => self.take_items(job, Vec::new()),
                Err(failure) => self.read.set(Some(Err(reason(failure)))),
            }
        });
    }

    /// Ends what is being read.
    fn end(self) {
        self.number.try_update_value(|number| *number += 1);
        self.stop();
    }

    /// Ends the worker.
    fn stop(self) {
        if let Some(Some((job, _))) = self.items.try_update_value(Option::take) {
            job.stop();
        }
    }

    fn clear(self) {
        self.file.set(None);
        self.take(String::new());
    }

    /// Takes a text to import.
    fn take(self, text: String) {
        self.stop();
        self.text.set(text);
        self.read_soon();
    }

    /// Whether a text is to be read that the page would wait for.
    fn is_long(self) -> bool {
        self.items.with_value(Option::is_none)
            && self.text.with_untracked(|text| text.len() > LONG_TEXT)
    }

    /// Whether there is nothing to read, or the file is still on its way.
    fn is_empty(self) -> bool {
        self.items.with_value(Option::is_none)
            && self.text.with_untracked(|text| text.trim().is_empty())
    }

    /// Reads in the next frame, after the form is redrawn. The worker reads a long text, after a pause in typing.
    fn read_soon(self) {
        self.read.set(None);
        self.number.update_value(|number| *number += 1);
        let number = self.number.get_value();
        let is_current = move || self.number.try_get_value() == Some(number);
        if self.is_long() {
            self.store.view.after(PAUSE, move || {
                if is_current()
                    && let Some(file) = self.text.with_untracked(|text| importer::pasted(text))
                {
                    self.keep_file(file);
                }
            });
            return;
        }
        self.store.view.next_frame(move || {
            if !is_current() || self.is_empty() {
                return;
            }
            when_loaded(self.store.view, reader(), move |read| match read {
                // Another text was taken while the reader was loaded.
                _ if !is_current() => {}
                Ok(read) => read(self),
                Err(LoadError) => self.read.set(Some(Err(LoadError.to_string()))),
            });
        });
    }

    fn read_now(self) {
        if let Some((job, tables)) = self.items.get_value() {
            return self.read_items(job, tables, self.number.get_value());
        }
        let into = self.into.get_untracked();
        self.of.set_value(self.store.numbering.get_untracked());
        let read = (self.store).with(|design| {
            self.text
                .with_untracked(|text| samples::read(design, text, into))
        });
        let found = |imported: Imported| Found {
            placed: Placed {
                refused: Noted::new(&imported.refused),
                remarks: Noted::new(&imported.remarks),
            },
            added: imported.added,
        };
        self.read.set(Some(read.map(found)));
    }

    /// Lets the worker read the items for the open design.
    fn read_items(self, job: Job, tables: Vec<usize>, number: u64) {
        let into = self.into.get_untracked();
        self.of.set_value(self.store.numbering.get_untracked());
        // Neither samples nor access patterns say what an item is.
        let mut design = self.store.with(Design::clone);
        design.samples.clear();
        design.access_patterns.clear();
        let work = async move {
            let design = persist::to_json(&design);
            let placed = importer::place(&job, &tables, &design, into).await?;
            let samples = importer::samples(&job).await?.into_iter();
            let added = samples.map(|(id, sample)| (id, sample.values)).collect();
            Ok(Found { added, placed })
        };
        self.store
            .view
            .answer(work, move |found: Result<Found, Failure>| {
                if self.number.try_get_value() == Some(number) {
                    self.read.set(Some(found.map_err(reason)));
                }
            });
    }

    /// Adds the imported rows to the design in one step.
    fn import(self) {
        // In another numbering the same ids belong to other entities: show the new report first.
        if self.of.get_value() != self.store.numbering.get_untracked() {
            return self.read_soon();
        }
        // Samples can be many: they are not copied.
        let mut read = None;
        self.read.update(|shown| read = shown.take());
        let Some(Ok(imported)) = read else {
            return self.read.set(read);
        };
        if imported.added.is_empty() {
            return self.read.set(Some(Ok(imported)));
        }
        let summary = (self.store).with(|design| {
            generate_form::rows_summary(design, &counts(design, &imported), "imported")
        });
        let edits = Box::new(SampleEdits::from(Imported {
            added: imported.added,
            ..Imported::default()
        }));
        match self.store.run(Command::EditSamples(edits)) {
            Err(refused) => self.read.set(Some(Err(refused.to_string()))),
            Ok(()) => {
                self.open.set(false);
                self.clear();
                self.store.say_done(summary);
            }
        }
    }
}

/// The number of rows of each entity, in the design's order.
fn counts(design: &Design, imported: &Found) -> Vec<(EntityId, usize)> {
    let count = |id: &EntityId| imported.added.iter().filter(|(of, _)| of == id).count();
    let counts = design.entities.keys().map(|id| (*id, count(id)));
    counts.filter(|(_, count)| *count > 0).collect()
}

/// The dialog for importing samples.
#[component]
pub fn ImportDialog(
    /// The form.
    form: ImportForm,
) -> impl IntoView {
    view! {
        <Dialog open=form.open title="Import samples" class="samples-dialog">
            {on_demand_view(import_form, form)}
        </Dialog>
    }
}

on_demand!(menus, import_form: Part<ImportForm> = |form| view! { <Form form=form /> }.into_any());
on_demand!(menus, reader: fn(ImportForm) = ImportForm::read_now);

#[component]
fn Form(form: ImportForm) -> impl IntoView {
    focus_soon(".import-choose".into());
    let area = unique_id("import");
    let entities = form.store.with(|design| {
        let named = |(id, entity): (&EntityId, &std::sync::Arc<_>)| {
            let entity: &keyfold_core::model::Entity = entity;
            (id.to_string(), entity.name.clone())
        };
        let first = (String::new(), "Detect from each item".to_owned());
        std::iter::once(first)
            .chain(design.entities.iter().map(named))
            .collect::<Vec<_>>()
    });
    // Closing the dialog ends the work.
    on_cleanup(move || form.end());
    let take = Callback::new(move |file| form.take_file(file));
    let able = memo(move |_| {
        form.read.with(|read| match read {
            Some(Ok(imported)) => imported.added.len(),
            _ => 0,
        })
    });
    let action = move || match able.get() {
        0 => "Import".to_owned(),
        1 => "Import 1 sample".to_owned(),
        rows => format!("Import {rows} samples"),
    };
    view! {
        <form
            class="samples-form"
            on:submit=move |event| {
                event.prevent_default();
                form.import();
            }
        >
            <p class="dialog-text">
                "CSV with a header, or DynamoDB JSON: items, the result of a Scan or an export to S3. Review the report before you import."
            </p>
            <div class="import-source">
                <ChooseFile
                    label="Sample file"
                    accept=".csv,.tsv,.txt,.json,.jsonl,.ndjson,text/csv,application/json"
                    take=take
                />
                <span class="import-file">
                    {move || form.file.get().unwrap_or_else(|| "or paste the text below".into())}
                </span>
                <Show when=move || form.file.with(Option::is_some)>
                    <button
                        type="button"
                        class="icon-button"
                        aria-label="Choose another file or paste text"
                        title="Choose another file or paste text"
                        on:click=move |_| form.clear()
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </Show>
            </div>
            <div class="field tall import-text" hidden=move || form.file.with(Option::is_some)>
                <label for=area.clone() class="visually-hidden">
                    "Sample text"
                </label>
                <textarea
                    id=area
                    class="mono"
                    spellcheck="false"
                    placeholder="userId,email\nu_01,alice@example.com"
                    prop:value=move || match form.file.with(Option::is_some) {
                        true => String::new(),
                        false => form.text.get(),
                    }
                    on:input=move |event| form.take(event_target_value(&event))
                ></textarea>
            </div>
            <Select
                label="Entity"
                value=Signal::derive(move || {
                    form.into.get().map_or(String::new(), |id| id.to_string())
                })
                options=Signal::stored(entities)
                commit=Commit::new(move |text: String| {
                    form.into.set(text.parse().ok());
                    if !form.is_empty() {
                        form.read_soon();
                    }
                    Ok(())
                })
            />
            <div class="import-report" role="status" aria-label="Import report" tabindex="0">
                {move || report(form)}
            </div>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| form.open.set(false)>
                    "Cancel"
                </button>
                <button type="submit" class="button primary" disabled=move || able.get() == 0>
                    {action}
                </button>
            </footer>
        </form>
    }
}

/// The report: the rows to import, refused rows and remarks.
fn report(form: ImportForm) -> Option<AnyView> {
    form.read.with(|read| {
        let imported = match read.as_ref() {
            Some(Ok(imported)) => imported,
            None => {
                let file = form.file.get();
                let is_long = form.text.with_untracked(|text| text.len() > LONG_TEXT);
                let name = file.or_else(|| is_long.then(|| "the text".to_owned()))?;
                let text = format!("Reading {name}…");
                return Some(view! { <p class="samples-summary">{text}</p> }.into_any());
            }
            Some(Err(why)) => {
                let what = form
                    .file
                    .get_untracked()
                    .unwrap_or_else(|| "The text".into());
                let text = format!("{what} cannot be imported: {why}. Nothing was changed.");
                return Some(view! { <p class="samples-summary refused">{text}</p> }.into_any());
            }
        };
        let lines = form.store.with(|design| {
            let line = |(id, count): (EntityId, usize)| {
                let entity = design.entities.get(&id);
                let (name, hue) = entity.map_or((String::new(), 0), |e| (e.name.clone(), e.hue));
                view! {
                    <li data-import=name.clone()>
                        <span class=format!("badge hue-{hue}") aria-hidden="true">
                            {badge(&name)}
                        </span>
                        <span class="generate-name">{name.clone()}</span>
                        <span class="generate-rows">{count}</span>
                    </li>
                }
            };
            counts(design, imported)
                .into_iter()
                .map(line)
                .collect_view()
        });
        let none = imported.added.is_empty();
        Some(
            view! {
                <ul class="import-counts">{lines}</ul>
                {none.then(|| view! { <p class="samples-summary">"No samples to import."</p> })}
                {notes("Not imported", &imported.placed.refused)}
                {notes("Imported with warnings", &imported.placed.remarks)}
            }
            .into_any(),
        )
    })
}

fn notes(title: &'static str, notes: &Noted) -> Option<AnyView> {
    let count = notes.count;
    let shown = notes.first.clone();
    let more = count.saturating_sub(shown.len());
    (count > 0).then(|| {
        view! {
            <section class="import-notes" data-notes=title>
                <h3>{format!("{title}: {count}")}</h3>
                <ul>
                    <For
                        each=move || shown.clone().into_iter().enumerate()
                        key=|note| note.0
                        let:note
                    >
                        <li>{note.1}</li>
                    </For>
                </ul>
                {(more > 0).then(|| view! { <p>{format!("and {more} more")}</p> })}
            </section>
        }
        .into_any()
    })
}
