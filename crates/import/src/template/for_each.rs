//! `Fn::ForEach` of the transform AWS::LanguageExtensions: members that are repeated for each value of a list.
//! Source: "Fn::ForEach", CloudFormation template reference.

use crate::cursor::shorten;
use crate::form::Notes;
use keyfold_core::export::cloudformation::functions::{Functions, call, text};
use keyfold_core::export::tree::{Map, Node};

/// How the name of such a member begins.
const PREFIX: &str = "Fn::ForEach::";
/// How deeply the template may nest.
const MAX_DEPTH: usize = 100;
/// The maximum number of values that all loops together make.
const BUDGET: usize = 1 << 17;

/// The template with its loops replaced by what they make. A loop whose list cannot be determined is noted.
pub fn expanded(root: &Map, notes: &mut Notes) -> Map {
    if !has_loop(root, MAX_DEPTH) {
        return root.clone();
    }
    let mut loops = Loops {
        functions: Functions::new(root),
        notes,
        left: BUDGET,
    };
    loops.map(root, "", &[], MAX_DEPTH)
}

fn has_loop(map: &Map, depth: usize) -> bool {
    let Some(depth) = depth.checked_sub(1) else {
        return false;
    };
    map.pairs().any(|(name, node)| match node {
        _ if name.starts_with(PREFIX) => true,
        Node::Map(map) => has_loop(map, depth),
        _ => false,
    })
}

/// The variables of the loops around a value, the innermost last.
type Variables<'v> = &'v [(String, String)];

struct Loops<'a> {
    functions: Functions<'a>,
    notes: &'a mut Notes,
    left: usize,
}

impl Loops<'_> {
    fn map(&mut self, map: &Map, path: &str, variables: Variables, depth: usize) -> Map {
        let mut out = Map::new();
        let Some(depth) = depth.checked_sub(1) else {
            return out;
        };
        for (name, node) in map.pairs() {
            let path = match path.is_empty() {
                true => name.to_owned(),
                false => format!("{path}.{name}"),
            };
            match name.starts_with(PREFIX) {
                true => match self.repeat(node, &path, variables, depth) {
                    Ok(made) => {
                        for (name, node) in made {
                            if out.get(&name).is_none() {
                                out.add(name, node);
                            }
                        }
                    }
                    Err(why) => self.notes.add(path, why),
                },
                false => {
                    let node = self.node(node, &path, variables, depth);
                    out.add(replaced(name, variables), node);
                }
            }
        }
        out
    }

    fn node(&mut self, node: &Node, path: &str, variables: Variables, depth: usize) -> Node {
        self.left = self.left.saturating_sub(usize::from(!variables.is_empty()));
        let Some(depth) = depth.checked_sub(1).filter(|_| self.left > 0) else {
            return Node::Null;
        };
        if let Some(("Ref", argument)) = call(node)
            && let Some(name) = text(argument)
            && let Some((_, value)) = variables.iter().rev().find(|(other, _)| *other == name)
        {
            return value.as_str().into();
        }
        match node {
            Node::Text(content) => Node::Text(replaced(content, variables)),
            Node::List(items) => {
                let mut list = Vec::new();
                for item in items {
                    list.push(self.node(item, path, variables, depth));
                }
                Node::List(list)
            }
            Node::Map(map) => Node::Map(self.map(map, path, variables, depth)),
            Node::Call(name, argument) => {
                let argument = self.node(argument, path, variables, depth);
                Node::Call(name, Box::new(argument))
            }
            other => other.clone(),
        }
    }

    /// What a loop makes: `[Name, [values], {"Table${Name}": {...}}]`.
    fn repeat(
        &mut self,
        node: &Node,
        path: &str,
        variables: Variables,
        depth: usize,
    ) -> Result<Vec<(String, Node)>, String> {
        let Node::List(parts) = node else {
            return Err(format!(
                "left out: expected a list, found {}",
                shorten(node)
            ));
        };
        let [variable, list, Node::Map(body)] = parts.as_slice() else {
            return Err("left out: expected a name, a list and an object".to_owned());
        };
        let variable = text(variable).ok_or("left out: its variable has no name")?;
        let list = self.node(list, path, variables, depth);
        let resolved = self.functions.resolve(&list);
        let values: Option<Vec<String>> = match &resolved {
            Some(Node::List(values)) => values.iter().map(text).collect(),
            _ => None,
        };
        let values = values.ok_or_else(|| {
            let list = shorten(&list);
            format!("left out: the list {list} cannot be determined from the file alone")
        })?;
        let mut made = Vec::new();
        for value in values {
            let mut inner = variables.to_vec();
            inner.push((variable.clone(), value));
            let map = self.map(body, path, &inner, depth);
            made.extend(
                map.pairs()
                    .map(|(name, node)| (name.to_owned(), node.clone())),
            );
            if self.left == 0 {
                return Err(format!(
                    "left out: the loops of the template make more than {BUDGET} values"
                ));
            }
        }
        Ok(made)
    }
}

/// The text with the variables replaced: `${Name}`, and `&{Name}` by the letters and digits of its value.
fn replaced(content: &str, variables: Variables) -> String {
    let mut out = content.to_owned();
    for (name, value) in variables.iter().rev() {
        if out.contains("{") {
            let letters: String = value.chars().filter(char::is_ascii_alphanumeric).collect();
            out = out.replace(&format!("${{{name}}}"), value);
            out = out.replace(&format!("&{{{name}}}"), &letters);
        }
    }
    out
}
