//! Copy, paste, fill and clear; column layout; presence, size and cost of an item.

use keyfold_app::grid::cells::{Area, Cells, locked, say_undeclared, value_now};
use keyfold_app::grid::column_order::ColumnOrder;
use keyfold_app::grid::copy::Copied;
use keyfold_app::grid::find::CellSearch;
use keyfold_app::grid::paste::{PasteResult, paste};
use keyfold_app::grid::presence::{item_cost, presence};
use keyfold_app::grid::{Sheet, SheetOptions, SortBy, copy, fill, large_values};
use keyfold_app::suggest::successor;
use keyfold_app::{Command, SampleEdits, ValueEdit, apply};
use keyfold_core::engine::{materialize_all, view};
use keyfold_core::library;
use keyfold_core::model::{
    AttributeType, Design, EntityId, IndexId, KeyPart, Projection, SampleId, SortedSet, Value,
    validate_invariants,
};
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

/// A design and one of its views, with all columns in natural order.
struct Table {
    design: Design,
    sheet: Sheet,
    columns: Vec<String>,
}

impl Table {
    fn new(design: Design, index: IndexId, shown: &SheetOptions) -> Table {
        let items: Vec<_> = materialize_all(&design).into_values().collect();
        let view = Arc::new(view(&design, index, &items));
        Table {
            columns: view.columns.iter().map(|c| c.name.clone()).collect(),
            sheet: Sheet::new(view, shown),
            design,
        }
    }

    fn of(name: &str) -> Table {
        let pattern = library::patterns().iter().find(|p| p.name == name).unwrap();
        let design = pattern.design().unwrap();
        Table::new(design, IndexId::PRIMARY, &SheetOptions::default())
    }

    fn cells(&self) -> Cells<'_> {
        Cells::new(&self.design, &self.sheet, &self.columns)
    }

    fn column(&self, name: &str) -> usize {
        self.columns.iter().position(|c| c == name).unwrap()
    }

    fn line(&self, column: &str, text: &str) -> usize {
        let at = self.column(column);
        let lines = 0..self.sheet.len();
        let mut lines = lines.filter(|line| self.cells().text(*line, at) == text);
        lines.next().unwrap()
    }

    /// Returns an area of cells, starting at this line and column.
    fn area(&self, line: usize, column: &str, height: usize, width: usize) -> Area {
        let at = self.column(column);
        Area {
            lines: (line..line + height).collect(),
            columns: at..at + width,
            whole: false,
        }
    }

    fn rows(&self, lines: &[usize]) -> Area {
        Area {
            lines: lines.to_vec(),
            columns: 0..self.columns.len(),
            whole: true,
        }
    }

    /// The table after a sample got these values.
    fn with_values(
        &self,
        (entity, sample): (EntityId, SampleId),
        values: &[(&str, Value)],
    ) -> Table {
        let edit = |(attribute, value): &(&str, Value)| ValueEdit {
            entity,
            sample,
            attribute: (*attribute).into(),
            value: Some(value.clone()),
        };
        self.after(SampleEdits {
            values: values.iter().map(edit).collect(),
            ..SampleEdits::default()
        })
    }

    fn after(&self, edits: SampleEdits) -> Table {
        let design = apply(&self.design, Command::EditSamples(Box::new(edits))).unwrap();
        assert_eq!(validate_invariants(&design), []);
        Table::new(design, self.sheet.view().index, &SheetOptions::default())
    }

    fn entity(&self, name: &str) -> EntityId {
        self.design.entity_named(name).unwrap()
    }

    fn value(&self, sample: SampleId, name: &str) -> String {
        let samples = self.design.samples.values().flat_map(|s| s.iter());
        let mut found = samples.filter(|s| s.id == sample);
        let value = found.next().unwrap().values.get(name).cloned();
        value.map(|v| v.to_text()).unwrap_or_default()
    }

    fn id(&self, line: usize) -> SampleId {
        self.sheet.item(line).unwrap().id()
    }
}

const SAAS: &str = "saas-multi-tenant";

/// The first GSI of the design, with only its keys projected.
fn keys_only() -> Table {
    let mut design = Table::of(SAAS).design;
    let index = design.index_named("GSI1").unwrap();
    let gsi = design.indexes.get_mut(&index).unwrap();
    Arc::make_mut(gsi).projection = Projection::KeysOnly;
    Table::new(design, index, &SheetOptions::default())
}

fn copied_text(cells: &Cells, area: &Area) -> String {
    Copied::new(cells, area).text
}

fn paste_at(table: &Table, area: &Area, text: &str) -> PasteResult {
    let user = table.entity("User");
    paste(&table.cells(), area, Some(user), text, None).unwrap()
}

#[test]
fn cells_are_copied_as_tab_separated_text() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let cells = table.cells();
    let one = table.area(line, "email", 1, 1);
    assert_eq!(copied_text(&cells, &one), "alice@acme.com");
    let name = table.column("email");
    let two = Area {
        lines: vec![line, line + 1],
        columns: name..name + 2,
        whole: false,
    };
    let expected = format!(
        "{}\t{}\n{}\t{}",
        cells.text(line, name),
        cells.text(line, name + 1),
        cells.text(line + 1, name),
        cells.text(line + 1, name + 1)
    );
    assert_eq!(copied_text(&cells, &two), expected);
    let csv = copy::csv(&cells, &two);
    let heading = format!("{},{}\r\n", table.columns[name], table.columns[name + 1]);
    assert!(csv.starts_with(&heading), "{csv}");
    assert_eq!(csv.matches("\r\n").count(), 3);
    let whole = copied_text(&cells, &table.rows(&[line]));
    assert_eq!(whole.lines().next().unwrap(), table.columns.join("\t"));
}

#[test]
fn empty_cells_at_the_end_are_copied_and_clear_cells() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let bob = table.area(line + 1, "email", 1, 1);
    let without = table.after(fill::clear(&table.cells(), &bob).edits);
    let column = table.area(line, "email", 2, 1);
    let copied = copied_text(&without.cells(), &column);
    assert_eq!(copied, "alice@acme.com\n\n");
    let after = table.after(paste_at(&table, &column, &copied).edits);
    assert_eq!(after.value(table.id(line), "email"), "alice@acme.com");
    assert_eq!(after.value(table.id(line + 1), "email"), "");
    let one = copied_text(&without.cells(), &bob);
    let after = table.after(paste_at(&table, &bob, &one).edits);
    assert_eq!(after.value(table.id(line + 1), "email"), "");
}

#[test]
fn one_copied_cell_pastes_as_one_cell_even_if_it_reads_as_items() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    for text in [
        r#"[{"sku":"A","qty":1}]"#,
        r#"{"sku":{"S":"A"}}"#,
        "[{}]",
        "[1]\n\n[2]",
    ] {
        let at = table.area(line, "email", 1, 1);
        let change = fill::clear(&table.cells(), &at);
        let mut edits = change.edits;
        edits.values[0].value = Some(text.into());
        let with = table.after(edits);
        let copied = copied_text(&with.cells(), &at);
        let below = table.area(line + 1, "email", 1, 1);
        let pasted = paste_at(&with, &below, &copied);
        assert_eq!((pasted.cells, pasted.edits.added.len()), (1, 0), "{text}");
        let after = with.after(pasted.edits);
        assert_eq!(after.value(table.id(line + 1), "email"), text);
    }
}

#[test]
fn a_copy_of_rows_lacks_hidden_and_unprojected_attributes() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    assert_eq!(copy::left_out(&table.cells(), &[line]), None);
    let visible: Vec<String> = (table.columns.iter())
        .filter(|name| *name != "email")
        .cloned()
        .collect();
    let cells = Cells {
        columns: &visible,
        ..table.cells()
    };
    assert_eq!(copy::left_out(&cells, &[line]).as_deref(), Some("email"));
    let keys_only = keys_only();
    // The page shows columns that the index does not project, too.
    let cells = Cells {
        columns: &table.columns,
        ..keys_only.cells()
    };
    assert!(copy::left_out(&cells, &[0]).is_some());
}

#[test]
fn items_are_copied_as_dynamodb_json_with_projected_attributes() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let json: serde_json::Value =
        serde_json::from_str(&copy::json(&table.cells(), &[line])).unwrap();
    assert_eq!(json["email"]["S"], "alice@acme.com");
    assert_eq!(json["sk"]["S"], "USER#u_01");
    let two: serde_json::Value =
        serde_json::from_str(&copy::json(&table.cells(), &[line, line + 1])).unwrap();
    assert_eq!(two.as_array().unwrap().len(), 2);
    assert_eq!(two[0], json);
}

#[test]
fn copied_rows_paste_as_the_same_rows() {
    for pattern in library::patterns() {
        let table = Table::of(pattern.name);
        let lines: Vec<usize> = (0..table.sheet.rows()).collect();
        let cells = table.cells();
        for text in [
            copied_text(&cells, &table.rows(&lines)),
            copy::json(&cells, &lines),
        ] {
            let entity = table.design.entities.keys().next().copied();
            let pasted = paste(&cells, &table.rows(&[0]), entity, &text, None).unwrap();
            assert_eq!(pasted.skipped, [], "{}", pattern.name);
            let samples = table.design.samples.iter();
            let gone = samples.map(|(id, all)| (*id, all.iter().map(|s| s.id).collect()));
            let gone = Command::DeleteSamples(gone.collect());
            let design = apply(&table.design, gone).unwrap();
            let empty = Table::new(design, IndexId::PRIMARY, &SheetOptions::default());
            if table.design.table.type_attribute.is_none() {
                continue;
            }
            let again = empty.after(pasted.edits);
            assert_eq!(again.columns, table.columns, "{}", pattern.name);
            let all = |table: &Table| copy::csv(&table.cells(), &table.rows(&lines));
            assert_eq!(all(&again), all(&table), "{}", pattern.name);
        }
    }
}

#[test]
fn copied_rows_paste_as_rows_of_their_entities_without_a_type_attribute() {
    for pattern in library::patterns() {
        let mut design = pattern.design().unwrap();
        Arc::make_mut(&mut design.table).type_attribute = None;
        let table = Table::new(design, IndexId::PRIMARY, &SheetOptions::default());
        let lines: Vec<usize> = (0..table.sheet.rows()).collect();
        let expected: Vec<EntityId> = (lines.iter())
            .map(|line| table.cells().row(*line).unwrap().0)
            .collect();
        let cells = table.cells();
        for text in [
            copied_text(&cells, &table.rows(&lines)),
            copy::json(&cells, &lines),
        ] {
            let pasted = paste(&cells, &table.rows(&[0]), None, &text, None).unwrap();
            assert_eq!(pasted.skipped, [], "{}", pattern.name);
            let added = pasted.edits.added.iter().map(|(entity, _)| *entity);
            assert_eq!(added.collect::<Vec<_>>(), expected, "{}", pattern.name);
        }
    }
}

#[test]
fn rows_of_an_unknown_entity_are_not_pasted_as_another_one() {
    let table = Table::of(SAAS);
    let at = table.area(table.line("sk", "USER#u_01"), "email", 1, 1);
    let invoice = r#"{"pk": {"S": "INV#1"}, "sk": {"S": "INV#1"}, "invoiceId": {"S": "1"}"#;
    for (text, why) in [
        (
            format!(r#"{invoice}, "type": {{"S": "Invoice"}}}}"#),
            "item 1: `type` is `Invoice`, but no entity has this name; no entity's templates",
        ),
        (
            format!("{invoice}}}"),
            "item 1: no entity's templates render its key: `pk` = `INV#1`",
        ),
        (
            "email\ttype\na@b.c\tInvoice\n".into(),
            "row 2: `type` is `Invoice`, but no entity has this name",
        ),
        (
            "pk\tsk\temail\nINV#1\tINV#1\ta@b.c\n".into(),
            "row 2: no entity's templates render its key: `pk` = `INV#1`",
        ),
    ] {
        let pasted = paste_at(&table, &at, &text);
        assert_eq!(pasted.edits.added, [], "{text}");
        let said = pasted.summary();
        assert!(said.contains(why), "{said}");
    }
    // Without a type and keys it is a row of the active entity.
    let pasted = paste_at(&table, &at, r#"{"invoiceId": {"S": "1"}}"#);
    assert_eq!(
        pasted.summary(),
        "Pasted: added 1 row. Some rows belong to entities without `invoiceId`."
    );
}

#[test]
fn items_pasted_into_an_index_keep_attributes_that_it_does_not_project() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let text = copy::json(&table.cells(), &[line]);
    let expected = table.sheet.item(line).unwrap().sample().values.clone();
    let keys_only = keys_only();
    let pasted = paste_at(&keys_only, &keys_only.rows(&[0]), &text);
    assert_eq!(pasted.edits.added, [(table.entity("User"), expected)]);
    let rows = paste_at(
        &keys_only,
        &keys_only.rows(&[0]),
        "userId\temail\nu_9\ta@b.c",
    );
    assert_eq!((rows.locked, rows.edits.added[0].1.len()), (0, 2));
}

#[test]
fn an_item_with_a_name_that_is_not_allowed_is_skipped_alone() {
    let table = Table::of(SAAS);
    let text = r#"{"userId": {"S": "u_8"}, "aws:rep:updatetime": {"N": "1"}}
        {"userId": {"S": "u_9"}}"#;
    let pasted = paste_at(&table, &table.area(0, "pk", 1, 1), text);
    assert_eq!(pasted.edits.added.len(), 1);
    assert_eq!(pasted.skipped[0].place, "item 1");
    table.after(pasted.edits);
}

#[test]
fn lines_that_begin_with_a_bracket_are_cells() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let at = table.area(line, "email", 1, 1);
    for (text, cells) in [
        ("[urgent] call Ann\n[done] mail Bob", 2),
        ("[ ] call Ann\n[x] mail Bob", 2),
        ("[1,2]\n\n[3]", 3),
    ] {
        let pasted = paste_at(&table, &at, text);
        assert_eq!(
            (pasted.cells, pasted.edits.added.len()),
            (cells, 0),
            "{text}"
        );
        let after = table.after(pasted.edits);
        let first = text.lines().next().unwrap();
        assert_eq!(after.value(table.id(line), "email"), first);
    }
}

#[test]
fn pasting_text_fills_cells_and_reports_skipped_values() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "#SUBSCRIPTION");
    let at = table.area(line, "seats", 1, 1);
    let pasted = paste_at(&table, &at, "25");
    assert_eq!((pasted.cells, pasted.locked), (1, 0));
    assert_eq!(pasted.summary(), "Pasted: filled 1 cell.");
    let after = table.after(pasted.edits);
    assert_eq!(after.value(table.id(line), "seats"), "25");

    let wrong = paste_at(&table, &at, "many");
    assert!(wrong.edits.is_empty());
    assert_eq!(wrong.skipped.len(), 1);
    assert_eq!(wrong.skipped[0].place, "row 1, `seats`");
    assert!(wrong.summary().starts_with("Nothing was pasted."));

    // A row whose entity lacks the attribute gets it too, as in DynamoDB, with a message.
    let user = table.line("sk", "USER#u_01");
    let foreign = paste_at(&table, &table.area(user, "seats", 1, 1), "25");
    let said = "Pasted: filled 1 cell. Some rows belong to entities without `seats`.";
    assert_eq!(foreign.summary(), said);
    let table = table.after(foreign.edits);
    let again = paste_at(&table, &table.area(user, "seats", 1, 1), "26");
    assert_eq!(
        again.summary(),
        "Pasted: filled 1 cell.",
        "it has the attribute now"
    );

    // Rendered keys are skipped and counted.
    let line = table.line("sk", "USER#u_01");
    let keys = paste_at(&table, &table.area(line, "pk", 1, 1), "a\tb\tc");
    assert!(keys.locked >= 2, "{keys:?}");
    // An empty field clears the cell.
    let empty = paste_at(&table, &table.area(line, "email", 2, 1), "\n\n");
    let after = table.after(empty.edits);
    assert_eq!(after.value(table.id(line), "email"), "");
}

#[test]
fn pasting_repeats_a_value_or_block_to_fill_the_selection() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let users = table.design.samples_of(table.entity("User")).len();
    assert!(users >= 2);
    let same = paste_at(&table, &table.area(line, "email", 2, 1), "x@y.z");
    assert_eq!((same.cells, same.filled.len()), (2, 2));
    let after = table.after(same.edits);
    for at in [line, line + 1] {
        assert_eq!(after.value(table.id(at), "email"), "x@y.z");
    }
    let block = paste_at(&table, &table.area(0, "email", 4, 1), "1\n2");
    let filled: Vec<&SampleId> = block.filled.iter().collect();
    assert_eq!(filled.len(), 4);
    let not = paste_at(&table, &table.area(0, "email", 3, 1), "1\n2");
    assert_eq!(not.filled.len(), 2, "three rows are not a multiple of two");
}

#[test]
fn a_shorter_row_leaves_the_cells_that_it_does_not_have() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let next = &table.columns[table.column("email") + 1];
    let before = table.value(table.id(line + 1), next);
    assert_ne!(before, "");
    let pasted = paste_at(
        &table,
        &table.area(line, "email", 1, 1),
        "a@y.z\tAda\nb@y.z",
    );
    assert_eq!(pasted.cells, 3);
    let after = table.after(pasted.edits);
    assert_eq!(after.value(table.id(line), next), "Ada");
    assert_eq!(after.value(table.id(line + 1), "email"), "b@y.z");
    assert_eq!(after.value(table.id(line + 1), next), before);
    // An empty line between two rows fills nothing; an empty field clears its cell.
    let blank = paste_at(&table, &table.area(line, "email", 1, 1), "\nb@y.z\t");
    let after = table.after(blank.edits);
    assert_eq!(after.value(table.id(line), "email"), "alice@acme.com");
    assert_eq!(after.value(table.id(line + 1), next), "");
}

#[test]
fn pasting_beyond_the_last_line_adds_rows() {
    let table = Table::of(SAAS);
    let last = table.sheet.last().unwrap();
    let entity = table.sheet.item(last).unwrap().entity;
    let attribute = table.design.entities[&entity].attributes[0].name.clone();
    let text: String = (0..100).map(|n| format!("value-{n}\n")).collect();
    let area = table.area(last, &attribute, 1, 1);
    let pasted = paste_at(&table, &area, &text);
    assert_eq!(pasted.edits.added.len(), 99);
    assert!((pasted.edits.added.iter()).all(|(added, _)| *added == entity));
    let before = table.design.samples_of(entity).len();
    let after = table.after(pasted.edits);
    assert_eq!(after.design.samples_of(entity).len(), before + 99);
}

#[test]
fn a_header_row_maps_columns_and_adds_rows() {
    let table = Table::of(SAAS);
    let at = table.area(0, "pk", 1, 1);
    let text = "email\tuserId\tshoe size\nnew@acme.com\tu_77\t43\nnew2@acme.com\tu_78\t44\n";
    let pasted = paste_at(&table, &at, text);
    assert_eq!(pasted.edits.values, []);
    assert_eq!(pasted.edits.added.len(), 2);
    assert_eq!(pasted.edits.added[0].0, table.entity("User"));
    assert_eq!(pasted.edits.added[1].1["userId"], "u_78".into());
    assert_eq!(
        pasted.summary(),
        "Pasted: added 2 rows. Not pasted: first row: 1 column without a matching attribute."
    );
    // A header without rows, or with other values, is plain text.
    assert_eq!(paste_at(&table, &at, "email").edits.added, []);
    let line = table.line("sk", "USER#u_01");
    let column = table.area(line, "email", 1, 1);
    assert_eq!(paste_at(&table, &column, "a@b.c\nemail").edits.added, []);
}

#[test]
fn a_single_column_that_begins_with_the_name_of_another_one_fills_cells() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let area = table.area(line, "name", 2, 1);
    let pasted = paste_at(&table, &area, "email\nAda");
    assert_eq!((pasted.cells, pasted.edits.added.len()), (2, 0));
    let after = table.after(pasted.edits);
    assert_eq!(after.value(table.id(line), "name"), "email");
    // With its own name, or into whole rows, it is a header.
    for (area, text) in [(area, "name\nAda"), (table.rows(&[line]), "email\na@b.c")] {
        let pasted = paste_at(&table, &area, text);
        assert_eq!((pasted.cells, pasted.edits.added.len()), (0, 1), "{text}");
    }
}

#[test]
fn copied_cells_are_pasted_with_their_types() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let (entity, sample) = table.cells().row(line).unwrap();
    let of = |kind, text: &str| Value::from_text(kind, text).unwrap();
    let values = [
        ("email", Value::S(String::new())),
        ("name", Value::Null),
        ("list", of(AttributeType::L, "[1]")),
        ("map", of(AttributeType::M, r#"{"a":1}"#)),
        ("score", of(AttributeType::N, "5")),
        ("true", Value::Bool(true)),
    ];
    let table = table.with_values((entity, sample), &values);
    let cells = table.cells();
    for (name, value) in &values {
        let copied = Copied::new(&cells, &table.area(line, name, 1, 1));
        let below = table.area(line + 1, name, 1, 1);
        // Some systems change the ends of lines.
        let text = copied.text.replace('\n', "\r\n");
        let pasted = paste(&cells, &below, Some(entity), &text, Some(&copied)).unwrap();
        let after = table.after(pasted.edits);
        let at = after.column(name);
        assert_eq!(
            after.cells().value(line + 1, at).as_ref(),
            Some(value),
            "{name}"
        );
    }
    // Whole rows are added with the same values.
    let row = table.rows(&[line]);
    let copied = Copied::new(&cells, &row);
    let pasted = paste(&cells, &row, Some(entity), &copied.text, Some(&copied)).unwrap();
    let [(_, added)] = &pasted.edits.added[..] else {
        panic!("{pasted:?}");
    };
    for (name, value) in &values {
        assert_eq!(added.get(name), Some(value), "{name}");
    }
    // Another text is read as such.
    let name = table.area(line + 1, "name", 1, 1);
    let other = paste(&cells, &name, Some(entity), "Ada", Some(&copied)).unwrap();
    let after = table.after(other.edits);
    assert_eq!(after.value(table.id(line + 1), "name"), "Ada");
}

#[test]
fn pasting_accepts_common_json_forms() {
    let table = Table::of(SAAS);
    let at = table.area(0, "pk", 1, 1);
    let item = r#"{"userId": {"S": "u_9"}, "sk": {"S": "USER#old"}, "email": {"S": "a@b.c"}}"#;
    for (text, rows) in [
        (item.to_owned(), 1),
        (format!("[{item}, {item}]"), 2),
        (format!("{{\"Items\": [{item}], \"Count\": 1}}"), 1),
        (format!("{{\"Item\": {item}}}\n{{\"Item\": {item}}}\n"), 2),
        (r#"[{"userId": "u_9", "email": "a@b.c"}]"#.to_owned(), 1),
    ] {
        let pasted = paste_at(&table, &at, &text);
        assert_eq!(pasted.edits.added.len(), rows, "{text}");
        assert_eq!(pasted.skipped, [], "{text}");
        let (entity, values) = &pasted.edits.added[0];
        assert_eq!(*entity, table.entity("User"));
        let names: Vec<&String> = values.keys().collect();
        assert_eq!(names, ["email", "userId"], "the key is rendered again");
    }
    let wrong = paste(&table.cells(), &at, None, "{\n\"a\": 1,\n}", None).unwrap_err();
    assert!(wrong.contains("line 3"), "{wrong}");
    // A number of plain JSON is the number that it is, or refused.
    let plain = r#"[{"plan": "pro", "seats": 1.5, "stripeId": "1.50"}]"#;
    let pasted = paste_at(&table, &at, plain);
    assert_eq!(pasted.skipped, []);
    let (_, values) = &pasted.edits.added[0];
    assert_eq!(values["seats"].to_text(), "1.5");
    let long = plain.replace("1.5,", "0.1000000000000000000001,");
    let wrong = paste(&table.cells(), &at, None, &long, None).unwrap_err();
    assert!(wrong.contains("write it as"), "{wrong}");
    // A map that is pasted is no item.
    let map = paste_at(&table, &at, r#"{"lat": 48.85, "L": 2.5}"#);
    assert_eq!(map.edits.added, []);
    let typed = r#"[{"userId": {"S": "u"}, "seats": {"N": "ten"}}]"#;
    let pasted = paste_at(&table, &at, typed);
    assert_eq!(pasted.skipped[0].place, "item 1, `seats`");
}

#[test]
fn without_a_selected_cell_only_named_rows_can_be_pasted() {
    let table = Table::of(SAAS);
    let nowhere = Area::default();
    let user = table.entity("User");
    assert!(paste(&table.cells(), &nowhere, Some(user), "a\tb", None).is_err());
    let rows = paste(&table.cells(), &nowhere, Some(user), "email\na@b.c", None).unwrap();
    assert_eq!(rows.edits.added.len(), 1);
    assert!(paste(&table.cells(), &nowhere, None, "email\na@b.c", None).is_err());
}

#[test]
fn fill_down_copies_and_fill_series_continues() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let area = table.area(line, "userId", 2, 1);
    let below = table.id(line + 1);
    let copied = table.after(fill::down(&table.cells(), &area, false).edits);
    assert_eq!(copied.value(below, "userId"), "u_01");
    let series = table.after(fill::down(&table.cells(), &area, true).edits);
    assert_eq!(series.value(below, "userId"), "u_02");
    // A single row takes the row above.
    let area = table.area(line + 1, "email", 1, 1);
    let above = table.after(fill::down(&table.cells(), &area, false).edits);
    assert_eq!(above.value(below, "email"), "alice@acme.com");
    // Keys and values that do not fit are skipped.
    let keys = fill::down(&table.cells(), &table.area(line, "pk", 2, 1), false);
    assert_eq!((keys.locked, keys.edits.is_empty()), (1, true));
    assert!(
        fill::down(&table.cells(), &table.area(0, "pk", 1, 1), false)
            .edits
            .is_empty()
    );
}

#[test]
fn a_series_continues_dates_and_numbers() {
    for (text, expected) in [
        ("2026-01-28", "2026-01-29"),
        ("2026-01-31", "2026-02-01"),
        ("2024-02-28T09:30:00Z", "2024-02-29T09:30:00Z"),
        ("2026-02-28", "2026-03-01"),
        ("2026-12-31", "2027-01-01"),
        // These are no dates: the last number counts.
        ("2026-13-01", "2026-13-02"),
        ("2026-01-0412", "2026-01-0413"),
        ("u_09", "u_10"),
    ] {
        assert_eq!(successor(&text.into()), Some(expected.into()), "{text}");
    }
    let number = |text: &str| Value::from_text(AttributeType::N, text).unwrap();
    for (text, expected) in [
        ("7", "8"),
        ("1.5", "2.5"),
        ("-0.5", "0.5"),
        ("9223372036854775807", "9223372036854775808"),
        ("12345678901234567890", "12345678901234567891"),
    ] {
        assert_eq!(successor(&number(text)), Some(number(expected)), "{text}");
    }
    assert_eq!(successor(&number("1E125")), None, "too many digits");
}

#[test]
fn filling_names_the_attributes_that_entities_do_not_declare() {
    let table = Table::of(SAAS);
    let user = table.line("sk", "USER#u_01");
    let table = table.after(paste_at(&table, &table.area(user, "seats", 1, 1), "25").edits);
    let area = table.area(user, "seats", 2, 1);
    let change = fill::down(&table.cells(), &area, false);
    assert_eq!(change.undeclared, SortedSet::from_iter(["seats".into()]));
    assert_eq!(
        say_undeclared(&change.undeclared).as_deref(),
        Some("Some rows belong to entities without `seats`")
    );
    let table = table.after(change.edits);
    let again = fill::down(&table.cells(), &table.area(user, "seats", 2, 1), true);
    assert_eq!(again.undeclared.len(), 0, "it has the attribute now");
    let declared = fill::down(&table.cells(), &table.area(user, "email", 2, 1), false);
    assert_eq!(declared.undeclared.len(), 0);
}

#[test]
fn commands_take_the_values_of_the_design_while_the_view_is_of_an_earlier_one() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let email = table.area(line, "email", 1, 1);
    let after = table.after(paste_at(&table, &email, "new@acme.com").edits);
    let stale = Cells::new(&after.design, &table.sheet, &table.columns);
    assert_eq!(copied_text(&stale, &email), "new@acme.com");
    let item = table.sheet.item(line).unwrap();
    let value = value_now(&after.design, &item, "email");
    assert_eq!(value, Some("new@acme.com".into()));
    // The key is still that of the view.
    let key = value_now(&after.design, &item, "sk");
    assert_eq!(key, Some("USER#u_01".into()));
    let two = table.area(line, "email", 2, 1);
    let filled = after.after(fill::down(&stale, &two, false).edits);
    assert_eq!(filled.value(table.id(line + 1), "email"), "new@acme.com");
    // A value as before the edit is one that changes the design.
    let user = Some(table.entity("User"));
    let back = paste(&stale, &email, user, "alice@acme.com", None).unwrap();
    let back = after.after(back.edits);
    assert_eq!(back.value(table.id(line), "email"), "alice@acme.com");
}

#[test]
fn filling_skips_values_that_do_not_fit() {
    let table = Table::of(SAAS);
    let seats = table.line("sk", "#SUBSCRIPTION");
    let mut wrong = table.design.clone();
    let sample = table.id(seats);
    let entity = table.sheet.item(seats).unwrap().entity;
    let value = Some(Value::from("many"));
    let command = Command::SetValue {
        entity,
        sample,
        attribute: "seats".into(),
        value,
    };
    wrong = apply(&wrong, command).unwrap();
    let copy = wrong.samples_of(entity)[0].values.to_map();
    wrong = apply(&wrong, Command::AddSample(entity, copy)).unwrap();
    let table = Table::new(wrong, IndexId::PRIMARY, &SheetOptions::default());
    let line = table.line("sk", "#SUBSCRIPTION");
    let change = fill::down(&table.cells(), &table.area(line, "seats", 2, 1), false);
    assert_eq!((change.mismatched, change.edits.is_empty()), (1, true));
}

#[test]
fn filling_keeps_the_type_of_undeclared_values_and_null() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let (entity, sample) = table.cells().row(line).unwrap();
    let list = Value::from_text(AttributeType::L, "[1]").unwrap();
    let number = Value::from_text(AttributeType::N, "5").unwrap();
    let values = [("name", Value::Null), ("list", list), ("score", number)];
    let table = table.with_values((entity, sample), &values);
    for (name, value) in values {
        let change = fill::down(&table.cells(), &table.area(line, name, 2, 1), false);
        let after = table.after(change.edits);
        let below = after.cells().value(line + 1, table.column(name));
        assert_eq!(below, Some(value), "{name}");
    }
}

#[test]
fn clearing_skips_keys() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let change = fill::clear(&table.cells(), &table.rows(&[line]));
    assert!(change.locked >= 2);
    let after = table.after(change.edits);
    assert_eq!(after.value(table.id(line), "email"), "");
    let sample = &after.design.samples_of(table.entity("User"))[0];
    assert!(sample.values.is_empty());
}

#[test]
fn a_cell_of_a_rendered_key_is_locked_and_says_why() {
    let table = Table::of(SAAS);
    let user = table.entity("User");
    let why = locked(&table.design, user, "sk").unwrap();
    assert!(why.contains("USER#{userId}"), "{why}");
    assert_eq!(locked(&table.design, user, "email"), None);
}

#[test]
fn sorting_by_an_attribute_puts_missing_values_last() {
    let table = Table::of(SAAS);
    let sorted = |descending| {
        let shown = SheetOptions {
            sort: Some(SortBy {
                column: "email".into(),
                descending,
            }),
            ..SheetOptions::default()
        };
        let table = Table::new(table.design.clone(), IndexId::PRIMARY, &shown);
        assert!(!table.sheet.is_natural());
        let at = table.column("email");
        let texts = (0..table.sheet.rows()).map(|line| table.cells().text(line, at));
        texts.collect::<Vec<_>>()
    };
    let up = sorted(false);
    let count = up.iter().filter(|text| !text.is_empty()).count();
    assert!(count > 1 && count < up.len());
    assert!(up[..count].is_sorted() && up[count..].iter().all(String::is_empty));
    let down = sorted(true);
    assert!(down[..count].iter().rev().is_sorted() && down[count..].iter().all(String::is_empty));
}

#[test]
fn entities_can_be_hidden() {
    let table = Table::of(SAAS);
    let user = table.entity("User");
    let shown = SheetOptions {
        hidden_entities: [user].into(),
        ..SheetOptions::default()
    };
    let rest = Table::new(table.design.clone(), IndexId::PRIMARY, &shown);
    let users = table.design.samples_of(user).len();
    assert_eq!(rest.sheet.rows() + users, table.sheet.rows());
    assert!((0..rest.sheet.rows()).all(|line| rest.sheet.item(line).unwrap().entity != user));
    assert!(!shown.is_all() && SheetOptions::default().is_all());
}

#[test]
fn find_searches_visible_cells() {
    let table = Table::of(SAAS);
    let sheet = Arc::new(table.sheet.clone());
    let search = |text: &str| CellSearch::new(sheet.clone(), table.columns.clone(), text);
    let found = search("ALICE@acme").step(usize::MAX).unwrap();
    let email = table.column("email") as u32;
    assert!(
        found.iter().any(|(_, column)| *column == email),
        "{found:?}"
    );
    for (line, column) in &found {
        let text = table.cells().text(*line as usize, *column as usize);
        assert!(text.to_lowercase().contains("alice@acme"));
    }
    assert_eq!(search("").step(1), Some(vec![]));
    let mut slowly = search("ALICE@acme");
    let in_steps = (1..=sheet.len()).find_map(|_| slowly.step(1));
    assert_eq!(in_steps.as_ref(), Some(&found));
    assert!(found.is_sorted(), "row by row");
}

#[test]
fn columns_can_be_reordered_and_new_ones_follow_their_predecessor() {
    let natural = ["pk", "sk", "a", "b", "c"];
    let mut layout = ColumnOrder::default();
    let names = |layout: &ColumnOrder, natural: &[&str]| {
        let order = layout.order(natural, 2);
        order
            .iter()
            .map(|at| natural[*at].to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&layout, &natural), natural);
    assert!(layout.move_column("c", "a", &natural, 2));
    assert_eq!(names(&layout, &natural), ["pk", "sk", "c", "a", "b"]);
    // Keys stay first.
    assert!(!layout.move_column("pk", "b", &natural, 2));
    assert!(layout.move_column("b", "pk", &natural, 2));
    assert_eq!(names(&layout, &natural), ["pk", "sk", "b", "c", "a"]);
    // Removed columns are forgotten; new ones follow their predecessor.
    let other = ["pk", "sk", "first", "a", "new", "c"];
    assert_eq!(
        names(&layout, &other),
        ["pk", "sk", "first", "c", "a", "new"]
    );
    layout.toggle("a");
    assert!(!layout.shows("a") && layout.shows("b") && layout.is_changed());
    layout.show_all();
    assert!(layout.shows("a"));
}

#[test]
fn presence_explains_why_an_item_is_absent() {
    for pattern in library::patterns() {
        let design = pattern.design().unwrap();
        let table = Table::of(pattern.name);
        let views: Vec<Table> = (design.index_ids())
            .map(|index| Table::new(design.clone(), index, &SheetOptions::default()))
            .collect();
        for line in 0..table.sheet.rows() {
            let item = table.sheet.item(line).unwrap();
            for (place, view) in presence(&design, &item).iter().zip(&views) {
                let shown = view.sheet.find(item.id(), 0).is_some();
                assert_eq!(place.absent.is_none(), shown, "{} {place:?}", pattern.name);
            }
        }
    }
    // Without the value that a template uses.
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let clear = fill::clear(&table.cells(), &table.area(line, "email", 1, 1));
    let after = table.after(clear.edits);
    let line = after.line("sk", "USER#u_01");
    let places = presence(&after.design, &after.sheet.item(line).unwrap());
    let reasons: Vec<&str> = places.iter().filter_map(|p| p.absent.as_deref()).collect();
    assert!(reasons.contains(&"`email` is missing"), "{reasons:?}");
    assert!(
        reasons.contains(&"User has no keys in this index"),
        "{reasons:?}"
    );
    assert_eq!(
        (places[0].name.as_str(), &places[0].absent),
        ("Table", &None)
    );
}

#[test]
fn a_refused_item_is_absent_everywhere() {
    let table = Table::of(SAAS);
    let user = table.entity("User");
    let command = Command::SetTemplate {
        entity: user,
        index: IndexId::PRIMARY,
        part: KeyPart::Sort,
        text: Some("USER#{nickname}".into()),
    };
    let design = apply(&table.design, command).unwrap();
    let table = Table::new(design, IndexId::PRIMARY, &SheetOptions::default());
    let item = &table.sheet.view().failed[0];
    assert!((presence(&table.design, item).iter()).all(|place| place.absent.is_some()));
}

#[test]
fn item_cost_matches_dynamodb() {
    let table = Table::of(SAAS);
    let line = table.line("sk", "USER#u_01");
    let item = table.sheet.item(line).unwrap();
    let here = item_cost(&table.design, &item, IndexId::PRIMARY);
    assert_eq!((here.bytes, here.counted), (item.size(), item.size()));
    assert_eq!(here.read_units, 1);
    let places = presence(&table.design, &item);
    let indexes = places.iter().filter(|p| p.absent.is_none()).count() - 1;
    assert!(indexes > 0);
    assert_eq!((here.index_units, here.write_units), (indexes, indexes + 1));
    assert!(here.percent() < 1.0);
    // 5000 more bytes are 5 more write units and 1 more read unit.
    let mut edits = fill::clear(&table.cells(), &table.area(line, "email", 1, 1)).edits;
    edits.values[0].attribute = "note".into();
    edits.values[0].value = Some(Value::from("x".repeat(5 * 1024).as_str()));
    let large = table.after(edits);
    let item = large.sheet.item(large.line("sk", "USER#u_01")).unwrap();
    let there = item_cost(&large.design, &item, IndexId::PRIMARY);
    assert_eq!(there.bytes, here.bytes + "note".len() + 5 * 1024);
    assert_eq!(there.read_units, 2);
    assert_eq!(there.write_units - there.index_units, 6);
}

#[test]
fn a_map_is_pasted_into_one_cell() {
    let table = Table::of(SAAS);
    let user = table.entity("User");
    let attribute = keyfold_core::model::Attribute {
        name: "address".into(),
        kind: AttributeType::M,
        ..table.design.entities[&user].attributes[0].clone()
    };
    let design = apply(&table.design, Command::AddAttribute(user, attribute)).unwrap();
    let table = Table::new(design, IndexId::PRIMARY, &SheetOptions::default());
    let line = table.line("sk", "USER#u_01");
    let area = table.area(line, "address", 1, 1);
    let text = "{\n  \"city\": \"Paris\",\n  \"tags\": {\"SS\": [\"a\"]}\n}";
    let after = table.after(paste_at(&table, &area, text).edits);
    let shown = after.value(table.id(line), "address");
    assert_eq!(shown, r#"{"city":"Paris","tags":{"SS":["a"]}}"#);
    // Copying and pasting it again gives the same value.
    let again = Cells {
        columns: &after.columns,
        ..after.cells()
    };
    let line = after.line("sk", "USER#u_01");
    let copied = copied_text(&again, &after.area(line, "address", 1, 1));
    let pasted = paste_at(&after, &after.area(line, "address", 1, 1), &copied);
    assert!(
        pasted.edits.is_empty() && pasted.skipped.is_empty(),
        "{copied} {pasted:?}"
    );
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn pasting_any_text_works(
        text in "[\\[\\]{}\":, a-c1\t\n\r]{0,40}|(email|userId|seats)(\t(email|sk|x))?\n.{0,20}\n?",
        at in 0..20_usize, column in 0..20_usize, height in 1..5_usize, width in 1..4_usize,
    ) {
        let table = Table::of(SAAS);
        let line = at % table.sheet.rows();
        let column = column % table.columns.len();
        let area = Area {
            lines: (line..(line + height).min(table.sheet.rows())).collect(),
            columns: column..(column + width).min(table.columns.len()),
            whole: false,
        };
        let entity = table.entity("User");
        if let Ok(pasted) = paste(&table.cells(), &area, Some(entity), &text, None) {
            prop_assert!(!pasted.summary().is_empty());
            let _ = table.after(pasted.edits);
        }
    }

    #[test]
    fn the_column_order_has_each_column_once(
        moves in prop::collection::vec((0..6_usize, 0..6_usize), 0..8),
        gone in prop::collection::btree_set(0..6_usize, 0..3),
    ) {
        let all = ["pk", "sk", "a", "b", "c", "d"];
        let mut layout = ColumnOrder::default();
        for (from, to) in moves {
            layout.move_column(all[from], all[to], &all, 2);
        }
        let left: Vec<&str> = (0..6).filter(|at| !gone.contains(at)).map(|at| all[at]).collect();
        let keys = left.iter().filter(|name| name.ends_with('k')).count();
        let order = layout.order(&left, keys);
        let once: SortedSet<usize> = order.iter().copied().collect();
        prop_assert_eq!((order.len(), once.len()), (left.len(), left.len()));
        prop_assert!(order[..keys].iter().eq(&(0..keys).collect::<Vec<_>>()));
    }
}

#[test]
fn json_errors_have_a_position() {
    let at = |kind, text: &str| {
        let mistake = large_values::find_error(kind, text).unwrap_or_else(|| panic!("{text}"));
        (mistake.line, mistake.column, mistake.message)
    };
    let (line, column, message) = at(AttributeType::M, "{\n  \"a\": 1,\n  \"b\" 2\n}");
    assert_eq!((line, column), (3, 7), "{message}");
    assert!(
        message.starts_with("this is not JSON: expected"),
        "{message}"
    );
    let (line, column, _) = at(AttributeType::Ns, "[\n  1,\n  \"é\", 2\n]");
    assert_eq!((line, column), (3, 3));
}

#[test]
fn dynamodb_json_errors_have_a_position() {
    let text = "{\"L\": [\n  {\"S\": \"é]\"},\n  {\"M\": {\"k\": {\"S\": \"x\"}, \"n\": {\"N\": \"ten\"}}}\n]}";
    let mistake = large_values::find_error(AttributeType::L, text).unwrap();
    assert_eq!((mistake.line, mistake.column), (3, 32), "{mistake:?}");
    assert!(
        mistake.message.starts_with("`ten`: not a number"),
        "{mistake:?}"
    );
    let before: String = text
        .encode_utf16()
        .take(mistake.from as usize)
        .map(|unit| char::from_u32(unit.into()).unwrap())
        .collect();
    assert!(before.ends_with("\"n\": "), "{before}");
    let text = "[1,\n 0.1000000000000000000001]";
    let rounded = large_values::find_error(AttributeType::L, text).unwrap();
    assert_eq!((rounded.line, rounded.column), (2, 2), "{rounded:?}");
    let set = large_values::find_error(AttributeType::Ss, "[\"a\",\n 1]").unwrap();
    assert_eq!((set.line, set.column), (2, 2));
    assert_eq!(large_values::find_error(AttributeType::L, "[1]"), None);
    let bytes = large_values::find_error(AttributeType::B, "hello!");
    assert_eq!(bytes, None, "base64 is not JSON");
}

#[test]
fn a_multiline_field_keeps_line_ends() {
    for (before, typed, after) in [
        ("a\r\nb", "a\nb", "a\r\nb"),
        ("a\r\nb", "a\nb\nc", "a\r\nb\r\nc"),
        ("a\rb\r\nc", "a\nb\nc", "a\rb\r\nc"),
        ("a\nb", "a\nb\nc", "a\nb\nc"),
    ] {
        let text = large_values::with_line_ends_of(before, typed.into());
        assert_eq!(text, after, "{before:?}");
    }
}

#[test]
fn nested_values_are_indented_and_round_trip() {
    let text = r#"{"city":"Paris","tags":{"SS":["a","b"]}}"#;
    let value = Value::from_text(AttributeType::M, text).unwrap();
    let pretty = large_values::to_pretty_text(&value);
    assert_eq!(
        pretty,
        "{\n  \"city\": \"Paris\",\n  \"tags\": {\n    \"SS\": [\n      \"a\",\n      \"b\"\n    ]\n  }\n}"
    );
    assert_eq!(Value::from_text(AttributeType::M, &pretty), Ok(value));
    assert_eq!(
        large_values::to_pretty_text(&"[1]".into()),
        "[1]",
        "text does not change"
    );
    assert!(large_values::is_large(AttributeType::S, "a\nb"));
    assert!(
        !large_values::is_large(AttributeType::S, "a")
            && large_values::is_large(AttributeType::B, "")
    );
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn locating_errors_never_panics(
        text in "[\\[\\]{}\":,\\\\ aé1\nLMSN]{0,30}|\\{\"[LMS]\": ?[\\[{].{0,12}[\\]}]\\}",
    ) {
        for kind in [AttributeType::L, AttributeType::M, AttributeType::Ss, AttributeType::Ns] {
            if let Some(mistake) = large_values::find_error(kind, &text) {
                let units = text.encode_utf16().count();
                prop_assert!(mistake.from as usize <= units);
                prop_assert!(mistake.line <= text.matches('\n').count() + 1);
            }
        }
    }
}
