//! Format versions. When the file format changes, change it here:
//!
//! 1. Append a function to [`MIGRATIONS`] that converts a file of the current version to the next one. It gets the
//!    whole file without its `keyfold` field, and returns whether it changed anything.
//! 2. Add a file of the old version to the fixtures of `tests/core/persist.rs`.
//! 3. Say in [`version_of`] which designs the previous version can hold: they are still written in it, so that their
//!    files do not change and older builds read them.
//!
//! A new field with a default needs no migration, unless older builds would lose its meaning.

use crate::model::Design;
use serde_json::{Map, Value as Json};

/// A step from one version to the next. Returns whether it changed the file.
type Migration = fn(&mut Map<String, Json>) -> bool;

/// The first element converts version 1 to version 2, and so on.
const MIGRATIONS: &[Migration] = &[
    // Version 2 adds `keyOnly` to attributes. Without it, a file means the same as in version 1.
    |_| false,
    // Version 3 adds `workload`. Without it, a file means the same as in version 2.
    |_| false,
];

/// The newest version that this build reads and writes.
pub const FORMAT: u64 = MIGRATIONS.len() as u64 + 1;

/// The version that the file of a design has: the oldest that can hold it.
pub(super) fn version_of(design: &Design) -> u64 {
    let mut attributes = (design.entities.values()).flat_map(|entity| &entity.attributes);
    match attributes.any(|attribute| attribute.key_only) {
        _ if !design.workload.is_empty() => 3,
        true => 2,
        false => 1,
    }
}

/// Migrates a file of `version` (1 to [`FORMAT`]) to the current version. Returns whether anything changed.
pub(super) fn migrate(version: u64, file: &mut Map<String, Json>) -> bool {
    let done = usize::try_from(version)
        .unwrap_or(usize::MAX)
        .saturating_sub(1);
    let steps = MIGRATIONS.get(done..).unwrap_or_default();
    let mut changed = false;
    for step in steps {
        changed |= step(file);
    }
    changed
}
