//! Reads files of other tools in a worker, so that the page does not wait for them: `src/import/import-worker.js` calls [`read`].

use js_sys::{Array, Uint8Array};
use keyfold_core::persist::to_json;
use keyfold_import::{combine, found, read as read_file};
use wasm_bindgen::prelude::*;

fn main() {}

/// Reads files. `names` has the name of each, and `contents` its bytes, as `Uint8Array`.
///
/// Returns the [report](keyfold_core::import::report::Report) on the files as JSON, then each design in Keyfold's file
/// format, in the order of the report's tables.
///
/// # Errors
///
/// Which file cannot be used, and why.
#[wasm_bindgen]
pub fn read(names: Vec<String>, contents: &Array) -> Result<Vec<String>, String> {
    let mut files = Vec::new();
    for (name, bytes) in names.into_iter().zip(contents.iter()) {
        let bytes = Uint8Array::new(&bytes).to_vec();
        let import = read_file(&name, &bytes, None).map_err(|why| format!("“{name}”: {why}"))?;
        files.push((name, import));
    }
    let import = combine(files);
    let mut left_out = import.left_out.clone();
    let found = found::designs(&import, &mut left_out)?;
    if found.is_empty() {
        let notes = left_out.iter().take(3).map(ToString::to_string);
        let why: Vec<String> = notes.collect();
        return Err(format!("no table was found. {}", why.join("; ")));
    }
    let report = found::report(&import, &found, &left_out);
    let report = serde_json::to_string(&report).map_err(|error| error.to_string())?;
    let designs = found.iter().map(|found| to_json(&found.design));
    Ok(std::iter::once(report).chain(designs).collect())
}
