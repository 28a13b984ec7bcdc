//! Multi-Region strong consistency. Source: "How DynamoDB global tables work", Developer Guide.

use super::list;
use crate::lint::{Check, Context, Found, NewFinding, Place, Rule, Severity};
use crate::model::{IndexKind, MultiRegionConsistency, Operation, SortedSet, limits};

/// A table with multi-Region strong consistency has what DynamoDB does not support there.
pub const RULE: Rule = Rule {
    code: "L011",
    name: "multi-region-strong-consistency",
    severity: Severity::Error,
    check: Check::Design(check),
};

/// What else helps, whatever the finding.
const OR_EVENTUAL: &str = "or choose eventual consistency.";

fn check(context: &Context, found: &mut Found) {
    let design = context.design;
    let table = &design.table;
    if table.multi_region_consistency != MultiRegionConsistency::Strong {
        return;
    }
    let regions = SortedSet::from_iter(table.replicas.iter().map(|one| one.region.as_str()));
    let regions: Vec<&str> = regions.into_iter().collect();
    let wanted = limits::STRONG_REGIONS - 1;
    if regions.len() != wanted {
        let message = format!(
            "Multi-Region strong consistency needs exactly {} Regions: the table's own and {wanted} replicas, but the design has {}. Keyfold does not export a witness. Correct the replicas, {OR_EVENTUAL}",
            limits::STRONG_REGIONS,
            regions.len(),
        );
        found.add(NewFinding::at(Place::Table, message));
    }
    let sets = &limits::STRONG_REGION_SETS;
    let is_whole = |set: &[&str]| regions.iter().all(|region| set.contains(region));
    if !sets.iter().any(|set| is_whole(set)) {
        let sets: Vec<String> = sets.iter().map(|set| list(set)).collect();
        let message = format!(
            "The replicas are in {}, but the Regions of a table with multi-Region strong consistency are all of one set: {}. Choose Regions of one set, that of the table's own Region, {OR_EVENTUAL}",
            list(&regions),
            sets.join("; "),
        );
        found.add(NewFinding::at(Place::Table, message));
    }
    if table.ttl_attribute.is_some() {
        let message = format!(
            "TTL is on, but a table with multi-Region strong consistency does not support it. Turn it off, {OR_EVENTUAL}"
        );
        found.add(NewFinding::at(Place::Table, message));
    }
    for (id, index) in &design.indexes {
        if index.kind == IndexKind::Lsi {
            let message = format!(
                "{} is an LSI, which a table with multi-Region strong consistency does not support. Use a GSI, {OR_EVENTUAL}",
                index.name
            );
            found.add(NewFinding::at(Place::Index(*id), message));
        }
    }
    for facts in context.patterns.values() {
        let operation = &facts.pattern.operation;
        if let Operation::TransactGetItems { .. } | Operation::TransactWriteItems { .. } = operation
        {
            let message = format!(
                "`{}` is {}, which a table with multi-Region strong consistency refuses. Use single requests, {OR_EVENTUAL}",
                facts.pattern.name,
                operation.name(),
            );
            found.add(NewFinding::at(Place::Pattern(facts.id), message));
        }
    }
}
