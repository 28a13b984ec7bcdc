//! Formatting, and the blocks that an editor can fold.

use super::document::Document;
use keyfold_core::text;
use keyfold_core::text::{SyntaxKind, SyntaxNode, SyntaxToken};
use lsp_types::{FoldingRange, TextEdit};

/// The change that brings a text into its usual layout: the lines from the first to the last that differ.
pub fn format(document: &Document) -> Vec<TextEdit> {
    let (old, new) = (document.text.as_str(), text::format(&document.parse));
    if old == new {
        return Vec::new();
    }
    let start = same(old.split_inclusive('\n'), new.split_inclusive('\n'));
    let (rest, new) = (&old[start..], &new[start..]);
    let end = same(
        rest.split_inclusive('\n').rev(),
        new.split_inclusive('\n').rev(),
    );
    vec![TextEdit {
        range: document.range(start..old.len() - end),
        new_text: new[..new.len() - end].to_owned(),
    }]
}

/// The bytes of the first lines that are equal.
fn same<'a>(left: impl Iterator<Item = &'a str>, right: impl Iterator<Item = &'a str>) -> usize {
    let pairs = left.zip(right).take_while(|(left, right)| left == right);
    pairs.map(|(line, _)| line.len()).sum()
}

/// The blocks of several lines, and the transactions in them.
pub fn folds(document: &Document) -> Vec<FoldingRange> {
    let nodes = document.parse.root().descendants().skip(1);
    let folds = nodes.filter_map(|node| {
        let start = first_word(&node)?.text_range().start();
        let mut tokens = node
            .descendants_with_tokens()
            .filter_map(|e| e.into_token());
        let last = tokens.by_ref().filter(is_code).last()?;
        let lines = document.range(start.into()..last.text_range().end().into());
        (lines.start.line < lines.end.line).then(|| FoldingRange {
            start_line: lines.start.line,
            end_line: lines.end.line,
            ..FoldingRange::default()
        })
    });
    folds.collect()
}

fn is_code(token: &SyntaxToken) -> bool {
    !token.kind().is_trivia() && token.kind() != SyntaxKind::Description
}

/// The first word of a statement, after the descriptions above it.
pub fn first_word(node: &SyntaxNode) -> Option<SyntaxToken> {
    let mut tokens = node.children_with_tokens().filter_map(|e| e.into_token());
    tokens.find(is_code)
}
