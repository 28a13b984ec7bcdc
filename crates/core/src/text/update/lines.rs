//! Single lines: what replaces a line, and how an inserted line is written beside its neighbors.

use super::super::description;
use super::super::node::{INDENT, Node, padded, row, starts_group};
use super::super::statement::Statement;
use super::super::syntax::SyntaxKind;
use super::blocks::{TextEdit, Writer, difference, written};
use std::ops::Range;

/// How many tokens stand before the column of the rest of a line.
fn left_tokens(statement: &Statement) -> usize {
    match statement.kind {
        SyntaxKind::Key if statement.word() == "index" => 2,
        SyntaxKind::Card
            if statement
                .tokens
                .get(1)
                .is_some_and(|token| token.text == ",") =>
        {
            3
        }
        SyntaxKind::Attribute
            if statement
                .tokens
                .get(1)
                .is_some_and(|token| token.text == "?") =>
        {
            2
        }
        _ => 1,
    }
}

impl Writer<'_> {
    /// Changes the line of a statement where it means something else than before.
    pub(super) fn line(
        &mut self,
        statement: &Statement,
        siblings: &[Statement],
        known: Option<&Node>,
        node: &Node,
    ) {
        let same_code = known.is_some_and(|known| {
            (&known.left, &known.rest, &known.cells) == (&node.left, &node.rest, &node.cells)
        });
        let same_description = match known {
            Some(known) => known.description == node.description,
            None => statement.description == node.description,
        };
        let code = statement.code();
        if same_description {
            if !same_code {
                let text = self.code(statement, siblings, node);
                let (range, text) = self.with_gap(statement, text);
                self.edits.push(TextEdit { range, text });
            }
            return;
        }
        let indent = self.indent(statement).to_owned();
        for lead in &statement.lead {
            self.edits.push(TextEdit {
                range: lead.clone(),
                text: String::new(),
            });
        }
        let mut text = match same_code {
            true => self.text[code.clone()].to_owned(),
            false => self.code(statement, siblings, node),
        };
        let mut range = code.clone();
        if let Some(trailing) = &statement.trailing {
            range.end = trailing.end;
        }
        let lines = description::write(&node.description, usize::MAX);
        let is_short = lines.len() == 1 && text.chars().count() + lines[0].chars().count() < 100;
        let at_end = statement.comment.is_none()
            && is_short
            && (statement.kind == SyntaxKind::Attribute || statement.trailing.is_some())
            && statement.lead.is_empty();
        if at_end {
            let start = self.description_column(statement, siblings, &code);
            text = [
                &padded(&text, start.unwrap_or(0).saturating_sub(2)),
                "  ",
                &description::marked(&lines[0]),
            ]
            .concat();
        } else {
            let wrapped = description::write(&node.description, 96 - indent.len().min(40));
            let lines: String = (wrapped.iter())
                .map(|line| [&indent, &*description::marked(line), "\n"].concat())
                .collect();
            if !lines.is_empty() {
                self.insert(statement.line.start, lines);
            }
        }
        self.edits.push(TextEdit { range, text });
    }

    /// The column of a description at the end of a line, in characters from the first token: that of the line, else
    /// that of a neighbor.
    fn description_column(
        &self,
        statement: &Statement,
        siblings: &[Statement],
        code: &Range<usize>,
    ) -> Option<usize> {
        let own = statement
            .trailing
            .as_ref()
            .map(|range| code.start..range.start);
        let others = siblings.iter().filter_map(|other| {
            let trailing = other.trailing.as_ref()?;
            (other.kind == statement.kind).then(|| other.code().start..trailing.start)
        });
        let columns = own.into_iter().chain(others);
        let mut columns = columns.map(|range| self.text[range].chars().count());
        columns.next()
    }

    /// The range and the text that replace the code of a line, so that a comment or a description stays in its column.
    fn with_gap(&self, statement: &Statement, text: String) -> (Range<usize>, String) {
        let code = statement.code();
        let end = (statement.trailing.iter().chain(&statement.comment))
            .map(|range| range.start)
            .min();
        match end {
            Some(end) if end >= code.end => {
                let column = self.text[code.start..end].chars().count();
                let text = padded(&[&text, "  "].concat(), column);
                (code.start..end, text)
            }
            _ => (code, text),
        }
    }

    pub(super) fn indent(&self, statement: &Statement) -> &str {
        &self.text[statement.line.start..statement.code().start]
    }

    /// The words of a line, in the columns of its neighbors.
    fn code(&self, statement: &Statement, siblings: &[Statement], node: &Node) -> String {
        let own = std::slice::from_ref(statement);
        let column = self.column(own, node.kind);
        self.code_at(
            column.or_else(|| self.column(siblings, node.kind)),
            siblings,
            node,
        )
    }

    fn code_at(&self, column: Option<usize>, siblings: &[Statement], node: &Node) -> String {
        if node.kind == SyntaxKind::Row {
            return row(&node.cells, &self.widths(siblings));
        }
        if node.rest.is_empty() {
            return node.left.clone();
        }
        match column.filter(|column| node.left.chars().count() < *column) {
            Some(column) => [&padded(&node.left, column), node.rest.as_str()].concat(),
            None => {
                let gap = if is_aligned(node.kind) { "  " } else { " " };
                [&node.left, gap, &node.rest].concat()
            }
        }
    }

    /// The column of the rest of a line, in characters from the first token.
    fn column(&self, statements: &[Statement], kind: SyntaxKind) -> Option<usize> {
        let columns = statements.iter().filter_map(|other| {
            let rest = other.tokens.get(left_tokens(other))?;
            let start = other.code().start;
            (other.kind == kind && is_aligned(kind))
                .then(|| self.text[start..rest.range.start].chars().count())
        });
        columns.max()
    }

    /// The widths of the cells of the first row.
    fn widths(&self, siblings: &[Statement]) -> Vec<usize> {
        let first = (siblings.iter()).find(|other| other.kind == SyntaxKind::Row);
        let Some(first) = first else {
            return Vec::new();
        };
        let bars: Vec<usize> = (first.tokens.iter())
            .filter(|token| token.kind == SyntaxKind::Bar)
            .map(|token| token.range.start)
            .collect();
        (bars.windows(2))
            .map(|pair| {
                self.text[pair[0]..pair[1]]
                    .chars()
                    .count()
                    .saturating_sub(3)
            })
            .collect()
    }

    /// The lines of a new statement.
    pub(super) fn inserted(
        &self,
        node: &Node,
        known: Option<&Node>,
        siblings: &[Statement],
        parent: Option<&Statement>,
        depth: usize,
        last: Option<SyntaxKind>,
    ) -> String {
        let node = difference(node, known);
        let sibling = siblings.iter().find(|other| !other.tokens.is_empty());
        let indent = match (sibling, parent) {
            (Some(sibling), _) => self.indent(sibling).to_owned(),
            (None, Some(parent)) => [self.indent(parent), INDENT].concat(),
            (None, None) => INDENT.repeat(depth),
        };
        let mut text = match is_aligned(node.kind) || node.kind == SyntaxKind::Row {
            false => written(&node),
            true => {
                let mut aligned = node.clone();
                aligned.left = self.code_at(self.column(siblings, node.kind), siblings, &node);
                aligned.rest = String::new();
                aligned.kind = SyntaxKind::Setting;
                aligned.cells = Vec::new();
                self.with_description(&mut aligned, siblings, node.kind);
                written(&aligned)
            }
        };
        text = (text.lines())
            .map(|line| match line.is_empty() {
                true => "\n".to_owned(),
                false => [&indent, line, "\n"].concat(),
            })
            .collect();
        if depth == 0 {
            match last {
                None if !siblings.is_empty() => text.push('\n'),
                None => {}
                Some(_) => text.insert(0, '\n'),
            }
        } else if starts_group(node.kind, last) {
            text.insert(0, '\n');
        }
        text
    }

    /// Puts a short description at the end of the line.
    fn with_description(&self, node: &mut Node, siblings: &[Statement], kind: SyntaxKind) {
        let lines = description::write(&node.description, usize::MAX);
        let [only] = &lines[..] else {
            return;
        };
        if kind != SyntaxKind::Attribute || only.chars().count() > 84 {
            return;
        }
        let column = siblings.iter().find_map(|other| {
            let trailing = other.trailing.as_ref().filter(|_| other.kind == kind)?;
            Some(
                self.text[other.code().start..trailing.start]
                    .chars()
                    .count(),
            )
        });
        let start = padded(&[&*node.left, "  "].concat(), column.unwrap_or(0));
        node.left = [&start, &*description::marked(only)].concat();
        node.description = String::new();
    }

    /// The lines of a statement that moves, with its comments.
    pub(super) fn moved_text(
        &self,
        statement: &Statement,
        siblings: &[Statement],
        known: Option<&Node>,
        node: &Node,
    ) -> String {
        if known.is_some_and(|known| known.same_line(node)) {
            return self.text[statement.range.clone()].to_owned();
        }
        let mut other = Writer {
            text: self.text,
            lowered: self.lowered,
            old: self.old,
            new: self.new,
            line_end: "\n",
            moves_patterns: false,
            edits: Vec::new(),
        };
        other.line(statement, siblings, known, node);
        other
            .edits
            .sort_by_key(|edit| (edit.range.start, edit.range.end));
        let mut out = String::new();
        let mut at = statement.range.start;
        for edit in other.edits {
            out.push_str(&self.text[at..edit.range.start.max(at)]);
            out.push_str(&edit.text);
            at = edit.range.end.max(at);
        }
        out.push_str(&self.text[at..statement.range.end]);
        out
    }
}

fn is_aligned(kind: SyntaxKind) -> bool {
    matches!(
        kind,
        SyntaxKind::Attribute | SyntaxKind::Key | SyntaxKind::Card
    )
}
