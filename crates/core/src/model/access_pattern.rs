//! Access patterns: named operations whose keys are templates over the pattern's parameters.

use super::operation_form::OperationForm;
use super::{EntityId, IndexId, SampleId, Value};
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// A named operation that the design must serve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessPattern {
    /// The name, unique in the design.
    pub name: String,
    /// What the pattern is for. Free text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// The operation with its keys and options.
    pub operation: Operation,
    /// The intended entities: those that the pattern should return or write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<EntityId>,
    /// The sample whose attributes fill the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleId>,
    /// Parameter values that the author typed. They override the sample's values.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub parameters: SortedMap<String, Value>,
    /// Expected calls per second at peak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

/// The operation of an access pattern. The placeholders of its templates are the pattern's parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "OperationForm", into = "OperationForm")]
pub enum Operation {
    /// One item by its primary key.
    GetItem {
        /// The primary key.
        key: ItemKey,
        /// Options common to all reads.
        read: Read,
    },
    /// The items of one item collection, or a range of them.
    Query {
        /// The table (`primary`) or the index to query.
        index: IndexId,
        /// A template for each partition key attribute; the condition is always `=`.
        partition: Vec<String>,
        /// Conditions on the sort key attributes, from left to right; only the last may be a range. At most one unless
        /// the index has multi-attribute keys.
        sort: Vec<SortCondition>,
        /// Whether to read the sort keys in descending order.
        descending: bool,
        /// Maximum number of items to read per page, before the filter.
        limit: Option<u32>,
        /// Options common to all reads.
        read: Read,
    },
    /// Every item of the table or an index.
    Scan {
        /// The table (`primary`) or the index to scan.
        index: IndexId,
        /// Maximum number of items to read per page, before the filter.
        limit: Option<u32>,
        /// Options common to all reads.
        read: Read,
    },
    /// Several items by their primary keys.
    BatchGetItem {
        /// The primary keys.
        keys: Vec<ItemKey>,
        /// Options common to all reads.
        read: Read,
    },
    /// Several items by their primary keys, in one transaction.
    TransactGetItems {
        /// The primary keys.
        keys: Vec<ItemKey>,
    },
    /// Several writes in one transaction.
    TransactWriteItems {
        /// The writes, in order.
        actions: Vec<WriteAction>,
    },
    /// A single write.
    Write(WriteAction),
}

impl Operation {
    /// The operation's name in DynamoDB's API.
    pub fn name(&self) -> &'static str {
        match self {
            Operation::GetItem { .. } => "GetItem",
            Operation::Query { .. } => "Query",
            Operation::Scan { .. } => "Scan",
            Operation::BatchGetItem { .. } => "BatchGetItem",
            Operation::TransactGetItems { .. } => "TransactGetItems",
            Operation::TransactWriteItems { .. } => "TransactWriteItems",
            Operation::Write(action) => action.name(),
        }
    }

    /// The read options. `None` for writes and for TransactGetItems, which has none.
    pub fn read(&self) -> Option<&Read> {
        match self {
            Operation::GetItem { read, .. }
            | Operation::Query { read, .. }
            | Operation::Scan { read, .. }
            | Operation::BatchGetItem { read, .. } => Some(read),
            _ => None,
        }
    }

    /// The limit of a Query or a Scan, in items.
    pub fn limit(&self) -> Option<u32> {
        match self {
            Operation::Query { limit, .. } | Operation::Scan { limit, .. } => *limit,
            _ => None,
        }
    }

    /// Mutable access to [`read`](Self::read).
    pub fn read_mut(&mut self) -> Option<&mut Read> {
        match self {
            Operation::GetItem { read, .. }
            | Operation::Query { read, .. }
            | Operation::Scan { read, .. }
            | Operation::BatchGetItem { read, .. } => Some(read),
            _ => None,
        }
    }

    /// The write actions; empty for a read.
    pub fn actions(&self) -> &[WriteAction] {
        match self {
            Operation::Write(action) => std::slice::from_ref(action),
            Operation::TransactWriteItems { actions } => actions,
            _ => &[],
        }
    }

    /// Mutable access to [`actions`](Self::actions).
    pub fn actions_mut(&mut self) -> &mut [WriteAction] {
        match self {
            Operation::Write(action) => std::slice::from_mut(action),
            Operation::TransactWriteItems { actions } => actions,
            _ => &mut [],
        }
    }

    /// The primary keys in the operation, in order.
    pub fn keys(&self) -> Vec<&ItemKey> {
        match self {
            Operation::GetItem { key, .. } => vec![key],
            Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
                keys.iter().collect()
            }
            _ => self.actions().iter().filter_map(WriteAction::key).collect(),
        }
    }

    /// Mutable access to [`keys`](Self::keys).
    pub fn keys_mut(&mut self) -> Vec<&mut ItemKey> {
        match self {
            Operation::GetItem { key, .. } => vec![key],
            Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
                keys.iter_mut().collect()
            }
            _ => (self.actions_mut().iter_mut())
                .filter_map(WriteAction::key_mut)
                .collect(),
        }
    }

    /// The table or index that the operation reads; `None` for a write.
    pub fn index(&self) -> Option<IndexId> {
        match self {
            Operation::Query { index, .. } | Operation::Scan { index, .. } => Some(*index),
            Operation::GetItem { .. }
            | Operation::BatchGetItem { .. }
            | Operation::TransactGetItems { .. } => Some(IndexId::PRIMARY),
            Operation::Write(_) | Operation::TransactWriteItems { .. } => None,
        }
    }
}

/// A primary key, as templates.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ItemKey {
    /// Template of the partition key.
    pub partition: String,
    /// Template of the sort key, if the table has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
}

/// Options common to all reads.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Read {
    /// Strongly consistent read; not available on a GSI.
    pub consistent: bool,
    /// Filter expression. DynamoDB applies it after it has charged for the read.
    pub filter: Option<String>,
    /// Attributes to return; empty for all.
    pub projection: Vec<String>,
}

/// A condition on one sort key attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SortCondition {
    /// The comparison operator.
    pub operator: SortOperator,
    /// Template of the value, or of the lower bound.
    pub value: String,
    /// Template of the upper bound, for `between`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<String>,
}

/// The comparison operators that a sort key condition accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortOperator {
    /// `=`
    #[serde(rename = "=")]
    Equal,
    /// `<`
    #[serde(rename = "<")]
    Less,
    /// `<=`
    #[serde(rename = "<=")]
    LessOrEqual,
    /// `>`
    #[serde(rename = ">")]
    Greater,
    /// `>=`
    #[serde(rename = ">=")]
    GreaterOrEqual,
    /// `between`, bounds included.
    #[serde(rename = "between")]
    Between,
    /// `begins_with`
    #[serde(rename = "begins_with")]
    BeginsWith,
}

impl SortOperator {
    /// All operators, in menu order.
    pub const ALL: [SortOperator; 7] = [
        SortOperator::Equal,
        SortOperator::Less,
        SortOperator::LessOrEqual,
        SortOperator::Greater,
        SortOperator::GreaterOrEqual,
        SortOperator::Between,
        SortOperator::BeginsWith,
    ];

    /// Parses an operator in DynamoDB's notation.
    pub fn from_symbol(symbol: &str) -> Option<SortOperator> {
        SortOperator::ALL
            .into_iter()
            .find(|operator| operator.symbol() == symbol)
    }

    /// The operator in DynamoDB's notation.
    pub fn symbol(self) -> &'static str {
        match self {
            SortOperator::Equal => "=",
            SortOperator::Less => "<",
            SortOperator::LessOrEqual => "<=",
            SortOperator::Greater => ">",
            SortOperator::GreaterOrEqual => ">=",
            SortOperator::Between => "between",
            SortOperator::BeginsWith => "begins_with",
        }
    }
}

/// A single write, or a condition check inside a transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum WriteAction {
    /// Writes a whole item of an entity. The entity's templates supply the keys.
    PutItem {
        /// The entity.
        entity: EntityId,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Changes some attributes of an item.
    UpdateItem {
        /// Primary key of the item.
        key: ItemKey,
        /// Update expression.
        update: String,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Deletes an item.
    DeleteItem {
        /// Primary key of the item.
        key: ItemKey,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Checks a condition inside a transaction; writes nothing.
    ConditionCheck {
        /// Primary key of the item.
        key: ItemKey,
        /// Condition expression.
        condition: String,
    },
}

impl WriteAction {
    /// The primary key of the item to change or check; `None` for a put, whose entity supplies the key.
    pub fn key(&self) -> Option<&ItemKey> {
        match self {
            WriteAction::PutItem { .. } => None,
            WriteAction::UpdateItem { key, .. }
            | WriteAction::DeleteItem { key, .. }
            | WriteAction::ConditionCheck { key, .. } => Some(key),
        }
    }

    /// Mutable access to [`key`](Self::key).
    pub fn key_mut(&mut self) -> Option<&mut ItemKey> {
        match self {
            WriteAction::PutItem { .. } => None,
            WriteAction::UpdateItem { key, .. }
            | WriteAction::DeleteItem { key, .. }
            | WriteAction::ConditionCheck { key, .. } => Some(key),
        }
    }

    /// The condition expression.
    pub fn condition(&self) -> Option<&str> {
        match self {
            WriteAction::PutItem { condition, .. }
            | WriteAction::UpdateItem { condition, .. }
            | WriteAction::DeleteItem { condition, .. } => condition.as_deref(),
            WriteAction::ConditionCheck { condition, .. } => Some(condition),
        }
    }

    /// The update expression; `None` for other actions than an update.
    pub fn update(&self) -> Option<&str> {
        match self {
            WriteAction::UpdateItem { update, .. } => Some(update),
            _ => None,
        }
    }

    /// Mutable access to the update expression and the condition expression.
    pub fn expressions_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let (update, condition) = match self {
            WriteAction::PutItem { condition, .. } | WriteAction::DeleteItem { condition, .. } => {
                (None, condition.as_mut())
            }
            WriteAction::UpdateItem {
                update, condition, ..
            } => (Some(update), condition.as_mut()),
            WriteAction::ConditionCheck { condition, .. } => (None, Some(condition)),
        };
        update.into_iter().chain(condition)
    }

    /// The entity whose item is put; `None` for other actions.
    pub fn put(&self) -> Option<EntityId> {
        match self {
            WriteAction::PutItem { entity, .. } => Some(*entity),
            _ => None,
        }
    }

    /// The action's name in DynamoDB's API.
    pub fn name(&self) -> &'static str {
        match self {
            WriteAction::PutItem { .. } => "PutItem",
            WriteAction::UpdateItem { .. } => "UpdateItem",
            WriteAction::DeleteItem { .. } => "DeleteItem",
            WriteAction::ConditionCheck { .. } => "ConditionCheck",
        }
    }
}
