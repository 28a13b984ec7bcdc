//! Compares two texts line by line: the shortest edit script by Myers' algorithm, after removing the common start
//! and end. Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986.

use keyfold_core::slices::{finish, pause};

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

/// Maximum number of changes found line by line. Beyond it, everything between the first and the last change counts
/// as changed. It bounds time and, squared, memory.
const MAX_CHANGES: usize = 1000;

/// Returns the lines of both texts; common lines occur once. A trailing line ending makes no extra line.
pub fn line_diff<'a>(old: &'a str, new: &'a str) -> Vec<DiffLine<'a>> {
    finish(line_diff_in_slices(old, new))
}

async fn line_diff_in_slices<'a>(old: &'a str, new: &'a str) -> Vec<DiffLine<'a>> {
    let old: Vec<&str> = old.lines().collect();
    let new: Vec<&str> = new.lines().collect();
    let shorter = old.len().min(new.len());
    let mut start = 0;
    while start < shorter && old[start] == new[start] {
        start += 1;
    }
    let mut end = 0;
    while end < shorter - start && old[old.len() - 1 - end] == new[new.len() - 1 - end] {
        end += 1;
    }
    let mut out = Vec::with_capacity(old.len().max(new.len()));
    put(&mut out, LineChange::Same, &new[..start]);
    let (olds, news) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    pause().await;
    if !shortest(&mut out, olds, news).await {
        put(&mut out, LineChange::Removed, olds);
        put(&mut out, LineChange::Added, news);
    }
    put(&mut out, LineChange::Same, &new[new.len() - end..]);
    out
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

/// Appends the shortest edit script. Appends nothing and returns `false` if it has more than [`MAX_CHANGES`]
/// changes.
async fn shortest<'a>(out: &mut Vec<DiffLine<'a>>, old: &[&'a str], new: &[&'a str]) -> bool {
    let most = (old.len() + new.len()).min(MAX_CHANGES);
    // The furthest position in `old` on each diagonal `k = x - y`, one row per number of changes.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for changes in 0..=most {
        pause().await;
        let before = rows.last();
        let mut row = Vec::with_capacity(changes + 1);
        // Diagonals are -changes, -changes + 2, ... changes. In the row before, `at` is one diagonal to the left,
        // and `at - 1` one to the right.
        for at in 0..=changes {
            let x = match before {
                None => 0,
                Some(before) => match goes_down(before, at) {
                    true => before[at],
                    false => before[at - 1] + 1,
                },
            };
            // x - y = 2 * at - changes
            let (mut x, mut y) = (x, x + changes - 2 * at);
            while x < old.len() && y < new.len() && old[x] == new[y] {
                x += 1;
                y += 1;
            }
            row.push(x);
            if x >= old.len() && y >= new.len() {
                rows.push(row);
                walk_back(out, &rows, old, new);
                return true;
            }
        }
        rows.push(row);
    }
    false
}

/// Whether the furthest path on a diagonal comes from the one above, by adding a line of `new`.
fn goes_down(before: &[usize], at: usize) -> bool {
    at == 0 || at < before.len() && before[at - 1] < before[at]
}

/// Follows the path from its end to its start, then reverses it.
fn walk_back<'a>(
    out: &mut Vec<DiffLine<'a>>,
    rows: &[Vec<usize>],
    old: &[&'a str],
    new: &[&'a str],
) {
    let first = out.len();
    let (mut x, mut y) = (old.len(), new.len());
    for changes in (1..rows.len()).rev() {
        let before = &rows[changes - 1];
        let at = (x + changes - y) / 2;
        let down = goes_down(before, at);
        let from = match down {
            true => before[at],
            false => before[at - 1],
        };
        let ends = from + usize::from(!down);
        while x > ends {
            x -= 1;
            y -= 1;
            put(out, LineChange::Same, &old[x..=x]);
        }
        if down {
            y -= 1;
            put(out, LineChange::Added, &new[y..=y]);
        } else {
            x -= 1;
            put(out, LineChange::Removed, &old[x..=x]);
        }
    }
    while x > 0 {
        x -= 1;
        put(out, LineChange::Same, &old[x..=x]);
    }
    out[first..].reverse();
}
