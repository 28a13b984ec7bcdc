//! Changes to many cells: clear, fill down, fill series.

use super::cells::{Area, Cells, Rules};
use crate::suggest;
use crate::{SampleEdits, ValueEdit};
use keyfold_core::model::{SortedSet, Value};

/// A change to many cells, and the cells that it skips.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CellChange {
    /// The change; empty if all values stay the same.
    pub edits: SampleEdits,
    /// Attributes added to rows whose entity does not declare them.
    pub undeclared: SortedSet<String>,
    /// Number of cells skipped because they cannot be edited.
    pub locked: usize,
    /// Number of cells skipped because the value does not fit their type.
    pub mismatched: usize,
}

/// Clears the cells.
pub fn clear(cells: &Cells, area: &Area) -> CellChange {
    let mut change = CellChange::default();
    change.edits.label = "clear cells";
    let mut rules = Rules::new(cells);
    for line in &area.lines {
        for column in area.columns.clone() {
            set(cells, &mut rules, (*line, column), None, &mut change);
        }
    }
    change
}

/// Copies the first row of the area to the rows below it. With `series`, each row gets the value after the one
/// above: `user-002` after `user-001`, 8 after 7, the next day after a date. In an area of one row, the row above is
/// copied into it.
pub fn down(cells: &Cells, area: &Area, series: bool) -> CellChange {
    let mut change = CellChange::default();
    change.edits.label = if series { "fill series" } else { "fill down" };
    let above = |line: usize| {
        line.checked_sub(1)
            .and_then(|at| cells.sheet.at_or_before(at))
    };
    let (first, rest) = match area.lines.split_first() {
        Some((only, [])) => match above(*only) {
            Some(above) => (above, std::slice::from_ref(only)),
            None => return change,
        },
        Some((first, rest)) => (*first, rest),
        None => return change,
    };
    let mut rules = Rules::new(cells);
    for column in area.columns.clone() {
        let mut value = cells.value(first, column);
        for line in rest {
            if series {
                value = value.map(|value| suggest::successor(&value).unwrap_or(value));
            }
            let at = (*line, column);
            set(cells, &mut rules, at, value.clone(), &mut change);
        }
    }
    change
}

fn set(
    cells: &Cells,
    rules: &mut Rules,
    (line, column): (usize, usize),
    value: Option<Value>,
    change: &mut CellChange,
) {
    let Some((entity, sample)) = cells.row(line) else {
        return;
    };
    let name = &cells.columns[column];
    let rule = rules.of(entity, name);
    if rule.locked {
        change.locked += 1;
        return;
    }
    let Ok(value) = value.map(|value| rule.converted(value)).transpose() else {
        change.mismatched += 1;
        return;
    };
    let before = cells.value(line, column);
    if before.is_none() && value.is_some() && !rule.is_declared() {
        change.undeclared.insert(name.clone());
    }
    if before != value {
        change.edits.values.push(ValueEdit {
            entity,
            sample,
            attribute: name.clone(),
            value,
        });
    }
}
