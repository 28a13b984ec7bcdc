//! A text shown line by line, so that only the visible lines need to be in the page.

use super::line_diff::{LineChange, diff_pieces_in_slices};
use keyfold_core::export::{Code, Tag};
use keyfold_core::slices::pause;

/// A piece of a line with its highlighting; `None` for plain text.
pub type Piece<'a> = (Option<Tag>, &'a str);

/// A text split into lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The text and its highlighted pieces. A piece can span several lines.
    pub code: Code,
    /// Start of each line, in bytes.
    starts: Vec<usize>,
    /// Width of the widest line, in columns.
    width: usize,
}

/// Width of a tab, in columns; `exports.css` repeats it.
const TAB: usize = 4;

impl Listing {
    /// Splits a text into lines, in slices.
    pub async fn new(code: Code) -> Listing {
        let mut starts = Vec::new();
        let (mut at, mut width) = (0, 0);
        for line in code.text.split_inclusive('\n') {
            if starts.len() % 256 == 0 {
                pause().await;
            }
            starts.push(at);
            at += line.len();
            width = width.max(columns(line));
        }
        Listing {
            code,
            starts,
            width,
        }
    }

    /// Shows the changes from `old` to `new` as [`diff_pieces_in_slices`] returns them, in slices.
    pub async fn of_changes(old: &str, new: &str) -> Listing {
        let mut code = Code::default();
        for (mark, text) in diff_pieces_in_slices(old, new).await {
            let start = code.text.len();
            code.text.push_str(&text);
            let tag = match mark {
                LineChange::Same => continue,
                LineChange::Added => Tag::Added,
                LineChange::Removed => Tag::Removed,
            };
            code.spans.push((start..code.text.len(), tag));
        }
        Listing::new(code).await
    }

    /// Number of lines.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// Width of the widest line, in columns of the monospaced font.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Returns the pieces of a line, counted from 0, with its line ending; empty if there is no such line.
    pub fn line(&self, at: usize) -> Vec<Piece<'_>> {
        let Code { text, spans } = &self.code;
        let Some(&start) = self.starts.get(at) else {
            return Vec::new();
        };
        let end = self.starts.get(at + 1).copied().unwrap_or(text.len());
        let mut pieces = Vec::new();
        let mut at = start;
        let first = spans.partition_point(|(span, _)| span.end <= start);
        for (span, tag) in &spans[first..] {
            if span.start >= end {
                break;
            }
            let (from, to) = (span.start.max(start), span.end.min(end));
            if at < from {
                pieces.push((None, &text[at..from]));
            }
            pieces.push((Some(*tag), &text[from..to]));
            at = to;
        }
        if at < end {
            pieces.push((None, &text[at..end]));
        }
        pieces
    }
}

/// Estimates the width of a line, in columns: a tab counts as [`TAB`], a non-ASCII character as two, because it may
/// be wide.
fn columns(line: &str) -> usize {
    let column = |c: char| match c {
        '\n' => 0,
        '\t' => TAB,
        c if c.is_ascii() => 1,
        _ => 2,
    };
    line.chars().map(column).sum()
}
