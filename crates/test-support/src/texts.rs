//! Designs that are written as text.

use keyfold_core::model::Design;
use keyfold_core::text::{lower, parse};

/// What the schema of AWS's DynamoDB MCP server can say: formats in templates, keys of several attributes, filters, and
/// every operation.
pub fn aws_mcp() -> Design {
    read(include_str!("aws_mcp.keyfold"))
}

/// The design of a text without errors; it may have warnings.
pub fn read_without_errors(text: &str) -> Design {
    let lowered = lower(&parse(text), None);
    let errors: Vec<_> = (lowered.problems.iter())
        .filter(|problem| problem.is_error)
        .collect();
    assert!(errors.is_empty(), "{errors:?}");
    lowered.design
}

/// The design of a text without problems.
pub fn read(text: &str) -> Design {
    let lowered = lower(&parse(text), None);
    assert!(lowered.problems.is_empty(), "{:#?}", lowered.problems);
    lowered.design
}
