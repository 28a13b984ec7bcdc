//! The presentation: only the canvas is shown, with all cards in view.

use super::app_context::AppContext;
use crate::ui::reactive::erased::{Show, effect};
use crate::ui::state::page_state::Pane;
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::prelude::*;

/// Begins or ends the presentation.
pub fn toggle(app: AppContext) {
    let begins = !app.page.presents.get_untracked();
    if begins {
        app.page.pane.set(Pane::Canvas);
    }
    app.page.presents.set(begins);
    app.canvas.take_focus();
}

/// Shows all cards when the presentation begins, and what the canvas showed before when it ends.
pub fn follow(app: AppContext) {
    let (store, page) = (app.store, app.page);
    let before = StoredValue::new(None);
    effect(move || {
        if page.presents.get() {
            let opened = store.opened.get_untracked();
            before.set_value(Some((opened, store.viewport.get_untracked())));
            (store.spoken).set("Presentation. Press Escape to show the panels.".into());
            // Once the canvas has its size.
            store.view.next_frame(move || app.canvas.fit());
        } else if let Some((opened, viewport)) = before.try_update_value(Option::take).flatten() {
            // Another design may be open since.
            if store.opened.get_untracked() == opened {
                store.viewport.set(viewport);
            }
            store.spoken.set("All panels are shown".into());
        }
    });
}

/// The heading of the page during the presentation, which hides that of the top bar.
pub fn heading(app: AppContext) -> impl IntoView {
    let (store, shown) = (app.store, app.page.presents);
    view! {
        <Show when=move || shown.get()>
            <h1 class="visually-hidden">{move || store.name.get()} " · Keyfold"</h1>
        </Show>
    }
}

/// The button that ends the presentation, for pointers.
pub fn end_button(app: AppContext) -> impl IntoView {
    let shown = app.page.presents;
    view! {
        <Show when=move || shown.get()>
            <button
                class="icon-button presentation-end"
                aria-label="End presentation"
                title="End presentation (Escape)"
                on:click=move |_| toggle(app)
            >
                <Icon glyph=Glyph::Close />
            </button>
        </Show>
    }
}
