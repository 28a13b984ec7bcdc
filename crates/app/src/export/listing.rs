//! A text as it is shown line by line, so that only the lines in sight need to be in the page.

use super::line_diff::{Mark, diff_pieces_in_slices};
use keyfold_core::export::{Code, Tag};
use keyfold_core::slices::pause;

/// A piece of a line and what it is; `None`: plain.
pub type Piece<'a> = (Option<Tag>, &'a str);

/// A text with its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The text and its tagged pieces. A piece may be several lines.
    pub code: Code,
    /// Where each line begins, in bytes.
    starts: Vec<usize>,
    /// Columns of the widest line.
    width: usize,
}

/// Columns that a tab takes at most; `exports.css` repeats it.
const TAB: usize = 4;

impl Listing {
    /// The lines of a text, found in slices.
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

    /// What became of `old` in `new`, as [`diff_pieces_in_slices`] says it, in slices.
    pub async fn of_changes(old: &str, new: &str) -> Listing {
        let mut code = Code::default();
        for (mark, text) in diff_pieces_in_slices(old, new).await {
            let start = code.text.len();
            code.text.push_str(&text);
            let tag = match mark {
                Mark::Same => continue,
                Mark::Added => Tag::Added,
                Mark::Removed => Tag::Removed,
            };
            code.spans.push((start..code.text.len(), tag));
        }
        Listing::new(code).await
    }

    /// How many lines there are.
    pub fn lines(&self) -> usize {
        self.starts.len()
    }

    /// How wide the widest line is, in columns of the monospaced font.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The pieces of a line, counted from 0, with its line end; none if there is no such line.
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

/// About the columns of a line: a tab counts as [`TAB`], and what is not ASCII as two, since it may be wide.
fn columns(line: &str) -> usize {
    let column = |c: char| match c {
        '\n' => 0,
        '\t' => TAB,
        c if c.is_ascii() => 1,
        _ => 2,
    };
    line.chars().map(column).sum()
}
