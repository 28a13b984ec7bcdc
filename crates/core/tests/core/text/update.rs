//! The text after an edit of its design: nothing but the lines that say something else changes, also where a text is
//! spelled otherwise than the printer writes it.

use keyfold_core::model::{
    Billing, Design, Entity, EntityId, MaxRequestUnits, Operation, ProvisionedThroughput, Sample,
    SampleId, Value, WriteAction, validate_invariants,
};
use keyfold_core::text::{describe, lower, parse, update};
use std::sync::Arc;

/// The design of a text without problems.
fn design_of(text: &str) -> Design {
    let lowered = lower(&parse(text), None);
    assert_eq!(describe(text, &lowered.problems), "", "{text}");
    lowered.design
}

/// The text after a change of its design.
fn changed(text: &str, change: impl FnOnce(&mut Design)) -> String {
    changed_with_errors(text, &design_of(text), change)
}

/// As [`changed`], for a text with errors. `old` is what it said before.
fn changed_with_errors(text: &str, old: &Design, change: impl FnOnce(&mut Design)) -> String {
    let mut new = old.clone();
    change(&mut new);
    assert_eq!(validate_invariants(&new), []);
    let update = update(text, old, &new);
    assert!(!update.is_whole, "{text}\n---\n{}", update.text);
    update.text
}

fn first_entity(design: &mut Design) -> (EntityId, &mut Entity) {
    let first = design.entities.iter_mut().next();
    let (id, entity) = first.expect("an entity");
    (*id, Arc::make_mut(entity))
}

fn set_operation(design: &mut Design, operation: Operation) {
    let pattern = design.access_patterns.values_mut().next();
    Arc::make_mut(pattern.expect("an access pattern")).operation = operation;
}

fn set_condition(design: &mut Design, text: Option<&str>) {
    let entity = first_entity(design).0;
    let condition = text.map(str::to_owned);
    let put = WriteAction::PutItem { entity, condition };
    set_operation(design, Operation::Write(put));
}

#[test]
fn another_billing_mode_takes_the_place_of_the_line() {
    let text =
        |line: &str| format!("// Mine.\ntable shop (PK, SK)\n  {line}\n  ttl at // Yours.\n");
    let provisioned = Billing::Provisioned(ProvisionedThroughput {
        read: 7,
        write: 8,
        read_scaling: None,
        write_scaling: None,
    });
    let most = Billing::OnDemand(MaxRequestUnits {
        read: Some(9),
        write: None,
    });
    for before in ["on-demand", "max-throughput", "provisioned read 1, write 2"] {
        for (billing, after) in [
            (&provisioned, "provisioned read 7, write 8"),
            (&most, "max-throughput read 9"),
        ] {
            let updated = changed(&text(before), |design| {
                Arc::make_mut(&mut design.table).billing = billing.clone();
            });
            assert_eq!(updated, text(after));
        }
    }
}

#[test]
fn a_design_without_a_line_keeps_its_name_when_its_table_is_renamed() {
    let text = "// Mine.\ntable shop (PK, SK)\n\n// Yours.\nentity Order\n  id ulid\n";
    let updated = changed(text, |design| {
        Arc::make_mut(&mut design.table).name = "orders".to_owned();
    });
    let renamed = text.replace("table shop", "table orders");
    assert_eq!(updated, ["design shop\n\n", &renamed].concat());
    // Another change needs no line.
    let updated = changed(text, |design| {
        Arc::make_mut(&mut design.table).ttl_attribute = Some("at".to_owned());
    });
    assert_eq!(updated, text.replace("SK)\n", "SK)\n  ttl at\n"));
    // Nor does a text without a table.
    let text = "// Yours.\nentity Order\n  id ulid\n";
    let old = lower(&parse(text), None).design;
    let updated = changed_with_errors(text, &old, |design| {
        first_entity(design).1.name = "Item".to_owned();
    });
    assert_eq!(updated, text.replace("Order", "Item"));
}

const SAMPLES: &str = "table shop (PK, SK)\n\nentity Order\n  // Mine.\n  id   string\n  name string\n\n  \
    | id | name |\n  |---|---|\n  | 1  | One  |\n\npattern P\n  Scan\n";

#[test]
fn the_rule_of_a_table_goes_with_its_last_sample() {
    let updated = changed(SAMPLES, |design| design.samples.clear());
    assert!(!updated.contains('|'), "{updated}");
    assert!(updated.contains("// Mine."), "{updated}");
}

#[test]
fn a_first_sample_comes_below_the_rule_and_has_all_cells() {
    let updated = changed(SAMPLES, |design| {
        let entity = first_entity(design).0;
        let id = SampleId(design.next_id);
        design.next_id += 1;
        let mut values = (*design.samples[&entity])[0].values.clone();
        values.insert("id".to_owned(), Value::S("2".to_owned()));
        values.remove("name");
        let samples = vec![Arc::new(Sample { id, values })];
        design.samples.insert(entity, Arc::new(samples));
    });
    let expected = SAMPLES.replace("| 1  | One  |", "| 2  |      |");
    assert_eq!(updated, expected);
    design_of(&updated);
}

#[test]
fn a_new_column_gives_each_row_a_cell() {
    let text = SAMPLES.replace("  | 1  | One  |\n", "  | 1  | One  |\n  | 2  | Two  |\n");
    let text = text.replace("  name string\n", "  name string\n  more? string\n");
    let updated = changed(&text, |design| {
        let entity = first_entity(design).0;
        let samples = design.samples.get_mut(&entity).expect("samples");
        let sample = &mut Arc::make_mut(samples)[0];
        let more = Value::S("new".to_owned());
        Arc::make_mut(sample).values.insert("more".to_owned(), more);
    });
    assert!(updated.contains("| 1  | One  | new |"), "{updated}");
    // No row is said to lack a cell.
    design_of(&updated);
}

#[test]
fn samples_above_the_attributes_stay_there() {
    let text = "table shop (PK, SK)\n\nentity Order\n  | id | name |\n  | 1  | One  |\n\n  id   string\n  name string\n  \
        more string\n";
    let updated = changed(text, |design| {
        first_entity(design).1.name = "Item".to_owned();
    });
    assert_eq!(updated, text.replace("entity Order", "entity Item"));
}

#[test]
fn comments_at_the_end_of_a_block_stay_in_it() {
    let text = "table shop (PK, SK)\n\nentity Order\n  id ulid\n  // total number\n  // (from version 2)\n\npattern P\n  Scan\n";
    let updated = changed(text, |design| {
        let id = EntityId(design.next_id);
        design.next_id += 1;
        design.entities.insert(id, Arc::new(Entity::new("New", 1)));
    });
    assert_eq!(
        updated,
        text.replace("version 2)\n", "version 2)\n\nentity New\n")
            + "\ncanvas\n  -  entity New color 1\n"
    );
    let updated = changed(text, |design| design.entities.clear());
    assert_eq!(updated, "table shop (PK, SK)\n\npattern P\n  Scan\n");
}

#[test]
fn lines_of_an_operation_below_other_lines_are_changed_where_they_are() {
    let text = "table shop (PK, SK)\n\nentity Order\n  id ulid\n\npattern Place\n  // Mine.\n  PutItem Order\n  writes Order\n  \
        condition attribute_not_exists(PK) // Once.\n";
    let updated = changed(text, |design| set_condition(design, Some("version = :v")));
    assert_eq!(
        updated,
        text.replace("attribute_not_exists(PK)", "version = :v            ")
    );
    let updated = changed(text, |design| set_condition(design, None));
    assert!(
        updated.ends_with("  PutItem Order\n  writes Order\n"),
        "{updated}"
    );
    let updated = changed(text, |design| set_operation(design, scan()));
    assert!(
        updated.ends_with("  // Mine.\n  Scan\n  returns Order\n"),
        "{updated}"
    );
}

fn scan() -> Operation {
    let text = "table shop (PK, SK)\n\npattern P\n  Scan\n";
    let design = design_of(text);
    let pattern = design.access_patterns.values().next();
    pattern.expect("an access pattern").operation.clone()
}

#[test]
fn keys_and_actions_below_other_lines_are_changed_where_they_are() {
    let text = "table shop (PK, SK)\n\npattern Two\n  BatchGetItem\n    key A / A\n  average 3 per second\n    key B / B  // Mine.\n";
    let updated = changed(text, |design| {
        let pattern = design.access_patterns.values_mut().next();
        let pattern = Arc::make_mut(pattern.expect("an access pattern"));
        let Operation::BatchGetItem { keys, .. } = &mut pattern.operation else {
            panic!("another operation");
        };
        keys[1].partition = "C".to_owned();
    });
    assert_eq!(updated, text.replace("key B / B", "key C / B"));
    let text = "table shop (PK, SK)\n\nentity Order\n  id ulid\n\npattern Both\n  TransactWriteItems\n    DeleteItem A / A\n  \
        writes Order\n    PutItem Order\n    condition attribute_exists(PK)\n";
    let updated = changed(text, |design| {
        let pattern = design.access_patterns.values_mut().next();
        let pattern = Arc::make_mut(pattern.expect("an access pattern"));
        let Operation::TransactWriteItems { actions } = &mut pattern.operation else {
            panic!("another operation");
        };
        actions.remove(1);
    });
    assert!(
        updated.ends_with("    DeleteItem A / A\n  writes Order\n"),
        "{updated}"
    );
}

#[test]
fn entities_in_two_lines_become_one_line() {
    let text = "table shop (PK, SK)\n\nentity Order\n  id ulid\n\nentity User\n  id ulid\n\npattern P\n  // Mine.\n  Scan\n  \
        returns Order\n  writes User\n";
    let updated = changed(text, |design| {
        let pattern = design.access_patterns.values_mut().next();
        Arc::make_mut(pattern.expect("an access pattern"))
            .entities
            .reverse();
    });
    assert!(
        updated.ends_with("  Scan\n  returns User, Order\n"),
        "{updated}"
    );
}

#[test]
fn a_line_with_an_error_does_not_shift_the_lines_below_it() {
    let text = "table shop (PK, SK)\n\nentity Order\n  id ulid\n\nsilence T001 entity Order\n\n/// Why.\nsilence T002 table\n";
    let old = design_of(text);
    let broken = text.replace("T001 entity Order", "T001 entity Ordr");
    let updated = changed_with_errors(&broken, &old, |design| {
        Arc::make_mut(&mut design.silenced).remove(0);
    });
    assert_eq!(updated, broken);
    let updated = changed_with_errors(&broken, &old, |design| {
        Arc::make_mut(&mut design.silenced).remove(1);
    });
    assert!(!updated.contains("T002"), "{updated}");
    // A line that the design never had is not counted either.
    let more = text.replace("silence T001", "silence K001 entity Ordr\n\nsilence T001");
    let updated = changed_with_errors(&more, &old, |design| {
        Arc::make_mut(&mut design.silenced).remove(0);
    });
    assert!(
        !updated.contains("T001") && updated.contains("/// Why.\nsilence T002"),
        "{updated}"
    );
}
