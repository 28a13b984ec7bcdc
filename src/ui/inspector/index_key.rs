//! The key schema of a secondary index; a GSI has up to four attributes in each part.

use super::edit;
use super::edit::{edit_index, focus_last_soon, set_index};
use super::section::Section;
use super::table::{key_type, key_types};
use crate::ui::reactive::erased::{For, Memo, Show, memo};
use crate::ui::state::store::{IndexNode, use_store};
use crate::ui::widgets::field::{Select, TextField};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::suggest;
use keyfold_core::model::{Index, IndexKind, KeyAttribute, KeyPart, KeySchema, limits};
use leptos::prelude::*;

/// The key of an index.
#[component]
pub fn IndexKey(
    /// The index.
    node: IndexNode,
) -> impl IntoView {
    let is_local = node
        .index
        .with_untracked(|index| index.kind == IndexKind::Lsi);
    let key = edit::index(&node, |index| index.key.clone());
    let shared = memo(move |_| {
        key.with(|key| key.partition.first().map(|a| a.name.clone()))
            .unwrap_or_default()
    });
    let is_multi = memo(move |_| key.with(KeySchema::is_multi_attribute));
    view! {
        <Section title="Key" open=true>
            {is_local
                .then(|| {
                    view! {
                        <p class="hint">
                            "Partition key " <code>{move || shared.get()}</code>
                            ", shared with the table."
                        </p>
                    }
                })}
            {(!is_local)
                .then(|| view! { <Side node=node.clone() key=key part=KeyPart::Partition /> })}
            <Side node=node.clone() key=key part=KeyPart::Sort />
            <Show when=move || is_multi.get()>
                <p class="hint">
                    "Multi-attribute key: plain attributes of the items form it, without templates."
                </p>
            </Show>
        </Section>
    }
}

fn side(key: &KeySchema, part: KeyPart) -> &Vec<KeyAttribute> {
    match part {
        KeyPart::Partition => &key.partition,
        KeyPart::Sort => &key.sort,
    }
}

fn side_mut(index: &mut Index, part: KeyPart) -> &mut Vec<KeyAttribute> {
    match part {
        KeyPart::Partition => &mut index.key.partition,
        KeyPart::Sort => &mut index.key.sort,
    }
}

/// Returns a name for the next attribute of a key part, like those of a new index; numbered if taken.
fn free_name(index: &Index, part: KeyPart) -> String {
    let suffix = match part {
        KeyPart::Partition => "PK",
        KeyPart::Sort => "SK",
    };
    let lower = index
        .key
        .attributes()
        .all(|a| a.name.chars().all(|c| !c.is_uppercase()));
    let stem = format!("{}{suffix}", index.name);
    let stem = if lower { stem.to_lowercase() } else { stem };
    let taken = |name: &str| index.key.attributes().any(|a| a.name == name);
    suggest::free_name(&stem, taken).replace(' ', "")
}

#[component]
fn Side(node: IndexNode, key: Memo<KeySchema>, part: KeyPart) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let is_local = node
        .index
        .with_untracked(|index| index.kind == IndexKind::Lsi);
    let (word, title) = match part {
        KeyPart::Partition => ("partition", "Partition key"),
        KeyPart::Sort => ("sort", "Sort key"),
    };
    let amount = memo(move |_| key.with(|key| side(key, part).len()));
    let least = match (part, is_local) {
        (KeyPart::Sort, false) => 0,
        _ => 1,
    };
    let row = move |at: usize| {
        let read = move |show: fn(&KeyAttribute) -> &str| {
            memo(move |_| {
                key.with(|key| {
                    side(key, part)
                        .get(at)
                        .map(show)
                        .unwrap_or_default()
                        .to_owned()
                })
            })
        };
        let remove = move |_| {
            let done = edit_index(store, id, "key", |index| {
                let attributes = side_mut(index, part);
                if at < attributes.len() {
                    attributes.remove(at);
                }
                Ok(())
            });
            store.complain_if_refused(done);
        };
        let name = read(|attribute| &attribute.name);
        let label = Signal::derive(move || match amount.get() {
            0 | 1 => title.to_owned(),
            _ => format!("{title} {}", at + 1),
        });
        view! {
            <div class="pair">
                <TextField
                    label=label
                    mono=true
                    value=name
                    commit=set_index(
                        store,
                        id,
                        "key",
                        move |index, text| {
                            if let Some(attribute) = side_mut(index, part).get_mut(at) {
                                attribute.name = text;
                            }
                            Ok(())
                        },
                    )
                />
                <Select
                    label=Signal::derive(move || format!("{} type", label.get()))
                    bare=true
                    value=read(|attribute| attribute.kind.letter())
                    options=key_types()
                    commit=set_index(
                        store,
                        id,
                        "key type",
                        move |index, letter| {
                            if let Some(attribute) = side_mut(index, part).get_mut(at) {
                                attribute.kind = key_type(&letter);
                            }
                            Ok(())
                        },
                    )
                />
                <Show when=move || { amount.get() > least }>
                    <button
                        type="button"
                        class="icon-button"
                        aria-label=move || format!("Remove {} from the key", name.get())
                        title="Remove from key"
                        on:click=remove
                    >
                        <Icon glyph=Glyph::Close />
                    </button>
                </Show>
            </div>
        }
    };
    let add = move |_| {
        let done = edit_index(store, id, "key", |index| {
            let attribute = KeyAttribute::text(free_name(index, part));
            side_mut(index, part).push(attribute);
            Ok(())
        });
        store.complain_if_refused(done);
        focus_last_soon(format!(".key-{word} .pair input"));
    };
    view! {
        <div class=format!("key-side key-{word}")>
            <For each=move || 0..amount.get() key=|at| *at let:at>
                {row(at)}
            </For>
            <Show when=move || !is_local && amount.get() < limits::MULTI_ATTRIBUTE_KEYS>
                <button type="button" class="button small add" on:click=add>
                    <Icon glyph=Glyph::Plus />
                    {format!("Add {word} attribute")}
                </button>
            </Show>
        </div>
    }
}
