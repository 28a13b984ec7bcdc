//! Parses what the user types into a field. An error says what to type instead.

use super::Refused;
use keyfold_core::model::{Number, json_fault_at, name};
use keyfold_core::template;
use std::ops::RangeInclusive;

/// Parses a whole number within `range`.
pub fn whole_number(text: &str, range: RangeInclusive<u64>) -> Result<u64, Refused> {
    let wanted = || match *range.end() {
        u64::MAX => format!("enter a whole number of at least {}", range.start()),
        end => format!("enter a whole number from {} to {end}", range.start()),
    };
    (text.trim().parse().ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| Refused(wanted()))
}

/// Like [`whole_number`]; `None` for an empty text.
pub fn optional_whole_number(
    text: &str,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, Refused> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    whole_number(text, range).map(Some)
}

/// Parses a whole number, which may be negative.
pub fn integer(text: &str) -> Result<i64, Refused> {
    (text.trim().parse()).map_err(|_| Refused("enter a whole number such as -5 or 100".into()))
}

/// Parses a decimal number and returns the text as typed, without spaces around it.
pub fn decimal(text: &str) -> Result<String, Refused> {
    let trimmed = text.trim();
    match trimmed.parse::<Number>() {
        Ok(_) => Ok(trimmed.to_owned()),
        Err(error) => Err(Refused(error.to_string())),
    }
}

/// Returns the text, or `None` if it is empty.
pub fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// Parses a date, `YYYY-MM-DD`.
pub fn day(text: &str) -> Result<String, Refused> {
    if text.len() != 10 {
        return Err(Refused("enter a date such as 2026-03-01".into()));
    }
    template::check_iso(text).map_err(Refused)?;
    Ok(text.to_owned())
}

/// Parses a timestamp, `YYYY-MM-DDThh:mm:ssZ`.
pub fn timestamp(text: &str) -> Result<String, Refused> {
    if text.len() != 20 || !text.ends_with('Z') {
        let message = "enter a timestamp such as 2026-03-01T09:30:00Z";
        return Err(Refused(message.into()));
    }
    template::check_iso(text).map_err(Refused)?;
    Ok(text.to_owned())
}

/// Parses an attribute name; `None` for an empty text.
pub fn optional_attribute(text: &str) -> Result<Option<String>, Refused> {
    if text.is_empty() {
        return Ok(None);
    }
    name::check_attribute(text)?;
    Ok(Some(text.to_owned()))
}

/// Parses the name of an AWS Region, such as `eu-central-1` or `us-gov-west-1`.
pub fn region(text: &str) -> Result<String, Refused> {
    let mut parts = text.split('-').rev();
    let number = parts.next().unwrap_or_default();
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|c| c.is_ascii_digit());
    let words: Vec<&str> = parts.collect();
    let is_word = |word: &&str| word.len() >= 2 && word.bytes().all(|c| c.is_ascii_lowercase());
    if is_number && words.len() >= 2 && words.iter().all(is_word) {
        Ok(text.to_owned())
    } else {
        Err(Refused("enter a Region such as eu-central-1".into()))
    }
}

/// Returns what is wrong with the JSON text of a policy document, or `None` if it is fine.
pub fn policy_problem(text: &str) -> Option<String> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(policy)) if policy.contains_key("Statement") => None,
        Ok(serde_json::Value::Object(_)) => Some("the policy has no `Statement`".into()),
        Ok(_) => Some("a policy is a JSON object: start it with {".into()),
        Err(error) => Some(json_fault_at(&error)),
    }
}

/// A row of a list of names that the user can edit: the row's stable id, and its name.
pub type NamedRow = (u32, String);

/// Returns the rows for `names`, given the rows shown before. A known name keeps its row. If as many names were
/// added as removed, each new name takes the row of a removed one, so that a row survives a rename. Other new names
/// go to the end.
pub fn match_rows(old: &[NamedRow], names: &[String]) -> Vec<NamedRow> {
    let mut added: Vec<&String> = (names.iter())
        .filter(|name| !old.iter().any(|(_, known)| known == *name))
        .collect();
    added.reverse();
    let gone = (old.iter())
        .filter(|(_, known)| !names.contains(known))
        .count();
    let renamed = gone == added.len();
    let mut rows: Vec<NamedRow> = (old.iter())
        .filter_map(|(id, known)| {
            if names.contains(known) {
                return Some((*id, known.clone()));
            }
            if !renamed {
                return None;
            }
            Some((*id, added.pop()?.clone()))
        })
        .collect();
    let mut next = old.iter().map(|(id, _)| id + 1).max().unwrap_or(0);
    while let Some(name) = added.pop() {
        rows.push((next, name.clone()));
        next += 1;
    }
    rows
}
