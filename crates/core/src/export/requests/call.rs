//! A request as members of DynamoDB's API, independent of a language.
//!
//! [`MemberValue`] is not `export::tree::Node`, because each language writes its parts in another way: an attribute
//! value is DynamoDB JSON for the AWS CLI, a native value in JavaScript and an `AttributeValue` in Rust, where a
//! structure is a builder with the name of its type.

use crate::engine::query::Rejection;
use crate::engine::query::expression::{Aliases, parse_condition, parse_projection, parse_update};
use crate::model::{
    AccessPattern, Design, ItemKey, Operation, Read, SortOperator, SortedMap, Value, WriteAction,
};
use crate::proof::{Binding, NoRequest, put, rendered};

/// A call of an API operation.
#[derive(Debug)]
pub(super) struct Call {
    /// The name of the operation in the API.
    pub operation: &'static str,
    /// Its members.
    pub members: Members,
}

pub(super) type Members = Vec<(&'static str, MemberValue)>;

/// The value of a member.
#[derive(Debug)]
pub(super) enum MemberValue {
    /// Text, such as an expression.
    Text(String),
    /// A number.
    Number(u32),
    /// A boolean.
    Flag(bool),
    /// Attribute values by name.
    Values(Vec<(String, Value)>),
    /// A list.
    List(Vec<MemberValue>),
    /// A structure of the API, with its type.
    Struct(&'static str, Members),
    /// Texts or structures by a name that is not a member, such as an alias or a table's name.
    Map(Vec<(String, MemberValue)>),
}

impl Call {
    /// Creates the call of an access pattern with these parameter values.
    pub fn new(
        design: &Design,
        pattern: &AccessPattern,
        binding: &Binding,
    ) -> Result<Call, NoRequest> {
        let operation = pattern.operation.name();
        let members = match &pattern.operation {
            Operation::GetItem { key, read } => {
                let mut request = Request::new(design, binding);
                request.key(key)?;
                request.projection(read)?;
                request.read(read)
            }
            Operation::Query { .. } => query(design, pattern, binding)?,
            Operation::Scan { index, limit, read } => {
                let mut request = Request::new(design, binding);
                request.index(*index);
                request.filter(read)?;
                request.projection(read)?;
                request.limit = *limit;
                request.read(read)
            }
            Operation::BatchGetItem { keys, read } => {
                let mut request = Request::new(design, binding);
                request.members.clear();
                let mut all = Vec::new();
                for key in keys {
                    all.push(MemberValue::Values(request.key_values(key)?));
                }
                request.members.push(("Keys", MemberValue::List(all)));
                request.projection(read)?;
                let one = MemberValue::Struct("KeysAndAttributes", request.read(read));
                let tables = vec![(design.table.name.clone(), one)];
                vec![("RequestItems", MemberValue::Map(tables))]
            }
            Operation::TransactGetItems { keys } => {
                let mut items = Vec::new();
                for key in keys {
                    let mut request = Request::new(design, binding);
                    request.key(key)?;
                    let get = MemberValue::Struct("Get", request.finish());
                    items.push(MemberValue::Struct("TransactGetItem", vec![("Get", get)]));
                }
                vec![("TransactItems", MemberValue::List(items))]
            }
            Operation::Write(action) => write(design, binding, action)?,
            Operation::TransactWriteItems { actions } => {
                let mut items = Vec::new();
                for action in actions {
                    let kind = match action {
                        WriteAction::PutItem { .. } => "Put",
                        WriteAction::UpdateItem { .. } => "Update",
                        WriteAction::DeleteItem { .. } => "Delete",
                        WriteAction::ConditionCheck { .. } => "ConditionCheck",
                    };
                    let one = MemberValue::Struct(kind, write(design, binding, action)?);
                    items.push(MemberValue::Struct("TransactWriteItem", vec![(kind, one)]));
                }
                vec![("TransactItems", MemberValue::List(items))]
            }
        };
        Ok(Call { operation, members })
    }
}

fn query(
    design: &Design,
    pattern: &AccessPattern,
    binding: &Binding,
) -> Result<Members, NoRequest> {
    let Operation::Query {
        index,
        partition,
        sort,
        descending,
        limit,
        read,
    } = &pattern.operation
    else {
        return Err(NoRequest::NoKey);
    };
    let mut request = Request::new(design, binding);
    request.index(*index);
    let key = design.key(*index).ok_or(Rejection::NoIndex)?;
    let mut terms = Vec::new();
    for (attribute, text) in key.partition.iter().zip(partition) {
        let name = request.aliases.name(&attribute.name);
        let value = request.operand(&attribute.name, rendered(design, binding, attribute, text)?);
        terms.push(format!("{name} = {value}"));
    }
    for (attribute, condition) in key.sort.iter().zip(sort) {
        let name = request.aliases.name(&attribute.name);
        let value = rendered(design, binding, attribute, &condition.value)?;
        let value = request.operand(&attribute.name, value);
        terms.push(match (condition.operator, &condition.upper) {
            (SortOperator::BeginsWith, _) => format!("begins_with({name}, {value})"),
            (SortOperator::Between, Some(upper)) => {
                let upper = rendered(design, binding, attribute, upper)?;
                let upper = request.operand(&attribute.name, upper);
                format!("{name} BETWEEN {value} AND {upper}")
            }
            (operator, _) => format!("{name} {} {value}", operator.symbol()),
        });
    }
    request.text("KeyConditionExpression", terms.join(" AND "));
    request.filter(read)?;
    request.projection(read)?;
    request.descending = *descending;
    request.limit = *limit;
    Ok(request.read(read))
}

fn write(design: &Design, binding: &Binding, action: &WriteAction) -> Result<Members, NoRequest> {
    let mut request = Request::new(design, binding);
    let condition = match action {
        WriteAction::PutItem { entity, condition } => {
            let item = put(design, binding, *entity)?;
            let item = item.into_iter().collect();
            request.members.push(("Item", MemberValue::Values(item)));
            condition.as_ref()
        }
        WriteAction::UpdateItem {
            key,
            update,
            condition,
        } => {
            request.key(key)?;
            let update = parse_update(update).map_err(Rejection::Expression)?;
            let update = request.aliases.update(&update).to_string();
            request.text("UpdateExpression", update);
            condition.as_ref()
        }
        WriteAction::DeleteItem { key, condition } => {
            request.key(key)?;
            condition.as_ref()
        }
        WriteAction::ConditionCheck { key, condition } => {
            request.key(key)?;
            Some(condition)
        }
    };
    request.condition("ConditionExpression", condition)?;
    Ok(request.finish())
}

/// The members of a request under construction.
struct Request<'a> {
    design: &'a Design,
    binding: &'a Binding,
    members: Members,
    aliases: Aliases,
    /// The values of key conditions, by their names in `aliases`. No parameter has such a name.
    operands: SortedMap<String, Value>,
    descending: bool,
    limit: Option<u32>,
}

impl<'a> Request<'a> {
    fn new(design: &'a Design, binding: &'a Binding) -> Self {
        let table = MemberValue::Text(design.table.name.clone());
        Request {
            design,
            binding,
            members: vec![("TableName", table)],
            aliases: Aliases::default(),
            operands: SortedMap::new(),
            descending: false,
            limit: None,
        }
    }

    fn text(&mut self, member: &'static str, text: String) {
        self.members.push((member, MemberValue::Text(text)));
    }

    fn index(&mut self, index: crate::model::IndexId) {
        if !index.is_primary() {
            self.text("IndexName", self.design.index_name(index).to_owned());
        }
    }

    /// Returns the name of a value in a key condition.
    fn operand(&mut self, attribute: &str, value: Value) -> String {
        let mut name = format!("{attribute} ");
        while self.operands.contains_key(&name) {
            name.push(' ');
        }
        let alias = self.aliases.value(&name);
        self.operands.insert(name, value);
        alias
    }

    fn key_values(&self, key: &ItemKey) -> Result<Vec<(String, Value)>, NoRequest> {
        let schema = &self.design.table.key;
        let texts = std::iter::once(&key.partition).chain(&key.sort);
        let mut values = Vec::new();
        for (attribute, text) in schema.attributes().zip(texts) {
            let value = rendered(self.design, self.binding, attribute, text)?;
            values.push((attribute.name.clone(), value));
        }
        Ok(values)
    }

    fn key(&mut self, key: &ItemKey) -> Result<(), NoRequest> {
        let values = self.key_values(key)?;
        self.members.push(("Key", MemberValue::Values(values)));
        Ok(())
    }

    fn filter(&mut self, read: &Read) -> Result<(), NoRequest> {
        self.condition("FilterExpression", read.filter.as_ref())
    }

    fn condition(&mut self, member: &'static str, text: Option<&String>) -> Result<(), NoRequest> {
        if let Some(text) = text {
            let condition = parse_condition(text).map_err(Rejection::Expression)?;
            let text = self.aliases.condition(&condition).to_string();
            self.text(member, text);
        }
        Ok(())
    }

    fn projection(&mut self, read: &Read) -> Result<(), NoRequest> {
        if read.projection.is_empty() {
            return Ok(());
        }
        let paths = parse_projection(&read.projection.join(", ")).map_err(Rejection::Expression)?;
        let mut texts = Vec::new();
        for path in &paths {
            texts.push(self.aliases.path(path).to_string());
        }
        self.text("ProjectionExpression", texts.join(", "));
        Ok(())
    }

    fn read(mut self, read: &Read) -> Members {
        let (descending, limit) = (self.descending, self.limit);
        let consistent = read.consistent;
        self.descending = false;
        let mut members = self.finish();
        if descending {
            members.push(("ScanIndexForward", MemberValue::Flag(false)));
        }
        if let Some(limit) = limit {
            members.push(("Limit", MemberValue::Number(limit)));
        }
        if consistent {
            members.push(("ConsistentRead", MemberValue::Flag(true)));
        }
        members
    }

    /// Returns the members, with the names and values that the expressions use.
    fn finish(mut self) -> Members {
        let mut values = Vec::new();
        for (alias, name) in &self.aliases.values {
            let value = self.operands.get(name).or_else(|| self.binding.value(name));
            values.extend(value.map(|value| (alias.clone(), value.clone())));
        }
        let mut names = Vec::new();
        for (alias, name) in self.aliases.names {
            names.push((alias, MemberValue::Text(name)));
        }
        if !names.is_empty() {
            self.members
                .push(("ExpressionAttributeNames", MemberValue::Map(names)));
        }
        if !values.is_empty() {
            self.members
                .push(("ExpressionAttributeValues", MemberValue::Values(values)));
        }
        self.members
    }
}
