//! The attributes of entities: `name? type format`.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords;
use super::super::lexer;
use super::super::statement::{Statement, Token};
use super::super::syntax::SyntaxKind;
use super::super::value;
use super::identity::Known;
use super::{Lower, Part, twice, unknown};
use crate::model::{
    Attribute, AttributeId, AttributeType, Choice, Distribution, EntityId, Format, Value, name,
};
use rustc_hash::FxHashMap;

/// An attribute as its line says it, before references and types are resolved.
pub(super) struct Written {
    name: Spot,
    required: bool,
    kind: Option<AttributeType>,
    format: WrittenFormat,
}

enum WrittenFormat {
    None,
    Known(Format),
    /// The entity, the attribute if it has another name, and the distribution.
    Reference(Spot, Option<Spot>, Distribution),
    /// The same for an entity that was deleted.
    Dangling(EntityId, Spot, Option<Spot>, Distribution),
}

/// The type that a format implies.
pub(in crate::text) fn implied(format: &Format) -> Option<AttributeType> {
    let of_all = |choices: &[Choice]| {
        let mut kinds = choices.iter().map(|choice| choice.value.kind());
        let first = kinds.next()?;
        kinds.all(|kind| kind == first).then_some(first)
    };
    match format {
        Format::Integer { .. } | Format::Decimal { .. } => Some(AttributeType::N),
        Format::OneOf(choices) => of_all(choices),
        Format::Constant(value) => Some(value.kind()),
        Format::Reference { .. } => None,
        _ => Some(AttributeType::S),
    }
}

impl Lower<'_> {
    /// Reads the attributes of all entities; references may lead to later ones.
    pub(super) fn attributes(&mut self, entities: &[(EntityId, &Statement)]) {
        let mut all: Vec<(EntityId, Vec<(&Statement, Written)>)> = Vec::new();
        for (id, block) in entities {
            let mut written: Vec<(&Statement, Written)> = Vec::new();
            for line in &block.children {
                if line.kind != SyntaxKind::Attribute {
                    continue;
                }
                let Some(attribute) = self.attribute(line) else {
                    continue;
                };
                let name = &attribute.name;
                if written
                    .iter()
                    .any(|(_, other)| other.name.text == name.text)
                {
                    self.error(name.range.clone(), twice("attribute", &name.text));
                    continue;
                }
                written.push((line, attribute));
            }
            all.push((*id, written));
        }
        let kinds = self.kinds(&all);
        for (id, written) in all {
            self.declare(id, written, &kinds);
        }
    }

    /// Reads a line; `None` after an error.
    fn attribute(&mut self, line: &Statement) -> Option<Written> {
        let mut cursor = Cursor::new(line, &mut self.problems);
        let mut name = cursor.name("the name of an attribute")?;
        let mut required = true;
        let is_quoted = line.tokens[0].kind == SyntaxKind::Quoted;
        if is_quoted {
            required = !cursor.word("?");
        } else if let Some(text) = name.text.strip_suffix('?') {
            name.text = text.to_owned();
            name.range.end -= 1;
            required = false;
        }
        if let Err(error) = name::check_attribute(&name.text) {
            cursor.error(name.range, error.to_string());
            return None;
        }
        let mut kind = None;
        let starts_choice = cursor
            .second()
            .is_some_and(|token| token.kind == SyntaxKind::Bar || token.text.starts_with('*'));
        if let Some(word) = cursor.peek().filter(|token| token.kind == SyntaxKind::Word)
            && !starts_choice
            && let Some(found) = keywords::attribute_type(word.text)
        {
            kind = Some(found);
            cursor.take();
        }
        let format = format(&mut cursor, kind)?;
        cursor.finish();
        (!cursor.failed).then_some(Written {
            name,
            required,
            kind,
            format,
        })
    }

    /// The types of all attributes. A reference without a type has that of the attribute it leads to.
    fn kinds(
        &mut self,
        all: &[(EntityId, Vec<(&Statement, Written)>)],
    ) -> FxHashMap<(EntityId, String), AttributeType> {
        let mut kinds = FxHashMap::default();
        // References that wait for the type of another attribute.
        let mut waiting: FxHashMap<(EntityId, String), (EntityId, String)> = FxHashMap::default();
        let mut order = Vec::new();
        for (id, written) in all {
            for (_, attribute) in written {
                let place = (*id, attribute.name.text.clone());
                let kind = match &attribute.format {
                    _ if attribute.kind.is_some() => attribute.kind,
                    WrittenFormat::None | WrittenFormat::Dangling(..) => Some(AttributeType::S),
                    WrittenFormat::Known(format) => implied(format).or(Some(AttributeType::S)),
                    WrittenFormat::Reference(entity, other, _) => {
                        let target = other.as_ref().unwrap_or(&attribute.name);
                        let found = self.design.entity_named(&entity.text);
                        if let Some(found) = found {
                            waiting.insert(place.clone(), (found, target.text.clone()));
                            order.push((place.clone(), attribute.name.range.clone()));
                            None
                        } else {
                            Some(AttributeType::S)
                        }
                    }
                };
                if let Some(kind) = kind {
                    kinds.insert(place, kind);
                }
            }
        }
        for (place, range) in order {
            let mut at = place.clone();
            let mut steps = 0;
            while !kinds.contains_key(&at) {
                match waiting.get(&at) {
                    Some(next) if steps <= waiting.len() => at = next.clone(),
                    Some(_) => {
                        let message = format!(
                            "`{}` refers to itself in a circle: write its type before `->`",
                            place.1
                        );
                        self.error(range.clone(), message);
                        break;
                    }
                    None => break,
                }
                steps += 1;
            }
            let kind = kinds.get(&at).copied().unwrap_or_default();
            kinds.insert(place, kind);
        }
        kinds
    }

    fn declare(
        &mut self,
        id: EntityId,
        written: Vec<(&Statement, Written)>,
        kinds: &FxHashMap<(EntityId, String), AttributeType>,
    ) {
        let old: Vec<_> = (self.previous.entities.get(&id).into_iter())
            .flat_map(|entity| &entity.attributes)
            .map(|attribute| {
                let known = Known::new(&attribute.name, &attribute.description);
                (attribute.id, known)
            })
            .collect();
        let new: Vec<Known> = (written.iter())
            .map(|(line, attribute)| Known::new(&attribute.name.text, &line.description))
            .collect();
        let ids = self.ids(&new, &old, AttributeId);
        for ((line, written), attribute_id) in written.into_iter().zip(ids) {
            let kind = kinds.get(&(id, written.name.text.clone()));
            let format = match written.format {
                WrittenFormat::None => None,
                WrittenFormat::Known(format) => Some(format),
                WrittenFormat::Dangling(to, entity, attribute, distribution) => {
                    let message = "the entity of this reference was deleted: name another";
                    self.warn(entity.range, message);
                    let target = attribute.unwrap_or_else(|| written.name.clone());
                    let is_free = !self.design.entities.contains_key(&to);
                    is_free.then_some(Format::Reference {
                        entity: to,
                        attribute: target.text,
                        distribution,
                    })
                }
                WrittenFormat::Reference(entity, attribute, distribution) => {
                    let target = attribute.unwrap_or_else(|| written.name.clone());
                    self.entity_named(&entity).map(|to| {
                        self.check_target(to, &entity, &target, kinds);
                        Format::Reference {
                            entity: to,
                            attribute: target.text,
                            distribution,
                        }
                    })
                }
            };
            self.key(line, attribute_id.to_string());
            self.mark(
                written.name.range.clone(),
                Part::Attribute(id, attribute_id),
                true,
            );
            let attribute = Attribute {
                id: attribute_id,
                name: written.name.text,
                kind: kind.copied().unwrap_or_default(),
                required: written.required,
                format,
                description: line.description.clone(),
            };
            if let Some(entity) = self.edit_entity(id) {
                entity.attributes.push(attribute);
            }
        }
    }

    /// A reference to an attribute that the entity does not declare is a warning: it may be a key-only attribute.
    fn check_target(
        &mut self,
        to: EntityId,
        entity: &Spot,
        target: &Spot,
        kinds: &FxHashMap<(EntityId, String), AttributeType>,
    ) {
        if !kinds.contains_key(&(to, target.text.clone())) {
            let names: Vec<&str> = (kinds.keys())
                .filter(|(id, _)| *id == to)
                .map(|(_, name)| name.as_str())
                .collect();
            let mut names = names;
            names.sort_unstable();
            let what = format!("attribute of `{}`", entity.text);
            let message = unknown(&what, &target.text, names.into_iter());
            self.warn(target.range.clone(), &message);
        }
    }
}

fn format(cursor: &mut Cursor, kind: Option<AttributeType>) -> Option<WrittenFormat> {
    let Some(token) = cursor.peek() else {
        return Some(WrittenFormat::None);
    };
    if cursor.word("->") {
        return reference(cursor);
    }
    if cursor.word("=") {
        let value = take_value(cursor, kind, "a value")?;
        return Some(WrittenFormat::Known(Format::Constant(value)));
    }
    let next = cursor.second();
    let is_choice = token.kind == SyntaxKind::Bar
        || next.is_some_and(|next| next.kind == SyntaxKind::Bar || next.text.starts_with('*'))
        || weight(token.text).is_some() && token.kind == SyntaxKind::Word;
    if is_choice {
        return choices(cursor, kind).map(WrittenFormat::Known);
    }
    if token.kind == SyntaxKind::Word && keywords::is_format(token.text) {
        cursor.take();
        return generated(cursor, token.text).map(WrittenFormat::Known);
    }
    cursor.expected(
        "a type such as `string`, a format such as `ulid`, values such as `PAID | SHIPPED`, or `-> ENTITY`",
    );
    None
}

/// `User`, `User.userId` or `"Show at venue".showId`, then `skewed`.
fn reference(cursor: &mut Cursor) -> Option<WrittenFormat> {
    let is_word = cursor
        .peek()
        .is_some_and(|token| token.kind != SyntaxKind::Quoted);
    let mut entity = cursor.name("the name of an entity")?;
    let mut attribute = None;
    let next_touches =
        |cursor: &Cursor, end: usize| cursor.peek().is_some_and(|token| token.range.start == end);
    match entity.text.split_once('.').filter(|_| is_word) {
        Some((first, "")) if next_touches(cursor, entity.range.end) => {
            let first = first.to_owned();
            attribute = cursor.name("the name of an attribute");
            entity.text = first;
            entity.range.end -= 1;
        }
        Some((first, second)) => {
            let start = entity.range.start + first.len();
            attribute = Some(Spot {
                text: second.to_owned(),
                range: start + 1..entity.range.end,
            });
            entity = Spot {
                text: first.to_owned(),
                range: entity.range.start..start,
            };
        }
        None if next_touches(cursor, entity.range.end)
            && cursor
                .peek()
                .is_some_and(|token| token.text.starts_with('.')) =>
        {
            let token = cursor.take()?;
            let name = token.text[1..].to_owned();
            attribute = match name.is_empty() {
                true => cursor.name("the name of an attribute"),
                false => Some(Spot {
                    text: name,
                    range: token.range.start + 1..token.range.end,
                }),
            };
        }
        None => {}
    }
    let distribution = match cursor.word("skewed") {
        true => Distribution::Skewed,
        false => Distribution::Uniform,
    };
    let dangling = entity.text.strip_prefix('?').filter(|_| is_word);
    Some(match dangling.and_then(|id| id.parse().ok()) {
        Some(id) => WrittenFormat::Dangling(id, entity, attribute, distribution),
        None => WrittenFormat::Reference(entity, attribute, distribution),
    })
}

pub(super) fn take_value(
    cursor: &mut Cursor,
    kind: Option<AttributeType>,
    what: &str,
) -> Option<Value> {
    let token = cursor.peek().filter(|token| {
        matches!(
            token.kind,
            SyntaxKind::Word | SyntaxKind::Quoted | SyntaxKind::Json
        )
    });
    let Some(token) = token else {
        cursor.expected(what);
        return None;
    };
    match value::read(token, kind) {
        Ok(value) => {
            cursor.take();
            Some(value)
        }
        Err(message) => {
            cursor.error(token.range.clone(), message);
            None
        }
    }
}

/// The value of a token; an error if it has none.
pub(super) fn value_of(
    cursor: &mut Cursor,
    token: &Token,
    kind: Option<AttributeType>,
) -> Option<Value> {
    match value::read(token, kind) {
        Ok(value) => Some(value),
        Err(message) => {
            cursor.error(token.range.clone(), message);
            None
        }
    }
}

/// The value and the weight of `free*5`.
fn weight(word: &str) -> Option<(&str, u32)> {
    let (value, weight) = word.rsplit_once('*')?;
    let digits = !weight.is_empty() && weight.bytes().all(|byte| byte.is_ascii_digit());
    Some((value, weight.parse().ok().filter(|_| digits)?))
}

/// Whether a word would be read as a value with a weight.
pub(in crate::text) fn is_weighted(word: &str) -> bool {
    weight(word).is_some()
}

/// `free*5 | pro*3 | enterprise`; a leading `|` makes a single value a choice.
fn choices(cursor: &mut Cursor, kind: Option<AttributeType>) -> Option<Format> {
    let mut choices = Vec::new();
    cursor.punctuation(SyntaxKind::Bar);
    if cursor.is_done() {
        return Some(Format::OneOf(choices));
    }
    loop {
        let token = cursor.peek();
        let plain = token.filter(|token| token.kind == SyntaxKind::Word);
        let choice = match plain.and_then(|token| Some((token, weight(token.text)?))) {
            Some((token, (text, weight))) => {
                let part = Token {
                    kind: lexer::next_word(if text.is_empty() { "*" } else { text }).0,
                    range: token.range.clone(),
                    text,
                };
                cursor.take();
                match value::read(&part, kind) {
                    Ok(value) => Choice { value, weight },
                    Err(message) => {
                        cursor.error(part.range, message);
                        return None;
                    }
                }
            }
            None => {
                let value = take_value(cursor, kind, "a value")?;
                let suffix = cursor.peek().and_then(|token| weight(token.text));
                let weight = match suffix {
                    Some(("", weight)) => {
                        cursor.take();
                        weight
                    }
                    _ => 1,
                };
                Choice { value, weight }
            }
        };
        choices.push(choice);
        if !cursor.punctuation(SyntaxKind::Bar) {
            break;
        }
    }
    Some(Format::OneOf(choices))
}

/// A format that begins with a word.
fn generated(cursor: &mut Cursor, word: &str) -> Option<Format> {
    let range = |cursor: &mut Cursor, from: &str, to: &str| -> Option<(String, String)> {
        if cursor.is_done() {
            return Some((from.to_owned(), to.to_owned()));
        }
        let from = cursor.name("the start of the range")?;
        if !cursor.word("to") {
            cursor.expected("`to` and the end of the range");
            return None;
        }
        Some((from.text, cursor.name("the end of the range")?.text))
    };
    Some(match word {
        "ulid" => Format::Ulid,
        "ksuid" => Format::Ksuid,
        "uuid" => Format::Uuid,
        "email" => Format::Email,
        "person-name" => Format::PersonName,
        "company" => Format::Company,
        "word" => Format::Word,
        "sentence" => Format::Sentence,
        "date" => {
            let (from, to) = range(cursor, DATES.0, DATES.1)?;
            Format::Date { from, to }
        }
        "timestamp" => {
            // A quoted text is taken as it is.
            let is_quoted = cursor.peek().is_some_and(|t| t.kind == SyntaxKind::Quoted);
            let (from, to) = range(cursor, DATES.0, DATES.1)?;
            let day = |text: String, time: &str| match is_day(&text) && !is_quoted {
                true => text + time,
                false => text,
            };
            Format::Timestamp {
                from: day(from, DAY.0),
                to: day(to, DAY.1),
            }
        }
        "integer" => {
            let (mut min, mut max) = (1, 100);
            if !cursor.is_done() {
                min = cursor.number("the smallest number")?;
                if !cursor.word("to") {
                    cursor.expected("`to` and the largest number");
                }
                max = cursor.number("the largest number")?;
            }
            Format::Integer { min, max }
        }
        "decimal" => {
            let (mut min, mut max, mut places) = ("0".to_owned(), "100".to_owned(), 2);
            if !cursor.is_done() && !cursor.peek().is_some_and(|token| token.is("places")) {
                (min, max) = range(cursor, "0", "100")?;
            }
            if cursor.word("places") {
                places = cursor.number("the number of digits after the decimal point")?;
            }
            Format::Decimal { min, max, places }
        }
        _ => sequence(cursor)?,
    })
}

/// The days of a range that is left out.
pub(in crate::text) const DATES: (&str, &str) = ("2026-01-01", "2026-12-31");
/// The times of the first and the last second of a day.
pub(in crate::text) const DAY: (&str, &str) = ("T00:00:00Z", "T23:59:59Z");

/// Whether a text looks like `2026-01-01`.
pub(in crate::text) fn is_day(text: &str) -> bool {
    text.len() == 10 && !text.contains('T')
}

/// `t_01`, the first value; or `prefix "t_" start 1 digits 2`.
fn sequence(cursor: &mut Cursor) -> Option<Format> {
    if !cursor.word("prefix") {
        if cursor.is_done() {
            return Some(Format::Sequence {
                prefix: String::new(),
                start: 1,
                digits: 1,
            });
        }
        let range = cursor.here();
        let first = cursor.name("the first value, such as `t_01`")?;
        let found = first_of_sequence(&first.text);
        if found.is_none() {
            let message = "a sequence begins with a value that ends in a number, such as `t_01`";
            cursor.error(range, message.to_owned());
        }
        return found;
    }
    let prefix = cursor.name("the text before the number")?.text;
    let (mut start, mut digits) = (1, 1);
    if cursor.word("start") {
        start = cursor.number("the first number")?;
    }
    if cursor.word("digits") {
        digits = cursor.number("the minimum number of digits")?;
    }
    Some(Format::Sequence {
        prefix,
        start,
        digits,
    })
}

/// The sequence whose first value this is.
pub(in crate::text) fn first_of_sequence(first: &str) -> Option<Format> {
    let prefix = first.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = &first[prefix.len()..];
    Some(Format::Sequence {
        prefix: prefix.to_owned(),
        start: digits.parse().ok()?,
        digits: u8::try_from(digits.len()).ok()?,
    })
}
