//! A select of indexes with the button "Add to index".

use crate::ui::reactive::erased::{For, Memo, effect};
use crate::ui::reactive::later::View;
use crate::ui::widgets::icon::{Glyph, Icon};
use leptos::html::Select;
use leptos::prelude::*;

/// The select and its button.
#[component]
pub(super) fn AddToIndex(
    /// The accessible name of the select.
    label: &'static str,
    /// Value and text of each line.
    options: Memo<Vec<(String, String)>>,
    /// Called with the value of the chosen line.
    choose: Callback<String>,
) -> impl IntoView {
    let select: NodeRef<Select> = NodeRef::new();
    let press = move |_| {
        if let Some(select) = select.get_untracked() {
            choose.run(select.value());
        }
    };
    // When the list changes, select its first line: an existing index rather than a new one.
    let view = View::new();
    effect(move || {
        options.track();
        view.next_frame(move || {
            if let Some(select) = select.get_untracked() {
                select.set_selected_index(0);
            }
        });
    });
    view! {
        <div class="action-row">
            <select node_ref=select aria-label=label>
                <For each=move || options.get() key=|option| option.clone() let:option>
                    <option value=option.0>{option.1}</option>
                </For>
            </select>
            <button type="button" class="button small" on:click=press>
                <Icon glyph=Glyph::Plus />
                "Add to index"
            </button>
        </div>
    }
}
