//! The formats of sample values in the line of an attribute.

use super::super::cursor::{Cursor, Spot};
use super::super::keywords;
use super::super::lexer;
use super::super::statement::Token;
use super::super::syntax::SyntaxKind;
use super::super::value;
use crate::model::{AttributeType, Choice, Distribution, EntityId, Format, Value};

/// A format before its reference is resolved.
pub(super) enum WrittenFormat {
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

/// Reads what follows the name and the type of an attribute.
pub(super) fn format(cursor: &mut Cursor, kind: Option<AttributeType>) -> Option<WrittenFormat> {
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

/// Takes a value.
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
