//! Tests of the user interface in a headless browser: `scripts/test ui`.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn the_app_mounts() {
    let document = web_sys::window().unwrap().document().unwrap();
    let root = document.create_element("div").unwrap();
    root.set_id("app");
    document.body().unwrap().append_child(&root).unwrap();

    keyfold::ui::mount();

    assert!(root.text_content().unwrap().contains("Keyfold"));
}
