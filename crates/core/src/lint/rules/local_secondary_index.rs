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

/// A local secondary index on a table without a sort key, which DynamoDB refuses.
pub const SORT_KEY: Rule = Rule {
    code: "I010",
    name: "lsi-without-table-sort-key",
    severity: Severity::Error,
    check: Check::Design(sort_key),
};

fn sort_key(context: &Context, found: &mut Found) {
    let design = context.design;
    if !design.table.key.sort.is_empty() {
        return;
    }
    for (id, index) in &design.indexes {
        if index.kind == IndexKind::Lsi {
            let message = format!(
                "{} is an LSI, but the table has no sort key: DynamoDB does not create the table. Use a GSI, or give the table a sort key.",
                index.name
            );
            found.add(NewFinding::at(Place::Index(*id), message));
        }
    }
}
