//! Queries, other reads, writes and expressions. `tests/engine_check` compares them with a DynamoDB engine.

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

/// A table `PK`, `SK` without templates and one entity with these items, with an LSI over `LSK` that projects `small`,
/// and a GSI over `GPK`, `GSK` that projects keys only.
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

/// Binds a condition of a design with these parameters.
pub fn condition(text: &str, parameters: &SortedMap<String, Value>) -> Bound<Condition> {
    let parsed = parse_condition(text).unwrap();
    Binder::new(parameters).condition(&parsed).unwrap()
}
