//! Access patterns: named operations whose keys are templates over the pattern's parameters.

use super::operation_form::OperationForm;
use super::{EntityId, IndexId, SampleId, Value};
use crate::model::SortedMap;
use serde::{Deserialize, Serialize};

/// A named operation that the design must serve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AccessPattern {
    /// Its name, unique in the design.
    pub name: String,
    /// What it is for, in the author's words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// What is done.
    pub operation: Operation,
    /// The entities that its author means it to return or write.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub entities: Vec<EntityId>,
    /// The sample whose attributes fill the parameters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sample: Option<SampleId>,
    /// Parameter values that are typed in; they win over the sample's.
    #[serde(default, skip_serializing_if = "SortedMap::is_empty")]
    pub parameters: SortedMap<String, Value>,
    /// Expected calls per second at peak.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
}

/// What an access pattern does. Every template's placeholders are the pattern's parameters.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "OperationForm", into = "OperationForm")]
pub enum Operation {
    /// One item by its primary key.
    GetItem {
        /// The key.
        key: ItemKey,
        /// How it reads.
        read: Read,
    },
    /// The items of one item collection, or a range of them.
    Query {
        /// The table (`primary`) or the index that is asked.
        index: IndexId,
        /// A template for each partition key attribute; the condition is always `=`.
        partition: Vec<String>,
        /// Conditions on the sort key attributes, left to right; a range only on the last. At most one
        /// unless the index has multi-attribute keys.
        sort: Vec<SortCondition>,
        /// Whether the greatest sort key comes first.
        descending: bool,
        /// Most items to read in a page, before the filter.
        limit: Option<u32>,
        /// How it reads.
        read: Read,
    },
    /// Every item of the table or an index.
    Scan {
        /// The table (`primary`) or the index that is read.
        index: IndexId,
        /// Most items to read in a page, before the filter.
        limit: Option<u32>,
        /// How it reads.
        read: Read,
    },
    /// Several items by their primary keys.
    BatchGetItem {
        /// The keys.
        keys: Vec<ItemKey>,
        /// How it reads.
        read: Read,
    },
    /// Several items by their primary keys, as one transaction.
    TransactGetItems {
        /// The keys.
        keys: Vec<ItemKey>,
    },
    /// Several writes, all or none.
    TransactWriteItems {
        /// The writes.
        actions: Vec<WriteAction>,
    },
    /// One write.
    Write(WriteAction),
}

impl Operation {
    /// The name of the operation in DynamoDB's API.
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

    /// How it reads; `None` for writes and for TransactGetItems, which has no options.
    pub fn read(&self) -> Option<&Read> {
        match self {
            Operation::GetItem { read, .. }
            | Operation::Query { read, .. }
            | Operation::Scan { read, .. }
            | Operation::BatchGetItem { read, .. } => Some(read),
            _ => None,
        }
    }

    /// [`read`](Self::read), to be changed.
    pub fn read_mut(&mut self) -> Option<&mut Read> {
        match self {
            Operation::GetItem { read, .. }
            | Operation::Query { read, .. }
            | Operation::Scan { read, .. }
            | Operation::BatchGetItem { read, .. } => Some(read),
            _ => None,
        }
    }

    /// The actions that it writes with; none for a read.
    pub fn actions(&self) -> &[WriteAction] {
        match self {
            Operation::Write(action) => std::slice::from_ref(action),
            Operation::TransactWriteItems { actions } => actions,
            _ => &[],
        }
    }

    /// [`actions`](Self::actions), to be changed.
    pub fn actions_mut(&mut self) -> &mut [WriteAction] {
        match self {
            Operation::Write(action) => std::slice::from_mut(action),
            Operation::TransactWriteItems { actions } => actions,
            _ => &mut [],
        }
    }

    /// The primary keys that it names, in its order.
    pub fn keys(&self) -> Vec<&ItemKey> {
        match self {
            Operation::GetItem { key, .. } => vec![key],
            Operation::BatchGetItem { keys, .. } | Operation::TransactGetItems { keys } => {
                keys.iter().collect()
            }
            _ => self.actions().iter().filter_map(WriteAction::key).collect(),
        }
    }

    /// [`keys`](Self::keys), to be changed.
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

    /// The index that it reads; `None` for a write.
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
    /// Template of the sort key, where the table has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<String>,
}

/// What all reads have in common.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Read {
    /// Strongly consistent; not possible on a GSI.
    pub consistent: bool,
    /// Filter expression, applied after the read is paid.
    pub filter: Option<String>,
    /// Attributes to return; empty: all.
    pub projection: Vec<String>,
}

/// A condition on one sort key attribute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SortCondition {
    /// The comparison.
    pub operator: SortOperator,
    /// Template of the value, or of the lower bound.
    pub value: String,
    /// Template of the upper bound, for `between`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<String>,
}

/// The comparisons that a sort key takes, as DynamoDB writes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum SortOperator {
    /// Equal.
    #[serde(rename = "=")]
    Equal,
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    LessOrEqual,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
    /// Greater or equal.
    #[serde(rename = ">=")]
    GreaterOrEqual,
    /// From a lower to an upper bound, both included.
    #[serde(rename = "between")]
    Between,
    /// Starts with.
    #[serde(rename = "begins_with")]
    BeginsWith,
}

impl SortOperator {
    /// All of them.
    pub const ALL: [SortOperator; 7] = [
        SortOperator::Equal,
        SortOperator::Less,
        SortOperator::LessOrEqual,
        SortOperator::Greater,
        SortOperator::GreaterOrEqual,
        SortOperator::Between,
        SortOperator::BeginsWith,
    ];

    /// The operator that DynamoDB writes so.
    pub fn from_symbol(symbol: &str) -> Option<SortOperator> {
        SortOperator::ALL
            .into_iter()
            .find(|operator| operator.symbol() == symbol)
    }

    /// The operator as DynamoDB writes it.
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

/// One write.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub enum WriteAction {
    /// A whole item of an entity; its keys come from the entity's templates.
    PutItem {
        /// The entity.
        entity: EntityId,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Some attributes of an item.
    UpdateItem {
        /// The item.
        key: ItemKey,
        /// Update expression.
        update: String,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// Removal of an item.
    DeleteItem {
        /// The item.
        key: ItemKey,
        /// Condition expression.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    /// A check inside a transaction that writes nothing.
    ConditionCheck {
        /// The item.
        key: ItemKey,
        /// Condition expression.
        condition: String,
    },
}

impl WriteAction {
    /// The key of the item that it changes or checks; `None` of a put, whose keys come from the entity.
    pub fn key(&self) -> Option<&ItemKey> {
        match self {
            WriteAction::PutItem { .. } => None,
            WriteAction::UpdateItem { key, .. }
            | WriteAction::DeleteItem { key, .. }
            | WriteAction::ConditionCheck { key, .. } => Some(key),
        }
    }

    /// [`key`](Self::key), to be changed.
    pub fn key_mut(&mut self) -> Option<&mut ItemKey> {
        match self {
            WriteAction::PutItem { .. } => None,
            WriteAction::UpdateItem { key, .. }
            | WriteAction::DeleteItem { key, .. }
            | WriteAction::ConditionCheck { key, .. } => Some(key),
        }
    }

    /// The entity of which it puts an item; `None` of any other action.
    pub fn put(&self) -> Option<EntityId> {
        match self {
            WriteAction::PutItem { entity, .. } => Some(*entity),
            _ => None,
        }
    }

    /// The name of the action in DynamoDB's API.
    pub fn name(&self) -> &'static str {
        match self {
            WriteAction::PutItem { .. } => "PutItem",
            WriteAction::UpdateItem { .. } => "UpdateItem",
            WriteAction::DeleteItem { .. } => "DeleteItem",
            WriteAction::ConditionCheck { .. } => "ConditionCheck",
        }
    }
}
