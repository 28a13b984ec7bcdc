//! The limits of local secondary indexes.

use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexKind, Projection};

/// A local secondary index limits an item collection to 10 GB and cannot be added or deleted later.
pub const RULE: Rule = Rule {
    code: "I005",
    name: "local-secondary-index",
    severity: Severity::Info,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for (id, index) in &context.design.indexes {
        if index.kind != IndexKind::Lsi {
            continue;
        }
        let fetches = match index.projection {
            Projection::All => "",
            _ => "; a query for an attribute that it does not project reads the table item by item",
        };
        let message = format!(
            "{} is an LSI: an item collection, with its index entries, can hold at most 10 GB, and the index can only be created and deleted with the table{fetches}. Use a GSI unless you need strongly consistent reads.",
            index.name
        );
        found.add(NewFinding::at(Place::Index(*id), message));
    }
}
