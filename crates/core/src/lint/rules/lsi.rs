//! What is to be known before one takes a local secondary index.

use crate::lint::{Check, Context, Found, Place, Rule, Said, Severity};
use crate::model::{IndexKind, Projection};

/// A local index limits an item collection to 10 GB and cannot be added or deleted later.
pub const RULE: Rule = Rule {
    code: "I005",
    name: "local-index",
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
            _ => ", and a query for an attribute that it lacks reads the table item by item",
        };
        let message = format!(
            "{} is local: all items of one partition key, in the table and here, may have 10 GB together, and it can only be made and deleted with the table{fetches}; take a GSI unless you need strong reads",
            index.name
        );
        found.say(Said::at(Place::Index(*id), message));
    }
}
