//! The dialog for generating samples: entities, counts and seed. The rows are generated in slices between tasks of the
//! browser and added to the design in one step.

use super::modal::Dialog;
use crate::platform::{clock, random};
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, effect, memo};
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::field::{Commit, Select, TextField};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::in_code;
use keyfold_app::generate_form::{self, Preview};
use keyfold_app::picture::badge;
use keyfold_app::{Command, SampleEdits, input};
use keyfold_core::engine::generate::{Amount, Generator, MAX_ROWS, Request};
use keyfold_core::model::EntityId;
use leptos::prelude::*;
use std::sync::Arc;

/// Work shorter than this, in milliseconds, shows no progress.
const PATIENCE: f64 = 500.0;
/// Rows generated between two checks of the clock.
const ROWS_PER_STEP: usize = 8;

/// An entity in the form.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    amount: Amount,
    chosen: bool,
    name: String,
    hue: u8,
    /// The possible parents, with their names.
    parents: Vec<(EntityId, String)>,
    obstacle: Option<String>,
}

/// The form. It keeps its settings while the page is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct GenerateForm {
    store: Store,
    open: RwSignal<bool>,
    /// The design that the lines belong to, as counted by [`Store::opened`].
    of: StoredValue<u64>,
    lines: RwSignal<Vec<Line>>,
    seed: RwSignal<u64>,
    replace: RwSignal<bool>,
    /// Why nothing was generated.
    refused: RwSignal<Option<String>>,
    task: SlicedTask,
    running: RwSignal<bool>,
    /// Progress of long work, from 0 to 1.
    progress: RwSignal<Option<f64>>,
}

impl GenerateForm {
    /// The initial form.
    pub fn new(store: Store) -> GenerateForm {
        GenerateForm {
            store,
            open: RwSignal::new(false),
            of: StoredValue::new(0),
            lines: RwSignal::default(),
            seed: RwSignal::new(1),
            replace: RwSignal::new(false),
            refused: RwSignal::new(None),
            task: SlicedTask::new(),
            running: RwSignal::new(false),
            progress: RwSignal::new(None),
        }
    }

    /// Opens the form, for the entities chosen last or for one entity.
    pub fn open(self, only: Option<EntityId>) {
        let opened = self.store.opened.get_untracked();
        let last = match self.of.get_value() == opened {
            true => self.lines.get_untracked(),
            false => {
                // "Replace" was chosen for another design.
                self.replace.set(false);
                Vec::new()
            }
        };
        let lines = self.store.with(|design| {
            let name = |id: EntityId| {
                let entity = design.entities.get(&id);
                entity.map_or(String::new(), |entity| entity.name.clone())
            };
            let line = |offer: generate_form::EntityOption| {
                let id = offer.start.entity;
                let last = last.iter().find(|line| line.amount.entity == id);
                let mut amount = last.map_or(offer.start, |last| last.amount);
                if amount.per.is_some_and(|per| !offer.parents.contains(&per)) {
                    amount = offer.start;
                }
                let wanted = match only {
                    Some(only) => only == id,
                    None => last.is_none_or(|last| last.chosen),
                };
                Line {
                    amount,
                    chosen: wanted && offer.obstacle.is_none(),
                    name: name(id),
                    hue: design.entities.get(&id).map_or(0, |entity| entity.hue),
                    parents: (offer.parents.iter()).map(|id| (*id, name(*id))).collect(),
                    obstacle: offer.obstacle,
                }
            };
            generate_form::entity_options(design)
                .into_iter()
                .map(line)
                .collect()
        });
        self.of.set_value(opened);
        self.lines.set(lines);
        self.refused.set(None);
        self.open.set(true);
    }

    fn request(self) -> Request {
        let amounts = self.lines.with(|lines| {
            let chosen = lines.iter().filter(|line| line.chosen);
            chosen.map(|line| line.amount).collect()
        });
        Request {
            amounts,
            replace: self.replace.get(),
            seed: self.seed.get(),
        }
    }

    /// Starts to generate.
    fn start(self) {
        if self.running.get_untracked() {
            return;
        }
        let request = untrack(|| self.request());
        match self.store.with(|design| Generator::new(design, &request)) {
            Err(why) => self.refused.set(Some(why)),
            Ok(generator) => {
                self.refused.set(None);
                self.running.set(true);
                self.generate(generator);
            }
        }
    }

    /// Generates the rows in slices and adds them to the design.
    fn generate(self, generator: Generator) {
        let begun = clock::now();
        let mut generator = Some(generator);
        self.task.start(When::Now, move |slice| {
            let Some(unfinished) = generator.as_mut() else {
                return Progress::Finished;
            };
            // A step returns `Ok(true)` while rows are missing.
            let step = || Some(unfinished.advance(ROWS_PER_STEP)).filter(|step| *step != Ok(true));
            let Some(result) = slice.run(step) else {
                if clock::now() - begun > PATIENCE {
                    let part = unfinished.done() as f64 / unfinished.total().max(1) as f64;
                    self.progress.set(Some(part));
                }
                return Progress::Unfinished;
            };
            self.stop();
            match result {
                Err(why) => self.refused.set(Some(why)),
                Ok(_) => {
                    if let Some(finished) = generator.take() {
                        self.finish(finished);
                    }
                }
            }
            Progress::Finished
        });
    }

    /// Adds the generated rows to the design.
    fn finish(self, generator: Generator) {
        let generated = generator.finish();
        // In another design the same ids belong to other entities.
        if self.of.get_value() != self.store.opened.get_untracked() {
            let text = "Another design is open now. Open this form again.";
            self.refused.set(Some(text.into()));
            return;
        }
        let remarks = generated.remarks.join("\n");
        if generated.added.is_empty() {
            self.refused.set(Some(match remarks.is_empty() {
                true => "No rows to generate: the parents have no rows. Generate the parents too."
                    .into(),
                false => remarks,
            }));
            return;
        }
        let summary = (self.store).with(|design| generate_form::summary(design, &generated));
        let edits = Box::new(SampleEdits::from(generated));
        match self.store.run(Command::EditSamples(edits)) {
            Err(refused) => self.refused.set(Some(refused.to_string())),
            Ok(()) => {
                self.open.set(false);
                let notices = self.store.notices;
                match remarks.is_empty() {
                    true => notices.say(summary),
                    false => notices.keep([summary, remarks].join("\n")),
                }
            }
        }
    }

    /// Cancels the work.
    fn stop(self) {
        self.task.cancel();
        self.running.set(false);
        self.progress.set(None);
    }

    fn change(self, at: usize, change: &dyn Fn(&mut Line)) {
        self.refused.set(None);
        self.lines
            .update(|lines| lines.get_mut(at).map(change).unwrap_or_default());
    }
}

/// The dialog for generating samples.
#[component]
pub fn GenerateDialog(
    /// The form.
    form: GenerateForm,
) -> impl IntoView {
    effect(move || {
        // Escape and a press outside cancel the work.
        if !form.open.get() && form.running.get_untracked() {
            form.stop();
        }
    });
    view! {
        <Dialog open=form.open title="Generate samples" class="samples-dialog">
            {on_demand_view(generate_form_view, form)}
        </Dialog>
    }
}

on_demand!(menus, generate_form_view: Part<GenerateForm> = |form| view! { <Form form=form /> }.into_any());

#[component]
fn Form(form: GenerateForm) -> impl IntoView {
    focus_soon(".generate-line.chosen .field input".into());
    let count = form.lines.with_untracked(Vec::len);
    let request = memo(move |_| form.request());
    // Computed only while the form is open, not on every edit of the design.
    let coming = memo(move |_| match form.open.get() {
        true => request.with(|request| form.store.with(|d| generate_form::preview(d, request))),
        false => Preview::default(),
    });
    let rows = memo(move |_| coming.with(|coming| coming.rows.clone()));
    let fewer = move || coming.with(|coming| coming.remarks.join(". "));
    let total = memo(move |_| {
        rows.with(|rows| {
            rows.iter()
                .fold(0_u64, |total, rows| total.saturating_add(*rows))
        })
    });
    let too_many = move || total.get() > MAX_ROWS;
    let none = move || total.get() == 0;
    let all = move |chosen: Option<bool>| {
        form.lines.with(|lines| {
            let mut able = lines.iter().filter(|line| line.obstacle.is_none());
            able.all(|line| Some(line.chosen) == chosen)
        })
    };
    // What will be generated, or why nothing will.
    let summary = move || match form.refused.get() {
        Some(refused) => refused,
        None if request.with(|request| request.amounts.is_empty()) => {
            "Choose the entities to generate rows for.".into()
        }
        None if too_many() => {
            format!(
                "{} rows are too many. Generate at most {MAX_ROWS} at a time.",
                total.get()
            )
        }
        None if none() && !fewer().is_empty() => format!("{}.", fewer()),
        None if none() => "No rows. Increase a count, or generate the parents too.".into(),
        None => {
            let gone: usize = form.store.with(|design| {
                let amounts = request.with(|request| request.amounts.clone());
                let samples = |amount: &Amount| design.samples_of(amount.entity).len();
                amounts.iter().map(samples).sum()
            });
            let rows = |count: u64| match count {
                1 => "1 row".to_owned(),
                _ => format!("{count} rows"),
            };
            let come = rows(total.get());
            let come = match form.replace.get() && gone > 0 {
                true => format!("{come} will replace {}.", rows(gone as u64)),
                false => format!("{come} will be added."),
            };
            match fewer() {
                fewer if fewer.is_empty() => come,
                fewer => format!("{come} {fewer}."),
            }
        }
    };
    let unable = move || form.running.get() || none() || too_many();
    view! {
        <form
            class="samples-form"
            on:submit=move |event| {
                event.prevent_default();
                if !unable() {
                    form.start();
                }
            }
        >
            <p class="dialog-text">
                "References use values of existing or newly generated rows, so keys match. The same seed generates the same rows."
            </p>
            <div class="generate-head">
                <label class="toggle">
                    <input
                        type="checkbox"
                        prop:checked=move || all(Some(true))
                        prop:indeterminate=move || !all(Some(true)) && !all(Some(false))
                        on:change=move |event| {
                            let chosen = event_target_checked(&event);
                            form.refused.set(None);
                            form.lines
                                .update(|lines| {
                                    for line in lines
                                        .iter_mut()
                                        .filter(|line| line.obstacle.is_none())
                                    {
                                        line.chosen = chosen;
                                    }
                                });
                        }
                    />
                    <span>"Entity"</span>
                </label>
                <span aria-hidden="true">"Count"</span>
                <span aria-hidden="true">"Per"</span>
                <span class="generate-rows" aria-hidden="true">
                    "Rows"
                </span>
            </div>
            <div class="generate-lines">
                <For each=move || 0..count key=|at| *at let:at>
                    <LineView form=form at=at request=request rows=rows />
                </For>
            </div>
            <div class="samples-options">
                <div class="generate-seed">
                    <TextField
                        label="Seed"
                        numeric=true
                        value=Signal::derive(move || form.seed.get().to_string())
                        commit=Commit::new(move |text: String| {
                            form.seed.set(input::whole_number(&text, 0..=u64::MAX)?);
                            Ok(())
                        })
                    />
                    <button
                        type="button"
                        class="icon-button"
                        aria-label="New seed"
                        title="New seed"
                        on:click=move |_| form.seed.set(random::seed())
                    >
                        <Icon glyph=Glyph::Die />
                    </button>
                </div>
                <fieldset class="generate-mode">
                    <legend class="visually-hidden">"Existing samples"</legend>
                    {mode(form, false, "Add to the samples")}
                    {mode(form, true, "Replace the samples of these entities")}
                </fieldset>
            </div>
            <p
                class="samples-summary"
                class:refused=move || form.refused.with(Option::is_some)
                role="status"
            >
                {summary}
            </p>
            <Show when=move || form.progress.with(Option::is_some)>
                <progress
                    class="samples-progress"
                    aria-label="Generating"
                    prop:value=move || form.progress.get().unwrap_or_default()
                ></progress>
            </Show>
            <footer class="samples-foot">
                <button
                    type="button"
                    class="button"
                    on:click=move |_| match form.running.get_untracked() {
                        true => form.stop(),
                        false => form.open.set(false),
                    }
                >
                    "Cancel"
                </button>
                <button type="submit" class="button primary" disabled=unable>
                    {move || if form.running.get() { "Generating…" } else { "Generate" }}
                </button>
            </footer>
        </form>
    }
}

fn mode(form: GenerateForm, replace: bool, text: &'static str) -> impl IntoView {
    view! {
        <label class="toggle">
            <input
                type="radio"
                name="generate-mode"
                prop:checked=move || form.replace.get() == replace
                on:change=move |_| form.replace.set(replace)
            />
            <span>{text}</span>
        </label>
    }
}

/// A line of the form: an entity, its count and its parent.
#[component]
fn LineView(
    form: GenerateForm,
    at: usize,
    request: Memo<Request>,
    rows: Memo<Vec<u64>>,
) -> impl IntoView {
    let Some(line) = form.lines.with_untracked(|lines| lines.get(at).cloned()) else {
        return ().into_any();
    };
    let (id, name) = (line.amount.entity, Arc::<str>::from(line.name.as_str()));
    let amount = memo(move |_| {
        form.lines
            .with(|lines| lines.get(at).map(|line| line.amount))
    });
    let chosen = memo(move |_| {
        form.lines
            .with(|lines| lines.get(at).is_some_and(|l| l.chosen))
    });
    let made = move || {
        let place = request.with(|r| r.amounts.iter().position(|amount| amount.entity == id));
        let made = rows.with(|rows| rows.get(place?).copied());
        made.map_or(String::new(), |made| made.to_string())
    };
    let parents: Vec<(String, String)> = std::iter::once((String::new(), "in total".to_owned()))
        .chain((line.parents.iter()).map(|(id, name)| (id.to_string(), format!("per {name}"))))
        .collect();
    let has_parents = !line.parents.is_empty();
    let is_able = line.obstacle.is_none();
    let fields = is_able.then(|| {
        view! {
            <TextField
                label=format!("Rows of {name}")
                bare=true
                numeric=true
                value=Signal::derive(move || {
                    amount.get().map_or(0, |amount| amount.count).to_string()
                })
                commit=Commit::new(move |text: String| {
                    let count = input::whole_number(&text, 0..=MAX_ROWS)? as u32;
                    form.change(
                        at,
                        &|line| {
                            line.amount.count = count;
                            line.chosen = true;
                        },
                    );
                    Ok(())
                })
            />
            {if has_parents {
                view! {
                    <Select
                        label=format!("Parent of {name}")
                        bare=true
                        value=Signal::derive(move || {
                            let per = amount.get().and_then(|amount| amount.per);
                            per.map_or(String::new(), |per| per.to_string())
                        })
                        options=Signal::stored(parents)
                        commit=Commit::new(move |text: String| {
                            let per = text.parse::<EntityId>().ok();
                            form.change(
                                at,
                                &|line| {
                                    line.amount.per = per;
                                    line.chosen = true;
                                },
                            );
                            Ok(())
                        })
                    />
                }
                    .into_any()
            } else {
                view! { <span class="generate-fixed">"in total"</span> }.into_any()
            }}
            <span class="generate-rows">{made}</span>
        }
    });
    view! {
        <div class="generate-line" class:chosen=move || chosen.get() data-entity=line.name.clone()>
            <label class="toggle">
                <input
                    type="checkbox"
                    disabled=!is_able
                    prop:checked=move || chosen.get()
                    on:change=move |event| {
                        let chosen = event_target_checked(&event);
                        form.change(at, &|line| line.chosen = chosen);
                    }
                />
                <span class=format!("badge hue-{}", line.hue) aria-hidden="true">
                    {badge(&line.name)}
                </span>
                <span class="generate-name">{line.name.clone()}</span>
            </label>
            {fields}
            {line
                .obstacle
                .map(|obstacle| view! { <p class="generate-obstacle">{in_code(&obstacle)}</p> })}
        </div>
    }
    .into_any()
}

/// A button that opens the form.
#[component]
pub fn GenerateButton(
    /// The entity that it is for; `None` for all.
    #[prop(optional_no_strip)]
    entity: Option<EntityId>,
    /// Its class.
    class: &'static str,
) -> impl IntoView {
    let form: GenerateForm = expect_context();
    let store = use_store();
    view! {
        <button
            type="button"
            class=class
            aria-label="Generate samples"
            title="Generate samples with matching keys"
            disabled=move || store.entity_ids.with(Vec::is_empty)
            on:click=move |_| form.open(entity)
        >
            <Icon glyph=Glyph::Generate />
            <span class:button-text=entity.is_none()>"Generate…"</span>
        </button>
    }
}
