//! Renaming an attribute reaches every template and the table as one step.

use crate::screen::Screen;
use wasm_bindgen_test::wasm_bindgen_test;

const TEMPLATES: [(&str, &str); 3] = [
    ("Table partition key PK", "PRODUCT#"),
    ("Table sort key SK", "PRODUCT#"),
    ("GSI1 sort key GSI1SK", "PRODUCT#"),
];

fn all_name(screen: &Screen, attribute: &str) {
    for (label, start) in TEMPLATES {
        assert_eq!(
            screen.field(label),
            format!("{start}{{{attribute}}}"),
            "{label}"
        );
    }
}

#[wasm_bindgen_test]
async fn an_attribute_of_three_templates_is_renamed_and_undo_takes_it_back() {
    let screen = Screen::first_visit().await;
    screen.open_pattern("e-commerce").await;
    screen.select_entity("Product").await;
    all_name(&screen, "productId");
    let (keys, ids) = (screen.column("SK").await, screen.column("productId").await);
    assert!(ids.contains(&"789".to_owned()), "{ids:?}");

    screen.fill("Attribute name", "sku").await;
    screen.leave_field().await;
    all_name(&screen, "sku");
    assert_eq!(screen.column("SK").await, keys, "the keys are as before");
    assert!(screen.column("sku").await.contains(&"789".to_owned()));

    screen.press("z", true).await;
    all_name(&screen, "productId");
    assert_eq!(screen.column("productId").await, ids);
}
