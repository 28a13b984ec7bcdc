//! Writes Rust source in the layout of rustfmt's default settings, for the few forms of code in the generated file.
//! Names have a maximum length (`names`); literals do not, so calls can break.

use super::highlight::highlight_in_slices;
use crate::export::Code;
use crate::model::{SortedSet, shown};

/// rustfmt's `max_width`.
const WIDTH: usize = 100;
/// rustfmt's `fn_call_width` and `array_width`.
const LIST_WIDTH: usize = 60;
/// rustfmt's `struct_lit_width`.
const STRUCT_WIDTH: usize = 18;

/// rustfmt's `attr_fn_like_width`.
const ATTRIBUTE_WIDTH: usize = 70;

/// rustfmt's `short_array_element_width_threshold`.
const SHORT_ELEMENT: usize = 10;

/// Rust source under construction.
#[derive(Debug, Default)]
pub(super) struct Source {
    text: String,
    indent: usize,
    helpers: SortedSet<&'static str>,
}

impl Source {
    /// Writes a line; an empty text writes a blank line.
    pub fn line(&mut self, line: &str) {
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n(' ', self.indent));
            self.text.push_str(line);
        }
        self.text.push('\n');
    }

    /// Allows the next function to have this many arguments; Clippy's limit is seven.
    pub fn allow_many_arguments(&mut self, count: usize) {
        if count > 7 {
            self.line("#[allow(clippy::too_many_arguments)]");
        }
    }

    /// Writes lines unchanged, each at the current indentation.
    pub fn lines(&mut self, lines: &str) {
        for line in lines.lines() {
            self.line(line);
        }
    }

    /// Writes a line that opens a block.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.indent += 4;
    }

    /// Closes a block.
    pub fn close(&mut self, line: &str) {
        self.indent -= 4;
        self.line(line);
    }

    /// Writes a doc comment of one paragraph, wrapped. The text is trusted Markdown.
    pub fn doc(&mut self, text: &str) {
        self.comment("///", text);
    }

    /// Writes a comment of one paragraph, wrapped: the comment mark and the text.
    pub fn comment(&mut self, mark: &str, text: &str) {
        let room = WIDTH - self.indent - mark.len() - 1;
        let mut line = String::new();
        for word in text.split_whitespace() {
            if line.is_empty() {
                line.push_str(word);
            } else if width(&line) + 1 + width(word) <= room || starts_block(word) {
                line.push(' ');
                line.push_str(word);
            } else {
                self.line(&format!("{mark} {line}"));
                line = word.to_owned();
            }
        }
        self.line(format!("{mark} {line}").trim_end());
    }

    /// Writes a match arm.
    pub fn arm(&mut self, pattern: &str, value: &str) {
        let line = format!("{pattern} => {value},");
        if self.indent + width(&line) <= WIDTH {
            return self.line(&line);
        }
        self.open(&format!("{pattern} => {{"));
        self.line(value);
        self.close("}");
    }

    /// Writes `#[outer(feature = "…", inner(args))]`.
    pub fn attribute(&mut self, outer: &str, feature: &str, inner: &str, args: &[String]) {
        let feature = format!("feature = {}", quote(feature));
        let list = args.join(", ");
        let whole = format!("{feature}, {inner}({list})");
        if width(&whole) <= ATTRIBUTE_WIDTH {
            return self.line(&format!("#[{outer}({whole})]"));
        }
        self.open(&format!("#[{outer}("));
        self.line(&format!("{feature},"));
        if width(&list) <= ATTRIBUTE_WIDTH {
            self.line(&format!("{inner}({list})"));
        } else {
            self.open(&format!("{inner}("));
            for (place, arg) in (1..).zip(args) {
                let comma = if place < args.len() { "," } else { "" };
                self.line(&format!("{arg}{comma}"));
            }
            self.close(")");
        }
        self.close(")]");
    }

    /// Writes a function signature: `head` ends with `(`, `tail` begins with `)`.
    pub fn signature(&mut self, head: &str, params: &[String], tail: &str) {
        let line = format!("{head}{}{tail}", params.join(", "));
        if self.indent + width(&line) <= WIDTH {
            self.open(&line);
        } else {
            self.vertical(head, params, tail, true);
            self.indent += 4;
        }
    }

    /// Writes a statement with a call or a list: `head` ends with the opening bracket, `tail` begins with the closing
    /// bracket.
    pub fn call(&mut self, head: &str, args: &[String], tail: &str) {
        self.bracketed(head, args, tail, LIST_WIDTH, true);
    }

    /// Like [`Source::call`], for a list inside another pair of brackets.
    pub fn nested_call(&mut self, head: &str, args: &[String], tail: &str) {
        self.bracketed(head, args, tail, LIST_WIDTH - 2, true);
    }

    /// Like [`Source::call`], for a macro, whose last argument has no comma.
    pub fn macro_call(&mut self, head: &str, args: &[String], tail: &str) {
        self.bracketed(head, args, tail, LIST_WIDTH, false);
    }

    fn bracketed(&mut self, head: &str, args: &[String], tail: &str, most: usize, comma: bool) {
        let list = args.join(", ");
        let line = format!("{head}{list}{tail}");
        if self.indent + width(head) > WIDTH
            && let Some((left, right)) = head.split_once(" = ")
        {
            self.open(&format!("{left} ="));
            self.bracketed(right, args, tail, most, comma);
            self.indent -= 4;
        } else if args.len() > 1
            && width(&list) > most
            && comma
            && args.iter().all(|arg| is_short(arg))
        {
            self.open(head);
            self.array(args);
            self.close(tail);
        } else if args.len() > 1 && width(&list) > most {
            self.vertical(head, args, tail, comma);
        } else if self.indent + width(&line) <= WIDTH {
            self.line(&line);
        } else if let Some((left, right)) = head.split_once(" = ")
            && self.indent + 4 + width(&format!("{right}{list}{tail}")) <= WIDTH
        {
            self.line(&format!("{left} ="));
            self.line(&format!("    {right}{list}{tail}"));
        } else {
            self.vertical(head, args, tail, comma);
        }
    }

    fn vertical(&mut self, head: &str, items: &[String], tail: &str, comma: bool) {
        self.open(head);
        for (i, item) in items.iter().enumerate() {
            let comma = if comma || i + 1 < items.len() {
                ","
            } else {
                ""
            };
            if width(item) <= LIST_WIDTH + 2 {
                self.line(&format!("{item}{comma}"));
            } else if let Some((left, right)) = pair(item) {
                self.open("(");
                self.line(&format!("{left},"));
                self.line(&format!("{right},"));
                self.close(&format!("){comma}"));
            } else if let Some(literals) = array(item)
                .filter(|literals| literals.len() > 1 || self.indent + width(item) >= WIDTH)
            {
                self.open("[");
                self.array(&literals);
                self.close(&format!("]{comma}"));
            } else {
                self.line(&format!("{item}{comma}"));
            }
        }
        self.close(tail);
    }

    /// Writes the elements of a list, several per line if all are short.
    fn array(&mut self, elements: &[String]) {
        let packed = elements.iter().all(|element| is_short(element));
        let mut line = String::new();
        for element in elements {
            let fits = packed && self.indent + width(&line) + 1 + width(element) < WIDTH;
            if !line.is_empty() && !fits {
                self.line(&line);
                line.clear();
            }
            line.push_str(if line.is_empty() { "" } else { " " });
            line.push_str(&format!("{element},"));
        }
        self.line(&line);
    }

    /// Writes `left = right;` with an unbreakable right side.
    pub fn assign(&mut self, left: &str, right: &str) {
        let line = format!("{left} = {right};");
        let broken = self.indent + 4 + width(right) < WIDTH;
        if self.indent + width(&line) > WIDTH && broken {
            self.line(&format!("{left} ="));
            self.line(&format!("    {right};"));
        } else {
            self.line(&line);
        }
    }

    /// Writes `left = match value { arms };`.
    pub fn choose(&mut self, left: &str, value: &str, arms: &[&str]) {
        let head = format!("match {value} {{");
        let line = format!("{left} = {head}");
        let apart = self.indent + width(&line) > WIDTH;
        if apart {
            self.open(&format!("{left} ="));
            self.open(&head);
        } else {
            self.open(&line);
        }
        for arm in arms {
            self.line(arm);
        }
        self.close("};");
        if apart {
            self.indent -= 4;
        }
    }

    /// Writes a struct literal: `head` ends with ` {`, `tail` begins with `}`.
    pub fn fields(&mut self, head: &str, fields: &[String], tail: &str) {
        let list = fields.join(", ");
        if width(&list) <= STRUCT_WIDTH {
            self.line(&format!("{head} {list} {tail}"));
        } else {
            self.vertical(head, fields, tail, true);
        }
    }

    /// Writes `format!("…", args)` between `head` and `tail`; without arguments too.
    pub fn format(&mut self, head: &str, literal: &str, args: &[String], tail: &str) {
        let mut all = vec![literal.to_owned()];
        all.extend_from_slice(args);
        if args.is_empty() || width(&all.join(", ")) <= LIST_WIDTH {
            return self.bracketed(
                &format!("{head}format!("),
                &all,
                &format!("){tail}"),
                LIST_WIDTH,
                false,
            );
        }
        self.open(&format!("{head}format!("));
        self.line(&format!("{literal},"));
        let rest = args.join(", ");
        // rustfmt packs the arguments after a format string only if none of them is a call.
        if self.indent + width(&rest) < WIDTH && !rest.contains('(') {
            self.line(&rest);
        } else {
            for (i, arg) in args.iter().enumerate() {
                self.line(&format!(
                    "{arg}{}",
                    if i + 1 < args.len() { "," } else { "" }
                ));
            }
        }
        self.close(&format!("){tail}"));
    }

    /// Returns the path of a helper in the generated module `part`, and marks it as used.
    pub fn part(&mut self, helper: &'static str) -> String {
        self.helpers.insert(helper);
        format!("part::{helper}")
    }

    /// Whether the type `Number` is used.
    pub fn uses_numbers(&self) -> bool {
        self.text.contains("Number")
    }

    /// Returns the text so far.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Appends another source's lines unchanged.
    pub fn append(&mut self, other: Source) {
        self.text.push_str(&other.text);
    }

    /// Returns the used helpers.
    pub fn helpers(&self) -> &SortedSet<&'static str> {
        &self.helpers
    }

    /// Returns the tagged text.
    pub async fn finish(self) -> Code {
        highlight_in_slices(&self.text).await
    }
}

/// Whether rustfmt puts several such elements on one line.
fn is_short(element: &str) -> bool {
    width(element) <= SHORT_ELEMENT && !element.contains('(') && !element.contains("::")
}

/// Splits a pair `(NAME, value)`.
fn pair(item: &str) -> Option<(&str, &str)> {
    item.strip_prefix('(')?.strip_suffix(')')?.split_once(", ")
}

/// Returns the elements of an array of string literals.
fn array(item: &str) -> Option<Vec<String>> {
    let mut rest = item.strip_prefix('[')?.strip_suffix(']')?;
    let mut elements = Vec::new();
    while !rest.is_empty() {
        let mut escaped = false;
        let end = rest.char_indices().skip(1).find(|(_, c)| {
            let closes = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            closes
        });
        let (element, tail) = rest.split_at(end?.0 + 1);
        elements.push(element.to_owned());
        rest = tail.trim_start_matches(", ");
    }
    Some(elements)
}

/// Whether a comment line that begins with this word would begin a list, a heading, a quote or a table.
fn starts_block(word: &str) -> bool {
    word.starts_with(['-', '+', '*', '>', '#', '|', '=', '~', '<'])
        || word
            .trim_start_matches(|c: char| c.is_ascii_digit())
            .starts_with(['.', ')'])
}

/// Returns the number of columns. Literals contain no wide characters: [`quote`] escapes them.
fn width(text: &str) -> usize {
    text.chars().count()
}

/// A string literal.
pub(in crate::export) fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// Returns the content of a string literal. Escapes everything that is not visible and one column wide.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' '..='~' | '\u{c0}'..='\u{17f}' => out.push(c),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            other => out.push_str(&format!("\\u{{{:x}}}", other as u32)),
        }
    }
    out
}

/// Returns the content of a format string.
pub(super) fn escape_format(text: &str) -> String {
    // Double the braces first: `\u{…}` contains braces that are no placeholders.
    escape(&text.replace('{', "{{").replace('}', "}}"))
}

/// A code span in Markdown, on one line.
pub(super) fn code(text: &str) -> String {
    let text = one_line(text);
    if text.contains('`') {
        format!("`` {text} ``")
    } else {
        format!("`{text}`")
    }
}

/// Returns the author's prose as Markdown on one line, with escaped markup except for code spans.
pub(super) fn prose(text: &str) -> String {
    let text = one_line(text);
    let spans = text.matches('`').count().is_multiple_of(2);
    let mut out = String::new();
    let mut in_span = false;
    for c in text.chars() {
        match c {
            '`' if spans => in_span = !in_span,
            '[' | ']' | '<' | '`' | '*' | '_' | '\\' | '|' if !in_span => out.push('\\'),
            _ => {}
        }
        out.push(c);
    }
    if starts_block(&out) {
        let at = out.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        out.insert(at, '\\');
    }
    out
}

/// Collapses white space and hidden characters to single spaces.
pub(super) fn one_line(text: &str) -> String {
    shown(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
