//! The words for types, sample formats and the values of settings.

use super::Word;
use crate::model::{
    AttributeType, ContributorInsights, MultiRegionConsistency, StreamView, TableClass,
};

/// The words for attribute types.
pub const TYPES: [(&str, AttributeType, &str); 10] = [
    ("string", AttributeType::S, "Text (S)."),
    (
        "number",
        AttributeType::N,
        "A number of up to 38 digits (N).",
    ),
    ("binary", AttributeType::B, "Bytes, written as Base64 (B)."),
    ("boolean", AttributeType::Bool, "`true` or `false` (BOOL)."),
    ("null", AttributeType::Null, "The null value (NULL)."),
    ("list", AttributeType::L, "A list of values (L)."),
    ("map", AttributeType::M, "Values by name (M)."),
    ("string-set", AttributeType::Ss, "A set of strings (SS)."),
    ("number-set", AttributeType::Ns, "A set of numbers (NS)."),
    (
        "binary-set",
        AttributeType::Bs,
        "A set of binary values (BS).",
    ),
];

/// The type of this word or of DynamoDB's descriptor.
pub fn attribute_type(word: &str) -> Option<AttributeType> {
    let found = TYPES.iter().find(|(name, ..)| *name == word);
    (found.map(|(_, kind, _)| *kind)).or_else(|| AttributeType::from_word(word))
}

/// The word for a type.
pub fn type_word(kind: AttributeType) -> &'static str {
    let found = TYPES.iter().find(|(_, other, _)| *other == kind);
    found.map_or("string", |(name, ..)| name)
}

/// The words that begin a sample format, and the values that it generates.
pub const FORMATS: [Word; 13] = [
    ("ulid", "Sample values: ULIDs, which sort by time."),
    ("ksuid", "Sample values: KSUIDs, which sort by time."),
    ("uuid", "Sample values: random UUIDs."),
    ("email", "Sample values: email addresses."),
    ("person-name", "Sample values: names of people."),
    ("company", "Sample values: names of companies."),
    ("word", "Sample values: single words."),
    ("sentence", "Sample values: short sentences."),
    (
        "date",
        "Sample values: ISO dates, such as `date 2026-01-01 to 2026-06-30`.",
    ),
    (
        "timestamp",
        "Sample values: ISO times, such as `timestamp 2026-01-01 to 2026-06-30`.",
    ),
    (
        "integer",
        "Sample values: whole numbers, such as `integer 1 to 500`.",
    ),
    (
        "decimal",
        "Sample values: decimal numbers, such as `decimal 0.5 to 99 places 1`.",
    ),
    (
        "sequence",
        "Sample values: numbered texts, such as `sequence t_01`: t_01, t_02, t_03.",
    ),
];

/// Whether a word begins a sample format.
pub fn is_format(word: &str) -> bool {
    FORMATS.iter().any(|(name, _)| *name == word)
}

/// The classes of a table.
pub const TABLE_CLASSES: [(&str, TableClass); 2] = [
    ("standard", TableClass::Standard),
    (
        "standard-infrequent-access",
        TableClass::StandardInfrequentAccess,
    ),
];

/// The consistency between replicas.
pub const CONSISTENCY: [(&str, MultiRegionConsistency); 2] = [
    ("eventual", MultiRegionConsistency::Eventual),
    ("strong", MultiRegionConsistency::Strong),
];

/// The stream view types.
pub const STREAMS: [(&str, StreamView); 4] = [
    ("new-and-old-images", StreamView::NewAndOldImages),
    ("new-image", StreamView::NewImage),
    ("old-image", StreamView::OldImage),
    ("keys-only", StreamView::KeysOnly),
];

/// The modes of Contributor Insights.
pub const INSIGHTS: [(&str, ContributorInsights); 2] = [
    (
        "accessed-and-throttled-keys",
        ContributorInsights::AccessedAndThrottledKeys,
    ),
    ("throttled-keys", ContributorInsights::ThrottledKeys),
];

/// A word as the tables above write it: AWS's constants (`KEYS_ONLY`) are the same words.
pub fn normal(word: &str) -> String {
    word.to_ascii_lowercase().replace('_', "-")
}
