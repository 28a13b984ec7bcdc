//! A call of the AWS SDK for JavaScript, version 3. Its document client accepts native JavaScript values.

use super::call::{Call, MemberValue};
use super::layout::{At, Style, Tree};
use crate::export::{Code, CodeWriter, Tag};
use crate::model::{Number, Value, escape_hidden};
use serde_json::Value as Json;

const STYLE: Style = Style {
    line: 80,
    group: 80,
    chain: 0,
    indent: 2,
    last_comma: true,
    escape: str::to_owned,
};

/// Writes the module.
pub(super) fn javascript(call: &Call) -> Code {
    let command = match call.operation {
        "BatchGetItem" => "BatchGetCommand",
        "TransactGetItems" => "TransactGetCommand",
        "TransactWriteItems" => "TransactWriteCommand",
        "GetItem" => "GetCommand",
        "PutItem" => "PutCommand",
        "UpdateItem" => "UpdateCommand",
        "DeleteItem" => "DeleteCommand",
        "Scan" => "ScanCommand",
        _ => "QueryCommand",
    };
    let mut exact = false;
    let members = call.members.iter();
    let pairs = members
        .map(|(name, node)| pair(name, tree(node, &mut exact)))
        .collect();
    let input = object(pairs);
    let mut out = CodeWriter::new();
    let mut imports = vec!["DynamoDBDocumentClient", command];
    if exact {
        imports.push("NumberValue");
    }
    import(&mut out, &["DynamoDBClient"], "@aws-sdk/client-dynamodb");
    import(&mut out, &imports, "@aws-sdk/lib-dynamodb");
    out.end_line();
    out.tag(Tag::Keyword, "const").put(" client = ");
    out.tag(Tag::Type, "DynamoDBDocumentClient").put(".");
    out.tag(Tag::Function, "from").put("(");
    out.tag(Tag::Keyword, "new").put(" ");
    out.tag(Tag::Type, "DynamoDBClient")
        .put("({}));")
        .end_line()
        .end_line();
    out.tag(Tag::Keyword, "const").put(" response = ");
    out.tag(Tag::Keyword, "await").put(" client.");
    out.tag(Tag::Function, "send").put("(").end_line();
    out.indent(2);
    out.tag(Tag::Keyword, "new").put(" ");
    out.tag(Tag::Type, command).put("(");
    let at = At {
        // Always one member per line.
        column: STYLE.line,
        indent: 2,
        after: 2,
    };
    input.write(&mut out, &STYLE, at);
    out.put("),").end_line();
    out.dedent(2);
    out.put(");").end_line();
    out.finish()
}

fn import(out: &mut CodeWriter, names: &[&str], from: &str) {
    out.tag(Tag::Keyword, "import").put(" { ");
    for (number, name) in names.iter().enumerate() {
        out.put(if number == 0 { "" } else { ", " });
        out.tag(Tag::Type, name);
    }
    out.put(" } ").tag(Tag::Keyword, "from").put(" ");
    out.tag(Tag::Text, &format!("\"{from}\""))
        .put(";")
        .end_line();
}

/// `exact` becomes true if a number does not survive as a JavaScript number.
fn tree(node: &MemberValue, exact: &mut bool) -> Tree {
    match node {
        MemberValue::Text(text) => Tree::text(quoted(text)),
        MemberValue::Number(number) => Tree::Atom(number.to_string(), Some(Tag::Number)),
        MemberValue::Flag(flag) => Tree::Atom(flag.to_string(), Some(Tag::Number)),
        MemberValue::Values(values) => object(
            values
                .iter()
                .map(|(key, value)| pair(key, of(value, exact)))
                .collect(),
        ),
        MemberValue::List(list) => {
            let items = list.iter().map(|node| tree(node, exact)).collect();
            group("[", items, "]")
        }
        MemberValue::Struct(_, members) => object(
            members
                .iter()
                .map(|(name, node)| pair(name, tree(node, exact)))
                .collect(),
        ),
        MemberValue::Map(map) => object(
            map.iter()
                .map(|(key, node)| pair(key, tree(node, exact)))
                .collect(),
        ),
    }
}

/// Returns a value in JavaScript.
fn of(value: &Value, exact: &mut bool) -> Tree {
    match value {
        Value::S(text) => Tree::text(quoted(text)),
        Value::N(one) => {
            let is_text = !is_safe(one);
            *exact |= is_text;
            number(one, is_text)
        }
        Value::B(bytes) => binary(bytes),
        Value::Bool(flag) => Tree::Atom(flag.to_string(), Some(Tag::Number)),
        Value::Null => Tree::Atom("null".to_owned(), Some(Tag::Number)),
        Value::L(list) => group("[", list.iter().map(|one| of(one, exact)).collect(), "]"),
        Value::M(map) => object(
            map.iter()
                .map(|(key, one)| pair(key, of(one, exact)))
                .collect(),
        ),
        Value::Ss(set) => set_of(set.iter().map(|text| Tree::text(quoted(text))).collect()),
        Value::Ns(set) => {
            // The document client takes the type of all elements from the first.
            let is_text = !set.iter().all(is_safe);
            *exact |= is_text;
            set_of(set.iter().map(|one| number(one, is_text)).collect())
        }
        Value::Bs(set) => set_of(set.iter().map(|bytes| binary(bytes)).collect()),
    }
}

/// Returns a number: a JavaScript number, or its text.
fn number(number: &Number, is_text: bool) -> Tree {
    let text = number.to_string();
    match is_text {
        true => group("NumberValue.from(", vec![Tree::text(quoted(&text))], ")"),
        false => Tree::Atom(text, Some(Tag::Number)),
    }
}

/// Whether a JavaScript number is exact: 15 digits always are.
fn is_safe(number: &Number) -> bool {
    const SAFE_DIGITS: usize = 15;
    let text = number.to_string();
    text.chars().filter(char::is_ascii_digit).count() <= SAFE_DIGITS
}

fn binary(bytes: &[u8]) -> Tree {
    let number = |byte: &u8| Tree::Atom(byte.to_string(), Some(Tag::Number));
    group("Uint8Array.of(", bytes.iter().map(number).collect(), ")")
}

fn set_of(items: Vec<Tree>) -> Tree {
    group("new Set([", items, "])")
}

fn group(open: &str, items: Vec<Tree>, close: &'static str) -> Tree {
    Tree::Group {
        open: open.to_owned(),
        items,
        close,
        spaced: false,
    }
}

fn object(items: Vec<Tree>) -> Tree {
    Tree::Group {
        open: "{".to_owned(),
        items,
        close: "}",
        spaced: true,
    }
}

fn pair(key: &str, value: Tree) -> Tree {
    let is_name = key.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let key = match key {
        // Without brackets it would set the object's prototype.
        "__proto__" => "[\"__proto__\"]".to_owned(),
        key if is_name => key.to_owned(),
        key => quoted(key),
    };
    Tree::Pair(key, Tag::Key, Box::new(value))
}

fn quoted(text: &str) -> String {
    escape_hidden(&Json::from(text).to_string()).into_owned()
}
