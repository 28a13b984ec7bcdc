//! Items in CSV: a header with attribute names, then a row for each item.

use super::{FoundItem, Items, LooseItems};
use crate::delimited::{self, Row};
use crate::import::Notes;
use crate::model::{AttributeType, SortedMap, Value, kind_column};
use rustc_hash::{FxHashMap, FxHashSet};

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

/// The rows below a header.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// The names of the columns; empty for a column without name and values.
    pub names: Vec<String>,
    /// The rows that are not empty.
    pub rows: Vec<Row>,
    /// The line of the header.
    pub line: usize,
    left_out: Notes,
}

/// Splits a text into rows. Rows with more fields than the header are left out.
///
/// # Errors
///
/// Why the text as a whole cannot be read, and where.
pub fn sheet(text: &str) -> Result<Sheet, String> {
    let (header, all) = delimited::with_header(text)?;
    let width = header.fields.len();
    let mut left_out = Notes::default();
    let mut rows: Vec<Row> = Vec::new();
    for row in all {
        let mut extra = row.fields.iter().skip(width);
        if extra.any(|field| !field.is_empty()) {
            let fields = row.fields.len();
            let why = format!(
                "the row has {fields} fields and the header has {width}: quote values that contain the separator"
            );
            left_out.add(format!("line {}", row.line), why);
        } else if row.fields.iter().any(|field| !field.trim().is_empty()) {
            rows.push(row);
        }
    }
    Ok(Sheet {
        names: names(&header, &rows)?,
        rows,
        line: header.line,
        left_out,
    })
}

/// The attribute names in the header. A column may lack a name only if it is empty.
fn names(header: &Row, rows: &[Row]) -> Result<Vec<String>, String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = FxHashSet::default();
    for (text, number) in header.fields.iter().zip(1..) {
        let name = match Value::from_cell(AttributeType::S, text.trim()) {
            Ok(Some(Value::S(name))) => name,
            _ => String::new(),
        };
        if name.is_empty() {
            let is_used = |row: &&Row| {
                let field = row.fields.get(number - 1);
                field.is_some_and(|field| !field.is_empty())
            };
            if let Some(row) = rows.iter().find(is_used) {
                return Err(format!(
                    "column {number} has no name in the header, but line {} has a value in it",
                    row.line
                ));
            }
        } else if !seen.insert(name.clone()) {
            let line = header.line;
            return Err(format!(
                "line {line}, column {number}: the header contains `{name}` twice"
            ));
        }
        names.push(name);
    }
    Ok(names)
}

impl Sheet {
    /// The fields of a row that are not empty, with the names of their columns.
    pub fn cells<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a str, &'a str)> {
        let named = self.names.iter().zip(&row.fields);
        let cells = named.map(|(name, field)| (name.as_str(), field.as_str()));
        cells.filter(|(_, field)| !field.is_empty())
    }

    /// Reads an item of each row. `kinds` has a number for each row: rows of the same kind have the same types in their
    /// columns, those that `declared` gives, otherwise those that all their values fit.
    pub fn items(
        self,
        kinds: &[usize],
        declared: &dyn Fn(usize, &str) -> Option<AttributeType>,
    ) -> Items {
        let mut texts: SortedMap<(usize, usize), Vec<&str>> = SortedMap::new();
        for (row, kind) in self.rows.iter().zip(kinds) {
            for (at, field) in row.fields.iter().enumerate() {
                if !field.is_empty() {
                    texts.entry((*kind, at)).or_default().push(field);
                }
            }
        }
        let mut types: FxHashMap<(usize, usize), AttributeType> = FxHashMap::default();
        for ((kind, at), texts) in &texts {
            let declared = self.names.get(*at).and_then(|name| declared(*kind, name));
            types.insert(
                (*kind, *at),
                declared.unwrap_or_else(|| AttributeType::of_cells(texts)),
            );
        }
        // In the order of their names, values are cheap to insert.
        let mut columns: Vec<(&String, usize)> = self.names.iter().zip(0..).collect();
        columns.sort_unstable();
        let mut left_out = self.left_out;
        let mut items = Vec::new();
        for (row, kind) in self.rows.iter().zip(kinds) {
            let mut values = SortedMap::new();
            let mut wrong = None;
            for (name, at) in &columns {
                let Some(field) = row.fields.get(*at) else {
                    continue;
                };
                let column = types.get(&(*kind, *at)).copied().unwrap_or_default();
                match Value::from_cell(column, field) {
                    Ok(None) => {}
                    Ok(Some(value)) => {
                        values.insert((*name).clone(), value);
                    }
                    Err(why) => wrong = wrong.or(Some(format!("`{name}`: {why}"))),
                }
            }
            let place = format!("line {}", row.line);
            match wrong {
                Some(why) => left_out.add(place, why),
                None => items.push(FoundItem { place, values }),
            }
        }
        let group = LooseItems {
            table: None,
            is_typed: false,
            items,
        };
        left_out.0.sort_by_key(|note| line(&note.place));
        Items {
            groups: Vec::from_iter(Some(group).filter(|group| !group.items.is_empty())),
            left_out: left_out.0,
            remarks: Vec::new(),
        }
    }
}

/// The number in `line 5`.
fn line(place: &str) -> usize {
    let number = place.rsplit(' ').next();
    number.and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Reads the items of a text without knowing their table.
///
/// # Errors
///
/// Why the text as a whole cannot be read, and where.
pub fn read(text: &str) -> Result<Items, String> {
    let sheet = sheet(text)?;
    let column = kind_column(&sheet.names);
    let mut numbers: FxHashMap<&str, usize> = FxHashMap::default();
    let mut kinds = Vec::with_capacity(sheet.rows.len());
    for row in &sheet.rows {
        let kind = column.and_then(|at| row.fields.get(at));
        let next = numbers.len();
        kinds.push(
            *numbers
                .entry(kind.map_or("", String::as_str))
                .or_insert(next),
        );
    }
    Ok(sheet.items(&kinds, &|_, _| None))
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
