//! Lays out nested code: what fits stands on one line, what does not is broken from the outside in.

use crate::export::{CodeWriter, Tag};

/// A piece of code.
#[derive(Debug)]
pub(super) enum Tree {
    /// A word, or anything that is never broken.
    Atom(String, Option<Tag>),
    /// Pieces between brackets, with commas between them.
    Group {
        /// What stands before the first.
        open: String,
        /// The pieces.
        items: Vec<Tree>,
        /// What stands behind the last.
        close: &'static str,
        /// Whether there is a space inside the brackets on one line.
        spaced: bool,
    },
    /// A key, a colon and a value.
    Pair(String, Tag, Box<Tree>),
    /// Calls of methods, one after the other.
    Chain {
        /// What they are called on.
        head: String,
        /// The methods, with their arguments.
        calls: Vec<(String, Vec<Tree>)>,
        /// What stands behind the last call, such as `?`.
        tail: &'static str,
    },
}

/// How a language is laid out.
pub(super) struct Style {
    /// The longest line.
    pub line: usize,
    /// The longest group, from bracket to bracket, that stands on one line.
    pub group: usize,
    /// The longest chain that stands on one line.
    pub chain: usize,
    /// Spaces of one step of indentation.
    pub indent: usize,
    /// Whether a comma stands behind the last piece of a broken group.
    pub last_comma: bool,
    /// What becomes of each text, such as quotes inside a quoted text.
    pub escape: fn(&str) -> String,
}

impl Tree {
    pub fn text(text: impl Into<String>) -> Tree {
        Tree::Atom(text.into(), Some(Tag::Text))
    }

    /// Its width on one line.
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

    /// Writes it at a column of a line, with so many characters to follow it there.
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
                // What stands between the outermost brackets.
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

/// Where a piece of code begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct At {
    /// The column.
    pub column: usize,
    /// The indentation of its line.
    pub indent: usize,
    /// How many characters follow it on its line.
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

/// The arguments of a call, without their parentheses.
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
        // One word stands behind its bracket as long as there is room.
        [only @ Tree::Atom(..)] if at.column + width + at.after <= style.line => {
            only.write(out, style, at);
        }
        _ => broken(items, out, style, at),
    }
}
