//! A person looks at what was found in files and changes it before it becomes designs: [`Review`] keeps what was found,
//! takes [`Edit`]s and reports.
//!
//! No edit changes an item that was imported: the engine of the design gives back each as the file has it.
//!
//! Modules: `defined` (edits of entities that a file describes), `report`.

mod defined;
mod report;

use crate::form::{FoundTable, Import, Notes};
use crate::{design, found, inference};
use keyfold_core::import::Note;
use keyfold_core::import::report::{Change, Edit, Report, TableReport};
use keyfold_core::model::Design;
use keyfold_infer::{Draft, Schema, State};

/// Maximum number of edits that can be taken back.
const UNDO: usize = 100;

/// What was found in files, with the edits so far.
#[derive(Debug)]
pub struct Review {
    /// What files say beside the tables.
    files: Report,
    tables: Vec<Table>,
    /// What the tables were before each edit.
    before: Vec<(usize, Before)>,
}

/// A table.
#[derive(Debug)]
struct Table {
    design: Design,
    /// The entities, if they were found in the items.
    found: Option<Found>,
    /// The type attribute before any edit.
    type_attribute: Option<String>,
    report: TableReport,
}

/// A table whose entities were found in its items.
#[derive(Debug)]
struct Found {
    /// The design without entities.
    base: Design,
    /// The table without its items.
    table: FoundTable,
    draft: Draft,
}

/// What a table was.
#[derive(Debug)]
enum Before {
    /// Entities found in items.
    Draft(State),
    /// Entities of a file.
    Design(Box<Design>),
}

impl Review {
    /// Makes a design of each table.
    ///
    /// # Errors
    ///
    /// Why no table can become a design.
    pub fn new(import: Import) -> Result<Review, String> {
        let mut left_out = import.left_out;
        let own = import
            .designs
            .into_iter()
            .map(|design| Table::new(design, None));
        let tables = import.tables.into_iter().map(|table| {
            let place = table.place.clone();
            (place, Table::of(table))
        });
        let tables = found::each(own, tables, &mut left_out)?;
        if tables.is_empty() {
            let notes = left_out.iter().take(3).map(ToString::to_string);
            let why: Vec<String> = notes.collect();
            return Err(format!("no table was found. {}", why.join("; ")));
        }
        let lines = |notes: &[Note]| notes.iter().map(Note::to_string).collect();
        let formats = import
            .formats
            .iter()
            .map(|format| format.label().to_owned());
        Ok(Review {
            files: Report {
                formats: formats.collect(),
                name: import.name,
                assumed: lines(&import.assumed),
                left_out: lines(&left_out),
                ..Report::default()
            },
            tables,
            before: Vec::new(),
        })
    }

    /// What was found, as it is after the edits.
    pub fn report(&self) -> Report {
        Report {
            tables: self
                .tables
                .iter()
                .map(|table| table.report.clone())
                .collect(),
            can_undo: !self.before.is_empty(),
            ..self.files.clone()
        }
    }

    /// Changes what was found, and reports.
    ///
    /// # Errors
    ///
    /// Why the edit is not made; nothing has changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<Report, String> {
        let table = self.tables.get_mut(edit.table);
        let before = table
            .ok_or("there is no such table")?
            .change(&edit.change)?;
        if self.before.len() == UNDO {
            self.before.remove(0);
        }
        self.before.push((edit.table, before));
        Ok(self.report())
    }

    /// Takes back the last edit, if there is one, and reports.
    pub fn undo(&mut self) -> Report {
        if let Some((at, before)) = self.before.pop() {
            self.tables[at].restore(before);
        }
        self.report()
    }

    /// The designs of the tables, in the order of the report. Their cards have no positions.
    pub fn designs(&self) -> impl Iterator<Item = &Design> {
        self.tables.iter().map(|table| &table.design)
    }

    /// The design of the table at this position of the report.
    pub fn design(&self, table: usize) -> Option<&Design> {
        self.tables.get(table).map(|table| &table.design)
    }
}

impl Table {
    fn new(design: Design, found: Option<Found>) -> Table {
        let type_attribute = design.table.type_attribute.clone();
        let mut table = Table {
            design,
            found,
            type_attribute,
            report: TableReport::default(),
        };
        table.report = table.reported();
        table
    }

    /// The table with what was left out of it.
    fn of(mut table: FoundTable) -> Result<(Table, Vec<Note>), String> {
        let mut notes = Notes::default();
        let base = design::base(&table, &mut notes)?;
        if !inference::is_needed(&table) {
            let design = design::with_samples(base, &table, &mut notes);
            return Ok((Table::new(design, None), notes.0));
        }
        let hints = inference::hints(&table);
        let items = std::mem::take(&mut table.items);
        let items = items.into_iter().map(|item| item.values).collect();
        let draft = Draft::new(Schema::of(&base), items, &hints);
        let design = inference::with_entities(&base, &table, draft.inferred(), &mut notes);
        let found = Found { base, table, draft };
        Ok((Table::new(design, Some(found)), notes.0))
    }

    /// Makes a change, and returns what the table was before.
    fn change(&mut self, change: &Change) -> Result<Before, String> {
        let before = match &mut self.found {
            Some(found) => {
                let before = found.draft.state();
                found.change(change)?;
                self.design = found.design();
                Before::Draft(before)
            }
            None => {
                let changed = defined::changed(&self.design, change)?;
                let before = std::mem::replace(&mut self.design, changed);
                Before::Design(Box::new(before))
            }
        };
        self.report = self.reported();
        Ok(before)
    }

    fn restore(&mut self, before: Before) {
        match (before, &mut self.found) {
            (Before::Draft(state), Some(found)) => {
                found.draft.restore(state);
                self.design = found.design();
            }
            (Before::Design(design), _) => self.design = *design,
            (Before::Draft(_), None) => {}
        }
        self.report = self.reported();
    }
}

impl Found {
    fn change(&mut self, change: &Change) -> Result<(), String> {
        match change {
            Change::Rename { entity, name } => self.draft.rename(*entity, name),
            Change::Merge { entities } => self.draft.merge(entities),
            Change::Split { entity, by } => self.draft.split(*entity, by.as_deref()),
            Change::SetTemplate {
                entity,
                key,
                template,
            } => self.draft.set_template(*entity, key, template.as_deref()),
        }
    }

    fn design(&self) -> Design {
        // What is left out was reported before the first edit.
        let mut notes = Notes::default();
        inference::with_entities(&self.base, &self.table, self.draft.inferred(), &mut notes)
    }
}
