//! The colors of entities and notes, as a choice.

use crate::ui::reactive::erased::Memo;
use crate::ui::widgets::field::unique_id;
use keyfold_core::model::Entity;
use leptos::prelude::*;

/// Names of the hues, in the order of the tokens.
const HUES: [&str; Entity::HUES as usize] = [
    "Blue", "Orange", "Teal", "Magenta", "Olive", "Violet", "Red", "Cyan", "Green", "Rose", "Sky",
    "Ocher",
];

/// A choice of one of the hues.
#[component]
pub fn Hues(
    /// The chosen hue.
    hue: Memo<u8>,
    /// Stores another one.
    choose: Callback<u8>,
) -> impl IntoView {
    let group = unique_id("hue");
    let swatch = move |(number, name): (usize, &'static str)| {
        let number = number as u8;
        view! {
            <label class=format!("swatch hue-{number}") title=name>
                <input
                    type="radio"
                    name=group.clone()
                    aria-label=name
                    prop:checked=move || hue.get() == number
                    on:change=move |_| choose.run(number)
                />
            </label>
        }
    };
    view! {
        <fieldset class="field hues">
            <legend>"Color"</legend>
            <div class="swatches">{HUES.into_iter().enumerate().map(swatch).collect_view()}</div>
        </fieldset>
    }
}
