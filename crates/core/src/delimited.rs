//! Delimited text: CSV (RFC 4180) and the tab-separated rows that spreadsheets put on the clipboard, with the same
//! quoting. Knows nothing of values or designs.
//!
//! `csv_core` reads the fields. This module adds what a clipboard and messages need: an empty line is a row with an
//! empty field, and a quote that is never closed does not swallow the rest of the text.

use csv_core::{ReadFieldResult, ReaderBuilder};

/// The separators to detect, the most likely first.
pub const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// The result of [`rows`].
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// The rows, in the order of the text.
    pub rows: Vec<Row>,
    /// Line (from 1) of the first field whose opening quote is never closed. That quote is read as an ordinary
    /// character.
    pub unclosed: Option<usize>,
}

/// One row and the line it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Line on which the row starts, counted from 1. A quoted field may span lines.
    pub line: usize,
    /// The fields, at least one.
    pub fields: Vec<String>,
}

/// Reads delimited text into fields, row by row. A line ends with `\n`, `\r\n` or `\r`; text after the last line end is
/// a row unless it is empty. A field that starts with `"` ends at its closing quote; `""` inside it is one quote.
pub fn read(text: &str, separator: char) -> Vec<Vec<String>> {
    let rows = rows(text, separator).rows.into_iter();
    rows.map(|row| row.fields).collect()
}

/// Reads CSV with a header: the header, and the rows below it.
///
/// # Errors
///
/// That the text is empty, or the line of a quote that is never closed.
pub fn with_header(text: &str) -> Result<(Row, impl Iterator<Item = Row> + use<>), String> {
    let read = rows(text, detect_separator(text));
    if let Some(line) = read.unclosed {
        return Err(format!("line {line}: this quote is never closed"));
    }
    let mut rows = read.rows.into_iter();
    let header = rows.next().ok_or("the file is empty")?;
    Ok((header, rows))
}

/// Like [`read`], with the line number of each row. `separator` must be ASCII.
pub fn rows(text: &str, separator: char) -> Rows {
    let separator = separator as u8;
    // No clone of it: csv-core 0.1.13 does not copy the whole state of a reader.
    let mut reader = ReaderBuilder::new().delimiter(separator).build();
    let mut buffer = vec![0; text.len()];
    let mut read = Rows::default();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        // At the start of a row the reader would skip empty lines and a byte order mark; after a separator it does not.
        reader.read_field(&[separator], &mut [0]);
        let mut row = Row {
            line,
            fields: Vec::new(),
        };
        loop {
            let (result, mut length, written) = reader.read_field(rest.as_bytes(), &mut buffer);
            let mut field = String::from_utf8_lossy(&buffer[..written]).into_owned();
            let mut is_last = result != ReadFieldResult::Field { record_end: false };
            // Within quotes, a separator does not end the field.
            let is_unclosed = result == ReadFieldResult::InputEmpty
                && reader.read_field(&[separator], &mut [0]).0 == ReadFieldResult::InputEmpty;
            if is_unclosed {
                read.unclosed = read.unclosed.or(Some(line));
                let ends = [separator as char, '\n', '\r'];
                let end = rest.find(ends).unwrap_or(rest.len());
                field = rest[..end].to_owned();
                is_last = rest.as_bytes().get(end) != Some(&separator);
                length = rest.len().min(end + 1);
                // Ends the quotes and that field for the reader.
                reader.read_field(&[b'"', separator], &mut [0; 2]);
            }
            row.fields.push(field);
            let (done, next) = rest.split_at(length);
            line += breaks(done);
            rest = match done.ends_with('\r') {
                true => next.strip_prefix('\n').unwrap_or(next),
                false => next,
            };
            if is_last {
                break;
            }
        }
        read.rows.push(row);
    }
    read
}

/// Number of line ends in `text`.
fn breaks(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = (bytes.iter().enumerate()).filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    ends.count()
}

/// Writes rows as text that [`read`] reads back unchanged; an empty row reads back as one empty field. Each row ends
/// with `\r\n` (RFC 4180), or with `\n` when the separator is a tab (clipboard). `separator` must not be a quote or a
/// line break.
pub fn write(rows: &[Vec<String>], separator: char) -> String {
    let end = if separator == '\t' { "\n" } else { "\r\n" };
    let mut text = String::new();
    for row in rows {
        for (at, field) in row.iter().enumerate() {
            if at > 0 {
                text.push(separator);
            }
            // A byte order mark at the start of a file is dropped by readers; quoted, it is kept.
            if field.contains([separator, '"', '\n', '\r', '\u{feff}']) {
                text.push('"');
                text.push_str(&field.replace('"', "\"\""));
                text.push('"');
            } else {
                text.push_str(field);
            }
        }
        text.push_str(end);
    }
    text
}

/// The separator that occurs most often outside quotes in the first row; a comma if none occurs.
pub fn detect_separator(text: &str) -> char {
    let mut counts = [0; SEPARATORS.len()];
    let mut inside = false;
    for c in text.chars() {
        match c {
            '"' => inside = !inside,
            '\n' | '\r' if !inside => break,
            _ if inside => {}
            _ => {
                if let Some(at) = SEPARATORS.iter().position(|separator| *separator == c) {
                    counts[at] += 1;
                }
            }
        }
    }
    let most = counts.iter().max().copied().unwrap_or(0);
    let at = counts.iter().position(|count| *count == most).unwrap_or(0);
    SEPARATORS[at]
}
