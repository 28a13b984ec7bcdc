//! Reads files of other tools in a worker, so that the page does not wait for them, and keeps what was found while a
//! person reviews it: `src/import/import-worker.js` calls these functions.

use js_sys::{Array, Uint8Array};
use keyfold_core::export::samples::dynamodb_json;
use keyfold_core::import::report::{Edit, Noted, Placed};
use keyfold_core::import::samples::{Imported, parts, read as read_samples};
use keyfold_core::model::{EntityId, Sample, SampleId};
use keyfold_core::persist::{from_json, to_json};
use keyfold_import::review::Review;
use keyfold_import::source::{check_sizes, text};
use keyfold_import::{Format, combine, read as read_file};
use serde::Serialize;
use std::cell::RefCell;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

fn main() {}

thread_local! {
    /// What was found in the files that were read last.
    static REVIEW: RefCell<Option<Review>> = const { RefCell::new(None) };
    /// The texts of these files if all hold nothing but items: a design that takes the items knows the types of columns.
    static ITEMS: RefCell<Vec<(String, String)>> = const { RefCell::new(Vec::new()) };
    /// The samples that [`samples`] returns.
    static SAMPLES: RefCell<Vec<(EntityId, Sample)>> = const { RefCell::new(Vec::new()) };
}

/// Whether files can be read into memory. `names` has the name of each, and `sizes` its bytes.
///
/// # Errors
///
/// Which file is too large.
#[wasm_bindgen]
pub fn check(names: Vec<String>, sizes: Vec<f64>) -> Result<(), String> {
    let sizes = sizes.into_iter().map(|size| size as u64);
    check_sizes(names.iter().map(String::as_str).zip(sizes))
}

/// Reads files. `names` has the name of each, and `contents` its bytes, as `Uint8Array`.
///
/// Returns the [report](keyfold_core::import::report::Report) on the files as JSON.
///
/// # Errors
///
/// Which file cannot be used, and why.
#[wasm_bindgen]
pub fn read(names: Vec<String>, contents: &Array) -> Result<String, String> {
    REVIEW.set(None);
    ITEMS.take();
    let mut files = Vec::new();
    let mut texts = Vec::new();
    for (name, bytes) in names.into_iter().zip(contents.iter()) {
        let bytes = Uint8Array::new(&bytes).to_vec();
        let import = read_file(&name, &bytes, None).map_err(|why| format!("“{name}”: {why}"))?;
        if let [Format::Items | Format::Csv] = import.formats.as_slice() {
            texts.push(text_of(&name, &bytes)?);
        }
        files.push((name, import));
    }
    if texts.len() == files.len() {
        ITEMS.set(texts);
    }
    let review = Review::new(combine(files))?;
    let report = json(&review.report())?;
    REVIEW.set(Some(review));
    Ok(report)
}

/// Keeps files with items for [`place`], without a review.
///
/// # Errors
///
/// Which file is no text.
#[wasm_bindgen]
pub fn keep(names: Vec<String>, contents: &Array) -> Result<String, String> {
    REVIEW.set(None);
    let one = |(name, bytes): (String, _)| text_of(&name, &Uint8Array::new(&bytes).to_vec());
    let texts: Result<Vec<_>, String> = names.into_iter().zip(contents.iter()).map(one).collect();
    ITEMS.set(texts?);
    Ok(String::new())
}

fn text_of(name: &str, bytes: &[u8]) -> Result<(String, String), String> {
    let text = text(bytes).map_err(|why| format!("“{name}”: {why}"))?;
    Ok((name.to_owned(), text.0.into_owned()))
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

/// The design of the table at this position of the report, in Keyfold's file format. If `most` is given, each entity has
/// its first samples only, so many and those that access patterns name.
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
        let patterns = design.access_patterns.values();
        let named: Vec<SampleId> = patterns.filter_map(|pattern| pattern.sample).collect();
        for samples in design.samples.values_mut() {
            let all = samples.iter().enumerate();
            let shown = all.filter(|(at, sample)| *at < most || named.contains(&sample.id));
            *samples = Arc::new(shown.map(|(_, sample)| sample.clone()).collect());
        }
        Ok(to_json(&design))
    })
}

/// Makes samples of the items of the tables at these positions of the report, or of all items that were kept, for a design
/// in Keyfold's file format: of the entities that the items belong to, or of `entity`. Returns a [report](Placed) as JSON.
/// [`samples`] has the samples.
///
/// # Errors
///
/// Why the design or the items cannot be read.
#[wasm_bindgen]
pub fn place(tables: Vec<usize>, design: &str, entity: Option<u32>) -> Result<String, String> {
    let into = from_json(design).map_err(|error| error.to_string())?;
    let of_tables = || {
        with_review(|review| {
            let designs = tables.iter().filter_map(|at| review.design(*at));
            let texts = designs.map(|design| (String::new(), dynamodb_json(design, None)));
            Ok(texts.collect::<Vec<_>>())
        })
    };
    // A person may choose among several tables of a file with items, such as a batch request.
    let is_one = REVIEW.with_borrow(|review| {
        let mut designs = review.iter().flat_map(Review::designs);
        designs.next().is_none() || designs.next().is_none()
    });
    let is_kept = ITEMS.with_borrow(|texts| !texts.is_empty());
    let texts = match is_one && is_kept {
        true => ITEMS.with_borrow(Clone::clone),
        false => of_tables()?,
    };
    let mut all = Imported::default();
    for (name, text) in &texts {
        let entity = entity.map(EntityId);
        let mut read = read_samples(&into, text, entity).map_err(|why| match texts.len() {
            1 => why,
            _ => format!("“{name}”: {why}"),
        })?;
        if texts.len() > 1 && !name.is_empty() {
            for note in read.refused.iter_mut().chain(&mut read.remarks) {
                note.place = format!("{name}: {}", note.place);
            }
        }
        all.added.extend(read.added);
        all.refused.extend(read.refused);
        all.remarks.extend(read.remarks);
    }
    let sample = |(entity, values)| {
        let id = SampleId(0);
        (entity, Sample { id, values })
    };
    SAMPLES.set(all.added.into_iter().map(sample).collect());
    json(&Placed {
        refused: Noted::new(&all.refused),
        remarks: Noted::new(&all.remarks),
    })
}

/// Lets [`samples`] return the samples of the table at this position of the report.
///
/// # Errors
///
/// If there is no such table.
#[wasm_bindgen(js_name = takeSamples)]
pub fn take_samples(table: usize) -> Result<String, String> {
    with_review(|review| {
        let design = review.design(table).ok_or("there is no such table")?;
        let all = design.samples.iter();
        let all = all.flat_map(|(id, samples)| samples.iter().map(|one| (*id, (**one).clone())));
        SAMPLES.set(all.collect());
        Ok(String::new())
    })
}

/// The next [part](parts) of the samples; empty after the last one. `from` is the number of samples that were returned.
#[wasm_bindgen]
pub fn samples(from: usize) -> String {
    SAMPLES.with_borrow(|samples| parts::write(samples, from).0)
}

fn with_review<T>(work: impl FnOnce(&mut Review) -> Result<T, String>) -> Result<T, String> {
    REVIEW.with_borrow_mut(|review| work(review.as_mut().ok_or("no files were read")?))
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| error.to_string())
}
