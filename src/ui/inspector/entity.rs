//! An entity: its name, keys and attributes.

use super::attributes::Attributes;
use super::colors::Hues;
use super::delete_button::DeleteButton;
use super::entity_keys::Keys;
use super::volume::Volume;
use crate::ui::dialogs::generate::GenerateButton;
use crate::ui::reactive::erased::memo;
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, TextArea, TextField};
use keyfold_app::Command;
use keyfold_app::badge::badge;
use keyfold_core::model::{CardId, EntityId};
use leptos::prelude::*;

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
            <Hues
                hue=hue
                choose=Callback::new(move |hue| store.perform(Command::SetHue(id, hue)))
            />
        </div>
        <Keys node=node.clone() />
        <Attributes node=node />
        <Volume id=id />
        <footer class="inspector-foot">
            <GenerateButton entity=Some(id) class="button small" />
            <DeleteButton card=CardId::Entity(id) label="Delete entity" />
        </footer>
    })
}
