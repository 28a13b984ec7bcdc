//! The table of actions and what is made of it: keys, command palette, context menu, help; and where the
//! keyboard focus goes.

use crate::screen::Screen;
use keyfold_web::ui::dom::key_chords::{Chord, Press, chords, shown};
use keyfold_web::ui::shell::actions::actions;
use keyfold_web::ui::shell::keyboard::{GESTURES, PATTERN_KEYS};
use keyfold_web::ui::state::action_registry::Subject;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn every_key_combination_can_be_read_and_none_is_bound_twice() {
    let mut bound: Vec<((Chord, bool), &str)> = Vec::new();
    for action in actions() {
        assert!(!action.name.is_empty() && !action.group.is_empty());
        for chord in chords(action.keys) {
            let chord = chord.unwrap_or_else(|| panic!("{:?} of {}", action.keys, action.name));
            // The table has keys of its own.
            let chord = (chord, action.in_table);
            let other = bound.iter().find(|(other, _)| *other == chord);
            assert!(
                other.is_none(),
                "{chord:?}: {} and {:?}",
                action.name,
                other.map(|(_, name)| name)
            );
            bound.push((chord, action.name));
        }
    }
    assert!(bound.len() > 15);
    let mut names: Vec<&str> = actions().map(|action| action.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), actions().count(), "names tell actions apart");
    for subject in [Subject::Canvas, Subject::Entity, Subject::Index] {
        let offered = |action: &&keyfold_web::ui::shell::app_context::Action| {
            action.context.contains(&subject)
        };
        assert!(actions().any(|action| offered(&action)), "{subject:?}");
    }
}

#[wasm_bindgen_test]
async fn home_and_end_go_to_the_first_and_the_last_tab() {
    let screen = Screen::first_visit().await;
    screen.open_tab("Problems").await;
    for (key, tab) in [("End", "Export"), ("Home", "Table")] {
        screen.press(key, false).await;
        assert_eq!(screen.current_tab(), tab);
        assert_eq!(screen.focus(), tab);
    }
}

/// A press, written as `Ctrl+Shift+key@code`.
fn press(text: &str) -> Press {
    let (keys, code) = text.split_once('@').unwrap_or((text, ""));
    let (ctrl, keys) = (keys.starts_with("Ctrl+"), keys.trim_start_matches("Ctrl+"));
    let (alt, keys) = (keys.starts_with("Alt+"), keys.trim_start_matches("Alt+"));
    let shift = keys.starts_with("Shift+");
    Press {
        key: keys.trim_start_matches("Shift+").into(),
        code: code.into(),
        ctrl,
        alt,
        shift,
    }
}

#[wasm_bindgen_test]
fn a_combination_is_what_it_says() {
    for (keys, pressed, expected) in [
        ("Ctrl+Z", "Ctrl+z", true),
        // With the caps lock on.
        ("Ctrl+Z", "Ctrl+Z", true),
        ("Ctrl+Z", "Ctrl+Shift+Z", false),
        ("Ctrl+Z", "z", false),
        ("Ctrl+Z", "Ctrl+Alt+z", false),
        ("Ctrl+Shift+Z", "Ctrl+Shift+Z", true),
        // The same key on a Russian keyboard.
        ("Ctrl+Z", "Ctrl+я@KeyZ", true),
        // A German keyboard has Y there: the letter counts.
        ("Ctrl+Z", "Ctrl+y@KeyZ", false),
        ("Alt+A", "Alt+å@KeyA", true),
        ("Alt+2", "Alt+2@Digit2", true),
        ("E", "e", true),
        ("E", "Shift+E", false),
        ("?", "Shift+?", true),
        ("?", "?", true),
        ("+", "Shift++", true),
        ("Ctrl++", "Ctrl++", true),
        ("1", "1@Digit1", true),
        // A French keyboard gives the digit with Shift: there the place of the key counts.
        ("1", "&@Digit1", true),
        ("1", "Shift+1@Digit1", false),
        ("Shift+1", "Shift+1@Digit1", true),
        ("Shift+1", "Shift+!@Digit1", true),
        ("Shift+1", "!@Digit1", false),
        ("ArrowLeft", "ArrowLeft", true),
        ("ArrowLeft", "Shift+ArrowLeft", false),
        ("Shift+F10", "Shift+F10", true),
        ("Space", " ", true),
    ] {
        let chord = Chord::parse(keys).unwrap_or_else(|| panic!("{keys}"));
        assert_eq!(
            chord.matches(&press(pressed)),
            expected,
            "{keys} by {pressed}"
        );
    }
    for wrong in ["", "Ctrl+", "Ctrl+Nothing", "Shift+Ctrl+Z", "Del"] {
        assert_eq!(Chord::parse(wrong), None, "{wrong}");
    }
}

#[wasm_bindgen_test]
async fn the_palette_runs_what_is_typed() {
    let screen = Screen::first_visit().await;
    screen.search("add ent").await;
    assert_eq!(screen.dialog().as_deref(), Some("Command palette"));
    assert_eq!(screen.current_result(), "Add entity");
    assert_eq!(screen.emphasised(0), ["Add", "ent"]);
    screen.choose_current().await;
    assert_eq!(screen.dialog(), None);
    assert_eq!(screen.entities(), ["Entity"]);
    assert_eq!(screen.focus(), "Name", "the name is there to be typed over");

    // From within a field, and by mouse.
    screen.search("").await;
    assert_eq!(screen.results()[0], "Add entity", "what was chosen last");
    assert!(screen.results().contains(&"Undo".into()));
    assert!(
        !screen.results().contains(&"Redo".into()),
        "nothing to redo"
    );
    screen.choose_result("Undo").await;
    assert!(screen.entities().is_empty());
    screen.search("").await;
    assert_eq!(
        screen.results()[0],
        "Add entity",
        "undoing is not possible now"
    );
    assert!(screen.results().contains(&"Redo".into()));
}

#[wasm_bindgen_test]
async fn the_palette_finds_every_part_of_the_design() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    // An entity: selected, in view, and with the focus.
    screen.search("Proj").await;
    assert_eq!(screen.current_result(), "Project");
    screen.choose_current().await;
    assert_eq!(screen.selected().len(), 1);
    assert!(screen.selected()[0].starts_with("Project, "));
    assert!(screen.is_in_view("Project"));
    assert!(screen.focus().starts_with("Project, "));
    // An attribute: its entity.
    screen.search("user email").await;
    assert_eq!(screen.current_result(), "User.email");
    screen.choose_current().await;
    assert!(screen.selected()[0].starts_with("User, "));
    // An index, and its items.
    let index = screen.indexes()[0].clone();
    screen.search(&index).await;
    assert_eq!(screen.current_result(), index);
    screen.choose_current().await;
    assert_eq!(screen.selected(), std::slice::from_ref(&index));
    assert_eq!(screen.current_tab(), index);
    screen.search("items of").await;
    assert!(
        screen
            .results()
            .contains(&format!("Go to items of {index}"))
    );
    screen.press("Escape", false).await;
    // An edited design is kept when a pattern of the library becomes a design.
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    screen.search("pattern finance").await;
    assert_eq!(
        screen.current_result(),
        "Open pattern: Multi-branch finance"
    );
    screen.choose_current().await;
    assert_eq!(screen.design_name(), "Multi-branch finance");
    // An access pattern opens their tab.
    screen.search("go access").await;
    assert_eq!(screen.current_result(), "Go to access patterns");
    screen.search_on("date range").await;
    assert_eq!(screen.current_result(), "List transactions in a date range");
    screen.choose_current().await;
    assert!(screen.current_tab().starts_with("Access patterns"));
    // Another design of this browser.
    screen.search("open design saas").await;
    screen.choose_current().await;
    assert!(screen.entities().contains(&"User".into()));
}

#[wasm_bindgen_test]
async fn arrows_go_round_and_escape_gives_the_focus_back() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    screen.focus_entity("Entity").await;
    let before = screen.focus();
    screen.search("zoom").await;
    let results = screen.results();
    assert!(results.len() >= 3, "{results:?}");
    let last = results.last().unwrap();
    for (key, expected) in [
        ("ArrowDown", &results[1]),
        ("ArrowUp", &results[0]),
        ("ArrowUp", last),
        ("ArrowDown", &results[0]),
        ("End", last),
        ("Home", &results[0]),
        ("PageDown", last),
        ("PageUp", &results[0]),
    ] {
        screen.press(key, false).await;
        assert_eq!(screen.current_result(), *expected, "{key}");
    }
    screen.search_on("nothing is called that").await;
    assert!(screen.results().is_empty());
    screen.press("Enter", false).await;
    assert!(screen.dialog().is_some(), "there is nothing to choose");
    screen.press("k", true).await;
    assert_eq!((screen.dialog(), screen.focus()), (None, before.clone()));
    // The page's own keys rest while a dialog is open.
    screen.search("").await;
    screen.press("Delete", false).await;
    screen.press("g", false).await;
    screen.press("k", true).await;
    assert_eq!((screen.entities().len(), screen.indexes().len()), (1, 0));
    assert_eq!(screen.selected().len(), 1);
}

#[wasm_bindgen_test]
async fn the_menu_of_a_card() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    screen.press("g", false).await;
    screen.press("Escape", false).await;
    screen.press("Escape", false).await;
    assert!(screen.selected().is_empty());
    screen.right_click_entity("Entity").await;
    assert_eq!(screen.selected().len(), 1, "what it is about is selected");
    assert!(
        screen.menu().contains(&"Delete".into()),
        "{:?}",
        screen.menu()
    );
    screen.choose_from_menu("Add to GSI1").await;
    assert_eq!((screen.index_wires(), screen.menu().len()), (1, 0));
    screen.right_click_entity("Entity").await;
    screen.choose_from_menu("Remove from GSI1").await;
    assert_eq!(screen.index_wires(), 0);

    // The focus comes back to a card that was taken out of the selection, and leaves it out.
    screen.focus_entity("Entity").await;
    let before = screen.focus();
    screen.press("Escape", false).await;
    screen.search("").await;
    screen.press("Escape", false).await;
    assert_eq!((screen.dialog(), screen.focus()), (None, before));
    assert!(screen.selected().is_empty());

    // By key: from the card, and back to it.
    screen.focus_entity("Entity").await;
    let before = screen.focus();
    screen.press_with_shift("F10", "F10").await;
    let lines = screen.menu();
    assert_eq!(screen.focus(), lines[0]);
    screen.press("ArrowUp", false).await;
    assert_eq!(screen.focus(), "Add to GSI1");
    screen.press("ArrowDown", false).await;
    assert_eq!(screen.focus(), lines[0]);
    screen.press("End", false).await;
    screen.press("Home", false).await;
    assert_eq!(screen.focus(), lines[0]);
    screen.press("a", false).await;
    screen.press("a", false).await;
    assert_eq!(screen.focus(), "Add to GSI1");
    screen.press("Escape", false).await;
    assert_eq!((screen.menu().len(), screen.focus()), (0, before.clone()));
    assert_eq!(screen.selected().len(), 1, "Escape was the menu's");
    screen.press("ContextMenu", false).await;
    screen.press("a", false).await;
    screen.press("a", false).await;
    screen.press("Enter", false).await;
    assert_eq!(screen.index_wires(), 1);
    // The templates are a first guess: their fields are next.
    assert_eq!(screen.focus(), "GSI1 partition key GSI1PK");
    let fields = screen.focus();
    screen.press("ContextMenu", false).await;
    screen.press("Tab", false).await;
    assert_eq!((screen.menu().len(), screen.focus()), (0, fields));

    // An index has nothing to join.
    screen.right_click_index("GSI1").await;
    assert!(!screen.menu().iter().any(|line| line.contains("GSI1")));
    screen.choose_from_menu("Delete").await;
    assert!(screen.indexes().is_empty());
}

#[wasm_bindgen_test]
async fn the_menu_of_the_canvas() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    let at = screen.right_click_canvas((0.7, 0.6)).await;
    let lines = screen.menu();
    for line in ["Add entity", "Select all", "Show everything"] {
        assert!(lines.contains(&line.into()), "{lines:?}");
    }
    screen.choose_from_menu("Add entity").await;
    assert_eq!(screen.entities().len(), 2);
    let place = screen.place_of("Entity 2");
    let off = (place.0 - at.0).hypot(place.1 - at.1);
    assert!(off < 2.0, "{place:?} at the pointer {at:?}");
    // In a corner it stays in the window.
    screen.press("Escape", false).await;
    screen.right_click_canvas((0.99, 0.9)).await;
    assert!(screen.menu_is_in_window());
    screen.choose_from_menu("Select all").await;
    assert_eq!(screen.selected().len(), 3, "with the table");
    // Several cards are one subject, and stay selected.
    screen.right_click_entity("Entity").await;
    assert_eq!(screen.selected().len(), 3);
    screen.choose_from_menu("Delete").await;
    assert!(screen.entities().is_empty());
}

#[wasm_bindgen_test]
async fn a_finger_that_rests_opens_the_menu() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    let clicks = screen.rest_finger_on("Entity", 0, 0.0).await;
    assert!(clicks);
    crate::screen::wait(600).await;
    assert!(screen.menu().is_empty(), "too short");
    let before = screen.place_of("Entity");
    screen.rest_finger_on("Entity", 600, 20.0).await;
    assert!(screen.menu().is_empty(), "a drag");
    assert!(screen.place_of("Entity").0 > before.0);
    let before = screen.place_of("Entity");
    let clicks = screen.rest_finger_on("Entity", 600, 3.0).await;
    assert!(!clicks, "lifting it chooses nothing from what is under it");
    assert!(screen.menu().contains(&"Delete".into()));
    assert_eq!(screen.place_of("Entity"), before);
    screen.select_entity("Entity").await;
    assert!(screen.menu().is_empty(), "a press outside closes it");
}

#[wasm_bindgen_test]
async fn the_help_lists_every_combination() {
    let screen = Screen::first_visit().await;
    screen.press("?", false).await;
    let help = screen.help();
    for action in actions().filter(|action| !action.keys.is_empty()) {
        let line = (shown(action.keys), action.name.to_owned());
        assert!(help.contains(&line), "{line:?} in {help:?}");
    }
    for (how, what) in GESTURES.iter().chain(PATTERN_KEYS) {
        let line = (
            how.split(", ").map(str::to_owned).collect(),
            what.to_string(),
        );
        assert!(help.contains(&line), "{line:?}");
    }
    screen.fill("Search shortcuts", "redo").await;
    assert_eq!(screen.help().len(), 1);
    screen.press_button("Close").await;
    assert_eq!(screen.dialog(), None);
}

#[wasm_bindgen_test]
async fn keys_rest_where_they_would_surprise() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    // In the name: a letter is a letter.
    screen.press("g", false).await;
    screen.press("Delete", false).await;
    assert_eq!((screen.entities().len(), screen.indexes().len()), (1, 0));
    // But what has Ctrl works there.
    screen.press("z", true).await;
    assert!(screen.entities().is_empty());
    // The menu of designs: Escape closes it, goes to its button, and leaves the selection alone.
    screen.press("y", true).await;
    screen.select_entity("Entity").await;
    screen.press_button("Designs and files").await;
    assert!(screen.designs_menu_is_open());
    screen.press("Escape", false).await;
    assert!(!screen.designs_menu_is_open());
    assert_eq!(screen.focus(), "Designs and files");
    assert_eq!(screen.selected().len(), 1);
}

#[wasm_bindgen_test]
async fn what_the_browser_does_not_copy_is_not_cut() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    for (refused, left) in [(true, 1), (false, 0)] {
        let clipboard = crate::screen::ClipboardThat::answers(!refused);
        screen.right_click_entity("Entity").await;
        screen.choose_from_menu("Cut").await;
        drop(clipboard);
        assert_eq!(screen.entities().len(), left, "refused: {refused}");
    }
}
