//! Items in CSV: a header with attribute names, then a row for each item.

use super::Groups;
use crate::form::{FoundItem, LooseItems, Notes};
use keyfold_core::delimited::{self, Row};
use keyfold_core::model::{AttributeType, Number, SortedMap, Value};

/// Columns that usually name the kind of an item. The types of the other columns are judged for each kind.
const KINDS: [&str; 8] = [
    "type",
    "entity",
    "entitytype",
    "entity_type",
    "_type",
    "_et",
    "__edb_e__",
    "kind",
];

/// Whether a text looks like CSV: a header of several names, and rows with as many fields.
pub fn is_csv(text: &str) -> bool {
    let mut head = text;
    if let Some((end, _)) = text.char_indices().nth(20_000) {
        head = &text[..end];
        head = &head[..head.rfind('\n').unwrap_or(head.len())];
    }
    let separator = delimited::detect_separator(head);
    let read = delimited::rows(head, separator);
    let [header, rows @ ..] = read.rows.as_slice() else {
        return false;
    };
    let width = header.fields.len();
    let is_name = |name: &String| !name.trim().is_empty() && name.len() < 256;
    width > 1
        && !rows.is_empty()
        && header.fields.iter().all(is_name)
        && rows.iter().all(|row| row.fields.len() <= width)
        && rows.iter().filter(|row| row.fields.len() == width).count() * 2 > rows.len()
}

/// Reads the items of the rows.
///
/// # Errors
///
/// Why the text as a whole cannot be read, and where.
pub fn read(text: &str, notes: &mut Notes) -> Result<Vec<LooseItems>, String> {
    let (header, rows) = delimited::with_header(text)?;
    let names = names(&header)?;
    let mut kept: Vec<Row> = Vec::new();
    for row in rows {
        let is_empty = row.fields.iter().all(|field| field.trim().is_empty());
        let extra = row.fields.iter().skip(names.len());
        if extra.clone().any(|field| !field.is_empty()) {
            let why = format!(
                "the row is left out: it has {} fields and the header has {}",
                row.fields.len(),
                names.len()
            );
            notes.add(format!("line {}", row.line), why);
        } else if !is_empty {
            kept.push(row);
        }
    }
    let kind_column = names
        .iter()
        .position(|name| KINDS.contains(&name.to_lowercase().as_str()));
    let kind = |row: &Row| {
        let field = kind_column.and_then(|at| row.fields.get(at));
        field.cloned().unwrap_or_default()
    };
    let mut texts: SortedMap<(String, usize), Vec<&str>> = SortedMap::new();
    for row in &kept {
        for (at, field) in row.fields.iter().enumerate() {
            if !field.is_empty() && !Value::is_typed_cell(field) {
                texts.entry((kind(row), at)).or_default().push(field);
            }
        }
    }
    let mut types: SortedMap<(String, usize), AttributeType> = SortedMap::new();
    for (column, texts) in &texts {
        types.insert(column.clone(), column_type(texts));
    }
    let mut groups = Groups::default();
    for row in &kept {
        let mut values = SortedMap::new();
        for (at, (name, field)) in names.iter().zip(&row.fields).enumerate() {
            let column = types.get(&(kind(row), at)).copied().unwrap_or_default();
            match Value::from_cell(column, field) {
                Ok(None) => {}
                Ok(Some(value)) => {
                    values.insert(name.clone(), value);
                }
                Err(why) => {
                    let place = format!("line {}, column {}", row.line, at + 1);
                    notes.add(place, format!("`{name}` is left out: {why}"));
                }
            }
        }
        let place = format!("line {}", row.line);
        groups.push(None, FoundItem { place, values });
    }
    for group in &mut groups.0 {
        group.is_typed = false;
    }
    match groups.0.is_empty() {
        true => Err("line 2: expected a row for each item".to_owned()),
        false => Ok(groups.0),
    }
}

fn names(header: &Row) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    for (field, number) in header.fields.iter().zip(1..) {
        let name = match Value::from_cell(AttributeType::S, field.trim()) {
            Ok(Some(Value::S(name))) => name,
            _ => {
                return Err(format!(
                    "line 1, column {number}: expected the name of an attribute"
                ));
            }
        };
        if names.contains(&name) {
            return Err(format!(
                "line 1, column {number}: the header contains `{name}` twice"
            ));
        }
        names.push(name);
    }
    Ok(names)
}

/// The type that all texts of a column fit, and that gives back the same texts: `007` is no number.
fn column_type(texts: &[&str]) -> AttributeType {
    let is_number = |text: &&str| {
        text.parse::<Number>()
            .is_ok_and(|n| n.to_string() == **text)
    };
    let fits = |kind: AttributeType, text: &str| Value::from_text(kind, text).is_ok();
    if texts.iter().all(is_number) {
        return AttributeType::N;
    }
    if texts.iter().all(|text| matches!(*text, "true" | "false")) {
        return AttributeType::Bool;
    }
    let of = |kind, start| {
        texts
            .iter()
            .all(|text| text.starts_with(start) && fits(kind, text))
    };
    match () {
        () if of(AttributeType::L, '[') => AttributeType::L,
        () if of(AttributeType::M, '{') => AttributeType::M,
        () => AttributeType::S,
    }
}

/// Gives key attributes the types that the table declares: the cells of a column do not tell them.
pub fn retype(items: &mut [FoundItem], name: &str, kind: AttributeType) {
    for item in items {
        if let Some(value) = item.values.get(name)
            && value.kind() != kind
            && let Ok(value) = Value::from_text(kind, &value.to_text())
        {
            item.values.insert(name.to_owned(), value);
        }
    }
}
