//! Names for values that no attribute has: they are named after the literal in front of them.

use super::words::{is_word, lower_words};
use keyfold_core::model::camel_case;
use keyfold_core::template::check_iso;

/// Last words of literals that already say what their value is: `USER_EMAIL#` is followed by an email address.
const NOUNS: &str = "email status date type name month year day time timestamp role state category code sku slug \
                     version region country city score rank token hash phone url level priority shard";

/// Those that say that it is a time.
const TIMES: &str = "date month year day time timestamp";

/// The name of a value that no attribute has: `USER#` gives `userId`. Without a literal the name comes from the key
/// attribute. The name is none of `taken`.
pub(crate) fn name(
    literal: &str,
    key: &str,
    values: &[&str],
    taken: &dyn Fn(&str) -> bool,
) -> String {
    let literal = literal.trim_matches(|c: char| !c.is_alphanumeric());
    let is_time = values.iter().all(|value| check_iso(value).is_ok());
    let is_month = |value: &&str| value.len() == 7 && check_iso(&format!("{value}-01")).is_ok();
    let ending = if values.iter().all(is_month) {
        "Month"
    } else if !is_time {
        "Id"
    } else if values.iter().all(|value| value.len() == 10) {
        "Date"
    } else {
        "At"
    };
    let is_time = ending != "Id";
    let base = if !literal.is_empty() && is_word(literal) {
        let last = lower_words(literal).pop().unwrap_or_default();
        let stem = camel_case(&literal.to_lowercase());
        let among = |nouns: &str| nouns.split(' ').any(|noun| noun == last);
        // `USERNAME#`, `CUSTOMEREMAIL#`.
        let is_noun = among(NOUNS) || last.ends_with("name") || last.ends_with("email");
        match is_time && among(TIMES) || !is_time && is_noun {
            true => stem,
            false => stem + ending,
        }
    } else {
        match ending {
            "Id" => camel_case(&key.to_lowercase()) + "Value",
            "Month" => "month".to_owned(),
            "Date" => "date".to_owned(),
            _ => "time".to_owned(),
        }
    };
    let mut name = base.clone();
    let mut number = 2;
    while taken(&name) {
        name = format!("{base}{number}");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::name;

    #[test]
    fn values_are_named_after_the_literal_before_them() {
        let free = |_: &str| false;
        assert_eq!(name("USER", "PK", &["1"], &free), "userId");
        assert_eq!(name("ORDER_ITEM", "SK", &["1"], &free), "orderItemId");
        assert_eq!(name("USER_EMAIL", "GSI1PK", &["a@b.c"], &free), "userEmail");
        assert_eq!(name("STATE", "SK", &["2026-03-01T09:30"], &free), "stateAt");
        assert_eq!(name("DAY", "SK", &["2026-03-01"], &free), "day");
        assert_eq!(name("LOG", "PK", &["2026-03"], &free), "logMonth");
        assert_eq!(name("USERNAME", "PK", &["ada"], &free), "username");
        assert_eq!(name("ORDER", "SK", &["2026-03-01"], &free), "orderDate");
        assert_eq!(name("", "PK", &["1"], &free), "pkValue");
        assert_eq!(name("", "SK", &["2026-03-01T09:30:00Z"], &free), "time");
        assert_eq!(
            name("USER", "PK", &["1"], &|name| name == "userId"),
            "userId2"
        );
    }
}
