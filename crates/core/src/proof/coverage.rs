//! The coverage matrix: access patterns and entities against the table and its indexes.

use super::prove::written_indexes;
use super::read_requirement::ReadRequirement;
use super::serve::serve;
use super::{Proof, Verdict};
use crate::engine::languages::key_templates;
use crate::model::{AccessPattern, AccessPatternId, Design, EntityId, IndexId, entities_of};

/// The access patterns and entities compared with the table and its indexes.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// The columns: the primary key, then the indexes.
    pub indexes: Vec<IndexId>,
    /// Each access pattern with its verdict and one cell per column.
    pub patterns: Vec<(AccessPatternId, Verdict, Vec<Cover>)>,
    /// Each entity, and whether it is in each column's index.
    pub entities: Vec<(EntityId, Vec<bool>)>,
    /// The secondary indexes that serve no access pattern.
    pub idle: Vec<IndexId>,
}

/// The relation of an access pattern to an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Unrelated.
    No,
    /// The pattern reads the index, and is served or reads too much.
    Serves,
    /// The pattern reads the index, but is unserved.
    Fails,
    /// The pattern writes entries of the index.
    Writes,
    /// The pattern does not read the index, but could with the existing keys.
    Could,
}

/// Computes the coverage of a design from the proofs of its access patterns.
pub fn coverage(design: &Design, proofs: &[(AccessPatternId, &Proof)]) -> Coverage {
    let indexes: Vec<IndexId> = design.index_ids().collect();
    let mut coverage = Coverage {
        indexes: indexes.clone(),
        patterns: Vec::new(),
        entities: Vec::new(),
        idle: Vec::new(),
    };
    for (id, proof) in proofs {
        if let Some(pattern) = design.access_patterns.get(id) {
            let cells = covers(design, pattern, proof, &indexes);
            coverage.patterns.push((*id, proof.verdict, cells));
        }
    }
    for (id, entity) in &design.entities {
        let is_in = |index: &IndexId| key_templates(design, entity, *index).is_some();
        let cells = indexes.iter().map(is_in).collect();
        coverage.entities.push((*id, cells));
    }
    for (at, index) in indexes.iter().enumerate() {
        let serves =
            |(_, _, cells): &(AccessPatternId, Verdict, Vec<Cover>)| cells[at] == Cover::Serves;
        if !index.is_primary() && !coverage.patterns.iter().any(serves) {
            coverage.idle.push(*index);
        }
    }
    coverage
}

fn covers(
    design: &Design,
    pattern: &AccessPattern,
    proof: &Proof,
    indexes: &[IndexId],
) -> Vec<Cover> {
    let read = pattern
        .operation
        .index()
        .filter(|_| !super::is_read_requirement(&pattern.operation));
    let written = written_indexes(design, pattern, proof);
    let mut cells = Vec::new();
    for index in indexes {
        cells.push(match read {
            Some(read) if read == *index && proof.verdict.is_served() => Cover::Serves,
            Some(read) if read == *index => Cover::Fails,
            _ if written.contains(index) => Cover::Writes,
            _ if could(design, pattern, *index) => Cover::Could,
            _ => Cover::No,
        });
    }
    cells
}

/// Whether the index, with its existing keys, returns what the pattern needs of each of its entities.
fn could(design: &Design, pattern: &AccessPattern, index: IndexId) -> bool {
    let ids: Vec<EntityId> = entities_of(pattern).collect();
    let serves = |id: &EntityId| {
        let requirement = (design.entities.get(id))
            .and_then(|entity| ReadRequirement::of(design, entity, &pattern.operation));
        requirement.is_some_and(|requirement| {
            let says_something = !requirement.known.is_empty() || requirement.range.is_some();
            says_something && serve(design, *id, &requirement, index).is_some()
        })
    };
    !ids.is_empty() && ids.iter().all(serves)
}
