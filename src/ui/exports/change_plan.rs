//! The change plan: from an earlier version, pasted, loaded or remembered, to the current design.

use super::code_preview::Preview;
use super::copy_and_download::{FileChoice, Files, TakeButtons, chosen, listed};
use super::panel_state::{EarlierVersion, VERSION, use_exports};
use crate::ui::designs::use_designs;
use crate::ui::dom::focus::focus_soon;
use crate::ui::reactive::erased::{Show, effect, memo};
use crate::ui::reactive::later::View;
use crate::ui::reactive::live_output::LiveOutput;
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, TextField, unique_id};
use crate::ui::widgets::file_picker::{ChooseFile, FileText, read_file};
use keyfold_app::export::plan_files;
use keyfold_core::model::Design;
use keyfold_core::slices::Slices;
use leptos::prelude::*;

/// The plan, or the form that asks for the earlier version.
#[component]
pub fn PlanView(
    /// The earlier version.
    earlier: EarlierVersion,
) -> impl IntoView {
    let store = use_store();
    // The earlier version of another design does not apply to this one.
    effect(move || {
        let opened = store.opened.get();
        if earlier.opened.get_value() != opened {
            earlier.opened.set_value(opened);
            earlier.forget();
        }
    });
    let is_there = memo(move |_| earlier.from.with(Option::is_some));
    move || match is_there.get() {
        true => view! { <Plan earlier=earlier /> }.into_any(),
        false => view! { <Form earlier=earlier /> }.into_any(),
    }
}

#[component]
fn Plan(earlier: EarlierVersion) -> impl IntoView {
    let store = use_store();
    let file = use_exports().file;
    let files: Files = LiveOutput::new(move || {
        store.revision.track();
        earlier.from.track();
        let version = earlier.version.get_value()?;
        let design = store.with(Design::clone);
        let work = async move { listed(plan_files(&version, &design)).await };
        Some(Slices::new(work))
    });
    let listing = chosen(files, file);
    let other = move |_| {
        file.set(0);
        earlier.forget();
        focus_soon(".plan-form .import-choose".to_owned());
    };
    view! {
        <div class="code-bar">
            <span class="plan-from">
                {move || ["From ", &earlier.from.get().unwrap_or_default()].concat()}
            </span>
            <button class="button small plan-other" on:click=other>
                "Another version"
            </button>
            <span class="spring"></span>
            <TakeButtons files=files folder=true what="change-plan" taken=Box::new(|_| {}) />
        </div>
        <FileChoice files=files />
        <Preview label="Change plan" listing=listing busy=files.busy />
    }
}

#[component]
fn Form(earlier: EarlierVersion) -> impl IntoView {
    let (store, designs) = (use_store(), use_designs());
    let taken = use_exports().taken;
    let area = unique_id("template");
    let last = memo(move |_| {
        taken.track();
        designs.last_export(VERSION).unwrap_or_default().0
    });
    let take_last = move |_| {
        if let Some((time, text)) = designs.last_export(VERSION) {
            earlier.take(store, &["the export of ", &time].concat(), &text);
        }
    };
    let view = View::new();
    let take = Callback::new(move |file| {
        let take = move |name: String, text: FileText| match text {
            Ok(text) => earlier.take(store, &name, &text),
            Err(why) => earlier.refused.set(format!("{name}: {why}.")),
        };
        read_file(view, file, Box::new(take));
    });
    view! {
        <form
            class="plan-form"
            on:submit=move |event| {
                event.prevent_default();
                earlier.text.with_untracked(|text| earlier.take(store, "the pasted text", text));
            }
        >
            <p class="dialog-text">
                "The plan lists the stack updates from an earlier version to this design. Each update creates or deletes at most one index. The earlier version is a CloudFormation template (YAML or JSON) or a Keyfold file."
            </p>
            <div class="import-source">
                <Show when=move || last.with(|time| !time.is_empty())>
                    <button type="button" class="button plan-last" on:click=take_last>
                        {move || ["Last export (", &last.get(), ")"].concat()}
                    </button>
                </Show>
                <ChooseFile
                    label="Earlier version"
                    accept=".yaml,.yml,.json,.template,.keyfold"
                    take=take
                />
                <TextField
                    label="Logical ID"
                    mono=true
                    placeholder="for a template with several tables"
                    value=earlier.table
                    commit=Commit::new(move |text| {
                        earlier.table.set(text);
                        Ok(())
                    })
                />
            </div>
            <label for=area.clone() class="visually-hidden">
                "Earlier version as text"
            </label>
            <textarea
                id=area
                class="mono"
                spellcheck="false"
                placeholder="or paste it here"
                data-draft=""
                prop:value=move || earlier.text.get()
                on:input=move |event| earlier.text.set(event_target_value(&event))
            ></textarea>
            <div class="plan-foot">
                <p class="code-problem" role="alert">
                    {move || earlier.refused.get()}
                </p>
                <button type="submit" class="button primary">
                    "Show plan"
                </button>
            </div>
        </form>
    }
}
