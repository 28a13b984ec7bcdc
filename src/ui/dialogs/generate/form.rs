//! The settings of the dialog for generating samples, and the run: rows are generated in slices between tasks of the
//! browser, with progress, and added to the design in one step.

use crate::platform::clock;
use crate::ui::reactive::erased::RwSignal;
use crate::ui::reactive::follow_ids::follow_value;
use crate::ui::reactive::sliced_task::{Progress, SlicedTask, When};
use crate::ui::state::store::Store;
use keyfold_app::generate_form;
use keyfold_app::moved_ids::HoldsIds;
use keyfold_app::{Command, SampleEdits};
use keyfold_compare::NewIds;
use keyfold_core::engine::generate::{Amount, Generator, Request};
use keyfold_core::model::EntityId;
use leptos::prelude::*;

/// Work shorter than this, in milliseconds, shows no progress.
const PATIENCE: f64 = 500.0;
/// Rows generated between two checks of the clock.
const ROWS_PER_STEP: usize = 8;

/// An entity in the form.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) amount: Amount,
    pub(super) chosen: bool,
    pub(super) name: String,
    pub(super) hue: u8,
    /// The possible parents, with their names.
    pub(super) parents: Vec<(EntityId, String)>,
    pub(super) obstacle: Option<String>,
}

/// The form. It keeps its settings while the page is open. A handle: copying it costs nothing.
#[derive(Clone, Copy)]
pub struct GenerateForm {
    pub(super) store: Store,
    pub(super) open: RwSignal<bool>,
    /// The entity that it was opened for; `None` for those chosen last.
    only: StoredValue<Option<EntityId>>,
    /// The design that the lines belong to, as counted by [`Store::opened`].
    of: StoredValue<u64>,
    /// In the order of the entities' ids.
    pub(super) lines: RwSignal<Vec<Line>>,
    pub(super) seed: RwSignal<u64>,
    pub(super) replace: RwSignal<bool>,
    /// Why nothing was generated.
    pub(super) refused: RwSignal<Option<String>>,
    task: SlicedTask,
    pub(super) running: RwSignal<bool>,
    /// Progress of long work, from 0 to 1.
    pub(super) progress: RwSignal<Option<f64>>,
}

impl GenerateForm {
    /// The initial form.
    pub fn new(store: Store) -> GenerateForm {
        let form = GenerateForm {
            store,
            open: RwSignal::new(false),
            only: StoredValue::new(None),
            of: StoredValue::new(0),
            lines: RwSignal::default(),
            seed: RwSignal::new(1),
            replace: RwSignal::new(false),
            refused: RwSignal::new(None),
            task: SlicedTask::new(),
            running: RwSignal::new(false),
            progress: RwSignal::new(None),
        };
        store.when_moved(move |moved| form.follow_moved(moved));
        form
    }

    /// The entities have other ids now.
    fn follow_moved(self, moved: &NewIds) {
        follow_value(self.only, moved);
        self.lines.update(|lines| {
            for line in &mut *lines {
                line.amount.entity.follow(moved);
                line.amount.per.follow(moved);
                for (parent, _) in &mut line.parents {
                    parent.follow(moved);
                }
            }
            lines.sort_by_key(|line| line.amount.entity);
        });
    }

    /// What is being generated for entities that have other ids now begins again.
    pub(super) fn begin_again(self) {
        if self.running.get_untracked() {
            self.stop();
            self.start();
        }
    }

    /// Generates samples of all entities with the defaults, without the dialog. Samples that only the page made, one with
    /// each entity, are replaced.
    pub(super) fn generate_now(self) {
        self.only.set_value(None);
        // Without what was chosen in the dialog.
        self.lines.set(Vec::new());
        self.prepare();
        let replaces = self.store.with(generate_form::has_only_first_samples);
        self.replace.set(replaces);
        self.start();
        self.replace.set(false);
    }

    /// Says why nothing was generated, in the form if it is open.
    fn refuse(self, why: String) {
        match self.open.get_untracked() {
            true => self.refused.set(Some(why)),
            false => self.store.notices.complain(why),
        }
    }

    /// Opens the form, for the entities chosen last or for one entity.
    pub fn open(self, only: Option<EntityId>) {
        self.only.set_value(only);
        self.open.set(true);
    }

    /// Finds out what can be generated for each entity of the design, for a form that opens.
    pub(super) fn prepare(self) {
        self.prepare_for(self.only.get_value());
    }

    /// Finds it out again after a change; what was chosen stays.
    pub(super) fn prepare_again(self) {
        self.prepare_for(None);
    }

    fn prepare_for(self, only: Option<EntityId>) {
        let opened = self.store.opened.get_untracked();
        let lines_before = match self.of.get_value() == opened {
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
                let last = lines_before.binary_search_by_key(&id, |line| line.amount.entity);
                let last = last.ok().and_then(|place| lines_before.get(place));
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
    }

    /// The positions of the lines, in the order in which they are shown: the entity that the form was opened for comes
    /// first.
    pub(super) fn order(self) -> Vec<usize> {
        let only = self.only.get_value();
        self.lines.with_untracked(|lines| {
            let is_first = |at: &usize| Some(lines[*at].amount.entity) == only;
            let first = (0..lines.len()).filter(is_first);
            let others = (0..lines.len()).filter(|at| !is_first(at));
            first.chain(others).collect()
        })
    }

    /// The request that the form describes.
    pub(super) fn request(self) -> Request {
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
    pub(super) fn start(self) {
        if self.running.get_untracked() {
            return;
        }
        let request = untrack(|| self.request());
        match self.store.with(|design| Generator::new(design, &request)) {
            Err(why) => self.refuse(why),
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
                Err(why) => self.refuse(why),
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
            let text = "Another design is open now. Close this form and open it again.";
            self.refuse(text.into());
            return;
        }
        let remarks = generated.remarks.join("\n");
        if generated.added.is_empty() {
            self.refuse(match remarks.is_empty() {
                true => "No samples to generate.".into(),
                false => remarks,
            });
            return;
        }
        let summary = (self.store).with(|design| generate_form::summary(design, &generated));
        let edits = Box::new(SampleEdits::from(generated));
        match self.store.run(Command::EditSamples(edits)) {
            Err(refused) => self.refuse(refused.to_string()),
            Ok(()) => {
                self.open.set(false);
                let store = self.store;
                match remarks.is_empty() {
                    true => store.say_done(summary),
                    false => {
                        let text = [summary, remarks].join("\n");
                        store.notices.offer_undo(text, move || store.undo());
                    }
                }
            }
        }
    }

    /// Cancels the work.
    pub(super) fn stop(self) {
        self.task.cancel();
        self.running.set(false);
        self.progress.set(None);
    }

    /// Changes a line.
    pub(super) fn change(self, at: usize, change: &dyn Fn(&mut Line)) {
        self.refused.set(None);
        self.lines
            .update(|lines| lines.get_mut(at).map(change).unwrap_or_default());
    }
}
