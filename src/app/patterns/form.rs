//! An access pattern as the fields of a form: which there are ([`rows`]), what stands in one ([`read`]) and what a typed
//! text does ([`write`]). What a change of kind or index can keep, it keeps.

use super::convert;
use crate::app::Refused;
use crate::app::input::{optional, optional_whole};
use crate::domain::engine::query::expression::{parse_condition, parse_projection, parse_update};
use crate::domain::model::{
    AccessPattern, Design, EntityId, IndexId, ItemKey, KeyAttribute, KeyPart, KeyType, Operation,
    Read, SortCondition, SortOperator, WriteAction,
};
use crate::domain::template;

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

/// What stands in a field; nothing for one that the access pattern does not have.
pub fn read(pattern: &AccessPattern, slot: Slot) -> String {
    let operation = &pattern.operation;
    let flag = |on: bool| on.to_string();
    match slot {
        Slot::Kind => operation.name().to_owned(),
        Slot::Index => (operation.index()).map_or(String::new(), |index| index.to_string()),
        Slot::Rate => pattern.rate.map_or(String::new(), |rate| rate.to_string()),
        Slot::SortOperator(at) => match operation {
            Operation::Query { sort, .. } => (sort.get(at))
                .map_or(NO_CONDITION, |condition| condition.operator.symbol())
                .to_owned(),
            _ => String::new(),
        },
        Slot::Descending => match operation {
            Operation::Query { descending, .. } => flag(*descending),
            _ => flag(false),
        },
        Slot::Limit => match operation {
            Operation::Query { limit, .. } | Operation::Scan { limit, .. } => {
                limit.map_or(String::new(), |limit| limit.to_string())
            }
            _ => String::new(),
        },
        Slot::Consistent => flag(read_of(operation).is_some_and(|read| read.consistent)),
        Slot::Projection => {
            read_of(operation).map_or(String::new(), |read| read.projection.join(", "))
        }
        Slot::Action(at) => action(operation, at).map_or(String::new(), |a| a.name().to_owned()),
        Slot::Entity(at) => match action(operation, at) {
            Some(WriteAction::PutItem { entity, .. }) => entity.to_string(),
            _ => String::new(),
        },
        // The others are texts: one accessor for reading and writing.
        _ => {
            let mut copy = pattern.clone();
            text(&mut copy, slot).map_or(String::new(), |text| match text {
                Text::Needed(text) => text.clone(),
                Text::Optional(text) => text.clone().unwrap_or_default(),
            })
        }
    }
}

/// Puts a typed text into a field. A refusal says what to type instead, and changes nothing.
pub fn write(
    design: &Design,
    pattern: &mut AccessPattern,
    slot: Slot,
    typed: &str,
) -> Result<(), Refused> {
    let on = typed == "true";
    match slot {
        Slot::Kind => pattern.operation = convert::to_kind(design, pattern, typed)?,
        Slot::Index => {
            let index = typed
                .parse()
                .map_err(|_| Refused("there is no such index".into()))?;
            convert::to_index(design, pattern, index);
        }
        Slot::Rate => pattern.rate = rate(typed)?,
        Slot::SortOperator(at) => convert::to_operator(design, pattern, at, typed),
        Slot::Descending => {
            if let Operation::Query { descending, .. } = &mut pattern.operation {
                *descending = on;
            }
        }
        Slot::Limit => {
            let most = optional_whole(typed, 1..=u64::from(u32::MAX))?;
            if let Operation::Query { limit, .. } | Operation::Scan { limit, .. } =
                &mut pattern.operation
            {
                *limit = most.map(|most| most as u32);
            }
        }
        Slot::Consistent => {
            if let Some(read) = read_mut(&mut pattern.operation) {
                read.consistent = on;
            }
        }
        Slot::Projection => {
            if let Some(read) = read_mut(&mut pattern.operation) {
                let names = typed
                    .split(',')
                    .map(str::trim)
                    .filter(|name| !name.is_empty());
                read.projection = names.map(str::to_owned).collect();
            }
        }
        Slot::Action(at) => convert::to_action(design, pattern, at, typed)?,
        Slot::Entity(at) => {
            let id: EntityId = typed
                .parse()
                .map_err(|_| Refused("there is no such entity".into()))?;
            if let Some(WriteAction::PutItem { entity, .. }) =
                action_mut(&mut pattern.operation, at)
            {
                *entity = id;
            }
        }
        _ => match text(pattern, slot) {
            Some(Text::Needed(text)) => *text = typed.to_owned(),
            Some(Text::Optional(text)) => {
                *text = match slot {
                    Slot::Key(..) => Some(typed.to_owned()),
                    _ => optional(typed),
                };
            }
            None => {}
        },
    }
    Ok(())
}

/// What is wrong with a template besides its syntax, without any sample; `None` for other fields.
pub fn problem(design: &Design, pattern: &AccessPattern, slot: Slot) -> Option<String> {
    let (part, at, key) = match (slot, &pattern.operation) {
        (Slot::Partition(at), Operation::Query { index, .. }) => {
            (KeyPart::Partition, at, design.key(*index)?)
        }
        (Slot::SortValue(at) | Slot::SortUpper(at), Operation::Query { index, .. }) => {
            (KeyPart::Sort, at, design.key(*index)?)
        }
        (Slot::Key(_, part), _) => (part, 0, &design.table.key),
        _ => return None,
    };
    let side = match part {
        KeyPart::Partition => &key.partition,
        KeyPart::Sort => &key.sort,
    };
    let attribute = side.get(at)?;
    let typed = read(pattern, slot);
    if typed.is_empty() {
        let name = &attribute.name;
        return Some(match part {
            KeyPart::Partition => format!("DynamoDB needs a value for the partition key `{name}`"),
            KeyPart::Sort => format!("DynamoDB needs a value for the sort key `{name}`"),
        });
    }
    let parsed = template::parse(&typed).template;
    if attribute.kind != KeyType::S && !parsed.is_single_placeholder() {
        return Some(format!(
            "`{}` is of type {}: one placeholder and nothing else",
            attribute.name,
            attribute.kind.letter()
        ));
    }
    None
}

/// What is wrong with an expression; `None` for other fields.
pub fn remark(pattern: &AccessPattern, slot: Slot) -> Option<String> {
    let typed = read(pattern, slot);
    if typed.is_empty() {
        return None;
    }
    let wrong = match slot {
        Slot::Filter | Slot::Condition(_) => parse_condition(&typed).err(),
        Slot::Update(_) => parse_update(&typed).err(),
        Slot::Projection => parse_projection(&typed).err(),
        _ => None,
    };
    wrong.map(|error| error.to_string())
}

fn rate(typed: &str) -> Result<Option<f64>, Refused> {
    if typed.trim().is_empty() {
        return Ok(None);
    }
    let rate: Option<f64> = typed.trim().parse().ok();
    let rate = rate.filter(|rate| rate.is_finite() && *rate >= 0.0);
    let wanted = "a number of calls per second, such as 20 or 0.5, is needed";
    rate.map(Some).ok_or_else(|| Refused(wanted.into()))
}

/// A text of an access pattern.
enum Text<'a> {
    Needed(&'a mut String),
    Optional(&'a mut Option<String>),
}

fn text(pattern: &mut AccessPattern, slot: Slot) -> Option<Text<'_>> {
    match slot {
        Slot::Name => return Some(Text::Needed(&mut pattern.name)),
        Slot::Description => return Some(Text::Needed(&mut pattern.description)),
        _ => {}
    }
    match (slot, &mut pattern.operation) {
        (Slot::Partition(at), Operation::Query { partition, .. }) => {
            // A wish has none yet.
            if partition.len() <= at {
                partition.resize(at + 1, String::new());
            }
            partition.get_mut(at).map(Text::Needed)
        }
        (Slot::SortValue(at), Operation::Query { sort, .. }) => {
            sort.get_mut(at).map(|sort| Text::Needed(&mut sort.value))
        }
        (Slot::SortUpper(at), Operation::Query { sort, .. }) => {
            sort.get_mut(at).map(|sort| Text::Optional(&mut sort.upper))
        }
        (Slot::Filter, operation) => {
            read_mut(operation).map(|read| Text::Optional(&mut read.filter))
        }
        (Slot::Key(at, part), operation) => {
            let key = key_mut(operation, at)?;
            Some(match part {
                KeyPart::Partition => Text::Needed(&mut key.partition),
                KeyPart::Sort => Text::Optional(&mut key.sort),
            })
        }
        (Slot::Update(at), operation) => match action_mut(operation, at)? {
            WriteAction::UpdateItem { update, .. } => Some(Text::Needed(update)),
            _ => None,
        },
        (Slot::Condition(at), operation) => Some(match action_mut(operation, at)? {
            WriteAction::PutItem { condition, .. }
            | WriteAction::UpdateItem { condition, .. }
            | WriteAction::DeleteItem { condition, .. } => Text::Optional(condition),
            WriteAction::ConditionCheck { condition, .. } => Text::Needed(condition),
        }),
        _ => None,
    }
}

fn key_mut(operation: &mut Operation, at: usize) -> Option<&mut ItemKey> {
    match operation {
        Operation::GetItem { key, .. } => Some(key),
        Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
            keys.get_mut(at)
        }
        _ => match action_mut(operation, at)? {
            WriteAction::PutItem { .. } => None,
            WriteAction::UpdateItem { key, .. }
            | WriteAction::DeleteItem { key, .. }
            | WriteAction::ConditionCheck { key, .. } => Some(key),
        },
    }
}

/// The actions that an operation writes with; none for a read.
pub fn actions(operation: &Operation) -> &[WriteAction] {
    match operation {
        Operation::Write(action) => std::slice::from_ref(action),
        Operation::TransactWriteItems { actions } => actions,
        _ => &[],
    }
}

fn action(operation: &Operation, at: usize) -> Option<&WriteAction> {
    actions(operation).get(at)
}

pub(super) fn action_mut(operation: &mut Operation, at: usize) -> Option<&mut WriteAction> {
    match operation {
        Operation::Write(action) => Some(action),
        Operation::TransactWriteItems { actions } => actions.get_mut(at),
        _ => None,
    }
}

/// How an operation reads, if it has options for that.
pub fn read_of(operation: &Operation) -> Option<&Read> {
    match operation {
        Operation::GetItem { read, .. }
        | Operation::Query { read, .. }
        | Operation::Scan { read, .. }
        | Operation::BatchGetItem { read, .. } => Some(read),
        _ => None,
    }
}

pub(super) fn read_mut(operation: &mut Operation) -> Option<&mut Read> {
    match operation {
        Operation::GetItem { read, .. }
        | Operation::Query { read, .. }
        | Operation::Scan { read, .. }
        | Operation::BatchGetItem { read, .. } => Some(read),
        _ => None,
    }
}
