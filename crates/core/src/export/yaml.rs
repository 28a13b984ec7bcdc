//! Writes YAML for templates: block style, CloudFormation's short tags, comments.
//!
//! CloudFormation reads YAML 1.1, most other tools 1.2. A string is plain only if both read it as that string;
//! otherwise it is quoted. The writer uses no anchors, no flow style except `{}` and `[]`, and no block scalars: a text
//! of several lines is one double-quoted line.

use super::writer::{Code, CodeWriter, Tag};
use crate::model::{is_hidden, shown};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// The number of spaces of one indentation level.
const STEP: usize = 2;

/// The maximum bytes of a key before its colon; YAML allows 1024 characters. A longer key is written as `? key`.
const MAX_SIMPLE_KEY_BYTES: usize = 1000;

/// A YAML value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Int(i128),
    /// A string; quoted if necessary.
    Text(String),
    /// A string that names a type, such as `AWS::DynamoDB::Table`; colored as a type.
    Type(String),
    /// A list.
    Seq(Vec<Node>),
    /// A map.
    Map(Map),
    /// A function call by its short tag: `Tagged("Ref", name)` is `!Ref name`.
    Tagged(&'static str, Box<Node>),
}

impl Node {
    /// `!Ref name`.
    pub fn reference(name: impl Into<String>) -> Node {
        Node::tagged("Ref", Node::Text(name.into()))
    }

    /// `!Sub text`.
    pub fn sub(text: impl Into<String>) -> Node {
        Node::tagged("Sub", Node::Text(text.into()))
    }

    /// `!GetAtt resource.attribute`.
    pub fn get_att(resource: &str, attribute: &str) -> Node {
        Node::tagged("GetAtt", Node::Text(format!("{resource}.{attribute}")))
    }

    /// `!tag content`.
    pub fn tagged(tag: &'static str, content: Node) -> Node {
        Node::Tagged(tag, Box::new(content))
    }

    /// Parses a JSON text; keys keep their order. Fractions become strings: readers of YAML 1.1 disagree about `1e3`,
    /// and IAM accepts numbers as text.
    ///
    /// # Errors
    /// The JSON parser's message, with line and column; also for a repeated key in an object.
    pub fn from_json(text: &str) -> Result<Node, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Node::Text(text.to_owned())
    }
}

impl From<String> for Node {
    fn from(text: String) -> Self {
        Node::Text(text)
    }
}

impl From<bool> for Node {
    fn from(value: bool) -> Self {
        Node::Bool(value)
    }
}

impl From<u64> for Node {
    fn from(value: u64) -> Self {
        Node::Int(value.into())
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Self {
        Node::Seq(items)
    }
}

impl From<Map> for Node {
    fn from(map: Map) -> Self {
        Node::Map(map)
    }
}

/// A map that keeps the order of its entries, with comments and blank lines between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map(Vec<Entry>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Entry {
    Pair(String, Node),
    Comment(String),
    Blank,
}

impl Map {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry. Each key must be unique.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Node>) -> Self {
        self.0.push(Entry::Pair(key.into(), value.into()));
        self
    }

    /// Adds an entry if there is a value.
    pub fn with_some(self, key: &str, value: Option<impl Into<Node>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a comment line for each line of `text`.
    pub fn comment(mut self, text: impl Into<String>) -> Self {
        self.0.push(Entry::Comment(text.into()));
        self
    }

    /// Adds a blank line.
    pub fn blank(mut self) -> Self {
        self.0.push(Entry::Blank);
        self
    }

    /// Returns the keys and values in order, without comments.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Pair(key, value) => Some((key.as_str(), value)),
            _ => None,
        })
    }

    /// Returns the value of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.pairs()
            .find(|(other, _)| *other == key)
            .map(|(_, value)| value)
    }

    /// Whether the map has no keys.
    pub fn is_empty(&self) -> bool {
        self.pairs().next().is_none()
    }
}

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
    for entry in &map.0 {
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
        Node::Seq(items) if !items.is_empty() => block(out, after, |out| {
            for item in items {
                out.put("-");
                write_value(out, item, After::Dash);
            }
        }),
        Node::Tagged(tag, content) => {
            out.put(" ").tag(Tag::Keyword, &format!("!{tag}"));
            match &**content {
                // A node can have only one tag: the inner function takes its long form.
                Node::Tagged(inner, content) => {
                    let map = Map::new().with(long_form(inner), (**content).clone());
                    write_value(out, &map.into(), After::Colon);
                }
                content => write_value(out, content, After::Colon),
            }
        }
        flat => {
            let (tag, text) = match flat {
                Node::Null => (Tag::Keyword, "null".into()),
                Node::Bool(value) => (Tag::Number, value.to_string().into()),
                Node::Int(value) => (Tag::Number, value.to_string().into()),
                Node::Text(text) => (Tag::Text, scalar(text)),
                Node::Type(text) => (Tag::Type, scalar(text)),
                Node::Map(_) => (Tag::Key, "{}".into()),
                Node::Seq(_) | Node::Tagged(..) => (Tag::Key, "[]".into()),
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
pub fn long_form(tag: &str) -> String {
    match tag {
        "Ref" | "Condition" => tag.to_owned(),
        tag => format!("Fn::{tag}"),
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

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Int(value.into()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Int(value.into()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Text(value.to_string()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut seq = Vec::new();
        while let Some(item) = items.next_element()? {
            seq.push(item);
        }
        Ok(Node::Seq(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut map = Map::new();
        while let Some((key, value)) = entries.next_entry::<String, Node>()? {
            if map.get(&key).is_some() {
                return Err(de::Error::custom(format!("`{key}` is repeated")));
            }
            map = map.with(key, value);
        }
        Ok(Node::Map(map))
    }
}
