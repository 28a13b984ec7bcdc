//! The syntax tree of expressions.

use crate::model::{SortOperator, Value};
use std::fmt;
use std::ops::Range;

/// An error in an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExpressionError {
    /// Byte range in the expression's text; `None` if the error has no single place.
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
    /// `a BETWEEN :low AND :high`, bounds included.
    Between(Operand, Operand, Operand),
    /// `a IN (:b, :c)`.
    In(Operand, Vec<Operand>),
    /// `attribute_exists(a)`.
    Exists(Path),
    /// `attribute_not_exists(a)`.
    NotExists(Path),
    /// `attribute_type(a, :type)`. The first operand is a path or a value.
    Type(Operand, Operand),
    /// `begins_with(a, :text)`.
    BeginsWith(Operand, Operand),
    /// `contains(a, :part)`.
    Contains(Operand, Operand),
    /// Both conditions hold.
    And(Box<Condition>, Box<Condition>),
    /// At least one condition holds.
    Or(Box<Condition>, Box<Condition>),
    /// The condition does not hold.
    Not(Box<Condition>),
}

/// A comparison operator.
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
    /// The operator as DynamoDB writes it.
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

    /// The operator as a sort key operator; `None` for `<>`.
    pub fn sort_operator(self) -> Option<SortOperator> {
        Some(match self {
            Comparator::Equal => SortOperator::Equal,
            Comparator::NotEqual => return None,
            Comparator::Less => SortOperator::Less,
            Comparator::LessOrEqual => SortOperator::LessOrEqual,
            Comparator::Greater => SortOperator::Greater,
            Comparator::GreaterOrEqual => SortOperator::GreaterOrEqual,
        })
    }

    /// The operator with its sides exchanged.
    pub fn flipped(self) -> Comparator {
        match self {
            Comparator::Less => Comparator::Greater,
            Comparator::LessOrEqual => Comparator::GreaterOrEqual,
            Comparator::Greater => Comparator::Less,
            Comparator::GreaterOrEqual => Comparator::LessOrEqual,
            same => same,
        }
    }
}

/// An operand: something with a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// The value at a path of the item.
    Path(Path),
    /// `:name`: a value of the request, by its name without the colon.
    Value(String),
    /// A literal value, after binding.
    Literal(Value),
    /// `size(a)`.
    Size(Path),
}

/// An expression whose names and values are resolved: it contains no aliases and no values of a request. A
/// [`super::Binder`] makes it.
#[derive(Debug, Clone, PartialEq)]
pub struct Bound<T>(pub(super) T);

impl<T> Bound<T> {
    /// The expression.
    pub fn get(&self) -> &T {
        &self.0
    }
}

/// A path in an item: `a.b[3]`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Path {
    /// The attribute, without the `#` if it was written with one.
    pub attribute: Name,
    /// The steps from the attribute on.
    pub steps: Vec<PathStep>,
}

/// A name in an expression.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// The name, without `#` or quotes.
    pub text: String,
    /// Whether it was written with a `#` or in quotes, so that the request resolves it. Always false after binding.
    pub alias: bool,
}

impl Path {
    /// The path of a whole attribute.
    pub fn attribute(name: impl Into<String>) -> Path {
        let text = name.into();
        let attribute = Name { text, alias: false };
        let steps = Vec::new();
        Path { attribute, steps }
    }
}

/// A step into a map or a list.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum PathStep {
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

/// A value in an assignment.
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
