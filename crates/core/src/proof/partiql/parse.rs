//! Parses tokens into the clauses of a statement. Any text yields either a statement or an error with its position.

use super::StatementError;
use super::lex::{Kind, Token, lex};
use crate::engine::query::expression::{Comparator, Condition, Name, Operand, Path, PathStep};
use crate::model::{Value, limits};
use std::ops::Range;

/// A parsed SELECT statement.
#[derive(Debug)]
pub(super) struct Statement {
    /// The returned attributes; empty for all.
    pub names: Vec<Path>,
    /// The table and its position.
    pub table: (String, Range<usize>),
    /// The index and its position.
    pub index: Option<(String, Range<usize>)>,
    /// The conditions joined by AND, with positions; strings are literals, as written.
    pub terms: Vec<(Condition, Range<usize>)>,
    /// The attribute of ORDER BY, its position, and whether the order is descending.
    pub order: Option<(String, Range<usize>, bool)>,
}

/// Parses a statement.
pub(super) fn parse(text: &str) -> Result<Statement, StatementError> {
    let mut parser = Parser {
        tokens: lex(text)?,
        at: 0,
        depth: 0,
        operators: 0,
    };
    parser.keyword("SELECT")?;
    let mut names = Vec::new();
    if !parser.takes("*") {
        loop {
            names.push(parser.path()?);
            if !parser.takes(",") {
                break;
            }
        }
    }
    parser.keyword("FROM")?;
    let table = parser.name("the table's name")?;
    let index = match parser.takes(".") {
        true => Some(parser.name("the index's name")?),
        false => None,
    };
    let mut terms = Vec::new();
    if parser.takes_word("WHERE") {
        loop {
            let start = parser.token().span.start;
            let condition = parser.not()?;
            terms.push((condition, start..parser.end()));
            if !parser.takes_operator("AND")? {
                break;
            }
        }
        // `a OR b` at the top level: all of it is one condition.
        if parser.is_word("OR") {
            let start = terms[0].1.start;
            let first = and_of(std::mem::take(&mut terms));
            let condition = parser.or(first)?;
            terms.push((condition, start..parser.end()));
        }
    }
    let mut order = None;
    if parser.takes_word("ORDER") {
        parser.keyword("BY")?;
        let (name, span) = parser.name("a key attribute")?;
        let descending = parser.takes_word("DESC");
        if !descending {
            parser.takes_word("ASC");
        }
        order = Some((name, span, descending));
    }
    match &parser.token().kind {
        Kind::End => Ok(Statement {
            names,
            table,
            index,
            terms,
            order,
        }),
        _ => Err(parser.error("unexpected text after the statement")),
    }
}

fn and_of(terms: Vec<(Condition, Range<usize>)>) -> Condition {
    let conditions = terms.into_iter().map(|(condition, _)| condition);
    let all = conditions.reduce(|left, right| Condition::And(Box::new(left), Box::new(right)));
    // There is at least one term.
    all.unwrap_or(Condition::In(Operand::Literal(Value::Null), Vec::new()))
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
    /// The number of open parentheses and NOTs.
    depth: usize,
    /// The number of ANDs and ORs so far.
    operators: usize,
}

impl Parser {
    fn token(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn next(&mut self) -> Token {
        let token = self.token().clone();
        self.at += 1;
        token
    }

    /// Returns the end of the last token.
    fn end(&self) -> usize {
        match self.at {
            0 => 0,
            at => self.tokens[at - 1].span.end,
        }
    }

    fn error(&self, message: &str) -> StatementError {
        StatementError {
            span: self.token().span.clone(),
            message: message.to_owned(),
        }
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(&self.token().kind, Kind::Word(text) if text.eq_ignore_ascii_case(word))
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        self.at += usize::from(is);
        is
    }

    /// Takes AND or OR. The conditions become an expression, which has a limit; it also bounds the depth of the tree.
    fn takes_operator(&mut self, word: &str) -> Result<bool, StatementError> {
        let is = self.is_word(word);
        self.operators += usize::from(is);
        if self.operators > limits::EXPRESSION_OPERATORS {
            let most = limits::EXPRESSION_OPERATORS;
            return Err(self.error(&format!(
                "the statement has more than {most} operators, the maximum that DynamoDB allows in a filter"
            )));
        }
        Ok(self.takes_word(word))
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let is = matches!(&self.token().kind, Kind::Symbol(other) if *other == symbol);
        self.at += usize::from(is);
        is
    }

    fn keyword(&mut self, word: &str) -> Result<(), StatementError> {
        match self.takes_word(word) {
            true => Ok(()),
            false => Err(self.error(&format!("expected {word}"))),
        }
    }

    fn symbol(&mut self, symbol: &str) -> Result<(), StatementError> {
        match self.takes(symbol) {
            true => Ok(()),
            false => Err(self.error(&format!("expected `{symbol}`"))),
        }
    }

    fn name(&mut self, what: &str) -> Result<(String, Range<usize>), StatementError> {
        match &self.token().kind {
            Kind::Word(name) | Kind::Name(name) if !name.is_empty() => {
                let found = (name.clone(), self.token().span.clone());
                self.at += 1;
                Ok(found)
            }
            _ => Err(self.error(&format!("expected {what}"))),
        }
    }

    fn path(&mut self) -> Result<Path, StatementError> {
        let name = |text| Name { text, alias: false };
        let (first, _) = self.name("an attribute")?;
        let mut steps = Vec::new();
        loop {
            if self.takes(".") {
                let (field, _) = self.name("an attribute")?;
                steps.push(PathStep::Field(name(field)));
            } else if self.takes("[") {
                let number = match &self.token().kind {
                    Kind::Number(text) => text.parse().ok(),
                    _ => None,
                };
                let number =
                    number.ok_or_else(|| self.error("expected the number of a list element"))?;
                self.at += 1;
                steps.push(PathStep::Element(number));
                self.symbol("]")?;
            } else {
                return Ok(Path {
                    attribute: name(first),
                    steps,
                });
            }
        }
    }

    /// Parses the rest of `first OR ...`.
    fn or(&mut self, first: Condition) -> Result<Condition, StatementError> {
        let mut all = first;
        while self.takes_operator("OR")? {
            let right = self.and()?;
            all = Condition::Or(Box::new(all), Box::new(right));
        }
        Ok(all)
    }

    fn and(&mut self) -> Result<Condition, StatementError> {
        let mut all = self.not()?;
        while self.takes_operator("AND")? {
            let right = self.not()?;
            all = Condition::And(Box::new(all), Box::new(right));
        }
        Ok(all)
    }

    fn not(&mut self) -> Result<Condition, StatementError> {
        self.depth += 1;
        if self.depth > limits::NESTING_LEVELS {
            return Err(self.error("nested too deep"));
        }
        let condition = if self.takes_word("NOT") {
            Condition::Not(Box::new(self.not()?))
        } else if self.takes("(") {
            let first = self.and()?;
            let inside = self.or(first)?;
            self.symbol(")")?;
            inside
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(condition)
    }

    fn test(&mut self) -> Result<Condition, StatementError> {
        if let Some(function) = self.function() {
            self.at += 2;
            let condition = match function.as_str() {
                "begins_with" => {
                    let value = self.operand()?;
                    self.symbol(",")?;
                    Condition::BeginsWith(value, self.operand()?)
                }
                "contains" => {
                    let value = self.operand()?;
                    self.symbol(",")?;
                    Condition::Contains(value, self.operand()?)
                }
                "attribute_type" => {
                    let start = self.at;
                    let value = self.operand()?;
                    if matches!(value, Operand::Size(_)) {
                        self.at = start;
                        return Err(self.error("attribute_type needs an attribute or a value"));
                    }
                    self.symbol(",")?;
                    Condition::Type(value, self.operand()?)
                }
                _ => {
                    self.at -= 2;
                    return Err(self.error(
                        "unknown function. Use begins_with, contains, attribute_type or size",
                    ));
                }
            };
            self.symbol(")")?;
            return Ok(condition);
        }
        let left = self.operand()?;
        if self.takes_word("BETWEEN") {
            let low = self.operand()?;
            self.keyword("AND")?;
            return Ok(Condition::Between(left, low, self.operand()?));
        }
        if self.takes_word("IN") {
            return Ok(Condition::In(left, self.list()?));
        }
        if self.takes_word("IS") {
            let is_not = self.takes_word("NOT");
            if !self.takes_word("MISSING") {
                return Err(self.error(
                    "after IS, write MISSING. To test the type, such as NULL, write attribute_type(\"name\", '{type}')",
                ));
            }
            return match (left, is_not) {
                (Operand::Path(path), true) => Ok(Condition::Exists(path)),
                (Operand::Path(path), false) => Ok(Condition::NotExists(path)),
                _ => Err(self.error("IS MISSING needs an attribute")),
            };
        }
        let comparator = match &self.token().kind {
            Kind::Symbol("=") => Comparator::Equal,
            Kind::Symbol("<>" | "!=") => Comparator::NotEqual,
            Kind::Symbol("<") => Comparator::Less,
            Kind::Symbol("<=") => Comparator::LessOrEqual,
            Kind::Symbol(">") => Comparator::Greater,
            Kind::Symbol(">=") => Comparator::GreaterOrEqual,
            _ => {
                return Err(self.error("expected a comparison: =, <, <=, >, >=, BETWEEN, IN or IS"));
            }
        };
        self.at += 1;
        Ok(Condition::Compare(left, comparator, self.operand()?))
    }

    fn list(&mut self) -> Result<Vec<Operand>, StatementError> {
        let close = match self.takes("[") {
            true => "]",
            false => {
                self.symbol("(")?;
                ")"
            }
        };
        let mut list = Vec::new();
        loop {
            list.push(self.operand()?);
            if !self.takes(",") {
                break;
            }
        }
        self.symbol(close)?;
        Ok(list)
    }

    /// Returns the name, in lower case, of a function call that is a condition.
    fn function(&self) -> Option<String> {
        let Kind::Word(word) = &self.token().kind else {
            return None;
        };
        let next = &self.tokens.get(self.at + 1)?.kind;
        let word = word.to_ascii_lowercase();
        (*next == Kind::Symbol("(") && word != "size").then_some(word)
    }

    fn operand(&mut self) -> Result<Operand, StatementError> {
        let word = match &self.token().kind {
            Kind::Text(text) => Some(Value::S(text.clone())),
            Kind::Number(text) => match text.parse() {
                Ok(number) => Some(Value::N(number)),
                Err(_) => return Err(self.error("not a valid DynamoDB number")),
            },
            Kind::Word(word) => match word.to_ascii_lowercase().as_str() {
                "true" => Some(Value::Bool(true)),
                "false" => Some(Value::Bool(false)),
                "null" => Some(Value::Null),
                _ => None,
            },
            _ => None,
        };
        if let Some(value) = word {
            self.next();
            return Ok(Operand::Literal(value));
        }
        let is_size = self.is_word("size")
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|next| next.kind == Kind::Symbol("("));
        if is_size {
            self.at += 2;
            let path = self.path()?;
            self.symbol(")")?;
            return Ok(Operand::Size(path));
        }
        match &self.token().kind {
            Kind::Word(_) | Kind::Name(_) => Ok(Operand::Path(self.path()?)),
            _ => {
                Err(self.error("expected an attribute in double quotes or a text in single quotes"))
            }
        }
    }
}
