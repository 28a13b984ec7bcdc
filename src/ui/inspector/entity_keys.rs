//! The keys of an entity: a block with templates for the primary key and for each index it is in.

use super::add_to_index::AddToIndex;
use super::section::Section;
use super::sparse_conditions::Conditions;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::state::finding_mark::Mark;
use crate::ui::state::navigate::{focus_entry, show_problem_at};
use crate::ui::state::page_state::use_page;
use crate::ui::state::store::{EntityNode, Store, use_store};
use crate::ui::widgets::finding_marks::FieldNote;
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::in_code;
use crate::ui::widgets::template_field::TemplateField;
use keyfold_app::geometry::{ENTITY_WIDTH, INDEX_WIDTH, index_height};
use keyfold_app::viewport::{Detail, rounded};
use keyfold_app::{Command, fixes, placement, suggest};
use keyfold_core::engine::{Item, Items, Problem, ProblemKind};
use keyfold_core::lint::{Fix, Place};
use keyfold_core::model::{
    CardId, Entity, EntityId, IndexEntry, IndexId, IndexKind, KeyPart, KeySchema,
};
use keyfold_core::template::{self, MODIFIERS};
use leptos::prelude::*;
use web_sys::HtmlDetailsElement;

/// The template focused last; the attributes are offered below it.
type Entered = RwSignal<Option<(IndexId, KeyPart)>>;

/// All keys of an entity.
#[component]
pub fn Keys(
    /// The entity.
    node: EntityNode,
) -> impl IntoView {
    let entered: Entered = RwSignal::new(None);
    let indexes = memo({
        let entity = node.entity.clone();
        move |_| {
            let joined = entity.with(|entity| entity.keys.keys().copied().collect::<Vec<_>>());
            let secondary = joined.into_iter().filter(|id| !id.is_primary());
            std::iter::once(IndexId::PRIMARY)
                .chain(secondary)
                .collect::<Vec<_>>()
        }
    });
    let block = {
        let node = node.clone();
        move |index| view! { <Block node=node.clone() index=index entered=entered /> }
    };
    view! {
        <Section title="Keys" open=true>
            <For each=move || indexes.get() key=|index| *index let:index>
                {block(index)}
            </For>
            <JoinIndex node=node />
            <TemplateHelp />
        </Section>
    }
}

/// The syntax of templates, made when it is opened.
#[component]
fn TemplateHelp() -> impl IntoView {
    let open = RwSignal::new(false);
    let syntax = move || {
        open.get().then(|| {
            view! {
                <p>
                    "Text is literal. " <code>"{attribute}"</code>
                    " inserts the attribute's value. Write " <code>"{{"</code> " and "
                    <code>"}}"</code> " for literal braces. Add modifiers after a colon, joined by "
                    <code>"|"</code> ": " <code>"{email:lower|first(3)}"</code>
                </p>
                <dl>
                    {MODIFIERS
                        .iter()
                        .map(|(form, what)| {
                            view! {
                                <dt>
                                    <code>{*form}</code>
                                </dt>
                                <dd>{*what}</dd>
                            }
                        })
                        .collect_view()}
                </dl>
            }
        })
    };
    view! {
        <details
            class="template-help"
            on:toggle=move |event| open.set(event_target::<HtmlDetailsElement>(&event).open())
        >
            <summary>"Template syntax"</summary>
            {syntax}
        </details>
    }
}

/// Returns the current key schema of an index.
fn key_of(store: Store, index: IndexId) -> Memo<Option<KeySchema>> {
    let node = store.index(index);
    memo(move |_| match &node {
        Some(node) => Some(node.index.with(|index| index.key.clone())),
        None if index.is_primary() => Some(store.table.with(|table| table.key.clone())),
        None => None,
    })
}

/// One entry of the entity.
#[component]
fn Block(node: EntityNode, index: IndexId, entered: Entered) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let key = key_of(store, index);
    let index_node = store.index(index);
    let is_local = (index_node.as_ref()).is_some_and(|node| {
        node.index
            .with_untracked(|index| index.kind == IndexKind::Lsi)
    });
    let name = memo(move |_| match &index_node {
        Some(node) => node.index.with(|index| index.name.clone()),
        None => "Table".to_owned(),
    });
    let has_entry = memo({
        let entity = node.entity.clone();
        move |_| entity.with(|entity| entity.keys.contains_key(&index))
    });
    let is_multi =
        memo(move |_| key.with(|key| key.as_ref().is_some_and(KeySchema::is_multi_attribute)));
    let has_sort = memo(move |_| key.with(|key| key.as_ref().is_some_and(|k| !k.sort.is_empty())));
    let add_templates = move |_| {
        let entry = store.with(|design| suggest::index_entry(design, id, index));
        store.complain_if_refused(store.run(Command::JoinIndex(id, index, entry)));
    };
    let leave = move |_| store.complain_if_refused(store.run(Command::LeaveIndex(id, index)));
    let parts = {
        let node = node.clone();
        move || {
            let part = |part| {
                view! { <Part node=node.clone() index=index part=part name=name key=key entered=entered /> }
            };
            match (has_entry.get(), is_multi.get()) {
                (false, _) => view! {
                    <p class="hint">"No templates: items of this entity have no key."</p>
                    <button type="button" class="button small add" on:click=add_templates>
                        <Icon glyph=Glyph::Plus />
                        "Add key templates"
                    </button>
                }
                .into_any(),
                (true, true) => view! { <PlainKey node=node.clone() key=key /> }.into_any(),
                (true, false) => view! {
                    {(!is_local).then(|| part(KeyPart::Partition))}
                    {has_sort.get().then(|| part(KeyPart::Sort))}
                }
                .into_any(),
            }
        }
    };
    view! {
        <fieldset class="key-block" data-block=format!("{id}-{index}")>
            <legend>
                <button
                    type="button"
                    class="link"
                    title="Show in the inspector"
                    on:click=move |_| store.select(CardId::Index(index))
                >
                    {move || name.get()}
                </button>
            </legend>
            {(!index.is_primary())
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="icon-button leave"
                            aria-label=move || format!("Remove from {}", name.get())
                            title="Remove the entity from this index"
                            on:click=leave
                        >
                            <Icon glyph=Glyph::Close />
                        </button>
                    }
                })}
            {parts}
            {(!index.is_primary()).then(|| view! { <Conditions node=node.clone() index=index /> })}
        </fieldset>
    }
}

/// Returns an entry's template for one key part.
fn side(entry: &IndexEntry, part: KeyPart) -> &Option<String> {
    match part {
        KeyPart::Partition => &entry.partition,
        KeyPart::Sort => &entry.sort,
    }
}

/// One template, or a note that there is none.
#[component]
fn Part(
    node: EntityNode,
    index: IndexId,
    part: KeyPart,
    name: Memo<String>,
    key: Memo<Option<KeySchema>>,
    entered: Entered,
) -> impl IntoView {
    let store = use_store();
    let id = node.id;
    let attribute = memo(move |_| {
        key.with(|key| {
            let key = key.as_ref()?;
            let attribute = match part {
                KeyPart::Partition => key.partition.first(),
                KeyPart::Sort => key.sort.first(),
            };
            attribute.map(|attribute| attribute.name.clone())
        })
        .unwrap_or_default()
    });
    let text = memo({
        let entity = node.entity.clone();
        move |_| {
            entity.with(|entity| {
                (entity.keys.get(&index)).and_then(|entry| side(entry, part).clone())
            })
        }
    });
    let written = memo(move |_| text.with(Option::is_some));
    let word = part.label();
    let unknown = memo({
        let entity = node.entity.clone();
        move |_| {
            let type_attribute = store.table.with(|table| table.type_attribute.clone());
            let known = |entity: &Entity, name: &str| {
                entity.attribute(name).is_some() || type_attribute.as_deref() == Some(name)
            };
            let template = template::parse(&text.get()?).template;
            entity.with(|entity| {
                let name = template.attributes().find(|name| !known(entity, name))?;
                Some(format!(
                    "{} has no attribute `{name}`: add it under Attributes, or use one of: {}",
                    entity.name,
                    joined(entity)
                ))
            })
        }
    });
    let problem = memo({
        let items = node.items.clone();
        move |_| {
            let of_items = || items.with(|items| first_problem(items, index, part));
            unknown.get().or_else(of_items)
        }
    });
    let names = memo({
        let entity = node.entity.clone();
        move |_| {
            entity.with(|e| {
                e.attributes
                    .iter()
                    .map(|a| a.name.clone())
                    .collect::<Vec<_>>()
            })
        }
    });
    let set = move |text: Option<String>| {
        let done = store.run(Command::SetTemplate {
            entity: id,
            index,
            part,
            text,
        });
        store.complain_if_refused(done);
    };
    let remove = move |_| set(None);
    let write = move |_| {
        set(Some(
            store.with(|design| suggest::template(design, id, index, part)),
        ));
    };
    let place = Place::Template(id, index, part);
    let found = memo(move |_| store.findings.of_field(place));
    let grave = memo(move |_| store.findings.at(place).filter(Mark::is_grave));
    let page = use_page();
    let show_problem = Callback::new(move |()| show_problem_at(store, page, place));
    let here = Some((index, part));
    // The chips of a focused field stay afterwards: removing them would move the fields below under the pointer.
    let offering = memo(move |before| before == Some(&true) || entered.get() == here);
    view! {
        <Show
            when=move || written.get()
            fallback=move || {
                view! {
                    <div class="template-none" data-place=place.to_string()>
                        <span class="template-label">{move || attribute.get()}</span>
                        <span class="hint">
                            "No template: the item supplies the value"
                            <button type="button" class="link" on:click=write>
                                "Add template"
                            </button>
                        </span>
                        {move || {
                            problem.get().map(|text| view! { <p class="field-error">{text}</p> })
                        }}
                    </div>
                }
            }
        >
            <div class="template-line" data-place=place.to_string()>
                <TemplateField
                    label=Signal::derive(move || {
                        format!("{} {word} {}", name.get(), attribute.get())
                    })
                    short=attribute
                    text=Signal::derive(move || text.get().unwrap_or_default())
                    edit=Callback::new(move |text| set(Some(text)))
                    problem=problem
                    found=found
                    attributes=names
                    offering=offering
                    on_enter=Callback::new(move |()| entered.set(here))
                />
                <button
                    type="button"
                    class="icon-button"
                    aria-label=move || format!("Remove template of {}", attribute.get())
                    title="Remove the template: the item supplies the value"
                    on:click=remove
                >
                    <Icon glyph=Glyph::Minus />
                </button>
            </div>
            <Repairs place=place />
            // Not repeated if the field reports it itself.
            <Show when=move || problem.with(Option::is_none)>
                <FieldNote mark=grave go=show_problem />
            </Show>
        </Show>
    }
}

/// Buttons below a template that fix its findings with one press. Fixes that delete or move something are left to the
/// list of problems, which shows what they change.
#[component]
fn Repairs(place: Place) -> impl IntoView {
    let store = use_store();
    let fixes = memo(move |_| {
        let mut fixes: Vec<(String, Fix)> = Vec::new();
        store.findings.report.with(|report| {
            let here = report.open().filter(|finding| finding.place == place);
            for fix in here.filter_map(|finding| finding.fix.clone()) {
                let label = store.with(|design| fixes::repair_label(design, &fix));
                if let Some(label) = label.filter(|_| fixes.iter().all(|(_, other)| *other != fix))
                {
                    fixes.push((label, fix));
                }
            }
        });
        fixes
    });
    let each = move || fixes.get();
    view! {
        <Show when=move || fixes.with(|fixes| !fixes.is_empty())>
            <div class="template-repairs" role="group" aria-label="Repairs">
                <For each=each key=|(label, _)| label.clone() let((label, fix))>
                    <button
                        type="button"
                        class="button small"
                        on:click=move |_| store.perform(fixes::command(fix.clone()))
                    >
                        <Icon glyph=Glyph::Check />
                        {in_code(&label)}
                    </button>
                </For>
            </div>
        </Show>
    }
}

/// Returns the first problem of the rows with a key part, and how many rows have one. A template that does not parse
/// reports that itself.
fn first_problem(items: &Items, index: IndexId, part: KeyPart) -> Option<String> {
    let is_here = |problem: &&Problem| {
        problem.index == index
            && problem.part == Some(part)
            && problem.kind != ProblemKind::Template
    };
    let here = |(item, _): &(Item, usize)| item.problems().iter().any(|problem| is_here(&problem));
    let mut found = items.runs_with_problems().filter(here);
    let (first, count) = found.next()?;
    let first = &first.problems().iter().find(is_here)?.message;
    let failing = count + found.map(|(_, count)| count).sum::<usize>();
    let rows = if items.len() == 1 {
        "sample"
    } else {
        "samples"
    };
    Some(format!("{failing} of {} {rows}: {first}", items.len()))
}

/// The attributes of a multi-attribute key, and which ones the entity lacks.
#[component]
fn PlainKey(node: EntityNode, key: Memo<Option<KeySchema>>) -> impl IntoView {
    let rows = move || {
        node.entity.with(|entity| {
            key.with(|key| {
                (key.iter().flat_map(KeySchema::attributes))
                    .map(|attribute| {
                        let note = match entity.attribute(&attribute.name) {
                            None => Some("add this attribute to the entity".to_owned()),
                            Some(own) if own.kind != attribute.kind.into() => Some(format!(
                                "type is {} here and {} in the key",
                                own.kind,
                                attribute.kind.letter()
                            )),
                            Some(_) => None,
                        };
                        view! {
                            <li>
                                <code>{attribute.name.clone()}</code>
                                {note.map(|note| view! { <span class="field-error">{note}</span> })}
                            </li>
                        }
                    })
                    .collect_view()
            })
        })
    };
    view! {
        <p class="hint">"Plain attributes form this key, without templates:"</p>
        <ul class="plain-key">{rows}</ul>
    }
}

/// A select of the indexes that the entity is not in.
#[component]
fn JoinIndex(node: EntityNode) -> impl IntoView {
    const NEW: &str = "new";
    let store = use_store();
    let id = node.id;
    let entity = node.entity;
    let free = memo(move |_| {
        let joined = entity.with(|entity| entity.keys.keys().copied().collect::<Vec<_>>());
        let mut free: Vec<(String, String)> = (store.index_ids.get().into_iter())
            .filter(|index| !joined.contains(index))
            .filter_map(|index| store.index(index))
            .map(|node| {
                (
                    node.id.to_string(),
                    node.index.with(|index| index.name.clone()),
                )
            })
            .collect();
        free.push((NEW.into(), "New GSI".into()));
        free
    });
    let join = move |choice: String| {
        let done = match choice.parse::<IndexId>() {
            Ok(index) => {
                let entry = store.with(|design| suggest::index_entry(design, id, index));
                (store.run(Command::JoinIndex(id, index, entry))).map(|()| Some(index))
            }
            Err(_) => (store.run(store.with(|design| new_gsi(design, id))))
                .map(|()| store.with(|design| design.index_ids().last())),
        };
        match done {
            Ok(Some(index)) => focus_entry(id, index),
            done => store.complain_if_refused(done.map(drop)),
        }
    };
    view! { <AddToIndex label="Index to add entity to" options=free choose=Callback::new(join) /> }
}

/// Returns the command that adds an index with this entity in it, beside the entity's card.
fn new_gsi(design: &keyfold_core::model::Design, id: EntityId) -> Command {
    let index = suggest::new_index(design, IndexKind::Gsi);
    let entry = suggest::entry_for(design, id, &index);
    let card = design
        .layout
        .get(&CardId::Entity(id))
        .copied()
        .unwrap_or_default();
    let wanted = (f64::from(card.x) + ENTITY_WIDTH + 96.0, f64::from(card.y));
    let height = index_height(&index.key, Detail::All);
    let (x, y) = placement::free_place(design, wanted, (INDEX_WIDTH, height), None);
    Command::AddIndexFor {
        index: Box::new(index),
        at: rounded(x, y),
        entity: id,
        entry,
    }
}

/// Returns the names of an entity's attributes in one line.
fn joined(entity: &Entity) -> String {
    let names: Vec<&str> = entity.attributes.iter().map(|a| a.name.as_str()).collect();
    names.join(", ")
}
