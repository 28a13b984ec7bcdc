//! Compares two texts line by line, with the algorithm that Git uses: shortest changes, except for texts with very many.

use keyfold_core::slices::{finish, pause};
use similar::algorithms::{Capture, Compact, DiffHook, Replace, myers};
use similar::{DiffOp, DiffTag};

/// What happened to a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineChange {
    /// In both texts.
    Same,
    /// Only in the new text.
    Added,
    /// Only in the old text.
    Removed,
}

/// A line of either text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLine<'a> {
    /// What happened to it.
    pub mark: LineChange,
    /// The line, without its line ending.
    pub text: &'a str,
}

/// Number of pieces found between two pauses: a few milliseconds in a browser.
const SLICE: usize = 250;

/// Returns the lines of both texts; common lines occur once. A trailing line ending makes no extra line.
pub fn line_diff<'a>(old: &'a str, new: &'a str) -> Vec<DiffLine<'a>> {
    finish(line_diff_in_slices(old, new))
}

async fn line_diff_in_slices<'a>(old: &'a str, new: &'a str) -> Vec<DiffLine<'a>> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let mut found = Pieces::default();
    loop {
        let (from, to) = found.ends;
        found.limit = found.pieces.len() + SLICE;
        let rest = (from..old.len(), to..new.len());
        if let Ok(()) = myers::diff(&mut found, &old, rest.0, &new, rest.1) {
            break;
        }
        pause().await;
    }
    pause().await;
    let mut compact = Compact::new(Replace::new(Capture::new()), &old, &new);
    for piece in &found.pieces {
        let Ok(()) = piece.apply_to_hook(&mut compact);
    }
    let Ok(()) = compact.finish();
    let mut out = Vec::with_capacity(old.len().max(new.len()));
    for piece in compact.into_inner().into_inner().into_ops() {
        if piece.tag() == DiffTag::Equal {
            put(&mut out, LineChange::Same, &new[piece.new_range()]);
        } else {
            put(&mut out, LineChange::Removed, &old[piece.old_range()]);
            put(&mut out, LineChange::Added, &new[piece.new_range()]);
        }
    }
    out
}

/// Equal, removed and added runs of lines, in order. The search stops at `limit` and goes on where it stopped, because
/// it cannot pause.
#[derive(Default)]
struct Pieces {
    pieces: Vec<DiffOp>,
    limit: usize,
    /// The number of lines of both texts that the pieces cover.
    ends: (usize, usize),
}

/// The limit is reached.
struct Full;

impl Pieces {
    fn add(&mut self, piece: DiffOp) -> Result<(), Full> {
        let (old, new) = self.ends;
        self.ends = (
            old.max(piece.old_range().end),
            new.max(piece.new_range().end),
        );
        self.pieces.push(piece);
        match self.pieces.len() < self.limit {
            true => Ok(()),
            false => Err(Full),
        }
    }
}

impl DiffHook for Pieces {
    type Error = Full;

    fn equal(&mut self, old_index: usize, new_index: usize, len: usize) -> Result<(), Full> {
        self.add(DiffOp::Equal {
            old_index,
            new_index,
            len,
        })
    }

    fn delete(&mut self, old_index: usize, old_len: usize, new_index: usize) -> Result<(), Full> {
        self.add(DiffOp::Delete {
            old_index,
            old_len,
            new_index,
        })
    }

    fn insert(&mut self, old_index: usize, new_index: usize, new_len: usize) -> Result<(), Full> {
        self.add(DiffOp::Insert {
            old_index,
            new_index,
            new_len,
        })
    }
}

/// Number of unchanged lines shown around a change.
const CONTEXT: usize = 3;

/// Returns the changes as text: each line after `+`, `-` or spaces, consecutive lines of one kind in one piece.
/// Unchanged lines far from a change are replaced by a line with their number.
pub fn diff_pieces(old: &str, new: &str) -> Vec<(LineChange, String)> {
    finish(diff_pieces_in_slices(old, new))
}

/// Like [`diff_pieces`], in slices.
pub async fn diff_pieces_in_slices(old: &str, new: &str) -> Vec<(LineChange, String)> {
    let lines = line_diff_in_slices(old, new).await;
    let mut pieces: Vec<(LineChange, String)> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        pause().await;
        let mark = lines[at].mark;
        let same = lines[at..].iter().position(|line| line.mark != mark);
        let end = same.map_or(lines.len(), |length| at + length);
        let mut text = String::new();
        let before = match at {
            0 => 0,
            _ => CONTEXT,
        };
        let after = match end == lines.len() {
            true => 0,
            false => CONTEXT,
        };
        for (number, line) in lines[at..end].iter().enumerate() {
            let left_out = (end - at).saturating_sub(before + after);
            if mark == LineChange::Same
                && left_out > 1
                && number >= before
                && number < before + left_out
            {
                if number == before {
                    text.push_str(&format!("⋯ {left_out} unchanged lines\n"));
                }
                continue;
            }
            text.push_str(match mark {
                LineChange::Same => "  ",
                LineChange::Added => "+ ",
                LineChange::Removed => "- ",
            });
            text.push_str(line.text);
            text.push('\n');
        }
        pieces.push((mark, text));
        at = end;
    }
    pieces
}

fn put<'a>(out: &mut Vec<DiffLine<'a>>, mark: LineChange, lines: &[&'a str]) {
    for text in lines {
        out.push(DiffLine { mark, text });
    }
}
