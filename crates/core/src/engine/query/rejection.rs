//! Why DynamoDB refuses a request, in plain language.

use super::Key;
use super::expression::ExpressionError;
use super::get::{check_actions, check_batch, check_gets};
use crate::model::{AttributeType, Design, IndexId, IndexKind, Operation, Value};
use std::fmt;

/// A reason why DynamoDB refuses a request. `Display` says what is wrong and why.
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// The design has no such index.
    NoIndex,
    /// A partition key attribute is tested with an operator other than `=`.
    PartitionOperator {
        /// The partition key attribute.
        attribute: String,
        /// The operator as written: `begins_with`.
        operator: String,
    },
    /// A partition key attribute has no value.
    MissingPartition {
        /// The partition key attribute.
        attribute: String,
    },
    /// Two conditions on one key attribute.
    Twice {
        /// The attribute.
        attribute: String,
    },
    /// A sort key attribute is tested, but a previous one is not.
    Gap {
        /// The skipped sort key attribute.
        missing: String,
        /// The tested attribute after it.
        attribute: String,
    },
    /// A range on a sort key attribute that is not the last one tested.
    RangeNotLast {
        /// The attribute with the range.
        attribute: String,
        /// The tested attribute after it.
        next: String,
    },
    /// A key condition on an attribute that is not in the key.
    NotAKey {
        /// The attribute; empty if there are more conditions than key attributes.
        attribute: String,
        /// The key's attributes.
        key: Vec<String>,
    },
    /// A key condition contains `OR`, `NOT`, `<>`, a function or a nested attribute.
    NotAKeyCondition {
        /// What it contains, as a noun: "`OR`".
        what: String,
    },
    /// `between` without an upper bound, or another operator with one.
    Bounds {
        /// The attribute.
        attribute: String,
        /// Whether the upper bound is missing; otherwise it is not allowed.
        missing: bool,
    },
    /// `between` with a lower bound above the upper bound.
    Reversed {
        /// The attribute.
        attribute: String,
        /// The lower bound, as text.
        lower: String,
        /// The upper bound, as text.
        upper: String,
    },
    /// `begins_with` on a number.
    BeginsWithNumber {
        /// The attribute.
        attribute: String,
    },
    /// A key value of another type than the key attribute.
    WrongType {
        /// The attribute.
        attribute: String,
        /// The key's type.
        wanted: AttributeType,
        /// The value's type.
        found: AttributeType,
    },
    /// An empty string or binary as a key value.
    Empty {
        /// The attribute.
        attribute: String,
    },
    /// A key value that is too long.
    TooLong {
        /// The attribute.
        attribute: String,
        /// Its length in bytes.
        bytes: usize,
        /// Maximum length in bytes.
        most: usize,
    },
    /// An item's key lacks an attribute.
    MissingKey {
        /// The attribute.
        attribute: String,
    },
    /// An item's key has an attribute that is not in the primary key.
    ExtraKey {
        /// The attribute.
        attribute: String,
    },
    /// A strongly consistent read of a global secondary index.
    StrongGsi {
        /// The index's name.
        index: String,
    },
    /// Attributes that a GSI does not project.
    NotProjected {
        /// The index's name.
        index: String,
        /// The attributes.
        attributes: Vec<String>,
    },
    /// A limit of 0.
    LimitZero,
    /// The exclusive start key is not valid for this request.
    StartKey {
        /// The reason, in one clause.
        reason: String,
    },
    /// A primary key attribute in the filter of a Query.
    KeyInFilter {
        /// The attribute.
        attribute: String,
    },
    /// No elements, or too many, in one request.
    Count {
        /// What is counted, in the plural: "keys in a BatchGetItem".
        what: &'static str,
        /// The number of elements.
        count: usize,
        /// The maximum that DynamoDB allows.
        most: usize,
    },
    /// The same key twice in a BatchGetItem.
    DuplicateKey {
        /// The key.
        key: Key,
    },
    /// Two actions of a transaction on one item.
    TwoActions {
        /// The item's key.
        key: Key,
    },
    /// The items of a transaction exceed the size limit.
    TransactionTooLarge {
        /// Their total size in bytes.
        bytes: usize,
    },
    /// An expression is invalid.
    Expression(ExpressionError),
    /// An update would change an attribute of the primary key.
    ChangesKey {
        /// The attribute.
        attribute: String,
    },
    /// The item would exceed the size limit.
    ItemTooLarge {
        /// Its size in bytes, including its entries in LSIs.
        bytes: usize,
    },
    /// An attribute value that DynamoDB does not store, such as an empty set.
    BadValue {
        /// The attribute.
        attribute: String,
        /// The reason, in one clause.
        reason: String,
    },
    /// An update cannot be applied to the item.
    Update {
        /// The path that it writes.
        path: String,
        /// The reason, in one clause.
        reason: String,
    },
    /// An update needs an attribute, or a map or list to write into, that the item does not have.
    Missing {
        /// The path that it writes.
        path: String,
        /// The path of what is missing.
        missing: String,
        /// The attribute that it begins with.
        attribute: String,
    },
    /// The condition does not hold for the item.
    ConditionFailed,
    /// A canceled transaction: some of its actions were refused.
    Canceled(
        /// For each action the reason, in order; `None` if the action alone would have succeeded.
        Vec<Option<Rejection>>,
    ),
}

impl From<ExpressionError> for Rejection {
    fn from(error: ExpressionError) -> Rejection {
        Rejection::Expression(error)
    }
}

impl std::error::Error for Rejection {}

impl Rejection {
    /// Returns why an index has no such read: a GSI has no strongly consistent reads.
    pub fn of_consistency(design: &Design, index: IndexId, consistent: bool) -> Option<Rejection> {
        let secondary = design.indexes.get(&index)?;
        let refused = consistent && secondary.kind == IndexKind::Gsi;
        refused.then(|| Rejection::StrongGsi {
            index: secondary.name.clone(),
        })
    }

    /// Returns why a read cannot have a limit: it must be at least 1.
    pub fn of_limit(limit: Option<u32>) -> Option<Rejection> {
        (limit == Some(0)).then_some(Rejection::LimitZero)
    }

    /// Returns why DynamoDB rejects a batch or a transaction for its many items. One without items is not ready yet.
    pub fn of_count(operation: &Operation) -> Option<Rejection> {
        let checked = match operation {
            Operation::BatchGetItem { keys, .. } => check_batch(keys.len().max(1)),
            Operation::TransactGetItems { keys } => check_gets(keys.len().max(1)),
            Operation::TransactWriteItems { actions } => check_actions(actions.len().max(1)),
            _ => Ok(()),
        };
        checked.err()
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Rejection {
    fn text(&self) -> String {
        match self {
            Rejection::NoIndex => "the design has no such index".to_owned(),
            Rejection::PartitionOperator {
                attribute,
                operator,
            } => format!(
                "the partition key `{attribute}` only supports `=`, not `{operator}`: DynamoDB finds an item collection by the hash of its whole partition key value"
            ),
            Rejection::MissingPartition { attribute } => format!(
                "the partition key `{attribute}` has no value: a Query reads one item collection, so every partition key attribute needs `=`"
            ),
            Rejection::Twice { attribute } => format!(
                "two conditions on `{attribute}`: use one condition per key attribute, and `between` for a range"
            ),
            Rejection::Gap { missing, attribute } => format!(
                "a condition on `{attribute}` but none on `{missing}` before it: test sort key attributes from left to right without a gap"
            ),
            Rejection::RangeNotLast { attribute, next } => format!(
                "a range on `{attribute}` and a condition on `{next}` after it: only the last tested sort key attribute supports operators other than `=`"
            ),
            Rejection::NotAKey { attribute, key } if attribute.is_empty() => {
                format!(
                    "more conditions than key attributes: the key is {}",
                    listed(key)
                )
            }
            Rejection::NotAKey { attribute, key } => format!(
                "`{attribute}` is not in the key, which is {}: a key condition can test only key attributes; use a filter, an index or another sort key",
                listed(key)
            ),
            Rejection::NotAKeyCondition { what } => format!(
                "{what} is not allowed in a key condition: use comparisons of key attributes, joined by AND"
            ),
            Rejection::Bounds { attribute, missing } => match missing {
                true => format!("`between` on `{attribute}` needs an upper bound"),
                false => format!(
                    "the condition on `{attribute}` has an upper bound, which only `between` supports"
                ),
            },
            Rejection::Reversed {
                attribute,
                lower,
                upper,
            } => format!(
                "`between` on `{attribute}` has the lower bound `{lower}` above the upper bound `{upper}`"
            ),
            Rejection::BeginsWithNumber { attribute } => {
                format!("`{attribute}` is a number: `begins_with` supports only strings and binary")
            }
            Rejection::WrongType {
                attribute,
                wanted,
                found,
            } => format!(
                "the key attribute `{attribute}` is of type {wanted}, but the value is of type {found}"
            ),
            Rejection::Empty { attribute } => {
                format!(
                    "the value of the key attribute `{attribute}` is empty: a key value needs at least one byte"
                )
            }
            Rejection::TooLong {
                attribute,
                bytes,
                most,
            } => format!(
                "the value of the key attribute `{attribute}` has {bytes} bytes; DynamoDB allows at most {most}"
            ),
            Rejection::MissingKey { attribute } => {
                format!(
                    "the key lacks `{attribute}`: DynamoDB needs the whole primary key of an item"
                )
            }
            Rejection::ExtraKey { attribute } => {
                format!("`{attribute}` is not in the primary key: remove it from the item's key")
            }
            Rejection::StrongGsi { index } => format!(
                "strongly consistent read of `{index}`: a GSI supports only eventually consistent reads"
            ),
            Rejection::NotProjected { index, attributes } => format!(
                "`{index}` does not project {}: a GSI cannot fetch attributes from the table",
                listed(attributes)
            ),
            Rejection::LimitZero => "the limit is 0: it must be at least 1".to_owned(),
            Rejection::StartKey { reason } => format!("the exclusive start key {reason}"),
            Rejection::KeyInFilter { attribute } => format!(
                "`{attribute}` is a key attribute, so the filter of a Query cannot test it: use the key condition"
            ),
            Rejection::Count { what, count, most } => {
                format!("{count} {what}: DynamoDB allows 1 to {most}")
            }
            Rejection::DuplicateKey { key } => format!("the key {} occurs twice", shown(key)),
            Rejection::TwoActions { key } => format!(
                "two actions on the item {}: a transaction allows one action per item",
                shown(key)
            ),
            Rejection::TransactionTooLarge { bytes } => {
                format!(
                    "the items of the transaction have {bytes} bytes in total; DynamoDB allows at most 4 MB"
                )
            }
            Rejection::Expression(error) => error.to_string(),
            Rejection::ChangesKey { attribute } => format!(
                "`{attribute}` is part of the primary key, which an update cannot change: delete the item and put a new one"
            ),
            Rejection::ItemTooLarge { bytes } => {
                format!("the item would have {bytes} bytes; DynamoDB allows at most 400 KB")
            }
            Rejection::BadValue { attribute, reason } => format!("`{attribute}`: {reason}"),
            Rejection::Update { path, reason } => format!("`{path}`: {reason}"),
            Rejection::Missing { path, missing, .. } => {
                format!("`{path}`: the item has no attribute `{missing}`")
            }
            Rejection::ConditionFailed => "the item does not meet the condition".to_owned(),
            Rejection::Canceled(reasons) => {
                let mut text = "nothing is written:".to_owned();
                for (at, reason) in reasons.iter().enumerate() {
                    if let Some(reason) = reason {
                        let number = at + 1;
                        text.push_str(&format!(" action {number}: {reason};"));
                    }
                }
                text.pop();
                text
            }
        }
    }
}

/// Joins names for display: `a`, `b` and `c`.
fn listed(names: &[String]) -> String {
    let mut text = String::new();
    for (at, name) in names.iter().enumerate() {
        text.push_str(match at {
            0 => "",
            _ if at + 1 == names.len() => " and ",
            _ => ", ",
        });
        text.push_str(&format!("`{name}`"));
    }
    text
}

fn shown(key: &Key) -> String {
    let values: Vec<String> = key.values().map(Value::to_text).collect();
    format!("`{}`", values.join("`, `"))
}
