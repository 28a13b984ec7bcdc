//! Character sets as sorted ranges of code points.

use crate::model::in_order;

/// A character set: inclusive ranges of code points, sorted, disjoint and not adjacent, without surrogates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CharSet(Vec<(u32, u32)>);

/// All code points except the surrogates, which no text contains.
const ALL: [(u32, u32); 2] = [(0, 0xD7FF), (0xE000, 0x0010_FFFF)];

impl CharSet {
    pub fn all() -> Self {
        Self(ALL.to_vec())
    }

    pub fn single(c: char) -> Self {
        Self(vec![(c as u32, c as u32)])
    }

    /// The characters of all ranges, which may overlap and be in any order.
    pub fn of(ranges: impl IntoIterator<Item = (char, char)>) -> Self {
        let sets = ranges
            .into_iter()
            .map(|(first, last)| Self(vec![(first as u32, last as u32)]));
        // The union drops surrogates from a range that spans them.
        sets.fold(Self::default(), |all, set| all.union(&set))
            .intersect(&Self::all())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn contains(&self, c: char) -> bool {
        self.0
            .iter()
            .any(|&(first, last)| (first..=last).contains(&(c as u32)))
    }

    pub fn union(&self, other: &Self) -> Self {
        let ranges = self.0.iter().chain(&other.0).copied();
        let ranges = in_order(ranges.filter(|(first, last)| first <= last));
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (first, last) in ranges {
            match merged.last_mut() {
                Some((_, end)) if first <= end.saturating_add(1) => *end = last.max(*end),
                _ => merged.push((first, last)),
            }
        }
        Self(merged)
    }

    pub fn intersect(&self, other: &Self) -> Self {
        let mut common = Vec::new();
        for &(first, last) in &self.0 {
            for &(other_first, other_last) in &other.0 {
                let range = (first.max(other_first), last.min(other_last));
                if range.0 <= range.1 {
                    common.push(range);
                }
            }
        }
        Self(common)
    }

    pub fn without(&self, c: char) -> Self {
        self.without_range(c, c)
    }

    fn without_range(&self, first: char, last: char) -> Self {
        let (first, last) = (first as u32, last as u32);
        let pieces = self.0.iter().flat_map(|&(start, end)| {
            let below = (start < first).then(|| (start, end.min(first - 1)));
            let above = (end > last).then(|| (start.max(last + 1), end));
            [below, above]
        });
        Self(pieces.flatten().collect())
    }

    /// Splits the set into its ASCII characters and all others.
    pub fn split_ascii(&self) -> (Self, Self) {
        let ascii = Self(vec![(0, 0x7F)]);
        (self.intersect(&ascii), self.without_range('\0', '\u{7F}'))
    }

    /// The set with every ASCII letter in lowercase or uppercase; other characters are unchanged.
    pub fn with_ascii_case(&self, upper: bool) -> Self {
        let (from, last, to) = if upper {
            ('a', 'z', 'A')
        } else {
            ('A', 'Z', 'a')
        };
        let letters = self.intersect(&Self(vec![(from as u32, last as u32)]));
        let moved = |c: u32| c - from as u32 + to as u32;
        let moved = Self(
            letters
                .0
                .iter()
                .map(|&(first, last)| (moved(first), moved(last)))
                .collect(),
        );
        self.without_range(from, last).union(&moved)
    }

    /// The characters of the set; `None` if there are more than `most`.
    pub fn few(&self, most: usize) -> Option<Vec<char>> {
        let count: usize = self
            .0
            .iter()
            .map(|(first, last)| (last - first) as usize + 1)
            .sum();
        let chars = || {
            self.0
                .iter()
                .flat_map(|&(first, last)| (first..=last).filter_map(char::from_u32))
                .collect()
        };
        (count <= most).then(chars)
    }

    /// An example character, readable if possible.
    pub fn example(&self) -> Option<char> {
        let readable = ['a', 'A', '0', '1', '-']
            .into_iter()
            .find(|c| self.contains(*c));
        let printable = || self.intersect(&Self(vec![(0x21, 0x7E)])).first();
        readable.or_else(printable).or_else(|| self.first())
    }

    fn first(&self) -> Option<char> {
        self.0.first().and_then(|&(first, _)| char::from_u32(first))
    }

    /// The characters that are greater than the smallest one of `other`.
    pub fn above(&self, other: &Self) -> Self {
        match other.0.first() {
            Some(&(first, _)) => self.intersect(&Self(vec![(first + 1, u32::MAX)])),
            None => Self::default(),
        }
    }

    /// The characters that are smaller than the greatest one of `other`.
    pub fn below(&self, other: &Self) -> Self {
        match other.0.last() {
            Some(&(_, last)) if last > 0 => self.intersect(&Self(vec![(0, last - 1)])),
            _ => Self::default(),
        }
    }

    /// The UTF-8 length of the longest character, in bytes.
    pub fn max_utf8(&self) -> usize {
        self.0
            .last()
            .and_then(|&(_, last)| char::from_u32(last))
            .map_or(0, char::len_utf8)
    }
}
