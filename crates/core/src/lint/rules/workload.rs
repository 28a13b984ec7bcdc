//! What a stated workload costs and where it gets hot. `keyfold_cost` finds it; the linter only knows the rules, so that
//! their findings are listed, explained and silenced like all others.

use crate::lint::finding::Severity;
use crate::lint::rule::{Check, Rule};

/// A partition key that takes more than a partition serves.
pub const HOT_KEY: Rule = rule("C004", "hot-partition-key", Severity::Warning);
/// An item collection larger than 10 GB in a table with LSIs.
pub const LARGE_COLLECTION: Rule = rule("C005", "large-item-collection", Severity::Warning);
/// More load than a new on-demand table serves at once.
pub const NEW_TABLE: Rule = rule("C006", "new-on-demand-table", Severity::Info);
/// A hot key of a GSI that throttles the writes of the table.
pub const BACK_PRESSURE: Rule = rule("C007", "index-back-pressure", Severity::Warning);
/// Another capacity mode that costs less.
pub const CAPACITY_MODE: Rule = rule("C008", "cheaper-capacity-mode", Severity::Info);
/// Another table class that costs less.
pub const TABLE_CLASS: Rule = rule("C009", "cheaper-table-class", Severity::Info);

const fn rule(code: &'static str, name: &'static str, severity: Severity) -> Rule {
    Rule {
        code,
        name,
        severity,
        check: Check::Workload,
    }
}
