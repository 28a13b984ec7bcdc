//! The numbers of JSON as they are written. The JSON parser rounds fractions and long numbers to 64-bit floats; DynamoDB's
//! numbers have up to 38 digits.

use super::dynamodb_json::{json_number, number};
use std::ops::Range;

/// Where the first number is that the JSON parser rounds, in valid JSON.
pub fn rounded_number(text: &str) -> Option<Range<usize>> {
    number_tokens(text).find(|token| {
        let token = &text[token.clone()];
        let parsed = serde_json::from_str(token).map(|json| json_number(&json));
        !matches!((parsed, number(token)), (Ok(Ok(parsed)), Ok(exact)) if parsed == exact)
    })
}

/// What to do about such a number.
pub fn refusal_of_rounded(token: &str) -> String {
    format!("JSON numbers cannot represent {token} exactly: write it as {{\"N\": \"{token}\"}}")
}

/// Where the numbers of valid JSON are, outside of strings.
pub fn number_tokens(text: &str) -> impl Iterator<Item = Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut in_string = false;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            let start = at;
            at += 1;
            match byte {
                b'\\' if in_string => at += 1,
                b'"' => in_string = !in_string,
                b'-' | b'0'..=b'9' if !in_string => {
                    let is_part = |byte: &u8| {
                        byte.is_ascii_digit() || matches!(byte, b'-' | b'+' | b'.' | b'e' | b'E')
                    };
                    while bytes.get(at).is_some_and(is_part) {
                        at += 1;
                    }
                    return Some(start..at);
                }
                _ => {}
            }
        }
        None
    })
}
