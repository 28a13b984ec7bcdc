//! Proofs of access patterns.

mod as_text;
mod library;
mod parameters;
mod partiql;
mod reads;
mod verdicts;

use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::*;
use keyfold_core::proof::{Proof, prove};
use keyfold_test_support::proofs::{add, design, items, proof_of, texts};

/// Returns the proof of the design's access pattern with this name.
fn proof(design: &Design, name: &str) -> Proof {
    let mut all = design.access_patterns.iter();
    let (id, _) = (all.find(|(_, pattern)| pattern.name == name))
        .unwrap_or_else(|| panic!("no access pattern {name}"));
    prove(&TableSnapshot::of(design), *id).expect("it is there")
}

/// Returns a Query with partition key templates and at most one sort condition: `"begins_with X"`, `"between X and Y"`.
fn query(design: &Design, index: &str, partition: &[&str], sort: &[&str]) -> Operation {
    let index = match index {
        "Table" => IndexId::PRIMARY,
        name => design.index_named(name).expect("the index exists"),
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
        let operator = *operators.iter().find(symbol).expect("a known operator");
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

/// Returns the names of the entities that the pattern can find; `!` precedes unintended ones.
fn reached(design: &Design, proof: &Proof) -> Vec<String> {
    let name = |reach: &keyfold_core::proof::ReachableEntity| {
        let sign = if reach.intended { "" } else { "!" };
        format!("{sign}{}", design.entities[&reach.entity].name)
    };
    proof.reachable.iter().map(name).collect()
}
