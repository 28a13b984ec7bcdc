//! `keyfold check`: errors in templates and items.

use crate::items::{describe, name, view_of};
use crate::outcome::Outcome;
use keyfold_core::engine::{EntityPlan, Item, ProblemKind};
use keyfold_core::lint::lint;
use keyfold_core::model::{Design, IndexId};
use std::fmt::Write as _;

/// The rule of attributes that a template names and its entity lacks.
const UNKNOWN_ATTRIBUTE: &str = "K002";

/// Prints a line for each error of a template, each attribute that a template names and its entity lacks, each problem of an item, and each pair of items with the same primary key.
pub fn check(design: &Design) -> Outcome {
    let mut text = String::new();
    for (id, entity) in &design.entities {
        for error in EntityPlan::new(design, *id).errors() {
            let index = design.index_name(error.index);
            let (part, error) = (error.part.label(), &error.error);
            let column = error.span.start + 1;
            let _ = writeln!(
                text,
                "{}, {index} {part}, column {column}: {}",
                entity.name, error.message
            );
        }
    }
    let report = lint(design);
    for finding in report
        .open()
        .filter(|finding| finding.code == UNKNOWN_ATTRIBUTE)
    {
        let _ = writeln!(text, "{}", finding.message);
    }
    let view = view_of(design, IndexId::PRIMARY);
    let rows: Vec<_> = view.rows.iter().collect();
    let stored = rows.iter().map(|row| &row.item);
    let mut all: Vec<&Item> = stored.chain(&view.failed).collect();
    all.sort_by_key(|item| (item.entity, item.id()));
    for item in all {
        // The errors of templates are above, once each.
        for problem in item
            .problems()
            .iter()
            .filter(|problem| problem.kind != ProblemKind::Template)
        {
            let _ = writeln!(text, "{}", describe(design, item, problem));
        }
    }
    for rows in rows
        .windows(2)
        .filter(|rows| rows[0].collides && rows[1].collides)
    {
        let keys = |item: &Item| {
            let values = design
                .table
                .key
                .attributes()
                .filter_map(|key| item.get(&key.name));
            values
                .map(|value| format!("`{}`", value.to_text()))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (first, second) = (&rows[0].item, &rows[1].item);
        if keys(first) == keys(second) {
            let (first, second) = (name(design, first), name(design, second));
            let _ = writeln!(
                text,
                "{first} and {second} have the same primary key {}: one overwrites the other",
                keys(&rows[0].item)
            );
        }
    }
    Outcome {
        findings: !text.is_empty(),
        text,
        remarks: String::new(),
    }
}
