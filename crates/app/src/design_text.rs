//! The text of a design in the language.

use keyfold_core::model::Design;
use std::sync::Arc;

/// The text of a design, with its comments and its order. It may lag behind the open design: what changed since is only
/// written into it when it is shown ([`text::follow`](super::text::follow)).
#[derive(Debug, Clone, PartialEq)]
pub struct DesignText {
    /// The text. It may have errors.
    pub text: Arc<str>,
    /// The design that the text says; if the text has errors, the last one that it said.
    pub design: Design,
    /// How many errors the text has.
    pub errors: usize,
}
