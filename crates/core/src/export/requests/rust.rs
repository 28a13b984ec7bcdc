//! A call of the AWS SDK for Rust, for the body of an async function with a `client`. An API structure with required
//! members has a builder that can fail.

use super::call::{Call, MemberValue, Members};
use super::cli::words;
use super::layout::{At, Style, Tree};
use crate::export::rust::highlight::highlight;
use crate::export::rust::source::quote;
use crate::export::{Code, CodeWriter};
use crate::model::{Value, in_order};

/// rustfmt's `max_width`, `fn_call_width` and `chain_width`.
const STYLE: Style = Style {
    line: 100,
    group: 60,
    chain: 60,
    indent: 4,
    last_comma: true,
    escape: str::to_owned,
};

/// Writes the statement after its imports.
pub(super) fn rust(call: &Call) -> Code {
    let mut rust = Rust::default();
    let mut calls = vec![(words(call.operation).replace('-', "_"), Vec::new())];
    rust.members(&call.members, &mut calls);
    calls.push(("send".to_owned(), Vec::new()));
    calls.push(("await".to_owned(), Vec::new()));
    let chain = Tree::Chain {
        head: "client".to_owned(),
        calls,
        tail: "?",
    };
    let mut out = CodeWriter::new();
    if rust.blob {
        out.put("use aws_sdk_dynamodb::primitives::Blob;")
            .end_line();
    }
    let mut types = in_order(rust.types);
    types.dedup();
    match &types[..] {
        [] => {}
        [one] => {
            out.put(&format!("use aws_sdk_dynamodb::types::{one};"))
                .end_line();
        }
        types => {
            let types = types.join(", ");
            out.put(&format!("use aws_sdk_dynamodb::types::{{{types}}};"))
                .end_line();
        }
    }
    if rust.map {
        out.put("use std::collections::HashMap;").end_line();
    }
    out.end_line();
    out.put("let response = ");
    let at = At {
        // Always one call per line.
        column: STYLE.line,
        indent: 0,
        after: 1,
    };
    chain.write(&mut out, &STYLE, at);
    out.put(";").end_line();
    highlight(&out.finish().text)
}

/// The types that the statement uses.
#[derive(Default)]
struct Rust {
    types: Vec<&'static str>,
    blob: bool,
    map: bool,
}

type Calls = Vec<(String, Vec<Tree>)>;

impl Rust {
    fn members(&mut self, members: &Members, calls: &mut Calls) {
        for (name, node) in members {
            let method = words(name).replace('-', "_");
            match node {
                MemberValue::Text(text) => calls.push((method, vec![atom(quote(text))])),
                MemberValue::Number(number) => calls.push((method, vec![atom(number.to_string())])),
                MemberValue::Flag(flag) => calls.push((method, vec![atom(flag.to_string())])),
                MemberValue::Values(values) => {
                    for (name, value) in values {
                        let pair = vec![atom(quote(name)), self.value(value)];
                        calls.push((method.clone(), pair));
                    }
                }
                MemberValue::List(list) => {
                    for node in list {
                        let one = self.argument(node);
                        calls.push((method.clone(), vec![one]));
                    }
                }
                MemberValue::Struct(..) => {
                    let one = self.argument(node);
                    calls.push((method, vec![one]));
                }
                MemberValue::Map(map) => {
                    for (key, node) in map {
                        let pair = vec![atom(quote(key)), self.argument(node)];
                        calls.push((method.clone(), pair));
                    }
                }
            }
        }
    }

    fn argument(&mut self, node: &MemberValue) -> Tree {
        match node {
            MemberValue::Struct(kind, members) => {
                self.types.push(kind);
                let mut calls = Vec::new();
                self.members(members, &mut calls);
                calls.push(("build".to_owned(), Vec::new()));
                let can_fail = !matches!(*kind, "TransactGetItem" | "TransactWriteItem");
                Tree::Chain {
                    head: format!("{kind}::builder()"),
                    calls,
                    tail: if can_fail { "?" } else { "" },
                }
            }
            MemberValue::Values(values) => {
                let pairs = values.iter().map(|(name, value)| (name.as_str(), value));
                self.map("HashMap::from([", pairs, ["])", ")])"])
            }
            MemberValue::Text(text) => atom(quote(text)),
            // Lists and maps contain only structures, keys and texts.
            _ => atom(String::new()),
        }
    }

    fn value(&mut self, value: &Value) -> Tree {
        self.types.push("AttributeValue");
        let of = |kind: &str, inside: String| {
            group(&format!("AttributeValue::{kind}("), vec![atom(inside)], ")")
        };
        let owned = |text: &str| format!("{}.to_owned()", quote(text));
        match value {
            Value::S(text) => of("S", owned(text)),
            Value::N(number) => of("N", owned(&number.to_string())),
            Value::B(bytes) => {
                self.blob = true;
                of("B", blob(bytes))
            }
            Value::Bool(flag) => of("Bool", flag.to_string()),
            Value::Null => of("Null", "true".to_owned()),
            Value::L(list) => {
                let items = list.iter().map(|one| self.value(one)).collect();
                group("AttributeValue::L(vec![", items, "])")
            }
            Value::M(map) => {
                let pairs = map.iter().map(|(name, value)| (name.as_str(), value));
                let open = "AttributeValue::M(HashMap::from([";
                self.map(open, pairs, ["]))", ")]))"])
            }
            Value::Ss(set) => {
                let items = set.iter().map(|text| atom(owned(text))).collect();
                group("AttributeValue::Ss(vec![", items, "])")
            }
            Value::Ns(set) => {
                let items = set
                    .iter()
                    .map(|one| atom(owned(&one.to_string())))
                    .collect();
                group("AttributeValue::Ns(vec![", items, "])")
            }
            Value::Bs(set) => {
                self.blob = true;
                let items = set.iter().map(|bytes| atom(blob(bytes))).collect();
                group("AttributeValue::Bs(vec![", items, "])")
            }
        }
    }

    fn map<'a>(
        &mut self,
        open: &str,
        pairs: impl Iterator<Item = (&'a str, &'a Value)>,
        [close, close_one]: [&'static str; 2],
    ) -> Tree {
        self.map = true;
        let mut all = Vec::new();
        for (name, value) in pairs {
            all.push(vec![
                atom(format!("{}.to_owned()", quote(name))),
                self.value(value),
            ]);
        }
        // rustfmt joins the brackets around a single pair.
        if all.len() == 1 {
            return group(&format!("{open}("), all.remove(0), close_one);
        }
        let pairs = all.into_iter().map(|pair| group("(", pair, ")"));
        group(open, pairs.collect(), close)
    }
}

fn blob(bytes: &[u8]) -> String {
    let text: String = bytes
        .iter()
        .map(|byte| std::ascii::escape_default(*byte).to_string())
        .collect();
    format!("Blob::new(*b\"{text}\")")
}

fn atom(text: String) -> Tree {
    Tree::Atom(text, None)
}

fn group(open: &str, items: Vec<Tree>, close: &'static str) -> Tree {
    Tree::Group {
        open: open.to_owned(),
        items,
        close,
        spaced: false,
    }
}
