//! `keyfold items`: the items of the table or of an index.

use crate::outcome::{Outcome, Refusal};
use crate::unknown_names::unknown;
use keyfold_core::engine::{
    IndexContent, Item, Problem, Row, ValueRef, View, materialize_all, view,
};
use keyfold_core::lint::Place;
use keyfold_core::model::{Design, IndexId, SortedSet};
use std::fmt::Write as _;

/// Prints the items of the table or of an index.
pub fn items(design: &Design, index: Option<&str>) -> Result<Outcome, Refusal> {
    let index = match index {
        None => IndexId::PRIMARY,
        Some(name) => index_named(design, name)?,
    };
    let view = view_of(design, index);
    let mut outcome = Outcome::default();
    report_rejected(design, &view, &mut outcome);
    let overwritten = overwritten(design);
    for (item, by) in &overwritten {
        let (item, by) = (name(design, item), name(design, by));
        let _ = writeln!(
            outcome.remarks,
            "keyfold: not stored: {item}: {by} has the same primary key and overwrites it"
        );
        outcome.findings = true;
    }
    let of = |item: &Item| (item.entity, item.id());
    let ids: SortedSet<_> = overwritten.iter().map(|(item, _)| of(item)).collect();
    let is_overwritten = |item: &Item| ids.contains(&of(item));
    for row in view.rows.iter().filter(|row| !is_overwritten(&row.item)) {
        if let Some(content) = &view.content {
            outcome.text.push_str(&line(content, &row.item));
        }
    }
    Ok(outcome)
}

/// The items that another item with the same primary key overwrites, each with the one that does.
fn overwritten(design: &Design) -> Vec<(Item, Item)> {
    let rows: Vec<Row> = view_of(design, IndexId::PRIMARY).rows.iter().collect();
    let pairs = rows.windows(2).filter_map(|pair| {
        let [row, next] = pair else { return None };
        let is_it = row.is_overwritten_by(Some(next), &design.table.key);
        is_it.then(|| (row.item.clone(), next.item.clone()))
    });
    pairs.collect()
}

/// Returns the index with this name.
pub fn index_named(design: &Design, name: &str) -> Result<IndexId, Refusal> {
    design.index_named(name).ok_or_else(|| {
        let names = design.indexes.values().map(|index| index.name.as_str());
        unknown("index", name, "The design has", names)
    })
}

/// Adds a remark for each item that DynamoDB would not store. Such an item is a finding.
pub fn report_rejected(design: &Design, view: &View, outcome: &mut Outcome) {
    for item in &view.failed {
        for problem in item.problems().iter().filter(|problem| problem.stops()) {
            let _ = writeln!(
                outcome.remarks,
                "keyfold: not stored: {}",
                describe(design, item, problem)
            );
        }
    }
    outcome.findings |= !view.failed.is_empty();
}

/// Returns the table or an index of the design with its items.
pub fn view_of(design: &Design, index: IndexId) -> View {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    view(design, index, &items)
}

/// Returns the projected attributes of an item as one line of DynamoDB JSON, keys first.
fn line(content: &IndexContent, item: &Item) -> String {
    let attribute = |(name, value): &(&str, ValueRef)| {
        format!(
            "{}:{}",
            serde_json::Value::from(*name),
            value.value().to_dynamodb_json()
        )
    };
    let attributes: Vec<String> = content.attributes(item).iter().map(attribute).collect();
    format!("{{{}}}\n", attributes.join(","))
}

/// Names an item for a reader: its entity and the number of its sample, counted from 1.
pub fn name(design: &Design, item: &Item) -> String {
    Place::Sample(item.entity, item.id()).describe(design)
}

/// Describes the problem of an item in one sentence.
pub fn describe(design: &Design, item: &Item, problem: &Problem) -> String {
    let index = design.index_name(problem.index);
    format!("{}, {}", name(design, item), problem.describe(index))
}
