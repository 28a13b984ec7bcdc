//! Lines that were probably meant as something else than what they are read as, and unknown names: what was meant.

use super::super::keywords::{
    self, BLOCKS, ENTITY_LINES, FORMATS, OPERATIONS, PATTERN_PARTS, TYPES, Word,
};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use crate::model::name::closest;

/// The message for a block in braces.
pub(super) const BRACES: &str =
    "braces are only in key templates: a block ends where the next begins";

/// The message for a block with a colon after its name.
pub(super) const COLON: &str = "no `:` follows the name: the lines below belong to it";

/// What to write in place of the line of an attribute that has a mistake; `None` if nothing is likely.
pub(super) fn attribute(line: &Statement) -> Option<String> {
    let first = line.tokens.first()?;
    if matches!(first.text, "#" | "--") || first.text.starts_with("# ") {
        return Some("comments begin with `//`".to_owned());
    }
    if matches!(first.text, "{" | "}") || line.tokens.last()?.text == "{" {
        return Some(BRACES.to_owned());
    }
    if let Some(name) = first.text.strip_suffix(':') {
        return Some(format!(
            "write the type after a space, without `:`, as `{name} string`"
        ));
    }
    if let Some(hint) = block(first.text) {
        return Some(hint);
    }
    if first.text.contains('{') {
        let what = "write `key` before the key templates of the table, or `index NAME` before those of an index";
        return Some(what.to_owned());
    }
    let lines = blocks().chain(words(&ENTITY_LINES));
    let second = line.tokens.get(1)?;
    // What follows is key templates, or the name of an entity. A capital begins the name of an index whose word is missing.
    let has_template = (line.tokens.iter().skip(1)).any(|token| token.text.contains('{'));
    let is_likely = match has_template {
        true => first.text.starts_with(char::is_lowercase),
        false => second.text.starts_with(char::is_uppercase),
    };
    if let Some(meant) = closest(first.text, lines).filter(|_| is_likely) {
        return Some(format!(
            "unknown word `{}`: did you mean `{meant}`?",
            first.text
        ));
    }
    let types = TYPES.iter().map(|(word, ..)| *word);
    let types = types.chain(words(&FORMATS));
    let word = second.text;
    if second.kind != SyntaxKind::Word || keywords::attribute_type(word).is_some() {
        return None;
    }
    let meant = meant(word, types)?;
    (meant != word).then(|| format!("unknown type `{word}`: did you mean `{meant}`?"))
}

/// What to write if a line of a block begins another block.
pub(super) fn block(word: &str) -> Option<String> {
    let found = blocks().any(|block| block == word);
    found.then(|| format!("`{word}` begins a block: write it at the left margin"))
}

/// Whether a line was probably meant to begin a block: `entitty Order`.
pub(super) fn is_block(line: &Statement) -> bool {
    let word = line.word();
    !blocks().any(|block| block == word) && closest(word, blocks()).is_some()
}

/// Whether a message says that a word was meant to begin a block.
pub(super) fn names_block(message: &str) -> bool {
    blocks().any(|block| message.ends_with(&format!("did you mean `{block}`?")))
}

/// The message for an unknown setting of the table or an index.
pub(super) fn setting(word: &str, known: &[Word]) -> String {
    let unknown = || match meant(word, words(known).chain(blocks())) {
        Some(meant) => format!("unknown setting `{word}`: did you mean `{meant}`?"),
        None => format!(
            "unknown setting `{word}`: expected {}",
            quoted(words(known))
        ),
    };
    block(word).unwrap_or_else(unknown)
}

/// The message for an unknown word that begins a line of an access pattern.
pub(super) fn part(word: &str) -> String {
    let parts = || words(&PATTERN_PARTS);
    let known = words(&OPERATIONS).chain(parts()).chain(blocks());
    let unknown = || match meant(word, known.clone()) {
        Some(meant) => format!("unknown word `{word}`: did you mean `{meant}`?"),
        None => format!(
            "expected an operation such as `Query`, or {}, found `{word}`",
            quoted(parts())
        ),
    };
    block(word).unwrap_or_else(unknown)
}

/// The message for an unknown name, with the names that there are.
pub(super) fn unknown<'a>(
    what: &str,
    unknown: &str,
    names: impl Iterator<Item = &'a str>,
) -> String {
    const MAX_LISTED: usize = 8;
    let names: Vec<&str> = names.collect();
    match (closest(unknown, names.iter().copied()), names.len()) {
        (Some(meant), _) => format!("unknown {what} `{unknown}`: did you mean `{meant}`?"),
        (None, 0) => format!("unknown {what} `{unknown}`: the text has none"),
        (None, count) if count <= MAX_LISTED => format!(
            "unknown {what} `{unknown}`: expected {}",
            names
                .iter()
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(", ")
        ),
        _ => format!("unknown {what} `{unknown}`"),
    }
}

/// The words that begin a block.
fn blocks() -> impl Iterator<Item = &'static str> + Clone {
    BLOCKS.iter().map(|(word, ..)| *word)
}

fn words(known: &[Word]) -> impl Iterator<Item = &'static str> + Clone {
    known.iter().map(|(word, _)| *word)
}

/// The word that an unknown one begins, or is close to.
fn meant<'a>(word: &str, words: impl Iterator<Item = &'a str> + Clone) -> Option<&'a str> {
    let lower = word.to_lowercase();
    let begins = |known: &&str| word.len() > 2 && known.to_lowercase().starts_with(&lower);
    (words.clone().find(begins)).or_else(|| closest(word, words))
}

fn quoted<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.map(|word| format!("`{word}`")).collect();
    words.join(", ")
}
