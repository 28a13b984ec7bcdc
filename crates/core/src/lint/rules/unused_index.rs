//! Unused indexes.

use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::Operation;

/// An index has no entities.
pub const EMPTY: Rule = Rule {
    code: "I001",
    name: "empty-index",
    severity: Severity::Warning,
    check: Check::Design(empty),
};

fn empty(context: &Context, found: &mut Found) {
    if context.entities.is_empty() {
        return;
    }
    for (id, index) in &context.design.indexes {
        let used = (context.entities.values()).any(|facts| facts.entry(*id).is_some());
        if !used {
            let name = &index.name;
            let (what_to_do, fix) = match context.readers(*id).count() {
                0 => (
                    "Draw a wire to it, or delete it.".to_owned(),
                    Some(Fix::DeleteIndex(*id)),
                ),
                1 => (
                    "An access pattern reads it: draw a wire to it.".to_owned(),
                    None,
                ),
                count => (
                    format!("{count} access patterns read it: draw a wire to it."),
                    None,
                ),
            };
            let message = format!("{name} has no entities. {what_to_do}");
            let mut finding = NewFinding::at(Place::Index(*id), message);
            if let Some(fix) = fix {
                finding = finding.fix(fix);
            }
            found.add(finding);
        }
    }
}

/// No access pattern reads an index.
pub const UNREAD: Rule = Rule {
    code: "I002",
    name: "unread-index",
    severity: Severity::Warning,
    check: Check::Design(unread),
};

fn unread(context: &Context, found: &mut Found) {
    let reads = |operation: &Operation| operation.index().is_some();
    if !(context.patterns.values()).any(|facts| reads(&facts.pattern.operation)) {
        return;
    }
    for (id, index) in &context.design.indexes {
        let is_read = context.readers(*id).next().is_some();
        let is_used = (context.entities.values()).any(|facts| facts.entry(*id).is_some());
        if is_read || !is_used {
            continue;
        }
        let message = format!(
            "{}: no access pattern reads it, but every write of an item in it is billed again. Add the access pattern that needs it, or delete the index.",
            index.name
        );
        found.add(NewFinding::at(Place::Index(*id), message).fix(Fix::DeleteIndex(*id)));
    }
}
