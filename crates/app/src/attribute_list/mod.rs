//! Attributes from a pasted text, and the type that an attribute's name suggests.

mod declarations;

use super::sample_format::FormatKind;
use super::{Command, Refused};
use keyfold_core::engine::generate::name_meanings::{among, words};
use keyfold_core::model::{
    Attribute, AttributeId, AttributeType, Choice, Design, EntityId, Format, Value,
};

/// Words for types besides DynamoDB's own, as they stand in other schemas.
const TYPES: &[(&str, AttributeType)] = &[
    ("string str text varchar char enum", AttributeType::S),
    (
        "number num int integer long bigint smallint float double decimal numeric epoch unix \
         i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 serial bigserial",
        AttributeType::N,
    ),
    ("boolean", AttributeType::Bool),
    (
        "binary bytes bytea blob buffer uint8array",
        AttributeType::B,
    ),
    ("set hashset btreeset", AttributeType::Ss),
    ("list array vec", AttributeType::L),
    (
        "map object json jsonb record hashmap btreemap",
        AttributeType::M,
    ),
];

/// Words for formats, which are those of texts.
const FORMATS: &[(&str, FormatKind)] = &[
    ("ulid", FormatKind::Ulid),
    ("ksuid", FormatKind::Ksuid),
    ("uuid", FormatKind::Uuid),
    ("email", FormatKind::Email),
    ("person-name", FormatKind::PersonName),
    ("company", FormatKind::Company),
    ("word", FormatKind::Word),
    ("sentence", FormatKind::Sentence),
    ("date", FormatKind::Date),
    ("datetime timestamp timestamptz", FormatKind::Timestamp),
];

/// An attribute of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: AttributeType,
    /// Its format, if the list names one.
    pub format: Option<ListedFormat>,
}

/// The format of an attribute of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum ListedFormat {
    /// Of a kind, with its default parameters.
    OfKind(FormatKind),
    /// One of these values.
    OneOf(Vec<Choice>),
}

impl Listed {
    /// The attribute that it adds to an entity.
    pub(crate) fn attribute(&self, design: &Design, owner: EntityId) -> Attribute {
        let mut attribute = Attribute::new(AttributeId(0), self.name.clone(), self.kind);
        attribute.format = match &self.format {
            None => None,
            Some(ListedFormat::OneOf(choices)) => Some(Format::OneOf(choices.clone())),
            Some(ListedFormat::OfKind(kind)) => {
                Some(kind.default_format(design, owner, &attribute))
            }
        };
        attribute
    }
}

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

/// Types that hold one value of another type, or none.
const WRAPPERS: [&str; 4] = ["option", "optional", "nullable", "arc"];

/// The type that a word names, in any case: `S`, `String`, `varchar(20)`, `Option<f64>`, `string[]`, `Int!`; and its format:
/// `ulid`.
fn type_from_word(word: &str) -> Option<(AttributeType, Option<ListedFormat>)> {
    let word = word.trim_matches(['"', '\'', '!', '?']);
    let word = match word.contains('(') {
        true => word,
        false => word.trim_end_matches(')'),
    };
    if word.ends_with(']') {
        return Some((AttributeType::L, None));
    }
    if let Some((outer, inner)) = word.strip_suffix('>').and_then(|word| word.split_once('<')) {
        let (outer, inner) = (outer.to_lowercase(), type_from_word(inner));
        let found = type_from_word(&outer);
        return match (&found, inner) {
            (_, inner) if WRAPPERS.contains(&outer.as_str()) => inner,
            (Some((AttributeType::Ss, _)), Some((AttributeType::N, _))) => {
                Some((AttributeType::Ns, None))
            }
            _ => found,
        };
    }
    let word = word.split('(').next().unwrap_or(word);
    if let Some(own) = AttributeType::from_word(&word.to_uppercase()) {
        return Some((own, None));
    }
    let lower = word.to_lowercase();
    let is_among = |words: &str| words.split(' ').any(|word| word == lower);
    if let Some((_, format)) = FORMATS.iter().find(|(words, _)| is_among(words)) {
        return Some((AttributeType::S, Some(ListedFormat::OfKind(*format))));
    }
    let found = TYPES.iter().find(|(words, _)| is_among(words));
    found.map(|(_, kind)| (*kind, None))
}

/// The type that the words after a name say: `string`, `string set`, `number (optional)`.
fn type_from_words(words: &[&str]) -> Option<(AttributeType, Option<ListedFormat>)> {
    let [first, others @ ..] = words else {
        return None;
    };
    let found = type_from_word(first)?;
    let is_set = others
        .first()
        .is_some_and(|next| next.eq_ignore_ascii_case("set"));
    Some(match found.0 {
        AttributeType::S if is_set => (AttributeType::Ss, None),
        AttributeType::N if is_set => (AttributeType::Ns, None),
        AttributeType::B if is_set => (AttributeType::Bs, None),
        _ => found,
    })
}

/// The alternatives in `PENDING | PAID | null`, without the empty ones.
fn alternatives(text: &str) -> impl Iterator<Item = &str> {
    let all = text.split('|').map(str::trim);
    all.filter(|value| !["", "null", "undefined"].contains(value))
}

/// The type in `string | null`, or the first one in `string | number`.
fn union(text: &str) -> Option<(AttributeType, Option<ListedFormat>)> {
    type_from_word(alternatives(text).next()?)
}

/// The values in `PENDING*3 | PAID`, numbers or truth values if all of them are; `None` if there is only one, or if they are
/// types.
fn choices(text: &str) -> Option<(AttributeType, Option<ListedFormat>)> {
    // `S | M | L` are sizes.
    let is_type = |value: &str| {
        !value.contains(['"', '\'']) && value.len() > 2 && type_from_word(value).is_some()
    };
    if alternatives(text).all(is_type) {
        return None;
    }
    let mut values: Vec<(&str, u32)> = Vec::new();
    for value in alternatives(text) {
        let weighted = value.rsplit_once('*');
        let weighted = weighted.and_then(|(value, weight)| Some((value, weight.parse().ok()?)));
        let (value, weight) = weighted.unwrap_or((value, 1));
        let value = value.trim_matches(['"', '\'']);
        if value.is_empty() || weight == 0 {
            return None;
        }
        values.push((value, weight));
    }
    let all_are = |kind| {
        let mut values = values.iter();
        values.all(|(value, _)| Value::from_text(kind, value).is_ok())
    };
    let kind = match () {
        () if all_are(AttributeType::N) => AttributeType::N,
        () if all_are(AttributeType::Bool) => AttributeType::Bool,
        () => AttributeType::S,
    };
    // `owner | string` in a table is a name and its type.
    if values.len() < 2 {
        return None;
    }
    let choice = |(value, weight)| {
        let value = Value::from_text(kind, value).ok()?;
        Some(Choice { value, weight })
    };
    let choices: Option<Vec<Choice>> = values.into_iter().map(choice).collect();
    Some((kind, Some(ListedFormat::OneOf(choices?))))
}

/// Reads a list of attributes: one per line or separated by commas, as `name`, `name type`, `name: type`,
/// `name string set`, `name format` or `name VALUE | VALUE`; names separated by spaces; or the members of a type of
/// TypeScript, Rust or GraphQL, or the columns of a table of SQL. A missing type follows from the name. Repeated names
/// count once.
pub fn parse(text: &str) -> Vec<Listed> {
    let mut found: Vec<Listed> = Vec::new();
    let mut add = |name: &str, kind: Option<(AttributeType, Option<ListedFormat>)>| {
        let name = name.trim_matches(|c: char| "\"'`*-•,;?!()[]".contains(c));
        if !name.is_empty() && found.iter().all(|other| other.name != name) {
            let (kind, format) = kind.unwrap_or_else(|| (type_from_name(name), None));
            let name = name.to_owned();
            found.push(Listed { name, kind, format });
        }
    };
    for line in declarations::declarations(text) {
        let piece = line.replace([':', '\t'], " ");
        let words: Vec<&str> = piece
            .split_whitespace()
            .filter(|word| !["-", "*", "|"].contains(word))
            .collect();
        let values = || {
            let line = line.trim_matches(|c: char| c.is_whitespace() || "-*•|".contains(c));
            let (name, values) = line.split_once([' ', ':', '\t'])?;
            // Within angle brackets it is part of a type.
            let is_union = values.contains('|') && !values.contains('<');
            let of = is_union.then(|| choices(values).or_else(|| union(values)))??;
            Some((name, of))
        };
        if let Some((name, of)) = values() {
            add(name, Some(of));
            continue;
        }
        // After a colon is a type, known or not.
        let has_type = line.trim().find(':').is_some_and(|at| at > 0);
        match words.as_slice() {
            [name, kind @ ..] if has_type || type_from_words(kind).is_some() => {
                add(name, type_from_words(kind));
            }
            names => names.iter().for_each(|name| add(name, None)),
        }
    }
    found
}

/// Returns the command that adds pasted attributes to an entity as one step; those that it has already are left out.
/// `renamed` gets the first one's name, type and format instead: an attribute that has no name of its own yet.
///
/// # Errors
/// No attribute of the list is new.
pub fn add(
    design: &Design,
    id: EntityId,
    renamed: Option<AttributeId>,
    list: &[Listed],
) -> Result<Command, Refused> {
    let entity =
        (design.entities.get(&id)).ok_or_else(|| Refused("this entity no longer exists".into()))?;
    let mut renamed = (entity.attributes.iter())
        .find(|a| Some(a.id) == renamed)
        .cloned();
    let new = list
        .iter()
        .filter(|listed| entity.attribute(&listed.name).is_none());
    let commands: Vec<Command> = new
        .map(|listed| match renamed.take() {
            Some(mut attribute) => {
                let new = listed.attribute(design, id);
                (attribute.name, attribute.kind) = (new.name, new.kind);
                attribute.format = new.format;
                Command::UpdateAttribute {
                    entity: id,
                    attribute: Box::new(attribute),
                    field: "name",
                }
            }
            None => Command::AddAttribute(id, listed.attribute(design, id)),
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
