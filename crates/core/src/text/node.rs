//! The lines of a printed design as a tree, and their layout: indentation, columns, descriptions.

use super::description;
use super::syntax::SyntaxKind;

/// A printed statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// The part of the design that it says, unique among its siblings. A number after `#` is only a position.
    pub key: String,
    /// The kind of the statement.
    pub kind: SyntaxKind,
    /// The words before the column.
    pub left: String,
    /// The rest of the line.
    pub rest: String,
    /// The cells of a row.
    pub cells: Vec<String>,
    /// What the descriptions say.
    pub description: String,
    /// The statements that belong to it.
    pub children: Vec<Node>,
}

impl Node {
    /// A statement of one line.
    pub fn new(key: impl Into<String>, kind: SyntaxKind, left: impl Into<String>) -> Node {
        Node {
            key: key.into(),
            kind,
            left: left.into(),
            rest: String::new(),
            cells: Vec::new(),
            description: String::new(),
            children: Vec::new(),
        }
    }

    /// With the rest of its line.
    pub fn rest(mut self, rest: impl Into<String>) -> Node {
        self.rest = rest.into();
        self
    }

    /// With a description.
    pub fn described(mut self, description: &str) -> Node {
        description.clone_into(&mut self.description);
        self
    }

    /// Whether the lines are equal, apart from the statements that belong to them.
    pub fn same_line(&self, other: &Node) -> bool {
        (&self.left, &self.rest, &self.cells, &self.description)
            == (&other.left, &other.rest, &other.cells, &other.description)
    }
}

/// A line with what is around it.
#[derive(Debug, Clone)]
pub struct Line {
    /// How deep it is indented.
    pub depth: usize,
    /// The kind of its statement.
    pub kind: SyntaxKind,
    /// Lines above it: comments and descriptions, without indentation. Empty for an empty line.
    pub above: Vec<String>,
    /// The words before the column.
    pub left: String,
    /// The rest of the line.
    pub rest: String,
    /// The cells of a row.
    pub cells: Vec<String>,
    /// What follows the line: a description or a comment.
    pub end: String,
    /// A description that goes to the end of the line or above it, wherever it fits.
    pub description: String,
}

/// Maximum width of an attribute with its description, in characters. A longer description goes above it.
const WIDTH: usize = 132;
/// Maximum width of a line of description above a line.
const DESCRIPTION_WIDTH: usize = 100;
/// Maximum column of the descriptions at the ends of attributes.
const DESCRIPTION_COLUMN: usize = 46;
/// Maximum width of a column of samples. A longer cell is not followed by its neighbors.
const CELL: usize = 36;
/// The indentation of one level.
pub const INDENT: &str = "  ";

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// Adds spaces up to this width.
pub fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(chars(text));
    [text, &" ".repeat(missing)].concat()
}

/// Writes lines with a line end each. Lines of one kind in a row share their columns.
pub fn write(lines: Vec<Line>) -> String {
    let mut out = String::new();
    let mut at = 0;
    while at < lines.len() {
        let same = |other: &Line| (other.kind, other.depth) == (lines[at].kind, lines[at].depth);
        let count = lines[at..].iter().take_while(|line| same(line)).count();
        group(&lines[at..at + count], &mut out);
        at += count;
    }
    out
}

/// The texts of lines that share their columns, without indentation and what is around them.
fn texts(lines: &[Line]) -> Vec<String> {
    match lines.first().map(|line| line.kind) {
        Some(SyntaxKind::Row) => rows(lines),
        Some(SyntaxKind::Attribute | SyntaxKind::Key | SyntaxKind::Card) => {
            let width = lines.iter().map(|line| chars(&line.left)).max();
            let width = width.unwrap_or(0).min(30);
            let text = |line: &Line| match line.rest.is_empty() {
                true => line.left.clone(),
                false => [&padded(&line.left, width), "  ", &line.rest].concat(),
            };
            lines.iter().map(text).collect()
        }
        _ => {
            let text = |line: &Line| match line.rest.is_empty() {
                true => line.left.clone(),
                false => [&line.left, " ", &line.rest].concat(),
            };
            lines.iter().map(text).collect()
        }
    }
}

fn rows(lines: &[Line]) -> Vec<String> {
    let columns = lines.iter().map(|line| line.cells.len()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.cells.get(column));
            let widths = cells.map(|cell| chars(cell));
            widths.filter(|width| *width <= CELL).max().unwrap_or(0)
        })
        .collect();
    lines.iter().map(|line| row(&line.cells, &widths)).collect()
}

/// A row with columns of these widths.
pub fn row(cells: &[String], widths: &[usize]) -> String {
    let mut out = "|".to_owned();
    for (at, cell) in cells.iter().enumerate() {
        out.push(' ');
        out.push_str(&padded(cell, widths.get(at).copied().unwrap_or(0)));
        out.push_str(" |");
    }
    out
}

/// The description of a line, if it fits at the end of a text of this width.
fn short_description(line: &Line, width: usize) -> Option<String> {
    let lines = description::write(&line.description, usize::MAX);
    let [only] = &lines[..] else {
        return None;
    };
    let start = (width + 2).max(DESCRIPTION_COLUMN);
    (start + 4 + chars(only) <= WIDTH).then(|| description::marked(only))
}

fn group(lines: &[Line], out: &mut String) {
    let texts = texts(lines);
    let aligns = lines[0].kind == SyntaxKind::Attribute;
    let ends: Vec<String> = (lines.iter().zip(&texts))
        .map(|(line, text)| match line.end.is_empty() && aligns {
            true => short_description(line, chars(text)).unwrap_or_default(),
            false => line.end.clone(),
        })
        .collect();
    let column = (texts.iter().zip(&ends))
        .filter(|(_, end)| aligns && !end.is_empty())
        .map(|(text, _)| chars(text) + 2)
        .filter(|width| *width <= DESCRIPTION_COLUMN)
        .max();
    for ((line, text), end) in lines.iter().zip(&texts).zip(&ends) {
        let indent = INDENT.repeat(line.depth);
        let start = match column {
            Some(column) if chars(text) + 2 <= column => padded(text, column),
            _ => [text, "  "].concat(),
        };
        let mut above = line.above.clone();
        if end.is_empty() {
            let width = DESCRIPTION_WIDTH - 4 - chars(&indent);
            let wrapped = description::write(&line.description, width);
            above.extend(wrapped.iter().map(|line| description::marked(line)));
        }
        for above in &above {
            if !above.is_empty() {
                out.push_str(&indent);
                out.push_str(above);
            }
            out.push('\n');
        }
        out.push_str(&indent);
        match end.is_empty() {
            true => out.push_str(text),
            false => {
                out.push_str(&start);
                out.push_str(end);
            }
        }
        out.push('\n');
    }
}

/// The lines of printed statements, with empty lines between blocks and between the groups of a block.
pub fn lines(nodes: &[Node]) -> Vec<Line> {
    let mut out = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        add(node, 0, at > 0, &mut out);
    }
    out
}

/// Adds the lines of a statement.
pub fn add(node: &Node, depth: usize, space: bool, out: &mut Vec<Line>) {
    out.push(Line {
        depth,
        kind: node.kind,
        above: if space {
            vec![String::new()]
        } else {
            Vec::new()
        },
        left: node.left.clone(),
        rest: node.rest.clone(),
        cells: node.cells.clone(),
        end: String::new(),
        description: node.description.clone(),
    });
    for (at, child) in node.children.iter().enumerate() {
        let before = at.checked_sub(1).map(|at| node.children[at].kind);
        let space = starts_group(child.kind, before);
        add(child, depth + 1, space, out);
    }
}

/// Whether an empty line separates a statement from the one before it in its block.
pub fn starts_group(kind: SyntaxKind, before: Option<SyntaxKind>) -> bool {
    let groups = match kind {
        SyntaxKind::Key | SyntaxKind::Row => true,
        // The volume of an entity without keys.
        SyntaxKind::Setting => before == Some(SyntaxKind::Attribute),
        _ => false,
    };
    groups && before.is_some_and(|before| before != kind)
}
