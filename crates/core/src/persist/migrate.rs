//! Format versions. When the file format changes, change it here:
//!
//! 1. Append a function to [`MIGRATIONS`] that converts a file of the current version to the next one. It gets the
//!    whole file without its `keyfold` field.
//! 2. Add a file of the old version to the fixtures of `tests/core/persist.rs`.
//!
//! A new field with a default needs no migration.

use serde_json::{Map, Value as Json};

/// A step from one version to the next.
type Migration = fn(&mut Map<String, Json>);

/// The first element converts version 1 to version 2, and so on.
const MIGRATIONS: &[Migration] = &[];

/// The version that this build writes, and the newest that it reads.
pub const FORMAT: u64 = MIGRATIONS.len() as u64 + 1;

/// Migrates a file of `version` (1 to [`FORMAT`]) to the current version. Returns whether anything changed.
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
