//! Access patterns and their proofs.

use keyfold_core::engine::Item;
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library::find;
use keyfold_core::model::*;
use keyfold_core::proof::{Outcome, Proof, prove};
use std::sync::Arc;

/// The library design with this name.
pub fn design(name: &str) -> Design {
    let pattern = find(name).unwrap_or_else(|| panic!("no pattern {name}"));
    (pattern.design()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Adds an access pattern for these entities.
pub fn add(design: &mut Design, entities: &[&str], operation: Operation) -> AccessPatternId {
    let id = AccessPatternId(design.take_id());
    let entity = |name: &&str| design.entity_named(name).expect("there is this entity");
    let pattern = AccessPattern {
        name: format!("Pattern {id}"),
        description: String::new(),
        operation,
        entities: entities.iter().map(entity).collect(),
        sample: None,
        parameters: [].into(),
        rate: None,
    };
    design.access_patterns.insert(id, Arc::new(pattern));
    assert_eq!(validate_invariants(design), []);
    id
}

/// The proof of an operation for these entities.
pub fn proof_of(design: &Design, entities: &[&str], operation: Operation) -> Proof {
    let mut design = design.clone();
    let id = add(&mut design, entities, operation);
    prove(&TableSnapshot::of(&design), id).expect("it is there")
}

/// The reasons of the verdict.
pub fn texts(proof: &Proof) -> Vec<&str> {
    proof
        .reasons
        .iter()
        .map(|reason| reason.text.as_str())
        .collect()
}

/// The items that the pattern reads, by an attribute's value.
pub fn items(proof: &Proof, attribute: &str) -> Vec<String> {
    let Outcome::Read(read) = &proof.outcome else {
        panic!("it reads nothing: {proof:?}");
    };
    let shown = |item: &Item| {
        item.get(attribute)
            .map_or_else(|| "-".to_owned(), |value| value.to_text())
    };
    read.items.iter().map(shown).collect()
}
