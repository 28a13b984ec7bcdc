//! Cells and rows as text for the clipboard.

use super::cells::{Area, Cells};
use super::json_items::items;
use keyfold_core::delimited;
use serde_json::Value as Json;

/// Returns the cells as tab-separated text, one line per row, as spreadsheets read it. Whole rows start with a line
/// of column names. A single cell is its plain text.
pub fn text(cells: &Cells, area: &Area) -> String {
    if area.is_one() {
        let text = cells.text(area.lines[0], area.columns.start);
        // Plain text, unless it would be read back as several cells or as items.
        if delimited::read(&text, '\t') == [[text.as_str()]] && matches!(items(&text), Ok(None)) {
            return text;
        }
    }
    let rows = rows(cells, area, area.whole);
    let mut text = delimited::write(&rows, '\t');
    // Without its line end, a last line that is empty would be no row.
    if rows.last().is_some_and(|row| *row != [""]) {
        text.truncate(text.len() - 1);
    }
    text
}

/// Returns the cells as CSV (RFC 4180), with column names in the first line.
pub fn csv(cells: &Cells, area: &Area) -> String {
    delimited::write(&rows(cells, area, true), ',')
}

fn rows(cells: &Cells, area: &Area, with_names: bool) -> Vec<Vec<String>> {
    let names = with_names.then(|| cells.columns[area.columns.clone()].to_vec());
    let row = |line: &usize| {
        let columns = area.columns.clone();
        columns.map(|column| cells.text(*line, column)).collect()
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
