//! The text of a design follows every command: the lines that a command does not touch, comments and order stay.

use crate::commands::{any_command, saas};
use keyfold_app::{Command, apply};
use keyfold_core::library::patterns;
use keyfold_core::model::{
    Attribute, AttributeType, CardId, Design, EntityId, Point, SortedMap, Value,
};
use keyfold_core::text::{Update, lower, parse, print, update};
use keyfold_test_support::any_design::any_design;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::collections::BTreeMap;

/// The text with a comment after every third line, and empty lines.
fn commented(text: &str) -> String {
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        out.push_str(line);
        let takes_comment = !line.is_empty()
            && !line.contains("///")
            && !line.trim_start().starts_with('>')
            && !line.contains('"');
        if takes_comment && number % 4 == 0 {
            out.push_str(&format!(" // end {number}"));
        }
        out.push('\n');
        if number % 5 == 0 && !line.contains("///") {
            out.push_str(&format!("\n   // own {number}\n"));
        }
    }
    out
}

/// Lines without their spaces, and how often each occurs. Empty lines do not count.
fn counted(text: &str) -> BTreeMap<String, i32> {
    let mut lines = BTreeMap::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !words.is_empty() {
            *lines.entry(words.join(" ")).or_default() += 1;
        }
    }
    lines
}

/// The number of lines that one text has and the other does not.
fn changes(before: &str, after: &str) -> i32 {
    let mut lines = counted(after);
    for (line, count) in counted(before) {
        *lines.entry(line).or_default() -= count;
    }
    lines.values().map(|count| count.abs()).sum()
}

/// Updates a text, and checks that it means the new design.
fn follow(text: &str, old: &Design, new: &Design) -> Update {
    let updated = update(text, old, new);
    let mut edited = text.to_owned();
    for edit in updated.edits.iter().rev() {
        edited.replace_range(edit.range.clone(), &edit.text);
    }
    assert_eq!(edited, updated.text);
    let lowered = lower(&parse(&updated.text), Some(new));
    assert!(
        !lowered.has_errors(),
        "{:?}\n{}",
        lowered.problems,
        updated.text
    );
    let json = keyfold_core::persist::to_json;
    let differs = difference(&json(new), &json(&lowered.design));
    assert!(lowered.design == *new, "{differs}\n{}", updated.text);
    assert!(
        !updated.is_whole,
        "before:\n{text}\nafter:\n{}",
        updated.text
    );
    updated
}

fn own_comments(text: &str) -> Vec<&str> {
    text.lines()
        .map(str::trim)
        .filter(|line| line.starts_with("// own"))
        .collect()
}

fn entity(design: &Design, name: &str) -> EntityId {
    design.entity_named(name).expect("an entity")
}

/// The lines that differ, as a person sees them in a review.
fn difference(before: &str, after: &str) -> String {
    let (old, new) = (counted(before), counted(after));
    let mut out = String::new();
    for line in before.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !new.contains_key(&words.join(" ")) {
            out.push_str(&format!("- {line}\n"));
        }
    }
    for line in after.lines().filter(|line| !line.trim().is_empty()) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if !old.contains_key(&words.join(" ")) {
            out.push_str(&format!("+ {line}\n"));
        }
    }
    out
}

#[test]
fn the_lines_of_usual_commands() {
    let design = saas();
    let user = entity(&design, "User");
    let email = design.entities[&user]
        .attribute("email")
        .expect("an attribute")
        .clone();
    let samples: Vec<_> = design
        .samples_of(user)
        .iter()
        .map(|sample| sample.id)
        .collect();
    let renamed = Attribute {
        name: "mail".into(),
        ..email.clone()
    };
    let described = Attribute {
        description: "For the login.".into(),
        ..email.clone()
    };
    let new = Attribute::new(email.id, "nickname", AttributeType::S);
    let commands = [
        Command::Move(vec![(CardId::Entity(user), Point { x: 1, y: 2 })]),
        Command::RenameEntity(user, "Member".into()),
        Command::UpdateAttribute {
            entity: user,
            attribute: Box::new(renamed),
            field: "name",
        },
        Command::UpdateAttribute {
            entity: user,
            attribute: Box::new(described),
            field: "description",
        },
        Command::AddAttribute(user, new),
        Command::MoveAttribute(user, email.id, 0),
        Command::DeleteAttribute(user, email.id),
        Command::SetValue {
            entity: user,
            sample: samples[1],
            attribute: "nickname".into(),
            value: Some(Value::from("bob")),
        },
        Command::AddSample(
            user,
            SortedMap::from([("userId".to_owned(), Value::from("u_03"))]),
        ),
        Command::DeleteSamples(vec![(user, vec![samples[0]])]),
        Command::AddEntity {
            name: "Invoice".into(),
            at: Point { x: 5, y: 6 },
        },
        Command::Delete(vec![CardId::Entity(user)]),
    ];
    let mut out = String::new();
    let text = print(&design);
    for command in commands {
        let shown = format!("{command:?}");
        let name = shown
            .split(['(', ' '])
            .next()
            .unwrap_or_default()
            .to_owned();
        let after = apply(&design, command).expect("a valid command");
        let updated = follow(&text, &design, &after);
        out.push_str(&format!("# {name}\n{}\n", difference(&text, &updated.text)));
    }
    insta::assert_snapshot!(out);
}

#[test]
fn a_text_without_a_canvas_gets_one_only_when_a_card_changes() {
    let design = saas();
    let text = print(&design);
    let (text, _) = text.split_once("\ncanvas\n").expect("a canvas");
    let user = entity(&design, "User");
    let renamed = apply(&design, Command::RenameEntity(user, "Member".into())).expect("a name");
    let updated = follow(text, &design, &renamed);
    assert!(!updated.text.contains("canvas"), "{}", updated.text);
    let to = Point { x: 1, y: 2 };
    let moved = apply(&renamed, Command::Move(vec![(CardId::Entity(user), to)])).expect("a place");
    let updated = follow(&updated.text, &renamed, &moved);
    let canvas = updated.text.split_once("\ncanvas\n").expect("a canvas");
    assert_eq!(canvas.1, "  1, 2  entity Member color 2\n");
}

#[test]
fn a_comment_moves_with_the_attribute_below_it() {
    let head = "table shop (PK)\nentity E\n";
    let moved = "  // Of b.\n  // Still of b.\n  b string // At the end.\n";
    let others = "  a string\n\n  // Apart.\n\n  c string\n";
    let texts = [
        [head, moved, others].concat(),
        [head, others, moved].concat(),
    ];
    for (from, to, place) in [(0, 1, 2), (1, 0, 0)] {
        let design = lower(&parse(&texts[from]), None).design;
        let id = entity(&design, "E");
        let b = design.entities[&id]
            .attribute("b")
            .expect("an attribute")
            .id;
        let after = apply(&design, Command::MoveAttribute(id, b, place)).expect("a place");
        assert_eq!(follow(&texts[from], &design, &after).text, texts[to]);
    }
}

fn check_commands(first: Design, commands: Vec<Command>) {
    let mut design = first;
    let mut text = commented(&print(&design));
    let lowered = lower(&parse(&text), Some(&design));
    let json = keyfold_core::persist::to_json;
    assert!(
        lowered.design == design,
        "{:?}\n{}\n{text}",
        lowered.problems,
        difference(&json(&design), &json(&lowered.design))
    );
    for command in commands {
        let deletes = matches!(command, Command::Delete(_) | Command::LeaveIndex(..));
        let Ok(after) = apply(&design, command) else {
            continue;
        };
        let updated = follow(&text, &design, &after);
        let (least, most) = (
            changes(&print(&design), &print(&after)),
            changes(&text, &updated.text),
        );
        let header = after.samples.values().any(|samples| !samples.is_empty());
        if !deletes && !header {
            assert!(
                most <= least,
                "{most} > {least}\n{}",
                difference(&text, &updated.text)
            );
        }
        if !deletes {
            // Comments move with the line below them.
            let sorted = |text: &str| -> Vec<String> {
                let mut comments: Vec<String> =
                    own_comments(text).into_iter().map(str::to_owned).collect();
                comments.sort_unstable();
                comments
            };
            assert_eq!(sorted(&text), sorted(&updated.text));
        }
        design = after;
        text = updated.text;
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn any_commands_on_a_design_of_the_library(
        commands in prop::collection::vec(any_command(), 1..30),
        pattern in any::<prop::sample::Index>(),
    ) {
        let pattern = pattern.get(patterns());
        check_commands(pattern.design().expect("a design"), commands);
    }

    #[test]
    fn any_commands_on_any_design(
        design in any_design(),
        commands in prop::collection::vec(any_command(), 1..10),
    ) {
        check_commands(design, commands);
    }

    #[test]
    fn any_other_design(pair in keyfold_test_support::any_design::two_designs()) {
        let (old, mut new) = pair;
        new.next_id = new.next_id.max(old.next_id);
        let updated = update(&print(&old), &old, &new);
        let lowered = lower(&parse(&updated.text), Some(&new));
        prop_assert!(lowered.design == new, "{}", updated.text);
    }
}
