//! Splits a text into declarations of attributes: lists, and the members of types of TypeScript, Rust, GraphQL or SQL.

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
/// comments and modifiers. What opens a block (`interface Trip {`, `CREATE TABLE trips (`) and what is within a nested block
/// is none.
pub(super) fn declarations(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut blocks = 0;
    for line in text.split(['\n', '\r']) {
        let line = without_comment(line);
        if line.trim_end().ends_with('(') && line.split_whitespace().count() > 1 {
            continue;
        }
        let mut part = String::new();
        let mut brackets = 0;
        for c in line.chars() {
            match c {
                '(' | '<' | '[' => brackets += 1,
                ')' | '>' | ']' => brackets -= 1,
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
                ',' | ';' if brackets <= 0 => {
                    add(&mut all, &mut part, blocks);
                    continue;
                }
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

fn is_constraint(part: &str) -> bool {
    let first = part.split([' ', '(']).find(|word| !word.is_empty());
    let is_word = |first: &str| CONSTRAINTS.contains(&first.to_lowercase().as_str());
    part.contains('(') && first.is_some_and(is_word)
}

fn without_modifiers(part: &str) -> String {
    let mut rest = part.trim_start();
    while let Some((first, others)) = rest.split_once(' ')
        && MODIFIERS.contains(&first)
        && others.split_whitespace().count() > 1
    {
        rest = others.trim_start();
    }
    rest.to_owned()
}
