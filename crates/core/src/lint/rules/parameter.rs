//! Parameters of access patterns that have no value.

use super::did_you_mean;
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};

/// A parameter of the key condition has no value, and no attribute has its name.
pub const RULE: Rule = Rule {
    code: "A010",
    name: "parameter-without-value",
    severity: Severity::Warning,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    let design = context.design;
    let attributes = || {
        let all = design.entities.values().flat_map(|e| &e.attributes);
        let names = all.map(|attribute| attribute.name.as_str());
        names.chain(design.table.type_attribute.as_deref())
    };
    for facts in context.patterns.values() {
        let pattern = &facts.pattern;
        for parameter in facts.strange() {
            if pattern.parameters.contains_key(parameter)
                || attributes().any(|name| name == parameter)
            {
                continue;
            }
            let meant = did_you_mean(parameter, attributes());
            let message = format!(
                "`{}`: the parameter `{parameter}` has no value, and no attribute has this name, so the access pattern is not run on the samples.{meant} Name it after an attribute, or give it a value.",
                pattern.name
            );
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}
