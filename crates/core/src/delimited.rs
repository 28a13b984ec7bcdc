//! Delimited text: CSV (RFC 4180) and the tab-separated rows that spreadsheets put on the clipboard, with the same
//! quoting. Knows nothing of values or designs.

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

/// Like [`read`], with the line number of each row.
pub fn rows(text: &str, separator: char) -> Rows {
    let mut read = Rows::default();
    let mut rest = text;
    let mut line = 1;
    while !rest.is_empty() {
        let start = line;
        let mut fields = Vec::new();
        loop {
            let (mut field, mut end) = (String::new(), 0);
            if rest.starts_with('"') {
                match quoted(rest) {
                    Some(close) => {
                        field = rest[1..close].replace("\"\"", "\"");
                        end = close + 1;
                    }
                    None => read.unclosed = read.unclosed.or(Some(line)),
                }
            }
            line += breaks(&rest[..end]);
            let more = rest[end..]
                .find([separator, '\n', '\r'])
                .map_or(rest.len(), |at| end + at);
            field.push_str(&rest[end..more]);
            fields.push(field);
            rest = &rest[more..];
            match rest.strip_prefix(separator) {
                Some(next) => rest = next,
                None => break,
            }
        }
        rest = (rest.strip_prefix("\r\n"))
            .or_else(|| rest.strip_prefix(['\n', '\r']))
            .unwrap_or(rest);
        line += 1;
        let row = Row {
            line: start,
            fields,
        };
        read.rows.push(row);
    }
    read
}

/// Byte offset of the quote that closes the field at the start of `text`, if any.
fn quoted(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = 1;
    loop {
        at += text[at..].find('"')?;
        if bytes.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
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
