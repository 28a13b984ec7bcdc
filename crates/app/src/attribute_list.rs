//! Attributes from a pasted text, and the type that an attribute's name suggests.

use super::{Command, Refused};
use keyfold_core::engine::generate::name_meanings::{among, words};
use keyfold_core::model::{Attribute, AttributeId, AttributeType, Design, EntityId};

/// Words for types besides DynamoDB's own, as they stand in other schemas.
const TYPES: &[(&str, AttributeType)] = &[
    (
        "string str text varchar char uuid ulid date datetime timestamp email enum",
        AttributeType::S,
    ),
    (
        "number num int integer long bigint smallint float double decimal numeric",
        AttributeType::N,
    ),
    ("boolean", AttributeType::Bool),
    ("binary bytes bytea blob buffer", AttributeType::B),
    ("list array", AttributeType::L),
    ("map object json jsonb record", AttributeType::M),
];

/// Last words of names of numbers.
const NUMBERS: &str = "count counter total subtotal amount price cost balance fee salary tax revenue discount budget sum \
    quantity qty number num age rating score percent percentage progress seats stock inventory size bytes duration \
    seconds minutes width height weight rank position index attempts retries points ttl epoch views likes followers \
    following stars forks version revision latitude longitude";
/// Words before `number` with which it is a text.
const TEXT_NUMBERS: &str = "phone account serial card tracking passport license iban flight house";
/// First words of names of truth values, and last words.
const QUESTIONS: &str = "is has can should was";
const STATES: &str =
    "enabled disabled active deleted archived verified published featured hidden locked";

/// Returns the type that a name suggests: N for `starCount`, BOOL for `isPublic`, else S.
pub fn type_from_name(name: &str) -> AttributeType {
    let words = words(name);
    let is_among = |list: &str, word: Option<&String>| word.is_some_and(|word| among(list, word));
    let (first, last) = (words.first(), words.last());
    let before = words.len().checked_sub(2).and_then(|at| words.get(at));
    let is_text = last.is_some_and(|last| last == "number") && is_among(TEXT_NUMBERS, before);
    match () {
        () if words.len() > 1 && is_among(QUESTIONS, first) => AttributeType::Bool,
        () if is_among(STATES, last) => AttributeType::Bool,
        () if is_among(NUMBERS, last) && !is_text => AttributeType::N,
        () => AttributeType::S,
    }
}

/// The type that a word names, in any case: `S`, `String`, `varchar(20)`.
fn type_from_word(word: &str) -> Option<AttributeType> {
    let word = word.split('(').next().unwrap_or(word);
    let own = AttributeType::from_word(&word.to_uppercase());
    own.or_else(|| {
        let lower = word.to_lowercase();
        let found = TYPES
            .iter()
            .find(|(words, _)| words.split(' ').any(|w| w == lower));
        found.map(|(_, kind)| *kind)
    })
}

/// Reads a list of attributes: one per line or separated by commas, as `name`, `name type` or `name: type`; or names
/// separated by spaces. A missing type follows from the name. Repeated names count once.
pub fn parse(text: &str) -> Vec<(String, AttributeType)> {
    let mut found: Vec<(String, AttributeType)> = Vec::new();
    let mut add = |name: &str, kind: Option<AttributeType>| {
        let name = name.trim_matches(|c: char| "\"'`*-•;?".contains(c));
        if !name.is_empty() && found.iter().all(|(other, _)| other != name) {
            found.push((
                name.to_owned(),
                kind.unwrap_or_else(|| type_from_name(name)),
            ));
        }
    };
    for piece in text.split(['\n', '\r', ',']) {
        let piece = piece.replace([':', '\t'], " ");
        let words: Vec<&str> = piece
            .split_whitespace()
            .filter(|word| *word != "-" && *word != "*")
            .collect();
        match words.as_slice() {
            [name, kind, ..] if type_from_word(kind).is_some() => add(name, type_from_word(kind)),
            names => names.iter().for_each(|name| add(name, None)),
        }
    }
    found
}

/// Returns the command that adds pasted attributes to an entity as one step; those that it has already are left out.
/// `renamed` gets the first one's name and type instead: an attribute that has no name of its own yet.
///
/// # Errors
/// No attribute of the list is new.
pub fn add(
    design: &Design,
    id: EntityId,
    renamed: Option<AttributeId>,
    list: &[(String, AttributeType)],
) -> Result<Command, Refused> {
    let entity =
        (design.entities.get(&id)).ok_or_else(|| Refused("this entity no longer exists".into()))?;
    let mut renamed = (entity.attributes.iter())
        .find(|a| Some(a.id) == renamed)
        .cloned();
    let new = list
        .iter()
        .filter(|(name, _)| entity.attribute(name).is_none());
    let commands: Vec<Command> = new
        .map(|(name, kind)| match renamed.take() {
            Some(mut attribute) => {
                (attribute.name, attribute.kind) = (name.clone(), *kind);
                Command::UpdateAttribute {
                    entity: id,
                    attribute: Box::new(attribute),
                    field: "name",
                }
            }
            None => Command::AddAttribute(id, Attribute::new(AttributeId(0), name.clone(), *kind)),
        })
        .collect();
    match commands.is_empty() {
        true => Err(Refused(format!("{} has all these attributes", entity.name))),
        false => Ok(Command::Together {
            label: "add attributes",
            commands,
        }),
    }
}
