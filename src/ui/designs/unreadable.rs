//! What is stored and cannot be read.

/// A version that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableVersion {
    /// Why.
    pub reason: String,
    /// File name and text of a download; `None` if there is no text.
    pub file: Option<(String, String)>,
}

/// A part of the journal that cannot be read.
pub(super) struct Unreadable {
    pub message: String,
    /// File name and text of a download.
    pub file: (String, String),
    /// Its key in local storage.
    pub item: String,
}
