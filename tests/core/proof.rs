//! Proofs of access patterns.

mod library;
mod partiql;
mod suggestions;
mod verdicts;

use keyfold::domain::engine::query::Stored;
use keyfold::domain::library::find;
use keyfold::domain::model::*;
use keyfold::domain::proof::{Outcome, Proof, prove};
use std::sync::Arc;

fn design(name: &str) -> Design {
    let pattern = find(name).unwrap_or_else(|| panic!("no pattern {name}"));
    (pattern.design()).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The design's access pattern of this name, proved.
fn proof(design: &Design, name: &str) -> Proof {
    let mut all = design.access_patterns.iter();
    let (id, _) = (all.find(|(_, pattern)| pattern.name == name))
        .unwrap_or_else(|| panic!("no access pattern {name}"));
    prove(&Stored::of(design), *id).expect("it is there")
}

/// Adds an access pattern about these entities.
fn add(design: &mut Design, entities: &[&str], operation: Operation) -> AccessPatternId {
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

/// The proof of an operation about these entities.
fn proof_of(design: &Design, entities: &[&str], operation: Operation) -> Proof {
    let mut design = design.clone();
    let id = add(&mut design, entities, operation);
    prove(&Stored::of(&design), id).expect("it is there")
}

/// A Query with partition templates and at most one test of the sort key: `"begins_with X"`, `"between X and Y"`.
fn query(design: &Design, index: &str, partition: &[&str], sort: &[&str]) -> Operation {
    let index = match index {
        "Table" => IndexId::PRIMARY,
        name => design.index_named(name).expect("there is this index"),
    };
    let operators = [
        SortOperator::BeginsWith,
        SortOperator::Between,
        SortOperator::LessOrEqual,
        SortOperator::GreaterOrEqual,
        SortOperator::Equal,
        SortOperator::Less,
        SortOperator::Greater,
    ];
    let condition = |text: &&str| {
        let symbol = |operator: &&SortOperator| text.starts_with(operator.symbol());
        let operator = *operators.iter().find(symbol).expect("an operator");
        let rest = text[operator.symbol().len()..].trim_start();
        let (value, upper) = match rest.split_once(" and ") {
            Some((value, upper)) => (value, Some(upper.to_owned())),
            None => (rest, None),
        };
        SortCondition {
            operator,
            value: value.to_owned(),
            upper,
        }
    };
    Operation::Query {
        index,
        partition: partition.iter().map(|text| (*text).to_owned()).collect(),
        sort: sort.iter().map(condition).collect(),
        descending: false,
        limit: None,
        read: Read::default(),
    }
}

/// The names of the entities that the pattern can find, those that are not meant behind a `!`.
fn reached(design: &Design, proof: &Proof) -> Vec<String> {
    let name = |reach: &keyfold::domain::proof::Reach| {
        let sign = if reach.meant { "" } else { "!" };
        format!("{sign}{}", design.entities[&reach.entity].name)
    };
    proof.reach.iter().map(name).collect()
}

fn texts(proof: &Proof) -> Vec<&str> {
    proof
        .reasons
        .iter()
        .map(|reason| reason.text.as_str())
        .collect()
}

/// The items that the pattern reads, by an attribute.
fn items(proof: &Proof, attribute: &str) -> Vec<String> {
    let Outcome::Read(read) = &proof.outcome else {
        panic!("it reads nothing: {proof:?}");
    };
    let shown = |item: &keyfold::domain::engine::Item| {
        item.get(attribute)
            .map_or_else(|| "-".to_owned(), |value| value.to_text())
    };
    read.items.iter().map(shown).collect()
}
