//! The design as text: a small language that says all of a design, line by line. `docs/language.md` explains it.
//!
//! [`parse`] gives a lossless tree, [`lower`] its meaning as a design with the places of its parts, [`print()`] the text of
//! a design, [`update`] the text after an edit of the design, [`format()`] the usual layout of a text.
//! Nothing in the model or the commands uses this module, so that the page loads it on demand.

mod complete;
mod cursor;
mod description;
mod explain;
mod format;
mod highlight;
mod keywords;
mod lexer;
mod lower;
mod node;
mod parse;
mod print;
mod problem;
mod projection;
mod statement;
mod syntax;
mod update;
mod value;

pub use complete::{Completion, complete};
pub use explain::{explain, keywords, reference, rule_at, token_at};
pub use format::format;
pub use highlight::{Highlight, highlights};
pub use lower::{Lowered, Mark, Part, lower};
pub use parse::{Parse, parse};
pub use print::{print, print_schema, silence_line};
pub use problem::{Position, TextProblem, describe};
pub use syntax::{Keyfold, SyntaxKind, SyntaxNode, SyntaxToken};
pub use update::{TextEdit, Update, update};

/// Whether a text looks like a design as text rather than JSON or another language: its first statement is a block.
pub fn is_text(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.lines().map(str::trim_start);
    let first = lines.find(|line| !line.is_empty() && !line.starts_with("//"));
    first.is_some_and(|line| {
        let (_, length) = lexer::next_word(line);
        (keywords::BLOCKS.iter()).any(|(word, ..)| *word == &line[..length])
    })
}
