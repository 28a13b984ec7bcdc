//! Reads a tree member by member: keeps the path for messages, and reports members that nobody has read.

use crate::form::Notes;
use crate::script::{call_of, is_unknown_member};
use keyfold_core::export::tree::{Map, Node};
use keyfold_core::import::shown;
pub use keyfold_core::import::shown::elements;
use std::cell::RefCell;

/// A map of the tree.
pub struct Members<'a> {
    /// The map.
    pub map: &'a Map,
    /// Its path: `DataModel[0].TableFacets[1]`; empty for the root.
    pub path: String,
    read: RefCell<Vec<String>>,
}

impl<'a> Members<'a> {
    /// The members of a map.
    pub fn new(map: &'a Map, path: impl Into<String>) -> Self {
        Members {
            map,
            path: path.into(),
            read: RefCell::default(),
        }
    }

    /// The members of a value that must be a map.
    ///
    /// # Errors
    ///
    /// The place, and what was expected there.
    pub fn of(node: &'a Node, path: impl Into<String>) -> Result<Self, String> {
        let path = path.into();
        match node {
            Node::Map(map) if call_of(node).is_none() => Ok(Members::new(map, path)),
            other => Err(expected(&path, "an object", other)),
        }
    }

    /// The path of a member.
    pub fn path_of(&self, name: &str) -> String {
        match self.path.is_empty() {
            true => name.to_owned(),
            false => format!("{}.{name}", self.path),
        }
    }

    /// A member that is not null.
    pub fn get(&self, name: &str) -> Option<&'a Node> {
        self.skip(&[name]);
        let node = self.map.get(name);
        node.filter(|node| **node != Node::Null)
    }

    /// Marks members as read, which are of no use to a design.
    pub fn skip(&self, names: &[&str]) {
        let mut read = self.read.borrow_mut();
        read.extend(names.iter().map(|name| (*name).to_owned()));
    }

    /// A text; a value of another type is noted.
    pub fn text(&self, name: &str, notes: &mut Notes) -> Option<String> {
        self.scalar(name, "a string", notes, |node| match node {
            Node::Text(text) | Node::Type(text) | Node::Number(text) => Some(text.clone()),
            _ => None,
        })
    }

    /// A text that must be there.
    ///
    /// # Errors
    ///
    /// The place, and what was expected there.
    pub fn needed(&self, name: &str) -> Result<String, String> {
        match self.get(name) {
            Some(Node::Text(text) | Node::Type(text)) => Ok(text.clone()),
            Some(other) => Err(expected(&self.path_of(name), "a string", other)),
            None => Err(format!("{}: expected a string", self.path_of(name))),
        }
    }

    /// A whole number; a value of another type is noted.
    pub fn number(&self, name: &str, notes: &mut Notes) -> Option<u64> {
        self.scalar(name, "a whole number", notes, |node| match node {
            Node::Text(text) | Node::Number(text) => text.trim_end_matches(".0").parse().ok(),
            _ => None,
        })
    }

    /// A boolean; a value of another type is noted.
    pub fn flag(&self, name: &str, notes: &mut Notes) -> Option<bool> {
        self.scalar(name, "true or false", notes, |node| match node {
            Node::Bool(flag) => Some(*flag),
            Node::Text(text) => text.to_ascii_lowercase().parse().ok(),
            _ => None,
        })
    }

    fn scalar<T>(
        &self,
        name: &str,
        what: &str,
        notes: &mut Notes,
        read: impl Fn(&Node) -> Option<T>,
    ) -> Option<T> {
        let node = self.get(name)?;
        let value = read(node);
        if value.is_none() {
            notes.add(self.path_of(name), found(what, node));
        }
        value
    }

    /// The elements of a list, each with its path; anything but a list is noted.
    pub fn list(&self, name: &str, notes: &mut Notes) -> Vec<(&'a Node, String)> {
        let path = self.path_of(name);
        match self.get(name) {
            None => Vec::new(),
            Some(Node::List(items)) => elements(items, &path),
            Some(other) => {
                notes.add(path, found("a list", other));
                Vec::new()
            }
        }
    }

    /// The elements of a list that are maps; others are noted.
    pub fn maps(&self, name: &str, notes: &mut Notes) -> Vec<Members<'a>> {
        let mut maps = Vec::new();
        for (node, path) in self.list(name, notes) {
            match node {
                Node::Map(map) => maps.push(Members::new(map, path)),
                other => notes.add(path, found("an object", other)),
            }
        }
        maps
    }

    /// The elements of a list that are texts; others are noted.
    pub fn texts(&self, name: &str, notes: &mut Notes) -> Vec<String> {
        let mut texts = Vec::new();
        for (node, path) in self.list(name, notes) {
            match node {
                Node::Text(text) => texts.push(text.clone()),
                other => notes.add(path, found("a string", other)),
            }
        }
        texts
    }

    /// The map under a name; anything else is noted.
    pub fn under(&self, name: &str, notes: &mut Notes) -> Option<Members<'a>> {
        match self.get(name)? {
            node @ Node::Map(map) if call_of(node).is_none() => {
                Some(Members::new(map, self.path_of(name)))
            }
            other => {
                notes.add(self.path_of(name), found("an object", other));
                None
            }
        }
    }

    /// Notes the members that nobody has read.
    pub fn finish(&self, notes: &mut Notes) {
        let read = self.read.borrow();
        for (name, node) in self.map.pairs() {
            if read.iter().any(|other| other == name) {
                continue;
            }
            match is_unknown_member(name) {
                true => {
                    let path = if self.path.is_empty() {
                        "the object"
                    } else {
                        &self.path
                    };
                    notes.add(
                        path,
                        format!("left out: `{name}` is not a literal of this file"),
                    );
                }
                false => {
                    let message = format!("not understood and left out: {}", shorten(node));
                    notes.add(self.path_of(name), message);
                }
            }
        }
    }
}

/// The error for a value of another type.
pub fn expected(path: &str, what: &str, node: &Node) -> String {
    let path = if path.is_empty() { "the file" } else { path };
    format!("{path}: {}", found(what, node))
}

/// The start of a value, for messages. Of a call, what is called.
pub fn shorten(node: &Node) -> String {
    match call_of(node) {
        Some(call) => format!("{}(…)", call.name),
        None => shown::shorten(node),
    }
}

/// The message for a value of another type, without its place.
pub fn found(what: &str, node: &Node) -> String {
    format!("expected {what}, found {}", shorten(node))
}
