//! A call as an AWS CLI command for a POSIX shell.

use super::call::{Call, MemberValue, Members};
use super::layout::{At, Style, Tree};
use crate::export::{Code, CodeWriter, Tag};
use crate::model::{Value, escape_hidden};
use serde_json::Value as Json;

const STYLE: Style = Style {
    line: 100,
    group: 100,
    chain: 0,
    indent: 2,
    last_comma: false,
    escape: inside_quotes,
};

/// Writes the command.
pub(super) fn cli(call: &Call) -> Code {
    let mut out = CodeWriter::new();
    out.put("aws dynamodb ");
    out.tag(Tag::Function, &words(call.operation));
    let has_limit = call.members.iter().any(|(name, _)| *name == "Limit");
    for (name, node) in &call.members {
        out.put(" \\").end_line().put("  ");
        let option = words(name);
        match node {
            MemberValue::Flag(flag) => {
                let no = if *flag { "" } else { "no-" };
                out.tag(Tag::Key, &format!("--{no}{option}"));
            }
            MemberValue::Text(text) => {
                // The AWS CLI would read `-x` as an option.
                let link = if text.starts_with('-') { "=" } else { " " };
                out.tag(Tag::Key, &format!("--{option}")).put(link);
                let text = if is_word(text) {
                    text.clone()
                } else {
                    format!("'{}'", inside_quotes(text))
                };
                out.tag(Tag::Text, &text);
            }
            MemberValue::Number(number) => {
                out.tag(Tag::Key, &format!("--{option}")).put(" ");
                out.tag(Tag::Number, &number.to_string());
            }
            node => {
                out.tag(Tag::Key, &format!("--{option}")).put(" '");
                let column = option.len() + 6;
                let at = At {
                    column,
                    indent: 2,
                    after: 3,
                };
                out.indent(2);
                json(node).write(&mut out, &STYLE, at);
                out.dedent(2);
                out.put("'");
            }
        }
    }
    // Otherwise the AWS CLI fetches more pages beyond the limit.
    if has_limit {
        out.put(" \\").end_line().put("  ");
        out.tag(Tag::Key, "--no-paginate");
    }
    out.end_line();
    out.finish()
}

/// Returns `table-name` for `TableName`.
pub(super) fn words(name: &str) -> String {
    let mut text = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.push(c.to_ascii_lowercase());
    }
    text
}

/// Whether a shell needs no quotes around the text.
fn is_word(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    !text.is_empty() && text.chars().all(plain)
}

/// Returns the content of a single-quoted shell text. Single quotes have no escape: close the text, escape the quote,
/// and open it again.
fn inside_quotes(text: &str) -> String {
    text.replace('\'', "'\\''")
}

/// Returns a member as JSON.
fn json(node: &MemberValue) -> Tree {
    match node {
        MemberValue::Text(text) => atom(&Json::from(text.as_str()), Tag::Text),
        MemberValue::Number(number) => atom(&Json::from(*number), Tag::Number),
        MemberValue::Flag(flag) => atom(&Json::from(*flag), Tag::Number),
        MemberValue::Values(values) => {
            let pair = |(key, value): &(String, Value)| pair(key, plain(&value.to_dynamodb_json()));
            object(values.iter().map(pair).collect())
        }
        MemberValue::List(list) => array(list.iter().map(json).collect()),
        MemberValue::Struct(_, members) => structure(members),
        MemberValue::Map(map) => object(
            map.iter()
                .map(|(key, node)| pair(key, json(node)))
                .collect(),
        ),
    }
}

fn structure(members: &Members) -> Tree {
    object(
        members
            .iter()
            .map(|(name, node)| pair(name, json(node)))
            .collect(),
    )
}

fn plain(value: &Json) -> Tree {
    match value {
        Json::Object(map) => object(
            map.iter()
                .map(|(key, value)| pair(key, plain(value)))
                .collect(),
        ),
        Json::Array(list) => array(list.iter().map(plain).collect()),
        Json::String(_) => atom(value, Tag::Text),
        _ => atom(value, Tag::Number),
    }
}

fn atom(value: &Json, tag: Tag) -> Tree {
    Tree::Atom(escape_hidden(&value.to_string()).into_owned(), Some(tag))
}

fn pair(key: &str, value: Tree) -> Tree {
    let key = escape_hidden(&Json::from(key).to_string()).into_owned();
    Tree::Pair(key, Tag::Key, Box::new(value))
}

fn object(items: Vec<Tree>) -> Tree {
    Tree::Group {
        open: "{".to_owned(),
        items,
        close: "}",
        spaced: false,
    }
}

fn array(items: Vec<Tree>) -> Tree {
    Tree::Group {
        open: "[".to_owned(),
        items,
        close: "]",
        spaced: false,
    }
}
