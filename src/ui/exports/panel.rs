//! The panel: the format, its text, options and buttons.

use super::change_plan::PlanView;
use super::changes_since_export::{self, ChangesBar};
use super::code_preview::Preview;
use super::copy_and_download::{
    FileChoice, Files, Listed, TakeButtons, chosen, file_at, folder_of, listed, save_zip,
};
use super::options::Choices;
use super::panel_state::{ExportChoice, VERSION, use_exports};
use super::picture::{PictureBar, PicturePreview};
use crate::ui::canvas::handle::use_canvas;
use crate::ui::designs::use_designs;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::memo;
use crate::ui::reactive::live_output::LiveOutput;
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::export::{all_files_in_slices, export_name, files_in_slices, version_text};
use keyfold_app::picture::PictureOptions;
use keyfold_app::viewport::Detail;
use keyfold_core::export::{File, Format};
use keyfold_core::model::Design;
use keyfold_core::slices::Slices;
use leptos::prelude::*;

/// The exports.
#[component]
pub fn CodePanel() -> impl IntoView {
    let (store, designs, page) = (use_store(), use_designs(), use_page());
    let (exporting, canvas) = (use_exports(), use_canvas());
    let shown = exporting.shown;
    let choice = move |choice: ExportChoice| {
        view! {
            <button
                aria-pressed=move || (shown.get() == choice).to_string()
                on:click=move |_| exporting.choose(choice)
            >
                {choice.label()}
            </button>
        }
    };
    let choices = ExportChoice::all().map(choice).collect_view();
    let save_all = move |_| {
        let options = PictureOptions {
            dark: page.theme.get_untracked().is_dark(),
            detail: Detail::All,
            groups: canvas.groups.get_untracked(),
            references: page.references.get_untracked(),
        };
        let design = store.with(Design::clone);
        let folder = folder_of(&design, "exports");
        let opened = store.opened.get_untracked();
        // Another design may be opened meanwhile; these exports do not belong to it.
        let is_open = move || store.opened.try_get_untracked() == Some(opened);
        exporting.zipping.set(true);
        let work = Slices::new(async move {
            let mut taken = |format, file: &File| {
                if is_open() {
                    designs.remember_export(&export_name(format, &file.name), &file.code.text);
                }
            };
            let files = all_files_in_slices(&design, options, &mut taken).await;
            (files, version_text(&design))
        });
        let done = move |(files, version): (Vec<File>, String)| {
            exporting.zipping.set(false);
            if is_open() {
                designs.remember_export(VERSION, &version);
                exporting.taken.update(|count| *count += 1);
            }
            save_zip(store, folder, files);
        };
        store.view.in_slices(work, done);
    };
    view! {
        <div class="code-panel">
            <div class="code-formats">
                <div class="segmented" role="group" aria-label="Export format">
                    {choices}
                </div>
                <button
                    class="button small"
                    title="Download all formats, the picture, the samples and the design in one zip file"
                    disabled=move || exporting.zipping.get()
                    aria-busy=move || exporting.zipping.get().to_string()
                    on:click=save_all
                >
                    <Icon glyph=Glyph::Download />
                    "All as zip"
                </button>
            </div>
            <div class="code-shown">
                {move || match shown.get() {
                    ExportChoice::Format(format) => {
                        view! { <FormatView format=format /> }.into_any()
                    }
                    ExportChoice::Plan => {
                        view! { <PlanView earlier=exporting.earlier /> }.into_any()
                    }
                    ExportChoice::Picture => {
                        view! {
                            <div class="code-bar">
                                <span class="spring"></span>
                                <PictureBar chosen=exporting.picture />
                            </div>
                            <PicturePreview chosen=exporting.picture />
                        }
                            .into_any()
                    }
                }}
            </div>
        </div>
    }
}

#[component]
fn FormatView(format: Format) -> impl IntoView {
    let (store, designs) = (use_store(), use_designs());
    let exporting = use_exports();
    let files: Files = LiveOutput::new(move || {
        store.revision.track();
        let design = store.with(Design::clone);
        let work = async move { listed(files_in_slices(format, &design).await).await };
        Some(Slices::new(work))
    });
    let name = memo(move |_| {
        let name = |files: &ByPtr<Vec<Listed>>| {
            let file = file_at(files, exporting.file.get())?;
            Some(export_name(format, &file.name))
        };
        (files.made)
            .with(|files| files.as_ref().and_then(name))
            .unwrap_or_default()
    });
    let taken = move |files: &[File]| exporting.remember(store, designs, format, files);
    let shown = chosen(files, exporting.file);
    let changed = changes_since_export::since_last(exporting, shown, name);
    let listing = memo(move |_| {
        let plain = shown.get();
        changed.listing.made.get().or(plain)
    });
    let busy = move || files.busy.get() || changed.listing.busy.get();
    view! {
        <div class="code-bar code-head">
            <Choices format=format />
            <div class="code-take">
                <ChangesBar changed=changed on=exporting.changes />
                <TakeButtons
                    files=files
                    folder=format.is_folder()
                    what=format.name
                    taken=Box::new(taken)
                />
            </div>
        </div>
        {format.is_folder().then(|| view! { <FileChoice files=files /> })}
        <Preview label=format.label listing=listing busy=Signal::derive(busy) />
    }
}
