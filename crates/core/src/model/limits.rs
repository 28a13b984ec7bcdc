//! DynamoDB's limits, each with its source. Nothing else in the code repeats one of these figures.
//! Source unless a comment says otherwise: "Quotas in Amazon DynamoDB" and "Constraints in Amazon DynamoDB",
//! Amazon DynamoDB Developer Guide.

/// Longest partition key value, in bytes (UTF-8 for a string). The shortest is 1 byte.
pub const PARTITION_KEY_BYTES: usize = 2048;
/// Longest sort key value, in bytes (UTF-8 for a string). The shortest is 1 byte.
pub const SORT_KEY_BYTES: usize = 1024;
/// Largest item, in bytes: attribute names and values together.
pub const ITEM_BYTES: usize = 400 * 1024;
/// Bytes that a read unit reads strongly consistently, rounded up ("Read and write operations", Developer Guide).
pub const READ_UNIT_BYTES: usize = 4 * 1024;
/// Bytes that a write unit writes, rounded up. Same source.
pub const WRITE_UNIT_BYTES: usize = 1024;
/// Most puts and deletes of one BatchWriteItem request.
pub const BATCH_WRITE_ITEMS: usize = 25;
/// Most bytes of one BatchWriteItem request, as it is sent.
pub const BATCH_WRITE_BYTES: usize = 16 * 1024 * 1024;
/// Deepest nesting of lists and maps.
pub const NESTING_LEVELS: usize = 32;
/// Longest name of an attribute that stands in a key or a projection, in bytes.
pub const KEY_ATTRIBUTE_NAME_BYTES: usize = 255;
/// Longest name of any other attribute, in bytes.
pub const ATTRIBUTE_NAME_BYTES: usize = 64 * 1024 - 1;
/// Shortest and longest name of a table or an index, in characters of `A-Z a-z 0-9 _ . -`.
pub const RESOURCE_NAME_CHARS: std::ops::RangeInclusive<usize> = 3..=255;
/// Most local secondary indexes on a table (fixed).
pub const LSIS_PER_TABLE: usize = 5;
/// Most global secondary indexes on a table (default quota, can be raised).
pub const GSIS_PER_TABLE: usize = 20;
/// Most non-key attributes that one index projects with INCLUDE.
pub const INCLUDED_PER_INDEX: usize = 20;
/// Most INCLUDE attributes summed over all indexes of a table.
pub const INCLUDED_PER_TABLE: usize = 100;
/// Most attributes on each side of a multi-attribute GSI key ("Multi-attribute keys in GSIs", since November 2025).
pub const MULTI_ATTRIBUTE_KEYS: usize = 4;
/// Most significant digits of a number.
pub const NUMBER_DIGITS: usize = 38;
/// Point-in-time recovery window, in days.
pub const RECOVERY_DAYS: std::ops::RangeInclusive<u8> = 1..=35;
/// Most tags on a resource.
pub const TAGS: usize = 50;
/// Longest key of a tag ("IAM and AWS STS quotas", IAM User Guide).
pub const TAG_KEY_CHARS: usize = 128;
/// Most bytes that one Query or Scan request reads, before the filter.
pub const PAGE_BYTES: usize = 1024 * 1024;
/// Most keys in one BatchGetItem request.
pub const BATCH_GET_KEYS: usize = 100;
/// Most bytes that one BatchGetItem request returns; the other keys come back as unprocessed.
pub const BATCH_GET_BYTES: usize = 16 * 1024 * 1024;
/// Most actions in one transaction.
pub const TRANSACTION_ITEMS: usize = 100;
/// Most bytes of all items of one transaction.
pub const TRANSACTION_BYTES: usize = 4 * 1024 * 1024;
/// Longest expression, in bytes ("Expression parameters", Constraints).
pub const EXPRESSION_BYTES: usize = 4 * 1024;
/// Most operands of `IN`.
pub const IN_OPERANDS: usize = 100;
/// Most operators and functions in an expression.
pub const EXPRESSION_OPERATORS: usize = 300;
