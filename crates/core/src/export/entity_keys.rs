//! What libraries for JavaScript have to know of an entity's keys: which template, or which attribute of the item,
//! makes each key attribute, and what a placeholder does with its value, as a function.

use super::tree::Node;
use super::typescript::quoted;
use super::typescript::{self, Checked, CheckedPart, is_identifier, without};
use super::writer::CodeWriter;
use crate::engine::key_sources::{
    KeySource, copies_own_attribute, has_template, indexes_of, source_in,
};
use crate::model::{
    Attribute, AttributeType, Condition, DelimiterPolicy, Design, Entity, IndexId, KeyAttribute,
    KeyPart, KeyType, OnDelimiter, Test, Value,
};
use crate::template::{Modifier, Placeholder, Segment, Template, parse};

/// An index that an entity is in.
pub struct EntityKey<'d> {
    /// The index.
    pub index: IndexId,
    /// Its key attributes, partition first.
    pub fields: Vec<KeyField<'d>>,
    /// What must hold of an item, besides conditions on the type attribute, which always hold.
    pub when: Vec<&'d Condition>,
    /// Why no item is in the index, whatever its values.
    pub empty: Option<&'static str>,
}

impl<'d> EntityKey<'d> {
    /// The key attributes of one side.
    pub fn part(&self, part: KeyPart) -> impl Iterator<Item = &KeyField<'d>> {
        self.fields.iter().filter(move |field| field.part == part)
    }

    /// The attributes in its templates that an item may lack: without one of them it has none of the key.
    pub fn optional<'e>(&self, entity: &'e Entity) -> Vec<&'e Attribute> {
        let mut optional = Vec::new();
        for attribute in entity.attributes.iter().filter(|a| !a.required) {
            let stands_in = |source: &Source| match source {
                Source::Template(template) => template.uses(&attribute.name),
                _ => false,
            };
            if self.fields.iter().any(|field| stands_in(&field.source)) {
                optional.push(attribute);
            }
        }
        optional
    }
}

/// A key attribute.
pub struct KeyField<'d> {
    /// Its name and type.
    pub attribute: &'d KeyAttribute,
    /// Which side it is on.
    pub part: KeyPart,
    /// What makes its value.
    pub source: Source,
}

/// What makes the value of a key attribute.
pub enum Source {
    /// A template without errors.
    Template(Template),
    /// The item's own attribute of that name.
    Own,
    /// It cannot be made: why.
    None(&'static str),
}

/// The indexes that the entity is in, the primary key first.
pub fn entity_keys<'d>(design: &'d Design, entity: &'d Entity) -> Vec<EntityKey<'d>> {
    let mut keys = Vec::new();
    for (index, entry) in indexes_of(design, entity) {
        let Some(key) = design.key(index) else {
            continue;
        };
        // All items have the entity's name in the type attribute, which decides conditions on it.
        let all = || entry.into_iter().flat_map(|entry| &entry.when);
        let is_type = |test: &&Condition| design.table.is_type_attribute(&test.attribute);
        let own_type = Value::S(entity.name.clone());
        let never = all().any(|test| is_type(&test) && !test.holds(Some(&own_type)));
        let when = || all().filter(|test| !is_type(test));
        // What items do not store is missing, whatever the program knows.
        let is_stored = |condition: &&Condition| !entity.is_key_only(&condition.attribute);
        let is_empty = when().any(|test| !is_stored(&test) && test.test != Test::Missing);
        let empty = match never {
            true => Some("its condition on the type attribute never holds"),
            false => is_empty.then_some("its condition is on an attribute that items do not store"),
        };
        let mut fields = Vec::new();
        for (attributes, part) in [
            (&key.partition, KeyPart::Partition),
            (&key.sort, KeyPart::Sort),
        ] {
            for attribute in attributes {
                let source = source(design, entity, index, attribute);
                fields.push(KeyField {
                    attribute,
                    part,
                    source,
                });
            }
        }
        keys.push(EntityKey {
            index,
            fields,
            when: when().filter(is_stored).collect(),
            empty,
        });
    }
    keys
}

/// Why a library that stores key-only attributes cannot write the entity's items: one of them would be a key attribute.
pub fn stored_as_key(design: &Design, entity: &Entity) -> Option<String> {
    let is_key =
        |name: &str| design.key_attribute(name).is_some() && !has_template(design, entity, name);
    let mut key_only = entity.attributes.iter().filter(|a| a.key_only);
    let found = key_only.find(|attribute| is_key(&attribute.name))?;
    let name = &found.name;
    Some(format!(
        "{name} is key-only, but would be stored as a key attribute"
    ))
}

/// What makes a key attribute of an index: the entry's template, that of another entry, or the item itself.
fn source(design: &Design, entity: &Entity, index: IndexId, attribute: &KeyAttribute) -> Source {
    let source = source_in(design, entity, index, &attribute.name);
    let found = match source {
        KeySource::Template(found)
            if attribute.kind != KeyType::B && copies_own_attribute(entity, &found) =>
        {
            return Source::Own;
        }
        KeySource::Template(found) => found,
        KeySource::Type(_) if attribute.kind == KeyType::S => {
            let template = source.template();
            return template.map_or(Source::None("its template has an error"), Source::Template);
        }
        KeySource::Type(_) => return Source::None("the type attribute is a text"),
        KeySource::Attribute(_) if attribute.kind == KeyType::B => {
            return Source::None("its keys are binary");
        }
        KeySource::Attribute(_) => return Source::Own,
        KeySource::Nothing => return Source::None("no attribute of the entity makes its key"),
    };
    if found.index != index && !found.when.is_empty() {
        return Source::None("its key depends on the condition of another index");
    }
    let parsed = parse(found.text);
    let template = parsed.template;
    if !parsed.errors.is_empty() || template.segments.is_empty() {
        return Source::None("its template has an error");
    }
    match attribute.kind {
        KeyType::B => Source::None("its keys are binary"),
        KeyType::N if !template.is_single_placeholder() => {
            Source::None("a key of type N has one placeholder")
        }
        _ => Source::Template(template),
    }
}

/// What is done with a placeholder's value: calls of the functions that [`write_functions`] writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Steps {
    modifiers: Vec<Modifier>,
    /// The delimiter, where it is encoded.
    encoded: Option<String>,
}

impl Steps {
    /// The steps of a placeholder of the template.
    pub fn of(template: &Template, placeholder: &Placeholder, policy: &DelimiterPolicy) -> Steps {
        let is_encoded = policy.on_conflict == OnDelimiter::PercentEncode;
        let is_free = policy.delimiter.is_empty() || template.is_single_placeholder();
        Steps {
            modifiers: placeholder.modifiers.clone(),
            encoded: (is_encoded && !is_free).then(|| policy.delimiter.clone()),
        }
    }

    /// Whether the value stands in the key as it is.
    pub fn is_empty(&self) -> bool {
        self.modifiers.is_empty() && self.encoded.is_none()
    }

    /// The digits, where leading zeros are all that is done.
    pub fn only_padding(&self) -> Option<u8> {
        match (self.modifiers.as_slice(), &self.encoded) {
            ([Modifier::Pad(digits)], None) => Some(*digits),
            _ => None,
        }
    }

    /// The steps as an expression over another.
    pub fn call(&self, value: &str) -> String {
        let mut expression = value.to_owned();
        for modifier in &self.modifiers {
            let (name, arguments) = function(*modifier);
            expression = [name, "(", &expression, &arguments, ")"].concat();
        }
        if let Some(delimiter) = &self.encoded {
            expression = ["encode(", &expression, ", ", &quoted(delimiter), ")"].concat();
        }
        expression
    }

    /// An end for the name of an attribute that holds the result: `Month`, `Shard10`.
    pub fn suffix(&self) -> String {
        let mut text = String::new();
        for modifier in &self.modifiers {
            let word = modifier.to_string().replace(['(', ',', ')'], "");
            text.push_str(&word[..1].to_ascii_uppercase());
            text.push_str(&word[1..]);
        }
        if self.encoded.is_some() {
            text.push_str("Encoded");
        }
        text
    }

    /// The functions that are called.
    pub fn functions(&self) -> impl Iterator<Item = &'static str> {
        let encode = self.encoded.iter().map(|_| "encode");
        let called = self.modifiers.iter().map(|modifier| function(*modifier).0);
        called.chain(encode)
    }
}

fn function(modifier: Modifier) -> (&'static str, String) {
    match modifier {
        Modifier::Lower => ("lower", String::new()),
        Modifier::Upper => ("upper", String::new()),
        Modifier::Date => ("utc", ", 10".to_owned()),
        Modifier::Month => ("utc", ", 7".to_owned()),
        Modifier::Year => ("utc", ", 4".to_owned()),
        Modifier::Pad(digits) => ("pad", format!(", {digits}")),
        Modifier::PadDecimal { digits, decimals } => {
            ("padDecimal", format!(", {digits}, {decimals}"))
        }
        Modifier::Desc(digits) => ("desc", format!(", {digits}")),
        Modifier::First(count) => ("first", format!(", {count}")),
        Modifier::Shard(count) => ("shard", format!(", {count}")),
    }
}

/// The functions that steps call, in the order in which they are written: name, those that it calls, text.
const FUNCTIONS: [(&str, &str, &str); 9] = [
    (
        "lower",
        "",
        "function lower(value: unknown): string {
  return [...String(value)].map((c) => c.toLowerCase()).join(\"\");
}",
    ),
    (
        "upper",
        "",
        "function upper(value: unknown): string {
  return [...String(value)].map((c) => c.toUpperCase()).join(\"\");
}",
    ),
    (
        "utc",
        "",
        "function utc(value: unknown, length: number): string {
  const pattern = /^(\\d{4}-\\d\\d-\\d\\d)(?:[Tt ]([01]\\d|2[0-3]):([0-5]\\d)(?::(?:[0-5]\\d|60))?(?:[.,]\\d+)?(?:[Zz]|([+-](?:[01]\\d|2[0-3]))(?::?([0-5]\\d))?)?)?$/;
  const [, day, hour = 0, minute = 0, east = 0, more = 0] = pattern.exec(String(value)) ?? [];
  const offset = Number(east) * 60 + (String(east).startsWith(\"-\") ? -1 : 1) * Number(more);
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  const start = Date.parse(`${day}T00:00Z`);
  const isDay = !Number.isNaN(start) && new Date(start).toISOString().startsWith(`${day}T`);
  const text = isDay ? new Date(start + minutes * 60_000).toISOString() : \"\";
  if (!/^\\d{4}-/.test(text)) {
    throw new Error(`${value} is not a valid ISO 8601 date or timestamp`);
  }
  return text.slice(0, length);
}",
    ),
    (
        "pad",
        "",
        "function pad(value: unknown, digits: number): string {
  const text = String(value);
  if (!/^(0|[1-9]\\d*)$/.test(text) || text.length > digits) {
    throw new Error(`${text} is not a whole number of at most ${digits} digits`);
  }
  return text.padStart(digits, \"0\");
}",
    ),
    (
        "padDecimal",
        "pad",
        "function padDecimal(value: unknown, digits: number, decimals: number): string {
  const [whole, fraction = \"\"] = String(value).split(\".\");
  if (!/^\\d*$/.test(fraction) || fraction.length > decimals) {
    throw new Error(`${value} is not a number of at most ${decimals} decimals`);
  }
  return `${pad(whole, digits)}.${fraction.padEnd(decimals, \"0\")}`;
}",
    ),
    (
        "desc",
        "pad",
        "function desc(value: unknown, digits: number): string {
  return pad(value, digits).replace(/\\d/g, (digit) => String(9 - Number(digit)));
}",
    ),
    (
        "first",
        "",
        "function first(value: unknown, count: number): string {
  return [...String(value)].slice(0, count).join(\"\");
}",
    ),
    (
        "shard",
        "",
        "function shard(value: unknown, count: number): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(String(value))) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return String(hash % BigInt(count));
}",
    ),
    (
        "encode",
        "",
        "function encode(value: unknown, delimiter: string): string {
  const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, \"0\")}`;
  const escape = (c: string) => Array.from(new TextEncoder().encode(c), hex).join(\"\");
  return Array.from(String(value), (c) => (c === \"%\" || delimiter.includes(c) ? escape(c) : c)).join(\"\");
}",
    ),
];

/// Writes the functions of these names and those that they call, each behind a blank line.
pub fn write_functions(out: &mut CodeWriter, called: &[&str]) {
    for (name, _, text) in FUNCTIONS {
        let calls = |other: &(&str, &str, &str)| other.1 == name && called.contains(&other.0);
        if called.contains(&name) || FUNCTIONS.iter().any(calls) {
            out.end_line();
            for line in text.lines() {
                typescript::line(out, line);
            }
        }
    }
}

/// The condition as an expression over `item`; none if it has a value that the language has no constant for.
pub fn condition(condition: &Condition) -> Option<String> {
    let value = property("item", &condition.attribute);
    let is = |operator: &str, other: &Value| Some([&value, operator, &constant(other)?].concat());
    match &condition.test {
        Test::Equals(other) => is(" === ", other),
        Test::NotEquals(other) => {
            Some([&value, " !== undefined && ", &is(" !== ", other)?].concat())
        }
        Test::OneOf(others) => {
            let mut list = Vec::new();
            for other in others {
                list.push(constant(other)?);
            }
            Some(
                [
                    "[",
                    &list.join(", "),
                    "].some((other) => other === ",
                    &value,
                    ")",
                ]
                .concat(),
            )
        }
        Test::Exists => Some([&value, " !== undefined"].concat()),
        Test::Missing => Some([&value, " === undefined"].concat()),
    }
}

fn constant(value: &Value) -> Option<String> {
    match value {
        Value::S(text) => Some(quoted(text)),
        Value::N(number) => Some(number.to_string()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Null => Some("null".to_owned()),
        _ => None,
    }
}

/// `object.name`, or `object["name"]` where that is needed.
pub fn property(object: &str, name: &str) -> String {
    match is_identifier(name) {
        true => [object, ".", name].concat(),
        false => [object, "[", &quoted(name), "]"].concat(),
    }
}

/// Whether a library that reads `${` in a template as a placeholder would take the literal text for one.
pub fn has_placeholder_in_text(template: &Template) -> bool {
    let is_literal = |segment: &Segment| match segment {
        Segment::Literal { text, .. } => text.contains("${"),
        _ => false,
    };
    template.segments.iter().any(is_literal)
}

/// Returns the part of the placeholder's attribute that is refused when it contains the delimiter. `None` if the value
/// stands alone in the key, if delimiters in it are encoded, or if its modifiers make digits or a date of it.
pub fn checked_part(
    template: &Template,
    placeholder: &Placeholder,
    policy: &DelimiterPolicy,
) -> Option<Checked> {
    if policy.on_conflict != OnDelimiter::Reject
        || policy.delimiter.is_empty()
        || template.is_single_placeholder()
    {
        return None;
    }
    let (mut part, mut any_case) = (CheckedPart::Whole, false);
    for modifier in &placeholder.modifiers {
        match modifier {
            Modifier::Lower | Modifier::Upper => {
                any_case = policy.delimiter.contains(char::is_alphabetic);
            }
            // No room for the delimiter.
            Modifier::First(count) if (*count as usize) < policy.delimiter.chars().count() => {
                return None;
            }
            Modifier::First(count) => part = part.min(CheckedPart::First(*count)),
            _ => return None,
        }
    }
    Some(Checked { part, any_case })
}

/// The regular expression, as TypeScript code, of the numbers that JavaScript writes as the app does: it writes very small and
/// very large ones with an exponent.
pub const DECIMAL: &str = "/^-?\\d+(?:\\.\\d+)?$/";

/// Whether a key contains the number as text.
pub fn is_number_in_text(attribute: &Attribute, keys: &[EntityKey]) -> bool {
    let uses = |field: &KeyField| match &field.source {
        Source::Template(template) => {
            field.attribute.kind == KeyType::S && template.uses(&attribute.name)
        }
        Source::Own | Source::None(_) => false,
    };
    let mut fields = keys.iter().flat_map(|key| &key.fields);
    attribute.kind == AttributeType::N && fields.any(uses)
}

/// Returns the regular expression, as TypeScript code, of the numbers that a library can pad to so many digits: a longer one
/// would be at another place in the order of keys.
pub fn number_of(digits: u8) -> String {
    let more = digits.saturating_sub(1);
    format!("/^(?:0|[1-9]\\d{{0,{more}}})$/")
}

/// Returns the regular expression, as TypeScript code, that an attribute's text must match, if it is checked in a key:
/// `checked` has the parts of all placeholders, with their attributes.
pub fn validation<S: AsRef<str>>(
    design: &Design,
    attribute: &Attribute,
    checked: &[(S, Checked)],
) -> Option<Node> {
    let own = || (checked.iter()).filter(|(name, _)| name.as_ref() == attribute.name);
    let part = own().map(|(_, checked)| checked.part).max()?;
    let mut pattern = without(&design.delimiter.delimiter, part);
    if own().any(|(_, checked)| checked.any_case) {
        pattern.push('i');
    }
    (attribute.kind == AttributeType::S).then_some(Node::Code(pattern))
}
