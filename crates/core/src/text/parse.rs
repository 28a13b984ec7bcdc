//! Reads a text into the syntax tree. Total: every text gives a tree with the same bytes. What a line means is up to
//! `lower`; here a line only finds its statement, and its statement the one that it belongs to.

use super::keywords::{self, BLOCKS};
use super::lexer;
use super::syntax::{SyntaxKind, SyntaxNode};
use rowan::{GreenNode, GreenNodeBuilder};

/// A text as a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parse {
    green: GreenNode,
}

impl Parse {
    /// The root of the tree.
    pub fn root(&self) -> SyntaxNode {
        SyntaxNode::new_root(self.green.clone())
    }

    /// The text: exactly what was parsed.
    pub fn text(&self) -> String {
        self.root().text().to_string()
    }
}

/// Parses a text. Never fails.
pub fn parse(text: &str) -> Parse {
    let mut parser = Parser {
        builder: GreenNodeBuilder::new(),
        open: Vec::new(),
        waiting: Vec::new(),
        margin: None,
        transaction: false,
    };
    parser.builder.start_node(SyntaxKind::Root.into());
    let mut rest = text;
    if let Some(after) = rest.strip_prefix('\u{feff}') {
        parser.waiting.push((SyntaxKind::Whitespace, "\u{feff}"));
        rest = after;
    }
    for line in rest.split_inclusive('\n') {
        parser.line(line);
    }
    parser.close_to(0);
    parser.flush(usize::MAX);
    parser.builder.finish_node();
    Parse {
        green: parser.builder.finish(),
    }
}

/// A statement that is not closed yet.
struct Open {
    depth: usize,
    kind: SyntaxKind,
}

struct Parser<'a> {
    builder: GreenNodeBuilder<'static>,
    open: Vec<Open>,
    /// Blank lines, comments and descriptions since the last statement.
    waiting: Vec<(SyntaxKind, &'a str)>,
    /// The indentation of the first statement: blocks are not indented further.
    margin: Option<usize>,
    /// Whether the open access pattern is a transaction or a batch, whose actions and keys belong to it.
    transaction: bool,
}

impl<'a> Parser<'a> {
    fn line(&mut self, line: &'a str) {
        let content = line.strip_suffix('\n').unwrap_or(line);
        let content = content.strip_suffix('\r').unwrap_or(content);
        let end = &line[content.len()..];
        let body = content.trim_start();
        let indent = &content[..content.len() - body.len()];
        if body.is_empty() || body.starts_with("//") {
            let kind = lexer::slashes(body);
            for (kind, text) in [
                (SyntaxKind::Whitespace, indent),
                (kind, body),
                (SyntaxKind::LineEnd, end),
            ] {
                if !text.is_empty() {
                    self.waiting.push((kind, text));
                }
            }
            return;
        }
        let (_, length) = lexer::next_word(body);
        let first = &body[..length];
        let margin = *self.margin.get_or_insert(indent.len());
        let (kind, depth) = self.classify(body, first, indent.len() <= margin);
        self.close_to(depth);
        // Comments before the first description belong to the block around the statement.
        let lead = self.lead();
        self.flush(lead);
        self.builder.start_node(kind.into());
        self.flush(usize::MAX);
        self.open.push(Open { depth, kind });
        if !indent.is_empty() {
            self.builder.token(SyntaxKind::Whitespace.into(), indent);
        }
        self.tokens(kind, first, body);
        if !end.is_empty() {
            self.builder.token(SyntaxKind::LineEnd.into(), end);
        }
    }

    /// The index of the first waiting token of the statement itself: the indentation of its first description.
    fn lead(&self) -> usize {
        let found = (self.waiting.iter()).position(|(kind, _)| *kind == SyntaxKind::Description);
        match found {
            // A byte order mark is no indentation.
            Some(at) => match at.checked_sub(1).map(|before| self.waiting[before]) {
                Some((SyntaxKind::Whitespace, text)) if text != "\u{feff}" => at - 1,
                _ => at,
            },
            None => self.waiting.len(),
        }
    }

    /// Writes the first waiting tokens.
    fn flush(&mut self, count: usize) {
        let count = count.min(self.waiting.len());
        for (kind, text) in self.waiting.drain(..count) {
            self.builder.token(kind.into(), text);
        }
    }

    /// Closes the statements at this depth and deeper.
    fn close_to(&mut self, depth: usize) {
        while self.open.last().is_some_and(|open| open.depth >= depth) {
            self.open.pop();
            self.builder.finish_node();
        }
    }

    /// The kind of a statement by its first word, and its depth.
    fn classify(&mut self, body: &str, first: &str, at_margin: bool) -> (SyntaxKind, usize) {
        if at_margin && let Some((_, kind, _)) = BLOCKS.iter().find(|(word, ..)| *word == first) {
            self.transaction = false;
            return (*kind, 0);
        }
        let Some(block) = self.open.first().map(|open| open.kind) else {
            return (SyntaxKind::Unknown, 0);
        };
        if first.starts_with('>') {
            return (SyntaxKind::Quote, self.open.len().min(2));
        }
        match block {
            SyntaxKind::Table
            | SyntaxKind::Gsi
            | SyntaxKind::Lsi
            | SyntaxKind::Exports
            | SyntaxKind::Costs => (SyntaxKind::Setting, 1),
            SyntaxKind::Canvas => (SyntaxKind::Card, 1),
            SyntaxKind::Entity if first.starts_with('|') => (SyntaxKind::Row, 1),
            SyntaxKind::Entity if matches!(first, "key" | "index") => (SyntaxKind::Key, 1),
            SyntaxKind::Entity if is_volume(body) => (SyntaxKind::Setting, 1),
            SyntaxKind::Entity => (SyntaxKind::Attribute, 1),
            SyntaxKind::Pattern => self.pattern_line(first),
            _ => (SyntaxKind::Unknown, 1),
        }
    }

    fn pattern_line(&mut self, first: &str) -> (SyntaxKind, usize) {
        let inside = self.transaction && self.open.iter().any(|open| open.depth == 1);
        if let Some(operation) = keywords::operation(first) {
            let depth = if inside { 2 } else { 1 };
            self.transaction |= keywords::is_list(operation);
            return (SyntaxKind::Operation, depth);
        }
        match first {
            "key" => (SyntaxKind::BatchKey, if inside { 2 } else { 1 }),
            "condition" | "update" => {
                let at = (self.open.iter()).rposition(|open| open.kind == SyntaxKind::Operation);
                (SyntaxKind::Part, at.map_or(1, |at| self.open[at].depth + 1))
            }
            _ => (SyntaxKind::Part, 1),
        }
    }

    fn tokens(&mut self, kind: SyntaxKind, first: &str, body: &str) {
        let builder = &mut self.builder;
        let mut push = |kind: SyntaxKind, text: &str| builder.token(kind.into(), text);
        match kind {
            SyntaxKind::Row => return lexer::cells(body, &mut push),
            SyntaxKind::Quote => {
                push(SyntaxKind::Marker, ">");
                if body.len() > 1 {
                    push(SyntaxKind::Text, &body[1..]);
                }
                return;
            }
            _ => {}
        }
        let runs_to_end = match kind {
            SyntaxKind::Design | SyntaxKind::Entity | SyntaxKind::Pattern => true,
            SyntaxKind::Part => matches!(first, "filter" | "condition" | "update"),
            _ => false,
        };
        match runs_to_end {
            true => {
                push(SyntaxKind::Word, first);
                lexer::text(&body[first.len()..], &mut push);
            }
            false => lexer::words(body, &mut push),
        }
    }
}

/// Whether a line of an entity is `volume` with a figure, rather than an attribute of that name: no attribute has a plain
/// number after its name, unless it is one of several values.
fn is_volume(body: &str) -> bool {
    let mut words = body.split_whitespace();
    let is_first = words.next() == Some("volume");
    let figure = words.next().unwrap_or_default().trim_end_matches(',');
    let figure = figure.strip_prefix('+').unwrap_or(figure);
    is_first && figure.parse::<f64>().is_ok() && !body.contains('|')
}
