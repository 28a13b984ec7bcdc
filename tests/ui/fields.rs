//! Fields whose text is stored later than it is typed, and texts that are refused.

use crate::screen::{Screen, wait};
use wasm_bindgen_test::wasm_bindgen_test;

const RATE: &str = "Get user, Average rate";

/// A design with a step to undo, and the figures of its workload.
async fn on_cost() -> Screen {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.drag_from_palette("Entity", (0.2, 0.8)).await;
    screen.open_tab("Cost").await;
    screen.has_field(RATE).await;
    screen
}

/// How many access patterns have a rate.
async fn rates(screen: &Screen) -> usize {
    screen.design().await.workload.patterns.len()
}

#[wasm_bindgen_test]
async fn undo_in_a_figure_that_is_not_stored_is_for_the_browser() {
    let screen = on_cost().await;
    let entities = screen.entities();
    screen.type_text(RATE, "50/s").await;
    screen.press("z", true).await;
    assert_eq!(screen.entities(), entities);
    assert_eq!(screen.field(RATE), "50/s");

    screen.leave_field().await;
    assert_eq!(rates(&screen).await, 1);
    screen.focus_field(RATE).await;
    screen.press("z", true).await;
    assert_eq!(rates(&screen).await, 0, "the figure was the last step");
    assert_eq!(screen.entities(), entities);
}

#[wasm_bindgen_test]
async fn a_figure_is_stored_when_its_field_goes_with_the_focus() {
    let screen = on_cost().await;
    screen.type_text(RATE, "50/s").await;
    screen.press_without_focus("Text").await;
    wait(200).await;
    assert_eq!(screen.current_tab(), "Text");
    assert_eq!(rates(&screen).await, 1);
    assert_eq!(screen.notices(), [""; 0]);
    screen.press("z", true).await;
    assert_eq!(rates(&screen).await, 0);
}

#[wasm_bindgen_test]
async fn undo_drops_a_refused_name_first() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("blog").await;
    screen.drag_from_palette("Entity", (0.2, 0.8)).await;
    let (name, entities) = (screen.field("Name"), screen.entities());
    screen.fill("Name", "").await;
    assert_eq!(screen.field_errors().len(), 1);
    screen.press("z", true).await;
    assert_eq!(screen.field("Name"), name);
    assert_eq!(screen.field_errors(), [""; 0]);
    assert_eq!(screen.entities(), entities);
    screen.press("z", true).await;
    assert_eq!(screen.entities().len() + 1, entities.len());
}

#[wasm_bindgen_test]
async fn undo_beside_an_attribute_that_is_being_typed_is_for_the_browser() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("blog").await;
    screen.drag_from_palette("Entity", (0.2, 0.8)).await;
    let entities = screen.entities();
    screen.focus_entity(&entities[0]).await;
    screen.press("a", true).await;
    screen.has_field("Attribute to add to all").await;
    screen.fill("Attribute to add to all", "region S").await;
    screen.press("z", true).await;
    assert_eq!(screen.entities(), entities);
    screen.fill("Attribute to add to all", "").await;
    screen.press("z", true).await;
    assert_eq!(screen.entities().len() + 1, entities.len());
}
