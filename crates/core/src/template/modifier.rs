//! The modifiers of a placeholder: names, effects, and which of them can be undone.

use super::iso_date::utc_date;
use crate::model::{Number, limits};
use std::fmt::{self, Write as _};

/// A transformation of a placeholder's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Modifier {
    /// Lowercase.
    Lower,
    /// Uppercase.
    Upper,
    /// The UTC date of an ISO 8601 date or timestamp: `2026-03-01`.
    Date,
    /// The year and month of a date or timestamp: `2026-03`.
    Month,
    /// The year of a date or timestamp: `2026`.
    Year,
    /// A nonnegative whole number, zero-padded to this many digits.
    Pad(u8),
    /// A nonnegative number, zero-padded to `digits` before the decimal point, with exactly `decimals` after it.
    PadDecimal {
        /// Digits before the decimal point.
        digits: u8,
        /// Digits after the decimal point, at least 1.
        decimals: u8,
    },
    /// `10^n - 1 - value`, zero-padded to `n` digits, so that larger numbers sort first.
    Desc(u8),
    /// The first n characters.
    First(u32),
    /// FNV-1a 64 of the text's UTF-8 bytes, modulo n, in decimal: write sharding.
    Shard(u32),
}

/// All modifiers with a description, for menus and messages.
pub const MODIFIERS: [(&str, &str); 10] = [
    ("lower", "lowercase"),
    ("upper", "uppercase"),
    ("date", "YYYY-MM-DD of an ISO timestamp, in UTC"),
    ("month", "YYYY-MM of an ISO timestamp, in UTC"),
    ("year", "YYYY of an ISO timestamp, in UTC"),
    ("pad(n)", "a whole number with leading zeros, n digits"),
    (
        "pad(n,d)",
        "a number with leading zeros, n digits before the decimal point and d after it",
    ),
    (
        "desc(n)",
        "n-digit complement of a whole number, newest or largest first",
    ),
    ("first(n)", "the first n characters"),
    ("shard(n)", "stable hash modulo n, to spread writes"),
];

impl Modifier {
    /// Parses one modifier, such as `pad(5)`. The error says what is wrong and, for an unknown name, lists the
    /// modifiers.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, arguments) = match text.split_once('(') {
            Some((name, rest)) => {
                let inside = rest
                    .strip_suffix(')')
                    .ok_or_else(|| format!("`{text}` needs a closing parenthesis"))?;
                (name.trim_end(), Some(inside))
            }
            None => (text, None),
        };
        let numbers: Vec<Option<u32>> = arguments.map_or(Vec::new(), |inside| {
            inside.split(',').map(|n| n.trim().parse().ok()).collect()
        });
        let digits = |n: u32| {
            u8::try_from(n)
                .ok()
                .filter(|&n| n >= 1 && usize::from(n) <= limits::NUMBER_DIGITS)
        };
        let range =
            |form: &str, last: usize| format!("write {form} with a whole number from 1 to {last}");
        let plain = |modifier| match arguments {
            None => Ok(modifier),
            Some(_) => Err(format!("`{name}` takes no argument: write {name}")),
        };
        match (name, numbers.as_slice()) {
            ("lower", _) => plain(Self::Lower),
            ("upper", _) => plain(Self::Upper),
            ("date", _) => plain(Self::Date),
            ("month", _) => plain(Self::Month),
            ("year", _) => plain(Self::Year),
            ("pad", &[Some(n), Some(d)]) => {
                let total = digits(n.saturating_add(d)).and(digits(n)).zip(digits(d));
                let (digits, decimals) = total.ok_or_else(|| {
                    format!(
                        "write pad(n,d) with n and d of at least 1, together at most {}",
                        limits::NUMBER_DIGITS
                    )
                })?;
                Ok(Self::PadDecimal { digits, decimals })
            }
            ("pad", &[Some(n)]) if digits(n).is_some() => Ok(Self::Pad(n as u8)),
            ("pad", _) => Err(range("pad(n) or pad(n,d)", limits::NUMBER_DIGITS)),
            ("desc", &[Some(n)]) if digits(n).is_some() => Ok(Self::Desc(n as u8)),
            ("desc", _) => Err(range("desc(n)", limits::NUMBER_DIGITS)),
            ("first", &[Some(n)]) if (1..=limits::PARTITION_KEY_BYTES).contains(&(n as usize)) => {
                Ok(Self::First(n))
            }
            ("first", _) => Err(range("first(n)", limits::PARTITION_KEY_BYTES)),
            ("shard", &[Some(n)]) if n >= 1 => Ok(Self::Shard(n)),
            ("shard", _) => Err(range("shard(n)", u32::MAX as usize)),
            ("", _) => Err(format!("a modifier is missing here: use one of {}", list())),
            _ => Err(format!(
                "there is no modifier `{name}`: use one of {}",
                list()
            )),
        }
    }

    /// Appends the modified text to `out`. The error says why the modifier cannot take the text; `out` may then contain
    /// a part of it.
    pub fn write(&self, text: &str, out: &mut String) -> Result<(), String> {
        match *self {
            Self::Lower if text.is_ascii() => {
                let start = out.len();
                out.push_str(text);
                out[start..].make_ascii_lowercase();
            }
            Self::Upper if text.is_ascii() => {
                let start = out.len();
                out.push_str(text);
                out[start..].make_ascii_uppercase();
            }
            Self::Lower => out.extend(text.chars().flat_map(char::to_lowercase)),
            Self::Upper => out.extend(text.chars().flat_map(char::to_uppercase)),
            Self::Date | Self::Month | Self::Year => {
                let date = utc_date(text)?;
                push_digits(date.year, 4, out);
                if !matches!(self, Self::Year) {
                    out.push('-');
                    push_digits(date.month, 2, out);
                }
                if matches!(self, Self::Date) {
                    out.push('-');
                    push_digits(date.day, 2, out);
                }
            }
            Self::Pad(digits) => {
                let (whole, fraction) = decimal(text)?;
                no_fraction(text, fraction)?;
                pad(text, whole, digits, out)?;
            }
            Self::PadDecimal { digits, decimals } => {
                let (whole, fraction) = decimal(text)?;
                let decimals = usize::from(decimals);
                if fraction.len() > decimals {
                    return Err(format!("`{text}` has more than {decimals} decimals"));
                }
                pad(text, whole, digits, out)?;
                out.push('.');
                out.push_str(fraction);
                out.push_str(&ZEROS[..decimals - fraction.len()]);
            }
            Self::Desc(digits) => {
                let (whole, fraction) = decimal(text)?;
                no_fraction(text, fraction)?;
                let start = out.len();
                pad(text, whole, digits, out)?;
                complement_from(out, start);
            }
            Self::First(count) => {
                let end = text
                    .char_indices()
                    .nth(count as usize)
                    .map_or(text.len(), |(end, _)| end);
                out.push_str(&text[..end]);
            }
            Self::Shard(count) => {
                let written = write!(
                    out,
                    "{}",
                    fnv1a_64(text.as_bytes()) % u64::from(count.max(1))
                );
                debug_assert!(written.is_ok(), "a String takes everything");
            }
        }
        Ok(())
    }

    /// Whether its result tells what it was made from, so that a key can be parsed back.
    pub fn is_reversible(&self) -> bool {
        matches!(self, Self::Pad(_) | Self::PadDecimal { .. } | Self::Desc(_))
    }

    /// The text that this modifier turns into `text`; `None` if there is no such text or the modifier is lossy.
    pub(super) fn undo(&self, text: &str) -> Option<String> {
        let all_digits = |part: &str, count: u8| {
            part.len() == usize::from(count) && part.bytes().all(|b| b.is_ascii_digit())
        };
        let whole_number = |padded: &str| match padded.trim_start_matches('0') {
            "" => "0".to_owned(),
            digits => digits.to_owned(),
        };
        match *self {
            Self::Pad(digits) => all_digits(text, digits).then(|| whole_number(text)),
            Self::Desc(digits) => all_digits(text, digits).then(|| {
                let mut value = text.to_owned();
                complement_from(&mut value, 0);
                whole_number(&value)
            }),
            Self::PadDecimal { digits, decimals } => {
                let (whole, fraction) = text.split_once('.')?;
                let fits = all_digits(whole, digits) && all_digits(fraction, decimals);
                fits.then(|| match fraction.trim_end_matches('0') {
                    "" => whole_number(whole),
                    fraction => format!("{}.{fraction}", whole_number(whole)),
                })
            }
            _ => None,
        }
    }
}

/// Applies modifiers in order and appends the result to `out`. The error names the modifier that failed, and says why.
pub(super) fn apply_all(
    modifiers: &[Modifier],
    text: &str,
    out: &mut String,
) -> Result<(), (Modifier, String)> {
    let Some((last, before)) = modifiers.split_last() else {
        out.push_str(text);
        return Ok(());
    };
    let mut current: Option<String> = None;
    for modifier in before {
        let mut next = String::new();
        modifier
            .write(current.as_deref().unwrap_or(text), &mut next)
            .map_err(|message| (*modifier, message))?;
        current = Some(next);
    }
    last.write(current.as_deref().unwrap_or(text), out)
        .map_err(|message| (*last, message))
}

/// Fast path of [`apply_all`] for a number, without creating its text. Returns false, and appends nothing, unless the
/// only modifier pads to at most nine digits and the value is a whole number that fits.
pub(super) fn pad_number(number: &Number, modifiers: &[Modifier], out: &mut String) -> bool {
    // Nine digits fit into 32 bits.
    let [Modifier::Pad(digits @ ..=9)] = *modifiers else {
        return false;
    };
    let digits = u32::from(digits);
    let fits = |value: &u32| *value < 10u32.pow(digits);
    let Some(value) = number.as_u32().filter(fits) else {
        return false;
    };
    push_digits(value, digits, out);
    true
}

/// FNV-1a, 64 bits. Source: RFC 9923 and the FNV page by Landon Curt Noll (offset basis and prime).
pub fn fnv1a_64(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Splits a nonnegative number into the digits before and after the decimal point. Accepts only the canonical notation
/// (no needless zeros, no exponent): otherwise two different texts would render the same key.
fn decimal(text: &str) -> Result<(&str, &str), String> {
    // `split_once` is optimized for long texts.
    let point = text.bytes().position(|byte| byte == b'.');
    let (whole, fraction) = match point {
        Some(point) => (&text[..point], Some(&text[point + 1..])),
        None => (text, None),
    };
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let unsigned = whole.strip_prefix('-').unwrap_or(whole);
    if !digits(unsigned) || fraction.is_some_and(|fraction| !digits(fraction)) {
        Err(format!("`{text}` is not a number"))
    } else if unsigned.len() < whole.len() {
        Err(format!(
            "`{text}` is negative and would sort in the wrong place"
        ))
    } else if (whole.len() > 1 && whole.starts_with('0'))
        || fraction.is_some_and(|f| f.ends_with('0'))
    {
        Err(format!(
            "`{text}` has unneeded zeros and would render the same key as the number without them"
        ))
    } else {
        Ok((whole, fraction.unwrap_or("")))
    }
}

fn no_fraction(text: &str, fraction: &str) -> Result<(), String> {
    if fraction.is_empty() {
        Ok(())
    } else {
        Err(format!("`{text}` is not a whole number"))
    }
}

/// As many zeros as a number can have digits.
const ZEROS: &str = match std::str::from_utf8(&[b'0'; limits::NUMBER_DIGITS]) {
    Ok(zeros) => zeros,
    Err(_) => "",
};

fn pad(text: &str, whole: &str, digits: u8, out: &mut String) -> Result<(), String> {
    let digits = usize::from(digits);
    let missing = digits
        .checked_sub(whole.len())
        .ok_or_else(|| match digits {
            1 => format!("`{text}` has more than 1 digit before the decimal point"),
            _ => format!("`{text}` has more than {digits} digits before the decimal point"),
        })?;
    out.push_str(&ZEROS[..missing]);
    out.push_str(whole);
    Ok(())
}

/// Appends the last `digits` decimal digits of a number.
fn push_digits(value: u32, digits: u32, out: &mut String) {
    out.extend(
        (0..digits)
            .rev()
            .map(|place| char::from(b'0' + (value / 10u32.pow(place) % 10) as u8)),
    );
}

/// Replaces every digit from `start` on by nine minus it.
fn complement_from(text: &mut String, start: usize) {
    let complemented: String = text[start..]
        .bytes()
        .map(|b| char::from(b'0' + (b'9' - b)))
        .collect();
    text.replace_range(start.., &complemented);
}

fn list() -> String {
    let names: Vec<_> = MODIFIERS.iter().map(|(form, _)| *form).collect();
    names.join(", ")
}

/// Writes the modifier as in a template.
impl fmt::Display for Modifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lower => f.write_str("lower"),
            Self::Upper => f.write_str("upper"),
            Self::Date => f.write_str("date"),
            Self::Month => f.write_str("month"),
            Self::Year => f.write_str("year"),
            Self::Pad(n) => write!(f, "pad({n})"),
            Self::PadDecimal { digits, decimals } => write!(f, "pad({digits},{decimals})"),
            Self::Desc(n) => write!(f, "desc({n})"),
            Self::First(n) => write!(f, "first({n})"),
            Self::Shard(n) => write!(f, "shard({n})"),
        }
    }
}
