//! An undo history that was written and read undoes and redoes the same steps.

use crate::commands::{any_command, saas};
use keyfold_app::{Command, Document, stored_history};
use keyfold_core::persist;
use keyfold_test_support::cases;
use proptest::prelude::*;

/// The document as another visit opens it.
fn reloaded(document: &Document, max_bytes: usize) -> Document {
    let file = persist::to_json(document.design());
    let history = stored_history::to_text(document, &file, max_bytes);
    let design = persist::from_json(&file).expect("a design file");
    stored_history::from_text(design, &file, &history)
}

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
        let again = reloaded(&document, usize::MAX);
        prop_assert_eq!(journey(again), journey(document));
    }

    #[test]
    fn undo_goes_back_through_several_visits_as_it_does_in_one(
        steps in prop::collection::vec(any_step(), 1..40),
    ) {
        let mut one = Document::new(saas());
        let mut visits = one.clone();
        for (at, step) in steps.into_iter().enumerate() {
            let now = at as f64 * 1000.0;
            match step {
                Step::Run(command) => {
                    let ran = [&mut one, &mut visits].map(|it| it.run((*command).clone(), now).is_ok());
                    prop_assert_eq!(ran[0], ran[1]);
                }
                Step::Undo => {
                    prop_assert_eq!(one.undo().is_some(), visits.undo().is_some());
                }
                Step::Redo => {
                    prop_assert_eq!(one.redo().is_some(), visits.redo().is_some());
                }
                // A history is stored often between two visits.
                Step::Save => drop(reloaded(&visits, usize::MAX)),
                Step::Reload => visits = reloaded(&visits, usize::MAX),
            }
            prop_assert_eq!(visits.design(), one.design());
            prop_assert_eq!(visits.undo_label(), one.undo_label());
            prop_assert_eq!(visits.redo_label(), one.redo_label());
        }
        prop_assert_eq!(journey(visits), journey(one));
    }
}

/// What a person and the page do with a document.
#[derive(Debug, Clone)]
enum Step {
    Run(Box<Command>),
    Undo,
    Redo,
    Save,
    Reload,
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => any_command().prop_map(|command| Step::Run(Box::new(command))),
        3 => Just(Step::Undo),
        2 => Just(Step::Redo),
        2 => Just(Step::Save),
        1 => Just(Step::Reload),
    ]
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
    assert_eq!(journey(reloaded(&document, usize::MAX)), journey(document));
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
    let file = persist::to_json(document.design());
    assert!(stored_history::to_text(&document, &file, 200).len() < 1000);
    let mut again = reloaded(&document, 200);
    assert!(again.undo().is_some());
    assert_eq!(again.design().description, "x".repeat(148));
}

#[test]
fn no_step_of_a_second_is_dropped_from_a_large_design() {
    let mut document = Document::new(saas());
    let text = "x".repeat(600_000);
    document.run(Command::DescribeDesign(text), 0.0).unwrap();
    reloaded(&document, usize::MAX);
    for at in 1..=6 {
        document
            .run(
                Command::RenameDesign(format!("n{at}")),
                f64::from(at) * 1000.0,
            )
            .unwrap();
    }
    let mut again = reloaded(&document, usize::MAX);
    let steps = std::iter::from_fn(|| again.undo().map(drop)).count();
    assert_eq!(steps, 7);
}

#[test]
fn a_history_that_cannot_be_read_is_none() {
    let file = persist::to_json(&saas());
    let of = keyfold_app::workspace::hash(&file);
    for text in ["", "[]", "[1,[],[]]", "{}", "[1"] {
        let document = stored_history::from_text(saas(), &file, text);
        assert_eq!(document.design(), &saas());
        assert_eq!(document.undo_label(), None);
    }
    let change = "[\"x\",999999,1,\"\"]";
    let text = format!("[{of},[{change},{change}],[7,{change}]]");
    let mut document = stored_history::from_text(saas(), &file, &text);
    assert!(document.undo().is_none());
    assert_eq!(document.design(), &saas());
    assert_eq!(document.undo_label(), None);
}

#[test]
fn a_history_of_another_text_is_not_taken() {
    let mut document = Document::new(saas());
    document
        .run(Command::RenameDesign("B".into()), 0.0)
        .unwrap();
    let file = persist::to_json(document.design());
    let history = stored_history::to_text(&document, &file, usize::MAX);
    let other = persist::to_json(&saas());
    assert_eq!(
        stored_history::from_text(saas(), &other, &history).undo_label(),
        None
    );
    let same = stored_history::from_text(document.design().clone(), &file, &history);
    assert!(same.undo_label().is_some());
}
