//! Commands of the workload. After each command the design is valid, and undo restores the previous one.

use keyfold_app::document::MERGE_MS;
use keyfold_app::workload::fields::{TrafficField, VolumeField, fields_of};
use keyfold_app::workload::paste::paste;
use keyfold_app::workload::table::{RowId, pattern_columns};
use keyfold_app::workload::{figures, table};
use keyfold_app::{
    Command, Diff, Document, PatternEdit, Refused, WorkloadEdit, apply, card_clipboard, diff,
};
use keyfold_core::engine::operation_parts::value_names;
use keyfold_core::library;
use keyfold_core::lint::Linter;
use keyfold_core::model::*;
use keyfold_core::persist::{from_json, to_json};

fn design() -> Design {
    library::find("saas-multi-tenant")
        .unwrap()
        .design()
        .unwrap()
}

fn first(design: &Design) -> AccessPatternId {
    *design.access_patterns.keys().next().unwrap()
}

/// Runs a command; checks that the design is valid, that its file reads back, and that undo restores it.
fn run(design: &Design, command: Command) -> Design {
    let mut document = Document::new(design.clone());
    let shown = format!("{command:?}");
    let changed = document
        .run(command, 0.0)
        .unwrap_or_else(|refused| panic!("{shown}: {refused}"));
    let next = document.design().clone();
    assert_eq!(validate_invariants(&next), [], "{shown}");
    assert_eq!(from_json(&to_json(&next)).unwrap(), next, "{shown}");
    if !changed.is_empty() {
        document.undo().unwrap();
        assert_eq!(document.design().workload, design.workload, "{shown}");
        document.redo().unwrap();
        assert_eq!(document.design().workload, next.workload);
    }
    next
}

fn refused(design: &Design, edit: WorkloadEdit) -> String {
    match apply(design, Command::Workload(edit)) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("it succeeded"),
    }
}

fn average(rate: f64) -> Traffic {
    Traffic {
        average: Some(Rate::PerSecond(rate)),
        ..Traffic::default()
    }
}

fn traffic(id: AccessPatternId, traffic: Traffic) -> WorkloadEdit {
    WorkloadEdit::Traffic {
        id,
        traffic: Box::new(traffic),
        field: "average rate".into(),
    }
}

fn volume(id: EntityId, items: Option<f64>) -> WorkloadEdit {
    WorkloadEdit::Volume {
        id,
        volume: Volume {
            items,
            ..Volume::default()
        },
        field: "item count",
    }
}

#[test]
fn traffic_and_volumes_are_set_and_taken_away() {
    let design = design();
    let (id, entity) = (first(&design), *design.entities.keys().next().unwrap());
    let set = run(&design, Command::Workload(traffic(id, average(20.0))));
    let set = run(&set, Command::Workload(volume(entity, Some(1e6))));
    assert_eq!(set.workload.patterns[&id], average(20.0));
    assert_eq!(set.workload.entities[&entity].items, Some(1e6));
    let gone = run(&set, Command::Workload(traffic(id, Traffic::default())));
    let gone = run(&gone, Command::Workload(volume(entity, None)));
    assert!(gone.workload.is_empty());
    assert_eq!(to_json(&gone), to_json(&design));
}

#[test]
fn prices_leave_traffic_and_volumes_alone() {
    let design = design();
    let set = run(
        &design,
        Command::Workload(traffic(first(&design), average(20.0))),
    );
    let prices = Workload {
        region: Some("eu-west-1".into()),
        prices: SortedMap::from([("storage".to_owned(), 0.283)]),
        ..Workload::default()
    };
    let edit = |workload: &Workload| WorkloadEdit::Prices {
        workload: Box::new(workload.clone()),
        field: "Region".into(),
    };
    let priced = run(&set, Command::Workload(edit(&prices)));
    assert_eq!(priced.workload.patterns, set.workload.patterns);
    assert_eq!(priced.workload.region.as_deref(), Some("eu-west-1"));
    let bad = Workload {
        prices: SortedMap::from([("storage".to_owned(), f64::NAN)]),
        ..prices
    };
    assert_eq!(
        refused(&priced, edit(&bad)),
        "a price in US dollars must be 0 or more, and at most 10^15"
    );
}

#[test]
fn figures_that_cannot_be_are_refused() {
    let design = design();
    let id = first(&design);
    assert_eq!(
        refused(&design, traffic(id, average(f64::NAN))),
        "an average rate must be 0 or more, and at most 10^15"
    );
    assert_eq!(
        refused(&design, traffic(AccessPatternId(9999), average(1.0))),
        "this access pattern no longer exists"
    );
    assert_eq!(
        refused(&design, volume(EntityId(9999), Some(1.0))),
        "this entity no longer exists"
    );
}

#[test]
fn the_workload_follows_its_access_pattern() {
    let design = design();
    let id = first(&design);
    let name = |design: &Design, id| design.access_patterns[&id].name.clone();
    let set = run(&design, Command::Workload(traffic(id, average(20.0))));
    let pattern = |edit| Command::Pattern(edit);
    let moved = run(&set, pattern(PatternEdit::Move(id, 2)));
    let (now, _) = moved.workload.patterns.iter().next().unwrap();
    assert_eq!(moved.workload.patterns.len(), 1);
    assert_eq!(name(&moved, *now), name(&set, id));
    let copied = run(&set, pattern(PatternEdit::Duplicate(id)));
    assert_eq!(copied.workload.patterns.len(), 2);
    for traffic in copied.workload.patterns.values() {
        assert_eq!(*traffic, average(20.0));
    }
    let ids: Vec<_> = copied.workload.patterns.keys().copied().collect();
    assert!(name(&copied, ids[1]).starts_with(&name(&copied, ids[0])));
    let gone = run(&set, pattern(PatternEdit::Delete(id)));
    assert!(gone.workload.is_empty());
}

#[test]
fn the_workload_goes_with_what_is_deleted() {
    let mut design = design();
    for id in Vec::from_iter(design.access_patterns.keys().copied()) {
        design = run(&design, Command::Workload(traffic(id, average(1.0))));
    }
    for id in Vec::from_iter(design.entities.keys().copied()) {
        design = run(&design, Command::Workload(volume(id, Some(10.0))));
    }
    for card in Vec::from_iter(design.cards()) {
        design = run(&design, Command::Delete(vec![card]));
    }
    assert!(design.workload.entities.is_empty());
    let with: Vec<_> = design.workload.patterns.keys().collect();
    assert_eq!(with, Vec::from_iter(design.access_patterns.keys()));
}

#[test]
fn renaming_an_attribute_renames_the_skew_of_the_parameter() {
    let design = design();
    let found = design.access_patterns.iter().find_map(|(id, pattern)| {
        let names = keyfold_core::proof::bind(&design, pattern).parameters;
        let name = &names.first()?.name;
        let owner = |entity: &EntityId| design.entities[entity].attribute(name);
        let entity = pattern.entities.iter().find(|id| owner(id).is_some())?;
        Some((*id, *entity, owner(entity)?.clone()))
    });
    let (id, entity, attribute) = found.expect("a pattern whose parameter is an attribute");
    let skew = Skew {
        values: None,
        shape: Shape::Largest(80.0),
    };
    let skewed = Traffic {
        parameters: SortedMap::from([(attribute.name.clone(), skew)]),
        ..Traffic::default()
    };
    let set = run(&design, Command::Workload(traffic(id, skewed)));
    let renamed = Attribute {
        name: "renamed".into(),
        ..attribute
    };
    let next = run(
        &set,
        Command::UpdateAttribute {
            entity,
            attribute: Box::new(renamed),
            field: "name",
        },
    );
    let names: Vec<_> = next.workload.patterns[&id].parameters.keys().collect();
    let shown = keyfold_core::proof::bind(&next, &next.access_patterns[&id]).parameters;
    let is_known = shown.iter().any(|parameter| parameter.name == *names[0]);
    assert!(names.len() == 1 && is_known, "{names:?} {shown:?}");
}

#[test]
fn a_copied_entity_has_its_volume() {
    let design = design();
    let entity = *design.entities.keys().next().unwrap();
    let set = run(&design, Command::Workload(volume(entity, Some(7.0))));
    let cards = SortedSet::from_iter([CardId::Entity(entity)]);
    let text = card_clipboard::copy(&set, &cards).unwrap();
    let clip = card_clipboard::read(&text).unwrap();
    let paste = Command::Paste {
        clip: Box::new(clip),
        at: Point { x: 0, y: 0 },
        duplicates: false,
    };
    let pasted = run(&set, paste);
    assert_eq!(pasted.workload.entities.len(), 2);
    for volume in pasted.workload.entities.values() {
        assert_eq!(volume.items, Some(7.0));
    }
}

#[test]
fn edits_of_one_figure_are_one_undo_step() {
    let design = design();
    let id = first(&design);
    let mut document = Document::new(design.clone());
    for (at, rate) in [2.0, 20.0, 200.0].into_iter().enumerate() {
        let command = Command::Workload(traffic(id, average(rate)));
        document.run(command, at as f64 * MERGE_MS / 2.0).unwrap();
    }
    assert_eq!(document.undo_label(), Some("change average rate"));
    document.undo().unwrap();
    assert!(document.design().workload.is_empty());
}

#[test]
fn only_the_workload_changes_with_the_workload() {
    let design = design();
    let set = apply(
        &design,
        Command::Workload(traffic(first(&design), average(20.0))),
    )
    .unwrap();
    let only = Diff {
        workload: true,
        ..Diff::default()
    };
    assert_eq!(diff(&design, &set), only);
    // Findings do not depend on it.
    let mut linter = Linter::default();
    let before = linter.lint(&design);
    assert_eq!(linter.lint(&set).findings, before.findings);
}

#[test]
fn figures_are_read_as_people_type_them() {
    for (text, number) in [
        ("20", 20.0),
        (" 0.5 ", 0.5),
        ("1,200", 1200.0),
        ("1 234 567.5", 1_234_567.5),
        ("3M", 3e6),
        ("4.35M", 4_350_000.0),
        ("10k", 1e4),
        ("1G", 1e9),
        ("1e6", 1e6),
        ("2.5e-3", 0.0025),
        ("12.", 12.0),
        (".5", 0.5),
    ] {
        assert_eq!(figures::number(text), Ok(number), "{text}");
    }
    for text in [
        "", "NaN", "inf", "-", "1,2", "1,20", "1.2.3", "20/s", "ten", "e5", "1e", "1e5M", "1e999",
        "1,200,3",
    ] {
        let Err(Refused(reason)) = figures::number(text) else {
            assert_eq!(text, "1e", "a half-typed power counts as none");
            continue;
        };
        assert_eq!(reason, "enter a number, such as 20, 1,200 or 3M", "{text}");
    }
    let reason = |result: Result<f64, Refused>| result.unwrap_err().0;
    assert_eq!(reason(figures::number("-5")), "enter a number of 0 or more");
    assert_eq!(figures::any_number("-5"), Ok(-5.0));
    assert_eq!(figures::percent("2.5 %"), Ok(2.5));
    assert_eq!(
        reason(figures::percent("101")),
        "enter a percentage from 0 to 100"
    );
    assert_eq!(figures::bytes("1.5 KB"), Ok(1536.0));
    assert_eq!(figures::bytes("400 b"), Ok(400.0));
    assert_eq!(
        reason(figures::bytes("big")),
        "enter a size, such as 400 or 1.5 KB"
    );
}

#[test]
fn a_decimal_comma_is_no_separator_of_groups() {
    let reason = "write decimals with a point, such as 0.625";
    let refused = |found: Result<f64, Refused>| assert_eq!(found.unwrap_err().0, reason);
    for text in ["0,625", "-0,625", "00,625", "0 625", "0,625,000"] {
        refused(figures::any_number(text));
    }
    refused(figures::percent("0,625 %"));
    refused(figures::bytes("0,625 KB"));
    assert_eq!(figures::rate("0,625/s").unwrap_err().0, reason);
    for (text, number) in [("0.625", 0.625), ("0", 0.0), ("10,625", 10_625.0)] {
        assert_eq!(figures::number(text), Ok(number), "{text}");
    }
}

#[test]
fn the_shares_of_puts_are_those_that_the_fields_show() {
    use TrafficField::{Creates, Deletes, Updates};
    let mut traffic = Traffic::default();
    let mut type_in = |field: &TrafficField, text: &str| {
        field.write(&mut traffic, text).unwrap();
        [Creates, Updates, Deletes].map(|field| field.read(&traffic))
    };
    assert_eq!(type_in(&Updates, "20"), ["80", "20", "0"]);
    assert_eq!(type_in(&Deletes, "10"), ["70", "20", "10"]);
    assert_eq!(type_in(&Creates, "50"), ["50", "20", "10"]);
    // Those typed stay.
    assert_eq!(type_in(&Updates, "30"), ["50", "30", "10"]);
    assert_eq!(type_in(&Creates, ""), ["60", "30", "10"]);
    assert_eq!(type_in(&Deletes, ""), ["70", "30", "0"]);
    assert_eq!(type_in(&Updates, ""), ["", "", ""]);
    assert_eq!(type_in(&Creates, "0"), ["0", "0", "0"]);
    assert_eq!(type_in(&Updates, "20"), ["0", "20", "0"]);
    assert_eq!(traffic.puts.unwrap().creates, 0.0);
}

#[test]
fn pasted_shares_of_puts_are_those_of_the_row() {
    let design = library::find("e-commerce").unwrap().design().unwrap();
    let (id, name) = (design.access_patterns.iter())
        .find(|(_, pattern)| {
            pattern
                .operation
                .actions()
                .iter()
                .any(|one| one.put().is_some())
        })
        .map(|(id, pattern)| (*id, pattern.name.clone()))
        .unwrap();
    let paste_shares = |design: &Design, shares: &str| {
        let text = format!("\tCreates %\tUpdates %\tDeletes %\n{name}\t{shares}");
        let pasted = paste(design, &text, None).unwrap();
        assert_eq!(pasted.refused, []);
        run(design, pasted.command.unwrap())
    };
    let shares = |design: &Design| {
        let puts = design.workload.patterns[&id].puts.unwrap();
        [puts.creates, puts.updates, puts.deletes]
    };
    let set = paste_shares(&design, "60\t30\t10");
    assert_eq!(shares(&set), [60.0, 30.0, 10.0]);
    let set = paste_shares(&set, "60\t20\t10");
    assert_eq!(shares(&set), [60.0, 20.0, 10.0]);
    assert_eq!(shares(&paste_shares(&set, "\t30\t")), [70.0, 30.0, 0.0]);
}

#[test]
fn a_cell_of_skews_has_parameters_of_its_access_pattern() {
    let design = library::find("e-commerce").unwrap().design().unwrap();
    let named = |name: &str| {
        let mut all = design.access_patterns.iter();
        RowId::Pattern(*all.find(|(_, pattern)| pattern.name == name).unwrap().0)
    };
    let column = (pattern_columns().iter())
        .position(|(title, _)| *title == "Skew")
        .unwrap();
    let typed = |row, text| table::typed(&design, row, column, text).map_err(|refused| refused.0);
    assert!(typed(named("Get user"), "userId zipf 1.2").is_ok());
    assert_eq!(
        typed(named("Get user"), "userid zipf 1.2").unwrap_err(),
        "there is no parameter `userid`: enter one of `userId`"
    );
    // A put has all attributes of its item.
    let placed = typed(named("Place an order"), "price even; nothing even");
    assert!(
        placed
            .unwrap_err()
            .starts_with("there is no parameter `nothing`")
    );
}

#[test]
fn rates_and_skews_are_read_as_they_are_written() {
    for (text, rate) in [
        ("20", Rate::PerSecond(20.0)),
        ("20/s", Rate::PerSecond(20.0)),
        ("20 per second", Rate::PerSecond(20.0)),
        ("3M/month", Rate::PerMonth(3e6)),
        ("3,000,000 per month", Rate::PerMonth(3e6)),
    ] {
        assert_eq!(figures::rate(text), Ok(rate), "{text}");
        assert_eq!(figures::rate(&figures::rate_text(rate)), Ok(rate));
    }
    let reason = |text| figures::rate(text).unwrap_err().0;
    assert_eq!(reason("20/day"), "enter a rate, such as 20/s or 3M/month");
    assert_eq!(reason("-20/s"), "enter a rate of 0 or more");
    for text in [
        "even",
        "zipf 1.1",
        "largest 80%",
        "zipf 1.1 of 100000 values",
        "even of 3 values",
    ] {
        let skew = figures::skew(text).unwrap();
        assert_eq!(skew.to_string(), text);
    }
    let reason = |text| figures::skew(text).unwrap_err().0;
    assert!(reason("flat").starts_with("enter `even`, `zipf 1.1` or `largest 80%`"));
    assert_eq!(
        reason("zipf 9"),
        "enter an exponent from 0 to 5, such as `zipf 1.1`"
    );
    assert_eq!(
        reason("even of 0"),
        "enter how many values there are, at least 1"
    );
}

#[test]
fn fields_follow_the_operation() {
    let design = design();
    for (id, pattern) in &design.access_patterns {
        let fields = fields_of(&design, *id, pattern);
        let has = |field: &TrafficField| fields.contains(field);
        let puts = pattern
            .operation
            .actions()
            .iter()
            .any(|action| action.put().is_some());
        assert_eq!(has(&TrafficField::Creates), puts, "{}", pattern.name);
        let is_list = matches!(
            pattern.operation,
            Operation::Query { .. } | Operation::Scan { .. }
        );
        assert_eq!(has(&TrafficField::Items), is_list, "{}", pattern.name);
        for field in &fields {
            assert_eq!(field.read(&Traffic::default()), "");
            assert!(!field.label().is_empty() && !field.assumed().is_empty());
            let typed = match field {
                TrafficField::Skew(_) => "largest 80%",
                _ => "20",
            };
            let command = field.typed(&design, *id, typed).unwrap();
            let next = run(&design, command);
            let text = field.read(&next.workload.patterns[id]);
            let again = run(&next, field.typed(&next, *id, &text).unwrap());
            assert_eq!(again.workload, next.workload);
            let cleared = run(&next, field.typed(&next, *id, "").unwrap());
            assert!(cleared.workload.is_empty(), "{field:?}");
            assert!(field.typed(&design, *id, "NaN").is_err());
        }
    }
    let entity = *design.entities.keys().next().unwrap();
    for field in VolumeField::ALL {
        let next = run(&design, field.typed(&design, entity, "1,200").unwrap());
        assert_eq!(field.read(&next.workload.entities[&entity]), "1200");
        assert!(field.typed(&design, entity, "x").is_err());
        assert!(
            run(&next, field.typed(&next, entity, " ").unwrap())
                .workload
                .is_empty()
        );
    }
}

#[test]
fn the_table_is_pasted_as_it_was_copied() {
    let mut full = keyfold_test_support::designs::full_design();
    // One of its skews is of no parameter, which a cell refuses.
    let patterns = full.access_patterns.clone();
    let known = |id| value_names(&full, &patterns[id].operation);
    let known: SortedMap<_, _> = patterns.keys().map(|id| (*id, known(id))).collect();
    for (id, traffic) in std::sync::Arc::make_mut(&mut full.workload)
        .patterns
        .iter_mut()
    {
        (traffic.parameters).retain(|name, _| known[id].contains(name));
    }
    let text = table::copy(&full);
    let mut empty = full.clone();
    empty.workload = std::sync::Arc::default();
    for pattern in empty.access_patterns.values_mut() {
        std::sync::Arc::make_mut(pattern).rate = None;
    }
    let pasted = paste(&empty, &text, None).unwrap();
    assert_eq!(pasted.refused, []);
    let next = run(&empty, pasted.command.unwrap());
    assert_eq!(next.access_patterns, full.access_patterns);
    assert_eq!(next.workload.patterns, full.workload.patterns);
    assert_eq!(next.workload.entities, full.workload.entities);
    assert_eq!(paste(&full, &text, None).unwrap().command, None);
}

#[test]
fn pasted_rows_match_by_name_and_what_does_not_fit_is_refused() {
    let design = keyfold_test_support::designs::full_design();
    let name = |id| design.access_patterns[&AccessPatternId(id)].name.clone();
    let text = [
        "\tComment\tAverage rate\tCreates %\tUpdates %\tItems",
        &format!("{}\tnice\t3M/month\t50\t60\t7", name(100)),
        &format!("{}\t\t-5", name(101).to_uppercase()),
        "Nobody\t\t5",
        "",
        "\tItems\tItem size in bytes",
        "Bare\t1,000\t1 MB",
    ]
    .join("\n");
    let pasted = paste(&design, &text, None).unwrap();
    insta::assert_snapshot!(
        pasted
            .refused
            .iter()
            .map(|cell| format!("{}: {}", cell.place, cell.reason))
            .collect::<Vec<_>>()
            .join("\n")
    );
    assert_eq!(pasted.rows, 3);
    insta::assert_snapshot!(pasted.message());
    let next = run(&design, pasted.command.unwrap());
    let traffic = &next.workload.patterns[&AccessPatternId(100)];
    assert_eq!(traffic.average, Some(Rate::PerMonth(3e6)));
    assert_eq!(
        traffic.puts,
        design.workload.patterns[&AccessPatternId(100)].puts
    );
    assert_eq!(next.workload.entities[&EntityId(11)].items, Some(1000.0));
    assert!(paste(&design, "what\never", None).is_err());
}

#[test]
fn rows_without_names_go_into_the_rows_from_a_cell_on() {
    let design = design();
    let ids: Vec<AccessPatternId> = design.access_patterns.keys().copied().collect();
    let cell = Some((table::RowId::Pattern(ids[1]), 0));
    let pasted = paste(&design, "20\t30\n\n7\t9/month\n", cell).unwrap();
    assert_eq!((pasted.rows, pasted.refused), (3, Vec::new()));
    let next = run(&design, pasted.command.unwrap());
    assert_eq!(
        next.workload.patterns[&ids[1]].average,
        Some(Rate::PerSecond(30.0))
    );
    assert_eq!(next.access_patterns[&ids[1]].rate, Some(20.0));
    assert_eq!(next.access_patterns[&ids[3]].rate, Some(7.0));
    // Whole or not at all: a misspelled name would move the figures of its row, and beyond the last row and the last
    // column there is nothing to paste into.
    let last = |column| Some((table::RowId::Pattern(ids[ids.len() - 1]), column));
    let refused = [
        ("20\t30\nGet usr\t5", cell, "row 2, Peak rate: "),
        ("20\n7 a month", cell, "row 2, Peak rate: "),
        (
            "\t5",
            last(7),
            "row 1, cell 2: the table has no more columns",
        ),
        ("6\n5", last(0), "row 2: the table has no more rows"),
    ];
    for (text, cell, start) in refused {
        let error = paste(&design, text, cell).unwrap_err();
        assert!(error.starts_with(start), "{error}");
        assert!(error.contains("Nothing is pasted"), "{error}");
    }
    let of_entities = (
        table::RowId::Entity(*design.entities.keys().next().unwrap()),
        0,
    );
    let pasted = paste(&design, "1,000\n2k", Some(of_entities)).unwrap();
    let next = run(&design, pasted.command.unwrap());
    let items: Vec<_> = next.workload.entities.values().map(|it| it.items).collect();
    assert_eq!(items, [Some(1000.0), Some(2000.0)]);
}

#[test]
fn a_cell_is_typed() {
    let design = design();
    let rows = table::rows(&design);
    let mut next = design.clone();
    for row in &rows {
        for at in 0..row.cells.len() {
            let text = match (row.id, at) {
                (table::RowId::Pattern(id), 7) => {
                    let operation = &design.access_patterns[&id].operation;
                    let names = value_names(&design, operation);
                    let skewed = names.iter().map(|name| format!("{name} zipf 1.1"));
                    skewed.collect::<Vec<_>>().join("; ")
                }
                (table::RowId::Pattern(_), 2..=4) => "30".to_owned(),
                _ => "20".to_owned(),
            };
            next = run(&next, table::typed(&next, row.id, at, &text).unwrap());
            assert!(table::typed(&next, row.id, at, "NaN").is_err());
        }
    }
    for row in table::rows(&next) {
        let empty = row.cells.iter().position(String::is_empty);
        // An access pattern without parameters has no skew.
        assert!(empty.is_none_or(|at| at == 7), "{row:?}");
    }
}
