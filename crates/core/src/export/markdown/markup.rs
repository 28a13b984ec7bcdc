//! Markdown elements (CommonMark, with GitHub's tables). Authors' texts never become markup.

use super::super::writer::{CodeWriter, Tag};
use crate::model::{is_hidden, push_reference, shown};

/// A cell of a table.
pub enum Cell {
    /// Plain words; markup in them is escaped.
    Words(String),
    /// Code.
    Code(String),
    /// Several code spans, one below the other.
    Codes(Vec<String>),
    /// Escaped words with code spans.
    Escaped(String),
}

impl Cell {
    /// Creates a cell of plain words.
    pub fn words(text: impl Into<String>) -> Cell {
        Cell::Words(text.into())
    }

    /// Creates a cell of code; empty for an empty text.
    pub fn code(text: impl Into<String>) -> Cell {
        Cell::Code(text.into())
    }

    /// Creates a cell of words with names in backticks.
    pub fn marked(text: &str) -> Cell {
        Cell::Escaped(marked_in_cell(text))
    }

    /// Creates a cell of the non-empty lines of a text, one below the other; names may be in backticks.
    pub fn lines(text: &str) -> Cell {
        let lines = text.lines().map(marked_in_cell);
        let lines: Vec<String> = lines.filter(|line| !line.is_empty()).collect();
        Cell::Escaped(lines.join("<br>"))
    }

    fn text(&self) -> String {
        match self {
            Cell::Escaped(text) => text.clone(),
            Cell::Words(text) => words(text),
            Cell::Code(text) => in_cell(&code(text)),
            Cell::Codes(texts) => {
                let codes: Vec<String> = texts.iter().map(|text| in_cell(&code(text))).collect();
                codes.join("<br>")
            }
        }
    }
}

/// Writes a heading of this level, after a blank line.
pub fn heading(out: &mut CodeWriter, level: usize, text: &str) {
    out.end_line();
    let line = ["#".repeat(level).as_str(), " ", &words(text)].concat();
    out.tag(Tag::Keyword, line.trim_end()).end_line();
}

/// Writes each non-empty line of the text as a paragraph, after a blank line. Text in backticks becomes code.
pub fn paragraphs(out: &mut CodeWriter, text: &str) {
    for line in text.lines() {
        let line = marked(line, &|code| code);
        if !line.is_empty() {
            out.end_line();
            out.put(&not_a_block(&line)).end_line();
        }
    }
}

fn marked_in_cell(text: &str) -> String {
    marked(text, &|code| in_cell(&code))
}

/// Returns the text with code spans for the parts in backticks.
fn marked(text: &str, fit: &dyn Fn(String) -> String) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    if parts.len().is_multiple_of(2) {
        return words(text);
    }
    let mut marked = String::new();
    for (at, part) in parts.iter().enumerate() {
        if at % 2 == 1 {
            marked.push_str(&fit(code(part)));
            continue;
        }
        let starts = part.starts_with(' ') && at > 0;
        let ends = part.ends_with(' ') && part.trim() != "" && at + 1 < parts.len();
        marked.push_str(if starts { " " } else { "" });
        marked.push_str(&words(part));
        marked.push_str(if ends { " " } else { "" });
    }
    marked
}

/// Writes a code block in a language, after a blank line.
pub fn block(out: &mut CodeWriter, language: &str, text: &str) {
    let mut longest = 2;
    for run in text.split(|c| c != '`') {
        longest = longest.max(run.len());
    }
    let fence = "`".repeat(longest + 1);
    out.end_line();
    out.put(&[&fence, language].concat()).end_line();
    for line in text.lines() {
        out.tag(Tag::Text, line).end_line();
    }
    out.put(&fence).end_line();
}

/// Writes a table, after a blank line; nothing if it has no rows.
pub fn table(out: &mut CodeWriter, head: &[&str], rows: &[Vec<Cell>]) {
    if rows.is_empty() {
        return;
    }
    out.end_line();
    for name in head {
        out.put("| ").tag(Tag::Key, &words(name)).put(" ");
    }
    out.put("|").end_line();
    for _ in head {
        out.put("| --- ");
    }
    out.put("|").end_line();
    for row in rows {
        for cell in row {
            let tag = match cell {
                Cell::Words(_) | Cell::Escaped(_) => None,
                Cell::Code(_) | Cell::Codes(_) => Some(Tag::Text),
            };
            out.put("| ");
            match tag {
                Some(tag) => out.tag(tag, &cell.text()),
                None => out.put(&cell.text()),
            };
            out.put(" ");
        }
        out.put("|").end_line();
    }
}

/// Returns the text on one line, with everything escaped that Markdown or HTML would interpret.
pub fn words(text: &str) -> String {
    let mut escaped = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !escaped.is_empty() {
            escaped.push(' ');
        }
        for c in word.chars() {
            if is_hidden(c) {
                push_reference(&mut escaped, c);
                continue;
            }
            if matches!(
                c,
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '&' | '~' | '$'
            ) {
                escaped.push('\\');
            }
            escaped.push(c);
        }
    }
    // At the end, a heading would drop it.
    if escaped.ends_with('#') {
        escaped.truncate(escaped.len() - 1);
        escaped.push_str("\\#");
    }
    escaped
}

/// Escapes the start of a line that would begin a heading, list, rule or quotation.
fn not_a_block(line: &str) -> String {
    let digits = line
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(line.len());
    if digits > 0 && line[digits..].starts_with(['.', ')']) {
        return [&line[..digits], "\\", &line[digits..]].concat();
    }
    match line.starts_with(['#', '+', '-', '=', ':']) {
        true => ["\\", line].concat(),
        false => line.to_owned(),
    }
}

/// Returns the text as a code span on one line; empty for an empty text. Hidden characters become spaces.
pub fn code(text: &str) -> String {
    let text = shown(text);
    let mut longest = 0;
    for run in text.split(|c| c != '`') {
        longest = longest.max(run.len());
    }
    let fence = "`".repeat(longest + 1);
    // Markdown removes one space on each side if both sides have one.
    let needs_space = text.starts_with(['`', ' ']) || text.ends_with(['`', ' ']);
    let space = if needs_space && !text.trim().is_empty() {
        " "
    } else {
        ""
    };
    match text.is_empty() {
        true => String::new(),
        false => [&fence, space, &text, space, &fence].concat(),
    }
}

/// Escapes code in a table cell: a `|` would end the cell, and `\|` is a `|` there, even in code.
fn in_cell(code: &str) -> String {
    code.replace('|', "\\|")
}
