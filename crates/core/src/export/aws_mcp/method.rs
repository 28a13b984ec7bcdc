//! A method of a repository: its parameters, and what it lacks of the access pattern.

use super::conditions::filter;
use super::entity::Shown;
use super::keys::Values;
use super::python::{self, is_parameter};
use crate::engine::query::expression::{Assigned, Operand, Term, Update, parse_update};
use crate::export::rust::names::Namespace;
use crate::export::tree::{Map, Node};
use crate::model::{IndexId, Read, SortCondition, SortOperator};
use crate::template::{Segment, Template, parse};

/// A method of a repository.
pub struct Method {
    /// DynamoDB's operation.
    pub operation: &'static str,
    /// The word for what it returns.
    pub returns: &'static str,
    /// The index that it reads, if not the table.
    pub index: Option<IndexId>,
    /// The operator of a range of the sort key.
    pub range: Option<&'static str>,
    /// Whether a read is strongly consistent.
    pub consistent: Option<bool>,
    /// The filter.
    pub filter: Option<Map>,
    /// The parameters.
    pub parameters: Vec<Node>,
    names: Namespace,
    /// What the method lacks.
    pub lost: Vec<String>,
    /// Parameters and what they hold, if that is not the value of their name.
    pub holds: Vec<(String, String)>,
}

impl Method {
    /// A method without parameters.
    pub fn new(operation: &'static str, returns: &'static str) -> Self {
        Method {
            operation,
            returns,
            index: None,
            range: None,
            consistent: None,
            filter: None,
            parameters: Vec::new(),
            names: python::parameters(matches!(operation, "Query" | "Scan")),
            lost: Vec::new(),
            holds: Vec::new(),
        }
    }

    fn parameter(&mut self, name: &str, kind: &str) {
        self.parameters.push(parameter(name, kind));
    }

    /// Adds a parameter for each field that has a value.
    pub fn fields(&mut self, shown: &Shown, values: &Values) -> Result<(), String> {
        for (field, value) in values.iter() {
            if self.names.take(field.clone()) != *field {
                return Err(format!(
                    "the generated method has its own parameter {field}"
                ));
            }
            self.parameter(field, shown.kind(field).unwrap_or("string"));
            if field != value {
                self.holds.push((field.clone(), format!("{{{value}}}")));
            }
        }
        Ok(())
    }

    /// Adds the options of a read. `keys`: the attributes that a filter must not test.
    pub fn read(&mut self, shown: &Shown, read: &Read, keys: &[String]) {
        self.consistent = Some(read.consistent && self.index.is_none());
        if !read.projection.is_empty() {
            self.lost.push("list of attributes".to_owned());
        }
        let Some(text) = &read.filter else { return };
        let is_list = matches!(self.operation, "Query" | "Scan");
        let made = filter(text, shown, keys).filter(|made| {
            let mut names = self.names.clone();
            let mut all = made.parameters.iter();
            is_list && all.all(|(name, _)| is_parameter(name) && names.take(name.clone()) == *name)
        });
        let Some(made) = made else {
            self.lost.push(format!("filter {text}"));
            return;
        };
        for (name, kind) in &made.parameters {
            self.names.take(name.clone());
            self.parameter(name, kind);
        }
        self.filter = Some(made.map);
    }

    /// A method that puts an item.
    pub fn put(shown: &Shown) -> Self {
        let mut method = Method::new("PutItem", "single_entity");
        let name = method.names.take(python::item(&shown.name));
        method.parameters.push(item(&name, shown));
        method
    }

    /// Notes the order and the limit, which the format lacks.
    pub fn pages(&mut self, descending: bool, limit: Option<u32>) {
        if descending {
            self.lost.push("descending order".to_owned());
        }
        if let Some(limit) = limit {
            self.lost.push(format!("limit of {limit}"));
        }
    }

    /// Adds a range of the sort key: its parameters come after the literal text at the start of the template.
    pub fn range(
        &mut self,
        shown: &Shown,
        template: &Template,
        condition: &SortCondition,
    ) -> Result<(), String> {
        let start = template.leading_literal();
        let kind = match template.segments.as_slice() {
            [Segment::Placeholder(only)] => shown.kind(&only.attribute),
            _ => None,
        };
        let is_between = condition.operator == SortOperator::Between;
        let bounds = match (condition.operator, &condition.upper) {
            (SortOperator::Between, Some(upper)) => {
                vec![("low", &condition.value), ("high", upper)]
            }
            (SortOperator::Between, None) => return Err("`between` has no upper bound".to_owned()),
            (SortOperator::BeginsWith, _) => vec![("prefix", &condition.value)],
            _ => vec![("value", &condition.value)],
        };
        for (role, text) in bounds {
            let mut value = parse(text).template;
            let is_start = start.is_empty() || value.leading_literal().starts_with(start);
            if !is_start || value.segments.is_empty() || value.is_broken() {
                return Err(format!(
                    "its sort key does not begin like that of {}",
                    shown.entity.name
                ));
            }
            if let Some(Segment::Literal { text, .. }) = value.segments.first_mut() {
                *text = text[start.len()..].to_owned();
            }
            let mut names = value.attributes();
            let name = match (names.next(), names.next()) {
                (Some(only), None) => python::parameter(only, role),
                _ => role.to_owned(),
            };
            let name = self.names.take(name);
            let holds = value.to_string();
            if holds.is_empty() {
                return Err("its range has no value besides the start of the key".to_owned());
            }
            if holds != format!("{{{name}}}") {
                self.holds.push((name.clone(), holds));
            }
            self.parameter(&name, kind.unwrap_or("string"));
        }
        self.range = Some(if is_between {
            "between"
        } else {
            condition.operator.symbol()
        });
        Ok(())
    }

    /// Adds a parameter for each field that an update sets to a value.
    pub fn update(&mut self, shown: &Shown, key: &Values, text: &str) {
        let parsed = parse_update(text).unwrap_or_default();
        let others = [parsed.add.len(), parsed.delete.len(), parsed.remove.len()];
        let mut is_whole = parsed != Update::default() && others == [0; 3];
        for (path, assigned) in &parsed.set {
            let name = &path.attribute.text;
            let kind = shown
                .kind(name)
                .filter(|_| path.steps.is_empty() && !key.has(name));
            let Assigned::Term(Term::Operand(Operand::Value(value))) = assigned else {
                is_whole = false;
                continue;
            };
            match kind {
                Some(kind) if self.names.take(name.clone()) == *name => {
                    self.parameter(name, kind);
                    if value != name {
                        self.holds.push((name.clone(), format!(":{value}")));
                    }
                }
                _ => is_whole = false,
            }
        }
        if !is_whole {
            self.lost.push(format!("update {text}"));
        }
    }
}

/// A parameter of the schema.
pub fn parameter(name: &str, kind: &str) -> Node {
    Map::new().with("name", name).with("type", kind).into()
}

/// A parameter that is a whole item.
pub fn item(name: &str, shown: &Shown) -> Node {
    let item = Map::new().with("name", name).with("type", "entity");
    item.with("entity_type", shown.name.as_str()).into()
}
