//! Delimited text: rows of fields as CSV (RFC 4180) and as spreadsheets put them on the clipboard (tab-separated,
//! with the same quotes). Nothing in here knows values or designs.

/// The separators that a table may have, the likeliest first.
pub const SEPARATORS: [char; 3] = [',', ';', '\t'];

/// What [`rows`] reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rows {
    /// The rows.
    pub rows: Vec<Row>,
    /// The line, counted from 1, of the first field that starts with a quote which nothing closes. The quote is then a
    /// character of the field like any other.
    pub unclosed: Option<usize>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The line on which it starts, counted from 1. A quoted field may go on over several lines.
    pub line: usize,
    /// Its fields, at least one.
    pub fields: Vec<String>,
}

/// The fields of a text, row by row. A line ends with `\n`, `\r\n` or `\r`; what stands behind the last one is a row
/// unless it is empty. A field that starts with `"` goes on to the quote that closes it; `""` in it is one quote.
pub fn read(text: &str, separator: char) -> Vec<Vec<String>> {
    let rows = rows(text, separator).rows.into_iter();
    rows.map(|row| row.fields).collect()
}

/// As [`read`], with the line of each row.
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

/// Where the quote stands that closes the field at the start of the text, if one does.
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

/// How many lines end in the text.
fn breaks(text: &str) -> usize {
    let bytes = text.as_bytes();
    let ends = (bytes.iter().enumerate()).filter(|(at, byte)| match byte {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    ends.count()
}

/// The rows as text that [`read`] reads as they are; a row of no fields is read as one of an empty field. Every row
/// ends with a line break: `\r\n`, as RFC 4180 has it, but `\n` where fields are separated by tabs, for the clipboard.
/// `separator` is neither a quote nor a line break.
pub fn write(rows: &[Vec<String>], separator: char) -> String {
    let end = if separator == '\t' { "\n" } else { "\r\n" };
    let mut text = String::new();
    for row in rows {
        for (at, field) in row.iter().enumerate() {
            if at > 0 {
                text.push(separator);
            }
            // A byte order mark at the start of a file is no part of it, but behind a quote it is.
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

/// The separator that the first row of the text has most often outside quotes; a comma if it has none.
pub fn separator_of(text: &str) -> char {
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
