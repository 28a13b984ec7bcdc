//! What a person types into a field, read as what the document holds; a refusal says what to type instead.

use super::Refused;
use keyfold_core::model::{Number, json_fault_at, name};
use keyfold_core::template;
use std::ops::RangeInclusive;

/// A whole number within a range.
pub fn whole(text: &str, range: RangeInclusive<u64>) -> Result<u64, Refused> {
    let wanted = || match *range.end() {
        u64::MAX => format!("a whole number from {} is needed", range.start()),
        end => format!("a whole number from {} to {end} is needed", range.start()),
    };
    (text.trim().parse().ok())
        .filter(|number| range.contains(number))
        .ok_or_else(|| Refused(wanted()))
}

/// As [`whole`]; nothing typed is none.
pub fn optional_whole(text: &str, range: RangeInclusive<u64>) -> Result<Option<u64>, Refused> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    whole(text, range).map(Some)
}

/// A whole number, negative ones too.
pub fn integer(text: &str) -> Result<i64, Refused> {
    (text.trim().parse()).map_err(|_| Refused("a whole number such as -5 or 100 is needed".into()))
}

/// A decimal number, kept as it was typed.
pub fn decimal(text: &str) -> Result<String, Refused> {
    let trimmed = text.trim();
    match trimmed.parse::<Number>() {
        Ok(_) => Ok(trimmed.to_owned()),
        Err(error) => Err(Refused(error.to_string())),
    }
}

/// A text; nothing typed is none.
pub fn optional(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// A day, `YYYY-MM-DD`.
pub fn day(text: &str) -> Result<String, Refused> {
    if text.len() != 10 {
        return Err(Refused("a day such as 2026-03-01 is needed".into()));
    }
    template::check_iso(text).map_err(Refused)?;
    Ok(text.to_owned())
}

/// A timestamp, `YYYY-MM-DDThh:mm:ssZ`.
pub fn timestamp(text: &str) -> Result<String, Refused> {
    if text.len() != 20 || !text.ends_with('Z') {
        let message = "a timestamp such as 2026-03-01T09:30:00Z is needed";
        return Err(Refused(message.into()));
    }
    template::check_iso(text).map_err(Refused)?;
    Ok(text.to_owned())
}

/// A name for an attribute; nothing typed is none.
pub fn optional_attribute(text: &str) -> Result<Option<String>, Refused> {
    if text.is_empty() {
        return Ok(None);
    }
    name::check_attribute(text)?;
    Ok(Some(text.to_owned()))
}

/// An AWS Region, such as `eu-central-1` or `us-gov-west-1`.
pub fn region(text: &str) -> Result<String, Refused> {
    let mut parts = text.split('-').rev();
    let number = parts.next().unwrap_or_default();
    let is_number = (1..=2).contains(&number.len()) && number.bytes().all(|c| c.is_ascii_digit());
    let words: Vec<&str> = parts.collect();
    let is_word = |word: &&str| word.len() >= 2 && word.bytes().all(|c| c.is_ascii_lowercase());
    if is_number && words.len() >= 2 && words.iter().all(is_word) {
        Ok(text.to_owned())
    } else {
        Err(Refused("a Region such as eu-central-1 is needed".into()))
    }
}

/// What is wrong with the JSON text of a policy document, if anything.
pub fn policy_problem(text: &str) -> Option<String> {
    match serde_json::from_str::<serde_json::Value>(text) {
        Ok(serde_json::Value::Object(policy)) if policy.contains_key("Statement") => None,
        Ok(serde_json::Value::Object(_)) => Some("a policy has a `Statement`".into()),
        Ok(_) => Some("a policy is a JSON object: begin it with {".into()),
        Err(error) => Some(json_fault_at(&error)),
    }
}

/// A row of a list whose entries are known by a name that can be edited, and the row's own identity.
pub type NamedRow = (u32, String);

/// The rows for `names`, given those shown before: a name keeps its row and the rows their order; a name that
/// is new takes the row of one that is gone, so that a row outlives a rename; what is left over goes to the end.
pub fn carry_over(old: &[NamedRow], names: &[String]) -> Vec<NamedRow> {
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
