//! Reports on what the items of a table show: its entities, their templates, and how many items these explain.

use keyfold_core::counted::counted;
use keyfold_core::import::samples::Note;
use keyfold_core::model::Design;
use keyfold_import::Inferred;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// A design that was made of files.
pub struct Found {
    /// The design.
    pub design: Design,
    /// What its items show; `None` if the files have the entities.
    pub inferred: Option<Inferred>,
}

/// The tables, for people.
pub fn describe(found: &[Found]) -> String {
    let mut text = String::new();
    for Found { design, inferred } in found {
        let _ = writeln!(
            text,
            "Table {}: {}, {}, {}, {}",
            design.table.name,
            counted(design.indexes.len(), "index", "indexes"),
            counted(design.entities.len(), "entity", "entities"),
            counted(samples(design), "sample", "samples"),
            counted(
                design.access_patterns.len(),
                "access pattern",
                "access patterns"
            )
        );
        for entity in inferred.iter().flat_map(|inferred| &inferred.entities) {
            let (name, items) = (
                &entity.name,
                counted(entity.count as usize, "item", "items"),
            );
            let _ = match entity.is_rest {
                true => writeln!(text, "  {name}: {items} that no template explains"),
                false => writeln!(text, "  {name}: {items}"),
            };
            for rule in &entity.rules {
                let all = rule.explained + rule.unexplained;
                let (key, template, explained) = (&rule.attribute, &rule.template, rule.explained);
                let _ = writeln!(text, "    {key} = {template}: {explained} of {all}");
            }
        }
    }
    text
}

/// The tables, for programs.
pub fn as_json(found: &[Found]) -> Value {
    let tables = found.iter().map(|Found { design, inferred }| {
        let entities = inferred.iter().flat_map(|inferred| &inferred.entities);
        let inferred = entities.map(|entity| {
            let rules = entity.rules.iter().map(|rule| {
                json!({
                    "attribute": rule.attribute,
                    "template": rule.template,
                    "explained": rule.explained,
                    "unexplained": rule.unexplained,
                })
            });
            json!({
                "entity": entity.name,
                "items": entity.count,
                "isExplained": !entity.is_rest,
                "rules": rules.collect::<Value>(),
            })
        });
        json!({
            "table": design.table.name,
            "design": design.name,
            "indexes": design.indexes.len(),
            "entities": design.entities.len(),
            "samples": samples(design),
            "accessPatterns": design.access_patterns.len(),
            "inferred": inferred.collect::<Value>(),
        })
    });
    tables.collect()
}

/// Notes as a list of the report for people, below a heading.
pub fn list(heading: &str, lines: &[String]) -> String {
    if lines.is_empty() {
        return String::new();
    }
    let items: Vec<String> = lines.iter().map(|line| format!("  - {line}\n")).collect();
    format!("\n{heading}\n{}", items.concat())
}

/// Notes for programs.
pub fn notes(notes: &[Note]) -> Value {
    (notes.iter())
        .map(|note| json!({ "place": note.place, "message": note.message }))
        .collect()
}

fn samples(design: &Design) -> usize {
    design.samples.values().map(|samples| samples.len()).sum()
}
