//! Reads files of other tools in a worker, so that the page does not wait for them, and keeps what was found while a
//! person reviews it: `src/import/import-worker.js` calls these functions.

use js_sys::{Array, Uint8Array};
use keyfold_core::export::samples::dynamodb_json;
use keyfold_core::import::report::{Edit, Report};
use keyfold_core::persist::to_json;
use keyfold_import::review::Review;
use keyfold_import::{combine, read as read_file};
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

fn main() {}

thread_local! {
    /// What was found in the files that were read last.
    static REVIEW: RefCell<Option<Review>> = const { RefCell::new(None) };
}

/// Reads files. `names` has the name of each, and `contents` its bytes, as `Uint8Array`.
///
/// Returns the [report](Report) on the files as JSON.
///
/// # Errors
///
/// Which file cannot be used, and why.
#[wasm_bindgen]
pub fn read(names: Vec<String>, contents: &Array) -> Result<String, String> {
    let mut files = Vec::new();
    for (name, bytes) in names.into_iter().zip(contents.iter()) {
        let bytes = Uint8Array::new(&bytes).to_vec();
        let import = read_file(&name, &bytes, None).map_err(|why| format!("“{name}”: {why}"))?;
        files.push((name, import));
    }
    let review = Review::new(combine(files))?;
    let report = json(&review.report());
    REVIEW.set(Some(review));
    report
}

/// Makes an [`Edit`], given as JSON. Returns the report as JSON.
///
/// # Errors
///
/// Why the edit is not made.
#[wasm_bindgen]
pub fn edit(edit: &str) -> Result<String, String> {
    let edit: Edit = serde_json::from_str(edit).map_err(|error| error.to_string())?;
    with_review(|review| json(&review.edit(&edit)?))
}

/// Takes back the last edit. Returns the report as JSON.
///
/// # Errors
///
/// If no files were read.
#[wasm_bindgen]
pub fn undo() -> Result<String, String> {
    with_review(|review| json(&review.undo()))
}

/// The design of the table at this position of the report, in Keyfold's file format. Each entity has its first samples
/// only, at most `most` of them, if that is given.
///
/// # Errors
///
/// If there is no such table.
#[wasm_bindgen]
pub fn design(table: usize, most: Option<usize>) -> Result<String, String> {
    with_review(|review| {
        let design = review.design(table).ok_or("there is no such table")?;
        let Some(most) = most else {
            return Ok(to_json(design));
        };
        let mut design = design.clone();
        for samples in design.samples.values_mut() {
            let shown = samples.iter().take(most).cloned();
            *samples = Arc::new(shown.collect());
        }
        Ok(to_json(&design))
    })
}

/// The items of the table at this position of the report, as lines of DynamoDB JSON.
///
/// # Errors
///
/// If there is no such table.
#[wasm_bindgen]
pub fn items(table: usize) -> Result<String, String> {
    with_review(|review| {
        let design = review.design(table).ok_or("there is no such table")?;
        Ok(dynamodb_json(design, None))
    })
}

fn with_review<T>(work: impl FnOnce(&mut Review) -> Result<T, String>) -> Result<T, String> {
    REVIEW.with_borrow_mut(|review| work(review.as_mut().ok_or("no files were read")?))
}

fn json(report: &Report) -> Result<String, String> {
    serde_json::to_string(report).map_err(|error| error.to_string())
}
