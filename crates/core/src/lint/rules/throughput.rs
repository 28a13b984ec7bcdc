//! Figures of capacity and throughput that DynamoDB and Application Auto Scaling do not accept. Sources:
//! ProvisionedThroughput, OnDemandThroughput and WarmThroughput, DynamoDB API Reference; "Understanding DynamoDB warm
//! throughput", Developer Guide; "Managing throughput capacity automatically with DynamoDB auto scaling", same guide.

use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{
    Autoscaling, Billing, IndexKind, MaxRequestUnits, ProvisionedThroughput, WarmThroughput, limits,
};

/// A figure of capacity or throughput is out of its range.
pub const RULE: Rule = Rule {
    code: "L012",
    name: "throughput-out-of-range",
    severity: Severity::Error,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    let table = &context.design.table;
    let mut place = Figures {
        name: "The table",
        place: Place::Table,
        found,
    };
    let of_table = match &table.billing {
        Billing::OnDemand(most) => {
            place.most(*most);
            None
        }
        Billing::Provisioned(units) => {
            place.provisioned(units);
            Some(units)
        }
    };
    place.warm(table.warm_throughput, of_table);
    for (id, index) in &context.design.indexes {
        if index.kind != IndexKind::Gsi {
            continue;
        }
        let mut place = Figures {
            name: &index.name,
            place: Place::Index(*id),
            found,
        };
        match (of_table, &index.provisioned) {
            (None, _) => place.most(index.max_request_units.unwrap_or_default()),
            (Some(_), Some(own)) => place.provisioned(own),
            (Some(_), None) => {}
        }
        let units = of_table.map(|units| index.provisioned.as_ref().unwrap_or(units));
        place.warm(index.warm_throughput, units);
    }
}

/// Reports the figures of the table or an index.
struct Figures<'f, 'a> {
    name: &'f str,
    place: Place,
    found: &'f mut Found<'a>,
}

impl Figures<'_, '_> {
    fn report(&mut self, what: String) {
        let message = [self.name, " ", &what].concat();
        self.found.add(NewFinding::at(self.place, message));
    }

    fn most(&mut self, most: MaxRequestUnits) {
        for (units, word) in [(most.read, "read"), (most.write, "write")] {
            if units == Some(0) {
                self.report(format!(
                    "has a maximum throughput of 0 {word} request units, but the least is 1. Correct it, or set no maximum."
                ));
            }
        }
    }

    fn provisioned(&mut self, given: &ProvisionedThroughput) {
        for (units, scaling, word) in [
            (given.read, given.read_scaling, "read"),
            (given.write, given.write_scaling, "write"),
        ] {
            if units == 0 {
                self.report(format!(
                    "has a capacity of 0 {word} units, but the least is 1. Correct it."
                ));
            }
            if let Some(scaling) = scaling {
                self.scaling(scaling, word);
            }
        }
    }

    fn scaling(&mut self, scaling: Autoscaling, word: &str) {
        let Autoscaling {
            min,
            max,
            target_percent,
        } = scaling;
        if min == 0 {
            self.report(format!(
                "scales its {word} capacity down to 0 units, but the least is 1. Correct the minimum."
            ));
        }
        if min > max {
            self.report(format!(
                "scales its {word} capacity from {min} to {max} units: the minimum is above the maximum. Correct them."
            ));
        }
        let range = limits::TARGET_PERCENT;
        if !range.contains(&u64::from(target_percent)) {
            self.report(format!(
                "scales its {word} capacity at {target_percent}% utilization, but the target is {} to {}%. Correct it.",
                range.start(),
                range.end(),
            ));
        }
    }

    /// `units` is the provisioned capacity; `None` on demand.
    fn warm(&mut self, warm: Option<WarmThroughput>, units: Option<&ProvisionedThroughput>) {
        let warm = warm.unwrap_or_default();
        for (given, new_table, provisioned, word) in [
            (
                warm.read,
                limits::NEW_TABLE_READ_UNITS,
                units.map(|units| units.read),
                "read",
            ),
            (
                warm.write,
                limits::NEW_TABLE_WRITE_UNITS,
                units.map(|units| units.write),
                "write",
            ),
        ] {
            let (least, why) = match provisioned {
                Some(units) => (units.max(1), "its capacity"),
                None => (new_table as u64, "what an on-demand table always has"),
            };
            if let Some(given) = given.filter(|given| *given < least) {
                self.report(format!(
                    "has a warm throughput of {given} {word} units per second, but the least is {least}, {why}. Raise it, or remove it."
                ));
            }
        }
    }
}
