//! What an expression consists of.

use crate::model::{SortOperator, Value};
use std::fmt;
use std::ops::Range;

/// What is wrong with an expression, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// Bytes of the expression's text; `None`: it is not about one place.
    pub span: Option<Range<usize>>,
    /// What is wrong, and what to write instead.
    pub message: String,
}

impl ExpressionError {
    pub(super) fn new(message: String) -> ExpressionError {
        let span = None;
        ExpressionError { span, message }
    }
}

impl fmt::Display for ExpressionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.span {
            Some(span) => write!(f, "column {}: {}", span.start + 1, self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for ExpressionError {}

/// A condition: key condition, filter or condition expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// `a < :b`.
    Compare(Operand, Comparator, Operand),
    /// `a BETWEEN :low AND :high`, both included.
    Between(Operand, Operand, Operand),
    /// `a IN (:b, :c)`.
    In(Operand, Vec<Operand>),
    /// `attribute_exists(a)`.
    Exists(Path),
    /// `attribute_not_exists(a)`.
    NotExists(Path),
    /// `attribute_type(a, :type)`.
    Type(Path, Operand),
    /// `begins_with(a, :text)`.
    BeginsWith(Operand, Operand),
    /// `contains(a, :part)`.
    Contains(Operand, Operand),
    /// Both hold.
    And(Box<Condition>, Box<Condition>),
    /// One of them holds.
    Or(Box<Condition>, Box<Condition>),
    /// It does not hold.
    Not(Box<Condition>),
}

/// A comparison of two values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparator {
    /// `=`.
    Equal,
    /// `<>`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessOrEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterOrEqual,
}

impl Comparator {
    /// As DynamoDB writes it.
    pub fn symbol(self) -> &'static str {
        match self {
            Comparator::Equal => "=",
            Comparator::NotEqual => "<>",
            Comparator::Less => "<",
            Comparator::LessOrEqual => "<=",
            Comparator::Greater => ">",
            Comparator::GreaterOrEqual => ">=",
        }
    }

    /// As a test of a key attribute, which `<>` cannot be.
    pub fn of_key(self) -> Option<SortOperator> {
        Some(match self {
            Comparator::Equal => SortOperator::Equal,
            Comparator::NotEqual => return None,
            Comparator::Less => SortOperator::Less,
            Comparator::LessOrEqual => SortOperator::LessOrEqual,
            Comparator::Greater => SortOperator::Greater,
            Comparator::GreaterOrEqual => SortOperator::GreaterOrEqual,
        })
    }

    /// The comparison with its sides exchanged.
    pub fn turned(self) -> Comparator {
        match self {
            Comparator::Less => Comparator::Greater,
            Comparator::LessOrEqual => Comparator::GreaterOrEqual,
            Comparator::Greater => Comparator::Less,
            Comparator::GreaterOrEqual => Comparator::LessOrEqual,
            same => same,
        }
    }
}

/// Something that has a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The value at a place of the item.
    Path(Path),
    /// `:name`: a value that comes with the request; the name without its colon.
    Value(String),
    /// The value itself, after binding.
    Literal(Value),
    /// `size(a)`.
    Size(Path),
}

/// An expression whose names and values are those that it is applied with: no alias is left in it, and no value that
/// comes with a request. Made by a [`super::Binder`].
#[derive(Debug, Clone, PartialEq)]
pub struct Bound<T>(pub(super) T);

impl<T> Bound<T> {
    /// The expression.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// A place in an item: `a.b[3]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The attribute; without the `#` if it was written with one.
    pub attribute: Name,
    /// The way from there.
    pub steps: Vec<Step>,
}

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The name, without `#`.
    pub text: String,
    /// Whether it was written behind a `#`: then the request says what it stands for. Never after binding.
    pub alias: bool,
}

impl Path {
    /// An attribute as a whole.
    pub fn attribute(name: impl Into<String>) -> Path {
        let text = name.into();
        let attribute = Name { text, alias: false };
        let steps = Vec::new();
        Path { attribute, steps }
    }
}

/// One step into a map or a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// `.name`.
    Field(Name),
    /// `[3]`.
    Element(usize),
}

/// An update expression.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Update {
    /// `SET a = :b`.
    pub set: Vec<(Path, Assigned)>,
    /// `REMOVE a`.
    pub remove: Vec<Path>,
    /// `ADD a :b`.
    pub add: Vec<(Path, Operand)>,
    /// `DELETE a :b`.
    pub delete: Vec<(Path, Operand)>,
}

/// The right side of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub enum Assigned {
    /// `:b`.
    Term(Term),
    /// `a + :b`.
    Sum(Term, Term),
    /// `a - :b`.
    Difference(Term, Term),
}

/// One value of an assignment.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    /// A path or a value.
    Operand(Operand),
    /// `if_not_exists(a, :b)`.
    IfNotExists(Path, Box<Term>),
    /// `list_append(a, :b)`.
    ListAppend(Box<Term>, Box<Term>),
    /// `(a + :b)`.
    Group(Box<Assigned>),
}
