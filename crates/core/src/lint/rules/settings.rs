//! The table's settings.

use crate::lint::{Check, Context, Fix, Found, Place, Rule, Said, Severity};
use crate::model::{Billing, Encryption, Table, live_parts, short};

/// Items do not say what they are.
pub const TYPE_ATTRIBUTE: Rule = Rule {
    code: "K017",
    name: "type-attribute-missing",
    severity: Severity::Info,
    check: Check::Design(type_attribute),
};

fn type_attribute(context: &Context, found: &mut Found) {
    if context.design.table.type_attribute.is_some() || context.entities.len() < 2 {
        return;
    }
    let message = format!(
        "{} kinds of items share the table, and no attribute says which one an item is: readers and stream consumers must guess from the key; set a type attribute",
        context.entities.len()
    );
    let said = Said::at(Place::Table, message);
    found.say(said.fix(Fix::TypeAttribute("type".to_owned())));
}

/// Point-in-time recovery is off in production.
pub const RECOVERY: Rule = Rule {
    code: "L007",
    name: "recovery-off",
    severity: Severity::Warning,
    check: Check::Design(recovery),
};

fn recovery(context: &Context, found: &mut Found) {
    let table = &context.design.table;
    let Some(sign) = production(table).filter(|_| table.recovery.is_none()) else {
        return;
    };
    let message = format!(
        "{sign}, but point-in-time recovery is off: a mistaken delete or deployment could not be undone; turn it on"
    );
    found.say(Said::at(Place::Table, message).fix(Fix::Recovery));
}

/// Deletion protection is off in production.
pub const PROTECTION: Rule = Rule {
    code: "L008",
    name: "deletion-protection-off",
    severity: Severity::Warning,
    check: Check::Design(protection),
};

fn protection(context: &Context, found: &mut Found) {
    let table = &context.design.table;
    let Some(sign) = production(table).filter(|_| !table.deletion_protection) else {
        return;
    };
    let message = format!(
        "{sign}, but deletion protection is off: one DeleteTable or a replaced stack takes the data with it; turn it on"
    );
    found.say(Said::at(Place::Table, message).fix(Fix::DeletionProtection));
}

/// A text of the table or an index is one that CloudFormation would carry out.
pub const LIVE: Rule = Rule {
    code: "L010",
    name: "live-text",
    severity: Severity::Warning,
    check: Check::Design(live),
};

fn live(context: &Context, found: &mut Found) {
    for live in live_parts(context.design) {
        let place = match live.index.is_primary() {
            true => Place::Table,
            false => Place::Index(live.index),
        };
        let part = short(&live.part);
        let message = match live.policy {
            true => format!(
                "The resource policy has `{part}`, which CloudFormation would carry out, so exports leave the policy out: write it without, or choose \"CloudFormation functions in texts\" (`liveFunctions` in the file's `exportOptions`) if it is meant"
            ),
            false => format!(
                "A text has `{part}`, which CloudFormation would replace by a secret or a parameter, so templates have it with a space, `{{ {{resolve:`: write it without, or choose \"CloudFormation functions in texts\" (`liveFunctions` in the file's `exportOptions`) if it is meant"
            ),
        };
        found.say(Said::at(place, message));
    }
}

/// What shows that the table is for production; `None`: nothing does.
fn production(table: &Table) -> Option<String> {
    let says = |text: &str| {
        let lower = text.to_lowercase();
        let mut words = lower.split(|c: char| !c.is_alphanumeric());
        words.any(|word| matches!(word, "prod" | "production" | "prd" | "live"))
    };
    if says(&table.name) {
        return Some(format!(
            "The table `{}` is for production by its name",
            table.name
        ));
    }
    if let Some((key, value)) = table.tags.iter().find(|(_, value)| says(value)) {
        return Some(format!(
            "The table is for production by its tag {key} = {value}"
        ));
    }
    if !table.replicas.is_empty() {
        return Some("The table has replicas".to_owned());
    }
    if matches!(table.billing, Billing::Provisioned(_)) {
        return Some("The table has capacity of its own".to_owned());
    }
    if matches!(table.encryption, Encryption::CustomerManaged(_)) {
        return Some("The table has a key of its own".to_owned());
    }
    None
}
