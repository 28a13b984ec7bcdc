//! The traffic of an access pattern: how often it runs, what it writes and reads, and how it falls on partition keys.
//! `app::workload` has the fields; the peak rate is a field of the access pattern.

use super::form_row::Edited;
use crate::ui::reactive::erased::{For, RwSignal, memo};
use crate::ui::widgets::field::{Commit, TextField};
use keyfold_app::workload::fields::{TrafficField, fields_of};
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

/// Whether the traffic is shown. It stays so for the next access pattern.
#[derive(Clone, Copy)]
pub struct TrafficOpen(RwSignal<bool>);

impl TrafficOpen {
    /// Closed at first.
    pub fn new() -> Self {
        TrafficOpen(RwSignal::new(false))
    }
}

/// The section with the traffic.
#[component]
pub fn TrafficSection(
    /// What it belongs to.
    edited: Edited,
) -> impl IntoView {
    let Edited { store, id, .. } = edited;
    let TrafficOpen(open) = expect_context();
    let fields = memo(move |_| {
        let pattern = edited.pattern.get();
        store.workload.track();
        store.track_keys();
        store.with(|design| fields_of(design, id, &pattern))
    });
    let summary = memo(move |_| {
        let average = store.workload.with(|workload| {
            let traffic = workload.patterns.get(&id);
            traffic.map(|traffic| TrafficField::Average.read(traffic))
        });
        match average.as_deref() {
            None => "assumed".to_owned(),
            Some("") => "partly set".to_owned(),
            Some(average) => format!("average {average}"),
        }
    });
    view! {
        <details
            class="pattern-traffic"
            open=open.get_untracked()
            on:toggle=move |event| open.set(event_target::<HtmlDetailsElement>(&event).open())
        >
            <summary>
                <h3>"Traffic"</h3>
                <span class="pattern-traffic-summary">{move || summary.get()}</span>
            </summary>
            <div class="pattern-traffic-fields">
                <For each=move || fields.get() key=|field| field.clone() let:field>
                    <TrafficRow edited=edited field=field />
                </For>
            </div>
        </details>
    }
}

#[component]
fn TrafficRow(edited: Edited, field: TrafficField) -> impl IntoView {
    let Edited { store, id, .. } = edited;
    let (label, placeholder) = (field.label(), field.assumed());
    let field = StoredValue::new(field);
    let value = memo(move |_| {
        store.workload.with(|workload| {
            let traffic = workload.patterns.get(&id);
            traffic.map_or(String::new(), |traffic| {
                field.with_value(|field| field.read(traffic))
            })
        })
    });
    let commit = Commit::new(move |typed: String| {
        let command =
            store.with(|design| field.with_value(|field| field.typed(design, id, &typed)));
        store.run(command?)
    });
    view! { <TextField label=label value=value commit=commit placeholder=placeholder /> }
}
