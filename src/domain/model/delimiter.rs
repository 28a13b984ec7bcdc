//! What stands between the parts of a key, and what happens to a value that contains it.

use serde::{Deserialize, Serialize};

/// The delimiter of a design's keys and the rule for values that contain it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DelimiterPolicy {
    /// The text between the parts of a key, `#` by default. Empty: no delimiter, nothing is checked.
    pub delimiter: String,
    /// What happens to a value that contains the delimiter.
    pub on_conflict: OnDelimiter,
}

/// What happens to a placeholder's value that contains the delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OnDelimiter {
    /// The item is an error: no key is made.
    Reject,
    /// The delimiter's bytes and `%` are written `%XX` (RFC 3986, section 2.1).
    PercentEncode,
}

impl Default for DelimiterPolicy {
    fn default() -> Self {
        DelimiterPolicy {
            delimiter: "#".into(),
            on_conflict: OnDelimiter::Reject,
        }
    }
}
