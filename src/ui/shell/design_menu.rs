//! The menu of the top bar with the designs of this browser and the files. Its lines are loaded when it opens.

use super::app_context::{AppContext, use_app};
use super::design_file;
use super::open_and_save::{Kind, download as download_samples, open_files};
use crate::ui::dialogs::designs::DeleteDesign;
use crate::ui::dialogs::modal::close_menu_outside;
use crate::ui::reactive::erased::{For, RwSignal, Show};
use crate::ui::reactive::on_demand::{Part, on_demand, on_demand_view};
use crate::ui::widgets::file_picker::chosen_files;
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::html::Details;
use leptos::prelude::*;

/// The menu, and the field that opens files.
#[component]
pub fn DesignMenu() -> impl IntoView {
    let app = use_app();
    let menu: NodeRef<Details> = NodeRef::new();
    let file = app.file;
    let was_opened = RwSignal::new(false);
    close_menu_outside(menu);
    let read = move || open_files(app, chosen_files(file));
    view! {
        <details class="menu" node_ref=menu>
            <summary
                class="icon-button"
                aria-label="Designs and files"
                title="Designs and files"
                on:click=move |_| was_opened.set(true)
            >
                <Icon glyph=Glyph::ChevronDown />
            </summary>
            <div class="menu-list">
                <Show when=move || was_opened.get()>{on_demand_view(lines, (app, menu))}</Show>
            </div>
            <input
                node_ref=file
                type="file"
                accept=".json,.keyfold,application/json"
                hidden=true
                on:change=move |_| read()
            />
        </details>
    }
}

on_demand!(menus, lines: Part<(AppContext, NodeRef<Details>)> = |(app, menu)| {
    view! { <Lines app=app menu=menu /> }.into_any()
});

#[component]
fn Lines(app: AppContext, menu: NodeRef<Details>) -> impl IntoView {
    let (store, designs) = (app.store, app.designs);
    let close = move || {
        if let Some(menu) = menu.get_untracked() {
            menu.set_open(false);
        }
    };
    view! {
        <button
            class="menu-item"
            on:click=move |_| {
                designs.add_new();
                close();
            }
        >
            <Icon glyph=Glyph::Plus />
            "New design"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                design_file::open(app);
            }
        >
            <Icon glyph=Glyph::Upload />
            "Open Keyfold file…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.importing_design.open();
            }
        >
            <Icon glyph=Glyph::Upload />
            "Import files of other tools…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                design_file::save_as_file(app);
            }
        >
            <Icon glyph=Glyph::Download />
            "Save as Keyfold file"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.sharing.set(true);
            }
        >
            <Icon glyph=Glyph::Link />
            "Share as link…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.versions.set(true);
            }
        >
            <Icon glyph=Glyph::History />
            "Versions…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.comparing.open();
            }
        >
            <Icon glyph=Glyph::Compare />
            "Compare designs…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.importing.open();
            }
        >
            <Icon glyph=Glyph::Upload />
            "Import samples…"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                download_samples(store, None, Kind::Csv);
                close();
            }
        >
            <Icon glyph=Glyph::Download />
            "Download samples as CSV"
        </button>
        <button
            class="menu-item"
            on:click=move |_| {
                download_samples(store, None, Kind::Json);
                close();
            }
        >
            <Icon glyph=Glyph::Download />
            "Download samples as DynamoDB JSON"
        </button>
        <hr />
        <button
            class="menu-item"
            on:click=move |_| {
                close();
                app.all_designs.set(true);
            }
        >
            <Icon glyph=Glyph::Library />
            "All designs…"
        </button>
        <p class="menu-title">"Designs in this browser"</p>
        <For each=move || designs.list.get() key=|listed| listed.clone() let:listed>
            <div class="menu-row">
                <button
                    class="menu-item"
                    aria-current=move || {
                        (designs.open.get() == Some(listed.key)).then_some("true")
                    }
                    on:click=move |_| {
                        designs.open(listed.key);
                        close();
                    }
                >
                    <span class="menu-mark">
                        <Show when=move || designs.open.get() == Some(listed.key)>
                            <Icon glyph=Glyph::Check />
                        </Show>
                    </span>
                    {listed.name.clone()}
                </button>
                <DeleteDesign key_=listed.key name=listed.name.clone() />
            </div>
        </For>
    }
}
