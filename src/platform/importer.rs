//! Files of other tools are read in a worker, which keeps what was found while a person reviews it: `src/import/import.js`,
//! a script that the page loads on demand.

use super::script;
use js_sys::{Array, JsString, Promise, Reflect};
use keyfold_core::import::report::{Edit, Placed};
use keyfold_core::import::samples::parts;
use keyfold_core::model::{EntityId, Sample};
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
    fn begin(this: &Module, call: &str, files: &Array) -> Job;

    /// Files that are being read, and what was found in them.
    #[derive(Debug, Clone)]
    pub type Job;
    #[wasm_bindgen(method, getter)]
    fn answer(this: &Job) -> Promise;
    #[wasm_bindgen(method)]
    fn edit(this: &Job, edit: &str) -> Promise;
    #[wasm_bindgen(method)]
    fn undo(this: &Job) -> Promise;
    #[wasm_bindgen(method)]
    fn design(this: &Job, table: u32, most: Option<u32>) -> Promise;
    #[wasm_bindgen(method)]
    fn place(this: &Job, tables: &Array, design: &str, entity: Option<u32>) -> Promise;
    #[wasm_bindgen(method, js_name = takeSamples)]
    fn take_samples(this: &Job, table: u32) -> Promise;
    #[wasm_bindgen(method)]
    fn samples(this: &Job, from: u32) -> Promise;
    /// Ends the work: what was found is forgotten, and there will be no answer.
    #[wasm_bindgen(method)]
    pub fn stop(this: &Job);
}

/// Why files were not read, or an edit was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// They cannot be used, with the reason.
    Refused(String),
    /// The code for reading did not load.
    NotLoaded,
    /// The work ended with a fault of Keyfold, or the browser could not read a file.
    Failed,
}

/// What happens with files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// They are read for a [`report`].
    Review,
    /// They are kept for [`place`].
    Items,
}

/// Begins to read files; `None` if the script cannot be loaded.
pub async fn begin(files: &[File], to: Use) -> Option<Job> {
    let module: Module = script::load(FILE).await?.unchecked_into();
    let call = match to {
        Use::Review => "read",
        Use::Items => "keep",
    };
    Some(module.begin(call, &files.iter().collect()))
}

/// An answer of the worker: a text, or why there is none.
pub type Answer = Result<String, Failure>;

/// Waits until the files are read: the [report](keyfold_core::import::report::Report) on them as JSON.
///
/// # Errors
///
/// Why the files were not read.
pub fn report(job: &Job) -> impl Future<Output = Answer> + use<> {
    understood(job.answer())
}

/// Makes an edit: the report after it as JSON.
///
/// # Errors
///
/// Why the edit is not made.
pub fn edit(job: &Job, edit: &Edit) -> impl Future<Output = Answer> + use<> {
    understood(job.edit(&serde_json::to_string(edit).unwrap_or_default()))
}

/// Takes back the last edit: the report after it as JSON.
///
/// # Errors
///
/// Why it is not taken back.
pub fn undo(job: &Job) -> impl Future<Output = Answer> + use<> {
    understood(job.undo())
}

/// The design of the table at this position of the report, as a Keyfold file; with at most so many samples of each entity.
///
/// # Errors
///
/// Why there is none.
pub fn design(job: &Job, table: usize, most: Option<u32>) -> impl Future<Output = Answer> + use<> {
    understood(job.design(table as u32, most))
}

/// Makes samples of the items of the tables at these positions, or of the files that were kept, for a design in Keyfold's
/// file format: of `entity`, or of the entities that they belong to. [`samples`] has the samples.
///
/// # Errors
///
/// Why there are none.
pub async fn place(
    job: &Job,
    tables: &[usize],
    design: &str,
    entity: Option<EntityId>,
) -> Result<Placed, Failure> {
    let tables = tables.iter().map(|at| JsValue::from(*at as u32)).collect();
    let placed = understood(job.place(&tables, design, entity.map(|id| id.0)));
    serde_json::from_str(&placed.await?).map_err(|_| Failure::Failed)
}

/// All samples of the design of the table at this position of the report.
///
/// # Errors
///
/// Why there are none.
pub async fn samples_of(job: &Job, table: usize) -> Result<Vec<(EntityId, Sample)>, Failure> {
    understood(job.take_samples(table as u32)).await?;
    samples(job).await
}

/// The samples that [`place`] made. They come in parts, so that no task of the page is long.
///
/// # Errors
///
/// Why there are none.
pub async fn samples(job: &Job) -> Result<Vec<(EntityId, Sample)>, Failure> {
    let mut all = Vec::new();
    loop {
        let part = understood(job.samples(all.len() as u32)).await?;
        if part.is_empty() {
            return Ok(all);
        }
        all.extend(parts::read(&part).ok_or(Failure::Failed)?);
    }
}

async fn understood(answer: Promise) -> Answer {
    let answer = JsFuture::from(answer).await;
    let answer = answer.map_err(|_| Failure::Failed)?;
    let field = |name: &str| Reflect::get(&answer, &name.into()).unwrap_or_default();
    if let Some(found) = field("found").as_string() {
        return Ok(found);
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
