//! The file form of an operation: one flat object per kind, with the common read options and single writes on the same
//! level. It is a separate type so that serde reports an unknown field or kind by its name.

use super::access_pattern::{ItemKey, Operation, Read, SortCondition, WriteAction};
use super::{EntityId, IndexId};
use serde::{Deserialize, Serialize};
use std::ops::Not;

/// [`Operation`] as written in a file.
#[derive(Clone, Serialize, Deserialize)]
#[serde(
    rename = "Operation",
    rename_all = "camelCase",
    rename_all_fields = "camelCase",
    deny_unknown_fields
)]
pub(super) enum OperationForm {
    GetItem {
        key: ItemKey,
        #[serde(default, skip_serializing_if = "Not::not")]
        consistent: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        projection: Vec<String>,
    },
    Query {
        index: IndexId,
        partition: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        sort: Vec<SortCondition>,
        #[serde(default, skip_serializing_if = "Not::not")]
        descending: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
        #[serde(default, skip_serializing_if = "Not::not")]
        consistent: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        projection: Vec<String>,
    },
    Scan {
        index: IndexId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        limit: Option<u32>,
        #[serde(default, skip_serializing_if = "Not::not")]
        consistent: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        projection: Vec<String>,
    },
    BatchGetItem {
        keys: Vec<ItemKey>,
        #[serde(default, skip_serializing_if = "Not::not")]
        consistent: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        filter: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        projection: Vec<String>,
    },
    TransactGetItems {
        keys: Vec<ItemKey>,
    },
    TransactWriteItems {
        actions: Vec<WriteAction>,
    },
    PutItem {
        entity: EntityId,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    UpdateItem {
        key: ItemKey,
        update: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    DeleteItem {
        key: ItemKey,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        condition: Option<String>,
    },
    ConditionCheck {
        key: ItemKey,
        condition: String,
    },
}

fn read(consistent: bool, filter: Option<String>, projection: Vec<String>) -> Read {
    Read {
        consistent,
        filter,
        projection,
    }
}

impl From<OperationForm> for Operation {
    fn from(form: OperationForm) -> Self {
        use OperationForm as Form;
        match form {
            Form::GetItem {
                key,
                consistent,
                filter,
                projection,
            } => Operation::GetItem {
                key,
                read: read(consistent, filter, projection),
            },
            Form::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                consistent,
                filter,
                projection,
            } => Operation::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                read: read(consistent, filter, projection),
            },
            Form::Scan {
                index,
                limit,
                consistent,
                filter,
                projection,
            } => Operation::Scan {
                index,
                limit,
                read: read(consistent, filter, projection),
            },
            Form::BatchGetItem {
                keys,
                consistent,
                filter,
                projection,
            } => Operation::BatchGetItem {
                keys,
                read: read(consistent, filter, projection),
            },
            Form::TransactGetItems { keys } => Operation::TransactGetItems { keys },
            Form::TransactWriteItems { actions } => Operation::TransactWriteItems { actions },
            Form::PutItem { entity, condition } => {
                Operation::Write(WriteAction::PutItem { entity, condition })
            }
            Form::UpdateItem {
                key,
                update,
                condition,
            } => Operation::Write(WriteAction::UpdateItem {
                key,
                update,
                condition,
            }),
            Form::DeleteItem { key, condition } => {
                Operation::Write(WriteAction::DeleteItem { key, condition })
            }
            // DynamoDB has it in transactions only.
            Form::ConditionCheck { key, condition } => Operation::TransactWriteItems {
                actions: vec![WriteAction::ConditionCheck { key, condition }],
            },
        }
    }
}

impl From<Operation> for OperationForm {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::GetItem {
                key,
                read:
                    Read {
                        consistent,
                        filter,
                        projection,
                    },
            } => Self::GetItem {
                key,
                consistent,
                filter,
                projection,
            },
            Operation::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                read:
                    Read {
                        consistent,
                        filter,
                        projection,
                    },
            } => Self::Query {
                index,
                partition,
                sort,
                descending,
                limit,
                consistent,
                filter,
                projection,
            },
            Operation::Scan {
                index,
                limit,
                read:
                    Read {
                        consistent,
                        filter,
                        projection,
                    },
            } => Self::Scan {
                index,
                limit,
                consistent,
                filter,
                projection,
            },
            Operation::BatchGetItem {
                keys,
                read:
                    Read {
                        consistent,
                        filter,
                        projection,
                    },
            } => Self::BatchGetItem {
                keys,
                consistent,
                filter,
                projection,
            },
            Operation::TransactGetItems { keys } => Self::TransactGetItems { keys },
            Operation::TransactWriteItems { actions } => Self::TransactWriteItems { actions },
            Operation::Write(action) => match action {
                WriteAction::PutItem { entity, condition } => Self::PutItem { entity, condition },
                WriteAction::UpdateItem {
                    key,
                    update,
                    condition,
                } => Self::UpdateItem {
                    key,
                    update,
                    condition,
                },
                WriteAction::DeleteItem { key, condition } => Self::DeleteItem { key, condition },
                WriteAction::ConditionCheck { key, condition } => {
                    Self::ConditionCheck { key, condition }
                }
            },
        }
    }
}
