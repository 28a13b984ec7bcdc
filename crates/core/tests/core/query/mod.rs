//! Queries, other reads, writes and expressions. What a DynamoDB engine says to the same is in `tests/engine_check`.

mod expressions;
mod key_conditions;
mod numbers;
mod reads;
mod writes;

use keyfold_core::engine::query::expression::{Binder, parse_condition};
use keyfold_core::engine::query::{Attributes, Bound, Condition};
use keyfold_core::model::{
    Design, Index, IndexKind, KeySchema, Projection, SortedMap, Value, validate_invariants,
};
use keyfold_test_support::tables::{filled, table};
pub use keyfold_test_support::tables::{key, values};

/// A table `PK`, `SK` without templates whose only entity has these items, with a local index over `LSK` that holds
/// `small` besides keys, and a global one over `GPK`, `GSK` that holds keys only.
pub fn design(items: Vec<Attributes>) -> Design {
    let indexes = [
        Index {
            projection: Projection::Include(vec!["small".into()]),
            ..Index::new("local", IndexKind::Lsi, KeySchema::pair("PK", "LSK"))
        },
        Index {
            projection: Projection::KeysOnly,
            ..Index::new("global", IndexKind::Gsi, KeySchema::pair("GPK", "GSK"))
        },
    ];
    let design = filled(table(KeySchema::pair("PK", "SK"), indexes), items);
    assert_eq!(validate_invariants(&design), []);
    design
}

/// A condition of a design, with these parameters.
pub fn condition(text: &str, parameters: &SortedMap<String, Value>) -> Bound<Condition> {
    let parsed = parse_condition(text).unwrap();
    Binder::new(parameters).condition(&parsed).unwrap()
}
