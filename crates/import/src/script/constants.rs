//! Constants of a script within the code of its functions: `({ id }) => `${PREFIX}#${id}`` with `const PREFIX = "USER"`.

use super::lex::{Kind, Token, tokens};
use super::literal::Script;
use super::parameters::Parameters;
use super::text::{expression_end, next_expression};
use keyfold_core::export::json;
use keyfold_core::export::tree::Node;
use std::borrow::Cow;

/// How deeply a constant of a function may nest.
const DEPTH: usize = 20;

impl Script<'_> {
    /// The code of a function with the texts of the script's constants in their places. Other code stays as it is.
    pub(super) fn with_constants<'c>(&self, code: &'c str) -> Cow<'c, str> {
        if self.constants.is_empty() || !code.contains("=>") || self.is_filling.replace(true) {
            return Cow::Borrowed(code);
        }
        let all = tokens(code);
        let mut bound = Vec::new();
        for (at, token) in all.iter().enumerate() {
            if token.is("=>") {
                bound.push(Parameters::before(&all, at));
            }
        }
        let constant = |path: &str| {
            let root = path.split('.').next().unwrap_or_default();
            if bound.iter().any(|parameters| parameters.bind(root)) {
                return None;
            }
            match self.path(path, DEPTH)? {
                Node::Text(text) | Node::Number(text) => Some(text),
                _ => None,
            }
        };
        let mut out = String::new();
        let mut from = 0;
        let mut at = 0;
        while let Some(token) = all.get(at) {
            let (replaced, end) = match token.kind {
                Kind::Template => (Some(filled(token.text, &constant)), at + 1),
                Kind::Name if at > 0 => {
                    let end = path_end(&all, at);
                    let path = &code[token.start..all[end - 1].end()];
                    let is_value = is_value(&all, at, end);
                    let text = is_value.then(|| constant(path)).flatten();
                    (text.map(|text| json::string(&text)), end)
                }
                _ => (None, at + 1),
            };
            if let Some(replaced) = replaced {
                out.push_str(&code[from..token.start]);
                out.push_str(&replaced);
                from = all[end - 1].end();
            }
            at = end;
        }
        self.is_filling.set(false);
        out.push_str(&code[from..]);
        Cow::Owned(out)
    }
}

/// The token behind `NAMES.user` from the one at which it starts.
fn path_end(all: &[Token], at: usize) -> usize {
    let mut end = at + 1;
    while let [dot, name, ..] = &all[end..]
        && dot.is(".")
        && name.kind == Kind::Name
    {
        end += 2;
    }
    end
}

/// Whether a name is a whole value: that of a member, or the right side of a comparison.
fn is_value(all: &[Token], at: usize, end: usize) -> bool {
    let before = &all[at - 1];
    let is_end = |token: &Token| {
        [",", "}", ")", ";", "&&", "||"]
            .iter()
            .any(|end| token.is(end))
    };
    let is_alone = all.get(end).is_none_or(is_end);
    is_alone && [":", "===", "!=="].iter().any(|symbol| before.is(symbol))
}

/// A template with the constants in their places.
fn filled(template: &str, constant: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some(start) = next_expression(rest) {
        let behind = &rest[start + 2..];
        let Some(end) = expression_end(behind) else {
            break;
        };
        out.push_str(&rest[..start]);
        match constant(behind[..end].trim()) {
            Some(text) => {
                let text = text.replace('\\', "\\\\").replace('`', "\\`");
                out.push_str(&text.replace("${", "\\${"));
            }
            None => out.push_str(&rest[start..start + 3 + end]),
        }
        rest = &behind[end + 1..];
    }
    out.push_str(rest);
    out
}
