//! The design as a Markdown document for reviewers and implementers: the table, indexes with their entities and
//! templates, entities, access patterns, coverage, notes, samples, a link to the picture, and the text in Keyfold's language.

mod document;
mod findings;
mod markup;
mod patterns;
mod samples;
mod table;

pub use document::{markdown, markdown_with};
pub use markup::{code, words};
