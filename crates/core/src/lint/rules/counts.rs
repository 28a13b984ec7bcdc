//! Counts that DynamoDB limits.

use crate::lint::expression;
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexKind, Operation, Projection, limits};

/// More secondary indexes than a table can have.
pub const INDEXES: Rule = Rule {
    code: "L002",
    name: "too-many-indexes",
    severity: Severity::Error,
    check: Check::Design(indexes),
};

fn indexes(context: &Context, found: &mut Found) {
    let count = |kind| {
        let indexes = context.design.indexes.values();
        indexes.filter(|index| index.kind == kind).count()
    };
    for (kind, most, advice) in [
        (
            IndexKind::Gsi,
            limits::GSIS_PER_TABLE,
            "Merge some into an overloaded index, or raise the quota.",
        ),
        (
            IndexKind::Lsi,
            limits::LSIS_PER_TABLE,
            "Make some of them GSIs; this quota cannot be raised.",
        ),
    ] {
        let there = count(kind);
        if there > most {
            let label = kind.label();
            let message =
                format!("The table has {there} {label}s, but the limit is {most}. {advice}");
            found.add(NewFinding::at(Place::Table, message));
        }
    }
}

/// More projected attributes (INCLUDE) than indexes can have.
pub const INCLUDED: Rule = Rule {
    code: "L004",
    name: "too-many-included",
    severity: Severity::Error,
    check: Check::Design(included),
};

fn included(context: &Context, found: &mut Found) {
    let mut sum = 0;
    for (id, index) in &context.design.indexes {
        let Projection::Include(names) = &index.projection else {
            continue;
        };
        sum += names.len();
        if names.len() > limits::INCLUDED_PER_INDEX {
            let message = format!(
                "{} includes {} attributes, but the limit is {}. Project all attributes.",
                index.name,
                names.len(),
                limits::INCLUDED_PER_INDEX,
            );
            found.add(NewFinding::at(Place::Index(*id), message));
        }
    }
    if sum > limits::INCLUDED_PER_TABLE {
        let message = format!(
            "The indexes include {sum} attributes in total, but the limit is {}; an attribute in two indexes counts twice. Project all attributes in some of them.",
            limits::INCLUDED_PER_TABLE
        );
        found.add(NewFinding::at(Place::Table, message));
    }
}

/// More items in one request than DynamoDB accepts.
pub const REQUEST: Rule = Rule {
    code: "L005",
    name: "too-many-items",
    severity: Severity::Error,
    check: Check::Design(request),
};

fn request(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let operation = &facts.pattern.operation;
        let (count, most) = match operation {
            Operation::BatchGetItem { keys, .. } => (keys.len(), limits::BATCH_GET_KEYS),
            Operation::TransactGetItems { keys } => (keys.len(), limits::TRANSACTION_ITEMS),
            Operation::TransactWriteItems { actions } => (actions.len(), limits::TRANSACTION_ITEMS),
            _ => continue,
        };
        if count > most {
            let message = format!(
                "`{}` names {count} items, but {} accepts {most}. Split it into several requests.",
                facts.pattern.name,
                operation.name(),
            );
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}

/// An expression is longer than DynamoDB accepts.
pub const EXPRESSION: Rule = Rule {
    code: "L006",
    name: "expression-too-long",
    severity: Severity::Error,
    check: Check::Design(too_long),
};

fn too_long(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let (conditions, updates) = expression::texts(&facts.pattern.operation);
        let lengths = conditions.iter().chain(&updates).map(|text| text.len());
        let longest = lengths.max().unwrap_or(0);
        if longest > limits::EXPRESSION_BYTES {
            let message = format!(
                "`{}` has an expression of {longest} bytes, but the limit is {}. Shorten it.",
                facts.pattern.name,
                limits::EXPRESSION_BYTES,
            );
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}
