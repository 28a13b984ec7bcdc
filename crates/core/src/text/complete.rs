//! What can be written at a position, for completion in editors.

use super::keywords::{
    self, BATCH_KEY, BLOCKS, CONSISTENCY, COST_LINES, ENTITY_LINES, EXPORT_FLAGS, EXPORT_SETTINGS,
    FORMATS, INDEX_SETTINGS, INSIGHTS, KEY_ONLY, OPERATIONS, PATTERN_PARTS, STREAMS, TABLE_CLASSES,
    TABLE_SETTINGS, TYPES, Word,
};
use super::lower::Lowered;
use super::parse::Parse;
use super::statement::{Statement, statements};
use super::syntax::SyntaxKind;
use crate::lint::RULES;
use crate::model::{Entity, SortedSet};
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
    words: Vec<Word>,
}

impl Completion {
    /// What an offered word says; `None` for a name.
    pub fn meaning(&self, offer: &str) -> Option<&'static str> {
        let found = self.words.iter().find(|(word, _)| *word == offer);
        found.map(|(_, what)| *what)
    }
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
    let before: Vec<&str> = text[line_start..start].split_whitespace().collect();
    let mut names = Vec::new();
    let words = match (is_first, block) {
        _ if in_template => Vec::new(),
        (true, Some(block)) if !is_margin => first_words(block.kind),
        (true, _) => BLOCKS.map(|(word, _, what)| (word, what)).into(),
        // Names are free in the line of an entity or an access pattern.
        (false, Some(block))
            if block.line.contains(&line_start)
                && matches!(block.kind, SyntaxKind::Entity | SyntaxKind::Pattern) =>
        {
            Vec::new()
        }
        (false, Some(block)) => {
            names = next_names(block, lowered, &before);
            next_words(block, &before)
        }
        (false, None) => Vec::new(),
    };
    names.extend(words.iter().map(|(word, _)| (*word).to_owned()));
    Completion {
        range: start..offset,
        offers: names,
        in_template,
        words,
    }
}

/// The words that begin a line of a block of this kind.
pub fn first_words(block: SyntaxKind) -> Vec<Word> {
    match block {
        SyntaxKind::Table => TABLE_SETTINGS.into(),
        SyntaxKind::Gsi | SyntaxKind::Lsi => INDEX_SETTINGS.into(),
        SyntaxKind::Entity => ENTITY_LINES.into(),
        SyntaxKind::Exports => {
            let flags = EXPORT_FLAGS.map(|(word, _, what)| (word, what)).into_iter();
            flags.chain(EXPORT_SETTINGS).collect()
        }
        SyntaxKind::Costs => COST_LINES.into(),
        SyntaxKind::Pattern => {
            let operations = OPERATIONS.into_iter();
            operations.chain(PATTERN_PARTS).chain([BATCH_KEY]).collect()
        }
        _ => Vec::new(),
    }
}

/// The words that can follow those of a line.
fn next_words(block: &Statement, before: &[&str]) -> Vec<Word> {
    let last = before.last().copied().unwrap_or_default();
    let some = |kind, wanted: &[&'static str]| -> Vec<Word> {
        let all = || keywords::inner(kind);
        let found = wanted.iter().map(|word| {
            let found = all().find(|(other, _)| other == word);
            found.unwrap_or((word, ""))
        });
        found.collect()
    };
    match (block.kind, before) {
        (_, [.., "index"]) | (SyntaxKind::Entity, [.., "->"]) => Vec::new(),
        (SyntaxKind::Entity, ["index", .., "when" | "and"]) => Vec::new(),
        (SyntaxKind::Table, ["stream"]) => values(&STREAMS),
        (SyntaxKind::Table, ["table-class"]) => values(&TABLE_CLASSES),
        (SyntaxKind::Table, ["multi-region-consistency"]) => values(&CONSISTENCY),
        (SyntaxKind::Table | SyntaxKind::Gsi | SyntaxKind::Lsi, ["contributor-insights"]) => {
            values(&INSIGHTS)
        }
        (SyntaxKind::Table, ["encryption"]) => {
            some(SyntaxKind::Setting, &["aws-owned", "aws-managed", "kms"])
        }
        (SyntaxKind::Entity, ["key" | "index", ..]) => some(SyntaxKind::Key, &["/", "when"]),
        (SyntaxKind::Entity, ["|", ..]) => Vec::new(),
        (SyntaxKind::Entity, ["volume", _, ..]) if !matches!(last, "per") => {
            some(SyntaxKind::Setting, &["items", "per", "days", "bytes"])
        }
        (_, ["volume", .., "per"]) => some(SyntaxKind::Setting, &["month"]),
        (SyntaxKind::Costs, ["backups" | "exported", _]) => some(SyntaxKind::Setting, &["GB"]),
        (SyntaxKind::Pattern, ["rate" | "average", _]) => some(SyntaxKind::Part, &["per"]),
        (SyntaxKind::Pattern, ["rate", .., "per"]) => some(SyntaxKind::Part, &["second"]),
        (SyntaxKind::Pattern, ["average", .., "per"]) => {
            some(SyntaxKind::Part, &["second", "month"])
        }
        (SyntaxKind::Pattern, ["puts", ..]) => {
            some(SyntaxKind::Part, &["creates", "updates", "deletes"])
        }
        (SyntaxKind::Pattern, ["skew", _]) => some(SyntaxKind::Part, &["even", "zipf", "largest"]),
        (SyntaxKind::Pattern, ["skew", _, _, ..]) => some(SyntaxKind::Part, &["of"]),
        (SyntaxKind::Entity, [_]) => {
            let types = TYPES.map(|(word, _, what)| (word, what)).into_iter();
            let values = [
                ("->", "A value of an attribute of this entity."),
                ("=", "Always this value."),
            ];
            let key_only = some(SyntaxKind::Attribute, &[KEY_ONLY]);
            types.chain(FORMATS).chain(values).chain(key_only).collect()
        }
        (SyntaxKind::Entity, [_, _, ..]) => some(SyntaxKind::Attribute, &[KEY_ONLY]),
        (SyntaxKind::Pattern, ["Query", ..]) if last == "/" => some(
            SyntaxKind::Operation,
            &["begins_with", "between", "<", "<=", ">", ">="],
        ),
        (SyntaxKind::Pattern, ["Query"]) => some(SyntaxKind::Operation, &["index"]),
        (SyntaxKind::Pattern, ["Query", ..]) => some(
            SyntaxKind::Operation,
            &["/", "descending", "limit", "consistent"],
        ),
        (SyntaxKind::Silence, [_]) => RULES.iter().map(|rule| (rule.code, rule.name)).collect(),
        (SyntaxKind::Silence, [_, _]) => some(
            SyntaxKind::Silence,
            &["table", "index", "entity", "pattern"],
        ),
        (SyntaxKind::Gsi | SyntaxKind::Lsi, _) if last.ends_with(')') => {
            some(SyntaxKind::Gsi, &["all", "keys-only", "include"])
        }
        _ => Vec::new(),
    }
}

/// The values of a setting, whose names say what they are.
fn values<T>(all: &[(&'static str, T)]) -> Vec<Word> {
    all.iter().map(|(word, _)| (*word, "")).collect()
}

/// The names that can follow the words of a line.
fn next_names(block: &Statement, lowered: &Lowered, before: &[&str]) -> Vec<String> {
    let design = &lowered.design;
    let write = |name: &String| super::cursor::write_name(name, &[]);
    let attributes = |is_of: &dyn Fn(&Entity) -> bool| -> Vec<String> {
        let entities = design.entities.values().filter(|entity| is_of(entity));
        let names = entities.flat_map(|entity| &entity.attributes);
        let names: SortedSet<&String> = names.map(|attribute| &attribute.name).collect();
        names.iter().map(|name| write(name)).collect()
    };
    match (block.kind, before) {
        (_, [.., "index"]) => {
            let names = design.indexes.values().map(|index| &index.name);
            names.map(write).collect()
        }
        (SyntaxKind::Entity, [.., "->"])
        | (SyntaxKind::Pattern, ["returns" | "writes" | "sample" | "PutItem", ..])
        | (SyntaxKind::Silence, [.., "entity"]) => {
            let names = design.entities.values().map(|entity| &entity.name);
            names.map(write).collect()
        }
        (SyntaxKind::Table, ["ttl"])
        | (SyntaxKind::Gsi | SyntaxKind::Lsi, ["gsi" | "lsi", .., "include"]) => {
            attributes(&|_| true)
        }
        (SyntaxKind::Gsi | SyntaxKind::Lsi, ["gsi" | "lsi", .., last])
            if last.ends_with(',') && before.contains(&"include") =>
        {
            attributes(&|_| true)
        }
        (SyntaxKind::Entity, ["index", .., "when" | "and"]) => {
            let name = block.tokens.get(1).map(|token| token.value());
            attributes(&|entity| name.as_ref() == Some(&entity.name))
        }
        _ => Vec::new(),
    }
}
