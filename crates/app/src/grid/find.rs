//! Find in the live table, in steps: searching many rows takes longer than a frame.

use super::filter_and_sort::contains;
use super::lines::Sheet;
use std::sync::Arc;

/// A cell: its line, and its position in the searched columns.
pub type CellPosition = (u32, u32);

/// A search for a text in the cells. Case is ignored.
#[derive(Debug, Clone)]
pub struct CellSearch {
    sheet: Arc<Sheet>,
    columns: Vec<String>,
    needle: String,
    next: usize,
    found: Vec<CellPosition>,
}

impl CellSearch {
    /// Starts a search in these columns. An empty text matches nothing.
    pub fn new(sheet: Arc<Sheet>, columns: Vec<String>, text: &str) -> CellSearch {
        CellSearch {
            sheet,
            columns,
            needle: text.to_lowercase(),
            next: 0,
            found: Vec::new(),
        }
    }

    /// Searches `lines` more lines. Returns the matching cells, row by row, once all lines are searched.
    pub fn step(&mut self, lines: usize) -> Option<Vec<CellPosition>> {
        let all = if self.needle.is_empty() {
            0
        } else {
            self.sheet.len()
        };
        let end = self.next.saturating_add(lines).min(all);
        for line in self.next.min(end)..end {
            let Some(item) = self.sheet.item(line) else {
                continue;
            };
            for (at, name) in self.columns.iter().enumerate() {
                if (self.sheet.value(&item, name))
                    .is_some_and(|value| contains(value, &self.needle))
                {
                    self.found.push((line as u32, at as u32));
                }
            }
        }
        self.next = end;
        (end == all).then(|| std::mem::take(&mut self.found))
    }
}
