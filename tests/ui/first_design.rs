//! A first design by hand: entities, templates, wires, rows, undo, export.

use crate::screen::Screen;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
async fn from_the_palette_to_the_export() {
    let screen = Screen::first_visit().await;
    assert!(screen.entities().is_empty());

    // An entity from the palette has keys and a row at once.
    screen.drag_from_palette("Entity", (0.2, 0.3)).await;
    assert_eq!(screen.entities(), ["Entity"]);
    screen.fill("Name", "Invoice").await;
    assert_eq!(screen.entities(), ["Invoice"]);
    assert_eq!(
        screen.columns("PK", "SK").await,
        [("INVOICE#invoice-1".into(), "METADATA".into())],
        "a new entity's keys follow its name"
    );

    // Its row changes while the template is typed.
    screen
        .fill("Table partition key PK", "BILL#{invoiceId}")
        .await;
    assert_eq!(screen.column("PK").await, ["BILL#invoice-1"]);

    // A wire to a GSI puts it there.
    screen.drag_from_palette("GSI", (0.75, 0.2)).await;
    assert_eq!(screen.indexes(), ["GSI1"]);
    screen.wire("Invoice", "GSI1").await;
    assert_eq!(screen.index_wires(), 1);
    screen
        .fill("GSI1 partition key GSI1PK", "ALL_INVOICES")
        .await;
    screen.open_tab("GSI1").await;
    assert_eq!(
        screen.columns("GSI1PK", "GSI1SK").await,
        [("ALL_INVOICES".into(), "INVOICE#invoice-1".into())]
    );

    // Undo takes it back, redo brings it again.
    screen.press("z", true).await;
    assert_eq!(
        screen.columns("GSI1PK", "GSI1SK").await[0].0,
        "BILL#invoice-1",
        "the prefix that the design writes for the attribute"
    );
    screen.press("z", true).await;
    assert_eq!(screen.index_wires(), 0);
    assert!(screen.column("GSI1PK").await.is_empty());
    screen.press("y", true).await;
    screen.press("y", true).await;
    assert_eq!(screen.column("GSI1PK").await, ["ALL_INVOICES"]);

    // A reload keeps all of it.
    let screen = screen.reload().await;
    assert_eq!(screen.entities(), ["Invoice"]);
    screen.open_tab("GSI1").await;
    assert_eq!(screen.column("GSI1PK").await, ["ALL_INVOICES"]);

    // The exports speak of it.
    screen.press_button("Export").await;
    let template = screen.code().await;
    assert!(template.contains("IndexName: GSI1"), "{template}");
    assert!(template.contains("AttributeName: GSI1PK"), "{template}");
    screen.choose_format("Rust").await;
    let code = screen.code().await;
    assert!(code.contains("ALL_INVOICES"), "{code}");
    assert!(code.contains("INVOICE#"), "{code}");
}

#[wasm_bindgen_test]
async fn a_wire_to_an_empty_spot_makes_an_index() {
    let screen = Screen::first_visit().await;
    screen.drag_from_palette("Entity", (0.2, 0.3)).await;
    screen.wire_to_empty("Entity", (0.7, 0.6)).await;
    assert_eq!(screen.indexes(), ["GSI1"]);
    assert_eq!(screen.index_wires(), 1);
    screen.press("z", true).await;
    assert!(screen.indexes().is_empty(), "one gesture, one step");
}

#[wasm_bindgen_test]
async fn a_drag_moves_a_card_and_escape_brings_it_back() {
    let screen = Screen::first_visit().await;
    screen.drag_from_palette("Entity", (0.3, 0.3)).await;
    let before = screen.place_of("Entity");
    screen.drag_card("Entity", (60.0, 40.0)).await;
    let after = screen.place_of("Entity");
    assert!((after.0 - before.0 - 60.0).abs() < 2.0 && (after.1 - before.1 - 40.0).abs() < 2.0);
    screen.drag_card_and_escape("Entity", (80.0, 0.0)).await;
    assert_eq!(screen.place_of("Entity"), after);
    screen.press("z", true).await;
    assert_eq!(screen.place_of("Entity"), before);
}

#[wasm_bindgen_test]
async fn the_keyboard_alone_adds_and_deletes() {
    let screen = Screen::first_visit().await;
    screen.press("e", false).await;
    screen.press("Escape", false).await;
    screen.press("g", false).await;
    screen.press("Escape", false).await;
    assert_eq!((screen.entities().len(), screen.indexes().len()), (1, 1));
    screen.select_entity("Entity").await;
    screen.press("Delete", false).await;
    assert!(screen.entities().is_empty());
    screen.press("z", true).await;
    assert_eq!(screen.entities(), ["Entity"]);
    screen.press("Escape", false).await;
    screen.press("Delete", false).await;
    assert_eq!(
        screen.entities(),
        ["Entity"],
        "nothing selected, nothing deleted"
    );
}

#[wasm_bindgen_test]
async fn a_template_that_does_not_parse_says_why_and_the_rest_works() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    let keys = screen.column("sk").await;
    screen.select_entity("User").await;
    screen.fill("Table sort key sk", "USER#{userId").await;
    assert!(screen.field_errors().is_empty(), "it is still being typed");
    screen.leave_field().await;
    assert!(!screen.field_errors().is_empty());
    assert!(
        screen
            .column("sk")
            .await
            .iter()
            .any(|key| key == "#METADATA"),
        "the other items are there"
    );
    screen.fill("Table sort key sk", "USER#{userId}").await;
    assert!(screen.field_errors().is_empty());
    assert_eq!(screen.column("sk").await, keys);
}

#[wasm_bindgen_test]
async fn a_name_that_dynamodb_refuses_stays_in_the_field_with_the_reason() {
    let screen = Screen::first_visit().await;
    screen.press("Escape", false).await;
    screen.fill("Table name", "mine table").await;
    let errors = screen.field_errors().join(" ");
    assert!(errors.contains("a space is not allowed"), "{errors}");
    assert_eq!(screen.field("Table name"), "mine table");
    screen.leave_field().await;
    assert_eq!(
        screen.field("Table name"),
        "Untitled",
        "what it held before"
    );
    assert!(
        screen
            .notices()
            .join(" ")
            .contains("Reverted to “Untitled”")
    );
    assert!(screen.field_errors().is_empty());
}

#[wasm_bindgen_test]
async fn cells_edit_in_place() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("saas-multi-tenant").await;
    let row = screen
        .column("sk")
        .await
        .iter()
        .position(|key| key == "USER#u_01")
        .unwrap();
    screen.edit_cell(row, "userId", "u_99", "Enter").await;
    assert!(
        screen
            .column("sk")
            .await
            .iter()
            .any(|key| key == "USER#u_99")
    );
    assert!(
        !screen
            .column("sk")
            .await
            .iter()
            .any(|key| key == "USER#u_01")
    );

    let row = screen
        .column("sk")
        .await
        .iter()
        .position(|key| key == "#SUBSCRIPTION")
        .unwrap();
    screen.edit_cell(row, "seats", "many", "Enter").await;
    assert!(!screen.field_errors().is_empty(), "seats are a number");
    screen.press("Escape", false).await;
    assert_eq!(screen.column("seats").await[row], "10");
}

#[wasm_bindgen_test]
async fn rows_are_added_and_deleted() {
    let screen = Screen::first_visit().await;
    screen.drag_from_palette("Entity", (0.3, 0.3)).await;
    assert_eq!(screen.column("PK").await.len(), 1);
    screen.press_button("Add row").await;
    assert_eq!(screen.column("PK").await.len(), 2);
    let keys = screen.column("PK").await;
    assert_ne!(keys[0], keys[1], "the new row has an id of its own");
    screen.press("z", true).await;
    assert_eq!(screen.column("PK").await.len(), 1);
}
