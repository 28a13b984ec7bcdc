//! The top bar: the design and its storage, undo and redo, search, library, export, theme, help.

use super::app_context::{AppContext, use_app};
use super::command_palette;
use super::design_file;
use super::design_menu::DesignMenu;
use crate::ui::designs::{Saved, use_designs};
use crate::ui::dom::key_chords::{first_shown, is_composing};
use crate::ui::problems::ProblemCounts;
use crate::ui::reactive::erased::{RwSignal, Show};
use crate::ui::state::navigate::{focus_inspector, show_tab};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::use_store;
use crate::ui::state::theme::Theme;
use crate::ui::widgets::after_first_paint::AfterFirstPaint;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::Command;
use leptos::ev;
use leptos::html::{Button, Div};
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;

/// The top bar.
#[component]
pub fn TopBar() -> impl IntoView {
    let store = use_store();
    view! {
        <header class="top-bar">
            <SkipLinks />
            <h1 class="visually-hidden">{move || store.name.get()} " · Keyfold"</h1>
            <span class="brand" role="img" aria-label="Keyfold">
                <svg viewBox="0 0 20 20" aria-hidden="true">
                    <path class="brand-a" d="M3 3h6v6H3z" />
                    <path class="brand-b" d="M11 3h6v3l-6 5z" />
                    <path class="brand-c" d="M3 11h6v6H3z" />
                    <path class="brand-b" d="M11 12l6 5h-6z" />
                </svg>
                <span class="brand-name">"Keyfold"</span>
            </span>
            <AfterFirstPaint unpainted=store.unpainted>
                <Controls />
            </AfterFirstPaint>
        </header>
    }
}

/// The ways past the top bar for keyboards, visible while they have the focus.
#[component]
fn SkipLinks() -> impl IntoView {
    let (app, store, page) = (use_app(), use_store(), use_page());
    view! {
        <button class="skip" on:click=move |_| app.go_to_canvas()>
            "Skip to canvas"
        </button>
        <button class="skip" on:click=move |_| show_tab(store, page, page.tab.get_untracked())>
            "Skip to data"
        </button>
        <button class="skip" on:click=move |_| focus_inspector(page)>
            "Skip to inspector"
        </button>
    }
}

/// Its content besides the product's name.
#[component]
fn Controls() -> impl IntoView {
    let app = use_app();
    let store = app.store;
    let title = |label: Option<String>, verb: &str, none: &str, keys: &'static str| {
        let keys = first_shown(keys);
        match label {
            Some(label) => format!("{verb} {label} ({keys})"),
            None => format!("{none} ({keys})"),
        }
    };
    let undo_title = move || title(store.undo_label.get(), "Undo", "Nothing to undo", "Ctrl+Z");
    let redo_title = move || {
        let label = store.redo_label.get();
        title(label, "Redo", "Nothing to redo", "Ctrl+Shift+Z")
    };
    let search_name = format!("Command palette ({})", first_shown("Ctrl+K"));
    view! {
        // Undo and Redo come first: nothing before them changes its width, so that they never move under a finger.
        // These stay focusable when there is nothing to do: a disabled button would lose its focus.
        <div class="button-group">
            <button
                class="icon-button"
                aria-label="Undo"
                title=undo_title
                aria-disabled=move || store.undo_label.with(Option::is_none).then_some("true")
                on:click=move |_| store.undo()
            >
                <Icon glyph=Glyph::Undo />
            </button>
            <button
                class="icon-button"
                aria-label="Redo"
                title=redo_title
                aria-disabled=move || store.redo_label.with(Option::is_none).then_some("true")
                on:click=move |_| store.redo()
            >
                <Icon glyph=Glyph::Redo />
            </button>
        </div>
        <DesignMenu />
        <DesignName />
        <SaveState />
        <span class="spring"></span>
        <ProblemCounts />
        <button
            class="button search-button"
            aria-haspopup="dialog"
            title=search_name
            on:click=move |_| command_palette::open(app)
        >
            <Icon glyph=Glyph::Search />
            <span class="button-text">"Search"</span>
            <kbd class="button-text">{first_shown("Ctrl+K")}</kbd>
        </button>
        <More />
    }
}

/// What is used less often: beside each other where there is room, in a menu on a narrow screen (`shell.css`).
#[component]
fn More() -> impl IntoView {
    let app = use_app();
    let page = app.page;
    let open = RwSignal::new(false);
    let (menu, button): (NodeRef<Div>, NodeRef<Button>) = (NodeRef::new(), NodeRef::new());
    let theme = move || match page.theme.get() {
        Theme::System => ("Theme: system", Glyph::System),
        Theme::Light => ("Theme: light", Glyph::Sun),
        Theme::Dark => ("Theme: dark", Glyph::Moon),
    };
    // The line of the menu that has the focus disappears: its button gets it, before a dialog remembers where it was.
    let close = move || {
        if open.get_untracked() {
            open.set(false);
            if let Some(button) = button.get_untracked() {
                let _ = button.focus();
            }
        }
    };
    let choose = move |act: fn(AppContext)| {
        close();
        act(app);
    };
    let is_inside = move |target: Option<web_sys::EventTarget>| {
        let node = target.and_then(|target| target.dyn_into::<web_sys::Node>().ok());
        let menu = menu.get_untracked();
        menu.is_some_and(|menu| node.is_some_and(|node| menu.contains(Some(&node))))
    };
    let press = window_event_listener(ev::pointerdown, move |event| {
        if open.get_untracked() && !is_inside(event.target()) {
            open.set(false);
        }
    });
    on_cleanup(move || press.remove());
    view! {
        <div
            class="more"
            class:open=move || open.get()
            node_ref=menu
            on:keydown=move |event| {
                if event.key() == "Escape" && open.get_untracked() {
                    event.stop_propagation();
                    close();
                }
            }
            on:focusout=move |event| {
                let next = event.related_target();
                if next.is_some() && !is_inside(next) {
                    open.set(false);
                }
            }
        >
            <button
                class="icon-button more-button"
                aria-label="More"
                title="More"
                aria-expanded=move || open.get().to_string()
                aria-controls="more-list"
                node_ref=button
                on:click=move |_| open.update(|open| *open = !*open)
            >
                <Icon glyph=Glyph::More />
            </button>
            <div class="more-list" id="more-list">
                <button
                    class="button quiet"
                    title="Start from a pattern of the library"
                    on:click=move |_| choose(|app| app.library.set(true))
                >
                    <Icon glyph=Glyph::Library />
                    <span class="button-text">"Patterns"</span>
                </button>
                <button
                    class="button primary"
                    title="Preview and download exports"
                    on:click=move |_| choose(|app| show_tab(app.store, app.page, Tab::Exports))
                >
                    <Icon glyph=Glyph::Code />
                    <span class="button-text">"Export"</span>
                </button>
                <button
                    class="icon-button"
                    aria-label=move || theme().0
                    title=move || theme().0
                    on:click=move |_| page.next_theme()
                >
                    {move || view! { <Icon glyph=theme().1 /> }}
                    <span class="more-text">{move || theme().0}</span>
                </button>
                <button
                    class="icon-button"
                    aria-label="Keyboard and gestures"
                    title="Keyboard and gestures (?)"
                    on:click=move |_| choose(|app| app.help.set(true))
                >
                    <Icon glyph=Glyph::Help />
                    <span class="more-text">"Keyboard and gestures"</span>
                </button>
            </div>
        </div>
    }
}

/// The design's name, editable in place.
#[component]
fn DesignName() -> impl IntoView {
    let store = use_store();
    let (error, set_error) = signal(None::<String>);
    let (draft, set_draft) = signal(None::<String>);
    let shown = move || draft.get().unwrap_or_else(|| store.name.get());
    view! {
        <span class="design-name">
            <input
                type="text"
                aria-label="Design name"
                title="Design name"
                spellcheck="false"
                autocomplete="off"
                size=move || shown().chars().count().clamp(6, 36).to_string()
                prop:value=shown
                aria-invalid=move || error.get().is_some().to_string()
                on:input=move |event| {
                    let text = event_target_value(&event);
                    let refused = store.run(Command::RenameDesign(text.clone())).err();
                    set_draft.set(refused.is_some().then_some(text));
                    set_error.set(refused.map(|refused| refused.to_string()));
                }
                on:keydown=move |event| {
                    if event.key() == "Enter" && !is_composing(&event)
                        && let Some(Ok(input)) = event
                            .target()
                            .map(|target| target.dyn_into::<web_sys::HtmlElement>())
                    {
                        let _ = input.blur();
                    }
                }
                on:blur=move |_| {
                    set_draft.set(None);
                    set_error.set(None);
                }
            />
            <span class="field-error" aria-live="polite">
                {error}
            </span>
        </span>
    }
}

#[component]
fn SaveState() -> impl IntoView {
    let designs = use_designs();
    let app = use_app();
    let file = app.design_file;
    let file_title = move || match file.is_behind.get() {
        true => "The file of this design does not have the last changes. Save it (Ctrl+S)",
        false => "The file of this design has all changes",
    };
    let text = move || match designs.saved.get() {
        Saved::Yes => "Saved",
        Saved::Pending => "Saving…",
        Saved::Shared | Saved::Version => "Read-only",
        Saved::Failed | Saved::Nowhere | Saved::Never => "Not saved",
    };
    let title = move || match designs.saved.get() {
        Saved::Yes => "Keyfold saves every change in this browser",
        Saved::Pending => "Keyfold is saving a change",
        Saved::Failed => "The last changes are not saved; the previous version is saved",
        Saved::Nowhere => "This design is not saved; it exists only in this tab",
        Saved::Never => "Benchmark designs are not saved",
        Saved::Shared => "A shared design; make a copy to change it",
        Saved::Version => "An earlier version; restore it to change it",
    };
    view! {
        <span
            class="save-state"
            class:failed=move || matches!(designs.saved.get(), Saved::Failed | Saved::Nowhere)
            title=title
        >
            {text}
        </span>
        <Show when=move || file.name.with(Option::is_some)>
            <button
                type="button"
                class="file-state"
                title=file_title
                on:click=move |_| design_file::save_now(app)
            >
                {move || file.name.get()}
                {move || file.is_behind.get().then_some(" •")}
            </button>
        </Show>
    }
}
