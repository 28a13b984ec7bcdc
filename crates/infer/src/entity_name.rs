//! Names for entities: from the literals of their keys, or from hints.

use super::model::Hint;
use super::plan::Plan;
use super::schema::KeySlot;
use keyfold_core::model::{SortedSet, name, words};

/// Literals that stand for "the item itself" and do not name it.
const GENERAL: &str = "metadata meta info data details detail current latest root item base main self count counter v";

/// The name of an entity without a type.
pub(crate) fn of_keys(plan: &Plan, slots: &[KeySlot], delimiter: &str) -> String {
    let mut literals: Vec<&str> = Vec::new();
    let primary = || {
        (slots.iter().zip(&plan.templates))
            .filter(|(slot, _)| slot.key == 0)
            .filter_map(|(_, template)| template.as_ref())
    };
    for template in primary() {
        literals.extend(template.literals(delimiter));
    }
    let is_telling = |literal: &&&str| {
        let lower = literal.to_lowercase();
        literal.chars().filter(|c| c.is_alphabetic()).count() > 1
            && !GENERAL.split(' ').any(|word| word == lower)
    };
    // The last literal names the item: `TENANT#{tenantId}`, `USER#{userId}`. A single letter only if there is no word.
    let letters = |literal: &&&str| literal.chars().any(char::is_alphabetic);
    let named =
        (literals.iter().rev().find(is_telling)).or_else(|| literals.iter().rev().find(letters));
    match named {
        Some(literal) => title(literal),
        None => {
            let first = slots.iter().find(|slot| slot.key == 0 && !slot.is_generic);
            let named =
                first.map(|slot| title(slot.name.trim_end_matches("ID").trim_end_matches("Id")));
            named
                .filter(|name| !name.is_empty())
                .unwrap_or_else(|| "Item".to_owned())
        }
    }
}

/// The hint whose attributes are most like the entity's.
pub(crate) fn of_hints(attributes: &SortedSet<String>, hints: &[Hint]) -> Option<String> {
    let mut best: Option<(usize, &Hint)> = None;
    for hint in hints {
        let common = hint
            .attributes
            .iter()
            .filter(|name| attributes.contains(*name))
            .count();
        let all = hint.attributes.len() + attributes.len() - common;
        let share = 100 * common / all.max(1);
        if share >= 60 && best.is_none_or(|(other, _)| share > other) {
            best = Some((share, hint));
        }
    }
    let name = best.map(|(_, hint)| hint.name.clone())?;
    name::check_label(&name).is_ok().then_some(name)
}

/// A literal as the name of an entity: `ORDER_ITEM` gives `OrderItem`.
fn title(literal: &str) -> String {
    let is_upper = !literal.chars().any(char::is_lowercase);
    let mut title = String::new();
    for word in words(literal) {
        let mut chars = word.chars();
        title.extend(chars.next().into_iter().flat_map(char::to_uppercase));
        match is_upper {
            true => title.extend(chars.flat_map(char::to_lowercase)),
            false => title.extend(chars),
        }
    }
    title
}

/// The name, or with a number if it is taken. It becomes taken.
pub(crate) fn free(name: &str, taken: &mut SortedSet<String>) -> String {
    let name = match name::check_label(name) {
        Ok(()) => name,
        Err(_) => "Item",
    };
    let mut free = name.to_owned();
    let mut number = 2;
    while !taken.insert(free.clone()) {
        // A name of 255 bytes has no room for a number.
        let mut end = name.len().min(240);
        while !name.is_char_boundary(end) {
            end -= 1;
        }
        free = format!("{} {number}", &name[..end]);
        number += 1;
    }
    free
}
