//! What can be written at a position, for completion in editors.

use super::keywords::{
    BLOCKS, EXPORT_OPTIONS, FORMATS, INDEX_SETTINGS, OperationWord, PATTERN_PARTS, TABLE_SETTINGS,
    TYPES,
};
use super::lower::Lowered;
use super::parse::Parse;
use super::statement::{Statement, statements};
use super::syntax::SyntaxKind;
use std::ops::Range;

/// What a position expects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The word before the position, which an offer replaces.
    pub range: Range<usize>,
    /// The words and names to offer, in the order of the documentation.
    pub offers: Vec<String>,
    /// Whether the position is in a template, where attributes and modifiers are offered by the editor of templates.
    pub in_template: bool,
}

/// Returns what can be written at a position. `lowered` is the meaning of the tree, or of its last valid version.
pub fn complete(parse: &Parse, lowered: &Lowered, offset: usize) -> Completion {
    let text = parse.text();
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    let line_start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let before = &text[line_start..offset];
    let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | '|');
    let start = line_start
        + before.rfind(is_end).map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    let word = &text[start..offset];
    let in_template = word.rfind('{') > word.rfind('}');
    let statements = statements(&parse.root(), &text);
    // The block of an empty line is the one above it.
    let block = (statements.blocks.iter()).rfind(|block| block.range.start <= offset);
    let is_first = text[line_start..start].trim().is_empty();
    let is_margin = start == line_start;
    let words: Vec<&str> = text[line_start..start].split_whitespace().collect();
    let offers = match (is_first, block) {
        _ if in_template => Vec::new(),
        (true, Some(block)) if !is_margin => first_words(block),
        (true, _) => named(BLOCKS.iter().map(|(word, _)| *word)),
        (false, Some(block)) => next_words(block, lowered, &words),
        (false, None) => Vec::new(),
    };
    Completion {
        range: start..offset,
        offers,
        in_template,
    }
}

fn named<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

/// The words that begin a line of a block.
fn first_words(block: &Statement) -> Vec<String> {
    match block.kind {
        SyntaxKind::Table => named(TABLE_SETTINGS.iter().map(|(word, _)| *word)),
        SyntaxKind::Gsi | SyntaxKind::Lsi => named(INDEX_SETTINGS.iter().map(|(word, _)| *word)),
        SyntaxKind::Entity => named(["key", "index"]),
        SyntaxKind::Exports => named(EXPORT_OPTIONS.iter().map(|(word, _)| *word)),
        SyntaxKind::Pattern => {
            let operations = OperationWord::ALL.iter().map(|(word, _)| *word);
            named(operations.chain(PATTERN_PARTS.iter().map(|(word, _)| *word)))
        }
        _ => Vec::new(),
    }
}

/// The words after those of a line.
fn next_words(block: &Statement, lowered: &Lowered, words: &[&str]) -> Vec<String> {
    let design = &lowered.design;
    let entities = || {
        let all = design.entities.values();
        all.map(|entity| super::cursor::write_name(&entity.name, &[]))
    };
    let indexes = || {
        let all = design.indexes.values();
        all.map(|index| super::cursor::write_name(&index.name, &[]))
    };
    let last = words.last().copied().unwrap_or_default();
    match (block.kind, words) {
        (_, [.., "index"]) => indexes().collect(),
        (SyntaxKind::Entity, ["key" | "index", ..]) => named(["/", "when"]),
        (SyntaxKind::Entity, [.., "->"]) => entities().collect(),
        (SyntaxKind::Entity, [_]) => {
            let types = TYPES.iter().map(|(word, _)| *word);
            named(types.chain(FORMATS).chain(["->", "="]))
        }
        (SyntaxKind::Pattern, ["returns" | "writes" | "sample" | "PutItem", ..]) => {
            entities().collect()
        }
        (SyntaxKind::Pattern, ["Query", ..]) if last == "/" => {
            named(["begins_with", "between", "<", "<=", ">", ">="])
        }
        (SyntaxKind::Pattern, ["Query"]) => named(["index"]),
        (SyntaxKind::Pattern, ["Query", ..]) => named(["/", "descending", "limit", "consistent"]),
        (SyntaxKind::Silence, [_, _]) => named(["table", "index", "entity", "pattern"]),
        (SyntaxKind::Silence, [.., "entity"]) => entities().collect(),
        (SyntaxKind::Gsi | SyntaxKind::Lsi, _) if last.ends_with(')') => {
            named(["all", "keys-only", "include"])
        }
        _ => Vec::new(),
    }
}
