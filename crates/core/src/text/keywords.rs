//! The words of the language: what begins a line, and the words for the values of the model. Parser, printer, completion
//! and hover read these tables.

use super::syntax::SyntaxKind;
use crate::model::{AttributeType, ContributorInsights, StreamView};

/// The words that begin a block, and the block's kind.
pub const BLOCKS: [(&str, SyntaxKind); 9] = [
    ("design", SyntaxKind::Design),
    ("table", SyntaxKind::Table),
    ("gsi", SyntaxKind::Gsi),
    ("lsi", SyntaxKind::Lsi),
    ("entity", SyntaxKind::Entity),
    ("pattern", SyntaxKind::Pattern),
    ("silence", SyntaxKind::Silence),
    ("exports", SyntaxKind::Exports),
    ("canvas", SyntaxKind::Canvas),
];

/// The settings of a table: the word, and an example of the rest of the line.
pub const TABLE_SETTINGS: [(&str, &str); 18] = [
    ("delimiter", "#"),
    ("type-attribute", "type"),
    ("ttl", "expiresAt"),
    ("stream", "new-and-old-images"),
    ("point-in-time-recovery", "35 days"),
    ("deletion-protection", ""),
    ("provisioned", "read 5, write 5"),
    ("max-throughput", "read 100, write 50"),
    ("warm-throughput", "read 12000, write 4000"),
    ("table-class", "standard-infrequent-access"),
    ("encryption", "aws-managed"),
    ("contributor-insights", "throttled-keys"),
    (
        "kinesis",
        "arn:aws:kinesis:us-east-1:111122223333:stream/changes",
    ),
    ("resource-policy", ""),
    ("replica", "eu-central-1"),
    ("multi-region-consistency", "strong"),
    ("tag", "team = orders"),
    ("on-demand", ""),
];

/// The settings of an index.
pub const INDEX_SETTINGS: [(&str, &str); 4] = [
    ("provisioned", "read 5, write 5"),
    ("max-throughput", "read 100, write 50"),
    ("warm-throughput", "read 12000, write 4000"),
    ("contributor-insights", "throttled-keys"),
];

/// The options of the exports.
pub const EXPORT_OPTIONS: [(&str, &str); 11] = [
    ("delete-with-stack", ""),
    ("tenant-policy", ""),
    ("tenant", "tenantId"),
    ("tenant-tag", "tenant"),
    ("read-only", ""),
    ("live-functions", ""),
    ("without-tests", ""),
    ("without-sdk", ""),
    ("without-picture", ""),
    ("without-findings", ""),
    ("without-samples", ""),
];

/// The lines of an access pattern besides its operation.
pub const PATTERN_PARTS: [(&str, &str); 9] = [
    ("filter", "status = :status"),
    ("attributes", "name, status"),
    ("condition", "attribute_not_exists(PK)"),
    ("update", "SET status = :status"),
    ("returns", "Order"),
    ("writes", "Order"),
    ("sample", "Order 1"),
    ("parameter", "status = PAID"),
    ("rate", "12.5"),
];

/// The operations of DynamoDB's API, in menu order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperationWord {
    /// `GetItem`
    GetItem,
    /// `Query`
    Query,
    /// `Scan`
    Scan,
    /// `BatchGetItem`
    BatchGetItem,
    /// `TransactGetItems`
    TransactGetItems,
    /// `PutItem`
    PutItem,
    /// `UpdateItem`
    UpdateItem,
    /// `DeleteItem`
    DeleteItem,
    /// `ConditionCheck`
    ConditionCheck,
    /// `TransactWriteItems`
    TransactWriteItems,
}

impl OperationWord {
    /// All operations, with their words.
    pub const ALL: [(&str, OperationWord); 10] = [
        ("GetItem", OperationWord::GetItem),
        ("Query", OperationWord::Query),
        ("Scan", OperationWord::Scan),
        ("BatchGetItem", OperationWord::BatchGetItem),
        ("TransactGetItems", OperationWord::TransactGetItems),
        ("PutItem", OperationWord::PutItem),
        ("UpdateItem", OperationWord::UpdateItem),
        ("DeleteItem", OperationWord::DeleteItem),
        ("ConditionCheck", OperationWord::ConditionCheck),
        ("TransactWriteItems", OperationWord::TransactWriteItems),
    ];

    /// Whether keys or actions follow on lines of their own.
    pub fn is_list(self) -> bool {
        matches!(
            self,
            OperationWord::BatchGetItem
                | OperationWord::TransactGetItems
                | OperationWord::TransactWriteItems
        )
    }
}

/// The operation with this name, in any case.
pub fn operation(word: &str) -> Option<OperationWord> {
    let found = OperationWord::ALL
        .iter()
        .find(|(name, _)| name.eq_ignore_ascii_case(word));
    found.map(|(_, operation)| *operation)
}

/// The words for attribute types.
pub const TYPES: [(&str, AttributeType); 10] = [
    ("string", AttributeType::S),
    ("number", AttributeType::N),
    ("binary", AttributeType::B),
    ("boolean", AttributeType::Bool),
    ("null", AttributeType::Null),
    ("list", AttributeType::L),
    ("map", AttributeType::M),
    ("string-set", AttributeType::Ss),
    ("number-set", AttributeType::Ns),
    ("binary-set", AttributeType::Bs),
];

/// The type of this word or of DynamoDB's descriptor.
pub fn attribute_type(word: &str) -> Option<AttributeType> {
    let found = TYPES.iter().find(|(name, _)| *name == word);
    (found.map(|(_, kind)| *kind)).or_else(|| AttributeType::from_word(word))
}

/// The word for a type.
pub fn type_word(kind: AttributeType) -> &'static str {
    let found = TYPES.iter().find(|(_, other)| *other == kind);
    found.map_or("string", |(name, _)| name)
}

/// The words that begin a sample format.
pub const FORMATS: [&str; 13] = [
    "ulid",
    "ksuid",
    "uuid",
    "email",
    "person-name",
    "company",
    "word",
    "sentence",
    "date",
    "timestamp",
    "integer",
    "decimal",
    "sequence",
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
