//! The library designs are found again from their items alone.

use super::support::*;
use keyfold_core::library::patterns;
use keyfold_core::model::Design;
use keyfold_infer::{Item, Schema};

/// The lines of a design that were not found, and the lines found that it does not have.
fn difference(design: &Design, without_type: bool) -> Vec<String> {
    let mut items: Vec<Item> = items_of(design).into_iter().map(|(_, item)| item).collect();
    if without_type && let Some(attribute) = &design.table.type_attribute {
        items.iter_mut().for_each(|item| {
            item.remove(attribute);
        });
    }
    let found = infer_all(&Schema::of(design), &items);
    let strip = |lines: Vec<String>| -> Vec<String> {
        let mut lines: Vec<String> = match without_type {
            // Names of entities come from the type attribute.
            true => lines
                .iter()
                .map(|line| line.split_once(' ').unwrap().1.to_owned())
                .collect(),
            false => lines,
        };
        lines.sort();
        lines
    };
    let (wanted, found) = (strip(lines_of(design)), strip(lines_found(&found)));
    let missing = wanted
        .iter()
        .filter(|line| !found.contains(line))
        .map(|line| format!("- {line}"));
    let more = found
        .iter()
        .filter(|line| !wanted.contains(line))
        .map(|line| format!("+ {line}"));
    missing.chain(more).collect()
}

fn check(name: &str, least: usize, without_type: bool, prepare: &dyn Fn(&Design) -> Design) {
    let mut equal = 0;
    let mut report = String::new();
    for pattern in patterns() {
        let design = prepare(&pattern.design().expect("a design"));
        let difference = difference(&design, without_type);
        match difference.is_empty() {
            true => equal += 1,
            false => report += &format!("{}:\n  {}\n", pattern.name, difference.join("\n  ")),
        }
    }
    println!("{name}: {equal} of {} equal\n{report}", patterns().len());
    assert!(
        equal >= least,
        "{equal} of {} are equal\n{report}",
        patterns().len()
    );
}

#[test]
fn library_designs_are_found_from_their_samples() {
    check("samples", 21, false, &Design::clone);
}

#[test]
fn library_designs_are_found_from_generated_items() {
    check("generated", 21, false, &|design| with_rows(design, 30, 7));
}

#[test]
fn library_designs_are_found_without_their_type_attribute() {
    check("without type", 21, true, &|design| with_rows(design, 30, 7));
}
