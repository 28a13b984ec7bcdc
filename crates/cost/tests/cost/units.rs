//! Units of requests of access patterns.

use crate::designs::{GET, GSI, ORDER, PUT, add, by_status, design, items, rate, traffic};
use keyfold_core::model::{
    AccessPatternId, Design, IndexId, ItemKey, Operation, PutShares, Read, Replica, WriteAction,
};
use keyfold_cost::units::Units;
use keyfold_cost::{CostModel, assume::AVERAGE_SHARE};
use std::sync::Arc;

fn units(design: &keyfold_core::model::Design, id: AccessPatternId) -> Units {
    CostModel::of(design).patterns[&id]
        .as_ref()
        .unwrap()
        .units
        .clone()
}

#[test]
fn sizes_are_rounded_up() {
    for (bytes, read, write) in [
        (1024, 0.5, 1.0),
        (1025, 0.5, 2.0),
        (4096, 0.5, 4.0),
        (4097, 1.0, 5.0),
    ] {
        let design = design(bytes);
        assert_eq!(units(&design, GET).reads(), read, "{bytes}");
        assert_eq!(units(&design, PUT).writes(), write, "{bytes}");
    }
}

/// The examples of "Pricing for Provisioned Capacity", key terms, <https://aws.amazon.com/dynamodb/pricing/provisioned/>:
/// an item of 8 KB takes 2 units strongly consistent, 1 eventually consistent and 4 in a transaction; one of 3 KB takes 3
/// to write and 6 in a transaction.
#[test]
fn awss_examples_of_units_come_out() {
    let read = |operation: fn(ItemKey) -> Operation| {
        let mut design = design(8 * 1024);
        let key = ItemKey {
            partition: "ORDER#{orderId}".into(),
            sort: Some("ORDER".into()),
        };
        add(&mut design, GET, "Get order", operation(key));
        units(&design, GET).reads()
    };
    let strong = read(|key| Operation::GetItem {
        key,
        read: Read {
            consistent: true,
            ..Read::default()
        },
    });
    let eventual = read(|key| Operation::GetItem {
        key,
        read: Read::default(),
    });
    let transaction = read(|key| Operation::TransactGetItems { keys: vec![key] });
    assert_eq!([strong, eventual, transaction], [2.0, 1.0, 4.0]);
    let mut design = design(3 * 1024);
    assert_eq!(units(&design, PUT).writes(), 3.0);
    let put = WriteAction::PutItem {
        entity: crate::designs::ORDER,
        condition: None,
    };
    let actions = vec![put];
    add(
        &mut design,
        PUT,
        "Put order",
        Operation::TransactWriteItems { actions },
    );
    assert_eq!(units(&design, PUT).writes(), 6.0);
}

#[test]
fn a_stated_size_replaces_that_of_the_samples() {
    let mut design = design(500);
    items(&mut design, 1e6);
    let workload = Arc::make_mut(&mut design.workload);
    workload
        .entities
        .get_mut(&crate::designs::ORDER)
        .unwrap()
        .bytes = Some(9000.0);
    by_status(&mut design);
    assert_eq!(units(&design, GET).reads(), 1.5);
    let put = units(&design, PUT);
    assert_eq!(put.write[&IndexId::PRIMARY], 9.0);
    assert_eq!(put.write[&GSI], 9.0);
    assert_eq!(put.amplification(), Some(2.0));
}

#[test]
fn a_query_reads_pages_of_1_mb() {
    let mut design = design(1000);
    by_status(&mut design);
    let id = AccessPatternId(22);
    traffic(&mut design, id).items = Some(100.0);
    let entry = CostModel::of(&design).assumptions.entities[&crate::designs::ORDER].entries[&GSI];
    let bytes = entry.bytes * 100.0;
    assert_eq!(units(&design, id).reads(), (bytes / 4096.0).ceil() / 2.0);
    // Each page is rounded up.
    traffic(&mut design, id).items = Some(3000.0);
    let per_page = (1_048_576.0 / entry.bytes).floor();
    let pages = [per_page, per_page, 3000.0 - 2.0 * per_page];
    let all: f64 = pages
        .iter()
        .map(|items| (items * entry.bytes / 4096.0).ceil() / 2.0)
        .sum();
    assert_eq!(units(&design, id).reads(), all);
}

#[test]
fn items_of_no_known_entity_have_the_size_of_those_in_the_index() {
    let mut design = design(1000);
    by_status(&mut design);
    design.samples.clear();
    let id = AccessPatternId(22);
    let pattern = Arc::make_mut(design.access_patterns.get_mut(&id).unwrap());
    pattern.entities.clear();
    pattern.parameters.insert("status".into(), "PENDING".into());
    traffic(&mut design, id).items = Some(1000.0);
    let units = |design: &Design| units(design, id).reads();
    assert_eq!(units(&design), 31.5);
    // An index without entries.
    let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
    order.keys.remove(&GSI);
    assert_eq!(units(&design), 31.5);
}

#[test]
fn puts_write_what_their_shares_say() {
    let mut design = design(1000);
    by_status(&mut design);
    let shares = |creates, updates, deletes| {
        Some(PutShares {
            creates,
            updates,
            deletes,
        })
    };
    for (puts, index) in [
        (None, 2.0),
        (shares(100.0, 0.0, 0.0), 2.0),
        (shares(0.0, 100.0, 0.0), 2.0),
        (shares(0.0, 0.0, 0.0), 0.0),
        (shares(25.0, 0.0, 25.0), 1.0),
    ] {
        traffic(&mut design, PUT).puts = puts;
        let found = units(&design, PUT);
        assert_eq!(
            found.write.get(&GSI).copied().unwrap_or_default(),
            index,
            "{puts:?}"
        );
        assert_eq!(found.write[&IndexId::PRIMARY], 2.0);
    }
    traffic(&mut design, PUT).puts = None;
    // A failed condition pays the table and no index.
    traffic(&mut design, PUT).failed = Some(50.0);
    let found = units(&design, PUT);
    assert_eq!(
        (found.write[&IndexId::PRIMARY], found.write[&GSI]),
        (2.0, 1.0)
    );
    assert_eq!(found.replicated[&IndexId::PRIMARY], 1.0);
}

/// Which sample a put takes does not matter if only some items are in an index.
#[test]
fn a_put_writes_an_optional_entry_as_often_as_the_samples_have_it() {
    for with_status_first in [true, false] {
        let mut design = design(1000);
        by_status(&mut design);
        let order = Arc::make_mut(design.entities.get_mut(&ORDER).unwrap());
        order.attributes[1].required = false;
        let mut samples = Vec::clone(&design.samples[&ORDER]);
        let mut other = keyfold_core::model::Sample::clone(&samples[0]);
        other.id = keyfold_core::model::SampleId(90);
        other.values.insert("orderId".into(), "2".into());
        other.values.remove("status");
        samples.push(other.into());
        if !with_status_first {
            samples.reverse();
        }
        let chosen = samples
            .iter()
            .find(|sample| sample.values.contains_key("status"))
            .unwrap()
            .id;
        design.samples.insert(ORDER, samples.into());
        let index = |design: &_| units(design, PUT).write.get(&GSI).copied();
        assert_eq!(index(&design), Some(1.0));
        // A chosen sample is meant.
        let pattern = design.access_patterns.get_mut(&PUT).unwrap();
        Arc::make_mut(pattern).sample = Some(chosen);
        assert_eq!(index(&design), Some(2.0));
    }
}

#[test]
fn an_update_of_an_index_key_pays_two_writes() {
    let mut design = design(500);
    by_status(&mut design);
    let id = AccessPatternId(23);
    let action = |update: &str| {
        let key = ItemKey {
            partition: "ORDER#{orderId}".into(),
            sort: Some("ORDER".into()),
        };
        let update = update.to_owned();
        Operation::Write(WriteAction::UpdateItem {
            key,
            update,
            condition: Some("attribute_not_exists(PK)".into()),
        })
    };
    let update = "SET #status = :next, GSI1PK = :key";
    crate::designs::add(&mut design, id, "Ship", action(update));
    let pattern = Arc::make_mut(design.access_patterns.get_mut(&id).unwrap());
    pattern.parameters.insert("next".into(), "SHIPPED".into());
    pattern
        .parameters
        .insert("key".into(), "STATUS#SHIPPED".into());
    let found = units(&design, id);
    assert_eq!(
        (found.write[&IndexId::PRIMARY], found.write[&GSI]),
        (1.0, 2.0)
    );
}

/// The only sample has the value that the update sets: the update counts as one that changes it.
#[test]
fn an_update_changes_what_it_sets_even_if_all_samples_are_equal() {
    let mut design = design(500);
    by_status(&mut design);
    let id = AccessPatternId(23);
    let action = WriteAction::UpdateItem {
        key: ItemKey {
            partition: "ORDER#{orderId}".into(),
            sort: Some("ORDER".into()),
        },
        update: "SET note = :note".into(),
        condition: None,
    };
    crate::designs::add(&mut design, id, "Annotate", Operation::Write(action));
    let found = units(&design, id);
    assert_eq!(
        (found.write[&IndexId::PRIMARY], found.write.get(&GSI)),
        (1.0, Some(&1.0))
    );
}

#[test]
fn transactions_cost_twice_in_the_table() {
    let mut design = design(500);
    by_status(&mut design);
    let put = WriteAction::PutItem {
        entity: crate::designs::ORDER,
        condition: None,
    };
    let key = ItemKey {
        partition: "ORDER#{orderId}".into(),
        sort: Some("ORDER".into()),
    };
    let (write, get) = (AccessPatternId(23), AccessPatternId(24));
    let actions = vec![put];
    crate::designs::add(
        &mut design,
        write,
        "Put",
        Operation::TransactWriteItems { actions },
    );
    let keys = vec![key];
    crate::designs::add(
        &mut design,
        get,
        "Get",
        Operation::TransactGetItems { keys },
    );
    let found = units(&design, write);
    assert_eq!(
        (found.write[&IndexId::PRIMARY], found.write[&GSI]),
        (2.0, 1.0)
    );
    assert_eq!(found.replicated[&IndexId::PRIMARY], 1.0);
    assert_eq!(units(&design, get).reads(), 2.0);
}

#[test]
fn a_scan_reads_the_whole_table() {
    let mut design = design(1024);
    items(&mut design, 4096.0);
    let id = AccessPatternId(23);
    let scan = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Read::default(),
    };
    crate::designs::add(&mut design, id, "All", scan);
    assert_eq!(units(&design, id).reads(), 4.0 * 128.0);
}

#[test]
fn an_lsi_fetches_what_it_does_not_project() {
    use keyfold_core::model::{Index, IndexEntry, IndexKind, KeySchema, Projection};
    let mut design = design(5000);
    let lsi = IndexId(31);
    let mut index = Index::new("LSI1", IndexKind::Lsi, KeySchema::pair("PK", "LSI1SK"));
    index.projection = Projection::KeysOnly;
    design.indexes.insert(lsi, index.into());
    let order = Arc::make_mut(design.entities.get_mut(&crate::designs::ORDER).unwrap());
    let entry = IndexEntry {
        sort: Some("{status}".into()),
        ..IndexEntry::default()
    };
    order.keys.insert(lsi, entry);
    let query = |projection: &[&str]| Operation::Query {
        index: lsi,
        partition: vec!["ORDER#{orderId}".into()],
        sort: Vec::new(),
        read: Read {
            projection: projection.iter().map(|name| (*name).to_owned()).collect(),
            ..Read::default()
        },
        descending: false,
        limit: None,
    };
    let id = AccessPatternId(23);
    crate::designs::add(&mut design, id, "Orders", query(&["PK"]));
    let found = units(&design, id);
    assert_eq!((found.read.get(&lsi), found.reads()), (Some(&0.5), 0.5));
    crate::designs::add(&mut design, id, "Orders", query(&["note"]));
    let found = units(&design, id);
    assert_eq!(
        (found.read[&lsi], found.read[&IndexId::PRIMARY]),
        (0.5, 1.0)
    );
    let resources = CostModel::of(&design).resources();
    assert_eq!(resources.len(), 1);
}

#[test]
fn rates_and_bad_figures() {
    let mut design = design(500);
    rate(&mut design, GET, 3.0, 10.0);
    let found = CostModel::of(&design);
    assert_eq!(found.loads[&IndexId::PRIMARY].peak_read, 5.0);
    assert!(found.assumptions.patterns[&GET].peak.stated);
    let put = &found.assumptions.patterns[&PUT];
    assert_eq!(
        (put.average.value, put.average.stated),
        (AVERAGE_SHARE, false)
    );
    rate(&mut design, PUT, 30.0, 10.0);
    rate(&mut design, GET, -3.0, f64::NAN);
    traffic(&mut design, PUT).failed = Some(120.0);
    items(&mut design, f64::INFINITY);
    insta::assert_snapshot!(CostModel::of(&design).assumptions.faults.join("\n"));
}

#[test]
fn a_replica_pays_for_changes_and_expired_items() {
    let mut design = design(500);
    rate(&mut design, PUT, 2.0, 2.0);
    Arc::make_mut(&mut design.table).replicas.push(Replica {
        region: "eu-west-1".into(),
        kms_key: None,
    });
    let load = CostModel::of(&design).loads[&IndexId::PRIMARY];
    assert_eq!((load.write, load.replicated), (2.0, 2.0));
    items(&mut design, 730.0 * 3600.0);
    let workload = Arc::make_mut(&mut design.workload);
    workload
        .entities
        .get_mut(&crate::designs::ORDER)
        .unwrap()
        .retention = Some(730.0 / 24.0);
    let load = CostModel::of(&design).loads[&IndexId::PRIMARY];
    assert_eq!((load.write, load.replicated), (2.0, 3.0));
}
