//! Keeps the app for visits without a network, and offers its new versions.

use super::app_context::AppContext;
use crate::platform::offline;
use crate::ui::reactive::on_demand::{on_demand, when_loaded};
use leptos::prelude::*;

use std::time::Duration;

/// Time until then, so that what the page needs at once is loaded first.
const WAIT: Duration = Duration::from_secs(2);

on_demand!(menus, keeper: fn(AppContext) = keep);

/// Keeps the app if this is the release build, which has a service worker.
pub fn keep_app(app: AppContext) {
    if !cfg!(feature = "split") {
        return;
    }
    let view = app.store.view;
    view.after(WAIT, move || {
        when_loaded(view, keeper(), move |keep| {
            if let Ok(keep) = keep {
                keep(app);
            }
        });
    });
}

fn keep(app: AppContext) {
    let offer = move |new| {
        let new = StoredValue::new_local(new);
        let reload = move || {
            // What is typed is stored before.
            let use_it = move || new.with_value(offline::NewVersion::use_it);
            app.designs.when_stored(use_it);
        };
        (app.store.notices).offer("There is a new version of Keyfold.", "Reload", reload);
    };
    app.store.view.answer(offline::keep(offer), |()| ());
}
