//! Format versions. The place to change when the file's form changes:
//!
//! 1. Append a function to [`MIGRATIONS`] that turns a file of the current version into one of the next; it
//!    gets the whole file, without its `keyfold` field.
//! 2. Add a file of the old version to the fixtures of `tests/core/persist.rs`.
//!
//! A field with a default that old files simply lack needs no migration.

use serde_json::{Map, Value as Json};

/// A step from one version to the next.
type Migration = fn(&mut Map<String, Json>);

/// The first element leads from version 1 to version 2, and so on.
const MIGRATIONS: &[Migration] = &[];

/// The version that this build writes, and the newest that it reads.
pub const FORMAT: u64 = MIGRATIONS.len() as u64 + 1;

/// Brings a file of `version` (1 to [`FORMAT`]) to the current form; returns whether anything was to be done.
pub(super) fn migrate(version: u64, file: &mut Map<String, Json>) -> bool {
    let done = usize::try_from(version)
        .unwrap_or(usize::MAX)
        .saturating_sub(1);
    let steps = MIGRATIONS.get(done..).unwrap_or_default();
    for step in steps {
        step(file);
    }
    !steps.is_empty()
}
