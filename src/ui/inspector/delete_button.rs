//! The button that deletes the inspected card.

use crate::ui::canvas::handle::use_canvas;
use crate::ui::state::page_state::{Pane, use_page};
use crate::ui::state::store::use_store;
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::Command;
use keyfold_core::model::CardId;
use leptos::prelude::*;

/// The button that deletes the inspected card. On a small screen the inspector covers the canvas, so the button also
/// shows the canvas and a notice.
#[component]
pub fn DeleteButton(
    /// The card.
    card: CardId,
    /// The button's text.
    label: &'static str,
) -> impl IntoView {
    let (store, page, canvas) = (use_store(), use_page(), use_canvas());
    let delete = move |_| {
        let was_seen = canvas.is_seen();
        if let Err(refused) = store.run(Command::Delete(vec![card])) {
            store.notices.complain(refused.to_string());
            return;
        }
        if !was_seen {
            page.pane.set(Pane::Canvas);
            store.offer_undo();
        }
    };
    view! {
        <button type="button" class="button small danger" on:click=delete>
            <Icon glyph=Glyph::Trash />
            {label}
        </button>
    }
}
