//! What the words of a text say, for hover in editors; and all words of the language, for grammars.

use super::complete::first_words;
use super::keywords::{
    self, BATCH_KEY, BLOCKS, CONSISTENCY, COST_LINES, ENTITY_LINES, FORMATS, INDEX_SETTINGS, INNER,
    INSIGHTS, OPERATIONS, PATTERN_PARTS, STREAMS, TABLE_CLASSES, TABLE_SETTINGS, TYPES, Word,
};
use super::parse::Parse;
use super::syntax::{SyntaxKind, SyntaxNode, SyntaxToken};
use crate::lint::{Rule, rule};
use std::ops::Range;

/// Returns the word of the language at a position and what it says there; `None` if there is a name or a value.
pub fn explain(parse: &Parse, offset: usize) -> Option<(Range<usize>, &'static str)> {
    let token = token_at(parse, offset).filter(|token| token.kind() == SyntaxKind::Word)?;
    let line = token.parent()?;
    let word = token.text();
    let is_first = words(&line).next().as_ref() == Some(&token);
    let what = match is_first {
        true => first_meaning(&line, word),
        false => inner_meaning(&line, &token),
    };
    let range = token.text_range();
    what.map(|what| (range.start().into()..range.end().into(), what))
}

/// Returns the linter's rule whose code is at a position of a `silence` line; `None` if there is none.
pub fn rule_at(parse: &Parse, offset: usize) -> Option<(Range<usize>, &'static Rule)> {
    let token = token_at(parse, offset)?;
    let line = token
        .parent()
        .filter(|line| line.kind() == SyntaxKind::Silence)?;
    let is_second = words(&line).nth(1).as_ref() == Some(&token);
    let range = token.text_range();
    let rule = rule(token.text()).filter(|_| is_second)?;
    Some((range.start().into()..range.end().into(), rule))
}

/// Returns the token at a position: of two that meet there, the one that is a word.
pub fn token_at(parse: &Parse, offset: usize) -> Option<SyntaxToken> {
    let root = parse.root();
    let at = u32::try_from(offset).ok()?.into();
    if at > root.text_range().end() {
        return None;
    }
    let found = root.token_at_offset(at);
    found.max_by_key(|token| token.kind() == SyntaxKind::Word)
}

/// The tokens of a line that have a meaning.
fn words(line: &SyntaxNode) -> impl Iterator<Item = SyntaxToken> {
    let tokens = line.children_with_tokens();
    let tokens = tokens.filter_map(|element| element.into_token());
    tokens.filter(|token| !token.kind().is_trivia() && token.kind() != SyntaxKind::Description)
}

fn find(words: &[Word], word: &str) -> Option<&'static str> {
    let found = words.iter().find(|(other, _)| *other == word);
    found.map(|(_, what)| *what)
}

fn first_meaning(line: &SyntaxNode, word: &str) -> Option<&'static str> {
    let block = line
        .ancestors()
        .take_while(|node| node.kind() != SyntaxKind::Root);
    let block = block.last()?.kind();
    match line.kind() {
        // `volume` without a figure is an attribute so far.
        SyntaxKind::Attribute if words(line).count() == 1 => find(&ENTITY_LINES, word),
        SyntaxKind::Attribute | SyntaxKind::Card | SyntaxKind::Unknown => None,
        SyntaxKind::Operation => find(&OPERATIONS, keywords::operation(word)?),
        kind if kind == block => {
            let found = BLOCKS.iter().find(|(name, ..)| *name == word);
            found.map(|(.., what)| *what)
        }
        SyntaxKind::Setting => find(&first_words(block), &keywords::normal(word)),
        _ => find(&first_words(block), word),
    }
}

fn inner_meaning(line: &SyntaxNode, token: &SyntaxToken) -> Option<&'static str> {
    let word = token.text();
    let kind = line.kind();
    let is_second = words(line).nth(1).as_ref() == Some(token);
    let inner = || keywords::inner(kind).find(|(other, _)| *other == word);
    match kind {
        SyntaxKind::Attribute if is_choice(line, token) => None,
        SyntaxKind::Attribute => (type_meaning(word).filter(|_| is_second))
            .or_else(|| find(&FORMATS, word))
            .or_else(|| inner().map(|(_, what)| what)),
        // The name of the table or the index, or the code of the rule.
        SyntaxKind::Table
        | SyntaxKind::Gsi
        | SyntaxKind::Lsi
        | SyntaxKind::Key
        | SyntaxKind::Silence
            if is_second =>
        {
            None
        }
        // Other lines of an access pattern have names, and that of a skew begins with one.
        SyntaxKind::Part => {
            let first = words(line).next();
            let first = first.as_ref().map_or("", |token| token.text());
            let is_name = first == "skew" && is_second;
            let has_words = matches!(first, "rate" | "average" | "puts" | "skew");
            inner()
                .filter(|_| has_words && !is_name)
                .map(|(_, what)| what)
        }
        // The type of a key attribute.
        SyntaxKind::Table | SyntaxKind::Gsi | SyntaxKind::Lsi if follows_name(line, token) => {
            type_meaning(word)
        }
        _ => inner().map(|(_, what)| what),
    }
}

fn type_meaning(word: &str) -> Option<&'static str> {
    let kind = keywords::attribute_type(word)?;
    let found = TYPES.iter().find(|(_, other, _)| *other == kind);
    found.map(|(.., what)| *what)
}

/// Whether a token follows the name of a key attribute: `number` in `(PK, SK number)`.
fn follows_name(line: &SyntaxNode, token: &SyntaxToken) -> bool {
    let tokens: Vec<SyntaxToken> = words(line).collect();
    let in_key = tokens
        .iter()
        .skip_while(|other| other.kind() != SyntaxKind::LeftParen);
    let in_key: Vec<&SyntaxToken> = in_key.collect();
    let is_name = |other: &SyntaxToken| {
        other.kind() == SyntaxKind::Quoted
            || other.kind() == SyntaxKind::Word && other.text() != "/"
    };
    let mut pairs = in_key.windows(2);
    pairs.any(|pair| pair[1] == token && is_name(pair[0]))
}

/// Whether a token is one of several values: `PENDING | PAID`.
fn is_choice(line: &SyntaxNode, token: &SyntaxToken) -> bool {
    let tokens: Vec<SyntaxToken> = words(line).collect();
    let mut pairs = tokens.windows(2);
    pairs.any(|pair| {
        let is_bar = |other: &SyntaxToken| other.kind() == SyntaxKind::Bar;
        pair[0] == *token && (is_bar(&pair[1]) || pair[1].text().starts_with('*'))
            || pair[1] == *token && is_bar(&pair[0])
    })
}

/// Returns the words of the language by what they are, for grammars of editors. Groups may share words.
pub fn keywords() -> Vec<(&'static str, Vec<&'static str>)> {
    let of = |words: &[Word]| -> Vec<&'static str> { words.iter().map(|word| word.0).collect() };
    let mut values: Vec<&str> = STREAMS.iter().map(|(word, _)| *word).collect();
    values.extend(INSIGHTS.iter().map(|(word, _)| *word));
    values.extend(TABLE_CLASSES.iter().map(|(word, _)| *word));
    values.extend(CONSISTENCY.iter().map(|(word, _)| *word));
    let mut parts = of(&PATTERN_PARTS);
    parts.push(BATCH_KEY.0);
    vec![
        ("blocks", BLOCKS.iter().map(|(word, ..)| *word).collect()),
        // The settings of an index are settings of a table too.
        ("settings", of(&TABLE_SETTINGS)),
        ("entity-lines", of(&ENTITY_LINES)),
        ("export-options", of(&first_words(SyntaxKind::Exports))),
        ("cost-lines", of(&COST_LINES)),
        ("operations", of(&OPERATIONS)),
        ("pattern-lines", parts),
        ("types", TYPES.iter().map(|(word, ..)| *word).collect()),
        ("formats", of(&FORMATS)),
        ("words", INNER.iter().map(|(word, ..)| *word).collect()),
        ("values", values),
    ]
}

/// Returns the words of the language with what they say, by the heading of a list for readers.
pub fn reference() -> Vec<(&'static str, Vec<Word>)> {
    let blocks = BLOCKS.map(|(word, _, what)| (word, what)).to_vec();
    let types = TYPES.map(|(word, _, what)| (word, what)).to_vec();
    vec![
        ("Blocks", blocks),
        ("Lines of a table", TABLE_SETTINGS.to_vec()),
        ("Lines of an index", INDEX_SETTINGS.to_vec()),
        (
            "Lines of an entity, besides attributes",
            ENTITY_LINES.to_vec(),
        ),
        ("Types", types),
        ("Formats, in place of a type", FORMATS.to_vec()),
        ("Operations of an access pattern", OPERATIONS.to_vec()),
        ("Other lines of an access pattern", PATTERN_PARTS.to_vec()),
    ]
}
