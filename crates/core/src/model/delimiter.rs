//! The delimiter between the parts of a key, and the policy for values that contain it.

use serde::{Deserialize, Serialize};

/// The delimiter of a design's keys and the rule for values that contain it.
///
/// The rule applies to what a placeholder renders, after its modifiers. Literal text is exempt. So is a template of
/// exactly one placeholder: its value is the whole key, so it is neither rejected nor encoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DelimiterPolicy {
    /// The text between the parts of a key, `#` by default. If it is empty, nothing is checked.
    pub delimiter: String,
    /// What happens to a value that contains the delimiter.
    pub on_conflict: OnDelimiter,
}

/// What happens to a placeholder value that contains the delimiter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum OnDelimiter {
    /// The item has an error and no key.
    Reject,
    /// Each character of the delimiter, and `%`, becomes `%XX` per UTF-8 byte (uppercase hexadecimal, RFC 3986, section
    /// 2.1). If the encoded value still contains the delimiter (a delimiter of digits, for example), the item has an
    /// error.
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
