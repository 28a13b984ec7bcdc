//! Which lines and columns are in sight, and how long the texts of a column are.

use keyfold_core::engine::View;
use std::ops::Range;

/// Number of rows measured for the width of a column.
const MEASURED_ROWS: usize = 200;

/// Returns the range of lines to render: those visible in a region of this height scrolled by `top`, and at least
/// `overscan` more on each side. `top`, `height` and `row` (the height of a line) are in the same unit. The range is
/// aligned to multiples of half of `overscan`, so that scrolling by one line rarely changes it.
pub fn visible_lines(
    top: f64,
    height: f64,
    row: f64,
    count: usize,
    overscan: usize,
) -> Range<usize> {
    let step = (overscan / 2).max(1);
    let first = (top.max(0.0) / row).floor() as usize;
    let end = ((top.max(0.0) + height.max(0.0)) / row).ceil() as usize;
    let from = (first / step * step).saturating_sub(overscan);
    let to = end.div_ceil(step) * step + overscan;
    from.min(count)..to.min(count)
}

/// Returns the columns, counted from 0, that overlap the range `seen`. It is measured from the left edge of the
/// first column, in the unit of `widths`.
pub fn columns_between(widths: &[f64], seen: Range<f64>) -> Range<usize> {
    let mut left = 0.0;
    let (mut first, mut end) = (0, 0);
    for (at, width) in widths.iter().enumerate() {
        if left < seen.end {
            end = at + 1;
        }
        left += width;
        if left <= seen.start {
            first = at + 1;
        }
    }
    first..end.max(first)
}

/// Returns the length in characters of the longest text in the first rows of a column.
pub fn longest_text(view: &View, column: &str) -> usize {
    let rows = view.rows.iter().map(|row| row.item).take(MEASURED_ROWS);
    (rows.chain(view.failed.iter().take(MEASURED_ROWS).cloned()))
        .filter_map(|item| {
            let value = item.known(column)?;
            Some(match value.text() {
                Some(text) => text.chars().count(),
                None => value.to_text().chars().count(),
            })
        })
        .max()
        .unwrap_or(0)
}
