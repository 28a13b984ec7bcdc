//! `serverless.yml`: the template under `resources`, after its variables (`${self:custom.table}`) are replaced.

use keyfold_core::export::cloudformation::functions::{child, text};
use keyfold_core::export::tree::{Map, Node};

/// The function that stands for a text with variables that cannot be determined.
pub const UNKNOWN: &str = "Fn::Variable";
/// How deeply variables may refer to variables.
const MAX_DEPTH: usize = 20;
/// The maximum of text that all variables together may insert, in bytes.
const MAX_INSERTED: usize = 1 << 20;
/// What the variables of the Serverless Framework begin with.
const SOURCES: [&str; 11] = [
    "self:", "opt:", "sls:", "env:", "param:", "file(", "cf:", "cf(", "ssm:", "s3:", "aws:",
];

/// Whether this is the configuration of a service with resources.
pub fn is_configuration(map: &Map) -> bool {
    if map.get("Resources").is_some() {
        return false;
    }
    if map.get("provider").is_some() && !other_files(map).is_empty() {
        return true;
    }
    let has_resources = |node: &Node| child_of(node, "Resources").is_some();
    match map.get("resources") {
        Some(Node::List(items)) => items.iter().any(has_resources),
        Some(node) => has_resources(node),
        None => false,
    }
}

fn child_of<'a>(node: &'a Node, name: &str) -> Option<&'a Map> {
    match node {
        Node::Map(map) => child(map, name),
        _ => None,
    }
}

/// The resources that are in other files: the place of each, and the variable that names its file.
pub fn other_files(map: &Map) -> Vec<(String, String)> {
    let mut found = Vec::new();
    match map.get("resources") {
        Some(Node::List(items)) => {
            for (at, item) in items.iter().enumerate() {
                find_files(item, &format!("resources[{at}]"), 2, &mut found);
            }
        }
        Some(node) => find_files(node, "resources", 2, &mut found),
        None => {}
    }
    found
}

fn find_files(node: &Node, place: &str, depth: usize, found: &mut Vec<(String, String)>) {
    match node {
        Node::Text(text) if text.contains("${file(") => {
            found.push((place.to_owned(), text.clone()));
        }
        Node::Map(map) if depth > 0 => {
            let members = map
                .pairs()
                .filter(|(name, _)| depth < 2 || *name == "Resources");
            for (name, node) in members {
                find_files(node, &format!("{place}.{name}"), depth - 1, found);
            }
        }
        _ => {}
    }
}

/// The template in a configuration.
pub fn template(map: &Map) -> Map {
    let parts = match map.get("resources") {
        Some(Node::List(items)) => items.clone(),
        Some(node) => vec![node.clone()],
        None => Vec::new(),
    };
    let mut variables = Variables {
        root: map,
        inserted: 0,
    };
    let mut sections: Vec<(String, Map)> = Vec::new();
    for part in &parts {
        let Node::Map(part) = part else { continue };
        for (name, node) in part.pairs() {
            let Node::Map(members) = variables.node(node, MAX_DEPTH) else {
                continue;
            };
            match sections.iter_mut().find(|(other, _)| other == name) {
                Some((_, section)) => {
                    for (key, value) in members.pairs() {
                        if section.get(key).is_none() {
                            section.add(key, value.clone());
                        }
                    }
                }
                None => sections.push((name.to_owned(), members)),
            }
        }
    }
    let mut template = Map::new();
    for (name, section) in sections {
        template.add(name, section);
    }
    template
}

struct Variables<'a> {
    root: &'a Map,
    /// Bytes of text that variables have inserted.
    inserted: usize,
}

impl Variables<'_> {
    fn node(&mut self, node: &Node, depth: usize) -> Node {
        match node {
            Node::Text(content) if content.contains("${") => self.text(content, depth),
            Node::List(items) => {
                let mut list = Vec::new();
                for item in items {
                    list.push(self.node(item, depth));
                }
                Node::List(list)
            }
            Node::Map(map) => {
                let mut out = Map::new();
                for (name, node) in map.pairs() {
                    out.add(name, self.node(node, depth));
                }
                Node::Map(out)
            }
            Node::Call(name, argument) => Node::Call(name, Box::new(self.node(argument, depth))),
            other => other.clone(),
        }
    }

    /// Replaces the variables in a text, the innermost first. A variable that is the whole text may give any value.
    fn text(&mut self, content: &str, depth: usize) -> Node {
        let mut content = content.to_owned();
        let mut from = content.len();
        let mut is_unknown = false;
        // Variables end within those that contain them, so the last `${` is an innermost one.
        while let Some(start) = content[..from].rfind("${") {
            from = start;
            let Some(length) = content[start..].find('}') else {
                continue;
            };
            let inside = content[start + 2..start + length].trim().to_owned();
            if !SOURCES.iter().any(|source| inside.starts_with(source)) {
                continue;
            }
            let Some(value) = self.value(&inside, depth) else {
                is_unknown = true;
                continue;
            };
            if start == 0 && length + 1 == content.len() {
                return value;
            }
            let Some(value) = text(&value) else {
                continue;
            };
            self.inserted += value.len();
            if self.inserted > MAX_INSERTED {
                break;
            }
            content.replace_range(start..=start + length, &value);
        }
        match is_unknown {
            true => Node::Map(Map::new().with(UNKNOWN, content)),
            false => Node::Text(content),
        }
    }

    /// The value of a variable, or of the first of its alternatives that has one.
    fn value(&mut self, inside: &str, depth: usize) -> Option<Node> {
        let depth = depth.checked_sub(1)?;
        for (at, alternative) in inside.split(',').map(str::trim).enumerate() {
            if let Some(path) = alternative.strip_prefix("self:") {
                let mut node = None;
                let mut map = Some(self.root);
                for step in path.split('.') {
                    node = map.and_then(|map| map.get(step));
                    map = node.and_then(|node| match node {
                        Node::Map(map) => Some(map),
                        _ => None,
                    });
                }
                if let Some(node) = node {
                    return Some(self.node(&node.clone(), depth));
                }
            } else if matches!(
                alternative,
                "sls:stage" | "opt:stage" | "self:provider.stage"
            ) {
                let provider = child(self.root, "provider");
                let stage = provider.and_then(|provider| provider.get("stage"));
                // `dev` is the framework's default.
                return Some(match stage {
                    Some(stage) if at == 0 && !names_stage(stage) => {
                        self.node(&stage.clone(), depth)
                    }
                    _ if at == 0 && inside.contains(',') => continue,
                    _ => "dev".into(),
                });
            } else if !SOURCES.iter().any(|source| alternative.starts_with(source)) {
                let plain = alternative.trim_matches(['\'', '"']);
                return Some(plain.into());
            }
        }
        None
    }
}

/// Whether a stage refers to the stage.
fn names_stage(stage: &Node) -> bool {
    text(stage).is_some_and(|text| text.contains("stage"))
}
