//! The properties of a resource, with their functions evaluated.

use super::super::super::json;
use super::super::super::tree::{Map, Node};
use super::super::functions::{call, child, text};

/// The properties of one map, and its path.
pub(super) struct Props<'a> {
    pub(super) map: &'a Map,
    pub(super) place: String,
}

impl<'a> Props<'a> {
    pub(super) fn under(&self, key: &str) -> Option<Props<'a>> {
        Some(Props {
            map: child(self.map, key)?,
            place: format!("{}.{key}", self.place),
        })
    }

    pub(super) fn list(&self, key: &str) -> Vec<Props<'a>> {
        let mut list = Vec::new();
        if let Some(Node::List(items)) = self.map.get(key) {
            for (number, item) in items.iter().enumerate() {
                if let Node::Map(map) = item {
                    let place = format!("{}.{key}[{number}]", self.place);
                    list.push(Props { map, place });
                }
            }
        }
        list
    }

    /// Returns a text; the function itself if a function computes it.
    pub(super) fn text(&self, key: &str) -> Option<String> {
        let node = self.map.get(key)?;
        text(node).or_else(|| call(node).map(|_| json::line(node)))
    }

    /// Returns a text that must be known.
    pub(super) fn known(&self, key: &str) -> Result<String, String> {
        let place = format!("{}.{key}", self.place);
        match self.map.get(key) {
            None | Some(Node::Null) => Err(format!("{place} is missing")),
            Some(node) => text(node).ok_or_else(|| {
                format!(
                    "{place} is {}, which the template alone does not determine",
                    json::line(node)
                )
            }),
        }
    }

    pub(super) fn number(&self, key: &str) -> Option<u64> {
        let text = text(self.map.get(key)?)?;
        text.trim_end_matches(".0").parse().ok()
    }

    pub(super) fn holds(&self, key: &str) -> bool {
        let value = self.map.get(key).and_then(text);
        value.is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }
}
