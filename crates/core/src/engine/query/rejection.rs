//! Why DynamoDB refuses a request, in plain words.

use super::Key;
use super::expression::ExpressionError;
use crate::model::{AttributeType, Value};
use std::fmt;

/// A reason for which DynamoDB refuses a request. `Display` says what is wrong and why.
#[derive(Debug, Clone, PartialEq)]
pub enum Rejection {
    /// The design has no such index.
    NoIndex,
    /// A partition key attribute is tested with something else than `=`.
    PartitionOperator {
        /// The partition key attribute.
        attribute: String,
        /// The test, as written: `begins_with`.
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
    /// A sort key attribute is tested although one before it is not.
    Gap {
        /// The sort key attribute that is left out.
        missing: String,
        /// The one behind it that is tested.
        attribute: String,
    },
    /// A range on a sort key attribute that is not the last one tested.
    RangeNotLast {
        /// The attribute with the range.
        attribute: String,
        /// The one behind it that is tested too.
        next: String,
    },
    /// A key condition on an attribute that is not in the key.
    NotAKey {
        /// The attribute; empty for a condition too many.
        attribute: String,
        /// The key's attributes.
        key: Vec<String>,
    },
    /// What stands in a key condition cannot stand there: `OR`, `NOT`, `<>`, a function, a nested attribute.
    NotAKeyCondition {
        /// What it is, as a noun: "`OR`".
        what: String,
    },
    /// `between` without its upper bound, or another comparison with one.
    Bounds {
        /// The attribute.
        attribute: String,
        /// Whether the upper bound lacks; else there is one too many.
        missing: bool,
    },
    /// `between` whose lower bound is above the upper one.
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
    /// An empty text or binary as key value.
    Empty {
        /// The attribute.
        attribute: String,
    },
    /// A key value with too many bytes.
    TooLong {
        /// The attribute.
        attribute: String,
        /// Its bytes.
        bytes: usize,
        /// The most that DynamoDB takes.
        most: usize,
    },
    /// A key of an item lacks an attribute.
    MissingKey {
        /// The attribute.
        attribute: String,
    },
    /// A key of an item has an attribute that is not in the primary key.
    ExtraKey {
        /// The attribute.
        attribute: String,
    },
    /// A strongly consistent read of a global secondary index.
    StrongGsi {
        /// The index's name.
        index: String,
    },
    /// A global secondary index is asked for attributes that it does not hold.
    NotProjected {
        /// The index's name.
        index: String,
        /// The attributes.
        attributes: Vec<String>,
    },
    /// A limit of 0.
    LimitZero,
    /// The exclusive start key cannot be one of this request.
    StartKey {
        /// Why, in one clause.
        reason: String,
    },
    /// A primary key attribute in a filter of a Query.
    KeyInFilter {
        /// The attribute.
        attribute: String,
    },
    /// None, or too many, in one request.
    Count {
        /// What is counted, in the plural: "keys in a BatchGetItem".
        what: &'static str,
        /// How many there are.
        count: usize,
        /// The most that DynamoDB takes.
        most: usize,
    },
    /// The same key twice in a batch of reads.
    DuplicateKey {
        /// The key.
        key: Key,
    },
    /// Two actions of a transaction on one item.
    TwoActions {
        /// The item's key.
        key: Key,
    },
    /// All items of a transaction together are too large.
    TransactionTooLarge {
        /// Their bytes.
        bytes: usize,
    },
    /// An expression is not right.
    Expression(ExpressionError),
    /// An update would change an attribute of the primary key.
    ChangesKey {
        /// The attribute.
        attribute: String,
    },
    /// The item would be too large.
    ItemTooLarge {
        /// Its bytes, with its entries in local indexes.
        bytes: usize,
    },
    /// An attribute value that DynamoDB does not store, such as an empty set.
    BadValue {
        /// The attribute.
        attribute: String,
        /// Why, in one clause.
        reason: String,
    },
    /// An update cannot be applied to the item as it is.
    Update {
        /// The path that it writes.
        path: String,
        /// Why, in one clause.
        reason: String,
    },
    /// The condition does not hold of the item.
    ConditionFailed,
    /// A transaction that writes nothing because of some of its actions.
    Cancelled(
        /// For each action its reason, in their order; `None`: it alone would have been carried out.
        Vec<Option<Rejection>>,
    ),
}

impl From<ExpressionError> for Rejection {
    fn from(error: ExpressionError) -> Rejection {
        Rejection::Expression(error)
    }
}

impl std::error::Error for Rejection {}

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
                "`{attribute}` is a partition key and takes only `=`, not `{operator}`: DynamoDB finds an item collection by the hash of its whole partition key value"
            ),
            Rejection::MissingPartition { attribute } => format!(
                "the partition key `{attribute}` has no value: a Query reads within one item collection, so every partition key attribute needs `=`"
            ),
            Rejection::Twice { attribute } => format!(
                "two conditions on `{attribute}`: a key attribute takes one; for a range use `between`"
            ),
            Rejection::Gap { missing, attribute } => format!(
                "a condition on `{attribute}` but none on `{missing}` before it: sort key attributes are tested from left to right without a gap"
            ),
            Rejection::RangeNotLast { attribute, next } => format!(
                "a range on `{attribute}` and a condition on `{next}` behind it: only the last sort key attribute that is tested takes anything but `=`"
            ),
            Rejection::NotAKey { attribute, key } if attribute.is_empty() => {
                format!(
                    "more conditions than the key has attributes: it is {}",
                    listed(key)
                )
            }
            Rejection::NotAKey { attribute, key } => format!(
                "`{attribute}` is not in the key, which is {}: a key condition tests key attributes only; use a filter, an index or another sort key",
                listed(key)
            ),
            Rejection::NotAKeyCondition { what } => format!(
                "{what} cannot stand in a key condition: it is comparisons of key attributes, joined by AND"
            ),
            Rejection::Bounds { attribute, missing } => match missing {
                true => format!("`between` on `{attribute}` lacks its upper bound"),
                false => format!(
                    "the condition on `{attribute}` has an upper bound, which only `between` takes"
                ),
            },
            Rejection::Reversed {
                attribute,
                lower,
                upper,
            } => format!(
                "`between` on `{attribute}` has its lower bound `{lower}` above its upper bound `{upper}`"
            ),
            Rejection::BeginsWithNumber { attribute } => format!(
                "`{attribute}` is a number: `begins_with` compares the beginning of text or binary"
            ),
            Rejection::WrongType {
                attribute,
                wanted,
                found,
            } => format!(
                "the key attribute `{attribute}` is of type {wanted}, the value of type {found}"
            ),
            Rejection::Empty { attribute } => {
                format!(
                    "the value for the key attribute `{attribute}` is empty: a key value has at least one byte"
                )
            }
            Rejection::TooLong {
                attribute,
                bytes,
                most,
            } => format!(
                "the value for the key attribute `{attribute}` has {bytes} bytes; DynamoDB takes at most {most}"
            ),
            Rejection::MissingKey { attribute } => {
                format!("the key lacks `{attribute}`: an item is found by its whole primary key")
            }
            Rejection::ExtraKey { attribute } => {
                format!(
                    "`{attribute}` is not in the primary key, so it cannot stand in an item's key"
                )
            }
            Rejection::StrongGsi { index } => format!(
                "a strongly consistent read of `{index}`: a global secondary index is written after the table and can be read eventually consistently only"
            ),
            Rejection::NotProjected { index, attributes } => format!(
                "`{index}` does not hold {}: a global secondary index cannot fetch from the table what it does not project",
                listed(attributes)
            ),
            Rejection::LimitZero => "the limit is 0: it is at least 1".to_owned(),
            Rejection::StartKey { reason } => format!("the exclusive start key {reason}"),
            Rejection::KeyInFilter { attribute } => format!(
                "`{attribute}` is a key attribute, so a Query's filter cannot test it: put it into the key condition"
            ),
            Rejection::Count { what, count, most } => {
                format!("{count} {what}: DynamoDB takes 1 to {most}")
            }
            Rejection::DuplicateKey { key } => format!("the key {} is there twice", shown(key)),
            Rejection::TwoActions { key } => format!(
                "two actions on the item {}: a transaction takes one for each item",
                shown(key)
            ),
            Rejection::TransactionTooLarge { bytes } => {
                format!(
                    "the items of the transaction have {bytes} bytes together; DynamoDB takes at most 4 MB"
                )
            }
            Rejection::Expression(error) => error.to_string(),
            Rejection::ChangesKey { attribute } => format!(
                "`{attribute}` is part of the primary key, which an update cannot change: delete the item and put it anew"
            ),
            Rejection::ItemTooLarge { bytes } => {
                format!("the item would have {bytes} bytes; DynamoDB takes at most 400 KB")
            }
            Rejection::BadValue { attribute, reason } => format!("`{attribute}`: {reason}"),
            Rejection::Update { path, reason } => format!("`{path}`: {reason}"),
            Rejection::ConditionFailed => "the condition does not hold of the item".to_owned(),
            Rejection::Cancelled(reasons) => {
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

/// Names, for a reader: `a`, `b` and `c`.
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
