//! What was found is changed before it becomes a design; nothing imported changes.

use super::import;
use super::inferred::{TABLE, described, item, items, line};
use keyfold_core::export::{Format, samples};
use keyfold_core::import::report::{Change, Edit, EntityReport, Report};
use keyfold_core::library;
use keyfold_core::model::{Design, validate_invariants};
use keyfold_core::persist::to_json;
use keyfold_import::review::Review;
use keyfold_import::{Import, ItemValues, combine, read};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::fmt::Write as _;

/// The items of each table of an import.
fn imported(import: &Import) -> Vec<Vec<ItemValues>> {
    let designs = import.designs.iter().map(items);
    let tables = import.tables.iter();
    let tables = tables.map(|table| table.items.iter().map(|item| item.values.clone()).collect());
    designs.chain(tables).map(sorted).collect()
}

fn sorted(mut items: Vec<ItemValues>) -> Vec<ItemValues> {
    items.sort();
    items
}

/// Checks what holds whatever is edited.
fn assert_whole(review: &Review, wanted: &[Vec<ItemValues>]) {
    let report = review.report();
    let text = serde_json::to_string(&report).expect("JSON");
    assert_eq!(
        serde_json::from_str::<Report>(&text).expect("a report"),
        report
    );
    assert_eq!(report.tables.len(), wanted.len());
    for ((design, table), wanted) in review.designs().zip(&report.tables).zip(wanted) {
        assert_eq!(validate_invariants(design), []);
        assert_eq!(
            &sorted(items(design)),
            wanted,
            "the engine gives back every item"
        );
        let of_entities: usize = table.entities.iter().map(|entity| entity.items).sum();
        assert_eq!(of_entities, wanted.len());
        let mut ids: Vec<u32> = table.entities.iter().map(|entity| entity.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), table.entities.len(), "an id is given once");
        let names: Vec<&str> = table
            .entities
            .iter()
            .map(|entity| entity.name.as_str())
            .collect();
        let in_design = design.entities.values().map(|entity| entity.name.as_str());
        assert_eq!(names, in_design.collect::<Vec<_>>());
        for entity in &table.entities {
            assert!(
                entity
                    .explained
                    .is_none_or(|explained| explained <= entity.items)
            );
        }
    }
}

fn in_first(change: Change) -> Edit {
    Edit { table: 0, change }
}

fn entity(report: &Report, name: &str) -> EntityReport {
    let entities = &report.tables[0].entities;
    let found = entities.iter().find(|entity| entity.name == name);
    found
        .unwrap_or_else(|| panic!("{name} among {entities:#?}"))
        .clone()
}

/// Edits that each entity of the first table offers.
fn offered(report: &Report) -> Vec<Change> {
    let mut changes = Vec::new();
    let entities = &report.tables[0].entities;
    let mergeable: Vec<u32> = (entities.iter().filter(|entity| entity.can_merge))
        .map(|entity| entity.id)
        .collect();
    for pair in mergeable.windows(2) {
        changes.push(Change::Merge {
            entities: pair.to_vec(),
        });
    }
    for one in entities {
        let entity = one.id;
        changes.push(Change::Rename {
            entity,
            name: format!("{} renamed", one.name),
        });
        if one.can_split {
            let by = one.split_by.iter().cloned().map(Some);
            changes.extend(by.chain([None]).map(|by| Change::Split { entity, by }));
        }
        for template in &one.templates {
            let with = |template: Option<String>| Change::SetTemplate {
                entity,
                key: one.templates[0].key.clone(),
                template,
            };
            changes.extend([with(None), with(Some(template.template.clone()))]);
        }
        for key in &one.free_keys {
            changes.push(Change::SetTemplate {
                entity,
                key: key.key.clone(),
                template: Some("{value}".to_owned()),
            });
        }
    }
    changes
}

/// Makes each edit that is offered, and takes it back.
fn assert_edits_keep_items(import: Import) {
    let wanted = imported(&import);
    let mut review = Review::new(import).expect("tables");
    assert_whole(&review, &wanted);
    let report = review.report();
    let designs: Vec<Design> = review.designs().cloned().collect();
    for change in offered(&report) {
        let shown = format!("{change:?}");
        match review.edit(&in_first(change)) {
            Ok(after) => {
                assert!(after.can_undo);
                assert_whole(&review, &wanted);
                let undone = review.undo();
                assert_eq!(undone, report, "{shown}");
                assert_eq!(
                    review.designs().cloned().collect::<Vec<_>>(),
                    designs,
                    "{shown}"
                );
            }
            Err(why) => {
                assert!(!why.is_empty());
                assert_eq!(review.report(), report, "{shown}");
            }
        }
    }
}

#[test]
fn edits_of_what_was_found_keep_the_items_of_the_library() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        assert_edits_keep_items(import("items.json", &samples::dynamodb_json(&design, None)));
    }
}

#[test]
fn edits_of_entities_of_files_keep_the_items_of_the_library() {
    for pattern in library::patterns() {
        let design = pattern.design().expect("a design");
        assert_edits_keep_items(import("design.json", &to_json(&design)));
    }
}

#[test]
fn entities_of_other_tools_are_edited() {
    let pattern = library::patterns()
        .iter()
        .find(|pattern| pattern.name == "saas-multi-tenant");
    let design = pattern.expect("a pattern").design().expect("a design");
    for format in ["electrodb", "onetable"] {
        let file = &Format::named(format).expect("a format").files(&design)[0];
        assert_edits_keep_items(import(&file.name, &file.code.text));
    }
}

/// A change of what a report says, with its name.
type Named<'c> = (&'c str, &'c dyn Fn(&Report) -> Change);

/// Makes edits one by one, and tells the report and the design after each, or why it was refused.
fn told(review: &mut Review, edits: &[Named]) -> String {
    let wanted: Vec<Vec<ItemValues>> = review
        .designs()
        .map(|design| sorted(items(design)))
        .collect();
    let mut text = String::new();
    for (name, change) in edits {
        let _ = writeln!(text, "\n# {name}");
        let edit = in_first(change(&review.report()));
        let json = serde_json::to_string(&edit).expect("JSON");
        let _ = writeln!(text, "{json}");
        assert_eq!(serde_json::from_str::<Edit>(&json).expect("an edit"), edit);
        match review.edit(&edit) {
            Ok(report) => {
                assert_whole(review, &wanted);
                for entity in &report.tables[0].entities {
                    let _ = writeln!(
                        text,
                        "{} {}: {} items, {:?} explained, {} outside",
                        entity.id, entity.name, entity.items, entity.explained, entity.outside
                    );
                    for template in &entity.templates {
                        let _ = writeln!(
                            text,
                            "  {} = {}: {} of {}",
                            template.key,
                            template.template,
                            template.explained,
                            template.explained + template.misfits
                        );
                        for key in &template.unexplained {
                            let _ = writeln!(text, "    not {key}");
                        }
                    }
                }
                for note in &report.tables[0].notes {
                    let _ = writeln!(text, "note: {note}");
                }
            }
            Err(why) => {
                let _ = writeln!(text, "refused: {why}");
            }
        }
    }
    let design = review.design(0).expect("a table");
    text + "\n# The design\n" + &described(design)
}

const SHOP: &str = r#"[
  { "pk": "USER#u1", "sk": "PROFILE", "kind": "User", "userId": "u1", "name": "Ada" },
  { "pk": "USER#u2", "sk": "PROFILE", "kind": "User", "userId": "u2", "name": "Bob" },
  { "pk": "USER#u1", "sk": "ORDER#2026-03-01#o1", "kind": "Order", "userId": "u1", "total": 12, "status": "open" },
  { "pk": "USER#u1", "sk": "ORDER#2026-03-04#o2", "kind": "Order", "userId": "u1", "total": 7.5, "status": "paid" },
  { "pk": "USER#u2", "sk": "ORDER#2026-03-09#o3", "kind": "Order", "userId": "u2", "total": 3, "status": "open" },
  { "pk": "USER#u2", "sk": "ORDER#2026-03-10#o4", "kind": "Order", "userId": "u2", "total": 3, "status": "paid" }
]"#;

#[test]
fn a_review_reports_everything_that_a_dialog_needs() {
    let review = Review::new(import("items.json", SHOP)).expect("a table");
    let report = serde_json::to_string_pretty(&review.report()).expect("JSON");
    insta::assert_snapshot!(report);
}

#[test]
fn a_person_changes_what_was_found() {
    let mut review = Review::new(import("items.json", SHOP)).expect("a table");
    let id = |report: &Report, name: &str| entity(report, name).id;
    let set =
        |report: &Report, name: &str, key: &str, template: Option<&str>| Change::SetTemplate {
            entity: id(report, name),
            key: key.to_owned(),
            template: template.map(str::to_owned),
        };
    let text = told(
        &mut review,
        &[
            ("no such entity", &|_| Change::Rename {
                entity: 99,
                name: "X".to_owned(),
            }),
            ("another name", &|report| Change::Rename {
                entity: id(report, "User"),
                name: "Member".to_owned(),
            }),
            ("a wrong attribute", &|report| {
                set(report, "Order", "sk", Some("ORDER#{orderDat:lower}"))
            }),
            ("a narrow template", &|report| {
                set(report, "Order", "sk", Some("ORDER#2026-03-0{rest}"))
            }),
            ("another template", &|report| {
                set(report, "Order", "sk", Some("ORDER#{placedOn}#{number}"))
            }),
            ("split", &|report| Change::Split {
                entity: id(report, "Order"),
                by: Some("status".to_owned()),
            }),
            ("merge", &|report| {
                let entities = report.tables[0].entities.iter().map(|entity| entity.id);
                Change::Merge {
                    entities: entities.collect(),
                }
            }),
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn a_person_changes_entities_of_a_file() {
    let pattern = library::patterns()
        .iter()
        .find(|pattern| pattern.name == "saas-multi-tenant");
    let design = pattern.expect("a pattern").design().expect("a design");
    let name = design
        .entities
        .values()
        .next()
        .expect("an entity")
        .name
        .clone();
    let mut review = Review::new(import("design.json", &to_json(&design))).expect("a design");
    let id = |report: &Report| report.tables[0].entities[0].id;
    let set = |report: &Report, key: &str, template: Option<&str>| Change::SetTemplate {
        entity: id(report),
        key: key.to_owned(),
        template: template.map(str::to_owned),
    };
    let own = entity(&review.report(), &name).templates[0]
        .template
        .clone();
    let text = told(
        &mut review,
        &[
            ("merge", &|report| Change::Merge {
                entities: vec![id(report), 2],
            }),
            ("split", &|report| Change::Split {
                entity: id(report),
                by: None,
            }),
            ("a template that changes items", &|report| {
                set(report, "PK", Some("T#{tenantId}"))
            }),
            ("an unknown attribute", &|report| {
                set(report, "PK", Some("TENANT#{tenant}"))
            }),
            ("no template", &|report| set(report, "PK", None)),
            ("the same template again", &|report| {
                set(report, "PK", Some(&own))
            }),
            ("another name", &|report| Change::Rename {
                entity: id(report),
                name: "Customer".to_owned(),
            }),
        ],
    );
    insta::assert_snapshot!(text);
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let mut review = Review::new(import("items.json", SHOP)).expect("a table");
    let before = review.report();
    let rename = Change::Rename {
        entity: 1,
        name: "X".to_owned(),
    };
    assert!(
        review
            .edit(&Edit {
                table: 7,
                change: rename
            })
            .is_err()
    );
    assert_eq!(review.undo(), before);
    assert!(review.design(7).is_none());
    assert_eq!(
        Review::new(Import::default()).err().as_deref(),
        Some("no table was found. ")
    );
}

/// A change with numbers in place of ids.
fn any_change() -> impl Strategy<Value = Change> {
    let id = || 1u32..7;
    let texts = [
        "",
        "A",
        "Other",
        "{id}",
        "{userId}#{x}",
        "USER#{id}",
        "{",
        "#{a}",
        "{type}",
    ];
    let text = || prop::sample::select(texts.to_vec()).prop_map(str::to_owned);
    let key = prop::sample::select(vec!["PK", "SK", "GSI1PK", "GSI1SK", "id"]);
    let by = prop::option::of(prop::sample::select(vec!["id", "status", "type"]));
    prop_oneof![
        (id(), text()).prop_map(|(entity, name)| Change::Rename { entity, name }),
        prop::collection::vec(id(), 1..4).prop_map(|entities| Change::Merge { entities }),
        (id(), by).prop_map(|(entity, by)| Change::Split {
            entity,
            by: by.map(str::to_owned)
        }),
        (id(), key, prop::option::of(text())).prop_map(|(entity, key, template)| {
            Change::SetTemplate {
                entity,
                key: key.to_owned(),
                template,
            }
        }),
    ]
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn edits_change_no_item(
        items in prop::collection::vec(item(), 1..15),
        changes in prop::collection::vec(prop::option::weighted(0.9, any_change()), 1..8),
    ) {
        let lines: String = items.iter().map(line).collect();
        let table = read("table.json", TABLE.as_bytes(), None).expect("a table");
        let read = read("items.json", lines.as_bytes(), None).expect("items");
        let import = combine(vec![("table.json".into(), table), ("items.json".into(), read)]);
        let wanted = imported(&import);
        let mut review = Review::new(import).expect("a table");
        let found = review.report();
        for change in changes {
            match change {
                Some(change) => drop(review.edit(&in_first(change))),
                None => drop(review.undo()),
            }
            assert_whole(&review, &wanted);
        }
        while review.report().can_undo {
            review.undo();
        }
        prop_assert_eq!(review.report(), found);
    }
}
