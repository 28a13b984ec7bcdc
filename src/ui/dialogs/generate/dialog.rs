//! The dialog: its settings, what they will add, the run and its progress.

use super::super::modal::Dialog;
use super::entity_line::EntityLine;
use super::form::GenerateForm;
use super::references::References;
use crate::platform::random;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{For, Show, effect, memo};
use crate::ui::reactive::gradual::as_scrolled;
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view, when_loaded};
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, TextField};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::sentence_in_code;
use keyfold_app::field_input;
use keyfold_app::generate_form::{self, Preview};
use keyfold_core::engine::generate::{Amount, MAX_ROWS};
use keyfold_core::model::EntityId;
use leptos::prelude::*;

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

on_demand!(menus, generate_now: fn(GenerateForm) = GenerateForm::generate_now);

/// Generates samples of all entities with the defaults of the dialog, without opening it.
pub fn generate_with_defaults(form: GenerateForm) {
    let store = form.store;
    when_loaded(store.view, generate_now(), move |run| match run {
        Ok(run) => run(form),
        Err(error) => store
            .notices
            .say(format!("Cannot generate samples: {error}.")),
    });
}

#[component]
fn Form(form: GenerateForm) -> impl IntoView {
    form.prepare();
    // The generator is loaded with the dialog.
    form.store.when_moved(move |_| form.begin_again());
    focus_soon(".generate-line.chosen .field input".into());
    let order = form.order();
    let (drawn, scroll) = as_scrolled(order.len());
    // A line with other parents, after a choice about a reference, is drawn anew.
    let each = move || {
        let line = |at: &usize| {
            let parents = form
                .lines
                .with(|lines| lines.get(*at).map(|line| line.parents.clone()));
            (*at, parents)
        };
        order[..drawn.get()].iter().map(line).collect::<Vec<_>>()
    };
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
            "Choose the entities to generate samples for.".into()
        }
        None if too_many() => {
            format!(
                "{} samples are too many. Generate at most {MAX_ROWS} at a time.",
                total.get()
            )
        }
        None if none() && !fewer().is_empty() => format!("{}.", fewer()),
        None if none() => "No samples. Increase a count, or generate the parents too.".into(),
        None => {
            let gone: usize = form.store.with(|design| {
                let amounts = request.with(|request| request.amounts.clone());
                let samples = |amount: &Amount| design.samples_of(amount.entity).len();
                amounts.iter().map(samples).sum()
            });
            let rows = |count: u64| match count {
                1 => "1 sample".to_owned(),
                _ => format!("{count} samples"),
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
                "References use values of existing or new samples, so keys match. The same seed generates the same samples."
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
                    "Samples"
                </span>
            </div>
            <div class="generate-lines" on:scroll=scroll>
                <For each=each key=|line| line.clone() let((at, _))>
                    <EntityLine form=form at=at request=request rows=rows />
                </For>
            </div>
            <References form=form />
            <div class="samples-options">
                <div class="generate-seed">
                    <TextField
                        label="Seed"
                        numeric=true
                        value=Signal::derive(move || form.seed.get().to_string())
                        commit=Commit::new(move |text: String| {
                            form.seed.set(field_input::whole_number(&text, 0..=u64::MAX)?);
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
                    {mode(form, false, "Add to existing samples")}
                    {mode(form, true, "Replace samples of these entities")}
                </fieldset>
            </div>
            <p
                class="samples-summary"
                class:refused=move || form.refused.with(Option::is_some)
                role="status"
            >
                {move || sentence_in_code(&summary())}
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
