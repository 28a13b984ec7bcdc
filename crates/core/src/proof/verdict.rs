//! The verdict of a proof: what follows from its reasons. No other file decides a verdict.

use super::Reason;
use crate::model::by_rank;

/// Whether a design serves an access pattern. Ordered from best to worst.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// One request, or one per page, returns the intended items and few others.
    Served,
    /// The request returns the intended items, but reads, and is billed for, many others.
    ReadsTooMuch,
    /// The request matches no key of the intended entities.
    Unserved,
    /// DynamoDB rejects the request.
    Impossible,
}

impl Verdict {
    /// All verdicts, from best to worst.
    pub const ALL: [Verdict; 4] = [
        Verdict::Served,
        Verdict::ReadsTooMuch,
        Verdict::Unserved,
        Verdict::Impossible,
    ];

    /// Returns the verdict in words.
    pub fn label(self) -> &'static str {
        match self {
            Verdict::Served => "served",
            Verdict::ReadsTooMuch => "served, but reads too much",
            Verdict::Unserved => "unserved",
            Verdict::Impossible => "impossible",
        }
    }

    /// Returns the verdict's name in the JSON output of the command line.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Served => "served",
            Verdict::ReadsTooMuch => "readsTooMuch",
            Verdict::Unserved => "unserved",
            Verdict::Impossible => "impossible",
        }
    }

    /// Whether the pattern returns the intended items.
    pub fn is_served(self) -> bool {
        self <= Verdict::ReadsTooMuch
    }
}

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
