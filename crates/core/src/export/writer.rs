//! The output of every exporter: text with tagged spans, so that the preview can color it without parsing it.

use crate::model::shown;
use std::ops::Range;

/// The kind of a span of exported text. Each kind has its own color in the preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tag {
    /// A comment.
    Comment,
    /// A keyword of the language, or a short tag such as `!Ref`.
    Keyword,
    /// A type, or a resource type.
    Type,
    /// A function or macro.
    Function,
    /// A key of a map, or a field.
    Key,
    /// A string literal.
    Text,
    /// A number or a boolean.
    Number,
    /// In a comparison of two texts: only in the new text.
    Added,
    /// In a comparison of two texts: only in the old text.
    Removed,
}

/// An exported text with tagged spans.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// The text, which ends with a line feed.
    pub text: String,
    /// Byte ranges of `text` with their tags, in order and without overlap. Other text has no tag.
    pub spans: Vec<(Range<usize>, Tag)>,
}

/// Writes [`Code`] line by line.
#[derive(Debug, Default)]
pub struct CodeWriter {
    code: Code,
    indent: usize,
}

impl CodeWriter {
    /// Creates an empty writer. Exporters choose their own indentation: see [`CodeWriter::indent`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Indents the following lines by `spaces` more.
    pub fn indent(&mut self, spaces: usize) {
        self.indent += spaces;
    }

    /// Indents the following lines by `spaces` fewer.
    pub fn dedent(&mut self, spaces: usize) {
        self.indent = self.indent.saturating_sub(spaces);
    }

    /// Returns the number of characters in the current line, with its indentation.
    pub fn column(&self) -> usize {
        let line = self.code.text.rsplit('\n').next().unwrap_or_default();
        match line.is_empty() {
            true => self.indent,
            false => line.chars().count(),
        }
    }

    /// Adds plain text to the current line. The text must not contain a line feed.
    pub fn put(&mut self, text: &str) -> &mut Self {
        if self.code.text.is_empty() || self.code.text.ends_with('\n') {
            for _ in 0..self.indent {
                self.code.text.push(' ');
            }
        }
        self.code.text.push_str(text);
        self
    }

    /// Adds tagged text to the current line. The text must not contain a line feed.
    pub fn tag(&mut self, tag: Tag, text: &str) -> &mut Self {
        self.put("");
        let start = self.code.text.len();
        self.code.text.push_str(text);
        if !text.is_empty() {
            self.code.spans.push((start..self.code.text.len(), tag));
        }
        self
    }

    /// Ends the current line; ends an empty line as a blank line.
    pub fn end_line(&mut self) -> &mut Self {
        self.code.text.push('\n');
        self
    }

    /// Returns the text written so far.
    pub fn finish(self) -> Code {
        self.code
    }
}

/// Replaces hidden characters, including line ends, with spaces.
pub fn one_line(text: &str) -> String {
    shown(text)
}
