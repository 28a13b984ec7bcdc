//! The rows of keys on cards: the templates of an entity, the key attributes of an index.

use crate::ui::state::store::Store;
use crate::ui::widgets::template_text::{ALWAYS_WHOLE, FONT, SMALL, TemplateText};
use keyfold_app::fit_text::{WidestRow, truncate};
use keyfold_app::picture::when_text;
use keyfold_core::model::{Entity, IndexEntry, IndexId, KeyAttribute, KeySchema};
use leptos::prelude::*;

/// Widths for a template, its label and the key of an index, in CSS pixels.
const TEMPLATE: f64 = 198.0;
/// See [`TEMPLATE`]. A card with a template that is longer has a narrower column of labels.
const LABEL: f64 = 58.0;
/// See [`TEMPLATE`].
const INDEX_KEY: f64 = 108.0;

/// Truncates a text to a width in CSS pixels: a CSS clip for each would cost every frame.
pub(super) fn fitting(text: &str, room: f64) -> String {
    truncate(text, room, SMALL).into_owned()
}

/// The rows of an entity's keys in the table and its indexes.
pub(super) fn entity_keys(store: Store, entity: &Entity) -> impl IntoView + use<> {
    let groups = entity.keys.iter();
    let groups = groups.map(|(index, entry)| (*index, Labels::of(store, *index), entry));
    let groups = groups.collect::<Vec<_>>();
    let rows = groups.iter().flat_map(|(_, labels, entry)| {
        let partition = entry.partition.as_deref();
        let keys = [
            (&labels.partition, partition),
            (&labels.sort, entry.sort.as_deref()),
        ];
        let keys = keys.map(|(label, text)| text.is_some().then_some((label.as_str(), text)));
        let other = match (entry.when.is_empty(), keys == [None, None]) {
            (false, _) => Some(("when", None)),
            (true, true) => Some((labels.index.as_str(), None)),
            (true, false) => None,
        };
        keys.into_iter().flatten().chain(other)
    });
    let widest = WidestRow::of(rows, FONT);
    let label = widest.label_width(LABEL, TEMPLATE);
    let is_long = widest.label_width(LABEL, ALWAYS_WHOLE) < LABEL;
    (groups.into_iter())
        .map(|(index, labels, entry)| entry_view(index, labels, entry, label, is_long))
        .collect_view()
}

/// The names before the rows of an entity's key in an index.
struct Labels {
    index: String,
    partition: String,
    sort: String,
    /// The names of all key attributes.
    attributes: String,
}

impl Labels {
    fn of(store: Store, index: IndexId) -> Labels {
        let of_key = |index: String, key: &KeySchema| {
            let name = |part: &[KeyAttribute]| {
                let first = part.first();
                first.map(|a| a.name.clone()).unwrap_or_default()
            };
            let all = key.attributes().map(|attribute| attribute.name.as_str());
            Labels {
                index,
                partition: name(&key.partition),
                sort: name(&key.sort),
                attributes: all.collect::<Vec<_>>().join(", "),
            }
        };
        match store.index(index) {
            Some(node) => (node.index).with(|index| of_key(index.name.clone(), &index.key)),
            None => (store.table).with(|table| of_key("Table".to_owned(), &table.key)),
        }
    }
}

/// The rows of an entity's key in the table or an index, after labels of this width.
fn entry_view(
    index: IndexId,
    labels: Labels,
    entry: &IndexEntry,
    label: f64,
    is_long: bool,
) -> impl IntoView + use<> {
    let room = TEMPLATE + LABEL - label;
    let row = |label: String, text: &Option<String>| {
        (text.clone()).map(|text| {
            view! {
                <div class="key-row">
                    <span class="key-label" title=label.clone()>
                        {fitting(&label, LABEL)}
                    </span>
                    <TemplateText text=text room=room />
                </div>
            }
        })
    };
    let plain =
        (entry.partition.is_none() && entry.sort.is_none() && entry.when.is_empty()).then(|| {
            let names = labels.attributes;
            view! {
                <div class="key-row">
                    <span class="key-label">{fitting(&labels.index, LABEL)}</span>
                    <span class="template" title=names.clone()>
                        {fitting(&names, room)}
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
                    {fitting(&text, room)}
                </span>
            </div>
        }
    });
    view! {
        <div
            class="card-group"
            class:primary=index.is_primary()
            class:long=is_long
            style:--label=(label < LABEL).then(|| format!("{label:.1}px"))
            title=labels.index.clone()
        >
            {row(labels.partition, &entry.partition)}
            {row(labels.sort, &entry.sort)}
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
