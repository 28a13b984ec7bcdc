//! Parameters of access patterns that have no value, and values of no parameter.

use super::{attributes, did_you_mean};
use crate::engine::operation_parts::{parameter_names, parts};
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};

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

/// A value is set for a parameter that the access pattern does not use.
pub const UNUSED: Rule = Rule {
    code: "A013",
    name: "unused-parameter-value",
    severity: Severity::Warning,
    check: Check::Design(unused),
};

fn unused(context: &Context, found: &mut Found) {
    let design = context.design;
    for facts in context.patterns.values() {
        let pattern = &facts.pattern;
        if pattern.parameters.is_empty() {
            continue;
        }
        let used = parameter_names(design, &pattern.operation);
        // A put writes the values of its optional attributes too.
        let puts = parts(&pattern.operation).puts;
        let is_put = |name: &str| {
            let entity = |id| design.entities.get(id)?.attribute(name);
            puts.iter().any(|id| entity(id).is_some())
        };
        let unused: Vec<&str> = (pattern.parameters.keys().map(String::as_str))
            .filter(|name| !used.iter().any(|used| used == name) && !is_put(name))
            .collect();
        let meant = match unused.as_slice() {
            [] => continue,
            [one] => {
                let free = used.iter().map(String::as_str);
                did_you_mean(
                    one,
                    free.filter(|name| !pattern.parameters.contains_key(*name)),
                )
            }
            _ => String::new(),
        };
        let message = format!(
            "`{}`: a value is set for {}, which no key and no expression of the access pattern uses.{meant} Correct the name, or remove the value.",
            pattern.name,
            attributes(&unused),
        );
        let names = unused.into_iter().map(str::to_owned).collect();
        let finding = NewFinding::at(Place::Pattern(facts.id), message);
        found.add(finding.fix(Fix::RemoveValues(facts.id, names)));
    }
}
