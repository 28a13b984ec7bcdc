//! Writes a [tree](super::tree) as YAML, for templates: block style, CloudFormation's short tags, comments.
//!
//! CloudFormation reads YAML 1.1, most other tools 1.2. A string is plain only if both read it as that string;
//! otherwise it is quoted. The writer uses no anchors, no flow style except `{}` and `[]`, and no block scalars: a text
//! of several lines is one double-quoted line.

use super::tree::{Entry, Map, Node};
use super::writer::{Code, CodeWriter, Tag};
use crate::model::{is_hidden, shown};
use std::borrow::Cow;

/// The number of spaces of one indentation level.
const STEP: usize = 2;

/// The maximum bytes of a key before its colon; YAML allows 1024 characters. A longer key is written as `? key`.
const MAX_SIMPLE_KEY_BYTES: usize = 1000;

/// Writes a document with this map as its root.
pub fn document(root: &Map) -> Code {
    let mut out = CodeWriter::new();
    write_map(&mut out, root);
    out.finish()
}

/// What precedes a value on its line.
#[derive(Clone, Copy)]
enum After {
    Colon,
    Dash,
}

fn write_map(out: &mut CodeWriter, map: &Map) {
    for entry in map.entries() {
        match entry {
            Entry::Pair(key, value) => {
                let key = scalar(key);
                if key.len() > MAX_SIMPLE_KEY_BYTES {
                    out.put("? ").tag(Tag::Key, &key).end_line();
                } else {
                    out.tag(Tag::Key, &key);
                }
                out.put(":");
                write_value(out, value, After::Colon);
            }
            Entry::Comment(text) => write_comment(out, text),
            Entry::Blank => {
                out.end_line();
            }
        }
    }
    if map.is_empty() {
        out.put("{}").end_line();
    }
}

fn write_value(out: &mut CodeWriter, value: &Node, after: After) {
    match value {
        Node::Map(map) if !map.is_empty() => block(out, after, |out| write_map(out, map)),
        Node::List(items) if !items.is_empty() => block(out, after, |out| {
            for item in items {
                out.put("-");
                write_value(out, item, After::Dash);
            }
        }),
        Node::Call(name, argument) => {
            out.put(" ").tag(Tag::Keyword, &format!("!{name}"));
            match &**argument {
                // A value can have only one tag: the inner function takes its long form.
                Node::Call(inner, argument) => {
                    let map = Map::new().with(long_form(inner), (**argument).clone());
                    write_value(out, &map.into(), After::Colon);
                }
                argument => write_value(out, argument, After::Colon),
            }
        }
        flat => {
            let (tag, text) = match flat {
                Node::Null => (Tag::Keyword, "null".into()),
                Node::Bool(value) => (Tag::Number, value.to_string().into()),
                Node::Number(number) => (Tag::Number, number.into()),
                Node::Text(text) | Node::Code(text) => (Tag::Text, scalar(text)),
                Node::Type(text) => (Tag::Type, scalar(text)),
                Node::Map(_) => (Tag::Key, "{}".into()),
                Node::List(_) | Node::Call(..) => (Tag::Key, "[]".into()),
            };
            out.put(" ").tag(tag, &text).end_line();
        }
    }
}

/// Writes lines under a key or tag, or after a dash, indented one level more.
fn block(out: &mut CodeWriter, after: After, write: impl FnOnce(&mut CodeWriter)) {
    match after {
        After::Colon => out.end_line(),
        After::Dash => out.put(" "),
    };
    out.indent(STEP);
    write(out);
    out.dedent(STEP);
}

fn write_comment(out: &mut CodeWriter, text: &str) {
    for line in text.lines() {
        let line = shown(line);
        out.tag(Tag::Comment, format!("# {line}").trim_end())
            .end_line();
    }
}

/// Returns the long name of a function for places without short tags: `Fn::Sub` for `Sub`, but `Ref`.
pub fn long_form(name: &str) -> String {
    match name {
        "Ref" | "Condition" => name.to_owned(),
        name => format!("Fn::{name}"),
    }
}

/// Returns a string as a YAML scalar on one line: plain, in single quotes, or in double quotes with escapes.
pub fn scalar(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        Cow::Borrowed(text)
    } else if text.contains(is_hidden) {
        let mut quoted = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => quoted.extend(['\\', c]),
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '\r' => quoted.push_str("\\r"),
                c if c > '\u{FFFF}' && is_hidden(c) => {
                    quoted.push_str(&format!("\\U{:08X}", c as u32));
                }
                c if is_hidden(c) => quoted.push_str(&format!("\\u{:04X}", c as u32)),
                c => quoted.push(c),
            }
        }
        quoted.push('"');
        Cow::Owned(quoted)
    } else {
        Cow::Owned(format!("'{}'", text.replace('\'', "''")))
    }
}

/// Whether every YAML reader reads the bare text as this string: it begins with a letter (so it is not a number, date,
/// time or indicator), is not a word for true, false or null, and contains nothing that ends a plain scalar. Stricter
/// than YAML to keep the rule short.
fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 12] = [
        "y", "n", "yes", "no", "on", "off", "true", "false", "null", "nan", "inf", "infinity",
    ];
    let plain_char = |c: char| c.is_alphanumeric() || " _-./:()+,".contains(c);
    text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '/')
        && text.chars().all(plain_char)
        && !text.contains(": ")
        && !text.ends_with([':', ' '])
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}
