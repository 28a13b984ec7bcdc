//! Access patterns as they are edited: the commands, what a form's fields do, and the conditions that are offered from
//! an entity's templates. Every command leaves a sound design behind, and undo the design from before.

use keyfold_app::document::MERGE_MS;
use keyfold_app::patterns::form::{self, Input, Slot};
use keyfold_app::patterns::offers::{self, key_texts, starters, with_offer};
use keyfold_app::patterns::{add_part, remove_part, wishes};
use keyfold_app::{Command, Document, PatternEdit, Refused, apply};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_core::persist::{from_json, to_json};
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

/// Carries a change out; the design is sound then, its file reads back, and undo and redo go there and back.
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
        Ok(_) => panic!("it was carried out"),
    }
}

/// A change of one field of an access pattern.
fn typed(design: &Design, id: AccessPatternId, slot: Slot, text: &str) -> PatternEdit {
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    form::write(design, &mut pattern, slot, text).unwrap_or_else(|refused| panic!("{refused}"));
    PatternEdit::Update {
        id,
        pattern: Box::new(pattern),
        field: format!("{slot:?}"),
    }
}

#[test]
fn access_patterns_are_added_renamed_duplicated_deleted() {
    let design = design("blog");
    let count = design.access_patterns.len();
    let first = design.access_patterns.values().next().unwrap();
    let mut new = AccessPattern::clone(first);
    new.name = "Something new".into();
    let added = run(&design, PatternEdit::Add(Box::new(new)));
    assert_eq!(names(&added).last(), Some(&"Something new"));

    let id = pattern_id(&added, "Something new");
    let renamed = run(&added, typed(&added, id, Slot::Name, "Something else"));
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
fn a_moved_access_pattern_stands_elsewhere_and_accepted_findings_go_along() {
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
    assert_eq!(places, expected, "each is about what it was about");

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
        let slot = Slot::Key(0, KeyPart::Partition);
        let edit = typed(document.design(), id, slot, text);
        document.run(Command::Pattern(edit), now).unwrap();
        now += MERGE_MS / 2.0;
    }
    let edit = typed(document.design(), id, Slot::Name, "Another name");
    document.run(Command::Pattern(edit), now).unwrap();
    document.undo().unwrap();
    let read = |design: &Design, slot| form::read(&design.access_patterns[&id], slot);
    assert_eq!(
        read(document.design(), Slot::Key(0, KeyPart::Partition)),
        "POST#{id}"
    );
    document.undo().unwrap();
    assert_eq!(document.design().access_patterns, design.access_patterns);
    assert!(document.undo().is_none());
}

#[test]
fn what_would_leave_the_design_unsound_is_refused_with_the_reason() {
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
fn offers_of_the_library() {
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
                    let values: Vec<String> = (offer.parameters.iter())
                        .map(|(name, value)| format!("  {name}={}", value.to_text()))
                        .collect();
                    lines.push(format!("    {}{}", offer.text, values.concat()));
                }
            }
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// Every offer on every library design parses, ends at a complete segment, and its key is the entity's.
#[test]
fn every_offer_is_written_from_the_entitys_own_templates() {
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
                            assert_eq!(*partition, texts.partition, "{place}");
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
fn a_condition_keeps_the_options_and_the_values_of_a_range() {
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
fn a_design_without_access_patterns_is_offered_first_ones() {
    let mut design = design("e-commerce");
    design.access_patterns.clear();
    let found = starters(&design);
    let found: Vec<&str> = found.iter().map(|pattern| pattern.name.as_str()).collect();
    assert_eq!(
        found,
        [
            "Get User by id",
            "Get Order by id",
            "List of Order",
            "Get OrderItem by id",
            "List of OrderItem",
            "Get Product by id",
        ]
    );
}

#[test]
fn first_ones_that_a_design_has_are_not_offered_again() {
    let mut design = design("e-commerce");
    design.access_patterns.clear();
    let found = starters(&design);
    let one = run(&design, PatternEdit::Add(Box::new(found[2].clone())));
    let names_of = |found: &[AccessPattern]| -> Vec<String> {
        found.iter().map(|pattern| pattern.name.clone()).collect()
    };
    let others = starters(&one);
    let mut expected = names_of(&found);
    expected.remove(2);
    assert_eq!(names_of(&others), expected);
    // All others at once, as one step; a name that is taken refuses them all.
    let all = run(&one, PatternEdit::AddAll(others.clone()));
    assert_eq!(names(&all).len(), found.len());
    assert!(starters(&all).is_empty());
    let again = Command::Pattern(PatternEdit::AddAll(others));
    assert!(apply(&all, again).is_err());
}

/// What every field of the form shows, for patterns of every kind; and that what is shown can be typed.
#[test]
fn the_form_shows_every_part_of_an_operation() {
    let mut lines = Vec::new();
    for name in ["blog", "multi-branch-finance", "tournament-multi-attribute"] {
        let design = design(name);
        for (id, pattern) in &design.access_patterns {
            lines.push(format!("{}: {}", pattern.name, pattern.operation.name()));
            for row in form::rows(&design, &pattern.operation) {
                let shown = form::read(pattern, row.slot);
                lines.push(format!("    {}: {shown}", row.label));
                if let Input::Choice(options) = &row.input {
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
fn a_change_of_kind_keeps_what_both_have() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "Get user by id");
    let mut lines = Vec::new();
    let mut now = design;
    for kind in form::KINDS {
        now = run(&now, typed(&now, id, Slot::Kind, kind));
        let pattern = &now.access_patterns[&id];
        lines.push(kind.to_owned());
        for row in form::rows(&now, &pattern.operation) {
            let shown = form::read(pattern, row.slot);
            lines.push(format!("    {}: {shown}", row.label));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn another_index_begins_with_the_entitys_templates_there() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "List projects of a tenant");
    let index = design.index_named("GSI1").unwrap();
    let slots = [
        Slot::Partition(0),
        Slot::SortOperator(0),
        Slot::SortValue(0),
    ];
    let shown = |design: &Design| slots.map(|slot| form::read(&design.access_patterns[&id], slot));
    let there = run(&design, typed(&design, id, Slot::Index, &index.to_string()));
    assert_eq!(
        shown(&there),
        ["USER#{createdBy}", "begins_with", "PROJECT#"]
    );
    let back = run(&there, typed(&there, id, Slot::Index, "primary"));
    assert_eq!(back, design);

    let read = |design: &Design| form::read(&design.access_patterns[&id], Slot::Consistent);
    let strong = run(&design, typed(&design, id, Slot::Consistent, "true"));
    assert_eq!(read(&strong), "true");
    let global = run(&strong, typed(&strong, id, Slot::Index, &index.to_string()));
    assert_eq!(read(&global), "false", "a GSI has no strong reads");
}

#[test]
fn operators_begin_with_what_the_templates_offer() {
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
        now = run(&now, typed(&now, id, Slot::SortOperator(0), operator));
        let pattern = &now.access_patterns[&id];
        let [value, upper] =
            [Slot::SortValue(0), Slot::SortUpper(0)].map(|slot| form::read(pattern, slot));
        lines.push(format!("{operator}: {value} / {upper}"));
    }
    insta::assert_snapshot!(lines.join("\n"));
}

#[test]
fn keys_and_actions_are_added_and_taken_away_but_for_the_last() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "Get user by id");
    for kind in ["BatchGetItem", "TransactGetItems", "TransactWriteItems"] {
        let with = run(&design, typed(&design, id, Slot::Kind, kind));
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

#[test]
fn a_number_that_is_none_is_refused_and_changes_nothing() {
    let design = design("blog");
    let id = pattern_id(&design, "List posts of an author");
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    for (slot, text) in [
        (Slot::Limit, "0"),
        (Slot::Limit, "many"),
        (Slot::Limit, "4294967296"),
        (Slot::Rate, "-1"),
        (Slot::Rate, "NaN"),
        (Slot::Rate, "inf"),
        (Slot::Index, "GSI1"),
        (Slot::Kind, "BatchWriteItem"),
    ] {
        let result = form::write(&design, &mut pattern, slot, text);
        assert!(result.is_err(), "{slot:?} {text}");
    }
    assert_eq!(pattern, *design.access_patterns[&id]);
    form::write(&design, &mut pattern, Slot::Limit, " 25 ").unwrap();
    form::write(&design, &mut pattern, Slot::Rate, "0.5").unwrap();
    assert_eq!(form::read(&pattern, Slot::Limit), "25");
    assert_eq!(pattern.rate, Some(0.5));
}

#[test]
fn what_is_to_be_thought_of_at_an_expression_is_said_at_its_field() {
    let design = design("saas-multi-tenant-overloaded");
    let id = pattern_id(&design, "List users of a tenant");
    let mut pattern = AccessPattern::clone(&design.access_patterns[&id]);
    let mut said = |slot, text: &str| {
        form::write(&design, &mut pattern, slot, text).unwrap();
        form::remark(&design, &pattern, slot)
    };
    for (slot, text, remark) in [
        (Slot::Filter, "role = :role AND type = :t", None),
        (
            Slot::Filter,
            "role =",
            Some("column 7: expected an attribute at the end"),
        ),
        (
            Slot::Filter,
            "roll = :role OR size(name) > :least",
            Some("no entity that is meant has `roll`"),
        ),
        (Slot::Projection, "name, gsi1pk", None),
        (
            Slot::Projection,
            "name, seats",
            Some("no entity that is meant has `seats`"),
        ),
        (Slot::Limit, "3", None),
    ] {
        assert_eq!(said(slot, text).as_deref(), remark, "{text}");
    }
}

#[test]
fn a_key_that_is_missing_is_named() {
    let design = design("leaderboard");
    let (id, pattern) = (design.access_patterns.iter())
        .find(|(_, pattern)| matches!(pattern.operation, Operation::Query { .. }))
        .unwrap();
    let mut pattern = AccessPattern::clone(pattern);
    assert_eq!(
        form::problem(&design, &pattern, Slot::Partition(0)),
        None,
        "{id}"
    );
    form::write(&design, &mut pattern, Slot::Partition(0), "").unwrap();
    let rows = form::rows(&design, &pattern.operation);
    let is_there = |slot| rows.iter().any(|row| row.slot == slot);
    assert!(is_there(Slot::Partition(0)), "an emptied field stays");
    let problem = form::problem(&design, &pattern, Slot::Partition(0)).unwrap();
    assert!(problem.contains("partition key"), "{problem}");
}

#[test]
fn a_wish_has_no_key_fields_until_a_key_is_chosen() {
    let design = design("saas-multi-tenant-overloaded");
    let user = design.entity_named("User").unwrap();
    let wish = proof::wish(&["email"], Some("name"), true).unwrap();
    assert!(wishes::is_equal_in(wishes::filter_of(&wish), "email"));
    assert!(!wishes::is_equal_in(wishes::filter_of(&wish), "name"));
    let mut pattern = offers::new_pattern("Find a user".into(), wish);
    wishes::range_values(&design, user, "name", &mut pattern);
    assert_eq!(pattern.parameters["from"], Value::S("Alice".into()));
    assert_eq!(pattern.parameters["to"], Value::S("Bob".into()));
    let slots = |pattern: &AccessPattern| {
        let rows = form::rows(&design, &pattern.operation);
        rows.iter().map(|row| row.slot).collect::<Vec<_>>()
    };
    assert!(!slots(&pattern).contains(&Slot::Partition(0)));
    let offer = &offers::offers(&design, user, IndexId::PRIMARY)[0];
    let chosen = with_offer(&design, &pattern, user, offer);
    assert!(slots(&chosen).contains(&Slot::Partition(0)));
    let left = "#email = :email AND #name BETWEEN :from AND :to";
    assert_eq!(
        wishes::filter_of(&chosen.operation),
        left,
        "the key says nothing of it"
    );
    let by_email = design.index_named("GSI1").unwrap();
    let offer = &offers::offers(&design, user, by_email)[0];
    let chosen = with_offer(&design, &pattern, user, offer);
    let left = "#name BETWEEN :from AND :to";
    assert_eq!(wishes::filter_of(&chosen.operation), left);
    run(&design, PatternEdit::Add(Box::new(pattern)));
}

proptest! {
    #![proptest_config(cases(256))]

    /// Whatever is typed into whatever field of whatever pattern: a change is refused or leaves a sound design.
    #[test]
    fn any_text_in_any_field(
        name in prop::sample::select(vec!["blog", "multi-branch-finance", "tournament-multi-attribute"]),
        at in 0_usize..20,
        field in 0_usize..40,
        text in prop_oneof![
            "\\PC{0,12}",
            prop::sample::select(form::KINDS.to_vec()).prop_map(str::to_owned),
            prop::sample::select(vec!["primary", "i1", "between", "begins_with", "any", "true"]).prop_map(str::to_owned),
        ],
    ) {
        let design = design(name);
        let (id, pattern) = design.access_patterns.iter().nth(at % design.access_patterns.len()).unwrap();
        let rows = form::rows(&design, &pattern.operation);
        let mut slots = vec![Slot::Name, Slot::Kind, Slot::Rate];
        slots.extend(rows.iter().map(|row| row.slot));
        let slot = slots[field % slots.len()];
        let mut next = AccessPattern::clone(pattern);
        if form::write(&design, &mut next, slot, &text).is_ok() {
            let edit = PatternEdit::Update { id: *id, pattern: Box::new(next), field: "x".into() };
            if let Ok(after) = apply(&design, Command::Pattern(edit)) {
                prop_assert_eq!(validate_invariants(&after), []);
            }
        }
    }
}
