//! What is wrong with a text, and where.

use std::cell::RefCell;
use std::fmt;
use std::ops::Range;
use std::rc::Rc;

/// One problem of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextProblem {
    /// The affected bytes; empty at the place where something is missing.
    pub range: Range<usize>,
    /// Whether the text says something other than a design. A warning leaves a line out that the design does not need.
    pub is_error: bool,
    /// What is wrong, and what was expected.
    pub message: String,
}

/// The problems of a text while it is read: all cursors add to one list.
#[derive(Debug, Clone, Default)]
pub struct Problems(Rc<RefCell<Vec<TextProblem>>>);

impl Problems {
    /// Adds a problem.
    pub fn push(&self, problem: TextProblem) {
        self.0.borrow_mut().push(problem);
    }

    /// Where the errors with such a message start.
    pub fn errors(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<usize> {
        let all = self.0.borrow();
        let errors = all
            .iter()
            .filter(|it| it.is_error && is_wanted(&it.message));
        errors.map(|problem| problem.range.start).collect()
    }

    /// Drops all problems but these.
    pub fn retain(&self, keep: impl FnMut(&TextProblem) -> bool) {
        self.0.borrow_mut().retain(keep);
    }

    /// Takes the problems, in the order of the text.
    pub fn take(&self) -> Vec<TextProblem> {
        let mut problems = self.0.take();
        problems.sort_by_key(|problem| problem.range.start);
        problems
    }
}

/// A position in a text. Line and column count from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl Position {
    /// The position of a byte offset; the end of the text for a larger one.
    pub fn of(text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Position {
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
        }
    }
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// The problems as lines, each with its position: `line 3, column 5: unknown entity ...`.
pub fn describe(text: &str, problems: &[TextProblem]) -> String {
    let mut out = String::new();
    for problem in problems {
        let at = Position::of(text, problem.range.start);
        out.push_str(&format!("{at}: {}\n", problem.message));
    }
    out
}
