//! Sections as text and as Markdown.

use super::{Line, Section};
use crate::diff::ChangeKind;
use crate::words::Piece;
use keyfold_core::export::markdown;
use keyfold_core::model::shown;
use std::fmt::Write as _;

/// Writes a heading and indented lines for each section.
pub fn text(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections {
        let space = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{space}{}", section.title);
        for line in &section.lines {
            let _ = writeln!(
                out,
                "  {} {}",
                line.kind.map_or("*", ChangeKind::sign),
                plain(line)
            );
        }
    }
    match out.is_empty() {
        true => "No differences.\n".to_owned(),
        false => out,
    }
}

/// The words of a line, with code in backticks.
pub fn plain(line: &Line) -> String {
    let pieces = line.pieces.iter().map(|piece| match piece {
        Piece::Words(text) => shown(text),
        Piece::Code(text) => format!("`{}`", shown(text)),
    });
    pieces.collect()
}

/// Writes a heading and a list for each section.
pub fn markdown(sections: &[Section]) -> String {
    let mut out = String::new();
    for section in sections {
        let space = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{space}### {}\n", section.title);
        for line in &section.lines {
            let kind = line
                .kind
                .map_or(String::new(), |kind| format!("{}: ", kind.label()));
            let _ = writeln!(out, "- {kind}{}", marked(line));
        }
    }
    match out.is_empty() {
        true => "No differences.\n".to_owned(),
        false => out,
    }
}

fn marked(line: &Line) -> String {
    let mut out = String::new();
    for piece in &line.pieces {
        match piece {
            // The spaces between words and code stay.
            Piece::Words(text) => {
                if text.starts_with(' ') && !out.is_empty() {
                    out.push(' ');
                }
                out += &markdown::words(text);
                if text.ends_with(' ') && !text.trim().is_empty() {
                    out.push(' ');
                }
            }
            Piece::Code(text) => out += &markdown::code(text),
        }
    }
    out
}
