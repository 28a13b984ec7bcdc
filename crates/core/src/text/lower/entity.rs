//! Entities: their names, keys and samples.

use super::super::cursor::{Cursor, Spot};
use super::super::lexer;
use super::super::statement::{Statement, Token};
use super::super::syntax::SyntaxKind;
use super::super::value;
use super::blocks::{Lower, twice};
use super::formats::{take_value, value_of};
use super::identity::Known;
use super::likely_mistakes::unknown;
use super::lowered::Part;
use crate::model::{
    Condition, Entity, EntityId, IndexEntry, IndexId, KeyPart, Sample, SampleId, SortedMap, Test,
    Value, Values, name,
};
use std::sync::Arc;

impl Lower<'_> {
    /// Reads all entities; returns their ids in the order of the text.
    pub(super) fn entities(&mut self, blocks: &[&Statement]) -> Vec<EntityId> {
        let mut known: Vec<(&Statement, Spot)> = Vec::new();
        for block in blocks {
            let Some(name) = self.block_name(block, "the name of the entity", name::check_label)
            else {
                continue;
            };
            Cursor::after(block, 2, &self.problems).finish();
            match known.iter().any(|(_, other)| other.text == name.text) {
                true => self.error(name.range, twice("entity", &name.text)),
                false => known.push((block, name)),
            }
        }
        let old: Vec<_> = (self.previous.entities.iter())
            .map(|(id, entity)| {
                let names = entity.attributes.iter().map(|a| a.name.as_str());
                (*id, Known::new(&entity.name, attribute_names(names)))
            })
            .collect();
        let new: Vec<Known> = (known.iter())
            .map(|(block, name)| {
                let lines = block.children.iter();
                let lines = lines.filter(|line| line.kind == SyntaxKind::Attribute);
                let names = lines.map(|line| line.word().trim_end_matches('?'));
                Known::new(&name.text, attribute_names(names))
            })
            .collect();
        let ids = self.ids(&new, &old, EntityId);
        let mut entities: Vec<(EntityId, &Statement)> = Vec::new();
        for ((block, name), id) in known.into_iter().zip(ids) {
            self.key(block, id.to_string());
            self.mark(name.range, Part::Entity(id), true);
            let mut entity = Entity::new(name.text, 0);
            entity.description.clone_from(&block.description);
            self.design.entities.insert(id, Arc::new(entity));
            entities.push((id, block));
        }
        self.attributes(&entities);
        for (id, block) in &entities {
            for line in &block.children {
                match line.kind {
                    SyntaxKind::Key => self.key_line(*id, line),
                    SyntaxKind::Setting => self.volume(*id, line),
                    _ => {}
                }
            }
            self.samples(*id, block);
        }
        entities.into_iter().map(|(id, _)| id).collect()
    }

    /// `key PARTITION / SORT` or `index NAME PARTITION / SORT when ...`
    fn key_line(&mut self, id: EntityId, line: &Statement) {
        let is_primary = line.word() == "key";
        let mut index = IndexId::PRIMARY;
        let mut cursor = Cursor::after(line, 1, &self.problems);
        if !is_primary {
            let name = cursor.name("the name of an index");
            let Some(found) = name.and_then(|name| self.index_named(&name)) else {
                return;
            };
            index = found;
        }
        let Some(key) = self.design.key(index).cloned() else {
            return;
        };
        let entity = self.design.entities.get(&id).cloned();
        if entity.as_ref().is_some_and(|e| e.keys.contains_key(&index)) {
            let what = match is_primary {
                true => "`key` is set twice".to_owned(),
                false => format!("index `{}` is set twice", self.design.index_name(index)),
            };
            return self.error(line.code(), what);
        }
        let range = cursor.here();
        let partition = template(&mut cursor, &["/", "when"]);
        let sort = match cursor.word("/") {
            true => template(&mut cursor, &["when"]),
            false => None,
        };
        let has_templates = partition.is_some() || sort.is_some();
        if key.is_multi_attribute() && has_templates {
            let message = "an index with a multi-attribute key takes plain attributes: write no template here";
            cursor.error(range.clone(), message.to_owned());
        } else if key.sort.is_empty()
            && let Some(sort) = &sort
        {
            let message = match is_primary {
                true => "the table has no sort key: add one to the line of the table".to_owned(),
                false => "the index has no sort key: add one to its line".to_owned(),
            };
            cursor.error(sort.range.clone(), message);
        }
        let mut when = Vec::new();
        let at = cursor.here();
        if cursor.word("when") {
            if is_primary {
                let message = "only an entry of an index can have a condition";
                cursor.error(at, message.to_owned());
            }
            while let Some(condition) = condition(&mut cursor, entity.as_deref()) {
                when.push(condition);
                if !cursor.word("and") {
                    break;
                }
            }
        }
        if sort.is_none() && when.is_empty() && !cursor.is_done() {
            cursor.expected("` / ` between spaces and the sort key, or `when`");
        }
        cursor.finish();
        if cursor.failed {
            return;
        }
        if let Some(partition) = partition.as_ref().filter(|spot| spot.text.contains("}/"))
            && sort.is_none()
            && !key.sort.is_empty()
        {
            let message = "write a space on each side of the `/` before the sort key";
            self.warn(partition.range.clone(), message);
        }
        self.key(line, index.to_string());
        self.mark(line.code(), Part::Entry(id, index), true);
        for (part, spot) in [(KeyPart::Partition, &partition), (KeyPart::Sort, &sort)] {
            if let Some(spot) = spot {
                self.mark(spot.range.clone(), Part::Template(id, index, part), true);
            }
        }
        let entry = IndexEntry {
            partition: partition.map(|spot| spot.text),
            sort: sort.map(|spot| spot.text),
            when,
        };
        if let Some(entity) = self.edit_entity(id) {
            entity.keys.insert(index, entry);
        }
    }

    /// The rows of an entity. The first names the attributes.
    fn samples(&mut self, id: EntityId, block: &Statement) {
        let mut rows = (block.children.iter()).filter(|line| line.kind == SyntaxKind::Row);
        let Some(header) = rows.next() else {
            return;
        };
        let mut columns: Vec<Option<(String, Option<crate::model::AttributeType>)>> = Vec::new();
        let entity = self.design.entities.get(&id).cloned();
        let entity_name = entity.as_ref().map_or("", |entity| &entity.name);
        for cell in cells(header) {
            let Some(cell) = cell else {
                columns.push(None);
                continue;
            };
            let name = cell.value();
            let twice = (columns.iter().flatten()).any(|(other, _)| *other == name);
            if twice {
                self.error(cell.range.clone(), format!("column `{name}` occurs twice"));
                columns.push(None);
                continue;
            }
            let attribute = entity.as_ref().and_then(|e| e.attribute(&name));
            if let Some(attribute) = attribute {
                let part = Part::Attribute(id, attribute.id);
                self.mark(cell.range.clone(), part, false);
            }
            if self.design.type_of(id, &name).is_none() {
                let what = format!("attribute of `{entity_name}`");
                let names = entity.iter().flat_map(|e| &e.attributes);
                let message = unknown(&what, &name, names.map(|a| a.name.as_str()));
                self.warn(cell.range.clone(), &message);
            }
            columns.push(Some((name, attribute.map(|attribute| attribute.kind))));
        }
        self.key(header, "columns");
        let mut read: Vec<(&Statement, Values)> = Vec::new();
        for row in rows {
            if is_rule(row) {
                continue;
            }
            if let Some(values) = self.row(row, &columns) {
                read.push((row, values));
            }
        }
        let ids = self.sample_ids(id, &read);
        let mut samples = Vec::new();
        for ((row, values), sample) in read.into_iter().zip(ids) {
            self.key(row, sample.to_string());
            self.mark(row.code(), Part::Sample(id, sample), true);
            samples.push(Arc::new(Sample { id: sample, values }));
        }
        let order = samples.iter().map(|sample| sample.id).collect();
        self.sample_rows.insert(id, order);
        if !samples.is_empty() {
            self.design.samples.insert(id, Arc::new(samples));
        }
    }

    fn row(
        &mut self,
        row: &Statement,
        columns: &[Option<(String, Option<crate::model::AttributeType>)>],
    ) -> Option<Values> {
        let mut values = SortedMap::new();
        let cells = cells(row);
        if cells.len() < columns.len() {
            let message = format!(
                "this row has {} of {} cells: leave a cell empty between its bars if the sample has no value",
                cells.len(),
                columns.len()
            );
            self.warn(row.code(), &message);
        }
        for (at, cell) in cells.into_iter().enumerate() {
            let Some(cell) = cell else {
                continue;
            };
            let Some(column) = columns.get(at) else {
                let message = format!("this row has more cells than the {} columns", columns.len());
                self.error(cell.range.clone(), message);
                return None;
            };
            let Some((name, kind)) = column else {
                continue;
            };
            match value::read(cell, *kind) {
                Ok(value) => {
                    values.insert(name.clone(), value);
                }
                Err(message) => {
                    self.error(cell.range.clone(), format!("`{name}`: {message}"));
                    return None;
                }
            }
        }
        Some(values.into())
    }

    fn sample_ids(&mut self, id: EntityId, rows: &[(&Statement, Values)]) -> Vec<SampleId> {
        // Equal values are the same sample; a row at the same place is the same sample too.
        let shown = |values: &Values| format!("{values:?}");
        let old: Vec<_> = (self.previous.samples_of(id).iter())
            .map(|sample| (sample.id, Known::new(shown(&sample.values), "")))
            .collect();
        let new: Vec<Known> = (rows.iter())
            .map(|(_, values)| Known::new(shown(values), ""))
            .collect();
        self.ids(&new, &old, SampleId)
    }
}

fn attribute_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<Vec<_>>().join("|")
}

/// Whether a row is the line below the head of a Markdown table: `|---|---|`.
pub(in crate::text) fn is_rule(row: &Statement) -> bool {
    let mut has_cell = false;
    let all = row.tokens.iter().all(|token| {
        let is_cell = token.kind == SyntaxKind::Cell && lexer::is_rule(token.text);
        has_cell |= is_cell;
        is_cell || token.kind == SyntaxKind::Bar
    });
    all && has_cell
}

/// The cells of a row; `None` for an empty cell.
pub(in crate::text) fn cells<'a, 't>(row: &'a Statement<'t>) -> Vec<Option<&'a Token<'t>>> {
    let mut cells = Vec::new();
    let mut cell = None;
    for token in row.tokens.iter().skip(1) {
        match token.kind {
            SyntaxKind::Bar => cells.push(cell.take()),
            _ => cell = Some(token),
        }
    }
    // The last bar may be left out.
    cells.extend(cell.map(Some));
    cells
}

/// Takes a template, unless one of these words comes.
pub(super) fn template(cursor: &mut Cursor, stops: &[&str]) -> Option<Spot> {
    let token = cursor.peek()?;
    let is_text = matches!(
        token.kind,
        SyntaxKind::Word | SyntaxKind::Quoted | SyntaxKind::Json
    );
    if !is_text || stops.iter().any(|stop| token.is(stop)) {
        return None;
    }
    cursor.name("a key template")
}

/// `status = PENDING`, `status != PENDING`, `status in (A, B)`, `status exists`, `status missing`
fn condition(cursor: &mut Cursor, entity: Option<&Entity>) -> Option<Condition> {
    if let Some((name, value)) = cursor.assignment() {
        let declared = entity.and_then(|entity| entity.attribute(&name.text));
        let value = value_of(cursor, &value, declared.map(|attribute| attribute.kind))?;
        return Some(Condition {
            attribute: name.text,
            test: Test::Equals(value),
        });
    }
    let attribute = cursor.name("the name of an attribute")?;
    let declared = entity.and_then(|entity| entity.attribute(&attribute.text));
    let kind = declared.map(|attribute| attribute.kind);
    let test = match () {
        () if cursor.word("=") => Test::Equals(take_value(cursor, kind, "a value")?),
        () if cursor.word("!=") || cursor.word("<>") => {
            Test::NotEquals(take_value(cursor, kind, "a value")?)
        }
        () if cursor.word("exists") => Test::Exists,
        () if cursor.word("missing") => Test::Missing,
        () if cursor.word("in") => {
            if !cursor.punctuation(SyntaxKind::LeftParen) {
                cursor.expected("values in parentheses, such as `(PENDING, PAID)`");
                return None;
            }
            let mut values: Vec<Value> = Vec::new();
            while !cursor.punctuation(SyntaxKind::RightParen) {
                values.push(take_value(cursor, kind, "a value")?);
                let ends = (cursor.peek()).is_some_and(|t| t.kind == SyntaxKind::RightParen);
                if !ends && !cursor.punctuation(SyntaxKind::Comma) {
                    cursor.expected("`,` or `)`");
                    return None;
                }
            }
            Test::OneOf(values)
        }
        () => {
            cursor.expected("`=`, `!=`, `in`, `exists` or `missing`");
            return None;
        }
    };
    Some(Condition {
        attribute: attribute.text,
        test,
    })
}
