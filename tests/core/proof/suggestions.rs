//! Suggestions, and that what they promise holds once they are taken.

use super::{add, design, items, proof_of, texts};
use keyfold::app::{Command, Document, apply, stress};
use keyfold::domain::engine::query::Stored;
use keyfold::domain::library::patterns;
use keyfold::domain::model::*;
use keyfold::domain::proof::{Outcome, Step, Suggestion, Verdict, prove, wish};
use std::collections::BTreeSet;

fn at() -> Point {
    Point { x: 0, y: 0 }
}

/// The design with a suggestion taken.
fn take(design: &Design, pattern: AccessPatternId, suggestion: &Suggestion) -> Design {
    let command = Command::Serve {
        pattern,
        suggestion: Box::new(suggestion.clone()),
        at: at(),
    };
    let next = apply(design, command).unwrap_or_else(|refused| panic!("{suggestion:?}: {refused}"));
    assert_eq!(validate_invariants(&next), []);
    next
}

fn wanted(equal: &[&str], range: Option<&str>) -> Operation {
    wish(equal, range, false).unwrap()
}

#[test]
fn what_the_primary_key_serves_needs_no_index() {
    let finance = design("multi-branch-finance");
    let proof = proof_of(&finance, &["Branch"], wanted(&["tenantId"], None));
    assert_eq!(proof.verdict, Verdict::Unserved);
    let [only] = &proof.suggestions[..] else {
        panic!("{:?}", proof.suggestions);
    };
    assert_eq!(only.step, Step::AsItIs(IndexId::PRIMARY));
    assert_eq!(only.text, "the primary key of `Branch` serves it as it is");
    let mut finance = finance;
    let id = add(&mut finance, &["Branch"], wanted(&["tenantId"], None));
    let next = take(&finance, id, only);
    let proof = prove(&Stored::of(&next), id).unwrap();
    assert_eq!((proof.verdict, texts(&proof)), (Verdict::Served, vec![]));
    assert_eq!(items(&proof, "branchId"), ["branch-001", "branch-002"]);
    // The whole key is a GetItem.
    let one = proof_of(
        &finance,
        &["Branch"],
        wanted(&["tenantId", "branchId"], None),
    );
    assert_eq!(one.suggestions[0].operation.name(), "GetItem");
}

#[test]
fn an_index_is_overloaded_before_another_is_added() {
    let mut saas = design("saas-multi-tenant-overloaded");
    let id = add(&mut saas, &["Subscription"], wanted(&["plan"], None));
    let proof = prove(&Stored::of(&saas), id).unwrap();
    let steps: Vec<_> = proof.suggestions.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        steps,
        [
            "put `Subscription` into `GSI1` with `PLAN#{plan}` / `SUBSCRIPTION#{tenantId}`",
            "a new index for `Subscription` with `PLAN#{plan}` / `SUBSCRIPTION#{tenantId}`",
        ]
    );
    for suggestion in &proof.suggestions {
        let next = take(&saas, id, suggestion);
        let proof = prove(&Stored::of(&next), id).unwrap();
        assert_eq!(proof.verdict, Verdict::Served, "{:?}", texts(&proof));
        assert_eq!(items(&proof, "tenantId"), ["t_01"]);
    }
}

#[test]
fn keys_that_could_collide_are_told_apart() {
    let mut saas = design("saas-multi-tenant-overloaded");
    // Projects already have `USER#{createdBy}` in GSI1.
    let entity = saas.entity_named("Subscription").unwrap();
    let user = Attribute::new(AttributeId(saas.take_id()), "userId", AttributeType::S);
    saas = apply(&saas, Command::AddAttribute(entity, user)).unwrap();
    let id = add(&mut saas, &["Subscription"], wanted(&["userId"], None));
    let proof = prove(&Stored::of(&saas), id).unwrap();
    let Step::Join(_, entry) = &proof.suggestions[0].step else {
        panic!("{:?}", proof.suggestions);
    };
    assert_eq!(
        entry.partition.as_deref(),
        Some("SUBSCRIPTION#USER#{userId}")
    );
}

#[test]
fn ranges_and_numbers() {
    let shop = design("e-commerce");
    let range = proof_of(&shop, &["OrderItem"], wanted(&["productId"], Some("price")));
    let Step::NewIndex(entry) = &range.suggestions.last().unwrap().step else {
        panic!("{:?}", range.suggestions);
    };
    // Text keys hold numbers of one length only.
    let sort = entry.sort.as_deref().unwrap();
    assert!(sort.starts_with("{price:pad("), "{sort}");
    let Operation::Query { sort, .. } = &range.suggestions[0].operation else {
        panic!("a query");
    };
    assert_eq!(sort[0].operator, SortOperator::Between);
    assert!(sort[0].value.starts_with("{from:pad("), "{sort:?}");
}

#[test]
fn one_undo_takes_a_suggestion_back() {
    let mut saas = design("saas-hierarchy");
    let id = add(&mut saas, &["Task"], wanted(&["done"], None));
    let mut document = Document::new(saas.clone());
    let proof = prove(&Stored::of(&saas), id).unwrap();
    let command = Command::Serve {
        pattern: id,
        suggestion: Box::new(proof.suggestions[0].clone()),
        at: at(),
    };
    document.run(command, 0.0).unwrap();
    assert_eq!(document.undo_label(), Some("serve access pattern"));
    assert_eq!(document.design().indexes.len(), 1);
    let proof = prove(&Stored::of(document.design()), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Served);
    document.undo().unwrap();
    let mut before = document.design().clone();
    before.next_id = saas.next_id;
    assert_eq!(before, saas);
}

#[test]
fn what_is_gone_is_refused() {
    let mut saas = design("saas-multi-tenant-overloaded");
    let id = add(&mut saas, &["Subscription"], wanted(&["plan"], None));
    let proof = prove(&Stored::of(&saas), id).unwrap();
    let command = |pattern| Command::Serve {
        pattern,
        suggestion: Box::new(proof.suggestions[0].clone()),
        at: at(),
    };
    assert!(apply(&saas, command(AccessPatternId(9999))).is_err());
    let taken = take(&saas, id, &proof.suggestions[0]);
    assert!(apply(&taken, command(id)).is_err());
    let index = saas.index_named("GSI1").unwrap();
    let without = apply(&saas, Command::Delete(vec![CardId::Index(index)])).unwrap();
    assert!(apply(&without, command(id)).is_err());
}

/// For each entity of the library, and each one of its attributes, and each two neighbours: what is suggested serves the pattern, and
/// returns exactly the samples that have these values.
#[test]
fn every_suggestion_keeps_its_promise() {
    let mut taken = 0;
    for pattern in patterns() {
        let design = pattern.design().unwrap();
        for (entity, owner) in &design.entities {
            let Some(first) = design.samples_of(*entity).first() else {
                continue;
            };
            let fits = |attribute: &&Attribute| {
                matches!(attribute.kind, AttributeType::S | AttributeType::N)
                    && first.values.contains_key(&attribute.name)
            };
            let names: Vec<&str> = (owner.attributes.iter().filter(fits))
                .map(|a| a.name.as_str())
                .collect();
            for (at, name) in names.iter().enumerate() {
                taken += try_out(&design, *entity, first, &[name]);
                if let Some(next) = names.get(at + 1) {
                    taken += try_out(&design, *entity, first, &[next, name]);
                }
            }
        }
    }
    assert!(taken > 300, "{taken}");
}

fn try_out(design: &Design, entity: EntityId, first: &Sample, equal: &[&str]) -> usize {
    let mut design = design.clone();
    let name = design.entities[&entity].name.clone();
    let id = add(&mut design, &[&name], wanted(equal, None));
    let proof = prove(&Stored::of(&design), id).unwrap();
    for suggestion in &proof.suggestions {
        let next = take(&design, id, suggestion);
        let place = format!("{} {name} {equal:?} {suggestion:?}", design.name);
        let proof = prove(&Stored::of(&next), id).unwrap();
        // A value with the delimiter in it, or one that no text key takes, cannot be tried.
        let Outcome::Read(read) = &proof.outcome else {
            assert!(
                texts(&proof)[0].starts_with("not tried: "),
                "{place}: {proof:#?}"
            );
            continue;
        };
        assert_eq!(proof.verdict, Verdict::Served, "{place}: {proof:#?}");
        let found: BTreeSet<_> = read.items.iter().map(|item| item.id()).collect();
        let same = |sample: &Sample| {
            (equal.iter()).all(|name| sample.values.get(name) == first.values.get(name))
        };
        let wanted: BTreeSet<_> = (design.samples_of(entity).iter())
            .filter(|sample| same(sample))
            .map(|sample| sample.id)
            .collect();
        assert_eq!(found, wanted, "{place}");
    }
    proof.suggestions.len()
}

#[test]
fn suggestions_for_a_large_design() {
    let design = stress::design(1000);
    let entity = design.entities.values().next().expect("many").clone();
    let attribute = entity.attributes.last().expect("some").name.clone();
    let proof = proof_of(&design, &[&entity.name], wanted(&[&attribute], None));
    assert!(proof.suggestions.len() <= 3);
}
