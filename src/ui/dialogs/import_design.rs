//! The dialog for importing designs from files of other tools. It shows what was found before a design is made of it.

use super::modal::Dialog;
use crate::platform::importer::{self, Failure, Job};
use crate::ui::designs::Designs;
use crate::ui::dom::focus::{focus_if_lost, focus_soon};
use crate::ui::reactive::erased::{RwSignal, effect, memo};
use crate::ui::reactive::on_demand::{LoadError, Part, on_demand, on_demand_view};
use crate::ui::state::store::Store;
use crate::ui::widgets::field::unique_id;
use crate::ui::widgets::file_picker::chosen_files;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::picture::badge;
use keyfold_core::counted::counted;
use keyfold_core::import::report::{EntityReport, Report, TableReport};
use leptos::html::Input;
use leptos::prelude::*;
use std::sync::Arc;
use web_sys::File;

/// Limit of shown notes.
const MAX_NOTES: usize = 200;
/// What can be imported.
const FORMATS: &str = "NoSQL Workbench, CloudFormation, SAM, CDK, Serverless, Terraform, CreateTable and DescribeTable, OneTable, ElectroDB, dynamodb-toolbox, the files of AWS's DynamoDB MCP server, exports to S3, and items as DynamoDB JSON, JSON or CSV.";

/// What the dialog shows.
#[derive(Clone)]
enum State {
    /// The choice of files.
    Choice,
    /// Nothing yet: files wait until the code that reads them is there.
    Waiting,
    /// Files are being read: their names.
    Reading(String),
    /// Why they were not read.
    Refused(String),
    /// What was found.
    Found(Arc<Report>),
}

/// The form for importing designs. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct ImportDesignForm {
    store: Store,
    designs: Designs,
    open: RwSignal<bool>,
    state: RwSignal<State>,
    /// Whether each table becomes a design.
    chosen: RwSignal<Vec<bool>>,
    /// The designs of the tables, as Keyfold files.
    texts: StoredValue<Vec<String>>,
    waiting: StoredValue<Vec<File>, LocalStorage>,
    job: StoredValue<Option<Job>, LocalStorage>,
    /// Counts the reads: the answer to an earlier one is ignored.
    number: StoredValue<u64>,
}

impl ImportDesignForm {
    /// The initial form.
    pub fn new(store: Store, designs: Designs) -> ImportDesignForm {
        ImportDesignForm {
            store,
            designs,
            open: RwSignal::new(false),
            state: RwSignal::new(State::Choice),
            chosen: RwSignal::default(),
            texts: StoredValue::default(),
            waiting: StoredValue::new_local(Vec::new()),
            job: StoredValue::new_local(None),
            number: StoredValue::new(0),
        }
    }

    /// Opens the form with the choice of files.
    pub fn open(self) {
        self.state.set(State::Choice);
        self.open.set(true);
    }

    /// Opens the form and reads files.
    pub fn open_with(self, files: Vec<File>) {
        self.waiting.set_value(files);
        self.state.set(State::Waiting);
        self.open.set(true);
    }

    /// Stops reading, and shows the choice of files.
    fn back(self) {
        self.stop();
        self.state.set(State::Choice);
    }

    fn stop(self) {
        self.number.update_value(|number| *number += 1);
        self.texts.set_value(Vec::new());
        if let Some(Some(job)) = self.job.try_update_value(Option::take) {
            job.stop();
        }
    }

    fn read(self, files: Vec<File>) {
        self.stop();
        let names: Vec<String> = files.iter().map(File::name).collect();
        self.state.set(State::Reading(names.join(", ")));
        let number = self.number.get_value();
        let is_current = move || self.number.try_get_value() == Some(number);
        let work = async move {
            let Some(job) = importer::begin(&files).await else {
                return Err(Failure::NotLoaded);
            };
            if !is_current() {
                job.stop();
                return Err(Failure::Failed);
            }
            let answer = importer::wait(&job);
            self.job.set_value(Some(job));
            answer.await
        };
        (self.store.view).answer(work, move |answer| {
            if is_current() {
                self.job.set_value(None);
                self.show(answer);
            }
        });
    }

    fn show(self, answer: Result<Vec<String>, Failure>) {
        let refused = State::Refused;
        let state = match answer {
            Ok(mut texts) if !texts.is_empty() => {
                let report: Result<Report, _> = serde_json::from_str(&texts.remove(0));
                match report {
                    Ok(report) => {
                        self.chosen.set(vec![true; report.tables.len()]);
                        self.texts.set_value(texts);
                        State::Found(Arc::new(report))
                    }
                    Err(error) => refused(error.to_string()),
                }
            }
            Err(Failure::Refused(reason)) => refused(reason),
            Err(Failure::NotLoaded) => refused(LoadError.to_string()),
            _ => refused("reading ended with a fault of Keyfold".to_owned()),
        };
        self.state.set(state);
    }

    /// Opens the chosen tables as new designs.
    fn import(self) {
        let texts = self.texts.try_update_value(std::mem::take);
        let chosen = self.chosen.get_untracked();
        let texts = texts.unwrap_or_default().into_iter().zip(chosen);
        self.open.set(false);
        self.state.set(State::Choice);
        for (text, _) in texts.filter(|(_, is_chosen)| *is_chosen) {
            self.designs.open_imported(&text);
        }
    }
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
    // Closing the dialog ends the work.
    on_cleanup(move || form.stop());
    effect(move || {
        if form.state.with(|state| matches!(state, State::Waiting)) {
            form.read(
                form.waiting
                    .try_update_value(std::mem::take)
                    .unwrap_or_default(),
            );
        }
    });
    let content = move || match form.state.get() {
        State::Waiting => ().into_any(),
        State::Choice => view! { <Choice form=form refused=String::new() /> }.into_any(),
        State::Refused(reason) => view! { <Choice form=form refused=reason /> }.into_any(),
        State::Reading(names) => view! { <Reading form=form names=names /> }.into_any(),
        State::Found(report) => view! { <Found form=form report=report /> }.into_any(),
    };
    view! { <div class="import-design">{content}</div> }
}

/// The choice of files, or a text.
#[component]
fn Choice(
    form: ImportDesignForm,
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
            form.read(files);
        }
    };
    view! {
        {(!refused.is_empty())
            .then(|| {
                view! {
                    <p class="import-refused" role="alert">
                        {format!("Not imported: {refused}. Nothing was changed.")}
                    </p>
                }
            })}
        <p class="dialog-text">
            "Make a design of a table that exists. Entities and key templates that the files do not have are found in their items. Keyfold reads "
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
                form.read(vec![file]);
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
                <button type="button" class="button" on:click=move |_| form.open.set(false)>
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
fn Reading(form: ImportDesignForm, names: String) -> impl IntoView {
    focus_soon(".import-cancel".into());
    view! {
        <p role="status" class="import-reading">
            {format!("Reading {names}…")}
        </p>
        <progress aria-label="Reading"></progress>
        <footer class="samples-foot">
            <button type="button" class="button import-cancel" on:click=move |_| form.back()>
                "Cancel"
            </button>
        </footer>
    }
}

/// What was found, table by table.
#[component]
fn Found(form: ImportDesignForm, report: Arc<Report>) -> impl IntoView {
    // The button that was pressed is gone.
    focus_if_lost(".import-design .primary");
    let count = memo(move |_| {
        form.chosen
            .with(|all| all.iter().filter(|one| **one).count())
    });
    let action = move || match count.get() {
        0 | 1 => "Open as new design".to_owned(),
        count => format!("Open {count} new designs"),
    };
    let is_several = report.tables.len() > 1;
    let tables = report.tables.iter().enumerate();
    let tables = tables
        .map(|(at, table)| table_view(form, at, table, is_several))
        .collect_view();
    view! {
        <form on:submit=move |event| {
            event.prevent_default();
            form.import();
        }>
            <div class="import-found" role="region" aria-label="What was found" tabindex="0">
                <p class="import-format">{report.formats.join(", ")}</p>
                {tables}
                {notes("Not imported, or changed", &report.left_out)}
                {notes("Assumed", &report.assumed)}
            </div>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| form.back()>
                    "Other files…"
                </button>
                <button type="button" class="button" on:click=move |_| form.open.set(false)>
                    "Cancel"
                </button>
                <button type="submit" class="button primary" disabled=move || count.get() == 0>
                    {action}
                </button>
            </footer>
        </form>
    }
}

fn table_view(form: ImportDesignForm, at: usize, table: &TableReport, is_several: bool) -> AnyView {
    let name = table.name.clone();
    let is_chosen = move || form.chosen.with(|chosen| chosen.get(at) == Some(&true));
    let choose = move |event| {
        let is_checked = event_target_checked(&event);
        form.chosen.update(|chosen| {
            if let Some(one) = chosen.get_mut(at) {
                *one = is_checked;
            }
        });
    };
    let heading = match is_several {
        true => view! {
            <label>
                <input type="checkbox" prop:checked=is_chosen on:change=choose />
                {name.clone()}
            </label>
        }
        .into_any(),
        false => name.clone().into_any(),
    };
    let counts = [
        counted(table.entities.len(), "entity", "entities"),
        counted(table.indexes, "index", "indexes"),
        counted(table.samples, "sample", "samples"),
        counted(table.patterns, "access pattern", "access patterns"),
    ];
    let entities = table.entities.iter().map(entity_view).collect_view();
    view! {
        <section class="import-table" data-table=name>
            <h3>{heading}</h3>
            <p class="import-counts-line">{counts.join(", ")}</p>
            <ul class="import-entities">{entities}</ul>
        </section>
    }
    .into_any()
}

fn entity_view(entity: &EntityReport) -> AnyView {
    let items = counted(entity.items, "item", "items");
    let (text, coverage) = match entity.explained {
        None => (items, None),
        Some(explained) if explained == entity.items => (
            format!("{items}, all explained by the templates"),
            Some(1.0),
        ),
        Some(explained) => (
            format!("{items}, {explained} explained by the templates"),
            Some(explained as f64 / entity.items.max(1) as f64),
        ),
    };
    let templates = (entity.templates.iter())
        .map(|template| {
            let misses = (template.unexplained.iter())
                .map(|key| view! { <li class="import-miss">"not " {key.clone()}</li> })
                .collect_view();
            view! {
                <li>
                    <code>{template.key.clone()} " = " {template.template.clone()}</code>
                </li>
                {misses}
            }
        })
        .collect_view();
    view! {
        <li data-import=entity.name.clone()>
            <div class="import-entity">
                <span class="badge" aria-hidden="true">
                    {badge(&entity.name)}
                </span>
                <strong>{entity.name.clone()}</strong>
                <span class="import-items">{text}</span>
                {coverage
                    .map(|share| {
                        view! { <meter min="0" max="1" value=share aria-hidden="true"></meter> }
                    })}
            </div>
            <ul class="import-templates">{templates}</ul>
        </li>
    }
    .into_any()
}

fn notes(title: &'static str, notes: &[String]) -> Option<AnyView> {
    let more = notes.len().saturating_sub(MAX_NOTES);
    let shown: Vec<_> = (notes.iter().take(MAX_NOTES))
        .map(|note| view! { <li>{note.clone()}</li> })
        .collect();
    (!notes.is_empty()).then(|| {
        view! {
            <section class="import-notes" data-notes=title>
                <h3>{format!("{title}: {}", notes.len())}</h3>
                <ul>{shown}</ul>
                {(more > 0).then(|| view! { <p>{format!("and {more} more")}</p> })}
            </section>
        }
        .into_any()
    })
}
