//! An undo history that was written and read undoes and redoes the same steps.

use crate::commands::{any_command, saas};
use keyfold_app::{Command, Document, stored_history};
use keyfold_test_support::cases;
use proptest::prelude::*;

/// The designs and labels along undo, then redo.
fn journey(mut document: Document) -> Vec<(Option<String>, keyfold_core::model::Design)> {
    let mut stops = Vec::new();
    while document.undo().is_some() {
        stops.push((
            document.redo_label().map(str::to_owned),
            document.design().clone(),
        ));
    }
    while document.redo().is_some() {
        stops.push((
            document.undo_label().map(str::to_owned),
            document.design().clone(),
        ));
    }
    stops
}

proptest! {
    #![proptest_config(cases(60))]
    #[test]
    fn a_history_round_trips_as_text(
        commands in prop::collection::vec(any_command(), 1..20),
        undone in 0..6_usize,
    ) {
        let mut document = Document::new(saas());
        for (at, command) in commands.into_iter().enumerate() {
            let _ = document.run(command, at as f64 * 1000.0);
        }
        for _ in 0..undone {
            document.undo();
        }
        let text = stored_history::to_text(&document, usize::MAX);
        let again = stored_history::from_text(document.design().clone(), &text);
        prop_assert_eq!(journey(again), journey(document));
    }
}

#[test]
fn multi_byte_characters_are_not_split() {
    let mut document = Document::new(saas());
    for name in ["Größe é", "Größe è", "Gröse 🦀", "Gröse 🦁", ""] {
        document
            .run(Command::DescribeDesign(name.into()), 0.0)
            .unwrap();
        document
            .run(Command::RenameDesign(format!("n{name}")), 0.0)
            .unwrap();
    }
    let text = stored_history::to_text(&document, usize::MAX);
    let again = stored_history::from_text(document.design().clone(), &text);
    assert_eq!(journey(again), journey(document));
}

#[test]
fn the_oldest_steps_are_dropped_if_the_history_is_too_long() {
    let mut document = Document::new(saas());
    for at in 0..50 {
        let text = "x".repeat(100 + at);
        document
            .run(Command::DescribeDesign(text), at as f64 * 1000.0)
            .unwrap();
    }
    let text = stored_history::to_text(&document, 200);
    assert!(text.len() < 1000);
    let mut again = stored_history::from_text(document.design().clone(), &text);
    assert!(again.undo().is_some());
    assert_eq!(again.design().description, "x".repeat(148));
}

#[test]
fn an_invalid_history_text_gives_an_empty_history() {
    for text in [
        "",
        "[]",
        "{\"past\":[{\"label\":\"x\",\"start\":999999,\"end\":1,\"text\":\"\"}],\"future\":[]}",
    ] {
        let document = stored_history::from_text(saas(), text);
        assert_eq!(document.design(), &saas());
        assert_eq!(document.undo_label(), None);
    }
}
