//! Descriptions: `/// text` above a line or at its end. Lines are joined by spaces; a line that ends in `\` ends there,
//! and an empty line separates paragraphs. A text that this cannot write is one JSON string.

use super::lexer;
use crate::model::{escape_hidden, is_hidden};

/// The text of the lines, each from `///` on.
pub fn read<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<&str> = lines
        .map(|line| line.strip_prefix("///").unwrap_or(line))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    if let [line] = lines[..]
        && line.starts_with('"')
        && let Some(text) = lexer::unquote(line)
    {
        return text;
    }
    let mut out = String::new();
    let mut joint = "";
    for line in lines {
        if line.is_empty() {
            joint = if out.is_empty() { "" } else { "\n\n" };
            continue;
        }
        let (text, next) = match line.strip_suffix('\\') {
            Some(text) => (text, "\n"),
            None => (line, " "),
        };
        out.push_str(joint);
        out.push_str(text);
        joint = next;
    }
    out
}

/// The lines that say a text, without `///`, of this width where words allow it. Empty for an empty text.
pub fn write(text: &str, width: usize) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let lines = wrapped(text, width);
    let marked: Vec<String> = lines.iter().map(|line| marked(line)).collect();
    let is_plain = !text.contains(|c: char| c != '\n' && is_hidden(c));
    let trimmed = marked.iter().map(|line| line.trim());
    match is_plain && read(trimmed) == text {
        true => lines,
        false => vec![quoted(text)],
    }
}

/// A line with its mark.
pub fn marked(line: &str) -> String {
    match line.is_empty() {
        true => "///".to_owned(),
        false => ["/// ", line].concat(),
    }
}

/// A text as a JSON string without hidden characters.
pub fn quoted(text: &str) -> String {
    let json = serde_json::Value::from(text).to_string();
    escape_hidden(&json).into_owned()
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut out = Vec::new();
    for (number, paragraph) in text.split("\n\n").enumerate() {
        if number > 0 {
            out.push(String::new());
        }
        let mut lines = paragraph.split('\n').peekable();
        while let Some(line) = lines.next() {
            let mut current = String::new();
            let mut chars = 0;
            for word in line.split(' ') {
                let length = word.chars().count();
                let may_break = !current.is_empty() && !word.is_empty() && !current.ends_with(' ');
                if may_break && chars + 1 + length > width {
                    out.push(std::mem::take(&mut current));
                    chars = 0;
                }
                if !current.is_empty() {
                    current.push(' ');
                    chars += 1;
                }
                current.push_str(word);
                chars += length;
            }
            if lines.peek().is_some() {
                current.push('\\');
            }
            out.push(current);
        }
    }
    out
}
