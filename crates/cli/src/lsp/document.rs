//! An open text with its design and its findings.

use super::positions::Lines;
use keyfold_app::text::{self, Symbol, symbol_at};
use keyfold_core::lint::{Linter, Report};
use keyfold_core::model::Design;
use keyfold_core::text::{Lowered, Parse, lower, parse, update};
use lsp_types::{
    Hover, HoverContents, MarkupContent, MarkupKind, Position, Range,
    TextDocumentContentChangeEvent, TextEdit, Uri, WorkspaceEdit,
};
use std::ops;

/// An open text.
pub struct Document {
    /// Its address.
    pub uri: Uri,
    /// Its version in the editor.
    pub version: i32,
    /// The text.
    pub text: String,
    /// The syntax tree.
    pub parse: Parse,
    /// The meaning.
    pub lowered: Lowered,
    /// Whether its diagnostics are yet to be published.
    pub is_dirty: bool,
    lines: Lines,
    /// The design of the last version without errors.
    known: Design,
    linter: Linter,
    report: Option<Report>,
}

impl Document {
    /// Opens a text.
    pub fn open(uri: Uri, version: i32, text: String) -> Document {
        let tree = parse(&text);
        let lowered = lower(&tree, None);
        Document {
            uri,
            version,
            lines: Lines::of(&text),
            text,
            parse: tree,
            known: lowered.design.clone(),
            lowered,
            is_dirty: true,
            linter: Linter::default(),
            report: None,
        }
    }

    /// Carries out changes of the editor, in order.
    pub fn change(&mut self, version: i32, changes: Vec<TextDocumentContentChangeEvent>) {
        for change in changes {
            match change.range {
                Some(range) => {
                    let bytes = self.bytes(range);
                    self.text.replace_range(bytes, &change.text);
                }
                None => self.text = change.text,
            }
            self.lines = Lines::of(&self.text);
        }
        self.version = version;
        self.parse = parse(&self.text);
        self.lowered = lower(&self.parse, Some(&self.known));
        if !self.lowered.has_errors() {
            self.known = self.lowered.design.clone();
            self.report = None;
        }
        self.is_dirty = true;
    }

    /// The findings of the last version without errors.
    pub fn report(&mut self) -> &Report {
        let (linter, known) = (&mut self.linter, &self.known);
        self.report
            .get_or_insert_with(|| keyfold_cost::lint(linter, known))
    }

    /// The bytes of a range; an end before the start is the start.
    pub fn bytes(&self, range: Range) -> ops::Range<usize> {
        let start = self.offset(range.start);
        start..self.offset(range.end).max(start)
    }

    /// The byte offset of a position.
    pub fn offset(&self, position: Position) -> usize {
        self.lines.offset(&self.text, position)
    }

    /// The part at a position.
    pub fn symbol_at(&self, position: Position) -> Option<Symbol> {
        symbol_at(&self.parse, &self.lowered, self.offset(position))
    }

    /// What is known of a position, as Markdown.
    pub fn hover(&self, position: Position) -> Option<Hover> {
        let found = text::hover(&self.parse, &self.lowered, self.offset(position))?;
        Some(Hover {
            contents: HoverContents::Markup(MarkupContent {
                kind: MarkupKind::Markdown,
                value: found.markdown(),
            }),
            range: Some(self.range(found.range)),
        })
    }

    /// The range of these bytes.
    pub fn range(&self, bytes: ops::Range<usize>) -> Range {
        self.lines.range(&self.text, bytes)
    }

    /// The changes of the text that make its design another one. Only the lines that differ change.
    pub fn edit(&self, design: &Design) -> WorkspaceEdit {
        let update = update(&self.text, &self.lowered.design, design);
        let edits = update.edits.into_iter().map(|edit| TextEdit {
            range: self.range(edit.range),
            new_text: edit.text,
        });
        WorkspaceEdit {
            changes: Some([(self.uri.clone(), edits.collect())].into()),
            ..WorkspaceEdit::default()
        }
    }
}
