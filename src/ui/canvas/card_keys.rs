//! The rows of keys on cards: the templates of an entity, the key attributes of an index.

use crate::ui::state::store::Store;
use crate::ui::widgets::template_text::{SMALL, TemplateText};
use keyfold_app::fit_text::truncate;
use keyfold_app::picture::when_text;
use keyfold_core::model::{IndexEntry, IndexId, KeySchema};
use leptos::prelude::*;

/// Widths for a template, its label and the key of an index, in CSS pixels.
const TEMPLATE: f64 = 198.0;
/// See [`TEMPLATE`].
const LABEL: f64 = 58.0;
/// See [`TEMPLATE`].
const INDEX_KEY: f64 = 108.0;

/// Truncates a text to a width in CSS pixels: a CSS clip for each would cost every frame.
pub(super) fn fitting(text: &str, room: f64) -> String {
    truncate(text, room, SMALL).into_owned()
}

/// The rows of an entity's key in the table or an index.
pub(super) fn entry_view(
    store: Store,
    index: IndexId,
    entry: &IndexEntry,
) -> impl IntoView + use<> {
    let (key, index_name) = match store.index(index) {
        Some(node) => (node.index).with(|index| (Some(index.key.clone()), index.name.clone())),
        None => {
            let key = store.table.with(|table| table.key.clone());
            (Some(key), "Table".to_owned())
        }
    };
    let name = |part: &dyn Fn(&KeySchema) -> Option<String>| {
        key.as_ref().and_then(part).unwrap_or_default()
    };
    let partition = name(&|key| key.partition.first().map(|a| a.name.clone()));
    let sort = name(&|key| key.sort.first().map(|a| a.name.clone()));
    let row = |label: String, text: &Option<String>| {
        (text.clone()).map(|text| {
            view! {
                <div class="key-row">
                    <span class="key-label" title=label.clone()>
                        {fitting(&label, LABEL)}
                    </span>
                    <TemplateText text=text room=TEMPLATE />
                </div>
            }
        })
    };
    let plain =
        (entry.partition.is_none() && entry.sort.is_none() && entry.when.is_empty()).then(|| {
            let names = (key.iter().flat_map(KeySchema::attributes))
                .map(|attribute| attribute.name.clone())
                .collect::<Vec<_>>()
                .join(", ");
            view! {
                <div class="key-row">
                    <span class="key-label">{fitting(&index_name, LABEL)}</span>
                    <span class="template" title=names.clone()>
                        {fitting(&names, TEMPLATE)}
                    </span>
                </div>
            }
        });
    let when = (!entry.when.is_empty()).then(|| {
        let text = when_text(entry);
        view! {
            <div class="key-row when">
                <span class="key-label">"when"</span>
                <span class="template" title=text.clone()>
                    {fitting(&text, TEMPLATE)}
                </span>
            </div>
        }
    });
    view! {
        <div class="card-group" class:primary=index.is_primary() title=index_name.clone()>
            {row(partition, &entry.partition)}
            {row(sort, &entry.sort)}
            {plain}
            {when}
        </div>
    }
}

/// The rows of the key of the table or an index.
pub(super) fn key_rows(key: &KeySchema) -> impl IntoView + use<> {
    let row = |side: &'static str, name: &str, kind: &'static str| {
        view! {
            <div class="key-row">
                <span class="key-label">{side}</span>
                <span class="template" title=name.to_owned()>
                    {fitting(name, INDEX_KEY)}
                </span>
                <span class="attribute-type">{kind}</span>
            </div>
        }
    };
    let partition = (key.partition.iter())
        .map(|a| row("partition", &a.name, a.kind.letter()))
        .collect_view();
    let sort = (key.sort.iter())
        .map(|a| row("sort", &a.name, a.kind.letter()))
        .collect_view();
    view! { <div class="card-group">{partition}{sort}</div> }
}
