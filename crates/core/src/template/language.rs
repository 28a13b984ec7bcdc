//! The set of texts that a placeholder can render: its attribute's shape, then its modifiers. An inexact set is too
//! large, never too small: see [`Language::modified`].

use super::automaton::Nfa;
use super::charset::CharSet;
use super::modifier::Modifier;
use super::shape::{Form, ValueShape};
use crate::model::number::{MIN_EXPONENT, Number};
use crate::model::value::AttributeType;
use crate::model::{SortedSet, limits};

/// A set of texts, in the simplest representation that fits.
pub(super) enum Language {
    /// Exactly these texts.
    Texts(SortedSet<String>),
    /// The whole numbers of a range, bounds included.
    Integers { min: i128, max: i128 },
    /// All DynamoDB numbers.
    Numbers,
    /// The texts that an automaton accepts.
    Machine(Nfa),
}

/// Length in bytes of the longest number in DynamoDB's plain notation: `-0.`, the zeros after the decimal point, all
/// digits.
const NUMBER_BYTES: usize = 3 + (-MIN_EXPONENT - 1) as usize + limits::NUMBER_DIGITS;

impl Language {
    /// The values of an attribute, as text.
    pub fn of(shape: &ValueShape) -> Self {
        let texts = |texts: &[String]| {
            let texts = texts.iter().filter(|text| !text.is_empty());
            Self::Texts(SortedSet::from_iter(texts.cloned()))
        };
        match (shape.kind, &shape.form) {
            (AttributeType::S, Form::Any) => Self::Machine(Nfa::repeat(&CharSet::all(), 1, None)),
            (AttributeType::S, Form::OneOf(allowed)) => texts(allowed),
            (AttributeType::S | AttributeType::N, &Form::Integer { min, max }) => Self::Integers {
                min: min.into(),
                max: max.into(),
            },
            (AttributeType::S, Form::Chars { allowed, min, max }) => {
                let set = CharSet::of(allowed.iter().map(|range| (*range.start(), *range.end())));
                Self::Machine(Nfa::repeat(&set, *min, *max))
            }
            (AttributeType::S, Form::Ulid) => {
                let base32 = CharSet::of([
                    ('0', '9'),
                    ('A', 'H'),
                    ('J', 'K'),
                    ('M', 'N'),
                    ('P', 'T'),
                    ('V', 'Z'),
                ]);
                Self::Machine(times(&CharSet::of([('0', '7')]), 1).then(&times(&base32, 25)))
            }
            (AttributeType::S, Form::Uuid) => {
                let hex = CharSet::of([('0', '9'), ('a', 'f'), ('A', 'F')]);
                Self::Machine(sequence(
                    "-",
                    [8, 4, 4, 4, 12].map(|count| times(&hex, count)),
                ))
            }
            (AttributeType::S, Form::Date) => Self::Machine(dates()),
            (AttributeType::S, Form::Timestamp) => Self::Machine(timestamps()),
            (AttributeType::N, Form::OneOf(allowed)) => {
                let numbers = allowed
                    .iter()
                    .filter_map(|text| text.parse::<Number>().ok());
                Self::Texts(SortedSet::from_iter(
                    numbers.map(|number| number.to_string()),
                ))
            }
            (AttributeType::N, _) => Self::Numbers,
            (AttributeType::Bool, Form::OneOf(allowed)) => texts(allowed),
            (AttributeType::Bool, _) => texts(&["true", "false"].map(str::to_owned)),
            // No text renders them, nor binary: only a key of type B holds that.
            _ => Self::Texts(SortedSet::new()),
        }
    }

    /// The texts after a modifier. Exact for lists of texts, for whole numbers (except `shard`), for `first`, and for
    /// `lower` and `upper` of ASCII. Otherwise it is every text that the modifier can produce at all; for `date` this
    /// includes February 29 of every year.
    pub fn modified(self, modifier: &Modifier) -> Self {
        if let Self::Texts(texts) = self {
            let apply = |text: &String| {
                let mut out = String::new();
                modifier.write(text, &mut out).is_ok().then_some(out)
            };
            return Self::Texts(SortedSet::from_iter(texts.iter().filter_map(apply)));
        }
        let numeric = matches!(self, Self::Integers { .. } | Self::Numbers);
        match *modifier {
            Modifier::Lower | Modifier::Upper if numeric => self,
            Modifier::Lower => Self::Machine(self.machine().with_case(false)),
            Modifier::Upper => Self::Machine(self.machine().with_case(true)),
            Modifier::Date | Modifier::Month | Modifier::Year if numeric => {
                Self::Texts(SortedSet::new())
            }
            Modifier::Date => Self::Machine(dates()),
            Modifier::Month => Self::Machine(months()),
            Modifier::Year => Self::Machine(times(&digit(), 4)),
            Modifier::Pad(digits) => Self::Machine(self.padded(digits, false)),
            Modifier::Desc(digits) => Self::Machine(self.padded(digits, true)),
            Modifier::PadDecimal { digits, decimals } => {
                let decimals = usize::from(decimals);
                let fraction = match self {
                    Self::Integers { .. } => Nfa::texts(["0".repeat(decimals).as_str()]),
                    _ => times(&digit(), decimals),
                };
                Self::Machine(sequence(".", [self.padded(digits, false), fraction]))
            }
            Modifier::First(count) => Self::Machine(self.machine().first(count as usize)),
            Modifier::Shard(count) => Self::Integers {
                min: 0,
                max: i128::from(count.max(1)) - 1,
            },
        }
    }

    /// The whole numbers with leading zeros, or their complements.
    fn padded(&self, digits: u8, complement: bool) -> Nfa {
        let Self::Integers { min, max } = *self else {
            return times(&digit(), digits.into());
        };
        let largest = 10i128.pow(digits.into()) - 1;
        let (min, max) = (min.max(0), max.min(largest));
        let (min, max) = if complement {
            (largest - max, largest - min)
        } else {
            (min, max)
        };
        let width = usize::from(digits);
        if min > max {
            Nfa::none()
        } else {
            Nfa::digits_between(&format!("{min:0width$}"), &format!("{max:0width$}"))
        }
    }

    /// Length of the longest text in bytes, if there is one that the automaton does not show.
    pub fn known_max_bytes(&self) -> Option<usize> {
        matches!(self, Self::Numbers).then_some(NUMBER_BYTES)
    }

    /// Converts to an automaton that accepts the texts.
    pub fn machine(self) -> Nfa {
        match self {
            Self::Texts(texts) => Nfa::texts(texts.iter().map(String::as_str)),
            Self::Integers { min, max } => Nfa::integers(min, max),
            Self::Numbers => numbers(),
            Self::Machine(nfa) => nfa,
        }
    }
}

fn digit() -> CharSet {
    CharSet::of([('0', '9')])
}

fn times(set: &CharSet, count: usize) -> Nfa {
    Nfa::repeat(set, count, Some(count))
}

/// The concatenation of the parts with a separator between them.
fn sequence<const N: usize>(separator: &str, parts: [Nfa; N]) -> Nfa {
    let separator = Nfa::texts([separator]);
    let joined = parts
        .into_iter()
        .reduce(|joined, part| joined.then(&separator).then(&part));
    joined.unwrap_or_else(Nfa::none)
}

fn months() -> Nfa {
    sequence("-", [times(&digit(), 4), Nfa::digits_between("01", "12")])
}

fn dates() -> Nfa {
    let days = |months: &[&str], last| {
        sequence(
            "-",
            [
                Nfa::texts(months.iter().copied()),
                Nfa::digits_between("01", last),
            ],
        )
    };
    let day_of_year = Nfa::any_of([
        days(&["01", "03", "05", "07", "08", "10", "12"], "31"),
        days(&["04", "06", "09", "11"], "30"),
        days(&["02"], "29"),
    ]);
    sequence("-", [times(&digit(), 4), day_of_year])
}

fn timestamps() -> Nfa {
    let clock = || {
        sequence(
            ":",
            [
                Nfa::digits_between("00", "23"),
                Nfa::digits_between("00", "59"),
            ],
        )
    };
    let seconds = Nfa::digits_between("00", "60");
    let exact = sequence(".", [seconds.clone(), Nfa::repeat(&digit(), 1, Some(9))]);
    let offset = Nfa::texts(["+", "-"]).then(&clock());
    let zone = Nfa::any_of([Nfa::texts(["Z"]), offset]);
    sequence(
        "T",
        [
            dates(),
            sequence(":", [clock(), Nfa::any_of([seconds, exact])]).then(&zone),
        ],
    )
}

/// Numbers in plain notation without needless zeros, of any length.
fn numbers() -> Nfa {
    let nonzero = CharSet::of([('1', '9')]);
    let whole = || {
        Nfa::any_of([
            times(&nonzero, 1),
            times(&nonzero, 1).then(&Nfa::repeat(&digit(), 1, None)),
        ])
    };
    let fraction = || {
        Nfa::any_of([
            times(&nonzero, 1),
            Nfa::repeat(&digit(), 1, None).then(&times(&nonzero, 1)),
        ])
    };
    let magnitude = Nfa::any_of([
        whole(),
        sequence(".", [whole(), fraction()]),
        sequence(".", [Nfa::texts(["0"]), fraction()]),
    ]);
    Nfa::any_of([
        Nfa::texts(["0"]),
        Nfa::texts(["-"]).then(&magnitude),
        magnitude,
    ])
}
