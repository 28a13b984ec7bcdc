//! How many items each template explains, and which it does not.

use super::entities::{Kind, Samples};
use super::model::{MISFITS, Rule};
use super::plan::{Plan, Table};
use super::population::Population;
use super::schema::Item;
use keyfold_core::model::SortedMap;

/// For each key attribute the positions of items that other entities keep, because the entity's template does not
/// explain them.
pub(crate) type Misfits = Vec<Vec<usize>>;

/// The misfits of each kind: its items that other entities keep, and items of its type or with its primary key, whose
/// key attribute has no template.
pub(crate) fn misfits(
    table: Table,
    kinds: &[Kind],
    rest: &SortedMap<Option<String>, Samples>,
    items: &[Item],
) -> Vec<Misfits> {
    let primary = |plan: &Plan| -> Vec<Option<String>> {
        let primary = table.slots.iter().zip(&plan.templates);
        let primary = primary.filter(|(slot, _)| slot.key == 0);
        primary
            .map(|(_, template)| Some(template.as_ref()?.text.clone()))
            .collect()
    };
    let primaries: Vec<Vec<Option<String>>> =
        kinds.iter().map(|kind| primary(&kind.plan)).collect();
    let of_kind = |(number, kind): (usize, &Kind)| -> Misfits {
        let plan = &kind.plan;
        let is_sibling = |(other, sibling): &(usize, &Kind)| {
            let is_of_type = plan.kind.is_some() && plan.kind == sibling.plan.kind;
            *other != number
                && !kind.is_apart
                && !sibling.is_apart
                && (is_of_type || primaries[*other] == primaries[number])
        };
        let siblings = kinds.iter().enumerate().filter(is_sibling);
        let others = siblings.map(|(_, sibling)| &sibling.samples);
        let untold =
            (plan.kind.as_ref().filter(|_| !kind.is_apart)).and_then(|_| rest.get(&plan.kind));
        let others: Vec<&Samples> = others.chain(untold).collect();
        let of_slot = |name: &String| -> Vec<usize> {
            let samples = others.iter().flat_map(|samples| samples.iter());
            let kept = samples.filter(|(_, sample)| sample.contains_key(name));
            let outside = kind.outside.iter().copied();
            kept.map(|(at, _)| *at)
                .chain(outside.filter(|at| items[*at].contains_key(name)))
                .collect()
        };
        table.slots.iter().map(|slot| of_slot(&slot.name)).collect()
    };
    kinds.iter().enumerate().map(of_kind).collect()
}

/// The rules of an entity: how many items each template explains.
pub(crate) fn rules(
    table: Table,
    plan: &Plan,
    placed: &Samples,
    misfits: Misfits,
    population: &Population,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    let mut misfits = misfits.into_iter();
    for (slot, template) in table.slots.iter().zip(&plan.templates) {
        let mut unexplained = misfits.next().unwrap_or_default();
        let Some(template) = template else { continue };
        let mut explained = Vec::new();
        for (at, sample) in placed {
            if sample.contains_key(&slot.name) {
                unexplained.push(*at);
            } else if population.items[*at].contains_key(&slot.name) {
                explained.push(*at);
            }
        }
        unexplained.sort_unstable();
        unexplained.dedup();
        rules.push(Rule {
            key: slot.key,
            attribute: slot.name.clone(),
            template: template.text.clone(),
            explained: population.count(explained),
            unexplained: population.count(unexplained.iter().copied()),
            examples: unexplained.into_iter().take(MISFITS).collect(),
        });
    }
    rules
}
