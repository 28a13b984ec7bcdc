//! What every exporter writes into: text, and what each piece of it is, so that the preview can colour it
//! without parsing it again.

use crate::model::shown;
use std::ops::Range;

/// What a piece of exported text is. The preview gives each its colour.
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
    /// In a comparison of two texts: only in the new one.
    Added,
    /// In a comparison of two texts: only in the old one.
    Removed,
}

/// An exported text with its tagged pieces.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Code {
    /// The whole text; ends with a line feed.
    pub text: String,
    /// Byte ranges of `text` and what they are: in order, without overlap. The rest is plain.
    pub spans: Vec<(Range<usize>, Tag)>,
}

/// Writes [`Code`] line by line.
#[derive(Debug, Default)]
pub struct CodeWriter {
    code: Code,
    indent: usize,
}

impl CodeWriter {
    /// Spaces of one step of indentation are the exporter's: pass them to [`CodeWriter::indent`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Lines from here on start with `spaces` more.
    pub fn indent(&mut self, spaces: usize) {
        self.indent += spaces;
    }

    /// Lines from here on start with `spaces` fewer.
    pub fn dedent(&mut self, spaces: usize) {
        self.indent = self.indent.saturating_sub(spaces);
    }

    /// Characters that the current line has, its indentation included.
    pub fn column(&self) -> usize {
        let line = self.code.text.rsplit('\n').next().unwrap_or_default();
        match line.is_empty() {
            true => self.indent,
            false => line.chars().count(),
        }
    }

    /// Adds plain text to the current line. It must hold no line feed.
    pub fn put(&mut self, text: &str) -> &mut Self {
        if self.code.text.is_empty() || self.code.text.ends_with('\n') {
            for _ in 0..self.indent {
                self.code.text.push(' ');
            }
        }
        self.code.text.push_str(text);
        self
    }

    /// Adds tagged text to the current line. It must hold no line feed.
    pub fn tag(&mut self, tag: Tag, text: &str) -> &mut Self {
        self.put("");
        let start = self.code.text.len();
        self.code.text.push_str(text);
        if !text.is_empty() {
            self.code.spans.push((start..self.code.text.len(), tag));
        }
        self
    }

    /// Ends the current line; on an empty one, leaves a blank line.
    pub fn end_line(&mut self) -> &mut Self {
        self.code.text.push('\n');
        self
    }

    /// The text written so far, as [`Code`].
    pub fn finish(self) -> Code {
        self.code
    }
}

/// The text with hidden characters, line ends among them, as spaces.
pub fn one_line(text: &str) -> String {
    shown(text)
}
