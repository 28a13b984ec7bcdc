//! Cells and rows as text for the clipboard.

use super::cells::{Area, Cells};
use super::json_items::items;
use keyfold_core::delimited;
use keyfold_core::model::Value;
use serde_json::Value as Json;

/// Copied cells: the text for the clipboard, and the values themselves, because a text does not say the types.
#[derive(Debug, Clone, PartialEq)]
pub struct Copied {
    /// Tab-separated text, one line per row, as spreadsheets read it. Whole rows start with a line of column names. A
    /// single cell is its plain text.
    pub text: String,
    pub(super) rows: Vec<Vec<Field>>,
}

/// What a field of pasted cells holds.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Field {
    /// Text, read in the type of the cell; no text is no value.
    Text(String),
    /// A value copied from another cell.
    Value(Value),
}

impl Field {
    fn text(&self) -> String {
        match self {
            Field::Text(text) => text.clone(),
            Field::Value(value) => value.to_text(),
        }
    }
}

impl Copied {
    /// Copies cells.
    pub fn new(cells: &Cells, area: &Area) -> Copied {
        let rows = rows(cells, area, area.whole);
        Copied {
            text: text(&rows, area),
            rows,
        }
    }

    /// Whether the text of the clipboard is this one. Some systems change its line ends.
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text || self.text.lines().eq(text.lines())
    }
}

fn text(rows: &[Vec<Field>], area: &Area) -> String {
    if area.is_one()
        && let Some(field) = rows.first().and_then(|row| row.first())
    {
        let text = field.text();
        // Plain text, unless it would be read back as several cells or as items.
        if delimited::read(&text, '\t') == [[text.as_str()]] && matches!(items(&text), Ok(None)) {
            return text;
        }
    }
    let rows = texts(rows);
    let mut text = delimited::write(&rows, '\t');
    // Without its line end, a last line that is empty would be no row.
    if rows.last().is_some_and(|row| *row != [""]) {
        text.truncate(text.len() - 1);
    }
    text
}

/// Returns the cells as CSV (RFC 4180), with column names in the first line.
pub fn csv(cells: &Cells, area: &Area) -> String {
    delimited::write(&texts(&rows(cells, area, true)), ',')
}

fn texts(rows: &[Vec<Field>]) -> Vec<Vec<String>> {
    let texts = |row: &Vec<Field>| row.iter().map(Field::text).collect();
    rows.iter().map(texts).collect()
}

fn rows(cells: &Cells, area: &Area, with_names: bool) -> Vec<Vec<Field>> {
    let names = with_names.then(|| {
        let names = cells.columns[area.columns.clone()].iter();
        names.cloned().map(Field::Text).collect()
    });
    let field = |value: Option<Value>| match value {
        Some(value) => Field::Value(value),
        None => Field::Text(String::new()),
    };
    let row = |line: &usize| {
        let columns = area.columns.clone();
        columns
            .map(|column| field(cells.value(*line, column)))
            .collect()
    };
    (names.into_iter())
        .chain(area.lines.iter().map(row))
        .collect()
}

/// Returns an attribute of the samples on these lines that a copy of the rows lacks, because its column is hidden or
/// the index does not project it.
pub fn left_out(cells: &Cells, lines: &[usize]) -> Option<String> {
    lines.iter().find_map(|line| {
        let item = cells.item(*line)?;
        let is_copied = |name: &String| {
            cells.columns.contains(name) && cells.sheet.value(&item, name).is_some()
        };
        let mut names = item.sample().values.keys();
        names.find(|name| !is_copied(name)).cloned()
    })
}

/// Returns the items of these lines as DynamoDB JSON: the stored item of the table, or the projection into an index.
/// One item is an object as `aws dynamodb put-item --item` takes it; several are an array.
pub fn json(cells: &Cells, lines: &[usize]) -> String {
    let view = cells.sheet.view();
    let item = |line: &usize| {
        let item = cells.item(*line)?;
        let mut object = serde_json::Map::new();
        for (name, value) in item.attributes() {
            if view.content.as_ref().is_none_or(|it| it.shows(name)) {
                object.insert(name.to_owned(), value.value().to_dynamodb_json());
            }
        }
        Some(Json::Object(object))
    };
    let mut items: Vec<Json> = lines.iter().filter_map(item).collect();
    let json = match items.len() {
        1 => items.remove(0),
        _ => Json::Array(items),
    };
    format!("{json:#}")
}
