//! How many items reads find, and what those cost.

use crate::designs::{GET, GSI, ORDER, PUT, add, by_status, design, items, traffic, volume};
use keyfold_core::model::{
    AccessPatternId, Attribute, AttributeId, AttributeType, Design, Entity, EntityId, Format,
    IndexEntry, IndexId, ItemKey, Operation, Read, Sample, SampleId, Shape, Skew, SortCondition,
    SortOperator, Value, Values,
};
use keyfold_cost::prices::Prices;
use keyfold_cost::units::PatternUnits;
use keyfold_cost::{CostModel, Report};
use std::sync::Arc;

const BY_STATUS: AccessPatternId = AccessPatternId(22);
const READ: AccessPatternId = AccessPatternId(23);
const CUSTOMER: EntityId = EntityId(2);

fn found(design: &Design, id: AccessPatternId) -> PatternUnits {
    CostModel::of(design).patterns[&id].clone().unwrap()
}

/// A million orders of 500 bytes in this number of statuses.
fn orders(statuses: Option<f64>) -> Design {
    let mut design = design(500);
    by_status(&mut design);
    items(&mut design, 1e6);
    let skew = Skew {
        values: statuses,
        shape: Shape::Even,
    };
    if statuses.is_some() {
        let parameters = &mut traffic(&mut design, BY_STATUS).parameters;
        parameters.insert("status".into(), skew);
    }
    design
}

fn operation(design: &mut Design, id: AccessPatternId) -> &mut Operation {
    &mut Arc::make_mut(design.access_patterns.get_mut(&id).unwrap()).operation
}

/// Units of this number of items on pages of 1 MB.
fn paged(items: f64, bytes: f64) -> f64 {
    let on_page = (1_048_576.0 / bytes).floor();
    let units = |items: f64| (items * bytes / 4096.0).ceil() / 2.0;
    let full = (items / on_page).floor();
    full * units(on_page) + units(items - full * on_page)
}

#[test]
fn a_query_reads_its_item_collection() {
    let design = orders(Some(4.0));
    let entry = CostModel::of(&design).assumptions.entities[&ORDER].entries[&GSI];
    let query = found(&design, BY_STATUS);
    assert_eq!((query.items.value, query.items.stated), (250_000.0, false));
    assert_eq!(query.units.reads(), paged(250_000.0, entry.bytes));
    assert!(query.units.reads() > 15_000.0);
    assert_eq!(query.guessed, None);
    // The writes state the number of values, too.
    let mut design = orders(None);
    let skew = Skew {
        values: Some(4.0),
        shape: Shape::Even,
    };
    traffic(&mut design, PUT)
        .parameters
        .insert("status".into(), skew);
    assert_eq!(found(&design, BY_STATUS).items.value, 250_000.0);
    // So does the format.
    let mut design = orders(None);
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order.attributes[1].format = Some(Format::Constant("PENDING".into()));
    assert_eq!(found(&design, BY_STATUS).items.value, 1e6);
}

#[test]
fn a_query_reads_no_more_than_its_limit_or_what_is_stated() {
    let mut design = orders(Some(4.0));
    if let Operation::Query { limit, .. } = operation(&mut design, BY_STATUS) {
        *limit = Some(20);
    }
    let query = found(&design, BY_STATUS);
    assert_eq!((query.items.value, query.units.reads()), (20.0, 1.5));
    traffic(&mut design, BY_STATUS).items = Some(5.0);
    let query = found(&design, BY_STATUS);
    assert_eq!((query.items.value, query.items.stated), (5.0, true));
}

#[test]
fn a_literal_partition_key_reads_an_average_collection() {
    let mut design = orders(None);
    let skew = Skew {
        values: Some(4.0),
        shape: Shape::Even,
    };
    let parameters = &mut traffic(&mut design, PUT).parameters;
    parameters.insert("status".into(), skew);
    if let Operation::Query { partition, .. } = operation(&mut design, BY_STATUS) {
        *partition = vec!["STATUS#PENDING".into()];
    }
    assert_eq!(found(&design, BY_STATUS).items.value, 250_000.0);
}

#[test]
fn popular_values_are_asked_for_where_most_items_are() {
    let mut design = orders(None);
    for id in [PUT, BY_STATUS] {
        let skew = Skew {
            values: Some(4.0),
            shape: Shape::Largest(70.0),
        };
        traffic(&mut design, id)
            .parameters
            .insert("status".into(), skew);
    }
    // 70% of the requests for 700,000 orders, 30% for 100,000.
    assert!((found(&design, BY_STATUS).items.value - 520_000.0).abs() < 1.0);
}

#[test]
fn a_guessed_collection_is_an_assumption_that_the_report_names() {
    let design = orders(None);
    let query = found(&design, BY_STATUS);
    assert_eq!(query.guessed.as_deref(), Some("status"));
    let says = "Orders by status is assumed to read 1 item per request, because the number of values of `status` is assumed from the samples. Set the items that it reads, or the number of values.";
    let report =
        |design: &Design| Report::new(CostModel::of(design), Prices::of(&design.workload), 0);
    assert!(
        report(&design).text().contains(says),
        "{}",
        report(&design).text()
    );
    let mut stated = design.clone();
    traffic(&mut stated, BY_STATUS).items = Some(100.0);
    assert!(
        !report(&stated)
            .text()
            .contains("Orders by status is assumed")
    );
    let assumed = |design: &Design| CostModel::of(design).assumptions.assumed(design);
    let ((before, all), (after, same)) = (assumed(&design), assumed(&stated));
    assert_eq!((before - after, all), (1, same));
}

/// Customers with their orders in one item collection, all sizes and numbers stated.
fn customers() -> Design {
    let mut design = design(500);
    let mut customer = Entity::new("Customer", 1);
    let mut id = Attribute::new(AttributeId(50), "customerId", AttributeType::S);
    id.required = true;
    customer.attributes.push(id.clone());
    let key = IndexEntry::pair("CUSTOMER#{customerId}", "CUSTOMER");
    customer.keys.insert(IndexId::PRIMARY, key);
    design.entities.insert(CUSTOMER, customer.into());
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    id.id = AttributeId(51);
    order.attributes.push(id);
    let key = IndexEntry::pair("CUSTOMER#{customerId}", "ORDER#{orderId}#HEAD");
    order.keys.insert(IndexId::PRIMARY, key);
    let mut sample = Sample::clone(&design.samples[&ORDER][0]);
    sample
        .values
        .insert("customerId".into(), Value::from("c_1"));
    design.samples.insert(ORDER, Arc::new(vec![sample.into()]));
    let mut values = Values::new();
    values.insert("customerId".into(), Value::from("c_1"));
    let id = SampleId(60);
    let customers = vec![Arc::new(Sample { id, values })];
    design.samples.insert(CUSTOMER, Arc::new(customers));
    for (entity, items, bytes) in [("Customer", 1000.0, 3000.0), ("Order", 100_000.0, 500.0)] {
        let volume = volume(&mut design, entity);
        (volume.items, volume.growth, volume.bytes) = (Some(items), Some(0.0), Some(bytes));
    }
    design
}

fn query(design: &mut Design, sort: &[(SortOperator, &str)]) -> PatternUnits {
    query_of(design, sort);
    found(design, READ)
}

fn query_of(design: &mut Design, sort: &[(SortOperator, &str)]) {
    let condition = |(operator, value): &(SortOperator, &str)| SortCondition {
        operator: *operator,
        value: (*value).to_owned(),
        upper: None,
    };
    let query = Operation::Query {
        index: IndexId::PRIMARY,
        partition: vec!["CUSTOMER#{customerId}".into()],
        sort: sort.iter().map(condition).collect(),
        read: Read::default(),
        descending: false,
        limit: None,
    };
    add(design, READ, "Read", query);
}

#[test]
fn a_sort_key_condition_reads_its_share_of_the_collection() {
    let mut design = customers();
    // The customer and its 100 orders: 53,000 bytes.
    let all = query(&mut design, &[]);
    assert_eq!((all.items.value, all.units.reads()), (101.0, 6.5));
    let orders = query(&mut design, &[(SortOperator::BeginsWith, "ORDER#")]);
    assert_eq!((orders.items.value, orders.units.reads()), (100.0, 6.5));
    let customer = query(&mut design, &[(SortOperator::Equal, "CUSTOMER")]);
    assert_eq!((customer.items.value, customer.units.reads()), (1.0, 0.5));
    // A prefix with a placeholder, and a whole key, are those of one order.
    for condition in [
        (SortOperator::BeginsWith, "ORDER#{orderId}#"),
        (SortOperator::Equal, "ORDER#{orderId}#HEAD"),
    ] {
        let one = query(&mut design, &[condition]);
        assert_eq!(
            (one.items.value, one.units.reads()),
            (1.0, 0.5),
            "{condition:?}"
        );
    }
    // Without samples of orders, all of an intended entity.
    let mut design = customers();
    design.samples.insert(ORDER, Arc::default());
    query_of(&mut design, &[(SortOperator::Greater, "ORDER#{orderId}")]);
    let pattern = Arc::make_mut(design.access_patterns.get_mut(&READ).unwrap());
    for name in ["customerId", "orderId"] {
        pattern.parameters.insert(name.into(), Value::from("1"));
    }
    assert_eq!(found(&design, READ).items.value, 100.0);
}

#[test]
fn a_scan_of_a_mixed_table_weighs_entities_by_their_items() {
    let mut design = customers();
    let scan = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Read::default(),
    };
    add(&mut design, READ, "All", scan);
    let all = found(&design, READ);
    assert_eq!(all.items.value, 101_000.0);
    let bytes: f64 = 1000.0 * 3000.0 + 100_000.0 * 500.0;
    assert_eq!(all.units.reads(), paged(101_000.0, bytes / 101_000.0));
}

#[test]
fn reads_by_key_cost_the_stated_size_of_each_item() {
    let mut design = customers();
    let key = |sort: &str| ItemKey {
        partition: "CUSTOMER#{customerId}".into(),
        sort: Some(sort.into()),
    };
    let volume = volume(&mut design, "Customer");
    volume.bytes = Some(9000.0);
    let (customer, order) = (key("CUSTOMER"), key("ORDER#{orderId}#HEAD"));
    let operations = [
        (
            Operation::GetItem {
                key: customer.clone(),
                read: Read::default(),
            },
            1.5,
        ),
        (
            Operation::BatchGetItem {
                keys: vec![customer.clone(), order.clone()],
                read: Read::default(),
            },
            2.0,
        ),
        (
            Operation::TransactGetItems {
                keys: vec![customer, order],
            },
            8.0,
        ),
    ];
    for (operation, units) in operations {
        add(&mut design, GET, "Get", operation.clone());
        Arc::make_mut(design.access_patterns.get_mut(&GET).unwrap()).entities =
            vec![ORDER, CUSTOMER];
        assert_eq!(found(&design, GET).units.reads(), units, "{operation:?}");
        // Without samples, the form of the key says whose item it is.
        let mut bare = design.clone();
        bare.samples.insert(CUSTOMER, Arc::default());
        assert_eq!(found(&bare, GET).units.reads(), units, "{operation:?}");
    }
}
