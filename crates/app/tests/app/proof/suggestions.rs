//! Applied suggestions do what they promise.

use keyfold_app::{Command, Document, apply, stress};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library::patterns;
use keyfold_core::model::SortedSet;
use keyfold_core::model::*;
use keyfold_core::proof::{Outcome, SuggestedChange, Suggestion, Verdict, prove, read_requirement};
use keyfold_test_support::proofs::{add, design, items, proof_of, texts};
use std::sync::Arc;

fn at() -> Point {
    Point { x: 0, y: 0 }
}

/// Applies a suggestion.
fn take(design: &Design, pattern: AccessPatternId, suggestion: &Suggestion) -> Design {
    let command = Command::ApplySuggestion {
        pattern,
        suggestion: Box::new(suggestion.clone()),
        at: at(),
    };
    let next = apply(design, command).unwrap_or_else(|refused| panic!("{suggestion:?}: {refused}"));
    assert_eq!(validate_invariants(&next), []);
    next
}

fn wanted(equal: &[&str], range: Option<&str>) -> Operation {
    read_requirement(equal, range, false).unwrap()
}

#[test]
fn the_primary_key_is_suggested_before_an_index() {
    let finance = design("multi-branch-finance");
    let proof = proof_of(&finance, &["Branch"], wanted(&["tenantId"], None));
    assert_eq!(proof.verdict, Verdict::Unserved);
    let [only] = &proof.suggestions[..] else {
        panic!("{:?}", proof.suggestions);
    };
    assert_eq!(only.step, SuggestedChange::UseExisting(IndexId::PRIMARY));
    assert_eq!(
        only.text,
        "Read it through the primary key of `Branch`, which already serves it"
    );
    let mut finance = finance;
    let id = add(&mut finance, &["Branch"], wanted(&["tenantId"], None));
    let next = take(&finance, id, only);
    let proof = prove(&TableSnapshot::of(&next), id).unwrap();
    assert_eq!((proof.verdict, texts(&proof)), (Verdict::Served, vec![]));
    assert_eq!(items(&proof, "branchId"), ["branch-001", "branch-002"]);
    // The whole key makes it a GetItem.
    let one = proof_of(
        &finance,
        &["Branch"],
        wanted(&["tenantId", "branchId"], None),
    );
    assert_eq!(one.suggestions[0].operation.name(), "GetItem");
}

#[test]
fn the_projection_is_suggested_before_another_index() {
    let mut saas = design("saas-multi-tenant");
    let index = saas.index_named("GSI1").unwrap();
    Arc::make_mut(saas.indexes.get_mut(&index).unwrap()).projection = Projection::KeysOnly;
    let found = saas.access_patterns.iter().find(|(_, pattern)| {
        matches!(&pattern.operation, Operation::Query { index: read, .. } if *read == index)
    });
    let id = *found.expect("a Query of GSI1").0;
    let pattern = Arc::make_mut(saas.access_patterns.get_mut(&id).unwrap());
    let read = pattern.operation.read_mut().unwrap();
    read.projection = vec!["createdAt".into(), "pk".into(), "a.b".into()];
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Impossible);
    let [only] = &proof.suggestions[..] else {
        panic!("{:?}", proof.suggestions);
    };
    assert_eq!(
        only.text,
        "add `createdAt` and `a` to the projection of `GSI1`"
    );
    let next = take(&saas, id, only);
    let proof = prove(&TableSnapshot::of(&next), id).unwrap();
    assert!(proof.verdict.is_served(), "{:?}", texts(&proof));
}

#[test]
fn an_index_is_overloaded_before_another_is_added() {
    let mut saas = design("saas-multi-tenant-overloaded");
    let id = add(&mut saas, &["Subscription"], wanted(&["plan"], None));
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    let steps: Vec<_> = proof.suggestions.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(
        steps,
        [
            "add `Subscription` to `GSI1` with `PLAN#{plan}` / `SUBSCRIPTION#{tenantId}`",
            "add a GSI for `Subscription` with `PLAN#{plan}` / `SUBSCRIPTION#{tenantId}`",
        ]
    );
    for suggestion in &proof.suggestions {
        let next = take(&saas, id, suggestion);
        let proof = prove(&TableSnapshot::of(&next), id).unwrap();
        assert_eq!(proof.verdict, Verdict::Served, "{:?}", texts(&proof));
        assert_eq!(items(&proof, "tenantId"), ["t_01"]);
    }
}

#[test]
fn suggested_keys_do_not_collide() {
    let mut saas = design("saas-multi-tenant-overloaded");
    // Projects already have `USER#{createdBy}` in GSI1.
    let entity = saas.entity_named("Subscription").unwrap();
    let user = Attribute::new(AttributeId(saas.take_id()), "userId", AttributeType::S);
    saas = apply(&saas, Command::AddAttribute(entity, user)).unwrap();
    let id = add(&mut saas, &["Subscription"], wanted(&["userId"], None));
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    let SuggestedChange::Join(_, entries) = &proof.suggestions[0].step else {
        panic!("{:?}", proof.suggestions);
    };
    assert_eq!(
        entries[0].1.partition.as_deref(),
        Some("SUBSCRIPTION#USER#{userId}")
    );
}

#[test]
fn ranges_and_numbers() {
    let shop = design("e-commerce");
    let range = proof_of(&shop, &["OrderItem"], wanted(&["productId"], Some("price")));
    let SuggestedChange::NewIndex(IndexKind::Gsi, entries) =
        &range.suggestions.last().unwrap().step
    else {
        panic!("{:?}", range.suggestions);
    };
    // String keys hold numbers of one length only.
    let sort = entries[0].1.sort.as_deref().unwrap();
    assert!(sort.starts_with("{price:pad("), "{sort}");
    let Operation::Query { sort, .. } = &range.suggestions[0].operation else {
        panic!("a query");
    };
    assert_eq!(sort[0].operator, SortOperator::Between);
    assert!(sort[0].value.starts_with("{from:pad("), "{sort:?}");
}

/// Applies each suggestion for a requirement of these entities: it returns items of all of them, and others only if
/// it says so.
fn suggested(design: &Design, entities: &[&str], operation: Operation) -> Vec<String> {
    let mut design = design.clone();
    let id = add(&mut design, entities, operation);
    let pattern = Arc::make_mut(design.access_patterns.get_mut(&id).unwrap());
    for (name, value) in [("from", 0), ("to", 99_999)] {
        pattern.parameters.insert(name.to_owned(), value.into());
    }
    let proof = prove(&TableSnapshot::of(&design), id).unwrap();
    for suggestion in &proof.suggestions {
        let next = take(&design, id, suggestion);
        let after = prove(&TableSnapshot::of(&next), id).unwrap();
        let is_more = suggestion.text.contains(" serves it, but ");
        let verdict = match is_more {
            true => Verdict::ReadsTooMuch,
            false => Verdict::Served,
        };
        assert_eq!(
            after.verdict,
            verdict,
            "{suggestion:?}: {:?}",
            texts(&after)
        );
        let Outcome::Read(read) = &after.outcome else {
            panic!("{suggestion:?}: {:?}", texts(&after));
        };
        for name in entities {
            let entity = design.entity_named(name).unwrap();
            let found = read.items.iter().any(|item| item.entity == entity);
            assert!(found, "{name}: {suggestion:?}");
        }
        assert_eq!(read.unintended > 0, is_more, "{suggestion:?}");
    }
    let texts = proof.suggestions.into_iter();
    texts.map(|suggestion| suggestion.text).collect()
}

/// Adds an attribute to an entity, with this value in all samples.
fn with_attribute(mut design: Design, entity: &str, name: &str, value: &str) -> Design {
    let entity = design.entity_named(entity).unwrap();
    let attribute = Attribute::new(AttributeId(design.take_id()), name, AttributeType::S);
    design = apply(&design, Command::AddAttribute(entity, attribute)).unwrap();
    for sample in Arc::make_mut(design.samples.get_mut(&entity).unwrap()) {
        let mut values = sample.values.to_map();
        values.insert(name.to_owned(), value.into());
        let (id, values) = (sample.id, values.into());
        *sample = Arc::new(Sample { id, values });
    }
    design
}

#[test]
fn several_entities_are_suggested_as_one_item_collection() {
    let shop = design("e-commerce");
    let requirement = || wanted(&["userId"], None);
    assert_eq!(
        suggested(&shop, &["User", "Order"], requirement()),
        ["Read it through the primary key of `User` and `Order`, which already serves it"]
    );
    // They start with `#`, unlike all other keys of the collection.
    let saas = design("saas-multi-tenant");
    let requirement = || wanted(&["tenantId"], None);
    assert_eq!(
        suggested(&saas, &["Tenant", "Subscription"], requirement()),
        ["Read it through the primary key of `Tenant` and `Subscription`, which already serves it"]
    );
    // It also reads the items in between, or costs an index.
    let entries = "`TENANT#{tenantId}` / `TENANT#{tenantId}` and `User` with `TENANT#{tenantId}` / `USER#{userId}`";
    assert_eq!(
        suggested(&saas, &["Tenant", "User"], requirement()),
        [
            format!("add `Tenant` to `GSI2` with {entries}"),
            format!("add a GSI for `Tenant` with {entries}"),
            "Read it through the primary key of `Tenant` and `User`, which serves it, but also finds `Subscription` and `Project`: `TENANT#a` / `#SUBSCRIPTION`".to_owned(),
        ]
    );
}

#[test]
fn several_entities_join_an_index_together() {
    let saas = design("saas-multi-tenant-overloaded");
    // Tenants are in GSI1 under another partition key, and an entity is in an index once.
    assert_eq!(
        suggested(&saas, &["Tenant", "Subscription"], wanted(&["plan"], None)),
        [
            "add a GSI for `Tenant` with `PLAN#{plan}` / `TENANT#{tenantId}` and `Subscription` with `PLAN#{plan}` / `SUBSCRIPTION#{tenantId}`"
        ]
    );
    // An attribute that not all entities have cannot be the partition key.
    let none = proof_of(&saas, &["Tenant", "User"], wanted(&["email"], None));
    assert_eq!(none.suggestions, []);
    assert!(texts(&none)[1].contains("several entities need the same attributes"));
}

#[test]
fn an_entity_joins_the_item_collection_of_another() {
    let saas = design("saas-multi-tenant-overloaded");
    let saas = with_attribute(saas, "Subscription", "createdBy", "u_01");
    // Next to the user's projects, whose partition key is not named after the attribute.
    let both = ["Project", "Subscription"];
    let found = suggested(&saas, &both, wanted(&["createdBy"], None));
    assert_eq!(
        found[0],
        "add `Subscription` to `GSI1` with `USER#{createdBy}` / `SUBSCRIPTION#{tenantId}`"
    );
    assert_eq!(found.len(), 2, "{found:?}");
}

#[test]
fn a_query_of_the_right_index_gets_another_condition() {
    let saas = design("saas-multi-tenant-overloaded");
    let list = (saas.access_patterns.values()).find(|it| it.name == "List users of a tenant");
    let mut operation = list.unwrap().operation.clone();
    let Operation::Query { sort, .. } = &mut operation else {
        panic!("{operation:?}");
    };
    sort.clear();
    assert_eq!(
        suggested(&saas, &["User"], operation),
        ["Change the key condition: the primary key of `User` already serves it"]
    );
}

#[test]
fn existing_keys_are_suggested_even_if_they_read_more() {
    let saas = design("saas-hierarchy");
    assert_eq!(
        suggested(&saas, &["Task"], wanted(&["tenantId", "projectId"], None)),
        [
            "add a GSI for `Task` with `TENANT#{tenantId}#PROJECT#{projectId}` / `TASK#{taskId}`",
            "Read it through the primary key of `Task`, which serves it, but also finds `Comment`: `TENANT#acme` / `PROJECT#a#TASK#a#COMMENT#a`",
        ]
    );
}

#[test]
fn an_lsi_is_suggested_for_strongly_consistent_reads_with_a_warning() {
    let shop = design("e-commerce");
    let mut operation = wanted(&["userId"], Some("total"));
    let new = "add a GSI for `Order` with `USER#{userId}` / `{total:pad(10,2)}#{orderId}`";
    let weaker = suggested(&shop, &["Order"], operation.clone());
    assert_eq!(weaker.last().unwrap(), new);
    let Operation::Query { read, .. } = &mut operation else {
        panic!("a query");
    };
    read.consistent = true;
    let strong = suggested(&shop, &["Order"], operation);
    let global = format!("{new}; reads are eventually consistent");
    let local = "add an LSI for `Order` with `{total:pad(10,2)}#{orderId}`, with strongly consistent reads: it needs a new table, and limits each item collection to 10 GB";
    assert_eq!(strong[strong.len() - 2..], [global.as_str(), local]);
}

#[test]
fn a_suggestion_is_one_undo_step() {
    let mut saas = design("saas-hierarchy");
    let id = add(&mut saas, &["Task"], wanted(&["done"], None));
    let mut document = Document::new(saas.clone());
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    let command = Command::ApplySuggestion {
        pattern: id,
        suggestion: Box::new(proof.suggestions[0].clone()),
        at: at(),
    };
    document.run(command, 0.0).unwrap();
    assert_eq!(document.undo_label(), Some("apply suggestion"));
    assert_eq!(document.design().indexes.len(), 1);
    let proof = prove(&TableSnapshot::of(document.design()), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Served);
    document.undo().unwrap();
    let mut before = document.design().clone();
    before.next_id = saas.next_id;
    assert_eq!(before, saas);
}

#[test]
fn a_suggestion_for_deleted_parts_is_refused() {
    let mut saas = design("saas-multi-tenant-overloaded");
    let id = add(&mut saas, &["Subscription"], wanted(&["plan"], None));
    let proof = prove(&TableSnapshot::of(&saas), id).unwrap();
    let command = |pattern| Command::ApplySuggestion {
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

/// For each library entity, each of its attributes, and each pair of adjacent attributes: suggestions serve the
/// pattern and return exactly the samples with these values.
#[test]
fn every_suggestion_serves_its_pattern() {
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
    let proof = prove(&TableSnapshot::of(&design), id).unwrap();
    for suggestion in &proof.suggestions {
        let next = take(&design, id, suggestion);
        let place = format!("{} {name} {equal:?} {suggestion:?}", design.name);
        let proof = prove(&TableSnapshot::of(&next), id).unwrap();
        // Values with the delimiter, or that no string key accepts, cannot be tried.
        let Outcome::Read(read) = &proof.outcome else {
            assert!(
                texts(&proof)[0].starts_with("not run: "),
                "{place}: {proof:#?}"
            );
            continue;
        };
        let is_more = suggestion.text.contains(" serves it, but ");
        let verdict = match is_more {
            true => Verdict::ReadsTooMuch,
            false => Verdict::Served,
        };
        assert_eq!(proof.verdict, verdict, "{place}: {proof:#?}");
        // Additional items read are of other entities.
        let own = read.items.iter().filter(|item| item.entity == entity);
        assert!(
            is_more || own.clone().count() == read.items.len(),
            "{place}"
        );
        let found: SortedSet<_> = own.map(|item| item.id()).collect();
        let same = |sample: &Sample| {
            (equal.iter()).all(|name| sample.values.get(name) == first.values.get(name))
        };
        let wanted: SortedSet<_> = (design.samples_of(entity).iter())
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
