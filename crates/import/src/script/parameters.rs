//! The parameters of a function, and which attribute of an item an expression in it reads.

use super::function::split;
use super::lex::{Kind, Token};
use super::text::unquoted;

/// The names that a function binds. Other names in it are constants of the script or of another one.
#[derive(Debug, Default)]
pub struct Parameters {
    /// `item` of `(item) =>`.
    items: Vec<String>,
    /// The attribute and its name in the function: `({ id, name: userName }) =>`.
    members: Vec<(String, String)>,
}

impl Parameters {
    /// The parameters before an arrow.
    pub fn before(all: &[Token], arrow: usize) -> Self {
        let mut found = Parameters::default();
        let head = &all[..arrow];
        let Some(last) = head.last() else {
            return found;
        };
        if !last.is(")") {
            found.items.push(last.text.to_owned());
            return found;
        }
        let mut depth = 0usize;
        let open = head.iter().rposition(|token| {
            match token.text {
                _ if token.kind != Kind::Symbol => {}
                ")" | "]" | "}" => depth += 1,
                "(" | "[" | "{" => depth = depth.saturating_sub(1),
                _ => {}
            }
            depth == 0
        });
        let inside = open.map_or(&[][..], |open| &head[open + 1..head.len() - 1]);
        for parameter in split(inside, ",") {
            match parameter {
                [open, rest @ ..] if open.is("{") => found.destructured(rest),
                [name, ..] if name.kind == Kind::Name => found.items.push(name.text.to_owned()),
                _ => {}
            }
        }
        found
    }

    /// `id, name: userName, kind = "x" }`
    fn destructured(&mut self, rest: &[Token]) {
        let mut depth = 0usize;
        let close = rest.iter().position(|token| {
            match token.text {
                _ if token.kind != Kind::Symbol => {}
                "}" if depth == 0 => return true,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            false
        });
        for member in split(&rest[..close.unwrap_or(rest.len())], ",") {
            match member {
                [dots, name] if dots.is("...") => self.items.push(name.text.to_owned()),
                [name, colon, own, ..] if colon.is(":") && own.kind == Kind::Name => {
                    let name = match name.kind {
                        Kind::Text => unquoted(name.text),
                        _ => Some(name.text.to_owned()),
                    };
                    self.members
                        .extend(name.map(|name| (name, own.text.to_owned())));
                }
                [name] if name.kind == Kind::Name => self.member(name.text),
                [name, equals, ..] if name.kind == Kind::Name && equals.is("=") => {
                    self.member(name.text);
                }
                _ => {}
            }
        }
    }

    fn member(&mut self, name: &str) {
        self.members.push((name.to_owned(), name.to_owned()));
    }

    /// Whether a name is bound.
    pub fn bind(&self, name: &str) -> bool {
        self.has_item(name) || self.members.iter().any(|(_, own)| own == name)
    }

    fn has_item(&self, name: &str) -> bool {
        self.items.iter().any(|item| item == name)
    }

    /// The attribute that `item.name`, `item["name"]` or a destructured `name` reads.
    pub fn attribute(&self, all: &[Token]) -> Option<String> {
        let is_item = |token: &Token| token.kind == Kind::Name && self.has_item(token.text);
        match all {
            [name] if name.kind == Kind::Name => {
                let found = self.members.iter().find(|(_, own)| own == name.text);
                found.map(|(attribute, _)| attribute.clone())
            }
            [item, dot, name] if is_item(item) && dot.is(".") && name.kind == Kind::Name => {
                Some(name.text.to_owned())
            }
            [item, open, name, close]
                if is_item(item) && open.is("[") && close.is("]") && name.kind == Kind::Text =>
            {
                unquoted(name.text)
            }
            _ => None,
        }
    }
}
