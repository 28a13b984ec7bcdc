//! The rows of the live table that the selected access pattern returns, or reads and filters out.

use keyfold_core::engine::query::TableSnapshot;
use keyfold_core::model::{AccessPattern, AccessPatternId, IndexId, Operation, SampleId};
use keyfold_core::proof::{self, Outcome, Proof};
use rustc_hash::FxHashMap;

/// The rows that the selected access pattern reads.
#[derive(Debug)]
pub struct Marks {
    /// The access pattern.
    pub pattern: AccessPatternId,
    /// The table or index that it reads.
    pub index: IndexId,
    /// The first item that it returns, or otherwise reads.
    pub first: Option<SampleId>,
    /// The items that it reads, each with its position among the returned items, counted from 1; 0 if the filter
    /// excludes it.
    pub rows: FxHashMap<SampleId, u32>,
    /// The number of items that it returns.
    pub returned: usize,
    /// The number of items that it reads.
    pub read: usize,
}

impl Marks {
    /// The mark of a row: its position among the returned items, or `–` if it is filtered out; `None` if it is not
    /// read.
    pub fn of(&self, sample: SampleId) -> Option<String> {
        let place = self.rows.get(&sample)?;
        Some(match place {
            0 => "–".to_owned(),
            place => place.to_string(),
        })
    }
}

/// The rows that a pattern reads.
pub(super) fn marks(
    stored: &TableSnapshot,
    id: AccessPatternId,
    pattern: &AccessPattern,
    proof: &Proof,
) -> Option<Marks> {
    let Outcome::Read(outcome) = &proof.outcome else {
        return None;
    };
    let mut marks = Marks {
        pattern: id,
        index: pattern.operation.index()?,
        first: None,
        rows: FxHashMap::default(),
        returned: outcome.items.len(),
        read: outcome.read,
    };
    if outcome.read > outcome.items.len()
        && let Outcome::Read(all) = proof::prove_pattern(stored, &without_filter(pattern)).outcome
    {
        for item in &all.items {
            marks.first = marks.first.or(Some(item.id()));
            marks.rows.insert(item.id(), 0);
        }
    }
    for (item, place) in outcome.items.iter().zip(1..) {
        marks.rows.insert(item.id(), place);
    }
    marks.first = outcome.items.first().map(|item| item.id()).or(marks.first);
    Some(marks)
}

fn without_filter(pattern: &AccessPattern) -> AccessPattern {
    let mut all = pattern.clone();
    if let Operation::Query { read, .. }
    | Operation::Scan { read, .. }
    | Operation::GetItem { read, .. }
    | Operation::BatchGetItem { read, .. } = &mut all.operation
    {
        read.filter = None;
    }
    all
}
