//! An access pattern as the fields of a form: which there are ([`rows`]), what stands in one ([`read`]) and what a typed
//! text does ([`write`]). What a change of kind or index can keep, it keeps.

pub use super::fields::{problem, read, remark, write};

use keyfold_core::model::{
    Design, IndexId, ItemKey, KeyAttribute, KeyPart, Operation, SortCondition, SortOperator,
    WriteAction,
};

/// One field. Keys and actions are counted from 0, and so are the attributes of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// Its name.
    Name,
    /// What it is for.
    Description,
    /// The operation.
    Kind,
    /// The table or the index that is read.
    Index,
    /// The template of a partition key attribute.
    Partition(usize),
    /// How a sort key attribute is compared, or that it is not.
    SortOperator(usize),
    /// The template that it is compared with, or of the lower end.
    SortValue(usize),
    /// The template of the upper end.
    SortUpper(usize),
    /// A template of the key of an item that is read or written.
    Key(usize, KeyPart),
    /// What an action of a transaction does.
    Action(usize),
    /// The entity whose item is put.
    Entity(usize),
    /// Update expression.
    Update(usize),
    /// Condition expression.
    Condition(usize),
    /// Filter expression.
    Filter,
    /// Attributes to return.
    Projection,
    /// Whether the greatest sort key comes first.
    Descending,
    /// Most items that are read.
    Limit,
    /// Whether the read is strongly consistent.
    Consistent,
    /// Calls per second at peak.
    Rate,
}

/// How a field is edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A key template.
    Template,
    /// A line of text.
    Text,
    /// A longer text.
    Area,
    /// A number, or nothing.
    Number,
    /// An expression.
    Expression,
    /// On (`true`) or off (`false`).
    Toggle,
    /// One of these: value and text.
    Choice(Vec<(String, String)>),
}

/// A field of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Which.
    pub slot: Slot,
    /// Its whole name, for screen readers; unique in the form.
    pub label: String,
    /// The short name that is seen.
    pub short: String,
    /// How it is edited.
    pub input: Input,
    /// The key or the action that it belongs to, where there may be several.
    pub part: Option<usize>,
}

/// The operations, by their names in DynamoDB's API.
pub const KINDS: [&str; 9] = [
    "Query",
    "GetItem",
    "BatchGetItem",
    "TransactGetItems",
    "Scan",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "TransactWriteItems",
];

/// What an action of a transaction can do.
const ACTIONS: [&str; 4] = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"];

/// No condition on a sort key attribute, among the operators.
pub const NO_CONDITION: &str = "any";

const OPERATORS: [SortOperator; 7] = [
    SortOperator::BeginsWith,
    SortOperator::Equal,
    SortOperator::Between,
    SortOperator::Less,
    SortOperator::LessOrEqual,
    SortOperator::Greater,
    SortOperator::GreaterOrEqual,
];

/// The fields of an access pattern's operation, in the order of the form. Name, description, kind and rate are not
/// among them: every access pattern has these.
pub fn rows(design: &Design, operation: &Operation) -> Vec<Row> {
    let mut form = Form {
        design,
        rows: Vec::new(),
        part: None,
    };
    match operation {
        Operation::GetItem { key, .. } => {
            form.key(0, key);
            form.read(false, true);
        }
        Operation::Query {
            index,
            partition,
            sort,
            ..
        } => {
            form.index();
            // Where no key is chosen there is none to compare.
            if !partition.is_empty() || design.entities.is_empty() {
                form.conditions(*index, sort);
            }
            form.add(Slot::Descending, "Order", "Order", order());
            form.add(Slot::Limit, "Limit", "Limit", Input::Number);
            form.read(true, true);
        }
        Operation::Scan { .. } => {
            form.index();
            form.add(Slot::Limit, "Limit", "Limit", Input::Number);
            form.read(true, true);
        }
        Operation::BatchGetItem { keys, .. } => {
            form.keys(keys);
            form.read(false, true);
        }
        Operation::TransactGetItems { keys } => form.keys(keys),
        Operation::TransactWriteItems { actions } => {
            for (at, action) in actions.iter().enumerate() {
                form.part = Some(at);
                form.add(Slot::Action(at), "Action", "Action", words(&ACTIONS));
                form.action(at, action);
            }
        }
        Operation::Write(action) => form.action(0, action),
    }
    form.rows
}

struct Form<'a> {
    design: &'a Design,
    rows: Vec<Row>,
    part: Option<usize>,
}

impl Form<'_> {
    fn add(&mut self, slot: Slot, label: &str, short: &str, input: Input) {
        let label = match self.part {
            Some(at) => format!("{label} {}", at + 1),
            None => label.to_owned(),
        };
        self.rows.push(Row {
            slot,
            label,
            short: short.to_owned(),
            input,
            part: self.part,
        });
    }

    fn index(&mut self) {
        let ids = self.design.index_ids();
        let option = |id: IndexId| (id.to_string(), self.design.index_name(id).to_owned());
        let options = ids.map(option).collect();
        self.add(
            Slot::Index,
            "Table or index",
            "Read from",
            Input::Choice(options),
        );
    }

    fn conditions(&mut self, index: IndexId, sort: &[SortCondition]) {
        let Some(key) = self.design.key(index).cloned() else {
            return;
        };
        for (at, attribute) in key.partition.iter().enumerate() {
            self.template(Slot::Partition(at), "Partition key", attribute);
        }
        for (at, attribute) in key.sort.iter().enumerate().take(sort.len() + 1) {
            let name = &attribute.name;
            let mut options = vec![(NO_CONDITION.to_owned(), "any value".to_owned())];
            options.extend(OPERATORS.map(|o| (o.symbol().to_owned(), o.symbol().to_owned())));
            self.add(
                Slot::SortOperator(at),
                &format!("Sort key {name} is"),
                &format!("{name} is"),
                Input::Choice(options),
            );
            let Some(condition) = sort.get(at) else {
                continue;
            };
            match condition.operator {
                SortOperator::Between => {
                    self.template(Slot::SortValue(at), "Sort key from", attribute);
                    self.template(Slot::SortUpper(at), "Sort key to", attribute);
                    // Both are of one attribute.
                    for (row, end) in self.rows.iter_mut().rev().zip(["to", "from"]) {
                        row.short = format!("{name} {end}");
                    }
                }
                _ => self.template(Slot::SortValue(at), "Sort key", attribute),
            }
        }
    }

    fn template(&mut self, slot: Slot, what: &str, attribute: &KeyAttribute) {
        let name = &attribute.name;
        self.add(slot, &format!("{what} {name}"), name, Input::Template);
    }

    fn keys(&mut self, keys: &[ItemKey]) {
        for (at, key) in keys.iter().enumerate() {
            self.part = Some(at);
            self.key(at, key);
        }
        self.part = None;
    }

    fn key(&mut self, at: usize, key: &ItemKey) {
        let schema = self.design.table.key.clone();
        if let Some(attribute) = schema.partition.first() {
            self.template(
                Slot::Key(at, KeyPart::Partition),
                "Partition key",
                attribute,
            );
        }
        match schema.sort.first() {
            Some(attribute) => self.template(Slot::Key(at, KeyPart::Sort), "Sort key", attribute),
            // Left over from a table that had one.
            None if key.sort.is_some() => {
                let label = "Sort key that the table has not";
                self.add(Slot::Key(at, KeyPart::Sort), label, label, Input::Template);
            }
            None => {}
        }
    }

    fn action(&mut self, at: usize, action: &WriteAction) {
        match action {
            WriteAction::PutItem { .. } => {
                let entities = self.design.entities.iter();
                let options = entities.map(|(id, entity)| (id.to_string(), entity.name.clone()));
                let options = Input::Choice(options.collect());
                self.add(Slot::Entity(at), "Entity", "Item of", options);
            }
            WriteAction::UpdateItem { key, .. } => {
                self.key(at, key);
                self.add(
                    Slot::Update(at),
                    "Update expression",
                    "Update",
                    Input::Expression,
                );
            }
            WriteAction::DeleteItem { key, .. } | WriteAction::ConditionCheck { key, .. } => {
                self.key(at, key);
            }
        }
        self.add(
            Slot::Condition(at),
            "Condition expression",
            "Only if",
            Input::Expression,
        );
    }

    fn read(&mut self, filters: bool, consistent: bool) {
        if filters {
            self.add(
                Slot::Filter,
                "Filter expression",
                "Filter",
                Input::Expression,
            );
        }
        self.add(
            Slot::Projection,
            "Attributes to return",
            "Return",
            Input::Text,
        );
        if consistent {
            let label = "Strongly consistent";
            self.add(Slot::Consistent, label, label, Input::Toggle);
        }
    }
}

fn words(all: &[&str]) -> Input {
    Input::Choice(
        all.iter()
            .map(|word| ((*word).to_owned(), (*word).to_owned()))
            .collect(),
    )
}

fn order() -> Input {
    let option = |value: &str, text: &str| (value.to_owned(), text.to_owned());
    Input::Choice(vec![
        option("false", "ascending"),
        option("true", "descending: greatest first"),
    ])
}
