//! Silenced findings and their places.

use super::super::cursor::{Cursor, Spot};
use super::super::statement::Statement;
use super::blocks::Lower;
use super::lowered::Part;
use crate::lint::Place;
use crate::model::{EntityId, IndexId, KeyPart, SampleId, Silenced};
use std::sync::Arc;

impl Lower<'_> {
    pub(super) fn silenced(&mut self, blocks: &[&Statement]) {
        for block in blocks {
            let mut cursor = Cursor::after(block, 1, &self.problems);
            let code = cursor.name("the code of a rule, such as `T001`");
            let written = code.is_some().then(|| written_place(&mut cursor)).flatten();
            cursor.finish();
            let (Some(code), Some(written), false) = (code, written, cursor.failed) else {
                continue;
            };
            if let Some(place) = self.place(&written) {
                let number = self.design.silenced.len();
                self.key(block, format!("silence#{number}"));
                Arc::make_mut(&mut self.design.silenced).push(Silenced {
                    code: code.text,
                    place,
                    reason: block.description.clone(),
                });
            }
        }
    }

    /// The place of a finding, as the design stores it.
    fn place(&mut self, written: &WrittenPlace) -> Option<String> {
        let place = match written {
            WrittenPlace::Raw(raw) => return Some(raw.clone()),
            WrittenPlace::Table => Place::Table,
            WrittenPlace::Index(name) => Place::Index(self.index_named(name)?),
            WrittenPlace::Pattern(name) => {
                let found = (self.design.access_patterns.iter())
                    .find(|(_, pattern)| pattern.name == name.text);
                let found = found.map(|(id, _)| *id);
                match found {
                    Some(id) => {
                        self.mark(name.range.clone(), Part::Pattern(id), false);
                        Place::Pattern(id)
                    }
                    None => {
                        let message = format!("unknown access pattern `{}`", name.text);
                        self.error(name.range.clone(), message);
                        return None;
                    }
                }
            }
            WrittenPlace::Entity(name) => Place::Entity(self.entity_named(name)?),
            WrittenPlace::Entry(name, index, part) => {
                let entity = self.entity_named(name)?;
                let index = match index {
                    Some(index) => self.index_or(index, Some("key"))?,
                    None => IndexId::PRIMARY,
                };
                match part {
                    Some(part) => Place::Template(entity, index, *part),
                    None => Place::Entry(entity, index),
                }
            }
            WrittenPlace::Attribute(name, attribute) => {
                let id = self.entity_named(name)?;
                let entity = self.design.entities.get(&id);
                let found = entity.and_then(|entity| entity.attribute(&attribute.text));
                match found.map(|attribute| attribute.id) {
                    Some(found) => {
                        self.mark(attribute.range.clone(), Part::Attribute(id, found), false);
                        Place::Attribute(id, found)
                    }
                    None => {
                        let message =
                            format!("`{}` has no attribute `{}`", name.text, attribute.text);
                        self.error(attribute.range.clone(), message);
                        return None;
                    }
                }
            }
            WrittenPlace::Sample(name, row) => {
                let id = self.entity_named(name)?;
                Place::Sample(id, self.sample_at(id, name, row)?)
            }
        };
        Some(place.to_string())
    }

    /// The sample with this number, counted from 1.
    pub(super) fn sample_at(
        &mut self,
        entity: EntityId,
        name: &Spot,
        row: &Spot,
    ) -> Option<SampleId> {
        let rows = self.sample_rows.get(&entity);
        let at = row.text.parse::<usize>().ok()?.checked_sub(1);
        let sample = at.and_then(|at| rows?.get(at).copied());
        match sample {
            Some(sample) => self.mark(row.range.clone(), Part::Sample(entity, sample), false),
            None => {
                let count = rows.map_or(0, Vec::len);
                let message = format!(
                    "`{}` has no sample {}: it has {count}, counted from 1",
                    name.text, row.text
                );
                self.error(row.range.clone(), message);
            }
        }
        sample
    }
}

/// The place of a finding as a line writes it.
enum WrittenPlace {
    Raw(String),
    Table,
    Index(Spot),
    Pattern(Spot),
    Entity(Spot),
    /// The index, `None` for the table; then the key part.
    Entry(Spot, Option<Spot>, Option<KeyPart>),
    Attribute(Spot, Spot),
    Sample(Spot, Spot),
}

fn written_place(cursor: &mut Cursor) -> Option<WrittenPlace> {
    if cursor.word("table") {
        return Some(WrittenPlace::Table);
    }
    if cursor.word("place") {
        let place = cursor.name("a place");
        return place.map(|place| WrittenPlace::Raw(place.text));
    }
    if cursor.word("index") {
        return cursor.name("the name of an index").map(WrittenPlace::Index);
    }
    if cursor.word("pattern") {
        return (cursor.name("the name of an access pattern")).map(WrittenPlace::Pattern);
    }
    if !cursor.word("entity") {
        cursor.expected("the place of the finding: `table`, or `index`, `entity` or `pattern` and a name, such as `entity Order`");
        return None;
    }
    let entity = cursor.name("the name of an entity")?;
    if cursor.word("attribute") {
        let attribute = cursor.name("the name of an attribute")?;
        return Some(WrittenPlace::Attribute(entity, attribute));
    }
    if cursor.word("sample") {
        let range = cursor.here();
        let number: usize = cursor.number("the number of a sample")?;
        let text = number.to_string();
        return Some(WrittenPlace::Sample(entity, Spot { text, range }));
    }
    if !cursor.word("/") {
        return Some(WrittenPlace::Entity(entity));
    }
    let index = match cursor.word("key") {
        true => None,
        false => Some(cursor.name("`key` or the name of an index")?),
    };
    let mut part = None;
    if cursor.word("/") {
        part = match () {
            () if cursor.word("partition") => Some(KeyPart::Partition),
            () if cursor.word("sort") => Some(KeyPart::Sort),
            () => {
                cursor.expected("`partition` or `sort`");
                return None;
            }
        };
    }
    Some(WrittenPlace::Entry(entity, index, part))
}
