//! The verdict of a proof: what follows from its reasons. No other file decides a verdict.

use super::{Reason, Verdict};
use crate::model::by_rank;

/// What is known of an access pattern so far, each sentence once.
#[derive(Debug, Default)]
pub(super) struct Reasons(Vec<Reason>);

impl Reasons {
    /// Adds a sentence with what it makes of the pattern.
    pub fn add(&mut self, verdict: Verdict, text: String) {
        if !self.0.iter().any(|reason| reason.text == text) {
            self.0.push(Reason { verdict, text });
        }
    }

    /// The verdict: the worst of the reasons'. Without any the pattern is served.
    pub fn verdict(&self) -> Verdict {
        let worst = self.0.iter().map(|reason| reason.verdict).max();
        worst.unwrap_or(Verdict::Served)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first reason that was added.
    pub fn first(&self) -> Option<&Reason> {
        self.0.first()
    }

    /// Whether a sentence ends with this text: it says the same, with its place.
    pub fn have(&self, text: &str) -> bool {
        self.0.iter().any(|reason| reason.text.ends_with(text))
    }

    /// The reasons, worst first.
    pub fn worst_first(self) -> Vec<Reason> {
        by_rank(self.0, |reason| {
            [Verdict::Impossible as u32 - reason.verdict as u32, 0, 0, 0]
        })
    }
}
