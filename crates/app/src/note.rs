//! Notes on the canvas: their lines and sizes, for the page and for pictures, and their names.

use super::fit_text::text_width;
use super::viewport::Detail;
use keyfold_core::model::{Note, short};

/// Width of a note, in canvas pixels.
pub const NOTE_WIDTH: f64 = 240.0;
/// Space between the edges of a note and its text.
pub const NOTE_PAD: f64 = 12.0;
/// Font size of the text.
pub const NOTE_FONT: f64 = 12.0;
/// Height of a line of text.
pub const NOTE_LINE: f64 = 18.0;
/// Height of a note that shows its first line only: as a card that shows its name only.
const ONE_LINE: f64 = super::geometry::HEAD;
/// A note has room for at least this many lines.
const MIN_LINES: usize = 3;
/// A note shows at most this many lines; the inspector has the whole text.
const MAX_LINES: usize = 40;

/// Shown in a note without text.
pub const NOTE_PLACEHOLDER: &str = "Write a note";

/// Returns the lines of a note as it shows them: wrapped at spaces to its width, and ended by an ellipsis if there are
/// more. A word that is wider than the note is broken. Without text, there are no lines.
pub fn note_lines(note: &Note, detail: Detail) -> Vec<String> {
    let most = match detail {
        Detail::Names => 1,
        _ => MAX_LINES,
    };
    let text = note.text.trim_end();
    let text = match detail {
        Detail::Names => text.trim_start(),
        _ => text,
    };
    let mut lines = Vec::new();
    if text.is_empty() {
        return lines;
    }
    for line in text.lines() {
        wrap(line, &mut lines, most + 1);
        if lines.len() > most {
            lines.truncate(most);
            if let Some(last) = lines.last_mut() {
                end_with_ellipsis(last);
            }
            break;
        }
    }
    lines
}

/// Whether a text fits in a line of a note.
fn fits(text: &str) -> bool {
    // A little more, because sums of tenths are not exact.
    text_width(text, NOTE_FONT) <= NOTE_WIDTH - 2.0 * NOTE_PAD + 0.01
}

/// Appends the lines of a line of the text, until there are `enough` lines.
fn wrap(line: &str, lines: &mut Vec<String>, enough: usize) {
    // Tabs have no width of their own.
    let line = line.replace('\t', "    ");
    let mut rest = line.as_str();
    while lines.len() < enough {
        if fits(rest.trim_end()) {
            lines.push(rest.trim_end().to_owned());
            return;
        }
        let (mut end, mut space) = (0, None);
        for (at, c) in rest.char_indices() {
            let next = at + c.len_utf8();
            if c == ' ' && !rest[..at].trim().is_empty() {
                space = Some(at);
            }
            // Spaces may stand beyond the edge.
            if c != ' ' && !fits(&rest[..next]) {
                break;
            }
            end = next;
        }
        // At least one character, however wide.
        let first = rest.chars().next().map_or(1, char::len_utf8);
        let end = space.unwrap_or(end.max(first));
        let (before, after) = rest.split_at(end);
        lines.push(before.trim_end().to_owned());
        rest = match space {
            Some(_) => after.trim_start(),
            None => after,
        };
    }
}

fn end_with_ellipsis(line: &mut String) {
    line.push('…');
    while !fits(line) {
        line.pop();
        line.pop();
        line.push('…');
    }
}

/// Returns the height of a note.
pub fn note_height(note: &Note, detail: Detail) -> f64 {
    match detail {
        Detail::Names => ONE_LINE,
        _ => {
            let lines = note_lines(note, detail).len().max(MIN_LINES);
            lines as f64 * NOTE_LINE + 2.0 * NOTE_PAD
        }
    }
}

/// Returns what a note is called in lists and announcements: `Note: ` and its first line, shortened if it is long;
/// `Note` without text.
pub fn note_name(note: &Note) -> String {
    match note.first_line() {
        "" => "Note".to_owned(),
        line => ["Note: ", &short(line)].concat(),
    }
}
