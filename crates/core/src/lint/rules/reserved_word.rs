//! Reserved words in expressions.

use crate::lint::expression;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::reserved::is_reserved;

/// An expression names an attribute that is a reserved word, without `#`.
pub const RULE: Rule = Rule {
    code: "A006",
    name: "reserved-word",
    severity: Severity::Info,
    check: Check::Design(check),
};

fn check(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let mut seen: Vec<String> = Vec::new();
        for name in expression::names(&facts.pattern.operation) {
            if name.alias || seen.contains(&name.text) || !is_reserved(&name.text) {
                continue;
            }
            let word = name.text;
            let message = format!(
                "`{}` uses the reserved word `{word}` in an expression, which DynamoDB rejects. Write `#{word}`; exported requests already do.",
                facts.pattern.name
            );
            let finding = NewFinding::at(Place::Pattern(facts.id), message);
            found.add(finding.fix(Fix::Alias(facts.id, word.clone())));
            seen.push(word);
        }
    }
}
