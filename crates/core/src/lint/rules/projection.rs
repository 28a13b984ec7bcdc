//! Projections of indexes, compared with the attributes that access patterns read.

use super::attributes;
use crate::engine::query::expression::parse_projection;
use crate::lint::expression::condition_names;
use crate::lint::{Check, Context, Fix, Found, NewFinding, Place, Rule, Severity};
use crate::model::{Index, IndexId, IndexKind, Operation, Projection, Read, limits};

/// A pattern reads an attribute that its index does not project.
pub const MISSES: Rule = Rule {
    code: "A004",
    name: "projection-misses-attribute",
    severity: Severity::Error,
    check: Check::Design(misses),
};

fn misses(context: &Context, found: &mut Found) {
    for facts in context.patterns.values() {
        let operation = &facts.pattern.operation;
        let (Some(id), Some(read)) = (operation.index(), operation.read()) else {
            continue;
        };
        let Some(index) = context.design.indexes.get(&id) else {
            continue;
        };
        let mut missing = named_attributes(read);
        // `key-only-in-expression` reports attributes that items do not store.
        missing.retain(|name| {
            !projects(context, index, name) && !super::key_only::is_key_only(context, facts, name)
        });
        if missing.is_empty() {
            continue;
        }
        let names: Vec<&str> = missing.iter().map(String::as_str).collect();
        // Only an attribute that is asked for makes DynamoDB read the table, or reject the request.
        let is_returned = returned(operation).any(|name| missing.contains(&name));
        let (what, severity) = match (index.kind, is_returned) {
            (_, false) => ("so the filter does not see it", Severity::Error),
            (IndexKind::Gsi, true) => ("so DynamoDB rejects the request", Severity::Error),
            (IndexKind::Lsi, true) => (
                "so DynamoDB fetches it from the table, item by item",
                Severity::Warning,
            ),
        };
        let message = format!(
            "`{}` reads {} from {}, which does not project it, {what}. Add it to the projection.",
            facts.pattern.name,
            attributes(&names),
            index.name,
        );
        let fix = Fix::Project(id, index.projection.with(&missing));
        let finding = NewFinding::at(Place::Pattern(facts.id), message).severity(severity);
        found.add(finding.fix(fix));
    }
}

/// Returns the attributes that a read returns or filters by, each once.
fn named_attributes(read: &Read) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let filter = read.filter.as_deref().unwrap_or("");
    let filtered = condition_names(filter).into_iter().map(|name| name.text);
    for name in read.projection.iter().cloned().chain(filtered) {
        let name = attribute(&name);
        if !name.is_empty() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the attributes that an operation returns, if it is a read with a projection.
pub(super) fn returned(operation: &Operation) -> impl Iterator<Item = String> {
    let read = operation.read().into_iter();
    read.flat_map(|read| read.projection.iter().map(|path| attribute(path)))
}

/// Returns the attribute of a path: `total` of `#total.net[0]`; nothing of a path with errors.
fn attribute(path: &str) -> String {
    let first = parse_projection(path)
        .ok()
        .and_then(|paths| paths.into_iter().next());
    first.map_or(String::new(), |path| path.attribute.text)
}

/// Whether an index contains the attribute: by its projection, or as a key.
fn projects(context: &Context, index: &Index, name: &str) -> bool {
    let keys = index
        .key
        .attributes()
        .chain(context.design.table.key.attributes());
    let is_key = keys.into_iter().any(|key| key.name == name);
    match &index.projection {
        Projection::All => true,
        Projection::KeysOnly => is_key,
        Projection::Include(names) => is_key || names.iter().any(|other| other == name),
    }
}

/// All reads of an index need only keys.
pub const KEYS_ONLY: Rule = Rule {
    code: "C001",
    name: "keys-only-suffices",
    severity: Severity::Info,
    check: Check::Design(keys_only),
};

fn keys_only(context: &Context, found: &mut Found) {
    for (id, index) in &context.design.indexes {
        let Some(mut names) = read_from(context, *id) else {
            continue;
        };
        if index.projection == Projection::KeysOnly {
            continue;
        }
        let bare = Index {
            projection: Projection::KeysOnly,
            ..Index::clone(index)
        };
        names.retain(|name| !projects(context, &bare, name));
        if !names.is_empty() {
            continue;
        }
        let message = format!(
            "{} projects more than keys, but every access pattern that reads it returns only keys. Project KEYS_ONLY: its entries become smaller and cheaper to write.",
            index.name
        );
        let fix = Fix::Project(*id, Projection::KeysOnly);
        found.add(NewFinding::at(Place::Index(*id), message).fix(fix));
    }
}

/// All reads of an index need only a few attributes.
pub const INCLUDE: Rule = Rule {
    code: "C002",
    name: "include-suffices",
    severity: Severity::Info,
    check: Check::Design(include),
};

fn include(context: &Context, found: &mut Found) {
    for (id, index) in &context.design.indexes {
        let Some(mut names) = read_from(context, *id) else {
            continue;
        };
        let bare = Index {
            projection: Projection::KeysOnly,
            ..Index::clone(index)
        };
        names.retain(|name| !projects(context, &bare, name));
        let projected: Vec<&str> = (context.entities.values())
            .filter(|facts| facts.entry(*id).is_some())
            .flat_map(|facts| &facts.entity.attributes)
            .filter(|attribute| !attribute.key_only)
            .map(|attribute| attribute.name.as_str())
            .collect();
        let all = projected
            .iter()
            .all(|name| names.iter().any(|other| other == name));
        if index.projection != Projection::All
            || names.is_empty()
            || all
            || names.len() > limits::INCLUDED_PER_INDEX
        {
            continue;
        }
        let shown: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = format!(
            "{} projects all attributes, but its access patterns return only {}. Project INCLUDE: its entries become smaller and cheaper to write.",
            index.name,
            attributes(&shown),
        );
        let fix = Fix::Project(*id, Projection::Include(names));
        found.add(NewFinding::at(Place::Index(*id), message).fix(fix));
    }
}

/// Returns the attributes that the patterns of an index name; `None` if no pattern reads it, or one returns all
/// attributes.
fn read_from(context: &Context, id: IndexId) -> Option<Vec<String>> {
    let mut names: Vec<String> = Vec::new();
    let mut any = false;
    for facts in context.patterns.values() {
        let operation = &facts.pattern.operation;
        if operation.index() != Some(id) {
            continue;
        }
        let read = operation.read()?;
        if read.projection.is_empty() {
            return None;
        }
        any = true;
        for name in named_attributes(read) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    any.then_some(names)
}
