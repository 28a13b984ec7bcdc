//! Finding a text in the cells, in steps: of many rows it takes longer than a frame.

use super::{Sheet, contains};
use std::sync::Arc;

/// A cell: its line, and its place among the columns that are searched.
pub type Place = (u32, u32);

/// The search for a text. Upper and lower case are the same.
#[derive(Debug, Clone)]
pub struct Finding {
    sheet: Arc<Sheet>,
    columns: Vec<String>,
    needle: String,
    next: usize,
    found: Vec<Place>,
}

impl Finding {
    /// Begins to look for `text` in these columns. An empty text is in no cell.
    pub fn new(sheet: Arc<Sheet>, columns: Vec<String>, text: &str) -> Finding {
        Finding {
            sheet,
            columns,
            needle: text.to_lowercase(),
            next: 0,
            found: Vec::new(),
        }
    }

    /// Looks through some more lines; once all are looked through, the cells with the text, row by row.
    pub fn step(&mut self, lines: usize) -> Option<Vec<Place>> {
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
