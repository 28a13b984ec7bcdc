//! A script: its constants, its calls and what functions return.

use super::lex::{Kind, Token, tokens};
use super::text::unquoted;
use keyfold_core::export::tree::{Map, Node};
use std::cell::Cell;

/// The maximum size of a script in bytes.
const MAX_BYTES: usize = 8 << 20;
/// How deeply brackets and constants may nest.
const MAX_DEPTH: usize = 100;
/// The maximum number of values that one script makes.
const BUDGET: usize = 1 << 17;

/// The maximum length of an expression that is kept as code, in bytes.
pub(super) const MAX_CODE: usize = 4096;
/// The maximum number of tokens that are stepped over, some of them several times.
const MAX_SKIPPED: usize = 1 << 24;

/// A script.
pub struct Script<'a> {
    text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    /// The constants, each with the token at which its value starts.
    pub(super) constants: Vec<(&'a str, usize)>,
    pub(super) left: Cell<usize>,
    left_to_skip: Cell<usize>,
    /// Whether constants are put into code: not within their own values.
    pub(super) is_filling: Cell<bool>,
}

/// The object that an arrow function returns: `(item) => ({ PK: `USER#${item.id}` })`. `None` if it does anything else.
pub fn returned_object(function: &str) -> Option<Node> {
    let script = Script::new(function).ok()?;
    let arrow = (0..script.tokens.len()).find(|at| script.is(*at, "=>"))?;
    let mut at = arrow + 1;
    if script.is(at, "{") && script.is(at + 1, "return") {
        at += 2;
    }
    while script.is(at, "(") {
        at += 1;
    }
    match script.is(at, "{") {
        true => Some(script.object(at, MAX_DEPTH)?.0),
        false => None,
    }
}

/// A call with `new`, or of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is called, without namespaces: `Entity`.
    pub name: String,
    /// The constant that holds the result.
    pub constant: Option<String>,
    /// The line.
    pub line: usize,
    /// The arguments.
    pub arguments: Vec<Node>,
}

impl<'a> Script<'a> {
    /// Splits a script into tokens and finds its constants.
    ///
    /// # Errors
    ///
    /// That it is too large.
    pub fn new(text: &'a str) -> Result<Self, String> {
        if text.len() > MAX_BYTES {
            return Err(format!(
                "the script has more than {} MB, the most that an import reads",
                MAX_BYTES >> 20
            ));
        }
        let mut script = Script {
            text,
            tokens: tokens(text),
            constants: Vec::new(),
            left: Cell::new(BUDGET),
            left_to_skip: Cell::new(MAX_SKIPPED),
            is_filling: Cell::new(false),
        };
        for at in 0..script.tokens.len() {
            let is_declaration = ["const", "let", "var"]
                .iter()
                .any(|word| script.is(at, word));
            if is_declaration && script.kind(at + 1) == Some(Kind::Name) {
                let name = script.tokens[at + 1].text;
                if let Some(value) = script.after_type(at + 2) {
                    script.constants.push((name, value));
                }
            } else if script.is(at, "enum")
                && script.kind(at + 1) == Some(Kind::Name)
                && script.is(at + 2, "{")
            {
                script.constants.push((script.tokens[at + 1].text, at + 2));
            } else if script.is(at, "export") && script.is(at + 1, "default")
                || script.is(at, "exports") && script.is(at + 1, "=")
            {
                script.constants.push(("default", at + 2));
            }
        }
        if script.is(0, "{") || script.is(0, "[") {
            script.constants.push(("default", 0));
        }
        Ok(script)
    }

    /// Whether the script has a name.
    pub fn mentions(&self, name: &str) -> bool {
        let mut tokens = self.tokens.iter();
        tokens.any(|token| match token.kind {
            Kind::Name => token.text == name,
            Kind::Text => token.text.trim_matches(['"', '\'']) == name,
            _ => false,
        })
    }

    /// The constants with their values.
    pub fn constants(&self) -> impl Iterator<Item = (&str, Node)> {
        (self.constants.iter()).map(|(name, at)| (*name, self.value(*at, MAX_DEPTH).0))
    }

    /// The calls with `new` of these names.
    pub fn created(&self, names: &[&str]) -> Vec<Call> {
        let mut calls = Vec::new();
        for at in 0..self.tokens.len() {
            if !self.is(at, "new") {
                continue;
            }
            let mut name = at + 1;
            while self.is(name + 1, ".") {
                name += 2;
            }
            let Some(token) = self.tokens.get(name) else {
                continue;
            };
            if !names.contains(&token.text) {
                continue;
            }
            let open = self.after_generics(name + 1);
            if !self.is(open, "(") {
                continue;
            }
            let is_constant = at >= 2 && self.is(at - 1, "=");
            calls.push(Call {
                name: token.text.to_owned(),
                constant: (is_constant && self.kind(at - 2) == Some(Kind::Name))
                    .then(|| self.tokens[at - 2].text.to_owned()),
                line: self.text[..token.start].matches('\n').count() + 1,
                arguments: self.list(open, ")", MAX_DEPTH).0,
            });
        }
        calls
    }

    /// The object that a function returns; its values are not read but kept as code.
    pub fn returned(&self, function: &str) -> Option<Node> {
        let at = (0..self.tokens.len())
            .find(|at| self.is(*at, "function") && self.is(at + 1, function))?;
        let body = self.skip_brackets(at + 2);
        if !self.is(body, "{") || !self.is(body + 1, "return") || !self.is(body + 2, "{") {
            return None;
        }
        let mut map = Map::new();
        let mut at = body + 3;
        while !self.is(at, "}") {
            let name = self.tokens.get(at)?;
            let name = match name.kind {
                Kind::Text => unquoted(name.text)?,
                _ => name.text.to_owned(),
            };
            let end = self.skip(at + 2);
            if map.get(&name).is_none() {
                map.add(name, self.code(at + 2, end));
            }
            at = if self.is(end, ",") { end + 1 } else { end };
            if !self.is(at, "}") && at <= end && !self.is(end, ",") {
                return None;
            }
        }
        Some(Node::Map(map))
    }

    pub(super) fn kind(&self, at: usize) -> Option<Kind> {
        self.tokens.get(at).map(|token| token.kind)
    }

    pub(super) fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    /// The value after `=`, behind a type.
    fn after_type(&self, at: usize) -> Option<usize> {
        if self.is(at, "=") {
            return Some(at + 1);
        }
        if !self.is(at, ":") {
            return None;
        }
        let mut depth = 0usize;
        for end in at + 1..self.tokens.len() {
            let text = self.tokens[end].text;
            match text {
                "(" | "[" | "{" | "<" => depth += 1,
                ")" | "]" | "}" | ">" => depth = depth.saturating_sub(1),
                "=" if depth == 0 => return Some(end + 1),
                ";" if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// Behind `<...>`, if there is one.
    pub(super) fn after_generics(&self, at: usize) -> usize {
        if !self.is(at, "<") {
            return at;
        }
        let mut depth = 0usize;
        for end in at..self.tokens.len().min(at + 200) {
            match self.tokens[end].text {
                "<" => depth += 1,
                ">" if depth <= 1 => return end + 1,
                ">" => depth -= 1,
                _ => {}
            }
        }
        at
    }

    /// Behind the bracket that closes the one at this token; the end of the script if it has too many.
    pub(super) fn skip_brackets(&self, at: usize) -> usize {
        let mut depth = 0usize;
        for end in at..self.tokens.len() {
            let Some(left) = self.left_to_skip.get().checked_sub(1) else {
                break;
            };
            self.left_to_skip.set(left);
            let token = self.tokens[end];
            if token.kind == Kind::Symbol {
                match token.text {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
            }
            if depth == 0 {
                return end + 1;
            }
        }
        self.tokens.len()
    }

    /// The end of the expression at this token: the comma, semicolon or closing bracket behind it.
    pub(super) fn skip(&self, at: usize) -> usize {
        let mut end = at;
        while let Some(token) = self.tokens.get(end) {
            let Some(left) = self.left_to_skip.get().checked_sub(1) else {
                return self.tokens.len();
            };
            self.left_to_skip.set(left);
            match token.text {
                "(" | "[" | "{" if token.kind == Kind::Symbol => end = self.skip_brackets(end),
                "," | ";" | ")" | "]" | "}" if token.kind == Kind::Symbol => return end,
                _ => end += 1,
            }
        }
        end
    }

    pub(super) fn code(&self, from: usize, to: usize) -> Node {
        let start = self
            .tokens
            .get(from)
            .map_or(self.text.len(), |token| token.start);
        let end = match to.checked_sub(1) {
            Some(last) if last >= from => self.tokens[last].end(),
            _ => start,
        };
        let most = self.text.floor_char_boundary(start + MAX_CODE);
        Node::code(self.with_constants(&self.text[start..end.min(most)]))
    }
}
