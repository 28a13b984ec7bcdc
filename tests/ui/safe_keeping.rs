//! Work is kept: through reloads, a full storage and a stored text that cannot be read.

use crate::screen::{Screen, empty_storage_somewhat, fill_storage, storage};
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn several_designs_are_kept_apart() {
    let screen = Screen::first_visit().await;
    screen.drag_from_palette("Entity", (0.3, 0.3)).await;
    screen.open_pattern("saas-multi-tenant").await;
    assert_eq!(screen.entities().len(), 4);
    assert_eq!(screen.design_name(), "SaaS multi-tenant");
    screen.press_button("Untitled").await;
    assert_eq!(screen.entities(), ["Entity"]);
    let screen = screen.reload().await;
    assert_eq!(
        screen.design_name(),
        "Untitled",
        "the one that was open last"
    );
}

/// The pattern of four entities, stored, with three more for which there was no room.
async fn three_entities_not_stored() -> Screen {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.is_stored().await;
    fill_storage();
    for _ in 0..3 {
        screen.press("e", false).await;
        screen.press("Escape", false).await;
    }
    screen.save_state_becomes("Not stored").await;
    screen
}

#[wasm_bindgen_test]
async fn a_full_storage_is_said_and_keeps_the_last_good_copy() {
    let screen = three_entities_not_stored().await;
    assert_eq!(screen.save_state(), "Not stored");
    let notices = screen.notices().join("\n");
    assert!(notices.contains("could not be stored"), "{notices}");
    assert_eq!(screen.entities().len(), 7, "the work goes on");

    let screen = screen.reload().await;
    assert_eq!(screen.entities().len(), 4, "the last good copy");
    storage().clear().unwrap();
}

#[wasm_bindgen_test]
async fn what_could_not_be_stored_is_there_when_its_design_is_opened_again() {
    let screen = three_entities_not_stored().await;
    screen.press_button("New design").await;
    assert_eq!(screen.entities().len(), 0);
    screen.press_button("SaaS multi-tenant").await;
    assert_eq!(screen.entities().len(), 7, "the work goes on");
    assert_eq!(screen.save_state(), "Not stored");

    // It is stored once there is room.
    screen.press_button("Untitled").await;
    empty_storage_somewhat();
    screen.press_button("SaaS multi-tenant").await;
    assert_eq!(screen.save_state(), "Stored");
    let screen = screen.reload().await;
    assert_eq!(screen.entities().len(), 7);
}

#[wasm_bindgen_test]
async fn a_broken_stored_design_is_said_left_alone_and_recovered() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    let screen = screen.reload().await;
    drop(screen);
    let key = "keyfold:design:2";
    assert!(storage().get_item(key).unwrap().is_some());
    storage().set_item(key, "{\"keyfold\": 1, broken").unwrap();

    let screen = Screen::visit().await;
    let notices = screen.notices().join("\n");
    assert!(
        notices.contains("cannot be read") && notices.contains("line 1"),
        "{notices}"
    );
    assert_eq!(screen.entities().len(), 4, "the copy of the last visit");
    assert!(screen.design_name().contains("recovered"));
    assert_eq!(
        storage().get_item(key).unwrap().unwrap(),
        "{\"keyfold\": 1, broken"
    );
}
