//! Access patterns: each is a method of the repository of an entity. Its parameters are fields of the entity, whose
//! templates make the key; what a parameter holds otherwise is in the notes.

use super::entity::Shown;
use super::keys::{Values, of_item};
use super::method::Method;
use super::python;
use super::transactions::Transactions;
use crate::export::rust::names::Namespace;
use crate::export::tree::{Map, Node};
use crate::model::{
    AccessPattern, Design, IndexId, Operation, SortCondition, SortOperator, WriteAction,
};
use crate::template::Template;

/// The access patterns of a schema.
pub struct Patterns<'a, 'd> {
    design: &'d Design,
    shown: &'a [Shown<'d>],
    indexes: &'a [IndexId],
    methods: Vec<Namespace>,
    of_entities: Vec<Vec<Node>>,
    transactions: Transactions<'a, 'd>,
    number: u64,
}

/// The description of a pattern: its own, or its name.
pub fn description(pattern: &AccessPattern) -> String {
    let own = pattern.description.trim();
    python::documentation(if own.is_empty() { &pattern.name } else { own })
}

impl<'a, 'd> Patterns<'a, 'd> {
    /// No patterns yet. `indexes` and `shown` are those of the schema.
    pub fn new(design: &'d Design, indexes: &'a [IndexId], shown: &'a [Shown<'d>]) -> Self {
        Patterns {
            design,
            shown,
            indexes,
            methods: shown.iter().map(|_| python::methods()).collect(),
            of_entities: shown.iter().map(|_| Vec::new()).collect(),
            transactions: Transactions::new(design, shown),
            number: 0,
        }
    }

    /// Adds a pattern. What is left out goes to `notes`.
    pub fn add(&mut self, pattern: &AccessPattern, notes: &mut Vec<String>) {
        let number = self.number + 1;
        let made = match &pattern.operation {
            Operation::TransactGetItems { .. } | Operation::TransactWriteItems { .. } => {
                self.transactions.add(pattern, number, notes)
            }
            _ => self.method(pattern, number, notes),
        };
        match made {
            Ok(()) => self.number = number,
            Err(why) => {
                let name = &pattern.name;
                notes.push(format!("The access pattern {name} is omitted: {why}."));
            }
        }
    }

    /// The patterns of each entity, and the transactions.
    pub fn finish(self) -> (Vec<Vec<Node>>, Vec<Node>) {
        (self.of_entities, self.transactions.finish())
    }

    fn method(
        &mut self,
        pattern: &AccessPattern,
        number: u64,
        notes: &mut Vec<String>,
    ) -> Result<(), String> {
        let put = match &pattern.operation {
            Operation::Write(action) => action.put(),
            _ => None,
        };
        let intended = |at: &usize| {
            let id = self.shown[*at].id;
            let is_any = pattern.entities.is_empty() || pattern.entities.contains(&id);
            put.map_or(is_any, |put| put == id)
        };
        let mut why = None;
        let mut found = None;
        for at in (0..self.shown.len()).filter(intended) {
            match self.of_entity(&self.shown[at], pattern) {
                Ok(made) => {
                    found = Some((at, made));
                    break;
                }
                Err(error) if why.as_ref().is_none_or(|why| *why == error) => why = Some(error),
                Err(_) => why = Some("no entity of the schema has its keys".to_owned()),
            }
        }
        let Some((at, made)) = found else {
            return Err(why.unwrap_or_else(|| "its entities are omitted".to_owned()));
        };
        let name = &pattern.name;
        if !made.lost.is_empty() {
            notes.push(format!(
                "{name} is without its {}.",
                made.lost.join(" and its ")
            ));
        }
        for (parameter, holds) in &made.holds {
            notes.push(format!("{name}: the parameter {parameter} holds {holds}."));
        }
        let owner = self.shown[at].id;
        let others = pattern.entities.iter().filter(|id| **id != owner);
        let others = others.filter_map(|id| self.design.entities.get(id));
        let others: Vec<&str> = others.map(|entity| entity.name.as_str()).collect();
        if !others.is_empty() {
            let others = others.join(", ");
            notes.push(format!(
                "{name} is also for {others}, which the schema cannot express."
            ));
        }
        let index = made.index.map(|index| self.design.index_name(index));
        let method = self.methods[at].take(python::method(name));
        let map = Map::new()
            .with("pattern_id", number)
            .with("name", method)
            .with("description", description(pattern))
            .with("operation", made.operation)
            .with_some("index_name", index)
            .with_some("range_condition", made.range)
            .with_some("consistent_read", made.consistent)
            .with_some("filter_expression", made.filter)
            .with("parameters", made.parameters)
            .with("return_type", made.returns);
        self.of_entities[at].push(map.into());
        Ok(())
    }

    /// The method in the repository of this entity, or why the entity does not serve the pattern.
    fn of_entity(&self, shown: &Shown, pattern: &AccessPattern) -> Result<Method, String> {
        let key_of = |name: &'static str, returns: &'static str, key| {
            let mut method = Method::new(name, returns);
            method.fields(shown, &of_item(shown, key)?)?;
            Ok::<Method, String>(method)
        };
        let name = pattern.operation.name();
        Ok(match &pattern.operation {
            Operation::GetItem { key, read } => {
                let mut method = key_of(name, "single_entity", key)?;
                method.read(shown, read, &[]);
                method
            }
            Operation::BatchGetItem { keys, read } => {
                let first = keys.first().ok_or("it has no key")?;
                for key in keys {
                    of_item(shown, key)?;
                }
                let mut method = key_of(name, "entity_list", first)?;
                if keys.len() > 1 {
                    method.holds.clear();
                    method.lost.push("number of keys".to_owned());
                }
                method.read(shown, read, &[]);
                method
            }
            Operation::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                read,
            } => {
                let mut method = self.query(shown, *index, partition, sort)?;
                if pattern.entities.len() > 1 && sort.is_empty() {
                    method.returns = "mixed_data";
                }
                method.pages(*descending, *limit);
                method.read(shown, read, &key_fields(shown));
                if method.parameters.is_empty() {
                    return Err("the server generates no query without parameters".to_owned());
                }
                method
            }
            Operation::Scan { index, limit, read } => {
                self.check_index(*index)?;
                let returns = match pattern.entities.as_slice() {
                    [_] => "entity_list",
                    _ => "mixed_data",
                };
                let mut method = Method::new(name, returns);
                method.index = Some(*index).filter(|index| !index.is_primary());
                method.pages(false, *limit);
                method.read(shown, read, &[]);
                method
            }
            Operation::Write(action) => {
                let (mut method, condition) = match action {
                    WriteAction::PutItem { condition, .. } => (Method::put(shown), condition),
                    WriteAction::DeleteItem { key, condition } => {
                        (key_of(name, "success_flag", key)?, condition)
                    }
                    WriteAction::UpdateItem {
                        key,
                        update,
                        condition,
                    } => {
                        let mut method = key_of(name, "single_entity", key)?;
                        method.update(shown, &of_item(shown, key)?, update);
                        (method, condition)
                    }
                    WriteAction::ConditionCheck { .. } => {
                        return Err("a condition check is part of a transaction".to_owned());
                    }
                };
                if let Some(condition) = condition {
                    method.lost.push(format!("condition {condition}"));
                }
                method
            }
            Operation::TransactGetItems { .. } | Operation::TransactWriteItems { .. } => {
                return Err("it is a transaction".to_owned());
            }
        })
    }

    fn check_index(&self, index: IndexId) -> Result<(), String> {
        match index.is_primary() || self.indexes.contains(&index) {
            true => Ok(()),
            false => Err(format!(
                "the index {} is omitted",
                self.design.index_name(index)
            )),
        }
    }

    fn query(
        &self,
        shown: &Shown,
        index: IndexId,
        partition: &[String],
        sort: &[SortCondition],
    ) -> Result<Method, String> {
        self.check_index(index)?;
        let (entity, name) = (&shown.entity.name, self.design.index_name(index));
        let own = shown
            .key(index)
            .ok_or_else(|| format!("{entity} is not in {name}"))?;
        let mut method = Method::new("Query", "entity_list");
        method.index = Some(index).filter(|index| !index.is_primary());
        let mut values = Values::default();
        let mut sides = own.partition.iter().zip(partition);
        let is_whole = own.partition.len() == partition.len();
        if !is_whole || !sides.all(|(template, text)| values.add(template, text)) {
            return Err(format!("its partition key is not that of {entity}"));
        }
        let mut expected = own.partition.len();
        let is_several = own.sort.len() > 1;
        let mut range = None;
        for (at, condition) in sort.iter().enumerate() {
            let template = own.sort.get(at).ok_or("it has too many sort keys")?;
            let SortCondition {
                operator, value, ..
            } = condition;
            let is_equal = *operator == SortOperator::Equal;
            let is_known = match operator {
                SortOperator::Equal => values.add(template, value),
                SortOperator::BeginsWith if !is_several => values.add_prefix(template, value),
                _ => false,
            };
            if is_known {
                expected += 1;
            } else if is_equal || at + 1 < sort.len() {
                return Err(format!("its sort key is not that of {entity}"));
            } else {
                range = Some((template, condition));
            }
        }
        method.fields(shown, &values)?;
        let Some((template, condition)) = range else {
            return Ok(method);
        };
        if values.len() != expected {
            return Err(
                "the server accepts a range only if each key attribute before it has one parameter"
                    .to_owned(),
            );
        }
        method.range(shown, template, condition)?;
        Ok(method)
    }
}

/// The fields of the primary key's templates, which the server allows in no filter of a query.
fn key_fields(shown: &Shown) -> Vec<String> {
    let keys = shown.key(IndexId::PRIMARY).into_iter();
    let templates = keys.flat_map(|key| key.partition.iter().chain(&key.sort));
    templates
        .flat_map(Template::attributes)
        .map(str::to_owned)
        .collect()
}
