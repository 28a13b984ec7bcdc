//! What another program writes into the file of the open design: the design follows it, or, if it was changed too, the
//! user merges both. [`design_file`](super::design_file) opens and saves the file.

use super::app_context::AppContext;
use super::design_file::{complain, is_language, is_open, open_link, remember, run, save_now};
use crate::platform::files::{Files, Handle};
use crate::ui::designs::language;
use crate::ui::dialogs::compare::MergeRequest;
use crate::ui::state::design_file::Link;
use keyfold_app::workspace::DesignKey;
use keyfold_app::{Command, DesignText, diff};
use keyfold_compare::matched_for_merge;
use keyfold_core::model::Design;
use keyfold_core::persist;
use leptos::prelude::*;

/// Looks whether another program changed the file.
pub(super) async fn look(app: AppContext) {
    let (Ok(files), Some(link)) = (Files::load().await, open_link(app)) else {
        return;
    };
    // A file that is gone, or that may not be read without a question, is noticed when it is saved.
    if let Ok(Some(on_disk)) = files.read(&link.handle, false).await
        && on_disk != link.text
        && open_link(app).is_some_and(|now| now.key == link.key && now.text == link.text)
    {
        follow(app, link, on_disk, false).await;
    }
}

/// Another program changed the file: the design follows it, or, if it was changed too, the user merges both. `is_saving`
/// says that the user is about to write the file.
pub(super) async fn follow(app: AppContext, link: Link, on_disk: String, is_saving: bool) {
    let name = link.handle.name();
    if let Err(reason) = follow_file(app, link, on_disk, is_saving).await {
        complain(
            app,
            format!(
                "“{name}” was changed on the disk and cannot be read: {reason}. Keyfold does not write it: save the \
                 design as another file."
            ),
        );
    }
}

async fn follow_file(
    app: AppContext,
    link: Link,
    on_disk: String,
    is_saving: bool,
) -> Result<(), String> {
    let Link { key, handle, text } = link;
    let theirs = read(&handle, &on_disk).await?;
    // Without what the file was, each difference is one of ours.
    let base = (read(&handle, &text).await).unwrap_or_else(|_| theirs.clone());
    let before = aligned(app, &handle, &base).await?;
    let after = aligned(app, &handle, &theirs).await?;
    if !is_open(app, key) {
        not_saved(app, &handle, is_saving);
        return Ok(());
    }
    let is_ours = |other: &Design| app.store.with(|ours| diff(ours, other).is_empty());
    if is_ours(&after) || (is_ours(&before) && !is_saving) {
        return take(app, (key, handle), (base, theirs), after, is_saving).await;
    }
    let has_ids = !is_language(&handle);
    let name = handle.name();
    let request = MergeRequest {
        key,
        base: app
            .store
            .with(|ours| matched_for_merge(ours, &base.design, has_ids)),
        theirs: theirs.design.clone(),
        has_ids,
        from: name.clone(),
        done: Callback::new(move |merged| {
            let (handle, base, theirs) = (handle.clone(), base.clone(), theirs.clone());
            run(app, async move {
                let text = merged_text(app, &handle, (&base, &theirs), &merged).await;
                if !is_open(app, key) {
                    return;
                }
                if let Ok(Some(text)) = text {
                    app.store.replace_text(text);
                }
                remember(app, key, handle, theirs.text.to_string());
                app.design_file.is_behind.set(true);
                if is_saving {
                    save_now(app);
                }
            });
        }),
    };
    if is_saving {
        app.merging.open(request);
        return Ok(());
    }
    let message = format!("“{name}” and the design both changed.");
    let merge = move || match is_open(app, key) {
        true => app.merging.open(request.clone()),
        // Its file is looked at, which offers this again.
        false => app.designs.open(key),
    };
    app.store.notices.offer(message, "Merge…", merge);
    Ok(())
}

/// Takes over a file that has the edits of the open design, or of which that is the version before. The comments of both
/// stay.
async fn take(
    app: AppContext,
    (key, handle): (DesignKey, Handle),
    (base, theirs): (DesignText, DesignText),
    design: Design,
    is_saving: bool,
) -> Result<(), String> {
    let text = merged_text(app, &handle, (&base, &theirs), &design).await;
    if !is_open(app, key) {
        not_saved(app, &handle, is_saving);
        return Ok(());
    }
    let text = text?;
    let on_disk = theirs.text.to_string();
    let is_behind = (text.as_ref()).is_some_and(|text| *text.text != *on_disk);
    let before = app.store.text().map(|text| text.text);
    let is_new = app.store.with(|ours| !diff(ours, &design).is_empty())
        || (text.as_ref()).is_some_and(|text| Some(&text.text) != before.as_ref());
    // A command, also one that changes nothing, takes away the message about the last one.
    if is_new {
        app.store.perform(Command::Replace {
            label: "change on the disk",
            design: Box::new(design),
            text: text.map(Box::new),
        });
    }
    remember(app, key, handle.clone(), on_disk);
    app.design_file.is_behind.set(is_behind);
    if is_behind && is_saving {
        save_now(app);
    } else if is_new {
        let message = format!(
            "“{}” changed on disk. The design now has this change.",
            handle.name()
        );
        let undo = move || app.store.undo();
        app.store.notices.offer_undo(message, undo);
    }
    Ok(())
}

/// Another design was opened meanwhile. When this one opens again, its file is looked at.
fn not_saved(app: AppContext, handle: &Handle, is_saving: bool) {
    if is_saving {
        let name = handle.name();
        complain(
            app,
            format!("“{name}” was not saved: another design was opened."),
        );
    }
}

/// Reads the text of a file. Of a design file only the design matters.
async fn read(handle: &Handle, text: &str) -> Result<DesignText, String> {
    if is_language(handle) {
        let language = language().await.map_err(|error| error.to_string())?;
        return (language.read)(text);
    }
    let design = persist::from_json(text).map_err(|error| error.to_string())?;
    Ok(DesignText {
        text: text.into(),
        design,
        errors: 0,
    })
}

/// A design that was read from a file, with the ids of the open one.
async fn aligned(app: AppContext, handle: &Handle, read: &DesignText) -> Result<Design, String> {
    if is_language(handle) {
        let language = language().await.map_err(|error| error.to_string())?;
        return Ok(app.store.with(|ours| (language.aligned)(read, ours)).design);
    }
    Ok(app
        .store
        .with(|ours| matched_for_merge(ours, &read.design, true)))
}

/// The text of a design that was changed here and in its file; `None` if that is no file in the language.
async fn merged_text(
    app: AppContext,
    handle: &Handle,
    (base, theirs): (&DesignText, &DesignText),
    design: &Design,
) -> Result<Option<DesignText>, String> {
    if !is_language(handle) {
        return Ok(None);
    }
    let language = language().await.map_err(|error| error.to_string())?;
    let ours = app.designs.own_text().await?;
    Ok(Some((language.merged)(base, &ours, theirs, design)))
}
