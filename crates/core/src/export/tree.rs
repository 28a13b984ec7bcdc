//! The tree that the structured formats are written from: CloudFormation and IAM, the requests of the AWS CLI,
//! Workbench, TypeScript and Terraform.
//!
//! This module has only the tree. [`super::yaml`], [`super::json`], `super::literal` (JSON and TypeScript that use
//! the width of a line) and `super::hcl` write it; [`super::yaml_reader`] and [`Node::from_json`] read it.
//! `super::api_names` has the subtrees that several formats contain.
//!
//! Two variants are not data. [`Node::Call`] is a call in every language: `!Ref name` in YAML, `{"Ref": name}` in JSON,
//! `name(argument)` elsewhere. [`Node::Code`] is an expression of one language: only the formats for that language
//! create it, and YAML and JSON would write it as text.

use rustc_hash::FxHashSet;
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// A value; its parts keep their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as written.
    Number(String),
    /// A string.
    Text(String),
    /// A string that names a type, such as `AWS::DynamoDB::Table`; colored as a type.
    Type(String),
    /// An expression of the language that is written.
    Code(String),
    /// A function call with one argument.
    Call(&'static str, Box<Node>),
    /// A list.
    List(Vec<Node>),
    /// A map.
    Map(Map),
}

impl Node {
    /// Creates a list of strings.
    pub fn texts<T: Into<String>>(texts: impl IntoIterator<Item = T>) -> Node {
        let mut list = Vec::new();
        for text in texts {
            list.push(Node::Text(text.into()));
        }
        Node::List(list)
    }

    /// Creates an expression.
    pub fn code(text: impl Into<String>) -> Node {
        Node::Code(text.into())
    }

    /// Creates a call.
    pub fn call(name: &'static str, argument: impl Into<Node>) -> Node {
        Node::Call(name, Box::new(argument.into()))
    }

    /// Parses a JSON text; keys keep their order. Fractions become strings: readers of YAML 1.1 disagree about `1e3`,
    /// and IAM accepts numbers as text.
    ///
    /// # Errors
    /// The JSON parser's message, with line and column; also for a repeated key in an object.
    pub fn from_json(text: &str) -> Result<Node, String> {
        let node: Node = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Ok(node.with_text_fractions())
    }

    fn with_text_fractions(self) -> Node {
        match self {
            Node::Number(number) if number.contains(['.', 'e']) => {
                let value = number.parse::<f64>();
                Node::Text(value.map_or(number, |value| value.to_string()))
            }
            Node::List(items) => {
                Node::List(items.into_iter().map(Node::with_text_fractions).collect())
            }
            Node::Map(map) => {
                let entries = map.0.into_iter().map(|entry| match entry {
                    Entry::Pair(key, value) => Entry::Pair(key, value.with_text_fractions()),
                    other => other,
                });
                Node::Map(Map(entries.collect()))
            }
            other => other,
        }
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
    fn from(number: u64) -> Self {
        Node::Number(number.to_string())
    }
}

impl From<Vec<Node>> for Node {
    fn from(items: Vec<Node>) -> Self {
        Node::List(items)
    }
}

impl From<Map> for Node {
    fn from(map: Map) -> Self {
        Node::Map(map)
    }
}

/// A JSON value; a fraction stays a number.
impl From<&serde_json::Value> for Node {
    fn from(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Node::Null,
            serde_json::Value::Bool(value) => Node::Bool(*value),
            serde_json::Value::Number(number) => Node::Number(number.to_string()),
            serde_json::Value::String(text) => Node::Text(text.clone()),
            serde_json::Value::Array(items) => Node::List(items.iter().map(Node::from).collect()),
            serde_json::Value::Object(members) => {
                let mut map = Map::new();
                for (key, value) in members {
                    map.add(key, value);
                }
                map.into()
            }
        }
    }
}

/// A map that keeps the order of its entries, with comments and blank lines between them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Map(Vec<Entry>);

/// A part of a map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A key and its value.
    Pair(String, Node),
    /// A comment, one line for each line of the text. [`super::json`] and Terraform omit it.
    Comment(String),
    /// A blank line. [`super::json`] and Terraform omit it.
    Blank,
}

impl Map {
    /// Creates an empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an entry. Each key must be unique.
    pub fn add(&mut self, key: impl Into<String>, value: impl Into<Node>) {
        self.0.push(Entry::Pair(key.into(), value.into()));
    }

    /// Adds an entry if there is a value.
    pub fn add_some(&mut self, key: &str, value: Option<impl Into<Node>>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    /// Adds a comment line for each line of `text`.
    pub fn comment(&mut self, text: impl Into<String>) {
        self.0.push(Entry::Comment(text.into()));
    }

    /// Adds the entries of another map.
    pub fn extend(&mut self, other: Map) {
        self.0.extend(other.0);
    }

    /// Like [`Map::add`], but returns the map.
    pub fn with(mut self, key: impl Into<String>, value: impl Into<Node>) -> Self {
        self.add(key, value);
        self
    }

    /// Like [`Map::add_some`], but returns the map.
    pub fn with_some(mut self, key: &str, value: Option<impl Into<Node>>) -> Self {
        self.add_some(key, value);
        self
    }

    /// Like [`Map::comment`], but returns the map.
    pub fn with_comment(mut self, text: impl Into<String>) -> Self {
        self.comment(text);
        self
    }

    /// Adds a blank line and returns the map.
    pub fn with_blank(mut self) -> Self {
        self.0.push(Entry::Blank);
        self
    }

    /// Returns the entries in order.
    pub fn entries(&self) -> &[Entry] {
        &self.0
    }

    /// Returns the keys and values in order, without comments.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.0.iter().filter_map(|entry| match entry {
            Entry::Pair(key, value) => Some((key.as_str(), value)),
            _ => None,
        })
    }

    /// Returns the values in order, to change them.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Node> {
        self.0.iter_mut().filter_map(|entry| match entry {
            Entry::Pair(_, value) => Some(value),
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

/// Reads a value; its numbers stay numbers, and a fraction has a point or an exponent.
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
        Ok(Node::Number(value.to_string()))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Number(value.to_string()))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Node, E> {
        let number = serde_json::Number::from_f64(value);
        let number = number.ok_or_else(|| E::custom("not a number"))?;
        Ok(Node::Number(number.to_string()))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Node, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut seq = Vec::new();
        while let Some(item) = items.next_element()? {
            seq.push(item);
        }
        Ok(Node::List(seq))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Node, A::Error> {
        let mut map = Map::new();
        // A file may have an object of a million members.
        let mut seen = FxHashSet::default();
        while let Some((key, value)) = entries.next_entry::<String, Node>()? {
            if !seen.insert(key.clone()) {
                return Err(de::Error::custom(format!("`{key}` is repeated")));
            }
            map.add(key, value);
        }
        Ok(Node::Map(map))
    }
}
