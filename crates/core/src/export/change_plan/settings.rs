//! Changes in place: compares the properties of two templates.

use super::super::cloudformation::{
    self, global::global_table_properties, table::table_properties,
};
use super::super::iam::Tenant;
use super::super::json;
use super::super::table_plan::{Plan, plan};
use super::super::tree::{Map, Node};
use super::new_table::{named, same_index};
use crate::model::{Design, IndexKind, WarmThroughput};
use std::sync::Arc;

/// Properties of the table that other steps, or a new table, change.
const STEPS: [&str; 6] = [
    "TableName",
    "KeySchema",
    "AttributeDefinitions",
    "GlobalSecondaryIndexes",
    "LocalSecondaryIndexes",
    "Replicas",
];

/// Returns the changed settings, one per line: of the table, of indexes and replicas in both versions, and of their
/// scaling.
pub(super) fn changed(old: &Design, new: &Design) -> Vec<String> {
    let (before, mut after) = (plan(old), plan(new));
    after.ttl_off = old.table.ttl_attribute.as_deref();
    let (old_map, new_map) = (properties(&before), properties(&after));
    let mut lines = Vec::new();
    compare("", &old_map, &new_map, &mut lines);
    let in_both = |name: &&str| after.global.iter().any(|other| other.index.name == *name);
    let kept = before.global.iter().map(|global| global.index.name);
    let kept: Vec<&str> = kept.filter(in_both).collect();
    for (list, name) in [
        ("GlobalSecondaryIndexes", "IndexName"),
        ("Replicas", "Region"),
    ] {
        for one in entries(&old_map, list) {
            let Some(id) = one.get(name) else { continue };
            let other = entries(&new_map, list).into_iter();
            if let Some(other) = { other }.find(|other| other.get(name) == Some(id)) {
                let place = match id {
                    Node::Text(text) => format!("{text}: "),
                    _ => "own Region: ".to_owned(),
                };
                compare(&place, one, other, &mut lines);
                for index in &kept {
                    let (was, is) = (index_in(one, index), index_in(other, index));
                    compare(&[&place, *index, ": "].concat(), &was, &is, &mut lines);
                }
            }
        }
    }
    compare("", &outside_table(old), &outside_table(new), &mut lines);
    if let (Some(was), Some(is)) = (tenant(old), tenant(new))
        && !allow_the_same(&was, &is)
    {
        lines.push(
            "TenantPolicy: what it allows changes. From this update on, tenants cannot reach items under keys that only \
             the old policy allows: write those items under their new keys before."
                .to_owned(),
        );
    }
    let scaling = |plan: &Plan| {
        let mut map = Map::new();
        if plan.is_global() {
            return map;
        }
        for scaling in &plan.scaling {
            let (target, index) = (scaling.target, scaling.index.unwrap_or("the table"));
            let name = format!("{} scaling of {index}", scaling.dimension.word());
            let (min, max, percent) = (target.min, target.max, target.target_percent);
            map = map.with(name, format!("{min} to {max} at {percent}%"));
        }
        map
    };
    compare("", &scaling(&before), &scaling(&after), &mut lines);
    lines
}

/// Returns `new` with the warm throughput of `old` where that is higher, because it cannot be lowered. Source:
/// "Understanding DynamoDB warm throughput", Developer Guide.
pub(super) fn with_kept_warm_throughput(
    old: &Design,
    new: &Design,
    remarks: &mut Vec<String>,
) -> Design {
    let mut kept = new.clone();
    let mut keep = |of: &str, was: Option<WarmThroughput>, is: Option<WarmThroughput>| {
        let (was, now) = (was?, is.unwrap_or_default());
        // A value that is not stated is that of DynamoDB.
        let higher = WarmThroughput {
            read: was.read.max(now.read),
            write: was.write.max(now.write),
        };
        if higher == now {
            return None;
        }
        let units = |value: Option<u64>, word: &str| value.map(|value| format!("{value} {word}"));
        let values = [units(higher.read, "read"), units(higher.write, "write")];
        let values: Vec<String> = values.into_iter().flatten().collect();
        remarks.push(format!(
            "The warm throughput of {of} stays at {} units per second: DynamoDB does not lower it.",
            values.join(" and ")
        ));
        Some(higher)
    };
    if let Some(higher) = keep(
        "the table",
        old.table.warm_throughput,
        new.table.warm_throughput,
    ) {
        Arc::make_mut(&mut kept.table).warm_throughput = Some(higher);
    }
    for index in kept.indexes.values_mut() {
        let before = named(old, IndexKind::Gsi, &index.name)
            .filter(|before| same_index(&old.table, before, &new.table, index));
        if let Some(before) = before
            && let Some(higher) = keep(&index.name, before.warm_throughput, index.warm_throughput)
        {
            Arc::make_mut(index).warm_throughput = Some(higher);
        }
    }
    kept
}

/// Returns the tenant that a template's policy is for.
fn tenant(design: &Design) -> Option<Tenant> {
    let wanted = design.export_options.tenant_policy && !design.entities.is_empty();
    wanted
        .then(|| cloudformation::tenant(design).ok())
        .flatten()
}

/// Whether two policies allow the same, whatever the order of indexes and entities.
fn allow_the_same(one: &Tenant, other: &Tenant) -> bool {
    let patterns = |tenant: &Tenant| {
        let mut all = Vec::new();
        for grant in &tenant.grants {
            all.extend((grant.patterns.iter()).map(|one| (grant.index.clone(), one.clone())));
        }
        all.sort();
        all
    };
    (&one.tag, one.read_only) == (&other.tag, other.read_only) && patterns(one) == patterns(other)
}

/// Returns a template's settings outside the table's properties. A version from a template has no entities: whether it
/// has a policy comes from the template.
fn outside_table(design: &Design) -> Map {
    let options = &design.export_options;
    let has_policy = options.tenant_policy
        && (design.entities.is_empty() || cloudformation::tenant(design).is_ok());
    let deletion = match options.delete_with_stack {
        true => "Delete",
        false => "Retain",
    };
    Map::new()
        .with("DeletionPolicy", deletion)
        .with_some("TenantPolicy", has_policy.then_some("a managed policy"))
}

fn properties(plan: &Plan) -> Map {
    match plan.is_global() {
        true => global_table_properties(plan),
        false => table_properties(plan),
    }
}

fn entries<'m>(map: &'m Map, list: &str) -> Vec<&'m Map> {
    let mut found = Vec::new();
    if let Some(Node::List(items)) = map.get(list) {
        for item in items {
            if let Node::Map(map) = item {
                found.push(map);
            }
        }
    }
    found
}

/// Returns the settings that an index has in one Region: those in a replica; empty if it has none there.
fn index_in(replica: &Map, name: &str) -> Map {
    let mut own = entries(replica, "GlobalSecondaryIndexes").into_iter();
    let own = own.find(|index| index.get("IndexName") == Some(&name.into()));
    own.cloned().unwrap_or_default()
}

fn compare(place: &str, old: &Map, new: &Map, lines: &mut Vec<String>) {
    let skipped = |key: &str| STEPS.contains(&key) || matches!(key, "Projection" | "IndexName");
    for (key, value) in old.pairs() {
        if skipped(key) {
            continue;
        }
        match new.get(key) {
            Some(other) if other == value => {}
            Some(other) => lines.push(format!(
                "{place}{key}: {} becomes {}",
                shown(value),
                shown(other)
            )),
            None => lines.push(format!("{place}{key}: {} is removed", shown(value))),
        }
    }
    for (key, value) in new.pairs() {
        if !skipped(key) && old.get(key).is_none() {
            lines.push(format!("{place}{key}: {} is added", shown(value)));
        }
    }
}

fn shown(node: &Node) -> String {
    match node {
        Node::Text(text) => text.clone(),
        other => json::line(other),
    }
}
