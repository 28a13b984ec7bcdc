//! The pattern library: designs to start from, each a design file embedded in the program, with what it teaches
//! and what it costs.

mod list;

use super::model::{Design, by_rank};
use super::persist::{FileError, from_json};
use list::PATTERNS;

/// One design of the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pattern {
    /// Its name in a command or a link: lower case, words joined with `-`.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The heading under which it stands; the patterns of one group are neighbours.
    pub group: &'static str,
    /// The name of the pattern that this one is a variant of; variants follow it.
    pub variant_of: Option<&'static str>,
    /// What it is, in one line.
    pub summary: &'static str,
    /// What one learns from it, in a few sentences.
    pub teaches: &'static str,
    /// What it costs and where it ends, in a few sentences.
    pub trade_offs: &'static str,
    /// Words that somebody may look for, in lower case.
    pub tags: &'static [&'static str],
    /// The design file.
    pub json: &'static str,
}

/// All designs of the library, in the order in which they are shown.
pub fn patterns() -> &'static [Pattern] {
    PATTERNS
}

/// The design of this name.
pub fn find(name: &str) -> Option<&'static Pattern> {
    PATTERNS.iter().find(|pattern| pattern.name == name)
}

/// The patterns that have every word of `text` somewhere in their texts, whatever the case: first those where
/// title, name, group and tags are enough, then those with a word in the summary, then the rest; all of them for an
/// empty text. A word is also found inside a longer one.
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
    /// The design. The library's tests show that each of its files can be read.
    pub fn design(&self) -> Result<Design, FileError> {
        from_json(self.json)
    }

    /// How far into the texts one must read to find every word; `None`: not all are there.
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
