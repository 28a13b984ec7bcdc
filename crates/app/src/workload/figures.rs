//! Figures as people type them: `1,200`, `3M`, `20/s`, `3M/month`, `2.5 %`, `1.5 KB`. Each reads what it writes.

use crate::Refused;
use keyfold_core::model::{Rate, Shape, Skew};

fn refused<T>(wanted: &str) -> Result<T, Refused> {
    Err(Refused(wanted.to_owned()))
}

/// Why `0,625` is refused: a comma is between groups of digits, and no number begins with a group of zeros.
const DECIMAL_COMMA: &str = "write decimals with a point, such as 0.625";

/// The reason, or for a decimal comma its own.
fn or_decimal_comma<T>(found: Refused, wanted: &str) -> Result<T, Refused> {
    match found.0 == DECIMAL_COMMA {
        true => Err(found),
        false => refused(wanted),
    }
}

/// Reads a number of 0 or more. `k`, `M` and `G` stand for thousands, millions and billions; commas, spaces or
/// underscores may separate groups of three digits.
///
/// # Errors
///
/// What to enter instead.
pub fn number(text: &str) -> Result<f64, Refused> {
    match any_number(text)? {
        number if number < 0.0 => refused("enter a number of 0 or more"),
        number => Ok(number),
    }
}

/// Like [`number`]; the number may be negative.
///
/// # Errors
///
/// What to enter instead.
pub fn any_number(text: &str) -> Result<f64, Refused> {
    const WANTED: &str = "enter a number, such as 20, 1,200 or 3M";
    let text = text.trim();
    let (digits, zeros) = match text.chars().last() {
        Some('k' | 'K') => (&text[..text.len() - 1], "e3"),
        Some('M') => (&text[..text.len() - 1], "e6"),
        Some('G') => (&text[..text.len() - 1], "e9"),
        _ => (text, ""),
    };
    let (sign, digits) = match digits.trim_end().strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", digits.trim_end()),
    };
    let digits = digits.strip_prefix('+').unwrap_or(digits);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.starts_with('0') && whole.contains(SEPARATORS) {
        return refused(DECIMAL_COMMA);
    }
    let Some(whole) = ungrouped(whole) else {
        return refused(WANTED);
    };
    // A decimal power, as programs write it: 1e6.
    let is_plain = |text: &str| text.bytes().all(|c| c.is_ascii_digit());
    let (mantissa, power) = match (
        whole.split_once(['e', 'E']),
        fraction.split_once(['e', 'E']),
    ) {
        (Some((whole, power)), _) if fraction.is_empty() => (whole.to_owned(), power),
        (None, Some((fraction, power))) => (format!("{whole}.{fraction}"), power),
        _ => (format!("{whole}.{fraction}"), ""),
    };
    let bare_power = power.strip_prefix(['+', '-']).unwrap_or(power);
    let has_digit = mantissa.bytes().any(|c| c.is_ascii_digit());
    if !has_digit || !is_plain(&mantissa.replace('.', "")) || !is_plain(bare_power) {
        return refused(WANTED);
    }
    if !power.is_empty() && !zeros.is_empty() {
        return refused(WANTED);
    }
    let power = if power.is_empty() {
        zeros.to_owned()
    } else {
        format!("e{power}")
    };
    match format!("{sign}{mantissa}{power}").parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => refused(WANTED),
    }
}

/// What may separate groups of three digits.
const SEPARATORS: [char; 5] = [',', ' ', '_', '\u{a0}', '\u{202f}'];

/// Digits without the separators of groups; `None` if the groups have not three digits.
fn ungrouped(whole: &str) -> Option<String> {
    if !whole.contains(SEPARATORS) {
        return Some(whole.to_owned());
    }
    let mut groups = whole.split(SEPARATORS);
    let first = groups.next()?;
    let is_digits = |group: &str| group.bytes().all(|c| c.is_ascii_digit());
    let fits = (1..=3).contains(&first.len()) && is_digits(first);
    (fits && groups.all(|group| group.len() == 3 && is_digits(group)))
        .then(|| whole.replace(SEPARATORS, ""))
}

/// Reads a percentage; the sign can be left out.
///
/// # Errors
///
/// What to enter instead.
pub fn percent(text: &str) -> Result<f64, Refused> {
    const WANTED: &str = "enter a percentage from 0 to 100";
    let text = text.trim();
    let found = number(text.strip_suffix('%').unwrap_or(text));
    match found {
        Ok(share) if share <= 100.0 => Ok(share),
        Ok(_) => refused(WANTED),
        Err(found) => or_decimal_comma(found, WANTED),
    }
}

/// Reads a size in bytes: `400`, `400 B`, `1.5 KB`.
///
/// # Errors
///
/// What to enter instead.
pub fn bytes(text: &str) -> Result<f64, Refused> {
    let text = text.trim();
    let upper = text.to_ascii_uppercase();
    let (digits, unit) = match () {
        () if upper.ends_with("KB") => (&text[..text.len() - 2], 1024.0),
        () if upper.ends_with('B') => (&text[..text.len() - 1], 1.0),
        () => (text, 1.0),
    };
    match number(digits) {
        Ok(size) => Ok(size * unit),
        Err(found) => or_decimal_comma(found, "enter a size, such as 400 or 1.5 KB"),
    }
}

/// The ends of a rate, longest first: per second, or per month.
const UNITS: [(&str, bool); 7] = [
    ("per second", true),
    ("per month", false),
    ("/second", true),
    ("/month", false),
    ("/sec", true),
    ("/mo", false),
    ("/s", true),
];

/// Reads a rate: `20`, `20/s`, `3M/month`, `3M per month`. Without a unit it is per second.
///
/// # Errors
///
/// What to enter instead.
pub fn rate(text: &str) -> Result<Rate, Refused> {
    const WANTED: &str = "enter a rate, such as 20/s or 3M/month";
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let unit = UNITS.into_iter().find(|(end, _)| lower.ends_with(end));
    let (figure, is_second) = match unit {
        Some((end, is_second)) => (text[..text.len() - end.len()].trim_end(), is_second),
        None => (text, true),
    };
    match (number(figure), is_second) {
        (Ok(figure), true) => Ok(Rate::PerSecond(figure)),
        (Ok(figure), false) => Ok(Rate::PerMonth(figure)),
        (Err(Refused(reason)), _) if reason.contains("0 or more") => {
            refused("enter a rate of 0 or more")
        }
        (Err(found), _) => or_decimal_comma(found, WANTED),
    }
}

/// A rate as text.
pub fn rate_text(rate: Rate) -> String {
    match rate {
        Rate::PerSecond(figure) => format!("{figure}/s"),
        Rate::PerMonth(figure) => format!("{figure}/month"),
    }
}

/// Reads how requests fall on values: `even`, `zipf 1.1`, `largest 80%`, each with `of 100000 values` behind it.
///
/// # Errors
///
/// What to enter instead.
pub fn skew(text: &str) -> Result<Skew, Refused> {
    const WANTED: &str = "enter `even`, `zipf 1.1` or `largest 80%`, or how many values there are: `even of 1000 values`";
    let text = text.trim();
    let (shape, values) = match text.split_once(" of ") {
        Some((shape, values)) => {
            let values = values.trim();
            let figure = values.strip_suffix("values").unwrap_or(values);
            match number(figure) {
                Ok(count) if count >= 1.0 => (shape.trim(), Some(count)),
                _ => return refused("enter how many values there are, at least 1"),
            }
        }
        None => (text, None),
    };
    let (word, figure) = shape.split_once(' ').unwrap_or((shape, ""));
    let shape = match word.to_ascii_lowercase().as_str() {
        "even" if figure.is_empty() => Shape::Even,
        "zipf" => match number(figure) {
            Ok(exponent) if exponent <= 5.0 => Shape::Zipf(exponent),
            _ => return refused("enter an exponent from 0 to 5, such as `zipf 1.1`"),
        },
        "largest" => Shape::Largest(percent(figure)?),
        _ => return refused(WANTED),
    };
    Ok(Skew { values, shape })
}
