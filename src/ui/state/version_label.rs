//! How versions of designs are called.

use crate::platform::clock;
use keyfold_app::workspace::{DesignKey, Version};

/// A version that is shown, read-only, instead of the open design.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownVersion {
    /// The design.
    pub key: DesignKey,
    /// The version.
    pub version: Version,
}

/// What a version is called in messages: its name, or its time.
pub fn label_of(version: &Version) -> String {
    match version.name.is_empty() {
        true => time_of(version),
        false => version.name.clone(),
    }
}

/// The local time of a version.
pub fn time_of(version: &Version) -> String {
    match version.at {
        0.0 => format!("Version {}", version.number),
        at => clock::date_time_of(at),
    }
}
