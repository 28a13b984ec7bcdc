//! Expression attribute names and values of a request.

use super::ast::{Condition, ExpressionError, Name, Operand, Path, PathStep, Update};
use super::lex::{Kind, lex};
use super::parse::is_keyword;
use super::rewrite::{self, Rewrite};
use crate::model::{SortedMap, reserved};

/// Whether a request's expression can refer to an attribute by its bare name: letters, digits and `_`, starting with a
/// letter, and not a reserved word.
pub fn is_plain(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && !is_keyword(name)
        && !reserved::is_reserved(name)
}

/// Writes the attribute `word`, where an expression names it without `#`, as `#word`. Fields within other attributes and
/// functions of the same name stay.
pub fn with_alias(text: &str, word: &str) -> String {
    let Ok(tokens) = lex(text) else {
        return text.to_owned();
    };
    let mut written = String::new();
    let (mut from, mut is_field) = (0, false);
    for pair in tokens.windows(2) {
        let token = pair[0];
        let is_name = token.kind == Kind::Word && token.text == word;
        if is_name && !is_field && pair[1].text != "(" {
            written.push_str(&text[from..token.start]);
            written.push('#');
            from = token.start;
        }
        is_field = token.kind == Kind::Symbol && token.text == ".";
    }
    written + &text[from..]
}

/// The ExpressionAttributeNames of a request, and the parameters of its ExpressionAttributeValues.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Aliases {
    /// Each alias with its `#`, and its attribute.
    pub names: SortedMap<String, String>,
    /// Each value with its `:`, and its parameter.
    pub values: SortedMap<String, String>,
}

impl Aliases {
    /// The name of an attribute in an expression: its bare name, or an alias if necessary.
    pub fn name(&mut self, attribute: &str) -> String {
        match is_plain(attribute) {
            true => attribute.to_owned(),
            false => known_or_new(&mut self.names, '#', attribute),
        }
    }

    /// The name of a parameter in an expression.
    pub fn value(&mut self, parameter: &str) -> String {
        known_or_new(&mut self.values, ':', parameter)
    }

    /// Converts a condition of a design for a request.
    pub fn condition(&mut self, from: &Condition) -> Condition {
        // Creating aliases cannot fail.
        rewrite::condition(from, self).unwrap_or_else(|_| from.clone())
    }

    /// Converts an update of a design for a request.
    pub fn update(&mut self, from: &Update) -> Update {
        rewrite::update(from, self).unwrap_or_else(|_| from.clone())
    }

    /// Converts a path of a design for a request.
    pub fn path(&mut self, from: &Path) -> Path {
        let attribute = self.named(&from.attribute);
        let mut steps = Vec::new();
        for step in &from.steps {
            steps.push(match step {
                PathStep::Field(name) => PathStep::Field(self.named(name)),
                PathStep::Element(number) => PathStep::Element(*number),
            });
        }
        Path { attribute, steps }
    }

    fn named(&mut self, name: &Name) -> Name {
        let text = self.name(&name.text);
        match text.strip_prefix('#') {
            Some(alias) => Name {
                text: alias.to_owned(),
                alias: true,
            },
            None => Name { text, alias: false },
        }
    }
}

impl Rewrite for Aliases {
    fn path(&mut self, path: &Path) -> Result<Path, ExpressionError> {
        Ok(Aliases::path(self, path))
    }

    fn value(&mut self, name: &str) -> Result<Operand, ExpressionError> {
        let value = Aliases::value(self, name);
        Ok(Operand::Value(value.trim_start_matches(':').to_owned()))
    }
}

/// The alias of a name. A new alias is the name without characters that aliases cannot contain, plus a number if it is
/// in use.
fn known_or_new(known: &mut SortedMap<String, String>, sign: char, name: &str) -> String {
    if let Some((alias, _)) = known.iter().find(|(_, other)| *other == name) {
        return alias.clone();
    }
    let mut alias = String::from(sign);
    for c in name.chars() {
        if c.is_ascii_alphanumeric() || c == '_' {
            alias.push(c);
        }
    }
    if alias.len() == 1 {
        alias.push('a');
    }
    let mut number = 2;
    let first = alias.clone();
    while known.contains_key(&alias) {
        alias = format!("{first}{number}");
        number += 1;
    }
    known.insert(alias.clone(), name.to_owned());
    alias
}
