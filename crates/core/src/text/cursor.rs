//! Reads the tokens of a line from left to right, and reports what was expected.

use super::lexer;
use super::problem::{Problems, TextProblem};
use super::statement::{Statement, Token};
use super::syntax::SyntaxKind;
use std::ops::Range;

/// A name or a value, and where it is.
#[derive(Debug, Clone)]
pub struct Spot {
    /// What it says.
    pub text: String,
    /// Where it is.
    pub range: Range<usize>,
}

/// Reads the tokens of a line. After the first error, the rest of the line is not reported.
pub struct Cursor<'a, 't> {
    tokens: &'a [Token<'t>],
    at: usize,
    end: usize,
    /// Whether an error was reported.
    pub failed: bool,
    problems: Problems,
}

impl<'a, 't> Cursor<'a, 't> {
    /// At the first token of a statement.
    pub fn new(statement: &'a Statement<'t>, problems: &Problems) -> Self {
        Cursor {
            tokens: &statement.tokens,
            at: 0,
            end: statement.code().end,
            failed: false,
            problems: problems.clone(),
        }
    }

    /// After the first words of a statement.
    pub fn after(statement: &'a Statement<'t>, words: usize, problems: &Problems) -> Self {
        let mut cursor = Cursor::new(statement, problems);
        cursor.at = words.min(cursor.tokens.len());
        cursor
    }

    /// The next token.
    pub fn peek(&self) -> Option<&'a Token<'t>> {
        self.tokens.get(self.at)
    }

    /// The token after the next.
    pub fn second(&self) -> Option<&'a Token<'t>> {
        self.tokens.get(self.at + 1)
    }

    /// The number of tokens that are left.
    pub fn left(&self) -> usize {
        self.tokens.len() - self.at
    }

    /// The tokens that are left.
    pub fn rest(&self) -> &'a [Token<'t>] {
        &self.tokens[self.at..]
    }

    /// Drops the last token, which the caller has read.
    pub fn drop_last(&mut self) {
        let end = self.tokens.len().saturating_sub(1).max(self.at);
        self.tokens = &self.tokens[..end];
    }

    /// Whether no token is left.
    pub fn is_done(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// Takes the next token.
    pub fn take(&mut self) -> Option<&'a Token<'t>> {
        let token = self.tokens.get(self.at)?;
        self.at += 1;
        Some(token)
    }

    /// Takes the next token if it is this word, without quotes.
    pub fn word(&mut self, word: &str) -> bool {
        let found = self.peek().is_some_and(|token| token.is(word));
        self.at += usize::from(found);
        found
    }

    /// Takes the next token if it is this punctuation.
    pub fn punctuation(&mut self, kind: SyntaxKind) -> bool {
        let found = self.peek().is_some_and(|token| token.kind == kind);
        self.at += usize::from(found);
        found
    }

    /// Where the next token is; the end of the line if none is left.
    pub fn here(&self) -> Range<usize> {
        self.peek().map_or(self.end..self.end, |t| t.range.clone())
    }

    /// Reports an error, unless one was reported before.
    pub fn error(&mut self, range: Range<usize>, message: String) {
        if !self.failed {
            self.failed = true;
            self.problems.push(TextProblem {
                range,
                is_error: true,
                message,
            });
        }
    }

    /// Reports that something else was expected here.
    pub fn expected(&mut self, what: &str) {
        let message = match self.peek() {
            Some(token) if token.kind == SyntaxKind::Unclosed => {
                "this quote is not closed, or has an unknown escape: write quoted text as in JSON"
                    .to_owned()
            }
            Some(token) => format!("expected {what}, found `{}`", token.text),
            None => format!("expected {what}"),
        };
        self.error(self.here(), message);
    }

    /// Takes a name: a word or a quoted text.
    pub fn name(&mut self, what: &str) -> Option<Spot> {
        match self.peek() {
            Some(token)
                if matches!(
                    token.kind,
                    SyntaxKind::Word | SyntaxKind::Quoted | SyntaxKind::Json | SyntaxKind::Text
                ) =>
            {
                self.at += 1;
                Some(Spot {
                    text: token.value(),
                    range: token.range.clone(),
                })
            }
            _ => {
                self.expected(what);
                None
            }
        }
    }

    /// Takes `name=value` without spaces: the name, and the value as a token.
    pub fn assignment(&mut self) -> Option<(Spot, Token<'t>)> {
        let token = self.peek().filter(|token| token.kind == SyntaxKind::Word)?;
        let (name, value) = token.text.split_once('=')?;
        if name.is_empty() || value.is_empty() || name.ends_with(['!', '<', '>']) {
            return None;
        }
        // `name= value` and `a=b = value` are not split.
        if self.second().is_some_and(|next| next.is("=")) {
            return None;
        }
        self.at += 1;
        let start = token.range.start;
        let value = Token {
            kind: lexer::next_word(value).0,
            range: start + name.len() + 1..token.range.end,
            text: value,
        };
        let name = Spot {
            text: name.to_owned(),
            range: start..start + name.len(),
        };
        Some((name, value))
    }

    /// Takes a whole number.
    pub fn number<T: std::str::FromStr>(&mut self, what: &str) -> Option<T> {
        let token = self.peek().filter(|token| token.kind == SyntaxKind::Word);
        match token.and_then(|token| token.text.parse().ok()) {
            Some(number) => {
                self.at += 1;
                Some(number)
            }
            None => {
                self.expected(what);
                None
            }
        }
    }

    /// Names between commas.
    pub fn names(&mut self, what: &str) -> Vec<Spot> {
        let mut names = Vec::new();
        while let Some(name) = self.name(what) {
            names.push(name);
            if !self.punctuation(SyntaxKind::Comma) {
                break;
            }
        }
        names
    }

    /// Reports tokens that are left.
    pub fn finish(&mut self) {
        let is_text = |token: &Token| matches!(token.kind, SyntaxKind::Word | SyntaxKind::Comma);
        let follows = (self.at.checked_sub(1)).and_then(|at| self.tokens.get(at));
        match self.peek() {
            Some(token) if is_text(token) && follows.is_some_and(is_text) => {
                let message = format!(
                    "expected the end of the line, found `{}`: a value or template with spaces or commas needs quotes",
                    token.text
                );
                self.error(self.here(), message);
            }
            Some(_) => self.expected("the end of the line"),
            None => {}
        }
    }
}

/// A name as the language writes it: plain if it is one word and none of `reserved`, else in quotes.
pub fn write_name(name: &str, reserved: &[&str]) -> String {
    match lexer::is_word(name) && !reserved.contains(&name) {
        true => name.to_owned(),
        false => super::description::quoted(name),
    }
}

/// A text at the end of a line.
pub fn write_text(text: &str) -> String {
    match lexer::is_plain_text(text) {
        true => text.to_owned(),
        false => super::description::quoted(text),
    }
}
