//! What the primary keys of new rows can be: the number of their values, the next number of a sequence, and the hash by
//! which keys in use are known.

use super::guess_format::numbered;
use super::needed::Needed;
use super::parents::{Group, Source};
use super::value;
use crate::engine::Item;
use crate::model::{Design, Format, Sample};
use crate::template::fnv1a_64;
use std::sync::Arc;

/// Number of choices for each reference and each attribute in the primary key, 1 for all others. `None` if one of the
/// numbers, or their product, cannot be counted.
pub(super) fn counts(
    needed: &[Needed],
    sources: &[Source],
    groups: &[Group],
    first_is_given: bool,
) -> Option<Vec<u64>> {
    let mut counts = vec![1; groups.len() + needed.len()];
    for (at, attribute) in needed.iter().enumerate() {
        if !attribute.uses.in_primary {
            continue;
        }
        match &sources[at] {
            Source::Parent(0, _) if first_is_given => {}
            Source::Parent(group, _) => counts[*group] = groups[*group].rows.len() as u64,
            Source::Before(_) => return None,
            Source::Nothing => {}
            Source::Own => {
                counts[groups.len() + at] = value::count(attribute.format.as_ref()?)?.max(1);
            }
        }
    }
    let mut all: u64 = 1;
    for count in &counts {
        all = all.checked_mul(*count)?;
    }
    Some(counts)
}

/// The next number of a sequence: one more than the greatest existing one.
pub(super) fn first_number(attribute: &Needed, existing: &[Arc<Sample>]) -> u64 {
    let Some(Format::Sequence { prefix, start, .. }) = &attribute.format else {
        return 0;
    };
    let used = existing.iter().filter_map(|sample| {
        let text = sample.values.get(&attribute.name)?.to_text();
        let (of, number, _) = numbered(&text)?;
        // A prefix may itself end in digits.
        match text.strip_prefix(prefix.as_str()) {
            Some(rest) if rest.bytes().all(|b| b.is_ascii_digit()) => rest.parse().ok(),
            _ => (of == prefix).then_some(number),
        }
    });
    used.max()
        .map_or(*start, |last: u64| (*start).max(last.saturating_add(1)))
}

/// A 64-bit hash of an item's primary key. If two keys have the same hash, which happens for 1 of 2^64 pairs, the
/// second key is not used.
pub(super) fn key_of(design: &Design, item: &Item) -> u64 {
    let mut text = String::new();
    for key in design.table.key.attributes() {
        if let Some(value) = item.get(&key.name) {
            match value.text() {
                Some(value) => text.push_str(value),
                None => text.push_str(&value.value().to_text()),
            }
        }
        text.push('\0');
    }
    fnv1a_64(text.as_bytes())
}
