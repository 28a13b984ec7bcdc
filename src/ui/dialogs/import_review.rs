//! What was found in imported files: tables, entities and templates, which the user may change before designs are made.

use super::import_design::{
    EntityOf, FIRST_SAMPLES, ImportDialog, MANY_SAMPLES, entity as entity_of,
};
use crate::ui::dom::focus::focus_if_lost;
use crate::ui::reactive::erased::{For, Memo, RwSignal, Show, memo};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::badge::badge;
use keyfold_core::counted::counted;
use keyfold_core::import::report::{Change, EntityReport, TableReport, TemplateReport};
use leptos::prelude::*;

/// Limit of shown notes.
const MAX_NOTES: usize = 200;
/// The values of the choice of how to split an entity; others are attributes.
const SPLIT_BY_KEYS: &str = "\u{0}keys";

/// What was found, table by table.
#[component]
pub(super) fn Review(dialog: ImportDialog) -> impl IntoView {
    // The button that was pressed is gone.
    focus_if_lost(".import-design .primary");
    let report = dialog.report;
    let is_any = memo(move |_| dialog.chosen.with(|all| all.contains(&true)));
    let action = move || {
        let count = dialog
            .chosen
            .with(|all| all.iter().filter(|one| **one).count());
        match count {
            0 | 1 => "Open as new design".to_owned(),
            count => format!("Open {count} new designs"),
        }
    };
    let tables = memo(move |_| report.with(|report| report.tables.len()));
    let formats = move || report.with(|report| report.formats.join(", "));
    let left_out =
        move || report.with(|report| notes("Not imported, or changed", &report.left_out));
    let assumed = move || report.with(|report| notes("Assumed", &report.assumed));
    let can_undo = memo(move |_| report.with(|report| report.can_undo));
    // What concerns no entity that is there.
    let problem = move || {
        let (of, why) = dialog.problem.get()?;
        let is_shown = report.with(|report| entity_of(report, of).is_some());
        (!is_shown).then_some(why)
    };
    let can_add = memo(move |_| dialog.can_add_items());
    let working = move || dialog.is_busy.get().then_some("Working…");
    view! {
        <form
            aria-busy=move || dialog.is_busy.get().to_string()
            on:submit=move |event| {
                event.prevent_default();
                dialog.import();
            }
        >
            <div class="import-found" role="region" aria-label="What was found" tabindex="0">
                <p class="import-format">{formats}</p>
                {move || (0..tables.get()).map(|at| table_view(dialog, at)).collect_view()}
                {left_out}
                {assumed}
            </div>
            <p class="import-state" role="status">
                {working}
                {problem}
            </p>
            <footer class="samples-foot">
                <button type="button" class="button" on:click=move |_| dialog.back()>
                    "Other files…"
                </button>
                <button
                    type="button"
                    class="button"
                    title="Undo the last change to the import"
                    disabled=move || !can_undo.get()
                    on:click=move |_| dialog.undo()
                >
                    <Icon glyph=Glyph::Undo />
                    "Undo change"
                </button>
                <button type="button" class="button" on:click=move |_| dialog.close()>
                    "Cancel"
                </button>
                <Show when=move || can_add.get()>
                    <button
                        type="button"
                        class="button"
                        title="Add the items to the open design as samples of its entities"
                        disabled=move || dialog.is_busy.get()
                        on:click=move |_| dialog.add_items()
                    >
                        "Add items to open design…"
                    </button>
                </Show>
                <button
                    type="submit"
                    class="button primary"
                    disabled=move || !is_any.get() || dialog.is_busy.get()
                >
                    {action}
                </button>
            </footer>
        </form>
    }
}

fn table_view(dialog: ImportDialog, at: usize) -> AnyView {
    let table = memo(move |_| {
        dialog.report.with(|report| {
            let table = report.tables.get(at).cloned().unwrap_or_default();
            TableReport {
                entities: Vec::new(),
                ..table
            }
        })
    });
    let entities = memo(move |_| {
        dialog.report.with(|report| {
            let entities = report.tables.get(at).map(|table| table.entities.iter());
            let ids = entities.into_iter().flatten().map(|entity| entity.id);
            ids.collect::<Vec<_>>()
        })
    });
    let is_several = dialog
        .report
        .with_untracked(|report| report.tables.len() > 1);
    let name = table.with_untracked(|table| table.name.clone());
    let heading = match is_several {
        true => view! {
            <label>
                <input
                    type="checkbox"
                    prop:checked=move || is_set(dialog.chosen, at)
                    on:change=move |event| set(dialog.chosen, at, event_target_checked(&event))
                />
                {name.clone()}
            </label>
        }
        .into_any(),
        false => name.clone().into_any(),
    };
    let counts = move || {
        table.with(|table| {
            [
                counted(entities.with(Vec::len), "entity", "entities"),
                counted(table.indexes, "index", "indexes"),
                counted(table.samples, "sample", "samples"),
                counted(table.patterns, "access pattern", "access patterns"),
            ]
            .join(", ")
        })
    };
    let changed = move || table.with(|table| notes("Changed", &table.notes));
    let is_large = move || table.with(|table| table.samples > MANY_SAMPLES);
    let samples = move || {
        is_large().then(|| {
            let first = format!("the first {FIRST_SAMPLES} of each entity");
            let all = table.with(|table| format!("all {} (slow)", table.samples));
            view! {
                <label class="import-samples">
                    "Samples: "
                    <select
                        prop:value=move || is_set(dialog.all_samples, at).to_string()
                        on:change=move |event| {
                            set(dialog.all_samples, at, event_target_value(&event) == "true");
                        }
                    >
                        <option value="false">{first}</option>
                        <option value="true">{all}</option>
                    </select>
                </label>
            }
        })
    };
    let picked = memo(move |_| {
        dialog.picked.with(|picked| {
            let of_table = picked.iter().filter(|(table, _)| *table == at);
            of_table.map(|(_, id)| *id).collect::<Vec<_>>()
        })
    });
    let merge = move |_| {
        let change = Change::Merge {
            entities: picked.get_untracked(),
        };
        let first = picked.with_untracked(|picked| picked.first().copied());
        dialog.edit((at, first.unwrap_or_default()), change);
    };
    view! {
        <section class="import-table" data-table=name>
            <h3>{heading}</h3>
            <p class="import-counts-line">{counts}</p>
            {samples}
            {changed}
            <ul class="import-entities">
                <For each=move || entities.get() key=|id| *id let:id>
                    {entity_view(dialog, (at, id))}
                </For>
            </ul>
            <Show when=move || { picked.with(|picked| picked.len() > 1) }>
                <button type="button" class="button import-merge" on:click=merge>
                    {move || format!("Merge {} entities", picked.with(Vec::len))}
                </button>
            </Show>
        </section>
    }
    .into_any()
}

/// An entity with its coverage, its templates and what can be done with it.
fn entity_view(dialog: ImportDialog, of: EntityOf) -> AnyView {
    let entity = memo(move |_| dialog.report.with(|report| entity_of(report, of).cloned()));
    // It may go while its view is still there.
    let read = move |read: fn(&EntityReport) -> String| {
        entity.with(|entity| entity.as_ref().map_or_else(String::new, read))
    };
    let name = memo(move |_| read(|entity| entity.name.clone()));
    let coverage = memo(move |_| {
        entity.with(|entity| {
            let entity = entity.as_ref()?;
            Some(entity.explained? as f64 / entity.items.max(1) as f64)
        })
    });
    let templates = memo(move |_| {
        entity.with(|entity| {
            let templates = entity.iter().flat_map(|entity| &entity.templates);
            templates.map(key_of).collect::<Vec<_>>()
        })
    });
    let free = memo(move |_| {
        entity.with(|entity| {
            let free = entity.iter().flat_map(|entity| &entity.free_keys);
            free.map(|key| (key.index.clone(), key.key.clone()))
                .collect::<Vec<_>>()
        })
    });
    let can_merge = memo(move |_| entity.with(|e| e.as_ref().is_some_and(|e| e.can_merge)));
    let pick = move |event| {
        let is_on = event_target_checked(&event);
        dialog.picked.update(|picked| {
            picked.retain(|other| *other != of);
            if is_on {
                picked.push(of);
            }
        });
    };
    let rename = move |event| {
        let typed = event_target_value(&event);
        // Without a name, the field is gone.
        if name.try_with_untracked(|name| *name != typed) == Some(true) {
            let change = Change::Rename {
                entity: of.1,
                name: typed,
            };
            dialog.edit(of, change);
        }
    };
    let problem = move || {
        let (at, why) = dialog.problem.get()?;
        (at == of).then(|| {
            view! {
                <p class="import-refused" role="alert">
                    {why}
                </p>
            }
        })
    };
    view! {
        <li data-import=move || name.get()>
            <div class="import-entity">
                <Show when=move || can_merge.get()>
                    <input
                        type="checkbox"
                        class="import-pick"
                        aria-label=move || format!("Select {} to merge it", name.get())
                        title="Select entities to merge them"
                        prop:checked=move || dialog.picked.with(|picked| picked.contains(&of))
                        on:change=pick
                    />
                </Show>
                <span class="badge" aria-hidden="true">
                    {move || badge(&name.get())}
                </span>
                <input
                    type="text"
                    class="import-name"
                    aria-label=move || format!("Name of {}", name.get())
                    spellcheck="false"
                    autocomplete="off"
                    prop:value=move || name.get()
                    on:change=rename
                />
                <span class="import-items">{move || read(items_text)}</span>
                {move || {
                    coverage
                        .get()
                        .map(|share| {
                            view! { <meter min="0" max="1" value=share aria-hidden="true"></meter> }
                        })
                }}
                {move || {
                    entity.with(|entity| entity.as_ref().and_then(|e| split_view(dialog, of, e)))
                }}
            </div>
            {problem}
            <ul class="import-templates">
                <For each=move || templates.get() key=|key| key.clone() let:key>
                    {template_view(dialog, of, entity, key)}
                </For>
                <For each=move || free.get() key=|key| key.clone() let:key>
                    {free_view(dialog, of, key.1)}
                </For>
                {move || {
                    entity
                        .with(|entity| {
                            let rest = entity.iter().filter(|entity| entity.templates.is_empty());
                            rest.flat_map(|entity| entity.examples.iter().take(3))
                                .map(|key| view! { <li class="import-example">{key.clone()}</li> })
                                .collect_view()
                        })
                }}
            </ul>
        </li>
    }
    .into_any()
}

/// A template's index and key attribute.
type KeyOf = (Option<String>, String);

fn key_of(template: &TemplateReport) -> KeyOf {
    (template.index.clone(), template.key.clone())
}

fn items_text(entity: &EntityReport) -> String {
    let items = counted(entity.items, "item", "items");
    match entity.explained {
        None => items,
        Some(explained) if explained == entity.items => {
            format!("{items}, all explained by the templates")
        }
        Some(explained) => format!("{items}, {explained} explained by the templates"),
    }
}

/// The choice of how to split an entity.
fn split_view(dialog: ImportDialog, of: EntityOf, entity: &EntityReport) -> Option<AnyView> {
    let by = (entity.split_by.iter())
        .map(|name| view! { <option value=name.clone()>{format!("by {name}")}</option> })
        .collect_view();
    let split = move |event| {
        let chosen = event_target_value(&event);
        if chosen.is_empty() {
            return;
        }
        let by = (chosen != SPLIT_BY_KEYS).then_some(chosen);
        let change = Change::Split { entity: of.1, by };
        dialog.edit(of, change);
    };
    entity.can_split.then(|| {
        view! {
            <select
                class="import-split"
                aria-label=format!("Split {}", entity.name)
                prop:value=""
                on:change=split
            >
                <option value="">"Split…"</option>
                <option value=SPLIT_BY_KEYS>"by key structure"</option>
                {by}
            </select>
        }
        .into_any()
    })
}

fn template_view(
    dialog: ImportDialog,
    of: EntityOf,
    entity: Memo<Option<EntityReport>>,
    key: KeyOf,
) -> AnyView {
    let name = key.1.clone();
    let template = memo(move |_| {
        entity.with(|entity| {
            let mut templates = entity.iter().flat_map(|entity| &entity.templates);
            templates.find(|one| key_of(one) == key).cloned()
        })
    });
    let text = memo(move |_| {
        template.with(|t| t.as_ref().map_or_else(String::new, |t| t.template.clone()))
    });
    let misses = move || {
        template.with(|template| {
            let keys = template.iter().flat_map(|template| &template.unexplained);
            keys.map(|key| view! { <li class="import-miss">"not " {key.clone()}</li> })
                .collect_view()
        })
    };
    view! {
        <li>{template_field(dialog, of, name, text)}</li>
        {misses}
    }
    .into_any()
}

/// The field of a template.
fn template_field(dialog: ImportDialog, of: EntityOf, key: String, text: Memo<String>) -> AnyView {
    let label = format!("Template of {key}");
    let head = format!("{key} = ");
    let write = move |event| {
        let typed = event_target_value(&event);
        // Without a text, the field is gone.
        if text.try_with_untracked(|text| *text != typed) == Some(true) {
            let template = (!typed.trim().is_empty()).then_some(typed);
            let change = Change::SetTemplate {
                entity: of.1,
                key: key.clone(),
                template,
            };
            dialog.edit(of, change);
        }
    };
    view! {
        <label class="import-template">
            <code>{head}</code>
            <input
                type="text"
                class="mono"
                aria-label=label
                spellcheck="false"
                autocomplete="off"
                autocapitalize="off"
                prop:value=move || text.get()
                on:change=write
            />
        </label>
    }
    .into_any()
}

/// A key attribute without a template.
fn free_view(dialog: ImportDialog, of: EntityOf, key: String) -> AnyView {
    let is_open = RwSignal::new(false);
    let none = memo(|_| String::new());
    let label = format!("Add template for {key}");
    view! {
        <li>
            {move || match is_open.get() {
                true => template_field(dialog, of, key.clone(), none),
                false => {
                    view! {
                        <button type="button" class="link" on:click=move |_| is_open.set(true)>
                            {label.clone()}
                        </button>
                    }
                        .into_any()
                }
            }}
        </li>
    }
    .into_any()
}

fn is_set(flags: RwSignal<Vec<bool>>, at: usize) -> bool {
    flags.with(|flags| flags.get(at) == Some(&true))
}

fn set(flags: RwSignal<Vec<bool>>, at: usize, is_on: bool) {
    flags.update(|flags| {
        if let Some(one) = flags.get_mut(at) {
            *one = is_on;
        }
    });
}

fn notes(title: &'static str, notes: &[String]) -> Option<AnyView> {
    let more = notes.len().saturating_sub(MAX_NOTES);
    let shown: Vec<_> = (notes.iter().take(MAX_NOTES))
        .map(|note| view! { <li>{note.clone()}</li> })
        .collect();
    (!notes.is_empty()).then(|| {
        view! {
            <section class="import-notes" data-notes=title>
                <h3>{format!("{title}: {}", notes.len())}</h3>
                <ul>{shown}</ul>
                {(more > 0).then(|| view! { <p>{format!("and {more} more")}</p> })}
            </section>
        }
        .into_any()
    })
}
