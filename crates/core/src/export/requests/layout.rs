//! The layout of nested code: what fits is on one line; otherwise it breaks from the outside in.

use crate::export::{CodeWriter, Tag};

/// A piece of code.
#[derive(Debug)]
pub(super) enum Tree {
    /// A token, or anything that never breaks.
    Atom(String, Option<Tag>),
    /// Items between brackets, separated by commas.
    Group {
        /// The opening bracket, with any text before it.
        open: String,
        /// The items.
        items: Vec<Tree>,
        /// The closing bracket.
        close: &'static str,
        /// Whether a single line has spaces inside the brackets.
        spaced: bool,
    },
    /// A key, a colon and a value.
    Pair(String, Tag, Box<Tree>),
    /// A chain of method calls.
    Chain {
        /// The receiver of the first call.
        head: String,
        /// The methods, with their arguments.
        calls: Vec<(String, Vec<Tree>)>,
        /// The text after the last call, such as `?`.
        tail: &'static str,
    },
}

/// The layout of a language.
pub(super) struct Style {
    /// The maximum width of a line.
    pub line: usize,
    /// The maximum width of a group on one line, with its brackets.
    pub group: usize,
    /// The maximum width of a chain on one line.
    pub chain: usize,
    /// The number of spaces of one indentation level.
    pub indent: usize,
    /// Whether a broken group ends with a comma.
    pub last_comma: bool,
    /// Escapes a text, such as quotes inside a quoted text.
    pub escape: fn(&str) -> String,
}

impl Tree {
    pub fn text(text: impl Into<String>) -> Tree {
        Tree::Atom(text.into(), Some(Tag::Text))
    }

    /// Returns the width on one line.
    fn width(&self, style: &Style) -> usize {
        match self {
            Tree::Atom(text, _) => count(style, text),
            Tree::Group {
                open,
                items,
                close,
                spaced,
            } => {
                let inside = list_width(items, style);
                let spaces = if *spaced && !items.is_empty() { 2 } else { 0 };
                count(style, open) + inside + spaces + close.len()
            }
            Tree::Pair(key, _, value) => count(style, key) + 2 + value.width(style),
            Tree::Chain { head, calls, tail } => {
                let mut width = count(style, head) + tail.len();
                for (name, items) in calls {
                    width += name.len() + 3 + list_width(items, style);
                }
                width
            }
        }
    }

    /// Writes the piece at a position.
    pub fn write(&self, out: &mut CodeWriter, style: &Style, at: At) {
        let width = self.width(style);
        let fits = at.column + width + at.after <= style.line;
        match self {
            Tree::Atom(text, tag) => put(out, *tag, &(style.escape)(text)),
            Tree::Group {
                open,
                items,
                close,
                spaced,
            } => {
                put(out, None, &(style.escape)(open));
                // The text between the outermost brackets.
                let outer = open.find(['(', '[', '{']).map_or(0, |at| at + 2);
                let inside = width.saturating_sub(outer);
                if items.is_empty() || fits && inside <= style.group {
                    let space = if *spaced && !items.is_empty() {
                        " "
                    } else {
                        ""
                    };
                    put(out, None, space);
                    one_line(items, out, style);
                    put(out, None, space);
                } else {
                    broken(items, out, style, at);
                }
                put(out, None, close);
            }
            Tree::Pair(key, tag, value) => {
                put(out, Some(*tag), &(style.escape)(key));
                put(out, None, ": ");
                let column = at.column + count(style, key) + 2;
                value.write(out, style, At { column, ..at });
            }
            Tree::Chain { head, calls, tail } => {
                put(out, None, head);
                let short = fits && width <= style.chain;
                if !short {
                    out.indent(style.indent);
                }
                let indent = at.indent + style.indent;
                for (number, (name, items)) in calls.iter().enumerate() {
                    if !short {
                        out.end_line();
                    }
                    put(out, None, ".");
                    put(out, Some(Tag::Function), name);
                    if name == "await" {
                        continue;
                    }
                    let is_last = number + 1 == calls.len();
                    let after = if is_last { tail.len() + at.after } else { 0 };
                    let start = At {
                        column: indent + name.len() + 2,
                        indent,
                        after: after + 1,
                    };
                    put(out, None, "(");
                    arguments(items, out, style, start, short);
                    put(out, None, ")");
                }
                put(out, None, tail);
                if !short {
                    out.dedent(style.indent);
                }
            }
        }
    }
}

/// The position of a piece of code.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// The column.
    pub column: usize,
    /// The indentation of its line.
    pub indent: usize,
    /// The number of characters that follow it on its line.
    pub after: usize,
}

fn put(out: &mut CodeWriter, tag: Option<Tag>, text: &str) {
    match tag {
        Some(tag) => out.tag(tag, text),
        None if text.is_empty() => out,
        None => out.put(text),
    };
}

fn count(style: &Style, text: &str) -> usize {
    (style.escape)(text).chars().count()
}

fn list_width(items: &[Tree], style: &Style) -> usize {
    let widths: usize = items.iter().map(|item| item.width(style)).sum();
    widths + 2 * items.len().saturating_sub(1)
}

fn one_line(items: &[Tree], out: &mut CodeWriter, style: &Style) {
    let wide = Style {
        line: usize::MAX,
        group: usize::MAX,
        chain: usize::MAX,
        ..*style
    };
    for (number, item) in items.iter().enumerate() {
        put(out, None, if number == 0 { "" } else { ", " });
        let at = At {
            column: 0,
            indent: 0,
            after: 0,
        };
        item.write(out, &wide, at);
    }
}

fn broken(items: &[Tree], out: &mut CodeWriter, style: &Style, at: At) {
    out.indent(style.indent);
    for (number, item) in items.iter().enumerate() {
        out.end_line();
        let is_last = number + 1 == items.len();
        let comma = !is_last || style.last_comma;
        let start = At {
            column: at.indent + style.indent,
            indent: at.indent + style.indent,
            after: comma.into(),
        };
        item.write(out, style, start);
        put(out, None, if comma { "," } else { "" });
    }
    out.dedent(style.indent);
    out.end_line();
}

/// Writes the arguments of a call, without parentheses.
fn arguments(items: &[Tree], out: &mut CodeWriter, style: &Style, at: At, short: bool) {
    let width = list_width(items, style);
    if short
        || items.is_empty()
        || width <= style.group && at.column + width + at.after <= style.line
    {
        return one_line(items, out, style);
    }
    match items {
        [only @ Tree::Group { .. }] => only.write(out, style, at),
        // A single token stays after its bracket if there is room.
        [only @ Tree::Atom(..)] if at.column + width + at.after <= style.line => {
            only.write(out, style, at);
        }
        _ => broken(items, out, style, at),
    }
}
