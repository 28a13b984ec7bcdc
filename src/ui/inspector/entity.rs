//! An entity: its name, keys and attributes.

use super::attributes::Attributes;
use super::delete::DeleteButton;
use super::keys::Keys;
use crate::ui::dialogs::generate::GenerateButton;
use crate::ui::reactive::erased::{Memo, memo};
use crate::ui::state::store::{EntityNode, use_store};
use crate::ui::widgets::field::{Commit, TextArea, TextField, unique_id};
use keyfold_app::Command;
use keyfold_app::picture::badge;
use keyfold_core::model::{CardId, Entity, EntityId};
use leptos::prelude::*;

/// Names of the hues, in the order of the tokens.
const HUES: [&str; Entity::HUES as usize] = [
    "Blue", "Orange", "Teal", "Magenta", "Olive", "Violet", "Red", "Cyan", "Green", "Rose", "Sky",
    "Ochre",
];

/// The inspector of one entity.
#[component]
pub fn EntityInspector(
    /// The entity.
    id: EntityId,
) -> impl IntoView {
    let store = use_store();
    let node = store.entity(id)?;
    let entity = node.entity.clone();
    let name = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.name.clone())
    });
    let description = memo({
        let entity = entity.clone();
        move |_| entity.with(|entity| entity.description.clone())
    });
    let hue = memo(move |_| entity.with(|entity| entity.hue));
    Some(view! {
        <header class="inspector-head">
            <span class="kind">"Entity"</span>
            <h2>
                <span class=move || format!("badge hue-{}", hue.get()) aria-hidden="true">
                    {move || badge(&name.get())}
                </span>
                {move || name.get()}
            </h2>
        </header>
        <div class="section-body first">
            <TextField
                label="Name"
                value=name
                commit=Commit::new(move |name: String| store.run(Command::RenameEntity(id, name)))
            />
            <TextArea
                label="Description"
                placeholder="What an item represents"
                value=description
                commit=Commit::new(move |text: String| {
                    store.run(Command::DescribeEntity(id, text))
                })
            />
            <Hues node=node.clone() hue=hue />
        </div>
        <Keys node=node.clone() />
        <Attributes node=node />
        <footer class="inspector-foot">
            <GenerateButton entity=Some(id) class="button small" />
            <DeleteButton card=CardId::Entity(id) label="Delete entity" />
        </footer>
    })
}

#[component]
fn Hues(node: EntityNode, hue: Memo<u8>) -> impl IntoView {
    let store = use_store();
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
                    on:change=move |_| {
                        store.complain_if_refused(store.run(Command::SetHue(node.id, number)));
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
