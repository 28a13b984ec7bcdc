//! The statements of a text as plain data, read from the syntax tree.

use super::description;
use super::lexer;
use super::syntax::{SyntaxKind, SyntaxNode};
use rowan::NodeOrToken;
use std::ops::Range;

/// A token with a meaning.
#[derive(Debug, Clone)]
pub struct Token<'t> {
    /// The kind.
    pub kind: SyntaxKind,
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// Its text.
    pub text: &'t str,
}

impl Token<'_> {
    /// What the token says: quotes are resolved.
    pub fn value(&self) -> String {
        match self.kind {
            SyntaxKind::Quoted => lexer::unquote(self.text).unwrap_or_default(),
            _ => self.text.to_owned(),
        }
    }

    /// Whether it is this word, without quotes.
    pub fn is(&self, word: &str) -> bool {
        self.kind == SyntaxKind::Word && self.text == word
    }
}

/// A statement: its line, the descriptions above it, and the statements that belong to it.
#[derive(Debug, Clone)]
pub struct Statement<'t> {
    /// The kind.
    pub kind: SyntaxKind,
    /// All bytes, from the first description to the end of the last line.
    pub range: Range<usize>,
    /// The bytes of its own line, with indentation and line end.
    pub line: Range<usize>,
    /// The tokens of the line, without white space, comment and description.
    pub tokens: Vec<Token<'t>>,
    /// The description at the end of the line.
    pub trailing: Option<Range<usize>>,
    /// The comment at the end of the line.
    pub comment: Option<Range<usize>>,
    /// The lines of description above, each with indentation and line end.
    pub lead: Vec<Range<usize>>,
    /// What the descriptions say.
    pub description: String,
    /// The statements that belong to it.
    pub children: Vec<Statement<'t>>,
    /// Its number in the text.
    pub number: usize,
}

impl<'t> Statement<'t> {
    /// The bytes from the first to the last token.
    pub fn code(&self) -> Range<usize> {
        let start = self.tokens.first().map_or(self.line.end, |t| t.range.start);
        start..self.tokens.last().map_or(start, |t| t.range.end)
    }

    /// The first word.
    pub fn word(&self) -> &'t str {
        self.tokens.first().map_or("", |token| token.text)
    }

    /// The statements that belong to it, and theirs, in the order of the text.
    pub fn descendants(&self) -> Vec<&Statement<'t>> {
        let mut all = Vec::new();
        for child in &self.children {
            all.push(child);
            all.extend(child.descendants());
        }
        all
    }
}

/// The statements of a tree, and the descriptions that belong to none.
pub struct Statements<'t> {
    /// The blocks, and lines that belong to no block.
    pub blocks: Vec<Statement<'t>>,
    /// Descriptions without a statement after them.
    pub loose: Vec<Range<usize>>,
    /// The number of statements.
    pub count: usize,
}

/// Reads the statements of a tree. `text` is the text of the tree.
pub fn statements<'t>(root: &SyntaxNode, text: &'t str) -> Statements<'t> {
    let mut count = 0;
    let mut loose = Vec::new();
    let mut blocks = Vec::new();
    for element in root.children_with_tokens() {
        match element {
            NodeOrToken::Node(node) => blocks.push(statement(&node, text, &mut count)),
            NodeOrToken::Token(token) if token.kind() == SyntaxKind::Description => {
                loose.push(range(token.text_range()));
            }
            NodeOrToken::Token(_) => {}
        }
    }
    Statements {
        blocks,
        loose,
        count,
    }
}

fn range(range: rowan::TextRange) -> Range<usize> {
    range.start().into()..range.end().into()
}

fn statement<'t>(node: &SyntaxNode, text: &'t str, count: &mut usize) -> Statement<'t> {
    let whole = range(node.text_range());
    let mut out = Statement {
        kind: node.kind(),
        line: whole.clone(),
        range: whole.clone(),
        tokens: Vec::new(),
        trailing: None,
        comment: None,
        lead: Vec::new(),
        description: String::new(),
        children: Vec::new(),
        number: *count,
    };
    *count += 1;
    let mut line_start = whole.start;
    let mut ended = false;
    for element in node.children_with_tokens() {
        let token = match element {
            NodeOrToken::Node(node) => {
                out.children.push(statement(&node, text, count));
                continue;
            }
            NodeOrToken::Token(token) => token,
        };
        let at = range(token.text_range());
        match token.kind() {
            _ if ended => {}
            SyntaxKind::LineEnd if out.tokens.is_empty() => line_start = at.end,
            SyntaxKind::LineEnd => {
                out.line = line_start..at.end;
                ended = true;
            }
            SyntaxKind::Description if out.tokens.is_empty() => {
                let end = text[at.end..]
                    .find('\n')
                    .map_or(text.len(), |n| at.end + n + 1);
                out.lead.push(line_start..end);
            }
            SyntaxKind::Description => out.trailing = Some(at),
            SyntaxKind::Comment if !out.tokens.is_empty() => out.comment = Some(at),
            kind if kind.is_trivia() => {}
            kind => out.tokens.push(Token {
                kind,
                text: &text[at.clone()],
                range: at,
            }),
        }
    }
    if !ended {
        out.line = line_start..(out.children.first()).map_or(whole.end, |child| child.range.start);
    }
    let lines = out.lead.iter().chain(&out.trailing);
    out.description = description::read(lines.map(|range| text[range.clone()].trim()));
    out
}
