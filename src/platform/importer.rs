//! Files of other tools are read in a worker: `src/import/import.js`, a script that the page loads on demand.

use super::script;
use js_sys::{Array, JsString, Promise, Reflect};
use std::future::Future;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::File;

/// The file with the script, served beside the page.
const FILE: &str = "import.js";

#[wasm_bindgen]
extern "C" {
    type Module;
    #[wasm_bindgen(method)]
    fn read(this: &Module, files: &Array) -> Job;

    /// Files that are being read.
    pub type Job;
    #[wasm_bindgen(method, getter)]
    fn answer(this: &Job) -> Promise;
    /// Ends the work: there will be no answer.
    #[wasm_bindgen(method)]
    pub fn stop(this: &Job);
}

/// Why files were not read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// They cannot be used, with the reason.
    Refused(String),
    /// The code for reading did not load.
    NotLoaded,
    /// Reading ended with a fault of Keyfold, or the browser could not read a file.
    Failed,
}

/// Begins to read files; `None` if the script cannot be loaded.
pub async fn begin(files: &[File]) -> Option<Job> {
    let module: Module = script::load(FILE).await?.unchecked_into();
    Some(module.read(&files.iter().collect()))
}

/// Waits for the answer: the report on the files as JSON, then the designs as JSON.
///
/// # Errors
///
/// Why the files were not read.
pub fn wait(job: &Job) -> impl Future<Output = Result<Vec<String>, Failure>> + use<> {
    let answer = JsFuture::from(job.answer());
    async move { understood(&answer.await.map_err(|_| Failure::Failed)?) }
}

fn understood(answer: &JsValue) -> Result<Vec<String>, Failure> {
    let field = |name: &str| Reflect::get(answer, &name.into()).unwrap_or_default();
    if let Ok(found) = field("found").dyn_into::<Array>() {
        let texts = found
            .iter()
            .map(|text| text.as_string().unwrap_or_default());
        return Ok(texts.collect());
    }
    if let Some(reason) = field("refused").as_string() {
        return Err(Failure::Refused(reason));
    }
    Err(match field("failed").dyn_ref::<JsString>() {
        Some(what) if *what == "load" => Failure::NotLoaded,
        _ => Failure::Failed,
    })
}

/// A file with a text that somebody pasted.
pub fn pasted(text: &str) -> Option<File> {
    let parts = Array::of1(&text.into());
    File::new_with_str_sequence(&parts, "pasted text").ok()
}
