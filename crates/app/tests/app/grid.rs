//! Lines, keyboard moves and rendered ranges of the live table; samples for new rows.

use keyfold_app::grid::recycle::{RowUse, in_place, recycle};
use keyfold_app::grid::{
    CellMove, Line, Sheet, SheetBuilder, SheetOptions, SortBy, columns_between, longest_text,
    visible_lines,
};
use keyfold_app::{Command, apply, suggest};
use keyfold_core::engine::{View, materialize_all, view};
use keyfold_core::library;
use keyfold_core::model::{Design, EntityId, IndexId, KeyPart, Value, validate_invariants};
use proptest::prelude::*;
use std::sync::Arc;

fn pattern() -> Design {
    let pattern = (library::patterns().iter())
        .find(|pattern| pattern.name == "saas-multi-tenant")
        .unwrap();
    pattern.design().unwrap()
}

fn view_of(design: &Design, index: IndexId) -> Arc<View> {
    let items: Vec<_> = materialize_all(design).into_values().collect();
    Arc::new(view(design, index, &items))
}

fn sheet(design: &Design, filter: &str) -> Sheet {
    let shown = SheetOptions {
        filter: filter.into(),
        ..SheetOptions::default()
    };
    Sheet::new(view_of(design, IndexId::PRIMARY), &shown)
}

fn run(design: &Design, command: Command) -> Design {
    let next = apply(design, command).unwrap();
    assert_eq!(validate_invariants(&next), []);
    next
}

/// A design in which every user is refused: the template uses an attribute that no user has.
fn with_refused() -> (Design, EntityId) {
    let design = pattern();
    let user = design.entity_named("User").unwrap();
    let command = Command::SetTemplate {
        entity: user,
        index: IndexId::PRIMARY,
        part: KeyPart::Sort,
        text: Some("USER#{nickname}".into()),
    };
    (run(&design, command), user)
}

#[test]
fn refused_items_with_their_reasons_follow_the_rows() {
    let design = pattern();
    let all = sheet(&design, "");
    assert_eq!(all.len(), all.view().rows.len());
    assert_eq!(all.line(0), Some(Line::Row(0)));
    assert_eq!(all.line(all.len()), None);

    let (design, user) = with_refused();
    let sheet = sheet(&design, "");
    let users = design.samples_of(user).len();
    let rows = sheet.rows();
    assert_eq!(
        (sheet.refused(), sheet.len()),
        (users, rows + 1 + 2 * users)
    );
    assert_eq!(sheet.line(rows), Some(Line::Heading));
    assert_eq!(sheet.line(rows + 1), Some(Line::Refused(0)));
    assert_eq!(sheet.line(rows + 2), Some(Line::Reason(0)));
    assert_eq!(sheet.line(rows + 3), Some(Line::Refused(1)));
    assert!(sheet.item(rows).is_none() && sheet.item(rows + 2).is_none());
    assert_eq!(sheet.item(rows + 1).unwrap().entity, user);
}

#[test]
fn only_the_table_lists_refused_items() {
    let (design, _) = with_refused();
    let index = design.index_named("GSI3").unwrap();
    assert_eq!(
        Sheet::new(view_of(&design, index), &SheetOptions::default()).refused(),
        0
    );
}

#[test]
fn every_row_has_its_position_in_the_item_collection() {
    let design = pattern();
    for filter in ["", "alice", "t_01"] {
        let sheet = sheet(&design, filter);
        assert!(!sheet.is_empty(), "{filter}");
        let mut group = None;
        for at in 0..sheet.len() {
            let id = sheet.item(at).unwrap().id();
            assert_eq!(sheet.find(id, 0), Some(at));
            let place = sheet.place(at).unwrap();
            assert_eq!(place.first, group != Some(place.group), "{filter} {at}");
            group = Some(place.group);
            let next = sheet.place(at + 1).map(|next| next.group);
            assert_eq!(place.last, next != Some(place.group), "{filter} {at}");
        }
    }
}

#[test]
fn the_filter_searches_visible_columns_and_ignores_case() {
    let design = pattern();
    let rows = |filter: &str| sheet(&design, filter).rows();
    assert_eq!(rows("ALICE@acme"), 1);
    assert_eq!(rows("  alice@acme.com "), 1);
    assert_eq!(rows("no such text"), 0);
    assert_eq!(rows("tenant#"), sheet(&design, "").rows());
    assert_eq!(rows("é"), 0);
    let subscription = rows("10");
    assert!(subscription >= 1, "numbers count too");
}

#[test]
fn moves_skip_lines_without_cells_and_stop_at_the_edges() {
    let (design, _) = with_refused();
    let sheet = sheet(&design, "");
    let rows = sheet.rows();
    let columns = 5;
    let go = |from, step| sheet.move_cell(from, step, columns);
    assert_eq!(go((0, 0), CellMove::Left), (0, 0));
    assert_eq!(go((0, 4), CellMove::Right), (0, 4));
    assert_eq!(go((0, 2), CellMove::Up), (0, 2));
    assert_eq!(go((rows - 1, 2), CellMove::Down), (rows + 1, 2));
    assert_eq!(go((rows + 1, 2), CellMove::Down), (rows + 3, 2));
    assert_eq!(go((rows + 3, 2), CellMove::Up), (rows + 1, 2));
    assert_eq!(go((rows + 1, 2), CellMove::Up), (rows - 1, 2));
    assert_eq!(go((3, 2), CellMove::PageUp(100)), (0, 2));
    let last = sheet.last().unwrap();
    assert_eq!(last, sheet.len() - 2);
    assert_eq!(go((3, 2), CellMove::PageDown(1000)), (last, 2));
    assert_eq!(go((3, 2), CellMove::Bottom), (last, 2));
    assert_eq!(go((3, 2), CellMove::Top), (0, 2));
    assert_eq!(go((3, 2), CellMove::RowStart), (3, 1));
    assert_eq!(go((3, 2), CellMove::RowEnd), (3, 4));
}

#[test]
fn next_and_previous_wrap_between_rows_and_skip_headers() {
    let design = pattern();
    let sheet = sheet(&design, "");
    let last = sheet.last().unwrap();
    assert_eq!(sheet.move_cell((0, 3), CellMove::Next, 4), (1, 1));
    assert_eq!(sheet.move_cell((0, 2), CellMove::Next, 4), (0, 3));
    assert_eq!(sheet.move_cell((last, 3), CellMove::Next, 4), (last, 3));
    assert_eq!(sheet.move_cell((1, 1), CellMove::Previous, 4), (0, 3));
    assert_eq!(sheet.move_cell((0, 1), CellMove::Previous, 4), (0, 1));
}

#[test]
fn moves_in_an_empty_sheet_do_nothing() {
    let design = Design::new("empty");
    let sheet = sheet(&design, "");
    assert!(sheet.is_empty());
    assert_eq!(sheet.first(), None);
    assert_eq!(sheet.last(), None);
    for step in [
        CellMove::Down,
        CellMove::Up,
        CellMove::Next,
        CellMove::Bottom,
    ] {
        assert_eq!(sheet.move_cell((0, 2), step, 3), (0, 2), "{step:?}");
    }
}

#[test]
fn the_rendered_range_has_all_visible_lines_and_few_others() {
    for count in [0, 1, 9, 100_000] {
        for top in [0.0, 1.0, 27.0, 28.0, 1000.0, 2_799_000.0] {
            let window = visible_lines(top, 300.0, 28.0, count, 8);
            let first = ((top / 28.0) as usize).min(count);
            let end = (((top + 300.0) / 28.0).ceil() as usize).min(count);
            assert!(window.start <= first && window.end >= end, "{count} {top}");
            assert!(window.len() <= 11 + 4 * 8, "{count} {top} {window:?}");
        }
    }
    assert_eq!(
        visible_lines(0.0, 300.0, 28.0, 100, 8),
        visible_lines(27.0, 300.0, 28.0, 100, 8)
    );
    assert_eq!(visible_lines(-5.0, -1.0, 28.0, 100, 8).start, 0);
}

#[test]
fn columns_between_returns_all_overlapping_columns() {
    let widths = [50.0, 100.0, 20.0, 80.0];
    for (seen, expected) in [
        (0.0..250.0, 0..4),
        (-100.0..1.0, 0..1),
        (-100.0..0.0, 0..0),
        (49.0..51.0, 0..2),
        (50.0..150.0, 1..2),
        (149.0..171.0, 1..4),
        (170.0..170.0, 3..3),
        (300.0..900.0, 4..4),
        (200.0..900.0, 3..4),
        (250.0..0.0, 4..4),
    ] {
        let columns = columns_between(&widths, seen.clone());
        assert_eq!(columns, expected, "{seen:?}");
    }
    assert_eq!(columns_between(&[], 0.0..100.0), 0..0);
}

#[test]
fn longest_text_measures_a_column() {
    let view = view_of(&pattern(), IndexId::PRIMARY);
    assert_eq!(longest_text(&view, "email"), "alice@acme.com".len());
    assert_eq!(longest_text(&view, "no such column"), 0);
}

#[test]
fn a_new_sample_never_collides() {
    for pattern in library::patterns() {
        let mut design = pattern.design().unwrap();
        let before = view_of(&design, IndexId::PRIMARY);
        assert!(
            before.rows.iter().all(|row| !row.collides),
            "{}",
            pattern.name
        );
        let entities: Vec<EntityId> = design.entities.keys().copied().collect();
        for entity in entities {
            for _ in 0..3 {
                let values = suggest::next_sample(&design, entity);
                design = run(&design, Command::AddSample(entity, values));
                let view = view_of(&design, IndexId::PRIMARY);
                let name = &design.entities[&entity].name;
                let at = format!("{}: {name}", pattern.name);
                assert_eq!(view.failed.len(), before.failed.len(), "{at}");
                assert!(view.rows.iter().all(|row| !row.collides), "{at}");
            }
        }
    }
}

#[test]
fn new_identities_continue_from_the_last_row() {
    let design = pattern();
    let user = design.entity_named("User").unwrap();
    let mut values = design.samples_of(user)[0].values.clone();
    let mut next_after = |text: &str| {
        values.insert("userId".into(), Value::from(text));
        let design = run(&design, Command::AddSample(user, values.to_map()));
        suggest::next_sample(&design, user)["userId"].to_text()
    };
    assert_eq!(next_after("u_09"), "u_10");
    assert_eq!(next_after("u_99"), "u_100");
    assert_eq!(next_after("7c"), "8c");
    assert_eq!(next_after("someone"), "someone-2");
    assert_eq!(next_after("é1é"), "é2é");
    assert_eq!(next_after("2026-02-28T10:00:00Z"), "2026-03-01T10:00:00Z");
    assert_eq!(
        next_after("99999999999999999999999"),
        "99999999999999999999999-2"
    );
}

#[test]
fn copies_keep_everything_but_the_identity() {
    let design = pattern();
    let user = design.entity_named("User").unwrap();
    let original = &design.samples_of(user)[0].values;
    let copy = suggest::copied_samples(&design, user, vec![original.clone()]).remove(0);
    let differing: Vec<&String> = (copy.iter())
        .filter(|(name, value)| original.get(name) != Some(value))
        .map(|(name, _)| name)
        .collect();
    assert_eq!(differing, ["userId"]);
    assert_eq!(copy.len(), original.len());
}

#[test]
fn filtering_in_steps_equals_filtering_at_once() {
    let design = library::find("theatre-catalogue")
        .unwrap()
        .design()
        .unwrap();
    let items: Vec<_> = materialize_all(&design).into_values().collect();
    let view = Arc::new(view(&design, IndexId::PRIMARY, &items));
    let shown = |filter: &str, sort: Option<&str>| SheetOptions {
        filter: filter.into(),
        sort: sort.map(|column| SortBy {
            column: column.into(),
            descending: true,
        }),
        ..SheetOptions::default()
    };
    for shown in [
        shown("", None),
        shown("phantom", None),
        shown("PHANTOM", Some("SK")),
        shown("nowhere", None),
    ] {
        let lines = |sheet: &Sheet| -> Vec<Option<Line>> {
            (0..sheet.len()).map(|at| sheet.line(at)).collect()
        };
        let at_once = lines(&Sheet::new(view.clone(), &shown));
        let mut sifting = SheetBuilder::new(view.clone(), shown.clone());
        let mut steps = 0;
        let in_steps = loop {
            steps += 1;
            if let Some(sheet) = sifting.step(3) {
                break lines(&sheet);
            }
        };
        assert_eq!(in_steps, at_once);
        assert!(shown.is_all() || steps == view.rows.len().div_ceil(3));
    }
}

/// The rows after recycling, and the number of moved rows.
fn recycled(before: &str, now: &str, focus: Option<char>) -> (String, usize) {
    let rows: Vec<char> = before.chars().collect();
    let of = |line: char| rows.iter().position(|row| *row == line);
    let lines: Vec<Option<usize>> = now.chars().map(of).collect();
    let uses = recycle(&lines, rows.len(), focus.and_then(of));
    assert_eq!(uses.len(), lines.len());
    let mut used: Vec<usize> = Vec::new();
    let mut staying: Vec<usize> = Vec::new();
    for one in &uses {
        match one {
            RowUse::Stay(row) => staying.push(*row),
            RowUse::Move(row) => used.push(*row),
            RowUse::New => {}
        }
    }
    let moved = used.len();
    assert!(staying.is_sorted(), "kept rows are in order");
    used.extend(&staying);
    used.sort_unstable();
    used.dedup();
    assert_eq!(used.len(), moved + staying.len(), "no row is used twice");
    let text = uses.iter().map(|one| match one {
        RowUse::Stay(row) | RowUse::Move(row) => rows[*row],
        RowUse::New => '+',
    });
    (text.collect(), moved)
}

#[test]
fn rows_are_reused_and_few_are_moved() {
    let cases = [
        // No change.
        ("abcdef", "abcdef", None, "abcdef", 0),
        // Scrolling down and up: hidden rows are reused at the other end.
        ("abcdef", "cdefgh", None, "cdefba", 2),
        ("cdefgh", "abcdef", None, "hgcdef", 2),
        // A jump: all rows stay in place and show other lines.
        ("abcdef", "uvwxyz", None, "abcdef", 0),
        // The panel grows and shrinks.
        ("abc", "abcde", None, "abc++", 0),
        ("abcde", "bc", None, "bc", 0),
        // One line moves from the end to the start: its row replaces one in between.
        ("abcdef", "fabcde", None, "fabcde", 1),
        ("abcdef", "xabcde", None, "fabcde", 1),
        ("abcdef", "abxdef", None, "abcdef", 0),
        // The order is reversed. The focused row stays.
        ("abcd", "dcba", Some('c'), "acdb", 1),
        ("abcdef", "fbcdea", Some('f'), "fbcdea", 5),
    ];
    for (before, now, focus, expected, moved) in cases {
        let (rows, count) = recycled(before, now, focus);
        assert_eq!(
            (rows.as_str(), count),
            (expected, moved),
            "{before} -> {now}"
        );
    }
}

#[test]
fn reordering_keeps_the_focused_row_in_place() {
    proptest!(|(
        page in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
        focus in prop::option::of(0..12_usize),
    )| {
        // In line order, the rows are 0, 1, 2, ...
        let place = |row: usize| page.iter().position(|other| *other == row);
        let now: Vec<Option<usize>> = (0..page.len()).map(place).collect();
        let kept = in_place(&now, focus.and_then(place));
        let mut put = page.clone();
        for (row, kept) in kept.iter().enumerate().rev() {
            match kept {
                Some(kept) => prop_assert_eq!(Some(*kept), now[row], "it keeps its line"),
                None => {
                    prop_assert_ne!(Some(row), focus);
                    put.retain(|other| *other != row);
                    let next = put.iter().position(|other| *other == row + 1);
                    put.insert(next.unwrap_or(put.len()), row);
                }
            }
        }
        prop_assert!(put.is_sorted(), "{:?}", put);
    });
}

#[test]
fn the_focused_row_is_never_moved() {
    proptest!(|(
        now in Just((0..12_usize).collect::<Vec<_>>()).prop_shuffle(),
        shown in 0..12_usize,
        count in 1..12_usize,
        focus in 0..12_usize,
    )| {
        let lines: Vec<Option<usize>> =
            now[..shown].iter().map(|row| (*row < count).then_some(*row)).collect();
        let fixed = Some(focus).filter(|focus| lines.contains(&Some(*focus)));
        let uses = recycle(&lines, count, fixed);
        let mut used = vec![0; count];
        let mut after = None;
        for (line, one) in uses.iter().enumerate() {
            if let RowUse::Stay(row) = one {
                prop_assert!(after < Some(*row));
                after = Some(*row);
            }
            if let RowUse::Stay(row) | RowUse::Move(row) = one {
                used[*row] += 1;
            }
            if fixed.is_some() && lines[line] == fixed {
                prop_assert_eq!(*one, RowUse::Stay(focus));
            }
        }
        prop_assert!(used.iter().all(|times| *times <= 1));
        let made = uses.iter().filter(|one| **one == RowUse::New).count();
        prop_assert_eq!(made, shown.saturating_sub(count));
    });
}
