//! The text of a wire's label, in the shapes that are tried in turn until one has a free place on the wire.

use crate::fit_text::{text_width, truncate};
use crate::picture::when_text;
use keyfold_core::model::IndexEntry;

/// Line height, as a multiple of the text's size.
pub const LINE: f64 = 1.28;
/// Widths at which a label is wrapped, in canvas pixels, the best first.
const WIDTHS: [f64; 4] = [260.0, 180.0, 120.0, 88.0];
/// Widths to which its lines are truncated if no whole one has a place. The last fits between columns.
const LEAST_WIDTHS: [f64; 2] = [120.0, 88.0];
/// Most lines of a wrapped label.
const MAX_LINES: usize = 6;
/// Space beside the text, on both sides together.
const PADDING: f64 = 8.0;

/// A shape of a label.
#[derive(Debug, Clone, PartialEq)]
pub struct LabelShape {
    /// Its lines.
    pub lines: Vec<String>,
    /// Its width, in canvas pixels.
    pub width: f64,
    /// Its height, in canvas pixels.
    pub height: f64,
}

impl LabelShape {
    fn new(lines: Vec<String>, size: f64) -> LabelShape {
        let widths = lines.iter().map(|line| text_width(line, size));
        LabelShape {
            width: widths.fold(0.0, f64::max) + PADDING,
            height: LINE * size * lines.len() as f64,
            lines,
        }
    }
}

/// The text of a wire: its templates, and the condition of a sparse index.
pub fn label_text(entry: &IndexEntry) -> Vec<String> {
    let when = (!entry.when.is_empty()).then(|| format!("when {}", when_text(entry)));
    (entry.partition.iter().cloned())
        .chain(entry.sort.iter().cloned())
        .chain(when)
        .collect()
}

/// The shapes of a wire's label in a font of this size, the best first: whole, in more and more lines; then truncated.
pub fn label_shapes(entry: &IndexEntry, size: f64) -> Vec<LabelShape> {
    let text = label_text(entry);
    let wrapped = WIDTHS.into_iter().filter_map(|width| {
        let lines: Option<Vec<Vec<String>>> =
            text.iter().map(|line| wrap(line, width, size)).collect();
        Some(lines?.concat()).filter(|lines| lines.len() <= MAX_LINES.max(text.len()))
    });
    let truncated = LEAST_WIDTHS.into_iter().map(|width| {
        let lines = text.iter().map(|line| truncate(line, width, size));
        lines.map(|line| line.into_owned()).collect()
    });
    let mut shapes: Vec<LabelShape> = Vec::new();
    for lines in wrapped.chain(truncated) {
        let shape = LabelShape::new(lines, size);
        if !shapes.contains(&shape) {
            shapes.push(shape);
        }
    }
    shapes
}

/// Breaks a text after delimiters and between placeholders into lines of at most this width; `None` if that is not enough.
fn wrap(text: &str, width: f64, size: f64) -> Option<Vec<String>> {
    let mut lines: Vec<String> = Vec::new();
    for piece in pieces(text) {
        let fits = |line: &str| text_width(line.trim_end(), size) <= width + 0.01;
        let longer = lines.last().map(|line| [line.as_str(), piece].concat());
        match (longer.filter(|longer| fits(longer)), lines.last_mut()) {
            (Some(longer), Some(last)) => *last = longer,
            _ if fits(piece) => lines.push(piece.to_owned()),
            _ => return None,
        }
    }
    lines
        .iter_mut()
        .for_each(|line| line.truncate(line.trim_end().len()));
    Some(lines)
}

/// The parts of a text that stay in one line: words and placeholders, each with the delimiters after it.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut depth, mut is_over) = (0, 0_usize, false);
    for (at, c) in text.char_indices() {
        let begins = c == '{' || c.is_alphanumeric() || is_mark(c);
        if depth == 0 && is_over && begins {
            pieces.push(&text[start..at]);
            start = at;
        }
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        is_over = depth == 0 && !c.is_alphanumeric() && !is_mark(c);
    }
    if start < text.len() {
        pieces.push(&text[start..]);
    }
    pieces
}

/// Characters inside words.
fn is_mark(c: char) -> bool {
    matches!(c, '_' | '"' | '\'')
}
