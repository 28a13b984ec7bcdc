//! Work is kept: through reloads, a full storage, a stored text that cannot be read, a deletion.

use crate::screen::{Screen, fill_storage, make_room, spoil_design, storage, stored_designs, wait};
use keyfold_core::{library, persist};
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
    screen.save_state_becomes("Not saved").await;
    screen
}

#[wasm_bindgen_test]
async fn a_full_storage_is_said_and_keeps_the_last_good_copy() {
    let screen = three_entities_not_stored().await;
    let notices = screen.notices().join("\n");
    assert!(notices.contains("are not saved"), "{notices}");
    assert!(notices.contains("Download the design"), "{notices}");
    assert_eq!(screen.entities().len(), 7, "the work goes on");

    let screen = screen.reload().await;
    assert_eq!(screen.entities().len(), 4, "the last good copy");
    make_room();
}

#[wasm_bindgen_test]
async fn a_design_that_was_never_stored_claims_no_copy() {
    let screen = Screen::first_visit().await;
    screen.is_stored().await;
    fill_storage();
    screen.open_pattern("saas-multi-tenant").await;
    screen.save_state_becomes("Not saved").await;
    let notices = screen.notices().join("\n");
    assert!(notices.contains("exists only in this tab"), "{notices}");
    assert!(!notices.contains("previous version"), "{notices}");
    make_room();
}

#[wasm_bindgen_test]
async fn what_could_not_be_stored_is_there_when_its_design_is_opened_again() {
    let screen = three_entities_not_stored().await;
    screen.press_button("New design").await;
    assert_eq!(screen.entities().len(), 0);
    screen.press_button("SaaS multi-tenant").await;
    assert_eq!(screen.entities().len(), 7, "the work goes on");
    screen.save_state_becomes("Not saved").await;

    // It is stored once there is room.
    screen.press_button("Untitled").await;
    make_room();
    screen.press_button("SaaS multi-tenant").await;
    screen.is_stored().await;
    let screen = screen.reload().await;
    assert_eq!(screen.entities().len(), 7);
}

/// A visit to a design whose stored text is broken, with the key of the design.
async fn broken_design() -> (Screen, String) {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.is_stored().await;
    drop(screen.reload().await);
    let designs = stored_designs().await;
    let (key, _) = (designs.iter().find(|(_, text)| text.contains("SaaS"))).expect("the pattern");
    spoil_design(key, "{\"keyfold\": 1, broken").await;
    (Screen::visit().await, key.clone())
}

#[wasm_bindgen_test]
async fn a_broken_stored_design_is_said_left_alone_and_recovered_once() {
    let (screen, key) = broken_design().await;
    let notices = screen.notices().join("\n");
    assert!(
        notices.contains("cannot be read") && notices.contains("line 1"),
        "{notices}"
    );
    assert_eq!(screen.entities().len(), 4, "the copy of the last visit");
    assert!(screen.design_name().contains("recovered"));
    screen.is_stored().await;
    let stored = stored_designs().await;
    assert!(stored.contains(&(key, "{\"keyfold\": 1, broken".into())));

    // Opened again, it leads to the copy that there is.
    screen.press_button("New design").await;
    screen.press_button("SaaS multi-tenant").await;
    screen.design_becomes("SaaS multi-tenant (recovered)").await;
    assert_eq!(
        stored_designs().await.len(),
        stored.len() + 1,
        "only the new design"
    );
}

#[wasm_bindgen_test]
async fn deleting_a_design_can_be_undone() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.is_stored().await;
    let before = stored_designs().await;
    screen.press_button("Delete SaaS multi-tenant").await;
    screen
        .press_button("Click again to delete SaaS multi-tenant")
        .await;
    screen.design_becomes("Untitled").await;
    assert_eq!(stored_designs().await.len(), before.len() - 1);
    screen.press_in_notice("Undo").await;
    screen.design_becomes("SaaS multi-tenant").await;
    assert_eq!(stored_designs().await, before);
}

#[wasm_bindgen_test]
async fn designs_of_an_earlier_version_move_into_the_database() {
    let screen = Screen::first_visit().await;
    drop(screen);
    let pattern = library::find("leaderboard").unwrap().design().unwrap();
    let texts = [
        ("keyfold:design:1", persist::to_json(&pattern)),
        (
            "keyfold:list",
            r#"{"next":2,"open":1,"designs":[{"key":1,"name":"Old"}]}"#.into(),
        ),
    ];
    for (key, text) in &texts {
        storage().set_item(key, text).unwrap();
    }
    // The page opens the design that was open last in this tab, which is another one.
    let screen = Screen::visit().await;
    screen.press_button("Old").await;
    screen.design_becomes(&pattern.name).await;
    assert_eq!(storage().get_item("keyfold:design:1").unwrap(), None);
    let stored = stored_designs().await;
    assert!(stored.contains(&("1".into(), persist::to_json(&pattern))));
}

#[wasm_bindgen_test]
async fn a_design_that_did_not_finish_opening_is_not_opened_by_itself() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    screen.is_stored().await;
    drop(screen);
    let designs = stored_designs().await;
    let (key, _) = (designs.iter().find(|(_, text)| text.contains("SaaS"))).expect("the pattern");
    storage()
        .set_item(&format!("keyfold:opening:{key}"), "")
        .unwrap();

    let screen = Screen::visit().await;
    assert_eq!(screen.design_name(), "Untitled");
    let notices = screen.notices().join("\n");
    assert!(notices.contains("did not finish opening"), "{notices}");
    screen.press_button("Open design").await;
    screen.design_becomes("SaaS multi-tenant").await;
    wait(300).await;
    assert_eq!(
        storage()
            .get_item(&format!("keyfold:opening:{key}"))
            .unwrap(),
        None
    );
    let screen = screen.reload().await;
    assert_eq!(screen.design_name(), "SaaS multi-tenant");
}
