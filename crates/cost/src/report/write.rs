//! Sections as text, Markdown and CSV.

use super::Section;
use keyfold_core::delimited;
use std::fmt::Write as _;

/// Columns as wide as their widest cell.
pub(super) fn text(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "{}", section.title);
        let header: Vec<String> = section
            .columns
            .iter()
            .map(|name| (*name).to_owned())
            .collect();
        let rows = || std::iter::once(&header).chain(&section.rows);
        let width = |column: usize| {
            let cells = rows().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..section.columns.len()).map(width).collect();
        for row in rows().filter(|row| !row.is_empty()) {
            let mut line = String::from("  ");
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(line, "{cell:width$}  ");
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for note in &section.notes {
            let _ = writeln!(text, "  {note}");
        }
    }
    text
}

/// Tables with headings of the second level.
pub(super) fn markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for section in sections {
        if !text.is_empty() {
            text.push('\n');
        }
        let _ = writeln!(text, "## {}\n", escaped(&section.title));
        let line = |cells: &mut dyn Iterator<Item = String>| {
            let cells: Vec<String> = cells.collect();
            format!("| {} |\n", cells.join(" | "))
        };
        if !section.rows.is_empty() {
            text += &line(&mut section.columns.iter().map(|name| escaped(name)));
            text += &line(&mut section.columns.iter().map(|_| "---".to_owned()));
            for row in &section.rows {
                text += &line(&mut row.iter().map(|cell| escaped(cell)));
            }
        }
        for (at, note) in section.notes.iter().enumerate() {
            let space = if at == 0 && !section.rows.is_empty() {
                "\n"
            } else {
                ""
            };
            let _ = writeln!(text, "{space}- {}", escaped(note));
        }
    }
    text
}

/// Text without a meaning in Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' | '|' | '*' | '_' | '<' | '[' | ']' | '#' => escaped.extend(['\\', c]),
            '\n' | '\r' => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

/// One section below the other, each row with the title of its section.
pub(super) fn csv(sections: &[Section]) -> String {
    let mut all = Vec::new();
    for section in sections {
        let mut rows: Vec<Vec<String>> = Vec::new();
        if !section.rows.is_empty() {
            rows.push(
                section
                    .columns
                    .iter()
                    .map(|name| (*name).to_owned())
                    .collect(),
            );
            rows.extend(section.rows.iter().cloned());
        }
        rows.extend(section.notes.iter().map(|note| vec![note.clone()]));
        for row in rows {
            let cells = row.into_iter().map(plain);
            all.push(
                std::iter::once(section.title.clone())
                    .chain(cells)
                    .collect(),
            );
        }
    }
    delimited::write(&all, ',')
}

/// A number as spreadsheets read it: without the dollar sign and separators.
fn plain(cell: String) -> String {
    let number = cell.replace(['$', ',', '+'], "");
    match number.parse::<f64>() {
        Ok(_) => number,
        Err(_) => cell,
    }
}
