//! The proof of the selected access pattern: the verdict with reasons, what it can return, its result on the samples,
//! suggestions, and the requests to copy.

use super::list::verdict_mark;
use super::requests::Requests;
use crate::ui::dom::focus::focus_soon;
use crate::ui::live_table::tab_memory::{Tables, use_tables};
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::memo;
use crate::ui::state::page_state::{PageState, Tab, use_page};
use crate::ui::state::store::{Store, use_store};
use crate::ui::widgets::icon::{Glyph, Icon};
use crate::ui::widgets::in_code::{in_code, sentence_in_code};
use keyfold_app::badge::badge;
use keyfold_app::picture::when_text;
use keyfold_app::viewport::{Detail, rounded};
use keyfold_app::{Command, placement};
use keyfold_core::engine::Item;
use keyfold_core::engine::query::{Attributes, EntryChange, EntryEffect, Preview};
use keyfold_core::model::{AccessPatternId, CardId, Design, IndexId, KeySchema, Point};
use keyfold_core::proof::{
    Outcome, Proof, ReachableEntity, ReadOutcome, Spread, Suggestion, Verdict,
};
use leptos::prelude::*;

/// Maximum number of listed items; the live table shows all.
const MAX_ITEMS: usize = 50;

/// A number and its label.
type Figure = (String, &'static str);

/// The proof of one access pattern.
#[component]
pub fn ProofView(
    /// Which.
    id: AccessPatternId,
) -> impl IntoView {
    let store = use_store();
    let proof = memo(move |_| {
        store.proofs.proof.with(|proof| {
            let of_this = proof.as_ref().filter(|(of, _)| *of == id);
            of_this.map(|(_, proof)| proof.clone())
        })
    });
    let (page, tables) = (use_page(), use_tables());
    let to_table = Callback::new(move |()| show_in_table(store, page, tables));
    let body = move || {
        proof.with(|proof| {
            proof
                .as_ref()
                .map(|proof| proof_body(store, id, proof, to_table))
        })
    };
    let summary = move || proof.with(|proof| proof.as_ref().map(|proof| summary(proof)));
    view! {
        <section class="pattern-proof" aria-label="Proof" tabindex="-1">
            <p class="visually-hidden" role="status">
                {summary}
            </p>
            {body}
            <Requests id=id />
        </section>
    }
}

/// The proof in one sentence, announced by screen readers.
fn summary(proof: &Proof) -> String {
    let figures = match &proof.outcome {
        Outcome::Nothing => Vec::new(),
        Outcome::Read(outcome) => read_figures(outcome),
        Outcome::Written(preview) => vec![write_figure(preview)],
    };
    let mut text = proof.verdict.label().to_owned();
    for (value, what) in figures {
        text = [&text, ", ", &value, " ", what].concat();
    }
    text
}

fn proof_body(
    store: Store,
    id: AccessPatternId,
    proof: &ByPtr<Proof>,
    to_table: Callback<()>,
) -> AnyView {
    let reasons: Vec<AnyView> = (proof.reasons.iter())
        .map(|reason| {
            let class = match reason.verdict {
                Verdict::Served => "reason",
                Verdict::ReadsTooMuch => "reason reads",
                Verdict::Unserved | Verdict::Impossible => "reason bad",
            };
            view! { <li class=class>{sentence_in_code(&reason.text)}</li> }.into_any()
        })
        .collect();
    let suggestions: Vec<AnyView> = (proof.suggestions.iter())
        .map(|suggestion| suggestion_view(store, id, suggestion))
        .collect();
    let index =
        store.with(|design| (design.access_patterns.get(&id)).and_then(|it| it.operation.index()));
    let reach: Vec<AnyView> = store.with(|design| {
        (proof.reachable.iter())
            .map(|reach| reach_view(design, reach, index))
            .collect()
    });
    let outcome = match &proof.outcome {
        Outcome::Nothing => ().into_any(),
        Outcome::Read(outcome) => {
            read_view(store, index.unwrap_or(IndexId::PRIMARY), outcome, to_table)
        }
        Outcome::Written(preview) => write_view(store, preview),
    };
    let whole = proof.spread.as_ref().map(spread_view);
    let is_write = store.with(|design| {
        let pattern = design.access_patterns.get(&id);
        pattern.is_some_and(|pattern| !pattern.operation.actions().is_empty())
    });
    view! {
        <div class="proof-verdict">{verdict_mark(Some(proof.verdict), false)}</div>
        <ul class="reasons">{reasons}</ul>
        {(!suggestions.is_empty())
            .then(|| {
                view! {
                    <div class="suggestions" role="group" aria-label="Suggestions">
                        {suggestions}
                    </div>
                }
            })}
        {(!reach.is_empty())
            .then(|| {
                view! {
                    <h3>{if is_write { "Writes items of" } else { "Can return items of" }}</h3>
                    <ul class="reach">{reach}</ul>
                }
            })}
        {outcome}
        {whole}
    }
    .into_any()
}

/// The combined result of all queries of an access pattern that spreads over several partitions.
fn spread_view(spread: &Spread) -> AnyView {
    let text = match (&spread.whole, spread.queries) {
        (Some(whole), Some(queries)) => format!(
            "All {queries} queries for `{}` together: {} items, {} pages, {} read units",
            spread.placeholder,
            whole.items.len(),
            whole.pages,
            units(whole.units)
        ),
        (None, Some(queries)) => {
            format!(
                "The full result takes {queries} queries, one for each `{}`",
                spread.placeholder
            )
        }
        _ => format!(
            "The full result takes one query for each `{}` in the range",
            spread.placeholder
        ),
    };
    view! { <p class="hint">{in_code(&text)}</p> }.into_any()
}

fn suggestion_view(store: Store, id: AccessPatternId, suggestion: &Suggestion) -> AnyView {
    let taken = suggestion.clone();
    view! {
        <button
            class="suggestion"
            on:click=move |_| {
                store
                    .perform(Command::ApplySuggestion {
                        pattern: id,
                        suggestion: Box::new(taken.clone()),
                        at: store.with(below_indexes),
                    });
                focus_soon(".pattern-proof".into());
            }
        >
            <Icon glyph=Glyph::Plus />
            <span>{sentence_in_code(&suggestion.text)}</span>
        </button>
    }
    .into_any()
}

/// Returns the place of a new index's card: below the existing ones.
fn below_indexes(design: &Design) -> Point {
    let last = design.index_ids().last().unwrap_or(IndexId::PRIMARY);
    let area = placement::stored_area(design, CardId::Index(last), Detail::All);
    let (x, y) = area.map_or((0.0, 0.0), |area| {
        let wanted = (area.x, area.y + area.height + 24.0);
        placement::free_place(design, wanted, (area.width, area.height), None)
    });
    rounded(x, y)
}

/// An entity that the operation reaches, with the condition on which its items are in the index.
fn reach_view(design: &Design, reach: &ReachableEntity, index: Option<IndexId>) -> AnyView {
    let Some(entity) = design.entities.get(&reach.entity) else {
        return ().into_any();
    };
    let example: Vec<String> = (reach.example.iter())
        .map(|(attribute, value)| format!("{attribute} = {value}"))
        .collect();
    let when = index.and_then(|index| Some(when_text(entity.keys.get(&index)?)));
    let when = when.filter(|when| !when.is_empty());
    view! {
        <li class:unintended=!reach.intended title=format!("For example: {}", example.join(", "))>
            <span class=format!("badge hue-{}", entity.hue) aria-hidden="true">
                {badge(&entity.name)}
            </span>
            {entity.name.clone()}
            {when.map(|when| view! { <i>"only if "{when}</i> })}
            {(!reach.intended).then_some(" (unintended)")}
        </li>
    }
    .into_any()
}

fn figure((value, what): Figure) -> AnyView {
    view! {
        <span class="figure">
            <b>{value}</b>
            " "
            {what}
        </span>
    }
    .into_any()
}

fn units(units: f64) -> String {
    let text = format!("{units:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}

/// The result and cost of a read.
fn read_figures(outcome: &ReadOutcome) -> Vec<Figure> {
    let (returned, read) = (outcome.items.len(), outcome.read);
    let items = match returned == read {
        true => (
            returned.to_string(),
            if returned == 1 { "item" } else { "items" },
        ),
        false => (format!("{returned} of {read}"), "items read are returned"),
    };
    let pages = if outcome.pages == 1 { "page" } else { "pages" };
    let mut figures = vec![
        items,
        (outcome.pages.to_string(), pages),
        (
            units(outcome.units),
            if outcome.units == 1.0 {
                "read unit"
            } else {
                "read units"
            },
        ),
    ];
    if outcome.more {
        figures.push(("more".into(), "beyond the limit"));
    }
    figures
}

/// The cost of a write.
fn write_figure(preview: &Preview) -> Figure {
    let label = if preview.units == 1.0 {
        "write unit"
    } else {
        "write units"
    };
    (units(preview.units), label)
}

fn read_view(
    store: Store,
    index: IndexId,
    outcome: &ReadOutcome,
    to_table: Callback<()>,
) -> AnyView {
    let (returned, read) = (outcome.items.len(), outcome.read);
    let figures: Vec<AnyView> = read_figures(outcome).into_iter().map(figure).collect();
    let rows: Vec<AnyView> = store.with(|design| {
        let items = outcome.items.iter().take(MAX_ITEMS);
        items.map(|item| item_view(design, index, item)).collect()
    });
    let rest = returned.saturating_sub(MAX_ITEMS);
    view! {
        <h3>"Result on the samples"</h3>
        <div class="figures">
            {figures} <span class="spring"></span>
            <button class="button small" disabled=read == 0 on:click=move |_| to_table.run(())>
                <Icon glyph=Glyph::Table />
                "Show in table"
            </button>
        </div>
        <ol class="returned">{rows}</ol>
        {(rest > 0).then(|| view! { <p class="hint">{format!("and {rest} more")}</p> })}
    }
    .into_any()
}

/// An item with its key in the table or index that is read, which decides about the order; of an index also its primary key.
fn item_view(design: &Design, index: IndexId, item: &Item) -> AnyView {
    let entity = design.entities.get(&item.entity);
    let (name, hue) = entity.map_or_else(Default::default, |e| (e.name.clone(), e.hue));
    let key = |index: IndexId| {
        let attributes = design
            .key(index)
            .into_iter()
            .flat_map(KeySchema::attributes);
        let values = attributes.filter_map(|it| Some(item.get(&it.name)?.to_text()));
        values.collect::<Vec<_>>().join("  ")
    };
    let primary = (!index.is_primary()).then(|| {
        view! {
            <span class="primary-key" title="Primary key">
                {key(IndexId::PRIMARY)}
            </span>
        }
    });
    view! {
        <li>
            <span class=format!("badge hue-{hue}") title=name.clone()>
                {badge(&name)}
            </span>
            <span class="visually-hidden">{name}</span>
            <code>{key(index)}</code>
            {primary}
        </li>
    }
    .into_any()
}

/// Returns the key of an entry after a write, or of a deleted one; for a moved entry, both.
fn entry_key(design: &Design, entry: &EntryChange) -> String {
    let key_of = |attributes: &Option<Attributes>| {
        Some(key_text(design.key(entry.index)?, attributes.as_ref()?))
    };
    match (key_of(&entry.before), key_of(&entry.after)) {
        (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
        (before, after) => after.or(before).unwrap_or_default(),
    }
}

/// The values of a key, the partition key first.
fn key_text(key: &KeySchema, attributes: &Attributes) -> String {
    let values = key
        .attributes()
        .filter_map(|a| Some(attributes.get(&a.name)?.to_text()));
    values.collect::<Vec<_>>().join("  ")
}

fn write_view(store: Store, preview: &Preview) -> AnyView {
    let changes: Vec<AnyView> = store.with(|design| {
        let one = |change: &keyfold_core::engine::query::Change| {
            let key = key_text(&design.table.key, &change.key);
            let entries: Vec<AnyView> = (change.entries.iter())
                .filter(|entry| entry.effect != EntryEffect::Absent)
                .map(|entry| {
                    let word = match entry.effect {
                        EntryEffect::Put => "new entry",
                        EntryEffect::Deleted => "entry deleted",
                        EntryEffect::Rewritten => "rewritten",
                        EntryEffect::Moved => "moved: deleted and written again",
                        EntryEffect::Untouched | EntryEffect::Absent => "untouched",
                    };
                    let name = design.index_name(entry.index).to_owned();
                    view! {
                        <tr>
                            <th scope="row">{name}</th>
                            <td>{word} <code>{entry_key(design, entry)}</code></td>
                            <td class="number">{units(entry.units)}</td>
                        </tr>
                    }
                    .into_any()
                })
                .collect();
            let stale: Vec<AnyView> = (change.stale.iter())
                .map(|stale| {
                    let reason = match stale.changed.is_empty() {
                        true => "is not what its template gives".to_owned(),
                        false => {
                            format!("becomes stale: it depends on {}", stale.changed.join(", "))
                        }
                    };
                    let index = design.index_name(stale.index);
                    let text = format!("`{}` of {index} {reason}", stale.attribute);
                    view! { <li class="reason reads">{in_code(&text)}</li> }.into_any()
                })
                .collect();
            view! {
                <div class="change">
                    <code>{key}</code>
                    <table>
                        <thead>
                            <tr>
                                <th scope="col">"Table or index"</th>
                                <th scope="col">"Change"</th>
                                <th scope="col">"Write units"</th>
                            </tr>
                        </thead>
                        <tbody>{entries}</tbody>
                    </table>
                    <ul class="reasons">{stale}</ul>
                </div>
            }
            .into_any()
        };
        preview.changes.iter().map(one).collect()
    });
    view! {
        <h3>"Result on the samples"</h3>
        <div class="figures">{figure(write_figure(preview))}</div>
        {changes}
    }
    .into_any()
}

/// Shows the items that an access pattern returns in the live table: opens its tab at the first item and marks their
/// rows.
fn show_in_table(store: Store, page: PageState, tables: Tables) {
    if let Some(marks) = store.proofs.marks.get_untracked() {
        store.proofs.marking.set(true);
        tables.point_at(marks.index, marks.first, None);
        page.show(Tab::Items(marks.index));
    }
}
