//! Statistics of the values of one attribute. Merging two is associative and independent of the order.

use keyfold_core::model::{AttributeType, Choice, Format, Number, Value, is_time};
use keyfold_core::template::check_iso;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Maximum number of distinct values that are kept; with more, none are.
const DISTINCT: usize = 24;
/// Maximum length of a kept text in bytes.
const KEPT_BYTES: usize = 64;

/// What is known of the values of an attribute.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Statistics {
    /// Number of items that have it.
    pub items: u64,
    /// Number of values of each type, in the order of [`AttributeType::ALL`].
    kinds: [u64; AttributeType::ALL.len()],
    /// The distinct texts, numbers and booleans; `None` if there are too many or too long ones.
    values: Option<BTreeSet<Value>>,
    /// The forms that no text contradicts.
    forms: u8,
    /// The least and the greatest text, truncated.
    texts: Option<(String, String)>,
    /// The least and the greatest number.
    numbers: Option<(Value, Value)>,
    /// The most decimals of a number.
    places: u8,
    /// What the texts have in common before their last digits, and the least number of digits; `None` if some text has
    /// no digits at its end.
    sequence: Option<(String, u8)>,
}

const ULID: u8 = 1;
const KSUID: u8 = 2;
const UUID: u8 = 4;
const EMAIL: u8 = 8;
const DATE: u8 = 16;
const TIMESTAMP: u8 = 32;
const ALL_FORMS: u8 = 63;

impl Statistics {
    /// The statistics of one value.
    pub fn of(value: &Value) -> Statistics {
        let mut one = Statistics {
            items: 1,
            forms: ALL_FORMS,
            values: Some(BTreeSet::new()),
            ..Statistics::default()
        };
        one.kinds[place(value.kind())] = 1;
        if !is_kept(value) {
            one.values = None;
        } else if let Some(values) = &mut one.values {
            values.insert(value.clone());
        }
        match value {
            Value::S(text) => {
                one.forms = forms(text);
                one.texts = Some((cut(text).to_owned(), cut(text).to_owned()));
                one.sequence = owned_sequence(text);
            }
            Value::N(number) => {
                one.numbers = Some((value.clone(), value.clone()));
                one.places = places(number);
            }
            _ => {}
        }
        one
    }

    /// Adds the statistics of other values.
    pub fn merge(&mut self, other: &Statistics) {
        if self.items == 0 {
            *self = other.clone();
            return;
        }
        if other.items == 0 {
            return;
        }
        let (had, has) = (self.texts.is_some(), other.texts.is_some());
        self.items += other.items;
        for (own, other) in self.kinds.iter_mut().zip(&other.kinds) {
            *own += other;
        }
        self.values = match (self.values.take(), &other.values) {
            (Some(mut own), Some(other)) => {
                own.extend(other.iter().cloned());
                (own.len() <= DISTINCT).then_some(own)
            }
            _ => None,
        };
        self.forms &= other.forms;
        self.places = self.places.max(other.places);
        self.sequence = match (had, has) {
            (true, true) => (self.sequence.take().zip(other.sequence.as_ref()))
                .and_then(|(own, other)| common_sequence(own, other)),
            (false, _) => other.sequence.clone(),
            _ => self.sequence.take(),
        };
        widen(&mut self.texts, &other.texts);
        widen(&mut self.numbers, &other.numbers);
    }

    /// Adds one value: as merging its statistics does, without building them.
    pub fn add(&mut self, value: &Value) {
        if self.items == 0 {
            *self = Statistics::of(value);
            return;
        }
        self.items += 1;
        self.kinds[place(value.kind())] += 1;
        if let Some(values) = &mut self.values {
            if values.contains(value) {
                return;
            }
            if is_kept(value) && values.len() < DISTINCT {
                values.insert(value.clone());
            } else {
                self.values = None;
            }
        }
        match value {
            Value::S(text) => {
                if self.forms != 0 {
                    self.forms &= forms(text);
                }
                if let Some((least, greatest)) = &mut self.texts {
                    let start = cut(text);
                    if start < least.as_str() {
                        *least = start.to_owned();
                    } else if start > greatest.as_str() {
                        *greatest = start.to_owned();
                    }
                    let own = self.sequence.take();
                    self.sequence = own.and_then(|own| match ends_in_digits(text) {
                        Some((prefix, digits)) if prefix == own.0 => {
                            Some((own.0, own.1.min(digits)))
                        }
                        _ => None,
                    });
                } else {
                    self.texts = Some((cut(text).to_owned(), cut(text).to_owned()));
                    self.sequence = owned_sequence(text);
                }
            }
            Value::N(number) => {
                match &mut self.numbers {
                    Some((least, _)) if value < least => *least = value.clone(),
                    Some((_, greatest)) if value > greatest => *greatest = value.clone(),
                    Some(_) => {}
                    None => self.numbers = Some((value.clone(), value.clone())),
                }
                self.places = self.places.max(places(number));
            }
            _ => {}
        }
    }

    /// The type of most values; of equally frequent ones the first in the order of [`AttributeType::ALL`].
    pub fn kind(&self) -> AttributeType {
        let typed = AttributeType::ALL.iter().zip(&self.kinds);
        // NULL stands for a missing value of any type.
        let mut best = (AttributeType::Null, 0);
        for (kind, count) in typed {
            if *kind != AttributeType::Null && *count > best.1 {
                best = (*kind, *count);
            }
        }
        best.0
    }

    /// The format that all values have; `None` if they show none.
    pub fn format(&self, name: &str) -> Option<Format> {
        match self.kind() {
            AttributeType::S => self.text_format(name),
            AttributeType::N => self.number_format(),
            _ => None,
        }
    }

    fn text_format(&self, name: &str) -> Option<Format> {
        let (least, greatest) = self.texts.as_ref()?;
        let (from, to) = (least.clone(), greatest.clone());
        let plain = [
            (ULID, Format::Ulid),
            (UUID, Format::Uuid),
            (KSUID, Format::Ksuid),
            (EMAIL, Format::Email),
            (
                DATE,
                Format::Date {
                    from: from.clone(),
                    to: to.clone(),
                },
            ),
            (TIMESTAMP, Format::Timestamp { from, to }),
        ];
        if let Some((_, format)) = plain.into_iter().find(|(form, _)| self.forms & form != 0) {
            return Some(format);
        }
        self.choices().or_else(|| {
            let (prefix, digits) = self.sequence.as_ref()?;
            let distinct = self.values.as_ref().is_none_or(|values| values.len() > 1);
            (distinct && !is_time(name) && prefix.len() <= 16).then(|| Format::Sequence {
                prefix: prefix.clone(),
                start: 1,
                digits: *digits,
            })
        })
    }

    /// Few values, most of them used more than once.
    fn choices(&self) -> Option<Format> {
        let values = self.values.as_ref()?;
        let repeated = self.items >= 2 * values.len() as u64 && self.items >= 4;
        let choices = |value: &Value| Choice {
            value: value.clone(),
            weight: 1,
        };
        (repeated && values.len() > 1 && values.len() <= 12)
            .then(|| Format::OneOf(values.iter().map(choices).collect()))
    }

    fn number_format(&self) -> Option<Format> {
        let (Value::N(least), Value::N(greatest)) = self.numbers.as_ref()? else {
            return None;
        };
        if self.places > 0 {
            let plain = !least.to_string().contains('E') && !greatest.to_string().contains('E');
            return (plain && self.places <= 9).then(|| Format::Decimal {
                min: least.to_string(),
                max: greatest.to_string(),
                places: self.places,
            });
        }
        Some(Format::Integer {
            min: least.as_i64()?,
            max: greatest.as_i64()?,
        })
    }
}

fn place(kind: AttributeType) -> usize {
    let found = AttributeType::ALL.iter().position(|other| *other == kind);
    found.unwrap_or(0)
}

fn widen<T: Ord + Clone>(own: &mut Option<(T, T)>, other: &Option<(T, T)>) {
    match (own.as_mut(), other) {
        (Some((least, greatest)), Some((low, high))) => {
            if low < least {
                *least = low.clone();
            }
            if high > greatest {
                *greatest = high.clone();
            }
        }
        (None, Some(other)) => *own = Some(other.clone()),
        _ => {}
    }
}

fn cut(text: &str) -> &str {
    &text[..text.floor_char_boundary(KEPT_BYTES)]
}

/// Whether a value is kept among the distinct ones.
fn is_kept(value: &Value) -> bool {
    match value {
        Value::S(text) => text.len() <= KEPT_BYTES,
        Value::N(_) | Value::Bool(_) => true,
        _ => false,
    }
}

/// The decimals of a number.
fn places(number: &Number) -> u8 {
    if number.as_i64().is_some() {
        return 0;
    }
    let text = number.to_string();
    (text.split_once('.')).map_or(0, |(_, after)| after.len().min(38) as u8)
}

/// The text before its last digits, and how many they are; too many digits count as none.
fn ends_in_digits(text: &str) -> Option<(&str, u8)> {
    let prefix = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - prefix.len();
    let few = (1..=12).contains(&digits) && prefix.len() <= KEPT_BYTES;
    few.then_some((prefix, digits as u8))
}

fn owned_sequence(text: &str) -> Option<(String, u8)> {
    ends_in_digits(text).map(|(prefix, digits)| (prefix.to_owned(), digits))
}

fn common_sequence(own: (String, u8), other: &(String, u8)) -> Option<(String, u8)> {
    (own.0 == other.0).then(|| (own.0, own.1.min(other.1)))
}

/// The forms of a text.
fn forms(text: &str) -> u8 {
    let bytes = text.as_bytes();
    let digits_at = |ranges: &[std::ops::Range<usize>]| {
        (ranges.iter().cloned()).all(|range| bytes[range].iter().all(u8::is_ascii_digit))
    };
    let mut forms = 0;
    let crockford =
        |byte: &u8| byte.is_ascii_digit() || byte.is_ascii_uppercase() && !b"ILOU".contains(byte);
    if bytes.len() == 26 && bytes[0] <= b'7' && bytes.iter().all(crockford) {
        forms |= ULID;
    }
    if bytes.len() == 27
        && bytes.iter().all(u8::is_ascii_alphanumeric)
        && bytes.iter().any(u8::is_ascii_digit)
    {
        forms |= KSUID;
    }
    let hyphens = [8, 13, 18, 23];
    let is_hex = |(at, byte): (usize, &u8)| match hyphens.contains(&at) {
        true => *byte == b'-',
        false => byte.is_ascii_hexdigit(),
    };
    if bytes.len() == 36 && bytes.iter().enumerate().all(is_hex) {
        forms |= UUID;
    }
    if let Some((name, domain)) = text.split_once('@')
        && !name.is_empty()
        && domain.contains('.')
        && !domain.contains('@')
        && !text.contains(char::is_whitespace)
    {
        forms |= EMAIL;
    }
    let is_iso = || check_iso(text).is_ok();
    if bytes.len() == 10 && digits_at(&[0..4, 5..7, 8..10]) && is_iso() {
        forms |= DATE;
    }
    let in_seconds =
        || bytes[10] == b'T' && bytes[19] == b'Z' && digits_at(&[11..13, 14..16, 17..19]);
    if bytes.len() == 20 && text.is_ascii() && in_seconds() && is_iso() {
        forms |= TIMESTAMP;
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[Value]) -> Statistics {
        let mut all = Statistics::default();
        values.iter().for_each(|value| all.add(value));
        all
    }

    #[test]
    fn merging_is_associative_and_independent_of_the_order() {
        let texts = [
            "t_01",
            "t_02",
            "",
            "ada@example.com",
            "2026-03-01",
            "x",
            "ä",
        ];
        let mut values: Vec<Value> = texts.iter().map(|text| Value::from(*text)).collect();
        values.extend([Value::Bool(true), Value::Null, Value::L(Vec::new())]);
        values.extend((0..30).map(|n| Value::N(n.to_string().parse().unwrap())));
        let whole = of(&values);
        for split in 0..values.len() {
            let (left, right) = (of(&values[..split]), of(&values[split..]));
            let (mut one, mut two) = (left.clone(), right.clone());
            one.merge(&right);
            two.merge(&left);
            assert_eq!((&one, &two), (&whole, &whole), "split at {split}");
            let mut single = Statistics::default();
            (values.iter()).for_each(|value| single.merge(&Statistics::of(value)));
            assert_eq!(single, whole);
        }
    }

    #[test]
    fn formats_are_those_that_all_values_have() {
        let format = |texts: &[&str]| {
            let values: Vec<Value> = texts.iter().map(|text| Value::from(*text)).collect();
            of(&values).format("x")
        };
        assert_eq!(format(&["01ARZ3NDEKTSV4RRFFQ69G5FAV"]), Some(Format::Ulid));
        assert_eq!(format(&["a@b.example", "c@d.example"]), Some(Format::Email));
        let sequence = Format::Sequence {
            prefix: "t_".into(),
            start: 1,
            digits: 2,
        };
        assert_eq!(format(&["t_01", "t_12"]), Some(sequence));
        assert!(matches!(
            format(&["on", "off", "on", "off"]),
            Some(Format::OneOf(_))
        ));
        assert_eq!(format(&["one", "two"]), None);
        assert!(matches!(
            format(&["2026-03-01T00:00:00Z"]),
            Some(Format::Timestamp { .. })
        ));
    }
}
