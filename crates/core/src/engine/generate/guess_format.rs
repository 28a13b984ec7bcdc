//! Guesses the format of an attribute from its name, its type, the templates that use it and the values it already has.
//! A guess always fits the type.

use super::calendar;
use super::name_meanings::{IDS, among, is_time, words};
use super::references::References;
use super::uses::{Owner, Uses};
use super::value::{FIRST, LAST};
use crate::model::{
    Attribute, AttributeType, Choice, Design, Entity, EntityId, Format, Test, Value,
};
use crate::template::Modifier;

/// Attribute names and the values of their enumerations, most frequent first. Lowercase; compared with the last word of
/// a name.
const ENUMERATIONS: &[(&str, &str)] = &[
    ("status state", "active|pending|closed"),
    ("role", "member|viewer|admin"),
    ("plan tier", "free|pro|enterprise"),
    ("type kind category", "standard|premium|basic"),
    ("priority severity level", "medium|low|high"),
    ("currency", "EUR|USD|GBP"),
    ("country", "DE|US|FR|IN|BR|JP|NG"),
    (
        "city",
        "Berlin|Chicago|Lyon|Mumbai|Recife|Osaka|Lagos|Porto",
    ),
    ("region", "eu-central-1|us-east-1|ap-south-1"),
    ("language locale lang", "en|de|fr|es"),
    ("timezone tz", "UTC|Europe/Berlin|America/Chicago"),
    ("color colour", "black|white|blue|green|red"),
    ("size", "M|S|L|XL"),
    ("unit", "piece|kg|m"),
    ("channel source", "web|mobile|store"),
    ("method", "card|invoice|transfer"),
    ("carrier", "DHL|UPS|FedEx"),
    ("gender", "female|male|other"),
    (
        "street address",
        "12 Station Road|4 Mill Lane|27 Park Avenue|8 High Street",
    ),
    ("zip postcode", "10115|60601|69001|50030"),
    ("version", "v1|v2|v3"),
    ("month", "2026-01|2026-02|2026-03|2026-04|2026-05|2026-06"),
    ("year", "2026|2025|2024"),
];

/// Names of whole numbers, with minimum and maximum.
const INTEGERS: &[(&str, i64, i64)] = &[
    ("quantity qty items", 1, 10),
    ("age", 18, 80),
    ("rating stars", 1, 5),
    ("score percent percentage progress", 0, 100),
    ("seats members users", 1, 50),
    ("stock inventory capacity size", 0, 500),
    ("year", 2020, 2026),
    ("month", 1, 12),
    ("day", 1, 28),
    ("version revision", 1, 5),
    ("line position index step rank no", 1, 20),
    ("priority level", 1, 3),
    ("bytes", 1_000, 5_000_000),
    ("duration seconds minutes", 1, 3_600),
];

/// Names of decimal numbers.
const DECIMALS: &str = "price amount total subtotal cost balance fee salary tax revenue discount budget sum value \
    spent rate weight";

/// Names that stand for a person, and for a company.
const PERSONS: &str = "user member employee person people customer author contact patient student teacher agent player \
    driver guest account profile owner client subscriber friend";
const COMPANIES: &str = "company tenant organization organisation org supplier vendor merchant business brand employer \
    partner store shop workspace team publisher";

/// Guesses formats in a design, whose names and templates it reads once.
pub struct Guesser<'a>(References<'a>);

impl<'a> Guesser<'a> {
    /// Guesses for the attributes of this design.
    pub fn new(design: &'a Design) -> Guesser<'a> {
        Guesser(References::new(design))
    }

    /// The guessed format of an attribute without one; `None` if no format fits its type. Entity and attribute are in the
    /// design, or about to be added.
    pub fn format(&self, owner: EntityId, attribute: &Attribute) -> Option<Format> {
        let Some(owner) = self.0.owner(owner) else {
            return guess_from_name(attribute.kind, &words(&attribute.name), "", false);
        };
        guess_used(&self.0, owner, attribute, &owner.uses(&attribute.name))
    }
}

/// Like [`Guesser::format`], for one attribute.
pub fn guess(design: &Design, owner: EntityId, attribute: &Attribute) -> Option<Format> {
    Guesser::new(design).format(owner, attribute)
}

/// Like [`guess`], when the templates' use of the attribute is known.
pub(super) fn guess_used(
    references: &References,
    owner: &Owner,
    attribute: &Attribute,
    uses: &Uses,
) -> Option<Format> {
    let reference = references.guess(owner, attribute);
    reference.or_else(|| guess_value(references.design, owner, attribute, uses))
}

/// Like [`guess`], but not a reference.
pub(super) fn guess_own(design: &Design, owner: EntityId, attribute: &Attribute) -> Option<Format> {
    let entity = design.entities.get(&owner)?;
    let owner = Owner::new(design, owner, entity);
    guess_value(design, &owner, attribute, &owner.uses(&attribute.name))
}

fn guess_value(
    design: &Design,
    owner: &Owner,
    attribute: &Attribute,
    uses: &Uses,
) -> Option<Format> {
    let entity = owner.entity;
    let (kind, name) = (attribute.kind, &attribute.name);
    match kind {
        AttributeType::Bool => return Some(one_of([true, false].map(Value::Bool).into(), false)),
        AttributeType::Null => return Some(Format::Constant(Value::Null)),
        AttributeType::S | AttributeType::N => {}
        _ => return None,
    }
    let known: Vec<&Value> = (design.samples_of(owner.id).iter())
        .filter_map(|sample| sample.values.get(name))
        .filter(|value| value.kind() == kind)
        .take(KNOWN)
        .collect();
    let is_own = owner.is_own(name);
    if let Some(format) = sequence_of(&known).filter(|_| is_own || known.len() > 1) {
        return Some(format);
    }
    if let Some(format) = id_of(&known) {
        return Some(format);
    }
    let parts = words(name);
    let last = parts.last().map_or("", String::as_str);
    let time = is_time(name) || uses.modifiers.iter().any(of_dates);
    if !time && !is_own {
        let tested = conditions(entity, name);
        if !tested.is_empty() {
            return Some(with_conditions(kind, last, tested));
        }
        if let Some(format) = few(&known) {
            return Some(format);
        }
    }
    if let Some(format) = padded(kind, last, &uses.modifiers) {
        return Some(format);
    }
    if kind == AttributeType::N && design.table.ttl_attribute.as_ref() == Some(name) {
        return Some(epoch(2027));
    }
    if kind == AttributeType::S && uses.modifiers.iter().any(of_dates) {
        return Some(timestamps());
    }
    let about = words(&entity.name);
    let about = about.last().map_or("", String::as_str);
    guess_from_name(kind, &parts, about, is_own)
        .map(|format| without(format, &design.delimiter.delimiter))
}

/// Maximum number of existing values to look at.
const KNOWN: usize = 200;

fn of_dates(modifier: &Modifier) -> bool {
    matches!(modifier, Modifier::Date | Modifier::Month | Modifier::Year)
}

/// Minimum and maximum of whole numbers with this name.
fn range(last: &str) -> Option<(i64, i64)> {
    let range = INTEGERS.iter().find(|(names, ..)| among(names, last));
    range.map(|(_, min, max)| (*min, *max))
}

/// Guesses from the name alone: its words, and the last word of the entity's name. `is_own`: whether the attribute
/// identifies its row.
fn guess_from_name(
    kind: AttributeType,
    words: &[String],
    about: &str,
    is_own: bool,
) -> Option<Format> {
    let last = words.last().map_or("", String::as_str);
    let first = words.first().map_or("", String::as_str);
    let is_id = among(IDS, last);
    match kind {
        AttributeType::S => {}
        AttributeType::N if among("ttl expires expiry expiration", last) || first == "expires" => {
            return Some(epoch(2027));
        }
        AttributeType::N if is_own || is_id => return Some(sequence("", 1)),
        AttributeType::N if among("at timestamp time date", last) => return Some(epoch(2026)),
        AttributeType::N if among(DECIMALS, last) => {
            return Some(decimal("1", "500", 2));
        }
        AttributeType::N => {
            let (min, max) = range(last).unwrap_or((1, 100));
            return Some(Format::Integer { min, max });
        }
        _ => return None,
    }
    let joined = words.concat();
    Some(match last {
        "ulid" => Format::Ulid,
        "ksuid" => Format::Ksuid,
        "uuid" | "guid" => Format::Uuid,
        "email" | "mail" => Format::Email,
        "birthday" | "birthdate" | "dob" | "date" if last != "date" || first == "birth" => {
            Format::Date {
                from: "1960-01-01".into(),
                to: "2005-12-31".into(),
            }
        }
        "date" | "day" | "on" if words.len() > 1 || last != "on" => dates(),
        "in" | "out" if first == "check" => dates(),
        "arrival" | "departure" => dates(),
        "at" | "time" | "timestamp" | "created" | "updated" | "modified"
            if !is_own || last != "at" =>
        {
            timestamps()
        }
        "phone" | "mobile" | "tel" => sequence("+1 555 0", 100),
        "url" | "link" | "website" | "image" | "avatar" => sequence("https://example.com/", 1),
        // An id that is not the own id of any entity: a few values that repeat.
        "id" if !is_own && words.len() > 1 => {
            let stem = words[..words.len() - 1].concat();
            let values = (1..=5).map(|n| Value::S(format!("{stem}-{n:03}")));
            one_of(values.collect(), false)
        }
        _ if is_own || is_id => {
            let stem = match words {
                [_] if last == "id" => about,
                [stem @ .., _] if last == "id" => &stem.concat(),
                _ => &joined,
            };
            let stem = if stem.is_empty() { "id" } else { stem };
            sequence_digits(format!("{stem}-"), 1, 3)
        }
        "company" | "organization" | "organisation" | "employer" | "vendor" | "brand" => {
            Format::Company
        }
        "author" | "owner" | "assignee" | "contact" | "person" => Format::PersonName,
        "name" => {
            // Whose name it is: the customer's for `customerName`, otherwise the entity's.
            let whose = match words {
                [.., whose, _] => whose,
                _ => about,
            };
            match whose {
                "first" => a_few_of(FIRST),
                "last" | "family" => a_few_of(LAST),
                "full" | "display" => Format::PersonName,
                _ if among(PERSONS, whose) => Format::PersonName,
                _ if among(COMPANIES, whose) => Format::Company,
                _ => Format::Word,
            }
        }
        "title" | "subject" | "headline" | "description" | "notes" | "note" | "comment"
        | "body" | "message" | "bio" | "text" | "summary" | "content" | "reason" => {
            Format::Sentence
        }
        _ => match ENUMERATIONS.iter().find(|(names, _)| among(names, last)) {
            Some((_, values)) => one_of(values.split('|').map(Value::from).collect(), true),
            None => Format::Word,
        },
    })
}

/// One of ten names from a list.
fn a_few_of(list: &str) -> Format {
    one_of(list.split('|').step_by(4).map(Value::from).collect(), false)
}

fn dates() -> Format {
    Format::Date {
        from: "2026-01-01".into(),
        to: "2026-12-31".into(),
    }
}

fn timestamps() -> Format {
    Format::Timestamp {
        from: "2026-01-01T00:00:00Z".into(),
        to: "2026-12-31T23:59:59Z".into(),
    }
}

/// Seconds since 1970 within the year.
fn epoch(year: i64) -> Format {
    let start = |year: i64| calendar::seconds(&format!("{year}-01-01")).unwrap_or(0);
    Format::Integer {
        min: start(year),
        max: start(year + 1) - 1,
    }
}

fn decimal(min: &str, max: &str, places: u8) -> Format {
    Format::Decimal {
        min: min.into(),
        max: max.into(),
        places,
    }
}

fn sequence(prefix: &str, start: u64) -> Format {
    sequence_digits(prefix.to_owned(), start, 1)
}

fn sequence_digits(prefix: String, start: u64, digits: u8) -> Format {
    Format::Sequence {
        prefix,
        start,
        digits,
    }
}

/// One of the values; if they are `ranked`, the first ones more often.
fn one_of(values: Vec<Value>, ranked: bool) -> Format {
    let count = values.len() as u32;
    let choice = |(value, at)| Choice {
        value,
        weight: if ranked { count - at } else { 1 },
    };
    Format::OneOf(values.into_iter().zip(0..).map(choice).collect())
}

/// The format without texts that contain the delimiter, because keys must not contain it.
fn without(format: Format, delimiter: &str) -> Format {
    if delimiter.is_empty() {
        return format;
    }
    let free = |text: String| text.replace(delimiter, "");
    match format {
        Format::Sequence {
            prefix,
            start,
            digits,
        } => sequence_digits(free(prefix), start, digits),
        Format::OneOf(mut choices) => {
            for choice in &mut choices {
                if let Value::S(text) = &mut choice.value {
                    *text = free(std::mem::take(text));
                }
            }
            Format::OneOf(choices)
        }
        other => other,
    }
}

/// Numbers with as many digits as the template's `pad` and `desc` accept.
fn padded(kind: AttributeType, last: &str, modifiers: &[Modifier]) -> Option<Format> {
    let power = |digits: u8| 10_i64.pow(u32::from(digits.min(6)));
    let mut found = None;
    for modifier in modifiers {
        found = Some(match (kind, modifier) {
            (
                AttributeType::S,
                Modifier::Pad(_) | Modifier::Desc(_) | Modifier::PadDecimal { .. },
            ) => sequence("", 1),
            (_, Modifier::Pad(digits) | Modifier::Desc(digits)) => {
                let (min, max) = range(last).unwrap_or((0, i64::MAX));
                let max = max.min(power(*digits) - 1);
                Format::Integer {
                    min: min.min(max),
                    max,
                }
            }
            (_, Modifier::PadDecimal { digits, decimals }) => {
                decimal("0", &(power(*digits) - 1).to_string(), (*decimals).min(2))
            }
            _ => continue,
        });
    }
    found
}

/// The values in the conditions of the entity's index entries.
fn conditions(entity: &Entity, name: &str) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for condition in entity.keys.values().flat_map(|entry| &entry.when) {
        let named: &[Value] = match &condition.test {
            Test::Equals(value) | Test::NotEquals(value) => std::slice::from_ref(value),
            Test::OneOf(values) => values,
            Test::Exists | Test::Missing => &[],
        };
        if condition.attribute == name {
            for value in named {
                if !values.contains(value) {
                    values.push(value.clone());
                }
            }
        }
    }
    values
}

/// The values of conditions, and others, so that some rows are in the index and some are not.
fn with_conditions(kind: AttributeType, last: &str, tested: Vec<Value>) -> Format {
    let mut values: Vec<Value> = tested.into_iter().filter(|v| v.kind() == kind).collect();
    let others = ENUMERATIONS.iter().find(|(names, _)| among(names, last));
    let others = others.map_or("other", |(_, others)| others);
    let upper =
        (values.iter()).any(|v| matches!(v, Value::S(text) if *text == text.to_uppercase()));
    for (other, number) in others.split('|').zip(1..) {
        let other = match kind {
            AttributeType::N => Value::N(number.into()),
            _ if upper => Value::S(other.to_uppercase()),
            _ => Value::S(other.to_owned()),
        };
        if !values.contains(&other) {
            values.push(other);
        }
    }
    one_of(values, false)
}

/// An enumeration of a few repeated values, weighted by frequency.
fn few(known: &[&Value]) -> Option<Format> {
    let mut choices: Vec<Choice> = Vec::new();
    for value in known {
        match choices.iter().position(|choice| choice.value == **value) {
            Some(at) => choices[at].weight += 1,
            None if choices.len() == 8 => return None,
            None => choices.push(Choice {
                value: (*value).clone(),
                weight: 1,
            }),
        }
    }
    (known.len() >= 4 && choices.len() * 2 <= known.len()).then_some(Format::OneOf(choices))
}

/// The sequence that the values form, after a common prefix.
fn sequence_of(known: &[&Value]) -> Option<Format> {
    let mut common: Option<(&str, u64, usize)> = None;
    let mut numbers: Vec<u64> = Vec::new();
    for value in known {
        let Value::S(text) = value else { return None };
        let (prefix, number, digits) = numbered(text)?;
        if numbers.contains(&number) || common.is_some_and(|(other, ..)| other != prefix) {
            return None;
        }
        numbers.push(number);
        common = match common {
            None => Some((prefix, number, digits)),
            Some((prefix, least, fewest)) => Some((prefix, least.min(number), fewest.min(digits))),
        };
    }
    let (prefix, start, digits) = common?;
    Some(sequence_digits(prefix.to_owned(), start, digits as u8))
}

/// The prefix, the number after it and its digit count: `u_01` gives `u_`, 1, 2. `None` for a date, and for a text as
/// long as a random id.
pub(super) fn numbered(text: &str) -> Option<(&str, u64, usize)> {
    let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &text[prefix.len()..];
    let of_date = prefix.ends_with(['-', ':']) && prefix.starts_with(|c: char| c.is_ascii_digit());
    if digits.is_empty() || digits.len() > 12 || text.len() > 24 || of_date {
        return None;
    }
    Some((prefix, digits.parse().ok()?, digits.len()))
}

/// The random id format that all values have.
fn id_of(known: &[&Value]) -> Option<Format> {
    let all = |fits: &dyn Fn(&str) -> bool| {
        !known.is_empty()
            && known
                .iter()
                .all(|v| matches!(v, Value::S(text) if fits(text)))
    };
    let upper = |b: u8| b.is_ascii_digit() || b.is_ascii_uppercase();
    if all(&|text| text.len() == 26 && text.bytes().all(upper)) {
        Some(Format::Ulid)
    } else if all(&|text| text.len() == 27 && text.bytes().all(|b| b.is_ascii_alphanumeric())) {
        Some(Format::Ksuid)
    } else if all(&|text| text.len() == 36 && text.split('-').map(str::len).eq([8, 4, 4, 4, 12])) {
        Some(Format::Uuid)
    } else if all(&|text| text.contains('@')) {
        Some(Format::Email)
    } else {
        None
    }
}
