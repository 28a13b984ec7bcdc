//! Items from CSV: a header with attribute names, then one row per item.

use super::place::Placer;
use super::{Imported, Raw};
use crate::delimited::{self, Row};
use crate::model::{AttributeType, Design, EntityId, SortedMap, Value, name};

/// Reads the items of the rows. An error says why the table as a whole cannot be read.
pub(super) fn read(
    design: &Design,
    text: &str,
    placer: &Placer,
    imported: &mut Imported,
) -> Result<(), String> {
    let (header, rows) = delimited::with_header(text)?;
    let rows: Vec<Row> = rows
        .filter(|row| row.fields.iter().any(|field| !field.trim().is_empty()))
        .collect();
    let names = names(&header, &rows)?;
    let entities: Vec<Option<EntityId>> = (rows.iter())
        .map(|row| {
            let look = |wanted: &str| {
                let at = names.iter().position(|name| name == wanted)?;
                let kind = placer.key_type(wanted).unwrap_or(AttributeType::S);
                Value::from_cell(kind, row.fields.get(at)?).ok()?
            };
            let used = names
                .iter()
                .zip(&row.fields)
                .filter(|(_, field)| !field.is_empty());
            let used: Vec<&str> = used.map(|(name, _)| name.as_str()).collect();
            placer.entity(&look, &used).ok()
        })
        .collect();

    let mut kinds: SortedMap<(EntityId, usize), Option<AttributeType>> = SortedMap::new();
    for (row, entity) in rows.iter().zip(&entities) {
        let place = format!("line {}", row.line);
        let extra = row
            .fields
            .iter()
            .skip(names.len())
            .any(|field| !field.is_empty());
        if extra {
            let (fields, columns) = (row.fields.len(), names.len());
            imported.refuse(
                place,
                format!("the row has {fields} fields and the header has {columns}: quote values that contain the separator"),
            );
            continue;
        }
        let mut values = SortedMap::new();
        let mut wrong = None;
        for ((name, text), column) in names.iter().zip(&row.fields).zip(0..) {
            let kind = entity.and_then(|id| {
                *kinds.entry((id, column)).or_insert_with(|| {
                    let declared = design.type_of(id, name);
                    declared.or_else(|| guessed(&rows, &entities, id, column))
                })
            });
            match Value::from_cell(kind.unwrap_or_default(), text) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    values.insert(name.clone(), value);
                }
                Err(message) => wrong = wrong.or(Some(format!("`{name}`: {message}"))),
            }
        }
        match wrong {
            Some(message) => imported.refuse(place, message),
            None => {
                let raw = Raw {
                    place,
                    values,
                    entity: *entity,
                };
                placer.place(raw, imported);
            }
        }
    }
    Ok(())
}

/// The attribute names in the header. A column may lack a name only if it is empty.
fn names(header: &Row, rows: &[Row]) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    for (text, number) in header.fields.iter().zip(1..) {
        let name = match Value::from_cell(AttributeType::S, text.trim()) {
            Ok(Some(Value::S(name))) => name,
            _ => String::new(),
        };
        if name.is_empty() {
            let used = rows.iter().find(|row| {
                row.fields
                    .get(number - 1)
                    .is_some_and(|field| !field.is_empty())
            });
            if let Some(row) = used {
                return Err(format!(
                    "column {number} has no name in the header, but line {} has a value in it",
                    row.line
                ));
            }
        } else {
            let place = |why: &dyn std::fmt::Display| {
                format!("line {}, column {number}: {why}", header.line)
            };
            name::check_attribute(&name).map_err(|error| place(&error))?;
            if names.contains(&name) {
                return Err(place(&format!("the header contains `{name}` twice")));
            }
        }
        names.push(name);
    }
    Ok(names)
}

/// The type of an undeclared column: number or boolean if all of the entity's values are, else string.
fn guessed(
    rows: &[Row],
    entities: &[Option<EntityId>],
    entity: EntityId,
    column: usize,
) -> Option<AttributeType> {
    let texts = || {
        let own = rows
            .iter()
            .zip(entities)
            .filter(|(_, of)| **of == Some(entity));
        let texts = own.filter_map(|(row, _)| row.fields.get(column));
        texts.filter(|text| !text.is_empty() && !Value::is_typed_cell(text))
    };
    texts().next()?;
    [AttributeType::N, AttributeType::Bool]
        .into_iter()
        .find(|kind| texts().all(|text| Value::from_text(*kind, text).is_ok()))
}
