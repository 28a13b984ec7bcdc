//! Heat of keys whose placeholders have modifiers.

use crate::designs::{ORDER, PUT, design, items, rate};
use keyfold_core::lint::{Linter, Severity};
use keyfold_core::model::{Design, IndexEntry, IndexId, Sample, SampleId, Value};
use keyfold_cost::heat::{KeyHeat, heat};
use keyfold_cost::{CostModel, lint};
use std::sync::Arc;

/// Orders with this partition key, and these notes in their samples.
fn keyed(partition: &str, notes: &[&str]) -> Design {
    let mut design = design(500);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    let key = IndexEntry::pair(partition, "ORDER#{orderId}");
    order.keys.insert(IndexId::PRIMARY, key);
    let sample = |(at, note): (usize, &&str)| {
        let mut sample = Sample::clone(&design.samples[&ORDER][0]);
        sample.id = SampleId(60 + at as u32);
        sample.values.insert("note".into(), Value::from(*note));
        sample
            .values
            .insert("orderId".into(), Value::S(at.to_string()));
        Arc::new(sample)
    };
    let samples: Vec<_> = notes.iter().enumerate().map(sample).collect();
    design.samples.insert(ORDER, Arc::new(samples));
    items(&mut design, 1e6);
    design
}

fn key(design: &Design) -> KeyHeat {
    heat(&CostModel::of(design))[0].keys[0].clone()
}

/// The number of item collections.
fn collections(design: &Design) -> f64 {
    key(design).levels.iter().map(|level| level.count).sum()
}

#[test]
fn stored_items_have_as_many_dates_as_they_are_kept() {
    let notes = [
        "2026-03-01T10:00:00Z",
        "2026-03-01T11:00:00Z",
        "2026-04-02T10:00:00Z",
    ];
    for (modifier, of_samples, of_a_year) in [
        ("date", 2.0, 365.0),
        ("month", 2.0, 12.0),
        ("year", 1.0, 1.0),
    ] {
        let mut design = keyed(&format!("DAY#{{note:{modifier}}}"), &notes);
        assert_eq!(collections(&design), of_samples, "{modifier}");
        let workload = Arc::make_mut(&mut design.workload);
        workload.entities.get_mut(&ORDER).unwrap().retention = Some(365.0);
        assert_eq!(collections(&design), of_a_year, "{modifier}");
    }
    // Ten times as many items as are added in a month.
    let mut design = keyed("DAY#{note:month}", &notes);
    let workload = Arc::make_mut(&mut design.workload);
    workload.entities.get_mut(&ORDER).unwrap().growth = Some(1e5);
    assert_eq!(collections(&design), 10.0);
}

#[test]
fn a_prefix_has_few_values() {
    // Each sample has another prefix: of hexadecimal digits there are 256.
    let found = collections(&keyed("P#{note:first(2)}", &["a1f0", "03ce", "b4d5"]));
    assert_eq!(found, 256.0);
    let found = collections(&keyed("P#{note:first(2)}", &["a1f0", "a1ce", "b4d5"]));
    assert_eq!(found, 2.0);
}

#[test]
fn requests_for_the_present_day_need_no_number_of_values() {
    let mut design = keyed("DAY#{note:date}", &["2026-03-01T10:00:00Z"]);
    rate(&mut design, PUT, 1000.0, 5000.0);
    let volume = &mut Arc::make_mut(&mut design.workload).entities;
    volume.clear();
    let report = lint(&mut Linter::default(), &design);
    let hot = report
        .findings
        .iter()
        .find(|found| found.code == "C004")
        .unwrap();
    assert_eq!(hot.severity, Severity::Warning, "{}", hot.message);
    assert!(!hot.message.contains("is assumed"), "{}", hot.message);
}
