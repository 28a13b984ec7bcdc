//! Splits a text into declarations of attributes: lists, and the members of types of TypeScript, Rust, GraphQL or SQL.

use super::type_from_words;

/// Words before the name of a member.
const MODIFIERS: [&str; 6] = ["pub", "public", "private", "readonly", "export", "final"];
/// First words of lines of SQL that declare no column.
const CONSTRAINTS: [&str; 7] = [
    "primary",
    "foreign",
    "constraint",
    "unique",
    "check",
    "index",
    "key",
];

/// Returns the declarations in a text: parts of lines between commas and semicolons that are not within brackets, without
/// comments, annotations and modifiers. What opens a block (`interface Trip {`, `CREATE TABLE trips (`) and what is within a
/// nested block is none.
pub(super) fn declarations(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut blocks: u32 = 0;
    for line in text.split(['\n', '\r']) {
        let line = without_annotations(without_comment(line));
        let mut part = String::new();
        let (mut brackets, mut angles) = (0, 0);
        for c in line.chars() {
            match c {
                // A list in brackets.
                '(' | '[' if !part.contains(char::is_alphanumeric) => continue,
                '(' | '[' => brackets += 1,
                ')' | ']' => brackets -= 1,
                '<' => angles += 1,
                '>' => angles -= 1,
                '{' if blocks == 0 && !part.contains(':') => {
                    // The head of a type.
                    part.clear();
                    blocks += 1;
                    continue;
                }
                '{' => {
                    if blocks < 2 {
                        all.push(std::mem::take(&mut part) + " map");
                    }
                    blocks += 2;
                    continue;
                }
                '}' => {
                    add(&mut all, &mut part, blocks);
                    blocks = blocks.saturating_sub(2);
                    continue;
                }
                ',' | ';' if brackets <= 0 && angles <= 0 => {
                    add(&mut all, &mut part, blocks);
                    continue;
                }
                // A type is one word.
                ' ' if angles > 0 => continue,
                _ => {}
            }
            part.push(c);
        }
        add(&mut all, &mut part, blocks);
    }
    all.retain(|part| !is_constraint(part));
    all.iter().map(|part| without_modifiers(part)).collect()
}

/// Ends a part. What is in a nested block is dropped.
fn add(all: &mut Vec<String>, part: &mut String, blocks: u32) {
    let part = std::mem::take(part);
    if blocks < 2 && part.contains(char::is_alphanumeric) {
        all.push(part);
    }
}

fn without_comment(line: &str) -> &str {
    let line = line.trim();
    if line.starts_with("//") || line.starts_with("--") || line.starts_with("/*") {
        return "";
    }
    [" //", " -- ", " /*"]
        .iter()
        .fold(line, |line, mark| line.split(mark).next().unwrap_or(line))
}

/// A line without attributes of Rust, directives of GraphQL and the head of a table of SQL.
fn without_annotations(line: &str) -> String {
    const TABLE: &str = "create table";
    if line.starts_with(['#', '@', ')']) {
        return String::new();
    }
    if line
        .get(..TABLE.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(TABLE))
    {
        let columns = line.split_once('(').map(|(_, columns)| columns);
        return columns.unwrap_or_default().to_owned();
    }
    match line.split_once(" @") {
        Some((before, annotation)) if annotation.ends_with('{') => format!("{before} {{"),
        Some((before, _)) => before.to_owned(),
        None => line.to_owned(),
    }
}

/// Whether a part is a constraint of SQL, such as `PRIMARY KEY (id)`, and not a column of that name.
fn is_constraint(part: &str) -> bool {
    let words: Vec<&str> = part.split_whitespace().collect();
    let [first, others @ ..] = words.as_slice() else {
        return false;
    };
    let first = first.split('(').next().unwrap_or(first).to_lowercase();
    part.contains('(') && CONSTRAINTS.contains(&first.as_str()) && type_from_words(others).is_none()
}

fn without_modifiers(part: &str) -> String {
    let mut rest = part.trim_start();
    while let Some((first, others)) = rest.split_once(' ')
        && (MODIFIERS.contains(&first) || first.starts_with("pub("))
        && others.split_whitespace().count() > 1
    {
        rest = others.trim_start();
    }
    rest.to_owned()
}
