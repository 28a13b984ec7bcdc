//! The design as text: edits of the text, of the design, and undo across both.

use crate::commands::{any_command, saas};
use crate::spellings::{is_needless, respelled};
use keyfold_app::text::{
    EXAMPLE, Reading, difference, follow, merged, opened, printed, restored, stored,
    with_line_ends_of,
};
use keyfold_app::{Command, DesignText, Document, PatternEdit, apply};
use keyfold_core::library::{find, patterns};
use keyfold_core::lint::lint;
use keyfold_core::model::{CardId, Design, IndexId, Point, validate_invariants};
use keyfold_core::persist;
use keyfold_core::text::update;
use keyfold_test_support::cases;
use proptest::prelude::*;
use similar::{ChangeTag, TextDiff};
use std::collections::{BTreeMap, BTreeSet};

fn pattern(name: &str) -> Design {
    find(name).expect("a pattern").design().expect("valid")
}

/// Types a text: what the page does with each key.
fn typed(document: &mut Document, text: &str, now: f64) {
    let reading = Reading::new(text.into(), document.design());
    let command = reading.command(document.design());
    document.run(command, now).expect("accepted");
    assert_eq!(validate_invariants(document.design()), []);
}

/// Brings the text up to date, as the page does when it shows it.
fn shown(document: &mut Document) -> String {
    let text = match document.text() {
        None => printed(document.design()),
        Some(text) => follow(text, document.design()).unwrap_or(text.clone()),
    };
    document.set_text(text.clone());
    text.text.to_string()
}

/// A document whose text has comments, blank lines and another order than the printer's.
fn commented() -> (Document, String) {
    let mut document = Document::new(pattern("e-commerce"));
    let text = shown(&mut document);
    let text = text.replacen("\nentity ", "\n// Ours, do not touch.\n\n\nentity ", 2);
    let text = format!("{text}\n// The end.\n");
    typed(&mut document, &text, 0.0);
    document.leave_field();
    (document, text)
}

#[test]
fn the_example_has_no_mistake_and_is_that_of_the_documentation() {
    let text = opened(EXAMPLE).expect("no error");
    assert_eq!(text.design.entities.len(), 2);
    assert_eq!(lint(&text.design).findings, []);
    let documentation = include_str!("../../../../docs/language.md");
    assert!(documentation.contains(EXAMPLE));
}

#[test]
fn a_comment_is_an_undo_step_that_changes_nothing_in_the_design() {
    let before = pattern("e-commerce");
    let (mut document, text) = commented();
    assert_eq!(document.design(), &before);
    assert_eq!(shown(&mut document), text);
    document.undo().expect("a step");
    let undone = shown(&mut document);
    assert_ne!(undone, text);
    assert!(!undone.contains("Ours"));
    document.redo().expect("a step");
    assert_eq!(shown(&mut document), text);
}

#[test]
fn a_command_changes_only_its_lines_and_undo_gives_back_the_text() {
    let (mut document, text) = commented();
    let entity = document
        .design()
        .entities
        .keys()
        .next()
        .copied()
        .expect("an entity");
    let command = Command::RenameEntity(entity, "Renamed".into());
    document.run(command, 1000.0).expect("accepted");
    let after = shown(&mut document);
    assert_ne!(after, text);
    let changed = |line: &&str| !text.lines().any(|other| other == *line);
    for line in after.lines().filter(changed) {
        assert!(line.contains("Renamed"), "{line}");
    }
    assert!(after.contains("// Ours, do not touch.\n\n\n") && after.ends_with("// The end.\n"));
    document.undo().expect("a step");
    assert_eq!(shown(&mut document), text);
}

#[test]
fn a_moved_card_leaves_the_read_text_alone() {
    let (mut document, text) = commented();
    let card = document
        .design()
        .entities
        .keys()
        .next()
        .map(|id| CardId::Entity(*id));
    let moves = vec![(card.expect("a card"), Point { x: 4000, y: 40 })];
    document
        .run(Command::Move(moves), 1000.0)
        .expect("accepted");
    let after = shown(&mut document);
    let pairs = text.lines().zip(after.lines());
    let changed: Vec<_> = pairs.filter(|(a, b)| a != b).collect();
    assert_eq!(changed.len(), 1, "{changed:?}");
}

#[test]
fn a_text_with_an_error_keeps_the_design_and_names_the_line() {
    let (mut document, text) = commented();
    let before = document.design().clone();
    let broken = text.replacen("entity ", "entitty ", 1);
    typed(&mut document, &broken, 1000.0);
    assert_eq!(document.design(), &before);
    assert_eq!(shown(&mut document), broken);
    let reading = Reading::new(broken.as_str().into(), document.design());
    let (at, message) = reading.first_error().expect("an error");
    assert!(
        broken
            .lines()
            .nth(at.line - 1)
            .expect("a line")
            .contains("entitty"),
        "{message}"
    );
    // The next key ends the mistake; both are one step.
    typed(&mut document, &text, 1100.0);
    assert_eq!(document.design(), &before);
    assert_eq!(shown(&mut document), text);
}

#[test]
fn a_rename_typed_in_the_text_keeps_samples_access_patterns_and_places() {
    let (mut document, text) = commented();
    let before = document.design().clone();
    let (id, entity) = before.entities.iter().next().expect("an entity");
    let renamed = format!("{}X", entity.name);
    // Each use of the name, as an editor replaces it.
    let words: Vec<String> = (text.split_inclusive(|c: char| !c.is_alphanumeric()))
        .map(|word| match word.strip_prefix(&entity.name) {
            Some(rest) if rest.chars().count() <= 1 => format!("{renamed}{rest}"),
            _ => word.to_owned(),
        })
        .collect();
    typed(&mut document, &words.concat(), 1000.0);
    let after = document.design();
    assert_eq!(after.entities.len(), before.entities.len());
    assert_eq!(after.entities[id].name, renamed);
    assert_eq!(after.samples_of(*id).len(), before.samples_of(*id).len());
    let card = CardId::Entity(*id);
    assert_eq!(after.layout.get(&card), before.layout.get(&card));
    assert_eq!(after.access_patterns.len(), before.access_patterns.len());
}

#[test]
fn every_entity_of_the_library_can_be_renamed_at_its_name() {
    for pattern in patterns() {
        let mut document = Document::new(pattern.design().expect("valid"));
        for (id, entity) in document.design().clone().entities {
            let text = shown(&mut document);
            let reading = Reading::new(text.as_str().into(), document.design());
            let at = text
                .find(&format!("\nentity {}", entity.name))
                .expect("a line")
                + 9;
            let at = text[..at].encode_utf16().count() as u32;
            assert_eq!(reading.name_at(at).as_deref(), Some(&*entity.name));
            let command = reading
                .rename(at, format!("{}Two", entity.name))
                .expect("a name");
            document.run(command, 0.0).expect("accepted");
            assert_eq!(
                document.design().entities[&id].name,
                format!("{}Two", entity.name)
            );
            let after = shown(&mut document);
            let reading = Reading::new(after.as_str().into(), document.design());
            assert_eq!(reading.first_error(), None, "{}", pattern.name);
            assert_eq!(reading.design(), document.design(), "{}", pattern.name);
        }
    }
}

#[test]
fn a_new_entity_gets_a_place_and_every_other_part_stays_the_same_one() {
    let (mut document, text) = commented();
    let before = document.design().clone();
    let more = format!("{text}\nentity Coupon\n  code  S\n  key COUPON#{{code}} / COUPON\n");
    typed(&mut document, &more, 1000.0);
    let after = document.design();
    assert_eq!(after.entities.len(), before.entities.len() + 1);
    let (id, _) = after.entities.iter().next_back().expect("an entity");
    assert!(after.layout.contains_key(&CardId::Entity(*id)));
    for (id, entity) in &before.entities {
        assert!(std::sync::Arc::ptr_eq(entity, &after.entities[id]));
    }
}

#[test]
fn a_name_typed_letter_by_letter_leaves_no_line_of_its_beginning() {
    let mut document = Document::new(pattern("e-commerce"));
    let before = shown(&mut document);
    for (at, letter) in "\nentity Coupon\n".chars().enumerate() {
        let text = shown(&mut document).replacen("\ncanvas\n", &format!("{letter}\ncanvas\n"), 1);
        typed(&mut document, &text, at as f64 * 100.0);
    }
    let after = shown(&mut document);
    assert_eq!(
        after,
        before.replacen("\ncanvas\n", "\nentity Coupon\n\ncanvas\n", 1)
    );
    let reading = Reading::new(after.into(), document.design());
    assert_eq!(reading.issues(&lint(&Design::new("Empty"))), []);
}

#[test]
fn a_stored_text_comes_back_with_its_design_or_follows_another_one() {
    let (mut document, text) = commented();
    shown(&mut document);
    let file = persist::to_json(document.design());
    let kept = stored(document.text().expect("a text"), document.design(), &file);
    let back = restored(&kept, document.design(), &file).expect("readable");
    assert_eq!(&*back.text, text);
    assert!(follow(&back, document.design()).is_none());
    // The design was changed where the text was not shown.
    let entity = document
        .design()
        .entities
        .keys()
        .next()
        .copied()
        .expect("an entity");
    let other = apply(
        document.design(),
        Command::RenameEntity(entity, "Other".into()),
    );
    let other = other.expect("accepted");
    let back = restored(&kept, &other, &persist::to_json(&other)).expect("readable");
    let next = follow(&back, &other).expect("a change");
    assert!(next.text.contains("entity Other") && next.text.contains("// Ours"));
}

#[test]
fn findings_stand_at_their_lines() {
    for pattern in patterns() {
        let design = pattern.design().expect("valid");
        let report = lint(&design);
        let reading = Reading::new(printed(&design).text, &design);
        let issues = reading.issues(&report);
        assert_eq!(reading.first_error(), None, "{}", pattern.name);
        for issue in issues {
            assert!(
                issue.range.start <= issue.range.end,
                "{}: {issue:?}",
                pattern.name
            );
        }
    }
}

#[test]
fn positions_count_utf16_units() {
    let design = Design::new("Größe 😀");
    let text = "design Größe 😀\n// 😀\nentity Straße\n  größe  S\n";
    let reading = Reading::new(text.into(), &design);
    let units: Vec<u16> = text.encode_utf16().collect();
    let spans = reading.spans(|name| name.to_owned());
    let word = |span: &[u32]| {
        String::from_utf16(&units[span[0] as usize..span[1] as usize]).expect("whole characters")
    };
    let words: Vec<String> = spans.numbers.chunks(3).map(word).collect();
    assert!(words.contains(&"größe".to_owned()), "{words:?}");
    assert!(words.contains(&"// 😀".to_owned()), "{words:?}");
}

#[test]
fn a_difference_turns_a_text_into_another() {
    for (from, to) in [
        ("", "a"),
        ("abc", "abc"),
        ("aäb", "aöb"),
        ("aaa", "aa"),
        ("x😀", "x😁"),
        ("a\nb\nc\n", "a\nb\nd\n"),
    ] {
        let edit = difference(from, to);
        let mut units: Vec<u16> = from.encode_utf16().collect();
        let range = edit.range.start as usize..edit.range.end as usize;
        units.splice(range, edit.text.encode_utf16());
        let text = String::from_utf16(&units).expect("whole characters");
        assert_eq!(text, to);
    }
}

#[test]
fn an_editor_counts_a_line_end_once_and_a_file_keeps_its_carriage_returns() {
    let (_, text) = commented();
    let text = text.replacen("// Ours", "// 😀 Ours", 1);
    let file = text.replace('\n', "\r\n");
    let design = opened(&text).expect("no error").design;
    let [plain, read] = [&text, &file].map(|text| Reading::new(text.as_str().into(), &design));
    assert_eq!(read.design(), plain.design());
    assert_eq!(read.blocks(), plain.blocks());
    let numbers = |reading: &Reading| reading.spans(|name| name.to_owned()).numbers;
    assert_eq!(numbers(&read), numbers(&plain));
    for unit in 0..text.encode_utf16().count() as u32 {
        assert_eq!(read.card_at(unit), plain.card_at(unit), "{unit}");
        assert_eq!(read.name_at(unit), plain.name_at(unit), "{unit}");
        assert_eq!(read.definition(unit), plain.definition(unit), "{unit}");
    }
    // An editor that shows the file shows the text.
    assert_eq!(difference(&text, &file), difference(&text, &text));
    let edited = file.replacen("Ours", "Theirs", 1);
    assert_eq!(difference(&text, &edited).text, "Thei");
    assert_eq!(with_line_ends_of(text.clone(), &file), file);
    assert_eq!(with_line_ends_of(text.clone(), &text), text);
}

/// Number of lines that are other ones, or at another place.
fn changed_lines(old: &str, new: &str) -> usize {
    let diff = TextDiff::from_lines(old, new);
    (diff.iter_all_changes())
        .filter(|change| change.tag() != ChangeTag::Equal)
        .count()
}

/// How often each line is there, without comments and empty lines, and with one blank between words.
fn counted_lines(text: &str) -> BTreeMap<String, isize> {
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let is_comment = line.starts_with("// c") || line.starts_with("// t");
        if !line.is_empty() && !is_comment && !is_needless(&line) {
            *counts.entry(line).or_default() += 1;
        }
    }
    counts
}

/// Number of lines that are in one text only, and of those in both that have another place among the others.
/// Unlike [`changed_lines`], it does not depend on which of two blocks comes first if one of them is new.
fn different_lines(old: &str, new: &str) -> usize {
    let (before, after) = (counted_lines(old), counted_lines(new));
    let count =
        |counts: &BTreeMap<String, isize>, line: &str| counts.get(line).copied().unwrap_or(0);
    let all: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let only: usize = (all.into_iter())
        .map(|line| count(&before, line).abs_diff(count(&after, line)))
        .sum();
    let single = |text: &str| -> String {
        let lines = text
            .lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        let lines = lines.filter(|line| count(&before, line) == 1 && count(&after, line) == 1);
        lines.map(|line| line + "\n").collect()
    };
    only + changed_lines(&single(old), &single(new))
}

/// Each numbered comment with the line below it.
fn commented_lines(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().zip(text.lines().skip(1));
    lines
        .filter(|(line, _)| line.trim_start().starts_with("// c"))
        .collect()
}

/// Whether a command gives access patterns the ids of others, to order them: the text of each is written anew.
fn moves_pattern(command: &Command) -> bool {
    match command {
        Command::Together { commands, .. } => commands.iter().any(moves_pattern),
        Command::Pattern(PatternEdit::Move(..) | PatternEdit::Duplicate(_)) => true,
        _ => false,
    }
}

/// Whether a command takes a part of the design away, or can.
fn removes(command: &Command) -> bool {
    match command {
        Command::Together { commands, .. } => commands.iter().any(removes),
        Command::EditSamples(edits) => !edits.removed.is_empty(),
        Command::SetTemplate { text, .. } => text.is_none(),
        _ => matches!(
            command,
            Command::Delete(_)
                | Command::DeleteAttribute(..)
                | Command::DeleteSamples(_)
                | Command::LeaveIndex(..)
                | Command::MoveWire { .. }
                | Command::UpdateTable { .. }
                | Command::UpdateIndex { .. }
                | Command::Pattern(_)
                | Command::Workload(_)
                | Command::Fix(_)
                | Command::SetExportOptions { .. }
                | Command::ApplySuggestion { .. }
                | Command::Unsilence { .. }
                | Command::Replace { .. }
        ),
    }
}

proptest! {
    #![proptest_config(cases(64))]

    #[test]
    fn comments_survive_any_command_no_other_line_changes_and_undo_gives_back_the_text(
        commands in prop::collection::vec(any_command(), 1..20),
        spelling in prop_oneof![Just([false; 6]), any::<[bool; 6]>()],
    ) {
        let mut document = Document::new(saas());
        let text = respelled(&shown(&mut document), spelling);
        typed(&mut document, &text, 0.0);
        document.leave_field();
        let mut texts = vec![shown(&mut document)];
        prop_assert_eq!(&texts[0], &text);
        for (number, command) in commands.into_iter().enumerate() {
            let before = document.design().clone();
            let name = format!("{command:?}");
            let removes = removes(&command);
            if moves_pattern(&command) {
                continue;
            }
            let Ok(changes) = document.run(command, (number + 1) as f64 * 1e6) else { continue };
            if changes.is_empty() {
                continue;
            }
            let old = texts.last().expect("a text").clone();
            let is_whole = update(&old, &before, document.design()).is_whole;
            prop_assert!(!is_whole, "{}: printed anew\n{}", name, old);
            let new = shown(&mut document);
            let reading = Reading::new(new.as_str().into(), document.design());
            prop_assert_eq!(reading.first_error(), None, "{}", name);
            prop_assert_eq!(reading.design(), document.design(), "{}", name);
            // A comment goes only with the line that it is about.
            let count = |text: &str, line: &str| text.lines().filter(|other| *other == line).count();
            let mut old_lines = old.lines().peekable();
            while let Some(line) = old_lines.next() {
                if line.trim_start().starts_with("// c") && count(&new, line) == 0 {
                    let about = old_lines.peek().copied().unwrap_or_default();
                    let is_gone = count(&new, about) < count(&old, about);
                    prop_assert!(removes && is_gone, "{}: {} {}", name, line, about);
                }
                // One at the end of a block goes only with the block.
                let is_end = line.starts_with("  // t");
                prop_assert!(!is_end || removes || count(&new, line) == 1, "{}: {}", name, line);
            }
            let (plain_old, plain_new) = (printed(&before).text, printed(document.design()).text);
            let diff = TextDiff::from_lines(&old, &new).unified_diff().to_string();
            let (count, least) = (different_lines(&old, &new), different_lines(&plain_old, &plain_new));
            prop_assert!(count <= least, "{}: {} lines instead of {}\n{}", name, count, least, diff);
            let below = commented_lines(&new);
            let touched = (commented_lines(&old).into_iter())
                .filter(|(comment, line)| below.get(comment).is_some_and(|other| other != line))
                .count();
            let least = changed_lines(&plain_old, &plain_new);
            prop_assert!(touched <= least, "{}: {} lines touched instead of {}\n{}", name, touched, least, diff);
            texts.push(new);
        }
        while document.undo().is_some() {
            texts.pop();
            let Some(text) = texts.last() else { break };
            prop_assert_eq!(&shown(&mut document), text);
        }
    }
}

#[test]
fn a_key_that_comes_back_joins_the_other_keys_of_its_entity() {
    let mut document = Document::new(saas());
    let text = respelled(&shown(&mut document), [false; 6]);
    typed(&mut document, &text, 0.0);
    let before = document.design().clone();
    let user =
        (before.entities.iter()).find_map(|(id, entity)| (entity.name == "User").then_some(*id));
    let command = Command::LeaveIndex(user.expect("an entity"), IndexId::PRIMARY);
    document.run(command, 1e6).expect("accepted");
    let without = shown(&mut document);
    let command = Command::Replace {
        label: "restore version",
        design: Box::new(before),
        text: None,
    };
    document.run(command, 2e6).expect("accepted");
    let back = shown(&mut document);
    assert_eq!(changed_lines(&without, &back), 1, "{back}");
    assert!(
        back.contains("USER#{userId}\n  // c54.\n  // c55.\n  index GSI1"),
        "{back}"
    );
}

#[test]
fn an_access_pattern_moves_with_its_comments() {
    let block = |name: &str| {
        format!(
            "// About {name}.\n/// What {name} is for.\npattern {name}\n  // Of {name}.\n  Scan\n  // Later.\n"
        )
    };
    let text = |names: [&str; 3]| {
        let blocks = names.map(block).join("\n");
        format!("table shop (PK, SK)\n\n{blocks}\nexports\n  read-only\n")
    };
    let first = text(["One", "Two", "Three"]);
    let mut document = Document::new(opened(&first).expect("no error").design);
    document.set_text(opened(&first).expect("no error"));
    let third = *document
        .design()
        .access_patterns
        .keys()
        .last()
        .expect("three");
    let command = Command::Pattern(PatternEdit::Move(third, 0));
    document.run(command, 1000.0).expect("accepted");
    assert_eq!(shown(&mut document), text(["Three", "One", "Two"]));
    document.undo().expect("a step");
    assert_eq!(shown(&mut document), first);
    // A copy comes right behind, and no other line changes.
    let one = *document
        .design()
        .access_patterns
        .keys()
        .next()
        .expect("three");
    let command = Command::Pattern(PatternEdit::Duplicate(one));
    document.run(command, 2000.0).expect("accepted");
    let copied = shown(&mut document);
    let kept: Vec<&str> = first.lines().collect();
    assert_eq!(
        changed_lines(&first, &copied),
        copied.lines().count() - kept.len(),
        "{copied}"
    );
    assert_eq!(
        opened(&copied)
            .expect("no error")
            .design
            .access_patterns
            .len(),
        4
    );
}

/// A text of a file.
fn file(text: &str, ids: &Design) -> DesignText {
    let text = opened(text).expect("no error");
    DesignText {
        design: keyfold_compare::matched(ids, &text.design, false),
        ..text
    }
}

#[test]
fn a_text_that_both_sides_changed_has_the_comments_of_both() {
    let original = "design Small\n\n// Mine.\ntable small (pk, sk)\n\nentity Thing\n  id string\n  key THING#{id} / THING\n";
    let design = opened(original).expect("no error").design;
    let base = file(original, &design);
    let ours = file(&original.replace("entity", "// Ours.\nentity"), &design);
    let theirs = file(
        &original
            .replace("// Mine.", "// Theirs.")
            .replace("id string", "id string // Why."),
        &design,
    );
    let both = merged(&base, &ours, &theirs, &design);
    assert_eq!(
        &*both.text,
        "design Small\n\n// Theirs.\ntable small (pk, sk)\n\n// Ours.\nentity Thing\n  id string // Why.\n  key THING#{id} / THING\n"
    );
    // A side that changed nothing takes over the other one, byte for byte, and the design with it.
    let renamed = file(&theirs.text.replace("Thing", "Item"), &design);
    assert_eq!(merged(&base, &base, &renamed, &renamed.design), renamed);
    assert_eq!(merged(&base, &ours, &base, &design), ours);
}

#[test]
fn both_sides_of_a_line_that_both_wrote_do_not_both_stay_if_that_is_no_design() {
    let original = "design Small\n\ntable small (pk, sk)\n\nentity Thing\n  id string\n  key THING#{id} / THING\n";
    let design = opened(original).expect("no error").design;
    let base = file(original, &design);
    let ours = file(&original.replace("id string", "id   string"), &design);
    let theirs = file(&original.replace("id string", "id string // Why."), &design);
    assert_eq!(merged(&base, &ours, &theirs, &design).text, theirs.text);
}
