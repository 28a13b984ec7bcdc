//! The start page on an empty canvas.

use super::app_context::use_app;
use super::guide_card;
use crate::ui::canvas::pieces::{Piece, add_in_middle};
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::prelude::*;

/// The ways to start a design.
#[component]
pub fn Welcome() -> impl IntoView {
    let app = use_app();
    view! {
        <div class="welcome">
            <h2>"Design a DynamoDB table visually"</h2>
            <p>
                "Entities become items, and templates become their keys. As you type, the table below "
                "shows every item as DynamoDB would store it."
            </p>
            <div class="welcome-ways">
                <button class="way" on:click=move |_| app.library.set(true)>
                    <Icon glyph=Glyph::Library />
                    <strong>"Start from pattern"</strong>
                    <span>"Proven designs with samples and access patterns"</span>
                </button>
                <button
                    class="way"
                    on:click=move |_| add_in_middle(app.page, app.canvas, Piece::Entity)
                >
                    <Icon glyph=Glyph::Entity />
                    <strong>"Add entity"</strong>
                    <span>"Drag one from the left, or press E"</span>
                </button>
                <button class="way" on:click=move |_| app.importing_design.open()>
                    <Icon glyph=Glyph::Upload />
                    <strong>"Import"</strong>
                    <span>
                        "Start from an existing table: NoSQL Workbench models, templates, items and more"
                    </span>
                </button>
                <button class="way" on:click=move |_| guide_card::begin(app)>
                    <Icon glyph=Glyph::Help />
                    <strong>"Learn by doing"</strong>
                    <span>"Build your first design in ten steps, in about three minutes"</span>
                </button>
            </div>
        </div>
    }
}
