//! The colors of entities and notes, as a choice.

use crate::ui::dom::element::closest;
use crate::ui::reactive::erased::Memo;
use crate::ui::widgets::field::unique_id;
use keyfold_core::model::Entity;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

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
                    on:change=move |event| {
                        choose.run(number);
                        if let Some(now) = hue.try_get_untracked() {
                            show_chosen(&event_target(&event), now);
                        }
                    }
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

/// Marks the chosen hue: the browser marks the one that was pressed, also if it was refused.
fn show_chosen(pressed: &HtmlInputElement, hue: u8) {
    let chosen = closest(pressed, ".swatches").and_then(|swatches| {
        let radio = format!("label:nth-child({}) > input", u16::from(hue) + 1);
        swatches.query_selector(&radio).ok().flatten()
    });
    match chosen {
        Some(chosen) => chosen
            .unchecked_into::<HtmlInputElement>()
            .set_checked(true),
        None => pressed.set_checked(false),
    }
}
