//! The comments around a statement that belong to it.

use super::super::keywords::BLOCKS;
use super::super::lexer;
use super::super::statement::Statement;
use super::blocks::Writer;

impl Writer<'_> {
    /// Where the comments directly above a statement begin. They move with it. Those that are indented further than a
    /// block are of the block above.
    pub(super) fn comments_above(&self, statement: &Statement) -> usize {
        let most = match is_block(statement) {
            true => self.indent(statement).len(),
            false => usize::MAX,
        };
        let mut start = statement.range.start;
        loop {
            let before = &self.text[..start];
            let line = before.strip_suffix('\n').unwrap_or(before);
            let line_start = line.rfind('\n').map_or(0, |at| at + 1);
            match comment_indent(&line[line_start..]) {
                Some(indent) if indent <= most => start = line_start,
                _ => return start,
            }
        }
    }

    /// The end of a statement. The comments right below a block that are indented further are its own, as in the usual
    /// layout.
    pub(super) fn end_of(&self, statement: &Statement) -> usize {
        let mut end = statement.range.end;
        if is_block(statement) {
            let least = self.indent(statement).len() + 1;
            for line in self.text[end..].split_inclusive('\n') {
                if comment_indent(line).is_none_or(|indent| indent < least) {
                    break;
                }
                end += line.len();
            }
        }
        end
    }
}

fn is_block(statement: &Statement) -> bool {
    BLOCKS.iter().any(|(_, kind, _)| *kind == statement.kind)
}

/// The width of the indentation of a line that is a comment.
fn comment_indent(line: &str) -> Option<usize> {
    let comment = line.trim_start();
    let is_comment = comment.starts_with("//") && !lexer::is_description(comment);
    is_comment.then(|| line.len() - comment.len())
}
