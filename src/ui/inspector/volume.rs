//! How much data an entity has: items, growth, retention and item size, for costs. `app::workload` has the fields.

use super::section::Section;
use crate::ui::reactive::erased::memo;
use crate::ui::state::store::use_store;
use crate::ui::widgets::field::{Commit, TextField};
use keyfold_app::workload::fields::VolumeField;
use keyfold_core::model::EntityId;
use leptos::prelude::*;

/// The section with the volume of an entity.
#[component]
pub fn Volume(
    /// The entity.
    id: EntityId,
) -> impl IntoView {
    let store = use_store();
    let volume = memo(move |_| {
        store
            .workload
            .with(|workload| workload.entities.get(&id).copied().unwrap_or_default())
    });
    let summary = memo(move |_| {
        let volume = volume.get();
        match VolumeField::Items.read(&volume).as_str() {
            _ if volume.is_empty() => "assumed".to_owned(),
            "" => "partly set".to_owned(),
            items => format!("{items} items"),
        }
    });
    let line = move |field: VolumeField| {
        let value = memo(move |_| volume.with(|volume| field.read(volume)));
        let commit = Commit::new(move |typed: String| {
            let command = store.with(|design| field.typed(design, id, &typed));
            store.run(command?)
        });
        view! { <TextField label=field.label() value=value commit=commit placeholder=field.assumed() /> }
    };
    view! {
        <Section title="Volume" summary=summary>
            {VolumeField::ALL.map(line).collect_view()}
        </Section>
    }
}
