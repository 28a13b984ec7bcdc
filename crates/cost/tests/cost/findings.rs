//! Findings of a stated workload, in the linter's list.

use crate::designs::{GSI, ORDER, PUT, by_status, design, items, rate, traffic};
use keyfold_core::lint::{Check, Finding, Linter, Place, RULES, Report, Severity};
use keyfold_core::model::{
    Design, Format, Index, IndexEntry, IndexId, IndexKind, KeyPart, KeySchema, Shape, Silenced,
    Skew, WarmThroughput, Workload,
};
use keyfold_cost::lint;
use std::sync::Arc;

fn checked(design: &Design) -> Report {
    lint(&mut Linter::default(), design)
}

fn of<'a>(report: &'a Report, code: &str) -> Vec<&'a Arc<Finding>> {
    (report.findings.iter())
        .filter(|finding| finding.code == code)
        .collect()
}

fn all_pending(design: &mut Design) {
    let shape = Shape::Largest(100.0);
    let skew = Skew {
        values: Some(4.0),
        shape,
    };
    traffic(design, PUT)
        .parameters
        .insert("status".into(), skew);
}

/// 2000 new orders a second, all PENDING.
fn hot() -> Design {
    let mut design = design(500);
    by_status(&mut design);
    rate(&mut design, PUT, 500.0, 2000.0);
    items(&mut design, 1e6);
    all_pending(&mut design);
    design
}

/// An LSI, and one tenant's worth of items: all have the same partition key.
fn one_collection(bytes: f64) -> Design {
    let mut design = design(1000);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order.keys.insert(
        IndexId::PRIMARY,
        IndexEntry::pair("STATUS#{status}", "ORDER#{orderId}"),
    );
    let mut key = KeySchema::pair("PK", "note");
    key.partition = design.table.key.partition.clone();
    let index = Index::new("byNote", IndexKind::Lsi, key);
    design.indexes.insert(IndexId(31), index.into());
    items(&mut design, bytes / 2.0 / 1100.0);
    all_pending(&mut design);
    design
}

/// A design of which a rule of the workload finds something, and one of which it does not.
fn cases() -> Vec<(&'static str, Design, Design)> {
    let mut cool = hot();
    rate(&mut cool, PUT, 500.0, 900.0);
    let gb = 1024f64.powi(3);
    let mut fast = design(1000);
    rate(&mut fast, PUT, 100.0, 6000.0);
    let mut warm = fast.clone();
    Arc::make_mut(&mut warm.table).warm_throughput = Some(WarmThroughput {
        read: None,
        write: Some(8000),
    });
    let mut steady = design(1000);
    rate(&mut steady, PUT, 100.0, 100.0);
    let mut rare = design(1000);
    rate(&mut rare, PUT, 0.01, 100.0);
    let mut archive = design(1000);
    items(&mut archive, 1e9);
    vec![
        ("C004", hot(), cool.clone()),
        ("C005", one_collection(40.0 * gb), one_collection(4.0 * gb)),
        ("C006", fast, warm),
        ("C007", hot(), cool),
        ("C008", steady.clone(), rare),
        ("C009", archive, steady),
    ]
}

#[test]
fn each_rule_of_the_workload_has_a_good_and_a_bad_design() {
    let cases = cases();
    for (code, bad, good) in &cases {
        assert!(!of(&checked(bad), code).is_empty(), "{code}");
        assert!(of(&checked(good), code).is_empty(), "{code}");
    }
    let codes: Vec<&str> = cases.iter().map(|(code, ..)| *code).collect();
    let all: Vec<&str> = (RULES.iter())
        .filter(|rule| matches!(rule.check, Check::Workload))
        .map(|rule| rule.code)
        .collect();
    assert_eq!(codes, all);
}

#[test]
fn the_messages() {
    let said = |(code, bad, _): &(&str, Design, Design)| {
        let report = checked(bad);
        let lines = of(&report, code).into_iter().map(|finding| {
            let place = finding.place.describe(bad);
            format!(
                "{code} {} [{place}] {}\n",
                finding.severity.label(),
                finding.message
            )
        });
        lines.collect::<String>()
    };
    insta::assert_snapshot!(cases().iter().map(said).collect::<String>());
}

#[test]
fn a_hot_key_is_found_at_the_template_that_writes_it() {
    let report = checked(&hot());
    let places: Vec<Place> = of(&report, "C004")
        .iter()
        .map(|found| found.place)
        .collect();
    assert_eq!(places, [Place::Template(ORDER, GSI, KeyPart::Partition)]);
    assert_eq!(of(&report, "C007")[0].place, Place::Index(GSI));
    assert!(!report.passes());
}

#[test]
fn a_key_whose_number_of_values_is_a_guess_is_only_a_hint() {
    let mut design = hot();
    traffic(&mut design, PUT).parameters.clear();
    Arc::make_mut(&mut design.workload).entities.clear();
    let report = checked(&design);
    for (code, attribute) in [("C004", "orderId"), ("C004", "status"), ("C007", "status")] {
        let says = format!("of `{attribute}` is assumed from the samples");
        let found = of(&report, code);
        let hints = found.iter().filter(|one| one.message.contains(&says));
        let severities: Vec<Severity> = hints.map(|one| one.severity).collect();
        assert_eq!(severities, [Severity::Info], "{code} {attribute}");
    }
    // The format says how many there are.
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    let status = order.attributes.iter_mut().find(|one| one.name == "status");
    status.unwrap().format = Some(Format::Constant("PENDING".into()));
    let report = checked(&design);
    let found = of(&report, "C004");
    let gsi = found.iter().find(|one| one.place.index() == Some(GSI));
    assert_eq!(gsi.unwrap().severity, Severity::Warning);
}

#[test]
fn findings_of_the_workload_can_be_silenced() {
    let mut design = hot();
    for (code, place) in [
        ("C004", "e1/i30/partition"),
        ("C007", "i30"),
        ("C009", "table"),
    ] {
        Arc::make_mut(&mut design.silenced).push(Silenced {
            code: code.into(),
            place: place.into(),
            reason: "measured".into(),
        });
    }
    let report = checked(&design);
    assert_eq!(of(&report, "C004")[0].silenced.as_deref(), Some("measured"));
    assert_eq!(of(&report, "C007")[0].silenced.as_deref(), Some("measured"));
    // Only the silence of a finding that is not there is needless.
    assert_eq!(report.needless, [2]);
}

#[test]
fn an_assumed_workload_is_not_judged() {
    let mut design = hot();
    design.workload = Arc::new(Workload::default());
    let report = checked(&design);
    let is_of_workload = |finding: &&Arc<Finding>| {
        let rule = RULES.iter().find(|rule| rule.code == finding.code);
        matches!(rule.unwrap().check, Check::Workload)
    };
    assert_eq!(report.findings.iter().filter(is_of_workload).count(), 0);
}
