//! A read as a PartiQL statement.

use crate::export::{Code, CodeWriter, Tag};
use crate::model::{AccessPattern, Design, Operation};
use crate::proof::partiql::filled_statement;
use crate::proof::{Binding, NoRequest};

const KEYWORDS: [&str; 14] = [
    "SELECT", "FROM", "WHERE", "AND", "OR", "NOT", "BETWEEN", "IN", "IS", "MISSING", "ORDER", "BY",
    "DESC", "NULL",
];

/// Returns what a request needs beside the statement, as sentences; `None`: nothing. Source: "ExecuteStatement",
/// "BatchExecuteStatement" and "ExecuteTransaction", Amazon DynamoDB API Reference.
pub fn beside_statement(operation: &Operation) -> Option<String> {
    let call = match operation {
        Operation::BatchGetItem { .. } => {
            Some("with BatchExecuteStatement, at most 25 in one call")
        }
        Operation::TransactGetItems { .. } => Some("in one ExecuteTransaction"),
        _ => None,
    };
    let place = match call {
        Some(_) => "for each statement",
        None => "in ExecuteStatement",
    };
    let limit = operation.limit().map(|limit| format!("`Limit` to {limit}"));
    let is_consistent = operation.read().is_some_and(|read| read.consistent);
    let consistent = is_consistent.then(|| "`ConsistentRead` to true".to_owned());
    let all: Vec<String> = limit.into_iter().chain(consistent).collect();
    let set = (!all.is_empty()).then(|| {
        let all = all.join(" and ");
        format!("Set {all} {place}: a statement cannot contain it.")
    });
    let call = call.map(|call| format!("Send the statements {call}."));
    let said: Vec<String> = call.into_iter().chain(set).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// Writes the statement; for several keys, one statement per key.
pub(super) fn statement(
    design: &Design,
    pattern: &AccessPattern,
    binding: &Binding,
) -> Result<Code, NoRequest> {
    let text = filled_statement(design, &pattern.operation, binding)?;
    let mut out = CodeWriter::new();
    for line in text.split('\n') {
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let (length, tag) = token(rest, first);
            match tag {
                Some(tag) => out.tag(tag, &rest[..length]),
                None => out.put(&rest[..length]),
            };
            rest = &rest[length..];
        }
        out.end_line();
    }
    Ok(out.finish())
}

/// Returns the length and the tag of the first token.
fn token(text: &str, first: char) -> (usize, Option<Tag>) {
    let run = |keep: fn(char) -> bool| text.find(|c| !keep(c)).unwrap_or(text.len());
    match first {
        '"' | '\'' => {
            let end = text[1..].find(first).map_or(text.len(), |at| at + 2);
            let tag = if first == '"' { Tag::Key } else { Tag::Text };
            (end, Some(tag))
        }
        '0'..='9' | '-' => (
            run(|c| c.is_ascii_digit() || matches!(c, '.' | '-')),
            Some(Tag::Number),
        ),
        c if c.is_ascii_alphabetic() => {
            let length = run(|c| c.is_ascii_alphanumeric() || c == '_');
            let word = &text[..length];
            let tag = match word {
                "true" | "false" => Tag::Number,
                word if KEYWORDS.contains(&word) => Tag::Keyword,
                _ => Tag::Function,
            };
            (length, Some(tag))
        }
        c => (c.len_utf8(), None),
    }
}
