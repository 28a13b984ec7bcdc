//! Pasting into the table: text from a spreadsheet, or items as DynamoDB JSON. Whatever fits is pasted in one step;
//! the rest is reported with its place and the reason.

use super::cells::{Area, Cells, Rule, Rules, say_undeclared};
use super::copy::{Copied, Field};
use super::json_items::{is_typed, items};
use crate::{SampleEdits, ValueEdit};
use keyfold_core::counted::counted;
use keyfold_core::delimited;
use keyfold_core::engine::ValueRef;
use keyfold_core::engine::key_reader::key_only_values;
use keyfold_core::import::samples::Placer;
use keyfold_core::model::{AttributeType, EntityId, SampleId, SortedMap, SortedSet, Value, name};
use serde_json::Value as Json;

/// Maximum number of skipped values listed in a message.
const MAX_LISTED: usize = 4;

/// Why rows cannot be added without an entity.
const NO_ENTITY: &str = "the design has no entity for the new rows";

/// What pasting a text does to the samples.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PasteResult {
    /// The change; empty if all values stay the same.
    pub edits: SampleEdits,
    /// Samples with filled cells, from the top, whether or not the values changed.
    pub filled: Vec<SampleId>,
    /// The filled columns: the first one, and their number.
    pub columns: (usize, usize),
    /// Number of filled cells.
    pub cells: usize,
    /// Attributes added to rows whose entity does not declare them.
    pub undeclared: SortedSet<String>,
    /// Number of cells skipped because they cannot be edited.
    pub locked: usize,
    /// Values that could not be pasted.
    pub skipped: Vec<SkippedValue>,
}

/// A value that could not be pasted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SkippedValue {
    /// Its place in the text, such as ``row 3, `seats` ``.
    pub place: String,
    /// Why it was skipped.
    pub reason: String,
}

/// Pastes a text into the cells of `area`, starting at its first cell. If the area is a multiple of the pasted block
/// in size, the block repeats. Rows are added beyond the last line; a text that has column names in its first row, or
/// is DynamoDB JSON, only adds rows. `entity` is the entity of added rows that have neither a type nor a key. If the text is
/// that of the cells `copied` last, their values are pasted with their types.
///
/// # Errors
///
/// Returns why nothing in the text can be pasted.
pub fn paste(
    cells: &Cells,
    area: &Area,
    entity: Option<EntityId>,
    text: &str,
    copied: Option<&Copied>,
) -> Result<PasteResult, String> {
    let mut paste = Paste {
        cells,
        rules: Rules::new(cells),
        new_rules: Rules::of_new_items(cells.design),
        done: PasteResult::default(),
    };
    paste.done.edits.label = "paste cells";
    if let Some(copied) = copied.filter(|copied| copied.is(text)) {
        paste.rows(area, entity, &copied.rows)?;
    } else if let Some(block) = paste.nested(area, text) {
        paste.fill(area, entity, &[vec![Field::Text(block)]])?;
    } else if let Some(items) = items(text)? {
        paste.done.edits.label = "paste items";
        paste.add_items(&items, entity)?;
    } else {
        let rows = delimited::read(text, '\t').into_iter();
        let rows: Vec<Vec<Field>> = rows
            .map(|row| row.into_iter().map(Field::Text).collect())
            .collect();
        paste.rows(area, entity, &rows)?;
    }
    Ok(paste.done)
}

impl PasteResult {
    /// Returns a message about the result, in one or two sentences.
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if self.cells > 0 {
            parts.push(format!("filled {}", counted(self.cells, "cell", "cells")));
        }
        if !self.edits.added.is_empty() {
            parts.push(format!(
                "added {}",
                counted(self.edits.added.len(), "row", "rows")
            ));
        }
        let mut text = match parts.is_empty() {
            true => "Nothing was pasted.".to_owned(),
            false => format!("Pasted: {}.", parts.join(", ")),
        };
        if let Some(undeclared) = say_undeclared(&self.undeclared) {
            text.push_str(&format!(" {undeclared}."));
        }
        if self.locked > 0 {
            let cells = counted(self.locked, "cell", "cells");
            text.push_str(&format!(" Skipped {cells} that cannot be edited."));
        }
        if !self.skipped.is_empty() {
            text.push_str(" Not pasted: ");
            for (at, value) in self.skipped.iter().take(MAX_LISTED).enumerate() {
                text.push_str(if at > 0 { "; " } else { "" });
                text.push_str(&value.place);
                text.push_str(": ");
                text.push_str(&value.reason);
            }
            match self.skipped.len().saturating_sub(MAX_LISTED) {
                0 => text.push('.'),
                more => text.push_str(&format!("; and {more} more.")),
            }
        }
        text
    }
}

struct Paste<'c, 'a> {
    cells: &'c Cells<'a>,
    rules: Rules<'a>,
    new_rules: Rules<'a>,
    done: PasteResult,
}

impl Field {
    /// Whether it clears a cell.
    fn is_empty(&self) -> bool {
        matches!(self, Field::Text(text) if text.is_empty())
    }

    /// Its value in a cell with this rule that holds `before`; `None`: no value.
    fn read(&self, rule: &Rule, before: Option<&Value>) -> Result<Option<Value>, String> {
        match self {
            Field::Text(text) if text.is_empty() => Ok(None),
            Field::Text(text) => {
                Value::from_text(rule.kind(before.map(ValueRef::Value)), text).map(Some)
            }
            Field::Value(value) => rule.converted(value.clone()).map(Some),
        }
    }
}

impl Paste<'_, '_> {
    /// Pastes rows of fields: with column names in the first one they are added, else they fill cells.
    fn rows(
        &mut self,
        area: &Area,
        entity: Option<EntityId>,
        rows: &[Vec<Field>],
    ) -> Result<(), String> {
        match self.heading(area, rows, entity) {
            Some(columns) => self.add_rows(&columns, &rows[1..], entity),
            None => self.fill(area, entity, rows),
        }
    }

    /// The whole text, if the first cell holds a list, map or set and the text is a value of that type.
    fn nested(&self, area: &Area, text: &str) -> Option<String> {
        let line = *area.lines.first()?;
        let column = area.columns.start;
        let (entity, _) = self.cells.row(line)?;
        let name = self.cells.columns.get(column)?;
        let mut rules = Rules::new(self.cells);
        let rule = rules.of(entity, name);
        let kind = rule.kind(self.cells.value(line, column).as_ref().map(ValueRef::Value));
        let nested = matches!(
            kind,
            AttributeType::L
                | AttributeType::M
                | AttributeType::Ss
                | AttributeType::Ns
                | AttributeType::Bs
        );
        let fits = nested && !rule.locked && !area.whole && Value::from_text(kind, text).is_ok();
        fits.then(|| text.to_owned())
    }

    /// Returns the attributes named in the first row, if it is a header: there are rows below it, and more than half
    /// of its fields are different attribute names. Other fields are `None`. A single column that is pasted into cells
    /// has a header only if it is the name of theirs: any other may be a value.
    fn heading(
        &mut self,
        area: &Area,
        rows: &[Vec<Field>],
        entity: Option<EntityId>,
    ) -> Option<Vec<Option<String>>> {
        let (first, rest) = rows.split_first()?;
        let design = self.cells.design;
        let known = |name: &str| {
            let declared = entity
                .and_then(|id| design.entities.get(&id))
                .is_some_and(|entity| entity.attribute(name).is_some());
            declared || self.cells.columns.iter().any(|column| column == name)
        };
        let named = |field: &Field| match field {
            Field::Text(text) if known(text.trim()) => Some(text.trim().to_owned()),
            _ => None,
        };
        let columns: Vec<Option<String>> = first.iter().map(named).collect();
        if columns.len() == 1
            && !area.whole
            && !area.lines.is_empty()
            && columns[0].as_ref() != self.cells.columns.get(area.columns.start)
        {
            return None;
        }
        let count = columns.iter().flatten().count();
        let distinct = SortedSet::from_iter(columns.iter().flatten()).len() == count;
        (!rest.is_empty() && distinct && count * 2 > columns.len()).then_some(columns)
    }

    /// Fills cells from the first of the area on. Adds rows beyond the last line.
    fn fill(
        &mut self,
        area: &Area,
        entity: Option<EntityId>,
        rows: &[Vec<Field>],
    ) -> Result<(), String> {
        let (Some(start), width) = (
            area.lines.first(),
            rows.iter().map(Vec::len).max().unwrap_or(0),
        ) else {
            let what = "select a cell to paste into, or include the column names";
            return Err(what.into());
        };
        let entity = self.cells.row(*start).map(|(entity, _)| entity).or(entity);
        let times = |selected: usize, pasted: usize| match selected {
            _ if pasted == 0 || area.whole => 1,
            selected if selected > pasted && selected.is_multiple_of(pasted) => selected / pasted,
            _ => 1,
        };
        let height = rows.len() * times(area.lines.len(), rows.len());
        let from = area.columns.start;
        let right = self.cells.columns.len();
        let to = from + width * times(area.columns.len(), width);
        if to > right {
            let lost = counted(to - right, "column", "columns");
            self.skip(
                "on the right".into(),
                format!("{lost} beyond the last column"),
            );
        }
        self.done.columns = (from, to.min(right) - from);
        // The selected lines, then those below them.
        let last = area.lines[area.lines.len() - 1];
        let below = (last + 1..self.cells.sheet.len())
            .filter(|line| self.cells.sheet.item(*line).is_some());
        let mut lines = area.lines.iter().copied().chain(below);
        for at in 0..height {
            let row = &rows[at % rows.len()];
            // A row that is shorter than others says nothing of the rest.
            let is_blank = width > 1 && row.len() == 1 && row[0].is_empty();
            let field = |column: usize| row.get((column - from) % width).filter(|_| !is_blank);
            match lines.next() {
                Some(line) => {
                    for column in from..to.min(right) {
                        if let Some(field) = field(column) {
                            self.fill_cell(line, column, at, field);
                        }
                    }
                    if let Some((_, sample)) = self.cells.row(line) {
                        self.done.filled.push(sample);
                    }
                }
                None => {
                    let entity = entity.ok_or(NO_ENTITY)?;
                    let cells = self.cells;
                    let names = (from..to.min(right))
                        .filter_map(|c| Some((cells.columns[c].as_str(), field(c)?)));
                    self.add_row(entity, at, names);
                }
            }
        }
        Ok(())
    }

    fn fill_cell(&mut self, line: usize, column: usize, at: usize, field: &Field) {
        let Some((entity, sample)) = self.cells.row(line) else {
            return;
        };
        let name = &self.cells.columns[column];
        let rule = self.rules.of(entity, name);
        if rule.locked {
            self.done.locked += 1;
            return;
        }
        let before = self.cells.value(line, column);
        let value = match field.read(&rule, before.as_ref()) {
            Ok(value) => value,
            Err(reason) => return self.skip(place(at, name), reason),
        };
        self.done.cells += 1;
        if before.is_none() && value.is_some() && !rule.is_declared() {
            self.done.undeclared.insert(name.clone());
        }
        if before != value {
            self.done.edits.values.push(ValueEdit {
                entity,
                sample,
                attribute: name.clone(),
                value,
            });
        }
    }

    /// Adds a row for each row of a text with column names.
    fn add_rows(
        &mut self,
        columns: &[Option<String>],
        rows: &[Vec<Field>],
        entity: Option<EntityId>,
    ) -> Result<(), String> {
        let unknown = columns.iter().filter(|name| name.is_none()).count();
        if unknown > 0 {
            self.skip(
                "first row".into(),
                format!(
                    "{} without a matching attribute",
                    counted(unknown, "column", "columns")
                ),
            );
        }
        let placer = Placer::or_only(self.cells.design, None);
        for (at, row) in rows.iter().enumerate() {
            // The first row of the text is the header.
            let at = at + 1;
            let fields = columns.iter().zip(row);
            let fields: Vec<(&str, &Field)> = fields
                .filter_map(|(name, field)| Some((name.as_deref()?, field)))
                .filter(|(_, field)| !field.is_empty())
                .collect();
            let look = |wanted: &str| {
                let (_, field) = fields.iter().find(|(name, _)| *name == wanted)?;
                let kind = placer.key_type(wanted).unwrap_or_default();
                match field {
                    Field::Text(text) => Value::from_text(kind, text.trim()).ok(),
                    Field::Value(value) => Some(value.clone()),
                }
            };
            let names: Vec<&str> = fields.iter().map(|(name, _)| *name).collect();
            match self.entity_of(&placer, &look, &names, entity) {
                Ok(found) => self.add_row(found.ok_or(NO_ENTITY)?, at, fields.into_iter()),
                Err(why) => self.skip(format!("row {}", at + 1), why),
            }
        }
        Ok(())
    }

    /// Returns the entity of a new item, of which `look` gives the values: the one that its type attribute or its
    /// primary key shows, else `otherwise`. The error says why no entity fits.
    fn entity_of(
        &self,
        placer: &Placer,
        look: &dyn Fn(&str) -> Option<Value>,
        names: &[&str],
        otherwise: Option<EntityId>,
    ) -> Result<Option<EntityId>, String> {
        let table = &self.cells.design.table;
        let has_type = (table.type_attribute.as_deref()).is_some_and(|name| look(name).is_some());
        let mut keys = table.key.attributes();
        if !has_type && keys.any(|key| look(&key.name).is_none()) {
            return Ok(otherwise);
        }
        placer.entity(look, names).map(Some).or_else(|why| {
            if has_type {
                return Err(why);
            }
            // The values may differ from a key that was copied along, which is rendered again.
            let by_key = |name: &str| {
                let mut keys = table.key.attributes();
                keys.any(|key| key.name == name).then(|| look(name))?
            };
            let can_be = |id: &EntityId| placer.can_be(*id, &by_key);
            let found = otherwise.filter(can_be);
            found
                .or_else(|| placer.only_fitting(&by_key))
                .map(Some)
                .ok_or(why)
        })
    }

    fn add_row<'b>(
        &mut self,
        entity: EntityId,
        at: usize,
        fields: impl Iterator<Item = (&'b str, &'b Field)>,
    ) {
        let mut values = SortedMap::new();
        for (name, field) in fields {
            let rule = self.new_rules.of(entity, name);
            if field.is_empty() {
                continue;
            }
            if rule.locked {
                self.done.locked += 1;
                continue;
            }
            match field.read(&rule, None) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    if !rule.is_declared() {
                        self.done.undeclared.insert(name.to_owned());
                    }
                    values.insert(name.to_owned(), value);
                }
                Err(reason) => self.skip(place(at, name), reason),
            }
        }
        if !values.is_empty() {
            self.done.edits.added.push((entity, values.into()));
        }
    }

    /// Adds items as rows. Rendered key attributes are left out.
    fn add_items(&mut self, items: &[Json], entity: Option<EntityId>) -> Result<(), String> {
        let design = self.cells.design;
        let placer = Placer::or_only(design, None);
        for (at, item) in items.iter().enumerate() {
            let place = format!("item {}", at + 1);
            let names: Vec<&str> = (item.as_object().into_iter().flatten())
                .map(|(name, _)| name.as_str())
                .collect();
            if let Some(error) = (names.iter()).find_map(|n| name::check_attribute(n).err()) {
                self.skip(place, error.to_string());
                continue;
            }
            let typed = is_typed(item);
            let read = |name: &str, kind: AttributeType| {
                Some(match item.get(name)? {
                    json if typed => Value::from_dynamodb_json(json),
                    Json::String(text) => Value::from_text(kind, text),
                    json => Value::from_text(kind, &json.to_string()),
                })
            };
            let look = |name: &str| {
                let kind = placer.key_type(name).unwrap_or_default();
                read(name, kind)?.ok()
            };
            let entity = match self.entity_of(&placer, &look, &names, entity) {
                Ok(found) => found.ok_or(NO_ENTITY)?,
                Err(why) => {
                    self.skip(place, why);
                    continue;
                }
            };
            let mut values = SortedMap::new();
            // Rendered keys are not lost: they are rendered again.
            let mut rendered = SortedMap::new();
            for name in names {
                let rule = self.new_rules.of(entity, name);
                match read(name, rule.kind(None)) {
                    Some(Ok(value)) if rule.locked => {
                        rendered.insert(name.to_owned(), value);
                    }
                    Some(Ok(value)) => {
                        if !rule.is_declared() {
                            self.done.undeclared.insert(name.to_owned());
                        }
                        values.insert(name.to_owned(), value);
                    }
                    Some(Err(reason)) if !rule.locked => {
                        self.skip(format!("{place}, `{name}`"), reason);
                    }
                    _ => {}
                }
            }
            if let Some(owner) = design.entities.get(&entity) {
                // Items lack key-only attributes, but their keys have the values.
                let parsed = key_only_values(design, owner, &|name| rendered.get(name).cloned());
                for (name, value) in parsed {
                    values.entry(name).or_insert(value);
                }
            }
            if !values.is_empty() {
                self.done.edits.added.push((entity, values.into()));
            }
        }
        Ok(())
    }

    fn skip(&mut self, place: String, reason: String) {
        self.done.skipped.push(SkippedValue { place, reason });
    }
}

fn place(at: usize, name: &str) -> String {
    format!("row {}, `{name}`", at + 1)
}
