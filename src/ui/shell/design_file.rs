//! The file on the disk that the open design is kept in, where the browser lets a page write files in place: opened
//! and saved; `followed_file` takes what another program changes. The design is stored in the
//! browser as well.

use super::app_context::AppContext;
use super::followed_file::{follow, look};
use super::open_and_save;
use crate::platform::files::{self, Dropped, Files, Handle};
use crate::platform::storage::Local;
use crate::ui::reactive::erased::effect;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use crate::ui::state::design_file::Link;
use keyfold_app::workspace::{DesignKey, Storage};
use keyfold_core::model::file_stem;
use keyfold_core::persist;
use leptos::ev;
use leptos::prelude::*;

/// Storage key that says that some design has a file.
const HAS_FILES: &str = "keyfold:has-files";

/// What this part does; it is loaded on demand.
#[derive(Clone, Copy)]
pub(crate) struct Work {
    choose: fn(AppContext),
    save: fn(AppContext),
    save_as: fn(AppContext),
    opened: fn(AppContext, DesignKey),
    look: fn(AppContext),
    launched: fn(AppContext),
    dropped: fn(AppContext, Vec<Dropped>),
}

on_demand!(tools, work: Work = Work {
    choose: |app| run(app, choose(app)),
    save: |app| run(app, save(app)),
    save_as: |app| run(app, save_as(app)),
    opened: |app, key| run(app, opened(app, key)),
    look: |app| run(app, look(app)),
    launched: |app| run(app, launched(app)),
    dropped: |app, files| run(app, dropped(app, files)),
});

fn with_work(app: AppContext, act: impl FnOnce(Work) + 'static) {
    when_loaded(app.store.view, work(), move |work| match work {
        Ok(work) => act(work),
        Err(error) => app
            .store
            .notices
            .error(format!("No file was opened or saved: {error}.")),
    });
}

/// Opens Keyfold files that the user chooses.
pub fn open(app: AppContext) {
    match files::is_there() {
        true => with_work(app, move |work| (work.choose)(app)),
        false => open_and_save::choose_file(app.file),
    }
}

/// Opens Keyfold files that were dropped on the page.
pub fn open_dropped(app: AppContext, files: Vec<Dropped>) {
    with_work(app, move |work| (work.dropped)(app, files));
}

/// Stores the design in the browser and, if it has one, in its file.
pub fn save_now(app: AppContext) {
    app.designs.store_now();
    if app.design_file.name.with_untracked(Option::is_some) {
        with_work(app, move |work| (work.save)(app));
    }
}

/// Saves the design as a file that the user names, which is its file from then on; or downloads it.
pub fn save_as_file(app: AppContext) {
    match files::is_there() {
        true => with_work(app, move |work| (work.save_as)(app)),
        false => open_and_save::save_file(app.store),
    }
}

/// Follows the open design: shows its file, and looks at it when the user comes back to the page.
pub fn bind(app: AppContext) {
    if !files::is_there() {
        return;
    }
    let file = app.design_file;
    effect(move || {
        let key = app.designs.open.get();
        if key.is_some() && file.of(key).is_some() {
            return;
        }
        file.show(None);
        if let Some(key) = key.filter(|_| Local.get(HAS_FILES).is_some()) {
            with_work(app, move |work| (work.opened)(app, key));
        }
    });
    let opened = StoredValue::new(app.store.opened.get_untracked());
    effect(move || {
        app.store.revision.track();
        let now = app.store.opened.get();
        let is_edit = opened.get_value() == now;
        opened.set_value(now);
        if is_edit && file.name.with_untracked(Option::is_some) && !file.is_behind.get_untracked() {
            file.is_behind.set(true);
        }
    });
    let look = move || {
        if file.name.with_untracked(Option::is_some) {
            with_work(app, move |work| (work.look)(app));
        }
    };
    let focused = window_event_listener(ev::focus, move |_| look());
    let seen = window_event_listener(ev::visibilitychange, move |_| {
        if !document().hidden() {
            look();
        }
    });
    on_cleanup(move || {
        focused.remove();
        seen.remove();
    });
    if files::is_app_window() {
        with_work(app, move |work| (work.launched)(app));
    }
}

/// Does this while the page is there.
pub(super) fn run(app: AppContext, work: impl Future<Output = ()> + 'static) {
    app.store.view.answer(work, |()| ());
}

/// The file of the open design.
pub(super) fn open_link(app: AppContext) -> Option<Link> {
    app.design_file.of(app.designs.open.try_get_untracked()?)
}

/// Whether a design is open: another one may have been opened while the browser answered.
pub(super) fn is_open(app: AppContext, key: DesignKey) -> bool {
    app.designs.open.try_get_untracked() == Some(Some(key))
}

/// Loads the access to files, or says why there is none.
async fn access(app: AppContext) -> Option<Files> {
    match Files::load().await {
        Ok(files) => Some(files),
        Err(failure) => {
            let text = format!(
                "Files on the disk cannot be opened or saved: {failure}. Reload the page to try again."
            );
            complain(app, text);
            None
        }
    }
}

pub(super) fn complain(app: AppContext, message: String) {
    app.store.notices.error(message);
}

async fn choose(app: AppContext) {
    let Some(files) = access(app).await else {
        return;
    };
    match files.choose().await {
        Ok(handles) => open_handles(app, &files, handles).await,
        Err(failure) => complain(app, format!("No file was opened: {failure}.")),
    }
}

async fn launched(app: AppContext) {
    if let Some(files) = access(app).await {
        files.when_launched(move |handles| {
            run(app, async move {
                if let Some(files) = access(app).await {
                    open_handles(app, &files, handles).await;
                }
            });
        });
    }
}

async fn dropped(app: AppContext, dropped: Vec<Dropped>) {
    let files = Files::load().await;
    for (file, asked) in dropped {
        match (&files, files::handle(asked).await) {
            (Ok(files), Some(handle)) => open_handle(app, files, handle).await,
            _ => open_and_save::open_own(app, file),
        }
    }
}

async fn open_handles(app: AppContext, files: &Files, handles: Vec<Handle>) {
    for handle in handles {
        open_handle(app, files, handle).await;
    }
}

/// Opens the design of a file, or the file as a new design.
async fn open_handle(app: AppContext, files: &Files, handle: Handle) {
    if let Some(key) = files.key_of(&handle).await {
        let is_there = (app.designs.list).with_untracked(|all| all.iter().any(|it| it.key == key));
        if is_there {
            if is_open(app, key) {
                look(app).await;
            } else {
                app.designs.open(key);
            }
            return;
        }
        files.forget(key).await;
    }
    let name = handle.name();
    match files.read(&handle, true).await {
        Ok(Some(text)) => {
            let kept = text.clone();
            app.designs.open_file_then(&name, Ok(text), move |key| {
                remember(app, key, handle, kept);
            });
        }
        Ok(None) => complain(
            app,
            format!(
                "“{name}” was not opened: the browser does not allow Keyfold to read it. Open it again and allow access."
            ),
        ),
        Err(failure) => complain(app, format!("“{name}” was not opened: {failure}.")),
    }
}

/// Links a design to its file.
pub(super) fn remember(app: AppContext, key: DesignKey, handle: Handle, text: String) {
    app.designs.is_wanted(key);
    let link = Link { key, handle, text };
    if is_open(app, key) {
        app.design_file.show(Some(link.clone()));
    }
    let _ = Local.set(HAS_FILES, "");
    run(app, async move {
        if let Ok(files) = Files::load().await {
            files.remember(key, &link.handle, &link.text).await;
        }
    });
}

/// A design was opened: its file is looked up.
async fn opened(app: AppContext, key: DesignKey) {
    let Ok(files) = Files::load().await else {
        return;
    };
    let Some((handle, text)) = files.file_of(key).await else {
        return;
    };
    if is_open(app, key) && open_link(app).is_none() {
        let link = Link { key, handle, text };
        app.design_file.show(Some(link.clone()));
        show_behind(app, key, &link.handle, &link.text).await;
        look(app).await;
    }
}

pub(super) fn is_language(handle: &Handle) -> bool {
    handle.name().to_lowercase().ends_with(".keyfold")
}

/// What the file of a design should contain.
///
/// # Errors
///
/// Another design is open.
pub(super) async fn own_text(
    app: AppContext,
    key: DesignKey,
    handle: &Handle,
) -> Result<String, String> {
    if !is_open(app, key) {
        return Err("another design was opened".into());
    }
    if !is_language(handle) {
        return Ok(app.store.with(persist::to_json));
    }
    let text = app.designs.own_text().await?;
    Ok(text.text.to_string())
}

/// Shows whether the design was changed since its file had this text.
async fn show_behind(app: AppContext, key: DesignKey, handle: &Handle, text: &str) {
    let own = own_text(app, key, handle).await;
    if is_open(app, key) {
        app.design_file
            .is_behind
            .set(!own.is_ok_and(|own| own == text));
    }
}

async fn save(app: AppContext) {
    let Some(files) = access(app).await else {
        return;
    };
    let Some(link) = open_link(app) else {
        return;
    };
    let name = link.handle.name();
    match files.read(&link.handle, true).await {
        Ok(Some(on_disk)) if on_disk != link.text => follow(app, link, on_disk, true).await,
        Ok(Some(_)) => write(app, &files, link).await,
        Ok(None) => complain(app, not_allowed(&name, "read")),
        Err(failure) => complain(
            app,
            format!("“{name}” was not saved: {failure}. Use “Save as Keyfold file”."),
        ),
    }
}

/// Why a file was not saved: the browser does not allow to `read` or `write` it.
fn not_allowed(name: &str, to: &str) -> String {
    format!(
        "“{name}” was not saved: the browser does not allow Keyfold to {to} it. Allow access and save again, or use “Save as Keyfold file”."
    )
}

async fn write(app: AppContext, files: &Files, link: Link) {
    let Link { key, handle, .. } = link;
    let name = handle.name();
    let written = match own_text(app, key, &handle).await {
        Ok(text) => files.write(&handle, &text).await.map(|done| (done, text)),
        Err(failure) => Err(failure),
    };
    match written {
        Ok((true, text)) => {
            remember(app, key, handle.clone(), text.clone());
            // What was typed meanwhile is not in the file.
            show_behind(app, key, &handle, &text).await;
            app.store.notices.say(format!("Saved to “{name}”."));
        }
        Ok((false, _)) => complain(app, not_allowed(&name, "write")),
        Err(failure) => complain(app, format!("“{name}” was not saved: {failure}.")),
    }
}

async fn save_as(app: AppContext) {
    let Some(files) = access(app).await else {
        return;
    };
    let Some(key) = app.designs.open.get_untracked() else {
        return complain(
            app,
            "Only a design that is saved in this browser can have a file. Make a copy first."
                .into(),
        );
    };
    let stem = app.store.with(|design| file_stem(&design.name));
    let chosen = files.choose_new(&format!("{stem}.keyfold.json")).await;
    let handle = match chosen {
        Ok(Some(handle)) => handle,
        Ok(None) => return,
        Err(failure) => return complain(app, format!("The file was not saved: {failure}.")),
    };
    if let Some(other) = files.key_of(&handle).await.filter(|other| *other != key) {
        files.forget(other).await;
    }
    let text = String::new();
    write(app, &files, Link { key, handle, text }).await;
}
