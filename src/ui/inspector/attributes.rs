//! The attributes of an entity: one row each that expands.

use super::edit;
use super::edit::{focus_last_soon, set_attribute};
use super::sample_format::FormatEditor;
use super::section::Section;
use crate::ui::dom::element::{closest, target_of};
use crate::ui::reactive::erased::{For, Memo, RwSignal, memo};
use crate::ui::reactive::later::next_frame_with;
use crate::ui::state::store::{EntityNode, Store, use_store};
use crate::ui::widgets::field::{Select, TextArea, TextField, Toggle};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::attribute_list::{self, type_from_name};
use keyfold_app::{Command, retype, suggest};
use keyfold_core::lint::Place;
use keyfold_core::model::{Attribute, AttributeId, AttributeType, EntityId};
use leptos::ev;
use leptos::prelude::*;
use leptos::wasm_bindgen::JsCast;
use web_sys::Element;

/// The options of a select for the type of an attribute.
fn types() -> Vec<(String, String)> {
    (AttributeType::ALL.iter())
        .map(|kind| (kind.word().to_owned(), kind.label().to_owned()))
        .collect()
}

/// All attributes of an entity.
#[component]
pub fn Attributes(
    /// The entity.
    node: EntityNode,
) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let ids = memo({
        let entity = node.entity.clone();
        move |_| entity.with(|e| e.attributes.iter().map(|a| a.id).collect::<Vec<_>>())
    });
    // Whether Enter adds the next row.
    let begins = StoredValue::new(false);
    let add = {
        let node = node.clone();
        move |_| add_attribute(store, &node)
    };
    // A list that is pasted where an attribute's name is entered, or on the button.
    let paste = {
        let node = node.clone();
        move |event: ev::ClipboardEvent| {
            let pasted = format!("{NAME_FIELD}, .add-attribute");
            let Some(target) =
                target_of(&event).filter(|target| closest(target, &pasted).is_some())
            else {
                return;
            };
            let data = event.clipboard_data();
            let text = data
                .and_then(|data| data.get_data("text/plain").ok())
                .unwrap_or_default();
            let list = attribute_list::parse(&text);
            if list.len() < 2 {
                return;
            }
            event.prevent_default();
            event.stop_propagation();
            // The attribute that has no name of its own yet becomes the first one.
            let row = closest(&target, "[data-attribute]");
            let own = row.and_then(|row| row.get_attribute("data-attribute")?.parse().ok());
            let unnamed = node.entity.with_untracked(|entity| {
                let own = entity.attributes.iter().find(|a| Some(a.id) == own);
                own.filter(|a| suggest::is_attribute_name(&a.name))
                    .map(|a| a.id)
            });
            let command = store.with(|design| attribute_list::add(design, id, unnamed, &list));
            let done = command.and_then(|command| store.run(command));
            if done.is_ok() {
                store.offer_undo();
            }
            store.complain_if_refused(done);
            focus_name_of_last(&node);
        }
    };
    view! {
        <Section
            title="Attributes"
            open=true
            summary=Signal::derive(move || ids.with(|ids| ids.len().to_string()))
        >
            <div class="attribute-head" aria-hidden="true">
                <span></span>
                <span>"Name"</span>
                <span>"Type"</span>
                <span title="Required: every item has the attribute">"Req."</span>
            </div>
            <div class="attribute-list" on:paste=paste.clone()>
                <For each=move || ids.get() key=|id| *id let:attribute>
                    <Row node=node.clone() id=attribute ids=ids begins=begins />
                </For>
            </div>
            <button
                type="button"
                class="button small add add-attribute"
                title="Add an attribute (Enter in a name). Paste a list to add several: one “name type” or “name format” per line."
                on:click=add
                on:paste=paste
            >
                <Icon glyph=Glyph::Plus />
                "Add attribute"
            </button>
        </Section>
    }
}

/// Where the name of an attribute is entered.
const NAME_FIELD: &str = ".attribute-row input[type=text]";

/// Adds an attribute with a free name, and selects the name.
fn add_attribute(store: Store, node: &EntityNode) {
    let name = (node.entity).with_untracked(|entity| suggest::attribute_name(entity));
    let attribute = Attribute::new(AttributeId(0), name, AttributeType::S);
    store.complain_if_refused(store.run(Command::AddAttribute(node.id, attribute)));
    focus_name_of_last(node);
}

fn focus_name_of_last(node: &EntityNode) {
    let last = (node.entity).with_untracked(|entity| entity.attributes.last().map(|a| a.id));
    if let Some(last) = last {
        focus_last_soon(format!("[data-attribute=\"{last}\"] {NAME_FIELD}"));
    }
}

/// Takes back an attribute that Enter began, if the keyboard focus has left its row while it has no name.
fn take_back_unnamed((store, entity, id): (Store, EntityId, AttributeId)) {
    let focus = document().active_element();
    if focus.is_none_or(|focus| is_outside(&focus, id)) {
        take_back_if_unnamed(store, entity, id);
    }
}

/// Whether an element with the keyboard focus is neither in the row of an attribute nor the button for undo.
fn is_outside(focus: &Element, id: AttributeId) -> bool {
    let stays = format!("[data-attribute=\"{id}\"], [aria-label=Undo]");
    closest(focus, &stays).is_none()
}

fn take_back_if_unnamed(store: Store, entity: EntityId, id: AttributeId) {
    let is_unnamed = store.with(|design| {
        let entity = design.entities.get(&entity);
        let last = entity.and_then(|entity| entity.attributes.last());
        last.is_some_and(|last| {
            suggest::is_attribute_name(&last.name)
                && *last == Attribute::new(id, last.name.clone(), AttributeType::S)
        })
    });
    let added = Command::AddAttribute(entity, Attribute::new(id, "", AttributeType::S)).label();
    if is_unnamed && store.undo_label.get_untracked() == Some(added) {
        // The last step may be that of another tab.
        store.take_back(|before| {
            let entity = before.entities.get(&entity);
            entity.is_some_and(|entity| entity.attributes.iter().all(|one| one.id != id))
        });
    }
}

#[component]
fn Row(
    node: EntityNode,
    id: AttributeId,
    ids: Memo<Vec<AttributeId>>,
    begins: StoredValue<bool>,
) -> impl IntoView {
    let store = use_store();
    let entity = node.id;
    let is_begun = begins.get_value();
    begins.set_value(false);
    let leave = move || {
        if is_begun {
            next_frame_with((store, entity, id), take_back_unnamed);
        }
    };
    // The row also goes when another card is selected.
    on_cleanup(leave);
    let attribute = edit::attribute(&node, id);
    let name = memo(move |_| attribute.with(|a| a.name.clone()));
    let open = RwSignal::new(false);
    // While the first name of an attribute is entered, its type follows.
    let is_new = StoredValue::new(false);
    let position = move || ids.with_untracked(|ids| ids.iter().position(|other| *other == id));
    // A button that moves with its row loses the focus.
    let shift = move |by: isize, then_focus: String| {
        let to = position().and_then(|at| at.checked_add_signed(by));
        if let Some(to) = to.filter(|to| *to < ids.with_untracked(Vec::len)) {
            store.complain_if_refused(store.run(Command::MoveAttribute(entity, id, to)));
            focus_last_soon(format!("[data-attribute=\"{id}\"] {then_focus}"));
        }
    };
    let begins_next = {
        let node = node.clone();
        move |event: &ev::KeyboardEvent| {
            let target = target_of(event);
            // A name that is refused stays in its field.
            let accepted = format!("{NAME_FIELD}:not([aria-invalid=true])");
            let in_name = target.is_some_and(|target| closest(&target, &accepted).is_some());
            // One without a name of its own is the next one already.
            if in_name
                && !event.is_composing()
                && !suggest::is_attribute_name(&name.get_untracked())
            {
                event.prevent_default();
                begins.set_value(true);
                add_attribute(store, &node);
            }
        }
    };
    let on_key = move |event: ev::KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowUp" => -1,
            "ArrowDown" => 1,
            "Enter" => return begins_next(&event),
            _ => return,
        };
        if event.alt_key() {
            event.prevent_default();
            shift(by, NAME_FIELD.into());
        }
    };
    let button = move |label: &'static str, glyph: Glyph, by: isize, class: &'static str| {
        let able = move || {
            let at = ids.with(|ids| ids.iter().position(|other| *other == id));
            let to = at.and_then(|at| at.checked_add_signed(by));
            to.is_some_and(|to| to < ids.with(Vec::len))
        };
        view! {
            <button
                type="button"
                class=format!("button small {class}")
                aria-label=move || format!("{label} {}", name.get())
                disabled=move || !able()
                on:click=move |_| shift(by, format!(".{class}"))
            >
                <Icon glyph=glyph />
                {label}
            </button>
        }
    };
    // Focuses the same button of the next row, or of the previous one.
    let remove = move |_| {
        let at = position().unwrap_or_default();
        store.complain_if_refused(store.run(Command::DeleteAttribute(entity, id)));
        let next = ids.with_untracked(|ids| ids.get(at).or(ids.last()).copied());
        focus_last_soon(match next {
            Some(next) => format!("[data-attribute=\"{next}\"] .remove"),
            None => ".add-attribute".into(),
        });
    };
    let details = move || {
        view! {
            <div class="attribute-details">
                <TextArea
                    label="Description"
                    value=Signal::derive(move || attribute.with(|a| a.description.clone()))
                    commit=set_attribute(
                        store,
                        entity,
                        id,
                        "description",
                        |attribute, text| {
                            attribute.description = text;
                            Ok(())
                        },
                    )
                />
                <FormatEditor entity=entity attribute=attribute />
                <Toggle
                    label="Key-only: items do not store it, their keys have the value"
                    on=Signal::derive(move || attribute.with(|a| a.key_only))
                    commit=Callback::new(move |on| {
                        let done = store.run(Command::SetKeyOnly(entity, id, on));
                        store.complain_if_refused(done);
                    })
                />
                <div class="button-row">
                    {button("Move up", Glyph::ChevronUp, -1, "move-up")}
                    {button("Move down", Glyph::ChevronDown, 1, "move-down")}
                </div>
            </div>
        }
    };
    view! {
        <div
            class="attribute"
            class:open=move || open.get()
            data-attribute=id.to_string()
            data-place=Place::Attribute(entity, id).to_string()
            on:keydown=on_key
            on:focusout=move |event| {
                let next = event.related_target().and_then(|next| next.dyn_into::<Element>().ok());
                match next {
                    Some(next) if is_begun && is_outside(&next, id) => {
                        take_back_if_unnamed(store, entity, id);
                    }
                    _ => leave(),
                }
            }
            on:focusin=move |_| {
                let unnamed = |a: &Attribute| {
                    a.kind == AttributeType::S && suggest::is_attribute_name(&a.name)
                };
                is_new.set_value(attribute.with_untracked(unnamed));
            }
        >
            <div class="attribute-row">
                <button
                    type="button"
                    class="icon-button fold"
                    aria-expanded=move || open.get().to_string()
                    aria-label=move || format!("Description and format of {}", name.get())
                    title="Description and format (Alt+↑ or Alt+↓ moves the attribute)"
                    on:click=move |_| open.update(|open| *open = !*open)
                >
                    <Icon glyph=Glyph::ChevronRight />
                </button>
                <TextField
                    label="Attribute name"
                    bare=true
                    mono=true
                    value=name
                    commit=set_attribute(
                        store,
                        entity,
                        id,
                        "name",
                        move |attribute, name| {
                            if is_new.get_value() {
                                attribute.kind = type_from_name(&name);
                            }
                            attribute.name = name;
                            Ok(())
                        },
                    )
                />
                <Select
                    label=Signal::derive(move || format!("Type of {}", name.get()))
                    bare=true
                    value=Signal::derive(move || attribute.with(|a| a.kind.word().to_owned()))
                    options=Signal::stored(types())
                    commit=Callback::new(move |word: String| {
                        let kind = AttributeType::from_word(&word).unwrap_or_default();
                        set_type(store, entity, id, kind)
                    })
                />
                <Toggle
                    label=Signal::derive(move || format!("{} is required", name.get()))
                    bare=true
                    on=Signal::derive(move || attribute.with(|a| a.required))
                    commit=Callback::new(move |on| {
                        let done = edit::edit_attribute(
                            store,
                            entity,
                            id,
                            "required",
                            |attribute| {
                                attribute.required = on;
                                Ok(())
                            },
                        );
                        store.complain_if_refused(done);
                    })
                />
                <button
                    type="button"
                    class="icon-button remove"
                    aria-label=move || format!("Delete {}", name.get())
                    title="Delete the attribute and its values"
                    on:click=remove
                >
                    <Icon glyph=Glyph::Close />
                </button>
            </div>
            {move || open.get().then(details)}
        </div>
    }
}

/// Maximum number of lines in the notice about a new type.
const MOST_LINES: usize = 12;

/// Changes an attribute's type and reports what happened to its values.
fn set_type(store: Store, entity: EntityId, id: AttributeId, kind: AttributeType) -> edit::Edited {
    let retyped = store.with(|design| retype::preview(design, entity, id, kind));
    let mut name = String::new();
    edit::edit_attribute(store, entity, id, "type", |attribute| {
        name.clone_from(&attribute.name);
        attribute.kind = kind;
        Ok(())
    })?;
    let Some(retyped) = retyped else {
        return Ok(());
    };
    let mut lines = retyped.lines();
    if lines.is_empty() {
        return Ok(());
    }
    lines.insert(0, format!("`{name}` is now of type {}:", kind.label()));
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES;
        lines.truncate(MOST_LINES);
        lines.push(format!("and {more} more"));
    }
    let text = lines.join("\n");
    match retyped.kept.is_empty() && retyped.remarks.is_empty() {
        true => store.notices.say(text),
        false => store.notices.keep(text),
    }
    Ok(())
}
