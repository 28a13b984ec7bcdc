//! The table's columns: heads, widths, visibility and order.

use super::line_height::is_for_fingers;
use crate::ui::dom::text_scale::{CHARACTER, text_scale};
use crate::ui::state::store::Store;
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_app::grid::longest_text;
use keyfold_core::engine::{Column, ColumnRole, Item, View};
use keyfold_core::model::{AttributeType, Design, KeySchema};
use std::sync::Arc;

/// Width of the space around a text, in CSS pixels.
const AROUND: f64 = 22.0;
/// Width of a row head, in CSS pixels.
pub const ROW_HEAD: f64 = 56.0;
/// Width of the heat beside it, in CSS pixels.
pub const HEAT: f64 = 84.0;
/// A narrower window has no room for a second frozen column, in CSS pixels.
const NARROW: f64 = 700.0;
/// Extra width when a column grows, in CSS pixels: 8 characters.
const SPARE: f64 = 58.0;
/// Maximum number of characters for a column's width.
const MAX_CHARACTERS: usize = 40;

/// The head of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Head {
    /// The attribute's name.
    pub name: String,
    /// Its role in the viewed index.
    pub role: ColumnRole,
    /// That in a few letters, such as `PK` or `GSI1 SK`; for a plain attribute its type.
    pub label: String,
    /// Whether its values are numbers, aligned right.
    pub number: bool,
    /// Whether it is frozen when scrolling sideways.
    pub frozen: bool,
    /// Whether the index has the attribute; a column that it does not project has only a head.
    pub projected: bool,
    /// The width of its content, in CSS pixels.
    pub width: f64,
}

impl Head {
    /// Returns whether it is a key of the viewed index.
    pub fn is_key(&self) -> bool {
        matches!(self.role, ColumnRole::Partition | ColumnRole::Sort)
    }
}

/// The columns as they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Their heads.
    pub heads: Arc<Vec<Head>>,
    /// The measured design, and whether it had items.
    with: (u64, bool),
}

/// Returns the heads of a view's columns. Widths fit the first rows and stay as long as the columns do, so that
/// nothing shifts while the user types. Key columns grow at once with their keys, if `grows`. `opened` is the number of
/// the open design.
pub fn measured(
    design: &Design,
    view: &View,
    opened: u64,
    grows: bool,
    before: Option<&Measured>,
) -> Measured {
    let with = (opened, view.total > 0);
    let last = before
        .filter(|before| before.with == with)
        .map(|before| &before.heads)
        .filter(|heads| heads.len() >= view.columns.len())
        .filter(|heads| {
            (heads.iter().zip(&view.columns)).all(|(head, column)| head.name == column.name)
        });
    let heads = heads(design, view, last.map(|heads| &heads[..]), grows);
    Measured {
        heads: Arc::new(heads),
        with,
    }
}

fn heads(design: &Design, view: &View, last: Option<&[Head]>, grows: bool) -> Vec<Head> {
    let head = |(at, column): (usize, &Column)| {
        let kind = (design.entities.values())
            .find_map(|entity| entity.attribute(&column.name))
            .map(|attribute| attribute.kind);
        let is_key = matches!(column.role, ColumnRole::Partition | ColumnRole::Sort);
        let label = label(design, column, kind);
        let last = last.and_then(|last| last.get(at)).map(|head| head.width);
        let fitting = || {
            let title = column.name.chars().count() + label.chars().count() + beside_name();
            let characters = longest_text(view, &column.name)
                .max(title)
                .clamp(6, MAX_CHARACTERS);
            (characters as f64 * CHARACTER * text_scale() + AROUND).round()
        };
        // Key columns grow with their keys, by more than one letter at a time, because each change lays out all rows
        // again. Others keep their width.
        let width = match last {
            Some(last) if is_key && grows => match fitting() {
                wider if wider > last => wider + SPARE,
                _ => last,
            },
            Some(last) => last,
            None => fitting(),
        };
        Head {
            name: column.name.clone(),
            role: column.role,
            label,
            number: kind == Some(AttributeType::N) && column.role == ColumnRole::Attribute,
            frozen: false,
            projected: true,
            width,
        }
    };
    let mut heads: Vec<Head> = view.columns.iter().enumerate().map(head).collect();
    heads.extend(not_projected(design, view));
    heads
}

/// Returns heads for attributes of an index's items that the index does not project.
fn not_projected(design: &Design, view: &View) -> Vec<Head> {
    let Some(content) = &view.content else {
        return Vec::new();
    };
    let members = (design.entities.values()).filter(|e| e.keys.contains_key(&view.index));
    let mut heads: Vec<Head> = Vec::new();
    let mut names: Vec<&String> = Vec::new();
    for entity in members {
        names.extend(&design.table.type_attribute);
        names.extend(entity.attributes.iter().map(|attribute| &attribute.name));
    }
    for name in names {
        if content.shows(name) || heads.iter().any(|head| head.name == *name) {
            continue;
        }
        heads.push(Head {
            name: name.clone(),
            role: ColumnRole::Attribute,
            label: "not projected".into(),
            number: false,
            frozen: false,
            projected: false,
            width: ((name.chars().count() + beside_name() + 8) as f64) * CHARACTER + AROUND,
        });
    }
    heads
}

/// The room of a head's sort button and of the gaps beside its name, in characters: the button is larger for a finger.
fn beside_name() -> usize {
    if is_for_fingers() { 10 } else { 8 }
}

/// Returns the width that fits a column's texts, in CSS pixels.
pub fn fitting(view: &View, name: &str) -> f64 {
    let characters = longest_text(view, name).max(name.chars().count() + beside_name() + 3);
    (characters as f64 * CHARACTER + AROUND).round()
}

/// Returns the maximum number of frozen key columns for a window of this width in CSS pixels. Styles and scrolling
/// use [`Head::frozen`], which follows from this alone.
pub fn most_frozen(window: f64) -> usize {
    if window < NARROW { 1 } else { 2 }
}

/// Returns the visible columns in order. `absent` includes attributes that the index does not project; for
/// `most_frozen`, see [`most_frozen`].
pub fn arranged(all: &[Head], layout: &ColumnOrder, absent: bool, most_frozen: usize) -> Vec<Head> {
    let names: Vec<&str> = all.iter().map(|head| head.name.as_str()).collect();
    let order = layout.order(&names, keys(all)).into_iter();
    let mut heads: Vec<Head> = order
        .map(|at| &all[at])
        .filter(|head| layout.shows(&head.name) && (absent || head.projected))
        .cloned()
        .collect();
    for head in heads.iter_mut().take(most_frozen) {
        head.frozen = head.is_key();
    }
    heads
}

/// Returns the number of frozen columns at the start.
pub fn frozen(heads: &[Head]) -> usize {
    heads.iter().take_while(|head| head.frozen).count()
}

/// Returns the number of key columns at the start; they cannot be moved.
pub fn keys(all: &[Head]) -> usize {
    all.iter().take_while(|head| head.is_key()).count()
}

fn label(design: &Design, column: &Column, kind: Option<AttributeType>) -> String {
    match column.role {
        ColumnRole::Partition => "PK".into(),
        ColumnRole::Sort => "SK".into(),
        ColumnRole::Type => "entity".into(),
        ColumnRole::TableKey => part_of(&design.table.key, &column.name)
            .map_or_else(String::new, |part| format!("table {part}")),
        ColumnRole::OtherKey => (design.indexes.values())
            .find_map(|index| Some((index, part_of(&index.key, &column.name)?)))
            .map_or_else(String::new, |(index, part)| {
                format!("{} {part}", index.name)
            }),
        ColumnRole::Attribute => kind.map_or("", AttributeType::word).to_owned(),
    }
}

fn part_of(key: &KeySchema, name: &str) -> Option<&'static str> {
    let is_in = |part: &[keyfold_core::model::KeyAttribute]| part.iter().any(|a| a.name == name);
    match (is_in(&key.partition), is_in(&key.sort)) {
        (true, _) => Some("PK"),
        (_, true) => Some("SK"),
        _ => None,
    }
}

/// Returns what is wrong with an item, in one line; `None` if nothing is.
pub fn reason(store: Store, item: &Item, collides: bool) -> Option<String> {
    if !collides && item.problems().is_empty() {
        return None;
    }
    let collision = collides.then(|| {
        "Another item has the same primary key. The last write replaces the other item.".to_owned()
    });
    let problems = store.with(|design| {
        let text = |problem: &keyfold_core::engine::Problem| {
            problem.describe(design.index_name(problem.index))
        };
        item.problems().iter().map(text).collect::<Vec<_>>()
    });
    let all: Vec<String> = collision.into_iter().chain(problems).collect();
    Some(all.join(" · "))
}
