//! What differs between two texts, line by line: the shortest way from one to the other by Myers' algorithm, with
//! what both begin and end with taken off first.
//! Source: E. W. Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1986.

use keyfold_core::slices::{finish, pause};

/// What became of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
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
    /// What became of it.
    pub mark: Mark,
    /// The line, without its end.
    pub text: &'a str,
}

/// Most lines that are added and removed one by one; with more, all between the first and the last of them counts as
/// changed. It bounds memory (the square of it) and time.
const MOST_CHANGES: usize = 1000;

/// All lines of both texts, in an order in which those that are in both come once. A line end at the end of the texts
/// makes no line.
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
    put(&mut out, Mark::Same, &new[..start]);
    let (olds, news) = (&old[start..old.len() - end], &new[start..new.len() - end]);
    pause().await;
    if !shortest(&mut out, olds, news).await {
        put(&mut out, Mark::Removed, olds);
        put(&mut out, Mark::Added, news);
    }
    put(&mut out, Mark::Same, &new[new.len() - end..]);
    out
}

/// Lines that are shown before and after what changed.
const CONTEXT: usize = 3;

/// What differs, as pieces of text to show: each line with `+`, `-` or nothing before it, lines of one kind that follow
/// each other in one piece. What is the same and further away is left out, with a line that says how much it is.
pub fn diff_pieces(old: &str, new: &str) -> Vec<(Mark, String)> {
    finish(diff_pieces_in_slices(old, new))
}

/// As [`diff_pieces`], in slices.
pub async fn diff_pieces_in_slices(old: &str, new: &str) -> Vec<(Mark, String)> {
    let lines = line_diff_in_slices(old, new).await;
    let mut pieces: Vec<(Mark, String)> = Vec::new();
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
            if mark == Mark::Same && left_out > 1 && number >= before && number < before + left_out
            {
                if number == before {
                    text.push_str(&format!("⋯ {left_out} lines as before\n"));
                }
                continue;
            }
            text.push_str(match mark {
                Mark::Same => "  ",
                Mark::Added => "+ ",
                Mark::Removed => "- ",
            });
            text.push_str(line.text);
            text.push('\n');
        }
        pieces.push((mark, text));
        at = end;
    }
    pieces
}

fn put<'a>(out: &mut Vec<DiffLine<'a>>, mark: Mark, lines: &[&'a str]) {
    for text in lines {
        out.push(DiffLine { mark, text });
    }
}

/// Adds the shortest way from `old` to `new`; nothing, and `false`, if it has more than [`MOST_CHANGES`].
async fn shortest<'a>(out: &mut Vec<DiffLine<'a>>, old: &[&'a str], new: &[&'a str]) -> bool {
    let most = (old.len() + new.len()).min(MOST_CHANGES);
    // How far into `old` one comes on each diagonal `k = x - y` with so many changes; a row for each number of them.
    let mut rows: Vec<Vec<usize>> = Vec::new();
    for changes in 0..=most {
        pause().await;
        let before = rows.last();
        let mut row = Vec::with_capacity(changes + 1);
        // Diagonals -changes, -changes + 2, ... changes; in the row before, number `at` is one less, `at - 1` one more
        // to the left.
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

/// Whether the furthest way onto a diagonal comes from the one above: by a line of `new`.
fn goes_down(before: &[usize], at: usize) -> bool {
    at == 0 || at < before.len() && before[at - 1] < before[at]
}

/// The way that the rows describe, from its end to its beginning, and then turned round.
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
            put(out, Mark::Same, &old[x..=x]);
        }
        if down {
            y -= 1;
            put(out, Mark::Added, &new[y..=y]);
        } else {
            x -= 1;
            put(out, Mark::Removed, &old[x..=x]);
        }
    }
    while x > 0 {
        x -= 1;
        put(out, Mark::Same, &old[x..=x]);
    }
    out[first..].reverse();
}
