//! The usual layout of a text: indentation, columns and single spaces. The words, comments and their order stay.

use super::lexer;
use super::node::{Line, write};
use super::parse::Parse;
use super::syntax::{SyntaxKind, SyntaxNode};
use rowan::NodeOrToken;

/// Returns the text in the usual layout. It means the same.
pub fn format(parse: &Parse) -> String {
    let mut formatter = Formatter {
        lines: Vec::new(),
        waiting: Vec::new(),
        at_start: true,
        indented: false,
    };
    formatter.children(&parse.root(), 0);
    let Formatter {
        lines, mut waiting, ..
    } = formatter;
    let mut out = write(lines);
    while waiting.last().is_some_and(|line| line.text.is_empty()) {
        waiting.pop();
    }
    for line in waiting {
        if line.is_indented && !line.text.is_empty() && !out.is_empty() {
            out.push_str(super::node::INDENT);
        }
        out.push_str(&line.text);
        out.push('\n');
    }
    out
}

/// A line without a statement: empty, a comment or a description.
struct Waiting {
    text: String,
    is_indented: bool,
}

struct Formatter {
    lines: Vec<Line>,
    waiting: Vec<Waiting>,
    /// Whether the current line has no text so far.
    at_start: bool,
    indented: bool,
}

impl Formatter {
    fn children(&mut self, node: &SyntaxNode, depth: usize) {
        for element in node.children_with_tokens() {
            match element {
                NodeOrToken::Node(node) => self.statement(&node, depth),
                NodeOrToken::Token(token) => self.trivia(token.kind(), token.text()),
            }
        }
    }

    fn trivia(&mut self, kind: SyntaxKind, text: &str) {
        match kind {
            SyntaxKind::LineEnd => {
                let repeats = self.waiting.last().is_some_and(|line| line.text.is_empty());
                let is_first = self.lines.is_empty() && self.waiting.is_empty();
                if self.at_start && !repeats && !is_first {
                    self.waiting.push(Waiting {
                        text: String::new(),
                        is_indented: false,
                    });
                }
                self.at_start = true;
                self.indented = false;
            }
            SyntaxKind::Whitespace => self.indented = text != "\u{feff}",
            _ => {
                self.waiting.push(Waiting {
                    text: text.trim_end().to_owned(),
                    is_indented: self.indented,
                });
                self.at_start = false;
            }
        }
    }

    fn statement(&mut self, node: &SyntaxNode, depth: usize) {
        let mut tokens: Vec<(SyntaxKind, String, usize)> = Vec::new();
        let mut end: Vec<String> = Vec::new();
        let mut ended = false;
        let mut children = Vec::new();
        let mut after: Vec<(SyntaxKind, String)> = Vec::new();
        let mut pushed = false;
        for element in node.children_with_tokens() {
            let token = match element {
                NodeOrToken::Node(child) => {
                    if !pushed {
                        self.push(node.kind(), depth, &tokens, &end);
                        pushed = true;
                    }
                    for (kind, text) in after.drain(..) {
                        self.trivia(kind, &text);
                    }
                    children.push(child.clone());
                    self.statement(&child, depth + 1);
                    continue;
                }
                NodeOrToken::Token(token) => token,
            };
            let (kind, text) = (token.kind(), token.text());
            let is_outside = kind.is_trivia() || kind == SyntaxKind::Description;
            match kind {
                _ if ended => after.push((kind, text.to_owned())),
                _ if is_outside && tokens.is_empty() => self.trivia(kind, text),
                SyntaxKind::LineEnd => ended = true,
                SyntaxKind::Whitespace => {}
                _ if is_outside => end.push(text.trim_end().to_owned()),
                _ => tokens.push((kind, text.to_owned(), token.text_range().start().into())),
            }
        }
        if !pushed {
            self.push(node.kind(), depth, &tokens, &end);
        }
        self.at_start = true;
        self.indented = false;
        for (kind, text) in after {
            self.trivia(kind, &text);
        }
    }

    fn push(
        &mut self,
        kind: SyntaxKind,
        depth: usize,
        tokens: &[(SyntaxKind, String, usize)],
        end: &[String],
    ) {
        let mut above = Vec::new();
        let mut is_before_block = depth == 0 && !self.lines.is_empty();
        for line in self.waiting.drain(..) {
            // An indented comment right below a block is the block's.
            is_before_block &= line.is_indented && !lexer::is_description(&line.text);
            above.push(match is_before_block {
                true => [super::node::INDENT, &line.text].concat(),
                false => line.text,
            });
        }
        let mut cells = Vec::new();
        let (mut left, mut rest) = (String::new(), String::new());
        match kind {
            SyntaxKind::Row => {
                let mut cell: Option<String> = None;
                for (kind, text, _) in tokens.iter().skip(1) {
                    match kind {
                        SyntaxKind::Bar => cells.push(cell.take().unwrap_or_default()),
                        _ => cell = Some(text.clone()),
                    }
                }
                cells.extend(cell);
            }
            SyntaxKind::Quote => {
                left = tokens.iter().map(|(_, text, _)| text.as_str()).collect();
                left.truncate(left.trim_end().len());
            }
            _ => {
                let count = left_tokens(kind, tokens);
                left = joined(&tokens[..count]);
                rest = joined(&tokens[count..]);
            }
        }
        self.lines.push(Line {
            depth,
            kind,
            above,
            left,
            rest,
            cells,
            end: end.join(" "),
            description: String::new(),
        });
        self.at_start = true;
        self.indented = false;
    }
}

/// How many tokens stand before the column.
fn left_tokens(kind: SyntaxKind, tokens: &[(SyntaxKind, String, usize)]) -> usize {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.1 == word);
    let count = match kind {
        SyntaxKind::Key if is(0, "index") => 2,
        SyntaxKind::Card if is(1, ",") => 3,
        SyntaxKind::Attribute if is(1, "?") && is_joined(tokens, 1) => 2,
        _ => 1,
    };
    count.min(tokens.len())
}

/// Whether a token follows the one before it without a space.
fn touches(tokens: &[(SyntaxKind, String, usize)], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else {
        return false;
    };
    before.2 + before.1.len() == tokens[at].2
}

/// Whether a token follows the one before it without a space, here and in the usual layout.
fn is_joined(tokens: &[(SyntaxKind, String, usize)], at: usize) -> bool {
    let is_punctuation = |kind: SyntaxKind| {
        matches!(
            kind,
            SyntaxKind::Comma | SyntaxKind::Bar | SyntaxKind::LeftParen | SyntaxKind::RightParen
        )
    };
    touches(tokens, at) && !is_punctuation(tokens[at - 1].0) && !is_punctuation(tokens[at].0)
}

/// The tokens with the usual spaces between them.
fn joined(tokens: &[(SyntaxKind, String, usize)]) -> String {
    let mut out = String::new();
    for (at, (kind, text, _)) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| tokens[before].0);
        let no_space = match (before, kind) {
            (None, _) | (_, SyntaxKind::Comma | SyntaxKind::RightParen) => true,
            (Some(SyntaxKind::LeftParen), _) => true,
            (Some(_), _) => is_joined(tokens, at),
        };
        if !no_space {
            out.push(' ');
        }
        out.push_str(text);
    }
    out
}
