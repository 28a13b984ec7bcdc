//! The resources of a file: each block as often as its `count` or `for_each` says.

use super::Resource;
use super::evaluate::{MAX_DEPTH, Scope, pairs_of_resource};
use super::file::Block;
use crate::form::Notes;
use keyfold_core::export::cloudformation::functions::text;
use keyfold_core::export::json;
use keyfold_core::export::tree::{Map, Node};

/// The maximum number of resources that one block makes.
const MAX_COPIES: usize = 1000;

/// What a block is evaluated with: a name and its value, and what the address of the resource ends with.
type Instance = Option<(&'static str, Node, String)>;

impl Scope {
    /// The resources with evaluated values. A module of the registry that makes a table counts as one.
    pub fn resources(&self, notes: &mut Notes) -> Vec<Resource> {
        let mut resources = Vec::new();
        for block in &self.blocks {
            match (block.kind.as_str(), block.labels.as_slice()) {
                ("resource", [kind, _]) => {
                    let place = place(block, &block.labels.join("."));
                    for (end, values) in self.instances(block, &place, is_read(kind), notes) {
                        resources.push(Resource {
                            kind: kind.clone(),
                            address: place.clone() + &end,
                            values,
                        });
                    }
                }
                ("module", [name]) => {
                    let place = place(block, &format!("module.{name}"));
                    let source = self.argument_of(&block.body, "source", MAX_DEPTH);
                    let source = source.as_ref().and_then(text).unwrap_or_default();
                    if source.starts_with('.') {
                        let why = format!(
                            "the tables of the module {source} are not read: name its files too"
                        );
                        notes.add(&place, why);
                    }
                    if !source.contains("dynamodb-table") {
                        continue;
                    }
                    for (end, values) in self.instances(block, &place, true, notes) {
                        resources.push(Resource {
                            kind: "aws_dynamodb_table".to_owned(),
                            address: place.clone() + &end,
                            values: super::table::of_module(&values),
                        });
                    }
                }
                _ => {}
            }
        }
        resources
    }

    /// The values of each resource that a block makes, with what its address ends with.
    fn instances(
        &self,
        block: &Block,
        place: &str,
        is_read: bool,
        notes: &mut Notes,
    ) -> Vec<(String, Map)> {
        if !is_read {
            return Vec::new();
        }
        let mut all = Vec::new();
        for instance in self.repeated(block, place, notes) {
            let evaluate = || self.content(&block.body, MAX_DEPTH);
            all.push(match instance {
                None => (String::new(), evaluate()),
                Some((name, value, end)) => (end, self.with(name, value, evaluate)),
            });
        }
        all
    }

    /// Once for each resource. What cannot be evaluated is noted, and the block is read once.
    fn repeated(&self, block: &Block, place: &str, notes: &mut Notes) -> Vec<Instance> {
        let argument = |name: &str| match &block.body {
            super::file::Content::Body(body) => {
                let mut attributes = body.attributes();
                attributes.any(|attribute| attribute.key() == name)
            }
            super::file::Content::Json(map) => map.get(name).is_some(),
        };
        let mut once = |name: &str, why: &str| {
            notes.add(format!("{place}.{name}"), why);
            vec![None]
        };
        if argument("count") {
            let count = self.argument_of(&block.body, "count", MAX_DEPTH);
            let count = count.as_ref().and_then(text);
            return match count.and_then(|count| count.parse::<usize>().ok()) {
                Some(0) => {
                    notes.add(place, "left out: its count is 0");
                    Vec::new()
                }
                // One that is there or not has no index in messages.
                Some(1) => vec![of_count(0, "")],
                Some(count) if count <= MAX_COPIES => {
                    let copy = |at| of_count(at, &format!("[{at}]"));
                    (0..count).map(copy).collect()
                }
                _ => once(
                    "count",
                    "cannot be determined from the file alone: the resource is read once",
                ),
            };
        }
        if argument("for_each") {
            let each = self.argument_of(&block.body, "for_each", MAX_DEPTH);
            return match each.as_ref().and_then(pairs_of_resource) {
                Some(pairs) if pairs.is_empty() => {
                    notes.add(place, "left out: its for_each is empty");
                    Vec::new()
                }
                Some(pairs) if pairs.len() <= MAX_COPIES => {
                    let of = |(key, value): (Node, Node)| {
                        let end = format!("[{}]", json::line(&key));
                        let each = Map::new().with("key", key).with("value", value);
                        Some(("each", each.into(), end))
                    };
                    pairs.into_iter().map(of).collect()
                }
                _ => once(
                    "for_each",
                    "cannot be determined from the file alone: the resource is read once",
                ),
            };
        }
        vec![None]
    }
}

fn of_count(at: usize, end: &str) -> Instance {
    let count = Map::new().with("index", Node::Number(at.to_string()));
    Some(("count", count.into(), end.to_owned()))
}

/// The place of a block in messages.
fn place(block: &Block, address: &str) -> String {
    let place = match block.line {
        Some(line) => format!("line {line}: {address}"),
        None => address.to_owned(),
    };
    match &block.file {
        Some(file) => format!("{file}: {place}"),
        None => place,
    }
}

/// Whether resources of a kind say something about tables.
fn is_read(kind: &str) -> bool {
    kind.starts_with("aws_dynamodb_") || kind.starts_with("aws_appautoscaling_")
}
