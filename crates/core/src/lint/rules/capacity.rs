//! Provisioned capacity.

use crate::lint::{Check, Context, Fix, Found, Place, Rule, Said, Severity};
use crate::model::{Billing, IndexId, IndexKind, ProvisionedThroughput};

/// Provisioned capacity does not follow the load.
pub const RULE: Rule = Rule {
    code: "C003",
    name: "no-autoscaling",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    let Billing::Provisioned(table) = &context.design.table.billing else {
        return;
    };
    say("The table", Place::Table, IndexId::PRIMARY, table, found);
    for (id, index) in &context.design.indexes {
        if let Some(own) = index
            .provisioned
            .as_ref()
            .filter(|_| index.kind == IndexKind::Gsi)
        {
            say(&index.name, Place::Index(*id), *id, own, found);
        }
    }
}

fn say(name: &str, place: Place, id: IndexId, given: &ProvisionedThroughput, found: &mut Found) {
    let fixed = match (&given.read_scaling, &given.write_scaling) {
        (Some(_), Some(_)) => return,
        (None, Some(_)) => format!("{} read units", given.read),
        (Some(_), None) => format!("{} write units", given.write),
        (None, None) => format!("{} read and {} write units", given.read, given.write),
    };
    let message = format!(
        "{name} has a fixed {fixed} a second: more is throttled, less is paid all the same; add autoscaling, or pay on demand"
    );
    found.say(Said::at(place, message).fix(Fix::Autoscale(id)));
}
