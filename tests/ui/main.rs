//! Tests of the page in a headless browser, in gestures that a person makes: `scripts/test ui`.
#![cfg(target_arch = "wasm32")]

mod access_patterns;
mod cells;
mod commands;
mod exports;
mod fields;
mod first_design;
mod keys_of_the_library;
mod notes;
mod problems;
mod renaming;
mod safe_keeping;
mod samples;
mod screen;
mod spreadsheet;

use wasm_bindgen_test::wasm_bindgen_test_configure;

wasm_bindgen_test_configure!(run_in_browser);
