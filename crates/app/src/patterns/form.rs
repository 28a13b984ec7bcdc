//! An access pattern as a form: its fields ([`rows`]). What a field holds and what typed text does is in
//! [`fields`](super::fields). A change of operation or index keeps as much as possible.

use keyfold_core::model::{
    Design, IndexId, ItemKey, KeyAttribute, KeyPart, Operation, SortCondition, SortOperator,
    WriteAction,
};

/// A field. Keys, actions and key attributes are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormField {
    /// Name of the access pattern.
    Name,
    /// Description.
    Description,
    /// Operation.
    Kind,
    /// Table or index to read.
    Index,
    /// Template of a partition key attribute.
    Partition(usize),
    /// Operator of a sort key attribute's condition.
    SortOperator(usize),
    /// Template to compare the sort key attribute with; the lower bound of a range.
    SortValue(usize),
    /// Template of the upper bound of a range.
    SortUpper(usize),
    /// Key template of an item to read or write.
    Key(usize, KeyPart),
    /// Operation of a transaction's action.
    Action(usize),
    /// Entity of the item to put.
    Entity(usize),
    /// Update expression.
    Update(usize),
    /// Condition expression.
    Condition(usize),
    /// Filter expression.
    Filter,
    /// Attributes to return.
    Projection,
    /// Whether to return the greatest sort key first.
    Descending,
    /// Maximum number of items to read.
    Limit,
    /// Whether the read is strongly consistent.
    Consistent,
    /// Peak rate, in calls per second.
    Rate,
}

/// How a field is edited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldInput {
    /// A key template.
    Template,
    /// One line of text.
    Text,
    /// Several lines of text.
    Area,
    /// A number; may be empty.
    Number,
    /// A DynamoDB expression.
    Expression,
    /// A switch: `true` or `false`.
    Toggle,
    /// A menu: values with labels.
    Choice(Vec<(String, String)>),
}

/// A field of the form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldRow {
    /// The field.
    pub slot: FormField,
    /// Full label for screen readers, unique in the form.
    pub label: String,
    /// Short visible label.
    pub short: String,
    /// How it is edited.
    pub input: FieldInput,
    /// Number of the key or action that the field belongs to, if there can be several.
    pub part: Option<usize>,
}

/// Operations, by their API names.
pub const OPERATIONS: [&str; 9] = [
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

/// Operations of an action in a transaction.
const ACTIONS: [&str; 4] = ["PutItem", "UpdateItem", "DeleteItem", "ConditionCheck"];

/// The operator value for a sort key without a condition.
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

/// Returns the fields of an operation, in form order. The fields that every access pattern has are not included:
/// name, description, operation and rate.
pub fn rows(design: &Design, operation: &Operation) -> Vec<FieldRow> {
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
            // Without a partition key there is nothing to compare.
            if !partition.is_empty() || design.entities.is_empty() {
                form.conditions(*index, sort);
            }
            form.add(FormField::Descending, "Order", "Order", order());
            form.add(FormField::Limit, "Limit", "Limit", FieldInput::Number);
            form.read(true, true);
        }
        Operation::Scan { .. } => {
            form.index();
            form.add(FormField::Limit, "Limit", "Limit", FieldInput::Number);
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
                form.add(FormField::Action(at), "Action", "Action", words(&ACTIONS));
                form.action(at, action);
            }
        }
        Operation::Write(action) => form.action(0, action),
    }
    form.rows
}

struct Form<'a> {
    design: &'a Design,
    rows: Vec<FieldRow>,
    part: Option<usize>,
}

impl Form<'_> {
    fn add(&mut self, slot: FormField, label: &str, short: &str, input: FieldInput) {
        let label = match self.part {
            Some(at) => format!("{label} {}", at + 1),
            None => label.to_owned(),
        };
        self.rows.push(FieldRow {
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
            FormField::Index,
            "Table or index",
            "Read from",
            FieldInput::Choice(options),
        );
    }

    fn conditions(&mut self, index: IndexId, sort: &[SortCondition]) {
        let Some(key) = self.design.key(index).cloned() else {
            return;
        };
        for (at, attribute) in key.partition.iter().enumerate() {
            self.template(FormField::Partition(at), "Partition key", attribute);
        }
        for (at, attribute) in key.sort.iter().enumerate().take(sort.len() + 1) {
            let name = &attribute.name;
            let mut options = vec![(NO_CONDITION.to_owned(), "Any value".to_owned())];
            options.extend(OPERATORS.map(|o| (o.symbol().to_owned(), o.symbol().to_owned())));
            self.add(
                FormField::SortOperator(at),
                &format!("Sort key {name} is"),
                &format!("{name} is"),
                FieldInput::Choice(options),
            );
            let Some(condition) = sort.get(at) else {
                continue;
            };
            match condition.operator {
                SortOperator::Between => {
                    self.template(FormField::SortValue(at), "Sort key from", attribute);
                    self.template(FormField::SortUpper(at), "Sort key to", attribute);
                    // Both fields are for the same attribute.
                    for (row, end) in self.rows.iter_mut().rev().zip(["to", "from"]) {
                        row.short = format!("{name} {end}");
                    }
                }
                _ => self.template(FormField::SortValue(at), "Sort key", attribute),
            }
        }
    }

    fn template(&mut self, slot: FormField, what: &str, attribute: &KeyAttribute) {
        let name = &attribute.name;
        self.add(slot, &format!("{what} {name}"), name, FieldInput::Template);
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
                FormField::Key(at, KeyPart::Partition),
                "Partition key",
                attribute,
            );
        }
        match schema.sort.first() {
            Some(attribute) => {
                self.template(FormField::Key(at, KeyPart::Sort), "Sort key", attribute);
            }
            // Left over from a table that had a sort key.
            None if key.sort.is_some() => {
                let label = "Sort key (table has none)";
                self.add(
                    FormField::Key(at, KeyPart::Sort),
                    label,
                    label,
                    FieldInput::Template,
                );
            }
            None => {}
        }
    }

    fn action(&mut self, at: usize, action: &WriteAction) {
        match action {
            WriteAction::PutItem { .. } => {
                let entities = self.design.entities.iter();
                let options = entities.map(|(id, entity)| (id.to_string(), entity.name.clone()));
                let options = FieldInput::Choice(options.collect());
                self.add(FormField::Entity(at), "Entity", "Entity", options);
            }
            WriteAction::UpdateItem { key, .. } => {
                self.key(at, key);
                self.add(
                    FormField::Update(at),
                    "Update expression",
                    "Update",
                    FieldInput::Expression,
                );
            }
            WriteAction::DeleteItem { key, .. } | WriteAction::ConditionCheck { key, .. } => {
                self.key(at, key);
            }
        }
        self.add(
            FormField::Condition(at),
            "Condition expression",
            "Condition",
            FieldInput::Expression,
        );
    }

    fn read(&mut self, filters: bool, consistent: bool) {
        if filters {
            self.add(
                FormField::Filter,
                "Filter expression",
                "Filter",
                FieldInput::Expression,
            );
        }
        self.add(
            FormField::Projection,
            "Projection expression",
            "Projection",
            FieldInput::Text,
        );
        if consistent {
            let label = "Strongly consistent read";
            self.add(FormField::Consistent, label, label, FieldInput::Toggle);
        }
    }
}

fn words(all: &[&str]) -> FieldInput {
    FieldInput::Choice(
        all.iter()
            .map(|word| ((*word).to_owned(), (*word).to_owned()))
            .collect(),
    )
}

fn order() -> FieldInput {
    let option = |value: &str, text: &str| (value.to_owned(), text.to_owned());
    FieldInput::Choice(vec![
        option("false", "Ascending"),
        option("true", "Descending (greatest first)"),
    ])
}
