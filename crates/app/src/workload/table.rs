//! One table of the workload: a row for each access pattern and each entity, with cells as text.

use super::fields::{TrafficField, VolumeField};
use super::figures;
use crate::{Command, PatternEdit, Refused, WorkloadEdit};
use keyfold_core::delimited;
use keyfold_core::engine::operation_parts::value_names;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, Skew, SortedMap, Traffic,
};
use std::sync::Arc;

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowId {
    /// An access pattern.
    Pattern(AccessPatternId),
    /// An entity.
    Entity(EntityId),
}

/// A column of the rows of access patterns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PatternColumn {
    /// The peak rate, per second.
    Peak,
    /// A field of the traffic.
    Traffic(TrafficField),
    /// The skews of all parameters: `userId zipf 1.1; status even`.
    Skews,
}

/// The columns of the rows of access patterns, with their titles.
pub fn pattern_columns() -> [(&'static str, PatternColumn); 8] {
    [
        ("Peak rate", PatternColumn::Peak),
        (
            "Average rate",
            PatternColumn::Traffic(TrafficField::Average),
        ),
        ("Creates %", PatternColumn::Traffic(TrafficField::Creates)),
        ("Updates %", PatternColumn::Traffic(TrafficField::Updates)),
        ("Deletes %", PatternColumn::Traffic(TrafficField::Deletes)),
        ("Items read", PatternColumn::Traffic(TrafficField::Items)),
        ("Failed %", PatternColumn::Traffic(TrafficField::Failed)),
        ("Skew", PatternColumn::Skews),
    ]
}

/// The columns of the rows of entities, with their titles.
pub const ENTITY_COLUMNS: [(&str, VolumeField); 4] = [
    ("Items", VolumeField::Items),
    ("Growth per month", VolumeField::Growth),
    ("Retention in days", VolumeField::Retention),
    ("Item size in bytes", VolumeField::Bytes),
];

/// A row: its name, and its cells in the order of the columns of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub id: RowId,
    /// The name of the access pattern or the entity.
    pub name: String,
    /// The texts of its cells.
    pub cells: Vec<String>,
}

/// The rows of all access patterns, then those of all entities.
pub fn rows(design: &Design) -> Vec<Row> {
    let patterns = design.access_patterns.keys().copied().map(RowId::Pattern);
    let entities = design.entities.keys().copied().map(RowId::Entity);
    let ids = patterns.chain(entities);
    ids.filter_map(|id| row(design, id)).collect()
}

/// A single row; `None` if the design lacks it.
pub fn row(design: &Design, id: RowId) -> Option<Row> {
    let (name, cells) = match id {
        RowId::Pattern(id) => {
            let pattern = design.access_patterns.get(&id)?;
            (&pattern.name, pattern_cells(design, id, pattern))
        }
        RowId::Entity(id) => {
            let volume = design.workload.entities.get(&id);
            let volume = volume.copied().unwrap_or_default();
            let cells = ENTITY_COLUMNS.iter().map(|(_, field)| field.read(&volume));
            (&design.entities.get(&id)?.name, cells.collect())
        }
    };
    Some(Row {
        id,
        name: name.clone(),
        cells,
    })
}

fn pattern_cells(design: &Design, id: AccessPatternId, pattern: &AccessPattern) -> Vec<String> {
    let none = Traffic::default();
    let traffic = design.workload.patterns.get(&id).unwrap_or(&none);
    let cell = |column: &PatternColumn| match column {
        PatternColumn::Peak => pattern.rate.map_or(String::new(), |rate| rate.to_string()),
        PatternColumn::Traffic(field) => field.read(traffic),
        PatternColumn::Skews => {
            let skews = traffic.parameters.iter();
            let skews = skews.map(|(name, skew)| [name, " ", &skew.to_string()].concat());
            skews.collect::<Vec<_>>().join("; ")
        }
    };
    pattern_columns()
        .iter()
        .map(|(_, column)| cell(column))
        .collect()
}

/// The whole table as tab-separated text, which [`paste`](super::paste) reads back.
pub fn copy(design: &Design) -> String {
    let head = |first: &str, titles: Vec<&str>| -> Vec<String> {
        let titles = std::iter::once(first).chain(titles);
        titles.map(str::to_owned).collect()
    };
    let columns = pattern_columns();
    let mut text = vec![head(
        "Access pattern",
        columns.iter().map(|(title, _)| *title).collect(),
    )];
    let mut is_first_entity = true;
    for row in rows(design) {
        if matches!(row.id, RowId::Entity(_)) && std::mem::take(&mut is_first_entity) {
            let titles = ENTITY_COLUMNS.iter().map(|(title, _)| *title).collect();
            text.push(head("Entity", titles));
        }
        text.push(std::iter::once(row.name).chain(row.cells).collect());
    }
    delimited::write(&text, '\t')
}

/// Reads a peak rate, per second.
pub(super) fn peak(cell: &str) -> Result<Option<f64>, Refused> {
    if cell.is_empty() {
        return Ok(None);
    }
    match figures::rate(cell) {
        Ok(keyfold_core::model::Rate::PerSecond(rate)) => Ok(Some(rate)),
        _ => Err(Refused("enter the peak per second, such as 40".into())),
    }
}

/// Reads `userId zipf 1.1; status even`, with names of the access pattern's values.
pub(super) fn skews(
    design: &Design,
    id: AccessPatternId,
    cell: &str,
) -> Result<SortedMap<String, Skew>, Refused> {
    let pattern = design.access_patterns.get(&id);
    let known = pattern.map(|pattern| value_names(design, &pattern.operation));
    let known = known.unwrap_or_default();
    let mut found = SortedMap::new();
    for part in cell
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        // A name can have spaces: the shape is the last word that begins one.
        let starts = [" even", " zipf ", " largest "];
        let at = starts.iter().filter_map(|word| part.rfind(word)).max();
        let Some(at) = at else {
            let wanted = "enter a parameter and its skew, such as userId zipf 1.1";
            return Err(Refused(wanted.into()));
        };
        let name = part[..at].trim();
        if !known.iter().any(|known| known == name) {
            return Err(Refused(match known.is_empty() {
                true => "this access pattern has no parameters".into(),
                false => {
                    let known = known.join("`, `");
                    format!("there is no parameter `{name}`: enter one of `{known}`")
                }
            }));
        }
        found.insert(name.to_owned(), figures::skew(&part[at..])?);
    }
    Ok(found)
}

/// The command that sets one cell from typed text.
///
/// # Errors
///
/// What to enter instead.
pub fn typed(design: &Design, id: RowId, column: usize, typed: &str) -> Result<Command, Refused> {
    let gone = || Refused("this row no longer exists".into());
    match id {
        RowId::Entity(id) => {
            let (_, field) = ENTITY_COLUMNS.get(column).ok_or_else(gone)?;
            field.typed(design, id, typed)
        }
        RowId::Pattern(id) => {
            let columns = pattern_columns();
            let (_, column) = columns.get(column).ok_or_else(gone)?;
            match column {
                PatternColumn::Traffic(field) => field.typed(design, id, typed),
                PatternColumn::Peak => {
                    let pattern = design.access_patterns.get(&id).ok_or_else(gone)?;
                    let mut pattern = AccessPattern::clone(Arc::as_ref(pattern));
                    pattern.rate = peak(typed.trim())?;
                    Ok(Command::Pattern(PatternEdit::Update {
                        id,
                        pattern: Box::new(pattern),
                        field: "Peak rate".into(),
                    }))
                }
                PatternColumn::Skews => {
                    let before = design.workload.patterns.get(&id).cloned();
                    let mut traffic = before.unwrap_or_default();
                    traffic.parameters = skews(design, id, typed)?;
                    Ok(Command::Workload(WorkloadEdit::Traffic {
                        id,
                        traffic: Box::new(traffic),
                        field: "skew".into(),
                    }))
                }
            }
        }
    }
}
