//! Provisioned capacity that carries the load or not.

use crate::designs::{GET, PUT, design, items, rate};
use keyfold_core::model::{Autoscaling, Billing, Design, ProvisionedThroughput, TableClass};
use keyfold_cost::bill::{Capacity, Mode};
use keyfold_cost::prices::Prices;
use keyfold_cost::{CostModel, Report};
use std::sync::Arc;

const PROVISIONED: Mode = Mode::new(Capacity::Provisioned, TableClass::Standard);

fn report(design: &Design) -> Report {
    Report::new(CostModel::of(design), Prices::of(&design.workload), 1)
}

/// Writes of 1 KB only.
fn writes(average: f64, peak: f64) -> Design {
    let mut design = design(1000);
    rate(&mut design, GET, 0.0, 0.0);
    rate(&mut design, PUT, average, peak);
    items(&mut design, 0.0);
    design
}

fn provisioned(design: &mut Design, write: u64, write_scaling: Option<Autoscaling>) {
    Arc::make_mut(&mut design.table).billing = Billing::Provisioned(ProvisionedThroughput {
        read: 1,
        write,
        read_scaling: None,
        write_scaling,
    });
}

fn total(report: &Report) -> String {
    let mut bills = report.bills.iter();
    let bill = bills.find(|bill| bill.mode == PROVISIONED).unwrap();
    bill.total.to_string()
}

#[test]
fn the_comparison_of_an_on_demand_design_carries_its_load() {
    let report = report(&writes(100_000.0, 100_000.0));
    // 142,858 WCU at 0.4745 a month, and 1 RCU at 0.0949.
    assert_eq!(total(&report), "$67,786.22");
    let text = report.text();
    assert!(
        text.contains("The peak needs 1 read and 142,858 write units for the table and its GSIs; the default quota is 40,000 of each"),
        "{text}"
    );
    let mut findings = report.open_findings();
    let cheaper = findings.find(|finding| finding.code == "C008").unwrap();
    assert!(
        cheaper.message.contains("$67,786.22"),
        "{}",
        cheaper.message
    );
    assert!(
        !self::report(&writes(100.0, 100.0))
            .text()
            .contains("default quota")
    );
}

#[test]
fn capacity_below_the_peak_is_said_and_the_total_is_marked() {
    let scaling = Autoscaling {
        min: 5,
        max: 50,
        target_percent: 70,
    };
    for (load, peak, scaling, price, said) in [
        (
            1000.0,
            1000.0,
            Some(scaling),
            "$23.82 (throttled)",
            "Write capacity of the table: the peak needs 1,429 units, and at most 50 are provisioned. DynamoDB throttles 950 units per second",
        ),
        (
            70.0,
            70.0,
            None,
            "$2.47 (throttled)",
            "Write capacity of the table: the peak needs 70 units, and at most 5 are provisioned. DynamoDB throttles 65 units per second",
        ),
    ] {
        let mut design = writes(load, peak);
        provisioned(&mut design, 5, scaling);
        let report = report(&design);
        assert_eq!(total(&report), price);
        assert_eq!(report.ahead[1].to_string(), price);
        for text in [report.text(), report.markdown(), report.csv()] {
            assert!(
                text.contains(said) && text.contains("(throttled)"),
                "{text}"
            );
        }
        let shortage = &report.json()["bills"][1]["shortages"][0];
        assert_eq!(shortage["isRead"], false);
        assert_eq!(report.json()["bills"][1]["total"]["throttled"], true);
        assert_eq!(report.json()["bills"][0]["total"]["throttled"], false);
    }
}

#[test]
fn a_price_of_a_throttled_load_is_not_recommended() {
    // Standard-IA stores for less, with the same capacity.
    let mut design = writes(1.0, 1.0);
    let prices = &mut Arc::make_mut(&mut design.workload).prices;
    prices.insert("iaWriteCapacity".into(), 0.0008);
    prices.insert("iaReadCapacity".into(), 0.00016);
    items(&mut design, 1e9);
    provisioned(&mut design, 5, None);
    let has = |design: &Design, code: &str| {
        let report = report(design);
        report.open_findings().any(|finding| finding.code == code)
    };
    assert!(has(&design, "C009"));
    rate(&mut design, PUT, 10.0, 10.0);
    assert!(!has(&design, "C009"));
}

#[test]
fn a_break_even_that_the_capacity_does_not_carry_is_none() {
    let scaling = Autoscaling {
        min: 5,
        max: 10,
        target_percent: 70,
    };
    let mut design = writes(0.1, 0.1);
    provisioned(&mut design, 5, Some(scaling));
    assert!(report(&design).break_even.factor.is_some());
    // The peak is 100 times the average: it throttles long before.
    rate(&mut design, PUT, 0.1, 10.0);
    assert_eq!(report(&design).break_even.factor, None);
}
