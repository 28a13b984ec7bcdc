//! Filters: conditions on attributes that are joined by AND or by OR.

use super::entity::Shown;
use crate::engine::query::expression::{Condition, Operand, Path, parse_condition};
use crate::export::tree::{Map, Node};

/// A filter of the schema.
pub struct Filter {
    /// The conditions, and what joins them.
    pub map: Map,
    /// The parameters, with their types.
    pub parameters: Vec<(String, &'static str)>,
}

/// A filter expression in the schema; `None` if the format cannot express it. `keys`: the attributes that it must not
/// test.
pub fn filter(text: &str, shown: &Shown, keys: &[String]) -> Option<Filter> {
    let condition = parse_condition(text).ok()?;
    let joint = match condition {
        Condition::Or(..) => "OR",
        _ => "AND",
    };
    let mut made = Conditions {
        shown,
        keys,
        list: Vec::new(),
        parameters: Vec::new(),
    };
    made.joined(&condition, joint)?;
    let is_joined = made.list.len() > 1;
    let map = Map::new()
        .with("conditions", made.list)
        .with_some("logical_operator", is_joined.then_some(joint));
    Some(Filter {
        map,
        parameters: made.parameters,
    })
}

struct Conditions<'a, 'd> {
    shown: &'a Shown<'d>,
    keys: &'a [String],
    list: Vec<Node>,
    parameters: Vec<(String, &'static str)>,
}

impl Conditions<'_, '_> {
    fn joined(&mut self, condition: &Condition, joint: &str) -> Option<()> {
        match (condition, joint) {
            (Condition::And(left, right), "AND") | (Condition::Or(left, right), "OR") => {
                self.joined(left, joint)?;
                self.joined(right, joint)
            }
            _ => self.one(condition),
        }
    }

    fn one(&mut self, condition: &Condition) -> Option<()> {
        let function = |name: &str| Map::new().with("function", name);
        let operator = |word: &str| Map::new().with("operator", word);
        let (tested, values, is_list, map) = match condition {
            Condition::Compare(Operand::Value(value), by, tested) => {
                let map = operator(by.flipped().symbol());
                return self.add(tested, &[&Operand::Value(value.clone())], false, map);
            }
            Condition::Compare(tested, by, value) => {
                (tested, vec![value], false, operator(by.symbol()))
            }
            Condition::Between(tested, low, high) => {
                (tested, vec![low, high], false, operator("between"))
            }
            Condition::In(tested, values) => {
                (tested, values.iter().collect(), true, operator("in"))
            }
            Condition::BeginsWith(tested, value) => {
                (tested, vec![value], false, function("begins_with"))
            }
            Condition::Contains(tested, value) => {
                (tested, vec![value], false, function("contains"))
            }
            Condition::Exists(path) => return self.exists(path, function("attribute_exists")),
            Condition::NotExists(path) => {
                return self.exists(path, function("attribute_not_exists"));
            }
            Condition::Type(..) | Condition::And(..) | Condition::Or(..) | Condition::Not(_) => {
                return None;
            }
        };
        self.add(tested, &values, is_list, map)
    }

    fn exists(&mut self, path: &Path, map: Map) -> Option<()> {
        let (field, _) = self.field(path)?;
        let whole = Map::new().with("field", field);
        self.list.push(extended(whole, map).into());
        Some(())
    }

    fn add(
        &mut self,
        tested: &Operand,
        values: &[&Operand],
        is_list: bool,
        map: Map,
    ) -> Option<()> {
        let (path, is_size) = match tested {
            Operand::Path(path) => (path, false),
            Operand::Size(path) => (path, true),
            Operand::Value(_) | Operand::Literal(_) => return None,
        };
        let (field, kind) = self.field(path)?;
        let kind = match kind {
            _ if is_size => "integer",
            "array" | "object" => "string",
            kind => kind,
        };
        let mut names = Vec::new();
        for value in values {
            let Operand::Value(name) = value else {
                return None;
            };
            if !self.parameters.iter().any(|(other, _)| other == name) {
                self.parameters.push((name.clone(), kind));
            }
            names.push(name.as_str());
        }
        let whole = Map::new().with("field", field);
        let whole = whole.with_some("function", is_size.then_some("size"));
        let mut whole = extended(whole, map);
        match names.as_slice() {
            _ if is_list && is_size => return None,
            names if is_list => whole.add("params", Node::texts(names.iter().copied())),
            names => {
                for (member, name) in ["param", "param2"].into_iter().zip(names) {
                    whole.add(member, *name);
                }
            }
        }
        self.list.push(whole.into());
        Some(())
    }

    /// A field that the filter may test, with its type.
    fn field(&self, path: &Path) -> Option<(String, &'static str)> {
        let name = &path.attribute.text;
        let is_free = path.steps.is_empty() && !self.keys.contains(name);
        let kind = self.shown.kind(name).filter(|_| is_free)?;
        Some((name.clone(), kind))
    }
}

fn extended(mut map: Map, with: Map) -> Map {
    map.extend(with);
    map
}
