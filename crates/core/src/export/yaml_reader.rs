//! Reads the YAML of templates: one document, with CloudFormation's short tags, as a [`Node`]. Anchors and aliases are
//! expanded within bounds; repeated keys and merge keys are refused.
//!
//! `saphyr_parser` reads the syntax, which is that of YAML 1.2. This module reads plain scalars like YAML 1.1, as far
//! as CloudFormation needs: `yes` and `on` are booleans, a fraction, a date or a number with leading zeros is text.

use super::tree::{Map, Node};
use crate::model::SortedMap;
use rustc_hash::FxHashSet;
use saphyr_parser::{Event, Marker, Parser, ScalarStyle, StrInput, Tag};
use std::fmt;

/// The maximum nesting depth.
const MAX_DEPTH: usize = 60;

/// The maximum of text and parts that all aliases together may repeat: CloudFormation's limit for a template, in bytes.
const MAX_COPIED: usize = 1 << 20;

/// The short tags of CloudFormation.
const TAGS: [&str; 20] = [
    "And",
    "Base64",
    "Cidr",
    "Condition",
    "Contains",
    "EachMemberEquals",
    "EachMemberIn",
    "Equals",
    "FindInMap",
    "GetAZs",
    "GetAtt",
    "If",
    "ImportValue",
    "Join",
    "Not",
    "Or",
    "Ref",
    "Select",
    "Split",
    "Sub",
];

/// An error in a text, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub message: String,
}

impl ReadError {
    fn new(at: Marker, message: impl Into<String>) -> Self {
        ReadError {
            line: at.line(),
            column: at.col() + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReadError {
            line,
            column,
            message,
        } = self;
        write!(f, "line {line}, column {column}: {message}")
    }
}

impl std::error::Error for ReadError {}

/// Reads the document in a text.
///
/// # Errors
/// The first place that cannot be read, and the reason.
pub fn read(text: &str) -> Result<Node, ReadError> {
    read_as(text, false)
}

/// Like [`read`], but allows what the files of other tools contain besides: merge keys, and other tags, which become
/// functions of that name.
///
/// # Errors
/// The first place that cannot be read, and the reason.
pub fn read_any(text: &str) -> Result<Node, ReadError> {
    read_as(text, true)
}

fn read_as(text: &str, is_lenient: bool) -> Result<Node, ReadError> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut reader = Reader {
        parser: Parser::new_from_str(text),
        is_lenient,
        anchors: SortedMap::new(),
        copied: 0,
        depth: 0,
    };
    let mut node = None;
    loop {
        match reader.next()? {
            (Event::StreamEnd, _) => return Ok(node.unwrap_or(Node::Null)),
            (Event::DocumentStart(_), at) if node.is_some() => {
                return Err(ReadError::new(at, "only one document is supported"));
            }
            (Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd, _) => {}
            (event, at) => node = Some(reader.node(event, at)?),
        }
    }
}

struct Reader<'a> {
    parser: Parser<'a, StrInput<'a>>,
    /// Whether merge keys and any tag are allowed.
    is_lenient: bool,
    /// What the anchors name, by their number. An anchor is missing until its node ends.
    anchors: SortedMap<usize, Anchored>,
    /// What aliases have repeated, as [`Anchored::size`] counts.
    copied: usize,
    /// The number of enclosing lists and maps.
    depth: usize,
}

/// A node with an anchor.
struct Anchored {
    node: Node,
    /// Its bytes of text and its number of parts.
    size: usize,
    /// How deeply lists and maps are nested in it.
    depth: usize,
}

type Read<T> = Result<T, ReadError>;

impl<'a> Reader<'a> {
    fn next(&mut self) -> Read<(Event<'a>, Marker)> {
        match self.parser.next_event() {
            Some(Ok((event, span))) => Ok((event, span.start)),
            Some(Err(error)) => Err(ReadError::new(*error.marker(), plain_message(error.info()))),
            None => Ok((Event::StreamEnd, Marker::default())),
        }
    }

    /// Reads the node that begins with this event.
    fn node(&mut self, event: Event<'a>, at: Marker) -> Read<Node> {
        let (anchor, tag, content) = match event {
            Event::Alias(anchor) => return self.copy(anchor, at),
            Event::Scalar(text, style, anchor, tag) => {
                // Under a tag, a plain scalar is a text.
                let node = match style == ScalarStyle::Plain && tag.is_none() {
                    true => scalar(&text),
                    false => Node::Text(text.into_owned()),
                };
                (anchor, tag, node)
            }
            Event::SequenceStart(anchor, tag) => {
                self.enter(at)?;
                let mut items = Vec::new();
                loop {
                    match self.next()? {
                        (Event::SequenceEnd, _) => break,
                        (event, at) => items.push(self.node(event, at)?),
                    }
                }
                self.depth -= 1;
                (anchor, tag, Node::List(items))
            }
            Event::MappingStart(anchor, tag) => {
                self.enter(at)?;
                let map = self.map()?;
                self.depth -= 1;
                (anchor, tag, Node::Map(map))
            }
            _ => return Err(ReadError::new(at, "missing value")),
        };
        let node = match tag {
            Some(tag) => tagged(&tag, content, at, self.is_lenient)?,
            None => content,
        };
        self.name(anchor, &node);
        Ok(node)
    }

    fn enter(&mut self, at: Marker) -> Read<()> {
        self.depth += 1;
        match self.depth > MAX_DEPTH {
            true => Err(ReadError::new(at, "nested too deeply")),
            false => Ok(()),
        }
    }

    /// Reads the keys and values of a map up to its end.
    fn map(&mut self) -> Read<Map> {
        let mut map = Map::new();
        let mut seen = FxHashSet::default();
        let mut merged = Vec::new();
        loop {
            let (event, at) = self.next()?;
            let key = match event {
                Event::MappingEnd => {
                    merged.iter().for_each(|node| merge(&mut map, node));
                    return Ok(map);
                }
                Event::Scalar(text, ScalarStyle::Plain, ..) if text == "<<" => {
                    if !self.is_lenient {
                        return Err(ReadError::new(at, "merge keys (<<) are not supported"));
                    }
                    let (event, at) = self.next()?;
                    merged.push(self.node(event, at)?);
                    continue;
                }
                Event::Scalar(text, _, anchor, None) => {
                    let text = text.into_owned();
                    self.name(anchor, &Node::Text(text.clone()));
                    text
                }
                _ => return Err(ReadError::new(at, "a key must be text")),
            };
            if !seen.insert(key.clone()) {
                return Err(ReadError::new(at, format!("`{key}` is repeated")));
            }
            let (event, at) = self.next()?;
            map.add(key, self.node(event, at)?);
        }
    }

    /// Keeps a node for aliases, if it has an anchor.
    fn name(&mut self, anchor: usize, node: &Node) {
        if anchor > 0 {
            let (size, depth) = measure(node);
            let anchored = Anchored {
                node: node.clone(),
                size,
                depth,
            };
            self.anchors.insert(anchor, anchored);
        }
    }

    /// Returns the node that an alias repeats.
    fn copy(&mut self, anchor: usize, at: Marker) -> Read<Node> {
        let Some(anchored) = self.anchors.get(&anchor) else {
            return Err(ReadError::new(
                at,
                "this alias repeats a part that contains it",
            ));
        };
        self.copied += anchored.size;
        if self.copied > MAX_COPIED {
            let message =
                "the aliases repeat more than CloudFormation's limit for a template (1 MB)";
            return Err(ReadError::new(at, message));
        }
        if self.depth + anchored.depth > MAX_DEPTH {
            return Err(ReadError::new(at, "nested too deeply"));
        }
        Ok(anchored.node.clone())
    }
}

/// Adds the entries of a map, or of a list of maps, that the map does not have.
fn merge(map: &mut Map, node: &Node) {
    match node {
        Node::Map(other) => {
            for (key, value) in other.pairs() {
                if map.get(key).is_none() {
                    map.add(key, value.clone());
                }
            }
        }
        Node::List(items) => items.iter().for_each(|node| merge(map, node)),
        _ => {}
    }
}

/// The size of a node, see [`Anchored::size`], and the depth of the lists and maps in it.
fn measure(node: &Node) -> (usize, usize) {
    let (mut size, mut depth) = (1, 0);
    let mut add = |part: &Node| {
        let (of_part, below) = measure(part);
        size += of_part;
        depth = depth.max(below);
    };
    match node {
        Node::Text(text) => size += text.len(),
        Node::Call(_, content) => add(content),
        Node::List(items) => {
            items.iter().for_each(add);
            depth += 1;
        }
        Node::Map(map) => {
            map.pairs().for_each(|(_, value)| add(value));
            size += map.pairs().map(|(key, _)| key.len()).sum::<usize>();
            depth += 1;
        }
        _ => {}
    }
    (size, depth)
}

/// Applies a tag: a function of CloudFormation, or `!!str`.
fn tagged(tag: &Tag, content: Node, at: Marker, is_lenient: bool) -> Read<Node> {
    let name = match (tag.is_yaml_core_schema(), tag.suffix.as_str()) {
        (true, "str") => return Ok(content),
        (true, name) => format!("!!{name}"),
        (false, name) => [&tag.handle, name].concat(),
    };
    match TAGS
        .iter()
        .find(|tag| name.strip_prefix('!') == Some(**tag))
    {
        Some(tag) => Ok(Node::call(tag, content)),
        None if is_lenient => {
            let name = ["Fn::", name.trim_start_matches('!')].concat();
            Ok(Map::new().with(name, content).into())
        }
        None => Err(ReadError::new(at, format!("unknown tag `{name}`"))),
    }
}

/// Returns the value of a plain scalar.
fn scalar(text: &str) -> Node {
    let lower = text.to_ascii_lowercase();
    match lower.as_str() {
        "" | "~" | "null" => return Node::Null,
        "true" | "yes" | "on" => return Node::Bool(true),
        "false" | "no" | "off" => return Node::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let whole = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    if whole && (digits == "0" || !digits.starts_with('0')) {
        let text = text.strip_prefix('+').unwrap_or(text);
        if let Ok(value) = text.parse::<i128>() {
            return Node::Number(value.to_string());
        }
    }
    Node::Text(text.to_owned())
}

/// The parser's message in plain language, with what to do.
fn plain_message(message: &str) -> String {
    let plain = match message {
        "mapping values are not allowed in this context" => {
            "unexpected `: `. Put quotes around a value that contains it, or correct the indentation"
        }
        "block sequence entries are not allowed in this context" => {
            "a list must begin on a new line, with the same indentation for each `-`"
        }
        "while parsing a block mapping, did not find expected key" => {
            "expected `key: value`, indented like the keys before it"
        }
        "while parsing a block collection, did not find expected '-' indicator" => {
            "expected `- `, indented like the items before it"
        }
        "while scanning a quoted scalar, found unexpected end of stream" => "missing closing quote",
        "invalid indentation in quoted scalar" => {
            "missing closing quote, or this line is indented too little"
        }
        "invalid trailing content after double-quoted scalar" => "unexpected text after the value",
        "while parsing a quoted scalar, found unknown escape character" => "unknown escape",
        "while parsing a flow sequence, expected ',' or ']'"
        | "while parsing a flow mapping, did not find expected ',' or '}'"
        | "illegal placement of ':' indicator" => "missing comma or closing bracket",
        "while parsing a node, did not find expected node content" => {
            "missing value or closing bracket"
        }
        "while scanning a block scalar, did not find expected comment or line break" => {
            "after `|` or `>`, the text begins on the next line"
        }
        "did not find expected <document start>" => {
            "this does not belong to the lines before it. Correct the indentation"
        }
        "while parsing node, found unknown anchor" => "this alias has no anchor before it",
        "recursion limit exceeded" => "nested too deeply",
        message if message.contains("tab") && !message.contains("unprintable") => {
            "YAML needs spaces here, not a tab"
        }
        message if message.starts_with("unexpected character: `") => {
            "a value cannot begin with this character. Put quotes around it"
        }
        message => message,
    };
    plain.to_owned()
}
