//! Bills to the cent.

use crate::designs::{GET, ORDER, PUT, add, by_status, design, items, per_month, rate, traffic};
use keyfold_core::library;
use keyfold_core::model::{
    AccessPatternId, Billing, Design, IndexId, ItemKey, Operation, ProvisionedThroughput, Recovery,
    Replica, StreamView, TableClass, WriteAction,
};
use keyfold_cost::bill::{Capacity, Mode, bill, break_even, dollars};
use keyfold_cost::model::GB;
use keyfold_cost::prices::{Line, Prices};
use keyfold_cost::{CostModel, Report};
use std::sync::Arc;

const ON_DEMAND: Mode = Mode::new(Capacity::OnDemand, TableClass::Standard);
const PROVISIONED: Mode = Mode::new(Capacity::Provisioned, TableClass::Standard);
const IA: Mode = Mode::new(Capacity::OnDemand, TableClass::StandardInfrequentAccess);

fn total(design: &Design, mode: Mode) -> String {
    let prices = Prices::of(&design.workload);
    bill(&CostModel::of(design), &prices, mode, 0.0)
        .total
        .to_string()
}

/// Items whose storage with overhead is this many GB.
fn store(design: &mut Design, gb: f64) {
    let each = 1000.0 + 100.0;
    items(design, gb * GB / each);
}

#[test]
fn requests_and_storage_come_out_to_the_cent() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 10e6);
    per_month(&mut design, GET, 20e6);
    // 10 million writes at 0.625, 10 million read units at 0.125, 25 free GB.
    store(&mut design, 25.0);
    assert_eq!(total(&design, ON_DEMAND), "$7.50");
    store(&mut design, 30.0);
    assert_eq!(total(&design, ON_DEMAND), "$8.75");
    // Standard-IA: 7.80 + 1.55 + 30 GB at 0.10, none of them free.
    assert_eq!(total(&design, IA), "$12.35");
    Arc::make_mut(&mut design.table).recovery = Some(Recovery::default());
    assert_eq!(total(&design, ON_DEMAND), "$14.75");
    Arc::make_mut(&mut design.workload).region = Some("eu-central-1".into());
    // 7.625 + 1.525 + 5 * 0.306 + 30 * 0.2448.
    assert_eq!(total(&design, ON_DEMAND), "$18.02");
}

#[test]
fn provisioned_capacity_comes_out_to_the_cent() {
    let mut design = design(1000);
    rate(&mut design, PUT, 70.0, 200.0);
    rate(&mut design, GET, 280.0, 280.0);
    items(&mut design, 0.0);
    // 100 WCU and 200 RCU at a target of 70 %: 47.45 + 18.98.
    assert_eq!(total(&design, PROVISIONED), "$66.43");
    let fixed = ProvisionedThroughput {
        read: 5,
        write: 5,
        ..ProvisionedThroughput::default()
    };
    Arc::make_mut(&mut design.table).billing = Billing::Provisioned(fixed);
    // 5 WCU and 5 RCU: 2.3725 + 0.4745.
    assert_eq!(total(&design, PROVISIONED), "$2.85 (throttled)");
    let provisions = keyfold_cost::bill::provisions(&CostModel::of(&design));
    assert_eq!(provisions[0].write.throttled, 195.0);
}

/// The example of AWS's FAQ at its prices: 10 write and 200 read capacity units cost $0.05 an hour, 10,000 and 50,000
/// $20.00. Source: "Amazon DynamoDB FAQs", pricing examples.
#[test]
fn awss_example_of_provisioned_capacity_comes_out() {
    let prices = r#"{"currency": "USD", "region": "us-east-1", "date": "2012-01-18",
        "lines": {"writeCapacity": 0.001, "readCapacity": 0.0002}}"#;
    let prices = Prices::read(prices).unwrap();
    for (write, read, hour) in [(10, 200, 0.05), (10_000, 50_000, 20.0)] {
        let mut design = design(1000);
        items(&mut design, 0.0);
        let fixed = ProvisionedThroughput {
            read,
            write,
            read_scaling: None,
            write_scaling: None,
        };
        Arc::make_mut(&mut design.table).billing = Billing::Provisioned(fixed);
        let bill = bill(&CostModel::of(&design), &prices, PROVISIONED, 0.0);
        assert_eq!(bill.total.to_string(), dollars(hour * 730.0));
    }
}

#[test]
fn both_modes_cost_the_same_at_the_break_even() {
    let mut design = design(1000);
    rate(&mut design, PUT, 0.1, 10.0);
    rate(&mut design, GET, 0.1, 10.0);
    let prices = Prices::list("us-east-1");
    let mut model = CostModel::of(&design);
    let even = break_even(&model, &prices, TableClass::Standard);
    // 0.00065 / (0.625e-6 * 3600).
    assert!((even.write_utilization.unwrap() - 0.28889).abs() < 1e-5);
    assert!((even.read_utilization.unwrap() - 0.28889).abs() < 1e-5);
    let factor = even.factor.unwrap();
    for load in model.loads.values_mut() {
        load.read *= factor;
        load.write *= factor;
    }
    let again = break_even(&model, &prices, TableClass::Standard);
    let (one, other) = (again.on_demand.unwrap(), again.provisioned.unwrap());
    assert!((one / other - 1.0).abs() < 0.02, "{one} {other}");
    // Ireland has no provisioned prices here.
    let ireland = break_even(&model, &Prices::list("eu-west-1"), TableClass::Standard);
    assert_eq!((ireland.provisioned, ireland.factor), (None, None));
}

/// The break-even of a global table is that of its whole bill: writes are paid in each Region, reads in one.
#[test]
fn the_break_even_of_a_global_table_has_its_replicas() {
    let mut design = design(1000);
    items(&mut design, 0.0);
    rate(&mut design, PUT, 0.1, 10.0);
    rate(&mut design, GET, 0.1, 10.0);
    // The embedded lists have no such price.
    let workload = Arc::make_mut(&mut design.workload);
    let line = "replicatedWriteCapacity".to_owned();
    workload.prices.insert(line, 0.000_975);
    let prices = Prices::of(&design.workload);
    let alone = break_even(&CostModel::of(&design), &prices, TableClass::Standard);
    Arc::make_mut(&mut design.table).replicas = vec![Replica {
        region: "us-west-2".into(),
        kms_key: None,
    }];
    let model = CostModel::of(&design);
    let even = break_even(&model, &prices, TableClass::Standard);
    assert!(even.on_demand > alone.on_demand);
    let mut grown = model.clone();
    for load in grown.loads.values_mut() {
        let factor = even.factor.unwrap();
        load.read *= factor;
        load.write *= factor;
        load.replicated *= factor;
    }
    let throughput = |model: &CostModel, mode| {
        let bill = bill(model, &prices, mode, 0.0);
        bill.total.dollars
    };
    let one = throughput(&grown, ON_DEMAND);
    let other = throughput(&grown, PROVISIONED);
    assert!((one / other - 1.0).abs() < 0.02, "{one} {other}");
    assert!((throughput(&model, ON_DEMAND) - even.on_demand.unwrap()).abs() < 0.01);
}

#[test]
fn a_missing_price_is_named_and_never_zero() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 10e6);
    per_month(&mut design, GET, 0.0);
    Arc::make_mut(&mut design.table).stream = Some(StreamView::NewImage);
    let workload = Arc::make_mut(&mut design.workload);
    workload.backup_gb = Some(3.0);
    workload.prices.insert("storage".into(), f64::NAN);
    let prices = Prices::of(&design.workload);
    let found = bill(&CostModel::of(&design), &prices, ON_DEMAND, 0.0);
    assert_eq!(found.total.missing, [Line::Backup]);
    assert!(
        found.total.to_string().starts_with("at least $6.25"),
        "{}",
        found.total
    );
    Arc::make_mut(&mut design.workload).region = Some("ap-south-1".into());
    let found = Report::new(CostModel::of(&design), Prices::of(&design.workload), 0);
    insta::assert_snapshot!(found.text());
}

#[test]
fn replicas_pay_the_prices_of_their_regions() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 10e6);
    store(&mut design, 29.0);
    Arc::make_mut(&mut design.table).replicas.push(Replica {
        region: "eu-west-1".into(),
        kms_key: None,
    });
    per_month(&mut design, GET, 0.0);
    // 6.25 + 1.00 in us-east-1, 7.05 + 1.132 in eu-west-1.
    assert_eq!(total(&design, ON_DEMAND), "$15.43");
}

#[test]
fn shares_have_all_replicas() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 10e6);
    per_month(&mut design, GET, 0.0);
    store(&mut design, 1.0);
    let replica = |region: &str| Replica {
        region: region.into(),
        kms_key: None,
    };
    let table = Arc::make_mut(&mut design.table);
    table.replicas = vec![replica("eu-west-1"), replica("eu-central-1")];
    let report = Report::new(CostModel::of(&design), Prices::list("us-east-1"), 0);
    let put = report
        .patterns
        .iter()
        .find(|one| one.pattern == PUT)
        .unwrap();
    // 0.625 + 0.705 + 0.7625 for each million, and a tenth more is a tenth of the share.
    let close = |one: Option<f64>, other: f64| (one.unwrap() - other).abs() < 1e-9;
    assert!(close(put.million, 2.0925), "{put:?}");
    assert!(close(put.amount, 20.925), "{put:?}");
    assert!(close(put.sensitivity, 2.0925), "{put:?}");
    // 1 GB at 0.25, 0.283 and 0.306.
    assert!(
        close(report.indexes[0].amount, 20.925 + 0.839),
        "{:?}",
        report.indexes
    );
}

#[test]
fn a_replica_without_a_price_has_that_of_the_table() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 10e6);
    per_month(&mut design, GET, 0.0);
    store(&mut design, 1.0);
    Arc::make_mut(&mut design.table).replicas.push(Replica {
        region: "ap-south-1".into(),
        kms_key: None,
    });
    let text = |design: &Design| {
        Report::new(CostModel::of(design), Prices::of(&design.workload), 0).text()
    };
    assert_eq!(total(&design, ON_DEMAND), "$12.50");
    let said = "The replica in ap-south-1 is billed at the prices of us-east-1, because there is no price list of its Region with Replicated write request units.";
    assert!(text(&design).contains(said), "{}", text(&design));
    // What the Region of the table lacks can be entered for both.
    Arc::make_mut(&mut design.workload).region = Some("ap-south-2".into());
    assert_eq!(total(&design, ON_DEMAND), "unknown");
    let workload = Arc::make_mut(&mut design.workload);
    workload
        .prices
        .insert("replicatedWriteRequests".into(), 0.7);
    assert_eq!(total(&design, ON_DEMAND), "$14.00");
}

#[test]
fn a_stream_costs_only_with_a_price_of_its_reads() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 0.0);
    per_month(&mut design, GET, 0.0);
    store(&mut design, 1.0);
    Arc::make_mut(&mut design.table).stream = Some(StreamView::NewImage);
    let text = |design: &Design| {
        Report::new(CostModel::of(design), Prices::of(&design.workload), 0).text()
    };
    assert_eq!(total(&design, ON_DEMAND), "$0.00");
    assert!(text(&design).contains("Reads of the stream are not on the bill."));
    let workload = Arc::make_mut(&mut design.workload);
    workload.prices.insert("streamReads".into(), 0.2);
    // 10.512 million requests, 2.5 million of them free.
    assert_eq!(total(&design, ON_DEMAND), "$1.60");
    assert!(
        text(&design)
            .contains("The bill counts one other reader of one shard, with 4 requests per second.")
    );
}

#[test]
fn standard_ia_pays_off_when_storage_exceeds_throughput() {
    let mut design = design(1000);
    per_month(&mut design, PUT, 1e6);
    per_month(&mut design, GET, 1e6);
    store(&mut design, 1000.0);
    let (standard, ia) = (total(&design, ON_DEMAND), total(&design, IA));
    // 975 * 0.25 + 0.625 + 0.0625 against 1000 * 0.10 + 0.78 + 0.0775.
    assert_eq!((&*standard, &*ia), ("$244.44", "$100.86"));
    let report = Report::new(CostModel::of(&design), Prices::of(&design.workload), 0);
    let codes: Vec<_> = report.findings.iter().map(|finding| finding.code).collect();
    assert!(codes.contains(&"C009"), "{codes:?}");
    store(&mut design, 1.0);
    per_month(&mut design, PUT, 1e9);
    let ia = CostModel::of(&design);
    let report = Report::new(ia, Prices::of(&design.workload), 0);
    assert!(report.findings.iter().all(|finding| finding.code != "C009"));
}

#[test]
fn growth_and_retention_change_the_months_ahead() {
    let mut design = design(1000);
    store(&mut design, 100.0);
    let workload = Arc::make_mut(&mut design.workload);
    let volume = workload.entities.get_mut(&ORDER).unwrap();
    volume.growth = volume.items.map(|items| items / 10.0);
    let storage = |design: &Design, months| {
        CostModel::of(design)
            .storage(IndexId::PRIMARY, months)
            .round()
    };
    assert_eq!(storage(&design, 12.0), 220.0);
    let workload = Arc::make_mut(&mut design.workload);
    workload.entities.get_mut(&ORDER).unwrap().retention = Some(2.0 * 730.0 / 24.0);
    assert_eq!(storage(&design, 0.0), 100.0);
    assert_eq!(storage(&design, 1.0), 60.0);
    assert_eq!(storage(&design, 12.0), 20.0);
}

/// "A third of the write cost" is not true of overloading: an item pays only for the indexes that hold it, and each
/// entity of pattern 1 is in one of the three. What overloading saves is the minimum of provisioned capacity.
#[test]
fn overloaded_indexes_cost_as_many_writes_as_dedicated_ones() {
    let report = |name: &str| {
        let design = library::find(name).unwrap().design().unwrap();
        Report::new(CostModel::of(&design), Prices::list("us-east-1"), 0)
    };
    let dedicated = report("saas-multi-tenant");
    let overloaded = report("saas-multi-tenant-overloaded");
    let writes =
        |report: &Report| -> f64 { report.model.loads.values().map(|load| load.write).sum() };
    let stored = |report: &Report| -> f64 {
        report
            .model
            .design
            .index_ids()
            .map(|index| report.model.entries(index, 0.0))
            .sum()
    };
    assert_eq!(writes(&dedicated), writes(&overloaded));
    assert_eq!(stored(&dedicated), stored(&overloaded));
    let cost = |report: &Report, mode: Mode| {
        let bill = report.bills.iter().find(|bill| bill.mode == mode).unwrap();
        bill.total.dollars
    };
    assert_eq!(
        dollars(cost(&dedicated, ON_DEMAND)),
        dollars(cost(&overloaded, ON_DEMAND))
    );
    assert!(cost(&dedicated, PROVISIONED) > cost(&overloaded, PROVISIONED));
    // The report of the dedicated design says what the overloaded one saves.
    let [variant] = &dedicated.overloaded[..] else {
        panic!("{:?}", dedicated.overloaded)
    };
    assert_eq!(variant.indexes.len(), 3);
    let saved = |mode| cost(&dedicated, mode) - cost(&overloaded, mode);
    assert!((variant.on_demand.unwrap() - saved(ON_DEMAND)).abs() < 1e-9);
    assert!((variant.provisioned.unwrap() - saved(PROVISIONED)).abs() < 1e-9);
    assert_eq!(overloaded.overloaded, []);
}

#[test]
fn shares_add_up_to_the_bill() {
    let mut design = design(1000);
    by_status(&mut design);
    rate(&mut design, PUT, 10.0, 20.0);
    items(&mut design, 1e6);
    let report = Report::new(CostModel::of(&design), Prices::list("us-east-1"), 0);
    let patterns: f64 = report
        .patterns
        .iter()
        .map(|share| share.amount.unwrap())
        .sum();
    assert!((patterns - report.bill().total.dollars).abs() < 1e-9);
    let storage: f64 = report.indexes.iter().map(|share| share.gb * 0.25).sum();
    let indexes: f64 = report
        .indexes
        .iter()
        .map(|share| share.amount.unwrap())
        .sum();
    assert!((indexes - storage - patterns).abs() < 1e-9);
}

#[test]
fn a_request_that_dynamodb_rejects_is_not_counted() {
    let mut design = design(1000);
    by_status(&mut design);
    let model = CostModel::of(&design);
    assert!(model.patterns.values().all(Result::is_ok));
    let query = (design.access_patterns.iter()).find(|(_, pattern)| {
        pattern.operation.limit().is_none()
            && matches!(
                pattern.operation,
                keyfold_core::model::Operation::Query { .. }
            )
    });
    let id = *query.expect("a Query").0;
    let pattern = Arc::make_mut(design.access_patterns.get_mut(&id).unwrap());
    pattern.operation.read_mut().unwrap().filter = Some("GSI1SK > :orderId".into());
    let model = CostModel::of(&design);
    let reason = model.patterns[&id].as_ref().unwrap_err();
    assert!(
        reason.starts_with("DynamoDB rejects the request: "),
        "{reason}"
    );
}

#[test]
fn deletes_take_off_the_growth() {
    let mut design = design(1000);
    let month = |design: &Design, months| {
        CostModel::of(design)
            .entries(IndexId::PRIMARY, months)
            .round()
    };
    let delete = WriteAction::DeleteItem {
        key: ItemKey {
            partition: "ORDER#{orderId}".into(),
            sort: Some("ORDER".into()),
        },
        condition: None,
    };
    let id = AccessPatternId(23);
    add(&mut design, id, "Delete order", Operation::Write(delete));
    let workload = Arc::make_mut(&mut design.workload);
    workload.entities.entry(ORDER).or_default().items = Some(1e6);
    // A delete alone says nothing about the puts.
    per_month(&mut design, id, 900.0);
    assert_eq!(month(&design, 12.0), 1e6);
    per_month(&mut design, PUT, 1000.0);
    assert_eq!(month(&design, 12.0), 1e6 + 1200.0);
    traffic(&mut design, id).failed = Some(50.0);
    assert_eq!(month(&design, 12.0), 1e6 + 12.0 * 550.0);
}

#[test]
fn items_with_a_retention_are_steady_unless_the_workload_says_otherwise() {
    let mut design = design(1000);
    let workload = Arc::make_mut(&mut design.workload);
    let volume = workload.entities.entry(ORDER).or_default();
    (volume.items, volume.retention) = (Some(1e6), Some(1.0));
    let model = CostModel::of(&design);
    let data = &model.assumptions.entities[&ORDER];
    for months in [0.0, 0.5, 1.0, 12.0] {
        assert_eq!(data.items_after(months).round(), 1e6, "{months}");
    }
    // A month has 30.4 days: all items expire so many times.
    assert_eq!(data.expired_per_month().round(), 30_416_667.0);
    // What is stated counts: nothing is added, so that all of them expire once.
    let workload = Arc::make_mut(&mut design.workload);
    workload.entities.get_mut(&ORDER).unwrap().growth = Some(0.0);
    let model = CostModel::of(&design);
    let data = &model.assumptions.entities[&ORDER];
    assert_eq!(
        (data.items_after(1.0), data.expired_per_month()),
        (0.0, 1e6)
    );
}
