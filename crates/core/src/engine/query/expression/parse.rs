//! Parses conditions, projections and paths.

use super::ast::{Comparator, Condition, ExpressionError, Name, Operand, Path, PathStep};
use super::lex::{Kind, Token, is_word_text, lex};
use crate::model::limits::{EXPRESSION_OPERATORS, IN_OPERANDS, NESTING_LEVELS};

/// Parses a condition: a key condition, a filter or a condition expression. Precedence: NOT, AND, OR.
pub fn parse_condition(text: &str) -> Result<Condition, ExpressionError> {
    let mut parser = Parser::new(text)?;
    let condition = parser.or_condition()?;
    parser.end()?;
    Ok(condition)
}

/// Parses a projection: paths separated by commas.
pub fn parse_projection(text: &str) -> Result<Vec<Path>, ExpressionError> {
    let mut parser = Parser::new(text)?;
    let paths = parser.list(&mut Parser::path)?;
    parser.end()?;
    Ok(paths)
}

/// Words that are not attributes unless they follow a `#`.
const KEYWORDS: [&str; 9] = [
    "SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN",
];

/// A recursive descent parser.
pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Number of operators and functions so far. It also bounds the nesting depth.
    operators: usize,
    /// Positions of the parentheses of the last group.
    group: Option<(usize, usize)>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str) -> Result<Parser<'a>, ExpressionError> {
        let parser = Parser {
            tokens: lex(text)?,
            at: 0,
            operators: 0,
            group: None,
        };
        match parser.tokens.len() {
            1 => Err(parser.error("the expression is empty".to_owned())),
            _ => Ok(parser),
        }
    }

    pub fn token(&self) -> Token<'a> {
        self.tokens[self.at]
    }

    pub fn next(&mut self) {
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    /// Consumes the next token if it is this symbol.
    pub fn accept(&mut self, symbol: &str) -> bool {
        let token = self.token();
        let is = token.kind == Kind::Symbol && token.text == symbol;
        if is {
            self.next();
        }
        is
    }

    /// Consumes the next token if it is this keyword.
    pub fn accept_keyword(&mut self, word: &str) -> bool {
        let is = self.is_word(word);
        if is {
            self.next();
        }
        is
    }

    pub fn is_word(&self, word: &str) -> bool {
        let token = self.token();
        token.kind == Kind::Word && token.text.eq_ignore_ascii_case(word)
    }

    pub fn expect(&mut self, symbol: &str) -> Result<(), ExpressionError> {
        match self.accept(symbol) {
            true => Ok(()),
            false => Err(self.expected(&format!("`{symbol}`"))),
        }
    }

    pub fn end(&self) -> Result<(), ExpressionError> {
        match self.token().kind {
            Kind::End => Ok(()),
            _ => Err(self.expected("the end")),
        }
    }

    /// An error at the next token.
    pub fn error(&self, message: String) -> ExpressionError {
        let token = self.token();
        ExpressionError {
            span: Some(token.start..token.end),
            message,
        }
    }

    pub fn expected(&self, what: &str) -> ExpressionError {
        let token = self.token();
        self.error(match token.kind {
            Kind::End => format!("expected {what} at the end"),
            Kind::Alias => {
                let name = Name {
                    text: token.text.to_owned(),
                    alias: true,
                };
                format!("expected {what}, not `{name}`")
            }
            Kind::Symbol if let Some(name) = self.name_with_dash() => {
                format!("write the name `{name}` in quotes: `\"{name}\"`")
            }
            Kind::Value => format!("expected {what}, not `:{}`", token.text),
            _ => format!("expected {what}, not `{}`", token.text),
        })
    }

    /// The name around the next token, if that is a dash between two words.
    fn name_with_dash(&self) -> Option<String> {
        let [before, dash, after] = self.tokens.get(self.at.checked_sub(1)?..self.at + 2)? else {
            return None;
        };
        let is_word = |token: &Token<'_>| token.kind == Kind::Word;
        let is_joined = before.end == dash.start && dash.end == after.start;
        (dash.text == "-" && is_word(before) && is_word(after) && is_joined)
            .then(|| format!("{}-{}", before.text, after.text))
    }

    /// Counts an operator or a function.
    pub fn count(&mut self) -> Result<(), ExpressionError> {
        self.operators += 1;
        match self.operators > EXPRESSION_OPERATORS {
            true => Err(self.error(format!(
                "the expression has more than {EXPRESSION_OPERATORS} operators and functions, the maximum that DynamoDB allows"
            ))),
            false => Ok(()),
        }
    }

    /// Parses a comma-separated list with `read`.
    pub fn list<T>(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<Vec<T>, ExpressionError> {
        let mut list = vec![read(self)?];
        while self.accept(",") {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// The name of the function that is called here, if any.
    pub fn called_function(&self) -> Option<&'a str> {
        let token = self.token();
        let next = self.tokens.get(self.at + 1)?;
        (token.kind == Kind::Word && next.kind == Kind::Symbol && next.text == "(")
            .then_some(token.text)
    }

    fn or_condition(&mut self) -> Result<Condition, ExpressionError> {
        let mut left = self.and_condition()?;
        while self.accept_keyword("OR") {
            self.count()?;
            left = Condition::Or(Box::new(left), Box::new(self.and_condition()?));
        }
        Ok(left)
    }

    fn and_condition(&mut self) -> Result<Condition, ExpressionError> {
        let mut left = self.not_condition()?;
        while self.accept_keyword("AND") {
            self.count()?;
            left = Condition::And(Box::new(left), Box::new(self.not_condition()?));
        }
        Ok(left)
    }

    fn not_condition(&mut self) -> Result<Condition, ExpressionError> {
        if self.is_word("NOT") {
            self.count()?;
            self.next();
            return Ok(Condition::Not(Box::new(self.not_condition()?)));
        }
        self.primary_condition()
    }

    fn primary_condition(&mut self) -> Result<Condition, ExpressionError> {
        let open = self.at;
        if self.accept("(") {
            // Parentheses count, so that nobody can nest them without limit.
            self.count()?;
            let condition = self.or_condition()?;
            let close = self.at;
            self.expect(")")?;
            if self.group == Some((open + 1, close - 1)) {
                self.at = open;
                return Err(self.error(
                    "remove these redundant parentheses: DynamoDB rejects them".to_owned(),
                ));
            }
            self.group = Some((open, close));
            return Ok(condition);
        }
        match self.called_function() {
            Some("size") | None => self.comparison(),
            Some(function) => self.function(function),
        }
    }

    fn function(&mut self, function: &str) -> Result<Condition, ExpressionError> {
        let two = match function {
            "attribute_exists" | "attribute_not_exists" => false,
            "attribute_type" | "begins_with" | "contains" => true,
            "if_not_exists" | "list_append" => {
                return Err(self.error(format!(
                    "`{function}` is only allowed in SET, not in a condition"
                )));
            }
            _ if is_keyword(function) => return Err(self.expected("a condition")),
            _ => {
                return Err(self.error(format!(
                    "unknown function `{function}`: use attribute_exists, attribute_not_exists, attribute_type, begins_with, contains or size, in lowercase"
                )));
            }
        };
        self.count()?;
        self.next();
        self.expect("(")?;
        let on_path = matches!(function, "attribute_exists" | "attribute_not_exists");
        if on_path && self.token().kind == Kind::Value {
            return Err(self.expected("an attribute"));
        }
        let first = self.operand()?;
        let second = match two {
            true => {
                self.expect(",")?;
                Some(self.operand()?)
            }
            false => None,
        };
        self.expect(")")?;
        Ok(match (function, first, second) {
            ("attribute_exists", Operand::Path(path), _) => Condition::Exists(path),
            ("attribute_not_exists", Operand::Path(path), _) => Condition::NotExists(path),
            ("attribute_type", of @ (Operand::Path(_) | Operand::Value(_)), Some(kind)) => {
                Condition::Type(of, kind)
            }
            ("begins_with", first, Some(second)) => Condition::BeginsWith(first, second),
            ("contains", first, Some(second)) => Condition::Contains(first, second),
            ("attribute_type", ..) => {
                return Err(self.error(format!("`{function}` needs an attribute or a value")));
            }
            _ => return Err(self.error(format!("`{function}` needs an attribute"))),
        })
    }

    fn comparison(&mut self) -> Result<Condition, ExpressionError> {
        let left = self.operand()?;
        self.count()?;
        if self.accept_keyword("BETWEEN") {
            let low = self.operand()?;
            if !self.accept_keyword("AND") {
                return Err(self.expected("`AND` and the upper bound"));
            }
            return Ok(Condition::Between(left, low, self.operand()?));
        }
        if self.accept_keyword("IN") {
            self.expect("(")?;
            let list = self.list(&mut Parser::operand)?;
            if list.len() > IN_OPERANDS {
                return Err(self.error(format!(
                    "`IN` has {} values; DynamoDB allows at most {IN_OPERANDS}",
                    list.len()
                )));
            }
            self.expect(")")?;
            return Ok(Condition::In(left, list));
        }
        let token = self.token();
        let all = [
            Comparator::Equal,
            Comparator::NotEqual,
            Comparator::Less,
            Comparator::LessOrEqual,
            Comparator::Greater,
            Comparator::GreaterOrEqual,
        ];
        let found = (all.into_iter())
            .find(|comparator| token.kind == Kind::Symbol && comparator.symbol() == token.text);
        let Some(comparator) = found else {
            return Err(self.expected("a comparison, `BETWEEN` or `IN`"));
        };
        self.next();
        Ok(Condition::Compare(left, comparator, self.operand()?))
    }

    pub fn operand(&mut self) -> Result<Operand, ExpressionError> {
        let token = self.token();
        if token.kind == Kind::Value {
            self.next();
            return Ok(Operand::Value(token.text.to_owned()));
        }
        match self.called_function() {
            Some("size") => {
                self.count()?;
                self.next();
                self.next();
                let path = self.path()?;
                self.expect(")")?;
                Ok(Operand::Size(path))
            }
            Some(function) if !is_keyword(function) => Err(self.error(format!(
                "`{function}` is not allowed here: only `size` returns a value to compare"
            ))),
            _ => Ok(Operand::Path(self.path()?)),
        }
    }

    /// `a.b[3]`.
    pub fn path(&mut self) -> Result<Path, ExpressionError> {
        let attribute = self.name()?;
        let mut steps = Vec::new();
        loop {
            if self.accept(".") {
                steps.push(PathStep::Field(self.name()?));
            } else if self.accept("[") {
                let token = self.token();
                let number = match token.kind {
                    Kind::Number if token.text == "0" || !token.text.starts_with('0') => {
                        token.text.parse().ok()
                    }
                    _ => None,
                };
                let Some(number) = number else {
                    return Err(self.expected("the number of a list element"));
                };
                self.next();
                self.expect("]")?;
                steps.push(PathStep::Element(number));
            } else {
                break;
            }
            if steps.len() > NESTING_LEVELS {
                return Err(self.error(format!(
                    "the path has more than {NESTING_LEVELS} steps, the maximum nesting depth of an item"
                )));
            }
        }
        Ok(Path { attribute, steps })
    }

    fn name(&mut self) -> Result<Name, ExpressionError> {
        let token = self.token();
        let alias = token.kind == Kind::Alias;
        if !alias && (token.kind != Kind::Word || is_keyword(token.text)) {
            return Err(self.expected("an attribute"));
        }
        self.next();
        let text = token.text.to_owned();
        Ok(Name { text, alias })
    }
}

impl Name {
    /// Returns how an attribute is written in an expression of a design: as it is, behind a `#` if it is a word of the
    /// language, or in quotes. A name with a quote cannot be written.
    pub fn of(attribute: &str) -> Name {
        let is_bare = attribute.starts_with(|c: char| c.is_ascii_alphabetic())
            && is_word_text(attribute)
            && !is_keyword(attribute);
        Name {
            text: attribute.to_owned(),
            alias: !is_bare,
        }
    }
}

/// Whether a name can be that of a parameter, which is written `:name`.
pub fn is_parameter_name(name: &str) -> bool {
    is_word_text(name)
}

/// Whether a word belongs to the language, in any letter case: an attribute of that name is written behind a `#`.
pub fn is_keyword(word: &str) -> bool {
    KEYWORDS
        .iter()
        .any(|other| word.eq_ignore_ascii_case(other))
}
