//! Notes: added, written, colored and deleted on the canvas.

use crate::screen::Screen;
use keyfold_core::model::Note;
use wasm_bindgen_test::wasm_bindgen_test;

/// The notes of the design.
async fn stored(screen: &Screen) -> Vec<Note> {
    let design = screen.design().await;
    design.notes.values().map(|note| (**note).clone()).collect()
}

#[wasm_bindgen_test]
async fn a_note_is_written_where_it_is_added() {
    let screen = Screen::first_visit().await;
    screen.press_note_piece().await;
    assert!(screen.is_writing());
    screen.write("Ask ops\nabout limits", "Enter", true).await;
    assert!(!screen.is_writing());
    assert_eq!(screen.notes(), ["Ask ops\nabout limits"]);
    assert_eq!(screen.spoken_notes(), ["Note: Ask ops"]);
    assert_eq!(screen.inspected(), "Note");
    assert_eq!(stored(&screen).await, [Note::new("Ask ops\nabout limits")]);
}

#[wasm_bindgen_test]
async fn a_note_is_edited_in_place_and_in_the_inspector() {
    let screen = Screen::first_visit().await;
    screen.drag_from_palette("Note", (0.3, 0.3)).await;
    screen.write("", "Escape", false).await;
    assert_eq!(screen.notes(), ["Write a note"]);
    assert_eq!(screen.spoken_notes(), ["Note"]);
    screen.focus_note().await;
    screen.press("Enter", false).await;
    assert!(screen.is_writing());
    screen.write("first", "Enter", true).await;
    screen.press("F2", false).await;
    screen.write("canceled", "Escape", false).await;
    assert_eq!(screen.notes(), ["first"]);
    screen.double_click_note().await;
    screen.write("second", "Tab", false).await;
    screen.leave_field().await;
    assert_eq!(screen.notes(), ["second"]);
    screen.fill("Text", "third").await;
    screen.leave_field().await;
    assert_eq!(screen.notes(), ["third"]);
    screen.choose_color("Rose").await;
    let rose = Note {
        hue: 9,
        ..Note::new("third")
    };
    assert_eq!(stored(&screen).await, [rose]);
    screen.search("third").await;
    assert_eq!(screen.results()[0], "third");
    screen.press("Escape", false).await;
}

#[wasm_bindgen_test]
async fn a_note_is_duplicated_and_deleted_by_keys() {
    let screen = Screen::first_visit().await;
    screen.press_note_piece().await;
    screen.write("one", "Enter", true).await;
    screen.press("d", true).await;
    assert_eq!(screen.notes(), ["one", "one"]);
    screen.press("Delete", false).await;
    assert_eq!(screen.notes(), ["one"]);
    screen.press("z", true).await;
    assert_eq!(screen.notes(), ["one", "one"]);
}
