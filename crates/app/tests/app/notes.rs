//! Notes on the canvas: commands, lines and sizes, the picture, the clipboard, arranging.

use keyfold_app::announcement::announcement;
use keyfold_app::arrange::auto_layout;
use keyfold_app::card_navigation::along_wires;
use keyfold_app::fit_text::text_width;
use keyfold_app::geometry::card_height;
use keyfold_app::note::{NOTE_LINE, NOTE_PAD, NOTE_WIDTH, note_height, note_lines, note_name};
use keyfold_app::picture::{PictureOptions, svg};
use keyfold_app::placement::{all_areas, stored_area};
use keyfold_app::viewport::Detail;
use keyfold_app::{Command, Document, Refused, apply, card_clipboard};
use keyfold_core::library;
use keyfold_core::model::*;
use keyfold_test_support::cases;
use proptest::prelude::*;
use std::sync::Arc;

fn run(mut design: Design, commands: impl IntoIterator<Item = Command>) -> Design {
    for command in commands {
        design = apply(&design, command).unwrap_or_else(|refused| panic!("{refused}"));
        assert_eq!(validate_invariants(&design), []);
    }
    design
}

fn refused(design: &Design, command: Command) -> String {
    match apply(design, command) {
        Err(Refused(reason)) => reason,
        Ok(_) => panic!("it succeeded"),
    }
}

fn add(text: &str, x: i32, y: i32) -> Command {
    Command::AddNote {
        text: text.into(),
        at: Point { x, y },
    }
}

/// A library design with a note, and the note.
fn noted(text: &str) -> (Design, NoteId) {
    let saas = library::find("saas-multi-tenant").unwrap();
    let design = run(saas.design().unwrap(), [add(text, -300, 20)]);
    let id = *design.notes.last_key_value().unwrap().0;
    (design, id)
}

#[test]
fn a_note_is_added_edited_colored_moved_and_deleted() {
    let (design, id) = noted("");
    let card = CardId::Note(id);
    assert_eq!(*design.notes[&id], Note::new(""));
    assert_eq!(design.layout[&card], Point { x: -300, y: 20 });
    let to = Point { x: 5, y: -7 };
    let design = run(
        design,
        [
            Command::SetNoteText(id, "First\nsecond".into()),
            Command::SetNoteHue(id, 13),
            Command::Move(vec![(card, to)]),
        ],
    );
    assert_eq!(design.notes[&id].text, "First\nsecond");
    assert_eq!(design.notes[&id].hue, 1);
    assert_eq!(design.layout[&card], to);
    assert_eq!(along_wires(&design, card), []);
    let before = library::find("saas-multi-tenant").unwrap();
    let mut before = before.design().unwrap();
    let design = run(design, [Command::Delete(vec![card])]);
    before.next_id = design.next_id;
    assert_eq!(design, before);
    let gone = "this note no longer exists";
    assert_eq!(refused(&design, Command::SetNoteHue(id, 0)), gone);
    assert_eq!(refused(&design, Command::SetNoteText(id, "x".into())), gone);
}

#[test]
fn a_text_that_is_too_long_is_refused() {
    let (design, id) = noted("");
    let most = "é".repeat(Note::MAX_CHARS);
    let design = run(design, [Command::SetNoteText(id, most.clone())]);
    let reason = "a note has at most 4000 characters; this one has 4001";
    let more = [&most, "x"].concat();
    assert_eq!(
        refused(&design, Command::SetNoteText(id, more.clone())),
        reason
    );
    assert_eq!(refused(&design, add(&more, 0, 0)), reason);
}

#[test]
fn typing_into_a_note_is_one_undo_step() {
    let (design, id) = noted("");
    let mut document = Document::new(design.clone());
    for (at, text) in ["A", "As", "Ask"].into_iter().enumerate() {
        let text = Command::SetNoteText(id, text.into());
        document.run(text, at as f64 * 100.0).unwrap();
    }
    assert_eq!(document.design().notes[&id].text, "Ask");
    assert_eq!(document.undo_label(), Some("edit note"));
    document.undo();
    assert_eq!(*document.design(), design);
}

#[test]
fn notes_are_announced_by_their_first_line() {
    let (design, id) = noted("\n  Ask ops \nabout limits");
    let card = CardId::Note(id);
    let said = |command| announcement(&design, &command);
    let move_it = Command::Move(vec![(card, Point { x: 1, y: 2 })]);
    assert_eq!(
        said(move_it).as_deref(),
        Some("Note: Ask ops moved to 1, 2")
    );
    let delete = Command::Delete(vec![card]);
    assert_eq!(said(delete).as_deref(), Some("Note: Ask ops deleted"));
    assert_eq!(said(add("x", 0, 0)).as_deref(), Some("Note added"));
    assert_eq!(said(Command::SetNoteText(id, "x".into())), None);
    assert_eq!(note_name(&Note::new(" \n")), "Note");
    let long = note_name(&Note::new("word ".repeat(90)));
    assert!(long.starts_with("Note: word") && long.ends_with('…'));
}

#[test]
fn lines_break_at_spaces_and_where_the_author_breaks_them() {
    let lines = |text: &str| note_lines(&Note::new(text), Detail::All);
    assert_eq!(lines(""), [""; 0]);
    assert_eq!(lines(" \n\n"), [""; 0]);
    assert_eq!(lines("one\n\n  two\n"), ["one", "", "  two"]);
    assert_eq!(
        lines("The partition key of orders is the tenant until July"),
        ["The partition key of orders is", "the tenant until July"]
    );
    let word = "x".repeat(65);
    assert_eq!(
        lines(&format!("a {word}")),
        ["a", &"x".repeat(30), &"x".repeat(30), "xxxxx"]
    );
    assert_eq!(
        lines("名".repeat(16).as_str()),
        ["名".repeat(15), "名".into()]
    );
    let many = lines(&"line\n".repeat(90));
    assert_eq!((many.len(), many[39].as_str()), (40, "line…"));
    let names = note_lines(&Note::new("\nfirst\nsecond"), Detail::Names);
    assert_eq!(names, ["first…"]);
}

#[test]
fn a_note_grows_with_its_text() {
    let height = |text: &str| note_height(&Note::new(text), Detail::All);
    let of = |lines: usize| lines as f64 * NOTE_LINE + 2.0 * NOTE_PAD;
    assert_eq!([height(""), height("one\ntwo")], [of(3); 2]);
    assert_eq!(height("1\n2\n3\n4\n5"), of(5));
    assert_eq!(height(&"line\n".repeat(90)), of(40));
    let (design, id) = noted("1\n2\n3\n4\n5");
    assert_eq!(card_height(&design, CardId::Note(id), Detail::Keys), of(5));
    assert_eq!(card_height(&design, CardId::Note(id), Detail::Names), 40.0);
    let area = stored_area(&design, CardId::Note(id), Detail::All).unwrap();
    assert_eq!((area.width, area.height), (NOTE_WIDTH, of(5)));
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn no_line_is_wider_than_the_note_and_no_word_is_lost(
        text in "([a-z名\u{301}]{0,40}[ \t\n]{0,3}){0,12}"
    ) {
        let lines = note_lines(&Note::new(text.as_str()), Detail::All);
        for line in &lines {
            prop_assert!(text_width(line, 12.0) <= NOTE_WIDTH - 2.0 * NOTE_PAD + 0.01, "{line:?}");
        }
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        let shown = bare(&lines.concat());
        match shown.strip_suffix('…') {
            Some(start) => prop_assert!(bare(&text).starts_with(start)),
            None => prop_assert_eq!(shown, bare(&text)),
        }
    }
}

#[test]
fn the_picture_has_the_notes_with_their_lines() {
    let text = "Ask <ops>\n\nabout the limits of the table and its indexes";
    let (design, id) = noted(text);
    for dark in [false, true] {
        for detail in [Detail::All, Detail::Keys, Detail::Names] {
            let options = PictureOptions {
                dark,
                detail,
                groups: None,
                references: false,
            };
            let picture = svg(&design, options);
            let document = roxmltree::Document::parse(&picture).unwrap();
            let texts: Vec<&str> = (document.descendants())
                .filter(|node| node.has_tag_name("text"))
                .filter_map(|node| node.text())
                .collect();
            for line in note_lines(&design.notes[&id], detail) {
                assert!(line.is_empty() || texts.contains(&line.as_str()), "{line}");
            }
            let area = all_areas(&design, detail).unwrap();
            let left = document.root_element().attribute("viewBox").unwrap();
            assert!(left.starts_with(&format!("{} ", area.x - 32.0)), "{left}");
        }
    }
    let options = PictureOptions {
        detail: Detail::Names,
        ..PictureOptions::default()
    };
    let whole = "<title>Ask &lt;ops&gt;  about the limits of the table and its indexes</title>";
    let picture = svg(&design, options);
    assert!(picture.contains(whole), "what is cut has a title");
}

#[test]
fn a_copy_of_a_note_has_its_text_and_color() {
    let (design, id) = noted("Ask\nops");
    let design = run(design, [Command::SetNoteHue(id, 3)]);
    let cards = SortedSet::from([CardId::Note(id)]);
    let clip = card_clipboard::read(&card_clipboard::copy(&design, &cards).unwrap()).unwrap();
    let paste = Command::Paste {
        clip: Box::new(clip),
        at: Point { x: 9, y: 8 },
        duplicates: true,
    };
    assert_eq!(
        announcement(&design, &paste).as_deref(),
        Some("Duplicated: Note: Ask")
    );
    let after = run(design.clone(), [paste]);
    let [new] = Vec::from_iter(card_clipboard::pasted_cards(&design, &after))[..] else {
        panic!("one card");
    };
    let CardId::Note(copy) = new else {
        panic!("a note");
    };
    assert_eq!(after.notes[&copy], design.notes[&id]);
    assert_eq!(after.layout[&new], Point { x: 9, y: 8 });
}

#[test]
fn arranged_notes_cover_no_card() {
    let long = "word ".repeat(120);
    let (mut design, _) = noted(&long);
    for number in 0..9 {
        design = run(design, [add(&long, number * 40, number * 30)]);
    }
    for detail in [Detail::All, Detail::Keys, Detail::Names] {
        let mut arranged = design.clone();
        Arc::make_mut(&mut arranged.layout).extend(auto_layout(&design, detail));
        let cards: Vec<CardId> = arranged.cards().collect();
        let area = |card: &CardId| stored_area(&arranged, *card, detail).unwrap();
        for (at, card) in cards.iter().enumerate() {
            for other in &cards[at + 1..] {
                assert!(!area(card).intersects(area(other)), "{card} and {other}");
            }
        }
    }
}
