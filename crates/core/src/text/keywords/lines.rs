//! The words that begin a line.

use super::super::syntax::SyntaxKind;
use super::Word;
use crate::model::ExportOptions;

/// The words that begin a block, the block's kind, and what it says.
pub const BLOCKS: [(&str, SyntaxKind, &str); 10] = [
    (
        "design",
        SyntaxKind::Design,
        "The name of the design. Its description is above it.",
    ),
    (
        "table",
        SyntaxKind::Table,
        "The table: its name, the attributes of its primary key, and its settings.",
    ),
    (
        "gsi",
        SyntaxKind::Gsi,
        "A global secondary index: its name, the attributes of its key, and its projection.",
    ),
    (
        "lsi",
        SyntaxKind::Lsi,
        "A local secondary index: it has the partition key of the table and another sort key.",
    ),
    (
        "entity",
        SyntaxKind::Entity,
        "An entity: its attributes, key templates and samples.",
    ),
    (
        "pattern",
        SyntaxKind::Pattern,
        "An access pattern: an operation of DynamoDB's API and what it returns or writes.",
    ),
    (
        "silence",
        SyntaxKind::Silence,
        "Accepts a finding: its code and its place. The reason is the description above it.",
    ),
    (
        "exports",
        SyntaxKind::Exports,
        "Options of the exports, one per line.",
    ),
    (
        "costs",
        SyntaxKind::Costs,
        "The Region and the prices for costs, where they are not those of us-east-1.",
    ),
    (
        "canvas",
        SyntaxKind::Canvas,
        "The positions and colors of the cards on the canvas, and its notes.",
    ),
];

/// The settings of a table.
pub const TABLE_SETTINGS: [Word; 18] = [
    (
        "delimiter",
        "The text between the parts of a key. `percent-encode` encodes it in values instead of refusing them.",
    ),
    (
        "type-attribute",
        "The attribute that holds the name of the entity. `none` for no such attribute.",
    ),
    (
        "ttl",
        "The attribute with the time at which DynamoDB deletes an item (Time to Live).",
    ),
    (
        "stream",
        "The stream, and the images of items that its records have.",
    ),
    (
        "point-in-time-recovery",
        "Continuous backups, for 1 to 35 days.",
    ),
    (
        "deletion-protection",
        "DynamoDB refuses to delete the table.",
    ),
    (
        "provisioned",
        "Provisioned read and write capacity units, with auto scaling if wanted.",
    ),
    (
        "max-throughput",
        "The maximum read and write request units per second of on-demand capacity.",
    ),
    (
        "warm-throughput",
        "The read and write units per second that are available at once.",
    ),
    (
        "table-class",
        "The table class: `standard` or `standard-infrequent-access`.",
    ),
    (
        "encryption",
        "The key for encryption at rest: `aws-owned`, `aws-managed`, or `kms` and a key.",
    ),
    (
        "contributor-insights",
        "CloudWatch Contributor Insights: `accessed-and-throttled-keys` or `throttled-keys`.",
    ),
    (
        "kinesis",
        "The ARN of the Kinesis data stream that receives changes of items.",
    ),
    (
        "resource-policy",
        "The resource-based policy, in the lines below that begin with `>`.",
    ),
    ("replica", "The Region of a replica (global table)."),
    (
        "multi-region-consistency",
        "The consistency between replicas: `eventual` or `strong`.",
    ),
    ("tag", "A tag of the table: key, `=`, value."),
    ("on-demand", "On-demand capacity, which is the default."),
];

/// The settings of an index.
pub const INDEX_SETTINGS: [Word; 4] = [
    (
        "provisioned",
        "Provisioned read and write capacity units of the index, with auto scaling if wanted.",
    ),
    (
        "max-throughput",
        "The maximum read and write request units per second of the index.",
    ),
    (
        "warm-throughput",
        "The read and write units per second that are available at once.",
    ),
    (
        "contributor-insights",
        "CloudWatch Contributor Insights of the index.",
    ),
];

/// The lines of an entity that are no attribute and no sample.
pub const ENTITY_LINES: [Word; 3] = [
    (
        "key",
        "The templates of the primary key: partition key, `/`, sort key.",
    ),
    (
        "index",
        "The templates of an index. `when` makes the index sparse: only items with these values are in it.",
    ),
    (
        "volume",
        "How many items there are, how many are added per month, the days until TTL deletes one, and its size.",
    ),
];

/// An option of the exports that is on or off.
type Flag = fn(&mut ExportOptions) -> &mut bool;

/// The options of the exports that are on or off.
pub const EXPORT_FLAGS: [(&str, Flag, &str); 9] = [
    (
        "delete-with-stack",
        |options| &mut options.delete_with_stack,
        "Deleting the stack deletes the table too.",
    ),
    (
        "tenant-policy",
        |options| &mut options.tenant_policy,
        "CloudFormation creates the IAM policy for tenant roles.",
    ),
    (
        "read-only",
        |options| &mut options.read_only,
        "IAM policies allow reads only.",
    ),
    (
        "live-functions",
        |options| &mut options.live_functions,
        "CloudFormation evaluates functions in texts.",
    ),
    (
        "without-tests",
        |options| &mut options.without_tests,
        "The Rust export has no tests.",
    ),
    (
        "without-sdk",
        |options| &mut options.without_sdk,
        "The Rust crate has no requests of the AWS SDK.",
    ),
    (
        "without-picture",
        |options| &mut options.without_picture,
        "The Markdown document has no picture.",
    ),
    (
        "without-findings",
        |options| &mut options.without_findings,
        "The Markdown document has no findings.",
    ),
    (
        "without-samples",
        |options| &mut options.without_samples,
        "The Markdown document has no samples.",
    ),
];

/// The other options of the exports.
pub const EXPORT_SETTINGS: [Word; 2] = [
    (
        "tenant",
        "The attribute that identifies the tenant, for IAM policies. `none` for no tenant.",
    ),
    ("tenant-tag", "The session tag that holds the tenant."),
];

/// The lines of an access pattern besides its operation.
pub const PATTERN_PARTS: [Word; 14] = [
    ("filter", "The filter expression of a read."),
    ("attributes", "The attributes that a read returns."),
    (
        "condition",
        "The condition expression of the write above it.",
    ),
    (
        "update",
        "The update expression of the `UpdateItem` above it.",
    ),
    ("returns", "The entities that the read is for."),
    ("writes", "The entities that the operation writes."),
    (
        "sample",
        "The row of an entity whose values fill the parameters, counted from 1.",
    ),
    (
        "parameter",
        "The value of a parameter, instead of that of the sample.",
    ),
    ("rate", "Expected calls per second at peak."),
    (
        "average",
        "Expected calls per second or per month on average.",
    ),
    (
        "puts",
        "The shares of the calls that create an item, replace one with other values or delete one, in percent.",
    ),
    (
        "items",
        "How many items a Query or a Scan reads on average, before the filter.",
    ),
    (
        "failed",
        "The share of the writes whose condition fails, in percent.",
    ),
    (
        "skew",
        "How the calls are distributed over the values of a parameter: `even`, `zipf` or `largest`.",
    ),
];

/// The lines of the block of costs.
pub const COST_LINES: [Word; 4] = [
    ("region", "The AWS Region whose prices count."),
    (
        "price",
        "A price in US dollars in place of that of the Region.",
    ),
    ("backups", "On-demand backups that are kept, in GB."),
    ("exported", "Exports to S3 per month, in GB."),
];

/// The operations of DynamoDB's API, in menu order, with what they do.
pub const OPERATIONS: [Word; 10] = [
    ("GetItem", "Reads one item by its primary key."),
    (
        "Query",
        "Reads the items of an item collection, or a range of them.",
    ),
    ("Scan", "Reads all items of the table or an index."),
    (
        "BatchGetItem",
        "Reads several items by their primary keys, with a `key` line each.",
    ),
    (
        "TransactGetItems",
        "Reads several items in one transaction, with a `key` line each.",
    ),
    ("PutItem", "Writes an item of an entity."),
    (
        "UpdateItem",
        "Changes attributes of an item by its primary key.",
    ),
    ("DeleteItem", "Deletes an item by its primary key."),
    (
        "ConditionCheck",
        "Checks a condition on an item in a transaction.",
    ),
    (
        "TransactWriteItems",
        "Carries out the writes on the lines below in one transaction.",
    ),
];

/// The line of a batch or a transaction of reads.
pub const BATCH_KEY: Word = (
    "key",
    "The primary key of an item to read: partition key, `/`, sort key.",
);

/// The name of an operation that is written in any case.
pub fn operation(word: &str) -> Option<&'static str> {
    let mut names = OPERATIONS.iter().map(|(name, _)| *name);
    names.find(|name| name.eq_ignore_ascii_case(word))
}

/// Whether keys or actions of an operation follow on lines of their own.
pub fn is_list(operation: &str) -> bool {
    matches!(
        operation,
        "BatchGetItem" | "TransactGetItems" | "TransactWriteItems"
    )
}
