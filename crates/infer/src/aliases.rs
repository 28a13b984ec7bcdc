//! Names for the values that only keys have, as a source calls the keys of a kind of items: `customerId`,
//! `ORDER#<orderId>`.

use super::entities::Kind;
use super::entity_name::Hints;
use super::model::Hint;
use super::pieces::KeyTemplate;
use super::plan::{Plan, Table};
use keyfold_core::model::name;
use keyfold_core::template::parse;

/// Renames the key-only values of each kind as the hint for it says.
pub(crate) fn apply(kinds: &mut [Kind], hints: &[Hint], table: Table) {
    let hints = Hints::new(hints);
    for kind in kinds {
        let Some(hint) = hints.find(&kind.plan, table, &kind.samples) else {
            continue;
        };
        let aliases = [(true, &hint.partition), (false, &hint.sort)];
        for (is_partition, alias) in aliases {
            let mut slots = table.slots.iter().zip(&kind.plan.templates);
            let own = slots.find(|(slot, _)| slot.key == 0 && slot.is_partition == is_partition);
            let (Some(alias), Some((slot, Some(template)))) = (alias, own) else {
                continue;
            };
            if *alias == slot.name {
                continue;
            }
            for (old, new) in pairs(template, alias) {
                rename(kind, table, &old, &new);
            }
        }
    }
}

/// The values of a template, each with the name that an alias gives it: the alias is a template with as many values, or
/// the name of the only one.
fn pairs(template: &KeyTemplate, alias: &str) -> Vec<(String, String)> {
    let own = distinct(template.parsed.attributes());
    let read = parse(alias);
    let mut wanted = distinct(read.template.attributes());
    if wanted.is_empty() && read.errors.is_empty() {
        wanted.push(alias.trim().to_owned());
    }
    match own.len() == wanted.len() {
        true => own.into_iter().zip(wanted).collect(),
        false => Vec::new(),
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        if all.iter().all(|other| other != name) {
            all.push(name.to_owned());
        }
    }
    all
}

/// Renames a value that only keys have, if the new name is free.
fn rename(kind: &mut Kind, table: Table, old: &str, new: &str) {
    let is_in_templates = |plan: &Plan| {
        let mut templates = plan.templates.iter().flatten();
        templates.any(|template| template.parsed.attributes().any(|name| name == new))
    };
    let is_free = name::check_attribute(new).is_ok()
        && !new.contains(|c: char| !c.is_alphanumeric() && c != '_' && c != '-')
        && table.type_attribute != Some(new)
        && table.slots.iter().all(|slot| slot.name != new)
        && !is_in_templates(&kind.plan)
        && (kind.samples.iter()).all(|(_, sample)| !sample.contains_key(new));
    if !is_free || !kind.plan.key_only.contains(old) {
        return;
    }
    for template in kind.plan.templates.iter_mut().flatten() {
        let Some(renamed) = template.renamed(old, new) else {
            return;
        };
        *template = renamed;
    }
    kind.plan.key_only.remove(old);
    kind.plan.key_only.insert(new.to_owned());
    for condition in kind.plan.when.values_mut() {
        if condition.attribute == old {
            new.clone_into(&mut condition.attribute);
        }
    }
    for (_, sample) in &mut kind.samples {
        if let Some(value) = sample.remove(old) {
            sample.insert(new.to_owned(), value);
        }
    }
}
