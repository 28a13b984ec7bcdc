//! The dialog for importing designs from files of other tools. It shows what was found before a design is made of it.

use super::import_review::Review;
use super::import_samples::ImportForm;
use super::modal::Dialog;
use crate::platform::importer::{self, Answer, Failure, Job, Use};
use crate::ui::designs::Designs;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{RwSignal, Show, effect, memo};
use crate::ui::reactive::on_demand::{LoadError, Part, on_demand, on_demand_view};
use crate::ui::state::store::Store;
use crate::ui::widgets::field::unique_id;
use crate::ui::widgets::file_picker::chosen_files;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_core::import::report::{Change, Edit, EntityReport, Report};
use keyfold_core::model::Design;
use keyfold_core::persist;
use leptos::html::Input;
use leptos::prelude::*;
use std::pin::Pin;
use std::sync::Arc;
use web_sys::File;

/// Tables with more samples open with the first ones of each entity only, unless the user wants all.
pub(super) const MANY_SAMPLES: usize = 2000;
/// The number of samples of each entity then.
pub(super) const FIRST_SAMPLES: u32 = 100;
/// File name extensions of items without types.
const ROWS: [&str; 2] = [".csv", ".tsv"];
/// What can be imported.
const FORMATS: &str = "NoSQL Workbench, CloudFormation, SAM, CDK, Serverless, Terraform, CreateTable and DescribeTable, OneTable, ElectroDB, dynamodb-toolbox, the files of AWS's DynamoDB MCP server, exports to S3, and items as DynamoDB JSON, JSON or CSV.";

/// What the dialog shows.
#[derive(Clone)]
enum State {
    /// The choice of files.
    Choice,
    /// Files are being read: their names.
    Reading(String),
    /// Why they were not read.
    Refused(String),
    /// What was found.
    Found,
}

/// An entity of the report: the position of its table, and its id.
pub(super) type EntityOf = (usize, u32);
/// No entity.
const OF_NONE: EntityOf = (usize::MAX, 0);

/// What opens the dialog. The code that loads with the page has only this. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct ImportDesignForm {
    store: Store,
    designs: Designs,
    /// The form that adds items to the open design.
    samples: ImportForm,
    open: RwSignal<bool>,
    /// Counts the openings: the dialog may be open already.
    opened: RwSignal<u64>,
    /// The files to read.
    waiting: StoredValue<Vec<File>, LocalStorage>,
}

impl ImportDesignForm {
    /// The initial form.
    pub fn new(store: Store, designs: Designs, samples: ImportForm) -> ImportDesignForm {
        ImportDesignForm {
            store,
            designs,
            samples,
            open: RwSignal::new(false),
            opened: RwSignal::new(0),
            waiting: StoredValue::new_local(Vec::new()),
        }
    }

    /// Opens the form with the choice of files.
    pub fn open(self) {
        self.open_with(Vec::new());
    }

    /// Opens the form and reads a pasted text.
    pub fn open_with_text(self, text: &str) {
        self.open_with(importer::pasted(text).into_iter().collect());
    }

    /// Opens the form and reads files.
    pub fn open_with(self, files: Vec<File>) {
        self.waiting.set_value(files);
        self.opened.update(|count| *count += 1);
        self.open.set(true);
    }
}

/// The dialog while it is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub(super) struct ImportDialog {
    form: ImportDesignForm,
    state: RwSignal<State>,
    /// What was found, with the edits so far.
    pub(super) report: RwSignal<Arc<Report>>,
    /// Whether each table becomes a design.
    pub(super) chosen: RwSignal<Vec<bool>>,
    /// Whether all samples of each table are wanted, however many.
    pub(super) all_samples: RwSignal<Vec<bool>>,
    /// The entities to merge: table and id.
    pub(super) picked: RwSignal<Vec<EntityOf>>,
    /// Why the last edit of an entity was not made, or why no designs were made; a sentence.
    pub(super) problem: RwSignal<Option<(EntityOf, String)>>,
    /// Whether an answer of the worker is awaited.
    pub(super) is_busy: RwSignal<bool>,
    job: StoredValue<Option<Job>, LocalStorage>,
    /// The names of the files.
    names: StoredValue<String>,
    /// Counts the reads: the answer to an earlier one is ignored.
    number: StoredValue<u64>,
}

impl ImportDialog {
    fn new(form: ImportDesignForm) -> ImportDialog {
        ImportDialog {
            form,
            state: RwSignal::new(State::Choice),
            report: RwSignal::default(),
            chosen: RwSignal::default(),
            all_samples: RwSignal::default(),
            picked: RwSignal::default(),
            problem: RwSignal::default(),
            is_busy: RwSignal::default(),
            job: StoredValue::new_local(None),
            names: StoredValue::new(String::new()),
            number: StoredValue::new(0),
        }
    }

    /// Closes the dialog.
    pub(super) fn close(self) {
        self.form.open.set(false);
    }

    /// Stops reading, and shows the choice of files.
    pub(super) fn back(self) {
        self.stop();
        self.is_busy.set(false);
        self.state.set(State::Choice);
    }

    fn stop(self) {
        self.number.try_update_value(|number| *number += 1);
        if let Some(Some(job)) = self.job.try_update_value(Option::take) {
            job.stop();
        }
    }

    fn read(self, files: Vec<File>) {
        self.stop();
        self.is_busy.set(false);
        let names: Vec<String> = files.iter().map(File::name).collect();
        let names = names.join(", ");
        self.names.set_value(names.clone());
        self.state.set(State::Reading(names));
        let number = self.number.get_value();
        let is_current = move || self.number.try_get_value() == Some(number);
        let work = async move {
            let Some(job) = importer::begin(&files, Use::Review).await else {
                return Err(Failure::NotLoaded);
            };
            if !is_current() {
                job.stop();
                return Err(Failure::Failed);
            }
            let answer = importer::report(&job);
            self.job.set_value(Some(job));
            answer.await
        };
        (self.form.store.view).answer(work, move |answer| {
            if is_current() {
                self.show(answer);
            }
        });
    }

    fn show(self, answer: Answer) {
        let state = match answer.and_then(report) {
            Ok(report) => {
                self.chosen.set(vec![true; report.tables.len()]);
                self.all_samples.set(vec![false; report.tables.len()]);
                self.picked.set(Vec::new());
                self.problem.set(None);
                self.report.set(Arc::new(report));
                State::Found
            }
            Err(failure) => State::Refused(reason(failure)),
        };
        self.state.set(state);
    }

    /// Changes an entity.
    pub(super) fn edit(self, of: EntityOf, change: Change) {
        let edit = Edit {
            table: of.0,
            change,
        };
        self.ask(of, |job| Box::pin(importer::edit(job, &edit)));
    }

    /// Takes back the last edit.
    pub(super) fn undo(self) {
        self.ask(OF_NONE, |job| Box::pin(importer::undo(job)));
    }

    /// Asks the worker for a change, and shows the report after it.
    fn ask(self, of: EntityOf, ask: impl FnOnce(&Job) -> WorkerRequest) {
        let Some(answer) = self.job.with_value(|job| job.as_ref().map(ask)) else {
            return;
        };
        let number = self.number.get_value();
        self.is_busy.set(true);
        (self.form.store.view).answer(answer, move |answer| {
            if self.number.try_get_value() != Some(number) {
                return;
            }
            self.is_busy.set(false);
            match answer.and_then(report) {
                Ok(report) => {
                    self.problem.set(None);
                    self.report.set(Arc::new(report));
                    self.picked.update(|picked| {
                        self.report.with_untracked(|report| {
                            picked.retain(|of| entity(report, *of).is_some());
                        });
                    });
                }
                Err(failure) => {
                    let why = format!("Not changed: {}.", reason(failure));
                    self.problem.set(Some((of, why)));
                }
            }
        });
    }

    /// The positions of the chosen tables.
    fn chosen_tables(self) -> impl Iterator<Item = usize> {
        let chosen = self.chosen.get_untracked();
        (0..chosen.len()).filter(move |at| chosen[*at])
    }

    /// Whether a chosen table has items, and the open design has entities that they may belong to. For views.
    pub(super) fn can_add_items(self) -> bool {
        let has_items = self.report.with(|report| {
            let chosen = self.chosen.get();
            (report.tables.iter().zip(chosen)).any(|(table, chosen)| chosen && table.samples > 0)
        });
        has_items && (self.form.store.entity_ids).with(|ids| !ids.is_empty())
    }

    /// Whether files that were refused may hold items without keys for the entities of the open design. For views.
    fn can_add_rows(self) -> bool {
        let is_rows = self.names.with_value(|names| {
            let names = names.to_lowercase();
            ROWS.iter().any(|ending| names.ends_with(ending))
        });
        is_rows && (self.form.store.entity_ids).with(|ids| !ids.is_empty())
    }

    /// Shows the items of the chosen tables in the form that adds them to the open design.
    pub(super) fn add_items(self) {
        let tables = self.chosen_tables().collect();
        // The form goes on with the worker.
        if let Some(Some(job)) = self.job.try_update_value(Option::take) {
            self.close();
            self.form
                .samples
                .open_with(self.names.get_value(), job, tables);
        }
    }

    /// Opens the chosen tables as new designs. If one cannot be opened, none is, and the review stays with its edits.
    pub(super) fn import(self) {
        let Some(job) = self.job.get_value() else {
            return;
        };
        let all = self.all_samples.get_untracked();
        let wanted = self.report.with_untracked(|report| {
            let most = |at: usize| {
                let is_large = report.tables[at].samples > MANY_SAMPLES;
                (is_large && all.get(at) != Some(&true)).then_some(FIRST_SAMPLES)
            };
            self.chosen_tables()
                .map(|at| (at, most(at)))
                .collect::<Vec<_>>()
        });
        let number = self.number.get_value();
        self.is_busy.set(true);
        let work = async move {
            let mut designs = Vec::new();
            for (table, most) in wanted {
                let made = design(&job, table, most).await;
                designs.push(made.map_err(|failure| (table, failure))?);
            }
            Ok(designs)
        };
        (self.form.store.view).answer(work, move |made: Result<_, (usize, Failure)>| {
            if self.number.try_get_value() != Some(number) {
                return;
            }
            match made {
                Ok(designs) => {
                    self.close();
                    let folder = self.report.with_untracked(|report| report.name.clone());
                    self.form.designs.open_imported(designs, &folder);
                }
                Err((table, failure)) => {
                    self.is_busy.set(false);
                    let name =
                        (self.report).with_untracked(|report| report.tables[table].name.clone());
                    let why = format!("{name} is not imported: {}.", reason(failure));
                    self.problem.set(Some((OF_NONE, why)));
                }
            }
        });
    }
}

/// The design of a table of the report, with at most so many samples of each entity. All samples come in parts: reading a
/// large design at once would hold up the page.
async fn design(job: &Job, table: usize, most: Option<u32>) -> Result<Design, Failure> {
    let text = importer::design(job, table, Some(most.unwrap_or(0))).await?;
    let design = persist::from_json(&text);
    let mut design = design.map_err(|error| Failure::Refused(error.to_string()))?;
    if most.is_none() {
        design.samples.clear();
        for (entity, sample) in importer::samples_of(job, table).await? {
            let samples = design.samples.entry(entity).or_default();
            Arc::make_mut(samples).push(Arc::new(sample));
        }
    }
    Ok(design)
}

/// A request to the worker.
type WorkerRequest = Pin<Box<dyn Future<Output = Answer>>>;

/// Reads the worker's report.
fn report(text: String) -> Result<Report, Failure> {
    serde_json::from_str(&text).map_err(|_| Failure::Failed)
}

/// Why the worker gives no answer.
pub(super) fn reason(failure: Failure) -> String {
    match failure {
        Failure::Refused(reason) => reason,
        Failure::NotLoaded => LoadError.to_string(),
        Failure::Failed => "Keyfold stopped reading because of a bug".to_owned(),
    }
}

/// An entity of a report.
pub(super) fn entity(report: &Report, (table, id): EntityOf) -> Option<&EntityReport> {
    let table = report.tables.get(table)?;
    table.entities.iter().find(|entity| entity.id == id)
}

/// The dialog.
#[component]
pub fn ImportDesignDialog(
    /// The form.
    form: ImportDesignForm,
) -> impl IntoView {
    view! {
        <Dialog open=form.open title="Import" class="import-dialog">
            {on_demand_view(import_view, form)}
        </Dialog>
    }
}

on_demand!(menus, import_view: Part<ImportDesignForm> = |form| view! { <Form form=form /> }.into_any());

#[component]
fn Form(form: ImportDesignForm) -> impl IntoView {
    let dialog = ImportDialog::new(form);
    // Closing the dialog ends the work.
    on_cleanup(move || dialog.stop());
    effect(move || {
        form.opened.track();
        match form.waiting.try_update_value(std::mem::take) {
            Some(files) if !files.is_empty() => dialog.read(files),
            _ => dialog.back(),
        }
    });
    let content = move || match dialog.state.get() {
        State::Choice => view! { <Choice dialog=dialog refused=String::new() /> }.into_any(),
        State::Refused(reason) => view! { <Choice dialog=dialog refused=reason /> }.into_any(),
        State::Reading(names) => view! { <Reading dialog=dialog names=names /> }.into_any(),
        State::Found => view! { <Review dialog=dialog /> }.into_any(),
    };
    view! { <div class="import-design">{content}</div> }
}

/// The choice of files, or a text.
#[component]
fn Choice(
    dialog: ImportDialog,
    /// Why the files before were not read.
    refused: String,
) -> impl IntoView {
    focus_soon(".import-design .import-choose".into());
    let picker: NodeRef<Input> = NodeRef::new();
    let (area, text) = (unique_id("import"), RwSignal::new(String::new()));
    let is_blank = memo(move |_| text.with(|text| text.trim().is_empty()));
    let choose = move |_| {
        if let Some(picker) = picker.get_untracked() {
            picker.click();
        }
    };
    let take = move |_| {
        let files = chosen_files(picker);
        if !files.is_empty() {
            dialog.read(files);
        }
    };
    view! {
        {(!refused.is_empty())
            .then(|| {
                view! {
                    <p class="import-refused" role="alert">
                        {format!("Not imported: {refused}. Nothing was changed.")}
                    </p>
                    <Show when=move || dialog.can_add_rows()>
                        <p class="dialog-text">
                            <button
                                type="button"
                                class="button"
                                on:click=move |_| dialog.add_items()
                            >
                                "Add items to open design…"
                            </button>
                        </p>
                    </Show>
                }
            })}
        <p class="dialog-text">
            "Create a design from an existing table. If the files do not define entities or key templates, Keyfold finds them in the items. Keyfold reads "
            {FORMATS} " The files stay in this browser."
        </p>
        <div class="import-source">
            <button type="button" class="button import-choose" on:click=choose>
                <Icon glyph=Glyph::Upload />
                "Choose files…"
            </button>
            <input
                node_ref=picker
                type="file"
                multiple=true
                aria-label="Files to import"
                hidden=true
                on:change=take
            />
            <span class="import-file">"or paste their text below"</span>
        </div>
        <form on:submit=move |event| {
            event.prevent_default();
            if !is_blank.get_untracked()
                && let Some(file) = text.with_untracked(|text| importer::pasted(text))
            {
                dialog.read(vec![file]);
            }
        }>
            <div class="field tall import-text">
                <label for=area.clone() class="visually-hidden">
                    "Text to import"
                </label>
                <textarea
                    id=area
                    class="mono"
                    spellcheck="false"
                    placeholder="{\"Items\": [{\"PK\": {\"S\": \"USER#1\"}, ...}]}"
                    on:input=move |event| text.set(event_target_value(&event))
                ></textarea>
            </div>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| dialog.close()>
                    "Cancel"
                </button>
                <button type="submit" class="button primary" disabled=move || is_blank.get()>
                    "Read text"
                </button>
            </footer>
        </form>
    }
}

#[component]
fn Reading(dialog: ImportDialog, names: String) -> impl IntoView {
    focus_soon(".import-cancel".into());
    view! {
        <p role="status" class="import-reading">
            {format!("Reading {names}…")}
        </p>
        <progress aria-label="Reading"></progress>
        <footer class="samples-foot">
            <button type="button" class="button import-cancel" on:click=move |_| dialog.back()>
                "Cancel"
            </button>
        </footer>
    }
}
