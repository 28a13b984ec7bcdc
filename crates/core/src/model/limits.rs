//! DynamoDB's limits, each with its source. No other code repeats these figures. Source, unless a comment names
//! another: "Quotas in Amazon DynamoDB" and "Constraints in Amazon DynamoDB", Amazon DynamoDB Developer Guide.

/// Maximum size of a partition key value in bytes (UTF-8 for a string). The minimum is 1 byte.
pub const PARTITION_KEY_BYTES: usize = 2048;
/// Maximum size of a sort key value in bytes (UTF-8 for a string). The minimum is 1 byte.
pub const SORT_KEY_BYTES: usize = 1024;
/// Maximum size of an item in bytes: attribute names and values together.
pub const ITEM_BYTES: usize = 400 * 1024;
/// Bytes per read unit of a strongly consistent read, rounded up ("Read and write operations", Developer Guide).
pub const READ_UNIT_BYTES: usize = 4 * 1024;
/// Bytes per write unit, rounded up. Same source.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// Read units per second that one partition serves ("Designing partition keys to distribute your workload", Developer
/// Guide).
pub const PARTITION_READ_UNITS: f64 = 3000.0;
/// Write units per second that one partition serves. Same source.
pub const PARTITION_WRITE_UNITS: f64 = 1000.0;
/// Maximum size of a partition in bytes, and of an item collection of a table with LSIs ("Partitions and data
/// distribution" and "Local secondary indexes: item collection size limit", Developer Guide).
pub const PARTITION_BYTES: f64 = 10.0 * 1024.0 * 1024.0 * 1024.0;
/// Read units per second that a new on-demand table serves at once ("DynamoDB on-demand capacity mode", Developer
/// Guide).
pub const NEW_TABLE_READ_UNITS: f64 = 12_000.0;
/// Write units per second that a new on-demand table serves at once. Same source.
pub const NEW_TABLE_WRITE_UNITS: f64 = 4000.0;
/// Target utilization of auto scaling, in percent ("Managing throughput capacity automatically with DynamoDB auto
/// scaling", Developer Guide).
pub const TARGET_PERCENT: std::ops::RangeInclusive<u64> = 20..=90;
/// Number of Regions of a global table with multi-Region strong consistency, the table's own included, if all of them are
/// replicas: one of the three can be a witness instead ("How DynamoDB global tables work", Developer Guide).
pub const STRONG_REGIONS: usize = 3;
/// The sets of Regions of which such a table is in one: US, EU, AP. Same source.
pub const STRONG_REGION_SETS: [&[&str]; 3] = [
    &["us-east-1", "us-east-2", "us-west-2"],
    &["eu-west-1", "eu-west-2", "eu-west-3", "eu-central-1"],
    &["ap-northeast-1", "ap-northeast-2", "ap-northeast-3"],
];
/// Maximum number of puts and deletes in a BatchWriteItem request.
pub const BATCH_WRITE_ITEMS: usize = 25;
/// Maximum size of a BatchWriteItem request in bytes, as sent.
pub const BATCH_WRITE_BYTES: usize = 16 * 1024 * 1024;
/// Maximum nesting depth of lists and maps.
pub const NESTING_LEVELS: usize = 32;
/// Maximum length in bytes of the name of a key attribute or a projected attribute.
pub const KEY_ATTRIBUTE_NAME_BYTES: usize = 255;
/// Maximum length in bytes of any other attribute name.
pub const ATTRIBUTE_NAME_BYTES: usize = 64 * 1024 - 1;
/// Minimum and maximum length of a table or index name, in characters of `A-Z a-z 0-9 _ . -`.
pub const RESOURCE_NAME_CHARS: std::ops::RangeInclusive<usize> = 3..=255;
/// Maximum number of LSIs per table (fixed).
pub const LSIS_PER_TABLE: usize = 5;
/// Maximum number of GSIs per table (default quota, can be raised).
pub const GSIS_PER_TABLE: usize = 20;
/// Maximum number of non-key attributes that one index projects with INCLUDE.
pub const INCLUDED_PER_INDEX: usize = 20;
/// Maximum number of INCLUDE attributes over all indexes of a table.
pub const INCLUDED_PER_TABLE: usize = 100;
/// Maximum number of attributes on each side of a multi-attribute GSI key ("Multi-attribute keys in GSIs", since
/// November 2025).
pub const MULTI_ATTRIBUTE_KEYS: usize = 4;
/// Maximum number of significant digits of a number.
pub const NUMBER_DIGITS: usize = 38;
/// Point-in-time recovery period, in days.
pub const RECOVERY_DAYS: std::ops::RangeInclusive<u8> = 1..=35;
/// Maximum number of tags per resource.
pub const TAGS: usize = 50;
/// Maximum length of a tag key in characters ("IAM and AWS STS quotas", IAM User Guide).
pub const TAG_KEY_CHARS: usize = 128;
/// Maximum length of a tag value in characters ("Tagging restrictions in DynamoDB", Developer Guide).
pub const TAG_VALUE_CHARS: usize = 256;
/// Maximum number of bytes that one Query or Scan request reads, before the filter.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Maximum number of keys in a BatchGetItem request.
pub const BATCH_GET_KEYS: usize = 100;
/// Maximum number of bytes that a BatchGetItem request returns; the remaining keys come back as unprocessed.
pub const BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
/// Maximum number of actions in a transaction.
pub const TRANSACTION_ITEMS: usize = 100;
/// Maximum total size in bytes of the items in a transaction.
pub const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
/// Maximum length of an expression in bytes ("Expression parameters", Constraints).
pub const EXPRESSION_BYTES: usize = 4 * 1024;
/// Maximum number of operands of `IN`.
pub const IN_OPERANDS: usize = 100;
/// Maximum number of operators and functions in an expression.
pub const EXPRESSION_OPERATORS: usize = 300;
