//! Files of other tools.

use keyfold_core::model::validate_invariants;
use keyfold_import::format::FORMATS;
use keyfold_import::{combine, design, read};

/// Words of the formats.
pub const IMPORT_WORDS: &[&str] = &[
    "Resources",
    "Type: AWS::DynamoDB::Table",
    "Properties",
    "KeySchema",
    "AttributeDefinitions",
    "!Ref",
    "!Sub",
    "${",
    "resource \"aws_dynamodb_table\" \"t\" {",
    "hash_key",
    "range_key",
    "for_each",
    "dynamic",
    "local.",
    "var.",
    "}",
    "new Entity({",
    "new Table({",
    "model:",
    "attributes:",
    "indexes:",
    "composite:",
    "field:",
    "template:",
    "models",
    "=>",
    "...",
    "`",
    "const a = ",
    "export default",
    "DataModel",
    "TableData",
    "KeyAttributes",
    "\"S\"",
    "null",
    "[]",
    "{}",
    "tables",
    "table_config",
    "partition_key",
    "NonKeyAttributes",
    "BillingMode",
    "PAY_PER_REQUEST",
    "\n  ",
    "\n- ",
];

/// Reads a file as what it looks like, and as one of the formats. Makes designs of its tables.
pub fn import(data: &[u8]) -> bool {
    // Which one depends on the data, so that each input is tried once or twice and all formats get their share.
    let number = data
        .iter()
        .fold(0, |sum: usize, byte| sum + usize::from(*byte));
    let (format, ..) = FORMATS[number % FORMATS.len()];
    let mut accepted = false;
    for format in [None, Some(format)] {
        match read("file", data, format) {
            Ok(import) => {
                accepted = true;
                let import = combine(vec![("file".to_owned(), import)]);
                for design in &import.designs {
                    assert_eq!(validate_invariants(design), []);
                }
                for table in &import.tables {
                    if let Ok(made) = design(table) {
                        assert_eq!(validate_invariants(&made.design), []);
                    }
                }
            }
            Err(error) => assert!(!error.is_empty()),
        }
    }
    accepted
}
