//! The coverage matrix: access patterns and entities against the table and its indexes.

use super::list::verdict_mark;
use crate::ui::reactive::erased::{RwSignal, memo};
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use keyfold_app::badge::badge;
use keyfold_core::model::{AccessPatternId, IndexId};
use keyfold_core::proof::{Cover, Coverage};
use leptos::prelude::*;

/// The matrix.
#[component]
pub fn CoverageView(
    /// Whether the matrix is shown, instead of the list.
    shown: RwSignal<bool>,
) -> impl IntoView {
    let store = use_store();
    let page = use_page();
    store.look_at_coverage();
    let show = Callback::new(move |id: AccessPatternId| {
        store.proofs.selected.set(Some(id));
        shown.set(false);
    });
    let open = Callback::new(move |index: IndexId| page.show(Tab::Items(index)));
    let names = memo(move |_| {
        let coverage = store.proofs.coverage;
        coverage.with(|coverage| Some(names(store, coverage.as_ref()?)))
    });
    let tables = move || {
        store.proofs.coverage.with(|coverage| {
            let coverage = coverage.as_ref()?;
            names.with(|names| Some(tables(names.as_ref()?, coverage, show, open)))
        })
    };
    view! {
        <div class="coverage" role="group" aria-label="Coverage" tabindex="0">
            {tables}
        </div>
    }
}

/// What the rows and columns of a matrix are called, in its order.
#[derive(PartialEq)]
struct Names {
    indexes: Vec<(IndexId, String)>,
    patterns: Vec<String>,
    /// With the hues.
    entities: Vec<(String, u8)>,
}

/// The names of the parts of a matrix; subscribes to them.
fn names(store: Store, coverage: &Coverage) -> Names {
    store.track_keys();
    store.access_patterns.track();
    for (id, _) in &coverage.entities {
        if let Some(node) = store.entity(*id) {
            node.entity.track();
        }
    }
    store.with(|design| {
        let index = |id: &IndexId| (*id, design.index_name(*id).to_owned());
        let pattern = |id| (design.access_patterns.get(id)).map_or("", |pattern| &pattern.name);
        let entity = |id| {
            let entity = design.entities.get(id);
            entity.map_or_else(Default::default, |entity| (entity.name.clone(), entity.hue))
        };
        Names {
            indexes: coverage.indexes.iter().map(index).collect(),
            patterns: (coverage.patterns.iter())
                .map(|(id, _, _)| pattern(id).to_owned())
                .collect(),
            entities: (coverage.entities.iter())
                .map(|(id, _)| entity(id))
                .collect(),
        }
    })
}

fn tables(
    names: &Names,
    coverage: &Coverage,
    show: Callback<AccessPatternId>,
    open: Callback<IndexId>,
) -> AnyView {
    let head = |first: &'static str, second: Option<&'static str>| {
        let columns: Vec<AnyView> = (names.indexes.iter())
            .map(|(id, name)| {
                let id = *id;
                let idle = coverage.idle.contains(&id);
                view! {
                    <th scope="col" class:idle=idle>
                        <button class="link" title="Show its items" on:click=move |_| open.run(id)>
                            {name.clone()}
                        </button>
                    </th>
                }
                .into_any()
            })
            .collect();
        let second = second.map(|second| {
            view! {
                <th scope="col" class="coverage-verdict">
                    {second}
                </th>
            }
        });
        let span = if second.is_some() { "1" } else { "2" };
        view! {
            <thead>
                <tr>
                    <th scope="col" colspan=span>
                        {first}
                    </th>
                    {second}
                    {columns}
                </tr>
            </thead>
        }
        .into_any()
    };
    let patterns: Vec<AnyView> = (coverage.patterns.iter().zip(&names.patterns))
        .map(|((id, verdict, cells), name)| {
            let id = *id;
            let cells: Vec<AnyView> = cells.iter().map(|cell| cover(*cell)).collect();
            view! {
                <tr>
                    <th scope="row">
                        <button
                            class="link"
                            title="Show the access pattern"
                            on:click=move |_| show.run(id)
                        >
                            {name.clone()}
                        </button>
                    </th>
                    <td class="coverage-verdict">{verdict_mark(Some(*verdict), true)}</td>
                    {cells}
                </tr>
            }
            .into_any()
        })
        .collect();
    let entities: Vec<AnyView> = (coverage.entities.iter().zip(&names.entities))
        .map(|((_, cells), (name, hue))| {
            let cells: Vec<AnyView> = (cells.iter())
                .map(|is_in| {
                    let (sign, said) = if *is_in {
                        ("●", "included")
                    } else {
                        ("", "not included")
                    };
                    sign_cell("cover serves", sign, said)
                })
                .collect();
            view! {
                <tr>
                    <th scope="row" colspan="2">
                        <span class=format!("badge hue-{hue}") aria-hidden="true">
                            {badge(name)}
                        </span>
                        {name.clone()}
                    </th>
                    {cells}
                </tr>
            }
            .into_any()
        })
        .collect();
    // An index without entities has no entries to pay for.
    let has_entities = |at: usize| coverage.entities.iter().any(|(_, cells)| cells[at]);
    let idle = |with_entities: bool| -> Vec<&str> {
        (names.indexes.iter().enumerate())
            .filter(|(at, (id, _))| {
                coverage.idle.contains(id) && has_entities(*at) == with_entities
            })
            .map(|(_, (_, name))| name.as_str())
            .collect()
    };
    let paid = match idle(true)[..] {
        [] => String::new(),
        [one] => format!("{one} serves no access pattern, but costs writes and storage. "),
        ref many => format!(
            "{} serve no access pattern, but cost writes and storage. ",
            many.join(", ")
        ),
    };
    let empty = match idle(false)[..] {
        [] => String::new(),
        [one] => format!("{one} has no entities and serves no access pattern."),
        ref many => format!(
            "{} have no entities and serve no access pattern.",
            many.join(", ")
        ),
    };
    let idle = paid + &empty;
    view! {
        <dl class="coverage-legend" aria-label="Legend">
            {[Cover::Serves, Cover::Could, Cover::Fails, Cover::Writes]
                .map(|cover| {
                    let (class, sign, _) = sign(cover);
                    view! {
                        <div>
                            <dt class=class aria-hidden="true">
                                {sign}
                            </dt>
                            <dd>{meaning(cover)}</dd>
                        </div>
                    }
                })}
        </dl>
        <p class="coverage-idle" role="status">
            {idle}
        </p>
        <table>
            {head("Access pattern", Some("Verdict"))} <tbody>{patterns}</tbody>
            {head("Entity", None)} <tbody>{entities}</tbody>
        </table>
    }
    .into_any()
}

/// What a sign of the matrix means, for the legend.
fn meaning(cover: Cover) -> &'static str {
    match cover {
        Cover::No => "Not used",
        Cover::Serves => "Serves it, or includes the entity",
        Cover::Could => "Could serve it with its current key",
        Cover::Fails => "Is read, but does not serve it",
        Cover::Writes => "Is written",
    }
}

/// Returns the class, the sign and the spoken text of a cell.
fn sign(cover: Cover) -> (&'static str, &'static str, &'static str) {
    match cover {
        Cover::No => ("cover", "", "does not serve"),
        Cover::Serves => ("cover serves", "●", "serves"),
        Cover::Fails => ("cover fails", "✕", "is read, but does not serve"),
        Cover::Writes => ("cover writes", "✎", "is written"),
        Cover::Could => ("cover could", "○", "could serve"),
    }
}

fn cover(cover: Cover) -> AnyView {
    let (class, sign, said) = sign(cover);
    sign_cell(class, sign, said)
}

fn sign_cell(class: &'static str, sign: &'static str, said: &'static str) -> AnyView {
    view! {
        <td class=class title=(!sign.is_empty()).then_some(said)>
            <span aria-hidden="true">{sign}</span>
            <span class="visually-hidden">{said}</span>
        </td>
    }
    .into_any()
}
