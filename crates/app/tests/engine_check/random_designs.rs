//! Random tables with names that YAML misreads: the engine creates the designed table.

use super::dynamo::create_table;
use super::templates::check_description;
use keyfold_core::export::cloudformation::cloudformation;
use keyfold_core::model::name::{check_attribute, check_key_attribute};
use keyfold_core::model::{
    Billing, Design, Index, IndexId, IndexKind, KeyAttribute, KeySchema, KeyType, Projection,
    ProvisionedThroughput, SortedSet, validate_invariants,
};
use keyfold_test_support::cases;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use std::sync::Arc;

/// Attribute names: the strings of the YAML fixture that DynamoDB and Keyfold accept.
fn names() -> Vec<String> {
    let strings: Vec<String> = serde_json::from_str(include_str!(
        "../../../core/tests/fixtures/yaml_strings.json"
    ))
    .unwrap();
    let fits = |name: &String| check_key_attribute(name).is_ok() && check_attribute(name).is_ok();
    strings.into_iter().filter(fits).collect()
}

/// An attribute has one type in all keys, derived from its name.
fn attribute(name: String) -> KeyAttribute {
    let kind = KeyType::ALL[name.len() % 3];
    KeyAttribute { name, kind }
}

/// A key with this number of partition and sort key attributes.
fn key(partition: usize, sort: usize) -> impl Strategy<Value = KeySchema> {
    let names = subsequence(names(), partition + sort).prop_shuffle();
    names.prop_map(move |names| {
        let mut attributes: Vec<_> = names.into_iter().map(attribute).collect();
        let sort = attributes.split_off(partition);
        KeySchema {
            partition: attributes,
            sort,
        }
    })
}

fn projection() -> impl Strategy<Value = Projection> {
    prop_oneof![
        Just(Projection::All),
        Just(Projection::KeysOnly),
        subsequence(names(), 0..6).prop_map(Projection::Include),
    ]
}

fn index_name() -> impl Strategy<Value = String> {
    const AWKWARD: [&str; 11] = [
        "1_000",
        "2010-09-09",
        "0x1f",
        "null",
        "yes",
        "...",
        "---",
        "-1.0",
        "1e3",
        "017",
        "off",
    ];
    prop_oneof![
        select(&AWKWARD[..]).prop_map(str::to_owned),
        "[a-zA-Z0-9_.-]{3,12}"
    ]
}

fn global() -> impl Strategy<Value = Index> {
    let key = (1..=4usize, 0..=4usize).prop_flat_map(|(partition, sort)| key(partition, sort));
    (index_name(), key, projection()).prop_map(|(name, key, projection)| Index {
        projection,
        ..Index::new(name, IndexKind::Gsi, key)
    })
}

fn local() -> impl Strategy<Value = Index> {
    (index_name(), key(0, 1), projection()).prop_map(|(name, key, projection)| Index {
        projection,
        ..Index::new(name, IndexKind::Lsi, key)
    })
}

fn design() -> impl Strategy<Value = Design> {
    let indexes = (
        prop::collection::vec(global(), 0..4),
        prop::collection::vec(local(), 0..3),
    );
    let ttl = prop::option::of(select(names()));
    (index_name(), key(1, 1), indexes, ttl, any::<bool>()).prop_map(
        |(name, key, (globals, locals), ttl, provisioned)| {
            let mut design = Design::new("Random");
            let table = Arc::make_mut(&mut design.table);
            (table.name, table.key, table.ttl_attribute) = (name, key.clone(), ttl);
            if provisioned {
                table.billing = Billing::Provisioned(ProvisionedThroughput::default());
            }
            let mut taken = SortedSet::new();
            for mut index in globals.into_iter().chain(locals) {
                if index.kind == IndexKind::Lsi {
                    index.key.partition = key.partition.clone();
                    if index.key.sort[0] == key.partition[0] {
                        continue;
                    }
                }
                if taken.insert(index.name.clone()) {
                    let id = IndexId(design.take_id());
                    design.indexes.insert(id, Arc::new(index));
                }
            }
            design
        },
    )
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn random_tables_are_created_as_designed(design in design()) {
        prop_assert_eq!(validate_invariants(&design), []);
        let template = cloudformation(&design).text;
        check_description(&template, &design, &create_table(&template));
    }
}
