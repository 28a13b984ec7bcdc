//! Generates samples from a seed: rows with matching references and distinct primary keys that DynamoDB would
//! store.
//!
//! The same design, request and seed give the same rows on every platform. Each value has its own random stream, so
//! adding rows or attributes does not change other values. Referenced entities are generated first; a row copies every
//! attribute that it shares with a row it refers to. Nothing here changes a design: the rows are returned as data.

mod calendar;
mod chosen_references;
mod examples;
mod generator;
mod graph;
pub(super) mod guess_format;
mod key_shapes;
mod keys_in_use;
pub mod name_meanings;
mod needed;
mod parents;
mod prefix;
mod references;
mod rng;
mod rows;
mod uses;
mod value;

pub use chosen_references::{
    Parent, Reference, ReferenceChoice, guess_without_reference, parents, references,
};
pub use examples::examples;
pub use generator::{Amount, Generated, Generator, MAX_ROWS, Request, generate};
pub use guess_format::{Guesser, guess};
pub use prefix::prefix;
pub use rng::Rng;
pub use uses::obstacle;

use crate::template;

/// The ULID of an id created at a date or timestamp in UTC. The same arguments give the same ULID. A time that cannot
/// be parsed counts as 1970.
pub fn ulid_at(time: &str, id: &str) -> String {
    let seconds = calendar::seconds(time).unwrap_or(0).max(0);
    let random = u128::from(template::fnv1a_64(id.as_bytes()));
    value::ulid_of(seconds as u64 * 1000, random << 8)
}
