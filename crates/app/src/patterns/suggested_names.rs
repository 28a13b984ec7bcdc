//! Names of suggested access patterns, as a person says them: `Get pull request`, `Issues of a repo`.

use super::shards::is_shard;
use keyfold_core::engine::generate::{self, Reference};
use keyfold_core::model::{
    Condition, Design, Entity, EntityId, IndexId, Test, Value, capital, short, words,
};
use keyfold_core::template;

/// Letters with which a word begins that takes `an`; and starts that sound like `you` or `one`.
const VOWELS: [char; 5] = ['a', 'e', 'i', 'o', 'u'];
const AS_CONSONANTS: [&str; 5] = ["use", "uni", "eu", "one", "us"];

/// `Get star`.
pub(super) fn get(entity: &str) -> String {
    format!("Get {}", lower(entity))
}

/// `Issues of a repo`, `Issues by creator`, `Issues of a repo by status`, `Flagged issues`: what the partition key's
/// templates and the conditions of a sparse index say. `references` are those of the design.
pub(super) fn list(
    design: &Design,
    id: EntityId,
    index: IndexId,
    partition: &[String],
    references: &[Reference],
) -> String {
    let Some(entity) = design.entities.get(&id) else {
        return String::new();
    };
    let mut attributes: Vec<String> = Vec::new();
    for text in partition {
        // A shard is no attribute that somebody asks for.
        let template = template::parse(text).template;
        for placeholder in template.placeholders().filter(|own| !is_shard(own)) {
            if !attributes.contains(&placeholder.attribute) {
                attributes.push(placeholder.attribute.clone());
            }
        }
    }
    let conditions = entity.keys.get(&index).map_or(&[][..], |entry| &entry.when);
    let conditions =
        (conditions.iter()).filter(|condition| !attributes.contains(&condition.attribute));
    let (flags, others): (Vec<&Condition>, Vec<&Condition>) = conditions.partition(is_flag);
    let mut all = plural(&lower(&entity.name));
    for flag in flags.iter().rev() {
        all = format!("{} {all}", flag_name(&flag.attribute));
    }
    let others: Vec<String> = others.into_iter().map(condition).collect();
    let with = match others.is_empty() {
        true => String::new(),
        false => format!(" {}", others.join(" and ")),
    };
    if attributes.is_empty() {
        return match flags.is_empty() && with.is_empty() {
            true => format!("All {all}"),
            false => capital(&all) + &with,
        };
    }
    let refers = |name: &str| {
        let mut of_entity = references.iter().filter(|reference| reference.entity == id);
        of_entity.find(|reference| reference.attribute == name && reference.target != id)
    };
    // The entity that most of them identify: they refer to it, or are in its own key too.
    let covered = |target: EntityId| -> Vec<String> {
        let is_covered = |name: &&String| {
            refers(name).is_some_and(|reference| reference.target == target)
                || design
                    .entities
                    .get(&target)
                    .is_some_and(|other| has_in_key(other, name))
        };
        attributes.iter().filter(is_covered).cloned().collect()
    };
    let mut owner: Option<(&Reference, Vec<String>)> = None;
    for reference in attributes.iter().filter_map(|name| refers(name)) {
        let to = covered(reference.target);
        if owner.as_ref().is_none_or(|(_, most)| to.len() > most.len()) {
            owner = Some((reference, to));
        }
    }
    let mut name = capital(&all);
    let owner = owner.and_then(|(reference, to)| {
        let target = design.entities.get(&reference.target)?;
        // `creator` is one of several users of an issue; `userId` and `username` are the user.
        let own = generate::name_meanings::words(&reference.attribute);
        let is_role = to.len() == 1
            && reference.attribute != reference.target_attribute
            && !generate::name_meanings::words(&target.name)
                .iter()
                .any(|word| own.contains(word));
        (!is_role).then(|| (with_article(&lower(&target.name)), to))
    });
    if let Some((owner, to)) = owner {
        name += " of ";
        name += &owner;
        attributes.retain(|name| !to.contains(name));
    }
    let rest: Vec<String> = attributes.iter().map(|name| said(name)).collect();
    match rest.as_slice() {
        [] => {}
        [one] => name += &format!(" by {one}"),
        [first @ .., last] => name += &format!(" by {} and {last}", first.join(", ")),
    }
    name + &with
}

/// Whether a condition is that an attribute is true: `featured products`.
fn is_flag(condition: &&Condition) -> bool {
    condition.test == Test::Equals(Value::Bool(true))
}

/// `featured` for `isFeatured`.
fn flag_name(attribute: &str) -> String {
    let said = said(attribute);
    said.strip_prefix("is ").map_or(said.clone(), str::to_owned)
}

/// `with status PENDING`, `without due date`.
fn condition(condition: &Condition) -> String {
    let name = said(&condition.attribute);
    let any_of = |values: &[Value]| {
        let values: Vec<_> = values.iter().map(Value::to_text).collect();
        values.join(" or ")
    };
    match &condition.test {
        Test::Equals(value) => format!("with {name} {}", short(&value.to_text())),
        Test::NotEquals(value) => format!("with {name} other than {}", short(&value.to_text())),
        Test::OneOf(values) => format!("with {name} {}", short(&any_of(values))),
        Test::Exists => format!("with {name}"),
        Test::Missing => format!("without {name}"),
    }
}

/// Whether the entity's primary key contains the attribute.
fn has_in_key(entity: &Entity, name: &str) -> bool {
    let entry = entity.keys.get(&IndexId::PRIMARY).into_iter();
    let mut texts = entry.flat_map(|entry| entry.partition.iter().chain(&entry.sort));
    texts.any(|text| template::parse(text).template.uses(name))
}

/// A name inside a sentence: `pull request`, but `API key`.
fn lower(name: &str) -> String {
    let word = |word: &String| match word.chars().count() > 1 && *word == word.to_uppercase() {
        true => word.clone(),
        false => word.to_lowercase(),
    };
    words(name).iter().map(word).collect::<Vec<_>>().join(" ")
}

/// An attribute inside a sentence: `user` for `userId`, `fork owner` for `forkOwner`.
fn said(name: &str) -> String {
    let mut words = generate::name_meanings::words(name);
    if words.len() > 1 && words.last().is_some_and(|last| last == "id") {
        words.pop();
    }
    words.join(" ")
}

fn with_article(noun: &str) -> String {
    let lower = noun.to_lowercase();
    let vowel =
        lower.starts_with(VOWELS) && !AS_CONSONANTS.iter().any(|start| lower.starts_with(start));
    format!("{} {noun}", if vowel { "an" } else { "a" })
}

/// Nouns whose plural is the same word, or that have none.
const UNCHANGED: [&str; 10] = [
    "news",
    "data",
    "media",
    "series",
    "species",
    "aircraft",
    "equipment",
    "information",
    "feedback",
    "staff",
];

fn plural(noun: &str) -> String {
    let before_y = noun
        .strip_suffix('y')
        .and_then(|stem| stem.chars().next_back());
    match noun {
        _ if UNCHANGED.iter().any(|end| noun.ends_with(end)) => noun.to_owned(),
        _ if noun.ends_with("person") => format!("{}people", &noun[..noun.len() - 6]),
        _ if noun.ends_with("child") => format!("{noun}ren"),
        _ if before_y.is_some_and(|c| c.is_alphabetic() && !VOWELS.contains(&c)) => {
            format!("{}ies", &noun[..noun.len() - 1])
        }
        _ if ["s", "x", "z", "ch", "sh"]
            .iter()
            .any(|end| noun.ends_with(end)) =>
        {
            format!("{noun}es")
        }
        _ => format!("{noun}s"),
    }
}
