//! The content of the visible lines; `row_window` draws it.

use super::cell::RowState;
use super::columns;
use super::columns::Head;
use super::grid::Grid;
use super::line_height::line_height;
use crate::ui::reactive::by_ptr::ByPtr;
use crate::ui::reactive::erased::{Memo, memo};
use crate::ui::state::store::Store;
use keyfold_app::badge::badge;
use keyfold_app::grid::cells::locked;
use keyfold_app::grid::{Line, columns_between, visible_lines};
use keyfold_core::engine::Item;
use keyfold_core::lint::Place;
use keyfold_core::model::{Design, EntityId, SampleId};
use keyfold_cost::heat::HeatMark;
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// Extra lines drawn above and below the visible ones.
const OVERSCAN: usize = 8;
/// Distance beyond the visible part within which columns have cells, on each side, in CSS pixels.
const AROUND: f64 = 120.0;
/// The identity of a drawn line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Key {
    /// The cells of a sample's item.
    Item(SampleId),
    /// The heading of the refused items.
    Heading,
    /// The reason below a refused item.
    Reason(SampleId),
}

impl Key {
    /// Returns its sample; empty for the heading.
    pub fn sample(self) -> String {
        match self {
            Key::Item(sample) | Key::Reason(sample) => sample.to_string(),
            Key::Heading => String::new(),
        }
    }
}

/// The content of a line.
#[derive(Debug, Clone, PartialEq)]
pub struct RowContent {
    /// Its identity.
    pub key: Key,
    /// Its number from the top.
    pub at: usize,
    /// The item, and what its cells need from its entity.
    pub item: Option<(Item, Arc<EntityLook>)>,
    /// The text of a heading or a reason; for an item, why it is marked.
    pub text: Option<String>,
    /// The item's attributes with findings, and their messages.
    pub marked: Vec<(String, String)>,
    /// Whether the item is refused or replaced by another.
    pub severe: bool,
    /// Whether it is the first row of its item collection.
    pub first: bool,
    /// While the canvas shows the heat: the load of the hottest item collection of this kind.
    pub heat: Option<HeatMark>,
    /// Whether its item collection has an odd number, for the bands.
    pub odd: bool,
}

/// The shared data of the cells of an entity's items.
#[derive(Debug, Clone, PartialEq)]
pub struct EntityLook {
    /// Its name.
    pub name: String,
    /// Its two-letter badge.
    pub badge: String,
    /// Its color.
    pub hue: u8,
    /// For each column, why it cannot be edited.
    pub locked: Vec<Option<String>>,
}

fn look(design: &Design, entity: EntityId, heads: &[Head]) -> EntityLook {
    let found = design.entities.get(&entity);
    let why = |head: &Head| match head.projected {
        true => locked(design, entity, &head.name),
        false => Some(format!("The index does not project `{}`", head.name)),
    };
    EntityLook {
        name: found.map(|entity| entity.name.clone()).unwrap_or_default(),
        badge: found.map(|entity| badge(&entity.name)).unwrap_or_default(),
        hue: found.map_or(0, |entity| entity.hue),
        locked: heads.iter().map(why).collect(),
    }
}

/// The content of all lines in the page.
#[derive(Clone, PartialEq)]
pub struct VisibleRows {
    /// The lines, from the top.
    pub lines: ByPtr<Vec<RowContent>>,
    /// The selection and focus state of each line.
    pub states: Vec<RowState>,
    /// The columns.
    pub heads: Arc<Vec<Head>>,
    /// Their widths, in CSS pixels.
    pub widths: Arc<Vec<f64>>,
    /// The columns with cells, from the left.
    pub shown: Arc<Vec<usize>>,
    /// The text to find, in lower case.
    pub needle: String,
}

/// Returns the current content of the lines in the page.
pub fn visible_rows(grid: Grid) -> Memo<VisibleRows> {
    let lines = drawn(grid);
    let shown = shown(grid);
    let top = memo(move |_| grid.top_line());
    memo(move |_| {
        // The columns are read first, because the lines follow from them.
        let heads = grid.columns.get();
        let active = grid.active_line.get();
        let (lines, top) = (lines.get(), top.get());
        // The tab key reaches the active cell, or the first visible one: others may not be in the page.
        let stop = match active {
            Some(line) => {
                let column = (grid.active).with(|spot| grid.column_of(spot.as_ref()?));
                Some((line, column.unwrap_or(0)))
            }
            None => {
                let items = || lines.iter().filter(|line| line.item.is_some());
                let first = items()
                    .find(|line| line.at >= top)
                    .or_else(|| items().next());
                first.map(|line| (line.at, 1))
            }
        };
        let range_columns = grid.range_columns.get();
        let states = grid.selected.with(|selected| {
            grid.range.with(|range| {
                let state = |line: &RowContent| {
                    let stop = stop.filter(|(at, _)| *at == line.at);
                    let sample = match line.key {
                        Key::Item(sample) => Some(sample),
                        Key::Heading | Key::Reason(_) => None,
                    };
                    let is_in =
                        |rows: &FxHashSet<SampleId>| sample.is_some_and(|id| rows.contains(&id));
                    RowState {
                        stop: stop.map(|(_, column)| column),
                        active: stop.is_some() && active.is_some(),
                        ranged: range_columns
                            .filter(|_| range.as_ref().is_some_and(|range| is_in(&range.rows))),
                        selected: is_in(selected),
                        lead: line.first || line.at == top,
                        answer: sample.and_then(|id| grid.store.proofs.mark_of(id)),
                    }
                };
                lines.iter().map(state).collect()
            })
        });
        VisibleRows {
            states,
            widths: grid.widths.get(),
            shown: shown.get(),
            needle: grid.find.get().unwrap_or_default().to_lowercase(),
            lines,
            heads,
        }
    })
}

/// Returns the columns with cells: the frozen ones, the visible ones and some around them, and the active cell's,
/// which has the keyboard focus.
fn shown(grid: Grid) -> Memo<Arc<Vec<usize>>> {
    memo(move |_| {
        let count = grid.columns.with(|heads| heads.len());
        let frozen = grid.columns.with(|heads| columns::frozen(heads));
        let active = (grid.active)
            .with(|spot| grid.column_of(spot.as_ref()?))
            .unwrap_or(0);
        let left = grid.left.get() - grid.row_head();
        let seen = left - AROUND..left + grid.room.get() + AROUND;
        let seen = grid.widths.with(|widths| columns_between(widths, seen));
        let shows = |at: &usize| *at < frozen || seen.contains(at) || *at + 1 == active;
        Arc::new((0..count).filter(shows).collect())
    })
}

/// Returns the visible lines, some around them, and the active line, which keeps the keyboard focus.
fn drawn(grid: Grid) -> Memo<ByPtr<Vec<RowContent>>> {
    let range = memo(move |_| {
        let count = grid.sheet.with(|sheet| sheet.len());
        visible_lines(
            grid.scroll.get(),
            grid.height.get(),
            line_height(),
            count,
            OVERSCAN,
        )
    });
    memo(move |_| {
        let range = range.get();
        let far = (grid.active_line.get()).filter(|line| !range.contains(line));
        let before = far.filter(|line| *line < range.start);
        let after = far.filter(|line| *line >= range.end);
        let lines = before.into_iter().chain(range).chain(after);
        let mut looks: Vec<(EntityId, Arc<EntityLook>)> = Vec::new();
        grid.columns.with(|heads| {
            let lines = lines.filter_map(|at| draw(grid, heads, at, &mut looks));
            ByPtr(Arc::new(lines.collect()))
        })
    })
}

fn draw(
    grid: Grid,
    heads: &[Head],
    at: usize,
    looks: &mut Vec<(EntityId, Arc<EntityLook>)>,
) -> Option<RowContent> {
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
                let row = view.rows.get(row)?;
                let place = sheet.place(at)?;
                RowContent {
                    key: Key::Item(row.item.id()),
                    at,
                    item: with_look(&row.item),
                    text: columns::reason(grid.store, &row.item, row.collides)
                        .or_else(|| found(grid.store, &row.item)),
                    marked: marked_attributes(grid.store, &row.item),
                    severe: row.collides,
                    first: place.first,
                    heat: heat(grid, row.item.entity),
                    odd: place.group % 2 == 1,
                }
            }
            Line::Refused(refused) => {
                let item = &view.failed[refused];
                RowContent {
                    key: Key::Item(item.id()),
                    at,
                    item: with_look(item),
                    text: columns::reason(grid.store, item, false),
                    marked: marked_attributes(grid.store, item),
                    severe: true,
                    first: true,
                    heat: None,
                    odd: false,
                }
            }
            Line::Heading => RowContent {
                key: Key::Heading,
                at,
                item: None,
                text: Some(match sheet.refused() {
                    1 => "1 item that cannot be stored".into(),
                    count => format!("{count} items that cannot be stored"),
                }),
                marked: Vec::new(),
                severe: true,
                first: false,
                heat: None,
                odd: false,
            },
            Line::Reason(refused) => {
                let item = &view.failed[refused];
                RowContent {
                    key: Key::Reason(item.id()),
                    at,
                    item: None,
                    text: columns::reason(grid.store, item, false),
                    marked: Vec::new(),
                    severe: true,
                    first: false,
                    heat: None,
                    odd: false,
                }
            }
        })
    })
}

/// Returns the heat of the item collections of an entity's items.
fn heat(grid: Grid, entity: EntityId) -> Option<HeatMark> {
    (grid.store.heat).with(|heat| {
        heat.as_ref()?
            .collections
            .get(&(entity, grid.index))
            .cloned()
    })
}

/// Returns the findings of an item's sample.
fn found(store: Store, item: &Item) -> Option<String> {
    let mark = store.findings.at(Place::Sample(item.entity, item.id()));
    mark.map(|mark| mark.title)
}

/// Returns the attributes of an item with findings, and their messages.
fn marked_attributes(store: Store, item: &Item) -> Vec<(String, String)> {
    (store.findings).of_cells(Place::Sample(item.entity, item.id()))
}

/// Returns the entity selected on the canvas, for a new row.
pub fn selected_entity(store: Store) -> Option<EntityId> {
    store.selection.with(|cards| {
        cards.iter().find_map(|card| match card {
            keyfold_core::model::CardId::Entity(id) => Some(*id),
            _ => None,
        })
    })
}
