//! What stands between the parts of a key, and what happens to a value that contains it.

use serde::{Deserialize, Serialize};

/// The delimiter of a design's keys and the rule for values that contain it.
///
/// The rule concerns what a placeholder puts into the key, after its modifiers; literal text is free.
/// A template that is one placeholder and nothing else is exempt: there is nothing to separate, the value is the
/// key, so it is neither refused nor encoded.
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
    /// Each character of the delimiter, and `%`, becomes `%XX` for each of its UTF-8 bytes (upper-case
    /// hexadecimal, as in RFC 3986, section 2.1). A value that contains the delimiter even then (a delimiter of
    /// digits, say) is an error.
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
