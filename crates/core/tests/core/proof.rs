//! Proofs of access patterns.

mod library;
mod partiql;
mod verdicts;

use keyfold_core::engine::query::Stored;
use keyfold_core::model::*;
use keyfold_core::proof::{Proof, prove};
use keyfold_test_support::proofs::{add, design, items, proof_of, texts};

/// The design's access pattern of this name, proved.
fn proof(design: &Design, name: &str) -> Proof {
    let mut all = design.access_patterns.iter();
    let (id, _) = (all.find(|(_, pattern)| pattern.name == name))
        .unwrap_or_else(|| panic!("no access pattern {name}"));
    prove(&Stored::of(design), *id).expect("it is there")
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
    let name = |reach: &keyfold_core::proof::Reach| {
        let sign = if reach.meant { "" } else { "!" };
        format!("{sign}{}", design.entities[&reach.entity].name)
    };
    proof.reach.iter().map(name).collect()
}
