//! Provisioned capacity.

use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Billing, IndexId, IndexKind, ProvisionedThroughput};

/// Provisioned capacity without auto scaling.
pub const RULE: Rule = Rule {
    code: "C003",
    name: "no-auto-scaling",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    let Billing::Provisioned(table) = &context.design.table.billing else {
        return;
    };
    report("The table", Place::Table, IndexId::PRIMARY, table, found);
    for (id, index) in &context.design.indexes {
        if let Some(own) = index
            .provisioned
            .as_ref()
            .filter(|_| index.kind == IndexKind::Gsi)
        {
            report(&index.name, Place::Index(*id), *id, own, found);
        }
    }
}

fn report(name: &str, place: Place, id: IndexId, given: &ProvisionedThroughput, found: &mut Found) {
    let fixed = match (&given.read_scaling, &given.write_scaling) {
        (Some(_), Some(_)) => return,
        (None, Some(_)) => format!("{} read capacity units", given.read),
        (Some(_), None) => format!("{} write capacity units", given.write),
        (None, None) => format!(
            "{} read and {} write capacity units",
            given.read, given.write
        ),
    };
    let message = format!(
        "{name} has a fixed capacity of {fixed}: peaks are throttled, and idle capacity is billed. Add auto scaling, or use on-demand capacity."
    );
    found.add(NewFinding::at(place, message).fix(Fix::Autoscale(id)));
}
