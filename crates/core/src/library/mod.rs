//! The pattern library: designs to start from. Each is an embedded design file with what it teaches and its trade-offs.

mod list;

use super::model::{Design, by_rank};
use super::persist::{FileError, from_json};
use list::PATTERNS;

/// A design of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// Name for commands and links: lowercase words joined with `-`.
    pub name: &'static str,
    /// Title for display.
    pub title: &'static str,
    /// Heading in the list. The patterns of a group are adjacent.
    pub group: &'static str,
    /// Name of the pattern that this one is a variant of. Variants follow it in the list.
    pub variant_of: Option<&'static str>,
    /// One-line description, without a period.
    pub summary: &'static str,
    /// What the pattern teaches, in 2 to 5 sentences.
    pub teaches: &'static str,
    /// Its costs and limits, in 2 to 5 sentences.
    pub trade_offs: &'static str,
    /// Search keywords, in lowercase.
    pub tags: &'static [&'static str],
    /// The design file, as JSON.
    pub json: &'static str,
}

/// All designs of the library, in display order.
pub fn patterns() -> &'static [Pattern] {
    PATTERNS
}

/// The design with this name.
pub fn find(name: &str) -> Option<&'static Pattern> {
    PATTERNS.iter().find(|pattern| pattern.name == name)
}

/// The patterns whose texts contain every word of `text`, ignoring case; words also match inside longer words. Patterns
/// that match in title, name, group and tags come first, then those that need the summary, then the rest. An empty text
/// returns all patterns.
pub fn search(text: &str) -> Vec<&'static Pattern> {
    let text = text.to_lowercase();
    let found: Vec<_> = (PATTERNS.iter())
        .filter_map(|pattern| Some((pattern, pattern.rank(&text)?)))
        .collect();
    by_rank(found, |(_, rank)| [*rank, 0, 0, 0])
        .into_iter()
        .map(|(pattern, _)| pattern)
        .collect()
}

impl Pattern {
    /// Reads the design file. Tests show that every file of the library is valid.
    pub fn design(&self) -> Result<Design, FileError> {
        from_json(self.json)
    }

    /// How much of the texts it takes to find every word: lower is better; `None` if a word is missing.
    fn rank(&self, words: &str) -> Option<u32> {
        let mut read = String::new();
        for part in [self.name, self.title, self.group].iter().chain(self.tags) {
            read.push_str(part);
            read.push('\n');
        }
        let texts = [self.summary, self.teaches, self.trade_offs, ""];
        for (part, rank) in texts.iter().zip(0..) {
            let heap = read.to_lowercase();
            if words.split_whitespace().all(|word| heap.contains(word)) {
                return Some(rank);
            }
            read.push_str(part);
            read.push('\n');
        }
        None
    }
}
