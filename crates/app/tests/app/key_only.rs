//! Switching attributes between stored and key-only, and what follows in the table and in other commands.

use keyfold_app::announcement::announcement;
use keyfold_app::grid::cells::{Cells, locked};
use keyfold_app::grid::paste::paste;
use keyfold_app::grid::presence::presence;
use keyfold_app::grid::{Sheet, SheetOptions, copy};
use keyfold_app::{Command, apply, fixes};
use keyfold_core::engine::{materialize_all, view};
use keyfold_core::export::change_plan::{Version, change_plan};
use keyfold_core::lint::{Fix, lint};
use keyfold_core::model::{AttributeId, Design, EntityId, IndexId, Value, validate_invariants};
use keyfold_test_support::key_designs::{key_only, natural_keys};
use std::sync::Arc;

fn run(design: &Design, command: Command) -> Design {
    let design = apply(design, command).expect("it succeeds");
    assert_eq!(validate_invariants(&design), []);
    design
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).expect("an entity")
}

fn attribute(design: &Design, of: &str, name: &str) -> (EntityId, AttributeId) {
    let id = entity(design, of);
    let found = design.entities[&id].attribute(name).expect("an attribute");
    (id, found.id)
}

/// The table as the page shows it.
fn sheet(design: &Design) -> (Sheet, Vec<String>) {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    let view = Arc::new(view(design, IndexId::PRIMARY, &items));
    let columns = view.columns.iter().map(|c| c.name.clone()).collect();
    (Sheet::new(view, &SheetOptions::default()), columns)
}

#[test]
fn an_attribute_is_switched_and_back() {
    let design = key_only();
    let (id, author) = attribute(&design, "Message", "author");
    let switch = Command::SetKeyOnly(id, author, true);
    assert_eq!(switch.label(), "make attribute key-only");
    let switched = run(&design, switch.clone());
    let said = announcement(&switched, &switch);
    assert_eq!(said.as_deref(), Some("author is key-only"));
    let item = materialize_all(&switched)[&id]
        .iter()
        .next()
        .expect("an item");
    assert_eq!(
        (item.get("author"), item.get("GSI1PK").is_some()),
        (None, true)
    );
    assert_eq!(item.sample().values["author"], Value::from("ada"));
    let back = Command::SetKeyOnly(id, author, false);
    assert_eq!(back.label(), "store attribute");
    assert_eq!(run(&switched, back), design);
    let gone = Command::SetKeyOnly(id, AttributeId(999), true);
    assert!(apply(&design, gone).is_err());
}

#[test]
fn a_fix_stores_the_attribute_whose_value_is_lost() {
    let design = key_only();
    let (id, email) = attribute(&design, "Message", "email");
    let is_it = |fix: &Fix| *fix == Fix::Store(id, email);
    let findings = lint(&design).findings;
    let fix = findings.iter().find_map(|f| f.fix.clone().filter(is_it));
    let fix = fix.expect("a fix");
    assert_eq!(
        fixes::repair_label(&design, &fix).as_deref(),
        Some("Store `email`")
    );
    let fixed = run(&design, fixes::command(fix));
    assert!(!fixed.entities[&id].is_key_only("email"));
    assert!(!lint(&fixed).findings.iter().any(|f| f.code == "K018"));
}

#[test]
fn a_renamed_key_only_attribute_stays_in_its_templates_and_samples() {
    let design = key_only();
    let (id, room) = attribute(&design, "Room", "roomId");
    let mut renamed = design.entities[&id]
        .attribute("roomId")
        .expect("one")
        .clone();
    assert_eq!(renamed.id, room);
    renamed.name = "chatId".into();
    let command = Command::UpdateAttribute {
        entity: id,
        attribute: Box::new(renamed),
        field: "name",
    };
    let after = run(&design, command);
    let entity = &after.entities[&id];
    assert!(entity.is_key_only("chatId"));
    assert_eq!(
        entity.keys[&IndexId::PRIMARY].partition.as_deref(),
        Some("ROOM#{chatId}")
    );
    let keys = |design: &Design| -> Vec<String> {
        let items = materialize_all(design);
        items[&id]
            .iter()
            .map(|i| i.get("PK").expect("a key").to_text())
            .collect()
    };
    assert_eq!(keys(&after), keys(&design));
}

#[test]
fn the_table_shows_and_edits_key_only_values() {
    let design = key_only();
    let (sheet, columns) = sheet(&design);
    let cells = Cells::new(&design, &sheet, &columns);
    let column = columns
        .iter()
        .position(|name| name == "sentAt")
        .expect("a column");
    let line = (0..sheet.len()).find(|line| cells.text(*line, column).ends_with("05Z"));
    let line = line.expect("the second message");
    let (id, sample) = cells.row(line).expect("a row");
    assert_eq!(locked(&design, id, "sentAt"), None);
    let item = cells.item(line).expect("an item");
    // The item lacks `email`, not what only its keys hold.
    let gsi1 = design.index_named("GSI1").expect("an index");
    let of_gsi1 = presence(&design, &item)
        .into_iter()
        .find(|p| p.index == gsi1);
    assert_eq!(
        of_gsi1.and_then(|p| p.absent).as_deref(),
        Some("`email` is missing")
    );
    let edited = run(
        &design,
        Command::SetValue {
            entity: id,
            sample,
            attribute: "sentAt".into(),
            value: Some(Value::from("2026-05-05T00:00:00Z")),
        },
    );
    let item = materialize_all(&edited)[&id]
        .iter()
        .nth(1)
        .expect("an item");
    let key = item.get("SK").expect("a key").to_text();
    assert_eq!(key, "MSG#2026-05-05T00:00:00Z#0012#false");
}

#[test]
fn a_copied_item_is_pasted_with_the_values_of_its_keys() {
    let design = key_only();
    let (sheet, columns) = sheet(&design);
    let cells = Cells::new(&design, &sheet, &columns);
    let id = entity(&design, "Message");
    let column = columns
        .iter()
        .position(|name| name == "text")
        .expect("a column");
    let line = (0..sheet.len()).find(|line| cells.text(*line, column) == "Hi");
    let line = line.expect("the first message");
    let text = copy::json(&cells, &[line]);
    assert!(!text.contains("\"roomId\""), "{text}");
    let area = keyfold_app::grid::cells::Area {
        lines: vec![line],
        columns: 0..columns.len(),
        whole: true,
    };
    let done = paste(&cells, &area, None, &text, None).expect("items");
    let [(entity, values)] = &done.edits.added[..] else {
        panic!("{done:?}");
    };
    let mut expected = cells.item(line).expect("an item").sample().values.clone();
    // `{email:lower}` is not the whole value.
    expected.remove("email");
    assert_eq!((*entity, values), (id, &expected));
}

#[test]
fn the_change_plan_says_what_happens_to_stored_items() {
    let design = natural_keys();
    let (id, email) = attribute(&design, "Payment", "status");
    let after = run(&design, Command::SetKeyOnly(id, email, true));
    let kinds = |old: &Design, new: &Design| -> Vec<String> {
        let plan = change_plan(
            &Version::of_design(old.clone()),
            &Version::of_design(new.clone()),
        );
        plan.data
            .iter()
            .map(|change| format!("{:?}", change.kind))
            .collect()
    };
    assert_eq!(kinds(&design, &after), ["KeyOnly"]);
    assert_eq!(kinds(&after, &design), ["Store"]);
}
