//! Rows of a spreadsheet, pasted into the table of the workload: they match by name, and what does not fit is refused
//! with its place.

use super::fields::TrafficField;
use super::table::{ENTITY_COLUMNS, PatternColumn, RowId, pattern_columns, peak, skews};
use crate::{Command, PatternEdit, Refused, WorkloadEdit};
use keyfold_core::counted::counted;
use keyfold_core::delimited;
use keyfold_core::model::{
    AccessPattern, AccessPatternId, Design, EntityId, FigureError, SortedMap, Traffic, Volume,
};

/// What pasting a text does.
#[derive(Debug, Clone, PartialEq)]
pub struct Pasted {
    /// The change, one undo step; `None` if no figure changes.
    pub command: Option<Command>,
    /// Number of rows that match an access pattern or an entity.
    pub rows: usize,
    /// What was refused. The other cells count.
    pub refused: Vec<RefusedCell>,
}

/// A row or a cell that was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedCell {
    /// Its place in the text, such as `row 3, Average rate`.
    pub place: String,
    /// Why.
    pub reason: String,
}

impl Pasted {
    /// What to say after the paste: how many rows it has, and what was refused.
    pub fn message(&self) -> String {
        const MAX_SHOWN: usize = 4;
        let mut text = format!("Pasted {}.", counted(self.rows, "row", "rows"));
        for RefusedCell { place, reason } in self.refused.iter().take(MAX_SHOWN) {
            text += &format!(" {}: {reason}.", capital(place));
        }
        if self.refused.len() > MAX_SHOWN {
            text += &format!(" {} more refused.", self.refused.len() - MAX_SHOWN);
        }
        text
    }
}

fn capital(place: &str) -> String {
    let mut letters = place.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// Pastes rows of a spreadsheet: tabs or commas between cells. The first cell is the name of an access pattern or an
/// entity. A row of titles says which columns follow; without one, they come in the order of the table. An empty cell
/// takes a figure away, a cell that is not there leaves it.
///
/// If no row begins with a name, the figures go into the rows from `cell` on: its row, and the number of its column.
/// They go in whole or not at all: a name that is misspelled would move the figures of its row one column on.
///
/// # Errors
///
/// That no row has the name of an access pattern or an entity, and there is no `cell`, or what does not fit the cells
/// from `cell` on.
pub fn paste(design: &Design, text: &str, cell: Option<(RowId, usize)>) -> Result<Pasted, String> {
    let separator = match text.contains('\t') {
        true => '\t',
        false => delimited::detect_separator(text),
    };
    let mut pasting = Pasting {
        design,
        titles: None,
        names: 1,
        traffic: SortedMap::new(),
        peaks: SortedMap::new(),
        volumes: SortedMap::new(),
        rows: 0,
        refused: Vec::new(),
    };
    let rows = delimited::read(text, separator);
    let is_named = |fields: &Vec<String>| pasting.named(fields[0].trim()).is_some();
    let is_by_name = cell.is_none() || rows.iter().any(is_named);
    match cell {
        // A spreadsheet has tabs between its cells: a comma is part of a figure.
        Some((row, column)) if !is_by_name => {
            pasting.fill_from(row, column, &delimited::read(text, '\t'));
        }
        _ => {
            for (number, fields) in (1..).zip(&rows) {
                if fields.iter().any(|field| !field.trim().is_empty()) {
                    pasting.row(number, fields);
                }
            }
        }
    }
    if pasting.rows == 0 && cell.is_none() {
        let message = "no row begins with the name of an access pattern or an entity: add the names, or select the \
                       cell for the first figure and paste again";
        return Err(message.to_owned());
    }
    if !is_by_name && let Some(RefusedCell { place, reason }) = pasting.refused.first() {
        return Err(format!(
            "{place}: {reason}. Nothing is pasted: no row begins with the name of an access pattern or an entity, so \
             every cell must be a figure"
        ));
    }
    Ok(pasting.done())
}

fn trimmed(fields: &[String]) -> Vec<&str> {
    fields.iter().map(|field| field.trim()).collect()
}

struct Pasting<'a> {
    design: &'a Design,
    /// The titles of the columns after the name.
    titles: Option<Vec<String>>,
    /// Cells of a row before its figures: 1 for the name.
    names: usize,
    traffic: SortedMap<AccessPatternId, Traffic>,
    peaks: SortedMap<AccessPatternId, Option<f64>>,
    volumes: SortedMap<EntityId, Volume>,
    rows: usize,
    refused: Vec<RefusedCell>,
}

impl Pasting<'_> {
    fn refuse(&mut self, place: String, reason: impl Into<String>) {
        let reason = reason.into();
        self.refused.push(RefusedCell { place, reason });
    }

    fn row(&mut self, number: usize, fields: &[String]) {
        let cells = trimmed(fields);
        let is_title = |cell: &&str| {
            let patterns = pattern_columns().into_iter().map(|(title, _)| title);
            let mut titles = patterns.chain(ENTITY_COLUMNS.iter().map(|(title, _)| *title));
            titles.any(|title| title.eq_ignore_ascii_case(cell))
        };
        if cells.iter().skip(1).any(is_title) {
            self.titles = Some(cells[1..].iter().map(|cell| (*cell).to_owned()).collect());
            return;
        }
        match self.named(cells[0]) {
            Some(RowId::Pattern(id)) => self.pattern(number, id, &cells[1..]),
            Some(RowId::Entity(id)) => self.entity(number, id, &cells[1..]),
            None => {
                let reason = "no access pattern and no entity has this name";
                self.refuse(format!("row {number}, `{}`", cells[0]), reason);
            }
        }
    }

    /// Rows without names, which go into the rows from one on, and the columns from a number on.
    fn fill_from(&mut self, first: RowId, column: usize, rows: &[Vec<String>]) {
        let design = self.design;
        let (ids, titles): (Vec<RowId>, Vec<&str>) = match first {
            RowId::Pattern(_) => (
                (design.access_patterns.keys().copied().map(RowId::Pattern)).collect(),
                pattern_columns().map(|(title, _)| title).to_vec(),
            ),
            RowId::Entity(_) => (
                design.entities.keys().copied().map(RowId::Entity).collect(),
                ENTITY_COLUMNS.map(|(title, _)| title).to_vec(),
            ),
        };
        let titles = titles.into_iter().skip(column).map(str::to_owned);
        self.titles = Some(titles.collect());
        self.names = 0;
        let mut ids = ids.into_iter().skip_while(|id| *id != first);
        for (number, fields) in (1..).zip(rows) {
            let cells = trimmed(fields);
            match ids.next() {
                Some(RowId::Pattern(id)) => self.pattern(number, id, &cells),
                Some(RowId::Entity(id)) => self.entity(number, id, &cells),
                None => self.refuse(format!("row {number}"), "the table has no more rows"),
            }
        }
    }

    /// The access pattern or the entity of this name; by the titles, if both have it.
    fn named(&self, name: &str) -> Option<RowId> {
        let is_it = |other: &str, exact: bool| match exact {
            true => other.trim() == name,
            false => other.trim().to_lowercase() == name.to_lowercase(),
        };
        let find = |exact: bool| {
            let mut patterns = self.design.access_patterns.iter();
            let pattern = patterns.find(|(_, pattern)| is_it(&pattern.name, exact));
            let mut entities = self.design.entities.iter();
            let entity = entities.find(|(_, entity)| is_it(&entity.name, exact));
            let pattern = pattern.map(|(id, _)| RowId::Pattern(*id));
            let entity = entity.map(|(id, _)| RowId::Entity(*id));
            match self.is_of_entities() {
                true => entity.or(pattern),
                false => pattern.or(entity),
            }
        };
        find(true).or_else(|| find(false))
    }

    fn is_of_entities(&self) -> bool {
        let has = |wanted: &str| {
            let mut titles = self.titles.iter().flatten();
            titles.any(|title| title.eq_ignore_ascii_case(wanted))
        };
        ENTITY_COLUMNS.iter().any(|(title, _)| has(title))
            && !pattern_columns().iter().any(|(title, _)| has(title))
    }

    /// The column of a cell: its title, and its position among `titles`.
    fn column(&self, at: usize, titles: &[&str]) -> Option<usize> {
        match &self.titles {
            None => (at < titles.len()).then_some(at),
            Some(own) => {
                let own = own.get(at)?;
                titles
                    .iter()
                    .position(|title| title.eq_ignore_ascii_case(own))
            }
        }
    }

    fn pattern(&mut self, number: usize, id: AccessPatternId, cells: &[&str]) {
        self.rows += 1;
        let columns = pattern_columns();
        let titles = columns.each_ref().map(|(title, _)| *title);
        let before = self
            .design
            .workload
            .patterns
            .get(&id)
            .cloned()
            .unwrap_or_default();
        let mut traffic = self.traffic.get(&id).cloned().unwrap_or(before.clone());
        let places = |at| (at, self.column(at, &titles));
        let mut places: Vec<_> = (0..cells.len()).map(places).collect();
        // Creates that are pasted count, whatever the other shares change.
        let creates = PatternColumn::Traffic(TrafficField::Creates);
        places.sort_by_key(|(_, column)| column.is_some_and(|at| columns[at].1 == creates));
        for (at, column) in places {
            let cell = cells[at];
            let Some(column) = column else {
                self.unknown(number, at, cell);
                continue;
            };
            let (title, column) = &columns[column];
            let result = match column {
                PatternColumn::Peak => peak(cell).map(|peak| {
                    self.peaks.insert(id, peak);
                }),
                PatternColumn::Traffic(field) => field.write(&mut traffic, cell),
                PatternColumn::Skews => {
                    skews(self.design, id, cell).map(|skews| traffic.parameters = skews)
                }
            };
            if let Err(Refused(reason)) = result {
                self.refuse(format!("row {number}, {title}"), reason);
            }
        }
        // What is left to check is the sum of the shares, and sizes.
        while let Err(FigureError { field, message }) = traffic.check() {
            let place = match field.as_str() {
                "puts" => "Creates %, Updates %, Deletes %",
                "average" => "Average rate",
                "items" => "Items read",
                "failed" => "Failed %",
                _ => "Skew",
            };
            match place {
                "Average rate" => traffic.average = before.average,
                "Items read" => traffic.items = before.items,
                "Failed %" => traffic.failed = before.failed,
                "Skew" => traffic.parameters = before.parameters.clone(),
                _ => traffic.puts = before.puts,
            }
            self.refuse(format!("row {number}, {place}"), message);
        }
        self.traffic.insert(id, traffic);
    }

    fn entity(&mut self, number: usize, id: EntityId, cells: &[&str]) {
        self.rows += 1;
        let titles = ENTITY_COLUMNS.map(|(title, _)| title);
        let before = self
            .design
            .workload
            .entities
            .get(&id)
            .copied()
            .unwrap_or_default();
        let mut volume = self.volumes.get(&id).copied().unwrap_or(before);
        for (at, cell) in cells.iter().enumerate() {
            let Some(column) = self.column(at, &titles) else {
                self.unknown(number, at, cell);
                continue;
            };
            let (title, field) = ENTITY_COLUMNS[column];
            let mut next = volume;
            let written = field.write(&mut next, cell);
            let checked =
                written.and_then(|()| next.check().map_err(|error| Refused(error.message)));
            match checked {
                Ok(()) => volume = next,
                Err(Refused(reason)) => self.refuse(format!("row {number}, {title}"), reason),
            }
        }
        self.volumes.insert(id, volume);
    }

    /// A cell that no column of its row takes.
    fn unknown(&mut self, number: usize, at: usize, cell: &str) {
        let title = self
            .titles
            .as_ref()
            .and_then(|titles| titles.get(at).cloned());
        let is_known = |title: &String| {
            let patterns = pattern_columns().into_iter().map(|(title, _)| title);
            let mut all = patterns.chain(ENTITY_COLUMNS.iter().map(|(title, _)| *title));
            all.any(|known| known.eq_ignore_ascii_case(title))
        };
        match title {
            _ if cell.is_empty() => {}
            Some(title) if is_known(&title) => {
                let reason = "rows of this kind do not have this column";
                self.refuse(format!("row {number}, {title}"), reason);
            }
            // A column of the spreadsheet that the table lacks, such as a comment.
            Some(_) => {}
            None => {
                let place = format!("row {number}, cell {}", at + self.names + 1);
                self.refuse(place, "the table has no more columns");
            }
        }
    }

    fn done(self) -> Pasted {
        let mut commands = Vec::new();
        let workload = &self.design.workload;
        for (id, peak) in self.peaks {
            if let Some(pattern) = self.design.access_patterns.get(&id)
                && pattern.rate != peak
            {
                let pattern = AccessPattern {
                    rate: peak,
                    ..AccessPattern::clone(pattern)
                };
                commands.push(Command::Pattern(PatternEdit::Update {
                    id,
                    pattern: Box::new(pattern),
                    field: "Peak rate".into(),
                }));
            }
        }
        for (id, traffic) in self.traffic {
            if workload.patterns.get(&id).cloned().unwrap_or_default() != traffic {
                commands.push(Command::Workload(WorkloadEdit::Traffic {
                    id,
                    traffic: Box::new(traffic),
                    field: "traffic".into(),
                }));
            }
        }
        for (id, volume) in self.volumes {
            if workload.entities.get(&id).copied().unwrap_or_default() != volume {
                let field = "volume";
                commands.push(Command::Workload(WorkloadEdit::Volume {
                    id,
                    volume,
                    field,
                }));
            }
        }
        Pasted {
            command: (!commands.is_empty()).then_some(Command::Together {
                label: "paste workload",
                commands,
            }),
            rows: self.rows,
            refused: self.refused,
        }
    }
}
