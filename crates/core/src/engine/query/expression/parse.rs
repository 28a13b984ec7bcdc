//! Reads conditions, projections and paths.

use super::ast::{Comparator, Condition, ExpressionError, Name, Operand, Path, Step};
use super::lex::{Kind, Token, lex};
use crate::model::limits::{EXPRESSION_OPERATORS, IN_OPERANDS, NESTING_LEVELS};

/// Reads a condition: a key condition, a filter or a condition expression. NOT binds most, then AND, then OR.
pub fn parse_condition(text: &str) -> Result<Condition, ExpressionError> {
    let mut parser = Parser::new(text)?;
    let condition = parser.either()?;
    parser.end()?;
    Ok(condition)
}

/// Reads a projection: paths with commas between them.
pub fn parse_projection(text: &str) -> Result<Vec<Path>, ExpressionError> {
    let mut parser = Parser::new(text)?;
    let paths = parser.list(&mut Parser::path)?;
    parser.end()?;
    Ok(paths)
}

/// Words that are no attributes unless they stand behind a `#`.
const KEYWORDS: [&str; 9] = [
    "SET", "REMOVE", "ADD", "DELETE", "AND", "OR", "NOT", "BETWEEN", "IN",
];

/// Reads tokens from the left to the right.
pub(super) struct Parser<'a> {
    tokens: Vec<Token<'a>>,
    at: usize,
    /// Number of operators and functions so far; it bounds the depth too.
    operators: usize,
    /// Places of the brackets of the last group in parentheses.
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

    /// Goes on if the next token is this symbol.
    pub fn takes(&mut self, symbol: &str) -> bool {
        let token = self.token();
        let is = token.kind == Kind::Symbol && token.text == symbol;
        if is {
            self.next();
        }
        is
    }

    /// Goes on if the next token is this keyword.
    pub fn takes_word(&mut self, word: &str) -> bool {
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
        match self.takes(symbol) {
            true => Ok(()),
            false => Err(self.wanted(&format!("`{symbol}`"))),
        }
    }

    pub fn end(&self) -> Result<(), ExpressionError> {
        match self.token().kind {
            Kind::End => Ok(()),
            _ => Err(self.wanted("the end")),
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

    pub fn wanted(&self, what: &str) -> ExpressionError {
        let token = self.token();
        self.error(match token.kind {
            Kind::End => format!("{what} is missing at the end"),
            Kind::Alias => format!("{what} is needed, not `#{}`", token.text),
            Kind::Value => format!("{what} is needed, not `:{}`", token.text),
            _ => format!("{what} is needed, not `{}`", token.text),
        })
    }

    /// Counts an operator or a function.
    pub fn count(&mut self) -> Result<(), ExpressionError> {
        self.operators += 1;
        match self.operators > EXPRESSION_OPERATORS {
            true => Err(self.error(format!(
                "more than {EXPRESSION_OPERATORS} operators and functions, which is the most that DynamoDB takes"
            ))),
            false => Ok(()),
        }
    }

    /// What `read` reads, once and again behind each comma.
    pub fn list<T>(
        &mut self,
        read: &mut dyn FnMut(&mut Self) -> Result<T, ExpressionError>,
    ) -> Result<Vec<T>, ExpressionError> {
        let mut list = vec![read(self)?];
        while self.takes(",") {
            list.push(read(self)?);
        }
        Ok(list)
    }

    /// The name of a function, if one is called here.
    pub fn called(&self) -> Option<&'a str> {
        let token = self.token();
        let next = self.tokens.get(self.at + 1)?;
        (token.kind == Kind::Word && next.kind == Kind::Symbol && next.text == "(")
            .then_some(token.text)
    }

    fn either(&mut self) -> Result<Condition, ExpressionError> {
        let mut left = self.both()?;
        while self.takes_word("OR") {
            self.count()?;
            left = Condition::Or(Box::new(left), Box::new(self.both()?));
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Condition, ExpressionError> {
        let mut left = self.not()?;
        while self.takes_word("AND") {
            self.count()?;
            left = Condition::And(Box::new(left), Box::new(self.not()?));
        }
        Ok(left)
    }

    fn not(&mut self) -> Result<Condition, ExpressionError> {
        if self.is_word("NOT") {
            self.count()?;
            self.next();
            return Ok(Condition::Not(Box::new(self.not()?)));
        }
        self.single()
    }

    fn single(&mut self) -> Result<Condition, ExpressionError> {
        let open = self.at;
        if self.takes("(") {
            // Counts, for no one may nest them without end.
            self.count()?;
            let condition = self.either()?;
            let close = self.at;
            self.expect(")")?;
            if self.group == Some((open + 1, close - 1)) {
                self.at = open;
                return Err(self
                    .error("these parentheses are redundant, which DynamoDB refuses".to_owned()));
            }
            self.group = Some((open, close));
            return Ok(condition);
        }
        match self.called() {
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
                    "`{function}` is for SET in an update, not for a condition"
                )));
            }
            _ if is_keyword(function) => return Err(self.wanted("a condition")),
            _ => {
                return Err(self.error(format!(
                    "there is no function `{function}`: there are attribute_exists, attribute_not_exists, attribute_type, begins_with, contains and size, in lower case"
                )));
            }
        };
        self.count()?;
        self.next();
        self.expect("(")?;
        let on_path = matches!(
            function,
            "attribute_exists" | "attribute_not_exists" | "attribute_type"
        );
        if on_path && self.token().kind == Kind::Value {
            return Err(self.wanted("an attribute"));
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
            ("attribute_type", Operand::Path(path), Some(kind)) => Condition::Type(path, kind),
            ("begins_with", first, Some(second)) => Condition::BeginsWith(first, second),
            ("contains", first, Some(second)) => Condition::Contains(first, second),
            _ => return Err(self.error(format!("`{function}` takes an attribute"))),
        })
    }

    fn comparison(&mut self) -> Result<Condition, ExpressionError> {
        let left = self.operand()?;
        self.count()?;
        if self.takes_word("BETWEEN") {
            let low = self.operand()?;
            if !self.takes_word("AND") {
                return Err(self.wanted("`AND` and the upper bound"));
            }
            return Ok(Condition::Between(left, low, self.operand()?));
        }
        if self.takes_word("IN") {
            self.expect("(")?;
            let list = self.list(&mut Parser::operand)?;
            if list.len() > IN_OPERANDS {
                return Err(self.error(format!(
                    "`IN` has {} values; DynamoDB takes at most {IN_OPERANDS}",
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
            return Err(self.wanted("a comparison, `BETWEEN` or `IN`"));
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
        match self.called() {
            Some("size") => {
                self.count()?;
                self.next();
                self.next();
                let path = self.path()?;
                self.expect(")")?;
                Ok(Operand::Size(path))
            }
            Some(function) if !is_keyword(function) => Err(self.error(format!(
                "`{function}` cannot stand here: only `size` gives a value to compare"
            ))),
            _ => Ok(Operand::Path(self.path()?)),
        }
    }

    /// `a.b[3]`.
    pub fn path(&mut self) -> Result<Path, ExpressionError> {
        let attribute = self.name()?;
        let mut steps = Vec::new();
        loop {
            if self.takes(".") {
                steps.push(Step::Field(self.name()?));
            } else if self.takes("[") {
                let token = self.token();
                let number = match token.kind {
                    Kind::Number if token.text == "0" || !token.text.starts_with('0') => {
                        token.text.parse().ok()
                    }
                    _ => None,
                };
                let Some(number) = number else {
                    return Err(self.wanted("the number of a list element"));
                };
                self.next();
                self.expect("]")?;
                steps.push(Step::Element(number));
            } else {
                break;
            }
            if steps.len() > NESTING_LEVELS {
                return Err(self.error(format!(
                    "the path has more than {NESTING_LEVELS} steps, deeper than an item can be nested"
                )));
            }
        }
        Ok(Path { attribute, steps })
    }

    fn name(&mut self) -> Result<Name, ExpressionError> {
        let token = self.token();
        let alias = token.kind == Kind::Alias;
        if !alias && (token.kind != Kind::Word || is_keyword(token.text)) {
            return Err(self.wanted("an attribute"));
        }
        self.next();
        let text = token.text.to_owned();
        Ok(Name { text, alias })
    }
}

pub(super) fn is_keyword(word: &str) -> bool {
    KEYWORDS
        .iter()
        .any(|other| word.eq_ignore_ascii_case(other))
}
