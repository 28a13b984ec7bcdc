//! Transactions: methods of a service, with the parameters of the design's access pattern.

use super::entity::Shown;
use super::keys::of_item;
use super::method::{item, parameter};
use super::patterns::description;
use super::python;
use crate::engine::query::expression::{
    parse_condition, parse_update, uses_of_condition, uses_of_update,
};
use crate::export::rust::names::Namespace;
use crate::export::tree::{Map, Node};
use crate::export::writer::one_line;
use crate::model::{AccessPattern, Design, ItemKey, Operation, WriteAction};

/// The transactions of a schema.
pub struct Transactions<'a, 'd> {
    design: &'d Design,
    shown: &'a [Shown<'d>],
    methods: Namespace,
    list: Vec<Node>,
}

/// The parameters of a transaction.
struct Parameters {
    names: Namespace,
    /// The names in the design and in the schema.
    known: Vec<(String, String)>,
    list: Vec<Node>,
}

impl<'a, 'd> Transactions<'a, 'd> {
    /// No transactions yet. `shown` are the entities of the schema.
    pub fn new(design: &'d Design, shown: &'a [Shown<'d>]) -> Self {
        Transactions {
            design,
            shown,
            methods: python::service_methods(),
            list: Vec::new(),
        }
    }

    /// Adds a transaction, or returns why it is omitted. What it lacks goes to `notes`.
    pub fn add(
        &mut self,
        pattern: &AccessPattern,
        number: u64,
        notes: &mut Vec<String>,
    ) -> Result<(), String> {
        let mut parameters = Parameters {
            names: python::parameters(false),
            known: Vec::new(),
            list: Vec::new(),
        };
        let mut involved = Vec::new();
        let mut own = Vec::new();
        let (operation, returns) = match &pattern.operation {
            Operation::TransactGetItems { keys } => {
                for key in keys {
                    let shown = self.keyed(pattern, key, &mut parameters)?;
                    involved.push(self.involved(shown, "Get", None));
                }
                ("TransactGet", "object")
            }
            operation => {
                for action in operation.actions() {
                    involved.push(self.action(pattern, action, &mut parameters, &mut own)?);
                }
                ("TransactWrite", "boolean")
            }
        };
        if involved.is_empty() {
            return Err("it has no actions".to_owned());
        }
        let renamed = parameters
            .known
            .iter()
            .filter(|(ours, theirs)| ours != theirs);
        for (ours, theirs) in renamed {
            own.push(format!(
                "{}: the parameter {theirs} holds {{{ours}}}.",
                pattern.name
            ));
        }
        notes.extend(own);
        let map = Map::new()
            .with("pattern_id", number)
            .with("name", self.methods.take(python::method(&pattern.name)))
            .with("description", description(pattern))
            .with("operation", operation)
            .with("entities_involved", involved)
            .with("parameters", parameters.list)
            .with("return_type", returns);
        self.list.push(map.into());
        Ok(())
    }

    /// The transactions.
    pub fn finish(self) -> Vec<Node> {
        self.list
    }

    fn action(
        &self,
        pattern: &AccessPattern,
        action: &WriteAction,
        parameters: &mut Parameters,
        notes: &mut Vec<String>,
    ) -> Result<Node, String> {
        let (shown, word, condition) = match action {
            WriteAction::PutItem { entity, condition } => {
                let shown = self.shown.iter().find(|shown| shown.id == *entity);
                let shown = shown.ok_or("one of its entities is omitted")?;
                parameters.item(shown);
                (shown, "Put", condition.as_ref())
            }
            WriteAction::UpdateItem {
                key,
                update,
                condition,
            } => {
                let shown = self.keyed(pattern, key, parameters)?;
                let uses = parse_update(update).map(|update| uses_of_update(&update));
                for name in uses.unwrap_or_default().values {
                    parameters.value(self.shown, &name, None);
                }
                let (name, entity) = (&pattern.name, &shown.entity.name);
                notes.push(format!(
                    "{name} is without its update of {entity}: {update}."
                ));
                (shown, "Update", condition.as_ref())
            }
            WriteAction::DeleteItem { key, condition } => {
                let shown = self.keyed(pattern, key, parameters)?;
                (shown, "Delete", condition.as_ref())
            }
            WriteAction::ConditionCheck { key, condition } => {
                let shown = self.keyed(pattern, key, parameters)?;
                (shown, "ConditionCheck", Some(condition))
            }
        };
        if let Some(condition) = condition {
            let uses = parse_condition(condition).map(|condition| uses_of_condition(&condition));
            for name in uses.unwrap_or_default().values {
                parameters.value(self.shown, &name, None);
            }
        }
        Ok(self.involved(shown, word, condition))
    }

    fn involved(&self, shown: &Shown, action: &str, condition: Option<&String>) -> Node {
        Map::new()
            .with("table", self.design.table.name.as_str())
            .with("entity", shown.name.as_str())
            .with("action", action)
            .with_some("condition", condition.map(|text| one_line(text)))
            .into()
    }

    /// The entity with this key, an intended one first. Adds the parameters of the key.
    fn keyed(
        &self,
        pattern: &AccessPattern,
        key: &ItemKey,
        parameters: &mut Parameters,
    ) -> Result<&'a Shown<'d>, String> {
        let is_intended = |shown: &&Shown| pattern.entities.contains(&shown.id);
        let others = self.shown.iter().filter(|shown| !is_intended(shown));
        for shown in self.shown.iter().filter(is_intended).chain(others) {
            let Ok(values) = of_item(shown, key) else {
                continue;
            };
            for (field, name) in values.iter() {
                parameters.value(self.shown, name, shown.kind(field));
            }
            return Ok(shown);
        }
        Err("one of its keys is not that of an entity".to_owned())
    }
}

impl Parameters {
    /// Adds the parameter for a whole item.
    fn item(&mut self, shown: &Shown) {
        let name = self.names.take(python::item(&shown.name));
        self.list.push(item(&name, shown));
    }

    /// Adds a parameter unless it is known. The server wants it to have the type of the first field with its name.
    fn value(&mut self, all: &[Shown], name: &str, kind: Option<&'static str>) {
        if self.known.iter().any(|(known, _)| known == name) {
            return;
        }
        let taken = self.names.take(python::parameter(name, "value"));
        let of_field = all.iter().find_map(|shown| shown.kind(&taken));
        let kind = of_field.or(kind).unwrap_or("string");
        self.list.push(parameter(&taken, kind));
        self.known.push((name.to_owned(), taken));
    }
}
