//! The words inside a line.

use super::super::syntax::SyntaxKind;
use super::Word;

/// The word of a key-only attribute, the last of its line.
pub const KEY_ONLY: &str = "key-only";

/// Words inside a line: the kinds of statements that have them, and what they say there.
pub const INNER: [(&str, &[SyntaxKind], &str); 58] = [
    ("all", &INDEX, "The index projects all attributes."),
    (
        "keys-only",
        &INDEX,
        "The index projects the attributes of its key and of the primary key.",
    ),
    (
        "include",
        &INDEX,
        "The index projects these attributes besides the keys.",
    ),
    ("skewed", &ATTRIBUTE, "A few values occur much more often."),
    ("to", &RANGES, "Between the first and the last value."),
    (
        "places",
        &ATTRIBUTE,
        "The number of digits after the decimal point.",
    ),
    ("prefix", &ATTRIBUTE, "The text before the number."),
    ("start", &ATTRIBUTE, "The first number of the sequence."),
    ("digits", &ATTRIBUTE, "The minimum number of digits."),
    (
        KEY_ONLY,
        &ATTRIBUTE,
        "Only part of keys: items do not store it, and its value is parsed back from the keys.",
    ),
    (
        "when",
        &[SyntaxKind::Key],
        "Only items with these values are in the index (sparse index).",
    ),
    ("and", &[SyntaxKind::Key], "Both conditions hold."),
    ("and", &OPERATION, "Before the upper bound of `between`."),
    ("in", &[SyntaxKind::Key], "One of these values."),
    ("exists", &[SyntaxKind::Key], "The attribute has a value."),
    ("missing", &[SyntaxKind::Key], "The attribute has no value."),
    (
        "begins_with",
        &OPERATION,
        "Sort keys that begin with this text.",
    ),
    (
        "between",
        &OPERATION,
        "Sort keys from the first value to the value after `and`.",
    ),
    (
        "index",
        &[SyntaxKind::Operation, SyntaxKind::Silence, SyntaxKind::Card],
        "The index with this name.",
    ),
    (
        "descending",
        &OPERATION,
        "Reads the largest sort keys first.",
    ),
    ("limit", &OPERATION, "The maximum number of items to read."),
    ("consistent", &OPERATION, "A strongly consistent read."),
    ("per", &RATES, "The span of time of a rate."),
    ("second", &PART, "Per second."),
    ("month", &RATES, "Per month of 730 hours."),
    ("creates", &PART, "Puts that create an item."),
    (
        "updates",
        &PART,
        "Puts that replace an item with one that has other values.",
    ),
    ("deletes", &PART, "Calls that delete the item."),
    ("even", &PART, "All values equally often."),
    (
        "zipf",
        &PART,
        "Zipf distribution: the share of the value of rank k is in proportion to 1/k to the power of this exponent.",
    ),
    (
        "largest",
        &PART,
        "One value takes this percentage; the others share the rest evenly.",
    ),
    ("of", &PART, "Before the number of different values."),
    ("values", &PART, "The number of different values."),
    ("items", &SETTING, "The number of items now."),
    (
        "bytes",
        &SETTING,
        "The average size of an item, names included.",
    ),
    ("GB", &SETTING, "The size in GB."),
    (
        "percent-encode",
        &SETTING,
        "The delimiter in a value is percent-encoded.",
    ),
    ("none", &SETTING, "No attribute."),
    ("days", &SETTING, "The number of days."),
    ("read", &SETTING, "Units for reads per second."),
    ("write", &SETTING, "Units for writes per second."),
    (
        "autoscaling",
        &SETTING,
        "Auto scaling between a minimum and a maximum of units.",
    ),
    ("at", &SETTING, "The target utilization in percent."),
    ("kms", &SETTING, "A KMS key: its ID, ARN or alias."),
    ("aws-owned", &SETTING, "A key that DynamoDB owns."),
    ("aws-managed", &SETTING, "The AWS managed key of DynamoDB."),
    (
        "microseconds",
        &SETTING,
        "The records have times in microseconds.",
    ),
    ("table", &PLACE, "The table."),
    ("entity", &PLACE, "The entity with this name."),
    (
        "pattern",
        &[SyntaxKind::Silence],
        "The access pattern with this name.",
    ),
    (
        "attribute",
        &[SyntaxKind::Silence],
        "The attribute with this name.",
    ),
    (
        "sample",
        &[SyntaxKind::Silence],
        "The row with this number, counted from 1.",
    ),
    ("key", &[SyntaxKind::Silence], "The primary key."),
    (
        "partition",
        &[SyntaxKind::Silence],
        "The template of the partition key.",
    ),
    (
        "sort",
        &[SyntaxKind::Silence],
        "The template of the sort key.",
    ),
    (
        "place",
        &[SyntaxKind::Silence],
        "A place that the design no longer has, by its IDs.",
    ),
    ("note", &[SyntaxKind::Card], "A note on the canvas."),
    ("color", &[SyntaxKind::Card], "A color from 0 to 11."),
];

const INDEX: [SyntaxKind; 2] = [SyntaxKind::Gsi, SyntaxKind::Lsi];
const ATTRIBUTE: [SyntaxKind; 1] = [SyntaxKind::Attribute];
const RANGES: [SyntaxKind; 2] = [SyntaxKind::Attribute, SyntaxKind::Setting];
const OPERATION: [SyntaxKind; 1] = [SyntaxKind::Operation];
const PART: [SyntaxKind; 1] = [SyntaxKind::Part];
const RATES: [SyntaxKind; 2] = [SyntaxKind::Part, SyntaxKind::Setting];
const SETTING: [SyntaxKind; 1] = [SyntaxKind::Setting];
const PLACE: [SyntaxKind; 2] = [SyntaxKind::Silence, SyntaxKind::Card];

/// The words inside the lines of this kind.
pub fn inner(kind: SyntaxKind) -> impl Iterator<Item = Word> {
    let of_kind = INNER
        .iter()
        .filter(move |(_, kinds, _)| kinds.contains(&kind));
    of_kind.map(|(word, _, what)| (*word, *what))
}
