//! The lines in sight. A line is drawn once for its item and then follows it: what it shows comes from signals,
//! so that an edit redraws the cells of changed items only.

use super::cell::{RowState, cell_view};
use super::columns::{self, Head};
use super::state::{Grid, LINE};
use crate::app::grid::cells::locked;
use crate::app::grid::{Line, window};
use crate::app::picture::badge;
use crate::domain::engine::Item;
use crate::domain::model::{Design, EntityId, SampleId};
use crate::ui::parts::erased::{effect, memo};
use crate::ui::parts::icon::{Glyph, Icon};
use crate::ui::store::Store;
use leptos::html::Div;
use leptos::prelude::*;
use std::sync::Arc;

/// Lines that are drawn beyond those in sight, on each side.
const OVERSCAN: usize = 8;
/// A line with no more than this of it out of sight counts as in sight, in CSS pixels.
const HIDDEN: f64 = 6.0;
/// What identifies a drawn line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The cells of a sample's item.
    Item(SampleId),
    /// The heading of the refused items.
    Heading,
    /// The reason below a refused item.
    Reason(SampleId),
}

/// What a line shows.
#[derive(Debug, Clone, PartialEq)]
pub struct Drawn {
    /// Its identity.
    pub key: Key,
    /// Its number from the top.
    at: usize,
    /// The item, with what its cells need to know of its entity.
    item: Option<(Item, Arc<Look>)>,
    /// The text of a heading or a reason; of an item, why it is marked.
    text: Option<String>,
    /// Whether the item is refused, or replaced by another.
    severe: bool,
    /// Whether it is the first row of its item collection.
    first: bool,
    /// Whether its item collection is an odd one, for the bands.
    odd: bool,
}

/// What the cells of an entity's items have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    name: String,
    badge: String,
    /// Its colour.
    pub hue: u8,
    /// For each column why it cannot be edited.
    pub locked: Vec<Option<String>>,
}

fn look(design: &Design, entity: EntityId, heads: &[Head]) -> Look {
    let found = design.entities.get(&entity);
    let why = |head: &Head| match head.projected {
        true => locked(design, entity, &head.name),
        false => Some(format!("The index does not project `{}`", head.name)),
    };
    Look {
        name: found.map(|entity| entity.name.clone()).unwrap_or_default(),
        badge: found.map(|entity| badge(&entity.name)).unwrap_or_default(),
        hue: found.map_or(0, |entity| entity.hue),
        locked: heads.iter().map(why).collect(),
    }
}

/// The lines in sight and some around them, and the active line wherever it is: it keeps the keyboard focus.
pub fn drawn(grid: Grid) -> Memo<Vec<Drawn>> {
    let range = memo(move |_| {
        let count = grid.sheet.with(|sheet| sheet.len());
        window(grid.scroll.get(), grid.height.get(), LINE, count, OVERSCAN)
    });
    memo(move |_| {
        let range = range.get();
        let far = (grid.active_line.get()).filter(|line| !range.contains(line));
        let before = far.filter(|line| *line < range.start);
        let after = far.filter(|line| *line >= range.end);
        let lines = before.into_iter().chain(range).chain(after);
        let mut looks: Vec<(EntityId, Arc<Look>)> = Vec::new();
        grid.columns.with(|heads| {
            lines
                .filter_map(|at| draw(grid, heads, at, &mut looks))
                .collect()
        })
    })
}

fn draw(
    grid: Grid,
    heads: &[Head],
    at: usize,
    looks: &mut Vec<(EntityId, Arc<Look>)>,
) -> Option<Drawn> {
    let mut with_look = |item: &Item| {
        let known = looks.iter().find(|(entity, _)| *entity == item.entity);
        let look = known.map(|(_, look)| look.clone()).unwrap_or_else(|| {
            let look = grid.store.with(|design| look(design, item.entity, heads));
            let look = Arc::new(look);
            looks.push((item.entity, look.clone()));
            look
        });
        Some((item.clone(), look))
    };
    grid.sheet.with(|sheet| {
        let view = sheet.view();
        Some(match sheet.line(at)? {
            Line::Row(row) => {
                let row = &view.rows[row];
                let place = sheet.place(at)?;
                Drawn {
                    key: Key::Item(row.item.id()),
                    at,
                    item: with_look(&row.item),
                    text: columns::reason(grid.store, &row.item, row.collides),
                    severe: row.collides,
                    first: place.first,
                    odd: place.group % 2 == 1,
                }
            }
            Line::Refused(refused) => {
                let item = &view.failed[refused];
                Drawn {
                    key: Key::Item(item.id()),
                    at,
                    item: with_look(item),
                    text: columns::reason(grid.store, item, false),
                    severe: true,
                    first: true,
                    odd: false,
                }
            }
            Line::Heading => Drawn {
                key: Key::Heading,
                at,
                item: None,
                text: Some(match sheet.refused() {
                    1 => "1 item that DynamoDB would refuse".into(),
                    count => format!("{count} items that DynamoDB would refuse"),
                }),
                severe: true,
                first: false,
                odd: false,
            },
            Line::Reason(refused) => {
                let item = &view.failed[refused];
                Drawn {
                    key: Key::Reason(item.id()),
                    at,
                    item: None,
                    text: columns::reason(grid.store, item, false),
                    severe: true,
                    first: false,
                    odd: false,
                }
            }
        })
    })
}

/// One line.
#[component]
pub fn LineView(
    /// The table.
    grid: Grid,
    /// What it shows at first.
    line: Drawn,
    /// All lines that are drawn; the one with the same key is this one.
    lines: Memo<Vec<Drawn>>,
    /// The first line that is fully in sight: it names its item collection again.
    top: Memo<usize>,
) -> impl IntoView {
    let key = line.key;
    let now = memo(move |before: Option<&Drawn>| {
        lines.with(|lines| {
            let found = lines.iter().find(|line| line.key == key);
            found.or(before).cloned().unwrap_or_else(|| line.clone())
        })
    });
    let place = move || now.with(|line| format!("{}px", line.at as f64 * LINE));
    let row_index = move || now.with(|line| line.at + 2).to_string();
    match key {
        Key::Item(sample) => {
            let line = Row {
                grid,
                sample,
                now,
                place: Signal::derive(place),
                row_index: Signal::derive(row_index),
                top,
            };
            row_view(line).into_any()
        }
        Key::Heading | Key::Reason(_) => {
            let class = match key {
                Key::Heading => "grid-row grid-heading",
                _ => "grid-row grid-reason",
            };
            view! {
                <div class=class role="row" aria-rowindex=row_index style:top=place>
                    <div class="grid-note" role="gridcell">
                        {(key == Key::Heading).then(|| view! { <Icon glyph=Glyph::Warning /> })}
                        {move || now.with(|line| line.text.clone())}
                    </div>
                </div>
            }
            .into_any()
        }
    }
}

struct Row {
    grid: Grid,
    sample: SampleId,
    now: Memo<Drawn>,
    place: Signal<String>,
    row_index: Signal<String>,
    top: Memo<usize>,
}

fn row_view(row: Row) -> impl IntoView {
    let Row {
        grid,
        sample,
        now,
        place,
        row_index,
        top,
    } = row;
    let content = memo(move |_| now.with(|line| line.item.clone()));
    let mark = memo(move |_| now.with(|line| line.text.clone().map(|t| (t, line.severe))));
    // Which of its cells the tab key reaches, if any.
    let stop = memo(move |_| {
        let line = now.with(|line| line.at);
        match grid.active_line.get() {
            Some(active) if active == line => Some(grid.active.with(|spot| {
                (spot.as_ref()).map_or(0, |spot| {
                    grid.columns.track();
                    grid.column_of(spot)
                })
            })),
            None if grid.sheet.with(|sheet| sheet.first()) == Some(line) => Some(1),
            _ => None,
        }
    });
    let is_active = move || stop.get().is_some() && grid.active_line.get().is_some();
    let is_selected = memo(move |_| grid.selected.with(|rows| rows.contains(&sample)));
    // Which of its columns are among the selected cells: the first and the last.
    let ranged = memo(move |_| {
        let is_in = (grid.range).with(|range| {
            range
                .as_ref()
                .is_some_and(|range| range.rows.contains(&sample))
        });
        is_in.then(|| grid.range_columns.get()).flatten()
    });
    let lead = move || now.with(|line| line.first || line.at == top.get());
    let head = move || {
        let (name, letters, hue) = content.with(|content| {
            (content.as_ref()).map_or_else(Default::default, |(_, look)| {
                (look.name.clone(), look.badge.clone(), look.hue)
            })
        });
        view! {
            <span class=format!("badge hue-{hue}") title=name.clone()>
                {letters}
            </span>
            <span class="visually-hidden">{name}</span>
        }
    };
    let state = memo(move |_| RowState {
        stop: stop.get(),
        active: is_active(),
        ranged: ranged.get(),
        selected: is_selected.get(),
        needle: grid.find.get().unwrap_or_default().to_lowercase(),
    });
    // The cells are drawn anew when the item or the columns change. When only the state does, what shows it is set in
    // the elements that are there: an element that is drawn anew would lose the keyboard focus.
    let drawn = StoredValue::new(RowState::default());
    let cells = move || {
        let state = state.get_untracked();
        drawn.set_value(state.clone());
        let widths = grid.widths.get();
        grid.columns.with(|heads| {
            content.with(|content| {
                let (item, look) = content.as_ref()?;
                let cell = |(at, head): (usize, &Head)| {
                    let width = widths.get(at).copied().unwrap_or(head.width);
                    cell_view(at, head, item, look, width, state.of(at, head, item))
                };
                Some(heads.iter().enumerate().map(cell).collect::<Vec<_>>())
            })
        })
    };
    let element: NodeRef<Div> = NodeRef::new();
    effect(move || {
        let state = state.get();
        let Some(row) = element.get() else { return };
        if drawn.with_value(|drawn| *drawn == state) {
            return;
        }
        let children = row.children();
        grid.columns.with_untracked(|heads| {
            content.with_untracked(|content| {
                let Some((item, _)) = content else { return };
                for (at, head) in heads.iter().enumerate() {
                    if let Some(cell) = children.item(at as u32 + 1) {
                        state.of(at, head, item).show_in(&cell);
                    }
                }
            });
        });
        drawn.set_value(state);
    });
    view! {
        <div
            class="grid-row"
            class:lead=lead
            class:first=move || now.with(|line| line.first)
            class:odd=move || now.with(|line| line.odd)
            class:severe=move || now.with(|line| line.severe)
            class:active=is_active
            class:selected=is_selected
            role="row"
            aria-rowindex=row_index
            aria-selected=move || is_selected.get().to_string()
            data-sample=sample.to_string()
            data-answer=move || grid.store.proofs.mark_of(sample)
            node_ref=element
            style:top=place
        >
            <div
                class="grid-cell row-head"
                class:active=move || is_active() && stop.get() == Some(0)
                role="rowheader"
                aria-colindex="1"
                data-head=""
                tabindex=move || if stop.get() == Some(0) { "0" } else { "-1" }
            >
                {head}
                {move || {
                    mark.get()
                        .map(|(reason, severe)| {
                            view! {
                                <span class="mark" class:severe=severe title=reason.clone()>
                                    <Icon glyph=Glyph::Warning />
                                </span>
                                <span class="mark-reason" class:severe=severe>
                                    {reason}
                                </span>
                            }
                        })
                }}
            </div>
            {cells}
        </div>
    }
}

/// The first line that is fully in sight.
pub fn top_line(grid: Grid) -> Memo<usize> {
    memo(move |_| ((grid.scroll.get() - HIDDEN) / LINE).ceil().max(0.0) as usize)
}

/// The entity to add a row of: the one that is selected on the canvas.
pub fn selected_entity(store: Store) -> Option<EntityId> {
    store.selection.with(|cards| {
        cards.iter().find_map(|card| match card {
            crate::domain::model::CardId::Entity(id) => Some(*id),
            _ => None,
        })
    })
}
