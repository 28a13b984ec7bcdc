//! Access pattern commands, form fields, and key conditions offered from an entity's templates. After each command
//! the design is valid, and undo restores the previous one.

use keyfold_app::document::MERGE_MS;
use keyfold_app::patterns::fields;
use keyfold_app::patterns::form::{self, FieldInput, FormField};
use keyfold_app::patterns::key_condition_offers::{self as offers, key_texts, missing, with_offer};
use keyfold_app::patterns::{add_part, choose_entity, remove_part, requirements, toggle_entity};
use keyfold_app::{Command, Document, PatternEdit, Refused, apply};
use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_core::persist::{from_json, to_json};
use keyfold_core::proof::Verdict;
use keyfold_core::{proof, template};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

fn design(name: &str) -> Design {
    library::find(name).unwrap().design().unwrap()
}

fn pattern_id(design: &Design, name: &str) -> AccessPatternId {
    let mut all = design.access_patterns.iter();
    *all.find(|(_, pattern)| pattern.name == name)
        .unwrap_or_else(|| panic!("no access pattern {name}"))
        .0
}

fn names(design: &Design) -> Vec<&str> {
    (design.access_patterns.values())
        .map(|pattern| pattern.name.as_str())
        .collect()
}

/// Runs an edit; checks that the design is valid, that its file reads back, and that undo and redo work.
fn run(design: &Design, edit: PatternEdit) -> Design {
    let mut document = Document::new(design.clone());
    let shown = format!("{edit:?}");
    let changed = (document.run(Command::Pattern(edit), 0.0))
        .unwrap_or_else(|refused| panic!("{shown}: {refused}"));
    let next = document.design().clone();
    assert_eq!(validate_invariants(&next), [], "{shown}");
    assert_eq!(from_json(&to_json(&next)).unwrap(), next, "{shown}");
    if !changed.is_empty() {
        document.undo().unwrap();
        assert_eq!(
            document.design().access_patterns,
            design.access_patterns,
            "{shown}"
        );
        assert_eq!(document.design().silenced, design.silenced);
        document.redo().unwrap();
        assert_eq!(document.design().access_patterns, next.access_patterns);
    }
    next
}

fn refused(design: &Design, edit: PatternEdit) -> String {
    match apply(design, Command::Pattern(edit)) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("it succeeded"),
    }
}

/// Edits one field of an access pattern.
fn typed(design: &Design, id: AccessPatternId, slot: FormField, text: &str) -> PatternEdit {
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    fields::write(design, &mut pattern, slot, text).unwrap_or_else(|refused| panic!("{refused}"));
    PatternEdit::Update {
        id,
        pattern: Box::new(pattern),
        field: format!("{slot:?}"),
    }
}

/// The suggested access patterns that a design does not have.
fn offered(design: &Design) -> Vec<AccessPattern> {
    missing(design, &offers::starters(design))
}

#[test]
fn a_suggested_list_has_all_items_of_its_entity_and_a_sample_that_shows_it() {
    let design = keyfold_app::text::opened(
        "table clinic (PK, SK)\ngsi GSI1 (GSI1PK, GSI1SK)\n\
        entity Doctor\n  doctorId string\n  name string\n  specialty string\n  key DOCTOR#{doctorId} / PROFILE\n  \
        index GSI1 SPECIALTY#{specialty} / {name}#{doctorId}\n  \
        | doctorId | name | specialty |\n  | 1 | Ann |  |\n  | 2 | Bob | heart |\n\
        entity Shift\n  doctorId string\n  day string\n  state string\n  key DOCTOR#{doctorId} / SHIFT#{day}\n  \
        index GSI1 DAY#{day} / DOCTOR#{doctorId} when state = open\n  \
        | doctorId | day | state |\n  | 1 | mon | full |\n  | 1 | tue | open |\n\
        entity Patient\n  patientId string\n  email string\n  key PATIENT#{patientId} / PROFILE\n  \
        index GSI1 EMAIL#{email} / PATIENT\n",
    );
    let design = design.expect("no error").design;
    let offered = offered(&design);
    let find = |name: &str| {
        let found = offered.iter().find(|pattern| pattern.name == name);
        let names: Vec<&str> = offered
            .iter()
            .map(|pattern| pattern.name.as_str())
            .collect();
        found.unwrap_or_else(|| panic!("{name}: {names:?}"))
    };
    let sort = |name: &str| -> Vec<String> {
        match &find(name).operation {
            Operation::Query { sort, .. } => sort.iter().map(|one| one.value.clone()).collect(),
            other => panic!("{other:?}"),
        }
    };
    let none: Vec<String> = Vec::new();
    // Not those whose name is that of the sample.
    assert_eq!(sort("Doctors by specialty"), none);
    assert_eq!(sort("Shifts of a doctor"), ["SHIFT#"]);
    assert_eq!(sort("Shifts by day with state open"), ["DOCTOR#"]);
    assert_eq!(sort("Patients by email"), none);
    let sample = |name: &str, entity: &str, at: usize| {
        let id = design.entity_named(entity).expect("an entity");
        assert_eq!(
            find(name).sample,
            Some(design.samples_of(id)[at].id),
            "{name}"
        );
    };
    sample("Doctors by specialty", "Doctor", 1);
    sample("Shifts of a doctor", "Shift", 0);
    sample("Shifts by day with state open", "Shift", 1);
}

#[test]
fn access_patterns_can_be_added_renamed_duplicated_and_deleted() {
    let design = design("blog");
    let count = design.access_patterns.len();
    let first = design.access_patterns.values().next().unwrap();
    let mut new = AccessPattern::clone(first);
    new.name = "Something new".into();
    let added = run(&design, PatternEdit::Add(Box::new(new)));
    assert_eq!(names(&added).last(), Some(&"Something new"));

    let id = pattern_id(&added, "Something new");
    let renamed = run(&added, typed(&added, id, FormField::Name, "Something else"));
    assert_eq!(names(&renamed)[count], "Something else");

    let original = *renamed.access_patterns.keys().nth(1).unwrap();
    let doubled = run(&renamed, PatternEdit::Duplicate(original));
    let copy = format!("{} 2", names(&renamed)[1]);
    assert_eq!(names(&doubled)[1..3], [names(&renamed)[1], copy.as_str()]);
    assert_eq!(names(&doubled).len(), count + 2);
    assert_eq!(
        doubled.access_patterns[&original].operation,
        doubled.access_patterns[&pattern_id(&doubled, &copy)].operation
    );

    let fewer = run(&doubled, PatternEdit::Delete(original));
    assert_eq!(names(&fewer).len(), count + 1);
    assert!(!names(&fewer).contains(&names(&renamed)[1]));
}

#[test]
fn moving_an_access_pattern_moves_its_silenced_findings() {
    let mut design = design("blog");
    let before: Vec<String> = names(&design)
        .iter()
        .map(|name| (*name).to_owned())
        .collect();
    let ids: Vec<AccessPatternId> = design.access_patterns.keys().copied().collect();
    let silenced = |id: AccessPatternId| Silenced {
        code: "A001".into(),
        place: format!("{id}/partition"),
        reason: "known".into(),
    };
    design.silenced = Arc::new(vec![silenced(ids[0]), silenced(ids[2]), silenced(ids[3])]);
    let moved = run(&design, PatternEdit::Move(ids[0], 2));
    let expected = [&before[1], &before[2], &before[0], &before[3]];
    assert_eq!(names(&moved)[..4], expected.map(String::as_str));
    let places: Vec<&str> = (moved.silenced.iter())
        .map(|finding| finding.place.as_str())
        .collect();
    let expected = [ids[2], ids[1], ids[3]].map(|id| format!("{id}/partition"));
    assert_eq!(places, expected, "each pattern has its previous entities");

    let back = run(&moved, PatternEdit::Move(ids[2], 0));
    assert_eq!(back.access_patterns, design.access_patterns);
    assert_eq!(back.silenced, design.silenced);
    let last = run(&design, PatternEdit::Move(ids[1], 1000));
    assert_eq!(names(&last).last(), Some(&before[1].as_str()));
    let same = run(&design, PatternEdit::Move(ids[1], 1));
    assert_eq!(same, design);
}

#[test]
fn typing_in_one_field_is_one_undo_step() {
    let design = design("blog");
    let id = *design.access_patterns.keys().next().unwrap();
    let mut document = Document::new(design.clone());
    let mut now = 0.0;
    for text in ["P", "PO", "POST#{id}"] {
        let slot = FormField::Key(0, KeyPart::Partition);
        let edit = typed(document.design(), id, slot, text);
        document.run(Command::Pattern(edit), now).unwrap();
        now += MERGE_MS / 2.0;
    }
    let edit = typed(document.design(), id, FormField::Name, "Another name");
    document.run(Command::Pattern(edit), now).unwrap();
    document.undo().unwrap();
    let read = |design: &Design, slot| fields::read(&design.access_patterns[&id], slot);
    assert_eq!(
        read(document.design(), FormField::Key(0, KeyPart::Partition)),
        "POST#{id}"
    );
    document.undo().unwrap();
    assert_eq!(document.design().access_patterns, design.access_patterns);
    assert!(document.undo().is_none());
}

#[test]
fn invalid_changes_are_refused_with_a_reason() {
    let design = design("blog");
    let [first, second] = [0, 1].map(|at| *design.access_patterns.keys().nth(at).unwrap());
    let pattern = |change: &dyn Fn(&mut AccessPattern)| {
        let mut pattern = AccessPattern::clone(&design.access_patterns[&first]);
        change(&mut pattern);
        Box::new(pattern)
    };
    let update = |change: &dyn Fn(&mut AccessPattern)| PatternEdit::Update {
        id: first,
        pattern: pattern(change),
        field: "name".into(),
    };
    let other = design.access_patterns[&second].name.clone();
    let gone = AccessPatternId(9999);
    let reasons = [
        refused(&design, update(&|p| p.name = String::new())),
        refused(&design, update(&|p| p.name = other.clone())),
        refused(
            &design,
            PatternEdit::Add(pattern(&|p| p.name = other.clone())),
        ),
        refused(&design, update(&|p| p.entities = vec![EntityId(9999)])),
        refused(
            &design,
            update(&|p| {
                p.operation = Operation::Scan {
                    index: IndexId(9999),
                    limit: None,
                    read: Read::default(),
                };
            }),
        ),
        refused(&design, update(&|p| p.sample = Some(SampleId(9999)))),
        refused(&design, update(&|p| p.rate = Some(-1.0))),
        refused(&design, update(&|p| p.rate = Some(f64::NAN))),
        refused(&design, PatternEdit::Delete(gone)),
        refused(&design, PatternEdit::Duplicate(gone)),
        refused(&design, PatternEdit::Move(gone, 0)),
    ];
    insta::assert_snapshot!(reasons.join("\n"));
}

#[test]
fn library_offers() {
    let mut lines = Vec::new();
    for name in [
        "saas-multi-tenant-overloaded",
        "saas-hierarchy",
        "multi-branch-finance",
        "tournament-multi-attribute",
        "leaderboard",
        "social-network",
    ] {
        let design = design(name);
        for (id, entity) in &design.entities {
            for index in offers::indexes_of(&design, *id) {
                lines.push(format!(
                    "{name}: {} through {}",
                    entity.name,
                    design.index_name(index)
                ));
                for offer in offers::offers(&design, *id, index) {
                    let pattern = offers::new_pattern("new".into(), offer.operation.clone());
                    let pattern = with_offer(&design, &pattern, *id, &offer);
                    let values: Vec<String> = (pattern.parameters.iter())
                        .map(|(name, value)| format!("  {name}={}", value.to_text()))
                        .collect();
                    lines.push(format!("    {}{}", offer.text, values.concat()));
                }
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// Every offer on every library design parses, ends at a complete segment, and has the entity's key.
#[test]
fn every_offer_uses_the_entitys_templates() {
    let mut count = 0;
    for listed in library::patterns() {
        let design = listed.design().unwrap();
        let delimiter = &design.delimiter.delimiter;
        for id in design.entities.keys() {
            for index in offers::indexes_of(&design, *id) {
                let texts = key_texts(&design, *id, index).unwrap();
                for offer in offers::offers(&design, *id, index) {
                    count += 1;
                    let place = format!("{}: {}", listed.name, offer.text);
                    match &offer.operation {
                        Operation::Query {
                            partition, sort, ..
                        } => {
                            // A query gives the number of a shard.
                            let shard = offer.shard.as_ref().map(ToString::to_string);
                            let shard = shard.unwrap_or_default();
                            let written: Vec<String> = (texts.partition.iter())
                                .map(|text| match shard.as_str() {
                                    "" => text.clone(),
                                    shard => text.replace(shard, "{shard}"),
                                })
                                .collect();
                            assert_eq!(*partition, written, "{place}");
                            let Some(condition) = sort.last() else {
                                continue;
                            };
                            let text = &texts.sort[sort.len() - 1];
                            if condition.operator == SortOperator::BeginsWith {
                                assert!(condition.value.ends_with(delimiter), "{place}");
                                assert!(text.starts_with(&condition.value), "{place}");
                            }
                            for text in std::iter::once(&condition.value).chain(&condition.upper) {
                                assert!(template::parse(text).errors.is_empty(), "{place}");
                            }
                        }
                        Operation::GetItem { key, .. } => {
                            assert_eq!(key.partition, texts.partition[0], "{place}");
                            assert_eq!(key.sort.as_ref(), texts.sort.first(), "{place}");
                        }
                        other => panic!("{place}: {other:?}"),
                    }
                    let pattern = offers::new_pattern("new".into(), offer.operation.clone());
                    let pattern = with_offer(&design, &pattern, *id, &offer);
                    assert_eq!(pattern.entities, [*id]);
                    run(&design, PatternEdit::Add(Box::new(pattern)));
                }
            }
        }
    }
    assert!(count > 300, "only {count} offers");
}

#[test]
fn changing_the_operator_keeps_options_and_range_values() {
    let design = design("saas-multi-tenant-overloaded");
    let project = design.entity_named("Project").unwrap();
    let id = pattern_id(&design, "Recent projects of a tenant");
    let pattern = &design.access_patterns[&id];
    let all = offers::offers(&design, project, IndexId::PRIMARY);
    let range = (all.iter())
        .find(|offer| offer.text.contains(" from "))
        .unwrap();
    let next = with_offer(&design, pattern, project, range);
    let Operation::Query {
        descending,
        limit,
        sort,
        ..
    } = &next.operation
    else {
        panic!("{:?}", next.operation);
    };
    assert!(*descending && *limit == Some(10));
    assert_eq!(sort[0].value, "PROJECT#{from}");
    assert_eq!(sort[0].upper.as_deref(), Some("PROJECT#{to}#~"));
    assert_eq!(next.parameters["from"], Value::S("2026-02-01".into()));
    assert_eq!(next.parameters["to"], Value::S("2026-02-10".into()));
}

#[test]
fn a_design_without_access_patterns_gets_starter_suggestions() {
    let mut design = design("e-commerce");
    design.access_patterns.clear();
    let found = offered(&design);
    let found: Vec<&str> = found.iter().map(|pattern| pattern.name.as_str()).collect();
    assert_eq!(
        found,
        [
            "Get user",
            "Get order",
            "Orders of a user",
            "Orders by status",
            "Get order item",
            "Order items of an order",
            "Get product",
            "Products by category",
        ]
    );
}

/// What spreads items over shards does not find them, and a sparse index does not have all of them.
#[test]
fn suggested_lists_give_the_shard_and_name_the_conditions() {
    let design = keyfold_app::text::opened(
        "table reviews (PK, SK)\ngsi GSI1 (GSI1PK, GSI1SK)\ngsi GSI2 (GSI2PK, GSI2SK)\n\
        entity Review\n  userId -> User\n  reviewId string\n  isFlagged boolean\n  state string\n  due string\n  \
        key REVIEW#{reviewId} / X\n  \
        index GSI1 FLAGGED#{userId:shard(3)} / {reviewId} when isFlagged = true\n  \
        index GSI2 USER#{userId}#{userId:shard(3)} / {reviewId} when state in (OPEN, LATE) and due exists\n  \
        | userId | reviewId | isFlagged | state | due |\n  | 7 | 1 | true | OPEN | x |\n\
        entity User\n  userId string\n  key USER#{userId} / X\n  index GSI1 ALL / {userId} when userId missing\n",
    );
    let design = design.unwrap_or_else(|error| panic!("{error}")).design;
    let lines = offered(&design).into_iter().filter_map(|pattern| {
        let Operation::Query { partition, .. } = &pattern.operation else {
            return None;
        };
        let parameters = &pattern.parameters;
        Some(format!("{}: {partition:?} {parameters:?}", pattern.name))
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
    let flagged = offered(&design);
    let flagged = flagged.iter().find(|one| one.name == "Flagged reviews");
    let added = run(
        &design,
        PatternEdit::Add(Box::new(flagged.unwrap().clone())),
    );
    let id = pattern_id(&added, "Flagged reviews");
    let proof = proof::prove(&TableSnapshot::of(&added), id).unwrap();
    assert_eq!(proof.verdict, Verdict::Served);
    // All shards together.
    assert_eq!(proof.spread.unwrap().queries, Some(3));
}

#[test]
fn existing_starters_are_not_suggested_again() {
    let mut design = design("e-commerce");
    design.access_patterns.clear();
    let found = offered(&design);
    let one = run(&design, PatternEdit::Add(Box::new(found[2].clone())));
    let names_of = |found: &[AccessPattern]| -> Vec<String> {
        found.iter().map(|pattern| pattern.name.clone()).collect()
    };
    let others = offered(&one);
    let mut expected = names_of(&found);
    expected.remove(2);
    assert_eq!(names_of(&others), expected);
    // All others at once, as one step; a duplicate name refuses all of them.
    let all = run(&one, PatternEdit::AddAll(others.clone()));
    assert_eq!(names(&all).len(), found.len());
    assert!(offered(&all).is_empty());
    let again = Command::Pattern(PatternEdit::AddAll(others));
    assert!(apply(&all, again).is_err());
}

/// Each field of the form shows its part of every operation, and accepts what it shows.
#[test]
fn the_form_shows_every_part_of_an_operation() {
    let mut lines = Vec::new();
    for name in ["blog", "multi-branch-finance", "tournament-multi-attribute"] {
        let design = design(name);
        for (id, pattern) in &design.access_patterns {
            lines.push(format!("{}: {}", pattern.name, pattern.operation.name()));
            for row in form::rows(&design, &pattern.operation) {
                let shown = fields::read(pattern, row.slot);
                lines.push(format!("    {}: {shown}", row.label));
                if let FieldInput::Choice(options) = &row.input {
                    let known = options.iter().any(|(value, _)| *value == shown);
                    assert!(known, "{shown} is not among {options:?}");
                }
                let same = typed(&design, *id, row.slot, &shown);
                assert_eq!(run(&design, same), design, "{}", row.label);
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn changing_the_operation_keeps_common_parts() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "Get user by ID");
    let mut lines = Vec::new();
    let mut now = design;
    for kind in form::OPERATIONS {
        now = run(&now, typed(&now, id, FormField::Kind, kind));
        let pattern = &now.access_patterns[&id];
        lines.push(kind.to_owned());
        for row in form::rows(&now, &pattern.operation) {
            let shown = fields::read(pattern, row.slot);
            lines.push(format!("    {}: {shown}", row.label));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn changing_the_index_starts_with_the_entitys_templates() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "List projects of a tenant");
    let index = design.index_named("GSI1").unwrap();
    let slots = [
        FormField::Partition(0),
        FormField::SortOperator(0),
        FormField::SortValue(0),
    ];
    let shown =
        |design: &Design| slots.map(|slot| fields::read(&design.access_patterns[&id], slot));
    let there = run(
        &design,
        typed(&design, id, FormField::Index, &index.to_string()),
    );
    assert_eq!(
        shown(&there),
        ["USER#{createdBy}", "begins_with", "PROJECT#"]
    );
    let back = run(&there, typed(&there, id, FormField::Index, "primary"));
    assert_eq!(back, design);

    let read = |design: &Design| fields::read(&design.access_patterns[&id], FormField::Consistent);
    let strong = run(&design, typed(&design, id, FormField::Consistent, "true"));
    assert_eq!(read(&strong), "true");
    let global = run(
        &strong,
        typed(&strong, id, FormField::Index, &index.to_string()),
    );
    assert_eq!(
        read(&global),
        "false",
        "a GSI has no strongly consistent reads"
    );
}

#[test]
fn an_operator_starts_with_the_offered_condition() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "List projects of a tenant");
    let mut lines = Vec::new();
    let mut now = design.clone();
    for operator in [
        "any",
        "begins_with",
        "between",
        "=",
        "any",
        "between",
        "<",
        "any",
        "=",
    ] {
        now = run(&now, typed(&now, id, FormField::SortOperator(0), operator));
        let pattern = &now.access_patterns[&id];
        let [value, upper] = [FormField::SortValue(0), FormField::SortUpper(0)]
            .map(|slot| fields::read(pattern, slot));
        lines.push(format!("{operator}: {value} / {upper}"));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn keys_and_actions_can_be_added_and_all_but_one_removed() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "Get user by ID");
    for kind in ["BatchGetItem", "TransactGetItems", "TransactWriteItems"] {
        let with = run(&design, typed(&design, id, FormField::Kind, kind));
        let parts = |pattern: &AccessPattern| {
            let rows = form::rows(&design, &pattern.operation);
            let last = rows.iter().filter_map(|row| row.part).max();
            last.map_or(0, |last| last + 1)
        };
        let mut pattern = AccessPattern::clone(&with.access_patterns[&id]);
        assert_eq!(parts(&pattern), 1, "{kind}");
        add_part(&design, &mut pattern).unwrap();
        assert_eq!(parts(&pattern), 2, "{kind}");
        remove_part(&mut pattern, 0);
        remove_part(&mut pattern, 0);
        assert_eq!(parts(&pattern), 1, "{kind}");
    }
}

/// If another entity is chosen, the keys that its templates write follow; what was typed stays.
#[test]
fn keys_and_updates_follow_the_intended_entity() {
    let design = design("blog");
    let entity = |name: &str| design.entity_named(name).unwrap();
    let (author, post) = (entity("Author"), entity("Post"));
    let begin = |kind: &str| {
        let mut pattern = offers::new_pattern(
            "new".into(),
            Operation::Scan {
                index: IndexId::PRIMARY,
                limit: None,
                read: Default::default(),
            },
        );
        pattern.entities = vec![author];
        pattern.sample = design.samples_of(author).first().map(|sample| sample.id);
        fields::write(&design, &mut pattern, FormField::Kind, kind).unwrap();
        pattern
    };
    let to_post = |pattern: &mut AccessPattern| {
        toggle_entity(&design, pattern, author);
        toggle_entity(&design, pattern, post);
        assert_eq!(pattern.entities, [post]);
    };
    let mut lines = Vec::new();
    for kind in ["GetItem", "UpdateItem", "DeleteItem", "PutItem"] {
        let mut pattern = begin(kind);
        to_post(&mut pattern);
        let from_the_start = {
            let mut pattern = begin("Scan");
            pattern.entities = vec![post];
            fields::write(&design, &mut pattern, FormField::Kind, kind).unwrap();
            pattern.operation
        };
        assert_eq!(pattern.operation, from_the_start, "{kind}");
        let own = design.samples_of(post).first().map(|sample| sample.id);
        assert_eq!(pattern.sample, own, "{kind}");
        lines.push(format!("{kind}: {:?}", pattern.operation.keys()));
    }
    insta::assert_snapshot!(lines.join("\n"));

    let mut pattern = begin("UpdateItem");
    for (slot, text) in [
        (FormField::Key(0, KeyPart::Partition), "AUTHOR#typed"),
        (FormField::Update(0), "SET x = :x"),
    ] {
        fields::write(&design, &mut pattern, slot, text).unwrap();
    }
    let typed = pattern.operation.clone();
    to_post(&mut pattern);
    assert_eq!(pattern.operation, typed);
}

/// The entity of a new access pattern is a guess: another one takes its place, until the access pattern reads by it.
#[test]
fn a_chosen_entity_takes_the_place_of_a_guess() {
    let design = design("blog");
    let entity = |name: &str| design.entity_named(name).unwrap();
    let (author, post) = (entity("Author"), entity("Post"));
    let wish = |known: &[&str]| {
        let operation = keyfold_core::proof::read_requirement(known, None, false).unwrap();
        let mut pattern = offers::new_pattern("new".into(), operation);
        pattern.entities = vec![author];
        pattern
    };
    let chosen = |mut pattern: AccessPattern, id, guess| {
        choose_entity(&design, &mut pattern, id, guess);
        pattern.entities
    };
    assert_eq!(chosen(wish(&[]), post, Some(author)), [post]);
    assert_eq!(chosen(wish(&[]), author, Some(author)), []);
    assert_eq!(chosen(wish(&[]), post, None), [author, post]);
    assert_eq!(chosen(wish(&["email"]), post, Some(author)), [author, post]);
    let offer = offers::offers(&design, author, IndexId::PRIMARY).remove(0);
    let query = offers::with_offer(&design, &wish(&[]), author, &offer);
    assert_eq!(chosen(query, post, Some(author)), [author, post]);
    let mut both = wish(&[]);
    both.entities.push(post);
    assert_eq!(chosen(both, post, Some(author)), [author]);
    // The key follows.
    let mut get = wish(&[]);
    fields::write(&design, &mut get, FormField::Kind, "GetItem").unwrap();
    choose_entity(&design, &mut get, post, Some(author));
    let mut own = wish(&[]);
    own.entities = vec![post];
    fields::write(&design, &mut own, FormField::Kind, "GetItem").unwrap();
    assert_eq!(get.operation, own.operation);
}

#[test]
fn invalid_numbers_are_refused_and_change_nothing() {
    let design = design("blog");
    let id = pattern_id(&design, "List posts of an author");
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    for (slot, text) in [
        (FormField::Limit, "0"),
        (FormField::Limit, "many"),
        (FormField::Limit, "4294967296"),
        (FormField::Rate, "-1"),
        (FormField::Rate, "NaN"),
        (FormField::Rate, "inf"),
        (FormField::Index, "GSI1"),
        (FormField::Kind, "BatchWriteItem"),
    ] {
        let result = fields::write(&design, &mut pattern, slot, text);
        assert!(result.is_err(), "{slot:?} {text}");
    }
    assert_eq!(pattern, *design.access_patterns[&id]);
    fields::write(&design, &mut pattern, FormField::Limit, " 25 ").unwrap();
    fields::write(&design, &mut pattern, FormField::Rate, "0.5").unwrap();
    assert_eq!(fields::read(&pattern, FormField::Limit), "25");
    assert_eq!(pattern.rate, Some(0.5));
}

#[test]
fn expression_problems_are_reported_at_their_field() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "List users of a tenant");
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    let mut said = |slot, text: &str| {
        fields::write(&design, &mut pattern, slot, text).unwrap();
        fields::expression_problem(&design, &pattern, slot)
    };
    for (slot, text, remark) in [
        (FormField::Filter, "role = :role AND type = :t", None),
        (
            FormField::Filter,
            "role =",
            Some("column 7: expected an attribute at the end"),
        ),
        (
            FormField::Filter,
            "roll = :role OR size(name) > :least",
            Some("no entity of this access pattern has `roll`"),
        ),
        (FormField::Projection, "name, gsi1pk", None),
        (
            FormField::Projection,
            "name, seats",
            Some("no entity of this access pattern has `seats`"),
        ),
        (FormField::Limit, "3", None),
    ] {
        assert_eq!(said(slot, text).as_deref(), remark, "{text}");
    }
}

#[test]
fn missing_keys_are_named() {
    let design = design("leaderboard");
    let (id, pattern) = (design.access_patterns.iter())
        .find(|(_, pattern)| matches!(pattern.operation, Operation::Query { .. }))
        .unwrap();
    let mut pattern = AccessPattern::clone(pattern);
    assert_eq!(
        fields::template_problem(&design, &pattern, FormField::Partition(0)),
        None,
        "{id}"
    );
    fields::write(&design, &mut pattern, FormField::Partition(0), "").unwrap();
    let rows = form::rows(&design, &pattern.operation);
    let is_there = |slot| rows.iter().any(|row| row.slot == slot);
    assert!(is_there(FormField::Partition(0)), "an emptied field stays");
    let problem = fields::template_problem(&design, &pattern, FormField::Partition(0)).unwrap();
    assert!(problem.contains("partition key"), "{problem}");
}

#[test]
fn a_numeric_key_takes_one_placeholder_or_a_number() {
    let design = design("tournament-multi-attribute");
    let index = design.index_named("MatchesByRegion").unwrap();
    let (_, pattern) = (design.access_patterns.iter())
        .find(|(_, pattern)| pattern.operation.index() == Some(index))
        .unwrap();
    let problem = |text: &str| {
        let mut pattern = AccessPattern::clone(pattern);
        if let Operation::Query { sort, .. } = &mut pattern.operation {
            *sort = vec![SortCondition {
                operator: SortOperator::Equal,
                value: text.into(),
                upper: None,
            }];
        }
        fields::template_problem(&design, &pattern, FormField::SortValue(0))
    };
    assert_eq!(problem("{round}"), None);
    assert_eq!(problem("-3.5"), None);
    let wrong = "`round` has type N: use exactly one placeholder or a number";
    assert_eq!(problem("FINAL").as_deref(), Some(wrong));
    assert_eq!(problem("1{round}").as_deref(), Some(wrong));
}

#[test]
fn a_read_requirement_has_no_key_fields() {
    let design = design("saas-multi-tenant-overloaded");
    let user = design.entity_named("User").unwrap();
    let requirement = proof::read_requirement(&["email"], Some("name"), true).unwrap();
    assert!(requirements::is_equal_in(
        requirements::filter_of(&requirement),
        "email"
    ));
    assert!(!requirements::is_equal_in(
        requirements::filter_of(&requirement),
        "name"
    ));
    let mut pattern = offers::new_pattern("Find a user".into(), requirement);
    requirements::require(&design, user, &["email"], Some("name"), &mut pattern).unwrap();
    assert_eq!(pattern.parameters["from"], Value::S("Alice".into()));
    assert_eq!(pattern.parameters["to"], Value::S("Bob".into()));
    let slots = |pattern: &AccessPattern| {
        let rows = form::rows(&design, &pattern.operation);
        rows.iter().map(|row| row.slot).collect::<Vec<_>>()
    };
    assert!(!slots(&pattern).contains(&FormField::Partition(0)));
    let offer = &offers::offers(&design, user, IndexId::PRIMARY)[0];
    let chosen = with_offer(&design, &pattern, user, offer);
    assert!(slots(&chosen).contains(&FormField::Partition(0)));
    let left = "#email = :email AND #name BETWEEN :from AND :to";
    assert_eq!(
        requirements::filter_of(&chosen.operation),
        left,
        "the key does not use it"
    );
    let by_email = design.index_named("GSI1").unwrap();
    let offer = &offers::offers(&design, user, by_email)[0];
    let chosen = with_offer(&design, &pattern, user, offer);
    let left = "#name BETWEEN :from AND :to";
    assert_eq!(requirements::filter_of(&chosen.operation), left);
    run(&design, PatternEdit::Add(Box::new(pattern)));
}

/// A GSI supports no strongly consistent read. The table and an LSI do.
#[test]
fn another_key_keeps_strongly_consistent_reads_where_it_supports_them() {
    let design = design("iot-device-log");
    let strong = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: Some(3),
        read: Read {
            consistent: true,
            ..Read::default()
        },
    };
    let read_of = |index: IndexId| Operation::Query {
        index,
        partition: vec!["X".into()],
        sort: Vec::new(),
        descending: false,
        limit: None,
        read: Read::default(),
    };
    let is_strong = |operation: &Operation| operation.read().unwrap().consistent;
    let mut kinds = Vec::new();
    for index in design.index_ids() {
        let kind = design.indexes.get(&index).map(|index| index.kind);
        let supports = kind != Some(IndexKind::Gsi);
        let read = offers::with_options(&design, &strong, read_of(index));
        assert_eq!(is_strong(&read), supports, "{kind:?}");
        for id in design.entities.keys() {
            let pattern = offers::new_pattern("Reads".into(), strong.clone());
            for offer in offers::offers(&design, *id, index) {
                let offered = with_offer(&design, &pattern, *id, &offer).operation;
                assert_eq!(is_strong(&offered), supports, "{kind:?}");
                kinds.push(kind);
            }
        }
    }
    for kind in [None, Some(IndexKind::Gsi), Some(IndexKind::Lsi)] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
}

/// The values of a range belong to the attribute that it is of.
#[test]
fn another_attribute_of_a_range_brings_its_own_values() {
    let mut design = design("saas-multi-tenant-overloaded");
    let project = design.entity_named("Project").unwrap();
    let scan = Operation::Scan {
        index: IndexId::PRIMARY,
        limit: None,
        read: Default::default(),
    };
    let mut pattern = offers::new_pattern("Projects".into(), scan);
    let require = |design: &Design, pattern: &mut AccessPattern, range| {
        requirements::require(design, project, &["tenantId"], range, pattern).unwrap();
        let values = pattern.parameters.iter();
        let texts = values.map(|(name, value)| format!("{name}={value:?}"));
        texts.collect::<Vec<_>>().join(" ")
    };
    let ids = require(&design, &mut pattern, Some("projectId"));
    let times = require(&design, &mut pattern, Some("createdAt"));
    assert_ne!(ids, times);
    assert_eq!(times, r#"from=S("2026-02-01") to=S("2026-02-10")"#);
    assert_eq!(require(&design, &mut pattern, None), "");
    assert_eq!(require(&design, &mut pattern, Some("projectId")), ids);

    // A typed value stays if it can be one of the attribute.
    let typed = Value::S("2026-02-05".into());
    require(&design, &mut pattern, Some("createdAt"));
    pattern.parameters.insert("from".into(), typed.clone());
    require(&design, &mut pattern, Some("createdAt"));
    assert_eq!(pattern.parameters["from"], typed);
    assert_eq!(require(&design, &mut pattern, Some("projectId")), ids);

    // No sample has the attribute: a value of another one is none of it.
    design.samples.clear();
    let entity = Arc::make_mut(design.entities.get_mut(&project).unwrap());
    entity
        .attributes
        .iter_mut()
        .find(|a| a.name == "createdAt")
        .unwrap()
        .kind = AttributeType::N;
    assert_eq!(require(&design, &mut pattern, Some("createdAt")), "");
}

proptest! {
    #![proptest_config(cases(256))]

    /// Any text in any field of any access pattern is refused or leaves a valid design.
    #[test]
    fn any_text_in_any_field_is_refused_or_valid(
        name in prop::sample::select(vec!["blog", "multi-branch-finance", "tournament-multi-attribute"]),
        at in 0_usize..20,
        field in 0_usize..40,
        text in prop_oneof![
            "\\PC{0,12}",
            prop::sample::select(form::OPERATIONS.to_vec()).prop_map(str::to_owned),
            prop::sample::select(vec!["primary", "i1", "between", "begins_with", "any", "true"]).prop_map(str::to_owned),
        ],
    ) {
        let design = design(name);
        let (id, pattern) = design.access_patterns.iter().nth(at % design.access_patterns.len()).unwrap();
        let rows = form::rows(&design, &pattern.operation);
        let mut slots = vec![FormField::Name, FormField::Kind, FormField::Rate];
        slots.extend(rows.iter().map(|row| row.slot));
        let slot = slots[field % slots.len()];
        let mut next = AccessPattern::clone(pattern);
        if fields::write(&design, &mut next, slot, &text).is_ok() {
            let edit = PatternEdit::Update { id: *id, pattern: Box::new(next), field: "x".into() };
            if let Ok(after) = apply(&design, Command::Pattern(edit)) {
                prop_assert_eq!(validate_invariants(&after), []);
            }
        }
    }
}

/// Names of suggestions are words that a person uses.
#[test]
fn starters_of_a_model_typed_by_hand() {
    let found = offered(&keyfold_test_support::github::github());
    let lines = found.iter().map(|pattern| {
        let index = pattern.operation.index().map(|index| index.to_string());
        format!(
            "{} ({} {})",
            pattern.name,
            pattern.operation.name(),
            index.unwrap_or_default()
        )
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}

/// Suggested templates of an index follow the prefixes of the design, and their sort keys have an order.
#[test]
fn suggested_entries_follow_the_designs_prefixes() {
    let design = keyfold_test_support::github::github();
    let index = keyfold_app::suggest::new_index(&design, IndexKind::Gsi);
    let lines = design.entities.iter().map(|(id, entity)| {
        let entry = keyfold_app::suggest::entry_for(&design, *id, &index);
        let [partition, sort] = [entry.partition, entry.sort].map(Option::unwrap_or_default);
        format!("{}: {partition} / {sort}", entity.name)
    });
    insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"));
}
