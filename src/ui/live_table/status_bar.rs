//! The status bar below the table: its content, where the active item is, the item's size and cost, and messages.

use super::grid::Grid;
use crate::ui::reactive::erased::memo;
use crate::ui::state::page_state::{Tab, use_page};
use crate::ui::widgets::icon::{Glyph, Icon};
use keyfold_app::grid::presence::{ItemCost, Presence, item_cost, presence};
use keyfold_core::model::{IndexId, Projection};
use leptos::prelude::*;

/// Share of the item size limit from which it is marked, in percent.
const NEAR: f64 = 75.0;

/// Shows the content of the table or index, the active item's places, and why a row is marked or a key press did
/// nothing.
#[component]
pub fn StatusBar(
    /// The table.
    grid: Grid,
) -> impl IntoView {
    let store = grid.store;
    let active = memo(move |_| grid.active_item());
    let holds = move || {
        // Read before the active item, which depends on it: while Leptos checks whether a memo changed, it misses a
        // change of the memo's source that is read later here.
        grid.sheet.track();
        if let Some(done) = store.progress.get() {
            return format!("Computing items: {:.0}%", done * 100.0);
        }
        let projection = store.index(grid.index).map(|node| {
            node.index.with(|index| match &index.projection {
                Projection::All => "projection: all attributes".to_owned(),
                Projection::KeysOnly => "projection: keys only".to_owned(),
                Projection::Include(names) => format!("projection: keys and {}", names.join(", ")),
            })
        });
        // With an active item there is room only for the first part.
        let short = active.with(Option::is_some);
        grid.sheet.with(|sheet| {
            let view = sheet.view();
            let (rows, all) = (view.rows.len(), view.total);
            let name = store.with(|design| design.index_name(view.index).to_owned());
            let mut parts = Vec::new();
            if view.index.is_primary() {
                parts.push(counted(rows, "item"));
            } else {
                let verb = if rows == 1 || all == 1 { "is" } else { "are" };
                parts.push(format!(
                    "{rows} of {} {verb} in {name}",
                    counted(all, "item")
                ));
            }
            if !short {
                parts.push(counted(view.groups.len(), "item collection"));
            }
            if !view.failed.is_empty() {
                parts.push(format!("{} not stored", view.failed.len()));
            }
            parts.extend(projection.filter(|_| !short));
            parts.join(" · ")
        })
    };
    let places = memo(move |_| {
        // The view depends on everything that decides where an item is.
        grid.sheet.track();
        let item = active.get()?;
        Some(store.with(|design| presence(design, &item)))
    });
    let weight = memo(move |_| {
        grid.sheet.track();
        let item = active.get()?;
        Some(store.with(|design| item_cost(design, &item, grid.index)))
    });
    let near = move || {
        weight.with(|weight| {
            weight
                .as_ref()
                .is_some_and(|weight| weight.percent() >= NEAR)
        })
    };
    let remark = move || grid.hint.get().or_else(|| grid.active_reason());
    view! {
        <div class="table-status">
            <OrderChip grid=grid />
            <span class="table-holds">{holds}</span>
            <span class="table-selected" aria-live="polite">
                {move || grid.selected_text()}
            </span>
            {move || places.get().map(|places| places_view(grid, &places))}
            <span
                class="table-weight"
                class:near=near
                title=move || weight.get().map(|weight| weight_title(grid.index, &weight))
            >
                // Messages about the item come first.
                {move || {
                    let weight = weight.get().filter(|_| remark().is_none());
                    weight.map(|weight| weight_text(grid.index, &weight))
                }}
            </span>
            <span class="table-remark" role="status" title=remark>
                {remark}
            </span>
        </div>
    }
}

/// Says that the rows are sorted, and restores DynamoDB's order.
#[component]
fn OrderChip(grid: Grid) -> impl IntoView {
    move || {
        let sort = grid.sort.get()?;
        let text = format!("Sorted by {}: not DynamoDB's order", sort.column);
        let title = format!("{text}. Click to restore DynamoDB's order");
        Some(view! {
            <button class="button small order-chip" title=title on:click=move |_| grid.unsort()>
                <span>{text}</span>
                <Icon glyph=Glyph::Close />
            </button>
        })
    }
}

fn places_view(grid: Grid, places: &[Presence]) -> impl IntoView + use<> {
    let page = use_page();
    let there = places.iter().filter(|place| place.absent.is_none());
    let buttons: Vec<_> = there
        .map(|place| {
            let (index, here) = (place.index, place.index == grid.index);
            view! {
                <button
                    class="place"
                    aria-current=here.then_some("true")
                    title=if here { "The item is visible here" } else { "Show the item there" }
                    on:click=move |_| {
                        if !here {
                            grid.tables.takes_focus.set_value(true);
                            page.tab.set(Tab::Items(index));
                        }
                    }
                >
                    {place.name.clone()}
                </button>
            }
        })
        .collect();
    // Indexes with the same reason are listed together.
    let mut absent: Vec<(String, &String)> = Vec::new();
    for place in places {
        let Some(reason) = &place.absent else {
            continue;
        };
        match absent.iter_mut().find(|(_, other)| *other == reason) {
            Some((names, _)) => *names = format!("{names}, {}", place.name),
            None => absent.push((place.name.clone(), reason)),
        }
    }
    let absent = absent
        .iter()
        .map(|(names, reason)| format!("not in {names}: {reason}"));
    let absent: Vec<String> = absent.collect();
    let lead = if buttons.is_empty() {
        "Not stored"
    } else {
        "In"
    };
    let not = (!absent.is_empty()).then(|| absent.join(" · "));
    let said = not.clone();
    view! {
        <span class="table-places" role="group" aria-label="Item location">
            {lead}
            {buttons}
            <span class="not-in" title=not>
                {said}
            </span>
        </span>
    }
}

fn weight_text(index: IndexId, weight: &ItemCost) -> String {
    let percent = weight.percent();
    let share = match percent {
        small if small < 0.1 => "under 0.1%".to_owned(),
        percent => format!("{percent:.1}%"),
    };
    let size = bytes(weight.bytes);
    match index.is_primary() {
        true => format!(
            "{size}, {share} of 400 KB · write {} · read {}",
            weight.write_units, weight.read_units
        ),
        false => format!("{size} projected · read {}", half(weight.read_units)),
    }
}

fn weight_title(index: IndexId, weight: &ItemCost) -> String {
    let ItemCost {
        counted,
        write_units,
        index_units,
        read_units,
        ..
    } = weight;
    let read = match index.is_primary() {
        true => format!(
            "A strongly consistent read takes {}, an eventually consistent read {}.",
            units(*read_units, "read"),
            half(*read_units)
        ),
        false => format!(
            "An eventually consistent read here takes {}.",
            half_units(*read_units)
        ),
    };
    format!(
        "{counted} bytes count toward the item limit of 400 KB. A put takes {}, {index_units} of them \
         for indexes. {read}",
        units(*write_units, "write")
    )
}

fn units(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what} unit"),
        _ => format!("{count} {what} units"),
    }
}

/// Formats half of a number of read units: `0.5 read units`, `1 read unit`.
fn half_units(units: usize) -> String {
    match units {
        2 => "1 read unit".to_owned(),
        _ => format!("{} read units", half(units)),
    }
}

/// Formats half of a number: 0.5, 1, 1.5.
fn half(units: usize) -> String {
    match units % 2 {
        0 => (units / 2).to_string(),
        _ => format!("{}.5", units / 2),
    }
}

/// `312 B`, `12.3 KB`; a KB is 1024 bytes, as DynamoDB's limits have it.
fn bytes(count: usize) -> String {
    match count {
        0..1024 => format!("{count} B"),
        _ => format!("{:.1} KB", count as f64 / 1024.0),
    }
}

/// `1 row`, `2 rows`.
pub fn counted(count: usize, what: &str) -> String {
    match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    }
}

impl Grid {
    /// Describes the selection; empty for a single cell.
    fn selected_text(self) -> String {
        if let Some((rows, columns)) =
            (self.range).with(|range| range.as_ref().map(|r| (r.rows.len(), r.columns.len())))
        {
            return format!("{rows} × {columns} cells");
        }
        match self.selected.with(|rows| rows.len()) {
            0 => String::new(),
            1 => "1 row selected".into(),
            count => format!("{count} rows selected"),
        }
    }
}
