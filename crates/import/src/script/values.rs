//! Reads the values of a script as trees.

use super::lex::Kind;
use super::literal::{MAX_CODE, Script};
use super::text::{expression_end, next_expression, number, unescaped, unquoted};
use super::{call_node, is_call};
use crate::cursor::shorten;
use keyfold_core::export::tree::{Map, Node};
use rustc_hash::FxHashMap;

impl Script<'_> {
    /// The name of members that an expression stands for: see [`is_unknown_member`](super::is_unknown_member).
    fn unknown_member(&self, from: usize, to: usize) -> String {
        shorten(&self.code(from, to))
    }

    /// The value at a token, and the token behind it.
    pub(super) fn value(&self, at: usize, depth: usize) -> (Node, usize) {
        let whole = || {
            let end = self.skip(at);
            (self.code(at, end), end)
        };
        let left = self.left.get();
        let (Some(depth), Some(left)) = (depth.checked_sub(1), left.checked_sub(1)) else {
            return whole();
        };
        self.left.set(left);
        let Some((node, mut end)) = self.primary(at, depth) else {
            return whole();
        };
        while self.is(end, "as") || self.is(end, "satisfies") {
            end = self.after_assertion(end + 1);
        }
        if self.is(end, "!") {
            end += 1;
        }
        match self.tokens.get(end) {
            None => (node, end),
            Some(token) if token.kind == Kind::Name => (node, end),
            Some(token) if matches!(token.text, "," | ";" | ")" | "]" | "}") => (node, end),
            Some(_) => whole(),
        }
    }

    /// Behind a type after `as`.
    fn after_assertion(&self, at: usize) -> usize {
        let mut angle = 0usize;
        let mut end = at;
        while let Some(token) = self.tokens.get(end) {
            match token.text {
                "(" | "[" | "{" => {
                    end = self.skip_brackets(end);
                    continue;
                }
                "<" => angle += 1,
                ">" => angle = angle.saturating_sub(1),
                "," | ";" | ")" | "]" | "}" if angle == 0 => return end,
                "export" | "const" | "function" if token.kind == Kind::Name && end > at + 1 => {
                    return end;
                }
                // `as const` at the end of a line without a semicolon.
                "const" => return end + 1,
                _ => {}
            }
            end += 1;
        }
        end
    }

    fn primary(&self, at: usize, depth: usize) -> Option<(Node, usize)> {
        let token = *self.tokens.get(at)?;
        Some(match token.kind {
            Kind::Text => (Node::Text(unquoted(token.text)?), at + 1),
            Kind::Template => (Node::Text(self.template(token.text, depth)?), at + 1),
            Kind::Number => (Node::Number(number(token.text)?), at + 1),
            Kind::Pattern => return None,
            Kind::Symbol => match token.text {
                "{" => self.object(at, depth)?,
                "[" => {
                    let (items, end) = self.list(at, "]", depth);
                    (Node::List(items), end)
                }
                "-" if self.kind(at + 1) == Some(Kind::Number) => {
                    let number = number(self.tokens[at + 1].text)?;
                    (Node::Number(format!("-{number}")), at + 2)
                }
                _ => return None,
            },
            Kind::Name => self.named(at, depth)?,
        })
    }

    /// The text of a template whose expressions are constants.
    fn template(&self, text: &str, depth: usize) -> Option<String> {
        let mut rest = text.strip_prefix('`')?.strip_suffix('`')?;
        let mut out = String::new();
        while let Some(start) = next_expression(rest) {
            out.push_str(&unescaped(&rest[..start]));
            let behind = &rest[start + 2..];
            let end = expression_end(behind)?;
            match self.path(behind[..end].trim(), depth)? {
                Node::Text(text) | Node::Number(text) => out.push_str(&text),
                _ => return None,
            }
            rest = &behind[end + 1..];
        }
        out.push_str(&unescaped(rest));
        (out.len() <= MAX_CODE).then_some(out)
    }

    /// The value of a constant or of a member of it: `NAMES.table`.
    pub(super) fn path(&self, path: &str, depth: usize) -> Option<Node> {
        let mut steps = path.split('.');
        let root = steps.next()?;
        let (_, value) = self.constants.iter().find(|(other, _)| *other == root)?;
        let mut node = self.value(*value, depth).0;
        for step in steps {
            node = match &node {
                Node::Map(map) => map.get(step)?.clone(),
                _ => return None,
            };
        }
        Some(node)
    }

    /// A word, a constant, or a call.
    fn named(&self, at: usize, depth: usize) -> Option<(Node, usize)> {
        let word = self.tokens[at].text;
        match word {
            "true" => return Some((Node::Bool(true), at + 1)),
            "false" => return Some((Node::Bool(false), at + 1)),
            "null" | "undefined" => return Some((Node::Null, at + 1)),
            "function" | "async" | "class" | "await" => return None,
            _ => {}
        }
        let start = if word == "new" { at + 1 } else { at };
        let mut name = self.tokens.get(start)?.text;
        let mut end = start + 1;
        let mut path = Vec::new();
        while self.is(end, ".") && self.kind(end + 1) == Some(Kind::Name) {
            name = self.tokens[end + 1].text;
            path.push(name);
            end += 2;
        }
        let open = self.after_generics(end);
        if self.is(open, "(") {
            let (arguments, mut end) = self.list(open, ")", depth);
            let mut calls = Vec::new();
            while self.is(end, ".") && self.kind(end + 1) == Some(Kind::Name) {
                let name = self.tokens[end + 1].text;
                let open = self.after_generics(end + 2);
                if !self.is(open, "(") {
                    end += 2;
                    continue;
                }
                let (arguments, behind) = self.list(open, ")", depth);
                calls.push(call_node(name, arguments, Vec::new()));
                end = behind;
            }
            return Some((call_node(name, arguments, calls), end));
        }
        let root = self.tokens[start].text;
        let constant = self.constants.iter().find(|(other, _)| *other == root);
        let mut node = match constant {
            Some((_, value)) if *value != at => self.value(*value, depth).0,
            _ => return Some((self.code(at, end), end)),
        };
        for step in path {
            node = match &node {
                Node::Map(map) => map.get(step)?.clone(),
                _ => return None,
            };
        }
        Some((node, end))
    }

    /// The values between brackets, and the token behind.
    pub(super) fn list(&self, at: usize, close: &str, depth: usize) -> (Vec<Node>, usize) {
        let mut items = Vec::new();
        let mut at = at + 1;
        while at < self.tokens.len() {
            if self.is(at, close) {
                return (items, at + 1);
            }
            if self.is(at, ",") || self.is(at, ";") {
                at += 1;
            } else if self.is(at, "...") {
                let (node, end) = self.value(at + 1, depth);
                match node {
                    Node::List(more) => items.extend(more),
                    _ => items.push(self.code(at, end)),
                }
                at = end.max(at + 1);
            } else {
                let (node, end) = self.value(at, depth);
                items.push(node);
                // A bracket of another kind: the text is broken.
                at = end.max(at + 1);
            }
        }
        (items, at)
    }

    pub(super) fn object(&self, at: usize, depth: usize) -> Option<(Node, usize)> {
        let mut members: Vec<(String, Node)> = Vec::new();
        let mut places: FxHashMap<String, usize> = FxHashMap::default();
        // Of members with the same name, the last one counts.
        let mut set = |name: String, node: Node| match places.get(&name) {
            Some(at) => members[*at].1 = node,
            None => {
                places.insert(name.clone(), members.len());
                members.push((name, node));
            }
        };
        let mut at = at + 1;
        while !self.is(at, "}") {
            let token = *self.tokens.get(at)?;
            if token.is(",") || token.is(";") {
                at += 1;
                continue;
            }
            if token.is("...") {
                let (node, end) = self.value(at + 1, depth);
                match node {
                    Node::Map(map) if !is_call(&map) => {
                        for (name, node) in map.pairs() {
                            set(name.to_owned(), node.clone());
                        }
                    }
                    _ => set(self.unknown_member(at, end), self.code(at, end)),
                }
                at = end.max(at + 1);
                continue;
            }
            let (name, after) = match token.kind {
                Kind::Name | Kind::Number => (token.text.to_owned(), at + 1),
                Kind::Text => (unquoted(token.text)?, at + 1),
                _ if token.is("[") => {
                    let after = self.skip_brackets(at);
                    let name = match self.value(at + 1, depth) {
                        (Node::Text(name), end) if end + 1 == after => name,
                        _ => self.unknown_member(at, after),
                    };
                    (name, after)
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            // In an enum, `=`.
            if self.is(after, ":") || self.is(after, "=") {
                let (node, end) = self.value(after + 1, depth);
                set(name, node);
                at = end.max(after + 1);
            } else if self.is(after, ",") || self.is(after, "}") {
                let node = match token.kind {
                    Kind::Name => self.named(at, depth)?.0,
                    _ => self.code(at, after),
                };
                set(name, node);
                at = after;
            } else {
                // A method: its parameters and its body.
                let end = self.skip(at);
                set(name, self.code(at, end));
                at = end.max(at + 1);
            }
        }
        let mut map = Map::new();
        for (name, node) in members {
            map.add(name, node);
        }
        Some((Node::Map(map), at + 1))
    }
}
